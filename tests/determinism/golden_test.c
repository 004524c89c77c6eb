// golden_test.c: the state after ten steps, four of cloth, bit for bit, for every law, method and precision (scene
// `bar`), for every method on rough ground (scene `slope`), and for every membrane, with one of the models of bending
// (scene `flag`), for every method on sewn panels (scene `sewn`), on a closed cloth with gas in it (scene `gas`) and on
// a collider that changes its form (scene `frames`), for methods that keep surfaces apart on a fold under a block, with
// friction (scene `rub`), and for jointed rigid bodies (scene `doll`), by the ways that avbd
// has in the place of laws
//
// The same hashes hold for gcc and clang, -O0 and -O2, with and without CHOLMOD, and for 1, 2, 3 and 7 threads. They
// differ by instruction set. After a change that is meant to change bits, PLIANT_GOLDEN=print prints the rows of
// golden.inl for this machine's instruction set, PLIANT_ISA=baseline beside it those of the other.
// PLIANT_GOLDEN=new prints the rows that the table does not have; `make golden` adds them.
// PLIANT_GOLDEN=some takes an eighth of the bars and flags and every other row of the rest, in which every method, law
// and precision occurs: enough to look for races, or for what a build without optimisation changes.
#include "world/balloon.h"

typedef struct Golden
{
	const char *scene, *method, *law, *precision, *isa;
	uint64_t hash;
} Golden;

static const Golden goldens[] = {
#include "golden.inl"
};

static plSolverDef solverOf(plMethod method, plPrecision precision)
{
	plSolverDef def = plDefaultSolverDef(method);
	def.precision = precision;
	if (precision == pl_precisionFloat)
		def.tolerance = 1e-5;
	if (method == pl_methodGradient)
		def.iterations = 15;
	return def;
}

static Fixture makeBar(plSolverDef solver, plLaw law, plPool* pool, plVec3 velocity, const size_t cells[3], bool pinned)
{
	plWorldDef wd = newtonWorldDef();
	wd.timestep = 1.0 / 32.0;
	wd.pool = pool;
	wd.solver = solver;
	plSoftBodyDef bd = softBody(law, 2e5, 0.375, 1000.0);
	bd.velocity = velocity;
	return makeFixture(&wd, &bd, (plVec3){3.0, 1.0, 0.75}, cells, pinned);
}

// What reports of these steps say together, as far as the scenes ask
static plStepReport stepOn(Fixture* f, int steps)
{
	plStepReport sum = {0};
	for (int i = 0; i < steps; ++i)
	{
		plStepReport report = {0};
		if (plWorld_Step(f->world, &report, &f->error) < 0)
			printf("    %s\n", f->error.message);
		sum.epochs += report.epochs;
		sum.contacts += report.contacts;
		sum.brokenStitches += report.brokenStitches;
		sum.selfContacts += report.selfContacts;
	}
	return sum;
}

static uint64_t runScene(plSolverDef solver, plLaw law, int threads)
{
	static const size_t cells[3] = {10, 3, 3};
	plPool* pool = plCreatePool(threads);
	Fixture f = makeBar(solver, law, pool, (plVec3){0.0, 0.25, 0.5}, cells, true);
	stepOn(&f, 10);
	uint64_t hash = plWorld_GetHash(f.world);
	destroyFixture(&f);
	plDestroyPool(pool);
	return hash;
}

// The same bar free, on a slope that it slips on, against a ball: friction and its epochs.
static uint64_t runContact(plSolverDef solver, plLaw law, int threads, int* epochs)
{
	static const size_t cells[3] = {6, 2, 2};
	plPool* pool = plCreatePool(threads);
	Fixture f = makeBar(solver, law, pool, (plVec3){-1.0, -1.0, 0.5}, cells, false);
	plColliderDef def = plDefaultColliderDef();
	def.normal = (plVec3){-0.25, 1.0, 0.125};
	def.offset = -0.75;
	def.friction = 0.5;
	plCreateCollider(f.world, &def, &f.error);
	def.shape = pl_shapeSphere;
	def.centre = (plVec3){-0.5, -0.25, 0.0};
	def.radius = 0.375;
	plCreateCollider(f.world, &def, &f.error);
	*epochs = stepOn(&f, 10).epochs;
	uint64_t hash = plWorld_GetHash(f.world);
	destroyFixture(&f);
	plDestroyPool(pool);
	return hash;
}

