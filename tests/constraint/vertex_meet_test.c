// vertex_meet_test.c: records between points of soft bodies and rigid ones: a potential for the vertices and for the
// body, blocks that bound its Hessian, equal and opposite forces
#include "constraint/contact.h"
#include "base/rotation.h"
#include "base/vec3.h"
#include "heap.h"

static uint64_t seed = 11;

static double uniform(double low, double high)
{
	return low + 0.5 * (high - low) * (1.0 + testRandom(&seed));
}

static void randomVector(double size, double out[3])
{
	for (int i = 0; i < 3; ++i)
		out[i] = uniform(-size, size);
}

// Pushing, slipping, leaving, or attached.
static plVertexMeet randomMeet(bool isAttached)
{
	plVertexMeet meet = {.cornerCount = 1,
	                     .shares = {1.0},
	                     .isAttached = isAttached,
	                     .friction = uniform(0.1, 4.0),
	                     .kn = 300.0,
	                     .kt = 200.0,
	                     .sigma = 1.0};
	randomVector(1.0, meet.normal);
	double size = plLength3(meet.normal);
	for (int i = 0; i < 3; ++i)
		meet.normal[i] = isAttached ? 0.0 : meet.normal[i] / size;
	randomVector(1.0, meet.r);
	randomVector(0.05, meet.u0);
	randomVector(10.0, meet.lambda);
	plAdd3(meet.lambda, uniform(-10.0, 20.0), meet.normal);
	if (isAttached)
	{
		meet.kt = meet.kn;
		meet.sigma = uniform(0.1, 1.0);
	}
	double along = plDot3(meet.normal, meet.lambda);
	meet.N = fmax(along, 0.0);
	plAdd3(meet.lambda, meet.N - along, meet.normal);
	return meet;
}

static double valueAt(const plVertexMeet* meet, const double q[3])
{
	double magnitude = 0.0;
	return plVertexMeet_GetValue(meet, q, &magnitude);
}

TEST(the_force_on_a_vertex_is_minus_the_gradient)
{
	const double step = 1e-6;
	int slipping = 0, leaving = 0;
	for (int round = 0; round < 2000; ++round)
	{
		plVertexMeet meet = randomMeet(round % 3 == 0);
		double q[3];
		randomVector(0.05, q);
		plVertexForce F = plVertexMeet_GetForce(&meet, q, true);
		slipping += F.slips;
		leaving += !F.pushes;
		for (int i = 0; i < 3; ++i)
		{
			double a[3] = {q[0], q[1], q[2]}, b[3] = {q[0], q[1], q[2]};
			a[i] -= step;
			b[i] += step;
			CHECK_NEAR(-(valueAt(&meet, b) - valueAt(&meet, a)) / (2.0 * step), F.force[i], 1e-3);
		}
	}
	CHECK(slipping > 100 && leaving > 50);
}

// One mover with one record.
typedef struct Setting
{
	plContacts c;
	plMover mover;
} Setting;

static void openWith(Setting* s, const plVertexMeet* meet, size_t vertices)
{
	plContacts_Init(&s->c, &heap);
	s->mover = (plMover){.mass = 1.0};
	s->c.movers = &s->mover;
	s->c.moverCount = 1;
	s->c.rules.rescales = true;
	CHECK(plVertexMeets_Reserve(&s->c.vertices, 1, vertices, 1, &heap));
	s->c.vertices.meets[0] = *meet;
	s->c.vertices.count = 1;
	plContacts_ListVertexMeets(&s->c, vertices);
}

static void open(Setting* s, const plVertexMeet* meet)
{
	openWith(s, meet, 1);
}

static void closeSetting(Setting* s)
{
	s->c.movers = NULL;
	plContacts_Destroy(&s->c);
}

// The potential with the body at zeta.
static double valueOfBody(Setting* s, const double zeta[6])
{
	plContacts_MoveVertexMeets(&s->c, 0, zeta);
	return valueAt(s->c.vertices.meets, s->c.vertices.meets->at);
}

