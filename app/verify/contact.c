// contact.c: bodies on bodies: the angle of friction, what a grip holds, a stack
//
// Gravity is turned instead of the slope. Coefficients are those that the motion shows:
//
//   on a slope   mu = (g sin - a)/(g cos),  a the acceleration of the centre of mass
//   in a grip    mu = T/(2 N),              T what pulls a sheet out from between two blocks, N what presses these
#include "verify.h"

#include <math.h>
#include <stdlib.h>

static const double mu = 0.5, g = 9.81, far = 1e30;
static const size_t most = 512; // vertices of a body here

static plWorldDef touchingDef(plPool* pool)
{
	plWorldDef wd = plDefaultWorldDef();
	wd.solver = plDefaultSolverDef(pl_methodNewton);
	wd.timestep = 1.0 / 64.0;
	wd.pool = pool;
	wd.solver.iterations = 200;
	wd.solver.tolerance = 1e-7;
	wd.contact.bodies = pl_bodiesAll;
	wd.contact.thickness = 0.005;
	wd.contact.pairThickness = 0.005;
	wd.contact.pairFriction = mu;
	return wd;
}

static plSoftBodyDef jelly(double young, plVec3 at)
{
	plSoftBodyDef bd = plDefaultSoftBodyDef();
	bd.material.young = young;
	bd.material.poisson = 0.3;
	bd.transform.translation = at;
	return bd;
}

static plBodyId addBlock(plWorld* world, plVec3 size, const size_t cells[3], double young, plVec3 at, plError* error)
{
	plSoftBodyDef bd = jelly(young, at);
	plMesh* mesh = plCreateBoxMesh(size, cells, 5, NULL, error);
	bd.mesh = mesh;
	plBodyId body = mesh != NULL ? plCreateSoftBody(world, &bd, error) : (plBodyId){0, 0};
	plDestroyMesh(mesh);
	return body;
}

static plBodyId addSheet(plWorld* world, const double size[2], const size_t cells[2], plTransform transform,
                         plError* error)
{
	plClothDef cd = plDefaultClothDef();
	plMesh* mesh = plCreateClothMesh(size[0], size[1], cells, pl_clothEquilateral, NULL, error);
	cd.mesh = mesh;
	cd.membrane.young = 2e6;
	cd.bending.stiffness = 2e-5;
	cd.transform = transform;
	plBodyId body = mesh != NULL ? plCreateCloth(world, &cd, error) : (plBodyId){0, 0};
	plDestroyMesh(mesh);
	return body;
}

// The vertices of a body in a box, moved by `way` from time 0 until `until`
static plPinId pin(plWorld* world, plBodyId body, plVec3 low, plVec3 high, plVec3 way, double until, plError* error)
{
	uint32_t chosen[512];
	plPinDef def = plDefaultPinDef();
	def.body = body;
	def.vertices = chosen;
	def.vertexCount = plBody_SelectBox(world, body, low, high, chosen, most);
	def.motion = (plMotion){.kind = pl_motionLine, .translate = way, .until = until};
	return plCreatePin(world, &def, error);
}

static plPinId pinAll(plWorld* world, plBodyId body, plError* error)
{
	const plVec3 low = {-far, -far, -far}, high = {far, far, far}, still = {0.0, 0.0, 0.0};
	return pin(world, body, low, high, still, 1.0, error);
}

// ---- incline --------------------------------------------------------------------------------------------------------

// Place and speed along x of the centre of mass
static void findCentre(const plRig* rig, double* x, double* v)
{
	double mass = 0.0, m[512];
	plBody_GetVelocities(rig->world, rig->body, rig->w);
	plBody_GetMasses(rig->world, rig->body, m);
	*x = *v = 0.0;
	for (size_t i = 0; i < rig->n; ++i)
	{
		mass += m[i];
		*x += m[i] * rig->x[3 * i];
		*v += m[i] * rig->w[3 * i];
	}
	*x /= mass;
	*v /= mass;
}

