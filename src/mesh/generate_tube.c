// generate_tube.c: tubes of tets along a circle, helices or a torus knot
//
// Section: a disc of n rings. Point j of ring k lies at  (k/n) r (cos a, sin a),  a = 2 pi j / 6k;  6 n^2 triangles
// join neighbouring rings sector by sector.
//
// Sweep: section s is the disc in the plane of N and B at the middle line c(s). Between two sections each triangle
// sweeps a prism, which is cut into three tets. Every rectangle of a prism is cut by the diagonal at its corner of the
// lowest number, so that neighbours match, at the seam of a ring too. [DLVC99]
//
//   torus   c = R N                     N = (cos t, 0, -sin t)   T = c'/|c'|   B = T x N
//   helix   c = R N + (0, p t / 2 pi, 0)
//   knot    c = R E + a N               N = E cos u + (0, sin u, 0)   E = (cos t, 0, -sin t)   u = t through/turns
//
// t: angle around the y axis, R radius, r tube, p pitch. Sections of a torus or helix are images of each other under a
// rotation or a screw, so all prisms of a strand are congruent. A knot lies on a torus of radii R and a, whose normal
// is N; it goes around the axis `turns` times and through the torus' hole `through` times.
#include "../base/base.h"
#include "../base/number.h"
#include "../base/vec3.h"
#include "pliant/mesh.h"

#include <math.h>

#define PI 3.14159265358979323846

typedef struct Tube
{
	const char* what; // for messages
	double radius, tube, pitch, turns;
	double away, through; // of a knot: a, and how often it goes through the hole
	size_t strands;
	size_t along, rings; // cells
	bool closed;         // the last section is the first
	size_t sectionSize;  // points of a section
	size_t sections;     // of a strand
	size_t vertexCount, tetCount;
	double* vertices;
	uint32_t* tets;
} Tube;

// ---- the disc -------------------------------------------------------------------------------------------------------

// Number of point j of ring k; the points of a ring are counted round and round.
static size_t getDiscPoint(size_t k, size_t j)
{
	return k == 0 ? 0 : 1 + 3 * k * (k - 1) + j % (6 * k);
}

// Triangle i of ring k, k >= 1, of 6 (2k - 1), anticlockwise: sector by sector, first those with an edge on the ring,
// then those with one on the ring below.
static void getDiscTriangle(size_t k, size_t i, size_t corners[3])
{
	size_t sector = i / (2 * k - 1), place = i % (2 * k - 1);
	size_t outer = sector * k, inner = sector * (k - 1); // first points of the sector on both rings
	bool up = place < k;
	size_t m = up ? place : place - k;
	corners[0] = up ? getDiscPoint(k - 1, inner + m) : getDiscPoint(k - 1, inner + m + 1);
	corners[1] = up ? getDiscPoint(k, outer + m) : getDiscPoint(k - 1, inner + m);
	corners[2] = getDiscPoint(k, outer + m + 1);
}

// ---- the sweep ------------------------------------------------------------------------------------------------------

static void getBinormal(const double tangent[3], const double n[3], double b[3])
{
	b[0] = tangent[1] * n[2] - tangent[2] * n[1];
	b[1] = tangent[2] * n[0] - tangent[0] * n[2];
	b[2] = tangent[0] * n[1] - tangent[1] * n[0];
}

static void getKnotFrame(const Tube* tube, double t, double c[3], double n[3], double b[3])
{
	double ratio = tube->through / tube->turns, u = t * ratio;
	double cosine = plCos(t), sine = plSin(t), up = plSin(u), out = plCos(u);
	double around = tube->radius + tube->away * out, rise = tube->away * ratio; // c' = around E' + rise N'
	double speed = sqrt(around * around + rise * rise);
	double tangent[3] = {(-around * sine - rise * up * cosine) / speed, rise * out / speed,
	                     (-around * cosine + rise * up * sine) / speed};
	n[0] = out * cosine;
	n[1] = up;
	n[2] = -out * sine;
	c[0] = around * cosine;
	c[1] = tube->away * up;
	c[2] = -around * sine;
	getBinormal(tangent, n, b);
}

