// space_test.c: vectors of the cpu run over all quads of a layout, those of poses too
#include "backend/cpu/isa.h"
#include "backend/cpu/problem.h"
#include "backend/cpu/vectors.h"
#include "method/initial_matrix.h"
#include "method/newton_system.h"
#include "heap.h"

enum
{
	vertexCount = 3,
	poseCount = 2,
	quadCount = vertexCount + 2 * poseCount,
	length = pl_quad * quadCount
};

// A problem that has a space, and no more
typedef struct Space
{
	plCpuProblem problem;
	double partial[64];
	uint8_t held[quadCount];
} Space;

static void openSpace(Space* s)
{
	*s = (Space){.problem = {.base = {.space = &plCpuSpace, .heap = &heap, .layout = {vertexCount, poseCount}}}};
	s->problem.base.held = s->held;
	s->problem.partial = s->partial;
	s->problem.bundles = plCpu_GetBundleKernels();
	CHECK(plPartialCount(quadCount, 3) <= sizeof s->partial / sizeof *s->partial);
}

// x y z 0 of every quad, all different
static void fill(double numbers[length], double first)
{
	for (size_t i = 0; i < quadCount; ++i)
		for (size_t k = 0; k < pl_quad; ++k)
			PL_AT(numbers, i)[k] = k < 3 ? first + (double)(3 * i + k) : 0.0;
}

TEST(a_layout_counts_vertices_and_poses)
{
	plLayout layout = {vertexCount, poseCount};
	double numbers[length];
	CHECK(plLayout_GetQuadCount(layout) == quadCount && plLayout_GetLength(layout) == length);
	CHECK(plLayout_GetLength((plLayout){0}) == 0);
	CHECK(PL_AT(numbers, quadCount) == numbers + length && &PL_AT(numbers, 1 + 1)[2] == numbers + 10);
}

TEST(points_and_tangents_have_a_place_for_every_quad)
{
	Space s;
	plProblem* p = &s.problem.base;
	openSpace(&s);
	double q[length], v[length], back[length], sum = 0.0;
	fill(q, 1.0);
	fill(v, 0.5);
	s.held[1] = pl_axisY;
	s.held[quadCount - 1] = pl_axisAll; // the turn of the last pose
	plPoint *a = p->space->newPoint(p), *b = p->space->newPoint(p);
	plTangent* d = p->space->newTangent(p);
	p->space->load(p, a, q);
	p->space->loadTangent(p, d, v);
	p->space->advance(p, b, a, 2.0, d);
	p->space->store(p, back, b);
	for (size_t i = 0; i < quadCount; ++i)
		for (size_t k = 0; k < pl_quad; ++k)
		{
			double step = (s.held[i] >> k) & 1 ? 0.0 : PL_AT(v, i)[k];
			CHECK(PL_AT(back, i)[k] == PL_AT(q, i)[k] + 2.0 * step);
			sum += step * step;
		}
	CHECK(p->space->dot(p, d, d) == sum);
	p->space->storeTangent(p, back, d);
	for (size_t i = 0; i < quadCount; ++i)
		for (size_t k = 0; k < pl_quad; ++k)
			CHECK(PL_AT(back, i)[k] == ((s.held[i] >> k) & 1 ? 0.0 : PL_AT(v, i)[k]));
	p->space->difference(p, d, b, a);
	CHECK(p->space->dot(p, d, d) == 4.0 * sum);
	p->space->fillNoise(p, d);
	for (size_t i = 0; i < quadCount; ++i)
		CHECK(PL_AT(plTangentData(d), i)[2] != 0.0 && PL_AT(plTangentData(d), i)[3] == 0.0);
	p->space->freePoint(p, a);
	p->space->freePoint(p, b);
	p->space->freeTangent(p, d);
	CHECK(heap.bytes == 0);
}

TEST(a_bundle_remembers_every_quad)
{
	Space s;
	plProblem* p = &s.problem.base;
	openSpace(&s);
	double numbers[length], zero[length] = {0.0}, products[3], dots[1], sum = 0.0, weight = -1.0;
	fill(numbers, 1.0);
	for (size_t i = 0; i < length; ++i)
		sum += numbers[i] * numbers[i];
	plTangent *d = p->space->newTangent(p), *last = p->space->newTangent(p);
	plBundle *bundle = p->space->newBundle(p, 1), *changes = p->space->newBundle(p, 1);
	p->space->loadTangent(p, d, numbers);
	p->space->loadTangent(p, last, zero);
	p->space->storePair(p, bundle, changes, 0, &(plPair){.alpha = 2.0, .d = d, .last = last, .g = d}, products);
	CHECK(products[0] == 4.0 * sum && products[1] == 2.0 * sum && products[2] == sum);
	p->space->dotBundle(p, bundle, 1, d, dots);
	CHECK(dots[0] == 2.0 * sum);
	p->space->combineBundle(p, d, 2.0, d, bundle, 1, &weight);
	CHECK(p->space->dot(p, d, d) == 0.0);
	p->space->freeTangent(p, d);
	p->space->freeTangent(p, last);
	p->space->freeBundle(p, bundle);
	p->space->freeBundle(p, changes);
	CHECK(heap.bytes == 0);
}

// ---- who knows vertices only ----------------------------------------------------------------------------------------

static int refusals;

static bool countRefusal(const char* condition, const char* words, const char* file, int line)
{
	(void)words;
	(void)file;
	(void)line;
	refusals += strstr(condition, "poseCount == 0") != NULL;
	return true; // go on
}

TEST(matrices_with_rows_of_vertices_refuse_poses)
{
	Space s;
	plProblem* p = &s.problem.base;
	plSolverDef def = plDefaultSolverDef(pl_methodQuasiNewton);
	openSpace(&s);
	plSetAssertHandler(countRefusal);
	refusals = 0;
	def.matrix = pl_matrixIdentity;
	plInitialMatrix_Destroy(plInitialMatrix_Create(p, &def), p);
	CHECK(refusals == 0);
	def.matrix = pl_matrixLaplacian;
	plInitialMatrix_Destroy(plInitialMatrix_Create(p, &def), p);
	CHECK(refusals == 1);
	plNewtonSystem_Destroy(plNewtonSystem_Create(p, def.factorisation), p);
	CHECK(refusals == 2);
	p->layout.poseCount = 0;
	plInitialMatrix_Destroy(plInitialMatrix_Create(p, &def), p);
	plNewtonSystem_Destroy(plNewtonSystem_Create(p, def.factorisation), p);
	CHECK(refusals == 2 && heap.bytes == 0);
	plSetAssertHandler(NULL);
}
