// prepare_cloth.c: from the sheets of a world to elements
//
// Cloth by cloth, each by matter and then along its vertices, as tets are. A matter of springs has no triangles among
// the elements: its edges are terms (terms.c).
#include "prepare_cloth.h"

// ---- what a cloth has of a kind
// ---------------------------------------------------------------------------------------

static const plBendingModel models[pl_sheetKindCount] = {[pl_sheetTriangle] = pl_bendingNone,
                                                         [pl_sheetQuadratic] = pl_bendingQuadratic,
                                                         [pl_sheetHinge] = pl_bendingHinge,
                                                         [pl_sheetPlate] = pl_bendingPlate};

// Does the cloth have elements of the kind, and with them groups?
static bool hasKind(const plCloth* cloth, int kind)
{
	return kind == pl_sheetTriangle || cloth->bendings[0].model == models[kind];
}

static size_t countItems(const plCloth* cloth, int kind)
{
	return kind == pl_sheetTriangle ? cloth->triangleCount : cloth->bends.count;
}

// Is item `i` an element? Triangles of springs are none.
static bool isElement(const plCloth* cloth, int kind, size_t i)
{
	return kind != pl_sheetTriangle || !plCloth_IsSprings(cloth, i);
}

static uint32_t matterOf(const plCloth* cloth, int kind, size_t i)
{
	return plCloth_GetMatter(cloth, kind == pl_sheetTriangle ? i : cloth->bends.triangle[i]);
}

static const uint32_t* cornersOf(const plCloth* cloth, int kind)
{
	return kind == pl_sheetTriangle ? cloth->triangles : cloth->bends.corners;
}

static const double* chartsOf(const plCloth* cloth, int kind)
{
	return kind == pl_sheetTriangle ? cloth->charts : cloth->bends.charts;
}

// ---- groups
// -----------------------------------------------------------------------------------------------------------

// One for each matter, springs too: they keep the numbers of the others, and have no elements.
static void countGroups(plSheetDraft* d, const plWorld* world, int kind)
{
	PL_EACH(const plSoftBody, body, &world->softs)
		d->groupCount += body->cloth != NULL && hasKind(body->cloth, kind) ? body->cloth->matterCount : 0;
}

// A law that takes the place of springs where there are no elements
static plMembrane membraneOf(const plCloth* cloth, size_t m)
{
	plMembrane membrane = cloth->membranes[m];
	membrane.law = membrane.law == pl_membraneSprings ? pl_membraneArap : membrane.law;
	return membrane;
}

static bool listMatter(plSheetDraft* d, plWorld* world, int kind)
{
	plHeap* heap = &world->heap;
	bool isMembrane = kind == pl_sheetTriangle;
	d->membranes = isMembrane ? PL_NEW(heap, plMembrane, d->groupCount) : NULL;
	d->bendings = isMembrane ? NULL : PL_NEW(heap, plBending, d->groupCount);
	if (d->groupCount > 0 && d->membranes == NULL && d->bendings == NULL)
		return false;
	size_t group = 0;
	PL_EACH(const plSoftBody, body, &world->softs)
		for (size_t m = 0; body->cloth && hasKind(body->cloth, kind) && m < body->cloth->matterCount; ++m, ++group)
			if (isMembrane)
				d->membranes[group] = membraneOf(body->cloth, m);
			else
				d->bendings[group] = body->cloth->bendings[m];
	return true;
}

bool plClothDraft_ListMatter(plClothDraft* draft, plWorld* world)
{
	bool fine = true;
	for (int kind = 0; kind < pl_sheetKindCount; ++kind)
	{
		plSheetDraft* d = draft->kinds + kind;
		*d = (plSheetDraft){0};
		countGroups(d, world, kind);
		fine = listMatter(d, world, kind) && fine;
	}
	return fine;
}

// ---- elements
// ---------------------------------------------------------------------------------------------------------

static bool allocate(plSheetDraft* d, plWorld* world, int kind)
{
	plHeap* heap = &world->heap;
	d->cornerCount = kind == pl_sheetTriangle ? 3 : kind == pl_sheetPlate ? 6 : 4;
	d->chartCount = kind == pl_sheetTriangle ? 6 : kind == pl_sheetPlate ? pl_plateChart : pl_bendChart;
	PL_EACH(const plSoftBody, body, &world->softs)
		for (size_t i = 0; body->cloth && hasKind(body->cloth, kind) && i < countItems(body->cloth, kind); ++i)
			d->elementCount += isElement(body->cloth, kind, i);
	size_t n = d->elementCount;
	d->places = PL_NEW(heap, plItem, n);
	d->corners = PL_NEW(heap, uint32_t, d->cornerCount * n);
	d->group = PL_NEW(heap, uint32_t, n);
	d->slot = PL_NEW(heap, uint32_t, n);
	d->charts = PL_NEW(heap, double, d->chartCount* n);
	d->angles = kind == pl_sheetHinge ? PL_NEW(heap, double, n) : NULL;
	return n == 0 ||
	       (d->places && d->corners && d->group && d->slot && d->charts && (d->angles || kind != pl_sheetHinge));
}

