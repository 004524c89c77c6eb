// terms.c: the energies of a world besides tetrahedra
//
// A row of the table makes all elements of one energy, from bodies and from whatever else the row names. When something
// is created or destroyed, only the energies that depend on it are dropped. The next step makes them again. Energies of
// the caller's own come after the rows, in the order of their slots.
#include "world.h"

// The source that the makers of this file see: with the world behind it.
typedef struct WorldSource
{
	plEnergySource base;
	plWorld* world;
} WorldSource;

static plWorld* worldOf(const plEnergySource* source)
{
	return ((const WorldSource*)source)->world;
}

static uint32_t internalVertex(const plWorld* world, uint32_t body, uint32_t vertex)
{
	const plSoftBody* b = plSlots_At(&world->softs, body);
	return (uint32_t)b->vertexStart + b->internalOf[vertex];
}

// ---- springs --------------------------------------------------------------------------------------------------------

// Those between vertices, or those to points, in the order of their creation.
static bool makeSprings(const plEnergySource* source, bool toPoints, plEnergy** made)
{
	plWorld* world = worldOf(source);
	size_t count = 0, e = 0;
	PL_EACH(const plSprings, springs, &world->springs)
		count += springs->toPoints == toPoints ? springs->count : 0;
	plSpringEnergy* energy = count > 0 ? plSpringEnergy_Create(count, toPoints, source->heap) : NULL;
	if (energy == NULL)
		return count == 0;
	PL_EACH(const plSprings, springs, &world->springs)
		for (size_t i = 0; springs->toPoints == toPoints && i < springs->count; ++i, ++e)
		{
			const uint32_t* ends = springs->vertices + 2 * i;
			energy->stiffness[e] = springs->stiffness;
			energy->rest[e] = springs->rest[i];
			energy->base.vertices[toPoints ? e : 2 * e] = internalVertex(world, springs->a, ends[0]);
			if (toPoints)
				memcpy(energy->points + 3 * e, springs->points + 3 * i, 3 * sizeof(double));
			else
				energy->base.vertices[2 * e + 1] = internalVertex(world, springs->b, ends[1]);
		}
	*made = &energy->base;
	return true;
}

static bool makeInnerSprings(const plEnergySource* source, plEnergy** made)
{
	return makeSprings(source, false, made);
}

static bool makePointSprings(const plEnergySource* source, plEnergy** made)
{
	return makeSprings(source, true, made);
}

// Edges of cloth whose membrane is springs, cloth by cloth
static bool makeClothSprings(const plEnergySource* source, plEnergy** made)
{
	plWorld* world = worldOf(source);
	size_t count = 0, at = 0;
	PL_EACH(const plSoftBody, body, &world->softs)
		for (size_t e = 0; body->cloth && body->cloth->edgeSprings && e < body->cloth->edgeCount; ++e)
			count += body->cloth->edgeSprings[e] > 0.0;
	plSpringEnergy* energy = count > 0 ? plSpringEnergy_Create(count, false, source->heap) : NULL;
	if (energy == NULL)
		return count == 0;
	PL_EACH(const plSoftBody, body, &world->softs)
		for (size_t e = 0; body->cloth && body->cloth->edgeSprings && e < body->cloth->edgeCount; ++e)
		{
			const plCloth* cloth = body->cloth;
			if (!(cloth->edgeSprings[e] > 0.0))
				continue;
			energy->stiffness[at] = cloth->edgeSprings[e];
			energy->rest[at] = cloth->edgeLengths[e];
			for (size_t k = 0; k < 2; ++k)
				energy->base.vertices[2 * at + k] =
				    (uint32_t)body->vertexStart + body->internalOf[cloth->edges[2 * e + k]];
			++at;
		}
	*made = &energy->base;
	return true;
}

// ---- soft pins, guide ---------------------------------------------------------------------------------------------

static bool makeAttachments(const plEnergySource* source, plEnergy** made)
{
	plWorld* world = worldOf(source);
	size_t count = 0, e = 0;
	PL_EACH(const plPin, pin, &world->pins)
		count += pin->stiffness > 0.0 ? pin->count : 0;
	plAttachmentEnergy* attachments = count > 0 ? plAttachmentEnergy_Create(count, source->heap) : NULL;
	if (attachments == NULL)
		return count == 0;
	PL_EACH(const plPin, pin, &world->pins)
		for (size_t i = 0; pin->stiffness > 0.0 && i < pin->count; ++i)
			attachments->base.vertices[e++] = internalVertex(world, pin->body, pin->vertices[i]);
	*made = &attachments->base;
	return true;
}

