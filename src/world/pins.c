// pins.c: vertices held axis by axis, at rest or along a prescribed rigid motion, until they are released
//
//   s(t) = clamp((t - from)/(until - from), 0, 1)
//   x(t) = c + R(axis, s angle) (X - c) + s translate,   X where the vertex was when the pin was made, c the centre
//
// A soft pin, one with a stiffness k, does not hold its vertices but draws them: k/2 |x - x(t)|^2 along its axes
// (energy/attachment.c).
#include "world.h"

#include <math.h>

plPinDef plDefaultPinDef(void)
{
	return (plPinDef){
	    .axes = pl_axisAll, .motion = {.from = 0.0, .until = 2.0}, .release = INFINITY, .cookie = PL_COOKIE(plPinDef)};
}

static plResult checkMotion(const plMotion* m, plError* error)
{
	const double numbers[] = {m->translate.x,  m->translate.y, m->translate.z, m->rotateAxis.x, m->rotateAxis.y,
	                          m->rotateAxis.z, m->rotateAngle, m->from,        m->until};
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
		if (!isfinite(numbers[i]))
			return plFailAt(error, "motion", "pin: the motion is not finite");
	if (m->until < m->from)
		return plFailAt(error, "motion.until", "pin: the motion ends at %g s, before it starts at %g s", m->until,
		                m->from);
	if (m->hasCentre && !(isfinite(m->centre.x) && isfinite(m->centre.y) && isfinite(m->centre.z)))
		return plFailAt(error, "motion.centre", "pin: the centre of the motion is not finite");
	bool turns = m->rotateAngle != 0.0;
	if (turns && m->rotateAxis.x == 0.0 && m->rotateAxis.y == 0.0 && m->rotateAxis.z == 0.0)
		return plFailAt(error, "motion.rotateAxis", "pin: the axis of rotation has no direction");
	return pl_success;
}

// Unit axis, and the mean of the vertices as centre where none was given.
static void completeMotion(plPin* pin)
{
	plMotion* m = &pin->motion;
	double norm =
	    sqrt(m->rotateAxis.x * m->rotateAxis.x + m->rotateAxis.y * m->rotateAxis.y + m->rotateAxis.z * m->rotateAxis.z);
	if (norm > 0.0)
		m->rotateAxis = (plVec3){m->rotateAxis.x / norm, m->rotateAxis.y / norm, m->rotateAxis.z / norm};
	if (m->hasCentre)
		return;
	double mean[3] = {0.0, 0.0, 0.0};
	for (size_t i = 0; i < 3 * pin->count; ++i)
		mean[i % 3] += pin->from[i] / (double)pin->count;
	m->centre = (plVec3){mean[0], mean[1], mean[2]};
}

void plPin_Free(plPin* pin, plHeap* heap)
{
	PL_FREE(heap, pin->vertices, pin->count);
	PL_FREE(heap, pin->from, 3 * pin->count);
	*pin = (plPin){0};
}

plResult plPinDef_Check(const plPinDef* def, plError* error)
{
	PL_ASSERT(def->cookie == PL_COOKIE(plPinDef), "a plPinDef starts as plDefaultPinDef()");
	if (def->axes == 0 || def->axes > pl_axisAll)
		return plFailAt(error, "axes", "pin: holds no axis, or one that does not exist");
	if (!(def->stiffness >= 0.0) || !isfinite(def->stiffness))
		return plFailAt(error, "stiffness", "pin: stiffness is %g N/m, it must be above 0, or 0 to hold",
		                def->stiffness);
	if (isnan(def->release))
		return plFailAt(error, "release", "pin: the time of release is not a number");
	return checkMotion(&def->motion, error);
}

plPinId plCreatePin(plWorld* world, const plPinDef* def, plError* error)
{
	plPinId null = {0, 0};
	if (plPinDef_Check(def, error) < 0 ||
	    plWorld_CheckSelection(world, "pin", def->body, def->vertices, def->vertexCount, error) < 0)
		return null;
	plHeap* heap = &world->heap;
	const plSoftBody* body = plWorld_GetSoftBody(world, def->body);
	plPin pin = {.body = def->body.index1 - 1,
	             .count = def->vertexCount,
	             .vertices = PL_NEW(heap, uint32_t, def->vertexCount),
	             .from = PL_NEW(heap, double, 3 * def->vertexCount),
	             .axes = (uint8_t)def->axes,
	             .motion = def->motion,
	             .release = def->release,
	             .stiffness = def->stiffness};
	if (!pin.vertices || !pin.from || !plSlots_Reserve(&world->pins))
	{
		plPin_Free(&pin, heap);
		plFail(error, pl_errorMemory, "not enough memory for a pin of %zu vertices", def->vertexCount);
		return null;
	}
	memcpy(pin.vertices, def->vertices, pin.count * sizeof(uint32_t));
	for (size_t i = 0; i < pin.count; ++i)
		memcpy(pin.from + 3 * i, PL_AT(world->q, body->vertexStart + body->internalOf[pin.vertices[i]]),
		       3 * sizeof(double));
	completeMotion(&pin);
	if (pin.stiffness > 0.0)
		plWorld_ChangeTerms(world, pl_changePins);
	plSlotId id = plSlots_Add(&world->pins, &pin);
	return (plPinId){id.index1, id.generation};
}

