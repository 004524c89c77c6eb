// surface_tree.c: exact signed distance of a closed triangle surface
//
//   d = the nearest point p of the nearest triangle, found through a tree of boxes: |x - p|
//   phi = d outside, -d inside; the side is that of x - p on the normal of the feature that p lies on
//
// The normal of an edge is the sum of the normals of its two triangles. The normal of a vertex is the sum of the
// normals of its triangles, weighted by their angles there. With these the sign is right for every point [BA05].
// Nothing is sampled, so there is no resolution. The nearest point on a triangle is found by regions as in [Eri05],
// section 5.1.5.
#include "shape.h"
#include "surface_check.h"
#include "vector.h"
#include "../base/number.h"

#include <math.h>

// Corners in their order, and the normal of each feature: corners, edges (k, k + 1), face.
typedef struct Triangle
{
	double corner[3][3];
	double cornerNormal[3][3];
	double edgeNormal[3][3];
	double normal[3];
} Triangle;

struct plSurfaceTree
{
	Triangle* triangles; // [triangleCount] in the order of the leaves
	uint32_t* faces;     // [3 triangleCount] vertices of the mesh
	uint32_t* across;    // [3 triangleCount] the triangle on the other side of edge k
	plBox* boxes;        // [triangleCount] scratch; NULL: the surface keeps its form
	size_t triangleCount;
	size_t vertexCount; // of the mesh
	plBoxTree tree;     // of their boxes
	double size;        // of the bounds' longest side, m
};

// ---- the nearest point ----------------------------------------------------------------------------------------------

// Features of a triangle: 0..2 corners, 3..5 edges from corner k to k + 1, 6 the face.
typedef struct Nearest
{
	double square;    // of the distance
	double offset[3]; // x - p
	const Triangle* triangle;
	int feature;
} Nearest;

static int nearestOnTriangle(const double corner[3][3], const double x[3], double offset[3])
{
	double ab[3], ac[3], ax[3], bx[3], cx[3];
	plSubtract3(corner[1], corner[0], ab);
	plSubtract3(corner[2], corner[0], ac);
	plSubtract3(x, corner[0], ax);
	plSubtract3(x, corner[1], bx);
	plSubtract3(x, corner[2], cx);
	double d1 = plDot3(ab, ax), d2 = plDot3(ac, ax), d3 = plDot3(ab, bx), d4 = plDot3(ac, bx), d5 = plDot3(ab, cx),
	       d6 = plDot3(ac, cx);
	double vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
	int feature = 6;
	double v = 0.0, w = 0.0; // p = a + v ab + w ac
	if (d1 <= 0.0 && d2 <= 0.0)
		feature = 0;
	else if (d3 >= 0.0 && d4 <= d3)
	{
		feature = 1;
		v = 1.0;
	}
	else if (d6 >= 0.0 && d5 <= d6)
	{
		feature = 2;
		w = 1.0;
	}
	else if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0)
	{
		feature = 3;
		v = d1 / (d1 - d3);
	}
	else if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0)
	{
		feature = 4;
		w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
		v = 1.0 - w;
	}
	else if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0)
	{
		feature = 5;
		w = d2 / (d2 - d6);
	}
	else
	{
		double sum = va + vb + vc;
		v = vb / sum;
		w = vc / sum;
	}
	const double* from = feature == 1 ? bx : feature == 2 ? cx : ax;
	bool corners = feature < 3;
	for (int i = 0; i < 3; ++i)
		offset[i] = corners ? from[i] : ax[i] - v * ab[i] - w * ac[i];
	return feature;
}

typedef struct Search
{
	const Triangle* triangles;
	const double* x;
	Nearest best;
} Search;

static double searchTriangle(uint32_t t, double limit, void* context)
{
	Search* search = context;
	double offset[3];
	int feature = nearestOnTriangle(search->triangles[t].corner, search->x, offset);
	double square = plDot3(offset, offset);
	if (!(square < limit))
		return limit;
	search->best = (Nearest){square, {offset[0], offset[1], offset[2]}, search->triangles + t, feature};
	return square;
}

static Nearest findNearest(const plSurfaceTree* tree, const double x[3], double limit)
{
	Search search = {tree->triangles, x, {.square = INFINITY, .triangle = tree->triangles}};
	plBoxTree_FindNearest(&tree->tree, x, limit, searchTriangle, &search);
	return search.best;
}

