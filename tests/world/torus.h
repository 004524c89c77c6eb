// torus.h: a ball of 0.4 m above a torus about the y axis, a mesh from outside
#ifndef PL_TEST_TORUS_H
#define PL_TEST_TORUS_H

#include "pliant/io.h"
#include "world/fixture.h"

// The torus reaches from -0.25 to 0.25 m in height and to 0.75 m from its axis, its hole to 0.25 m. False:
// PLIANT_MESHES is not set.
static inline bool makeBallAndTorus(Fixture* f, const plWorldDef* worldDef, const plSoftBodyDef* bodyDef, size_t rings,
                                    double height)
{
	const char* folder = getenv("PLIANT_MESHES");
	if (folder == NULL)
		return false;
	plSoftBodyDef def = *bodyDef;
	def.transform.translation = (plVec3){0.0, height, 0.0};
	*f = makeBody(worldDef, &def, plCreateSphereMesh(0.4, rings, NULL, NULL));
	char path[4096];
	snprintf(path, sizeof path, "%s/torus3K.obj", folder);
	plDiagnostics* problems = plCreateDiagnostics();
	plMesh* torus = plReadMesh(path, pl_repairNone, problems);
	plColliderDef collider = plDefaultColliderDef();
	collider.shape = pl_shapeMesh;
	collider.mesh = torus;
	if (torus == NULL || PL_IS_NULL(plCreateCollider(f->world, &collider, &f->error)))
	{
		fprintf(stderr, "torus: %s\n", torus == NULL ? plDiagnostics_GetText(problems, 0) : f->error.message);
		exit(1);
	}
	plDestroyMesh(torus);
	plDestroyDiagnostics(problems);
	return true;
}

#endif
