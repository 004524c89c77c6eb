// contacts.h: what is done with contacts around a minimisation
#ifndef PL_CONTACTS_H
#define PL_CONTACTS_H

#include "../energy/contact.h"

// At the start of a substep, after `begin`, and of each epoch: which vertices rub on what at q, and the most that
// friction gives there. pl_success or pl_errorMemory. Allocates only when vertices touch more colliders than ever
// before.
plResult plContacts_LagFriction(plContactEnergy* contact, const double* q, plPool* pool, plHeap* heap);

// How far friction's forces at q are from those that it would have with the normals and normal forces at q: 2-norm over
// the axes that are not held, N. `partial` is work space for a sum of width 1 over the vertices.
double plContacts_GetLag(plContactEnergy* contact, const double* q, const uint8_t* held, plPool* pool, double* partial);

// The other model, after the minimisation: moves vertices that are too near to a collider to its surface, and takes
// slip away from them. `held` are the axes that do not move. Writes force, touches and depth.
void plContacts_Project(plContactEnergy* contact, const plSubstep* substep, const uint8_t* held, double* q,
                        plPool* pool);

// Force, touches and depth of the model by energy, at q.
void plContacts_Measure(plContactEnergy* contact, const double* q, plPool* pool);

#endif
