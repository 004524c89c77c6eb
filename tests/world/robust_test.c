// robust_test.c: a box 1 x 1 x 3 m under `descent`, pulled, pressed, wrung and thrown about
//
// Both ends are held; one of them moves for the first third of the steps (to 3 times the length, to 0.3 times, or once
// round), rests for a sixth, and then both are released. In every step the objective that descent reaches is compared
// with newton's from the same state:
//
//   eps - eps* <= 1e-3 (eps(q_t) - eps*) + rounding
//
// with as many iterations as it takes: 96, and four times that until it holds. At the end no element is inverted, and
// the shape is that of rest up to a rigid motion, within 0.1 % of the size. E = 1e5 Pa, nu = 0.4, 1000 kg/m^3, no
// gravity; air damping of 4/s lets it come to rest.
//
// StVK softens below 0.6 times its length and its minimiser is then not unique: while an element is squeezed that far
// the objective is not judged, and afterwards not the shape.
//
// Bodies whose vertices are all thrown about: with `convert` every one must come back to its rest shape. With `extend`
// the law itself has minima that are not at rest: elements that turned back the other way go twice round an edge, and
// to unwind them would take inverted elements (energy/winding.c counts the turns). So a body that does not come back
// must have a wound edge, elements that stay inverted must be at one, and it must lie in a minimum: pushed by 0.1 % of
// its length and left to newton it returns to the same shape.
//
// `make test` runs a part of it. The long cases (`world_robust_test --long every_law`, `--long settle`) take all
// laws, motions and time steps on a finer box or throw the vertices about, for one model of inversion each, and print a
// line for each run.
#include "fixture.h"
#include "energy/tet_layout.h"
#include "energy/winding.h"
#include "pliant/compare.h"

#include <time.h>

static const double length = 3.0;
static const int ladder[] = {96, 384, 1536, 6144, 24576};
enum
{
	rungs = sizeof ladder / sizeof *ladder
};

typedef enum Motion
{
	motionStretch,
	motionCompress,
	motionTwist,
	motionCount
} Motion;

static const char* const motionNames[] = {"stretched to 3", "compressed to 0.3", "twisted by 360"};
static const char* const inversionNames[] = {"extend", "convert"};
static const plLaw laws[] = {pl_lawStvk, pl_lawNeoHookean, pl_lawMooneyRivlin, pl_lawFung};

typedef struct Case
{
	plLaw law;
	plInversion inversion;
	Motion motion;
	double h;
	int steps;
	size_t cells[3];
} Case;

typedef struct Outcome
{
	bool finite;
	double extent;     // of the farthest vertex from the middle, m
	double worstError; // (eps - eps*) / (eps(q_t) - eps*) beyond rounding
	int unmet;         // steps for which no rung was enough
	int taken[rungs];  // steps that took so many iterations
	size_t mostInverted, inverted;
	int upright;   // steps after the release until no element is inverted for good
	double shape;  // largest distance from the rest shape, after a rigid motion, over the size
	bool softened; // StVK below 0.6
	double seconds;
} Outcome;

// ---- the shape at rest ----------------------------------------------------------------------------------------------

static double det3(const double a[9])
{
	return a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) + a[2] * (a[3] * a[7] - a[4] * a[6]);
}

// The rotation nearest to A: R <- (R + R^-T)/2 converges to its polar factor.
static void nearestRotation(double r[9])
{
	for (int k = 0; k < 100; ++k)
	{
		const double c[9] = {
		    r[4] * r[8] - r[5] * r[7], r[5] * r[6] - r[3] * r[8], r[3] * r[7] - r[4] * r[6],
		    r[2] * r[7] - r[1] * r[8], r[0] * r[8] - r[2] * r[6], r[1] * r[6] - r[0] * r[7],
		    r[1] * r[5] - r[2] * r[4], r[2] * r[3] - r[0] * r[5], r[0] * r[4] - r[1] * r[3],
		};
		double d = det3(r);
		for (int i = 0; i < 9; ++i)
			r[i] = 0.5 * (r[i] + c[i] / d);
	}
}

