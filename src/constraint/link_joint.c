// link_joint.c: from joints to eight of them side by side, and back
//
// An end that is driven is a body that nobody pushes, with its centre at its anchor. So kernels know of no other ends
// than bodies. One that stands still has nobody.
//
// What is kept of a row is the mean force of the step, and in the place of a stiffness which share of that the last
// part had: with that share the next step begins.
#include "contact.h"
#include "../base/rotation.h"
#include "../base/vec3.h"

enum
{
	groupGrain = 4
};

// ---- ends -----------------------------------------------------------------------------------------------------------

// An axis has at most one row of a kind.
uint64_t plJointRecord_GetShape(const plJointRecord* record)
{
	uint64_t shape = 0;
	for (uint32_t i = 0; i < record->rowCount; ++i)
		shape |= (uint64_t)1 << (4 * (int)record->rows[i].axis + (int)record->rows[i].kind);
	return shape;
}

// How fast an end goes, m/s and rad/s; false: it stands still
static bool findSpeed(const plContacts* c, const plJointEnd* end, double v[3], double w[3])
{
	double turn[3], h = c->rules.h;
	bool goes = false;
	plQuat_GetTurn(plQuat_Multiply(end->flight.turn, plQuat_Inverse(end->now.turn)), turn);
	for (int i = 0; i < 3; ++i)
	{
		v[i] = (end->flight.x[i] - end->now.x[i]) / h;
		w[i] = turn[i] / h;
		goes = goes || v[i] != 0.0 || w[i] != 0.0;
	}
	return goes;
}

void plContacts_PlaceLinkJoints(plContacts* c)
{
	plLinks* l = &c->links;
	l->drivenCount = 0;
	for (size_t k = 0; k < c->joints.count; ++k)
		for (int side = 0; side < 2; ++side)
		{
			const plJointEnd* end = c->joints.records[k].ends + side;
			plLinkBody body = {.turn = {{0.0, 0.0, 0.0}, 1.0}, .turnBefore = {{0.0, 0.0, 0.0}, 1.0}};
			l->joints[k].start[side] = end->now;
			l->joints[k].driven[side] = (uint32_t)c->moverCount;
			if (end->mover != pl_noMover || !findSpeed(c, end, body.v, body.w))
				continue;
			l->joints[k].driven[side] = (uint32_t)(c->moverCount + ++l->drivenCount);
			l->bodies[l->joints[k].driven[side]] = body;
		}
}

void plContacts_MoveDriven(plContacts* c)
{
	double time = c->rules.h * (double)c->links.partCount / (double)c->rules.link.parts;
	for (size_t i = 0; i < c->links.drivenCount; ++i)
	{
		plLinkBody* body = c->links.bodies + c->moverCount + 1 + i;
		double turn[3];
		for (int axis = 0; axis < 3; ++axis)
		{
			body->d[axis] = time * body->v[axis];
			turn[axis] = time * body->w[axis];
		}
		body->turn = plQuat_FromTurn(turn);
	}
}

// The frame of an end, where its body is.
static void moveEnd(const plContacts* c, const plLinkJoint* joint, int side, plJointEnd* end)
{
	const plJointFrame* start = joint->start + side;
	const plLinkBody* body = c->links.bodies + (end->mover != pl_noMover ? end->mover : joint->driven[side]);
	double arm[3] = {0.0, 0.0, 0.0}, way[3];
	if (end->mover != pl_noMover)
		plSubtract3(start->x, start->centre, arm);
	plLinkBody_GetWay(body, arm, way);
	for (int i = 0; i < 3; ++i)
	{
		end->now.centre[i] = start->centre[i] + (end->mover != pl_noMover ? body->d[i] : 0.0);
		end->now.x[i] = start->x[i] + way[i];
	}
	end->now.turn = plQuat_Multiply(body->turn, start->turn);
}

// ---- who stands where -----------------------------------------------------------------------------------------------

static const plJointRecord* getRecord(const plContacts* c, size_t place)
{
	return c->joints.records + c->links.order[place];
}

// The group of joints that begins at a place among the links: those of one shape, before another place.
static plJointGroup makeGroup(const plContacts* c, size_t place, size_t end)
{
	const plLinkJoint* joints = c->links.joints;
	const plJointRecord* first = getRecord(c, place);
	uint64_t shape = joints[c->links.order[place]].shape;
	plJointGroup group = {.link = place, .rowCount = first->rowCount, .rows = first->rows};
	while (group.count < pl_groupLanes && place + group.count < end &&
	       joints[c->links.order[place + group.count]].shape == shape)
		group.count++;
	for (uint32_t i = 0; i < group.rowCount; ++i)
		group.turns = group.turns || plJointAxis_IsTurn(group.rows[i].axis);
	for (uint32_t lane = 0; lane < pl_groupLanes; ++lane)
		for (int side = 0; side < 2; ++side)
		{
			group.bodies[side][lane] = (uint32_t)c->moverCount;
			if (lane >= group.count)
				continue;
			uint32_t mover = getRecord(c, place + lane)->ends[side].mover;
			group.bodies[side][lane] = mover != pl_noMover ? mover : joints[c->links.order[place + lane]].driven[side];
			group.follows = group.follows || (mover != pl_noMover && c->links.bodies[mover].follows);
		}
	return group;
}

