// prepare_cloth.h: from the sheets of a world to elements: triangles, and three kinds that bend
#ifndef PL_PREPARE_CLOTH_H
#define PL_PREPARE_CLOTH_H

#include "items.h"
#include "world.h"

enum
{
	pl_sheetTriangle,
	pl_sheetQuadratic,
	pl_sheetHinge,
	pl_sheetPlate,
	pl_sheetKindCount
};

// Elements of one kind on their way; groups are the matters of the cloths that have elements of it
typedef struct plSheetDraft
{
	size_t cornerCount, chartCount; // of an element
	size_t elementCount, groupCount;
	plItem* places;        // [elementCount] cloth by cloth
	uint32_t* corners;     // [cornerCount elementCount]
	uint32_t* group;       // [elementCount]
	uint32_t* slot;        // [elementCount]
	double* charts;        // [chartCount elementCount]
	double* angles;        // [elementCount] of hinges; else NULL
	plMembrane* membranes; // [groupCount] of triangles,
	plBending* bendings;   // [groupCount] or of what bends
} plSheetDraft;

typedef struct plClothDraft
{
	plSheetDraft kinds[pl_sheetKindCount];
} plClothDraft;

// False: no memory. In any case it is to be destroyed.
bool plClothDraft_Create(plClothDraft* draft, plWorld* world);
void plClothDraft_Destroy(plClothDraft* draft, plWorld* world);
void plClothDraft_Describe(const plClothDraft* draft, plElementInput* input);
// Which triangle stands in which lane, once elements are made; false: no memory
bool plWorld_MapTriangles(plWorld* world, const plClothDraft* draft);

// Matter of all groups as it is now, for elements that are there; `draft` gets no elements
bool plClothDraft_ListMatter(plClothDraft* draft, plWorld* world);

#endif