static void centre(double* x, size_t n)
{
	for (size_t k = 0; k < 3; ++k)
	{
		double mean = 0.0;
		for (size_t i = 0; i < n; ++i)
			mean += x[3 * i + k] / (double)n;
		for (size_t i = 0; i < n; ++i)
			x[3 * i + k] -= mean;
	}
}

// Largest |x - R X| over the length of the box, both about their middles; X is moved there.
static double distanceFrom(const Fixture* f, double* X)
{
	double *x = malloc(3 * f->n * sizeof *x), a[9] = {0}, worst = 0.0;
	plBody_GetPositions(f->world, f->body, x);
	centre(x, f->n);
	centre(X, f->n);
	for (size_t i = 0; i < f->n; ++i)
		for (size_t k = 0; k < 9; ++k)
			a[k] += x[3 * i + k / 3] * X[3 * i + k % 3];
	nearestRotation(a);
	for (size_t i = 0; i < f->n; ++i)
	{
		double square = 0.0;
		for (size_t k = 0; k < 3; ++k)
		{
			const double* r = a + 3 * k;
			double d = x[3 * i + k] - (r[0] * X[3 * i] + r[1] * X[3 * i + 1] + r[2] * X[3 * i + 2]);
			square += d * d;
		}
		worst = fmax(worst, sqrt(square));
	}
	free(x);
	return det3(a) > 0.0 ? worst / length : INFINITY;
}

static double shapeError(const Fixture* f)
{
	double* rest = malloc(3 * f->n * sizeof *rest);
	plBody_GetRestPositions(f->world, f->body, rest);
	double error = distanceFrom(f, rest);
	free(rest);
	return error;
}

static double extentOf(const Fixture* f)
{
	double *x = malloc(3 * f->n * sizeof *x), worst = 0.0;
	plBody_GetPositions(f->world, f->body, x);
	centre(x, f->n);
	for (size_t i = 0; i < 3 * f->n; ++i)
		worst = fmax(worst, fabs(x[i]));
	free(x);
	return worst;
}

// Is a stretch below `limit`, that is, is F'F - limit^2 not positive definite, in some element?
static bool isSqueezed(Fixture* f, double limit)
{
	double* F = malloc(9 * f->m * sizeof *F);
	bool found = plBody_GetDeformations(f->world, f->body, F, &f->error) != pl_success;
	for (size_t t = 0; t < f->m && !found; ++t)
	{
		double c[9];
		const double* a = F + 9 * t;
		for (size_t k = 0; k < 9; ++k)
			c[k] = a[k / 3] * a[k % 3] + a[3 + k / 3] * a[3 + k % 3] + a[6 + k / 3] * a[6 + k % 3] -
			       (k % 4 == 0 ? limit * limit : 0.0);
		found = !(c[0] > 0.0 && c[0] * c[4] - c[1] * c[3] > 0.0 && det3(c) > 0.0 && det3(a) > 0.0);
	}
	free(F);
	return found;
}

// ---- the box --------------------------------------------------------------------------------------------------------

static Fixture makeBox(const Case* c, plSolverDef solver)
{
	plWorldDef wd = newtonWorldDef();
	wd.gravity = (plVec3){0.0, 0.0, 0.0};
	wd.timestep = c->h;
	wd.solver = solver;
	plSoftBodyDef bd = softBody(c->law, 1e5, 0.4, 1000.0);
	bd.material.inversion = c->inversion;
	bd.damping.air = 4.0;
	return makeFixture(&wd, &bd, (plVec3){1.0, 1.0, length}, c->cells, false);
}

