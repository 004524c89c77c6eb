// shape.c: signed distances of planes, spheres, capsules and boxes in closed form
//
//   plane     phi = n.x - o                                    flat
//   sphere    phi = |x - c| - r                                bends as a point does:  Hessian (I - n n')/|x - c|
//   capsule   phi = |x - p| - r, p nearest on the axis a..b    along the axis (I - n n' - a a')/|x - p|, at its ends a
//                                                              sphere
//   box       y = x - c in its axes, e = |y| - half
//             outside phi = |max(e, 0)|, nearest to a face, an edge or a corner: flat, as an axis, as a point
//             inside  phi = max e, nearest to a face
//
// Where the direction is not unique (the centre of a sphere, the axis of a capsule) one is chosen, always the same.
#include "shape.h"
#include "form.h"
#include "../base/rotation.h"

#include <math.h>

static double dot(const double a[3], const double b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// ---- distances ------------------------------------------------------------------------------------------------------

static void planeDistance(const void* data, const double x[3], plDistance* d)
{
	const plShape* s = data;
	*d = (plDistance){.phi = dot(s->centre, x) - s->radius, .normal = {s->centre[0], s->centre[1], s->centre[2]}};
}

// From the point or the axis that u starts at; `spare` is the direction if u has none.
static void roundDistance(const double u[3], double radius, const double spare[3], plDistance* d)
{
	double r = sqrt(dot(u, u));
	bool unique = r > 0x1p-40 * radius;
	d->phi = r - radius;
	d->bend = unique ? 1.0 / r : 0.0;
	for (int i = 0; i < 3; ++i)
		d->normal[i] = unique ? u[i] / r : spare[i];
}

static void sphereDistance(const void* data, const double x[3], plDistance* d)
{
	const plShape* s = data;
	static const double up[3] = {0.0, 1.0, 0.0};
	double u[3] = {x[0] - s->centre[0], x[1] - s->centre[1], x[2] - s->centre[2]};
	*d = (plDistance){.phi = 0.0};
	roundDistance(u, s->radius, up, d);
}

static void capsuleDistance(const void* data, const double x[3], plDistance* d)
{
	const plShape* s = data;
	double u[3] = {x[0] - s->centre[0], x[1] - s->centre[1], x[2] - s->centre[2]};
	double along = dot(u, s->axis);
	bool beside = along > 0.0 && along < s->length;
	along = fmin(fmax(along, 0.0), s->length);
	*d = (plDistance){.phi = 0.0};
	for (int i = 0; i < 3; ++i)
	{
		u[i] -= along * s->axis[i];
		d->axis[i] = beside ? s->axis[i] : 0.0;
	}
	roundDistance(u, s->radius, s->frame[0], d);
}

static void boxDistance(const void* data, const double x[3], plDistance* d)
{
	const plShape* s = data;
	double u[3] = {x[0] - s->centre[0], x[1] - s->centre[1], x[2] - s->centre[2]};
	double e[3], sign[3], square = 0.0;
	int outside = 0, nearest = 0, within = 0;
	for (int k = 0; k < 3; ++k)
	{
		double y = dot(s->frame[k], u);
		e[k] = fabs(y) - s->half[k];
		sign[k] = y < 0.0 ? -1.0 : 1.0;
		nearest = e[k] > e[nearest] ? k : nearest;
		within = e[k] > 0.0 ? within : k;
		outside += e[k] > 0.0;
		square += e[k] > 0.0 ? e[k] * e[k] : 0.0;
	}
	*d = (plDistance){.phi = outside > 1 ? sqrt(square) : e[nearest]};
	d->bend = outside > 1 ? 1.0 / d->phi : 0.0;
	for (int i = 0; i < 3; ++i)
	{
		for (int k = 0; k < 3; ++k)
		{
			double part = outside > 1 ? fmax(e[k], 0.0) / d->phi : (k == nearest ? 1.0 : 0.0);
			d->normal[i] += part * sign[k] * s->frame[k][i];
		}
		d->axis[i] = outside == 2 ? s->frame[within][i] : 0.0;
	}
}

static void meshDistance(const void* data, const double x[3], plDistance* d)
{
	plSurfaceTree_Distance(((const plShape*)data)->tree, x, d);
}

static void meshDistanceNear(const void* data, const double x[3], uint32_t* part, plDistance* d)
{
	plSurfaceTree_DistanceNear(((const plShape*)data)->tree, x, part, d);
}

plDistanceNearFcn* plShape_GetDistanceNear(const plShape* shape)
{
	return shape->kind == pl_shapeMesh ? meshDistanceNear : NULL;
}

plDistanceFcn* plShape_GetDistance(const plShape* shape)
{
	static plDistanceFcn* const all[] = {[pl_shapePlane] = planeDistance,
	                                     [pl_shapeSphere] = sphereDistance,
	                                     [pl_shapeCapsule] = capsuleDistance,
	                                     [pl_shapeBox] = boxDistance,
	                                     [pl_shapeMesh] = meshDistance};
	return all[shape->kind];
}

// ---- from defs ------------------------------------------------------------------------------------------------------

static void setVector(double to[3], plVec3 a)
{
	to[0] = a.x;
	to[1] = a.y;
	to[2] = a.z;
}

// Length of a, and a of unit length; scaled first, so that neither tiny nor huge vectors leave the range of a double.
static double normalise(double a[3])
{
	double most = fmax(fabs(a[0]), fmax(fabs(a[1]), fabs(a[2])));
	if (!(most > 0.0))
		return 0.0;
	double b[3] = {a[0] / most, a[1] / most, a[2] / most}, length = sqrt(dot(b, b));
	for (int i = 0; i < 3; ++i)
		a[i] = b[i] / length;
	return most * length;
}

// Any direction across the axis.
static void findAcross(const double axis[3], double across[3])
{
	int least = 0;
	for (int i = 1; i < 3; ++i)
		least = fabs(axis[i]) < fabs(axis[least]) ? i : least;
	for (int i = 0; i < 3; ++i)
		across[i] = (i == least ? 1.0 : 0.0) - axis[least] * axis[i];
	normalise(across);
}

static plResult createPlane(plShape* s, const plColliderDef* def, plError* error)
{
	setVector(s->centre, def->normal);
	if (!plVec3_IsFinite(def->normal) || !isfinite(def->offset))
		return plFailAt(error, "normal", "plane: its normal or offset is not finite");
	if (normalise(s->centre) == 0.0)
		return plFailAt(error, "normal", "plane: its normal has no direction");
	s->radius = def->offset;
	s->reach = fabs(def->offset);
	for (int i = 0; i < 3; ++i) // a plane across an axis has an end
	{
		s->low[i] = -INFINITY;
		s->high[i] = s->centre[i] == 1.0 ? def->offset : INFINITY;
		if (s->centre[i] == -1.0)
			s->low[i] = -def->offset;
	}
	return pl_success;
}

static plResult checkRadius(const plColliderDef* def, const char* what, plError* error)
{
	if (!(def->radius > 0.0) || !isfinite(def->radius))
		return plFailAt(error, "radius", "%s: radius is %g m, it must be above 0", what, def->radius);
	return pl_success;
}

// Bounds of balls of the radius around both points.
static void boundBalls(plShape* s, const double a[3], const double b[3])
{
	for (int i = 0; i < 3; ++i)
	{
		s->low[i] = fmin(a[i], b[i]) - s->radius;
		s->high[i] = fmax(a[i], b[i]) + s->radius;
	}
}

static plResult createSphere(plShape* s, const plColliderDef* def, plError* error)
{
	setVector(s->centre, def->centre);
	s->radius = def->radius;
	if (!plVec3_IsFinite(def->centre))
		return plFailAt(error, "centre", "sphere: its centre is not finite");
	boundBalls(s, s->centre, s->centre);
	return checkRadius(def, "sphere", error);
}

static plResult createCapsule(plShape* s, const plColliderDef* def, plError* error)
{
	double end[3];
	setVector(s->centre, def->a);
	setVector(end, def->b);
	s->radius = def->radius;
	if (!plVec3_IsFinite(def->a) || !plVec3_IsFinite(def->b))
		return plFailAt(error, "a", "capsule: an end of its axis is not finite");
	for (int i = 0; i < 3; ++i)
		s->axis[i] = end[i] - s->centre[i];
	s->length = normalise(s->axis);
	if (!isfinite(s->length))
		return plFailAt(error, "a", "capsule: the length of its axis is not finite");
	findAcross(s->axis, s->frame[0]);
	boundBalls(s, s->centre, end);
	return checkRadius(def, "capsule", error);
}

// Columns of the rotation are the box's axes.
static void setFrame(plShape* s, plQuat r)
{
	double R[3][3];
	plQuat_GetMatrix(r, R);
	for (int k = 0; k < 3; ++k)
		for (int i = 0; i < 3; ++i)
			s->frame[k][i] = R[i][k];
}

static plResult createBox(plShape* s, const plColliderDef* def, plError* error)
{
	double norm = plQuat_GetNorm(def->rotation);
	setVector(s->centre, def->centre);
	setVector(s->half, def->size);
	if (!plVec3_IsFinite(def->centre))
		return plFailAt(error, "centre", "box: its centre is not finite");
	if (!(fabs(norm - 1.0) < 1e-6))
		return plFailAt(error, "rotation", "box: its rotation is not a unit quaternion (norm %g)", norm);
	for (int i = 0; i < 3; ++i)
	{
		if (!(s->half[i] > 0.0) || !isfinite(s->half[i]))
			return plFailAt(error, "size", "box: an edge is %g m long, it must be above 0", s->half[i]);
		s->half[i] *= 0.5;
	}
	setFrame(s, plQuat_Normalise(def->rotation));
	for (int i = 0; i < 3; ++i)
	{
		double extent = 0.0;
		for (int k = 0; k < 3; ++k)
			extent += fabs(s->frame[k][i]) * s->half[k];
		s->low[i] = s->centre[i] - extent;
		s->high[i] = s->centre[i] + extent;
	}
	return pl_success;
}

plResult plShape_CheckTransform(const plTransform* transform, plError* error)
{
	if (!(transform->scale > 0.0) || !isfinite(transform->scale) || !plVec3_IsFinite(transform->translation) ||
	    !(fabs(plQuat_GetNorm(transform->rotation) - 1.0) < 1e-6))
		return plFailAt(error, "transform",
		                "mesh: its transform needs a scale above 0, a unit quaternion, a finite place");
	return pl_success;
}

static plResult createSurface(plShape* s, plMeshView mesh, const plTransform* transform, plHeap* heap, plError* error)
{
	plResult result = plSurfaceTree_Create(&s->tree, mesh, transform, false, heap, error);
	if (result == pl_success)
		plSurfaceTree_GetBounds(s->tree, s->low, s->high);
	return result;
}

static plResult createMesh(plShape* s, const plColliderDef* def, plHeap* heap, plError* error)
{
	if (def->mesh == NULL)
		return plFailAt(error, "mesh", "mesh: there is none, a collider of this kind needs one");
	plResult result = plShape_CheckTransform(&def->transform, error);
	if (result < 0 || def->frames.count == 0)
		return result < 0 ? result : createSurface(s, plMesh_GetView(def->mesh), &def->transform, heap, error);
	result = plForm_Create(&s->form, plMesh_GetView(def->mesh), &def->transform, &def->frames, heap, error);
	if (result == pl_success)
		plForm_GetBounds(s->form, s->low, s->high); // those of the mesh
	return result;
}

// How far it reaches, which has to be a number.
static plResult finish(plShape* s, plResult result, plHeap* heap, plError* error)
{
	for (int i = 0; i < 3; ++i)
		s->reach = fmax(s->reach, fmax(fabs(s->low[i]), fabs(s->high[i])));
	if (result == pl_success && !isfinite(s->reach))
	{
		plShape_Destroy(s, heap);
		result = plFailAt(error, "shape", "collider: it reaches beyond the range of a double");
	}
	return result;
}

plResult plShape_CreateSurface(plShape* s, plMeshView mesh, const plTransform* transform, plHeap* heap, plError* error)
{
	*s = (plShape){.kind = pl_shapeMesh};
	return finish(s, createSurface(s, mesh, transform, heap, error), heap, error);
}

plResult plShape_Create(plShape* s, const plColliderDef* def, plHeap* heap, plError* error)
{
	*s = (plShape){.kind = def->shape};
	plResult result;
	if (def->frames.count > 0 && def->shape != pl_shapeMesh)
		return plFailAt(error, "frames", "collider: only a mesh has frames");
	switch (def->shape)
	{
	case pl_shapePlane:
		return createPlane(s, def, error);
	case pl_shapeSphere:
		result = createSphere(s, def, error);
		break;
	case pl_shapeCapsule:
		result = createCapsule(s, def, error);
		break;
	case pl_shapeBox:
		result = createBox(s, def, error);
		break;
	case pl_shapeMesh:
		result = createMesh(s, def, heap, error);
		break;
	case pl_shapeHull:
	case pl_shapeCylinder:
		return plFailAt(error, "shape",
		                "collider: hulls and cylinders are shapes of rigid bodies; a collider of this form is a mesh");
	default:
		return plFailAt(error, "shape", "collider: shape %d does not exist", (int)def->shape);
	}
	return finish(s, result, heap, error);
}

void plShape_GetMiddle(const plShape* s, double middle[3])
{
	bool isPlane = s->kind == pl_shapePlane;
	for (int i = 0; i < 3; ++i)
		middle[i] = isPlane ? s->radius * s->centre[i] : 0.5 * (s->low[i] + s->high[i]);
}

// ---- triangles of what has corners and edges ------------------------------------------------------------------------

// Corner c of a box is at -half along axis k where bit k of c is 0. Two triangles for each of its faces
static const uint32_t boxCorners[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                        2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};

static const plSurfaceTree* treeOf(const plShape* s)
{
	return s->form != NULL ? plForm_GetTree(s->form, false) : s->tree;
}

plSurfaceSize plShape_GetSurfaceSize(const plShape* s)
{
	if (s->kind == pl_shapeBox)
		return (plSurfaceSize){8, 12};
	return s->kind == pl_shapeMesh ? plSurfaceTree_GetCounts(treeOf(s)) : (plSurfaceSize){0, 0};
}

void plShape_ListSurface(const plShape* s, uint32_t* corners, bool* plain)
{
	if (s->kind == pl_shapeMesh)
	{
		plSurfaceTree_ListTriangles(treeOf(s), corners, plain);
		return;
	}
	memcpy(corners, boxCorners, sizeof boxCorners);
	for (size_t c = 0; c < 36; ++c)
	{
		uint32_t differ = corners[c] ^ corners[c % 3 == 2 ? c - 2 : c + 1];
		plain[c] = (differ & (differ - 1)) != 0; // more than one bit: a diagonal
	}
}

void plShape_PlaceSurface(const plShape* s, const plSurfaceTree* tree, double* points)
{
	if (s->kind == pl_shapeMesh)
	{
		plSurfaceTree_PlaceVertices(tree, points);
		return;
	}
	for (size_t c = 0; c < 8; ++c)
		for (int i = 0; i < 3; ++i)
		{
			points[3 * c + (size_t)i] = s->centre[i];
			for (int k = 0; k < 3; ++k)
				points[3 * c + (size_t)i] += ((c >> k) & 1 ? 1.0 : -1.0) * s->half[k] * s->frame[k][i];
		}
}

bool plShape_BoundMesh(plShape* s, plMeshView mesh, const plTransform* transform)
{
	for (int i = 0; i < 3; ++i)
	{
		s->low[i] = INFINITY;
		s->high[i] = -INFINITY;
	}
	for (size_t c = 0; c < 3 * mesh.surfaceCount; ++c)
	{
		double x[3];
		plTransform_Apply(transform, mesh.vertices + 3 * (size_t)mesh.surface[c], x);
		for (int i = 0; i < 3; ++i)
		{
			s->low[i] = fmin(s->low[i], x[i]);
			s->high[i] = fmax(s->high[i], x[i]);
		}
	}
	return mesh.surfaceCount > 0;
}

void plShape_Destroy(plShape* s, plHeap* heap)
{
	if (s->tree != NULL)
		plSurfaceTree_Destroy(s->tree, heap);
	if (s->form != NULL)
		plForm_Destroy(s->form, heap);
	*s = (plShape){0};
}
