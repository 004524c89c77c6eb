// pins.c: vertices held axis by axis, at rest, along a rigid motion or where they are told to be, until released
//
// A motion takes a vertex from where it was when the pin was made (motion.c). A pin that was told its targets is
// driven:
//
//   x = a + k/n (b - a)   at the end of substep k of n,   a where the last step ended, b the target
//
// A soft pin, one with a stiffness k, does not hold its vertices but draws them: k/2 |x - x(t)|^2 along its axes
// (energy/attachment.c).
#include "world.h"

#include <math.h>

plPinDef plDefaultPinDef(void)
{
	return (plPinDef){.axes = pl_axisAll, .release = INFINITY, .cookie = PL_COOKIE(plPinDef)};
}

static void findMean(const plPin* pin, double mean[3])
{
	mean[0] = mean[1] = mean[2] = 0.0;
	for (size_t i = 0; i < 3 * pin->count; ++i)
		mean[i % 3] += pin->from[i] / (double)pin->count;
}

void plPin_Free(plPin* pin, plHeap* heap)
{
	PL_FREE(heap, pin->vertices, pin->count);
	PL_FREE(heap, pin->from, 3 * pin->count);
	PL_FREE(heap, pin->last, 3 * pin->count);
	PL_FREE(heap, pin->target, 3 * pin->count);
	PL_FREE(heap, pin->own, pin->count);
	plName_Free(pin->name, heap);
	plMotion_Free(&pin->motion, heap);
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
	plResult result = plName_Check(def->name, pl_thingPin, error);
	return result < 0 ? result : plMotion_Check(&def->motion, "pin", error);
}

plPinId plCreatePin(plWorld* world, const plPinDef* def, plError* error)
{
	plPinId null = {0, 0};
	if (plPinDef_Check(def, error) < 0 || plWorld_CheckName(world, def->name, pl_thingPin, error) < 0 ||
	    plWorld_CheckSelection(world, "pin", def->body, def->vertices, def->vertexCount, error) < 0)
		return null;
	plHeap* heap = &world->heap;
	const plSoftBody* body = plWorld_GetSoftBody(world, def->body);
	plPin pin = {.body = def->body.index1 - 1,
	             .count = def->vertexCount,
	             .vertices = PL_NEW(heap, uint32_t, def->vertexCount),
	             .from = PL_NEW(heap, double, 3 * def->vertexCount),
	             .last = PL_NEW_ZERO(heap, double, 3 * def->vertexCount),
	             .target = PL_NEW_ZERO(heap, double, 3 * def->vertexCount),
	             .own = PL_NEW_ZERO(heap, uint8_t, def->vertexCount),
	             .axes = (uint8_t)def->axes,
	             .release = def->release,
	             .stiffness = def->stiffness};
	bool fine = plName_Copy(&pin.name, def->name, heap);
	fine = fine && pin.vertices && pin.from && pin.last && pin.target && pin.own && plSlots_Reserve(&world->pins);
	if (fine)
	{
		double mean[3];
		memcpy(pin.vertices, def->vertices, pin.count * sizeof(uint32_t));
		for (size_t i = 0; i < pin.count; ++i)
			memcpy(pin.from + 3 * i, PL_AT(world->q, body->vertexStart + body->internalOf[pin.vertices[i]]),
			       3 * sizeof(double));
		findMean(&pin, mean);
		fine = plMotion_Copy(&pin.motion, &def->motion, mean, heap);
	}
	if (!fine)
	{
		plPin_Free(&pin, heap);
		plFail(error, pl_errorMemory, "not enough memory for a pin of %zu vertices", def->vertexCount);
		return null;
	}
	if (pin.stiffness > 0.0)
		plWorld_ChangeTerms(world, pl_changePins);
	plSlotId id = plSlots_Add(&world->pins, &pin);
	return (plPinId){id.index1, id.generation};
}

static plPin* getPin(const plWorld* world, plPinId id)
{
	plPin* pin = plSlots_Get(&world->pins, id.index1, id.generation);
	PL_ASSERT(pin != NULL, "the pin exists in this world");
	return pin;
}

plVec3 plPin_GetCentre(const plWorld* world, plPinId id)
{
	double mean[3];
	findMean(getPin(world, id), mean);
	return (plVec3){mean[0], mean[1], mean[2]};
}

void plDestroyPin(plWorld* world, plPinId id)
{
	plPin* pin = getPin(world, id);
	if (pin->stiffness > 0.0)
		plWorld_ChangeTerms(world, pl_changePins);
	plPin_Free(pin, &world->heap);
	plSlots_Remove(&world->pins, pin);
}

// ---- targets --------------------------------------------------------------------------------------------------------

// Where the pin's vertices are to be at a mark of the step: next(place, vertex of the world, number in the pin,
// context).
typedef void PlaceFcn(const double place[3], size_t at, size_t number, void* context);

