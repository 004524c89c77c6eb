// joint.c: joints of a substep: stiffness, what they carry, multipliers from step to step
//
// Stiffness. With m the effective mass of a row, h the substep, |a| the external acceleration, and s the fall of one
// step as in contact.c (of turns s over the size):
//
//   hold    k = max(kappa m/h^2, p L/s)    L = |lambda| over the rows that hold places, or those that hold turns, and
//                                          m their harmonic mean: nothing depends on a choice of axes
//   limit   the same, by itself
//   spring, motor                          k = kappa m/h^2, m/h^2 if its force has a bound: with more, what it moves
//                                          goes from one bound beyond the other, by turns
//
// In a tree that is solved at once (joint_tree.c) k of hold is at least 0.1 times all of the tree, and a spring without
// a bound has k = 100 ke: a multiplier that follows slowly is a force that lags behind, which feeds what swings on it.
//
// With the rule pl_stiffnessFixed k of hold and limit is the penalty, of turns that times the size squared, and a
// spring is its own stiffness, K + D/h.
//
// p is a gain per visit and not per step, as it is for contacts: a chain is driven by what swings on it, and not by the
// fall of one step. lambda fades as that of contacts, but for springs and motors, whose force is not to be forgotten.
#include "contact.h"
#include "../base/rotation.h"
#include "../base/vec3.h"

#include <math.h>

void plJoints_Destroy(plJoints* j, plHeap* heap)
{
	PL_FREE(heap, j->records, j->room);
	PL_FREE(heap, j->sideStart, j->sideStartRoom);
	PL_FREE(heap, j->sides, j->sideRoom);
	PL_FREE(heap, j->tree.start, j->tree.startRoom);
	PL_FREE(heap, j->tree.order, j->tree.orderRoom);
	PL_FREE(heap, j->tree.treeOf, j->tree.treeRoom);
	PL_FREE(heap, j->tree.link, j->tree.linkRoom);
	PL_FREE(heap, j->tree.nodes, j->tree.nodeRoom);
	PL_FREE(heap, j->tree.contacts, j->tree.contactRoom);
	*j = (plJoints){0};
}

static bool reserveTree(plJointTree* t, size_t movers, plHeap* heap)
{
	return plGrowArray(heap, &t->start, &t->startRoom, movers + 1, sizeof *t->start) &&
	       plGrowArray(heap, &t->order, &t->orderRoom, movers, sizeof *t->order) &&
	       plGrowArray(heap, &t->treeOf, &t->treeRoom, movers, sizeof *t->treeOf) &&
	       plGrowArray(heap, &t->link, &t->linkRoom, movers, sizeof *t->link) &&
	       plGrowArray(heap, &t->nodes, &t->nodeRoom, movers, sizeof *t->nodes);
}

bool plJoints_Reserve(plJoints* j, size_t count, size_t movers, plHeap* heap)
{
	return plGrowArray(heap, &j->records, &j->room, count, sizeof *j->records) &&
	       plGrowArray(heap, &j->sides, &j->sideRoom, 2 * count, sizeof *j->sides) &&
	       plGrowArray(heap, &j->sideStart, &j->sideStartRoom, movers + 2, sizeof *j->sideStart) &&
	       reserveTree(&j->tree, movers, heap);
}

void plContacts_ListJoints(plContacts* c)
{
	plJoints* j = &c->joints;
	if (j->count == 0)
		return;
	memset(j->sideStart, 0, (c->moverCount + 2) * sizeof *j->sideStart);
	for (size_t k = 0; k < 2 * j->count; ++k)
		if (j->records[k / 2].ends[k % 2].mover != pl_noMover)
			j->sideStart[j->records[k / 2].ends[k % 2].mover + 2]++;
	for (size_t i = 0; i < c->moverCount; ++i)
		j->sideStart[i + 2] += j->sideStart[i + 1];
	for (size_t k = 0; k < 2 * j->count; ++k)
		if (j->records[k / 2].ends[k % 2].mover != pl_noMover)
			j->sides[j->sideStart[j->records[k / 2].ends[k % 2].mover + 1]++] = (uint32_t)k;
}

// ---- where the substep begins ---------------------------------------------------------------------------------------

