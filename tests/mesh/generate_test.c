// generated boxes, balls and tubes: counts, order, volume, orientation, matching faces, closed surface; cloth
#include "test.h"
#include "passing.h"
#include "pliant/mesh.h"

static double tetVolume(const plMeshView* m, size_t t)
{
	const double* p[4];
	for (int i = 0; i < 4; i++)
		p[i] = m->vertices + 3 * (size_t)m->tets[4 * t + (size_t)i];
	double e[3][3];
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 3; k++)
			e[i][k] = p[i + 1][k] - p[0][k];
	return (e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) + e[0][1] * (e[1][2] * e[2][0] - e[1][0] * e[2][2]) +
	        e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0])) /
	       6.0;
}

static double triangleArea(const double* a, const double* b, const double* c)
{
	double u[3], v[3];
	for (int k = 0; k < 3; k++)
	{
		u[k] = b[k] - a[k];
		v[k] = c[k] - a[k];
	}
	double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
	return 0.5 * sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
}

// 6 sqrt(6) V / (longest edge * surface area): 1 for the regular tet, 0 for a flat one
static double quality(const plMeshView* m, size_t t)
{
	const double* p[4];
	double longest = 0.0;
	for (int i = 0; i < 4; i++)
		p[i] = m->vertices + 3 * (size_t)m->tets[4 * t + (size_t)i];
	for (int i = 0; i < 4; i++)
		for (int j = i + 1; j < 4; j++)
			longest = fmax(longest,
			               sqrt((p[i][0] - p[j][0]) * (p[i][0] - p[j][0]) + (p[i][1] - p[j][1]) * (p[i][1] - p[j][1]) +
			                    (p[i][2] - p[j][2]) * (p[i][2] - p[j][2])));
	double area = triangleArea(p[0], p[1], p[2]) + triangleArea(p[0], p[1], p[3]) + triangleArea(p[0], p[2], p[3]) +
	              triangleArea(p[1], p[2], p[3]);
	return 6.0 * sqrt(6.0) * tetVolume(m, t) / (longest * area);
}

static int compareKeys(const void* a, const void* b)
{
	uint64_t x = *(const uint64_t*)a, y = *(const uint64_t*)b;
	return x < y ? -1 : x > y;
}

// Every directed edge of the surface occurs once and so does its opposite; V - E + F is Euler's characteristic.
static void checkSurfaceIsClosed(const plMeshView* m, long euler)
{
	size_t n = 3 * m->surfaceCount, usedCount = 0;
	uint64_t* edges = malloc(n * sizeof *edges);
	uint8_t* used = calloc(m->vertexCount, 1);
	for (size_t f = 0; f < m->surfaceCount; f++)
		for (size_t k = 0; k < 3; k++)
		{
			uint64_t a = m->surface[3 * f + k], b = m->surface[3 * f + (k + 1) % 3];
			edges[3 * f + k] = a << 32 | b;
			usedCount += !used[a];
			used[a] = 1;
		}
	qsort(edges, n, sizeof *edges, compareKeys);
	bool closed = true;
	for (size_t i = 0; i < n; i++)
	{
		uint64_t opposite = edges[i] << 32 | edges[i] >> 32;
		closed = closed && (i == 0 || edges[i] != edges[i - 1]);
		closed = closed && bsearch(&opposite, edges, n, sizeof *edges, compareKeys) != NULL;
	}
	free(edges);
	free(used);
	CHECK(closed);
	CHECK((long)usedCount - (long)n / 2 + (long)m->surfaceCount == euler);
}

// Volume enclosed by the surface, from the divergence theorem: positive only if faces point outward.
static double enclosedVolume(const plMeshView* m)
{
	double sum = 0.0;
	for (size_t f = 0; f < m->surfaceCount; f++)
	{
		const double* p[3];
		for (size_t k = 0; k < 3; k++)
			p[k] = m->vertices + 3 * (size_t)m->surface[3 * f + k];
		sum += p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) + p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
		       p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]);
	}
	return sum / 6.0;
}

