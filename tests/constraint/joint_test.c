// joint_test.c: what joints measure and its directions, forces of rows, the part of joints in a block
#include "constraint/contact.h"
#include "base/rotation.h"
#include "base/vec3.h"
#include "heap.h"

static uint64_t seed = 7;

static double uniform(double low, double high)
{
	return low + 0.5 * (high - low) * (1.0 + testRandom(&seed));
}

static void randomVector(double size, double out[3])
{
	for (int i = 0; i < 3; ++i)
		out[i] = uniform(-size, size);
}

static plJointFrame randomFrame(double size)
{
	plJointFrame frame;
	double turn[3];
	randomVector(size, frame.centre);
	randomVector(size, frame.x);
	randomVector(1.2, turn);
	frame.turn = plQuat_FromTurn(turn);
	return frame;
}

// A frame that moved with its body: by d, and turned by a small turn about the body's centre.
static plJointFrame moved(const plJointFrame* from, const double d[3], const double turn[3])
{
	plJointFrame to = *from;
	double arm[3];
	plQuat q = plQuat_FromTurn(turn);
	plSubtract3(from->x, from->centre, arm);
	plQuat_Rotate(q, arm, arm);
	for (int i = 0; i < 3; ++i)
	{
		to.centre[i] = from->centre[i] + d[i];
		to.x[i] = to.centre[i] + arm[i];
	}
	to.turn = plQuat_Multiply(q, from->turn);
	return to;
}

static double valueOf(const plJointFrame* a, const plJointFrame* b, plJointAxis axis)
{
	double direction[3];
	plJointPose pose = plJointPose_Make(a, b);
	return plJointPose_Measure(&pose, axis, 0.0, direction);
}

// ---- axes -----------------------------------------------------------------------------------------------------------

TEST(every_axis_moves_along_its_direction)
{
	const double step = 1e-6;
	for (int round = 0; round < 200; ++round)
		for (int axis = 0; axis < pl_jointAxisCount; ++axis)
		{
			plJointFrame frames[2] = {randomFrame(1.0), randomFrame(1.0)};
			plJointPose pose = plJointPose_Make(frames, frames + 1);
			double n[3];
			plJointPose_Measure(&pose, (plJointAxis)axis, 0.0, n);
			for (int k = 0; k < 12; ++k) // ways and turns of a, then of b
			{
				double d[3] = {0.0, 0.0, 0.0}, turn[3] = {0.0, 0.0, 0.0}, arm[3], along[3], values[2];
				int side = k / 6;
				double sign = side == 0 ? -1.0 : 1.0;
				plSubtract3(frames[1].x, frames[side].centre, arm);
				plCross3(arm, n, along);
				bool isTurn = plJointAxis_IsTurn((plJointAxis)axis);
				double expected = sign * (k % 6 < 3 ? (isTurn ? 0.0 : n[k % 3]) : isTurn ? n[k % 3] : along[k % 3]);
				for (int there = 0; there < 2; ++there)
				{
					(k % 6 < 3 ? d : turn)[k % 3] = there ? step : -step;
					plJointFrame to = moved(frames + side, d, turn);
					values[there] = valueOf(side == 0 ? &to : frames, side == 0 ? frames + 1 : &to, (plJointAxis)axis);
				}
				CHECK_NEAR((values[1] - values[0]) / (2.0 * step), expected, 1e-7);
			}
		}
}