// No triangle is looked for beyond the distance of a given one. Enough above it that rounding leaves out none that is
// as near: among equals the first one counts, in the order of the tree, as without a limit.
static double limitOf(const plSurfaceTree* tree, const double x[3], uint32_t triangle)
{
	if (triangle >= tree->triangleCount)
		return INFINITY;
	double offset[3], off = 1e-12 * tree->size;
	nearestOnTriangle(tree->triangles[triangle].corner, x, offset);
	double limit = (1.0 + 1e-6) * plDot3(offset, offset) + off * off;
	return limit > 0.0 ? limit : INFINITY; // of no number, too
}

static void describe(const plSurfaceTree* tree, const double x[3], const Nearest* found, plDistance* d);

void plSurfaceTree_Distance(const void* data, const double x[3], plDistance* d)
{
	Nearest nearest = findNearest(data, x, INFINITY);
	describe(data, x, &nearest, d);
}

void plSurfaceTree_DistanceNear(const void* data, const double x[3], uint32_t* part, plDistance* d)
{
	const plSurfaceTree* tree = data;
	Nearest nearest = findNearest(tree, x, limitOf(tree, x, *part));
	*part = (uint32_t)(nearest.triangle - tree->triangles);
	describe(tree, x, &nearest, d);
}

static void describe(const plSurfaceTree* tree, const double x[3], const Nearest* found, plDistance* d)
{
	const Nearest nearest = *found;
	const Triangle* t = nearest.triangle;
	*d = (plDistance){.phi = 0.0};
	if (nearest.feature == 6)
	{
		// On a face the distance is a linear function, without the root and its rounding near 0.
		double u[3];
		plSubtract3(x, t->corner[0], u);
		d->phi = plDot3(u, t->normal);
		memcpy(d->normal, t->normal, sizeof d->normal);
		return;
	}
	bool isEdge = nearest.feature >= 3;
	int k = nearest.feature % 3;
	const double* side = isEdge ? t->edgeNormal[k] : t->cornerNormal[k];
	double length = sqrt(nearest.square), sign = plDot3(nearest.offset, side) < 0.0 ? -1.0 : 1.0;
	bool unique = length > 0x1p-40 * tree->size;
	d->phi = sign * length;
	d->bend = unique ? sign / length : 0.0;
	for (int i = 0; i < 3; ++i)
		d->normal[i] = unique ? sign * nearest.offset[i] / length : side[i];
	if (isEdge)
	{
		plSubtract3(t->corner[(k + 1) % 3], t->corner[k], d->axis);
		normalise3(d->axis);
	}
}

void plSurfaceTree_GetBounds(const plSurfaceTree* tree, double low[3], double high[3])
{
	plBox bounds = plBoxTree_GetBounds(&tree->tree);
	memcpy(low, bounds.low, sizeof bounds.low);
	memcpy(high, bounds.high, sizeof bounds.high);
}

// Axes of a triangle: along its first edge, across that in its plane, its normal
static void findAxes(const Triangle* t, double axes[3][3])
{
	plSubtract3(t->corner[1], t->corner[0], axes[0]);
	normalise3(axes[0]);
	copy3(t->normal, axes[2]);
	plCross3(axes[2], axes[0], axes[1]);
}

// p = a + v ab + w ac, of a point in the plane
static void findWeights(const Triangle* t, const double p[3], double* v, double* w)
{
	double ab[3], ac[3], ap[3];
	plSubtract3(t->corner[1], t->corner[0], ab);
	plSubtract3(t->corner[2], t->corner[0], ac);
	plSubtract3(p, t->corner[0], ap);
	double bb = plDot3(ab, ab), bc = plDot3(ab, ac), cc = plDot3(ac, ac), bp = plDot3(ab, ap), cp = plDot3(ac, ap);
	double det = bb * cc - bc * bc;
	*v = (bp * cc - cp * bc) / det;
	*w = (cp * bb - bp * bc) / det;
}

void plSurfaceTree_Carry(const void* from, const void* to, const double X[3], double Y[3])
{
	const plSurfaceTree *before = from, *after = to;
	Nearest nearest = findNearest(before, X, INFINITY);
	const Triangle *t = nearest.triangle, *u = after->triangles + (t - before->triangles);
	double p[3], v, w, axes[2][3][3];
	plSubtract3(X, nearest.offset, p);
	findWeights(t, p, &v, &w);
	findAxes(t, axes[0]);
	findAxes(u, axes[1]);
	for (int i = 0; i < 3; ++i)
	{
		Y[i] = u->corner[0][i] + v * (u->corner[1][i] - u->corner[0][i]) + w * (u->corner[2][i] - u->corner[0][i]);
		for (int k = 0; k < 3; ++k)
			Y[i] += plDot3(axes[0][k], nearest.offset) * axes[1][k][i];
	}
}

// ---- making it ------------------------------------------------------------------------------------------------------

