// bullet.cpp: the scenes of `pliant bench rigid` with Bullet: milliseconds of a step, height lost, mean speed
//
//   bullet pyramid|pile N STEPS
//
// One thread, sequential impulses as Bullet comes, sleeping off, 1/60 s, friction 0.5. Prints "ms lost speed": mean
// time of a step over the last third of the steps, per cent of its height that the top has lost, and mean speed in
// mm/s.
#include <btBulletDynamicsCommon.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

static std::vector<btRigidBody*> cubes;

static btRigidBody* add(btDiscreteDynamicsWorld& world, btCollisionShape* shape, double mass, const btVector3& at)
{
	btVector3 inertia(0, 0, 0);
	if (mass > 0)
		shape->calculateLocalInertia(btScalar(mass), inertia);
	btTransform place(btQuaternion::getIdentity(), at);
	btRigidBody::btRigidBodyConstructionInfo info(btScalar(mass), new btDefaultMotionState(place), shape, inertia);
	info.m_friction = btScalar(std::sqrt(0.5)); // Bullet multiplies both
	btRigidBody* body = new btRigidBody(info);
	body->setFriction(btScalar(std::sqrt(0.5)));
	body->setActivationState(DISABLE_DEACTIVATION);
	world.addRigidBody(body);
	return body;
}

int main(int count, char** words)
{
	if (count != 4)
		return 2;
	const int n = std::atoi(words[2]), steps = std::atoi(words[3]);
	btDefaultCollisionConfiguration configuration;
	btCollisionDispatcher dispatcher(&configuration);
	btDbvtBroadphase broad;
	btSequentialImpulseConstraintSolver solver;
	btDiscreteDynamicsWorld world(&dispatcher, &broad, &solver, &configuration);
	world.setGravity(btVector3(0, 0, -10));
	btBoxShape ground(btVector3(1000, 1000, 1)), cube(btVector3(0.5, 0.5, 0.5));
	add(world, &ground, 0, btVector3(0, 0, -1));
	if (std::strcmp(words[1], "pyramid") == 0)
		for (int y = 0; y < n; ++y)
			for (int x = 0; x < n - y; ++x)
				cubes.push_back(
				    add(world, &cube, 1, btVector3(btScalar((x - (n - y - 1) / 2.0) * 1.05), 0, btScalar(0.5 + y))));
	else
		for (int z = 0; z < n; ++z)
			for (int y = 0; y < n; ++y)
				for (int x = 0; x < n; ++x)
				{
					double o = z & 1 ? 0.3 : 0.0;
					cubes.push_back(add(world, &cube, 1,
					                    btVector3(btScalar((x - n / 2.0) * 1.2 + o),
					                              btScalar((y - n / 2.0) * 1.2 + 0.7 * o), btScalar(0.6 + 1.2 * z))));
				}
	const double top = cubes.back()->getWorldTransform().getOrigin().z();
	double seconds = 0.0, speed = 0.0;
	for (int s = 0; s < steps; ++s)
	{
		auto begin = std::chrono::steady_clock::now();
		world.stepSimulation(btScalar(1.0 / 60.0), 0);
		if (s >= steps - steps / 3)
			seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
	}
	for (btRigidBody* body : cubes)
		speed += body->getLinearVelocity().length();
	std::printf("%.3f %.4f %.3f\n", 1e3 * seconds / (steps / 3),
	            100.0 * (top - cubes.back()->getWorldTransform().getOrigin().z()) / top,
	            1e3 * speed / double(cubes.size()));
}