static plBendingModel bendingBeside(plMembraneLaw law)
{
	static const plBendingModel models[] = {pl_bendingHinge, pl_bendingPlate, pl_bendingQuadratic};
	return models[law % 3];
}

static bool takesMembrane(plMethod method, plMembraneLaw law)
{
	bool isProjection = law == pl_membraneArap || law == pl_membraneStrainLimit || law == pl_membraneSprings;
	return method != pl_methodProjective || (isProjection && bendingBeside(law) != pl_bendingHinge);
}

// A cloth falls from two of its corners onto a ball.
static uint64_t runFlag(plSolverDef solver, plMembraneLaw law, int threads)
{
	plPool* pool = plCreatePool(threads);
	plWorldDef wd = newtonWorldDef();
	wd.timestep = 1.0 / 32.0;
	wd.gravity = (plVec3){0.0, -4.0, -8.0};
	wd.pool = pool;
	wd.solver = solver;
	plClothDef def = clothOf(law, bendingBeside(law));
	def.velocity = (plVec3){0.0, 0.25, -1.0};
	def.damping.air = 0.5;
	Fixture f = makeSheet(&wd, &def, 1.0, 1.0, (size_t[2]){7, 6}, pl_clothEquilateral);
	pinPoint(&f, -0.5, 0.5, 0.0);
	pinPoint(&f, 0.5, 0.5, 0.0);
	plColliderDef ball = plDefaultColliderDef();
	ball.shape = pl_shapeSphere;
	ball.centre = (plVec3){0.125, -0.25, -0.75};
	ball.radius = 0.5;
	plCreateCollider(f.world, &ball, &f.error);
	stepOn(&f, 4);
	uint64_t hash = plWorld_GetHash(f.world);
	destroyFixture(&f);
	plDestroyPool(pool);
	return hash;
}

// Two panels with other meshes are sewn together all round; a stitch breaks.
static uint64_t runSewn(plSolverDef solver, plMembraneLaw law, int threads, size_t* broken)
{
	plPool* pool = plCreatePool(threads);
	plWorldDef wd = newtonWorldDef();
	wd.timestep = 1.0 / 32.0;
	wd.gravity = (plVec3){0.0, -4.0, 0.0};
	wd.pool = pool;
	wd.solver = solver;
	plClothDef def = clothOf(law, pl_bendingQuadratic);
	Fixture f = makeSheet(&wd, &def, 1.0, 0.75, (size_t[2]){7, 6}, pl_clothEquilateral);
	plMesh* mesh = plCreateClothMesh(1.0, 0.75, (size_t[2]){6, 4}, pl_clothEquilateral, NULL, NULL);
	def.mesh = mesh;
	def.transform.translation.z = 0.25;
	plSeamDef seam = plDefaultSeamDef();
	uint32_t all[64];
	for (uint32_t i = 0; i < 64; ++i)
		all[i] = i;
	seam.a = f.body;
	seam.b = plCreateCloth(f.world, &def, &f.error);
	seam.first = seam.second = all;
	seam.firstCount = f.n;
	seam.secondCount = plBody_GetVertexCount(f.world, seam.b);
	seam.close = 0.125;
	seam.breakForce = 0.5;
	plCreateSeam(f.world, &seam, &f.error);
	plDestroyMesh(mesh);
	pinPoint(&f, -0.5, 0.375, 0.0);
	pinPoint(&f, 0.5, 0.375, 0.0);
	*broken = stepOn(&f, 6).brokenStitches;
	uint64_t hash = plWorld_GetHash(f.world);
	destroyFixture(&f);
	plDestroyPool(pool);
	return hash;
}