static void visitPlaces(const plWorld* world, const plPin* pin, int mark, PlaceFcn* visit, void* context)
{
	const plSoftBody* body = plSlots_At(&world->softs, pin->body);
	bool moving = !pin->driven && plMotion_IsMoving(&pin->motion), arrives = mark == world->substeps;
	double part = (double)mark / (double)world->substeps;
	plPose pose = moving ? plMotion_GetPose(&pin->motion, plWorld_GetSubstepTime(world, mark)) : plPose_identity;
	for (size_t i = 0; i < pin->count; ++i)
	{
		const double *from = pin->from + 3 * i, *a = pin->last + 3 * i, *b = pin->target + 3 * i;
		double place[3] = {from[0], from[1], from[2]};
		if (moving)
			plPose_Apply(&pose, pin->motion.centre, from, place);
		for (size_t k = 0; k < 3 && pin->driven; ++k)
			place[k] = arrives ? b[k] : a[k] + part * (b[k] - a[k]);
		visit(place, body->vertexStart + body->internalOf[pin->vertices[i]], i, context);
	}
}

static void keepPlace(const double place[3], size_t at, size_t number, void* context)
{
	(void)at;
	plPin* pin = context;
	memcpy(pin->last + 3 * number, place, 3 * sizeof(double));
}

// From now on the pin goes from where it is to its targets.
static void drive(const plWorld* world, plPin* pin)
{
	if (!pin->driven)
		visitPlaces(world, pin, 0, keepPlace, pin);
	pin->driven = true;
}

plResult plPin_SetTargets(plWorld* world, plPinId id, const double* targets, size_t count, plError* error)
{
	plPin* pin = getPin(world, id);
	if (count != pin->count)
		return plFailAt(error, "count", "pin: %zu targets for %zu vertices", count, pin->count);
	for (size_t i = 0; i < 3 * count; ++i)
		if (!isfinite(targets[i]))
			return plFailAt(error, "targets", "pin: target %zu is not finite", i / 3);
	drive(world, pin);
	memcpy(pin->target, targets, 3 * count * sizeof(double));
	return pl_success;
}

plResult plPin_SetTransform(plWorld* world, plPinId id, plTransform transform, plError* error)
{
	plPin* pin = getPin(world, id);
	if (plTransform_Check(&transform, "pin", error) < 0)
		return pl_errorInput;
	drive(world, pin);
	for (size_t i = 0; i < pin->count; ++i)
		plTransform_Apply(&transform, pin->from + 3 * i, pin->target + 3 * i);
	return pl_success;
}

void plWorld_FinishPins(plWorld* world)
{
	PL_EACH(plPin, pin, &world->pins)
		if (pin->driven)
			memcpy(pin->last, pin->target, 3 * pin->count * sizeof(double));
}

// ---- in a step ------------------------------------------------------------------------------------------------------

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

void plWorld_ClaimAxes(plWorld* world, int mark, uint8_t* held)
{
	double time = plWorld_GetSubstepTime(world, mark);
	const plSlots* pins = &world->pins;
	for (plPin* pin = plSlots_Previous(pins, NULL); pin != NULL; pin = plSlots_Previous(pins, pin))
	{
		const plSoftBody* body = plSlots_At(&world->softs, pin->body);
		uint8_t axes = pin->stiffness == 0.0 && isActive(world, pin, time) ? pin->axes : 0;
		for (size_t i = 0; i < pin->count; ++i)
		{
			uint8_t* at = held + body->vertexStart + body->internalOf[pin->vertices[i]];
			pin->own[i] = axes & (uint8_t) ~*at;
			*at |= axes;
		}
	}
}

// Moves what is held at a mark to its place and marks it.
void plWorld_ApplyPins(plWorld* world, int mark, double* q, uint8_t* held)
{
	double time = plWorld_GetSubstepTime(world, mark);
	PL_EACH(const plPin, pin, &world->pins)
		if (pin->stiffness == 0.0 && isActive(world, pin, time))
		{
			Hold context = {pin->axes, q, held};
			visitPlaces(world, pin, mark, hold, &context);
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

void plWorld_ChangeStiffness(plWorld* world)
{
	if (world->prepared.problem != NULL)
		world->prepared.problem->laplacianRevision++;
	plEnergySet_ForgetScales(&world->prepared.terms);
}

bool plWorld_PlaceAttachments(const plWorld* world, int mark, double* stiffness, double* target)
{
	double time = plWorld_GetSubstepTime(world, mark);
	size_t first = 0;
	bool changed = false;
	PL_EACH(const plPin, pin, &world->pins)
		if (pin->stiffness > 0.0)
		{
			Draw context = {.pin = pin, .active = isActive(world, pin, time)};
			context.vertices = world->prepared.attachments->base.vertices + first;
			context.stiffness = stiffness + 3 * first;
			context.target = target + 3 * first;
			visitPlaces(world, pin, mark, draw, &context);
			changed = changed || context.changed;
			first += pin->count;
		}
	return changed;
}

void plWorld_MoveAttachments(plWorld* world, int mark)
{
	plAttachmentEnergy* attachments = world->prepared.attachments;
	if (attachments != NULL && plWorld_PlaceAttachments(world, mark, attachments->stiffness, attachments->target))
		plWorld_ChangeStiffness(world);
}

void plWorld_GetAttachmentForce(const plWorld* world, size_t attachment, double force[3])
{
	const plAttachmentEnergy* all = world->prepared.attachments;
	const double *k = all->stiffness + 3 * attachment, *target = all->target + 3 * attachment;
	const double* x = PL_AT(world->q, all->base.vertices[attachment]);
	for (size_t axis = 0; axis < 3; ++axis)
		force[axis] = k[axis] * (target[axis] - x[axis]);
}
