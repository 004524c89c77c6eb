// lag.h: contact around a minimisation: the lag of friction, guesses, measures
#ifndef PL_LAG_H
#define PL_LAG_H

#include "../energy/push.h"

// At the start of a substep, after `begin`: how far vertices may go before they can touch a mesh. Without it every
// evaluation takes every distance.
void plPushEnergy_Clear(plPushEnergy* push, plPool* pool);

// At the start of a substep, after `begin`, and of each epoch: which vertices rub on what at q, and the most that
// friction gives there. pl_success or pl_errorMemory. Allocates only when vertices touch more colliders than ever
// before.
plResult plPushEnergy_LagFriction(plPushEnergy* push, const double* q, plPool* pool, plHeap* heap);

// At the end of a substep: friction as it is at q, and the grips that the next substep begins with. Of vertices that
// slip they are dragged along; those of vertices that parted are dropped. Results as above.
plResult plPushEnergy_TakeGrips(plPushEnergy* push, const double* q, plPool* pool, plHeap* heap);

// How far friction's forces at q are from those that it would have with the normals and normal forces at q: 2-norm over
// the axes that are not held, N. `partial` is work space for a sum of width 1 over the vertices.
double plPushEnergy_GetLag(plPushEnergy* push, const double* q, const uint8_t* held, plPool* pool, double* partial);

// For a guess q of where the substep ends: what a moving collider meets on the way from the start of the substep goes
// along with it, and slides on its surface. Otherwise a fast one would leave vertices behind. Vertices that are held
// along some axis stay.
void plPushEnergy_Sweep(plPushEnergy* push, const double* start, const uint8_t* held, double* q, plPool* pool);

// Force, touches and depth of the model by energy, at q.
void plPushEnergy_MeasureVertex(plPushEnergy* push, const double x[3], size_t e); // touches and depth alone
void plPushEnergy_Measure(plPushEnergy* push, const double* q, plPool* pool);

#endif
