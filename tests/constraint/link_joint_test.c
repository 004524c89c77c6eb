// link_joint_test.c: joints as links, eight at a time: they do what they do one after the other in double, any width
// and number of threads give the same bits, float agrees with double, and momentum stays
#include "link_joint_reference.h"
#include "heap.h"

enum
{
	bodyCount = 240,
	jointCount = 400,
	kindCount = 24,
	axisRows = 3,
	hubJoints = 80 // more than there are colours
};

static const double h = 1.0 / 60.0;

static plContacts c;
static plAxisDef axes[kindCount][pl_jointAxisCount];
static plJointRow rows[jointCount][axisRows * pl_jointAxisCount];
static uint64_t seed;

static double between(double low, double high)
{
	return low + 0.5 * (high - low) * (1.0 + testRandom(&seed));
}

static size_t below(size_t count)
{
	return (size_t)between(0.0, (double)count - 1e-9);
}

static void somewhere(double size, double out[3])
{
	for (int i = 0; i < 3; ++i)
		out[i] = between(-size, size);
}

// ---- kinds of joints ------------------------------------------------------------------------------------------------

static void drive(plAxisDef* axis, bool isTurn)
{
	if (below(3) == 0)
	{
		axis->target = between(-0.2, 0.2);
		axis->stiffness = between(0.0, 1.0) < 0.2 ? 0.0 : pow(10.0, between(0.0, 5.0));
		axis->damping = pow(10.0, between(-1.0, 1.5));
		axis->most = below(2) == 0 ? INFINITY : between(0.5, 20.0);
	}
	else if (below(3) == 0)
	{
		axis->motor = true;
		axis->speed = between(-1.0, 1.0) * (isTurn ? 3.0 : 1.0);
		axis->most = below(2) == 0 ? INFINITY : between(0.5, 20.0);
	}
}

static plAxisDef someAxis(bool isTurn)
{
	plAxisDef axis = {.most = INFINITY};
	double at = between(-0.1, 0.1);
	axis.mode = (plAxisMode)below(pl_axisModeCount);
	if (axis.mode == pl_axisLocked)
		axis.target = below(2) == 0 ? 0.0 : at;
	axis.low = below(4) == 0 ? -INFINITY : at - between(0.0, 0.1);
	axis.high = axis.low > -INFINITY && below(4) == 0 ? INFINITY : at + between(0.0, 0.1);
	if (axis.mode != pl_axisLocked)
		drive(&axis, isTurn);
	return axis;
}

// Ball, fixed, a rod, a rope, a spring between two points, a cone with a twist, a cross; the others anything on six
// axes.
static void makeKind(size_t kind)
{
	plAxisDef* a = axes[kind];
	for (int i = 0; i < pl_jointAxisCount; ++i)
		a[i] = (plAxisDef){.most = INFINITY};
	if (kind < 2 || kind == 5 || kind == 6)
		for (int i = 0; i < (kind == 1 ? 6 : 3); ++i)
			a[i].mode = pl_axisLocked;
	if (kind == 2)
		a[pl_jointLength] = (plAxisDef){.mode = pl_axisLocked, .target = 0.3, .most = INFINITY};
	if (kind == 3)
		a[pl_jointLength] = (plAxisDef){.mode = pl_axisLimited, .low = -INFINITY, .high = 0.25, .most = INFINITY};
	if (kind == 4)
		a[pl_jointLength] = (plAxisDef){.target = 0.2, .stiffness = 300.0, .damping = 2.0, .most = INFINITY};
	if (kind == 5)
	{
		a[pl_jointCone] = (plAxisDef){.mode = pl_axisLimited, .low = -INFINITY, .high = 0.2, .most = INFINITY};
		a[pl_jointTwist] = (plAxisDef){.mode = pl_axisLimited, .low = -0.1, .high = 0.1, .most = INFINITY};
	}
	if (kind == 6)
		a[pl_jointCross].mode = pl_axisLocked;
	if (kind == 7) // says some things twice
		for (int i = 0; i < pl_jointAxisCount; ++i)
			a[i].mode = i == pl_jointLength || i == pl_jointCone ? pl_axisFree : pl_axisLocked;
	for (int i = 0; i < 6 && kind > 7; ++i)
		a[i] = someAxis(plJointAxis_IsTurn((plJointAxis)i));
}

static bool hasRow(const plAxisDef* axis, plRowKind kind)
{
	return kind == pl_rowHold     ? axis->mode == pl_axisLocked
	       : kind == pl_rowLimit  ? axis->mode == pl_axisLimited
	       : kind == pl_rowSpring ? axis->stiffness > 0.0 || axis->damping > 0.0
	                              : axis->motor;
}

static uint32_t makeRows(const plAxisDef* defs, plJointRow* to)
{
	uint32_t count = 0;
	for (int axis = 0; axis < pl_jointAxisCount; ++axis)
		for (int kind = pl_rowHold; kind <= pl_rowMotor; ++kind)
			if (hasRow(defs + axis, (plRowKind)kind))
				to[count++] = (plJointRow){.axis = (plJointAxis)axis,
				                           .kind = (plRowKind)kind,
				                           .lambda = kind == pl_rowHold ? between(-1.0, 1.0) : 0.0,
				                           .k = below(2) == 0 ? 1.0 : 0.5};
	return count;
}