TEST(axes_have_their_values)
{
	const double pi = 3.14159265358979324;
	plJointFrame a = {.turn = {{0, 0, 0}, 1}}, b = a;
	b.x[0] = 3.0, b.x[1] = 4.0;
	CHECK_NEAR(valueOf(&a, &b, pl_jointX), 3.0, 1e-15);
	CHECK_NEAR(valueOf(&a, &b, pl_jointY), 4.0, 1e-15);
	CHECK_NEAR(valueOf(&a, &b, pl_jointLength), 5.0, 1e-15);
	b.turn = plQuat_FromAxisAngle((plVec3){1, 0, 0}, 0.7);
	CHECK_NEAR(valueOf(&a, &b, pl_jointTwist), 0.7, 1e-14);
	CHECK_NEAR(valueOf(&a, &b, pl_jointCone), 0.0, 1e-7);
	b.turn = plQuat_FromAxisAngle((plVec3){0, 0.6, 0.8}, 0.5);
	CHECK_NEAR(valueOf(&a, &b, pl_jointTwist), 0.0, 1e-14);
	CHECK_NEAR(valueOf(&a, &b, pl_jointSwingY), 0.3, 1e-14);
	CHECK_NEAR(valueOf(&a, &b, pl_jointSwingZ), 0.4, 1e-14);
	CHECK_NEAR(valueOf(&a, &b, pl_jointCone), 0.5, 1e-14);
	// a shaft that was twisted before it swings shows both
	b.turn = plQuat_Multiply(b.turn, plQuat_FromAxisAngle((plVec3){1, 0, 0}, -1.1));
	CHECK_NEAR(valueOf(&a, &b, pl_jointTwist), -1.1, 1e-14);
	CHECK_NEAR(valueOf(&a, &b, pl_jointSwingZ), 0.4, 1e-14);
	b.turn = plQuat_FromAxisAngle((plVec3){1, 0, 0}, 0.2); // y of a and z of b
	CHECK_NEAR(valueOf(&a, &b, pl_jointCross), -0.2, 1e-14);
	double direction[3];
	b.turn = plQuat_FromAxisAngle((plVec3){1, 0, 0}, 0.1);
	plJointPose pose = plJointPose_Make(&a, &b);
	CHECK_NEAR(plJointPose_Measure(&pose, pl_jointTwist, 6.0 * pi, direction), 6.0 * pi + 0.1, 1e-13);
	CHECK_NEAR(plJointPose_Measure(&pose, pl_jointTwist, -2.0 * pi + 3.0, direction), -2.0 * pi + 0.1, 1e-13);
}

// ---- rows -----------------------------------------------------------------------------------------------------------

TEST(rows_hold_limit_spring_and_drive)
{
	double k;
	plJointRow hold = {.kind = pl_rowHold, .lambda = 5.0, .k = 100.0, .bias = 0.1, .soft = 1.0};
	CHECK_NEAR(plJointRow_GetForce(&hold, 0.3, true, &k), 5.0 + 20.0, 1e-12);
	CHECK_NEAR(k, 100.0, 1e-9);
	plJointRow limit = {.kind = pl_rowLimit, .k = 100.0, .low = -1.0, .high = 1.0, .soft = 1.0};
	CHECK(plJointRow_GetForce(&limit, 0.9, true, &k) == 0.0 && k == 0.0);
	CHECK_NEAR(plJointRow_GetForce(&limit, 1.1, true, &k), 10.0, 1e-12);
	CHECK_NEAR(plJointRow_GetForce(&limit, -1.2, true, &k), -20.0, 1e-12);
	limit.lambda = 8.0; // it leaves: what is left of lambda lets go exactly
	CHECK(plJointRow_GetForce(&limit, 0.6, true, &k) == 0.0);
	CHECK_NEAR(k, 8.0 / 0.4, 1e-9);
	plJointRow_GetForce(&limit, 0.6, false, &k);
	CHECK(k == 100.0);
	limit.lambda = -8.0;
	CHECK_NEAR(plJointRow_GetForce(&limit, -0.95, true, &k), -3.0, 1e-12);
	// a spring tends to ke C, whatever k: lambda is its fixed point
	plJointRow spring = {.kind = pl_rowSpring, .k = 30.0, .low = -1e9, .high = 1e9, .soft = 700.0 / 730.0};
	for (int i = 0; i < 400; ++i)
		spring.lambda = plJointRow_GetForce(&spring, 0.02, true, &k);
	CHECK_NEAR(spring.lambda, 700.0 * 0.02, 1e-6);
	plJointRow motor = {.kind = pl_rowMotor, .lambda = 2.0, .k = 100.0, .low = -3.0, .high = 3.0, .soft = 1.0};
	CHECK_NEAR(plJointRow_GetForce(&motor, 1.0, true, &k), 3.0, 0.0);
	CHECK_NEAR(k, 1.0, 1e-12); // to the bound, no farther
}

// ---- blocks ---------------------------------------------------------------------------------------------------------

static plContacts c;
static plJointRow rows[2 * pl_jointAxisCount];
static plAxisDef axes[pl_jointAxisCount];
static plMover movers[2];
static double zeta[4 * pl_quad];

