// multigrid_meshes.c: meshes of the scenes of [WWF18], made by formula: garments, and a funnel to fall through
//
// A garment is a tube of rings of equally many vertices; every second ring is turned by half a cell. Ring s (0 neck, 1
// hem) is an ellipse about the y axis whose half axes and height follow a profile, with folds that grow towards the
// hem. The funnel is the surface of a solid of revolution.
#include "papers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

typedef struct Point
{
	double height, side, depth; // m; half axes along x and z
} Point;

enum
{
	mostPoints = 8
};

typedef struct Profile
{
	Point points[mostPoints]; // from the neck down
	size_t count;
	int folds;
	double fold; // of the half axes at the hem, as a share
} Profile;

// A dress to the knees, and a gown to the floor, somewhat wider than the body below.
static const Profile profiles[] = {
    [pl_garmentDress] = {{{1.36, 0.175, 0.125},
                          {1.22, 0.17, 0.13},
                          {1.08, 0.145, 0.11},
                          {0.92, 0.2, 0.16},
                          {0.7, 0.29, 0.26},
                          {0.5, 0.37, 0.35}},
                         6,
                         9,
                         0.1},
    [pl_garmentGown] = {{{1.36, 0.175, 0.125},
                         {1.22, 0.17, 0.13},
                         {1.08, 0.145, 0.11},
                         {0.92, 0.21, 0.17},
                         {0.5, 0.46, 0.44},
                         {0.05, 0.72, 0.72}},
                        6,
                        13,
                        0.09},
};

// ---- the surface ----------------------------------------------------------------------------------------------------

static double lengthOf(const Point* a, const Point* b)
{
	double side = b->side - a->side, up = b->height - a->height;
	return sqrt(side * side + up * up);
}

// The profile at the share s of its length, smoothed where it turns by the mean of its neighbourhood
static Point sample(const Profile* p, double s)
{
	double whole = 0.0;
	for (size_t i = 1; i < p->count; ++i)
		whole += lengthOf(p->points + i - 1, p->points + i);
	double at = fmin(fmax(s, 0.0), 1.0) * whole;
	size_t i = 1;
	for (; i + 1 < p->count && at > lengthOf(p->points + i - 1, p->points + i); ++i)
		at -= lengthOf(p->points + i - 1, p->points + i);
	const Point *a = p->points + i - 1, *b = p->points + i;
	double w = at / lengthOf(a, b);
	return (Point){a->height + w * (b->height - a->height), a->side + w * (b->side - a->side),
	               a->depth + w * (b->depth - a->depth)};
}

static Point smooth(const Profile* p, double s)
{
	enum
	{
		count = 9
	};
	const double reach = 0.06;
	Point mean = {0};
	for (int k = 0; k < count; ++k)
	{
		// mirrored at the ends, so that they stay where they are
		double t = reach * fmin(1.0, fmin(s, 1.0 - s) / reach) * (2.0 * k / (count - 1) - 1.0);
		Point q = sample(p, s + t);
		mean.height += q.height / count;
		mean.side += q.side / count;
		mean.depth += q.depth / count;
	}
	return mean;
}

static void placeVertices(const Profile* p, size_t around, size_t down, double* x)
{
	for (size_t ring = 0; ring <= down; ++ring)
	{
		double s = (double)ring / (double)down;
		Point at = smooth(p, s);
		for (size_t i = 0; i < around; ++i, x += 3)
		{
			double angle = 2.0 * pi * ((double)i + (ring % 2 == 1 ? 0.5 : 0.0)) / (double)around;
			double waved = 1.0 + p->fold * s * s * sin(p->folds * angle);
			x[0] = at.side * waved * cos(angle);
			x[1] = at.height;
			x[2] = at.depth * waved * sin(angle);
		}
	}
}

// Two rings that are turned against each other by half a cell, outwards counter-clockwise
static void placeTriangles(size_t around, size_t down, uint32_t* t)
{
	for (size_t ring = 0; ring < down; ++ring)
		for (size_t i = 0; i < around; ++i, t += 6)
		{
			size_t next = (i + 1) % around;
			uint32_t a = (uint32_t)(ring * around + i), b = (uint32_t)(ring * around + next);
			uint32_t c = (uint32_t)((ring + 1) * around + i), d = (uint32_t)((ring + 1) * around + next);
			const uint32_t turned[6] = {a, b, c, b, d, c}, straight[6] = {a, b, d, a, d, c};
			memcpy(t, ring % 2 == 0 ? turned : straight, sizeof turned);
		}
}

// ---- meshes
// -----------------------------------------------------------------------------------------------------------

static plMesh* createTube(const Profile* profile, size_t around, size_t down, plError* error)
{
	plMeshDef def = plDefaultMeshDef();
	def.vertexCount = (down + 1) * around;
	def.triangleCount = 2 * down * around;
	double* x = malloc(3 * def.vertexCount * sizeof *x);
	uint32_t* triangles = malloc(3 * def.triangleCount * sizeof *triangles);
	plMesh* mesh = NULL;
	if (x == NULL || triangles == NULL)
		snprintf(error->message, sizeof error->message, "not enough memory for %zu vertices", def.vertexCount);
	else
	{
		placeVertices(profile, around, down, x);
		placeTriangles(around, down, triangles);
		def.vertices = x;
		def.triangles = triangles;
		mesh = plCreateMesh(&def, error);
	}
	free(x);
	free(triangles);
	return mesh;
}

bool plGarment_Write(const plPaperRun* run, plGarment garment, size_t vertices, const char* name, plError* error)
{
	// cells as wide as they are high in the middle of the garment: 1.2 times as many around as down
	size_t down = (size_t)fmax(4.0, sqrt((double)vertices / 1.2) - 0.5), around = vertices / (down + 1);
	return plQuasi_WriteMesh(createTube(profiles + garment, around, down, error), run, name, error);
}

bool plFunnel_Write(const plPaperRun* run, const char* name, plError* error)
{
	// a wall 5 cm thick: down its inside, and up its outside
	static const double wall[][2] = {{1.3, 0.9},   {0.24, 0.0},   {0.2, -0.08}, {0.2, -0.45}, {0.25, -0.45},
	                                 {0.25, -0.1}, {0.29, -0.02}, {1.35, 0.86}, {1.345, 0.9}};
	enum
	{
		around = 96,
		count = sizeof wall / sizeof *wall
	};
	double x[3 * around * count];
	uint32_t t[6 * around * count];
	for (size_t i = 0; i < around; ++i)
		for (size_t k = 0; k < count; ++k)
		{
			double angle = 2.0 * pi * (double)i / around, *p = x + 3 * (i * count + k);
			p[0] = wall[k][0] * cos(angle);
			p[1] = wall[k][1];
			p[2] = wall[k][0] * sin(angle);
			uint32_t a = (uint32_t)(i * count + k), b = (uint32_t)(i * count + (k + 1) % count);
			uint32_t c = (uint32_t)((i + 1) % around * count + k),
			         d = (uint32_t)((i + 1) % around * count + (k + 1) % count);
			const uint32_t two[6] = {a, b, c, b, d, c};
			memcpy(t + 6 * (i * count + k), two, sizeof two);
		}
	plMeshDef def = plDefaultMeshDef();
	def.vertices = x;
	def.vertexCount = around * count;
	def.triangles = t;
	def.triangleCount = 2 * around * count;
	return plQuasi_WriteMesh(plCreateMesh(&def, error), run, name, error);
}
