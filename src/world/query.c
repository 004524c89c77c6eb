// query.c: what a body looks like, in the caller's order
#include "world.h"
#include "../base/vec3.h"

#include <math.h>

size_t plBody_GetVertexCount(const plWorld* world, plBodyId id)
{
	return plWorld_GetSoftBody(world, id)->vertexCount;
}

size_t plBody_GetTetCount(const plWorld* world, plBodyId id)
{
	return plWorld_GetSoftBody(world, id)->tetCount;
}

// ---- vertices -----------------------------------------------------------------------------------------------------

static void getVertices(const plSoftBody* body, const double* from, double* to)
{
	for (size_t i = 0; i < body->vertexCount; ++i)
		memcpy(to + 3 * i, PL_AT(from, body->vertexStart + body->internalOf[i]), 3 * sizeof(double));
}

static void setVertices(const plSoftBody* body, const double* from, double* to)
{
	for (size_t i = 0; i < body->vertexCount; ++i)
		memcpy(PL_AT(to, body->vertexStart + body->internalOf[i]), from + 3 * i, 3 * sizeof(double));
}

void plBody_GetPositions(const plWorld* world, plBodyId id, double* positions)
{
	getVertices(plWorld_GetSoftBody(world, id), world->q, positions);
}

void plBody_GetVelocities(const plWorld* world, plBodyId id, double* velocities)
{
	getVertices(plWorld_GetSoftBody(world, id), world->v, velocities);
}

void plBody_SetPositions(plWorld* world, plBodyId id, const double* positions)
{
	setVertices(plWorld_GetSoftBody(world, id), positions, world->q);
	plWorld_ForgetCrossed(world);
	plWorld_DropGrips(world, id.index1 - 1, UINT32_MAX); // it was lifted
	plWorld_DropNearGrips(world, plWorld_GetSoftBody(world, id));
	world->hasHistory = false;
	world->prepared.measured = false;
}

void plBody_SetVelocities(plWorld* world, plBodyId id, const double* velocities)
{
	setVertices(plWorld_GetSoftBody(world, id), velocities, world->v);
	world->hasHistory = false;
}

void plBody_GetRestPositions(const plWorld* world, plBodyId id, double* positions)
{
	const plSoftBody* body = plWorld_GetSoftBody(world, id);
	memcpy(positions, body->rest, 3 * body->vertexCount * sizeof(double));
}

void plBody_GetMasses(const plWorld* world, plBodyId id, double* masses)
{
	const plSoftBody* body = plWorld_GetSoftBody(world, id);
	for (size_t i = 0; i < body->vertexCount; ++i)
		masses[i] = world->mass[body->vertexStart + body->internalOf[i]];
}

// Forces of dynamic rigid bodies, by the shares of vertices in the points that are pushed.
static void addMet(const plWorld* world, uint32_t slot, double* forces)
{
	const plSoftBody* body = plSlots_At(&world->softs, slot);
	const plVertexTouches* t = &world->rigids.vertexTouches;
	for (size_t i = 0; t->keptCount > 0 && i < body->vertexCount; ++i)
		for (size_t k = plVertexTouches_Find(t, slot, pl_featureVertex, body->internalOf[i]);
		     plVertexTouches_IsOf(t, k, slot, body->internalOf[i]); ++k)
			plAdd3(forces + 3 * i, 1.0, t->kept[k].lambda);
	size_t k = plVertexTouches_Find(t, slot, pl_featureEdge, 0);
	for (; world->prepared.facets.startCount > 0 && k < t->keptCount && t->kept[k].body == slot; ++k)
	{
		uint32_t vertices[3], count = plWorld_NameFeature(world, slot, t->kept[k].kind, t->kept[k].number, vertices);
		for (uint32_t c = 0; c < count; ++c)
			plAdd3(forces + 3 * (size_t)vertices[c], t->kept[k].shares[c], t->kept[k].lambda);
	}
}

void plBody_GetContactForces(const plWorld* world, plBodyId id, double* forces)
{
	const plSoftBody* body = plWorld_GetSoftBody(world, id);
	const plPushEnergy* push = world->prepared.push;
	memset(forces, 0, 3 * body->vertexCount * sizeof(double));
	for (size_t i = 0; push != NULL && i < body->vertexCount; ++i)
	{
		uint32_t vertex = (uint32_t)body->vertexStart + body->internalOf[i];
		size_t e = plPushEnergy_FindElement(push, vertex);
		if (e < push->base.elementCount && push->base.vertices[e] == vertex)
			memcpy(forces + 3 * i, push->force + 3 * e, 3 * sizeof(double));
	}
	addMet(world, id.index1 - 1, forces);
	plWorld_AddNearForces(world, body, forces);
}

