// shape_test.c: signed distances against closed forms and brute force, their derivatives against differences, and what
// is no shape
#include "collide/shape.h"
#include "heap.h"
#include "test.h"

#include "pliant/mesh.h"

static plError error;

static plVec3 vec(double x, double y, double z)
{
	return (plVec3){x, y, z};
}

static plColliderDef ofKind(plShapeKind kind)
{
	plColliderDef def = plDefaultColliderDef();
	def.shape = kind;
	return def;
}

static plDistance distanceOf(const plShape* shape, double x, double y, double z)
{
	plDistance d;
	plShape_GetDistance(shape)(shape, (const double[3]){x, y, z}, &d);
	return d;
}

// Rotation by 1 rad about (2, 3, 6)/7.
static plQuat uneven(void)
{
	double s = sin(0.5);
	return (plQuat){{2.0 / 7.0 * s, 3.0 / 7.0 * s, 6.0 / 7.0 * s}, cos(0.5)};
}

// ---- the shapes -----------------------------------------------------------------------------------------------------

static plMesh* torusMesh(void)
{
	return plCreateTorusMesh(1.0, 0.35, (const size_t[2]){14, 2}, NULL, &error);
}

enum
{
	shapeCount = 6
};

// One of each, the mesh twice: a torus, and a box.
static void makeShapes(plShape shapes[shapeCount])
{
	plColliderDef defs[shapeCount] = {ofKind(pl_shapePlane), ofKind(pl_shapeSphere), ofKind(pl_shapeCapsule),
	                                  ofKind(pl_shapeBox),   ofKind(pl_shapeMesh),   ofKind(pl_shapeMesh)};
	plMesh* torus = torusMesh();
	plMesh* box = plCreateBoxMesh(vec(1.0, 0.6, 0.8), (const size_t[3]){2, 1, 1}, 6, NULL, &error);
	defs[0].normal = vec(0.2, 3.0, -1.0);
	defs[0].offset = -0.1;
	defs[1].centre = vec(0.1, -0.2, 0.3);
	defs[1].radius = 0.7;
	defs[2].a = vec(-0.5, -0.3, 0.1);
	defs[2].b = vec(0.6, 0.4, -0.2);
	defs[2].radius = 0.3;
	defs[3].size = vec(1.0, 0.6, 0.8);
	defs[3].rotation = uneven();
	defs[4].mesh = torus;
	defs[4].transform.rotation = uneven();
	defs[5].mesh = box;
	defs[5].transform.scale = 1.5;
	for (int i = 0; i < shapeCount; ++i)
		if (plShape_Create(shapes + i, defs + i, &heap, &error) != pl_success)
			FAIL_("shape %d: %s", i, error.message);
	plDestroyMesh(torus);
	plDestroyMesh(box);
}

static void freeShapes(plShape shapes[shapeCount])
{
	for (int i = 0; i < shapeCount; ++i)
		plShape_Destroy(shapes + i, &heap);
}

