// cloth.h: soft bodies that are sheets of triangles
//
// Matter 0 is the cloth's own, 1.. those of its regions. Charts are scaled as regions say.
#ifndef PL_WORLD_CLOTH_H
#define PL_WORLD_CLOTH_H

#include "pliant/pliant.h"
#include "../energy/bend.h"
#include "../material/membrane.h"
#include "../mesh/sheet.h"

// The defs of a matter, for changes that come later; the rest angles are those of the list of bends
typedef struct plClothMatter
{
	plMembraneDef membrane;
	plBendingDef bending;
	bool ownsMembrane, ownsBending; // they are its own, and do not follow those of the cloth
} plClothMatter;

typedef struct plCloth
{
	size_t triangleCount;
	size_t matterCount;
	double thickness;      // m
	uint32_t* triangles;   // [3 triangleCount] caller's order and vertices
	double* charts;        // [6 triangleCount] x y of the corners in matter, x along the warp, m
	uint32_t* matter;      // [triangleCount]; NULL: there is one
	plClothMatter* asked;  // [matterCount]
	plMembrane* membranes; // [matterCount] made of these
	plBending* bendings;   // [matterCount] all of one model
	plBendList bends;
	size_t edgeCount;
	uint32_t* edges;         // [2 edgeCount] vertices, ascending
	uint32_t* edgeTriangles; // [2 edgeCount] the two triangles there; the second is PL_NONE: there is one, or a crowd
	double* edgeLengths;     // [edgeCount] in matter: the mean of the charts of the first two, m
	double* edgeSprings;     // [edgeCount] N/m, 0: it is none; NULL: no matter is springs
	size_t batchStart;       // its batches among the world's triangles, once prepared
	size_t batchEnd;
	uint32_t* triangleOf; // [8 (batchEnd - batchStart)] caller's triangle of a lane; UINT32_MAX: filling
	size_t triangleOfCount;
} plCloth;

void plCloth_Destroy(plCloth* cloth, plHeap* heap); // it may be NULL

static inline uint32_t plCloth_GetMatter(const plCloth* cloth, size_t triangle)
{
	return cloth->matter != NULL ? cloth->matter[triangle] : 0;
}

// The matter of a triangle is springs along its edges.
static inline bool plCloth_IsSprings(const plCloth* cloth, size_t triangle)
{
	return cloth->membranes[plCloth_GetMatter(cloth, triangle)].law == pl_membraneSprings;
}

plResult plClothDamping_Check(const plClothDamping* damping, plError* error);

// cloth_matter.c: the matter of a cloth that is made, and which triangles have it
plResult plCloth_TakeMatter(plCloth* cloth, const plClothDef* def, plError* error);
// Stiffnesses of edges as `membranes` want them, [edgeCount], N/m; NULL if none of these is springs. False: no memory
bool plCloth_FindSprings(const plCloth* cloth, const plMembrane* membranes, double** springs, plHeap* heap);
// Are there as many rest angles as edges that bend, and all finite?
plResult plCloth_CheckAngles(const plCloth* cloth, const plBendingDef* def, plError* error);

// cloth_chart.c: charts of all triangles [6 triangleCount] as the def wants them, before regions scale them.
// pl_errorInput with words where texture coordinates are of no use
plResult plClothDef_MakeCharts(const plClothDef* def, double* charts, plError* error);
// Twice the area of a chart
static inline double plChart_GetDouble(const double chart[6])
{
	return (chart[2] - chart[0]) * (chart[5] - chart[1]) - (chart[4] - chart[0]) * (chart[3] - chart[1]);
}

#endif
