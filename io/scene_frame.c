// scene_frame.c: what a frame shows of a body
//
//   soft    its vertices and tets
//   cloth   its vertices and triangles
//   rigid   the surfaces of all bodies of the entry:  x = p + R X,  velocity v + w x (x - c),  c the centre of mass
#include "scene.h"
#include "file.h"
#include "vtu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const plMesh* getMesh(const plScene* scene, size_t body)
{
	const plSceneBody* b = &scene->bodies[body];
	return b->rigid ? b->rigid->surface : b->soft.mesh;
}

plFrame* plScene_CreateFrame(const plScene* scene, size_t body)
{
	const plMesh* mesh = getMesh(scene, body);
	plMeshView view = mesh ? plMesh_GetView(mesh) : (plMeshView){0};
	return plFrame_Create(view.vertexCount, view.tetCount, view.tetCount == 0 ? view.surfaceCount : 0);
}

// What vertices of tets and of cloth have alike
static void fillVertices(plFrame* frame, plWorld* world, plBodyId body, const plMeshView* mesh)
{
	plBody_GetPositions(world, body, frame->positions);
	plBody_GetRestPositions(world, body, frame->displacement);
	for (size_t i = 0; i < 3 * mesh->vertexCount; ++i)
		frame->displacement[i] = frame->positions[i] - frame->displacement[i];
	plBody_GetVelocities(world, body, frame->velocity);
	plBody_GetContactForces(world, body, frame->contactForce);
	plBody_GetPinForces(world, body, frame->pinForce);
	plBody_GetResiduals(world, body, frame->residual);
}

// The norm of S with its axes free to turn: S11 S22 S12 in plane stress
static double normOf(const double s[3])
{
	return sqrt(s[0] * s[0] - s[0] * s[1] + s[1] * s[1] + 3.0 * s[2] * s[2]);
}

static plResult fillCloth(plFrame* frame, plWorld* world, plBodyId body, const plMeshView* mesh, plError* error)
{
	double* numbers = malloc(3 * mesh->triangleCount * sizeof *numbers);
	if (numbers == NULL)
		return plFile_Fail(error, pl_errorMemory, "not enough memory for a frame of %zu triangles",
		                   mesh->triangleCount);
	memcpy(frame->triangles, mesh->triangles, 3 * mesh->triangleCount * sizeof frame->triangles[0]);
	fillVertices(frame, world, body, mesh);
	plBody_GetCurvatures(world, body, frame->curvature);
	plBody_GetStretches(world, body, numbers);
	for (size_t t = 0; t < mesh->triangleCount; ++t)
	{
		frame->stretch0[t] = numbers[2 * t];
		frame->stretch1[t] = numbers[2 * t + 1];
	}
	plResult result = frame->tension != NULL ? plBody_GetMembraneStress(world, body, numbers, error) : pl_success;
	for (size_t t = 0; frame->tension != NULL && result == pl_success && t < mesh->triangleCount; ++t)
		frame->tension[t] = normOf(numbers + 3 * t);
	free(numbers);
	return result;
}

static plResult fillSoft(plFrame* frame, plWorld* world, plBodyId body, const plMeshView* mesh, plError* error)
{
	plResult result = pl_success;
	if (mesh->tetCount > 0)
		memcpy(frame->tets, mesh->tets, 4 * mesh->tetCount * sizeof frame->tets[0]);
	fillVertices(frame, world, body, mesh);
	frame->hasBlend = plBody_GetBlend(world, body, frame->blend);
	if (frame->vonMises != NULL)
		result = plBody_GetVonMises(world, body, frame->vonMises, error);
	return result == pl_success ? plBody_GetVolumeRatios(world, body, frame->detF, error) : result;
}

static void fillOne(plFrame* frame, const plWorld* world, plBodyId body, const plMeshView* shell, size_t first)
{
	const plTransform pose = plBody_GetPose(world, body);
	const plVec3 v = plBody_GetVelocity(world, body), w = plBody_GetSpin(world, body);
	const plVec3 centre = plBody_GetCentre(world, body);
	double c[3] = {centre.x, centre.y, centre.z};
	plTransform_Apply(&pose, c, c);
	for (size_t i = 0; i < shell->vertexCount; ++i)
	{
		double *x = frame->positions + 3 * (first + i), *to = frame->velocity + 3 * (first + i);
		plTransform_Apply(&pose, shell->vertices + 3 * i, x);
		const double r[3] = {x[0] - c[0], x[1] - c[1], x[2] - c[2]};
		to[0] = v.x + w.y * r[2] - w.z * r[1];
		to[1] = v.y + w.z * r[0] - w.x * r[2];
		to[2] = v.z + w.x * r[1] - w.y * r[0];
	}
}

