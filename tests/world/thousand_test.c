// thousand_test.c: a thousand rigid bodies over 600 steps have the same bits on any number of threads
#include "rigid.h"

enum
{
	rows = 45
};

static plBodyId addCube(plWorld* world, plRigidMotion motion, plVec3 at, plVec3 size, double density)
{
	plRigidBodyDef def = plDefaultRigidBodyDef();
	plShapeDef box = plDefaultShapeDef();
	def.motion = motion;
	def.position = at;
	box.size = size;
	box.density = density;
	box.friction = 0.5;
	return addRigid(world, &def, &box);
}

// A wall of 1,035 cubes, and a heavier one that lies before it.
static plWorld* makeWall(plPool* pool, plBodyId* heavy)
{
	plWorldDef def = plDefaultWorldDef();
	def.gravity = (plVec3){0.0, 0.0, -10.0};
	def.timestep = 1.0 / 60.0;
	def.sleep = false;
	def.pool = pool;
	def.solver = plDefaultSolverDef(pl_methodAvbd);
	def.solver.iterations = 4;
	plWorld* world = plCreateWorld(&def, &error);
	addCube(world, pl_rigidStatic, (plVec3){0.0, 0.0, -1.0}, (plVec3){2000.0, 2000.0, 2.0}, 1.0);
	for (int y = 0; y < rows; ++y)
		for (int x = 0; x < rows - y; ++x)
			addCube(world, pl_rigidDynamic, (plVec3){(x - (rows - y - 1) / 2.0) * 1.05, 0.0, y + 0.5}, unit, 1.0);
	*heavy = addCube(world, pl_rigidDynamic, (plVec3){0.3, -2.0, 0.5}, unit, 10.0);
	return world;
}

// It stands for nine seconds; then the heavy cube flies into it.
TEST(any_number_of_threads_gives_the_same_bits)
{
	uint64_t first = 0;
	for (int threads = 1; threads <= 7; threads += threads < 3 ? 1 : 4)
	{
		WITH("%d threads", threads);
		plBodyId heavy;
		plPool* pool = plCreatePool(threads);
		plWorld* world = makeWall(pool, &heavy);
		for (int i = 0; i < 600; ++i)
		{
			if (i == 540)
				plBody_SetVelocity(world, heavy, (plVec3){0.0, 25.0, 5.0}, (plVec3){1.0, 2.0, 0.5}, &error);
			CHECK(plWorld_Step(world, NULL, &error) >= 0);
		}
		first = threads == 1 ? plWorld_GetHash(world) : first;
		CHECK(plWorld_GetHash(world) == first);
		plDestroyWorld(world);
		plDestroyPool(pool);
	}
}
