// work.h: the work of contact in a substep, for the balance of energies
#ifndef PL_WORK_H
#define PL_WORK_H

#include "../energy/push.h"

// Of contact by energy, J.
typedef struct plPushWork
{
	double push;      // change of the energy of the push
	double grips;     // change of the energy in the springs of friction
	double outer;     // work of colliders that move or whose surface runs
	double friction;  // lost by slip, and with grips that were let go; never below 0
	double numerical; // lost by the integrator
} plPushWork;

// The substep went to q; friction is lagged there, and grips are not taken yet. `partial` is work space for a sum of
// width pl_pushWorks over the vertices of contact.
plPushWork plPushEnergy_GetWork(const plPushEnergy* push, const double* q, plPool* pool, double* partial);

enum
{
	pl_pushWorks = sizeof(plPushWork) / sizeof(double)
};

#endif
