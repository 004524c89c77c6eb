// rigid_flight.c: where rigid bodies fly if nothing touches them, and where a substep ends
//
//   predict   v^ = (v + h (g + f/m))/(1 + h c)       y_p = p + h v^                        h of the substep, s
//             L  = (I w + h t)/(1 + h c)             y_q = the turn of a free body of momentum L in the time h
//             w^ = I_y^-1 L                          I_y = R(y_q) I R'(y_q)
//   finish    v = v^ + d/h,   w = w^ + turn(w_z)/h,  pose = (y_p + d, chart(w_z) y_q)
//             of a body with joints  I w = I_y w^ + h t: its momentum as their torques t change it, exactly, where
//             |w_z| < 1. Beyond, t by the chart grows with the cube of w_z, and would wind the body up without end:
//             there w is the turn from the pose before to that after, the short way, over h
//             of a body that has links (constraint/links.h)  v, pose as they left it, I(q) w = I_y w_links,
//             or w = w_links where that follows from places
//             and where overlap is mended by (e, w_e):  pose = (p + e, chart(w_e) q)        constraint/contact_mend.c
//
// g gravity, f and t the caller's force and torque, c damping by the air. zeta = (d, w_z) is what a solver found by how
// much a body leaves its flight; it is 0 in free flight, which so is exact: the momentum of translation by p = p + h
// v^, that of rotation because L is carried over as it is.
//
// The turn of a free body. With principal moments I_i and the middle one I_k, its energy is that of a ball and of two
// tops,  |P|^2/(2 I_k) + a_i P_i^2/2 + a_j P_j^2/2,  a_i = 1/I_i - 1/I_k,  P = L in the principal axes. The ball turns
// about L by h |L|/I_k, exactly, and commutes with the tops. A top turns about its own axis by h a_i P_i, exactly. Half
// of one, all of the other and half of the first is of second order in h, gives back what it took, and keeps L
// [Fas03]. Balls, tops (two equal moments) and spins about a principal axis are exact.
//
// If a turn is locked, the torque that locks it acts about that axis of the world. So the other parts of L stay, and
// the spin solves I w = L in them; the turn is that of the spin half way through (midpoint rule).
#include "world.h"
#include "../base/rotation.h"
#include "../base/vec3.h"

#include <math.h>

static unsigned lockedTurns(const plRigid* rigid)
{
	return rigid->locked / pl_turnX;
}

static bool isRound(const plRigid* rigid)
{
	return rigid->moments[0] == rigid->moments[1] && rigid->moments[1] == rigid->moments[2];
}

// ---- inertia, momentum, spin ----------------------------------------------------------------------------------------

// Columns: principal axes in the world.
static void principalAxes(const plRigid* rigid, plQuat q, double B[3][3])
{
	plQuat_GetMatrix(plQuat_Multiply(q, rigid->axes), B);
}

static void inertiaAlong(const plRigid* rigid, double B[3][3], double inertia[6])
{
	static const int rows[6] = {0, 1, 2, 0, 0, 1}, columns[6] = {0, 1, 2, 1, 2, 2};
	const double* m = rigid->moments;
	bool round = isRound(rigid);
	for (int e = 0; e < 6; ++e)
	{
		const double *a = B[rows[e]], *b = B[columns[e]];
		double sum = m[0] * a[0] * b[0] + m[1] * a[1] * b[1] + m[2] * a[2] * b[2];
		inertia[e] = !round ? sum : e < 3 ? m[0] : 0.0;
	}
}

void plRigid_GetInertia(const plRigid* rigid, plQuat q, double inertia[6])
{
	double B[3][3];
	principalAxes(rigid, q, B);
	inertiaAlong(rigid, B, inertia);
}

// P = B' x, the parts along the principal axes.
static void intoAxes(double B[3][3], const double x[3], double P[3])
{
	for (int k = 0; k < 3; ++k)
		P[k] = B[0][k] * x[0] + B[1][k] * x[1] + B[2][k] * x[2];
}

