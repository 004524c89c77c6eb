// check.c: what is wrong with a mesh
//
//   V = det[b-a, c-a, d-a] / 6      L = longest of the six edges
//
//   degenerate  |V| <= 1e-9 L^3     inverted  V < 0 and not degenerate
//
// The test is relative: it does not change when a mesh is scaled, or when a shell gets thinner and its elements finer.
// A plate 5 um thick with elements 1 m wide has |V| / L^3 of about 1e-6. An edge difference is rounded once. So V has
// an error of a few 1e-16 L^3 wherever the mesh lies, and if V is not degenerate its sign is certain. Edges are divided
// by the largest component m before multiplying, so V neither overflows nor vanishes for meshes of 1e-100 or 1e+100. A
// volume that a double cannot hold is degenerate.
#include "check.h"
#include "match.h"

#include <math.h>
#include <stdio.h>

// What is known about a tet, in bits.
enum
{
	tetUnusable = 1, // a corner is out of range or not finite: not measured
	tetRepeats = 2,  // a corner occurs twice
	tetDegenerate = 4,
	tetInverted = 8,
};

typedef struct Examination
{
	const plMeshDef* def;
	plMeshDefectFcn* report;
	void* context;
	uint8_t* states; // tetCount: bits above
	uint8_t* skip;   // tetCount: not matched
	uint8_t* masks;  // tetCount: see match.h
	uint32_t* twins; // tetCount
	uint8_t* used;   // vertexCount
	size_t errors;
} Examination;

bool plDefect_IsWarning(plMeshDefect kind)
{
	return kind == pl_defectUnreferenced || kind == pl_defectNonManifold;
}

bool plDefect_IsMended(plMeshDefect kind, plRepair repair)
{
	if (repair == pl_repairDrop)
		return kind == pl_defectDegenerate || kind == pl_defectInverted || kind == pl_defectDuplicate;
	return repair == pl_repairFlip && kind == pl_defectInverted;
}

static void tell(Examination* e, plMeshDefect kind, size_t index, const char* reason)
{
	if (!plDefect_IsWarning(kind) && !plDefect_IsMended(kind, e->def->repair))
		e->errors++;
	if (e->report != NULL)
		e->report(kind, index, reason, e->context);
}

double plMeasureTet(const double* vertices, const uint32_t* tet, double* longest)
{
	const double* corner[4];
	for (int i = 0; i < 4; i++)
		corner[i] = vertices + 3 * (size_t)tet[i];

	double e[3][3];
	double m = 0.0;
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 3; k++)
		{
			e[i][k] = corner[i + 1][k] - corner[0][k];
			m = fmax(m, fabs(e[i][k]));
		}
	if (m == 0.0 || !isfinite(m))
	{
		*longest = m;
		return 0.0;
	}
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 3; k++)
			e[i][k] /= m;

	double square = 0.0;
	for (int i = 0; i < 3; i++)
	{
		const double *p = e[i], *q = e[(i + 1) % 3];
		double d[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
		square = fmax(square, p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
		square = fmax(square, d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
	}
	double cross[3] = {e[1][1] * e[2][2] - e[1][2] * e[2][1], e[1][2] * e[2][0] - e[1][0] * e[2][2],
	                   e[1][0] * e[2][1] - e[1][1] * e[2][0]};
	double det = e[0][0] * cross[0] + e[0][1] * cross[1] + e[0][2] * cross[2];
	*longest = sqrt(square) * m;
	return det / 6.0 * m * m * m;
}

// Bits of tet t; measures it if its corners exist and are finite.
static uint8_t classify(const plMeshDef* def, size_t t)
{
	const uint32_t* tet = def->tets + 4 * t;
	for (int i = 0; i < 4; i++)
	{
		if (tet[i] >= def->vertexCount)
			return tetUnusable;
		const double* x = def->vertices + 3 * (size_t)tet[i];
		if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]))
			return tetUnusable;
	}
	if (tet[0] == tet[1] || tet[0] == tet[2] || tet[0] == tet[3] || tet[1] == tet[2] || tet[1] == tet[3] ||
	    tet[2] == tet[3])
		return tetRepeats | tetDegenerate;

	double longest;
	double volume = plMeasureTet(def->vertices, tet, &longest);
	// V / L^3 with L^3 kept out of the way of overflow; a volume of 0 or inf ends here too
	if (!isnormal(volume) || !(fabs(volume) / longest / longest / longest > PL_DEGENERATE))
		return tetDegenerate;
	return volume < 0.0 ? tetInverted : 0;
}

