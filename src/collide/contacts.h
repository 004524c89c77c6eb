// contacts.h: what is done with contacts around a minimisation
#ifndef PL_CONTACTS_H
#define PL_CONTACTS_H

#include "../energy/contact.h"

// At the start of a substep, after `begin`: which vertices rub on what, and the most that friction gives there.
// pl_success or pl_errorMemory. Allocates only when vertices touch more colliders than ever before.
plResult plContacts_LagFriction(plContactEnergy* contact, const double* q, plPool* pool, plHeap* heap);

// The other model, after the minimisation: moves vertices that are too near to a collider to its surface, and takes
// slip away from them. `held` are the axes that do not move. Writes force, touches and depth.
void plContacts_Project(plContactEnergy* contact, const plSubstep* substep, const uint8_t* held, double* q,
                        plPool* pool);

// Force, touches and depth of the model by energy, at q.
void plContacts_Measure(plContactEnergy* contact, const double* q, plPool* pool);

#endif
