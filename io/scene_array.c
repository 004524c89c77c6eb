// scene_array.c: many rigid bodies by one entry, and the surface of all of them together
//
//   "array": { "of": { ... }, "count": [nx, ny, nz], "spacing": [dx, dy, dz], "stagger": [sx, sy, sz] }
//       body (i, j, k) is at  at + (i dx, j dy, k dz) + (j odd) stagger;  i goes fastest, then j, then k
//   "pyramid": { "of": { ... }, "rows": n, "spacing": [dx, dy] }
//       row j has n - j bodies, the lowest first;  body i of it is at  at + ((i - (n - j - 1)/2) dx, j dy, 0)
//
// where `at` is that of the body in "of".
#include "scene.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum
{
	mostBodies = 1 << 24
};

bool plSceneReader_IsArray(const plJson* item)
{
	return plJson_Find(item, "array") != NULL || plJson_Find(item, "pyramid") != NULL;
}

// ---- places -----------------------------------------------------------------------------------------------------

static bool makeRoom(plSceneReader* reader, const plJson* item, plSceneRigid* rigid, size_t count)
{
	rigid->places = plSceneReader_New(reader, item, count, sizeof(plVec3), "the places of rigid bodies");
	rigid->ids = plSceneReader_New(reader, item, count, sizeof(plBodyId), "rigid bodies");
	if (rigid->places == NULL || rigid->ids == NULL)
		return false;
	rigid->count = count;
	rigid->row = 1;
	return true;
}

bool plSceneReader_PlaceOne(plSceneReader* reader, const plJson* item, plSceneRigid* rigid)
{
	if (!makeRoom(reader, item, rigid, 1))
		return false;
	rigid->places[0] = rigid->def.position;
	return true;
}

static bool readCount(plSceneReader* reader, const plJson* node, size_t n[3])
{
	bool fine = plSceneReader_Counts(reader, node, "count", mostBodies, 3, n);
	if (fine && (double)n[0] * (double)n[1] * (double)n[2] > mostBodies)
	{
		plSceneReader_Fail(reader, plJson_Find(node, "count"), "an array has at most %d bodies", mostBodies);
		return false;
	}
	return fine;
}

static void placeArray(plSceneReader* reader, const plJson* node, plSceneRigid* rigid)
{
	static const char* const keys[] = {"of", "count", "spacing", "stagger", NULL};
	size_t n[3] = {1, 1, 1};
	plVec3 spacing = {0.0, 0.0, 0.0}, stagger = {0.0, 0.0, 0.0}, at = rigid->def.position;
	plSceneReader_CheckObject(reader, node, keys);
	bool fine = readCount(reader, node, n);
	fine = plSceneReader_Require(reader, node, "spacing") != NULL && fine;
	fine = plSceneReader_Vector(reader, node, "spacing", &spacing) && fine;
	fine = plSceneReader_Vector(reader, node, "stagger", &stagger) && fine;
	if (!fine || !makeRoom(reader, node, rigid, n[0] * n[1] * n[2]))
		return;
	rigid->row = n[0] > 1 ? n[0] : n[1] > 1 ? n[1] : n[2];
	plVec3* to = rigid->places;
	for (size_t k = 0; k < n[2]; ++k)
		for (size_t j = 0; j < n[1]; ++j)
			for (size_t i = 0; i < n[0]; ++i, ++to)
			{
				double odd = (double)(j % 2);
				*to = (plVec3){at.x + (double)i * spacing.x + odd * stagger.x,
				               at.y + (double)j * spacing.y + odd * stagger.y,
				               at.z + (double)k * spacing.z + odd * stagger.z};
			}
}

static void placePyramid(plSceneReader* reader, const plJson* node, plSceneRigid* rigid)
{
	static const char* const keys[] = {"of", "rows", "spacing", NULL};
	uint64_t rows = 1;
	double spacing[2] = {0.0, 0.0};
	plVec3 at = rigid->def.position;
	plSceneReader_CheckObject(reader, node, keys);
	bool fine = plSceneReader_Require(reader, node, "rows") != NULL;
	fine = plSceneReader_Whole(reader, node, "rows", 1, 5000, &rows) && fine;
	fine = plSceneReader_Require(reader, node, "spacing") != NULL && fine;
	fine = plSceneReader_Pair(reader, node, "spacing", spacing) && fine;
	if (!fine || !makeRoom(reader, node, rigid, rows * (rows + 1) / 2))
		return;
	plVec3* to = rigid->places;
	for (uint64_t j = 0; j < rows; ++j)
		for (uint64_t i = 0; i < rows - j; ++i, ++to)
			*to = (plVec3){at.x + ((double)i - 0.5 * (double)(rows - j - 1)) * spacing[0],
			               at.y + (double)j * spacing[1], at.z};
}

