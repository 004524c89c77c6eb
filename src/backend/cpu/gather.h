// gather.h: tets of a batch into lanes
//
//   Ds[axis][k] = (x of corner k+1) - (x of corner 0)
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

// Column k of Ds from the edges of all lanes.
KERNEL void transposeEdges(mat3* Ds, int k, const fourth e[PL_LANES])
{
#if PL_LANES == 8
	real r[4];
	for (int l = 0; l < 4; ++l)
		r[l] = SHUFFLE(e[l], e[l + 4], 0, 1, 2, 3, 4, 5, 6, 7);
	real xy01 = SHUFFLE(r[0], r[1], 0, 8, 1, 9, 4, 12, 5, 13), xy23 = SHUFFLE(r[2], r[3], 0, 8, 1, 9, 4, 12, 5, 13);
	real z01 = SHUFFLE(r[0], r[1], 2, 10, 3, 11, 6, 14, 7, 15), z23 = SHUFFLE(r[2], r[3], 2, 10, 3, 11, 6, 14, 7, 15);
	Ds->a[0][k] = SHUFFLE(xy01, xy23, 0, 1, 8, 9, 4, 5, 12, 13);
	Ds->a[1][k] = SHUFFLE(xy01, xy23, 2, 3, 10, 11, 6, 7, 14, 15);
	Ds->a[2][k] = SHUFFLE(z01, z23, 0, 1, 8, 9, 4, 5, 12, 13);
#else
	real xz01 = SHUFFLE(e[0], e[1], 0, 4, 2, 6), xz23 = SHUFFLE(e[2], e[3], 0, 4, 2, 6);
	real y01 = SHUFFLE(e[0], e[1], 1, 5, 3, 7), y23 = SHUFFLE(e[2], e[3], 1, 5, 3, 7);
	Ds->a[0][k] = SHUFFLE(xz01, xz23, 0, 1, 4, 5);
	Ds->a[1][k] = SHUFFLE(y01, y23, 0, 1, 4, 5);
	Ds->a[2][k] = SHUFFLE(xz01, xz23, 2, 3, 6, 7);
#endif
}

// In double, then rounded: directions, and positions where `real` is double.
KERNEL mat3 gatherEdges(const plSpan* span, size_t batch, int lane, const double* q)
{
	const uint16_t* corner = span->corner + pl_tetIndices * batch + lane;
	mat3 Ds;
	for (int k = 0; k < 3;
	     ++k) // corner 0 is loaded three times: edges of all corners at once would not fit in registers
	{
		fourth e[PL_LANES];
		for (int l = 0; l < PL_LANES; ++l)
		{
			quad x = loadQuad(q, span->vertex, corner[pl_batchSize * (k + 1) + l]);
			e[l] = __builtin_convertvector(x - loadQuad(q, span->vertex, corner[l]), fourth);
		}
		transposeEdges(&Ds, k, e);
	}
	return Ds;
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

// The same from numbers of vertices: corner k + 1 is other[8 k + lane].
KERNEL mat3 gatherAround(const double* q, const places* own, const uint32_t* other)
{
	mat3 Ds;
	for (int k = 0; k < 3; ++k)
	{
		fourth e[PL_LANES];
		for (int l = 0; l < PL_LANES; ++l)
		{
			quad x;
			memcpy(&x, PL_AT(q, other[pl_batchSize * k + l]), sizeof x);
			e[l] = __builtin_convertvector(x - own->x[l], fourth);
		}
		transposeEdges(&Ds, k, e);
	}
	return Ds;
}

#else

KERNEL mat3 gatherEdges(const plSpan* span, size_t batch, int lane, const double* q)
{
	const uint16_t* corner = span->corner + pl_tetIndices * batch + lane;
	mat3 Ds;
	for (int l = 0; l < PL_LANES; ++l)
	{
		const double* x0 = PL_AT(q, span->vertex[corner[l] / 4]);
		for (int k = 0; k < 3; ++k)
		{
			const double* x = PL_AT(q, span->vertex[corner[pl_batchSize * (k + 1) + l] / 4]);
			for (int i = 0; i < 3; ++i)
				LANE(Ds.a[i][k], l) = (scalar)(x[i] - x0[i]);
		}
	}
	return Ds;
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

KERNEL mat3 gatherAround(const double* q, const places* own, const uint32_t* other)
{
	mat3 Ds;
	for (int l = 0; l < PL_LANES; ++l)
		for (int k = 0; k < 3; ++k)
			for (int i = 0; i < 3; ++i)
				LANE(Ds.a[i][k], l) = (scalar)(PL_AT(q, other[pl_batchSize * k + l])[i] - own->x[l][i]);
	return Ds;
}

#endif

#if PL_REAL_FLOAT

#if PL_LANES == 8 && defined(__AVX2__)

// Vertices of lanes l and l + 4. Four numbers of corners are one load: loads are what this waits for.
KERNEL ireal loadPair(const int32_t* fixed, const uint16_t* corner, int l)
{
	uint64_t four[2];
	memcpy(four, corner, sizeof four);
	return loadHalves(fixed + (four[0] >> 16 * l & 0xffff), fixed + (four[1] >> 16 * l & 0xffff));
}

// `corner` points at corner 0 of the first lane.
KERNEL mat3 gatherFixed(const uint16_t* corner, const int32_t* fixed)
{
	mat3 Ds;
	ireal first[4];
	for (int l = 0; l < 4; ++l)
		first[l] = loadPair(fixed, corner, l);
	for (int k = 0; k < 3; ++k)
	{
		ireal r[4];
		for (int l = 0; l < 4; ++l)
			r[l] = loadPair(fixed, corner + pl_batchSize * (k + 1), l) - first[l];
		ireal xy01 = SHUFFLE(r[0], r[1], 0, 8, 1, 9, 4, 12, 5, 13),
		      xy23 = SHUFFLE(r[2], r[3], 0, 8, 1, 9, 4, 12, 5, 13);
		ireal z01 = SHUFFLE(r[0], r[1], 2, 10, 3, 11, 6, 14, 7, 15),
		      z23 = SHUFFLE(r[2], r[3], 2, 10, 3, 11, 6, 14, 7, 15);
		Ds.a[0][k] = TO_REAL(SHUFFLE(xy01, xy23, 0, 1, 8, 9, 4, 5, 12, 13));
		Ds.a[1][k] = TO_REAL(SHUFFLE(xy01, xy23, 2, 3, 10, 11, 6, 7, 14, 15));
		Ds.a[2][k] = TO_REAL(SHUFFLE(z01, z23, 0, 1, 8, 9, 4, 5, 12, 13));
	}
	return Ds;
}

#else

KERNEL mat3 gatherFixed(const uint16_t* corner, const int32_t* fixed)
{
	mat3 Ds;
	for (int l = 0; l < PL_LANES; ++l)
	{
		const int32_t* x0 = fixed + corner[l];
		for (int k = 0; k < 3; ++k)
		{
			const int32_t* x = fixed + corner[pl_batchSize * (k + 1) + l];
			for (int i = 0; i < 3; ++i)
				LANE(Ds.a[i][k], l) = (scalar)(x[i] - x0[i]);
		}
	}
	return Ds;
}

#endif
#endif
#endif
