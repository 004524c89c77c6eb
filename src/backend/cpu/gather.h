// gather.h: elements of a batch into lanes
//
//   Ds[axis][k] = (x of corner k+1) - (x of corner 0)
//
// Edge by edge for elements with any number of corners, and whole for tets.
//
// In double from the positions themselves, in float from whole numbers (place_loops.h): the difference is exact, and
// rounded when it is turned into a float. A vertex is one load of four numbers. On AVX2 the differences of four or
// eight lanes are transposed in registers; elsewhere lane by lane. The operations on the numbers, and so the bits, are
// the same.
#ifndef PL_GATHER_H
#define PL_GATHER_H

#include "../../kernel/mat3.h"
#include "../../base/layout.h"
#include "../../energy/tet_layout.h"

KERNEL void putColumn(mat3* A, int k, vec3 v)
{
	for (int i = 0; i < 3; ++i)
		A->a[i][k] = v.a[i];
}

KERNEL real loadReal(const scalar* p)
{
	real a;
	memcpy(&a, p, sizeof a);
	return a;
}

KERNEL void storeReal(scalar* p, real a)
{
	memcpy(p, &a, sizeof a);
}

#if PL_LANES > 1 && defined(__AVX2__)

typedef double quad __attribute__((vector_size(32)));
typedef scalar fourth __attribute__((vector_size(4 * sizeof(scalar))));

KERNEL quad loadQuad(const double* q, const uint32_t* vertex, uint16_t corner)
{
	quad a;
	memcpy(&a, PL_AT(q, vertex[corner / 4]), sizeof a);
	return a;
}

#define SHUFFLE __builtin_shufflevector

// An edge from those of all lanes.
KERNEL vec3 transposeEdges(const fourth e[PL_LANES])
{
	vec3 d;
#if PL_LANES == 8
	real r[4];
	for (int l = 0; l < 4; ++l)
		r[l] = SHUFFLE(e[l], e[l + 4], 0, 1, 2, 3, 4, 5, 6, 7);
	real xy01 = SHUFFLE(r[0], r[1], 0, 8, 1, 9, 4, 12, 5, 13), xy23 = SHUFFLE(r[2], r[3], 0, 8, 1, 9, 4, 12, 5, 13);
	real z01 = SHUFFLE(r[0], r[1], 2, 10, 3, 11, 6, 14, 7, 15), z23 = SHUFFLE(r[2], r[3], 2, 10, 3, 11, 6, 14, 7, 15);
	d.a[0] = SHUFFLE(xy01, xy23, 0, 1, 8, 9, 4, 5, 12, 13);
	d.a[1] = SHUFFLE(xy01, xy23, 2, 3, 10, 11, 6, 7, 14, 15);
	d.a[2] = SHUFFLE(z01, z23, 0, 1, 8, 9, 4, 5, 12, 13);
#else
	real xz01 = SHUFFLE(e[0], e[1], 0, 4, 2, 6), xz23 = SHUFFLE(e[2], e[3], 0, 4, 2, 6);
	real y01 = SHUFFLE(e[0], e[1], 1, 5, 3, 7), y23 = SHUFFLE(e[2], e[3], 1, 5, 3, 7);
	d.a[0] = SHUFFLE(xz01, xz23, 0, 1, 4, 5);
	d.a[1] = SHUFFLE(y01, y23, 0, 1, 4, 5);
	d.a[2] = SHUFFLE(xz01, xz23, 2, 3, 6, 7);
#endif
	return d;
}

// In double, then rounded: directions, and positions where `real` is double. `corner` points at corner 0 of the first
// lane, which is loaded for every edge: edges of all corners at once would not fit in registers.
KERNEL vec3 gatherEdge(const uint16_t* corner, const uint32_t* vertex, int k, const double* q)
{
	fourth e[PL_LANES];
	for (int l = 0; l < PL_LANES; ++l)
	{
		quad x = loadQuad(q, vertex, corner[pl_batchSize * (k + 1) + l]);
		e[l] = __builtin_convertvector(x - loadQuad(q, vertex, corner[l]), fourth);
	}
	return transposeEdges(e);
}

// Where the vertices of the lanes are, for elements that have them as corner 0
typedef struct places
{
	quad x[PL_LANES];
} places;

KERNEL places placesOf(const double* q, const uint32_t* own)
{
	places p;
	for (int l = 0; l < PL_LANES; ++l)
		memcpy(p.x + l, PL_AT(q, own[l]), sizeof(quad));
	return p;
}

// The edge to vertices other[lane]
KERNEL vec3 gatherAroundEdge(const double* q, const places* own, const uint32_t* other)
{
	fourth e[PL_LANES];
	for (int l = 0; l < PL_LANES; ++l)
	{
		quad x;
		memcpy(&x, PL_AT(q, other[l]), sizeof x);
		e[l] = __builtin_convertvector(x - own->x[l], fourth);
	}
	return transposeEdges(e);
}

#else

// Of every lane x - first, rounded
KERNEL vec3 differences(const double* const x[PL_LANES], const double* const first[PL_LANES])
{
	vec3 d;
	for (int i = 0; i < 3; ++i)
	{
		real lanes = SPLAT(0);
		for (int l = 0; l < PL_LANES; ++l)
			LANE(lanes, l) = (scalar)(x[l][i] - first[l][i]);
		d.a[i] = lanes;
	}
	return d;
}

KERNEL vec3 gatherEdge(const uint16_t* corner, const uint32_t* vertex, int k, const double* q)
{
	const double *x[PL_LANES], *first[PL_LANES];
	for (int l = 0; l < PL_LANES; ++l)
	{
		x[l] = PL_AT(q, vertex[corner[pl_batchSize * (k + 1) + l] / 4]);
		first[l] = PL_AT(q, vertex[corner[l] / 4]);
	}
	return differences(x, first);
}

