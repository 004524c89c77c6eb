// form.c: a closed surface that changes its form in time
//
// Between two frames the normal of a triangle, twice its area long, is a quadratic function of s:
//
//   n(s) = (1-s)^2 b0 + 2 s (1-s) b1 + s^2 b2,   b0 = e0 x f0,  b1 = (e0 x f1 + e1 x f0)/2,  b2 = e1 x f1
//
// e, f edges at a corner in the first frame and in the second. If b0, b1, b2 are on one side of a plane through 0, so
// is n, and the triangle has an area all the way; if not, both halves of the way are looked at (de Casteljau).
#include "form.h"
#include "surface_check.h"
#include "vector.h"

#include <math.h>

struct plForm
{
	plSurfaceTree* trees[2]; // at the start of the substep, at its end
	double times[2];         // within those of the frames; NAN: none yet
	plColliderFrames frames; // own arrays
	double* times0;          // [count] the same, to write
	double* positions;       // [3 vertexCount count]
	double* points;          // [3 vertexCount] scratch, as the next
	double* sums;
};

// ---- in time --------------------------------------------------------------------------------------------------------

void plColliderFrames_GetPositions(const plColliderFrames* frames, double time, double* positions)
{
	PL_ASSERT(frames->count > 0, "there is a frame");
	size_t low = 0, high = frames->count, length = 3 * frames->vertexCount; // the last frame that is not later
	while (high - low > 1)
	{
		size_t middle = low + (high - low) / 2;
		if (frames->times[middle] <= time)
			low = middle;
		else
			high = middle;
	}
	const double *a = frames->positions + low * length, *b = a + length, *t = frames->times + low;
	bool isBetween = low + 1 < frames->count && time > t[0];
	double s = isBetween ? (time - t[0]) / (t[1] - t[0]) : 0.0;
	for (size_t i = 0; i < length; ++i)
		positions[i] = isBetween ? a[i] + s * (b[i] - a[i]) : a[i];
}

static void fit(plForm* form, int which, double time)
{
	if (form->times[which] == time)
		return;
	plColliderFrames_GetPositions(&form->frames, time, form->points);
	plSurfaceTree_Refit(form->trees[which], form->points, form->sums);
	form->times[which] = time;
}

bool plForm_Move(plForm* form, double before, double now)
{
	double first = form->frames.times[0], last = form->frames.times[form->frames.count - 1];
	before = fmin(fmax(before, first), last);
	now = fmin(fmax(now, first), last);
	if (form->times[1] == before) // the substep before ended there
	{
		plSurfaceTree* tree = form->trees[0];
		form->trees[0] = form->trees[1];
		form->trees[1] = tree;
		form->times[1] = form->times[0];
		form->times[0] = before;
	}
	fit(form, 0, before);
	fit(form, 1, now);
	return before != now;
}

const plSurfaceTree* plForm_GetTree(const plForm* form, bool isBefore)
{
	return form->trees[isBefore ? 0 : 1];
}

void plForm_GetBounds(const plForm* form, double low[3], double high[3])
{
	double l[3], h[3];
	plSurfaceTree_GetBounds(form->trees[0], low, high);
	plSurfaceTree_GetBounds(form->trees[1], l, h);
	for (int i = 0; i < 3; ++i)
	{
		low[i] = fmin(low[i], l[i]);
		high[i] = fmax(high[i], h[i]);
	}
}

// ---- checks ---------------------------------------------------------------------------------------------------------

static plResult checkTimes(const plColliderFrames* frames, size_t vertexCount, plError* error)
{
	if (frames->vertexCount != vertexCount)
		return plFailAt(error, "frames", "frames: they have %zu vertices, the mesh has %zu", frames->vertexCount,
		                vertexCount);
	for (size_t f = 0; f < frames->count; ++f)
	{
		if (!isfinite(frames->times[f]))
			return plFailAt(error, "frames", "frames: the time of frame %zu is not finite", f);
		if (f > 0 && !(frames->times[f] > frames->times[f - 1]))
			return plFailAt(error, "frames", "frames: frame %zu is at %g s, not later than the one before, %g s", f,
			                frames->times[f], frames->times[f - 1]);
	}
	for (size_t i = 0; i < 3 * vertexCount * frames->count; ++i)
		if (!isfinite(frames->positions[i]))
			return plFailAt(error, "frames", "frames: frame %zu: vertex %zu is not finite", i / (3 * vertexCount),
			                i / 3 % vertexCount);
	return pl_success;
}

// Do b[0], b[1], b[2], the coefficients of n, keep off 0?
static bool keepsArea(const double b[3][3], int depth)
{
	double m[3], left[3][3], right[3][3];
	for (int i = 0; i < 3; ++i)
	{
		m[i] = b[0][i] + 2.0 * b[1][i] + b[2][i];
		left[0][i] = b[0][i];
		left[1][i] = 0.5 * (b[0][i] + b[1][i]);
		left[2][i] = right[0][i] = 0.25 * m[i];
		right[1][i] = 0.5 * (b[1][i] + b[2][i]);
		right[2][i] = b[2][i];
	}
	if (plDot3(b[0], m) > 0.0 && plDot3(b[1], m) > 0.0 && plDot3(b[2], m) > 0.0)
		return true;
	return depth > 0 && keepsArea((const double(*)[3])left, depth - 1) &&
	       keepsArea((const double(*)[3])right, depth - 1);
}

