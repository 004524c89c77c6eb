// scenes.c: bodies of the size and kind of [WY16]'s, made by formula
//
// The serpent stands in for the dragon, which is not ours to pass on: 12 x 12 x 68 cells of six tets along a winding
// line, a square section rounded to a disc whose radius rises from the tail to the body and again to the head, with
// bumps along the back. It is as slender, as curved and as large as that model, and as easily bent.
#include "scenes.h"
#include "pliant/io.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

plTrialDef plDefaultTrialDef(plTrialKind kind)
{
	static const size_t cells[pl_trialCount][3] = {[pl_trialBox] = {24, 24, 17},
	                                               [pl_trialColumn] = {16, 47, 16},
	                                               [pl_trialBar] = {40, 10, 10},
	                                               [pl_trialSerpent] = {12, 12, 68},
	                                               [pl_trialHelix] = {127, 3, 0}};
	plTrialDef def = {.kind = kind,
	                  .material = plDefaultMaterialDef(),
	                  .solver = plDefaultSolverDef(pl_methodDescent),
	                  .gravity = {0.0, -9.81, 0.0},
	                  .timestep = 1.0 / 30.0};
	memcpy(def.cells, cells[kind], sizeof def.cells);
	def.material.law = pl_lawMooneyRivlin;
	// soft enough to keep moving under its weight, stiff enough to keep its shape
	def.material.young = kind == pl_trialSerpent ? 4e4 : 2e4;
	def.solver.tolerance = 0.0;
	def.solver.precision = pl_precisionFloat;
	return def;
}

// ---- the serpent ----------------------------------------------------------------------------------------------------

// Middle line at s in [0, 1]: from the tail, in windings that grow narrower, up to the head.
static void middle(double s, double p[3])
{
	p[0] = 2.4 * s;
	p[1] = 0.55 * s * s + 0.08 * sin(3.0 * pi * s);
	p[2] = 0.24 * sin(3.0 * pi * s) * (1.0 - 0.4 * s);
}

static double radius(double s)
{
	double body = 0.05 + 0.11 * sin(pi * fmin(1.0, 0.15 + 0.9 * s)),
	       head = 0.07 * exp(-200.0 * (s - 0.94) * (s - 0.94));
	return body + head;
}

// The unit square [-1, 1]^2 to the unit disc, smoothly; corners go to the circle.
static void roundSquare(double x, double y, double* u, double* v)
{
	*u = x * sqrt(1.0 - 0.5 * y * y);
	*v = y * sqrt(1.0 - 0.5 * x * x);
}

static void bendVertex(double p[3], const void* context)
{
	(void)context;
	double s = p[2], a[3], b[3], t[3], u, v, at[3];
	roundSquare(2.0 * p[0] - 1.0, 2.0 * p[1] - 1.0, &u, &v);
	middle(s - 1e-4, a);
	middle(s + 1e-4, b);
	middle(s, at);
	double length = 0.0;
	for (int k = 0; k < 3; ++k)
		t[k] = b[k] - a[k];
	length = sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
	// across: level, x across t; up: t across that
	double flat = sqrt(t[0] * t[0] + t[2] * t[2]);
	double side[3] = {t[2] / flat, 0.0, -t[0] / flat};
	double up[3] = {-t[0] * t[1] / (flat * length), flat / length, -t[1] * t[2] / (flat * length)};
	double bump = v > 0.0 ? 0.22 * v * v * exp(-9.0 * u * u) * (1.0 + cos(34.0 * pi * s)) : 0.0;
	double r = radius(s);
	for (int k = 0; k < 3; ++k)
		p[k] = at[k] + r * (u * side[k] + (v + bump) * up[k]);
}

plMesh* plTrial_MoveMesh(const plMesh* from, void (*move)(double p[3], const void* context), const void* context,
                         plError* error)
{
	plMeshView view = plMesh_GetView(from);
	plMeshDef def = plDefaultMeshDef();
	double* vertices = malloc(3 * view.vertexCount * sizeof *vertices);
	plMesh* mesh = NULL;
	if (vertices == NULL)
		snprintf(error->message, sizeof error->message, "not enough memory for a mesh of %zu vertices",
		         view.vertexCount);
	else
	{
		memcpy(vertices, view.vertices, 3 * view.vertexCount * sizeof *vertices);
		for (size_t i = 0; i < view.vertexCount; ++i)
			move(vertices + 3 * i, context);
		def.vertices = vertices;
		def.vertexCount = view.vertexCount;
		def.tets = view.tets;
		def.tetCount = view.tetCount;
		mesh = plCreateMesh(&def, error);
	}
	free(vertices);
	return mesh;
}

plMesh* plTrial_CreateSerpent(const size_t cells[3], plError* error)
{
	plMesh* straight = plCreateBoxMesh((plVec3){1.0, 1.0, 1.0}, cells, 6, NULL, error);
	plMesh* mesh = straight != NULL ? plTrial_MoveMesh(straight, bendVertex, NULL, error) : NULL;
	plDestroyMesh(straight);
	return mesh;
}

// ---- one body in one world ------------------------------------------------------------------------------------------

plMesh* plTrial_ReadMesh(const char* path, plError* error)
{
	plDiagnostics* diagnostics = plCreateDiagnostics();
	plMesh* mesh = diagnostics != NULL ? plReadMesh(path, pl_repairNone, diagnostics) : NULL;
	if (mesh == NULL)
		snprintf(error->message, sizeof error->message, "%s",
		         diagnostics != NULL && plDiagnostics_GetCount(diagnostics) > 0 ? plDiagnostics_GetText(diagnostics, 0)
		                                                                        : "not enough memory for the mesh");
	plDestroyDiagnostics(diagnostics);
	return mesh;
}