// Angle at corner k.
static double angleAt(const double corner[3][3], int k)
{
	double a[3], b[3], c[3];
	plSubtract3(corner[(k + 1) % 3], corner[k], a);
	plSubtract3(corner[(k + 2) % 3], corner[k], b);
	normalise3(a);
	normalise3(b);
	plCross3(a, b, c);
	return plAtan2(sqrt(plDot3(c, c)), plDot3(a, b));
}

// Normals of the features, from those of the faces; `sums` has 3 doubles per vertex, at zero.
static void fillNormals(Triangle* triangles, const uint32_t* faces, const uint32_t* across, size_t count, double* sums)
{
	for (size_t t = 0; t < count; ++t)
		for (int k = 0; k < 3; ++k)
		{
			double angle = angleAt(triangles[t].corner, k);
			const Triangle* other = triangles + across[3 * t + (size_t)k];
			for (int i = 0; i < 3; ++i)
			{
				sums[3 * (size_t)faces[3 * t + (size_t)k] + (size_t)i] += angle * triangles[t].normal[i];
				triangles[t].edgeNormal[k][i] = triangles[t].normal[i] + other->normal[i];
			}
			normalise3(triangles[t].edgeNormal[k]);
		}
	for (size_t t = 0; t < count; ++t)
		for (int k = 0; k < 3; ++k)
		{
			memcpy(triangles[t].cornerNormal[k], sums + 3 * (size_t)faces[3 * t + (size_t)k], 3 * sizeof(double));
			normalise3(triangles[t].cornerNormal[k]);
		}
}

// Scratch of one creation.
typedef struct Draft
{
	Triangle* triangles; // [count] in the mesh's order
	uint32_t* across;    // [3 count]
	plBox* boxes;        // [count]
	double* points;      // [3 vertexCount]
	double* sums;        // [3 vertexCount]
} Draft;

// Corners, normals of faces, boxes
static void fillFaces(Triangle* triangles, plBox* boxes, const double* points, const uint32_t* faces, size_t count)
{
	for (size_t t = 0; t < count; ++t)
	{
		for (size_t k = 0; k < 3; ++k)
			memcpy(triangles[t].corner[k], points + 3 * (size_t)faces[3 * t + k], 3 * sizeof(double));
		plTriangle_GetNormal(triangles[t].corner, triangles[t].normal);
		boxes[t] = plTriangle_Bound(triangles[t].corner);
	}
}

static void measureSize(plSurfaceTree* tree)
{
	plBox bounds = plBoxTree_GetBounds(&tree->tree);
	tree->size = 0.0;
	for (int i = 0; i < 3; ++i)
		tree->size = fmax(tree->size, bounds.high[i] - bounds.low[i]);
}

// Who the corners and the neighbours are, in the order of the leaves, and room for a refit. False: no memory
static bool keepFaces(plSurfaceTree* tree, const Draft* draft, const uint32_t* faces, bool changes, plHeap* heap)
{
	size_t count = tree->triangleCount;
	uint32_t* places = PL_NEW(heap, uint32_t, count);
	tree->faces = PL_NEW(heap, uint32_t, 3 * count);
	tree->across = PL_NEW(heap, uint32_t, 3 * count);
	tree->boxes = changes ? PL_NEW(heap, plBox, count) : NULL;
	bool fine = places && tree->faces && tree->across && (tree->boxes || !changes);
	for (size_t t = 0; fine && t < count; ++t)
		places[tree->tree.items[t]] = (uint32_t)t;
	for (size_t c = 0; fine && c < 3 * count; ++c)
	{
		size_t source = 3 * (size_t)tree->tree.items[c / 3] + c % 3;
		tree->faces[c] = faces[source];
		tree->across[c] = places[draft->across[source]];
	}
	PL_FREE(heap, places, count);
	return fine;
}

// False: no memory.
static bool fillTree(plSurfaceTree* tree, const Draft* draft, const uint32_t* faces, bool changes, plHeap* heap)
{
	size_t count = tree->triangleCount;
	fillFaces(draft->triangles, draft->boxes, draft->points, faces, count);
	fillNormals(draft->triangles, faces, draft->across, count, draft->sums);
	if (!plBoxTree_Build(&tree->tree, draft->boxes, count, heap) || !keepFaces(tree, draft, faces, changes, heap))
		return false;
	for (size_t t = 0; t < count; ++t)
		tree->triangles[t] = draft->triangles[tree->tree.items[t]];
	plBoxTree_Renumber(&tree->tree);
	measureSize(tree);
	return true;
}

