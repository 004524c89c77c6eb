// clearance.c: how far a vertex may go before it can touch a mesh, so that few distances have to be taken
//
//   r = min over meshes of  phi(x_t) - t:   |x - x_t| < r  =>  phi(x) > t
//
// phi, signed distance of a mesh, changes no faster than a point moves; x_t, where the vertex is at the start of the
// substep; t, the thickness (m). r is taken once a substep, against meshes where they are at its end, for which every
// evaluation in the substep asks. So what is far from a mesh costs one distance a substep and not one an evaluation;
// and value, gradient and block at one place cost one together. What is asked for is the same with and without, bit for
// bit. It is another where a surface passes through itself, at vertices that start in it nearer to a part of it from
// outside than to one from inside: these count as outside within r, whatever comes near them.
#include "push.h"

#include <math.h>

// Distance of a collider that takes a search, for vertex e: value, gradient and block are taken at one place.
static void measureVertex(const plPushEnergy* push, size_t e, size_t c, const double x[3], plDistance* distance)
{
	plClearance* known = push->clearance + e;
	bool same = known->collider == c;
	if (!same || !(known->x[0] == x[0] && known->x[1] == x[1] && known->x[2] == x[2]))
	{
		known->part = same ? known->part : UINT32_MAX;
		known->collider = (uint32_t)c;
		memcpy(known->x, x, sizeof known->x);
		plPushCollider_GetDistanceNear(push->colliders + c, x, &known->part, &known->distance);
	}
	*distance = known->distance;
}

static double squareOf(const double a[3], const double b[3])
{
	double sum = 0.0;
	for (int i = 0; i < 3; ++i)
		sum += (a[i] - b[i]) * (a[i] - b[i]);
	return sum;
}

size_t plPushEnergy_TouchVertex(const plPushEnergy* push, size_t e, const double x[3], size_t from,
                                plDistance* distance)
{
	bool isClear = squareOf(x, push->start + 3 * e) < push->clearance[e].square;
	for (size_t c = from; c < push->colliderCount; ++c)
	{
		const plPushCollider* collider = push->colliders + c;
		if ((isClear && collider->distanceNear != NULL) || plPushCollider_IsBeside(collider, x))
			continue;
		if (collider->distanceNear != NULL)
			measureVertex(push, e, c, x, distance);
		else
			plPushCollider_GetDistance(collider, x, distance);
		if (distance->phi < collider->thickness)
			return c;
	}
	return push->colliderCount;
}

// Of the box that collider c can be met in
static double roomBeside(const plPushCollider* collider, const double x[3])
{
	double sum = 0.0;
	for (int i = 0; i < 3; ++i)
	{
		double e = fmax(0.0, fmax(collider->low[i] - x[i], x[i] - collider->high[i]));
		sum += e * e;
	}
	return sqrt(sum);
}

// Rounding: distances are off by a few units in the last place of the coordinates that they come from.
static double clearanceOf(const plPushEnergy* push, size_t e)
{
	const double *x = push->start + 3 * e, slack = 1e-12;
	double room = INFINITY;
	for (size_t c = 0; c < push->colliderCount && room > 0.0; ++c)
	{
		const plPushCollider* collider = push->colliders + c;
		if (collider->distanceNear == NULL)
			continue;
		plDistance d;
		double own = roomBeside(collider, x);
		if (own == 0.0)
		{
			measureVertex(push, e, c, x, &d);
			own = d.phi - collider->thickness;
		}
		double size = collider->reach + fmax(fabs(x[0]), fmax(fabs(x[1]), fabs(x[2])));
		room = fmin(room, (1.0 - slack) * own - slack * size);
	}
	return room > 0.0 ? room : 0.0;
}

void plPushEnergy_ClearRange(plPushEnergy* push, size_t begin, size_t end)
{
	for (size_t e = begin; e < end; ++e)
	{
		double room = clearanceOf(push, e);
		push->clearance[e].square = room * room;
	}
}

void plPushEnergy_ForgetClearance(plPushEnergy* push)
{
	for (size_t e = 0; e < push->base.elementCount; ++e)
	{
		push->clearance[e].square = 0.0;
		push->clearance[e].x[0] = NAN;
	}
}
