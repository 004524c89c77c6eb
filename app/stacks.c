// stacks.c: stacks of unit cubes on a static ground 2000 x 2000 x 2 m whose top is z = 0
//
//   pyramid N   row y of N: cubes x = 0 ... N-y-1 at ((x - (N-y-1)/2) 1.05, lean, y + 0.5)
//   pile N      N^3 cubes at ((x - N/2) 1.2 + o, (y - N/2) 1.2 + 0.7 o, 0.6 + 1.2 z), o = 0.3 in odd layers, else 0
//   tower N     cubes at (0, lean, z + 0.5)
//   chain N     links of 1 x 0.25 x 0.25 m and 1 kg at (x + 0.5, 0, 100) and a cube of 2 m at (N + 1, 0, 100), with
//               ball joints at their ends, the first one at (0, 0, 100)
//
// m; z is up, |a| = 10 m/s^2, h = 1/60 s, friction 0.5, restitution 0, density 1, no sleeping. lean: 1 mm for the top,
// less below it by the square of the height, for symmetry hides buckling. A pile leans enough as it falls.
#include "stacks.h"

#include "pliant/joint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const char* const plStackNames[pl_stackKindCount + 1] = {"pyramid", "pile", "tower", "chain"};

// ---- building -------------------------------------------------------------------------------------------------------

static plBodyId addBox(plWorld* world, plRigidMotion motion, plVec3 at, plVec3 size, double density, plError* error)
{
	plRigidBodyDef body = plDefaultRigidBodyDef();
	plShapeDef shape = plDefaultShapeDef();
	body.motion = motion;
	body.position = at;
	shape.size = size;
	shape.density = density;
	shape.friction = 0.5;
	plBodyId id = plCreateRigidBody(world, &body, error);
	if (PL_IS_NON_NULL(id) && PL_IS_NULL(plCreateShape(world, id, &shape, error)))
	{
		plDestroyBody(world, id);
		return (plBodyId){0};
	}
	return id;
}

plBodyId plStack_MakeCube(plStack* stack, plVec3 at, double density, plError* error)
{
	return addBox(stack->world, pl_rigidDynamic, at, (plVec3){1.0, 1.0, 1.0}, density, error);
}

static bool addCube(plStack* stack, plVec3 at, double density, plError* error)
{
	plBodyId id = plStack_MakeCube(stack, at, density, error);
	if (PL_IS_NULL(id))
		return false;
	stack->cubes[stack->count++] = id;
	return true;
}

// All cubes of one height; z counts heights from the ground.
static bool addLayer(plStack* stack, const plStackDef* def, int z, plError* error)
{
	int n = def->size, across = def->kind == pl_stackPyramid ? n - z : def->kind == pl_stackPile ? n * n : 1;
	double height = (z + 0.5) / (n - 0.5), lean = 1e-3 * height * height, o = z % 2 == 1 ? 0.3 : 0.0;
	double density = def->kind == pl_stackTower && z == n - 1 ? def->ratio : 1.0;
	for (int i = 0; i < across; ++i)
	{
		plVec3 at = {(i - (across - 1) / 2.0) * 1.05, lean, z + 0.5};
		if (def->kind == pl_stackPile)
			at = (plVec3){(i % n - n / 2.0) * 1.2 + o, (i / n - n / 2.0) * 1.2 + 0.7 * o, 0.6 + 1.2 * z};
		if (!addCube(stack, at, density, error))
			return false;
	}
	return true;
}

// The next link, or the cube, with its joint.
static bool addLink(plStack* stack, const plStackDef* def, int x, plError* error)
{
	bool isEnd = x == def->size;
	plVec3 size = isEnd ? (plVec3){2.0, 2.0, 2.0} : (plVec3){1.0, 0.25, 0.25};
	plVec3 at = {isEnd ? x + 1.0 : x + 0.5, 0.0, 100.0}, anchor = {x, 0.0, 100.0};
	double density = (isEnd ? def->ratio : 1.0) / (size.x * size.y * size.z);
	plBodyId id = addBox(stack->world, pl_rigidDynamic, at, size, density, error), none = {0, 0};
	if (PL_IS_NULL(id))
		return false;
	stack->cubes[stack->count++] = id;
	plBodyId last = x > 0 ? stack->cubes[stack->count - 2] : none;
	plJointDef ball = plMakeBallJoint(stack->world, id, last, anchor);
	return PL_IS_NON_NULL(plCreateJoint(stack->world, &ball, error));
}

