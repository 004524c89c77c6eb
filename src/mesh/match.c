// match.c: which tets share a face, which have the same corners
//
// A face with corners u < v < w goes into the bucket of u (counting sort); within a bucket faces are sorted by
// (v, w, opposite corner, tet). Faces that are the same are then neighbours, and among these the tets with the same
// opposite corner have the same four corners. The order is total, so the result does not depend on the sort.
#include "match.h"

const uint8_t plTetFaces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

typedef struct Face
{
	uint64_t key; // v << 32 | w
	uint32_t opposite;
	uint32_t tet;
	uint32_t side;
} Face;

static inline bool isLess(const Face* a, const Face* b)
{
	if (a->key != b->key)
		return a->key < b->key;
	if (a->opposite != b->opposite)
		return a->opposite < b->opposite;
	return a->tet < b->tet;
}

static void siftDown(Face* faces, size_t root, size_t count)
{
	Face moving = faces[root];
	for (size_t child; (child = 2 * root + 1) < count; root = child)
	{
		if (child + 1 < count && isLess(&faces[child], &faces[child + 1]))
			child++;
		if (!isLess(&moving, &faces[child]))
			break;
		faces[root] = faces[child];
	}
	faces[root] = moving;
}

// Insertion for the usual bucket of about twenty faces, heap sort for the hub of a fan.
static void sortFaces(Face* faces, size_t count)
{
	if (count <= 48)
	{
		for (size_t i = 1; i < count; i++)
		{
			Face moving = faces[i];
			size_t j = i;
			for (; j > 0 && isLess(&moving, &faces[j - 1]); j--)
				faces[j] = faces[j - 1];
			faces[j] = moving;
		}
		return;
	}
	for (size_t i = count / 2; i-- > 0;)
		siftDown(faces, i, count);
	for (size_t n = count - 1; n > 0; n--)
	{
		Face top = faces[0];
		faces[0] = faces[n];
		faces[n] = top;
		siftDown(faces, 0, n);
	}
}

// Corners of side f of a tet, ascending.
static inline void getFace(const uint32_t* tet, int f, uint32_t corner[3])
{
	uint32_t a = tet[plTetFaces[f][0]], b = tet[plTetFaces[f][1]], c = tet[plTetFaces[f][2]];
	uint32_t low = a < b ? a : b, high = a < b ? b : a;
	corner[0] = low < c ? low : c;
	corner[2] = high > c ? high : c;
	corner[1] = low < c ? (high < c ? high : c) : low;
}

// Marks the faces begin..end-1, which are all the same.
static void markGroup(const Face* faces, size_t begin, size_t end, uint8_t* masks, uint32_t* twins)
{
	size_t owners = 0;
	size_t first = begin;
	for (size_t i = begin; i < end; i++)
	{
		if (i == begin || faces[i].opposite != faces[first].opposite)
		{
			first = i;
			owners++;
		}
		else if (twins != NULL)
			twins[faces[i].tet] = faces[first].tet;
	}
	if (owners == 2)
		return;
	for (size_t i = begin; i < end; i++)
		masks[faces[i].tet] |= owners == 1 ? PL_FACE_OPEN(faces[i].side) : PL_FACE_CROWDED(faces[i].side);
}

plResult plMatchFaces(const uint32_t* tets, size_t tetCount, size_t vertexCount, const uint8_t* skip, uint8_t* masks,
                      uint32_t* twins, plHeap* heap)
{
	PL_ASSERT(tetCount <= UINT32_MAX && vertexCount <= UINT32_MAX, "indices have 32 bits");
	if (tetCount == 0)
		return pl_success;

	plResult result = pl_errorMemory;
	size_t faceCount = tetCount > SIZE_MAX / 4 ? SIZE_MAX : 4 * tetCount;
	Face* faces = PL_NEW(heap, Face, faceCount);
	size_t* next = PL_NEW_ZERO(heap, size_t, vertexCount + 1); // end of the bucket of u - 1, then of u
	if (faces == NULL || next == NULL)
		goto done;

	for (size_t t = 0; t < tetCount; t++)
	{
		uint32_t corner[3];
		masks[t] = 0;
		if (twins != NULL)
			twins[t] = PL_NO_TWIN;
		for (int f = 0; f < 4 && (skip == NULL || skip[t] == 0); f++)
		{
			getFace(tets + 4 * t, f, corner);
			next[corner[0] + 1]++;
		}
	}
	for (size_t v = 0; v < vertexCount; v++)
		next[v + 1] += next[v];

	for (size_t t = 0; t < tetCount; t++)
	{
		uint32_t corner[3];
		for (int f = 0; f < 4 && (skip == NULL || skip[t] == 0); f++)
		{
			getFace(tets + 4 * t, f, corner);
			faces[next[corner[0]]++] = (Face){.key = (uint64_t)corner[1] << 32 | corner[2],
			                                  .opposite = tets[4 * t + (size_t)f],
			                                  .tet = (uint32_t)t,
			                                  .side = (uint32_t)f};
		}
	}

	for (size_t v = 0, begin = 0; v < vertexCount; begin = next[v++])
	{
		sortFaces(faces + begin, next[v] - begin);
		for (size_t i = begin, j; i < next[v]; i = j)
		{
			for (j = i + 1; j < next[v] && faces[j].key == faces[i].key;)
				j++;
			markGroup(faces, i, j, masks, twins);
		}
	}
	result = pl_success;

done:
	PL_FREE(heap, next, vertexCount + 1);
	PL_FREE(heap, faces, faceCount);
	return result;
}
