// million_test.c: a hundred thousand elements under gradient, with `--long` a million: two steps, and the memory of one
// element
#include "pliant/pliant.h"
#include "newton_world.h"
#include "test.h"

// Bytes that are out, and the most there ever were.
typedef struct Scale
{
	size_t bytes, peak;
} Scale;

static void* allocateWeighed(size_t bytes, void* context)
{
	Scale* scale = context;
	scale->bytes += bytes;
	scale->peak = scale->bytes > scale->peak ? scale->bytes : scale->peak;
	return aligned_alloc(64, (bytes + 63) & ~(size_t)63);
}

static void releaseWeighed(void* memory, size_t bytes, void* context)
{
	((Scale*)context)->bytes -= bytes;
	free(memory);
}

static void takeTwoSteps(size_t count)
{
	const size_t cells[3] = {count, count, count};
	Scale meshScale = {0}, worldScale = {0};
	plAllocator meshMemory = {allocateWeighed, releaseWeighed, &meshScale};
	plError error = {0};
	plMesh* mesh = plCreateBoxMesh((plVec3){1.0, 1.0, 1.0}, cells, 6, &meshMemory, &error);
	CHECK(mesh != NULL);
	size_t tets = plMesh_GetView(mesh).tetCount;
	CHECK(tets == 6 * count * count * count);
	size_t meshBytes = meshScale.bytes;

	plWorldDef wd = newtonWorldDef();
	wd.allocator = (plAllocator){allocateWeighed, releaseWeighed, &worldScale};
	wd.solver = plDefaultSolverDef(pl_methodGradient);
	wd.solver.iterations = 10;
	wd.pool = plCreatePool(0);
	plWorld* world = plCreateWorld(&wd, &error);
	plSoftBodyDef bd = plDefaultSoftBodyDef();
	bd.mesh = mesh;
	plBodyId body = plCreateSoftBody(world, &bd, &error);
	CHECK(PL_IS_NON_NULL(body));
	plDestroyMesh(mesh);
	size_t faceCount = (count + 1) * (count + 1);
	uint32_t* face = malloc(faceCount * sizeof *face);
	plPinDef pin = plDefaultPinDef();
	pin.body = body;
	pin.vertices = face;
	pin.vertexCount = plBody_SelectBox(world, body, (plVec3){0, 0, 0}, (plVec3){0, 1, 1}, face, faceCount);
	CHECK(pin.vertexCount == faceCount && PL_IS_NON_NULL(plCreatePin(world, &pin, &error)));
	free(face);
	CHECK(meshScale.bytes == 0);
	plStepReport report;
	for (int i = 0; i < 2; i++)
	{
		CHECK(plWorld_Step(world, &report, &error) >= 0);
		CHECK(isfinite(report.objective) && isfinite(report.residual) && report.inverted == 0);
	}
	printf(
	    "    %zu tets: %.0f bytes a tet in the mesh (%.0f while it is made), %.0f in the world (%.0f at most); a step "
	    "takes %.1f s, relative residual %.2g\n",
	    tets, (double)meshBytes / (double)tets, (double)meshScale.peak / (double)tets,
	    (double)worldScale.bytes / (double)tets, (double)worldScale.peak / (double)tets, report.ms.total / 1000.0,
	    report.relativeResidual);
	CHECK_BELOW((double)worldScale.peak / (double)tets, 1000.0);
	plDestroyWorld(world);
	plDestroyPool(wd.pool);
	CHECK(worldScale.bytes == 0);
}

TEST(a_hundred_thousand_elements_take_two_steps_of_gradient)
{
	CALL(takeTwoSteps(26));
}

LONG_TEST(a_million_elements_take_two_steps_of_gradient)
{
	CALL(takeTwoSteps(55));
}