static size_t countRows(const plJointGroup* group)
{
	return pl_jointNumbers + group->rowCount * pl_jointRowNumbers;
}

static bool layOut(plContacts* c)
{
	plLinks* l = &c->links;
	plLinkGroups* g = &l->groups;
	size_t numbers = 0, size = g->isFloat ? sizeof(float) : sizeof(double);
	// at most: one for each joint
	if (!plGrowArray(c->heap, &g->joints, &g->jointRoom, c->joints.count, sizeof *g->joints) ||
	    !plGrowArray(c->heap, &g->jointStart, &g->jointStartRoom, l->colourCount + 1, sizeof *g->jointStart))
		return false;
	g->jointCount = 0;
	for (size_t k = 0; k < l->colourCount; ++k)
	{
		g->jointStart[k] = g->jointCount;
		for (size_t place = l->start[k]; place < l->contactStart[k];)
		{
			plJointGroup* group = g->joints + g->jointCount++;
			*group = makeGroup(c, place, l->contactStart[k]);
			group->numbers = numbers;
			numbers += pl_groupLanes * countRows(group);
			place += group->count;
		}
	}
	g->jointStart[l->colourCount] = g->jointCount;
	return plGrowArray(c->heap, &g->jointNumbers, &g->jointNumberRoom, numbers * size, 1);
}

// ---- numbers --------------------------------------------------------------------------------------------------------

static void putBody(const plContacts* c, uint32_t mover, double numbers[pl_bodyRows])
{
	const plLinkBody* body = c->links.bodies + mover;
	memcpy(numbers + pl_bodyLightness, c->movers[mover].lightness, 3 * sizeof *numbers);
	memcpy(numbers + pl_bodyInverse, body->follows ? body->first : body->inverse, 6 * sizeof *numbers);
	numbers[pl_bodyFollows] = body->follows ? 1.0 : 0.0;
}

static void findJoint(const plContacts* c, size_t k, const plJointPose* pose, double numbers[pl_jointNumbers])
{
	static const double most = 4.0; // sizes
	const plJointRecord* record = c->joints.records + k;
	const plLinkJoint* joint = c->links.joints + k;
	memset(numbers, 0, pl_jointNumbers * sizeof *numbers);
	for (int side = 0; side < 2; ++side)
	{
		const plJointFrame* start = joint->start + side;
		if (record->ends[side].mover == pl_noMover)
			continue;
		putBody(c, record->ends[side].mover, numbers + pl_jointBodies + side * pl_bodyRows);
		plSubtract3(start->x, start->centre, numbers + pl_jointLever + 3 * side);
	}
	memcpy(numbers + pl_jointGap, pose->z, sizeof pose->z);
	memcpy(numbers + pl_jointFrame, pose->A, sizeof pose->A);
	for (int i = 0; i < 3; ++i)
	{
		numbers[pl_jointAxes + i] = plDot3(pose->A[i], pose->B[0]);
		numbers[pl_jointAxes + 3 + i] = plDot3(pose->A[i], pose->B[2]);
	}
	const double turned[4] = {pose->relative.v.x, pose->relative.v.y, pose->relative.v.z, pose->relative.s};
	memcpy(numbers + pl_jointTurned, turned, sizeof turned);
	numbers[pl_jointSpan] = plLength3(pose->z);
	numbers[pl_jointTorn] = most * most * record->size * record->size;
}

static void findRow(const plContacts* c, const plJointRecord* record, const plJointRow* row, const plJointPose* pose,
                    double numbers[pl_jointRowNumbers])
{
	const plAxisDef* axis = record->axes + row->axis;
	double t = c->rules.h / (double)c->rules.link.parts, n[3];
	double share = c->rules.link.warm ? plMin(row->k, 1.0) : 0.0;
	double value = plJointPose_Measure(pose, row->axis, record->twist, n);
	bool isDrawn = row->kind == pl_rowHold || (row->kind == pl_rowSpring && axis->stiffness > 0.0);
	memset(numbers, 0, pl_jointRowNumbers * sizeof *numbers);
	numbers[pl_jointRowOff] = isDrawn ? value - axis->target : 0.0;
	numbers[pl_jointRowHigh] = axis->high - value;
	numbers[pl_jointRowLow] = value - axis->low;
	numbers[pl_jointRowStiffness] = axis->stiffness;
	numbers[pl_jointRowDamping] = axis->damping;
	numbers[pl_jointRowMost] = axis->most;
	numbers[pl_jointRowSpeed] = axis->speed;
	numbers[pl_jointRowFrom] = value;
	numbers[pl_jointRowImpulse] = -share * t * row->lambda;
}

