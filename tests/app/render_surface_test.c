// render_surface_test.c: what the renderer draws: boundary faces, creases, normals, camera, colours
#include "test.h"

#include "app/render/camera.h"
#include "app/render/colour.h"
#include "app/render/overlay.h"
#include "app/render/surface.h"

#include "render_box.h"

TEST(a_single_tet_is_bounded_by_its_four_faces_outward)
{
	const double x[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
	const uint32_t tet[4] = {0, 1, 2, 3};
	uint32_t faces[12];
	CHECK(plFindBoundaryFaces(tet, 1, 4, faces) == 4);
	for (int f = 0; f < 4; f++)
	{
		const double *a = x + 3 * faces[3 * f], *b = x + 3 * faces[3 * f + 1], *c = x + 3 * faces[3 * f + 2];
		double n[3] = {(b[1] - a[1]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[1] - a[1]),
		               (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]),
		               (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])};
		double outward = 0.0;
		for (int i = 0; i < 3; i++)
			outward += n[i] * (a[i] - 0.25); // the centre is (1/4, 1/4, 1/4)
		CHECK(outward > 0.0);
	}
}

TEST(a_box_has_two_triangles_per_outer_cell_side_and_inner_faces_cancel)
{
	Box box;
	CALL(makeBox(&box, 5, 4, 3));
	uint32_t* faces = malloc(12 * box.tetCount * sizeof *faces);
	size_t count = plFindBoundaryFaces(box.tets, box.tetCount, box.vertexCount, faces);
	free(faces);
	freeBox(&box);
	CHECK(count == 4 * (5 * 4 + 4 * 3 + 5 * 3));
}

TEST(the_surface_is_closed_and_has_the_area_of_the_box)
{
	Box box;
	CALL(makeBox(&box, 4, 3, 2));
	plError error;
	plSurface* s = plCreateSurface(box.rest, box.vertexCount, box.tets, box.tetCount, 40.0, &error);
	CHECK(s != NULL);
	double sum[3] = {0, 0, 0}, area = 0.0;
	for (size_t t = 0; t < s->triangleCount; t++)
	{
		const double* p[3];
		for (int k = 0; k < 3; k++)
			p[k] = box.rest + 3 * s->points[s->vertexPoints[s->triangles[3 * t + k]]];
		double n[3];
		for (int i = 0; i < 3; i++)
		{
			int j = (i + 1) % 3, k = (i + 2) % 3;
			n[i] = 0.5 * ((p[1][j] - p[0][j]) * (p[2][k] - p[0][k]) - (p[1][k] - p[0][k]) * (p[2][j] - p[0][j]));
			sum[i] += n[i];
		}
		area += sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
	}
	plDestroySurface(s);
	freeBox(&box);
	for (int i = 0; i < 3; i++)
		CHECK_NEAR(sum[i], 0.0, 1e-12);
	CHECK_NEAR(area, 2.0 * (4.0 * 3.0 + 3.0 * 2.0 + 4.0 * 2.0), 1e-12);
}

TEST(edges_of_a_box_are_creases_and_its_sides_are_smooth)
{
	Box box;
	CALL(makeBox(&box, 4, 3, 2));
	plError error;
	plSurface *sharp = plCreateSurface(box.rest, box.vertexCount, box.tets, box.tetCount, 40.0, &error),
	          *smooth = plCreateSurface(box.rest, box.vertexCount, box.tets, box.tetCount, 120.0, &error);
	CHECK(sharp != NULL && smooth != NULL);
	CHECK(smooth->vertexCount == smooth->pointCount);
	// a corner is drawn three times, the inside of an edge twice
	CHECK(sharp->vertexCount == sharp->pointCount + 2 * 8 + 4 * (3 + 2 + 1));
	float* positions = malloc(3 * sharp->pointCount * sizeof *positions);
	float* normals = malloc(3 * sharp->vertexCount * sizeof *normals);
	for (size_t p = 0; p < sharp->pointCount; p++)
		for (int i = 0; i < 3; i++)
			positions[3 * p + i] = (float)box.rest[3 * sharp->points[p] + i];
	plSurface_ComputeNormals(sharp, positions, normals);
	for (size_t v = 0; v < sharp->vertexCount; v++)
	{
		float most = fmaxf(fmaxf(fabsf(normals[3 * v]), fabsf(normals[3 * v + 1])), fabsf(normals[3 * v + 2]));
		CHECK_NEAR(most, 1.0, 1e-6); // along an axis
	}
	free(positions);
	free(normals);
	plDestroySurface(sharp);
	plDestroySurface(smooth);
	freeBox(&box);
}