static void checkSolid(const plMeshView* m, double volume, long euler)
{
	double sum = 0.0;
	for (size_t t = 0; t < m->tetCount; t++)
	{
		CHECK(tetVolume(m, t) > 0.0);
		sum += tetVolume(m, t);
	}
	CHECK_NEAR(sum, volume, 1e-12 * volume);
	CHECK_NEAR(enclosedVolume(m), volume, 1e-12 * volume);
	CHECK(m->unreferencedCount == 0);
	CALL(checkSurfaceIsClosed(m, euler));
}

// An inner face that is not shared would be a surface face with outward neighbours on both sides: then the surface is
// larger than the box's, so its count proves that faces match.
static void checkBox(plVec3 size, size_t nx, size_t ny, size_t nz, int split)
{
	plError error;
	plMesh* mesh = plCreateBoxMesh(size, (size_t[3]){nx, ny, nz}, split, NULL, &error);
	CHECK(mesh != NULL);
	plMeshView m = plMesh_GetView(mesh);
	CHECK(m.vertexCount == (nx + 1) * (ny + 1) * (nz + 1));
	CHECK(m.tetCount == (size_t)split * nx * ny * nz);
	CHECK(m.surfaceCount == 4 * (nx * ny + ny * nz + nx * nz));
	CALL(checkSolid(&m, size.x * size.y * size.z, 2));
	size_t v = 0;
	for (size_t k = 0; k <= nz; k++)
		for (size_t j = 0; j <= ny; j++)
			for (size_t i = 0; i <= nx; i++, v++)
			{
				CHECK_NEAR(m.vertices[3 * v], size.x * (double)i / (double)nx, 1e-15 * size.x);
				CHECK_NEAR(m.vertices[3 * v + 1], size.y * (double)j / (double)ny, 1e-15 * size.y);
				CHECK_NEAR(m.vertices[3 * v + 2], size.z * (double)k / (double)nz, 1e-15 * size.z);
			}
	CHECK(m.vertices[3 * (v - 1)] == size.x && m.vertices[3 * (v - 1) + 2] == size.z);
	plDestroyMesh(mesh);
}

TEST(boxes_of_six_tets_a_cell_fill_the_box_and_match)
{
	CALL(checkBox((plVec3){1, 1, 1}, 1, 1, 1, 6));
	CALL(checkBox((plVec3){4, 1, 2}, 8, 3, 5, 6));
	CALL(checkBox((plVec3){1e-6, 2e-6, 5e-9}, 4, 4, 1, 6));
}

TEST(boxes_of_five_tets_a_cell_fill_the_box_and_match)
{
	CALL(checkBox((plVec3){1, 1, 1}, 1, 1, 1, 5));
	CALL(checkBox((plVec3){4, 1, 2}, 8, 3, 5, 5));
	CALL(checkBox((plVec3){1, 1, 1}, 2, 2, 2, 5));
}

TEST(six_tets_share_the_diagonal_of_their_cell)
{
	plMesh* mesh = plCreateBoxMesh((plVec3){3, 1, 1}, (size_t[3]){3, 1, 1}, 6, NULL, NULL);
	plMeshView m = plMesh_GetView(mesh);
	for (size_t t = 0; t < m.tetCount; t++)
	{
		uint32_t low = (uint32_t)(t / 6), high = low + 1 + 4 + 8;
		int found = 0;
		for (int k = 0; k < 4; k++)
			found += m.tets[4 * t + (size_t)k] == low || m.tets[4 * t + (size_t)k] == high;
		CHECK(found == 2);
	}
	plDestroyMesh(mesh);
}

TEST(spheres_of_any_fineness_are_closed_and_well_shaped)
{
	double lastDefect = 1.0;
	for (size_t n = 1; n <= 9; n++)
	{
		plMesh* mesh = plCreateSphereMesh(0.5, n, NULL, NULL);
		CHECK(mesh != NULL);
		plMeshView m = plMesh_GetView(mesh);
		CHECK(m.tetCount == 20 * n * n * n);
		CHECK(m.surfaceCount == 20 * n * n);
		double volume = 0.0, worst = 1.0;
		for (size_t t = 0; t < m.tetCount; t++)
		{
			volume += tetVolume(&m, t);
			worst = fmin(worst, quality(&m, t));
		}
		CHECK(worst > 0.45);
		CALL(checkSolid(&m, volume, 2));
		double defect = 1.0 - volume / (4.0 / 3.0 * M_PI * 0.125);
		CHECK(defect > 0.0 && defect < lastDefect && defect < 0.6 / (double)(n * n));
		lastDefect = defect;
		for (size_t f = 0; f < 3 * m.surfaceCount; f++)
		{
			const double* p = m.vertices + 3 * (size_t)m.surface[f];
			CHECK_NEAR(sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]), 0.5, 1e-15);
		}
		plDestroyMesh(mesh);
	}
}