static void outOfAxes(double B[3][3], const double P[3], double x[3])
{
	for (int i = 0; i < 3; ++i)
		x[i] = plDot3(B[i], P);
}

void plRigid_GetMomentum(const plRigid* rigid, plQuat q, const double w[3], double L[3])
{
	double B[3][3], P[3];
	principalAxes(rigid, q, B);
	intoAxes(B, w, P);
	for (int k = 0; k < 3; ++k)
		P[k] *= rigid->moments[k];
	outOfAxes(B, P, L);
}

// I w = L in what is not locked, by elimination; I is positive definite.
static void solveUnlocked(const double I[6], unsigned locked, const double L[3], double w[3])
{
	double A[3][3] = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}}, b[3];
	for (unsigned i = 0; i < 3; ++i)
	{
		bool still = (locked >> i & 1) != 0;
		b[i] = still ? 0.0 : L[i];
		for (unsigned k = 0; k < 3; ++k)
			A[i][k] = still || (locked >> k & 1) != 0 ? (i == k ? 1.0 : 0.0) : A[i][k];
	}
	for (int k = 0; k < 2; ++k)
		for (int i = k + 1; i < 3; ++i)
		{
			double share = A[i][k] / A[k][k];
			b[i] -= share * b[k];
			for (int j = k; j < 3; ++j)
				A[i][j] -= share * A[k][j];
		}
	for (int i = 2; i >= 0; --i)
	{
		w[i] = b[i];
		for (int j = i + 1; j < 3; ++j)
			w[i] -= A[i][j] * w[j];
		w[i] /= A[i][i];
	}
}

static void spinAlong(const plRigid* rigid, double B[3][3], const double L[3], double w[3])
{
	double I[6], P[3];
	if (lockedTurns(rigid) == 0)
	{
		intoAxes(B, L, P);
		for (int k = 0; k < 3; ++k)
			P[k] /= rigid->moments[k];
		outOfAxes(B, P, w);
		return;
	}
	inertiaAlong(rigid, B, I);
	solveUnlocked(I, lockedTurns(rigid), L, w);
}

void plRigid_GetSpin(const plRigid* rigid, plQuat q, const double L[3], double w[3])
{
	double B[3][3];
	principalAxes(rigid, q, B);
	spinAlong(rigid, B, L, w);
}

// ---- the turn of a free body ----------------------------------------------------------------------------------------

// The place of the moment that is neither the least nor the largest. Of two that are equal it is one: beside a top of
// another moment, a ball and the other top would turn far and back, and no longer commute.
static int findMiddle(const double m[3])
{
	if ((m[0] <= m[1]) == (m[1] <= m[2]) || m[0] == m[1])
		return 1;
	return (m[1] <= m[0]) == (m[0] <= m[2]) ? 0 : 2;
}

// A top turns about principal axis i for a time: P goes back by what the body turns.
static plQuat spinTop(int i, double rate, double time, double P[3])
{
	double angle = time * rate * P[i];
	plQuat turn = plQuat_FromAxisAngle((plVec3){i == 0, i == 1, i == 2}, angle);
	plQuat_Rotate(plQuat_Inverse(turn), P, P);
	return turn;
}

// Where a body of momentum L turns to in the time h.
static plQuat turnFree(const plRigid* rigid, plQuat q, const double L[3], double h)
{
	const double* m = rigid->moments;
	int k = findMiddle(m), i = (k + 1) % 3, j = (k + 2) % 3;
	double rateI = 1.0 / m[i] - 1.0 / m[k], rateJ = 1.0 / m[j] - 1.0 / m[k];
	const double turn[3] = {h * (L[0] / m[k]), h * (L[1] / m[k]), h * (L[2] / m[k])};
	plQuat y = q;
	if (rateI != 0.0 || rateJ != 0.0)
	{
		double P[3];
		plQuat frame = plQuat_Multiply(q, rigid->axes);
		plQuat_Rotate(plQuat_Inverse(frame), L, P);
		plQuat own = spinTop(i, rateI, 0.5 * h, P);
		own = plQuat_Multiply(own, spinTop(j, rateJ, h, P));
		own = plQuat_Multiply(own, spinTop(i, rateI, 0.5 * h, P));
		y = plQuat_Multiply(plQuat_Multiply(frame, own), plQuat_Inverse(rigid->axes));
	}
	return plQuat_Multiply(plQuat_FromTurn(turn), y);
}