// A balloon is blown up with gas, and falls onto a ball.
static uint64_t runGas(plSolverDef solver, int threads, size_t* contacts)
{
	plPool* pool = plCreatePool(threads);
	plWorldDef wd = newtonWorldDef();
	wd.timestep = 1.0 / 32.0;
	wd.pool = pool;
	wd.solver = solver;
	plMesh* mesh = makeSphere(3, false, false, false);
	plClothDef def = clothOf(pl_membraneArap, pl_bendingQuadratic);
	def.mesh = mesh;
	Fixture f = {.world = plCreateWorld(&wd, NULL)};
	plPressureDef gas = plDefaultPressureDef();
	gas.body = f.body = plCreateCloth(f.world, &def, &f.error);
	gas.pressure = 500.0;
	gas.gas = true;
	gas.ambient = 2000.0;
	if (PL_IS_NULL(plCreatePressure(f.world, &gas, &f.error)))
		printf("    %s\n", f.error.message);
	plColliderDef ball = plDefaultColliderDef();
	ball.shape = pl_shapeSphere;
	ball.centre = (plVec3){0.25, -1.5, 0.0};
	ball.radius = 0.5;
	plCreateCollider(f.world, &ball, &f.error);
	*contacts = stepOn(&f, 4).contacts;
	uint64_t hash = plWorld_GetHash(f.world);
	plDestroyWorld(f.world);
	plDestroyMesh(mesh);
	plDestroyPool(pool);
	return hash;
}

// A bar lies on a table that twists under it.
static uint64_t runFrames(plSolverDef solver, plLaw law, int threads, size_t* contacts)
{
	static const size_t cells[3] = {5, 2, 2};
	enum
	{
		frameCount = 3
	};
	plPool* pool = plCreatePool(threads);
	Fixture f = makeBar(solver, law, pool, (plVec3){0.0, -1.0, 0.0}, cells, false);
	plMesh* mesh = plCreateBoxMesh((plVec3){4.0, 0.25, 2.0}, (size_t[3]){4, 1, 2}, 5, NULL, NULL);
	plMeshView view = plMesh_GetView(mesh);
	double times[frameCount], *positions = malloc(3 * frameCount * view.vertexCount * sizeof *positions);
	for (size_t k = 0; k < frameCount; ++k)
	{
		times[k] = 0.125 * (double)k;
		for (size_t v = 0; v < view.vertexCount; ++v)
		{
			const double* from = view.vertices + 3 * v;
			double* to = positions + 3 * (k * view.vertexCount + v);
			memcpy(to, from, 3 * sizeof *to);
			to[0] += 0.125 * (double)k;
			to[1] += 0.0625 * (double)k * (from[0] - 2.0) * (from[2] - 1.0);
		}
	}
	plColliderDef table = plDefaultColliderDef();
	table.shape = pl_shapeMesh;
	table.mesh = mesh;
	table.transform.translation = (plVec3){-0.5, -0.28125, -0.625};
	table.friction = 0.5;
	table.frames = (plColliderFrames){frameCount, view.vertexCount, times, positions};
	if (PL_IS_NULL(plCreateCollider(f.world, &table, &f.error)))
		printf("    %s\n", f.error.message);
	*contacts = stepOn(&f, 6).contacts;
	uint64_t hash = plWorld_GetHash(f.world);
	destroyFixture(&f);
	plDestroyMesh(mesh);
	free(positions);
	plDestroyPool(pool);
	return hash;
}

// A sheet is folded over itself, and a block slides on it.
static uint64_t runRub(plSolverDef solver, int threads, size_t* pairs)
{
	static const size_t cells[2] = {8, 3}, block[3] = {2, 1, 2};
	plPool* pool = plCreatePool(threads);
	plWorldDef wd = newtonWorldDef();
	wd.timestep = 1.0 / 64.0;
	wd.pool = pool;
	wd.solver = solver;
	wd.contact.bodies = pl_bodiesAll;
	wd.contact.self = pl_selfCloth;
	wd.contact.pairThickness = 0.015625;
	wd.contact.pairFriction = 0.5;
	plClothDef cd = clothOf(pl_membraneStvk, pl_bendingQuadratic);
	Fixture f = makeSheet(&wd, &cd, 1.0, 0.375, cells, pl_clothEquilateral);
	double x[3 * 64];
	plBody_GetPositions(f.world, f.body, x);
	for (size_t v = 0; v < f.n; ++v)
	{
		double s = x[3 * v] + 0.5, over = s - 0.5; // the second half stands up, and lies over the first
		x[3 * v + 2] = x[3 * v + 1];
		x[3 * v] = over < 0.0 ? s : over < 0.0625 ? 0.5 : 0.5625 - over;
		x[3 * v + 1] = over < 0.0 ? 0.0 : over < 0.0625 ? 0.5 * over : 0.03125 - 0.03125 * (over - 0.0625);
	}
	plBody_SetPositions(f.world, f.body, x);
	pinBox(&f, (plVec3){-1.0, -1e-3, -1.0}, (plVec3){0.49, 1e-3, 1.0}, pl_axisAll);
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.375, 1000.0);
	plMesh* mesh = plCreateBoxMesh((plVec3){0.25, 0.125, 0.25}, block, 5, NULL, NULL);
	bd.mesh = mesh;
	bd.transform.translation = (plVec3){0.09375, 0.046875, -0.109375};
	bd.velocity = (plVec3){0.5, -0.5, 0.25};
	if (PL_IS_NULL(plCreateSoftBody(f.world, &bd, &f.error)))
		printf("    %s\n", f.error.message);
	plDestroyMesh(mesh);
	*pairs = stepOn(&f, 4).selfContacts;
	uint64_t hash = plWorld_GetHash(f.world);
	destroyFixture(&f);
	plDestroyPool(pool);
	return hash;
}

