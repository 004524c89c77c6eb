// fixture.h: small worlds for tests: a box of neo-Hookean rubber, pinned or free
#ifndef PL_TEST_FIXTURE_H
#define PL_TEST_FIXTURE_H

#include "pliant/pliant.h"
#include "test.h"
#include "any_material.h"

typedef struct Fixture
{
	plWorld* world;
	plBodyId body;
	size_t n, m; // vertices, tets
	plError error;
} Fixture;

// Box of `size` in `cells`; the x = 0 face is pinned if `pinned`.
static Fixture makeFixture(const plWorldDef* worldDef, const plSoftBodyDef* bodyDef, plVec3 size, const size_t cells[3],
                           bool pinned)
{
	Fixture f = {0};
	f.world = plCreateWorld(worldDef, &f.error);
	plMesh* mesh = plCreateBoxMesh(size, cells, 5, NULL, &f.error);
	if (f.world == NULL || mesh == NULL)
	{
		fprintf(stderr, "fixture: %s\n", f.error.message);
		exit(1);
	}
	plSoftBodyDef def = *bodyDef;
	def.mesh = mesh;
	f.body = plCreateSoftBody(f.world, &def, &f.error);
	plDestroyMesh(mesh);
	if (PL_IS_NULL(f.body))
	{
		fprintf(stderr, "fixture: %s\n", f.error.message);
		exit(1);
	}
	f.n = plBody_GetVertexCount(f.world, f.body);
	f.m = plBody_GetTetCount(f.world, f.body);
	if (pinned)
	{
		uint32_t* face = malloc(f.n * sizeof *face);
		plVec3 low = {-1e-9, -1e9, -1e9}, high = {1e-9, 1e9, 1e9};
		plPinDef pin = plDefaultPinDef();
		pin.body = f.body;
		pin.vertices = face;
		pin.vertexCount = plBody_SelectBox(f.world, f.body, low, high, face, f.n);
		plCreatePin(f.world, &pin, &f.error);
		free(face);
	}
	return f;
}

static inline plSoftBodyDef softBody(plLaw law, double young, double poisson, double density)
{
	plSoftBodyDef def = plDefaultSoftBodyDef();
	def.density = density;
	def.material = anyMaterial(law, young, poisson);
	return def;
}

static inline void destroyFixture(Fixture* f)
{
	plDestroyWorld(f->world);
}

#endif