void plSurfaceTree_Refit(plSurfaceTree* tree, const double* points, double* scratch)
{
	PL_ASSERT(tree->boxes != NULL, "the surface was made to change its form");
	fillFaces(tree->triangles, tree->boxes, points, tree->faces, tree->triangleCount);
	memset(scratch, 0, 3 * tree->vertexCount * sizeof *scratch);
	fillNormals(tree->triangles, tree->faces, tree->across, tree->triangleCount, scratch);
	plBoxTree_Refit(&tree->tree, tree->boxes);
	measureSize(tree);
}

plResult plSurfaceTree_Create(plSurfaceTree** out, plMeshView mesh, const plTransform* transform, bool changes,
                              plHeap* heap, plError* error)
{
	size_t count = mesh.surfaceCount, n = mesh.vertexCount;
	*out = NULL;
	if (count == 0)
		return plFailAt(error, "mesh", "mesh: it has no triangles");
	Draft draft = {PL_NEW(heap, Triangle, count), PL_NEW(heap, uint32_t, 3 * count), PL_NEW(heap, plBox, count),
	               PL_NEW(heap, double, 3 * n), PL_NEW_ZERO(heap, double, 3 * n)};
	plSurfaceTree* tree = PL_NEW_ZERO(heap, plSurfaceTree, 1);
	plResult result = pl_errorMemory;
	if (tree != NULL)
	{
		tree->triangleCount = count;
		tree->vertexCount = n;
		tree->triangles = PL_NEW(heap, Triangle, count);
	}
	if (tree && tree->triangles && draft.triangles && draft.across && draft.boxes && draft.points && draft.sums)
	{
		for (size_t i = 0; i < n; ++i)
			plTransform_Apply(transform, mesh.vertices + 3 * i, draft.points + 3 * i);
		result = plCheckSurface(draft.points, n, mesh.surface, count, draft.across, heap, error);
		if (result == pl_success && !fillTree(tree, &draft, mesh.surface, changes, heap))
			result = pl_errorMemory;
	}
	if (result == pl_errorMemory)
		plFail(error, result, "mesh: not enough memory for a collider of %zu triangles", count);
	PL_FREE(heap, draft.triangles, count);
	PL_FREE(heap, draft.across, 3 * count);
	PL_FREE(heap, draft.boxes, count);
	PL_FREE(heap, draft.points, 3 * n);
	PL_FREE(heap, draft.sums, 3 * n);
	if (result != pl_success && tree != NULL)
		plSurfaceTree_Destroy(tree, heap);
	else
		*out = tree;
	return result;
}

// ---- its triangles --------------------------------------------------------------------------------------------------

plSurfaceSize plSurfaceTree_GetCounts(const plSurfaceTree* tree)
{
	return (plSurfaceSize){tree->vertexCount, tree->triangleCount};
}

// Are two triangles at an edge in a plane, or at a groove? What lies outside of both, and has its ends there, does.
static bool isPlain(const plSurfaceTree* tree, size_t t, size_t k)
{
	static const double rounding = 1e-9;
	const Triangle *a = tree->triangles + t, *b = tree->triangles + tree->across[3 * t + k];
	double most = -INFINITY;
	for (int i = 0; i < 3; ++i)
	{
		double off[3];
		plSubtract3(b->corner[i], a->corner[k], off);
		most = fmax(most, -plDot3(a->normal, off)); // how far b's third corner is below the plane of a
	}
	return most <= rounding * tree->size;
}

void plSurfaceTree_ListTriangles(const plSurfaceTree* tree, uint32_t* corners, bool* plain)
{
	memcpy(corners, tree->faces, 3 * tree->triangleCount * sizeof *corners);
	for (size_t c = 0; c < 3 * tree->triangleCount; ++c)
		plain[c] = tree->boxes == NULL && isPlain(tree, c / 3, c % 3);
}

void plSurfaceTree_PlaceVertices(const plSurfaceTree* tree, double* points)
{
	for (size_t v = 0; v < tree->vertexCount; ++v) // vertices of no triangle, too
		memcpy(points + 3 * v, tree->triangles[0].corner[0], 3 * sizeof *points);
	for (size_t c = 0; c < 3 * tree->triangleCount; ++c)
		memcpy(points + 3 * (size_t)tree->faces[c], tree->triangles[c / 3].corner[c % 3], 3 * sizeof *points);
}

void plSurfaceTree_Destroy(plSurfaceTree* tree, plHeap* heap)
{
	PL_FREE(heap, tree->triangles, tree->triangleCount);
	PL_FREE(heap, tree->faces, 3 * tree->triangleCount);
	PL_FREE(heap, tree->across, 3 * tree->triangleCount);
	PL_FREE(heap, tree->boxes, tree->boxes != NULL ? tree->triangleCount : 0);
	plBoxTree_Destroy(&tree->tree, heap);
	PL_FREE(heap, tree, 1);
}
