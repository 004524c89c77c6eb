// query_cloth.c: what a cloth looks like, triangle by triangle
//
//   F = [d1 d2] B            d edges of a triangle now, B the inverse of its chart's edges; columns f1 f2
//   s0 s1                    stretches: s0^2 = (a + c)/2 + sqrt(((a - c)/2)^2 + b^2),  s1 = |f1 x f2| / s0
//                            with a = f1.f1, b = f1.f2, c = f2.f2
//   curvature                sum over the edges of a triangle of  theta |e| / (2 A): the sum of both principal ones,
//                            1/R of a cylinder of radius R whose outside is the front
//   stretch of an edge       |x_i - x_j| / L
//
// theta angle between the normals at an edge of two triangles, positive where they part. A area now, L length in
// matter.
#include "world.h"
#include "../base/number.h"
#include "../base/vec3.h"

static const plCloth* clothOf(const plWorld* world, plBodyId id)
{
	const plCloth* cloth = plWorld_GetSoftBody(world, id)->cloth;
	PL_ASSERT(cloth != NULL, "the body is cloth: this is not for bodies of tets");
	return cloth;
}

bool plBody_IsCloth(const plWorld* world, plBodyId id)
{
	return !plBodyId_IsRigid(id) && plWorld_GetSoftBody(world, id)->cloth != NULL;
}

size_t plBody_GetTriangleCount(const plWorld* world, plBodyId id)
{
	const plCloth* cloth = plWorld_GetSoftBody(world, id)->cloth;
	return cloth != NULL ? cloth->triangleCount : 0;
}

void plBody_GetTriangles(const plWorld* world, plBodyId id, uint32_t* triangles)
{
	const plCloth* cloth = clothOf(world, id);
	memcpy(triangles, cloth->triangles, 3 * cloth->triangleCount * sizeof(uint32_t));
}

static const double* positionOf(const plWorld* world, const plSoftBody* body, uint32_t vertex)
{
	return PL_AT(world->q, body->vertexStart + body->internalOf[vertex]);
}

// ---- stretches ------------------------------------------------------------------------------------------------------

// Columns of F
static void deformationOf(const plWorld* world, const plSoftBody* body, size_t triangle, double f[2][3])
{
	const uint32_t* c = body->cloth->triangles + 3 * triangle;
	const double* u = body->cloth->charts + 6 * triangle;
	double d[2][3], twice = plChart_GetDouble(u);
	double B[2][2] = {{(u[5] - u[1]) / twice, -(u[4] - u[0]) / twice}, {-(u[3] - u[1]) / twice, (u[2] - u[0]) / twice}};
	for (int k = 0; k < 2; ++k)
		plSubtract3(positionOf(world, body, c[k + 1]), positionOf(world, body, c[0]), d[k]);
	for (int j = 0; j < 2; ++j)
		for (int i = 0; i < 3; ++i)
			f[j][i] = d[0][i] * B[0][j] + d[1][i] * B[1][j];
}

void plBody_GetStretches(const plWorld* world, plBodyId id, double* stretches)
{
	const plCloth* cloth = clothOf(world, id);
	for (size_t t = 0; t < cloth->triangleCount; ++t)
	{
		double f[2][3], n[3];
		deformationOf(world, plWorld_GetSoftBody(world, id), t, f);
		plCross3(f[0], f[1], n);
		double a = plDot3(f[0], f[0]), b = plDot3(f[0], f[1]), c = plDot3(f[1], f[1]);
		double half = 0.5 * (a - c), s0 = sqrt(0.5 * (a + c) + sqrt(half * half + b * b));
		stretches[2 * t] = s0;
		stretches[2 * t + 1] = s0 > 0.0 ? plLength3(n) / s0 : 0.0;
	}
}