// ---- a world --------------------------------------------------------------------------------------------------------

static plMover someMover(size_t k)
{
	double mass = between(0.5, 5.0), I = mass / 6.0;
	plMover mover = {.mass = mass,
	                 .lightness = {1.0 / mass, 1.0 / mass, k % 17 == 3 ? 0.0 : 1.0 / mass},
	                 .inverse = {1.0 / I, 0.8 / I, 1.2 / I, 0.1 / I, -0.2 / I, 0.05 / I},
	                 .flown = {{0.0, 0.0, 0.0}, 1.0}};
	for (int i = 0; i < 6; ++i)
		mover.speed[0][i] = mover.speed[1][i] = between(-0.3, 0.3);
	mover.speed[1][2] -= 10.0 * h;
	return mover;
}

// A frame of b near one of a: off by a tenth of the size, and of a rad; `apart`: by five sizes.
static void placeFrames(plJointRecord* record, bool apart)
{
	double turn[3], off[3], lever[3];
	plJointFrame *a = &record->ends[0].now, *b = &record->ends[1].now;
	somewhere(10.0, a->centre);
	somewhere(0.5, lever);
	somewhere(1.5, turn);
	a->turn = plQuat_FromTurn(turn);
	for (int i = 0; i < 3; ++i)
		a->x[i] = a->centre[i] + lever[i];
	somewhere(0.1, turn);
	somewhere(0.1, off);
	off[0] += apart ? 5.0 : 0.0;
	somewhere(0.5, lever);
	b->turn = plQuat_Multiply(plQuat_FromTurn(turn), a->turn);
	for (int i = 0; i < 3; ++i)
	{
		b->x[i] = a->x[i] + off[i];
		b->centre[i] = b->x[i] - lever[i];
	}
}

// Ends that do not move: every other one is driven.
static void placeFlights(plJointRecord* record, size_t k)
{
	for (int side = 0; side < 2; ++side)
	{
		plJointEnd* end = record->ends + side;
		double turn[3], way[3];
		end->flight = end->now;
		if (end->mover != pl_noMover || k % 2 == 0)
			continue;
		somewhere(0.01, turn);
		somewhere(0.01, way);
		plAdd3(end->flight.x, 1.0, way);
		end->flight.turn = plQuat_Multiply(plQuat_FromTurn(turn), end->now.turn);
	}
}

// The first ones are all of body 0; some are with what does not move, some are torn.
static void makeJoint(size_t k)
{
	plJointRecord* record = c.joints.records + k;
	uint32_t a = k < hubJoints ? 0 : (uint32_t)(k * 7 % bodyCount), b = (uint32_t)(k + 1) % bodyCount;
	size_t kind = below(kindCount);
	*record = (plJointRecord){.axes = axes[kind], .rows = rows[k], .size = 1.0};
	record->ends[0].mover = k % 14 == 6 ? pl_noMover : a;
	record->ends[1].mover = k % 14 == 13 ? pl_noMover : a == b ? (b + 1) % bodyCount : b;
	placeFrames(record, k % 37 == 11);
	placeFlights(record, k);
	record->rowCount = makeRows(axes[kind], rows[k]);
	double n[3];
	plJointPose pose = plJointPose_Make(&record->ends[0].now, &record->ends[1].now);
	record->twist = plJointPose_Measure(&pose, pl_jointTwist, 0.0, n);
}

static void setUp(plLinkKind kind)
{
	plContacts_Init(&c, &heap);
	seed = 11;
	CHECK(plContacts_Reserve(&c, bodyCount, 0, 0));
	CHECK(plJoints_Reserve(&c.joints, jointCount, bodyCount, &heap));
	c.rules = (plContactRules){.h = h,
	                           .acceleration = {0.0, 0.0, -10.0},
	                           .iterations = 3,
	                           .alpha = 1.0,
	                           .link = {.kind = kind,
	                                    .parts = 3,
	                                    .passes = 2,
	                                    .warm = true,
	                                    .relax = true,
	                                    .hertz = 30.0,
	                                    .damping = 3.0,
	                                    .jointHertz = 60.0,
	                                    .jointDamping = 2.0,
	                                    .push = 3.0,
	                                    .share = 0.9}};
	c.moverCount = bodyCount;
	c.joints.count = jointCount;
	for (size_t k = 0; k < bodyCount; ++k)
		c.movers[k] = someMover(k);
	for (size_t k = 0; k < kindCount; ++k)
		makeKind(k);
	for (size_t k = 0; k < jointCount; ++k)
		makeJoint(k);
	plContacts_ListJoints(&c);
	CHECK(plContacts_Connect(&c));
}

// Where a step takes all bodies, and what rows have pushed by
typedef struct Outcome
{
	double v[bodyCount][3], w[bodyCount][3], d[bodyCount][3], turn[bodyCount][3];
	double lambda[jointCount * axisRows * pl_jointAxisCount / 2];
	plJointFrame frames[jointCount][2];
	double residual, forces;
} Outcome;