static void checkVertices(Examination* e)
{
	static const char axis[3] = {'x', 'y', 'z'};
	for (size_t v = 0; v < e->def->vertexCount; v++)
		for (int k = 0; k < 3; k++)
			if (!isfinite(e->def->vertices[3 * v + (size_t)k]))
			{
				char reason[64];
				snprintf(reason, sizeof reason, "%c is %g", axis[k], e->def->vertices[3 * v + (size_t)k]);
				tell(e, pl_defectNotFinite, v, reason);
				break;
			}
}

static void checkRange(Examination* e, const uint32_t* elements, size_t count, size_t corners, size_t firstIndex)
{
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < corners; k++)
			if (elements[corners * i + k] >= e->def->vertexCount)
			{
				char reason[96];
				snprintf(reason, sizeof reason, "names vertex %u, the last one is %lld", elements[corners * i + k],
				         (long long)e->def->vertexCount - 1);
				tell(e, pl_defectOutOfRange, firstIndex + i, reason);
				break;
			}
}

static void checkVolumes(Examination* e)
{
	char reason[160];
	double longest;
	for (size_t t = 0; t < e->def->tetCount; t++)
		if (e->states[t] & tetRepeats)
			tell(e, pl_defectDegenerate, t, "degenerate, two of its corners are the same vertex");
		else if (e->states[t] & tetDegenerate)
		{
			double volume = plMeasureTet(e->def->vertices, e->def->tets + 4 * t, &longest);
			snprintf(reason, sizeof reason, "degenerate, volume %.3g with a longest edge of %.3g", volume, longest);
			tell(e, pl_defectDegenerate, t, reason);
		}
	for (size_t t = 0; t < e->def->tetCount; t++)
		if (e->states[t] & tetInverted)
		{
			double volume = plMeasureTet(e->def->vertices, e->def->tets + 4 * t, &longest);
			snprintf(reason, sizeof reason, "inverted, volume %.3g", volume);
			tell(e, pl_defectInverted, t, reason);
		}
}

static void checkMatches(Examination* e)
{
	char reason[96];
	const plMeshDef* def = e->def;
	for (size_t t = 0; t < def->tetCount; t++)
		if (e->twins[t] != PL_NO_TWIN)
		{
			snprintf(reason, sizeof reason, "duplicate, same corners as tet %u", e->twins[t]);
			tell(e, pl_defectDuplicate, t, reason);
		}

	// With tets, triangles give a vertex neither mass nor force.
	const uint32_t* elements = def->tetCount > 0 ? def->tets : def->triangles;
	size_t indexCount = def->tetCount > 0 ? 4 * def->tetCount : 3 * def->triangleCount;
	for (size_t i = 0; i < indexCount; i++)
		if (elements[i] < def->vertexCount)
			e->used[elements[i]] = 1;
	snprintf(reason, sizeof reason, "belongs to no %s", def->tetCount > 0 ? "tet" : "triangle");
	for (size_t v = 0; v < def->vertexCount; v++)
		if (!e->used[v])
			tell(e, pl_defectUnreferenced, v, reason);

	for (size_t t = 0; t < def->tetCount; t++)
	{
		unsigned crowded = (e->masks[t] & PL_FACES_CROWDED) >> 4;
		if (crowded == 0)
			continue;
		const uint32_t* tet = def->tets + 4 * t;
		const uint8_t* face = plTetFaces[__builtin_ctz(crowded)];
		snprintf(reason, sizeof reason, "its face %u %u %u belongs to three or more tets", tet[face[0]], tet[face[1]],
		         tet[face[2]]);
		tell(e, pl_defectNonManifold, t, reason);
	}
}

