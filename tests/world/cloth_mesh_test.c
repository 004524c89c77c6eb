// cloth_mesh_test.c: surfaces of all sorts as cloth: holes, tubes, spheres, parts, crowds, slivers, fans, bands with
// one side; every one is stepped by direct, by cycles and by sweeps to the same place
#include "sheet.h"

#include "world/world.h"

#define PI 3.14159265358979323846

// A mesh in the making
typedef struct Surface
{
	double* x;
	uint32_t* triangles;
	size_t n, count;
} Surface;

static void open(Surface* s, size_t vertices, size_t triangles)
{
	*s = (Surface){malloc(3 * vertices * sizeof(double)), malloc(3 * triangles * sizeof(uint32_t)), 0, 0};
}

static uint32_t vertex(Surface* s, double x, double y, double z)
{
	memcpy(s->x + 3 * s->n, (double[3]){x, y, z}, 3 * sizeof(double));
	return (uint32_t)s->n++;
}

static void triangle(Surface* s, uint32_t a, uint32_t b, uint32_t c)
{
	memcpy(s->triangles + 3 * s->count++, (uint32_t[3]){a, b, c}, 3 * sizeof(uint32_t));
}

// Cells of a grid whose vertices are there already: `across` of them in a row, `stride` vertices apart
static void fillGrid(Surface* s, uint32_t first, size_t across, size_t along, size_t stride, bool wraps)
{
	for (uint32_t j = 0; j < along; ++j)
		for (uint32_t i = 0; i < across; ++i)
		{
			uint32_t next = wraps ? (uint32_t)((i + 1) % across) : i + 1, a = first + j * (uint32_t)stride + i;
			uint32_t b = first + j * (uint32_t)stride + next, c = a + (uint32_t)stride, d = b + (uint32_t)stride;
			triangle(s, a, b, (i + j) % 2 ? c : d);
			triangle(s, (i + j) % 2 ? b : a, d, c);
		}
}

// ---- shapes ---------------------------------------------------------------------------------------------------------

enum
{
	cells = 12
};

static void makeHoles(Surface* s)
{
	open(s, (cells + 1) * (cells + 1), 2 * cells * cells);
	for (size_t k = 0; k < (cells + 1) * (cells + 1); ++k)
		vertex(s, (double)(k % (cells + 1)) / cells, 0.0, (double)(k / (cells + 1)) / cells);
	fillGrid(s, 0, cells, cells, cells + 1, false);
	size_t kept = 0;
	for (size_t t = 0; t < s->count; ++t)
	{
		size_t i = t / 2 % cells, j = t / 2 / cells;
		bool isHole = (i >= 3 && i < 5 && j >= 3 && j < 6) || (i == 8 && j == 8);
		if (!isHole)
			memmove(s->triangles + 3 * kept++, s->triangles + 3 * t, 3 * sizeof(uint32_t));
	}
	s->count = kept;
	// the one vertex inside of the larger hole belongs to nothing now: the last one takes its place
	size_t gone[2] = {4 * (cells + 1) + 4, 5 * (cells + 1) + 4};
	for (size_t g = 0; g < 2; ++g)
	{
		s->n--;
		memcpy(s->x + 3 * gone[g], s->x + 3 * s->n, 3 * sizeof(double));
		for (size_t c = 0; c < 3 * s->count; ++c)
			s->triangles[c] = s->triangles[c] == s->n ? (uint32_t)gone[g] : s->triangles[c];
	}
}

static void makeTube(Surface* s)
{
	open(s, 2 * cells * (cells + 1), 4 * cells * cells);
	for (size_t k = 0; k < 2 * cells * (cells + 1); ++k)
	{
		double angle = 2.0 * PI * (double)(k % (2 * cells)) / (2 * cells);
		vertex(s, 0.3 * cos(angle), 0.5 - (double)(k / (2 * cells)) / cells, 0.3 * sin(angle));
	}
	fillGrid(s, 0, 2 * cells, cells, 2 * cells, true);
}