static plQuat turnBySpin(const double w[3], double h, plQuat q)
{
	const double turn[3] = {h * w[0], h * w[1], h * w[2]};
	return plQuat_Multiply(plQuat_FromTurn(turn), q);
}

static plQuat turnLocked(const plRigid* rigid, plQuat q, const double L[3], double h)
{
	double w[3];
	plRigid_GetSpin(rigid, q, L, w);
	plRigid_GetSpin(rigid, turnBySpin(w, 0.5 * h, q), L, w);
	return turnBySpin(w, h, q);
}

// ---- predict --------------------------------------------------------------------------------------------------------

// To the end of the flight: the turn, the inertia there, and the spin.
static void predictTurn(plRigid* rigid, double h)
{
	const plRigidState* now = &rigid->state;
	plRigidState* end = &rigid->flight.end;
	double L[3], B[3][3], whole = 1.0 + h * rigid->air;
	unsigned locked = lockedTurns(rigid);
	bool still = locked == pl_axisAll, round = locked == 0 && isRound(rigid);
	for (int i = 0; i < 3; ++i) // the spin of a ball is as good as its momentum, and keeps its bits
		end->w[i] = round ? (now->w[i] + h * (rigid->torque[i] / rigid->moments[0])) / whole : 0.0;
	plRigid_GetMomentum(rigid, now->q, now->w, L);
	for (int i = 0; i < 3; ++i)
		L[i] = (L[i] + h * rigid->torque[i]) / whole;
	if (!still)
		end->q = plQuat_Normalise(round         ? turnBySpin(end->w, h, now->q)
		                          : locked == 0 ? turnFree(rigid, now->q, L, h)
		                                        : turnLocked(rigid, now->q, L, h));
	principalAxes(rigid, end->q, B);
	inertiaAlong(rigid, B, rigid->flight.inertia);
	if (!still && !round)
		spinAlong(rigid, B, L, end->w);
}

static void fly(plRigid* rigid, plVec3 gravity, double h)
{
	const double g[3] = {gravity.x, gravity.y, gravity.z};
	const plRigidState* now = &rigid->state;
	plRigidState* end = &rigid->flight.end;
	for (int i = 0; i < 3; ++i)
	{
		bool still = (rigid->locked >> i & 1) != 0;
		double v = (now->v[i] + h * (g[i] + rigid->force[i] / rigid->mass)) / (1.0 + h * rigid->air);
		end->v[i] = still ? 0.0 : v;
		end->p[i] = now->p[i] + h * end->v[i];
	}
	predictTurn(rigid, h);
}

// At a mark of the step. Its path is a function of time; a target is reached from where the step began.
static plPose poseAt(const plWorld* world, const plRigid* rigid, int mark)
{
	const plRigidState* from = mark > 1 ? &rigid->start : &rigid->state;
	plPose pose = {from->q, {from->p[0], from->p[1], from->p[2]}};
	if (rigid->driven)
		return plPose_Blend(&pose, &rigid->target, (double)mark / (double)world->substeps);
	pose = rigid->origin;
	if (!plMotion_IsMoving(&rigid->path))
		return pose;
	plPose moved = plMotion_GetPose(&rigid->path, plWorld_GetSubstepTime(world, mark));
	plPose_Apply(&moved, rigid->path.centre, rigid->origin.move, pose.move);
	pose.turn = plQuat_Multiply(moved.turn, rigid->origin.turn);
	return pose;
}