static bool makeGuide(const plEnergySource* source, plEnergy** made)
{
	if (worldOf(source)->prepared.elements.tets.blend == NULL)
		return true;
	plGuideEnergy* guide = plGuideEnergy_Create(source->rest, source->vertexCount, source->heap);
	*made = guide != NULL ? &guide->base.base : NULL;
	return guide != NULL;
}

static bool makePush(const plEnergySource* source, plEnergy** made)
{
	return plWorld_MakePush(worldOf(source), made);
}

static bool makeSeams(const plEnergySource* source, plEnergy** made)
{
	return plWorld_MakeSeams(worldOf(source), made);
}

static bool makeWind(const plEnergySource* source, plEnergy** made)
{
	return plWorld_MakeWind(worldOf(source), made);
}

static bool makePressures(const plEnergySource* source, plEnergy** made)
{
	return plWorld_MakePressures(worldOf(source), made);
}

// ---- damping --------------------------------------------------------------------------------------------------------

// Tets do it themselves (energy/tet.h).
static bool makeInTets(const plEnergySource* source, plEnergy** made)
{
	(void)source;
	(void)made;
	return true;
}

// Energies of bodies that ask for them, each by a member of plDamping: its name, who makes the elements, unit, help.
// Scenes, checks, docs and the JSON schema take the member from here.
#define DAMPINGS(X)                                                                                                    \
	X(air, plAirEnergy_Make, "1/s",                                                                                    \
	  "a force -air m v on every vertex of mass m: speeds fall by a factor of e in 1/air seconds, falling bodies too") \
	X(viscous, makeInTets, "Pa s",                                                                                     \
	  "a stress of viscous times the rate of Green strain: deformation is resisted, falling and turning are not")

#define DAMPING_MAKER(member, make, unit, help) plMakeEnergyFcn make;
#define DAMPING_OPTION(member, make, unit, help) {#member, "damping." #member, offsetof(plDamping, member), unit, help},
#define DAMPING_ROW(member, make, unit, help) {make, pl_changeDamping, 0},

DAMPINGS(DAMPING_MAKER)
static const plDampingOption dampings[] = {DAMPINGS(DAMPING_OPTION)};
_Static_assert(sizeof(plDamping) == sizeof dampings / sizeof *dampings * sizeof(double), "a member without a row");

const plDampingOption* plGetDampingOption(int index)
{
	return index >= 0 && (size_t)index < sizeof dampings / sizeof *dampings ? dampings + index : NULL;
}

// ---- all of them ----------------------------------------------------------------------------------------------------

typedef struct Row
{
	plMakeEnergyFcn* make;
	unsigned changes; // bits of plChange: what it depends on besides bodies
	size_t known;     // where the world looks for it: offset in plPrepared; 0: nowhere
} Row;

// The order of the rows is that of the sums.
static const Row rows[] = {
    {makeInnerSprings, pl_changeSprings, offsetof(plPrepared, innerSprings)},
    {makePointSprings, pl_changeSprings, offsetof(plPrepared, pointSprings)},
    {makeClothSprings, 0, offsetof(plPrepared, clothSprings)},
    {makeSeams, pl_changeSeams, offsetof(plPrepared, seams)},
    {makeAttachments, pl_changePins, offsetof(plPrepared, attachments)},
    DAMPINGS(DAMPING_ROW){makeGuide, 0, offsetof(plPrepared, guide)},
    {makeWind, pl_changeWind, offsetof(plPrepared, wind)},
    {makePressures, pl_changePressures, offsetof(plPrepared, pressures)},
    {makePush, pl_changeColliders, offsetof(plPrepared, push)},
};

enum
{
	rowCount = sizeof rows / sizeof *rows
};

static void setKnown(plPrepared* p, const Row* row, plEnergy* energy)
{
	if (row->known != 0)
		memcpy((char*)p + row->known, &energy, sizeof energy);
}