static void fillRigid(plFrame* frame, const plWorld* world, const plSceneRigid* rigid, const plMeshView* surface)
{
	const plMeshView shell = plMesh_GetView(rigid->shell);
	for (size_t k = 0; k < rigid->count; ++k)
		fillOne(frame, world, rigid->ids[k], &shell, k * shell.vertexCount);
	for (size_t i = 0; i < 3 * surface->vertexCount; ++i)
		frame->displacement[i] = frame->positions[i] - surface->vertices[i];
	memcpy(frame->triangles, surface->surface, 3 * surface->surfaceCount * sizeof frame->triangles[0]);
	for (size_t i = 0; i < surface->surfaceCount; ++i)
		frame->bodies[i] = (uint32_t)(i / shell.surfaceCount);
}

// ---- crossings ------------------------------------------------------------------------------------------------------

typedef struct Side
{
	uint32_t triangle;
	const uint32_t* vertices; // three
} Side;

static int compareSides(const void* a, const void* b)
{
	const Side *x = a, *y = b;
	return (x->triangle > y->triangle) - (x->triangle < y->triangle);
}

static bool holds(const uint32_t* tet, const uint32_t* triangle)
{
	int found = 0;
	for (int i = 0; i < 12; ++i)
		found += tet[i / 3] == triangle[i % 3];
	return found == 3;
}

// Triangles of a surface stand in the order of their tets, so one walk finds the tets of triangles in order.
static void markTets(plFrame* frame, Side* sides, size_t count)
{
	if (count > 0)
		qsort(sides, count, sizeof *sides, compareSides);
	for (size_t i = 0, t = 0; i < count && t < frame->tetCount;)
		if (holds(frame->tets + 4 * t, sides[i].vertices))
		{
			frame->crossing[t] += 1.0;
			++i;
		}
		else
			++t;
}

plResult plFrame_MarkCrossings(plFrame* frame, plBodyId body, const plCrossing* crossings, size_t count, plError* error)
{
	size_t sideCount = 0;
	Side* sides = malloc((2 * count + 1) * sizeof *sides);
	if (sides == NULL)
		return plFile_Fail(error, pl_errorMemory, "not enough memory for a frame with %zu crossings", count);
	for (size_t i = 0; i < 2 * count; ++i)
	{
		const plCrossing* c = crossings + i / 2;
		if (c->bodies[i % 2].index1 == body.index1 && c->bodies[i % 2].generation == body.generation)
			sides[sideCount++] = (Side){c->triangles[i % 2], c->vertices[i % 2]};
	}
	frame->hasCrossing = true;
	memset(frame->crossing, 0, plVtu_GetCellCount(frame) * sizeof *frame->crossing);
	for (size_t i = 0; i < sideCount && frame->isCloth; ++i)
		frame->crossing[sides[i].triangle] += 1.0;
	if (!frame->isCloth)
		markTets(frame, sides, sideCount);
	free(sides);
	return pl_success;
}

plResult plScene_FillFrame(const plScene* scene, plWorld* world, size_t body, plFrame* frame, plError* error)
{
	const plSceneBody* b = &scene->bodies[body];
	const plMesh* mesh = getMesh(scene, body);
	plMeshView view = mesh ? plMesh_GetView(mesh) : (plMeshView){0};
	frame->vertexCount = view.vertexCount;
	frame->tetCount = view.tetCount;
	frame->triangleCount = view.tetCount == 0 ? view.surfaceCount : 0;
	frame->hasBlend = false;
	frame->hasCrossing = false;
	frame->isCloth = b->isCloth;
	if (b->isCloth)
		return fillCloth(frame, world, b->id, &view, error);
	if (b->rigid == NULL)
		return fillSoft(frame, world, b->id, &view, error);
	if (mesh)
		fillRigid(frame, world, b->rigid, &view);
	return pl_success;
}