static void follow(plRigid* rigid, plPose pose, double h)
{
	const plRigidState* now = &rigid->state;
	plRigidState* end = &rigid->flight.end;
	double turn[3];
	end->q = pose.turn;
	plQuat_GetTurn(plQuat_Multiply(pose.turn, plQuat_Inverse(now->q)), turn);
	for (int i = 0; i < 3; ++i)
	{
		end->p[i] = pose.move[i];
		end->v[i] = (pose.move[i] - now->p[i]) / h;
		end->w[i] = turn[i] / h;
	}
	rigid->moves = memcmp(end->p, now->p, sizeof end->p) != 0 || memcmp(&end->q, &now->q, sizeof end->q) != 0;
}

typedef struct Task
{
	plWorld* world;
	double h;
} Task;

static void flyRange(size_t begin, size_t end, void* context)
{
	const Task* task = context;
	plRigids* all = &task->world->rigids;
	for (size_t i = begin; i < end; ++i)
		fly(plSlots_At(&all->bodies, all->flying[i]), task->world->gravity, task->h);
}

void plWorld_FlyRigids(plWorld* world, double h)
{
	plRigids* all = &world->rigids;
	uint32_t poses = 0;
	PL_EACH(plRigid, rigid, &all->bodies)
		if (rigid->motion == pl_rigidDynamic && !rigid->rest.sleeps)
		{
			all->flying[poses] = plSlots_IndexOf(&all->bodies, rigid);
			rigid->pose = poses++;
		}
	if (poses > 0)
		memset(all->zeta, 0, 2 * pl_quad * poses * sizeof(double));
	all->flyingCount = poses;
	plParallelFor(world->pool, poses, 64, flyRange, &(Task){world, h});
}

void plWorld_PredictRigids(plWorld* world, double h, int mark)
{
	world->rigids.movingCount = 0;
	PL_EACH(plRigid, rigid, &world->rigids.bodies)
	{
		rigid->flight = (plFlight){.end = rigid->state}; // of one that is static or asleep that is all
		if (rigid->motion != pl_rigidKinematic)
			continue;
		follow(rigid, poseAt(world, rigid, mark), h);
		world->rigids.movingCount += rigid->moves;
	}
	plWorld_FlyRigids(world, h);
}

// ---- finish ---------------------------------------------------------------------------------------------------------

// By its momentum, L = I_y w^ + h t: the torque t is what the chart shows of it, T't = I_y w_z/h^2.
static void spinJoined(plRigid* rigid, const double w[3], double h)
{
	const double* I = rigid->flight.inertia;
	double L[3], turned[3], torque[3];
	plSymmetric3(I, rigid->flight.end.w, L);
	plSymmetric3(I, w, turned);
	plChart_Unpull(w, turned, torque);
	plAdd3(L, 1.0 / h, torque);
	plRigid_GetSpin(rigid, rigid->state.q, L, rigid->state.w);
}

// A body that is left alone ends where its flight does, to the bit.
static void finishOne(plRigid* rigid, const double* zeta, double h, bool joined)
{
	const plRigidState* flight = &rigid->flight.end;
	plRigidState* to = &rigid->state;
	const double *d = PL_AT(zeta, 0), *w = PL_AT(zeta, 1);
	plQuat before = to->q;
	double turn[3];
	bool turned = w[0] != 0.0 || w[1] != 0.0 || w[2] != 0.0;
	plChart_GetTurn(w, turn);
	to->q = turned ? plQuat_Normalise(plQuat_Multiply(plQuat_FromChart(w), flight->q)) : flight->q;
	for (int i = 0; i < 3; ++i)
	{
		to->p[i] = flight->p[i] + d[i];
		to->v[i] = flight->v[i] + d[i] / h;
		to->w[i] = turned ? flight->w[i] + turn[i] / h : flight->w[i];
	}
	if (joined && turned && plDot3(w, w) < 1.0)
		spinJoined(rigid, w, h);
	else if (joined && turned)
	{
		plQuat_GetTurn(plQuat_Multiply(to->q, plQuat_Inverse(before)), turn);
		for (int i = 0; i < 3; ++i)
			to->w[i] = turn[i] / h;
	}
}

