// joint_sweep.c: the part of joints in one iteration of block descent
//
// With r the arm from a body's centre of mass to b's anchor, a row that pulls b by -F n along n has
//
//   place   gradient of C on b  g = (n, r x n)    on a the opposite: the axes of a turn with a, and with them the pull
//   turn    gradient            g = (0, t)        the same
//
// in the world's axes where the body is. The block takes k g g', and what the pull does to itself when the body turns:
// with P = sum of F n, that has eigenvalues -P.r and (-P.r +- |P||r|)/2 (on a, too). The largest, if it is above 0, is
// added to all turns: the block then bounds the Hessian from above, and does not depend on a choice of axes. On a the
// pull turns as well, by up to |P||w||d|: that is bounded by its size over and times a length. Directions of torques
// turn with the frames: that is bounded axis by axis (joint_axes.c).
//
// The unknown is the chart w of base/rotation.h: dtheta = T dw, so torques become T'tau, and H_ww T'H_ww T.
#include "contact.h"
#include "../base/rotation.h"
#include "../base/vec3.h"

#include <math.h>

enum
{
	jointGrain = 64
};

// ---- rows -----------------------------------------------------------------------------------------------------------

static double getLambda(const plJointRow* row)
{
	return row->sprung ? 0.0 : row->lambda;
}

// C that F goes by, and whether it does: of a limit the side that is nearer to acting.
static double getPull(const plJointRow* row, double value, double* off)
{
	double lambda = getLambda(row);
	if (row->kind != pl_rowLimit)
	{
		*off = value - row->bias;
		return row->soft * (lambda + row->k * *off);
	}
	double above = lambda + row->k * (value - row->high), below = lambda + row->k * (value - row->low);
	bool high = above > 0.0 || (below >= 0.0 && lambda > 0.0);
	*off = value - (high ? row->high : row->low);
	return plMax(above, 0.0) + plMin(below, 0.0);
}

// Of a spring or a motor, what its force may be.
static double cutOff(const plJointRow* row, double pull)
{
	bool isCut = row->kind == pl_rowSpring || row->kind == pl_rowMotor;
	return isCut ? plMax(plMin(pull, row->high), row->low) : pull;
}

double plJointRow_GetForce(const plJointRow* row, double value, bool rescales, double* stiffness)
{
	double off, force = cutOff(row, getPull(row, value, &off)), most = row->soft * row->k;
	// [GDY25] Eq. 14, where something is cut off; elsewhere it is `most`
	double change = fabs(force - row->soft * getLambda(row)), size = fabs(off);
	*stiffness = rescales && change < most * size ? change / size : most;
	return force;
}

// Below and above the ends of a range force is that of the end.
double plJointRow_GetPotential(const plJointRow* row, double value)
{
	double off = value - row->bias, k = row->k, s = row->soft, lambda = getLambda(row);
	if (!(k > 0.0))
		return s * lambda * off;
	if (row->kind == pl_rowLimit)
	{
		double above = plMax(lambda + k * (value - row->high), 0.0);
		double below = plMin(lambda + k * (value - row->low), 0.0);
		return 0.5 * (above * above + below * below) / k;
	}
	double inner = off;
	if (row->kind != pl_rowHold)
		inner = plMax(plMin(off, (row->high / s - lambda) / k), (row->low / s - lambda) / k);
	return s * (lambda * inner + 0.5 * k * inner * inner) + s * (lambda + k * inner) * (off - inner);
}

// ---- blocks ---------------------------------------------------------------------------------------------------------

typedef struct Part
{
	double f[6];
	double H[6][6];
} Part;

static void addRow(Part* part, const double g[6], double force, double stiffness)
{
	for (int i = 0; i < 6; ++i)
	{
		part->f[i] -= force * g[i];
		for (int j = 0; j <= i; ++j)
			part->H[i][j] += stiffness * g[i] * g[j];
	}
}

// The gradient of C on one side.
void plJointRow_GetGradient(const plJointRow* row, const double n[3], const double arm[3], double sign, double g[6])
{
	bool isTurn = plJointAxis_IsTurn(row->axis);
	double turn[3];
	plCross3(arm, n, turn);
	for (int i = 0; i < 3; ++i)
	{
		g[i] = isTurn ? 0.0 : sign * n[i];
		g[3 + i] = sign * (isTurn ? n[i] : turn[i]);
	}
}