TEST(closed_forms_hold)
{
	plColliderDef def = ofKind(pl_shapePlane);
	plShape s;
	def.normal = vec(0.0, 0.0, -5.0); // any length
	def.offset = -2.0;                // n.x with n of length 1: z = 2
	CHECK(plShape_Create(&s, &def, &heap, &error) == pl_success);
	CHECK_NEAR(distanceOf(&s, 7.0, 3.0, 1.5).phi, 0.5, 1e-15);
	CHECK_NEAR(distanceOf(&s, 7.0, 3.0, 3.5).phi, -1.5, 1e-15);

	def = ofKind(pl_shapeSphere);
	def.centre = vec(1.0, 0.0, 0.0);
	def.radius = 2.0;
	CHECK(plShape_Create(&s, &def, &heap, &error) == pl_success);
	CHECK_NEAR(distanceOf(&s, 1.0, 3.0, 4.0).phi, 3.0, 1e-15);
	CHECK_NEAR(distanceOf(&s, 1.0, 0.5, 0.0).phi, -1.5, 1e-15);
	CHECK_NEAR(distanceOf(&s, 1.0, 0.0, 0.0).phi, -2.0, 0.0); // its centre: any normal, of length 1
	CHECK_NEAR(distanceOf(&s, 1.0, 0.0, 0.0).normal[1], 1.0, 0.0);

	def = ofKind(pl_shapeCapsule);
	def.a = vec(0.0, 0.0, 0.0);
	def.b = vec(0.0, 2.0, 0.0);
	def.radius = 0.5;
	CHECK(plShape_Create(&s, &def, &heap, &error) == pl_success);
	CHECK_NEAR(distanceOf(&s, 3.0, 1.0, 4.0).phi, 4.5, 1e-15);
	CHECK_NEAR(distanceOf(&s, 3.0, 6.0, 0.0).phi, 4.5, 1e-15);
	CHECK_NEAR(distanceOf(&s, 0.0, -0.25, 0.0).phi, -0.25, 1e-15);
	plDistance d = distanceOf(&s, 0.0, 1.0, 0.0); // on the axis
	CHECK_NEAR(d.phi, -0.5, 0.0);
	CHECK_NEAR(d.normal[0] * d.normal[0] + d.normal[2] * d.normal[2], 1.0, 1e-15);
	def.b = def.a; // a ball
	CHECK(plShape_Create(&s, &def, &heap, &error) == pl_success);
	CHECK_NEAR(distanceOf(&s, 0.0, 3.0, 4.0).phi, 4.5, 1e-15);

	def = ofKind(pl_shapeBox);
	def.centre = vec(1.0, 1.0, 1.0);
	def.size = vec(2.0, 4.0, 6.0);
	CHECK(plShape_Create(&s, &def, &heap, &error) == pl_success);
	CHECK_NEAR(distanceOf(&s, 5.0, 1.5, 0.0).phi, 3.0, 1e-15);                     // face
	CHECK_NEAR(distanceOf(&s, 5.0, 7.0, 0.0).phi, 5.0, 1e-15);                     // edge
	CHECK_NEAR(distanceOf(&s, 3.0, -3.0, -3.0).phi, sqrt(1.0 + 4.0 + 1.0), 1e-15); // corner
	CHECK_NEAR(distanceOf(&s, 1.2, 1.1, 1.0).phi, -0.8, 1e-15);                    // inside
	CHECK(distanceOf(&s, 2.0, 1.0, 1.0).phi == 0.0 && distanceOf(&s, 2.0, 1.0, 1.0).normal[0] == 1.0);
	CHECK(heap.bytes == 0);
}

TEST(normals_and_curvatures_are_differences)
{
	plShape shapes[shapeCount];
	CALL(makeShapes(shapes));
	const double h = 1e-5;
	for (int i = 0; i < shapeCount; ++i)
	{
		uint64_t seed = 17;
		int tested = 0;
		for (int n = 0; n < 400; ++n)
		{
			double x[3] = {1.4 * testRandom(&seed), 1.4 * testRandom(&seed), 1.4 * testRandom(&seed)};
			plDistance d = distanceOf(shapes + i, x[0], x[1], x[2]), side[6];
			// Where the nearest feature changes within h the distance has no second derivative.
			bool kink = fabs(d.phi) < 1e-2;
			for (int k = 0; k < 6; ++k)
			{
				double y[3] = {x[0], x[1], x[2]};
				y[k / 2] += k % 2 ? h : -h;
				side[k] = distanceOf(shapes + i, y[0], y[1], y[2]);
				double apart = 0.0, turn = 0.0;
				for (int a = 0; a < 3; ++a)
				{
					apart = fmax(apart, fabs(side[k].axis[a] - d.axis[a]));
					turn = fmax(turn, fabs(side[k].normal[a] - d.normal[a]));
				}
				kink = kink || apart > 0.0 || (side[k].bend == 0.0) != (d.bend == 0.0) || turn > 1e-2;
			}
			if (kink)
				continue;
			tested++;
			for (int a = 0; a < 3; ++a)
			{
				CHECK_NEAR((side[2 * a + 1].phi - side[2 * a].phi) / (2.0 * h), d.normal[a], 1e-7);
				for (int b = 0; b < 3; ++b)
				{
					double H = d.bend * ((a == b ? 1.0 : 0.0) - d.normal[a] * d.normal[b] - d.axis[a] * d.axis[b]);
					CHECK_NEAR((side[2 * a + 1].normal[b] - side[2 * a].normal[b]) / (2.0 * h), H,
					           1e-4 * (1.0 + fabs(d.bend)));
				}
			}
		}
		CHECK(tested > 200);
	}
	CALL(freeShapes(shapes));
}