// What a block of 4 kg does on a pinned block or sheet: its way and speed through `steps` after the first `before`
static bool slide(plVerifySink* sink, bool onSheet, double tangent, int before, int steps, double* way, double* gain,
                  plError* error)
{
	static const size_t top[3] = {3, 2, 3}, base[3] = {12, 1, 6}, cells[2] = {16, 8};
	static const double sheet[2] = {1.2, 0.6};
	double angle = atan(tangent), x0, v0, x1, v1;
	plWorldDef wd = touchingDef(sink->pool);
	plSoftBodyDef bd = jelly(1e6, (plVec3){0.13, onSheet ? 0.0043 : 0.0048, 0.17});
	wd.gravity = (plVec3){g * sin(angle), -g * cos(angle), 0.0};
	bd.transform.rotation = plQuat_FromAxisAngle((plVec3){0.0, 1.0, 0.0}, 0.3);
	plTransform lying = plTransform_identity;
	lying.rotation = plQuat_FromAxisAngle((plVec3){1.0, 0.0, 0.0}, -1.5707963267948966);
	lying.translation = (plVec3){0.6, 0.0, 0.3};
	plRig rig;
	bool good = plRig_Create(&rig, &wd, &bd, plCreateBoxMesh((plVec3){0.2, 0.1, 0.2}, top, 5, NULL, error), error);
	plBodyId below = {0, 0};
	if (good && onSheet)
		below = addSheet(rig.world, sheet, cells, lying, error);
	else if (good)
		below = addBlock(rig.world, (plVec3){1.2, 0.1, 0.6}, base, 1e6, (plVec3){0.0, -0.1, 0.0}, error);
	good = good && PL_IS_NON_NULL(below) && PL_IS_NON_NULL(pinAll(rig.world, below, error)) &&
	       plRig_Step(&rig, before, error);
	if (good)
		findCentre(&rig, &x0, &v0);
	good = good && plRig_Step(&rig, steps, error);
	if (good)
	{
		findCentre(&rig, &x1, &v1);
		*way = x1 - x0;
		*gain = v1 - v0;
	}
	plRig_Destroy(&rig);
	return good;
}

static bool incline(plVerifySink* sink, plError* error)
{
	static const char* const rows[2][2] = {{"block on block, 1 % below: way in 1 s (m)", "1 % above: coefficient"},
	                                       {"block on cloth, 1 % below: way in 1 s (m)", "1 % above: coefficient"}};
	for (int onSheet = 0; onSheet < 2; ++onSheet)
	{
		double way, gain, angle = atan(1.01 * mu);
		if (!slide(sink, onSheet, 0.99 * mu, onSheet ? 192 : 64, 64, &way, &gain, error))
			return false;
		plVerify_Zero(sink, rows[onSheet][0], way, 1e-8);
		if (!slide(sink, onSheet, 1.01 * mu, 48, 64, &way, &gain, error))
			return false;
		plVerify_Compare(sink, rows[onSheet][1], mu, (g * sin(angle) - gain) / (g * cos(angle)), mu, 0.01);
	}
	return true;
}

// ---- pinch ----------------------------------------------------------------------------------------------------------

typedef struct Pinch
{
	plRig rig; // one of two blocks, below the sheet as one looks along z
	plBodyId sheet;
	plPinId jaws[2], tail;
} Pinch;