// Rest positions and bodies for the makers; false: no memory.
static bool openSource(WorldSource* source, plWorld* world)
{
	plHeap* heap = &world->heap;
	size_t n = world->layout.vertexCount, count = world->softs.liveCount, length = pl_quad * n;
	double* rest = PL_NEW_ZERO(heap, double, length);
	plEnergyBody* bodies = PL_NEW(heap, plEnergyBody, count);
	plEnergyBody* to = bodies;
	*source = (WorldSource){
	    .base =
	        {.heap = heap, .vertexCount = n, .rest = rest, .mass = world->mass, .bodies = bodies, .bodyCount = count},
	    .world = world};
	if ((rest == NULL && n > 0) || (bodies == NULL && count > 0))
		return false;
	for (size_t i = 0; i < n; ++i)
		memcpy(PL_AT(rest, i), world->prepared.elements.rest + 3 * i, 3 * sizeof(double));
	PL_EACH(const plSoftBody, body, &world->softs)
		*to++ = (plEnergyBody){body->vertexStart, body->vertexCount, body->tetCount,
		                       body->internalOf,  body->tets,        body->damping};
	return true;
}

static void closeSource(const WorldSource* source)
{
	size_t length = pl_quad * source->base.vertexCount;
	PL_FREE(source->base.heap, (double*)source->base.rest, length);
	PL_FREE(source->base.heap, (plEnergyBody*)source->base.bodies, source->base.bodyCount);
}

// The rows that are to be made.
static bool makeRows(plWorld* world)
{
	plPrepared* p = &world->prepared;
	WorldSource source;
	bool fine = openSource(&source, world);
	for (size_t r = 0; fine && r < rowCount; ++r)
	{
		if (p->made[r])
			continue;
		fine = rows[r].make(&source.base, p->energies + r);
		p->made[r] = fine;
		setKnown(p, rows + r, p->energies[r]);
	}
	closeSource(&source);
	return fine;
}

// The terms of E: rows, then the caller's own
static void listTerms(const plWorld* world, plEnergy** terms)
{
	for (size_t r = 0; r < rowCount; ++r)
	{
		bool isTerm = rows[r].make != makePush || world->contactDef.model == pl_contactEnergy;
		*terms++ = isTerm ? world->prepared.energies[r] : NULL;
	}
	PL_EACH(const plOwnEnergy, own, &world->energies)
		*terms++ = &own->energy->base;
}

bool plWorld_PrepareTerms(plWorld* world)
{
	plPrepared* p = &world->prepared;
	plHeap* heap = &world->heap;
	if (p->energies == NULL)
		p->energies = PL_NEW_ZERO(heap, plEnergy*, rowCount);
	if (p->made == NULL)
		p->made = PL_NEW_ZERO(heap, bool, rowCount);
	if (p->energies == NULL || p->made == NULL || !makeRows(world))
		return false;
	size_t count = rowCount + world->energies.liveCount;
	plEnergy** terms = PL_NEW(heap, plEnergy*, count);
	if (terms == NULL)
		return false;
	listTerms(world, terms);
	p->termsDone = plEnergySet_Create(&p->terms, terms, count, world->layout.vertexCount, heap) == pl_success;
	PL_FREE(heap, terms, count);
	return p->termsDone;
}

// Drops the rows that depend on `changes`.
static void dropRows(plWorld* world, unsigned changes)
{
	plPrepared* p = &world->prepared;
	for (size_t r = 0; p->energies != NULL && p->made != NULL && r < rowCount; ++r)
		if (changes == pl_changeBodies || (rows[r].changes & changes))
		{
			plEnergy_Destroy(p->energies[r], &world->heap);
			p->energies[r] = NULL;
			p->made[r] = false;
			setKnown(p, rows + r, NULL);
		}
	plEnergySet_Destroy(&p->terms, &world->heap);
	p->termsDone = false;
}

void plWorld_UnprepareTerms(plWorld* world)
{
	dropRows(world, pl_changeBodies);
	PL_FREE(&world->heap, world->prepared.energies, rowCount);
	PL_FREE(&world->heap, world->prepared.made, rowCount);
}

void plWorld_ChangeTerms(plWorld* world, unsigned changes)
{
	plWorld_UnprepareProblem(world);
	dropRows(world, changes);
}