void plJointRecord_WarmStart(plJointRecord* record, const double up[3])
{
	plJointPose pose = plJointPose_Make(&record->ends[0].now, &record->ends[1].now);
	double pull = 0.0, n[3];
	for (uint32_t i = 0; i < record->rowCount; ++i)
	{
		plJointRow* row = record->rows + i;
		row->before = plJointPose_Measure(&pose, row->axis, record->twist, n);
		if (!plJointAxis_IsTurn(row->axis))
			pull += row->lambda * plDot3(n, up);
	}
	record->carried[0] = plMax(pull, 0.0); // on a the force is lambda n, on b the opposite
	record->carried[1] = plMax(-pull, 0.0);
}

// ---- stiffness ------------------------------------------------------------------------------------------------------

// What a row does to itself: how fast C goes with a force of 1 along it.
static double getMobility(const plContacts* c, const plJointRecord* record, const plJointPose* pose, plJointAxis axis)
{
	double n[3], sum = 0.0;
	plJointPose_Measure(pose, axis, record->twist, n);
	for (int side = 0; side < 2; ++side)
	{
		const plJointEnd* end = record->ends + side;
		if (end->mover == pl_noMover)
			continue;
		const plMover* mover = c->movers + end->mover;
		double arm[3], turn[3] = {n[0], n[1], n[2]}, spun[3];
		if (!plJointAxis_IsTurn(axis))
		{
			for (int i = 0; i < 3; ++i)
				sum += mover->lightness[i] * n[i] * n[i];
			plSubtract3(record->ends[1].now.x, end->now.centre, arm);
			plCross3(arm, n, turn);
		}
		plSymmetric3(mover->inverse, turn, spun);
		sum += plDot3(turn, spun);
	}
	return sum;
}

// Rows that are of one mind: those that hold places, those that hold turns, or one by itself.
typedef struct Family
{
	double mobility; // mean
	double load;     // |lambda|
} Family;

// `mobility`: of every row
static Family findFamily(const plJointRecord* record, const plJointRow* row, const double mobility[pl_jointAxisCount])
{
	Family family = {0.0, 0.0};
	double square = 0.0, count = 0.0;
	for (uint32_t i = 0; i < record->rowCount; ++i)
	{
		const plJointRow* other = record->rows + i;
		bool alike = other->kind == pl_rowHold && row->kind == pl_rowHold &&
		             plJointAxis_IsTurn(other->axis) == plJointAxis_IsTurn(row->axis);
		if (other != row && !alike)
			continue;
		family.mobility += mobility[other->axis];
		square += other->lambda * other->lambda;
		count += 1.0;
	}
	family.mobility /= count;
	family.load = sqrt(square);
	return family;
}

// In a tree the block knows all that a spring meets: ke k/(ke + k), which is ke nearly, and no multiplier lags behind.
static const double atOnce = 100.0;

static double stiffnessOf(const plContactRules* rules, const plJointRecord* record, const plJointRow* row,
                          const Family* family)
{
	double m = family->mobility > 0.0 ? 1.0 / (family->mobility * rules->h * rules->h) : 0.0;
	bool hard = row->kind == pl_rowHold || row->kind == pl_rowLimit;
	double s = plMax(plContactRules_GetFall(rules), rules->slack * record->size);
	s /= plJointAxis_IsTurn(row->axis) ? record->size : 1.0;
	if (rules->rule == pl_stiffnessFixed && row->kind != pl_rowMotor)
	{
		const plAxisDef* axis = record->axes + row->axis;
		double k = rules->penalty * (plJointAxis_IsTurn(row->axis) ? record->size * record->size : 1.0);
		return hard ? k : axis->stiffness + axis->damping / rules->h;
	}
	if (rules->rule == pl_stiffnessRamp && hard) // [GDY25] Eq. 19
		return plMin(rules->most * m, plMax(rules->start, rules->gamma * row->k));
	double kappa = row->kind == pl_rowLimit && row->lambda == 0.0 ? rules->floorNew : rules->floorJoint;
	if (!hard && isfinite(record->axes[row->axis].most))
		kappa = 1.0;
	double load = hard ? rules->gainJoint * family->load / s : 0.0;
	if (row->kind == pl_rowHold && record->burden > 0.0 && family->mobility > 0.0)
	{
		double burden = plJointAxis_IsTurn(row->axis) ? record->turnBurden : record->burden;
		return plMax(kappa * m, rules->floorTree * burden / (rules->h * rules->h));
	}
	if (row->kind == pl_rowSpring && record->burden > 0.0 && !isfinite(record->axes[row->axis].most))
	{
		const plAxisDef* axis = record->axes + row->axis;
		return plMax(kappa * m, atOnce * (axis->stiffness + axis->damping / rules->h));
	}
	return plMin(rules->most * m, plMax(kappa * m, load));
}

