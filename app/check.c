// check.c: `pliant check`: everything wrong with a scene or a mesh, all at once; nothing is run
//
// Of what is right it prints a summary: counts, extent, mass, and the quality of the tetrahedra
//
//   volume     det[b-a, c-a, d-a] / 6                 (m^3)
//   dihedral   angle between two faces inside a tet   70.5 degrees in a regular one; near 0 or 180 is a sliver
#include "app.h"
#include "check_contact.h"
#include "check_sheet.h"
#include "options.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	optionHelp,
	optionCount
};

static const plOption options[optionCount] = {[optionHelp] = {"help", 'h', NULL, "this text"}};

static void printHelp(void)
{
	printf(
	    "pliant check SCENE|MESH\n\n"
	    "Reads a scene and every file it names, or a mesh, and lists everything wrong with it, with file, line and\n"
	    "element. It lists all triangles of soft bodies and cloth that cross at the start, and says how thick contact\n"
	    "is against their edges.\n"
	    "Nothing is run and nothing is written. Status 0 or 2.\n");
	plApp_PrintMeshKinds();
	plOption_PrintAll(options, optionCount);
	printf("\nExamples\n"
	       "  pliant check scenes/demo.json\n"
	       "  pliant check bar.msh\n");
}

// ---- quality ------------------------------------------------------------------------------------------------------

typedef struct Quality
{
	plVec3 low, high;
	double volume, leastVolume, mostVolume;
	double leastAngle, mostAngle; // degrees
} Quality;