static double sumVolumes(const plMeshView* m)
{
	double volume = 0.0;
	for (size_t t = 0; t < m->tetCount; t++)
		volume += tetVolume(m, t);
	return volume;
}

// The section is a polygon of 6 n corners, the middle line one of `along`: both areas are known, and so is the volume
// of a torus of such sections, whose pieces are frusta: 2 R r^2 sin terms. Seen against 2 pi^2 R r^2 it converges.
TEST(tori_are_closed_rings_of_the_right_volume)
{
	double last = 1.0;
	for (size_t n = 1; n <= 5; n++)
	{
		plMesh* mesh = plCreateTorusMesh(2.0, 0.5, (size_t[2]){12 * n, n}, NULL, NULL);
		CHECK(mesh != NULL);
		plMeshView m = plMesh_GetView(mesh);
		CHECK(m.vertexCount == 12 * n * (1 + 3 * n * (n + 1)) && m.tetCount == 12 * n * 18 * n * n);
		CHECK(m.surfaceCount == 12 * n * 6 * n * 2);
		CALL(checkSolid(&m, sumVolumes(&m), 0));
		double defect = 1.0 - sumVolumes(&m) / (2.0 * M_PI * M_PI * 2.0 * 0.25);
		CHECK(defect > 0.0 && defect < last && defect < 0.3 / (double)(n * n));
		last = defect;
		double worst = 1.0;
		for (size_t t = 0; t < m.tetCount; t++)
			worst = fmin(worst, quality(&m, t));
		CHECK(worst > 0.2);
		for (size_t i = 0; i < 3 * m.surfaceCount; i++)
		{
			const double* p = m.vertices + 3 * (size_t)m.surface[i];
			CHECK_NEAR(hypot(hypot(p[0], p[2]) - 2.0, p[1]), 0.5, 1e-14);
		}
		plDestroyMesh(mesh);
	}
}

TEST(coarse_and_fat_tori_are_solid_too)
{
	plMesh* mesh = plCreateTorusMesh(1.0, 0.999, (size_t[2]){3, 1}, NULL, NULL);
	CHECK(mesh != NULL);
	plMeshView m = plMesh_GetView(mesh);
	CALL(checkSolid(&m, sumVolumes(&m), 0));
	plDestroyMesh(mesh);
}

// Length of a strand: turns sqrt((2 pi R)^2 + p^2); sections are perpendicular to it, so volume is length times area.
static void checkHelix(size_t strands, double turns, size_t along, size_t rings, double allowed)
{
	plError error = {0};
	plMesh* mesh = plCreateHelixMesh(1.0, 0.2, 1.5, turns, strands, (size_t[2]){along, rings}, NULL, &error);
	CHECK_TEXT(error.message, "");
	plMeshView m = plMesh_GetView(mesh);
	CHECK(m.vertexCount == strands * (along + 1) * (1 + 3 * rings * (rings + 1)));
	CHECK(m.tetCount == strands * along * 18 * rings * rings);
	CHECK(m.surfaceCount == strands * (along * 12 * rings + 12 * rings * rings));
	CALL(checkSolid(&m, sumVolumes(&m), 2 * (long)strands));
	double length = turns * hypot(2.0 * M_PI, 1.5);
	double volume = (double)strands * length * M_PI * 0.04;
	CHECK_NEAR(sumVolumes(&m), volume, allowed * volume);
	double low = INFINITY, high = -INFINITY, sum[3] = {0, 0, 0};
	for (size_t v = 0; v < m.vertexCount; v++)
	{
		low = fmin(low, m.vertices[3 * v + 1]);
		high = fmax(high, m.vertices[3 * v + 1]);
		for (size_t k = 0; k < 3; k++)
			sum[k] += m.vertices[3 * v + k];
	}
	CHECK_NEAR(low, -high, 1e-13);
	CHECK(high > 0.75 * turns && high < 0.75 * turns + 0.2);
	CHECK(strands < 2 || (fabs(sum[0]) < 1e-10 && fabs(sum[2]) < 1e-10));
	plDestroyMesh(mesh);
}