// Middle, normal and binormal of the section at angle t. N x B = T: triangles that are anticlockwise in (N, B) look
// along the curve.
static void getFrame(const Tube* tube, double t, double height, double c[3], double n[3], double b[3])
{
	if (tube->through > 0.0)
	{
		getKnotFrame(tube, t, c, n, b);
		return;
	}
	double cosine = plCos(t), sine = plSin(t);
	double rise = tube->pitch / (2.0 * PI), speed = sqrt(tube->radius * tube->radius + rise * rise);
	double tangent[3] = {-tube->radius * sine / speed, rise / speed, -tube->radius * cosine / speed};
	n[0] = cosine;
	n[1] = 0.0;
	n[2] = -sine;
	c[0] = tube->radius * n[0];
	c[1] = height;
	c[2] = tube->radius * n[2];
	getBinormal(tangent, n, b);
}

static double* placeSection(const Tube* tube, double t, double height, double* x)
{
	double c[3], n[3], b[3];
	getFrame(tube, t, height, c, n, b);
	for (size_t k = 0; k <= tube->rings; k++)
		for (size_t j = 0; j < (k == 0 ? 1 : 6 * k); j++, x += 3)
		{
			double r = tube->tube * ((double)k / (double)tube->rings);
			double a = k == 0 ? 0.0 : 2.0 * PI * ((double)j / (double)(6 * k));
			double cosine = plCos(a), sine = plSin(a);
			for (int i = 0; i < 3; i++)
				x[i] = c[i] + r * (cosine * n[i] + sine * b[i]);
		}
	return x;
}

static void fillVertices(const Tube* tube)
{
	double* x = tube->vertices;
	for (size_t strand = 0; strand < tube->strands; strand++)
		for (size_t s = 0; s < tube->sections; s++)
		{
			double part = (double)s / (double)tube->along;
			double phase = 2.0 * PI * ((double)strand / (double)tube->strands);
			x = placeSection(tube, phase + 2.0 * PI * tube->turns * part, tube->pitch * tube->turns * (part - 0.5), x);
		}
}

// A prism with corners v[0] v[1] v[2] at one end and v[3] v[4] v[5] opposite to them; the first triangle is
// anticlockwise seen from the other end. Its lowest corner has both diagonals of its rectangles; the opposite rectangle
// is cut at its own lowest corner.
static uint32_t* splitPrism(uint32_t* tet, const uint32_t v[6])
{
	// the prism turned so that corner i comes first; other ends are seen from the other side
	static const uint8_t turns[6][6] = {{0, 1, 2, 3, 4, 5}, {1, 2, 0, 4, 5, 3}, {2, 0, 1, 5, 3, 4},
	                                    {3, 5, 4, 0, 2, 1}, {4, 3, 5, 1, 0, 2}, {5, 4, 3, 2, 1, 0}};
	int lowest = 0;
	for (int i = 1; i < 6; i++)
		lowest = v[i] < v[lowest] ? i : lowest;
	uint32_t w[6];
	for (int i = 0; i < 6; i++)
		w[i] = v[turns[lowest][i]];
	uint32_t low15 = w[1] < w[5] ? w[1] : w[5], low24 = w[2] < w[4] ? w[2] : w[4];
	static const uint8_t cuts[2][3][4] = {{{0, 1, 2, 5}, {0, 1, 5, 4}, {0, 4, 5, 3}},
	                                      {{0, 1, 2, 4}, {0, 4, 2, 5}, {0, 4, 5, 3}}};
	const uint8_t(*cut)[4] = cuts[low15 < low24 ? 0 : 1];
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 4; k++)
			*tet++ = w[cut[i][k]];
	return tet;
}

static void fillTets(const Tube* tube)
{
	uint32_t* tet = tube->tets;
	for (size_t strand = 0; strand < tube->strands; strand++)
		for (size_t s = 0; s < tube->along; s++)
		{
			size_t first = (strand * tube->sections + s) * tube->sectionSize;
			size_t second = (strand * tube->sections + (s + 1) % tube->sections) * tube->sectionSize;
			for (size_t k = 1; k <= tube->rings; k++)
				for (size_t i = 0; i < 6 * (2 * k - 1); i++)
				{
					size_t c[3];
					uint32_t v[6];
					getDiscTriangle(k, i, c);
					for (int m = 0; m < 3; m++)
					{
						v[m] = (uint32_t)(first + c[m]);
						v[m + 3] = (uint32_t)(second + c[m]);
					}
					tet = splitPrism(tet, v);
				}
		}
}

// ---- counts, memory, the mesh ---------------------------------------------------------------------------------------