static void fillCloth(plSheetDraft* d, const plSoftBody* body, int kind, size_t first, size_t firstGroup, size_t count)
{
	const plCloth* cloth = body->cloth;
	for (size_t e = first; e < first + count; ++e)
	{
		const plItem* place = d->places + e;
		d->group[e] = (uint32_t)firstGroup + place->matter;
		for (size_t c = 0; c < d->cornerCount; ++c)
			d->corners[d->cornerCount * e + c] =
			    (uint32_t)body->vertexStart +
			    body->internalOf[cornersOf(cloth, kind)[d->cornerCount * place->element + c]];
		memcpy(d->charts + d->chartCount * e, chartsOf(cloth, kind) + d->chartCount * place->element,
		       d->chartCount * sizeof(double));
		if (d->angles != NULL)
			d->angles[e] = cloth->bends.angles[place->element];
	}
}

static void fill(plSheetDraft* d, const plWorld* world, int kind)
{
	size_t element = 0, group = 0;
	PL_EACH(const plSoftBody, body, &world->softs)
	{
		const plCloth* cloth = body->cloth;
		if (cloth == NULL || !hasKind(cloth, kind))
			continue;
		size_t first = element;
		for (size_t i = 0; i < countItems(cloth, kind); ++i)
			if (isElement(cloth, kind, i))
				d->places[element++] =
				    plItem_Make(matterOf(cloth, kind, i), i, cornersOf(cloth, kind) + d->cornerCount * i,
				                d->cornerCount, body->internalOf);
		if (element > first)
		{
			plSortItems(d->places + first, element - first);
			fillCloth(d, body, kind, first, group, element - first);
		}
		group += cloth->matterCount;
	}
}

bool plClothDraft_Create(plClothDraft* draft, plWorld* world)
{
	bool fine = plClothDraft_ListMatter(draft, world);
	for (int kind = 0; kind < pl_sheetKindCount && fine; ++kind)
	{
		fine = allocate(draft->kinds + kind, world, kind);
		if (fine)
			fill(draft->kinds + kind, world, kind);
	}
	return fine;
}

void plClothDraft_Destroy(plClothDraft* draft, plWorld* world)
{
	plHeap* heap = &world->heap;
	for (int kind = 0; kind < pl_sheetKindCount; ++kind)
	{
		plSheetDraft* d = draft->kinds + kind;
		size_t n = d->elementCount;
		PL_FREE(heap, d->places, n);
		PL_FREE(heap, d->corners, d->cornerCount * n);
		PL_FREE(heap, d->group, n);
		PL_FREE(heap, d->slot, n);
		PL_FREE(heap, d->charts, d->chartCount * n);
		PL_FREE(heap, d->angles, n);
		PL_FREE(heap, d->membranes, d->groupCount);
		PL_FREE(heap, d->bendings, d->groupCount);
		*d = (plSheetDraft){0};
	}
}

static plBatchInput describeBatches(const plSheetDraft* d)
{
	return (plBatchInput){.elementCount = d->elementCount,
	                      .corners = d->corners,
	                      .group = d->group,
	                      .groupCount = d->groupCount,
	                      .slot = d->slot};
}

void plClothDraft_Describe(const plClothDraft* draft, plElementInput* input)
{
	const plSheetDraft* triangles = draft->kinds + pl_sheetTriangle;
	plBendInput* const bends[] = {&input->quadratics, &input->hinges, &input->plates};
	input->triangles = (plTriangleInput){describeBatches(triangles), triangles->charts, triangles->membranes};
	for (int i = 0; i < 3; ++i)
	{
		const plSheetDraft* d = draft->kinds + pl_sheetQuadratic + i;
		*bends[i] = (plBendInput){describeBatches(d), d->charts, d->angles, d->bendings};
	}
}

bool plWorld_MapTriangles(plWorld* world, const plClothDraft* draft)
{
	const plSheetDraft* d = draft->kinds + pl_sheetTriangle;
	size_t element = 0;
	PL_EACH(plSoftBody, body, &world->softs)
	{
		plCloth* cloth = body->cloth;
		size_t begin = element, low = SIZE_MAX, high = 0;
		if (cloth == NULL)
			continue;
		for (size_t t = 0; t < cloth->triangleCount; ++t)
			element += !plCloth_IsSprings(cloth, t);
		for (size_t e = begin; e < element; ++e)
		{
			low = d->slot[e] / pl_batchSize < low ? d->slot[e] / pl_batchSize : low;
			high = d->slot[e] / pl_batchSize + 1 > high ? d->slot[e] / pl_batchSize + 1 : high;
		}
		cloth->batchStart = element > begin ? low : 0;
		cloth->batchEnd = element > begin ? high : 0;
		cloth->triangleOfCount = pl_batchSize * (cloth->batchEnd - cloth->batchStart);
		cloth->triangleOf = PL_NEW(&world->heap, uint32_t, cloth->triangleOfCount);
		if (cloth->triangleOf == NULL && cloth->triangleOfCount > 0)
			return false;
		if (cloth->triangleOfCount > 0)
			memset(cloth->triangleOf, 0xff, cloth->triangleOfCount * sizeof(uint32_t));
		for (size_t e = begin; e < element; ++e)
			cloth->triangleOf[d->slot[e] - pl_batchSize * cloth->batchStart] = d->places[e].element;
	}
	return true;
}
