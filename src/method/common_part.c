// common_part.c: the part of a Hessian that stands in no matrix
#include "common_part.h"

static double dot(const double* a, const double* b, size_t count)
{
	double sum = 0.0;
	for (size_t i = 0; i < count; ++i)
		sum += a[i] * b[i];
	return sum;
}

static void subtract(double* a, double size, const double* b, size_t count)
{
	for (size_t i = 0; i < count; ++i)
		a[i] -= size * b[i];
}

void plCommonPart_Destroy(plCommonPart* part, plHeap* heap)
{
	PL_FREE(heap, part->v, part->count * part->length);
	PL_FREE(heap, part->z, part->z != NULL ? part->count * part->length : 0);
	PL_FREE(heap, part->w, part->count);
	PL_FREE(heap, part->full, part->fullCount);
	*part = (plCommonPart){0};
}

static bool allocate(plCommonPart* part, size_t vertexCount, bool withSolutions, plHeap* heap)
{
	size_t numbers = part->count * part->length;
	part->fullCount = 3 * vertexCount;
	part->v = PL_NEW(heap, double, numbers);
	part->z = withSolutions ? PL_NEW(heap, double, numbers) : NULL;
	part->w = PL_NEW(heap, double, part->count);
	part->full = PL_NEW(heap, double, part->fullCount);
	return part->w && part->full && (numbers == 0 || (part->v && (part->z || !withSolutions)));
}

bool plCommonPart_Refresh(plCommonPart* part, plProblem* problem, const plPoint* q, plFreeNumbers* place, size_t length,
                          bool withSolutions)
{
	size_t count = problem->matrix->countCommon(problem);
	if (count != part->count || (count > 0 && length != part->length))
	{
		plCommonPart_Destroy(part, problem->heap);
		part->count = count;
		part->length = length;
		if (count > 0 && !allocate(part, problem->layout.vertexCount, withSolutions, problem->heap))
		{
			plCommonPart_Destroy(part, problem->heap);
			return false;
		}
	}
	for (size_t i = 0; i < count; ++i)
	{
		double* v = part->v + i * length;
		part->w[i] = problem->matrix->getCommon(problem, q, i, part->full);
		for (size_t k = 0; k < part->fullCount; ++k)
			if (place == NULL)
				v[k] = part->full[k];
			else if (place[k] != UINT32_MAX)
				v[place[k]] = part->full[k];
	}
	return true;
}

// By vectors 0 .. count-1
static void correct(const plCommonPart* part, size_t count, double* x)
{
	size_t n = part->length;
	for (size_t i = 0; i < count; ++i)
	{
		const double *v = part->v + i * n, *z = part->z + i * n;
		double along = part->w[i] * dot(v, z, n);
		subtract(x, part->w[i] * dot(v, x, n) / (1.0 + along), z, n);
	}
}

void plCommonPart_TakeSolution(plCommonPart* part, size_t i)
{
	correct(part, i, part->z + i * part->length);
}

void plCommonPart_Correct(const plCommonPart* part, double* x)
{
	correct(part, part->count, x);
}

void plCommonPart_AddProduct(const plCommonPart* part, const double* in, double* out)
{
	for (size_t i = 0; i < part->count; ++i)
	{
		const double* v = part->v + i * part->length;
		subtract(out, -part->w[i] * dot(v, in, part->length), v, part->length);
	}
}