static plVec3 subtract(plVec3 a, plVec3 b)
{
	return (plVec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static plVec3 cross(plVec3 a, plVec3 b)
{
	return (plVec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double dot(plVec3 a, plVec3 b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static plVec3 vertexAt(const double* positions, uint32_t vertex)
{
	return (plVec3){positions[3 * (size_t)vertex], positions[3 * (size_t)vertex + 1],
	                positions[3 * (size_t)vertex + 2]};
}

// Angle at the edge ab between the faces abc and abd: between c and d seen along the edge. By atan2, which stays exact
// near 0 and 180 degrees.
static double measureDihedral(plVec3 a, plVec3 b, plVec3 c, plVec3 d)
{
	plVec3 edge = subtract(b, a);
	plVec3 m = cross(edge, subtract(c, a)), n = cross(edge, subtract(d, a));
	plVec3 turn = cross(m, n);
	return atan2(sqrt(dot(turn, turn)), dot(m, n)) * 180.0 / M_PI;
}

static void addTet(Quality* quality, const plVec3 p[4])
{
	static const int edges[6][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2}, {1, 2, 0, 3}, {1, 3, 0, 2}, {2, 3, 0, 1}};
	double volume = dot(subtract(p[1], p[0]), cross(subtract(p[2], p[0]), subtract(p[3], p[0]))) / 6.0;
	quality->volume += volume;
	quality->leastVolume = fmin(quality->leastVolume, volume);
	quality->mostVolume = fmax(quality->mostVolume, volume);
	for (int i = 0; i < 6; ++i)
	{
		const int* e = edges[i];
		double angle = measureDihedral(p[e[0]], p[e[1]], p[e[2]], p[e[3]]);
		quality->leastAngle = fmin(quality->leastAngle, angle);
		quality->mostAngle = fmax(quality->mostAngle, angle);
	}
}

static Quality measure(const plMeshView* mesh, const double* positions)
{
	Quality quality = {.low = {INFINITY, INFINITY, INFINITY},
	                   .high = {-INFINITY, -INFINITY, -INFINITY},
	                   .leastVolume = INFINITY,
	                   .leastAngle = INFINITY};
	for (size_t i = 0; i < mesh->vertexCount; ++i)
	{
		plVec3 p = vertexAt(positions, (uint32_t)i);
		quality.low = (plVec3){fmin(quality.low.x, p.x), fmin(quality.low.y, p.y), fmin(quality.low.z, p.z)};
		quality.high = (plVec3){fmax(quality.high.x, p.x), fmax(quality.high.y, p.y), fmax(quality.high.z, p.z)};
	}
	for (size_t i = 0; i < mesh->tetCount; ++i)
	{
		plVec3 corners[4];
		for (int k = 0; k < 4; ++k)
			corners[k] = vertexAt(positions, mesh->tets[4 * i + k]);
		addTet(&quality, corners);
	}
	return quality;
}

static void printExtent(Quality q)
{
	printf("  extent     (%.6g, %.6g, %.6g) to (%.6g, %.6g, %.6g) m\n", q.low.x, q.low.y, q.low.z, q.high.x, q.high.y,
	       q.high.z);
}

static void printMesh(const char* name, const plMeshView* mesh, const double* positions)
{
	Quality q = measure(mesh, positions);
	printf("%s: %zu vertices, %zu tetrahedra, %zu surface triangles\n", name, mesh->vertexCount, mesh->tetCount,
	       mesh->surfaceCount);
	if (mesh->vertexCount > 0)
		printExtent(q);
	if (mesh->tetCount > 0)
		printf("  volume     %.6g m^3; tetrahedra from %.3g to %.3g m^3\n"
		       "  dihedral   from %.2f to %.2f degrees\n",
		       q.volume, q.leastVolume, q.mostVolume, q.leastAngle, q.mostAngle);
	else if (mesh->surfaceCount > 0)
		plApp_PrintSheet(mesh, positions);
	for (size_t i = 0; i < mesh->groupCount; ++i)
		printf("  group      '%s': %zu vertices, %zu elements\n", mesh->groups[i].name, mesh->groups[i].vertexCount,
		       mesh->groups[i].elementCount);
	if (mesh->droppedCount > 0 || mesh->flippedCount > 0)
		printf("  repaired   %zu elements dropped, %zu flipped\n", mesh->droppedCount, mesh->flippedCount);
}

// ---- scenes and meshes --------------------------------------------------------------------------------------------

static double sumMasses(const plWorld* world, plBodyId body, double* masses)
{
	size_t count = plBody_GetVertexCount(world, body);
	double sum = 0.0;
	plBody_GetMasses(world, body, masses);
	for (size_t i = 0; i < count; ++i)
		sum += masses[i];
	return sum;
}

// What the body's regions, pins and forces select.
static void printSelections(const plScene* scene, size_t body, size_t selectionCount, bool isCloth)
{
	static const char* const words[3][2] = {
	    {"vertex", "vertices"}, {"tetrahedron", "tetrahedra"}, {"triangle", "triangles"}};
	for (size_t i = 0; i < selectionCount; ++i)
	{
		plSceneSelection s = plScene_GetSelection(scene, i);
		char owner[32];
		snprintf(owner, sizeof owner, "%s %zu", s.owner, s.number);
		int kind = strcmp(s.owner, "region") != 0 ? 0 : isCloth ? 2 : 1;
		if (s.body == body)
			printf("  %-10s %zu %s\n", owner, s.count, words[kind][s.count != 1]);
	}
}

// Bodies of an array weigh the same. What is not dynamic has no mass of its own.
static double printRigid(const plWorld* world, const plSceneBodyView* body)
{
	plMeshView mesh = body->mesh != NULL ? plMesh_GetView(body->mesh) : (plMeshView){0};
	size_t shapes = plBody_GetShapes(world, body->id, NULL, 0);
	double mass = plBody_GetMass(world, body->id);
	printf("%s: %zu rigid %s of %zu %s\n", body->name, body->rigidCount, body->rigidCount == 1 ? "body" : "bodies",
	       shapes, shapes == 1 ? "shape" : "shapes");
	if (mesh.vertexCount > 0)
		printExtent(measure(&mesh, mesh.vertices));
	if (!isfinite(mass))
	{
		printf("  motion     %s\n", plBody_GetMotion(world, body->id) == pl_rigidStatic ? "static" : "kinematic");
		return 0.0;
	}
	printf("  mass       %.6g kg%s\n", mass, body->rigidCount == 1 ? "" : " each");
	return mass * (double)body->rigidCount;
}

// How many reasons there are to refuse it.
static size_t printScene(const char* path, plScene* scene, plWorld* world)
{
	plSceneView view = plScene_GetView(scene);
	double total = 0.0;
	printf("%s: %zu %s, %" PRIu64 " steps of %.6g s, method %s\n", path, view.bodyCount,
	       view.bodyCount == 1 ? "body" : "bodies", view.steps, view.timestep, plMethod_GetName(view.solver.method));
	for (size_t i = 0; i < view.bodyCount; ++i)
	{
		plSceneBodyView body = plScene_GetBody(scene, i);
		if (body.rigidCount > 0)
		{
			total += printRigid(world, &body);
			continue;
		}
		plMeshView mesh = plMesh_GetView(body.mesh);
		double* numbers = malloc((mesh.vertexCount > 0 ? mesh.vertexCount : 1) * 3 * sizeof *numbers);
		if (numbers == NULL)
			continue;
		plBody_GetPositions(world, body.id, numbers);
		printMesh(body.name, &mesh, numbers);
		double mass = sumMasses(world, body.id, numbers);
		if (body.cloth != NULL)
			plApp_PrintCloth(body.cloth, body.fabric);
		printf("  mass       %.6g kg\n", mass);
		printSelections(scene, i, view.selectionCount, body.cloth != NULL);
		total += mass;
		free(numbers);
	}
	if (view.bodyCount > 1)
		printf("total mass %.6g kg\n", total);
	return plApp_CheckContact(path, scene, world);
}

// Can a collider have the surface? A sheet is a good mesh, too: what it is not is no fault.
static void printCollider(const plMesh* mesh)
{
	plError error = {0};
	plColliderDef def = plDefaultColliderDef();
	def.shape = pl_shapeMesh;
	def.mesh = mesh;
	if (plColliderDef_Check(&def, &error) == pl_success)
		printf("  collider   yes: the surface is closed\n");
	else
		printf("  collider   no: %s\n", error.message);
}

static void checkMesh(const char* path, plDiagnostics* diagnostics)
{
	plMesh* mesh = plReadMesh(path, pl_repairNone, diagnostics);
	if (mesh != NULL && plDiagnostics_GetErrorCount(diagnostics) == 0)
	{
		plMeshView view = plMesh_GetView(mesh);
		printMesh(path, &view, view.vertices);
		printCollider(mesh);
	}
	plDestroyMesh(mesh);
}

static size_t checkScene(const char* path, plDiagnostics* diagnostics)
{
	size_t refused = 0;
	plScene* scene = plReadScene(path, NULL, diagnostics);
	plWorld* world = scene != NULL ? plScene_CreateWorld(scene, NULL, NULL, diagnostics) : NULL;
	if (world != NULL)
		refused = printScene(path, scene, world);
	plDestroyWorld(world);
	plDestroyScene(scene);
	return refused;
}

int plApp_Check(int argc, char** argv)
{
	const char *path = NULL, *value;
	plArguments arguments = plArguments_Begin(argc, argv, options, optionCount);
	for (int option = plArguments_Next(&arguments, &value); option != pl_argumentEnd;
	     option = plArguments_Next(&arguments, &value))
	{
		if (option == optionHelp)
		{
			printHelp();
			return pl_exitDone;
		}
		if (option == pl_argumentPlain && path != NULL)
			plApp_Report("pliant check takes one file", "'%s' is one argument too many", value);
		if (option != pl_argumentPlain || path != NULL)
			return pl_exitUsage;
		path = value;
	}
	if (path == NULL)
	{
		plApp_Report("pliant check SCENE|MESH", "the file is missing");
		return pl_exitUsage;
	}
	plDiagnostics* diagnostics = plCreateDiagnostics();
	if (diagnostics == NULL)
	{
		plApp_Report(NULL, "%s: not enough memory to read it", path);
		return pl_exitUsage;
	}
	size_t errors = 0;
	if (plFindMeshKind(path) != NULL)
		checkMesh(path, diagnostics);
	else
		errors = checkScene(path, diagnostics);
	plApp_ReportDiagnostics(diagnostics);
	errors += plDiagnostics_GetErrorCount(diagnostics);
	plDestroyDiagnostics(diagnostics);
	return errors == 0 ? pl_exitDone : pl_exitUsage;
}
