// stacks.c: stacks of unit cubes: do they stand, and what does a step cost?
//
//   stacks pyramid|pile|tower N SECONDS ITERATIONS SUBSTEPS THREADS RATIO
//
// |a| = 10 m/s^2, h = 1/60 s, friction 0.5, density 1, no sleeping; the top is moved by 1 mm to the side, the others
// less. RATIO: of a tower's top, in density. Prints numbers apart by spaces:
//
//   lost (%)  speed (mm/s)  turning  gained (%)  ms  collide  refresh  minimise  contacts
//
// lost: of the height of the top. speed: the mean. turning: among bodies faster than 0.5 mm/s the share whose velocity
// has turned round since the step before. gained: the largest energy over that at the start, of the potential energy
// there. Times: mean milliseconds of a step over the last third of the steps, and of its phases.
#include <pliant/pliant.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static plWorld* world;
static plBodyId* boxes;
static plVec3* before;
static size_t count;

static plBodyId add(plRigidMotion motion, plVec3 at, plVec3 size, double density)
{
	plRigidBodyDef body = plDefaultRigidBodyDef();
	plShapeDef shape = plDefaultShapeDef();
	body.motion = motion;
	body.position = at;
	shape.size = size;
	shape.density = density;
	shape.friction = 0.5;
	plBodyId id = plCreateRigidBody(world, &body, NULL);
	plCreateShape(world, id, &shape, NULL);
	return id;
}

static void addCube(double x, double y, double z, double density)
{
	boxes[count++] = add(pl_rigidDynamic, (plVec3){x, y, z}, (plVec3){1.0, 1.0, 1.0}, density);
}

static void build(const char* scene, int n, double ratio)
{
	double top = n - 0.5;
	add(pl_rigidStatic, (plVec3){0.0, 0.0, -1.0}, (plVec3){2000.0, 2000.0, 2.0}, 1.0);
	for (int z = 0; z < n; ++z)
	{
		double lean = 1e-3 * (z + 0.5) / top * (z + 0.5) / top, o = z % 2 == 1 ? 0.3 : 0.0;
		if (strcmp(scene, "tower") == 0)
			addCube(0.0, lean, z + 0.5, z == n - 1 ? ratio : 1.0);
		for (int x = 0; strcmp(scene, "pyramid") == 0 && x < n - z; ++x)
			addCube((x - (n - z - 1) / 2.0) * 1.05, lean, z + 0.5, 1.0);
		for (int i = 0; strcmp(scene, "pile") == 0 && i < n * n; ++i)
			addCube((i % n - n / 2.0) * 1.2 + o, (i / n - n / 2.0) * 1.2 + 0.7 * o, 0.6 + 1.2 * z, 1.0);
	}
}

static double lengthOf(plVec3 a)
{
	return sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
}

// Mean speed, and the share that turns round; keeps the velocities.
static void look(double* speed, double* turning)
{
	size_t fast = 0, turned = 0;
	*speed = 0.0;
	for (size_t i = 0; i < count; ++i)
	{
		plVec3 v = plBody_GetVelocity(world, boxes[i]);
		*speed += lengthOf(v) / (double)count;
		if (lengthOf(v) > 5e-4)
		{
			++fast;
			turned += v.x * before[i].x + v.y * before[i].y + v.z * before[i].z < 0.0;
		}
		before[i] = v;
	}
	*turning = fast > 0 ? (double)turned / (double)fast : 0.0;
}

int main(int argc, char** words)
{
	if (argc != 8)
		return 2;
	const char* scene = words[1];
	int n = atoi(words[2]), steps = (int)(60.0 * atof(words[3]) + 0.5), threads = atoi(words[6]), third = steps / 3;
	plWorldDef def = plDefaultWorldDef();
	def.gravity = (plVec3){0.0, 0.0, -10.0};
	def.timestep = 1.0 / 60.0;
	def.sleep = false;
	def.solver = plDefaultSolverDef(pl_methodAvbd);
	def.solver.iterations = atoi(words[4]);
	def.substeps = atoi(words[5]);
	def.pool = threads > 1 ? plCreatePool(threads) : NULL;
	world = plCreateWorld(&def, NULL);
	size_t room = (size_t)n * (size_t)n * (size_t)n + 1;
	boxes = calloc(room, sizeof *boxes);
	before = calloc(room, sizeof *before);
	build(scene, n, atof(words[7]));

	double height = plBody_GetPose(world, boxes[count - 1]).translation.z, first = 0.0, gained = 0.0, weight = 0.0;
	double ms = 0.0, collide = 0.0, refresh = 0.0, minimise = 0.0, speed, turning;
	size_t contacts = 0;
	for (int s = 0; s < steps; ++s)
	{
		plStepReport report;
		plError error;
		if (plWorld_Step(world, &report, &error) < 0)
		{
			fprintf(stderr, "step %d: %s\n", s, error.message);
			return 1;
		}
		if (s == 0)
		{
			first = report.kinetic + report.potential;
			weight = fabs(report.potential);
		}
		gained = fmax(gained, report.kinetic + report.potential - first);
		if (s >= steps - third)
		{
			ms += report.ms.total / third;
			collide += report.ms.collide / third;
			refresh += (report.ms.colour + report.ms.refresh) / third;
			minimise += report.ms.minimise / third;
		}
		contacts = report.contacts;
		look(&speed, &turning);
	}
	double lost = (height - plBody_GetPose(world, boxes[count - 1]).translation.z) / height;
	printf("%.4f %.4f %.3f %.4f %.3f %.3f %.3f %.3f %zu\n", 100.0 * lost, 1e3 * speed, turning, 100.0 * gained / weight,
	       ms, collide, refresh, minimise, contacts);
	plDestroyWorld(world);
	if (def.pool != NULL)
		plDestroyPool(def.pool);
	free(boxes);
	free(before);
}