// ---- rigid bodies ---------------------------------------------------------------------------------------------------

static const char* const ways[] = {"load", "sweeps", "ramp", "stabilise", "fixed"};

static void setWay(plBlockDef* block, size_t way)
{
	block->direct = way != 1;
	block->stiffness = way == 2 ? pl_stiffnessRamp : way == 4 ? pl_stiffnessFixed : pl_stiffnessLoad;
	block->ramp = 1e4;
	block->stabilise = way == 3;
}

static plBodyId addBrick(Fixture* f, plRigidMotion motion, plVec3 at, plVec3 size)
{
	plRigidBodyDef body = plDefaultRigidBodyDef();
	plShapeDef box = plDefaultShapeDef();
	body.motion = motion;
	body.position = at;
	box.kind = pl_shapeBox;
	box.size = size;
	box.density = 500.0;
	plBodyId id = plCreateRigidBody(f->world, &body, &f->error);
	plCreateShape(f->world, id, &box, &f->error);
	return id;
}

// A trunk with four limbs, one of them driven, and a ring of three bricks fall onto a heap: trees, a loop, contacts.
static uint64_t runDoll(plSolverDef solver, int threads)
{
	plPool* pool = plCreatePool(threads);
	plWorldDef wd = plDefaultWorldDef();
	wd.timestep = 1.0 / 64.0;
	wd.gravity = (plVec3){0.0, 0.0, -8.0};
	wd.pool = pool;
	wd.solver = solver;
	Fixture f = {.world = plCreateWorld(&wd, NULL)};
	const plVec3 brick = {0.5, 0.25, 0.25};
	addBrick(&f, pl_rigidStatic, (plVec3){0.0, 0.0, -0.5}, (plVec3){8.0, 8.0, 1.0});
	for (int i = 0; i < 6; ++i)
		addBrick(&f, pl_rigidDynamic, (plVec3){0.3125 * (i % 3), 0.125 * (i % 2), 0.125 + 0.25 * (i / 3)}, brick);
	plBodyId trunk = addBrick(&f, pl_rigidDynamic, (plVec3){0.25, 0.0, 1.0}, (plVec3){0.5, 0.5, 0.25});
	for (int k = 0; k < 4; ++k)
	{
		double x = k % 2 ? 1.0 : -1.0, y = k / 2 ? 0.1875 : -0.1875;
		plBodyId limb = addBrick(&f, pl_rigidDynamic, (plVec3){0.25 + 0.5625 * x, y, 1.0}, (plVec3){0.5, 0.125, 0.125});
		plJointDef def =
		    plMakeHingeJoint(f.world, trunk, limb, (plVec3){0.25 + 0.28125 * x, y, 1.0}, (plVec3){0, 1, 0});
		def.axes[pl_jointTwist].mode = pl_axisLimited;
		def.axes[pl_jointTwist].low = -0.5;
		def.axes[pl_jointTwist].high = 0.5;
		def.axes[pl_jointTwist].motor = k == 3;
		def.axes[pl_jointTwist].speed = 4.0;
		def.axes[pl_jointTwist].most = 64.0;
		plCreateJoint(f.world, &def, &f.error);
	}
	plBodyId ring[3];
	for (int k = 0; k < 3; ++k)
		ring[k] = addBrick(&f, pl_rigidDynamic, (plVec3){1.5, 0.5 * k, 1.0}, brick);
	for (int k = 0; k < 3; ++k)
	{
		plJointDef def = plMakeSpringJoint(f.world, ring[k], ring[(k + 1) % 3], (plVec3){1.5, 0.5 * k, 1.0},
		                                   (plVec3){1.5, 0.5 * ((k + 1) % 3), 1.0}, 1024.0, 16.0);
		plCreateJoint(f.world, &def, &f.error);
	}
	stepOn(&f, 60);
	uint64_t hash = plWorld_GetHash(f.world);
	plDestroyWorld(f.world);
	plDestroyPool(pool);
	return hash;
}