// A string that is drawn tight draws back what leaves its line: F/|z| in all directions.
static void addString(Part* part, const plJointRow* row, const double arm[3], double stiffness)
{
	static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
	double g[6];
	for (int i = 0; i < 3; ++i)
	{
		plJointRow_GetGradient(row, axes[i], arm, 1.0, g);
		addRow(part, g, 0.0, stiffness);
	}
}

static void addSide(const plContacts* c, uint32_t code, bool withRows, Part* part)
{
	const plJointRecord* record = c->joints.records + code / 2;
	plJointPose pose = plJointPose_Make(&record->ends[0].now, &record->ends[1].now);
	double arm[3], pull[3] = {0.0, 0.0, 0.0}, bend = 0.0, n[3], g[6], k;
	bool isA = code % 2 == 0;
	plSubtract3(record->ends[1].now.x, record->ends[code % 2].now.centre, arm);
	for (uint32_t i = 0; i < record->rowCount; ++i)
	{
		const plJointRow* row = record->rows + i;
		double value = plJointPose_Measure(&pose, row->axis, record->twist, n);
		double force = plJointRow_GetForce(row, value, c->rules.rescales, &k);
		plJointRow_GetGradient(row, n, arm, isA ? -1.0 : 1.0, g);
		if (withRows)
			addRow(part, g, force, k);
		double turning = plJointPose_GetBend(&pose, row->axis) * fabs(force);
		if (plJointAxis_IsTurn(row->axis))
			bend += turning;
		else
			plAdd3(pull, force, n);
		if (row->axis == pl_jointLength && force > 0.0)
			addString(part, row, arm, turning);
	}
	double size = plLength3(pull), reach = plLength3(arm), along = plDot3(pull, arm);
	bend += plMax(plMax(-along, 0.5 * (size * reach - along)), 0.0);
	double length = plMax(reach, record->size), shift = isA ? size / length : 0.0;
	for (int i = 0; i < 3; ++i)
	{
		part->H[i][i] += shift;
		part->H[3 + i][3 + i] += bend + (isA ? size * length : 0.0);
	}
}

// From turns of the world to the chart.
static void pullPart(Part* part, const double w[3])
{
	double column[3], S[3][3];
	if (w[0] == 0.0 && w[1] == 0.0 && w[2] == 0.0)
		return;
	plChart_Pull(w, part->f + 3, part->f + 3);
	for (int j = 0; j < 6; ++j) // T' from the left
	{
		for (int i = 0; i < 3; ++i)
			column[i] = 3 + i >= j ? part->H[3 + i][j] : part->H[j][3 + i];
		plChart_Pull(w, column, column);
		for (int i = 0; i < 3; ++i)
			*(j < 3 ? &part->H[3 + i][j] : &S[i][j - 3]) = column[i];
	}
	for (int i = 0; i < 3; ++i) // T from the right
	{
		plChart_Pull(w, S[i], S[i]);
		memcpy(part->H[3 + i] + 3, S[i], sizeof S[i]);
	}
}

static void addJoints(const plContacts* c, size_t mover, const double zeta[6], bool withRows, double f[6],
                      double H[6][6])
{
	const plJoints* j = &c->joints;
	if (j->count == 0 || j->sideStart[mover] == j->sideStart[mover + 1])
		return;
	Part part = {0};
	for (size_t s = j->sideStart[mover]; s < j->sideStart[mover + 1]; ++s)
		addSide(c, j->sides[s], withRows, &part);
	pullPart(&part, zeta + 3);
	for (int i = 0; i < 6; ++i)
	{
		f[i] += part.f[i];
		for (int k = 0; k <= i; ++k)
			H[i][k] += part.H[i][k];
	}
}

void plContacts_AddJoints(const plContacts* c, size_t mover, const double zeta[6], double f[6], double H[6][6])
{
	addJoints(c, mover, zeta, true, f, H);
}

void plContacts_AddJointBounds(const plContacts* c, size_t mover, const double zeta[6], double H[6][6])
{
	double none[6] = {0.0};
	addJoints(c, mover, zeta, false, none, H);
}