static bool passes(const double* x, const double* y, const uint32_t* face)
{
	double edges[2][2][3], most = 0.0, b[3][3], c[3]; // [frame][edge]
	for (int i = 0; i < 12; ++i)
	{
		const double* from = i < 6 ? x : y;
		double d =
		    from[3 * (size_t)face[1 + i / 3 % 2] + (size_t)(i % 3)] - from[3 * (size_t)face[0] + (size_t)(i % 3)];
		edges[i / 6][i / 3 % 2][i % 3] = d;
		most = fmax(most, fabs(d));
	}
	for (int i = 0; i < 12; ++i) // so that the squares of small areas are numbers
		edges[i / 6][i / 3 % 2][i % 3] /= most;
	plCross3(edges[0][0], edges[0][1], b[0]);
	plCross3(edges[0][0], edges[1][1], b[1]);
	plCross3(edges[1][0], edges[0][1], c);
	plCross3(edges[1][0], edges[1][1], b[2]);
	for (int i = 0; i < 3; ++i)
		b[1][i] = 0.5 * (b[1][i] + c[i]);
	return keepsArea((const double(*)[3])b, 8);
}

static plResult checkFrames(const plForm* form, const uint32_t* faces, size_t count, plError* error)
{
	const plColliderFrames* frames = &form->frames;
	for (size_t f = 0; f < frames->count; ++f)
	{
		const double* x = frames->positions + 3 * frames->vertexCount * f;
		plError reason = {0};
		if (plCheckAreas(x, faces, count, &reason) < 0 || plCheckVolume(x, faces, count, &reason) < 0)
			return plFailAt(error, "frames", "frames: frame %zu: %s", f, reason.message);
		for (size_t t = 0; t < count && f > 0; ++t)
			if (!passes(x - 3 * frames->vertexCount, x, faces + 3 * t))
				return plFailAt(error, "frames",
				                "frames: triangle %zu (vertices %u %u %u) shrinks to nothing between frames %zu and "
				                "%zu: it needs frames in between",
				                t, faces[3 * t], faces[3 * t + 1], faces[3 * t + 2], f - 1, f);
	}
	return pl_success;
}

// ---- making it ------------------------------------------------------------------------------------------------------

void plForm_Destroy(plForm* form, plHeap* heap)
{
	size_t n = 3 * form->frames.vertexCount;
	for (int k = 0; k < 2; ++k)
		if (form->trees[k] != NULL)
			plSurfaceTree_Destroy(form->trees[k], heap);
	PL_FREE(heap, form->times0, form->frames.count);
	PL_FREE(heap, form->positions, n * form->frames.count);
	PL_FREE(heap, form->points, n);
	PL_FREE(heap, form->sums, n);
	PL_FREE(heap, form, 1);
}

// False: no memory
static bool copyFrames(plForm* form, const plTransform* transform, const plColliderFrames* frames, plHeap* heap)
{
	size_t count = frames->vertexCount * frames->count;
	form->times0 = PL_NEW(heap, double, frames->count);
	form->positions = PL_NEW(heap, double, 3 * count);
	form->points = PL_NEW(heap, double, 3 * frames->vertexCount);
	form->sums = PL_NEW(heap, double, 3 * frames->vertexCount);
	if (!form->times0 || !form->positions || !form->points || !form->sums)
		return false;
	memcpy(form->times0, frames->times, frames->count * sizeof(double));
	for (size_t i = 0; i < count; ++i)
		plTransform_Apply(transform, frames->positions + 3 * i, form->positions + 3 * i);
	form->frames.times = form->times0;
	form->frames.positions = form->positions;
	return true;
}

plResult plForm_Create(plForm** out, plMeshView mesh, const plTransform* transform, const plColliderFrames* frames,
                       plHeap* heap, plError* error)
{
	*out = NULL;
	plResult result = checkTimes(frames, mesh.vertexCount, error);
	if (result < 0)
		return result;
	plForm* form = PL_NEW_ZERO(heap, plForm, 1);
	if (form != NULL)
	{
		form->frames = (plColliderFrames){.count = frames->count, .vertexCount = frames->vertexCount};
		form->times[0] = form->times[1] = NAN;
	}
	if (form == NULL || !copyFrames(form, transform, frames, heap))
		result = plFail(error, pl_errorMemory, "frames: not enough memory for %zu frames of %zu vertices",
		                frames->count, frames->vertexCount);
	for (int k = 0; k < 2 && result == pl_success; ++k)
		result = plSurfaceTree_Create(&form->trees[k], mesh, transform, true, heap, error);
	if (result == pl_success)
		result = checkFrames(form, mesh.surface, mesh.surfaceCount, error);
	if (result != pl_success && form != NULL)
		plForm_Destroy(form, heap);
	else
		*out = form;
	return result;
}
