// cloth.c: bodies of triangles: from a mesh and a def to a sheet with matter, charts, hinges and masses
//
//   m_i = sum over the triangles at vertex i of  rho A / 3      rho density (kg/m^2), A area in matter
//
// A is that of the chart before a region scales it: what is taken in weighs what it did.
#include "world.h"

#include <math.h>
#include <stdio.h>

plClothDef plDefaultClothDef(void)
{
	return (plClothDef){.transform = plTransform_identity,
	                    .density = 0.2,
	                    .thickness = 0.0005,
	                    .membrane = plDefaultMembraneDef(),
	                    .bending = plDefaultBendingDef(),
	                    .chart = pl_chartRest,
	                    .uvScale = 1.0,
	                    .cookie = PL_COOKIE(plClothDef)};
}

// ---- checks ---------------------------------------------------------------------------------------------------------

static bool isFinite(plVec3 v)
{
	return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static bool isPositive(double x)
{
	return x > 0.0 && isfinite(x);
}

static bool isAmount(double x)
{
	return x >= 0.0 && isfinite(x);
}

// What a part has against its def, with the place of the part before the field.
static plResult blame(plError* error, const plError* inner, const char* what, const char* field)
{
	return plFailAt(error, field, "%s: %s", what, inner->message);
}

static plResult checkRegion(const plClothDef* def, const plMeshView* mesh, size_t r, plError* error)
{
	const plClothRegionDef* region = def->regions + r;
	const plMembraneDef* membrane = region->membrane != NULL ? region->membrane : &def->membrane;
	plError inner = {0};
	char what[48];
	snprintf(what, sizeof what, "region %zu", r);
	if (region->triangleCount > 0 && region->triangles == NULL)
		return plFailAt(error, "regions", "%s: %zu triangles are promised, the array is NULL", what,
		                region->triangleCount);
	for (size_t i = 0; i < region->triangleCount; ++i)
		if (region->triangles[i] >= mesh->triangleCount)
			return plFailAt(error, "regions", "%s: triangle %u does not exist, the mesh has %zu", what,
			                region->triangles[i], mesh->triangleCount);
	if (!isAmount(region->density))
		return plFailAt(error, "regions", "%s: density is %g kg/m^2, it must be above 0", what, region->density);
	for (int k = 0; k < 2; ++k)
		if (!isAmount(region->scale[k]))
			return plFailAt(error, "regions", "%s: scale is %g, it must be above 0", what, region->scale[k]);
	if (plMembraneDef_Check(membrane, &inner) < 0)
		return blame(error, &inner, what, "regions");
	if (region->bending == NULL)
		return pl_success;
	if (plBendingDef_Check(region->bending, membrane, &inner) < 0)
		return blame(error, &inner, what, "regions");
	if (region->bending->restAngles != NULL)
		return plFailAt(error, "regions", "%s: rest angles are those of the whole cloth; give them to its bending",
		                what);
	if (region->bending->model != def->bending.model)
		return plFailAt(error, "regions", "%s: its bending is %s, that of the cloth is %s; they must agree", what,
		                plBendingModel_GetName(region->bending->model), plBendingModel_GetName(def->bending.model));
	return pl_success;
}

plResult plClothDamping_Check(const plClothDamping* damping, plError* error)
{
	const struct
	{
		const char *field, *unit;
		double value;
	} rows[] = {{"damping.air", "1/s", damping->air},
	            {"damping.viscous", "Pa s", damping->viscous},
	            {"damping.bending", "s", damping->bending}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
		if (!isAmount(rows[i].value))
			return plFailAt(error, rows[i].field, "cloth: %s is %g %s, it cannot be below 0", rows[i].field,
			                rows[i].value, rows[i].unit);
	return pl_success;
}

static plResult checkNumbers(const plClothDef* def, plError* error)
{
	if (!isPositive(def->density))
		return plFailAt(error, "density", "cloth: density is %g kg/m^2, it must be above 0", def->density);
	if (!isPositive(def->thickness))
		return plFailAt(error, "thickness", "cloth: thickness is %g m, it must be above 0", def->thickness);
	if (def->chart != pl_chartRest && def->chart != pl_chartUv)
		return plFailAt(error, "chart", "cloth: there is no chart %d", (int)def->chart);
	if (!isPositive(def->uvScale))
		return plFailAt(error, "uvScale", "cloth: the scale of texture coordinates is %g m, it must be above 0",
		                def->uvScale);
	if (!isFinite(def->warp))
		return plFailAt(error, "warp", "cloth: warp is not finite");
	if (!isFinite(def->velocity))
		return plFailAt(error, "velocity", "cloth: velocity is not finite");
	return plClothDamping_Check(&def->damping, error);
}

plResult plClothDef_Check(const plClothDef* def, plError* error)
{
	PL_ASSERT(def->cookie == PL_COOKIE(plClothDef), "a plClothDef starts as plDefaultClothDef()");
	if (def->mesh == NULL)
		return plFailAt(error, "mesh", "cloth: there is no mesh; a cloth needs one");
	plMeshView mesh = plMesh_GetView(def->mesh);
	if (mesh.tetCount > 0)
		return plFailAt(error, "mesh", "cloth: the mesh has %zu tetrahedra; a cloth is a surface of triangles alone",
		                mesh.tetCount);
	plError inner = {0};
	plResult result = checkNumbers(def, error);
	if (result < 0)
		return result;
	if (plMembraneDef_Check(&def->membrane, &inner) < 0)
		return blame(error, &inner, "membrane", "membrane");
	if (plBendingDef_Check(&def->bending, &def->membrane, &inner) < 0)
		return blame(error, &inner, "bending", "bending");
	if (def->regionCount > 0 && def->regions == NULL)
		return plFailAt(error, "regions", "cloth: %zu regions are promised, the array is NULL", def->regionCount);
	for (size_t r = 0; r < def->regionCount && result == pl_success; ++r)
		result = checkRegion(def, &mesh, r, error);
	return result < 0 ? result : plSoftBody_CheckTransform(&def->transform, error);
}

// ---- making ---------------------------------------------------------------------------------------------------------

void plCloth_Destroy(plCloth* cloth, plHeap* heap)
{
	if (cloth == NULL)
		return;
	PL_FREE(heap, cloth->triangles, 3 * cloth->triangleCount);
	PL_FREE(heap, cloth->charts, 6 * cloth->triangleCount);
	PL_FREE(heap, cloth->matter, cloth->matter != NULL ? cloth->triangleCount : 0);
	PL_FREE(heap, cloth->asked, cloth->matterCount);
	PL_FREE(heap, cloth->membranes, cloth->matterCount);
	PL_FREE(heap, cloth->bendings, cloth->matterCount);
	plBendList_Destroy(&cloth->bends, heap);
	PL_FREE(heap, cloth->edges, 2 * cloth->edgeCount);
	PL_FREE(heap, cloth->edgeTriangles, 2 * cloth->edgeCount);
	PL_FREE(heap, cloth->edgeLengths, cloth->edgeCount);
	PL_FREE(heap, cloth->edgeSprings, cloth->edgeSprings != NULL ? cloth->edgeCount : 0);
	PL_FREE(heap, cloth->triangleOf, cloth->triangleOfCount);
	PL_FREE(heap, cloth, 1);
}

static plCloth* allocateCloth(plMeshView mesh, size_t matterCount, plHeap* heap)
{
	plCloth* cloth = PL_NEW_ZERO(heap, plCloth, 1);
	if (cloth == NULL)
		return NULL;
	cloth->triangleCount = mesh.triangleCount;
	cloth->matterCount = matterCount;
	cloth->triangles = PL_NEW(heap, uint32_t, 3 * mesh.triangleCount);
	cloth->charts = PL_NEW(heap, double, 6 * mesh.triangleCount);
	cloth->matter = matterCount > 1 ? PL_NEW_ZERO(heap, uint32_t, mesh.triangleCount) : NULL;
	cloth->asked = PL_NEW_ZERO(heap, plClothMatter, matterCount);
	cloth->membranes = PL_NEW_ZERO(heap, plMembrane, matterCount);
	cloth->bendings = PL_NEW_ZERO(heap, plBending, matterCount);
	bool isWhole = cloth->triangles && cloth->charts && (cloth->matter || matterCount == 1);
	if (isWhole && cloth->asked && cloth->membranes && cloth->bendings)
		return cloth;
	plCloth_Destroy(cloth, heap);
	return NULL;
}

static void scaleCharts(plCloth* cloth, const plClothDef* def)
{
	for (size_t t = 0; t < cloth->triangleCount; ++t)
	{
		uint32_t m = plCloth_GetMatter(cloth, t);
		for (size_t i = 0; m > 0 && i < 6; ++i)
		{
			double scale = def->regions[m - 1].scale[i % 2];
			cloth->charts[6 * t + i] *= scale > 0.0 ? scale : 1.0;
		}
	}
}

// Of the side between two vertices of a triangle in its chart
static double sideLength(const plCloth* cloth, size_t triangle, const uint32_t ends[2])
{
	const uint32_t* c = cloth->triangles + 3 * triangle;
	const double* at[2] = {NULL, NULL};
	for (size_t k = 0; k < 3; ++k)
		for (size_t i = 0; i < 2; ++i)
			at[i] = c[k] == ends[i] ? cloth->charts + 6 * triangle + 2 * k : at[i];
	double x = at[1][0] - at[0][0], y = at[1][1] - at[0][1];
	return sqrt(x * x + y * y);
}

static bool takeEdges(plCloth* cloth, const plSheet* sheet, plHeap* heap)
{
	cloth->edgeCount = sheet->counts.edges;
	cloth->edges = PL_NEW(heap, uint32_t, 2 * sheet->counts.edges);
	cloth->edgeTriangles = PL_NEW(heap, uint32_t, 2 * sheet->counts.edges);
	cloth->edgeLengths = PL_NEW(heap, double, sheet->counts.edges);
	if (!cloth->edges || !cloth->edgeTriangles || !cloth->edgeLengths)
		return false;
	for (size_t e = 0; e < sheet->counts.edges; ++e)
	{
		const plSheetEdge* edge = sheet->edges + e;
		bool isBorder = edge->triangles[1] == PL_NONE;
		double first = sideLength(cloth, edge->triangles[0], edge->ends);
		double second = isBorder ? first : sideLength(cloth, edge->triangles[1], edge->ends);
		memcpy(cloth->edges + 2 * e, edge->ends, sizeof edge->ends);
		cloth->edgeTriangles[2 * e] = edge->triangles[0];
		cloth->edgeTriangles[2 * e + 1] = plSheetEdge_IsHinge(edge) ? edge->triangles[1] : PL_NONE;
		cloth->edgeLengths[e] = 0.5 * (first + second);
	}
	return plCloth_FindSprings(cloth, cloth->membranes, &cloth->edgeSprings, heap);
}

static plResult lackMemory(const plClothDef* def, plError* error)
{
	return plFail(error, pl_errorMemory, "not enough memory for a cloth of %zu triangles",
	              plMesh_GetView(def->mesh).triangleCount);
}

static plResult takeBends(plSoftBody* body, const plClothDef* def, plHeap* heap, plError* error)
{
	plCloth* cloth = body->cloth;
	const plBendingDef* bending = &def->bending;
	if (plBendList_Create(&cloth->bends, bending->model, cloth->triangles, cloth->charts, cloth->triangleCount,
	                      body->rest, body->vertexCount, heap) != pl_success)
		return lackMemory(def, error);
	if (bending->restAngles == NULL)
		return pl_success;
	plResult result = plCloth_CheckAngles(cloth, bending, error);
	if (result == pl_success)
		memcpy(cloth->bends.angles, bending->restAngles, cloth->bends.count * sizeof(double));
	return result;
}

// Edges and hinges of a sheet that is fit to be one
static plResult joinTriangles(plSoftBody* body, const plClothDef* def, plHeap* heap, plError* error)
{
	plCloth* cloth = body->cloth;
	plSheet sheet;
	plResult result = plCheckTriangleCorners(cloth->triangles, cloth->triangleCount, error);
	if (result < 0)
		return result;
	if (plSheet_Create(&sheet, cloth->triangles, cloth->triangleCount, body->vertexCount, heap) != pl_success)
		return lackMemory(def, error);
	result = plSheet_Check(&sheet, body->rest, body->vertexCount, cloth->triangles, cloth->triangleCount, heap, error);
	if (result == pl_success)
		result = plClothDef_MakeCharts(def, cloth->charts, error);
	if (result == pl_success)
	{
		scaleCharts(cloth, def);
		result = takeEdges(cloth, &sheet, heap) ? pl_success : lackMemory(def, error);
	}
	plSheet_Destroy(&sheet, heap);
	return result < 0 ? result : takeBends(body, def, heap, error);
}

static plResult makeCloth(plSoftBody* body, const plClothDef* def, plHeap* heap, plError* error)
{
	plMeshView mesh = plMesh_GetView(def->mesh);
	*body = (plSoftBody){.vertexCount = mesh.vertexCount};
	body->cloth = allocateCloth(mesh, def->regionCount + 1, heap);
	body->internalOf = PL_NEW(heap, uint32_t, mesh.vertexCount);
	body->rest = PL_NEW(heap, double, 3 * mesh.vertexCount);
	if (body->cloth == NULL || body->internalOf == NULL || body->rest == NULL)
		return lackMemory(def, error);
	for (size_t i = 0; i < mesh.vertexCount; ++i)
		plTransform_Apply(&def->transform, mesh.vertices + 3 * i, body->rest + 3 * i);
	memcpy(body->cloth->triangles, mesh.triangles, 3 * mesh.triangleCount * sizeof(uint32_t));
	body->cloth->thickness = def->thickness;
	body->damping = (plDamping){.air = def->damping.air, .viscous = def->damping.viscous};
	body->extent = plSoftBody_GetExtent(body);
	plResult result = plCloth_TakeMatter(body->cloth, def, error);
	if (result == pl_success)
		result = joinTriangles(body, def, heap, error);
	if (result == pl_success && !plSoftBody_OrderVertices(body, heap))
		return lackMemory(def, error);
	return result;
}

static void lumpMass(const plSoftBody* body, const plClothDef* def, double* mass)
{
	const plCloth* cloth = body->cloth;
	for (size_t t = 0; t < cloth->triangleCount; ++t)
	{
		uint32_t m = plCloth_GetMatter(cloth, t);
		const plClothRegionDef* region = m > 0 ? def->regions + m - 1 : NULL;
		double density = region && region->density > 0.0 ? region->density : def->density;
		double area = 0.5 * plChart_GetDouble(cloth->charts + 6 * t);
		for (int k = 0; region && k < 2; ++k)
			area /= region->scale[k] > 0.0 ? region->scale[k] : 1.0;
		for (size_t c = 0; c < 3; ++c)
			mass[body->internalOf[cloth->triangles[3 * t + c]]] += density * area / 3.0;
	}
}

plBodyId plCreateCloth(plWorld* world, const plClothDef* def, plError* error)
{
	plHeap* heap = &world->heap;
	plBodyId id = {0, 0};
	if (plClothDef_Check(def, error) < 0)
		return id;
	plSoftBody body;
	if (makeCloth(&body, def, heap, error) == pl_success)
	{
		double* mass = PL_NEW_ZERO(heap, double, body.vertexCount);
		if (mass != NULL)
		{
			lumpMass(&body, def, mass);
			id = plWorld_AddSoftBody(world, &body, def->velocity, mass);
		}
		PL_FREE(heap, mass, body.vertexCount);
		if (id.index1 == 0)
			lackMemory(def, error);
	}
	if (id.index1 == 0)
		plSoftBody_Free(&body, heap);
	return id;
}