// A joint between two movers, with rows of every kind.
static void makeJoint(void)
{
	plContacts_Init(&c, &heap);
	CHECK(plContacts_Reserve(&c, 2, 0, 0) && plJoints_Reserve(&c.joints, 1, 2, &heap));
	c.moverCount = 2;
	c.joints.count = 1;
	c.zeta = zeta;
	c.rules.rescales = true;
	plJointRecord* record = c.joints.records;
	*record = (plJointRecord){.axes = axes, .rows = rows, .size = 0.5};
	for (uint32_t side = 0; side < 2; ++side)
	{
		record->ends[side].mover = side;
		record->ends[side].flight = record->ends[side].now = randomFrame(1.0);
	}
	for (int axis = 0; axis < pl_jointAxisCount; ++axis)
		for (int kind = pl_rowHold; kind <= pl_rowSpring; kind += pl_rowSpring)
			rows[record->rowCount++] = (plJointRow){.axis = (plJointAxis)axis,
			                                        .kind = (plRowKind)kind,
			                                        .lambda = uniform(-20.0, 20.0),
			                                        .k = uniform(10.0, 100.0),
			                                        .bias = uniform(-0.1, 0.1),
			                                        .low = -1e9,
			                                        .high = 1e9,
			                                        .soft = kind == pl_rowHold ? 1.0 : 0.7};
	plContacts_ListJoints(&c);
	memset(movers, 0, sizeof movers);
}

// What rows are the gradient of: soft (lambda C + k C^2/2).
static double potentialAt(size_t mover, const double at[6])
{
	plJointRecord* record = c.joints.records;
	double sum = 0.0, direction[3];
	plContacts_MoveJoints(&c, mover, at);
	plJointPose pose = plJointPose_Make(&record->ends[0].now, &record->ends[1].now);
	for (uint32_t i = 0; i < record->rowCount; ++i)
	{
		double off = plJointPose_Measure(&pose, rows[i].axis, record->twist, direction) - rows[i].bias;
		sum += rows[i].soft * (rows[i].lambda * off + 0.5 * rows[i].k * off * off);
	}
	return sum;
}

static void partAt(size_t mover, const double at[6], double f[6], double H[6][6])
{
	memset(f, 0, 6 * sizeof *f);
	memset(H, 0, 36 * sizeof(double));
	plContacts_MoveJoints(&c, mover, at);
	plContacts_AddJoints(&c, mover, at, f, H);
}

TEST(the_part_of_a_block_is_the_gradient_in_the_chart_and_bounds_the_hessian)
{
	const double step = 1e-5;
	for (int round = 0; round < 60; ++round)
		for (size_t mover = 0; mover < 2; ++mover)
		{
			double at[6], f[6], H[6][6], there[6][6];
			makeJoint();
			randomVector(0.1, at);
			randomVector(round % 2 ? 0.3 : 0.0, at + 3);
			partAt(mover, at, f, H);
			for (int i = 0; i < 6; ++i)
			{
				double to[6], values[2], g[2][6], unused[6][6];
				for (int side = 0; side < 2; ++side)
				{
					memcpy(to, at, sizeof to);
					to[i] += side ? step : -step;
					values[side] = potentialAt(mover, to);
					partAt(mover, to, g[side], unused);
				}
				CHECK_NEAR((values[1] - values[0]) / (2.0 * step), -f[i], 1e-5 * (1.0 + fabs(f[i])));
				for (int j = 0; j < 6; ++j)
					there[i][j] = -(g[1][j] - g[0][j]) / (2.0 * step);
			}
			if (round % 2 == 0) // in any direction
				for (int test = 0; test < 40; ++test)
				{
					double x[6], exact = 0.0, bound = 0.0;
					randomVector(1.0, x);
					randomVector(1.0, x + 3);
					for (int i = 0; i < 6; ++i)
						for (int j = 0; j < 6; ++j)
						{
							exact += x[i] * there[i][j] * x[j];
							bound += x[i] * H[i > j ? i : j][i > j ? j : i] * x[j];
						}
					CHECK(bound >= exact - 1e-4 * fabs(exact));
				}
			plContacts_Destroy(&c);
		}
}