static void takeSurface(Surface* s, plMesh* mesh)
{
	plMeshView m = plMesh_GetView(mesh);
	uint32_t* number = malloc(m.vertexCount * sizeof *number);
	memset(number, 0xff, m.vertexCount * sizeof *number);
	open(s, m.vertexCount, m.surfaceCount);
	for (size_t c = 0; c < 3 * m.surfaceCount; ++c)
	{
		const double* x = m.vertices + 3 * (size_t)m.surface[c];
		if (number[m.surface[c]] == UINT32_MAX)
			number[m.surface[c]] = vertex(s, x[0], x[1], x[2]);
		s->triangles[c] = number[m.surface[c]];
	}
	s->count = m.surfaceCount;
	free(number);
	plDestroyMesh(mesh);
}

static void makeSphere(Surface* s)
{
	takeSurface(s, plCreateSphereMesh(0.5, 4, NULL, NULL));
}

static void makeRing(Surface* s)
{
	takeSurface(s, plCreateTorusMesh(0.4, 0.15, (size_t[2]){24, 2}, NULL, NULL));
}

// Three squares that have nothing in common, the last one of two triangles
static void makeParts(Surface* s)
{
	static const size_t sizes[3] = {cells, 5, 1};
	open(s, 400, 600);
	for (size_t part = 0; part < 3; ++part)
	{
		size_t n = sizes[part], first = s->n;
		for (size_t k = 0; k < (n + 1) * (n + 1); ++k)
			vertex(s, 1.3 * (double)part + (double)(k % (n + 1)) / (double)n, 0.0, (double)(k / (n + 1)) / (double)n);
		fillGrid(s, (uint32_t)first, n, n, n + 1, false);
	}
}

// Three pages at one spine, and a fourth piece that touches the spine's end in one vertex only
static void makeBook(Surface* s)
{
	open(s, 400, 800);
	for (uint32_t j = 0; j <= 8; ++j)
		vertex(s, 0.0, 0.5 - 0.1 * j, 0.0);
	for (uint32_t page = 0; page < 3; ++page)
	{
		uint32_t first = (uint32_t)s->n;
		for (uint32_t k = 0; k < 8 * 9; ++k)
		{
			double out = 0.1 * (1 + k % 8), angle = 2.0 * PI * page / 3.0;
			vertex(s, out * cos(angle), 0.5 - 0.1 * (k / 8), out * sin(angle));
		}
		fillGrid(s, first, 7, 8, 8, false);
		for (uint32_t j = 0; j < 8; ++j)
		{
			triangle(s, j, first + 8 * j, first + 8 * (j + 1));
			triangle(s, j, first + 8 * (j + 1), j + 1);
		}
	}
	uint32_t a = vertex(s, 0.3, -0.6, 0.0), b = vertex(s, -0.3, -0.6, 0.0);
	triangle(s, 8, b, a);
}

// Triangles a thousand times as long as high, beside others of a good shape
static void makeSlivers(Surface* s)
{
	open(s, (cells + 1) * (cells + 1), 2 * cells * cells);
	for (size_t k = 0; k < (cells + 1) * (cells + 1); ++k)
	{
		size_t i = k % (cells + 1), j = k / (cells + 1);
		double x = i % 2 ? (double)(i - 1) / cells + 1e-4 : (double)i / cells;
		vertex(s, x, 0.0, (double)j / cells);
	}
	fillGrid(s, 0, cells, cells, cells + 1, false);
}

// All triangles meet in one vertex
static void makeFan(Surface* s)
{
	enum
	{
		blades = 300
	};
	open(s, blades + 1, blades);
	uint32_t hub = vertex(s, 0.0, 0.0, 0.0);
	for (uint32_t k = 0; k < blades; ++k)
		vertex(s, 0.5 * cos(2.0 * PI * k / blades), 0.0, 0.5 * sin(2.0 * PI * k / blades));
	for (uint32_t k = 0; k < blades; ++k)
		triangle(s, hub, 1 + (k + 1) % blades, 1 + k);
}

