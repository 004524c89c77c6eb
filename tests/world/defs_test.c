// defs_test.c: every def can be checked before there is a world, and the check names the member at fault
#include "pliant/pliant.h"
#include "test.h"

static plError error;

static bool blames(plResult result, const char* field)
{
	bool fine = result == pl_errorInput && error.code == pl_errorInput && error.message[0] != 0 &&
	            error.field != NULL && strcmp(error.field, field) == 0;
	if (!fine)
		fprintf(stderr, "    %s: %s\n", error.field != NULL ? error.field : "no field", error.message);
	error = (plError){0};
	return fine;
}

// The def, changed so, is refused for the member.
#define BLAMED(kind, good, wanted, change)                                                                             \
	do                                                                                                                 \
	{                                                                                                                  \
		pl##kind##Def def = (good);                                                                                    \
		change;                                                                                                        \
		CHECK(blames(pl##kind##Def_Check(&def, &error), wanted));                                                      \
		CHECK(pl##kind##Def_Check(&def, NULL) == pl_errorInput);                                                       \
	} while (0)

TEST(worlds_are_checked)
{
	plWorldDef good = plDefaultWorldDef();
	CHECK(plWorldDef_Check(&good, &error) == pl_success);
	BLAMED(World, good, "timestep", def.timestep = 0.0);
	BLAMED(World, good, "substeps", def.substeps = 0);
	BLAMED(World, good, "integrator", def.integrator = (plIntegrator)7);
	BLAMED(World, good, "gravity", def.gravity.y = NAN);
	BLAMED(World, good, "solver", def.solver.tolerance = 2.0);
	BLAMED(World, good, "contact", def.contact.friction = -1.0);
	BLAMED(World, good, "solver", def.contact.bodies = true; def.solver = plDefaultSolverDef(pl_methodVbd));
}

TEST(contact_is_checked)
{
	plContactDef good = plDefaultWorldDef().contact;
	CHECK(plContactDef_Check(&good, &error) == pl_success);
	BLAMED(Contact, good, "model", def.model = (plContactModel)5);
	BLAMED(Contact, good, "thickness", def.thickness = -1.0);
	BLAMED(Contact, good, "friction", def.friction = NAN);
	BLAMED(Contact, good, "stiffness", def.stiffness = INFINITY);
	BLAMED(Contact, good, "self", def.self = (plSelfContact)3);
	BLAMED(Contact, good, "intersections", def.intersections = (plIntersections)2);
	BLAMED(Contact, good, "pairThickness", def.pairThickness = -1.0);
	BLAMED(Contact, good, "pairThickness", def.pairThickness = NAN);
	BLAMED(Contact, good, "pairThickness", def.pairThickness = INFINITY);
	BLAMED(Contact, good, "pairThickness", def.bodies = true; def.thickness = 0.0);
	BLAMED(Contact, good, "pairFriction", def.pairFriction = NAN);
	BLAMED(Contact, good, "pairFriction", def.bodies = true; def.pairFriction = INFINITY);
	BLAMED(Contact, good, "model", def.self = pl_selfCloth; def.model = pl_contactProjection);
}

TEST(colliders_are_checked)
{
	plColliderDef good = plDefaultColliderDef();
	CHECK(plColliderDef_Check(&good, &error) == pl_success);
	BLAMED(Collider, good, "normal", def.normal = (plVec3){0});
	BLAMED(Collider, good, "friction", def.friction = NAN);
	BLAMED(Collider, good, "thickness", def.thickness = INFINITY);
	BLAMED(Collider, good, "shape", def.shape = (plShapeKind)9);
	BLAMED(Collider, good, "radius", def.shape = pl_shapeSphere; def.radius = 0.0);
	BLAMED(Collider, good, "centre", def.shape = pl_shapeSphere; def.centre.x = NAN);
	BLAMED(Collider, good, "a", def.shape = pl_shapeCapsule; def.a.z = INFINITY);
	BLAMED(Collider, good, "size", def.shape = pl_shapeBox; def.size.y = -1.0);
	BLAMED(Collider, good, "rotation", def.shape = pl_shapeBox; def.rotation.s = 2.0);
	BLAMED(Collider, good, "surfaceVelocity", def.surfaceVelocity.y = NAN);
	BLAMED(Collider, good, "mesh", def.shape = pl_shapeMesh);
	plMesh* sheet = plCreateClothMesh(1.0, 1.0, (size_t[2]){2, 2}, pl_clothAlternating, NULL, &error);
	CHECK(sheet != NULL);
	BLAMED(Collider, good, "mesh", def.shape = pl_shapeMesh; def.mesh = sheet);
	BLAMED(Collider, good, "transform", def.shape = pl_shapeMesh; def.mesh = sheet; def.transform.scale = 0.0);
	plDestroyMesh(sheet);
}

TEST(bodies_are_checked)
{
	plMesh* box = plCreateBoxMesh((plVec3){1, 1, 1}, (size_t[3]){1, 1, 1}, 6, NULL, &error);
	plSoftBodyDef good = plDefaultSoftBodyDef();
	good.mesh = box;
	CHECK(box != NULL && plSoftBodyDef_Check(&good, &error) == pl_success);
	BLAMED(SoftBody, good, "mesh", def.mesh = NULL);
	BLAMED(SoftBody, good, "density", def.density = 0.0);
	BLAMED(SoftBody, good, "velocity", def.velocity.x = NAN);
	BLAMED(SoftBody, good, "damping.air", def.damping.air = -1.0);
	BLAMED(SoftBody, good, "damping.viscous", def.damping.viscous = NAN);
	BLAMED(SoftBody, good, "transform.scale", def.transform.scale = -1.0);
	BLAMED(SoftBody, good, "transform.rotation", def.transform.rotation.s = 0.5);
	BLAMED(SoftBody, good, "transform.translation", def.transform.translation.y = INFINITY);
	const uint32_t tet = 6;
	const plRegionDef region = {.tets = &tet, .tetCount = 1};
	BLAMED(SoftBody, good, "regions", def.regions = &region; def.regionCount = 1);
	BLAMED(SoftBody, good, "regions", def.regionCount = 1);
	BLAMED(SoftBody, good, "regions", def.regions = &(plRegionDef){.tetCount = 2}; def.regionCount = 1);
	plDestroyMesh(box);
}

TEST(arrays_that_are_promised_and_missing_are_refused_with_words)
{
	plWorldDef wd = plDefaultWorldDef();
	plWorld* world = plCreateWorld(&wd, &error);
	plSoftBodyDef body = plDefaultSoftBodyDef();
	plMesh* box = plCreateBoxMesh((plVec3){1, 1, 1}, (size_t[3]){1, 1, 1}, 6, NULL, &error);
	body.mesh = box;
	plBodyId id = plCreateSoftBody(world, &body, &error);
	plDestroyMesh(box);
	BLAMED(Energy, plDefaultEnergyDef(), "evaluate", def.elementCount = 1);
	BLAMED(Energy, plDefaultEnergyDef(), "name", def.name = NULL);
	plPinDef pin = plDefaultPinDef();
	plForceDef force = plDefaultForceDef();
	plSpringsDef springs = plDefaultSpringsDef();
	pin.body = force.body = springs.a = springs.b = id;
	pin.vertexCount = force.vertexCount = springs.count = 3;
	springs.stiffness = 1.0;
	CHECK(PL_IS_NULL(plCreatePin(world, &pin, &error)) && blames(error.code, "vertices"));
	CHECK(PL_IS_NULL(plCreateForce(world, &force, &error)) && blames(error.code, "vertices"));
	CHECK(PL_IS_NULL(plCreateSprings(world, &springs, &error)) && blames(error.code, "pairs"));
	springs.b = (plBodyId){0};
	springs.pairs = (uint32_t[]){0, 0, 1, 1, 2, 2};
	springs.pointCount = 3;
	CHECK(PL_IS_NULL(plCreateSprings(world, &springs, &error)) && blames(error.code, "points"));
	plDestroyWorld(world);
}

TEST(a_body_without_a_mesh_is_refused_with_words)
{
	plWorldDef wd = plDefaultWorldDef();
	plWorld* world = plCreateWorld(&wd, &error);
	plSoftBodyDef body = plDefaultSoftBodyDef();
	CHECK(world != NULL && PL_IS_NULL(plCreateSoftBody(world, &body, &error)) && blames(error.code, "mesh"));
	plColliderDef collider = plDefaultColliderDef();
	collider.shape = pl_shapeMesh;
	CHECK(PL_IS_NULL(plCreateCollider(world, &collider, &error)) && blames(error.code, "mesh"));
	plDestroyWorld(world);
}

TEST(pins_forces_springs_and_energies_are_checked)
{
	BLAMED(Pin, plDefaultPinDef(), "axes", def.axes = 0);
	BLAMED(Pin, plDefaultPinDef(), "stiffness", def.stiffness = -1.0);
	BLAMED(Pin, plDefaultPinDef(), "release", def.release = NAN);
	BLAMED(Pin, plDefaultPinDef(), "motion", def.motion.translate.x = NAN);
	BLAMED(Pin, plDefaultPinDef(), "motion.until", def.motion.until = -1.0);
	BLAMED(Pin, plDefaultPinDef(), "motion.rotateAxis", def.motion.rotateAngle = 1.0);
	BLAMED(Pin, plDefaultPinDef(), "motion.centre", def.motion.hasCentre = true; def.motion.centre.x = NAN);
	BLAMED(Force, plDefaultForceDef(), "force", def.force.x = INFINITY);
	BLAMED(Force, plDefaultForceDef(), "traction", def.traction.x = NAN);
	BLAMED(Force, plDefaultForceDef(), "from", def.from = NAN);
	BLAMED(Force, plDefaultForceDef(), "until", def.until = NAN);
	BLAMED(Springs, plDefaultSpringsDef(), "count", def.count = 0);
	BLAMED(Springs, plDefaultSpringsDef(), "stiffness", def.count = 1; def.stiffness = 0.0);
	BLAMED(Springs, plDefaultSpringsDef(), "rest", def.count = 1; def.rest = NAN);
	plPinDef pin = plDefaultPinDef();
	plForceDef force = plDefaultForceDef();
	CHECK(plPinDef_Check(&pin, &error) == pl_success && plForceDef_Check(&force, &error) == pl_success);
}

TEST(methods_say_which_bodies_they_take)
{
	for (int m = 0; m < pl_methodCount; ++m)
		for (int law = 0; law < pl_lawCount; ++law)
		{
			bool takes = m != pl_methodProjective || law == pl_lawArap || law == pl_lawStrainLimit;
			plResult result = plMethod_CheckLaw((plMethod)m, (plLaw)law, &error);
			CHECK(takes ? result == pl_success : blames(result, "law"));
		}
	CHECK(plMethod_CheckViscosity(pl_methodProjective, 0.0, &error) == pl_success);
	CHECK(plMethod_CheckViscosity(pl_methodNewton, 1.0, &error) == pl_success);
	CHECK(blames(plMethod_CheckViscosity(pl_methodProjective, 1.0, &error), "damping.viscous"));
}