// A sheet in z = 0, its upper end between two blocks that are pressed together in 1/8 s, each by `squeeze`. Its lower
// end is pulled down by `pull` within 2 s.
static bool makePinch(Pinch* p, plVerifySink* sink, double squeeze, double pull, plError* error)
{
	static const size_t block[3] = {2, 2, 1}, cells[2] = {5, 12};
	static const double size[2] = {0.1, 0.3};
	const plVec3 high = {far, far, far};
	plWorldDef wd = touchingDef(sink->pool);
	plSoftBodyDef bd = jelly(1e5, (plVec3){-0.08, 0.06, -0.0551});
	plMesh* mesh = plCreateBoxMesh((plVec3){0.16, 0.08, 0.05}, block, 5, NULL, error);
	if (!plRig_Create(&p->rig, &wd, &bd, mesh, error))
		return false;
	plWorld* world = p->rig.world;
	plBodyId other = addBlock(world, (plVec3){0.16, 0.08, 0.05}, block, 1e5, (plVec3){-0.08, 0.06, 0.0051}, error);
	p->sheet = addSheet(world, size, cells, plTransform_identity, error);
	if (PL_IS_NULL(other) || PL_IS_NULL(p->sheet))
		return false;
	p->jaws[0] = pin(world, p->rig.body, (plVec3){-far, -far, -far}, (plVec3){far, far, -0.05},
	                 (plVec3){0.0, 0.0, squeeze}, 0.125, error);
	p->jaws[1] = pin(world, other, (plVec3){-far, -far, 0.05}, high, (plVec3){0.0, 0.0, -squeeze}, 0.125, error);
	if (PL_IS_NULL(p->jaws[0]) || PL_IS_NULL(p->jaws[1]))
		return false;
	if (pull == 0.0)
		return true;
	p->tail = pin(world, p->sheet, (plVec3){-far, -far, -far}, (plVec3){far, -0.149, far}, (plVec3){0.0, -pull, 0.0},
	              2.0, error);
	return PL_IS_NON_NULL(p->tail);
}

// The upper end of the sheet, mean over its vertices
static double upperEnd(Pinch* p, double* room)
{
	double sum = 0.0, rest[3 * 512];
	size_t count = 0, n = plBody_GetVertexCount(p->rig.world, p->sheet);
	plBody_GetRestPositions(p->rig.world, p->sheet, rest);
	plBody_GetPositions(p->rig.world, p->sheet, room);
	for (size_t i = 0; i < n; ++i)
		if (rest[3 * i + 1] > 0.08)
		{
			sum += room[3 * i + 1];
			count++;
		}
	return sum / (double)count;
}

// It hangs by its own weight. Jaws carry all weight, and the sheet stays where it is.
static bool hold(plVerifySink* sink, plError* error)
{
	Pinch p = {0};
	double room[3 * 512], before = 0.0;
	bool good = makePinch(&p, sink, 0.002, 0.0, error) && plRig_Step(&p.rig, 96, error);
	if (good)
		before = upperEnd(&p, room);
	good = good && plRig_Step(&p.rig, 64, error);
	if (good)
		plVerify_Zero(sink, "a sheet in a grip: way in 1 s (m)", upperEnd(&p, room) - before, 1e-7);
	if (good)
	{
		double weight = g * (2.0 * 1000.0 * 0.16 * 0.08 * 0.05 + 0.2 * 0.1 * 0.3);
		double held = plPin_GetForce(p.rig.world, p.jaws[0]).y + plPin_GetForce(p.rig.world, p.jaws[1]).y;
		plVerify_Compare(sink, "jaws carry blocks and sheet (N)", weight, held, weight, 1e-4);
	}
	plRig_Destroy(&p.rig);
	return good;
}

// Pulled down at 8 cm/s until it slips: then the pull is mu of the pressure on either side.
static bool dragOut(plVerifySink* sink, plError* error)
{
	Pinch p = {0};
	double pulled = 0.0, pressed = 0.0;
	bool good = makePinch(&p, sink, 0.001, 0.16, error) && plRig_Step(&p.rig, 80, error);
	for (int i = 0; good && i < 32; ++i)
	{
		good = plRig_Step(&p.rig, 1, error);
		pulled -= plPin_GetForce(p.rig.world, p.tail).y;
		pressed += fabs(plPin_GetForce(p.rig.world, p.jaws[0]).z) + fabs(plPin_GetForce(p.rig.world, p.jaws[1]).z);
	}
	if (good) // the sheet's weight pulls, too
		plVerify_Compare(sink, "pulled out of it: coefficient", mu, (pulled + 32.0 * g * 0.2 * 0.1 * 0.3) / pressed, mu,
		                 0.02);
	plRig_Destroy(&p.rig);
	return good;
}