static uint8_t decideFate(const Examination* e, size_t t)
{
	if (e->states[t] == 0 && e->twins[t] == PL_NO_TWIN)
		return pl_fateKeep;
	if (e->states[t] & tetUnusable)
		return pl_fateRefuse;
	if (e->def->repair == pl_repairDrop)
		return pl_fateDrop;
	bool flips = e->def->repair == pl_repairFlip && e->states[t] == tetInverted && e->twins[t] == PL_NO_TWIN;
	return flips ? pl_fateFlip : pl_fateRefuse;
}

plResult plCheckMeshCounts(const plMeshDef* def, plError* error)
{
	const struct
	{
		const char* what;
		size_t count, size;
		const void* data;
	} arrays[] = {
	    {"vertices", def->vertexCount, 3 * sizeof(double), def->vertices},
	    {"tets", def->tetCount, 4 * sizeof(uint32_t), def->tets},
	    {"triangles", def->triangleCount, 3 * sizeof(uint32_t), def->triangles},
	    {"groups", def->groupCount, sizeof(plMeshGroup), def->groups},
	};
	for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
	{
		if (arrays[i].count > UINT32_MAX || arrays[i].count > SIZE_MAX / arrays[i].size)
			return plFail(error, pl_errorInput, "mesh: %zu %s, more than 32-bit indices can name", arrays[i].count,
			              arrays[i].what);
		if (arrays[i].count > 0 && arrays[i].data == NULL)
			return plFail(error, pl_errorInput, "mesh: %zu %s are promised, the array is NULL", arrays[i].count,
			              arrays[i].what);
	}
	return pl_success;
}

size_t plExamineMesh(const plMeshDef* def, plMeshDefectFcn* report, void* context, uint8_t* fates, plHeap* heap)
{
	size_t n = def->tetCount;
	Examination e = {.def = def, .report = report, .context = context};
	size_t errors = SIZE_MAX;
	e.states = PL_NEW(heap, uint8_t, n);
	e.skip = PL_NEW(heap, uint8_t, n);
	e.masks = PL_NEW(heap, uint8_t, n);
	e.twins = PL_NEW(heap, uint32_t, n);
	e.used = PL_NEW_ZERO(heap, uint8_t, def->vertexCount);
	if (n > 0 && (e.states == NULL || e.skip == NULL || e.masks == NULL || e.twins == NULL))
		goto done;
	if (def->vertexCount > 0 && e.used == NULL)
		goto done;

	// What repair drops takes no part in matching: its twin stays.
	uint8_t unmatched = tetUnusable | tetRepeats;
	if (def->repair == pl_repairDrop)
		unmatched |= tetDegenerate | tetInverted;
	for (size_t t = 0; t < n; t++)
	{
		e.states[t] = classify(def, t);
		e.skip[t] = e.states[t] & unmatched;
	}
	if (plMatchFaces(def->tets, n, def->vertexCount, e.skip, e.masks, e.twins, heap) != pl_success)
		goto done;

	checkVertices(&e);
	checkRange(&e, def->tets, n, 4, 0);
	checkRange(&e, def->triangles, def->triangleCount, 3, n);
	checkVolumes(&e);
	checkMatches(&e);
	for (size_t t = 0; t < n && fates != NULL; t++)
		fates[t] = decideFate(&e, t);
	errors = e.errors;

done:
	PL_FREE(heap, e.used, def->vertexCount);
	PL_FREE(heap, e.twins, n);
	PL_FREE(heap, e.masks, n);
	PL_FREE(heap, e.skip, n);
	PL_FREE(heap, e.states, n);
	return errors;
}

size_t plCheckMesh(const plMeshDef* def, plMeshDefectFcn* report, void* context)
{
	PL_ASSERT(def != NULL && def->cookie == PL_COOKIE(plMeshDef), "a mesh def starts with plDefaultMeshDef");
	plError error;
	if (plCheckMeshCounts(def, &error) != pl_success)
	{
		if (report != NULL)
			report(pl_defectOutOfRange, 0, error.message, context);
		return 1;
	}
	plHeap heap;
	plHeap_Init(&heap, def->allocator);
	return plExamineMesh(def, report, context, NULL, &heap);
}