// ---- the table ------------------------------------------------------------------------------------------------------

static const char* const precisionNames[] = {[pl_precisionDouble] = "double", [pl_precisionFloat] = "float"};

static const Golden* findGolden(const Golden* wanted)
{
	for (size_t i = 0; i < sizeof goldens / sizeof *goldens; ++i)
	{
		const Golden* g = goldens + i;
		if (strcmp(g->scene, wanted->scene) == 0 && strcmp(g->method, wanted->method) == 0 &&
		    strcmp(g->law, wanted->law) == 0 && strcmp(g->precision, wanted->precision) == 0 &&
		    strcmp(g->isa, wanted->isa) == 0)
			return g;
	}
	return NULL;
}

static bool isAsked(const char* how)
{
	const char* asked = getenv("PLIANT_GOLDEN");
	return asked != NULL && strcmp(asked, how) == 0;
}

// With PLIANT_GOLDEN=some one row of `each`: neighbours in method, law and precision take turns.
static bool isTaken(int method, int law, int precision, int each)
{
	return !isAsked("some") || (3 * method + law + each / 2 * precision) % each == 0;
}

// A name in quotes with its comma, filled up to `width`.
static void printName(const char* name, int width)
{
	printf("\"%s\",%*s", name, width - (int)strlen(name), "");
}

static void printRow(const Golden* row)
{
	printf("\t{");
	printName(row->scene, 6);
	printName(row->method, 13);
	printName(row->law, 19);
	printName(row->precision, 7);
	printName(row->isa, 9);
	printf("0x%016llxull},\n", (unsigned long long)row->hash);
}

// Against the table, or into it.
static void checkGolden(const char* scene, plMethod method, const char* law, plPrecision precision, uint64_t hash)
{
	const Golden found = {scene, plMethod_GetName(method), law, precisionNames[precision], plGetInstructionSet(), hash};
	const Golden* expected = findGolden(&found);
	if (isAsked("print") || (isAsked("new") && expected == NULL))
	{
		printRow(&found);
		return;
	}
	WITH("scene %s, method %s, law %s, %s, %s; new rows of tests/determinism/golden.inl: PLIANT_GOLDEN=print %s golden",
	     found.scene, found.method, found.law, found.precision, found.isa, testProgram);
	if (expected == NULL)
		FAIL_("found hash %016llx, and the table has none: make golden adds it", (unsigned long long)hash);
	if (hash != expected->hash)
		FAIL_("found hash %016llx, expected %016llx", (unsigned long long)hash, (unsigned long long)expected->hash);
}