TEST(helices_are_closed_tubes_of_the_right_volume)
{
	CALL(checkHelix(1, 3.0, 60, 2, 0.08));
	CALL(checkHelix(1, 3.0, 240, 6, 0.01));
	CALL(checkHelix(1, 0.25, 3, 1, 0.25));
}

TEST(two_strands_make_a_double_helix)
{
	CALL(checkHelix(2, 2.0, 80, 2, 0.06));
	CALL(checkHelix(3, 1.0, 40, 1, 0.20));
}

// The middle line of a (p, q) knot and a line along its surface wind round each other p q times.
TEST(a_knot_is_a_closed_tube_of_the_right_volume_and_links)
{
	enum
	{
		along = 240,
		section = 19
	};
	const double lengthOf23 = 15.338; // of the line at R = 1, a = 0.45, by 600 chords
	plError error = {0};
	plMesh* mesh = plCreateKnotMesh(1.0, 0.45, 0.2, (size_t[2]){2, 3}, (size_t[2]){along, 2}, NULL, &error);
	CHECK_TEXT(error.message, "");
	plMeshView m = plMesh_GetView(mesh);
	CHECK(m.vertexCount == along * section && m.tetCount == along * 72 && m.surfaceCount == along * 24);
	CALL(checkSolid(&m, sumVolumes(&m), 0));
	CHECK_NEAR(sumVolumes(&m), lengthOf23 * M_PI * 0.04, 0.06 * lengthOf23 * M_PI * 0.04);
	double lines[2][3 * along];
	for (size_t s = 0; s < along; s++)
	{
		memcpy(lines[0] + 3 * s, m.vertices + 3 * section * s, 3 * sizeof(double));
		memcpy(lines[1] + 3 * s, m.vertices + 3 * (section * s + 7), 3 * sizeof(double));
	}
	CHECK_NEAR(fabs(passingLink(lines[0], along, lines[1], along)), 6.0, 1e-9);
	CHECK(passingCount(&(Passing){m.vertices, m.vertexCount, m.surface, m.surfaceCount, NULL, 0}, NULL) == 0);
	plDestroyMesh(mesh);
}

TEST(knots_that_are_none_are_refused)
{
	const size_t cells[2] = {120, 1};
	plError error;
	CHECK(plCreateKnotMesh(1.0, 0.45, 0.46, (size_t[2]){2, 3}, cells, NULL, &error) == NULL);
	CHECK(plCreateKnotMesh(0.4, 0.45, 0.1, (size_t[2]){2, 3}, cells, NULL, &error) == NULL);
	CHECK(plCreateKnotMesh(1.0, 0.6, 0.4, (size_t[2]){2, 3}, cells, NULL, &error) == NULL);
	CHECK(error.code == pl_errorInput && strstr(error.message, "touches the next one") != NULL);
	CHECK(plCreateKnotMesh(1.0, 0.45, 0.1, (size_t[2]){2, 4}, cells, NULL, &error) == NULL);
	CHECK_TEXT(error.message,
	           "knot: 2 windings around and 4 through, must be from 1 to 65535 without a common divisor");
	CHECK(plCreateKnotMesh(1.0, 0.45, 0.1, (size_t[2]){0, 1}, cells, NULL, &error) == NULL);
	plMesh* ring = plCreateKnotMesh(1.0, 0.2, 0.1, (size_t[2]){1, 1}, cells, NULL, &error);
	CHECK(ring != NULL);
	plDestroyMesh(ring);
}

