// grabs.c: vertices that a hand, or a mouse, draws to a point
//
// A grab gives each of its vertices a share of its force, by mass, and draws it to where it was against the point when
// it was grabbed. So they are carried as they are, not pulled together. With M the mass of the body, L the diagonal of
// its box at rest and F the most force:
//
//   k = F/(L/10), unless given            the full force at a tenth of the body's size
//   c = damping 2 sqrt(k M)               critical, if damping is 1, for a body that follows as a whole
//
// Spring and damper have one limit, energy/grab.c. A grab has no part in the matrix of quasi-Newton methods, and is no
// term: making, moving and destroying one changes neither.
#include "world.h"

#include <math.h>

plGrabDef plDefaultGrabDef(void)
{
	return (plGrabDef){.damping = 1.0, .cookie = PL_COOKIE(plGrabDef)};
}

static bool isAtLeastZero(double x)
{
	return x >= 0.0 && isfinite(x);
}

plResult plGrabDef_Check(const plGrabDef* def, plError* error)
{
	PL_ASSERT(def->cookie == PL_COOKIE(plGrabDef), "a plGrabDef starts as plDefaultGrabDef()");
	if (!isfinite(def->point.x) || !isfinite(def->point.y) || !isfinite(def->point.z))
		return plFailAt(error, "point", "grab: its point is not finite");
	if (!isAtLeastZero(def->radius))
		return plFailAt(error, "radius", "grab: radius is %g m, it cannot be below 0", def->radius);
	if (!isAtLeastZero(def->maxForce))
		return plFailAt(error, "maxForce", "grab: maxForce is %g N, it must be above 0, or 0 for ten times the weight",
		                def->maxForce);
	if (!isAtLeastZero(def->stiffness))
		return plFailAt(error, "stiffness",
		                "grab: stiffness is %g N/m, it must be above 0, or 0 for one that goes by maxForce",
		                def->stiffness);
	if (!isAtLeastZero(def->damping))
		return plFailAt(error, "damping", "grab: damping is %g, it cannot be below 0", def->damping);
	return pl_success;
}

static plGrab* getGrab(const plWorld* world, plGrabId id)
{
	plGrab* grab = plSlots_Get(&world->grabs, id.index1, id.generation);
	PL_ASSERT(grab != NULL, "the grab exists in this world");
	return grab;
}

// ---- the vertices of a grab -----------------------------------------------------------------------------------------

// The vertices of a def: from its list, or around its point.
typedef struct Handful
{
	const plWorld* world;
	const plSoftBody* body;
	const plGrabDef* def;
	double reach2; // the square of the radius, or of the distance to the nearest vertex
} Handful;

static const double* positionOf(const Handful* handful, uint32_t place)
{
	return PL_AT(handful->world->q, handful->body->vertexStart + place);
}

static double massOf(const Handful* handful, uint32_t place)
{
	return handful->world->mass[handful->body->vertexStart + place];
}

static double square(const Handful* handful, uint32_t place)
{
	const double* x = positionOf(handful, place);
	double u[3] = {x[0] - handful->def->point.x, x[1] - handful->def->point.y, x[2] - handful->def->point.z};
	return u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
}

static Handful openHandful(const plWorld* world, const plGrabDef* def)
{
	Handful handful = {.world = world, .body = plWorld_GetSoftBody(world, def->body), .def = def};
	double nearest = INFINITY;
	for (uint32_t i = 0; def->vertices == NULL && i < handful.body->vertexCount; ++i)
		if (massOf(&handful, i) > 0.0)
			nearest = fmin(nearest, square(&handful, i));
	handful.reach2 = fmax(nearest, def->radius * def->radius);
	return handful;
}

// Places of its vertices in the body's range, into `places` unless that is NULL, and how many there are. What has no
// mass is left out: nothing moves it.
static size_t listHandful(const Handful* handful, uint32_t* places)
{
	size_t count = 0, all = handful->def->vertices != NULL ? handful->def->vertexCount : handful->body->vertexCount;
	for (size_t i = 0; i < all; ++i)
	{
		uint32_t place = handful->body->internalOf[handful->def->vertices != NULL ? handful->def->vertices[i] : i];
		if (massOf(handful, place) == 0.0 ||
		    (handful->def->vertices == NULL && square(handful, place) > handful->reach2))
			continue;
		if (places != NULL)
			places[count] = place;
		count++;
	}
	return count;
}