// Attachments stand in the order of their pins.
static void addSoftPins(const plWorld* world, uint32_t body, double* forces)
{
	if (world->prepared.attachments == NULL)
		return;
	size_t element = 0;
	PL_EACH(const plPin, pin, &world->pins)
		for (size_t i = 0; pin->stiffness > 0.0 && i < pin->count; ++i, ++element)
		{
			double f[3];
			if (pin->body != body)
				continue;
			plWorld_GetAttachmentForce(world, element, f);
			for (size_t axis = 0; axis < 3; ++axis)
				forces[3 * (size_t)pin->vertices[i] + axis] += f[axis];
		}
}

void plBody_GetPinForces(const plWorld* world, plBodyId id, double* forces)
{
	const plSoftBody* body = plWorld_GetSoftBody(world, id);
	if (!world->prepared.elementsDone)
	{
		memset(forces, 0, 3 * body->vertexCount * sizeof(double));
		return;
	}
	getVertices(body, world->prepared.reaction, forces);
	addSoftPins(world, id.index1 - 1, forces);
}

void plBody_GetResiduals(plWorld* world, plBodyId id, double* residuals)
{
	const plSoftBody* body = plWorld_GetSoftBody(world, id);
	plProblem* problem = world->prepared.problem;
	if (!world->prepared.measured)
	{
		memset(residuals, 0, 3 * body->vertexCount * sizeof(double));
		return;
	}
	problem->space->storeTangent(problem, world->vNext, world->prepared.gradient); // free between two steps
	getVertices(body, world->vNext, residuals);
}

size_t plBody_SelectBox(const plWorld* world, plBodyId id, plVec3 low, plVec3 high, uint32_t* vertices, size_t capacity)
{
	const plSoftBody* body = plWorld_GetSoftBody(world, id);
	size_t count = 0;
	for (size_t i = 0; i < body->vertexCount; ++i)
	{
		const double* x = PL_AT(world->q, body->vertexStart + body->internalOf[i]);
		if (x[0] < low.x || x[0] > high.x || x[1] < low.y || x[1] > high.y || x[2] < low.z || x[2] > high.z)
			continue;
		if (count < capacity)
			vertices[count] = (uint32_t)i;
		count++;
	}
	return count;
}

// ---- elements -----------------------------------------------------------------------------------------------------

// Calls visit(tet, F, P, context) for every tet of the body, batch by batch; both nine numbers by rows.
typedef void VisitFcn(size_t tet, const double* F, const double* P, void* context);

static plResult visitTets(plWorld* world, plBodyId id, VisitFcn* visit, void* context, plError* error)
{
	const plSoftBody* body = plWorld_GetSoftBody(world, id);
	plResult result = plWorld_Prepare(world, error);
	if (result < 0)
		return result;
	plProblem* problem = world->prepared.problem;
	problem->space->load(problem, world->prepared.next, world->q);
	for (size_t batch = body->batchStart; batch < body->batchEnd; ++batch)
	{
		double F[9 * pl_batchSize], P[9 * pl_batchSize];
		problem->objective->measure(problem, world->prepared.next, batch, F, P);
		for (size_t lane = 0; lane < pl_batchSize; ++lane)
		{
			uint32_t tet = body->tetOf[pl_batchSize * (batch - body->batchStart) + lane];
			if (tet != UINT32_MAX)
				visit(tet, F + 9 * lane, P + 9 * lane, context);
		}
	}
	return pl_success;
}

static double det(const double* F)
{
	return F[0] * (F[4] * F[8] - F[5] * F[7]) - F[1] * (F[3] * F[8] - F[5] * F[6]) + F[2] * (F[3] * F[7] - F[4] * F[6]);
}

// Cauchy stress s = P F' / det F; von Mises sqrt(3/2) |s - tr(s)/3 I|. Zero volume gives zero, not infinity.
static void visitVonMises(size_t tet, const double* F, const double* P, void* context)
{
	double J = det(F), s[9], square = 0.0;
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
			s[3 * i + j] = P[3 * i] * F[3 * j] + P[3 * i + 1] * F[3 * j + 1] + P[3 * i + 2] * F[3 * j + 2];
	double pressure = (s[0] + s[4] + s[8]) / 3.0;
	for (int k = 0; k < 9; ++k)
	{
		double deviator = s[k] - (k % 4 == 0 ? pressure : 0.0);
		square += deviator * deviator;
	}
	double stress = sqrt(1.5 * square) / fabs(J);
	((double*)context)[tet] = isfinite(stress) ? stress : 0.0;
}

static void visitVolume(size_t tet, const double* F, const double* P, void* context)
{
	(void)P;
	((double*)context)[tet] = det(F);
}

static void visitF(size_t tet, const double* F, const double* P, void* context)
{
	(void)P;
	memcpy((double*)context + 9 * tet, F, 9 * sizeof(double));
}