TEST(the_part_of_a_body_is_the_gradient_and_its_block_bounds_the_hessian)
{
	const double step = 1e-5;
	int plain = 0;
	for (int round = 0; round < 300; ++round)
	{
		Setting s = {0};
		plVertexMeet meet = randomMeet(round % 2 == 0);
		double zeta[6], f[6] = {0.0}, H[6][6] = {{0.0}};
		open(&s, &meet);
		randomVector(0.05, zeta);
		randomVector(meet.isAttached ? 0.5 : 0.05, zeta + 3);
		plContacts_MoveVertexMeets(&s.c, 0, zeta);
		plContacts_AddVertexMeets(&s.c, 0, zeta, f, H);
		for (int i = 0; i < 6; ++i)
		{
			double a[6], b[6];
			memcpy(a, zeta, sizeof a);
			memcpy(b, zeta, sizeof b);
			a[i] -= step;
			b[i] += step;
			CHECK_NEAR(-(valueOfBody(&s, b) - valueOfBody(&s, a)) / (2.0 * step), f[i], 2e-3);
		}
		// along any way the block is the curvature of what pushes and sticks; of what is attached no less than that
		double way[6], curvature = 0.0, found = 0.0, at[3][6];
		randomVector(1.0, way);
		randomVector(1.0, way + 3);
		for (int k = 0; k < 3; ++k)
			for (int i = 0; i < 6; ++i)
				at[k][i] = zeta[i] + 1e-4 * (k - 1) * way[i];
		found = (valueOfBody(&s, at[0]) - 2.0 * valueOfBody(&s, at[1]) + valueOfBody(&s, at[2])) / 1e-8;
		for (int i = 0; i < 6; ++i)
			for (int j = 0; j <= i; ++j)
				curvature += (i == j ? 1.0 : 2.0) * H[i][j] * way[i] * way[j];
		plVertexForce F = plVertexMeet_GetForce(s.c.vertices.meets, s.c.vertices.meets->at, true);
		plain += !meet.isAttached && F.pushes && !F.slips;
		if (!meet.isAttached && F.pushes && !F.slips)
			CHECK_NEAR(curvature, found, 1e-3 * fabs(found));
		if (meet.isAttached)
			CHECK(curvature >= found - 0.05 * (fabs(found) + 10.0));
		closeSetting(&s);
	}
	CHECK(plain > 20);
}

// What a body loses by the multiplier of a record is what the vertex gets, torques about one point included.
TEST(a_record_keeps_momentum)
{
	for (int round = 0; round < 50; ++round)
	{
		Setting s = {0};
		plVertexMeet meet = randomMeet(round % 2 == 0);
		double zeta[6] = {0.0}, f[6] = {0.0}, load = 0.0, turn[3];
		memcpy(meet.x, meet.r, sizeof meet.x); // the centre of mass is the origin
		open(&s, &meet);
		plContacts_LoadVertexMeets(&s.c, 0, zeta, f, &load);
		plCross3(meet.x, meet.lambda, turn);
		for (int i = 0; i < 3; ++i)
		{
			CHECK_NEAR(f[i], -meet.lambda[i], 1e-14 * load);
			CHECK_NEAR(f[3 + i], -turn[i], 1e-13 * load);
		}
		closeSetting(&s);
	}
}

// ---- points of triangles --------------------------------------------------------------------------------------------

// Shares of a point of a triangle or an edge.
static void spread(plVertexMeet* meet, uint32_t count)
{
	double sum = 0.0;
	meet->cornerCount = count;
	for (uint32_t c = 0; c < count; ++c)
	{
		meet->corners[c] = 2 - c;
		meet->shares[c] = uniform(0.05, 1.0);
		sum += meet->shares[c];
	}
	for (uint32_t c = 0; c < count; ++c)
		meet->shares[c] /= sum;
}

static double valueOfVertices(const plVertexMeet* meet, const double* q)
{
	double point[3];
	plVertexMeet_GetPoint(meet, q, point);
	return valueAt(meet, point);
}

