// props.c: colliders as surfaces that can be drawn
//
//   plane    of a collider or a rigid body: the ground of the picture if it is level, else a square around the bodies,
//            seen from its free side
//   others   their triangles; round ones have 48 sides
#include "props.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Soup
{
	double* vertices; // 3 each
	size_t vertexCount;
	uint32_t* faces; // 3 each
	size_t faceCount;
} Soup;

static bool createSoup(Soup* soup, size_t vertices, size_t faces)
{
	*soup = (Soup){malloc((3 * vertices + 1) * sizeof(double)), vertices, malloc((3 * faces + 1) * sizeof(uint32_t)),
	               faces};
	return soup->vertices && soup->faces;
}

static double length(const double a[3])
{
	return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

// Unit vectors across the unit vector n, (across, second, n) right-handed.
static void findFrame(const double n[3], double across[3], double second[3])
{
	int least = 0;
	for (int i = 1; i < 3; ++i)
		least = fabs(n[i]) < fabs(n[least]) ? i : least;
	for (int i = 0; i < 3; ++i)
		across[i] = (i == least ? 1.0 : 0.0) - n[least] * n[i];
	double size = length(across);
	for (int i = 0; i < 3; ++i)
		across[i] /= size;
	for (int i = 0; i < 3; ++i)
		second[i] = n[(i + 1) % 3] * across[(i + 2) % 3] - n[(i + 2) % 3] * across[(i + 1) % 3];
}

static bool takeMesh(Soup* soup, const plMesh* from, const plTransform* place)
{
	plMeshView mesh = plMesh_GetView(from);
	if (!createSoup(soup, mesh.vertexCount, mesh.surfaceCount))
		return false;
	memcpy(soup->faces, mesh.surface, 3 * mesh.surfaceCount * sizeof(uint32_t));
	for (size_t v = 0; v < mesh.vertexCount; ++v)
		plTransform_Apply(place, mesh.vertices + 3 * v, soup->vertices + 3 * v);
	return true;
}

// A shape of rigid bodies that is like the collider, and where. Capsules lie along y there.
static plShapeDef findShape(const plColliderDef* def, plTransform* place)
{
	plShapeDef shape = plDefaultShapeDef();
	double along[3] = {def->b.x - def->a.x, def->b.y - def->a.y, def->b.z - def->a.z}, size = length(along);
	bool isLong = def->shape == pl_shapeCapsule && size > 0.0;
	shape.kind = def->shape == pl_shapeCapsule && !isLong ? pl_shapeSphere : def->shape;
	shape.radius = def->radius;
	shape.size = def->size;
	*place = (plTransform){1.0, plTransform_identity.rotation, def->centre};
	if (def->shape == pl_shapeBox)
		place->rotation = def->rotation;
	if (def->shape == pl_shapeCapsule)
		place->translation =
		    (plVec3){0.5 * (def->a.x + def->b.x), 0.5 * (def->a.y + def->b.y), 0.5 * (def->a.z + def->b.z)};
	if (!isLong)
		return shape;
	shape.length = size;
	double across = sqrt(along[0] * along[0] + along[2] * along[2]);
	plVec3 axis = {across > 0.0 ? along[2] / across : 1.0, 0.0, across > 0.0 ? -along[0] / across : 0.0};
	place->rotation = plQuat_FromAxisAngle(axis, atan2(across, along[1]));
	return shape;
}

// A square of one and a half times the size of what is shown, below its middle.
static bool makePlane(Soup* soup, const double n[3], double offset, const plOutline* outline)
{
	double e[2][3], diagonal[3], middle[3], height = -offset;
	findFrame(n, e[0], e[1]);
	for (int i = 0; i < 3; ++i)
	{
		middle[i] = 0.5 * (outline->low[i] + outline->high[i]);
		diagonal[i] = outline->high[i] - outline->low[i];
		height += n[i] * middle[i];
	}
	if (!createSoup(soup, 4, 2))
		return false;
	double half = 0.75 * length(diagonal);
	for (size_t v = 0; v < 4; ++v)
		for (int i = 0; i < 3; ++i)
			soup->vertices[3 * v + (size_t)i] =
			    middle[i] - height * n[i] + (v & 1 ? half : -half) * e[0][i] + (v & 2 ? half : -half) * e[1][i];
	const uint32_t faces[6] = {0, 1, 3, 0, 3, 2};
	memcpy(soup->faces, faces, sizeof faces);
	return true;
}

// ---- the list -------------------------------------------------------------------------------------------------------

static bool isMoving(const plColliderDef* def)
{
	const plMotion* m = &def->motion;
	return def->frames.count > 0 || m->kind != pl_motionLine || m->rotateAngle != 0.0 || m->translate.x != 0.0 ||
	       m->translate.y != 0.0 || m->translate.z != 0.0;
}

static bool addProp(plProps* props, const Soup* soup, const plColliderDef* def, bool shadowless, plError* error)
{
	const double creaseDegrees = 42.0;
	plSurface* surface =
	    plCreateFaceSurface(soup->vertices, soup->vertexCount, soup->faces, soup->faceCount, creaseDegrees, error);
	float* positions = surface ? malloc((3 * surface->pointCount + 1) * sizeof(float)) : NULL;
	double* rest = surface && isMoving(def) ? malloc((3 * soup->vertexCount + 1) * sizeof(double)) : NULL;
	if (positions == NULL || (isMoving(def) && rest == NULL))
	{
		plDestroySurface(surface);
		free(positions);
		free(rest);
		return false;
	}
	for (size_t p = 0; p < surface->pointCount; ++p)
		for (size_t i = 0; i < 3; ++i)
			positions[3 * p + i] = (float)(soup->vertices[3 * (size_t)surface->points[p] + i] - props->origin[i]);
	if (rest != NULL)
		memcpy(rest, soup->vertices, 3 * soup->vertexCount * sizeof(double));
	props->rests[props->count] = rest;
	props->defs[props->count] = def;
	props->surfaces[props->count] = surface;
	props->poses[props->count++] = (plPose){.positions = positions, .plain = true, .shadowless = shadowless};
	return true;
}

// Includes it in the picture unless it would make everything else small.
static void growOutline(plOutline* outline, const Soup* soup, double limit)
{
	double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, size[3];
	for (size_t i = 0; i < 3 * soup->vertexCount; ++i)
	{
		low[i % 3] = fmin(low[i % 3], soup->vertices[i]);
		high[i % 3] = fmax(high[i % 3], soup->vertices[i]);
	}
	for (int i = 0; i < 3; ++i)
		size[i] = fmax(high[i], outline->high[i]) - fmin(low[i], outline->low[i]);
	for (size_t v = 0; length(size) <= limit && v < soup->vertexCount; ++v)
		plOutline_Add(outline, soup->vertices + 3 * v);
}

static bool makeSolid(Soup* soup, const plColliderDef* def)
{
	if (def->shape == pl_shapeMesh)
		return takeMesh(soup, def->mesh, &def->transform);
	plTransform place;
	plShapeDef shape = findShape(def, &place);
	plMesh* mesh = plCreateShapeMesh(&shape, 48, NULL, NULL);
	bool good = mesh && takeMesh(soup, mesh, &place);
	plDestroyMesh(mesh);
	return good;
}

// Planes wait until the outline is known.
static bool addPlanes(plProps* props, const plColliderDef* colliders, size_t count, bool takeGround,
                      const plOutline* outline, plError* error)
{
	bool good = true;
	for (size_t c = 0; c < count && good; ++c)
	{
		if (colliders[c].shape != pl_shapePlane)
			continue;
		double n[3] = {colliders[c].normal.x, colliders[c].normal.y, colliders[c].normal.z}, size = length(n);
		for (int i = 0; i < 3; ++i)
			n[i] /= size;
		if (takeGround && n[1] > 1.0 - 1e-9 && !isMoving(colliders + c))
		{
			props->ground = props->hasGround ? fmax(props->ground, colliders[c].offset) : colliders[c].offset;
			props->hasGround = true;
			continue;
		}
		props->hidesGround = props->hidesGround || (takeGround && n[1] > 0.1);
		Soup soup = {0};
		good = makePlane(&soup, n, colliders[c].offset, outline) && addProp(props, &soup, colliders + c, true, error);
		free(soup.vertices);
		free(soup.faces);
	}
	return good;
}

// Vertices of a mesh with frames at a time, before the motion; others stay
static void changeForm(const plColliderDef* def, double time, double* vertices)
{
	if (def->frames.count == 0)
		return;
	plColliderFrames_GetPositions(&def->frames, time, vertices);
	for (size_t v = 0; v < def->frames.vertexCount; ++v)
		plTransform_Apply(&def->transform, vertices + 3 * v, vertices + 3 * v);
}

// Where the motion and the frames take it within the times
static void growAlong(plOutline* outline, Soup* soup, const plColliderDef* def, const double span[2], double limit)
{
	enum
	{
		samples = 16
	};
	Soup moved = {malloc((3 * soup->vertexCount + 1) * sizeof(double)), soup->vertexCount, NULL, 0};
	for (int k = 0; moved.vertices != NULL && k <= samples; ++k)
	{
		double time = span[0] + (span[1] - span[0]) * k / samples;
		plTransform t = plColliderDef_GetTransform(def, time);
		changeForm(def, time, soup->vertices);
		for (size_t v = 0; v < soup->vertexCount; ++v)
			plTransform_Apply(&t, soup->vertices + 3 * v, moved.vertices + 3 * v);
		growOutline(outline, &moved, limit);
	}
	free(moved.vertices);
}

static bool addSolid(plProps* props, const plColliderDef* def, const double span[2], double limit, plOutline* outline,
                     plError* error)
{
	Soup soup = {0};
	bool good = makeSolid(&soup, def) && addProp(props, &soup, def, false, error);
	if (good && isMoving(def))
		growAlong(outline, &soup, def, span, limit);
	else if (good)
		growOutline(outline, &soup, limit);
	free(soup.vertices);
	free(soup.faces);
	return good;
}

bool plMakeProps(plProps* props, plScene* scene, const double origin[3], const double span[2], bool takeGround,
                 plOutline* outline, plError* error)
{
	plSceneView view = scene ? plScene_GetView(scene) : (plSceneView){0};
	size_t count = view.colliderCount + view.planeCount;
	*props = (plProps){.surfaces = calloc(count + 1, sizeof(plSurface*)),
	                   .poses = calloc(count + 1, sizeof(plPose)),
	                   .defs = calloc(count + 1, sizeof(plColliderDef*)),
	                   .rests = calloc(count + 1, sizeof(double*)),
	                   .scene = scene};
	memcpy(props->origin, origin, sizeof props->origin);
	error->code = pl_errorMemory;
	snprintf(error->message, sizeof error->message, "not enough memory to draw the colliders");
	double diagonal[3];
	for (int i = 0; i < 3; ++i)
		diagonal[i] = outline->high[i] - outline->low[i];
	const double most = 2.5 * length(diagonal);
	bool good = props->surfaces && props->poses && props->defs && props->rests;
	for (size_t c = 0; c < view.colliderCount && good; ++c)
	{
		const plColliderDef* def = view.colliders + c;
		bool isPlain = def->shape == pl_shapeSphere || def->shape == pl_shapeCapsule || def->shape == pl_shapeBox;
		if (isPlain || (def->shape == pl_shapeMesh && def->mesh)) // there are no colliders of other kinds
			good = addSolid(props, def, span, most, outline, error);
	}
	good = good && addPlanes(props, view.colliders, view.colliderCount, takeGround, outline, error);
	good = good && addPlanes(props, view.planes, view.planeCount, takeGround, outline, error);
	if (!good)
		plDestroyProps(props);
	return good;
}

void plProps_Move(plProps* props, double time)
{
	for (size_t k = 0; k < props->count; ++k)
	{
		if (props->rests[k] == NULL || isnan(time))
			continue;
		plTransform t = plColliderDef_GetTransform(props->defs[k], time);
		changeForm(props->defs[k], time, props->rests[k]);
		for (size_t p = 0; p < props->surfaces[k]->pointCount; ++p)
		{
			double x[3];
			plTransform_Apply(&t, props->rests[k] + 3 * (size_t)props->surfaces[k]->points[p], x);
			for (size_t i = 0; i < 3; ++i)
				props->poses[k].positions[3 * p + i] = (float)(x[i] - props->origin[i]);
		}
	}
}

void plDestroyProps(plProps* props)
{
	for (size_t i = 0; i < props->count; ++i)
	{
		plDestroySurface(props->surfaces[i]);
		free(props->poses[i].positions);
		free(props->rests[i]);
	}
	plDestroyScene(props->scene);
	free(props->defs);
	free(props->rests);
	free(props->surfaces);
	free(props->poses);
	*props = (plProps){0};
}
