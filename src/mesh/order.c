// order.c: vertices along a Hilbert curve; sorting of indices
//
// Coordinates are rounded to 21 bits of the bounding cube. Its side is the longest one of the bounding box, so "near"
// means the same on every axis. Skilling's transform gives the 63-bit place on the curve: J. Skilling, "Programming the
// Hilbert curve", AIP Conference Proceedings 707 (2004). Places are sorted by a radix sort, which is stable: vertices
// in the same cell of the curve keep the order of their indices.
#include "order.h"

#include <math.h>

#define BITS 21

typedef struct Place
{
	uint64_t key;
	uint32_t vertex;
} Place;

static uint64_t findPlace(uint32_t x[3])
{
	for (uint32_t q = 1u << (BITS - 1); q > 1; q >>= 1) // undo excess work, from the coarsest cell to the finest
	{
		uint32_t p = q - 1;
		for (int i = 0; i < 3; i++)
		{
			if (x[i] & q)
				x[0] ^= p;
			else
			{
				uint32_t t = (x[0] ^ x[i]) & p;
				x[0] ^= t;
				x[i] ^= t;
			}
		}
	}
	x[1] ^= x[0]; // Gray code
	x[2] ^= x[1];
	uint32_t t = 0;
	for (uint32_t q = 1u << (BITS - 1); q > 1; q >>= 1)
		if (x[2] & q)
			t ^= q - 1;

	uint64_t key = 0;
	for (int bit = BITS - 1; bit >= 0; bit--)
		for (int i = 0; i < 3; i++)
			key = key << 1 | (((x[i] ^ t) >> bit) & 1u);
	return key;
}

// One pass of a stable radix sort by the byte at `shift`; false if all keys have the same byte there.
static bool sortPass(const Place* from, Place* to, size_t n, int shift)
{
	size_t start[257] = {0};
	for (size_t i = 0; i < n; i++)
		start[((from[i].key >> shift) & 255) + 1]++;
	for (int b = 0; b < 256; b++)
	{
		if (start[b + 1] == n)
			return false;
		start[b + 1] += start[b];
	}
	for (size_t i = 0; i < n; i++)
		to[start[(from[i].key >> shift) & 255]++] = from[i];
	return true;
}

plResult plOrderVertices(const double* xyz, size_t n, uint32_t* order, plHeap* heap)
{
	PL_ASSERT(n <= UINT32_MAX, "indices have 32 bits");
	if (n == 0)
		return pl_success;
	plResult result = pl_errorMemory;
	Place* a = PL_NEW(heap, Place, n);
	Place* b = PL_NEW(heap, Place, n);
	if (a == NULL || b == NULL)
		goto done;

	double low[3] = {xyz[0], xyz[1], xyz[2]}, high[3] = {xyz[0], xyz[1], xyz[2]};
	for (size_t v = 1; v < n; v++)
		for (int k = 0; k < 3; k++)
		{
			low[k] = fmin(low[k], xyz[3 * v + (size_t)k]);
			high[k] = fmax(high[k], xyz[3 * v + (size_t)k]);
		}
	double side = 0.0; // of half the cube: a difference of two finite halves does not overflow
	for (int k = 0; k < 3; k++)
		side = fmax(side, 0.5 * high[k] - 0.5 * low[k]);

	const double last = (double)((1u << BITS) - 1);
	for (size_t v = 0; v < n; v++)
	{
		uint32_t x[3] = {0, 0, 0};
		for (int k = 0; k < 3 && side > 0.0; k++)
			x[k] = (uint32_t)fmin(last, (0.5 * xyz[3 * v + (size_t)k] - 0.5 * low[k]) / side * last);
		a[v] = (Place){findPlace(x), (uint32_t)v};
	}
	Place *from = a, *to = b;
	for (int shift = 0; shift < 3 * BITS; shift += 8)
		if (sortPass(from, to, n, shift))
		{
			Place* swap = from;
			from = to;
			to = swap;
		}
	for (size_t i = 0; i < n; i++)
		order[i] = from[i].vertex;
	result = pl_success;

done:
	PL_FREE(heap, b, n);
	PL_FREE(heap, a, n);
	return result;
}

void plSortIndices(uint32_t* items, size_t count, uint32_t* scratch)
{
	if (count <= 64)
	{
		for (size_t i = 1; i < count; i++)
		{
			uint32_t moving = items[i];
			size_t j = i;
			for (; j > 0 && moving < items[j - 1]; j--)
				items[j] = items[j - 1];
			items[j] = moving;
		}
		return;
	}
	for (int shift = 0; shift < 32; shift += 8) // four passes: the result is back in `items`
	{
		size_t start[257] = {0};
		for (size_t i = 0; i < count; i++)
			start[((items[i] >> shift) & 255) + 1]++;
		for (int b = 0; b < 256; b++)
			start[b + 1] += start[b];
		for (size_t i = 0; i < count; i++)
			scratch[start[(items[i] >> shift) & 255]++] = items[i];
		uint32_t* swap = items;
		items = scratch;
		scratch = swap;
	}
}