void plDestroyPin(plWorld* world, plPinId id)
{
	plPin* pin = plSlots_Get(&world->pins, id.index1, id.generation);
	PL_ASSERT(pin != NULL, "the pin exists in this world");
	if (pin->stiffness > 0.0)
		plWorld_ChangeTerms(world, pl_changePins);
	plPin_Free(pin, &world->heap);
	plSlots_Remove(&world->pins, pin);
}

// At part s of the motion, whose turn is given.
static void movePoint(const plMotion* m, double s, plQuat turn, const double* from, double* to)
{
	double x[3] = {from[0] - m->centre.x, from[1] - m->centre.y, from[2] - m->centre.z};
	plQuat_Rotate(turn, x, x);
	to[0] = m->centre.x + x[0] + s * m->translate.x;
	to[1] = m->centre.y + x[1] + s * m->translate.y;
	to[2] = m->centre.z + x[2] + s * m->translate.z;
}

static bool isMoving(const plMotion* m)
{
	return m->rotateAngle != 0.0 || m->translate.x != 0.0 || m->translate.y != 0.0 || m->translate.z != 0.0;
}

static double fraction(const plMotion* m, double time)
{
	if (time >= m->until)
		return 1.0;
	return time <= m->from ? 0.0 : (time - m->from) / (m->until - m->from);
}

// Where the pin's vertices are to be at `time`: next(place, vertex of the world, number in the pin, context).
typedef void PlaceFcn(const double place[3], size_t at, size_t number, void* context);

static void visitPlaces(const plWorld* world, const plPin* pin, double time, PlaceFcn* visit, void* context)
{
	const plSoftBody* body = plSlots_At(&world->softs, pin->body);
	const plMotion* m = &pin->motion;
	bool moving = isMoving(m);
	double s = moving ? fraction(m, time) : 0.0;
	plQuat turn = plQuat_FromAxisAngle(m->rotateAxis, s * m->rotateAngle);
	for (size_t i = 0; i < pin->count; ++i)
	{
		double place[3] = {pin->from[3 * i], pin->from[3 * i + 1], pin->from[3 * i + 2]};
		if (moving)
			movePoint(m, s, turn, pin->from + 3 * i, place);
		visit(place, body->vertexStart + body->internalOf[pin->vertices[i]], i, context);
	}
}

// A pin holds in steps that end no later than its release; n h is not exactly what the caller wrote.
static bool isActive(const plWorld* world, const plPin* pin, double time)
{
	return time <= pin->release + 1e-6 * world->timestep;
}

typedef struct Hold
{
	uint8_t axes;
	double* q;
	uint8_t* held;
} Hold;

static void hold(const double place[3], size_t at, size_t number, void* context)
{
	(void)number;
	const Hold* h = context;
	for (size_t k = 0; k < 3; ++k)
		if ((h->axes >> k) & 1)
			PL_AT(h->q, at)[k] = place[k];
	h->held[at] |= h->axes;
}

// Moves what is held at `time` to its place and marks it.
void plWorld_ApplyPins(plWorld* world, double time, double* q, uint8_t* held)
{
	PL_EACH(const plPin, pin, &world->pins)
		if (pin->stiffness == 0.0 && isActive(world, pin, time))
		{
			Hold context = {pin->axes, q, held};
			visitPlaces(world, pin, time, hold, &context);
		}
}

typedef struct Draw
{
	const plPin* pin;
	bool active;
	const uint32_t* vertices; // of the pin's first attachment, as the next
	double* stiffness;
	double* target;
	bool changed; // some stiffness
} Draw;

static void draw(const double place[3], size_t at, size_t number, void* context)
{
	Draw* d = context;
	PL_VALIDATE(d->vertices[number] == at, "soft attachments stand in the order of their pins");
	(void)at;
	for (size_t k = 0; k < 3; ++k)
	{
		bool held = d->active && ((d->pin->axes >> k) & 1);
		double stiffness = held ? d->pin->stiffness : 0.0;
		d->changed = d->changed || d->stiffness[3 * number + k] != stiffness;
		d->stiffness[3 * number + k] = stiffness;
		d->target[3 * number + k] = place[k];
	}
}

// What stands on the stiffness of soft pins and is made less often than in every substep
static void changeStiffness(plWorld* world)
{
	world->prepared.problem->laplacianRevision++;
	plEnergySet_ForgetScales(&world->prepared.terms);
}

void plWorld_MoveAttachments(plWorld* world, double time)
{
	size_t first = 0;
	PL_EACH(const plPin, pin, &world->pins)
		if (pin->stiffness > 0.0)
		{
			Draw context = {.pin = pin, .active = isActive(world, pin, time)};
			context.vertices = world->prepared.attachments->base.vertices + first;
			context.stiffness = world->prepared.attachments->stiffness + 3 * first;
			context.target = world->prepared.attachments->target + 3 * first;
			visitPlaces(world, pin, time, draw, &context);
			if (context.changed)
				changeStiffness(world);
			first += pin->count;
		}
}