static void visitP(size_t tet, const double* F, const double* P, void* context)
{
	(void)F;
	memcpy((double*)context + 9 * tet, P, 9 * sizeof(double));
}

plResult plBody_GetVonMises(plWorld* world, plBodyId id, double* stress, plError* error)
{
	return visitTets(world, id, visitVonMises, stress, error);
}

plResult plBody_GetVolumeRatios(plWorld* world, plBodyId id, double* detF, plError* error)
{
	return visitTets(world, id, visitVolume, detF, error);
}

plResult plBody_GetDeformations(plWorld* world, plBodyId id, double* F, plError* error)
{
	return visitTets(world, id, visitF, F, error);
}

plResult plBody_GetStresses(plWorld* world, plBodyId id, double* P, plError* error)
{
	return visitTets(world, id, visitP, P, error);
}

// Elastic forces are minus the gradient of E: P b_a V on corner a, with the minus sign.
typedef struct ForceSum
{
	const plSoftBody* body;
	double* forces;
} ForceSum;

static void visitForce(size_t tet, const double* F, const double* P, void* context)
{
	(void)F;
	ForceSum* sum = context;
	const uint32_t* corners = sum->body->tets + 4 * tet;
	const double* rest = sum->body->rest;
	const double* x0 = rest + 3 * (size_t)corners[0];
	double e[3][3], n[3][3]; // edges and, per corner 1..3, the gradient of its shape function times 6 V
	for (int c = 0; c < 3; ++c)
		for (int k = 0; k < 3; ++k)
			e[c][k] = rest[3 * (size_t)corners[c + 1] + (size_t)k] - x0[k];
	for (int c = 0; c < 3; ++c)
		for (int k = 0; k < 3; ++k)
		{
			const double *a = e[(c + 1) % 3], *b = e[(c + 2) % 3];
			n[c][k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
		}
	for (int c = 0; c < 3; ++c)
		for (int i = 0; i < 3; ++i)
		{
			double f = -(P[3 * i] * n[c][0] + P[3 * i + 1] * n[c][1] + P[3 * i + 2] * n[c][2]) / 6.0;
			sum->forces[3 * (size_t)corners[c + 1] + (size_t)i] += f;
			sum->forces[3 * (size_t)corners[0] + (size_t)i] -= f;
		}
}

// Elements stand in the order of their springs, those to points apart.
static void addSprings(const plWorld* world, uint32_t body, double* forces)
{
	size_t element[2] = {0, 0};
	PL_EACH(const plSprings, springs, &world->springs)
		for (size_t i = 0; i < springs->count; ++i)
		{
			const plEnergy* energy =
			    springs->toPoints ? &world->prepared.pointSprings->base : &world->prepared.innerSprings->base;
			size_t e = element[springs->toPoints]++;
			const uint32_t ends[2] = {springs->a, springs->b};
			double f[6];
			energy->verbs->gradient(energy, world->q, e, e + 1, f);
			for (size_t c = 0; c < energy->verbs->cornerCount; ++c)
				for (size_t k = 0; ends[c] == body && k < 3; ++k)
					forces[3 * (size_t)springs->vertices[2 * i + c] + k] -= f[3 * c + k];
		}
}

static void addSeams(const plWorld* world, uint32_t body, double* forces)
{
	size_t e = 0;
	PL_EACH(const plSeam, seam, &world->seams)
		for (size_t i = 0; i < seam->count; ++i, ++e)
		{
			const plEnergy* energy = &world->prepared.seams->base;
			const uint32_t ends[2] = {seam->a, seam->b};
			double f[6];
			energy->verbs->gradient(energy, world->q, e, e + 1, f);
			for (size_t c = 0; c < 2; ++c)
				for (size_t k = 0; ends[c] == body && k < 3; ++k)
					forces[3 * (size_t)seam->vertices[2 * i + c] + k] -= f[3 * c + k];
		}
}

plResult plBody_GetElasticForces(plWorld* world, plBodyId id, double* forces, plError* error)
{
	ForceSum sum = {plWorld_GetSoftBody(world, id), forces};
	memset(forces, 0, 3 * sum.body->vertexCount * sizeof(double));
	plResult result = visitTets(world, id, visitForce, &sum, error);
	if (result == pl_success && sum.body->cloth != NULL)
	{
		memset(world->vNext, 0, plLayout_GetLength(world->layout) * sizeof(double)); // free between two steps
		plWorld_AddClothForces(world, sum.body, world->vNext);
		getVertices(sum.body, world->vNext, forces);
	}
	if (result == pl_success)
	{
		addSprings(world, id.index1 - 1, forces);
		addSeams(world, id.index1 - 1, forces);
	}
	return result;
}