static plMesh* createMesh(const plTrialDef* def, plError* error)
{
	const size_t* cells = def->cells;
	switch (def->kind)
	{
	case pl_trialColumn:
		return plCreateBoxMesh((plVec3){1.0, 3.0, 1.0}, cells, 6, NULL, error);
	case pl_trialBar:
		return plCreateBoxMesh((plVec3){4.0, 1.0, 1.0}, cells, 6, NULL, error);
	case pl_trialSerpent:
		return plTrial_CreateSerpent(cells, error);
	case pl_trialHelix:
		return plCreateHelixMesh(0.4, 0.12, 0.7, 2.0, 2, cells, NULL, error);
	case pl_trialFile:
		return plTrial_ReadMesh(def->path, error);
	default:
		return plCreateBoxMesh((plVec3){1.0, 1.0, 17.0 / 24.0}, cells, 6, NULL, error);
	}
}

// A file may be in any unit: its body is scaled to 2 m.
static double scaleOf(const plTrial* trial, plTrialKind kind)
{
	double largest =
	    fmax(trial->high[0] - trial->low[0], fmax(trial->high[1] - trial->low[1], trial->high[2] - trial->low[2]));
	return kind == pl_trialFile && largest > 0.0 ? 2.0 / largest : 1.0;
}

static void measure(plTrial* trial)
{
	plMeshView view = plMesh_GetView(trial->mesh);
	trial->vertexCount = view.vertexCount;
	trial->tetCount = view.tetCount;
	for (int k = 0; k < 3; ++k)
	{
		trial->low[k] = INFINITY;
		trial->high[k] = -INFINITY;
		for (size_t i = 0; i < view.vertexCount; ++i)
		{
			trial->low[k] = fmin(trial->low[k], view.vertices[3 * i + (size_t)k]);
			trial->high[k] = fmax(trial->high[k], view.vertices[3 * i + (size_t)k]);
		}
	}
}

bool plTrial_Create(plTrial* trial, const plTrialDef* def, plError* error)
{
	plWorldDef worldDef = plDefaultWorldDef();
	worldDef.solver = plDefaultSolverDef(pl_methodNewton);
	worldDef.gravity = def->gravity;
	worldDef.timestep = def->timestep;
	worldDef.solver = def->solver;
	worldDef.pool = def->pool;
	worldDef.allocator = def->allocator;
	double scale = 1.0;
	*trial = (plTrial){.mesh = createMesh(def, error)};
	if (trial->mesh != NULL)
	{
		measure(trial);
		scale = scaleOf(trial, def->kind);
		for (int k = 0; k < 3; ++k)
		{
			trial->low[k] *= scale;
			trial->high[k] *= scale;
		}
		trial->world = plCreateWorld(&worldDef, error);
	}
	if (trial->world != NULL)
	{
		plSoftBodyDef bodyDef = plDefaultSoftBodyDef();
		bodyDef.mesh = trial->mesh;
		bodyDef.material = def->material;
		bodyDef.transform.scale = scale;
		trial->body = plCreateSoftBody(trial->world, &bodyDef, error);
		if (plBody_IsValid(trial->world, trial->body))
			return true;
	}
	plTrial_Destroy(trial);
	return false;
}

void plTrial_Destroy(plTrial* trial)
{
	plDestroyWorld(trial->world);
	plDestroyMesh(trial->mesh);
	*trial = (plTrial){0};
}

bool plTrial_Pin(plTrial* trial, int axis, double from, double to, unsigned axes, const plMotion* motion,
                 plError* error)
{
	plVec3 low = {-INFINITY, -INFINITY, -INFINITY}, high = {INFINITY, INFINITY, INFINITY};
	double *lowAxis[3] = {&low.x, &low.y, &low.z}, *highAxis[3] = {&high.x, &high.y, &high.z};
	double size = trial->high[axis] - trial->low[axis];
	*lowAxis[axis] = trial->low[axis] + (from - 1e-9) * size;
	*highAxis[axis] = trial->low[axis] + (to + 1e-9) * size;
	uint32_t* vertices = malloc(trial->vertexCount * sizeof *vertices);
	if (vertices == NULL)
	{
		snprintf(error->message, sizeof error->message, "not enough memory for %zu pins", trial->vertexCount);
		return false;
	}
	plPinDef def = plDefaultPinDef();
	def.body = trial->body;
	def.vertices = vertices;
	def.vertexCount = plBody_SelectBox(trial->world, trial->body, low, high, vertices, trial->vertexCount);
	def.axes = axes;
	if (motion != NULL)
		def.motion = *motion;
	error->code = pl_success;
	plCreatePin(trial->world, &def, error);
	free(vertices);
	return error->code >= 0;
}

bool plTrial_PinUsual(plTrial* trial, plTrialKind kind, plError* error)
{
	switch (kind)
	{
	case pl_trialColumn:
		return plTrial_Pin(trial, 1, 0.0, 0.0, pl_axisAll, NULL, error);
	case pl_trialHelix:
		return plTrial_Pin(trial, 1, 0.95, 1.0, pl_axisAll, NULL, error);
	case pl_trialSerpent:
		return plTrial_Pin(trial, 0, 0.9, 1.0, pl_axisAll, NULL, error);
	case pl_trialFile:
		return plTrial_Pin(trial, 1, 0.0, 0.06, pl_axisAll, NULL, error);
	default:
		return plTrial_Pin(trial, 0, 0.0, 0.0, pl_axisAll, NULL, error);
	}
}
