// surface.c: boundary faces of a set of tets: faces that belong to one tet only
//
// They come from the tets themselves: the triangles of a file may be missing, partial or turned either way. A face of a
// tet with positive volume is outward when its corners are taken as in plTetFaces. Tets have distinct corners.
#include "surface.h"
#include "match.h"

plResult plFindSurface(const uint32_t* tets, size_t tetCount, size_t vertexCount, plHeap* heap, uint32_t** faces,
                       size_t* faceCount)
{
	*faces = NULL;
	*faceCount = 0;
	if (tetCount == 0)
		return pl_success;

	uint8_t* masks = PL_NEW(heap, uint8_t, tetCount);
	plResult result = masks == NULL ? pl_errorMemory : pl_success;
	if (result == pl_success)
		result = plMatchFaces(tets, tetCount, vertexCount, NULL, masks, NULL, heap);
	if (result != pl_success)
		goto done;

	size_t count = 0;
	for (size_t t = 0; t < tetCount; t++)
		count += (size_t)__builtin_popcount(masks[t] & PL_FACES_OPEN);
	if (count == 0)
		goto done;

	uint32_t* out = PL_NEW(heap, uint32_t, 3 * count);
	if (out == NULL)
	{
		result = pl_errorMemory;
		goto done;
	}
	*faces = out;
	*faceCount = count;
	for (size_t t = 0; t < tetCount; t++)
		for (int f = 0; f < 4; f++)
			if (masks[t] & PL_FACE_OPEN(f))
				for (int k = 0; k < 3; k++)
					*out++ = tets[4 * t + plTetFaces[f][k]];

done:
	PL_FREE(heap, masks, tetCount);
	return result;
}