static bool pinch(plVerifySink* sink, plError* error)
{
	return hold(sink, error) && dragOut(sink, error);
}

// ---- stack ----------------------------------------------------------------------------------------------------------

// Force between two bodies, on the upper one
static double forceBetween(const plWorld* world, plBodyId upper, plBodyId lower)
{
	plPairContact contacts[2048];
	size_t count = plWorld_GetPairContacts(world, contacts, 2048);
	double sum = 0.0;
	for (size_t i = 0; i < count && i < 2048; ++i)
	{
		const plPairContact* c = contacts + i;
		if (c->bodies[0].index1 == upper.index1 && c->bodies[1].index1 == lower.index1)
			sum += c->force.y;
		if (c->bodies[1].index1 == upper.index1 && c->bodies[0].index1 == lower.index1)
			sum -= c->force.y;
	}
	return sum;
}

// Four blocks of 1 kg, each turned against the next, on a pinned one
static bool stack(plVerifySink* sink, plError* error)
{
	enum
	{
		count = 4
	};
	static const size_t cells[3] = {2, 2, 2}, base[3] = {4, 1, 4};
	plWorldDef wd = touchingDef(sink->pool);
	plSoftBodyDef bd = jelly(1e5, (plVec3){-0.05, 0.0049, -0.05});
	plRig rig;
	plBodyId bodies[count + 1];
	bool good = plRig_Create(&rig, &wd, &bd, plCreateBoxMesh((plVec3){0.1, 0.1, 0.1}, cells, 5, NULL, error), error);
	if (good)
	{
		plVec3 at = {-0.1, -0.05, -0.1};
		bodies[0] = addBlock(rig.world, (plVec3){0.2, 0.05, 0.2}, base, 1e5, at, error);
		bodies[1] = rig.body;
		good = PL_IS_NON_NULL(bodies[0]) && PL_IS_NON_NULL(pinAll(rig.world, bodies[0], error));
	}
	for (int i = 2; good && i <= count; ++i)
	{
		double angle = 0.2 * (double)(i - 1), c = 0.05 * cos(angle), s = 0.05 * sin(angle);
		plSoftBodyDef def = jelly(1e5, (plVec3){-c - s, 0.0049 + (i - 1) * 0.1049, s - c});
		def.transform.rotation = plQuat_FromAxisAngle((plVec3){0.0, 1.0, 0.0}, angle);
		def.mesh = rig.mesh;
		bodies[i] = plCreateSoftBody(rig.world, &def, error);
		good = PL_IS_NON_NULL(bodies[i]);
	}
	good = good && plRig_Step(&rig, 128, error);
	for (int i = 1; good && i <= count; ++i)
	{
		char what[] = "n blocks rest on what is below (N)";
		double weight = g * (double)(count + 1 - i);
		what[0] = (char)('0' + count + 1 - i);
		plVerify_Compare(sink, what, weight, forceBetween(rig.world, bodies[i], bodies[i - 1]), weight, 1e-3);
	}
	if (good)
		plVerify_Zero(sink, "kinetic energy after 2 s (J)", rig.report.kinetic, 1e-9);
	plRig_Destroy(&rig);
	return good;
}

const plVerifyCheck plVerifyContact[] = {
    {"incline", "a block on a body slides above the angle of friction, and not below", incline},
    {"pinch", "a sheet between two blocks is held by friction", pinch},
    {"stack", "blocks on blocks carry what is above them", stack},
    {NULL, NULL, NULL},
};