TEST(cloth_is_a_flat_rectangle_with_alternating_diagonals)
{
	plMesh* mesh = plCreateClothMesh(2.0, 1.0, (size_t[2]){4, 3}, pl_clothAlternating, NULL, NULL);
	plMeshView m = plMesh_GetView(mesh);
	CHECK(m.vertexCount == 20 && m.triangleCount == 24 && m.tetCount == 0 && m.surfaceCount == 24);
	CHECK(m.vertices[0] == -1.0 && m.vertices[1] == -0.5 && m.vertices[3 * 19] == 1.0 && m.vertices[3 * 19 + 1] == 0.5);
	double area = 0.0;
	for (size_t f = 0; f < m.triangleCount; f++)
	{
		const double* p[3];
		for (size_t k = 0; k < 3; k++)
			p[k] = m.vertices + 3 * (size_t)m.triangles[3 * f + k];
		CHECK((p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[1][1] - p[0][1]) * (p[2][0] - p[0][0]) > 0.0);
		area += triangleArea(p[0], p[1], p[2]);
	}
	CHECK_NEAR(area, 2.0, 1e-14);
	const uint32_t first[] = {0, 1, 6, 0, 6, 5, 1, 2, 6, 2, 7, 6};
	CHECK(memcmp(m.triangles, first, sizeof first) == 0);
	plDestroyMesh(mesh);
}

// Every inner edge belongs to two triangles that face the same way; angles between 45 and 72 degrees but at the sides.
TEST(equilateral_cloth_is_a_flat_rectangle_of_triangles_that_are_alike)
{
	for (size_t rows = 1; rows < 4; rows++)
	{
		plMesh* mesh = plCreateClothMesh(2.0, 1.0, (size_t[2]){4, rows}, pl_clothEquilateral, NULL, NULL);
		plMeshView m = plMesh_GetView(mesh);
		CHECK(m.vertexCount == 5 * (rows + 1) + (rows + 1) / 2 && m.triangleCount == 9 * rows);
		CHECK(m.unreferencedCount == 0);
		double area = 0.0;
		size_t shared = 0;
		for (size_t f = 0; f < m.triangleCount; f++)
		{
			const uint32_t* c = m.triangles + 3 * f;
			const double* p[3];
			for (size_t k = 0; k < 3; k++)
				p[k] = m.vertices + 3 * (size_t)c[k];
			double twice = (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[1][1] - p[0][1]) * (p[2][0] - p[0][0]);
			CHECK(twice > 0.0);
			CHECK(fabs(twice - 0.5 / (double)rows) < 1e-15 || fabs(twice - 0.25 / (double)rows) < 1e-15);
			area += 0.5 * twice;
			for (size_t g = 0; g < 9 * m.triangleCount; g++) // sides that run the other way
			{
				const uint32_t* other = m.triangles + 3 * (g / 9);
				size_t i = g % 3, j = g / 3 % 3;
				shared += c[i] == other[(j + 1) % 3] && c[(i + 1) % 3] == other[j];
			}
		}
		CHECK_NEAR(area, 2.0, 1e-14);
		size_t border = 2 * rows + 4 + (rows % 2 == 0 ? 4 : 5);
		CHECK_NEAR((double)(shared + border), (double)(3 * m.triangleCount), 0.0);
		CHECK(m.vertices[0] == -1.0 && m.vertices[3 * m.vertexCount - 3] == 1.0); // corners are there
		plDestroyMesh(mesh);
	}
}