static void holdEnds(Fixture* f, const Case* c)
{
	uint32_t* face = malloc(f->n * sizeof *face);
	double moving = c->h * (c->steps / 3);
	for (int end = 0; end < 2; ++end)
	{
		double z = end ? length : 0.0;
		plPinDef pin = pinInBox(f, (plVec3){-9.0, -9.0, z - 1e-9}, (plVec3){9.0, 9.0, z + 1e-9}, face);
		pin.release = c->h * (c->steps / 2);
		pin.motion.until = moving;
		if (end && c->motion == motionTwist)
		{
			pin.motion.rotateAxis = (plVec3){0.0, 0.0, 1.0};
			pin.motion.rotateAngle = 2.0 * acos(-1.0);
		}
		else if (end)
			pin.motion.translate.z = length * (c->motion == motionStretch ? 2.0 : -0.7);
		plCreatePin(f->world, &pin, &f->error);
	}
	free(face);
}

// ---- steps ----------------------------------------------------------------------------------------------------------

typedef struct Last
{
	double objective;
} Last;

static void keepLast(const plCompareSample* sample, void* context)
{
	((Last*)context)->objective = sample->objective;
}

// How far above newton a budget leaves descent, over what there is to gain: from the very step, or, where the objective
// changes during it, from the comparison, which freezes that. Takes the step.
static bool tryStep(Fixture* f, const plSolverDef* solver, bool frozen, double* error, plStepReport* report)
{
	plSolverDef one = plDefaultSolverDef(pl_methodJacobi);
	one.iterations = 1;
	plComparison found;
	Last last;
	plResult compared = plWorld_Compare(f->world, frozen ? solver : &one, 1, keepLast, &last, &found, &f->error);
	if (plWorld_Step(f->world, report, &f->error) < 0)
		return false;
	double reached = frozen ? last.objective : report->objective;
	*error = compared < 0 ? 0.0 : (reached - found.best - found.noise) / (found.start - found.best);
	return compared >= 0 || f->error.code == pl_errorInput;
}

// The step with the least budget that does; index of that budget, -1 if the step failed.
static int takeStep(Fixture* f, plSolverDef* solver, bool frozen, const Case* c, double* error, plStepReport* report)
{
	size_t bytes = plWorld_GetStateSize(f->world);
	char* state = malloc(bytes);
	plWorld_SaveState(f->world, state);
	int rung = 0;
	for (bool fine = true;; ++rung)
	{
		solver->iterations = ladder[rung];
		plWorld_SetSolver(f->world, solver, NULL);
		fine = plWorld_LoadState(f->world, state, bytes, &f->error) == pl_success &&
		       tryStep(f, solver, frozen, error, report);
		bool excused = fine && c->law == pl_lawStvk && isSqueezed(f, 0.6);
		if (!fine)
			rung = -1;
		if (!fine || excused || *error <= 1e-3 || rung == rungs - 1)
			break;
	}
	free(state);
	return rung;
}

static Outcome runCase(const Case* c)
{
	plSolverDef solver = plDefaultSolverDef(pl_methodDescent);
	Fixture f = makeBox(c, solver);
	holdEnds(&f, c);
	Outcome o = {.finite = true};
	clock_t start = clock();
	for (int i = 0; i < c->steps && o.finite; ++i)
	{
		plStepReport report;
		double error = 0.0;
		int rung = takeStep(&f, &solver, c->inversion == pl_inversionConvert, c, &error, &report);
		o.finite = rung >= 0;
		if (!o.finite)
			break;
		bool squeezed = c->law == pl_lawStvk && isSqueezed(&f, 0.6);
		o.softened = o.softened || squeezed;
		if (!squeezed)
		{
			o.worstError = fmax(o.worstError, error);
			o.unmet += error > 1e-3;
			o.taken[rung]++;
		}
		o.extent = fmax(o.extent, extentOf(&f));
		o.inverted = report.inverted;
		o.mostInverted = o.inverted > o.mostInverted ? o.inverted : o.mostInverted;
		if (o.inverted > 0 && i >= c->steps / 2)
			o.upright = i + 1 - c->steps / 2;
	}
	o.shape = shapeError(&f);
	o.seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
	destroyFixture(&f);
	return o;
}