TEST(a_tet_that_names_a_missing_vertex_is_refused_with_its_number)
{
	const double x[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
	const uint32_t tets[8] = {0, 1, 2, 3, 0, 1, 2, 4};
	plError error;
	CHECK(plCreateSurface(x, 4, tets, 2, 40.0, &error) == NULL);
	CHECK_TEXT(error.message, "tet 1 names vertex 4, but there are 4 vertices");
	CHECK(plCreateSurface(x, 4, tets, 0, 40.0, &error) == NULL);
}

TEST(the_camera_is_as_close_as_the_margin_allows)
{
	const double low[3] = {-2, 0, 3}, high[3] = {2, 1, 4};
	plOutline outline = plMakeOutline();
	for (int corner = 0; corner < 8; corner++)
	{
		double p[3];
		for (int i = 0; i < 3; i++)
			p[i] = corner >> i & 1 ? high[i] : low[i];
		plOutline_Add(&outline, p);
	}
	for (int k = 0; k < 2; k++)
	{
		double direction[3], aspect = k ? 0.5 : 16.0 / 9.0, widest = 0.0;
		float m[16];
		const double origin[3] = {1, 1, 1};
		plChooseView(low, high, direction);
		plCamera camera = plFitCamera(&outline, direction, aspect, 30.0);
		plCamera_GetMatrix(&camera, aspect, origin, 2.0, 0.01, 100.0, m);
		for (int corner = 0; corner < 8; corner++)
		{
			double p[3], clip[4];
			for (int i = 0; i < 3; i++)
				p[i] = ((corner >> i & 1 ? high[i] : low[i]) - origin[i]) / 2.0;
			for (int i = 0; i < 4; i++)
				clip[i] = m[i] * p[0] + m[4 + i] * p[1] + m[8 + i] * p[2] + m[12 + i];
			CHECK(clip[3] > 0.0);
			for (int i = 0; i < 2; i++)
				widest = fmax(widest, fabs(clip[i] / clip[3]));
		}
		CHECK_NEAR(widest, 0.84, 1e-4);
	}
}

TEST(the_colour_map_grows_lighter_in_equal_steps)
{
	uint8_t map[3 * PL_COLOUR_COUNT];
	plMakeColourMap(map);
	double last = 0.0, least = INFINITY, most = 0.0;
	for (int i = 0; i < PL_COLOUR_COUNT; i += 17)
	{
		double rgb[3];
		for (int k = 0; k < 3; k++)
			rgb[k] = plLinearFromSrgb(map[3 * i + k] / 255.0);
		double lightness = plGetLightness(rgb);
		if (i > 0)
		{
			least = fmin(least, lightness - last);
			most = fmax(most, lightness - last);
		}
		last = lightness;
	}
	CHECK(least > 0.02);
	CHECK_BELOW(most / least, 2.2);
}

TEST(quantities_are_written_with_a_prefix)
{
	char text[64];
	plFormatQuantity(12345.0, "Pa", text, sizeof text);
	CHECK_TEXT(text, "12.3 kPa");
	plFormatQuantity(0.0, "Pa", text, sizeof text);
	CHECK_TEXT(text, "0 Pa");
	plFormatQuantity(1000.0, "Pa", text, sizeof text);
	CHECK_TEXT(text, "1 kPa");
	plFormatQuantity(-0.0025, "m", text, sizeof text);
	CHECK_TEXT(text, "-2.5 mm");
	plFormatQuantity(3.3e13, "Pa", text, sizeof text);
	CHECK_TEXT(text, "33 TPa");
}
