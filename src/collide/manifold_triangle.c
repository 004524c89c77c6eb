// manifold_triangle.c: a solid and one triangle of a mesh
//
// First the triangle is met as if it were alone. What that gives may push sideways where triangles meet: a box that
// slides over a flat floor would catch on every edge. So the normal is taken to the nearest one that the feature met
// (corner, edge or face, whichever is farthest out along the normal) may push with in its mesh (soup.h). If that
// changes it,
//
//   the face's normal     the manifold is found again along it. What is not over the triangle is over a neighbour, or
//                         over nothing, and has no points here.
//   another one           one point, where the feature is:  gap = m.(s - x), s the support of the solid along -m. It
//                         is borrowed from a neighbour, and counts if that has none (manifold_merge.c)
//
// Faces push to one side. A solid that is behind the triangle by more than half is met by boundary edges only.
#include "polytope.h"
#include "soup.h"

enum
{
	faceFeature = 6
};

// 1 - 2^-40: 1.3e-6 rad
static bool isOfFace(const plSoupTriangle* t, const double m[3])
{
	return plDot3(m, t->normal) >= 1.0 - 0x1p-40;
}

// The feature of a triangle that is farthest out along m: corners that are level up to 2^-10 slacks belong to it. Three
// may be, of a triangle that is small against what is far above: then the two highest count, as its edge may be the end
// of the mesh.
static int findFeature(const plSoupTriangle* t, const double m[3], double slack)
{
	double height[3], most = -HUGE_VAL;
	bool level[3];
	int lowest = 0;
	if (isOfFace(t, m))
		return faceFeature;
	for (int k = 0; k < 3; ++k)
	{
		most = fmax(most, height[k] = plDot3(m, t->corner[k]));
		lowest = height[k] < height[lowest] ? k : lowest;
	}
	for (int k = 0; k < 3; ++k)
		level[k] = k != lowest && height[k] >= most - 0x1p-10 * slack;
	for (int k = 0; k < 3; ++k)
		if (level[k] && level[(k + 1) % 3])
			return 3 + k;
	return level[0] ? 0 : level[1] ? 1 : 2;
}

static bool isBoundary(const plSoupTriangle* t, int feature)
{
	if (feature == faceFeature)
		return false;
	if (feature >= 3)
		return t->edges[feature - 3] == pl_edgeBoundary;
	return t->edges[feature] == pl_edgeBoundary || t->edges[(feature + 2) % 3] == pl_edgeBoundary;
}

static int deepestOf(const plManifold* m)
{
	int best = 0;
	for (int k = 1; k < m->count; ++k)
		if (m->points[k].depth > m->points[best].depth)
			best = k;
	return best;
}

// The height of the lowest point of the other core over x, along m in the axes of the first
static double heightOver(const plCore* other, const plView* view, const double x[3], const double m[3])
{
	double local[3], away[3], y[3], d[3];
	plView_TurnBack(view, m, local);
	for (int i = 0; i < 3; ++i)
		away[i] = -local[i];
	plCore_Support(other, away, local);
	plView_Apply(view, local, y);
	plSubtract3(y, x, d);
	return plDot3(m, d);
}

// Is more of its height behind the triangle than in front?
static bool isBehind(const plSoupTriangle* t, const plCore* solid, const plView* view)
{
	double back[3] = {-t->normal[0], -t->normal[1], -t->normal[2]};
	return heightOver(solid, view, t->corner[0], t->normal) < heightOver(solid, view, t->corner[0], back);
}

// Along the normal of the face
static void collideFace(const plPart* triangle, plPart* solid, const plView* view, const plPair* pair,
                        plManifold* manifold)
{
	plCandidates c;
	plAxis axis = {.kind = 0, .i = 0};
	copy3(triangle->shape.planes, axis.normal);
	plCandidates_Begin(&c, pair, axis.normal, solid->core.radius);
	double local[3];
	plView_TurnBack(view, axis.normal, local);
	for (int i = 0; i < 3; ++i)
		local[i] = -local[i];
	plPart_Aim(solid, local);
	plOverlapFaces(&axis, triangle, solid, view, false, &c);
	plCandidates_Finish(&c, pair->siteA, 0.0, solid->core.radius, manifold);
}

// The triangle is the first of the pair: its faces come before those of the solid.
static void collide(plPart* triangle, plPart* solid, const plSoup* soup, uint32_t number, const plPair* pair,
                    plManifold* manifold)
{
	const plSoupTriangle* t = soup->triangles + number;
	plView view = plView_Make(pair->siteA, pair->siteB);
	plPart_Collide(triangle, solid, &view, pair, manifold);
	if (manifold->count == 0)
		return;

	double d[3], x[3], wanted[3], normal[3];
	int deepest = deepestOf(manifold);
	plSubtract3(manifold->points[deepest].x, pair->siteA->p, d);
	plSite_TurnBack(pair->siteA, d, x);
	plSite_TurnBack(pair->siteA, manifold->normal, wanted);
	int feature = findFeature(t, wanted, pair->slack);
	if (!isBoundary(t, feature) && isBehind(t, &solid->core, &view))
	{
		manifold->count = 0;
		return;
	}
	plSoup_ClampNormal(soup, number, feature, wanted, normal);
	bool ofFace = isOfFace(t, normal);
	if (plDot3(wanted, normal) >= 1.0 - 0x1p-40)
		return;
	// 2^-10: 2.5 degrees. Within them the features met are level, and their normals serve each other.
	manifold->borrowed = !ofFace;
	if (!ofFace && plDot3(wanted, normal) >= 1.0 - 0x1p-10)
		return;
	if (ofFace)
	{
		collideFace(triangle, solid, &view, pair, manifold);
		return;
	}
	plCandidates c;
	plCandidates_Begin(&c, pair, normal, solid->core.radius);
	plCandidates_Add(&c, x, heightOver(&solid->core, &view, x, normal),
	                 plFeature_Mix(pl_featureNearest, (uint32_t)feature, 1));
	plCandidates_Finish(&c, pair->siteA, 0.0, solid->core.radius, manifold);
}

// The smaller of the two sets the scale: against a body of 1 km, corners of a triangle of 1 m would all be level.
static double sizeOf(const plSoupTriangle* t)
{
	double most = 0.0;
	for (int k = 0; k < 3; ++k)
	{
		double edge[3];
		plSubtract3(t->corner[(k + 1) % 3], t->corner[k], edge);
		most = fmax(most, plDot3(edge, edge));
	}
	return sqrt(most);
}

void plManifold_FindTriangle(const plSolid* a, const plSite* siteA, const plSolid* mesh, const plSite* siteB,
                             uint32_t triangle, double margin, plManifold* manifold)
{
	PL_ASSERT(plSolid_IsConvex(a) && mesh->kind == pl_shapeMesh, "a convex solid and a mesh");
	PL_ASSERT(triangle < mesh->soup->count, "a triangle that the mesh has");
	plPart first, second;
	const plSoupTriangle* t = mesh->soup->triangles + triangle;
	plPair pair = {.siteA = siteB, .siteB = siteA, .margin = margin};
	pair.slack = PL_SLACK_SHARE * fmin(a->width, sizeOf(t));
	plPart_OfTriangle(&first, t->corner);
	plPart_OfSolid(&second, a);
	manifold->borrowed = false;
	collide(&first, &second, mesh->soup, triangle, &pair, manifold);
	plManifold_TurnRound(manifold);
}