static plResult countTube(Tube* tube, plError* error)
{
	size_t n = tube->rings, discSize, triangles, perStrand;
	tube->sections = tube->along + !tube->closed;
	bool tooMany = n > UINT16_MAX || tube->along > UINT32_MAX || tube->strands > UINT32_MAX;
	discSize = tooMany ? 0 : 1 + 3 * n * (n + 1);
	triangles = tooMany ? 0 : 6 * n * n;
	tube->sectionSize = discSize;
	tooMany = tooMany || __builtin_mul_overflow(tube->sections, tube->strands, &perStrand) ||
	          __builtin_mul_overflow(perStrand, discSize, &tube->vertexCount) ||
	          __builtin_mul_overflow(tube->along * tube->strands, 3 * triangles, &tube->tetCount) ||
	          tube->vertexCount > UINT32_MAX || tube->tetCount > UINT32_MAX;
	if (tooMany)
		return plFail(error, pl_errorInput, "%s: %zu cells along and %zu across, more than 32-bit indices can name",
		              tube->what, tube->along, n);
	return pl_success;
}

static plMesh* createMesh(const char* what, const plMeshDef* def, plError* error)
{
	plError reason = {0};
	plMesh* mesh = plCreateMesh(def, &reason);
	if (mesh == NULL && reason.code == pl_errorInput)
		plFail(error, reason.code, "%s: too few cells along it for its bends, or too thin: %s", what, reason.message);
	else if (mesh == NULL)
		plFail(error, reason.code, "%s", reason.message);
	return mesh;
}

static plMesh* createTube(Tube* tube, const plAllocator* allocator, plError* error)
{
	plHeap heap;
	plMesh* mesh = NULL;
	plHeap_Init(&heap, allocator);
	if (countTube(tube, error) != pl_success)
		return NULL;
	tube->vertices = PL_NEW(&heap, double, 3 * tube->vertexCount);
	tube->tets = PL_NEW(&heap, uint32_t, 4 * tube->tetCount);
	if (tube->vertices == NULL || tube->tets == NULL)
		plFail(error, pl_errorMemory, "%s: no memory for %zu vertices and %zu tets", tube->what, tube->vertexCount,
		       tube->tetCount);
	else
	{
		fillVertices(tube);
		fillTets(tube);
		plMeshDef def = plDefaultMeshDef();
		def.vertices = tube->vertices;
		def.vertexCount = tube->vertexCount;
		def.tets = tube->tets;
		def.tetCount = tube->tetCount;
		def.allocator = allocator;
		mesh = createMesh(tube->what, &def, error);
	}
	PL_FREE(&heap, tube->tets, 4 * tube->tetCount);
	PL_FREE(&heap, tube->vertices, 3 * tube->vertexCount);
	return mesh;
}

static bool isLength(double value)
{
	return value > 0.0 && isfinite(value);
}

static plResult checkTube(const char* what, double radius, double tube, const size_t cells[2], plError* error)
{
	if (!isLength(radius) || !isLength(tube) || tube >= radius)
		return plFail(error, pl_errorInput, "%s: radius %g and tube %g, must be positive and the tube the smaller",
		              what, radius, tube);
	if (cells[0] < 3 || cells[1] < 1)
		return plFail(error, pl_errorInput, "%s: %zu cells along and %zu across, must be at least 3 and 1", what,
		              cells[0], cells[1]);
	return pl_success;
}

plMesh* plCreateTorusMesh(double radius, double tube, const size_t cells[2], const plAllocator* allocator,
                          plError* error)
{
	if (checkTube("torus", radius, tube, cells, error) != pl_success)
		return NULL;
	Tube torus = {.what = "torus",
	              .radius = radius,
	              .tube = tube,
	              .turns = 1.0,
	              .strands = 1,
	              .along = cells[0],
	              .rings = cells[1],
	              .closed = true};
	return createTube(&torus, allocator, error);
}

// Distance of the middle lines of two neighbouring windings: the least over d of
//   sqrt(4 R^2 sin^2(d/2) + (p/2pi)^2 (d - 2pi/strands)^2),   d the angle between the points
// by samples fine enough that the rest is far below what a tube's section leaves out anyway. A single strand meets
// itself at d = 2 pi, so half a turn is searched there.
static double measureGap(double radius, double pitch, size_t strands)
{
	double rise = pitch / (2.0 * PI), offset = 2.0 * PI / (double)strands, least = INFINITY;
	for (int i = 0; i <= 4096; i++)
	{
		double d = (strands == 1 ? PI : offset) * ((double)i / 4096.0);
		double across = 2.0 * radius * plSin(0.5 * d), up = rise * (d - offset);
		least = fmin(least, sqrt(across * across + up * up));
	}
	return least;
}

