// cloth_chart.c: coordinates of matter of the triangles of a cloth
//
//   rest   x = t e,  y = (n x t) e        e = X - X0 in the rest shape, n normal, t the warp in the plane of the
//   triangle uv     (u, v) s                        s uvScale; mirrored where the triangle is mirrored in the texture
//
// The warp t is `warp` projected into the triangle. Without one it is the way along which u grows and v stays,
// t ~ e1 v2 - e2 v1, or the x axis of a mesh without texture coordinates. A triangle that stands across the warp has
// none: it takes its first side.
#include "cloth.h"
#include "../base/vec3.h"

// Below this sine of the angle between the warp and the normal there is no warp in the triangle.
#define LEAST_SINE 1e-3

// Texture coordinates in other units than metres have areas far from those of the triangles.
#define LEAST_RATIO 0.2
#define MOST_RATIO 5.0

static void edgesOf(const plMeshView* mesh, double scale, size_t triangle, double e[2][3])
{
	const uint32_t* c = mesh->triangles + 3 * triangle;
	for (int k = 0; k < 2; ++k)
	{
		plSubtract3(mesh->vertices + 3 * (size_t)c[k + 1], mesh->vertices + 3 * (size_t)c[0], e[k]);
		for (int i = 0; i < 3; ++i)
			e[k][i] *= scale;
	}
}

static void findWarp(const plClothDef* def, const plMeshView* mesh, size_t triangle, double e[2][3], double warp[3])
{
	bool given = def->warp.x != 0.0 || def->warp.y != 0.0 || def->warp.z != 0.0;
	warp[0] = given ? def->warp.x : 1.0;
	warp[1] = given ? def->warp.y : 0.0;
	warp[2] = given ? def->warp.z : 0.0;
	if (given || mesh->uvs == NULL)
		return;
	const double* uv = mesh->uvs + 6 * triangle;
	double du1 = uv[2] - uv[0], dv1 = uv[3] - uv[1], du2 = uv[4] - uv[0], dv2 = uv[5] - uv[1];
	double sign = du1 * dv2 - du2 * dv1 < 0.0 ? -1.0 : 1.0;
	for (int i = 0; i < 3; ++i)
		warp[i] = sign * (e[0][i] * dv2 - e[1][i] * dv1);
}

static void chartOfRest(const plClothDef* def, const plMeshView* mesh, size_t triangle, double chart[6])
{
	double e[2][3], n[3], t[3], b[3];
	edgesOf(mesh, def->transform.scale, triangle, e);
	plCross3(e[0], e[1], n);
	double area = plLength3(n);
	for (int i = 0; i < 3; ++i)
		n[i] /= area;
	findWarp(def, mesh, triangle, e, t);
	double size = plLength3(t);
	plAdd3(t, -plDot3(n, t), n);
	if (!(plLength3(t) > LEAST_SINE * size))
		memcpy(t, e[0], sizeof e[0]);
	double length = plLength3(t);
	for (int i = 0; i < 3; ++i)
		t[i] /= length;
	plCross3(n, t, b);
	chart[0] = chart[1] = 0.0;
	for (int k = 0; k < 2; ++k)
	{
		chart[2 + 2 * k] = plDot3(e[k], t);
		chart[3 + 2 * k] = plDot3(e[k], b);
	}
}

// The scale that makes the whole texture as large as the whole sheet
static double findScale(const plClothDef* def, const plMeshView* mesh)
{
	double texture = 0.0, sheet = 0.0;
	for (size_t t = 0; t < mesh->triangleCount; ++t)
	{
		double e[2][3], n[3];
		edgesOf(mesh, def->transform.scale, t, e);
		plCross3(e[0], e[1], n);
		sheet += plLength3(n);
		texture += fabs(plChart_GetDouble(mesh->uvs + 6 * t));
	}
	return sqrt(sheet / texture);
}

static plResult chartOfUv(const plClothDef* def, const plMeshView* mesh, size_t triangle, double chart[6],
                          plError* error)
{
	const double* uv = mesh->uvs + 6 * triangle;
	double e[2][3], n[3], side = plChart_GetDouble(uv) < 0.0 ? -1.0 : 1.0;
	edgesOf(mesh, def->transform.scale, triangle, e);
	plCross3(e[0], e[1], n);
	for (int k = 0; k < 3; ++k)
	{
		chart[2 * k] = def->uvScale * (uv[2 * k] - uv[0]);
		chart[2 * k + 1] = side * def->uvScale * (uv[2 * k + 1] - uv[1]);
	}
	double ratio = plChart_GetDouble(chart) / plLength3(n);
	if (ratio >= LEAST_RATIO && ratio <= MOST_RATIO)
		return pl_success;
	return plFailAt(
	    error, "uvScale",
	    "cloth: triangle %zu has %.3g times the area in its texture that it has in space, must be %g to %g; "
	    "uv_scale is %.6g, and %.6g would make the two as large over the whole sheet",
	    triangle, ratio, LEAST_RATIO, MOST_RATIO, def->uvScale, findScale(def, mesh));
}

plResult plClothDef_MakeCharts(const plClothDef* def, double* charts, plError* error)
{
	plMeshView mesh = plMesh_GetView(def->mesh);
	plResult result = pl_success;
	if (def->chart == pl_chartUv && mesh.uvs == NULL)
		return plFailAt(error, "chart",
		                "cloth: the mesh has no texture coordinates to take a chart from, or not of all triangles");
	for (size_t t = 0; t < mesh.triangleCount && result == pl_success; ++t)
		if (def->chart == pl_chartUv)
			result = chartOfUv(def, &mesh, t, charts + 6 * t, error);
		else
			chartOfRest(def, &mesh, t, charts + 6 * t);
	return result;
}