TEST(each_vertex_of_a_triangle_sees_its_part_of_the_gradient_and_of_the_curvature)
{
	const double step = 1e-6, wide = 1e-4;
	int plain = 0;
	for (int round = 0; round < 1000; ++round)
	{
		Setting s = {0};
		plVertexMeet meet = randomMeet(false);
		double q[3 * pl_quad] = {0.0};
		spread(&meet, 2 + (uint32_t)round % 2);
		openWith(&s, &meet, 3);
		s.c.vertices.isOpen = true;
		for (size_t v = 0; v < 3; ++v)
			randomVector(0.05, PL_AT(q, v));
		for (uint32_t v = 0; v < 3; ++v)
		{
			double g[3] = {0.0}, H[6] = {0.0}, point[3], way[3];
			int visits = 0;
			PL_EACH_MEET(e, &s.c.vertices, v)
			{
				plContacts_AddToVertex(&s.c, e, q, g, H);
				++visits;
			}
			CHECK(visits == (meet.cornerCount == 3 || v > 0));
			for (int i = 0; i < 3; ++i)
			{
				double a[3 * pl_quad], b[3 * pl_quad];
				memcpy(a, q, sizeof a);
				memcpy(b, q, sizeof b);
				PL_AT(a, v)[i] -= step;
				PL_AT(b, v)[i] += step;
				CHECK_NEAR((valueOfVertices(&meet, b) - valueOfVertices(&meet, a)) / (2.0 * step), g[i], 1e-3);
			}
			plVertexMeet_GetPoint(&meet, q, point);
			plVertexForce F = plVertexMeet_GetForce(&meet, point, true);
			if (!F.pushes || F.slips || visits == 0)
				continue;
			double values[3], curvature = 0.0;
			randomVector(1.0, way);
			for (int k = 0; k < 3; ++k)
			{
				double a[3 * pl_quad];
				memcpy(a, q, sizeof a);
				plAdd3(PL_AT(a, v), wide * (k - 1), way);
				values[k] = valueOfVertices(&meet, a);
			}
			for (int i = 0; i < 3; ++i)
				curvature += H[i] * way[i] * way[i];
			curvature += 2.0 * (H[3] * way[0] * way[1] + H[4] * way[0] * way[2] + H[5] * way[1] * way[2]);
			double found = (values[0] - 2.0 * values[1] + values[2]) / (wide * wide);
			double force[3], slack[3];
			memcpy(force, F.force, sizeof force);
			plVertexMeet_GetPoint(&meet, q, slack);
			plAdd3(slack, wide, way);
			plVertexForce G = plVertexMeet_GetForce(&meet, slack, true);
			if (!G.pushes || G.slips)
				continue; // it crosses the edge of the cone
			++plain;
			CHECK_NEAR(curvature, found, 0.02 * fabs(found) + 1e-3);
		}
		closeSetting(&s);
	}
	CHECK(plain > 100);
}

// What the body loses is what the vertices get together, torques included.
TEST(a_record_of_a_triangle_keeps_momentum)
{
	for (int round = 0; round < 50; ++round)
	{
		Setting s = {0};
		plVertexMeet meet = randomMeet(false);
		double q[3 * pl_quad] = {0.0}, zeta[6] = {0.0}, f[6] = {0.0}, load = 0.0, sum[6] = {0.0};
		spread(&meet, 2 + (uint32_t)round % 2);
		for (size_t v = 0; v < 3; ++v)
			randomVector(1.0, PL_AT(q, v));
		plVertexMeet_GetPoint(&meet, q, meet.r); // the centre of mass is the origin
		openWith(&s, &meet, 3);
		plContacts_LoadVertexMeets(&s.c, 0, zeta, f, &load);
		for (uint32_t c = 0; c < meet.cornerCount; ++c)
		{
			double turn[3];
			plCross3(PL_AT(q, meet.corners[c]), meet.lambda, turn);
			plAdd3(sum, meet.shares[c], meet.lambda);
			plAdd3(sum + 3, meet.shares[c], turn);
		}
		for (int i = 0; i < 6; ++i)
			CHECK_NEAR(f[i], -sum[i], 1e-12 * load);
		closeSetting(&s);
	}
}