TEST(bounds_hold_what_is_nearer_than_the_surface)
{
	plShape shapes[shapeCount];
	CALL(makeShapes(shapes));
	uint64_t seed = 9;
	for (int i = 0; i < shapeCount; ++i)
		for (int n = 0; n < 2000; ++n)
		{
			double x[3] = {2.0 * testRandom(&seed), 2.0 * testRandom(&seed), 2.0 * testRandom(&seed)};
			bool within = true;
			for (int k = 0; k < 3; ++k)
				within = within && x[k] >= shapes[i].low[k] - 1e-3 && x[k] <= shapes[i].high[k] + 1e-3;
			CHECK(within || distanceOf(shapes + i, x[0], x[1], x[2]).phi >= 1e-3);
		}
	CALL(freeShapes(shapes));
}

// ---- meshes ---------------------------------------------------------------------------------------------------------

// Distance to a segment.
static double segmentDistance(const double* a, const double* b, const double* x)
{
	double top = 0.0, bottom = 0.0, square = 0.0;
	for (int i = 0; i < 3; ++i)
	{
		top += (x[i] - a[i]) * (b[i] - a[i]);
		bottom += (b[i] - a[i]) * (b[i] - a[i]);
	}
	double t = fmin(fmax(top / bottom, 0.0), 1.0);
	for (int i = 0; i < 3; ++i)
		square += (x[i] - a[i] - t * (b[i] - a[i])) * (x[i] - a[i] - t * (b[i] - a[i]));
	return sqrt(square);
}