static void print(const Case* c, const Outcome* o)
{
	printf("    %-13s %-7s %-17s h = 1/%.0f: error %.1e, iterations", plLaw_GetName(c->law),
	       inversionNames[c->inversion], motionNames[c->motion], 1.0 / c->h, o->worstError);
	for (int r = 0; r < rungs; ++r)
		if (o->taken[r] > 0)
			printf(" %d x %d", o->taken[r], ladder[r]);
	printf(", inverted %zu, upright after %d, shape %.1e%s%s (%.0f s)\n", o->mostInverted, o->upright, o->shape,
	       o->shape > 1e-3 ? " (not that of rest)" : "", o->softened ? ", softened" : "", o->seconds);
	fflush(stdout);
}

static void check(const Case* c)
{
	WITH("law %s, %s, %s, time step %g s", plLaw_GetName(c->law), inversionNames[c->inversion], motionNames[c->motion],
	     c->h);
	Outcome o = runCase(c);
	print(c, &o);
	CHECK(o.finite);
	CHECK_BELOW(o.extent, 6.0); // half of 3 times its length is 4.5
	CHECK_BELOW(o.worstError, 1e-3);
	CHECK(o.unmet == 0 && o.inverted == 0);
	if (!o.softened)
		CHECK_BELOW(o.shape, 1e-3);
}

// ---- thrown about ---------------------------------------------------------------------------------------------------

typedef struct Recovery
{
	bool finite;
	int upright; // steps until no element is inverted for good
	size_t inverted;
	bool wound;         // elements go round an edge more than once, or not at all
	size_t outOfTangle; // inverted elements that do not touch such an edge
	double shape;
	double drift; // of a body that is not in its rest shape: how far a push moves it for good
	long iterations;
} Recovery;

static void throwVertices(Fixture* f, uint64_t seed)
{
	double* x = malloc(3 * f->n * sizeof *x);
	for (size_t i = 0; i < 3 * f->n; ++i)
		x[i] = (i % 3 == 2 ? length : 1.0) * 0.5 * (1.0 + testRandom(&seed));
	plBody_SetPositions(f->world, f->body, x);
	free(x);
}

// Marks of vertices at wound edges, from a table of the test's own: one element to a batch.
static void findWound(Fixture* f, const size_t cells[3], Recovery* r)
{
	plHeap heap;
	plHeap_Init(&heap, NULL);
	plMesh* mesh = plCreateBoxMesh((plVec3){1.0, 1.0, length}, cells, 5, NULL, &f->error);
	const uint32_t* tets = plMesh_GetView(mesh).tets;
	uint32_t *index = calloc(pl_tetIndices * f->m, sizeof *index), *slot = malloc(f->m * sizeof *slot);
	uint8_t* marks = calloc(f->n, 1);
	double *x = malloc(3 * f->n * sizeof *x), *q = calloc(4 * f->n, sizeof *q), *F = malloc(9 * f->m * sizeof *F);
	plBody_GetPositions(f->world, f->body, x);
	for (size_t i = 0; i < 3 * f->n; ++i)
		q[4 * (i / 3) + i % 3] = x[i];
	for (size_t t = 0; t < f->m; ++t)
	{
		slot[t] = (uint32_t)(pl_batchSize * t);
		for (size_t c = 0; c < 4; ++c)
			index[pl_tetIndices * t + pl_batchSize * c] = tets[4 * t + c];
	}
	plPatches patches;
	plWindings windings;
	uint16_t* corner = malloc(pl_tetIndices * f->m * sizeof *corner);
	const plPatchInput input = {4, f->m, index, corner};
	const plBatchKind kind = {.cornerCount = 4};
	const plBatches batches = {
	    .kind = &kind, .elementCount = f->m, .batchCount = f->m, .corner = corner, .patches = &patches};
	CHECK(plPatches_Create(&patches, &input, 1, x, f->n, &heap) == pl_success);
	CHECK(plWindings_Create(&windings, &batches, slot, f->n, &heap) == pl_success);
	CHECK(plBody_GetDeformations(f->world, f->body, F, &f->error) == pl_success);
	r->wound = plWindings_Mark(&windings, q, marks);
	for (size_t t = 0; t < f->m; ++t)
	{
		const uint32_t* c = tets + 4 * t;
		r->outOfTangle += det3(F + 9 * t) <= 0.0 && !marks[c[0]] && !marks[c[1]] && !marks[c[2]] && !marks[c[3]];
	}
	plWindings_Destroy(&windings, &heap);
	plPatches_Destroy(&patches, &heap);
	plDestroyMesh(mesh);
	free(index), free(corner), free(slot), free(marks), free(x), free(q), free(F);
}