// As links found it (constraint/links.h): its spin by its momentum, or as it has turned.
static void finishLinked(plRigid* rigid, const plLinkBody* body, plLinkKind kind)
{
	plRigidState* to = &rigid->state;
	double L[3];
	plAdd3(to->p, 1.0, body->d);
	to->q = plQuat_Normalise(plQuat_Multiply(body->turn, to->q));
	memcpy(to->v, body->v, sizeof to->v);
	memcpy(to->w, body->w, sizeof to->w);
	if (kind == pl_linkXpbd)
		return;
	plSymmetric3(rigid->flight.inertia, body->w, L);
	plRigid_GetSpin(rigid, to->q, L, to->w);
}

static void mendOne(plRigidState* state, const double* mend)
{
	const double *d = PL_AT(mend, 0), *w = PL_AT(mend, 1);
	plAdd3(state->p, 1.0, d);
	if (w[0] != 0.0 || w[1] != 0.0 || w[2] != 0.0)
		state->q = plQuat_Normalise(plQuat_Multiply(plQuat_FromChart(w), state->q));
}

static void finishRange(size_t begin, size_t end, void* context)
{
	const Task* task = context;
	plRigids* all = &task->world->rigids;
	const plContacts* contacts = &all->touches.contacts;
	for (size_t i = begin; i < end; ++i)
	{
		plRigid* rigid = plSlots_At(&all->bodies, all->flying[i]);
		bool joined =
		    (contacts->joints.count > 0 && contacts->joints.sideStart[i] < contacts->joints.sideStart[i + 1]) ||
		    plContacts_IsAttached(contacts, i);
		if (contacts->links.isOpen && contacts->links.bodies[i].isLinked)
			finishLinked(rigid, contacts->links.bodies + i, contacts->rules.link.kind);
		else
			finishOne(rigid, PL_AT(all->zeta, 2 * i), task->h, joined);
		if (contacts->isMended)
			mendOne(&rigid->state, PL_AT(contacts->mend, 2 * i));
	}
}

void plWorld_FinishRigids(plWorld* world, double h)
{
	plRigids* all = &world->rigids;
	PL_EACH(plRigid, rigid, &all->bodies)
		if (rigid->motion != pl_rigidDynamic)
			rigid->state = rigid->flight.end;
	plParallelFor(world->pool, all->flyingCount, 64, finishRange, &(Task){world, h});
}

void plWorld_KeepRigids(plWorld* world)
{
	PL_EACH(plRigid, rigid, &world->rigids.bodies)
	{
		rigid->start = rigid->state;
		rigid->startRest = rigid->rest;
	}
}

void plWorld_RestoreRigids(plWorld* world)
{
	PL_EACH(plRigid, rigid, &world->rigids.bodies)
	{
		rigid->state = rigid->start;
		rigid->rest = rigid->startRest;
	}
}

void plWorld_EndRigids(plWorld* world)
{
	PL_EACH(plRigid, rigid, &world->rigids.bodies)
		for (int i = 0; i < 3; ++i)
			rigid->force[i] = rigid->torque[i] = 0.0;
}

void plWorld_AddRigidEnergies(const plWorld* world, double* kinetic, double* potential)
{
	const double g[3] = {world->gravity.x, world->gravity.y, world->gravity.z};
	PL_EACH(const plRigid, rigid, &world->rigids.bodies)
	{
		const plRigidState* s = &rigid->state;
		double L[3];
		if (rigid->motion != pl_rigidDynamic)
		{
			// nothing, but NaN if a path left the range of a double: a step then fails
			*kinetic += 0.0 * (s->p[0] + s->p[1] + s->p[2]) + 0.0 * (s->v[0] + s->v[1] + s->v[2]);
			continue;
		}
		*potential -= rigid->mass * plDot3(g, s->p);
		if (rigid->rest.sleeps)
			continue;
		plRigid_GetMomentum(rigid, s->q, s->w, L);
		*kinetic += 0.5 * rigid->mass * plDot3(s->v, s->v) + 0.5 * plDot3(s->w, L);
	}
}