// V - E + F of a tube is 0. Its triangles face outwards.
TEST(sleeves_are_open_tubes_that_face_outwards)
{
	for (size_t rows = 1; rows < 6; rows++)
	{
		plMesh* mesh = plCreateSleeveMesh(0.2, 0.5, 0.9, (size_t[2]){40, rows}, NULL, NULL);
		plMeshView m = plMesh_GetView(mesh);
		plEdgeCounts edges;
		CHECK(m.vertexCount == 40 * (rows + 1) && m.triangleCount == 80 * rows && m.tetCount == 0);
		CHECK(plMeshView_CountEdges(&m, &edges, NULL) == pl_success);
		CHECK(edges.border == 80 && edges.crowded == 0 && edges.turned == 0);
		CHECK(m.vertexCount + m.triangleCount == edges.edges);
		double area = 0.0, slant = sqrt(0.9 * 0.9 + 0.3 * 0.3);
		for (size_t f = 0; f < m.triangleCount; f++)
		{
			const double *p[3], *q;
			for (size_t k = 0; k < 3; k++)
				p[k] = m.vertices + 3 * (size_t)m.triangles[3 * f + k];
			q = p[0];
			double u[3] = {p[1][0] - q[0], p[1][1] - q[1], p[1][2] - q[2]};
			double v[3] = {p[2][0] - q[0], p[2][1] - q[1], p[2][2] - q[2]};
			CHECK((u[1] * v[2] - u[2] * v[1]) * q[0] + (u[0] * v[1] - u[1] * v[0]) * q[2] > 0.0);
			area += triangleArea(p[0], p[1], p[2]);
		}
		CHECK_NEAR(area / (3.14159265358979 * (0.2 + 0.5) * slant), 1.0, 0.01);
		CHECK_NEAR(m.vertices[1], 0.45, 1e-15);
		CHECK_NEAR(hypot(m.vertices[0], m.vertices[2]), 0.2, 1e-15);
		CHECK_NEAR(hypot(m.vertices[3 * m.vertexCount - 3], m.vertices[3 * m.vertexCount - 1]), 0.5, 1e-15);
		plDestroyMesh(mesh);
	}
}

TEST(patterns_of_cloth_have_names)
{
	CHECK_TEXT(plClothPattern_GetName(pl_clothOneWay), "one-way");
	CHECK(plClothPattern_GetName(pl_clothPatternCount) == NULL);
	plError error;
	CHECK(plCreateClothMesh(1.0, 1.0, (size_t[2]){2, 2}, (plClothPattern)7, NULL, &error) == NULL);
	CHECK_TEXT(error.message, "cloth: there is no pattern 7");
}

TEST(tubes_and_cloth_refuse_what_makes_none)
{
	const size_t cells[2] = {12, 2};
	plError error;
	CHECK(plCreateTorusMesh(1.0, 1.0, cells, NULL, &error) == NULL && error.code == pl_errorInput);
	CHECK_TEXT(error.message, "torus: radius 1 and tube 1, must be positive and the tube the smaller");
	CHECK(plCreateTorusMesh(NAN, 0.5, cells, NULL, &error) == NULL && error.code == pl_errorInput);
	CHECK(plCreateTorusMesh(1.0, 0.5, (size_t[2]){2, 1}, NULL, &error) == NULL && error.code == pl_errorInput);
	CHECK(plCreateTorusMesh(1.0, 0.5, (size_t[2]){3, 0}, NULL, &error) == NULL && error.code == pl_errorInput);
	const size_t many[][2] = {{SIZE_MAX, 1}, {3, SIZE_MAX}, {1u << 31, 2}, {UINT32_MAX, UINT16_MAX}};
	for (size_t i = 0; i < 4; i++)
	{
		CHECK(plCreateTorusMesh(1.0, 0.5, many[i], NULL, &error) == NULL && error.code == pl_errorInput);
		CHECK(plCreateHelixMesh(1.0, 0.1, 1, 1, SIZE_MAX / 2, many[i], NULL, &error) == NULL);
		CHECK(error.code == pl_errorInput);
	}
	CHECK(plCreateHelixMesh(1.0, 0.2, 0.0, 1, 1, cells, NULL, &error) == NULL && error.code == pl_errorInput);
	CHECK(plCreateHelixMesh(1.0, 0.2, 1.0, INFINITY, 1, cells, NULL, &error) == NULL);
	CHECK(plCreateHelixMesh(1.0, 0.2, 1.0, 1, 0, cells, NULL, &error) == NULL && error.code == pl_errorInput);
	CHECK(plCreateHelixMesh(1.0, 0.2, 1.0, 5, 1, cells, NULL, &error) == NULL && error.code == pl_errorInput);
	CHECK_TEXT(error.message, "helix: 12 cells along 5 turns, must be at least 3 a turn");
	CHECK(plCreateHelixMesh(1.0, 0.2, 0.3, 1, 1, cells, NULL, &error) == NULL && error.code == pl_errorInput);
	CHECK(strstr(error.message, "touches the next one") != NULL);
	CHECK(plCreateHelixMesh(1.0, 0.2, 0.7, 1, 2, cells, NULL, &error) == NULL && error.code == pl_errorInput);
	CHECK(plCreateSleeveMesh(0.2, 0.0, 1.0, cells, NULL, &error) == NULL && error.code == pl_errorInput);
	CHECK(plCreateSleeveMesh(0.2, 0.2, INFINITY, cells, NULL, &error) == NULL && error.code == pl_errorInput);
	CHECK(plCreateSleeveMesh(0.2, 0.2, 1.0, (size_t[2]){2, 3}, NULL, &error) == NULL);
	CHECK_TEXT(error.message, "sleeve: radii 0.2 and 0.2, height 1 in 2 by 3 cells, must be positive, and 3 cells "
	                          "around at least");
	CHECK(plCreateSleeveMesh(0.2, 0.2, 1.0, (size_t[2]){SIZE_MAX, SIZE_MAX}, NULL, &error) == NULL);
	CHECK(strstr(error.message, "more than 32-bit indices can name") != NULL);
	CHECK(plCreateClothMesh(1.0, -1.0, cells, pl_clothAlternating, NULL, &error) == NULL &&
	      error.code == pl_errorInput);
	CHECK(plCreateClothMesh(1.0, 1.0, (size_t[2]){0, 3}, pl_clothAlternating, NULL, &error) == NULL &&
	      error.code == pl_errorInput);
	CHECK(plCreateClothMesh(1.0, 1.0, (size_t[2]){SIZE_MAX, SIZE_MAX}, pl_clothAlternating, NULL, &error) == NULL);
	CHECK(plCreateClothMesh(1.0, 1.0, (size_t[2]){1u << 31, 2}, pl_clothAlternating, NULL, &error) == NULL &&
	      error.code == pl_errorInput);
}