// ---- frames and multipliers -----------------------------------------------------------------------------------------

void plContacts_MoveJoints(plContacts* c, size_t mover, const double zeta[6])
{
	plJoints* j = &c->joints;
	if (j->count == 0)
		return;
	plQuat turn = plQuat_FromChart(zeta + 3);
	for (size_t s = j->sideStart[mover]; s < j->sideStart[mover + 1]; ++s)
	{
		plJointEnd* end = j->records[j->sides[s] / 2].ends + j->sides[s] % 2;
		double arm[3];
		plSubtract3(end->flight.x, end->flight.centre, arm);
		plChart_Rotate(zeta + 3, arm, arm);
		for (int i = 0; i < 3; ++i)
		{
			end->now.centre[i] = end->flight.centre[i] + zeta[i];
			end->now.x[i] = end->now.centre[i] + arm[i];
		}
		end->now.turn = plQuat_Multiply(turn, end->flight.turn);
	}
}

// Multipliers that grew while nothing moves would throw it away once it does.
static bool hasMoved(const plContacts* c, const plJointRecord* record)
{
	uint32_t mover = record->ends[record->ends[0].mover != pl_noMover ? 0 : 1].mover;
	return plContacts_MovesTrees(c) && c->joints.tree.nodes[mover].share > 0.0;
}

static void updateRange(size_t begin, size_t end, void* context)
{
	const plContacts* c = context;
	bool ramps = c->rules.rule == pl_stiffnessRamp;
	for (size_t k = begin; k < end; ++k)
	{
		const plJointRecord* record = c->joints.records + k;
		if (record->burden > 0.0 && !hasMoved(c, record))
			continue;
		plJointPose pose = plJointPose_Make(&record->ends[0].now, &record->ends[1].now);
		double n[3], stiffness;
		for (uint32_t i = 0; i < record->rowCount; ++i)
		{
			plJointRow* row = record->rows + i;
			double value = plJointPose_Measure(&pose, row->axis, record->twist, n);
			row->lambda = plJointRow_GetForce(row, value, true, &stiffness);
			if (ramps && row->kind == pl_rowHold) // [GDY25] Eq. 12
				row->k += c->rules.beta * fabs(value - row->bias);
		}
	}
}

void plContacts_UpdateJoints(plContacts* c, plPool* pool)
{
	if (!c->isMending)
		plParallelFor(pool, c->joints.count, jointGrain, updateRange, c);
}

// ---- what multipliers do --------------------------------------------------------------------------------------------

void plJointRecord_GetForce(const plJointRecord* record, double force[3], double torque[3])
{
	plJointPose pose = plJointPose_Make(&record->ends[0].now, &record->ends[1].now);
	double n[3];
	memset(force, 0, 3 * sizeof *force);
	memset(torque, 0, 3 * sizeof *torque);
	for (uint32_t i = 0; i < record->rowCount; ++i)
	{
		const plJointRow* row = record->rows + i;
		plJointPose_Measure(&pose, row->axis, record->twist, n);
		plAdd3(plJointAxis_IsTurn(row->axis) ? torque : force, -row->lambda, n);
	}
}

void plContacts_LoadJoints(const plContacts* c, size_t mover, const double zeta[6], double f[6], double* load)
{
	const plJoints* j = &c->joints;
	double turns[3] = {0.0, 0.0, 0.0};
	if (j->count == 0)
		return;
	for (size_t s = j->sideStart[mover]; s < j->sideStart[mover + 1]; ++s)
	{
		const plJointRecord* record = j->records + j->sides[s] / 2;
		double force[3], torque[3], arm[3], turn[3], sign = j->sides[s] % 2 == 0 ? -1.0 : 1.0;
		plJointRecord_GetForce(record, force, torque);
		plSubtract3(record->ends[1].now.x, record->ends[j->sides[s] % 2].now.centre, arm);
		plCross3(arm, force, turn);
		plAdd3(f, sign, force);
		plAdd3(turns, sign, turn);
		plAdd3(turns, sign, torque);
		*load += plLength3(force) + plLength3(torque) / record->size;
	}
	plChart_Pull(zeta + 3, turns, turns);
	plAdd3(f + 3, 1.0, turns);
}