typedef struct places
{
	const double* x[PL_LANES];
} places;

KERNEL places placesOf(const double* q, const uint32_t* own)
{
	places p;
	for (int l = 0; l < PL_LANES; ++l)
		p.x[l] = PL_AT(q, own[l]);
	return p;
}

KERNEL vec3 gatherAroundEdge(const double* q, const places* own, const uint32_t* other)
{
	const double* x[PL_LANES];
	for (int l = 0; l < PL_LANES; ++l)
		x[l] = PL_AT(q, other[l]);
	return differences(x, own->x);
}

#endif

KERNEL mat3 gatherEdges(const plSpan* span, size_t batch, int lane, const double* q)
{
	const uint16_t* corner = span->corner + pl_tetIndices * batch + lane;
	mat3 Ds;
	for (int k = 0; k < 3; ++k)
		putColumn(&Ds, k, gatherEdge(corner, span->vertex, k, q));
	return Ds;
}

// The same from numbers of vertices: corner k + 1 is other[8 k + lane].
KERNEL mat3 gatherAround(const double* q, const places* own, const uint32_t* other)
{
	mat3 Ds;
	for (int k = 0; k < 3; ++k)
		putColumn(&Ds, k, gatherAroundEdge(q, own, other + pl_batchSize * k));
	return Ds;
}

#if PL_REAL_FLOAT

#if PL_LANES == 8 && defined(__AVX2__)

// Vertices of lanes l and l + 4. Four numbers of corners are one load: loads are what this waits for.
KERNEL ireal loadPair(const int32_t* fixed, const uint16_t* corner, int l)
{
	uint64_t four[2];
	memcpy(four, corner, sizeof four);
	return loadHalves(fixed + (four[0] >> 16 * l & 0xffff), fixed + (four[1] >> 16 * l & 0xffff));
}

typedef struct origins
{
	ireal x[4];
} origins;

// `corner` points at corner 0 of the first lane.
KERNEL origins fixedOrigins(const uint16_t* corner, const int32_t* fixed)
{
	origins o;
	for (int l = 0; l < 4; ++l)
		o.x[l] = loadPair(fixed, corner, l);
	return o;
}

KERNEL vec3 gatherFixedEdge(const origins* first, const uint16_t* corner, const int32_t* fixed, int k)
{
	ireal r[4];
	vec3 d;
	for (int l = 0; l < 4; ++l)
		r[l] = loadPair(fixed, corner + pl_batchSize * (k + 1), l) - first->x[l];
	ireal xy01 = SHUFFLE(r[0], r[1], 0, 8, 1, 9, 4, 12, 5, 13), xy23 = SHUFFLE(r[2], r[3], 0, 8, 1, 9, 4, 12, 5, 13);
	ireal z01 = SHUFFLE(r[0], r[1], 2, 10, 3, 11, 6, 14, 7, 15), z23 = SHUFFLE(r[2], r[3], 2, 10, 3, 11, 6, 14, 7, 15);
	d.a[0] = TO_REAL(SHUFFLE(xy01, xy23, 0, 1, 8, 9, 4, 5, 12, 13));
	d.a[1] = TO_REAL(SHUFFLE(xy01, xy23, 2, 3, 10, 11, 6, 7, 14, 15));
	d.a[2] = TO_REAL(SHUFFLE(z01, z23, 0, 1, 8, 9, 4, 5, 12, 13));
	return d;
}

#else

typedef struct origins
{
	const int32_t* x[PL_LANES];
} origins;

KERNEL origins fixedOrigins(const uint16_t* corner, const int32_t* fixed)
{
	origins o;
	for (int l = 0; l < PL_LANES; ++l)
		o.x[l] = fixed + corner[l];
	return o;
}

KERNEL vec3 gatherFixedEdge(const origins* first, const uint16_t* corner, const int32_t* fixed, int k)
{
	vec3 d;
	for (int i = 0; i < 3; ++i)
	{
		real lanes = SPLAT(0);
		for (int l = 0; l < PL_LANES; ++l)
			LANE(lanes, l) = (scalar)(fixed[corner[pl_batchSize * (k + 1) + l] + i] - first->x[l][i]);
		d.a[i] = lanes;
	}
	return d;
}

#endif

KERNEL mat3 gatherFixed(const uint16_t* corner, const int32_t* fixed)
{
	origins first = fixedOrigins(corner, fixed);
	mat3 Ds;
	for (int k = 0; k < 3; ++k)
		putColumn(&Ds, k, gatherFixedEdge(&first, corner, fixed, k));
	return Ds;
}

#endif

// Edges of an element with any number of corners, in metres; `corner` points at corner 0 of the first lane
typedef struct edgeReader
{
	const uint16_t* corner;
	const uint32_t* vertex;
	const double* q;
#if PL_REAL_FLOAT
	const int32_t* fixed;
	real unit;
	origins first;
#endif
} edgeReader;

KERNEL edgeReader readEdges(const plSpan* span, const uint16_t* corner, const double* q)
{
	edgeReader r = {.corner = corner, .vertex = span->vertex, .q = q};
#if PL_REAL_FLOAT
	r.fixed = span->fixed;
	r.unit = SPLAT(span->unit);
	r.first = fixedOrigins(corner, span->fixed);
#endif
	return r;
}

// From corner 0 to corner k + 1
KERNEL vec3 readEdge(const edgeReader* r, int k)
{
#if PL_REAL_FLOAT
	vec3 d = gatherFixedEdge(&r->first, r->corner, r->fixed, k);
	for (int i = 0; i < 3; ++i)
		d.a[i] *= r->unit;
	return d;
#else
	return gatherEdge(r->corner, r->vertex, k, r->q);
#endif
}

#endif