static bool takeSteps(Fixture* f, int steps)
{
	bool fine = true;
	for (int i = 0; i < steps && fine; ++i)
		fine = plWorld_Step(f->world, NULL, &f->error) >= 0;
	return fine;
}

// Newton takes over until the body is at rest; then every vertex is pushed by up to 0.1 % of the length, and it goes
// on: does the body return to where it was?
static double driftAfterPush(Fixture* f)
{
	const int steps = 100;
	uint64_t seed = 7;
	double *x = malloc(3 * f->n * sizeof *x), *pushed = malloc(3 * f->n * sizeof *pushed);
	plSolverDef newton = plDefaultSolverDef(pl_methodNewton);
	plWorld_SetSolver(f->world, &newton, NULL);
	bool fine = takeSteps(f, steps);
	plBody_GetPositions(f->world, f->body, x);
	for (size_t i = 0; i < 3 * f->n; ++i)
		pushed[i] = x[i] + 1e-3 * length * testRandom(&seed);
	plBody_SetPositions(f->world, f->body, pushed);
	fine = fine && takeSteps(f, steps);
	double drift = fine ? distanceFrom(f, x) : INFINITY;
	free(x);
	free(pushed);
	return drift;
}

// A step with the least budget after which it says that it has converged, or the largest.
static bool stepUntilConverged(Fixture* f, plSolverDef* solver, plStepReport* report)
{
	size_t bytes = plWorld_GetStateSize(f->world);
	char* state = malloc(bytes);
	plWorld_SaveState(f->world, state);
	bool fine = true;
	for (int rung = 0; rung < rungs && fine; ++rung)
	{
		solver->iterations = ladder[rung];
		plWorld_SetSolver(f->world, solver, NULL);
		fine = plWorld_LoadState(f->world, state, bytes, &f->error) == pl_success &&
		       plWorld_Step(f->world, report, &f->error) >= 0;
		if (fine && report->converged)
			break;
	}
	free(state);
	return fine;
}

static Recovery recover(plLaw law, plInversion inversion, plMethod method, int steps, uint64_t seed)
{
	const Case c = {law, inversion, motionCount, 1.0 / 30.0, steps, {2, 2, 6}};
	plSolverDef solver = plDefaultSolverDef(method);
	Fixture f = makeBox(&c, solver);
	throwVertices(&f, seed);
	Recovery r = {.finite = true};
	for (int i = 0; i < c.steps && r.finite; ++i)
	{
		plStepReport report;
		r.finite = stepUntilConverged(&f, &solver, &report) && extentOf(&f) < 10.0;
		r.iterations += report.iterations;
		r.inverted = report.inverted;
		r.upright = report.inverted > 0 ? i + 1 : r.upright;
	}
	r.shape = shapeError(&f);
	findWound(&f, c.cells, &r);
	if (r.finite && !(r.shape < 1e-3))
		r.drift = driftAfterPush(&f);
	destroyFixture(&f);
	return r;
}

