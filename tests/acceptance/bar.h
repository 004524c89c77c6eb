// bar.h: the bar of scenes/bar10k.json (8 cells across) or bar58k.json (14), for the programs of acceptance scripts
#include "pliant/pliant.h"

#include <stdio.h>
#include <stdlib.h>

// The body is as `bd` says, with the bar's mesh, density and moduli; held at one end.
static plWorld* makeBar(const plWorldDef* wd, plSoftBodyDef bd, size_t cells, plBodyId* body)
{
	plError error = {0};
	plWorld* world = plCreateWorld(wd, &error);
	const size_t counts[3] = {cells == 14 ? 60 : 4 * cells, cells, cells};
	plMesh* mesh = plCreateBoxMesh((plVec3){(double)counts[0] / (double)cells, 1, 1}, counts, 5, NULL, &error);
	bd.mesh = mesh;
	bd.material.young = 2e6;
	bd.material.poisson = 0.4;
	*body = plCreateSoftBody(world, &bd, &error);
	if (PL_IS_NULL(*body))
	{
		fprintf(stderr, "%s\n", error.message);
		exit(1);
	}
	uint32_t* held = malloc(1000 * sizeof *held);
	plPinDef pin = plDefaultPinDef();
	pin.body = *body;
	pin.vertices = held;
	pin.vertexCount = plBody_SelectBox(world, *body, (plVec3){0, 0, 0}, (plVec3){0, 1, 1}, held, 1000);
	plCreatePin(world, &pin, &error);
	plDestroyMesh(mesh);
	free(held);
	return world;
}
