// bullet.cpp: the scenes of `pliant bench rigid` with Bullet: milliseconds of a step, height lost, mean speed
//
//   bullet pyramid|pile|tower N STEPS
//
// A rival for `pliant bench rigid --beside`. One thread, sequential impulses as Bullet comes, sleeping off, 1/60 s,
// friction 0.5. Prints "ms lost speed": mean time of a step over the last third of the steps, per cent of its height
// that the top has lost, and mean speed in mm/s.
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

// All cubes of one height, as app/stacks.c has them.
static void addLayer(btDiscreteDynamicsWorld& world, btCollisionShape* cube, const char* scene, int n, int z)
{
	const bool pyramid = std::strcmp(scene, "pyramid") == 0, pile = std::strcmp(scene, "pile") == 0;
	const int across = pyramid ? n - z : pile ? n * n : std::strcmp(scene, "tower") == 0 ? 1 : 0;
	const double height = (z + 0.5) / (n - 0.5), lean = 1e-3 * height * height, o = z % 2 == 1 ? 0.3 : 0.0;
	for (int i = 0; i < across; ++i)
	{
		double x = (i - (across - 1) / 2.0) * 1.05, y = lean, up = z + 0.5;
		if (pile)
		{
			x = (i % n - n / 2.0) * 1.2 + o;
			y = (i / n - n / 2.0) * 1.2 + 0.7 * o;
			up = 0.6 + 1.2 * z;
		}
		cubes.push_back(add(world, cube, 1, btVector3(btScalar(x), btScalar(y), btScalar(up))));
	}
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
	for (int z = 0; z < n; ++z)
		addLayer(world, &cube, words[1], n, z);
	if (cubes.empty() || steps < 3)
		return 2;
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
