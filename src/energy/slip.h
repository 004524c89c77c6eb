// slip.h: Coulomb's friction of what hangs on a spring that gives way
//
//   G(y) = k y^2/2  below s = L/k: it sticks;  L (y - s/2)  above: it slips, with the force L
//
//   y = |u|, u the slip across the normal n;  gradient G' w, w = u/y;  block (G'/y) (I - n n' - w w') + G'' w w'
//
// k y^2/2 is all the energy that the spring holds, whatever L is: so a change of L gives no energy to anything.
#ifndef PL_SLIP_H
#define PL_SLIP_H

#include "../base/vec3.h"

#include <stdbool.h>

typedef struct plSlip
{
	double w[3];   // direction
	double y;      // length, m
	double first;  // G'/y, N/m
	double second; // G'', N/m
	double value;  // G, J
	bool slips;
} plSlip;

// u: from the grip to where it is now; what it has along the normal does not count.
static inline plSlip plSlip_At(const double u[3], const double normal[3], double most, double stiffness)
{
	plSlip slip;
	double along = u[0] * normal[0] + u[1] * normal[1] + u[2] * normal[2];
	for (int i = 0; i < 3; ++i)
		slip.w[i] = u[i] - along * normal[i];
	slip.y = sqrt(slip.w[0] * slip.w[0] + slip.w[1] * slip.w[1] + slip.w[2] * slip.w[2]);
	for (int i = 0; i < 3; ++i)
		slip.w[i] = slip.y > 0.0 ? slip.w[i] / slip.y : 0.0;
	slip.slips = stiffness * slip.y > most;
	slip.value = slip.slips ? most * (slip.y - 0.5 * most / stiffness) : 0.5 * stiffness * slip.y * slip.y;
	slip.first = slip.slips ? most / slip.y : stiffness;
	slip.second = slip.slips ? 0.0 : stiffness;
	return slip;
}

// H += weight ((G'/y) (I - n n' - w w') + G'' w w'), by rows
static inline void plSlip_AddBlock(const plSlip* slip, const double normal[3], double weight, double H[9])
{
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
		{
			double tangent = (i == j ? 1.0 : 0.0) - normal[i] * normal[j], ww = slip->w[i] * slip->w[j];
			H[3 * i + j] += weight * (slip->first * (tangent - ww) + slip->second * ww);
		}
}

#endif
