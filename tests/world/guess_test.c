// guess_test.c: where a step starts. A step length of nothing leaves a body there.
#include "fixture.h"

static const double h = 0.1;

static plSolverDef stay(plGuess guess)
{
	plSolverDef def = plDefaultSolverDef(pl_methodJacobi);
	def.iterations = 1;
	def.tolerance = 0.0;
	def.stepLength = pl_stepFixed;
	def.alpha = 1e-300;
	def.guess = guess;
	return def;
}

// Two boxes; `speed` of the vertices of the first towards its middle, of the second along x.
typedef struct Pair
{
	Fixture first;
	plBodyId second;
	double *x, *v;
} Pair;

static Pair makePair(plGuess guess, double inwards)
{
	plWorldDef wd = plDefaultWorldDef();
	wd.contact.bodies = pl_bodiesNone; // they lie in each other
	wd.gravity = (plVec3){0.0, 0.0, 0.0};
	wd.timestep = h;
	wd.solver = stay(guess);
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.4, 1000.0);
	Pair p = {.first = makeFixture(&wd, &bd, (plVec3){1.0, 1.0, 1.0}, (const size_t[3]){2, 2, 2}, false)};
	Fixture* f = &p.first;
	plMesh* mesh = plCreateBoxMesh((plVec3){1.0, 1.0, 1.0}, (const size_t[3]){2, 2, 2}, 5, NULL, &f->error);
	bd.mesh = mesh;
	p.second = plCreateSoftBody(f->world, &bd, &f->error);
	plDestroyMesh(mesh);
	p.x = malloc(3 * f->n * sizeof *p.x);
	p.v = malloc(3 * f->n * sizeof *p.v);
	plBody_GetPositions(f->world, f->body, p.x);
	for (size_t i = 0; i < 3 * f->n; ++i)
		p.v[i] = inwards * (0.5 - p.x[i]) / h + (i % 3 == 1 ? 2.0 : 0.0);
	plBody_SetVelocities(f->world, f->body, p.v);
	for (size_t i = 0; i < 3 * f->n; ++i)
		p.v[i] = i % 3 == 0 ? 3.0 : 0.0;
	plBody_SetVelocities(f->world, p.second, p.v);
	return p;
}

static void destroyPair(Pair* p)
{
	destroyFixture(&p->first);
	free(p->x);
	free(p->v);
}

// The first box moves by `share` of its way inwards and by all of its way along y; the second flies on.
static void checkPair(plGuess guess, double inwards, double share)
{
	Pair p = makePair(guess, inwards);
	Fixture* f = &p.first;
	double* found = p.v;
	CHECK(plWorld_Step(f->world, NULL, &f->error) >= 0);
	plBody_GetPositions(f->world, f->body, found);
	for (size_t i = 0; i < 3 * f->n; ++i)
		CHECK_NEAR(found[i], p.x[i] + share * inwards * (0.5 - p.x[i]) + (i % 3 == 1 ? 2.0 * h : 0.0), 1e-12);
	plBody_GetPositions(f->world, p.second, found);
	for (size_t i = 0; i < 3 * f->n; ++i)
		CHECK_NEAR(found[i], p.x[i] + (i % 3 == 0 ? 3.0 * h : 0.0), 1e-12);
	destroyPair(&p);
}

static const plGuess guesses[] = {pl_guessVelocity, pl_guessAcceleration, pl_guessInertial};

TEST(a_guess_that_turns_no_element_is_taken)
{
	for (size_t g = 0; g < sizeof guesses / sizeof *guesses; ++g)
		CALL(checkPair(guesses[g], 0.9, 1.0));
}

// 1.5 times the way to the middle is past it, 0.75 is not; 3 times needs a quarter; 9 times the body stays.
TEST(a_guess_that_turns_elements_is_drawn_back_and_the_other_body_flies_on)
{
	for (size_t g = 0; g < sizeof guesses / sizeof *guesses; ++g)
	{
		CALL(checkPair(guesses[g], 1.5, 0.5));
		CALL(checkPair(guesses[g], 3.0, 0.25));
		CALL(checkPair(guesses[g], 9.0, 0.0));
	}
}

// Above the ground a guess falls with y; on the ground that would be h^2 g deep in it, and higher.
TEST(a_body_on_the_ground_does_not_start_inside_it)
{
	for (int touching = 0; touching < 2; ++touching)
	{
		plWorldDef wd = plDefaultWorldDef();
		wd.timestep = h;
		wd.solver = stay(pl_guessPosition);
		plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e6, 0.4, 1000.0);
		Fixture f = makeFixture(&wd, &bd, unit, oneCell, false);
		plColliderDef def = plDefaultColliderDef();
		def.offset = touching ? 0.0 : -0.3;
		plCreateCollider(f.world, &def, &f.error);
		double x[3 * 8], moved[3 * 8];
		plBody_GetPositions(f.world, f.body, x);
		CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
		plBody_GetPositions(f.world, f.body, moved);
		for (size_t i = 0; i < 3 * f.n; ++i)
			CHECK_NEAR(moved[i] - x[i], i % 3 == 1 && !touching ? -9.81 * h * h : 0.0, 1e-12);
		destroyFixture(&f);
	}
}