// ---- rows -----------------------------------------------------------------------------------------------------------

static void beginHard(const plContactRules* rules, const plAxisDef* axis, plJointRow* row)
{
	double alpha = rules->alpha, fade = rules->alpha * rules->gamma;
	row->soft = 1.0;
	row->bias = row->kind == pl_rowHold ? axis->target + alpha * (row->before - axis->target) : 0.0;
	row->low = axis->low - alpha * plMax(axis->low - row->before, 0.0);
	row->high = axis->high + alpha * plMax(row->before - axis->high, 0.0);
	row->lambda *= fade;
}

static void beginDrive(const plContactRules* rules, const plAxisDef* axis, plJointRow* row)
{
	double damping = axis->damping / rules->h, stiffness = axis->stiffness + damping;
	bool spring = row->kind == pl_rowSpring;
	row->soft = spring && !row->sprung ? stiffness / (stiffness + row->k) : 1.0;
	row->bias = spring ? (axis->stiffness * axis->target + damping * row->before) / stiffness
	                   : row->before + rules->h * axis->speed;
	row->high = axis->most;
	row->low = -axis->most;
	row->lambda = plMax(plMin(row->lambda, row->high), row->low);
}

static void beginRows(const plContacts* c, plJointRecord* record)
{
	plJointPose pose = plJointPose_Make(&record->ends[0].now, &record->ends[1].now);
	double mobility[pl_jointAxisCount];
	for (uint32_t i = 0; i < record->rowCount; ++i)
		mobility[record->rows[i].axis] = getMobility(c, record, &pose, record->rows[i].axis);
	for (uint32_t i = 0; i < record->rowCount; ++i)
	{
		plJointRow* row = record->rows + i;
		Family family = findFamily(record, row, mobility);
		row->sprung = c->rules.rule == pl_stiffnessFixed;
		row->k = stiffnessOf(&c->rules, record, row, &family);
	}
	for (uint32_t i = 0; i < record->rowCount; ++i)
	{
		plJointRow* row = record->rows + i;
		if (row->kind == pl_rowHold || row->kind == pl_rowLimit)
			beginHard(&c->rules, record->axes + row->axis, row);
		else
			beginDrive(&c->rules, record->axes + row->axis, row);
	}
}

// Frames from flights, and then where movers are.
static void moveAll(plContacts* c)
{
	double zeta[6];
	for (size_t k = 0; k < 2 * c->joints.count; ++k)
	{
		plJointEnd* end = c->joints.records[k / 2].ends + k % 2;
		end->now = end->flight;
	}
	for (size_t m = 0; m < c->moverCount && c->joints.count > 0; ++m)
	{
		plContacts_GetZeta(c, m, zeta);
		plContacts_MoveJoints(c, m, zeta);
	}
}

void plContacts_BeginJoints(plContacts* c)
{
	for (size_t k = 0; k < c->joints.count; ++k)
		beginRows(c, c->joints.records + k);
	moveAll(c);
}

// ---- mending --------------------------------------------------------------------------------------------------------

void plContacts_BeginJointMend(plContacts* c)
{
	for (size_t k = 0; k < c->joints.count; ++k)
	{
		plJointRecord* record = c->joints.records + k;
		for (int side = 0; side < 2; ++side)
			record->ends[side].flight = record->ends[side].now;
		for (uint32_t i = 0; i < record->rowCount; ++i)
		{
			plJointRow* row = record->rows + i;
			const plAxisDef* axis = record->axes + row->axis;
			bool hard = row->kind == pl_rowHold || row->kind == pl_rowLimit;
			row->saved = row->lambda;
			row->lambda = 0.0;
			row->bias = row->kind == pl_rowHold ? axis->target : 0.0;
			row->low = hard ? axis->low : 0.0; // what drives has done so
			row->high = hard ? axis->high : 0.0;
		}
	}
}

void plContacts_EndJointMend(plContacts* c)
{
	for (size_t k = 0; k < c->joints.count; ++k)
		for (uint32_t i = 0; i < c->joints.records[k].rowCount; ++i)
			c->joints.records[k].rows[i].lambda = c->joints.records[k].rows[i].saved;
}
