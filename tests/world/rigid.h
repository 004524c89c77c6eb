// rigid.h: small rigid bodies for tests
#ifndef PL_TEST_RIGID_H
#define PL_TEST_RIGID_H

#include "fixture.h"

static plError error;
static const plVec3 none = {0.0, 0.0, 0.0};

// A body of one shape; what does not work is in `error`.
static inline plBodyId addRigid(plWorld* world, const plRigidBodyDef* def, const plShapeDef* shape)
{
	plBodyId body = plCreateRigidBody(world, def, &error);
	if (PL_IS_NON_NULL(body) && PL_IS_NULL(plCreateShape(world, body, shape, &error)))
	{
		plDestroyBody(world, body);
		return (plBodyId){0, 0};
	}
	return body;
}

static inline plBodyId addBox(plWorld* world, const plRigidBodyDef* def, plVec3 size, double density)
{
	plShapeDef box = plDefaultShapeDef();
	box.size = size;
	box.density = density;
	return addRigid(world, def, &box);
}

static inline void stepMany(plWorld* world, int count)
{
	for (int i = 0; i < count; ++i)
		CHECK(plWorld_Step(world, NULL, &error) == pl_success);
}

static inline double lengthOf(plVec3 a)
{
	return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

static inline double apartBy(plVec3 a, plVec3 b)
{
	return lengthOf((plVec3){a.x - b.x, a.y - b.y, a.z - b.z});
}

#endif