TEST(generators_refuse_what_makes_no_body)
{
	const size_t one[3] = {1, 1, 1};
	plError error;
	CHECK(plCreateBoxMesh((plVec3){1, 0, 1}, one, 6, NULL, &error) == NULL && error.code == pl_errorInput);
	CHECK(plCreateBoxMesh((plVec3){1, NAN, 1}, one, 6, NULL, &error) == NULL && error.code == pl_errorInput);
	CHECK(plCreateBoxMesh((plVec3){1, INFINITY, 1}, one, 6, NULL, &error) == NULL && error.code == pl_errorInput);
	CHECK(plCreateBoxMesh((plVec3){1, 1, 1}, one, 4, NULL, &error) == NULL && error.code == pl_errorInput);
	CHECK_TEXT(error.message, "box: split 4, must be 5 or 6");
	CHECK(plCreateBoxMesh((plVec3){1, 1, 1}, (size_t[3]){1, 0, 1}, 6, NULL, &error) == NULL);
	CHECK(error.code == pl_errorInput);
	const size_t many[][3] = {
	    {1000000, 1000000, 1000000}, {SIZE_MAX, 1, 1}, {SIZE_MAX / 2, SIZE_MAX / 2, 3}, {1u << 31, 1, 1}};
	for (size_t i = 0; i < sizeof many / sizeof *many; i++)
		CHECK(plCreateBoxMesh((plVec3){1, 1, 1}, many[i], 6, NULL, &error) == NULL && error.code == pl_errorInput);
	CHECK(plCreateSphereMesh(0.0, 3, NULL, &error) == NULL && error.code == pl_errorInput);
	CHECK(plCreateSphereMesh(1.0, 0, NULL, &error) == NULL && error.code == pl_errorInput);
	CHECK(plCreateSphereMesh(1.0, SIZE_MAX, NULL, &error) == NULL && error.code == pl_errorInput);
}

static void* refuse(size_t bytes, void* context)
{
	(void)bytes;
	(void)context;
	return NULL;
}

static void ignore(void* memory, size_t bytes, void* context)
{
	(void)memory;
	(void)bytes;
	(void)context;
}

TEST(a_mesh_too_large_for_memory_says_so)
{
	plAllocator none = {refuse, ignore, NULL};
	plError error;
	CHECK(plCreateBoxMesh((plVec3){1, 1, 1}, (size_t[3]){800, 800, 800}, 6, &none, &error) == NULL);
	CHECK(error.code == pl_errorMemory);
	CHECK_TEXT(error.message, "box: no memory for 513922401 vertices and 3072000000 tets");
}
