// manifold.c: which function knows which pair
//
// Kinds have an order: sphere, capsule, box, hull, cylinder, plane. A pair comes with the earlier kind as a; the other
// way round it is swapped, and what comes out is turned round, to the bit. Two of a kind: spheres and capsules mirror
// up to rounding; boxes, hulls and cylinders prefer a face of the first (manifold_box.c).
#include "narrow.h"

enum
{
	kindCount = 6
};

static int orderOf(plShapeKind kind)
{
	static const int order[] = {
	    [pl_shapeSphere] = 0,   [pl_shapeCapsule] = 1, [pl_shapeBox] = 2,         [pl_shapeHull] = 3,
	    [pl_shapeCylinder] = 4, [pl_shapePlane] = 5,   [pl_shapeMesh] = kindCount};
	return order[kind];
}

static plPairFcn* const pairs[kindCount][kindCount] = {
    {plCollideSpheres, plCollideSphereCapsule, plCollideSphereBox, plCollidePolytopes, plCollidePolytopes,
     plCollidePlane},
    {NULL, plCollideCapsules, plCollidePolytopes, plCollidePolytopes, plCollidePolytopes, plCollidePlane},
    {NULL, NULL, plCollideBoxes, plCollidePolytopes, plCollidePolytopes, plCollidePlane},
    {NULL, NULL, NULL, plCollidePolytopes, plCollidePolytopes, plCollidePlane},
    {NULL, NULL, NULL, NULL, plCollidePolytopes, plCollidePlane},
};

void plManifold_TurnRound(plManifold* m)
{
	for (int i = 0; i < 3; ++i)
		m->normal[i] = -m->normal[i];
	m->turned = m->count > 0 && !m->turned;
}

void plManifold_Find(const plSolid* a, const plSite* siteA, const plSolid* b, const plSite* siteB, double margin,
                     plManifold* manifold)
{
	int first = orderOf(a->kind), second = orderOf(b->kind);
	bool swapped = first > second;
	plPair pair = {.a = a, .b = b, .siteA = siteA, .siteB = siteB, .margin = margin};
	if (swapped)
		pair = (plPair){.a = b, .b = a, .siteA = siteB, .siteB = siteA, .margin = margin};
	pair.slack = PL_SLACK_SHARE * fmin(a->width, b->width);
	PL_ASSERT(first < kindCount && second < kindCount && first + second < 2 * kindCount - 2,
	          "plManifold_Find takes no mesh, and one plane at most");
	(swapped ? pairs[second][first] : pairs[first][second])(&pair, manifold);
	if (swapped)
		plManifold_TurnRound(manifold);
}
