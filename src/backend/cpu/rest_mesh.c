// rest_mesh.c: the mesh that levels are built from
//
// Elements that are matter are simplices of it: tets, and kinds with three corners. Kinds that bend a sheet reach over
// its edges and are left out. Energies that join two vertices, as springs do, are edges.
#include "problem.h"

static bool isMatter(const plCpuProblem* p, size_t kind)
{
	return kind == pl_kindTet || p->elements->kinds[kind]->kind->cornerCount == 3;
}

// With `list` the simplices are written. Returns their number.
static size_t listSimplices(const plCpuProblem* p, uint32_t* list)
{
	size_t count = 0;
	for (size_t k = 0; k < pl_kindCount; ++k)
	{
		const plBatches* batches = p->elements->kinds[k];
		for (size_t slot = 0; isMatter(p, k) && slot < pl_batchSize * batches->batchCount; ++slot)
		{
			if (plBatches_IsFilling(batches, slot))
				continue;
			if (list != NULL)
				plBatches_GetCorners(batches, slot, batches->kind->cornerCount, list + pl_simplexCorners * count);
			++count;
		}
	}
	for (size_t t = 0; t < p->terms->count; ++t)
	{
		const plEnergy* energy = p->terms->energies[t];
		for (size_t e = 0; energy->verbs->cornerCount == 2 && e < energy->elementCount; ++e, ++count)
			if (list != NULL)
				memcpy(list + pl_simplexCorners * count, energy->vertices + 2 * e, 2 * sizeof *list);
	}
	return count;
}

bool plCpuProblem_Mesh(plProblem* base, plRestMesh* out)
{
	const plCpuProblem* p = (const plCpuProblem*)base;
	size_t n = base->layout.vertexCount, count = listSimplices(p, NULL);
	if (!plRestMesh_Allocate(out, n, count, base->heap))
		return false;
	if (n > 0)
		memcpy(out->rest, p->elements->rest, 3 * n * sizeof *out->rest);
	if (count > 0)
	{
		memset(out->simplices, 0xff, pl_simplexCorners * count * sizeof *out->simplices);
		listSimplices(p, out->simplices);
	}
	return true;
}