double plWorld_GetClothStretch(const plWorld* world)
{
	double most = 0.0;
	PL_EACH(const plSoftBody, body, &world->softs)
		for (size_t e = 0; body->cloth != NULL && e < body->cloth->edgeCount; ++e)
		{
			double d[3], rest = body->cloth->edgeLengths[e];
			plSubtract3(positionOf(world, body, body->cloth->edges[2 * e]),
			            positionOf(world, body, body->cloth->edges[2 * e + 1]), d);
			double square = plDot3(d, d) / (rest * rest);
			most = square > most ? square : most;
		}
	return sqrt(most);
}

// ---- stress and forces
// ------------------------------------------------------------------------------------------------

// S = F^+ P = C^-1 F' P, by rows: F and P have columns along warp and weft, and a third that does not count
static void stressOf(const double* F, const double* P, double S[3])
{
	double a = 0.0, b = 0.0, c = 0.0, t[2][2] = {{0.0}};
	for (int i = 0; i < 3; ++i)
	{
		a += F[3 * i] * F[3 * i];
		b += F[3 * i] * F[3 * i + 1];
		c += F[3 * i + 1] * F[3 * i + 1];
		for (int j = 0; j < 2; ++j)
			for (int k = 0; k < 2; ++k)
				t[j][k] += F[3 * i + j] * P[3 * i + k];
	}
	double det = a * c - b * b;
	S[0] = det > 0.0 ? (c * t[0][0] - b * t[1][0]) / det : 0.0;
	S[1] = det > 0.0 ? (a * t[1][1] - b * t[0][1]) / det : 0.0;
	S[2] = det > 0.0 ? (c * t[0][1] - b * t[1][1]) / det : 0.0;
}

plResult plBody_GetMembraneStress(plWorld* world, plBodyId id, double* stress, plError* error)
{
	const plCloth* cloth = clothOf(world, id);
	plResult result = plWorld_Prepare(world, error);
	if (result < 0)
		return result;
	plProblem* problem = world->prepared.problem;
	size_t first = world->prepared.elements.triangles.base.firstBatch;
	problem->space->load(problem, world->prepared.next, world->q);
	memset(stress, 0, 3 * cloth->triangleCount * sizeof(double));
	for (size_t batch = cloth->batchStart; batch < cloth->batchEnd; ++batch)
	{
		double F[9 * pl_batchSize], P[9 * pl_batchSize];
		problem->objective->measure(problem, world->prepared.next, first + batch, F, P);
		for (size_t lane = 0; lane < pl_batchSize; ++lane)
		{
			uint32_t triangle = cloth->triangleOf[pl_batchSize * (batch - cloth->batchStart) + lane];
			if (triangle != UINT32_MAX)
				stressOf(F + 9 * lane, P + 9 * lane, stress + 3 * (size_t)triangle);
		}
	}
	return pl_success;
}

// Minus the gradient of one batch; vertices of other bodies are not in `forces`.
static void addBatch(const plWorld* world, const plSoftBody* body, const plBatches* batches, size_t batch,
                     double* forces)
{
	plProblem* problem = world->prepared.problem;
	_Alignas(64) double gradient[3 * pl_mostCorners * pl_batchSize];
	size_t count = batches->kind->cornerCount;
	problem->objective->pull(problem, world->prepared.next, batches->firstBatch + batch, false, gradient);
	for (size_t lane = 0; lane < pl_batchSize; ++lane)
	{
		uint32_t corners[pl_mostCorners];
		plBatches_GetCorners(batches, pl_batchSize * batch + lane, count, corners);
		for (size_t c = 0; c < count; ++c)
			for (size_t i = 0; i < 3 && corners[c] - body->vertexStart < body->vertexCount; ++i)
				PL_AT(forces, corners[c])[i] -= gradient[pl_batchSize * (3 * c + i) + lane];
	}
}

