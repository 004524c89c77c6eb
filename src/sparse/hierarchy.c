// hierarchy.c: level by level until few vertices are left, or no fewer can be had
//
// Vertices that meet no other stay on every level and cost nothing there: they are not counted.
#include "hierarchy.h"
#include "level_mesh.h"

static const double leastRatio = 1.5; // below that a level costs more than it is worth

static size_t countLoners(const plLevelMesh* mesh)
{
	size_t count = 0;
	for (size_t p = 0; p < mesh->partCount; ++p)
		count += mesh->size[p] == 1;
	return count;
}

// The next step from `mesh`, which becomes the coarser one. *made: false if there is none worth making. False: no
// memory
static bool addStep(plHierarchy* hierarchy, plArray* steps, plLevelMesh* mesh, const plHierarchyRules* rules,
                    bool* made, plHeap* heap)
{
	plClusters clusters = {0};
	plLevelMesh coarse = {0};
	*made = false;
	if (!plClusters_Create(&clusters, mesh, rules->ratio, heap))
		return false;
	bool fine = true;
	size_t loners = countLoners(mesh);
	if ((double)(mesh->count - loners) >= leastRatio * (double)(clusters.count - loners))
	{
		plInterpolation step = {0};
		fine = plLevelMesh_CreateCoarse(&coarse, mesh, &clusters, heap) &&
		       plInterpolation_Create(&step, mesh, &coarse, &clusters, heap);
		plInterpolation* added = fine ? plArray_Push(steps, heap, sizeof step) : NULL;
		fine = added != NULL;
		if (fine)
		{
			*added = step;
			hierarchy->stepCount = steps->count;
			plLevelMesh_Destroy(mesh, heap);
			*mesh = coarse;
			*made = true;
		}
		else
		{
			plInterpolation_Destroy(&step, heap);
			plLevelMesh_Destroy(&coarse, heap);
		}
	}
	plClusters_Destroy(&clusters, heap);
	return fine;
}

plResult plHierarchy_Create(plHierarchy* hierarchy, const plRestMesh* rest, const plHierarchyRules* rules, plHeap* heap)
{
	plLevelMesh mesh;
	plArray steps = {0};
	*hierarchy = (plHierarchy){0};
	plResult result = plLevelMesh_Create(&mesh, rest, heap);
	if (result != pl_success)
		return result;
	bool fine = true;
	for (bool made = true; fine && made && mesh.count - countLoners(&mesh) > rules->coarsest;)
		fine = addStep(hierarchy, &steps, &mesh, rules, &made, heap);
	plLevelMesh_Destroy(&mesh, heap);

	// An array of its own size, so that only its count has to be remembered
	hierarchy->steps = fine ? PL_NEW(heap, plInterpolation, steps.count) : NULL;
	fine = fine && (hierarchy->steps != NULL || steps.count == 0);
	for (size_t k = 0; k < steps.count; ++k)
	{
		plInterpolation* step = (plInterpolation*)steps.data + k;
		if (fine)
			hierarchy->steps[k] = *step;
		else
			plInterpolation_Destroy(step, heap);
	}
	plArray_Free(&steps, heap, sizeof(plInterpolation));
	if (!fine)
		*hierarchy = (plHierarchy){0};
	return fine ? pl_success : pl_errorMemory;
}

void plHierarchy_Destroy(plHierarchy* hierarchy, plHeap* heap)
{
	for (size_t k = 0; k < hierarchy->stepCount; ++k)
		plInterpolation_Destroy(hierarchy->steps + k, heap);
	PL_FREE(heap, hierarchy->steps, hierarchy->stepCount);
	*hierarchy = (plHierarchy){0};
}