static double determinant(const double* a, const double* b, const double* c)
{
	return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

// Over all triangles: plane if x lies above the triangle, else its edges; inside by the sum of solid angles, in turns.
static double bruteDistance(plMeshView mesh, const double* x)
{
	double nearest = INFINITY, turns = 0.0;
	for (size_t t = 0; t < mesh.surfaceCount; ++t)
	{
		const double* p[3];
		double r[3][3], l[3], n[3], area = 0.0, height = 0.0, dots = 0.0;
		for (int k = 0; k < 3; ++k)
		{
			p[k] = mesh.vertices + 3 * (size_t)mesh.surface[3 * t + (size_t)k];
			l[k] = 0.0;
			for (int i = 0; i < 3; ++i)
			{
				r[k][i] = p[k][i] - x[i];
				l[k] += r[k][i] * r[k][i];
			}
			l[k] = sqrt(l[k]);
		}
		bool above = true;
		for (int i = 0; i < 3; ++i)
		{
			int j = (i + 1) % 3, k = (i + 2) % 3;
			n[i] = (p[1][j] - p[0][j]) * (p[2][k] - p[0][k]) - (p[1][k] - p[0][k]) * (p[2][j] - p[0][j]);
			area += n[i] * n[i];
			nearest = fmin(nearest, segmentDistance(p[i], p[j], x));
		}
		for (int k = 0; k < 3; ++k)
		{
			double edge[3], out[3];
			for (int i = 0; i < 3; ++i)
			{
				edge[i] = p[(k + 1) % 3][i] - p[k][i];
				out[i] = -r[k][i];
			}
			above = above && determinant(n, edge, out) >= 0.0;
		}
		for (int i = 0; i < 3; ++i)
			height += n[i] * -r[0][i];
		if (above)
			nearest = fmin(nearest, fabs(height) / sqrt(area));
		for (int i = 0; i < 3; ++i)
			dots += r[0][i] * r[1][i] * l[2] + r[1][i] * r[2][i] * l[0] + r[2][i] * r[0][i] * l[1];
		turns += 2.0 * atan2(determinant(r[0], r[1], r[2]), l[0] * l[1] * l[2] + dots) / (4.0 * 3.14159265358979323846);
	}
	return turns > 0.5 ? -nearest : nearest;
}

static void compareWithBrute(const plMesh* mesh, double size, int points)
{
	plColliderDef def = ofKind(pl_shapeMesh);
	def.mesh = mesh;
	plShape s;
	if (plShape_Create(&s, &def, &heap, &error) != pl_success)
		FAIL_("%s", error.message);
	plMeshView view = plMesh_GetView(mesh);
	uint64_t seed = 31;
	int inside = 0;
	for (int n = 0; n < points; ++n)
	{
		double x[3] = {size * testRandom(&seed), size * testRandom(&seed), size * testRandom(&seed)};
		double phi = bruteDistance(view, x);
		inside += phi < 0.0;
		CHECK_NEAR(distanceOf(&s, x[0], x[1], x[2]).phi, phi, 1e-12 * size);
	}
	CHECK(inside > points / 50 && inside < points);
	plShape_Destroy(&s, &heap);
}

TEST(the_distance_of_a_mesh_is_that_of_a_loop_over_its_triangles)
{
	plMesh* torus = torusMesh();
	plMesh* ball = plCreateSphereMesh(1.0, 3, NULL, &error);
	plMesh* helix = plCreateHelixMesh(1.0, 0.25, 1.0, 1.5, 1, (const size_t[2]){24, 1}, NULL, &error);
	CALL(compareWithBrute(torus, 1.5, 1500));
	CALL(compareWithBrute(ball, 1.2, 1000));
	CALL(compareWithBrute(helix, 1.3, 1500));
	plDestroyMesh(torus);
	plDestroyMesh(ball);
	plDestroyMesh(helix);
}

// Twenty slivers on one side of a spike outweigh its other sides, unless each counts by its angle.
TEST(the_side_of_a_vertex_does_not_depend_on_how_its_faces_are_cut)
{
	enum
	{
		slivers = 20,
		ring = slivers + 3
	};
	double vertices[3 * (ring + 2)] = {0.0, 1.0, 0.0, 0.0, 0.0, 0.0}; // apex, middle of the base, around the base
	uint32_t faces[6 * ring];
	for (size_t i = 0; i < ring; ++i)
	{
		double* x = vertices + 3 * (i + 2);
		x[0] = i <= slivers ? 0.1 : -0.1;
		x[1] = 0.0;
		x[2] = i <= slivers ? -0.1 + 0.2 * (double)i / slivers : i == slivers + 1 ? 0.1 : -0.1;
		uint32_t a = (uint32_t)i + 2, b = (uint32_t)((i + 1) % ring) + 2;
		const uint32_t two[6] = {0, b, a, 1, a, b};
		memcpy(faces + 6 * i, two, sizeof two);
	}
	plMeshDef meshDef = plDefaultMeshDef();
	meshDef.vertices = vertices;
	meshDef.vertexCount = ring + 2;
	meshDef.triangles = faces;
	meshDef.triangleCount = 2 * ring;
	plMesh* spike = plCreateMesh(&meshDef, &error);
	plColliderDef def = ofKind(pl_shapeMesh);
	def.mesh = spike;
	plShape s;
	CHECK(plShape_Create(&s, &def, &heap, &error) == pl_success);
	uint64_t seed = 3;
	for (int n = 0; n < 500; ++n)
	{
		double x[3] = {0.3 * testRandom(&seed), 1.0 + 0.3 * testRandom(&seed), 0.3 * testRandom(&seed)};
		CHECK_NEAR(distanceOf(&s, x[0], x[1], x[2]).phi, bruteDistance(plMesh_GetView(spike), x), 1e-12);
	}
	plShape_Destroy(&s, &heap);
	plDestroyMesh(spike);
}

// The mesh of a box is a box: nearest points on faces, edges and corners, on both sides.
TEST(a_box_of_triangles_is_a_box)
{
	plMesh* mesh = plCreateBoxMesh(vec(1.0, 0.6, 0.8), (const size_t[3]){3, 1, 2}, 5, NULL, &error);
	plColliderDef plain = ofKind(pl_shapeBox), def = ofKind(pl_shapeMesh);
	plain.size = vec(2.0, 1.2, 1.6);
	plain.rotation = def.transform.rotation = uneven();
	def.mesh = mesh;
	def.transform.scale = 2.0;
	plShape box, tree;
	CHECK(plShape_Create(&tree, &def, &heap, &error) == pl_success);
	for (int k = 0; k < 3; ++k) // the mesh starts at the origin, the box is centred
		(&plain.centre.x)[k] = 0.5 * (tree.low[k] + tree.high[k]);
	CHECK(plShape_Create(&box, &plain, &heap, &error) == pl_success);
	uint64_t seed = 77;
	int faces = 0, edges = 0, corners = 0;
	for (int n = 0; n < 3000; ++n)
	{
		double x[3];
		for (int k = 0; k < 3; ++k)
			x[k] = (&plain.centre.x)[k] + 2.4 * testRandom(&seed);
		plDistance a = distanceOf(&box, x[0], x[1], x[2]), b = distanceOf(&tree, x[0], x[1], x[2]);
		CHECK_NEAR(a.phi, b.phi, 1e-14);
		for (int k = 0; k < 3; ++k)
			CHECK_NEAR(a.normal[k], b.normal[k], 1e-13 + 1e-14 / fabs(a.phi));
		CHECK_NEAR(a.bend, b.bend, 1e-12 * fabs(a.bend));
		bool along = a.axis[0] != 0.0 || a.axis[1] != 0.0 || a.axis[2] != 0.0;
		faces += a.bend == 0.0;
		edges += a.bend != 0.0 && along;
		corners += a.bend != 0.0 && !along;
	}
	CHECK(faces > 300 && edges > 300 && corners > 300);
	// On a face, an edge and a corner.
	CHECK_NEAR(distanceOf(&tree, 0.0, 0.0, 0.0).phi, 0.0, 1e-15);
	plShape_Destroy(&tree, &heap);
	plShape_Destroy(&box, &heap);
	plDestroyMesh(mesh);
	CHECK(heap.bytes == 0);
}

// ---- what is refused -----------------------------------------------------------------------------------------------

static const double tetVertices[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1};
static const uint32_t tetFaces[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

static void refusedSurface(const uint32_t* faces, size_t count, const double* vertices, size_t vertexCount,
                           const char* words)
{
	plMeshDef meshDef = plDefaultMeshDef();
	meshDef.vertices = vertices;
	meshDef.vertexCount = vertexCount;
	meshDef.triangles = faces;
	meshDef.triangleCount = count;
	plMesh* mesh = plCreateMesh(&meshDef, &error);
	if (mesh == NULL)
		FAIL_("%s", error.message);
	plColliderDef def = ofKind(pl_shapeMesh);
	def.mesh = mesh;
	plShape s;
	plResult result = plShape_Create(&s, &def, &heap, &error);
	plDestroyMesh(mesh);
	if (words == NULL)
	{
		if (result != pl_success)
			FAIL_("%s", error.message);
		plShape_Destroy(&s, &heap);
		return;
	}
	CHECK(result == pl_errorInput);
	if (strstr(error.message, words) == NULL)
		FAIL_("\"%s\" does not say \"%s\"", error.message, words);
	CHECK(heap.bytes == 0);
}

TEST(surfaces_without_an_inside_are_refused_by_name_and_place)
{
	uint32_t f[24];
	CALL(refusedSurface(tetFaces, 4, tetVertices, 4, NULL));
	CALL(refusedSurface(tetFaces, 3, tetVertices, 4, "open: edge 1-2 belongs to triangle 0 alone"));
	memcpy(f, tetFaces, sizeof tetFaces);
	f[12] = 1, f[13] = 2, f[14] = 4;
	CALL(refusedSurface(f, 5, tetVertices, 5, "not manifold: edge 1-2 belongs to 3 triangles, the first of them 0"));
	memcpy(f, tetFaces, sizeof tetFaces);
	f[0] = 2, f[1] = 0;
	CALL(refusedSurface(f, 4, tetVertices, 4, "triangles 0 and 1 disagree on where the outside is"));
	for (size_t i = 0; i < 12; i += 3)
		f[i] = tetFaces[i + 1], f[i + 1] = tetFaces[i], f[i + 2] = tetFaces[i + 2];
	CALL(refusedSurface(f, 4, tetVertices, 4, "inside out: its volume is -0.1666"));
	// Two tetrahedra that share vertex 0 alone.
	double two[21];
	memcpy(two, tetVertices, 12 * sizeof(double));
	for (int i = 0; i < 9; ++i)
		two[12 + i] = -tetVertices[3 + i];
	memcpy(f, tetFaces, sizeof tetFaces);
	for (size_t i = 0; i < 12; i += 3) // mirrored: turned round
		for (size_t k = 0; k < 3; ++k)
		{
			uint32_t v = tetFaces[i + (k == 2 ? 2 : 1 - k)];
			f[12 + i + k] = v == 0 ? 0 : v + 3;
		}
	CALL(refusedSurface(f, 8, two, 7, "not manifold: parts of it meet in vertex 0 alone"));
	// A needle: vertex 3 on the line 0-1.
	double flat[12];
	memcpy(flat, tetVertices, sizeof flat);
	flat[9] = 0.5, flat[11] = 0.0;
	CALL(refusedSurface(tetFaces, 4, flat, 4, "triangle 1 (vertices 0 1 3) has no area"));
	// A body of tets has a surface; cloth is open.
	plMesh* cloth = plCreateClothMesh(1.0, 1.0, (const size_t[2]){2, 2}, pl_clothAlternating, NULL, &error);
	plMeshView view = plMesh_GetView(cloth);
	CALL(refusedSurface(view.surface, view.surfaceCount, view.vertices, view.vertexCount, "the surface is open"));
	plDestroyMesh(cloth);
}

static void refusedDef(plColliderDef def, const char* words)
{
	plShape s;
	error.message[0] = 0;
	CHECK(plShape_Create(&s, &def, &heap, &error) == pl_errorInput);
	CHECK_TEXT(error.message, words);
	CHECK(heap.bytes == 0);
}

TEST(bad_numbers_are_refused)
{
	plColliderDef def = ofKind(pl_shapePlane);
	def.normal = vec(0.0, 0.0, 0.0);
	CALL(refusedDef(def, "plane: its normal has no direction"));
	def.normal = vec(0.0, NAN, 0.0);
	CALL(refusedDef(def, "plane: its normal or offset is not finite"));
	def = ofKind(pl_shapeSphere);
	def.radius = 0.0;
	CALL(refusedDef(def, "sphere: radius is 0 m, it must be above 0"));
	def.radius = NAN;
	CALL(refusedDef(def, "sphere: radius is nan m, it must be above 0"));
	def.radius = 1.0;
	def.centre = vec(INFINITY, 0.0, 0.0);
	CALL(refusedDef(def, "sphere: its centre is not finite"));
	def = ofKind(pl_shapeCapsule);
	def.radius = -1.0;
	CALL(refusedDef(def, "capsule: radius is -1 m, it must be above 0"));
	def = ofKind(pl_shapeBox);
	def.size.y = 0.0;
	CALL(refusedDef(def, "box: an edge is 0 m long, it must be above 0"));
	def.size.y = 1.0;
	def.rotation.s = 2.0;
	CALL(refusedDef(def, "box: its rotation is not a unit quaternion (norm 2)"));
	def = ofKind((plShapeKind)77);
	CALL(refusedDef(def, "collider: shape 77 does not exist"));
}