static size_t rowOf(const plJointGroup* group, uint32_t i)
{
	return group->numbers / pl_groupLanes + pl_jointNumbers + i * pl_jointRowNumbers;
}

PL_INLINE void fillGroup(bool isFloat, const plContacts* c, const plJointGroup* group)
{
	void* to = c->links.groups.jointNumbers;
	size_t size = isFloat ? sizeof(float) : sizeof(double);
	memset((char*)to + size * group->numbers, 0, size * pl_groupLanes * countRows(group));
	for (uint32_t lane = 0; lane < group->count; ++lane)
	{
		size_t k = c->links.order[group->link + lane];
		const plJointRecord* record = c->joints.records + k;
		plJointPose pose = plJointPose_Make(c->links.joints[k].start, c->links.joints[k].start + 1);
		double numbers[pl_jointNumbers], rows[pl_jointRowNumbers];
		findJoint(c, k, &pose, numbers);
		plNumbers_PutRows(isFloat, to, group->numbers / pl_groupLanes, lane, numbers, pl_jointNumbers);
		for (uint32_t i = 0; i < record->rowCount; ++i)
		{
			findRow(c, record, record->rows + i, &pose, rows);
			plNumbers_PutRows(isFloat, to, rowOf(group, i), lane, rows, pl_jointRowNumbers);
		}
	}
}

static void fillGroups(size_t begin, size_t end, void* context)
{
	const plContacts* c = context;
	for (size_t k = begin; k < end; ++k)
		if (c->links.groups.isFloat)
			fillGroup(true, c, c->links.groups.joints + k);
		else
			fillGroup(false, c, c->links.groups.joints + k);
}

bool plContacts_LayJointGroups(plContacts* c, bool wide, plPool* pool)
{
	plLinkGroups* g = &c->links.groups;
	g->wideJoints = plFindJointKernels(c->rules.link.kind, g->isFloat, wide);
	g->narrowJoints = plFindJointKernels(c->rules.link.kind, g->isFloat, false);
	if (!layOut(c))
		return false;
	plParallelFor(pool, g->jointCount, groupGrain, fillGroups, c);
	return true;
}

// ---- back -----------------------------------------------------------------------------------------------------------

static double getNumber(const plLinkGroups* g, size_t row, size_t lane)
{
	return plNumbers_Get(g->isFloat, g->jointNumbers, pl_groupLanes * row + lane);
}

static void storeGroup(plContacts* c, const plJointGroup* group)
{
	const plLinkGroups* g = &c->links.groups;
	double t = c->rules.h / (double)c->rules.link.parts;
	for (uint32_t lane = 0; lane < group->count; ++lane)
	{
		size_t k = c->links.order[group->link + lane];
		plJointRecord* record = c->joints.records + k;
		for (int side = 0; side < 2; ++side)
			moveEnd(c, c->links.joints + k, side, record->ends + side);
		for (uint32_t i = 0; i < record->rowCount; ++i)
		{
			double total = getNumber(g, rowOf(group, i) + pl_jointRowTotal, lane), mean = total / c->rules.h;
			double impulse = getNumber(g, rowOf(group, i) + pl_jointRowImpulse, lane);
			record->rows[i].lambda = -mean;
			record->rows[i].k = total != 0.0 ? plMax(plMin(impulse / (t * mean), 1.0), 0.0) : 0.0;
		}
	}
}

static void storeGroups(size_t begin, size_t end, void* context)
{
	plContacts* c = context;
	for (size_t k = begin; k < end; ++k)
		storeGroup(c, c->links.groups.joints + k);
}

void plContacts_StoreJointGroups(plContacts* c, plPool* pool)
{
	plContacts_MoveDriven(c);
	plParallelFor(pool, c->links.groups.jointCount, groupGrain, storeGroups, c);
}

void plLinkGroups_MeasureJoints(const plLinkGroups* g, double* changes, double* impulses)
{
	for (size_t k = 0; k < g->jointCount; ++k)
		for (uint32_t i = 0; i < g->joints[k].rowCount; ++i)
			for (size_t lane = 0; lane < g->joints[k].count; ++lane)
			{
				double P = getNumber(g, rowOf(g->joints + k, i) + pl_jointRowImpulse, lane);
				*changes += getNumber(g, rowOf(g->joints + k, i) + pl_jointRowSquare, lane);
				*impulses += P * P;
			}
}