static size_t countCubes(const plStackDef* def)
{
	size_t n = (size_t)def->size;
	if (def->kind == pl_stackChain)
		return n + 1;
	return def->kind == pl_stackPyramid ? n * (n + 1) / 2 : def->kind == pl_stackPile ? n * n * n : n;
}

bool plStack_Create(plStack* stack, const plStackDef* def, plError* error)
{
	plWorldDef world = plDefaultWorldDef();
	world.gravity = (plVec3){0.0, 0.0, -10.0};
	world.timestep = PL_STACK_TIMESTEP;
	world.substeps = def->substeps;
	world.sleep = false;
	world.solver = plDefaultSolverDef(def->method);
	world.solver.iterations = def->iterations;
	world.solver.block.direct = !def->sweeps;
	world.pool = def->pool;
	world.allocator = def->allocator;
	size_t count = countCubes(def);
	*stack = (plStack){.cubes = malloc(count * sizeof *stack->cubes), .before = calloc(count, sizeof *stack->before)};
	if (stack->cubes == NULL || stack->before == NULL)
	{
		snprintf(error->message, sizeof error->message, "not enough memory for %zu cubes", count);
		return false;
	}
	stack->world = plCreateWorld(&world, error);
	plVec3 ground = {2000.0, 2000.0, 2.0};
	bool good = stack->world != NULL &&
	            PL_IS_NON_NULL(addBox(stack->world, pl_rigidStatic, (plVec3){0.0, 0.0, -1.0}, ground, 1.0, error));
	bool isChain = def->kind == pl_stackChain;
	for (int x = 0; good && isChain && x <= def->size; ++x)
		good = addLink(stack, def, x, error);
	for (int z = 0; good && !isChain && z < def->size; ++z)
		good = addLayer(stack, def, z, error);
	return good;
}

void plStack_Destroy(plStack* stack)
{
	if (stack->world != NULL)
		plDestroyWorld(stack->world);
	free(stack->cubes);
	free(stack->before);
	*stack = (plStack){0};
}

// ---- measuring ------------------------------------------------------------------------------------------------------

static double dot(plVec3 a, plVec3 b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

// Mean speed, and the share that turns round; keeps the velocities.
static void look(plStack* stack, plStackFigures* figures)
{
	const double fastFrom = 5e-4; // m/s
	size_t fast = 0, turned = 0;
	figures->speed = 0.0;
	for (size_t i = 0; i < stack->count; ++i)
	{
		plVec3 v = plBody_GetVelocity(stack->world, stack->cubes[i]);
		double speed = sqrt(dot(v, v));
		figures->speed += speed / (double)stack->count;
		fast += speed > fastFrom;
		turned += speed > fastFrom && dot(v, stack->before[i]) < 0.0;
		stack->before[i] = v;
	}
	figures->turning = fast > 0 ? (double)turned / (double)fast : 0.0;
}

static void addTimes(plProfile* sum, const plProfile* ms, double share)
{
	sum->collide += ms->collide * share;
	sum->colour += ms->colour * share;
	sum->refresh += ms->refresh * share;
	sum->minimise += ms->minimise * share;
	sum->total += ms->total * share;
}

static double heightOf(const plStack* stack)
{
	return plBody_GetPose(stack->world, stack->cubes[stack->count - 1]).translation.z;
}

bool plStack_Run(plStack* stack, int steps, plProgress* progress, plStackFigures* figures, plError* error)
{
	int counted = steps >= 3 ? steps / 3 : 1;
	double height = heightOf(stack), first = 0.0, largest = 0.0, potential = 0.0;
	*figures = (plStackFigures){0};
	for (int s = 0; s < steps; ++s)
	{
		plStepReport report;
		plError reason;
		if (plWorld_Step(stack->world, &report, &reason) < 0)
		{
			snprintf(error->message, sizeof error->message, "step %d: %.200s", s + 1, reason.message);
			return false;
		}
		double energy = report.kinetic + report.potential;
		first = s == 0 ? energy : first;
		largest = s == 0 ? energy : fmax(largest, energy);
		figures->error = fmax(report.jointError, figures->error);
		potential = s == 0 ? fabs(report.potential) : potential;
		if (s >= steps - counted)
		{
			addTimes(&figures->ms, &report.ms, 1.0 / counted);
			figures->contacts += (double)report.contacts / counted;
		}
		look(stack, figures);
		plProgress_Update(progress, &report);
	}
	figures->lost = (height - heightOf(stack)) / height;
	figures->gained = potential > 0.0 ? (largest - first) / potential : 0.0;
	figures->hash = plWorld_GetHash(stack->world);
	return true;
}
