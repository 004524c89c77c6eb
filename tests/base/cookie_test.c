// cookie_test.c: a def is told from zeros and from a def of another type, however alike the two are
#include "base/base.h"
#include "pliant/pliant.h"
#include "test.h"

static int broken; // contracts since it was set to 0

static bool count(const char* condition, const char* words, const char* file, int line)
{
	(void)condition, (void)words, (void)file, (void)line;
	broken++;
	return true;
}

typedef struct Alike
{
	plForceDef def;
} Alike;

TEST(a_cookie_tells_types_of_one_size_apart)
{
	CHECK(sizeof(Alike) == sizeof(plForceDef) && PL_COOKIE(Alike) != PL_COOKIE(plForceDef));
	const uint32_t cookies[] = {PL_COOKIE(plWorldDef),    PL_COOKIE(plSolverDef),   PL_COOKIE(plMaterialDef),
	                            PL_COOKIE(plSoftBodyDef), PL_COOKIE(plPinDef),      PL_COOKIE(plForceDef),
	                            PL_COOKIE(plSpringsDef),  PL_COOKIE(plColliderDef), PL_COOKIE(plMeshDef),
	                            PL_COOKIE(plGrabDef),     PL_COOKIE(plEnergyDef),   PL_COOKIE(plRigidBodyDef),
	                            PL_COOKIE(plShapeDef)};
	const size_t n = sizeof cookies / sizeof *cookies;
	for (size_t i = 0; i < n; ++i)
	{
		CHECK(cookies[i] != 0);
		for (size_t j = 0; j < i; ++j)
			CHECK(cookies[i] != cookies[j]);
	}
}

TEST(a_def_of_another_type_breaks_the_contract)
{
	plWorldDef worldDef = plDefaultWorldDef();
	plWorld* world = plCreateWorld(&worldDef, NULL);
	CHECK(world != NULL);
	plForceDef def = plDefaultForceDef();
	plSetAssertHandler(count);
	broken = 0;
	plCreateForce(world, &def, NULL); // refused for want of a body, but it is a plForceDef
	int own = broken;
	def.cookie = PL_COOKIE(Alike);
	plCreateForce(world, &def, NULL);
	int foreign = broken;
	def.cookie = 0;
	plCreateForce(world, &def, NULL);
	plSetAssertHandler(NULL);
	plDestroyWorld(world);
	CHECK(own == 0 && foreign == 1 && broken == 2);
}