// A band with one side: somewhere two neighbours face opposite ways
static void makeBand(Surface* s)
{
	enum
	{
		around = 36,
		wide = 4
	};
	open(s, around * (wide + 1), 2 * around * wide);
	for (uint32_t i = 0; i < around; ++i)
		for (uint32_t j = 0; j <= wide; ++j)
		{
			double angle = 2.0 * PI * i / around, out = 0.5 + 0.08 * (j - 0.5 * wide) * cos(0.5 * angle);
			vertex(s, out * cos(angle), 0.08 * (j - 0.5 * wide) * sin(0.5 * angle), out * sin(angle));
		}
	for (uint32_t i = 0; i < around; ++i)
		for (uint32_t j = 0; j < wide; ++j)
		{
			bool isLast = i + 1 == around; // there the other side begins
			uint32_t a = i * (wide + 1) + j, b = a + 1, next = (i + 1) % around * (wide + 1);
			uint32_t c = next + (isLast ? wide - j : j), d = next + (isLast ? wide - j - 1 : j + 1);
			triangle(s, a, b, c);
			triangle(s, b, d, c);
		}
}

static void makeTriangle(Surface* s)
{
	open(s, 3, 1);
	vertex(s, 0.0, 0.0, 0.0);
	vertex(s, 1.0, 0.0, 0.0);
	vertex(s, 0.2, 0.0, 0.8);
	triangle(s, 0, 2, 1);
}

static const struct
{
	const char* name;
	void (*make)(Surface* s);
	plEdgeCounts edges; // but for their number: border, crowded, turned
} shapes[] = {{"holes", makeHoles, {0, 4 * cells + 10 + 4, 0, 0}},
              {"tube", makeTube, {0, 4 * cells, 0, 0}},
              {"sphere", makeSphere, {0, 0, 0, 0}},
              {"ring", makeRing, {0, 0, 0, 0}},
              {"parts", makeParts, {0, 4 * (cells + 5 + 1), 0, 0}},
              {"book", makeBook, {0, 3 * (8 + 2 * 8) + 3, 8, 0}},
              {"slivers", makeSlivers, {0, 4 * cells, 0, 0}},
              {"fan", makeFan, {0, 300, 0, 0}},
              {"band", makeBand, {0, 72, 0, 4}},
              {"triangle", makeTriangle, {0, 3, 0, 0}}};

enum
{
	shapeCount = sizeof shapes / sizeof *shapes
};

static plMesh* meshOf(int shape)
{
	Surface s;
	plError error = {0};
	shapes[shape].make(&s);
	plMeshDef def = plDefaultMeshDef();
	def.vertices = s.x;
	def.vertexCount = s.n;
	def.triangles = s.triangles;
	def.triangleCount = s.count;
	plMesh* mesh = plCreateMesh(&def, &error);
	if (mesh == NULL)
	{
		fprintf(stderr, "%s: %s\n", shapes[shape].name, error.message);
		exit(1);
	}
	free(s.x);
	free(s.triangles);
	return mesh;
}

// ---- claims ---------------------------------------------------------------------------------------------------------

TEST(shapes_have_the_edges_that_they_are_made_for)
{
	for (int s = 0; s < shapeCount; ++s)
	{
		WITH("shape %s", shapes[s].name);
		plMesh* mesh = meshOf(s);
		plMeshView view = plMesh_GetView(mesh);
		plEdgeCounts counts, e = shapes[s].edges;
		CHECK(plMeshView_CountEdges(&view, &counts, NULL) == pl_success);
		CHECK(counts.border == e.border && counts.crowded == e.crowded && counts.turned == e.turned);
		CHECK(counts.edges >= 3);
		plDestroyMesh(mesh);
	}
}

static Fixture makeShape(int shape, const plSolverDef* solver, plMembraneLaw law, plBendingModel model)
{
	Fixture f = {0};
	plWorldDef wd = plDefaultWorldDef();
	wd.solver = *solver;
	wd.timestep = 1.0 / 100.0;
	plClothDef def = clothOf(law, model);
	def.membrane.young = 2e5;
	def.membrane.limitStiffness = 200.0;
	def.bending.stiffness = 1e-4;
	plMesh* mesh = meshOf(shape);
	def.mesh = mesh;
	f.world = plCreateWorld(&wd, &f.error);
	f.body = plCreateCloth(f.world, &def, &f.error);
	f.n = plBody_GetVertexCount(f.world, f.body);
	f.m = plBody_GetTriangleCount(f.world, f.body);
	uint32_t first = 0;
	plPinDef pin = pinOf(&f, &first);
	plCreatePin(f.world, &pin, &f.error);
	plDestroyMesh(mesh);
	return f;
}