static void read(Outcome* out)
{
	size_t row = 0;
	for (size_t k = 0; k < bodyCount; ++k)
	{
		const plLinkBody* body = c.links.bodies + k;
		memcpy(out->v[k], body->v, sizeof out->v[k]);
		memcpy(out->w[k], body->w, sizeof out->w[k]);
		memcpy(out->d[k], body->d, sizeof out->d[k]);
		memcpy(out->turn[k], &body->turn.v, sizeof out->turn[k]);
	}
	for (size_t k = 0; k < jointCount; ++k)
	{
		for (uint32_t i = 0; i < c.joints.records[k].rowCount; ++i)
			out->lambda[row++] = rows[k][i].lambda;
		for (int side = 0; side < 2; ++side)
			out->frames[k][side] = c.joints.records[k].ends[side].now;
	}
}

static void stepOne(plLinkKind kind, bool isFloat, bool wide, bool reference, plPool* pool, Outcome* out)
{
	memset(out, 0, sizeof *out);
	CALL(setUp(kind));
	CHECK(plContacts_BeginLinks(&c, isFloat, wide, pool));
	if (reference)
		stepReference(&c);
	for (int part = 0; part < c.rules.link.parts && !reference; ++part)
		plContacts_SweepLinks(&c, pool);
	if (!reference)
		plContacts_EndLinks(&c, pool);
	CALL(read(out));
	if (!reference)
		plContacts_MeasureLinks(&c, &out->residual, &out->forces);
	plContacts_Destroy(&c);
	CHECK(heap.bytes == 0);
}

static const struct
{
	plLinkKind kind;
	const char* name;
} kinds[] = {{pl_linkImpulse, "impulse"}, {pl_linkXpbd, "xpbd"}};

#define EACH_KIND                                                                                                      \
	for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; ++kind)                                                 \
		for (bool once = true; once; once = false)

// |a - b|/|b|
static double compare(const double* a, const double* b, size_t count)
{
	double difference = 0.0, whole = 0.0;
	for (size_t k = 0; k < count; ++k)
	{
		difference += (a[k] - b[k]) * (a[k] - b[k]);
		whole += b[k] * b[k];
	}
	return sqrt(difference / whole);
}

static void checkAlike(const Outcome* a, const Outcome* b, double most)
{
	CHECK_NEAR(compare(a->v[0], b->v[0], 3 * bodyCount), 0.0, most);
	CHECK_NEAR(compare(a->w[0], b->w[0], 3 * bodyCount), 0.0, most);
	CHECK_NEAR(compare(a->d[0], b->d[0], 3 * bodyCount), 0.0, most);
	CHECK_NEAR(compare(a->turn[0], b->turn[0], 3 * bodyCount), 0.0, most);
	CHECK_NEAR(compare(a->lambda, b->lambda, sizeof a->lambda / sizeof *a->lambda), 0.0, most);
}

TEST(lanes_do_what_one_joint_after_the_other_does)
{
	static Outcome lanes, reference;
	EACH_KIND
	{
		WITH("%s", kinds[kind].name);
		CALL(stepOne(kinds[kind].kind, false, true, true, NULL, &reference));
		CALL(stepOne(kinds[kind].kind, false, true, false, NULL, &lanes));
		CALL(checkAlike(&lanes, &reference, 1e-12));
		for (size_t k = 0; k < jointCount; ++k)
			for (int side = 0; side < 2; ++side)
				for (int i = 0; i < 3; ++i)
				{
					CHECK_NEAR(lanes.frames[k][side].x[i], reference.frames[k][side].x[i], 1e-12);
					CHECK_NEAR(lanes.frames[k][side].centre[i], reference.frames[k][side].centre[i], 1e-12);
				}
	}
}

TEST(any_width_and_thread_count_give_the_same_bits)
{
	static Outcome first, other;
	EACH_KIND
	for (int isFloat = 0; isFloat < 2; ++isFloat)
	{
		WITH("%s, %s", kinds[kind].name, isFloat ? "float" : "double");
		CALL(stepOne(kinds[kind].kind, isFloat, false, false, NULL, &first));
		for (int threads = 1; threads <= 3; ++threads)
		{
			WITH("%d threads", threads);
			plPool* pool = plCreatePool(threads);
			CALL(stepOne(kinds[kind].kind, isFloat, true, false, pool, &other));
			plDestroyPool(pool);
			CHECK(memcmp(&first, &other, sizeof first) == 0);
			CHECK(isfinite(first.residual) && first.residual > 0.0 && isfinite(first.forces));
		}
	}
}

TEST(float_agrees_with_double)
{
	static Outcome exact, rounded;
	EACH_KIND
	{
		WITH("%s", kinds[kind].name);
		CALL(stepOne(kinds[kind].kind, false, true, false, NULL, &exact));
		CALL(stepOne(kinds[kind].kind, true, true, false, NULL, &rounded));
		CALL(checkAlike(&rounded, &exact, 2e-6));
	}
}