// The new elements at the end of those in use, and the point that they are held by.
static void fillHandful(const Handful* handful, plGrabEnergy* all, size_t start, size_t count, double point[3])
{
	double mass = 0.0, mean[3] = {0.0, 0.0, 0.0};
	listHandful(handful, all->place + start);
	for (size_t e = start; e < start + count; ++e)
	{
		double m = massOf(handful, all->place[e]);
		mass += m;
		for (size_t i = 0; i < 3; ++i)
			mean[i] += m * positionOf(handful, all->place[e])[i];
	}
	const double given[3] = {handful->def->point.x, handful->def->point.y, handful->def->point.z};
	for (size_t i = 0; i < 3; ++i)
		point[i] = handful->def->vertices != NULL ? mean[i] / mass : given[i];
	for (size_t e = start; e < start + count; ++e)
	{
		all->base.vertices[e] = (uint32_t)handful->body->vertexStart + all->place[e];
		all->share[e] = massOf(handful, all->place[e]) / mass;
		all->stiffness[e] = all->most[e] = 0.0; // it draws from the next step on
		for (size_t i = 0; i < 3; ++i)
			all->offset[3 * e + i] = positionOf(handful, all->place[e])[i] - point[i];
	}
}

// ---- life -----------------------------------------------------------------------------------------------------------

static double sizeOf(const plSoftBody* body)
{
	double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, sum = 0.0;
	for (size_t i = 0; i < 3 * body->vertexCount; ++i)
	{
		low[i % 3] = fmin(low[i % 3], body->rest[i]);
		high[i % 3] = fmax(high[i % 3], body->rest[i]);
	}
	for (int i = 0; i < 3; ++i)
		sum += (high[i] - low[i]) * (high[i] - low[i]);
	return sqrt(sum);
}

static void setStrength(const plWorld* world, const plGrabDef* def, plGrab* grab)
{
	const plSoftBody* body = plWorld_GetSoftBody(world, def->body);
	double mass = 0.0;
	for (size_t i = 0; i < body->vertexCount; ++i)
		mass += world->mass[body->vertexStart + i];
	grab->maxForce = def->maxForce > 0.0 ? def->maxForce : 10.0 * 9.81 * mass;
	grab->stiffness = def->stiffness > 0.0 ? def->stiffness : grab->maxForce / (0.1 * sizeOf(body));
	grab->damping = def->damping * 2.0 * sqrt(grab->stiffness * mass);
}

plGrabId plCreateGrab(plWorld* world, const plGrabDef* def, plError* error)
{
	plGrabId null = {0, 0};
	uint32_t any = 0;
	bool listed = def->vertices != NULL;
	if (plGrabDef_Check(def, error) < 0 ||
	    plWorld_CheckSelection(world, "grab", def->body, listed ? def->vertices : &any, listed ? def->vertexCount : 1,
	                           error) < 0)
		return null;
	plGrabEnergy* all = &world->grabEnergy;
	Handful handful = openHandful(world, def);
	plGrab grab = {.body = def->body.index1 - 1, .start = all->base.elementCount, .count = listHandful(&handful, NULL)};
	if (grab.count == 0)
	{
		plFailAt(error, "vertices", "grab: none of its vertices belongs to an element");
		return null;
	}
	if (!plGrabEnergy_Reserve(all, grab.start + grab.count, world->layout.vertexCount, &world->heap) ||
	    !plSlots_Reserve(&world->grabs))
	{
		plFail(error, pl_errorMemory, "not enough memory for a grab of %zu vertices", grab.count);
		return null;
	}
	setStrength(world, def, &grab);
	plGrabEnergy_Unchain(all);
	fillHandful(&handful, all, grab.start, grab.count, grab.target);
	all->base.elementCount += grab.count;
	plGrabEnergy_Chain(all);
	memcpy(grab.last, grab.target, sizeof grab.last);
	memcpy(grab.before, grab.target, sizeof grab.before);
	plSlotId id = plSlots_Add(&world->grabs, &grab);
	return (plGrabId){id.index1, id.generation};
}