plMesh* plCreateHelixMesh(double radius, double tube, double pitch, double turns, size_t strands, const size_t cells[2],
                          const plAllocator* allocator, plError* error)
{
	if (checkTube("helix", radius, tube, cells, error) != pl_success)
		return NULL;
	if (!isLength(pitch) || !isLength(turns) || strands == 0)
	{
		plFail(error, pl_errorInput, "helix: pitch %g, turns %g and %zu strands, must be positive", pitch, turns,
		       strands);
		return NULL;
	}
	if ((double)cells[0] < 3.0 * turns)
	{
		plFail(error, pl_errorInput, "helix: %zu cells along %g turns, must be at least 3 a turn", cells[0], turns);
		return NULL;
	}
	double gap = measureGap(radius, pitch, strands);
	if ((strands > 1 || turns >= 1.0) && gap <= 2.0 * tube)
	{
		plFail(error, pl_errorInput, "helix: windings %.6g apart, a tube of radius %g touches the next one", gap, tube);
		return NULL;
	}
	Tube helix = {.what = "helix",
	              .radius = radius,
	              .tube = tube,
	              .pitch = pitch,
	              .turns = turns,
	              .strands = strands,
	              .along = cells[0],
	              .rings = cells[1]};
	return createTube(&helix, allocator, error);
}

// ---- knots ----------------------------------------------------------------------------------------------------------

enum
{
	knotSamples = 2048
};

static double getDistance(const double a[3], const double b[3])
{
	double d[3];
	plSubtract3(b, a, d);
	return plLength3(d);
}

// Distance of parts of the middle line that are more than half the way round a tube apart along it: where the line
// bends less than the tube, nearer ones cannot touch. By samples, fine enough beside what a tube's section leaves out.
// Below 0: no memory
static double measureKnot(const Tube* tube, plHeap* heap)
{
	double* c = PL_NEW(heap, double, 3 * knotSamples);
	double least = INFINITY, length = 0.0, n[3], b[3];
	for (size_t i = 0; c != NULL && i < knotSamples; i++)
		getFrame(tube, 2.0 * PI * tube->turns * ((double)i / knotSamples), 0.0, c + 3 * i, n, b);
	if (c == NULL)
		return -1.0;
	for (size_t i = 0; i < knotSamples; i++)
		length += getDistance(c + 3 * i, c + 3 * ((i + 1) % knotSamples));
	size_t apart = (size_t)ceil(PI * tube->tube / length * knotSamples) + 1;
	for (size_t i = 0; i < knotSamples; i++)
		for (size_t j = i + apart; j < knotSamples && j - i <= knotSamples - apart; j++)
			least = fmin(least, getDistance(c + 3 * i, c + 3 * j));
	PL_FREE(heap, c, 3 * knotSamples);
	return least;
}

static bool haveCommonDivisor(size_t a, size_t b)
{
	while (b > 0)
	{
		size_t rest = a % b;
		a = b;
		b = rest;
	}
	return a != 1;
}

plMesh* plCreateKnotMesh(double radius, double away, double tube, const size_t windings[2], const size_t cells[2],
                         const plAllocator* allocator, plError* error)
{
	plHeap heap;
	plHeap_Init(&heap, allocator);
	if (checkTube("knot", radius, away, cells, error) != pl_success ||
	    checkTube("knot", away, tube, cells, error) != pl_success)
		return NULL;
	if (windings[0] > UINT16_MAX || windings[1] > UINT16_MAX || haveCommonDivisor(windings[0], windings[1]) ||
	    windings[1] == 0 || windings[0] == 0)
	{
		plFail(error, pl_errorInput,
		       "knot: %zu windings around and %zu through, must be from 1 to %d without a common divisor", windings[0],
		       windings[1], UINT16_MAX);
		return NULL;
	}
	Tube knot = {.what = "knot",
	             .radius = radius,
	             .tube = tube,
	             .turns = (double)windings[0],
	             .away = away,
	             .through = (double)windings[1],
	             .strands = 1,
	             .along = cells[0],
	             .rings = cells[1],
	             .closed = true};
	double gap = measureKnot(&knot, &heap);
	if (gap < 0.0)
		plFail(error, pl_errorMemory, "knot: no memory for its line");
	else if (gap <= 2.0 * tube)
		plFail(error, pl_errorInput, "knot: windings %.6g apart, a tube of radius %g touches the next one", gap, tube);
	return gap > 2.0 * tube ? createTube(&knot, allocator, error) : NULL;
}