void plSceneReader_ReadArray(plSceneReader* reader, const plJson* item, plSceneRigid* rigid)
{
	static const char* const keys[] = {"name", "array", "pyramid", NULL};
	const plJson *array = plJson_Find(item, "array"), *pyramid = plJson_Find(item, "pyramid");
	plSceneReader_CheckObject(reader, item, keys);
	if (array && pyramid)
	{
		plSceneReader_FailKey(reader, pyramid, "\"array\" and \"pyramid\" exclude each other");
		return;
	}
	const plJson* node = array ? array : pyramid;
	if (node->kind != pl_jsonObject)
	{
		plSceneReader_FailType(reader, node, "an object with the rigid body as \"of\"");
		return;
	}
	const plJson* of = plSceneReader_Require(reader, node, "of");
	if (of)
		plSceneReader_ReadRigid(reader, of, rigid, true);
	if (array)
		placeArray(reader, array, rigid);
	else
		placePyramid(reader, pyramid, rigid);
}

// ---- the surface ----------------------------------------------------------------------------------------------------

// Triangles that grow piece by piece; there is room for them.
typedef struct Pieces
{
	double* points;
	uint32_t* faces;
	size_t pointCount, faceCount;
} Pieces;

static void addPiece(Pieces* to, const plMesh* mesh, const plTransform* place)
{
	plMeshView view = plMesh_GetView(mesh);
	for (size_t i = 0; i < view.vertexCount; ++i)
		plTransform_Apply(place, view.vertices + 3 * i, to->points + 3 * (to->pointCount + i));
	for (size_t i = 0; i < 3 * view.surfaceCount; ++i)
		to->faces[3 * to->faceCount + i] = (uint32_t)(to->pointCount + view.surface[i]);
	to->pointCount += view.vertexCount;
	to->faceCount += view.surfaceCount;
}

// `count` meshes, each `copies` times: the k-th copy at places[k], or each mesh at its own if there is one copy.
static plMesh* join(plSceneReader* reader, const plJson* item, plMesh* const* meshes, size_t count,
                    const plTransform* locals, const plSceneRigid* copies)
{
	double points = 0.0, faces = 0.0, times = copies ? (double)copies->count : 1.0;
	for (size_t i = 0; i < count; ++i)
	{
		points += meshes[i] ? times * (double)plMesh_GetView(meshes[i]).vertexCount : 0.0;
		faces += meshes[i] ? times * (double)plMesh_GetView(meshes[i]).surfaceCount : 0.0;
	}
	if (points > UINT32_MAX || faces > UINT32_MAX)
	{
		plSceneReader_Fail(reader, item, "the surface of %.4g points is too large; it has at most %.4g", points,
		                   (double)UINT32_MAX);
		return NULL;
	}
	const char* what = "the surface of rigid bodies";
	Pieces all = {.points = plSceneReader_New(reader, item, (size_t)points, 3 * sizeof(double), what),
	              .faces = plSceneReader_New(reader, item, (size_t)faces, 3 * sizeof(uint32_t), what)};
	plMesh* mesh = NULL;
	plError error = {0};
	if (all.points && all.faces)
	{
		for (size_t i = 0; i < count; ++i)
			for (size_t k = 0; meshes[i] && k < (size_t)times; ++k)
			{
				plTransform place = locals[i];
				if (copies)
					place = (plTransform){1.0, copies->def.rotation, copies->places[k]};
				addPiece(&all, meshes[i], &place);
			}
		plMeshDef def = plDefaultMeshDef();
		def.vertices = all.points;
		def.vertexCount = all.pointCount;
		def.triangles = all.faces;
		def.triangleCount = all.faceCount;
		mesh = plCreateMesh(&def, &error);
		if (mesh == NULL)
			plSceneReader_Fail(reader, item, "%s", error.message);
	}
	free(all.points);
	free(all.faces);
	return mesh;
}

void plSceneReader_MakeSurface(plSceneReader* reader, const plJson* item, plSceneRigid* rigid)
{
	const int sides = rigid->count <= 16 ? 48 : rigid->count <= 1024 ? 24 : 12; // of round shapes
	plMesh** meshes = plSceneReader_New(reader, item, rigid->shapeCount, sizeof(plMesh*), "the shapes");
	plTransform* locals = plSceneReader_New(reader, item, rigid->shapeCount, sizeof(plTransform), "the shapes");
	bool any = false, fine = meshes && locals;
	plError error = {0};
	for (size_t i = 0; i < rigid->shapeCount && fine; ++i)
	{
		locals[i] = rigid->shapes[i].local;
		if (rigid->shapes[i].kind == pl_shapePlane)
			continue;
		meshes[i] = plCreateShapeMesh(&rigid->shapes[i], sides, NULL, &error);
		any = true;
		fine = meshes[i] != NULL;
		if (!fine)
			plSceneReader_Fail(reader, item, "%s", error.message);
	}
	if (fine && any)
		rigid->shell = join(reader, item, meshes, rigid->shapeCount, locals, NULL);
	if (rigid->shell)
		rigid->surface = join(reader, item, &rigid->shell, 1, locals, rigid);
	for (size_t i = 0; meshes && i < rigid->shapeCount; ++i)
		plDestroyMesh(meshes[i]);
	free(meshes);
	free(locals);
}