static bool isOneOf(const char* name, const char* const* names, size_t count)
{
	for (size_t i = 0; i < count; ++i)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

TEST(every_row_names_what_there_is)
{
	for (size_t i = 0; i < sizeof goldens / sizeof *goldens; ++i)
	{
		const Golden* g = goldens + i;
		WITH("row %zu, scene %s, method %s, law %s, %s, %s", i + 1, g->scene, g->method, g->law, g->precision, g->isa);
		plMethod method;
		plLaw law;
		plMembraneLaw membrane;
		bool isFlag = isOneOf(g->scene, (const char*[]){"flag", "sewn", "gas", "rub"}, 4);
		bool isDoll = strcmp(g->scene, "doll") == 0;
		CHECK(isFlag || isDoll || isOneOf(g->scene, (const char*[]){"bar", "slope", "frames"}, 3));
		CHECK(plFindMethod(g->method, &method));
		if (isDoll)
			continue;
		CHECK(isFlag || (plFindLaw(g->law, &law) && takes(method, law)));
		CHECK(!isFlag || (plFindMembraneLaw(g->law, &membrane) && takesMembrane(method, membrane)));
		CHECK(strcmp(g->precision, "double") == 0 || strcmp(g->precision, "float") == 0);
		CHECK(findGolden(g) == g); // and once
	}
}

// ---- cases ----------------------------------------------------------------------------------------------------------

TEST(every_state_has_its_golden_hash)
{
	for (int m = 0; m < pl_softMethodCount; ++m)
		for (int l = 0; l < pl_lawCount; ++l)
			for (int p = 0; p < 2 && takes((plMethod)m, (plLaw)l); ++p)
			{
				if (!isTaken(m, l, p, 8))
					continue;
				uint64_t hash = runScene(solverOf((plMethod)m, (plPrecision)p), (plLaw)l, 2);
				CALL(checkGolden("bar", (plMethod)m, plLaw_GetName((plLaw)l), (plPrecision)p, hash));
			}
}

TEST(every_state_on_rough_ground_has_its_golden_hash)
{
	for (int m = 0; m < pl_softMethodCount; ++m)
		for (int p = 0; p < 2; ++p)
		{
			if (!isTaken(m, 0, p, 2))
				continue;
			int epochs;
			plLaw law = takes((plMethod)m, pl_lawNeoHookean) ? pl_lawNeoHookean : pl_lawArap;
			uint64_t hash = runContact(solverOf((plMethod)m, (plPrecision)p), law, 2, &epochs);
			if (epochs <= 10)
				FAIL_("method %s, %s: only %d epochs", plMethod_GetName((plMethod)m), precisionNames[p], epochs);
			CALL(checkGolden("slope", (plMethod)m, plLaw_GetName(law), (plPrecision)p, hash));
		}
}

TEST(every_state_of_cloth_has_its_golden_hash)
{
	for (int m = 0; m < pl_softMethodCount; ++m)
		for (int l = 0; l < pl_membraneLawCount; ++l)
			for (int p = 0; p < 2 && takesMembrane((plMethod)m, (plMembraneLaw)l); ++p)
			{
				if (!isTaken(m, l, p, 8))
					continue;
				uint64_t hash = runFlag(solverOf((plMethod)m, (plPrecision)p), (plMembraneLaw)l, 2);
				CALL(checkGolden("flag", (plMethod)m, plMembraneLaw_GetName((plMembraneLaw)l), (plPrecision)p, hash));
			}
}

TEST(every_state_of_sewn_panels_has_its_golden_hash)
{
	for (int m = 0; m < pl_softMethodCount; ++m)
		for (int p = 0; p < 2 && takesMembrane((plMethod)m, pl_membraneArap); ++p)
		{
			if (!isTaken(m, 0, p, 2))
				continue;
			size_t broken;
			uint64_t hash = runSewn(solverOf((plMethod)m, (plPrecision)p), pl_membraneArap, 2, &broken);
			if (broken == 0)
				FAIL_("method %s, %s: no stitch breaks", plMethod_GetName((plMethod)m), precisionNames[p]);
			CALL(checkGolden("sewn", (plMethod)m, "arap", (plPrecision)p, hash));
		}
}

TEST(every_state_of_gas_and_of_a_form_that_changes_has_its_golden_hash)
{
	for (int m = 0; m < pl_softMethodCount; ++m)
		for (int p = 0; p < 2 && takes((plMethod)m, pl_lawNeoHookean); ++p) // no projections
		{
			if (!isTaken(m, 0, p, 2))
				continue;
			size_t contacts[2] = {0, 0};
			plSolverDef solver = solverOf((plMethod)m, (plPrecision)p);
			uint64_t hash = runFrames(solver, pl_lawNeoHookean, 2, contacts);
			CALL(checkGolden("frames", (plMethod)m, "neo-hookean", (plPrecision)p, hash));
			CALL(checkGolden("gas", (plMethod)m, "arap", (plPrecision)p, runGas(solver, 2, contacts + 1)));
			if (contacts[0] == 0 || contacts[1] == 0)
				FAIL_("method %s, %s: nothing touches", plMethod_GetName((plMethod)m), precisionNames[p]);
		}
}

TEST(every_state_of_surfaces_that_rub_has_its_golden_hash)
{
	for (int m = 0; m < pl_softMethodCount; ++m)
		for (int p = 0; p < 2 && plMethod_TakesPairs((plMethod)m); ++p)
		{
			size_t pairs;
			plSolverDef solver = solverOf((plMethod)m, (plPrecision)p);
			solver.iterations = solver.iterations < 24 ? solver.iterations : 24;
			uint64_t hash = runRub(solver, 2, &pairs);
			if (pairs < 20)
				FAIL_("method %s, %s: nothing touches", plMethod_GetName((plMethod)m), precisionNames[p]);
			CALL(checkGolden("rub", (plMethod)m, "stvk", (plPrecision)p, hash));
		}
}

TEST(every_state_of_jointed_bodies_has_its_golden_hash)
{
	for (size_t way = 0; way < sizeof ways / sizeof *ways; ++way)
		for (int p = 0; p < 2; ++p)
		{
			if (!isTaken((int)way, 0, p, 2))
				continue;
			plSolverDef solver = plDefaultSolverDef(pl_methodAvbd);
			solver.precision = (plPrecision)p;
			setWay(&solver.block, way);
			CALL(checkGolden("doll", pl_methodAvbd, ways[way], (plPrecision)p, runDoll(solver, 2)));
		}
	for (int m = pl_softMethodCount; m < pl_methodCount; ++m)
		for (int p = 0; p < 2; ++p)
		{
			plSolverDef solver = plDefaultSolverDef((plMethod)m);
			solver.precision = (plPrecision)p;
			CALL(checkGolden("doll", (plMethod)m, "links", (plPrecision)p, runDoll(solver, 2)));
		}
}

TEST(threads_do_not_change_a_bit)
{
	static const int counts[] = {1, 2, 3, 7};
	static const struct
	{
		plMethod method;
		plFactorisation factorisation;
		plLinearSolver linear;
		plHessianKind hessian;
	} choices[] = {{.method = pl_methodNewton, .factorisation = pl_factorAuto},
	               {.method = pl_methodNewton, .factorisation = pl_factorSimplicial},
	               {.method = pl_methodNewton, .factorisation = pl_factorSupernodal},
	               {.method = pl_methodNewtonCg, .hessian = pl_hessianProjected},
	               {.method = pl_methodQuasiNewton},
	               {.method = pl_methodQuasiNewton, .linear = pl_linearCg}};
	for (int p = 0; p < 2; ++p)
		for (size_t k = 0; k < sizeof choices / sizeof *choices; ++k)
		{
			if (!isTaken((int)k, 0, p, 2))
				continue;
			WITH("choice %zu, method %s, %s", k, plMethod_GetName(choices[k].method), precisionNames[p]);
			uint64_t first = 0;
			plSolverDef def = solverOf(choices[k].method, (plPrecision)p);
			def.factorisation = choices[k].factorisation;
			def.linear = choices[k].linear;
			def.hessian = choices[k].hessian;
			for (int c = 0; c < 4; c += isAsked("some") ? 2 : 1)
			{
				WITH("%d threads", counts[c]);
				uint64_t hash = runScene(def, pl_lawNeoHookean, counts[c]);
				first = c == 0 ? hash : first;
				CHECK(hash == first);
			}
		}
}

TEST(threads_do_not_change_a_bit_on_rough_ground)
{
	static const int counts[] = {1, 2, 3, 7};
	static const plMethod methods[] = {pl_methodNewton, pl_methodNewtonCg, pl_methodDescent, pl_methodLbfgs,
	                                   pl_methodQuasiNewton};
	for (int p = 0; p < 2; ++p)
		for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m)
		{
			if (!isTaken((int)m, 0, p, 2))
				continue;
			WITH("method %s, %s", plMethod_GetName(methods[m]), precisionNames[p]);
			uint64_t first = 0;
			for (int c = 0; c < 4; c += isAsked("some") ? 2 : 1)
			{
				WITH("%d threads", counts[c]);
				int epochs;
				uint64_t hash = runContact(solverOf(methods[m], (plPrecision)p), pl_lawNeoHookean, counts[c], &epochs);
				first = c == 0 ? hash : first;
				CHECK(hash == first);
			}
		}
}