void plWorld_RemoveGrab(plWorld* world, plGrab* grab)
{
	plGrabEnergy* all = &world->grabEnergy;
	plGrabEnergy_Unchain(all);
	plGrabEnergy_Remove(all, grab->start, grab->start + grab->count);
	plGrabEnergy_Chain(all);
	PL_EACH(plGrab, other, &world->grabs)
		other->start -= other->start > grab->start ? grab->count : 0;
	plSlots_Remove(&world->grabs, grab);
}

void plDestroyGrab(plWorld* world, plGrabId id)
{
	plWorld_RemoveGrab(world, getGrab(world, id));
}

void plGrab_Move(plWorld* world, plGrabId id, plVec3 target)
{
	plGrab* grab = getGrab(world, id);
	PL_ASSERT(isfinite(target.x) && isfinite(target.y) && isfinite(target.z), "the target of a grab is finite");
	grab->target[0] = target.x;
	grab->target[1] = target.y;
	grab->target[2] = target.z;
}

plVec3 plGrab_GetForce(const plWorld* world, plGrabId id)
{
	const plGrab* grab = getGrab(world, id);
	return (plVec3){grab->force[0], grab->force[1], grab->force[2]};
}

// ---- in a step ------------------------------------------------------------------------------------------------------

bool plWorld_PrepareGrabs(plWorld* world)
{
	plGrabEnergy* all = &world->grabEnergy;
	if (world->grabs.liveCount == 0)
		return true;
	if (!plGrabEnergy_Reserve(all, all->base.elementCount, world->layout.vertexCount, &world->heap))
		return false;
	plGrabEnergy_Unchain(all);
	PL_EACH(const plGrab, grab, &world->grabs)
	{
		const plSoftBody* body = plSlots_At(&world->softs, grab->body);
		for (size_t e = grab->start; e < grab->start + grab->count; ++e)
			all->base.vertices[e] = (uint32_t)body->vertexStart + all->place[e];
	}
	plGrabEnergy_Chain(all);
	return true;
}

// Where its point is to be at a mark; before 0 is where the last substep of the last step began.
static double placeAt(const plWorld* world, const plGrab* grab, int mark, size_t axis)
{
	if (mark < 0)
		return grab->before[axis];
	if (mark == world->substeps)
		return grab->target[axis];
	return grab->last[axis] + (double)mark / (double)world->substeps * (grab->target[axis] - grab->last[axis]);
}

static void moveElement(plGrabEnergy* all, const plGrab* grab, size_t e, const plSubstep* substep, const double now[3],
                        const double anchor[3])
{
	double damping = grab->damping / substep->h, stiffness = grab->stiffness + damping;
	all->stiffness[e] = all->share[e] * stiffness;
	all->most[e] = all->share[e] * grab->maxForce;
	for (size_t i = 0; i < 3; ++i)
	{
		double offset = all->offset[3 * e + i];
		double apart = plSubstep_GetAnchorAt(substep, all->base.vertices[e], i) - (anchor[i] + offset);
		all->target[3 * e + i] = now[i] + offset + damping / stiffness * apart;
	}
}

void plWorld_MoveGrabs(plWorld* world, const plSubstep* substep, int mark)
{
	PL_EACH(const plGrab, grab, &world->grabs)
	{
		double now[3], anchor[3];
		for (size_t i = 0; i < 3; ++i)
		{
			now[i] = placeAt(world, grab, mark, i);
			anchor[i] =
			    plSubstep_GetAnchor(substep, placeAt(world, grab, mark - 1, i), placeAt(world, grab, mark - 2, i));
		}
		for (size_t e = grab->start; e < grab->start + grab->count; ++e)
			moveElement(&world->grabEnergy, grab, e, substep, now, anchor);
	}
}

void plWorld_FinishGrabs(plWorld* world)
{
	plGrabEnergy* all = &world->grabEnergy;
	PL_EACH(plGrab, grab, &world->grabs)
	{
		size_t end = grab->start + grab->count;
		all->base.verbs->gradient(&all->base, world->q, grab->start, end, all->force + 3 * grab->start);
		grab->force[0] = grab->force[1] = grab->force[2] = 0.0;
		for (size_t e = grab->start; e < end; ++e)
			for (size_t i = 0; i < 3; ++i)
				grab->force[i] -= all->force[3 * e + i];
		for (size_t i = 0; i < 3; ++i)
			grab->before[i] = placeAt(world, grab, world->substeps - 1, i);
		memcpy(grab->last, grab->target, sizeof grab->last);
	}
}