// All of newton's family: with a factor, and with levels of the mesh in four places of theirs
static plSolverDef wayOf(int way)
{
	static const plMethod methods[] = {pl_methodNewton, pl_methodMultigrid, pl_methodMultigrid, pl_methodNewtonCg,
	                                   pl_methodQuasiNewton};
	plSolverDef def = plDefaultSolverDef(methods[way]);
	def.iterations = way == 4 ? 4000 : 200;
	def.tolerance = 1e-10;
	def.precision = pl_precisionDouble;
	def.cycle.kind = way == 2 ? pl_cycleFmg : pl_cycleCg;
	if (way == 3)
		def.preconditioner = pl_preconditionerMultigrid;
	if (way == 4)
		def.linear = pl_linearMultigrid;
	return def;
}

// Where the way with levels ends, newton ends, whatever the mesh is like.
PLAIN_TEST(every_shape_is_stepped_to_newtons_place)
{
	static const char* const names[] = {"newton", "multigrid", "multigrid fmg", "newton-cg multigrid",
	                                    "quasi-newton multigrid"};
	for (int s = 0; s < shapeCount; ++s)
	{
		plSolverDef solver = wayOf(0);
		Fixture a = makeShape(s, &solver, pl_membraneStvk, pl_bendingQuadratic);
		for (int i = 0; i < 3; ++i)
			CHECK(plWorld_Step(a.world, NULL, &a.error) >= 0);
		for (int way = 1; way < 5; ++way)
		{
			WITH("shape %s, %s", shapes[s].name, names[way]);
			solver = wayOf(way);
			Fixture b = makeShape(s, &solver, pl_membraneStvk, pl_bendingQuadratic);
			bool isSlivers = strcmp(shapes[s].name, "slivers") == 0, converged = true;
			plStepReport report;
			for (int i = 0; i < 3; ++i)
			{
				CHECK(plWorld_Step(b.world, &report, &b.error) >= 0);
				converged = converged && report.converged;
			}
			CHECK(converged || (isSlivers && way == 2)); // fmg does not get there, and says so
			if (converged)
				CHECK_BELOW(apart(&a, &b), isSlivers ? 1e-5 : 1e-7);
			destroyFixture(&b);
		}
		destroyFixture(&a);
	}
}

// With every law and model, by the methods that take all of them: no step fails, and nothing is lost or flies away.
TEST(every_law_and_model_takes_every_shape)
{
	static const plMethod methods[] = {pl_methodNewton, pl_methodVbd, pl_methodAvbd, pl_methodMultigrid};
	for (int s = 0; s < shapeCount; ++s)
		for (plMembraneLaw law = 0; law < pl_membraneLawCount; ++law)
		{
			plBendingModel model = (plBendingModel)((law + s) % pl_bendingModelCount);
			plMethod method = methods[(law + s) % 4];
			WITH("shape %s, law %s, model %s, method %s", shapes[s].name, plMembraneLaw_GetName(law),
			     plBendingModel_GetName(model), plMethod_GetName(method));
			plSolverDef solver = plDefaultSolverDef(method);
			Fixture f = makeShape(s, &solver, law, model);
			double *x = malloc(3 * f.n * sizeof *x), most = 0.0;
			for (int i = 0; i < 5; ++i)
				CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
			plBody_GetPositions(f.world, f.body, x);
			for (size_t i = 0; i < 3 * f.n; ++i)
				most = fmax(most, fabs(x[i]));
			CHECK(most < 5.0);
			free(x);
			destroyFixture(&f);
		}
}

// A crowd bends freely: its three pages fall as if each hung by itself, and no edge there has an element.
TEST(no_edge_of_a_crowd_bends)
{
	plSolverDef solver = wayOf(0);
	Fixture f = makeShape(5, &solver, pl_membraneStvk, pl_bendingQuadratic);
	const plBendList* bends = &plWorld_GetSoftBody(f.world, f.body)->cloth->bends;
	for (size_t e = 0; e < bends->count; ++e)
		CHECK(bends->corners[4 * e] > 8 || bends->corners[4 * e + 1] > 8); // the spine is vertices 0 to 8
	destroyFixture(&f);
}