void plWorld_AddClothForces(plWorld* world, const plSoftBody* body, double* forces)
{
	const plElements* elements = &world->prepared.elements;
	const plSpringEnergy* springs = world->prepared.clothSprings;
	for (int kind = pl_kindTriangle; kind < pl_kindCount; ++kind)
		for (size_t batch = 0; batch < elements->kinds[kind]->batchCount; ++batch)
			addBatch(world, body, elements->kinds[kind], batch, forces);
	for (size_t e = 0; springs != NULL && e < springs->base.elementCount; ++e)
	{
		const uint32_t* ends = springs->base.vertices + 2 * e;
		double f[6];
		springs->base.verbs->gradient(&springs->base, world->q, e, e + 1, f);
		for (size_t i = 0; i < 6 && ends[0] - body->vertexStart < body->vertexCount; ++i)
			PL_AT(forces, ends[i / 3])[i % 3] -= f[i];
	}
}

// ---- normals and curvature
// --------------------------------------------------------------------------------------------

// Twice the area along the normal
static void crossOf(const plWorld* world, const plSoftBody* body, size_t triangle, double n[3])
{
	const uint32_t* c = body->cloth->triangles + 3 * triangle;
	double d[2][3];
	for (int k = 0; k < 2; ++k)
		plSubtract3(positionOf(world, body, c[k + 1]), positionOf(world, body, c[0]), d[k]);
	plCross3(d[0], d[1], n);
}

void plBody_GetNormals(const plWorld* world, plBodyId id, double* normals)
{
	const plCloth* cloth = clothOf(world, id);
	for (size_t t = 0; t < cloth->triangleCount; ++t)
	{
		double* n = normals + 3 * t;
		crossOf(world, plWorld_GetSoftBody(world, id), t, n);
		double length = plLength3(n);
		for (int i = 0; i < 3; ++i)
			n[i] = length > 0.0 ? n[i] / length : 0.0;
	}
}

// Does the triangle go through the edge from its first end to its second?
static bool goesUp(const plCloth* cloth, uint32_t triangle, const uint32_t ends[2])
{
	const uint32_t* c = cloth->triangles + 3 * (size_t)triangle;
	return (c[0] == ends[0] && c[1] == ends[1]) || (c[1] == ends[0] && c[2] == ends[1]) ||
	       (c[2] == ends[0] && c[0] == ends[1]);
}

// theta |e| of edge e; where the second triangle shows its back its normal counts the other way
static double bendOf(const plWorld* world, const plSoftBody* body, size_t e, double n[2][3])
{
	const plCloth* cloth = body->cloth;
	const uint32_t *ends = cloth->edges + 2 * e, *triangles = cloth->edgeTriangles + 2 * e;
	double d[3], turn[3];
	plSubtract3(positionOf(world, body, ends[1]), positionOf(world, body, ends[0]), d);
	bool up[2] = {goesUp(cloth, triangles[0], ends), goesUp(cloth, triangles[1], ends)};
	double length = plLength3(d), way = up[0] ? 1.0 : -1.0, side = up[0] == up[1] ? -1.0 : 1.0;
	plCross3(n[0], n[1], turn);
	return length > 0.0 ? length * plAtan2(side * way * plDot3(turn, d) / length, side * plDot3(n[0], n[1])) : 0.0;
}

void plBody_GetCurvatures(const plWorld* world, plBodyId id, double* curvatures)
{
	const plSoftBody* body = plWorld_GetSoftBody(world, id);
	const plCloth* cloth = clothOf(world, id);
	memset(curvatures, 0, cloth->triangleCount * sizeof(double));
	for (size_t e = 0; e < cloth->edgeCount; ++e)
	{
		const uint32_t* triangles = cloth->edgeTriangles + 2 * e;
		double n[2][3], area[2];
		if (triangles[1] == PL_NONE)
			continue;
		for (int k = 0; k < 2; ++k)
		{
			crossOf(world, body, triangles[k], n[k]);
			area[k] = plLength3(n[k]);
		}
		double bend = bendOf(world, body, e, n);
		for (int k = 0; k < 2; ++k)
			curvatures[triangles[k]] += area[k] > 0.0 ? bend / area[k] : 0.0;
	}
}