static void throwAbout(plInversion inversion, plMethod method, int steps, int seeds)
{
	bool converts = inversion == pl_inversionConvert;
	for (size_t l = 0; l < sizeof laws / sizeof *laws; ++l)
	{
		int upright = 0, home = 0, wound = 0, slowest = 0;
		long iterations = 0;
		for (int seed = 1; seed <= seeds; ++seed)
		{
			WITH("law %s, %s, method %s, seed %d", plLaw_GetName(laws[l]), inversionNames[inversion],
			     plMethod_GetName(method), seed);
			Recovery r = recover(laws[l], inversion, method, steps, (uint64_t)seed);
			CHECK(r.finite);
			upright += r.inverted == 0;
			home += r.shape < 1e-3;
			wound += r.wound;
			slowest = r.inverted == 0 && r.upright > slowest ? r.upright : slowest;
			iterations += r.iterations;
			CHECK(r.shape < 1e-3 || r.wound);
			CHECK(r.outOfTangle == 0);
			CHECK_BELOW(r.drift, 1e-3);
		}
		printf("    %-13s %-7s %-7s upright %d of %d, the last after %d steps, at home %d, wound %d, %ld iterations a "
		       "step\n",
		       plLaw_GetName(laws[l]), inversionNames[inversion], plMethod_GetName(method), upright, seeds, slowest,
		       home, wound, iterations / (steps * seeds));
		fflush(stdout);
		WITH("law %s, %s, method %s", plLaw_GetName(laws[l]), inversionNames[inversion], plMethod_GetName(method));
		CHECK(!converts || (upright == seeds && home == seeds));
	}
}

// ---- cases ----------------------------------------------------------------------------------------------------------

TEST(neo_hookean_rubber_is_wrung)
{
	check(&(Case){pl_lawNeoHookean, pl_inversionExtend, motionTwist, 0.1, 60, {2, 2, 6}});
}
TEST(fung_tissue_is_pressed)
{
	check(&(Case){pl_lawFung, pl_inversionExtend, motionCompress, 0.1, 60, {2, 2, 6}});
}
TEST(mooney_rivlin_rubber_is_pressed)
{
	check(&(Case){pl_lawMooneyRivlin, pl_inversionExtend, motionCompress, 0.1, 60, {2, 2, 6}});
}
TEST(converting_mooney_rivlin_rubber_is_pressed)
{
	check(&(Case){pl_lawMooneyRivlin, pl_inversionConvert, motionCompress, 0.1, 60, {2, 2, 6}});
}
TEST(mooney_rivlin_rubber_is_pulled)
{
	check(&(Case){pl_lawMooneyRivlin, pl_inversionExtend, motionStretch, 0.1, 60, {2, 2, 6}});
}
TEST(converting_stvk_is_pulled)
{
	check(&(Case){pl_lawStvk, pl_inversionConvert, motionStretch, 0.1, 60, {2, 2, 6}});
}
TEST(a_randomised_body_turns_right_side_out)
{
	throwAbout(pl_inversionConvert, pl_methodDescent, 100, 1);
}

static void checkAll(plInversion inversion)
{
	for (size_t l = 0; l < sizeof laws / sizeof *laws; ++l)
		for (int m = 0; m < motionCount; ++m)
			for (int h = 0; h < 2; ++h)
				check(&(Case){laws[l], inversion, (Motion)m, h ? 0.1 : 1.0 / 30.0, 300, {3, 3, 9}});
}

LONG_TEST(every_law_motion_and_time_step_holds_by_extension)
{
	checkAll(pl_inversionExtend);
}

LONG_TEST(every_law_motion_and_time_step_holds_by_conversion)
{
	checkAll(pl_inversionConvert);
}

static void throwAll(plInversion inversion)
{
	static const plMethod methods[] = {pl_methodDescent, pl_methodJacobi, pl_methodNcg, pl_methodLbfgs,
	                                   pl_methodNewton};
	for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m)
		throwAbout(inversion, methods[m], 200, 5);
}

LONG_TEST(randomised_bodies_settle_under_every_method_by_extension)
{
	throwAll(pl_inversionExtend);
}

LONG_TEST(randomised_bodies_settle_under_every_method_by_conversion)
{
	throwAll(pl_inversionConvert);
}
