// group_lanes.c: one visit of a group of bodies, as many at a time as the machine has lanes
//
// A visit goes over the slots of the group twice: first for forces and blocks, and after the block is solved to let the
// records follow, with their multipliers where this side is the later one. What it has read of records it keeps at hand
// for the second time, as far as there is room: putting eight numbers of eight records side by side costs as much as
// the arithmetic on them.
#include "groups.h"
#include "rows.h"

#include "../kernel/block6.h"

// ---- records: eight numbers of each lane's become eight rows
// --------------------------------------------------------------

#if PL_LANES == 8
KERNEL void loadRecords(const scalar* records, const uint32_t* index, real rows[8])
{
	for (int i = 0; i < 8; ++i)
		rows[i] = load(records + (size_t)pl_recordNumbers * index[i]);
	transpose8(rows);
}

KERNEL void storeRecords(scalar* records, const uint32_t* index, real rows[8])
{
	transpose8(rows);
	for (int i = 0; i < 8; ++i)
		store(records + (size_t)pl_recordNumbers * index[i], rows[i]);
}
#else
KERNEL void loadRecords(const scalar* records, const uint32_t* index, real rows[8])
{
	scalar numbers[pl_recordNumbers][PL_LANES];
	for (int i = 0; i < PL_LANES; ++i)
		for (int k = 0; k < pl_recordNumbers; ++k)
			numbers[k][i] = records[(size_t)pl_recordNumbers * index[i] + (size_t)k];
	memcpy(rows, numbers, sizeof numbers);
}

KERNEL void storeRecords(scalar* records, const uint32_t* index, real rows[8])
{
	for (int i = 0; i < PL_LANES; ++i)
		for (int k = 0; k < pl_recordNumbers; ++k)
			records[(size_t)pl_recordNumbers * index[i] + (size_t)k] = LANE(rows[k], i);
}
#endif

KERNEL meetRecord readRecord(const scalar* records, const uint32_t* index)
{
	real rows[pl_recordNumbers];
	loadRecords(records, index, rows);
	return (meetRecord){{rows[0], rows[1], rows[2]}, rows[3], {rows[4], rows[5], rows[6]}, rows[7]};
}

KERNEL void writeRecord(scalar* records, const uint32_t* index, const meetRecord* r)
{
	real rows[pl_recordNumbers] = {r->u[0], r->u[1], r->u[2], r->kn, r->lambda[0], r->lambda[1], r->lambda[2], r->kt};
	storeRecords(records, index, rows);
}

// ---- slots
// ------------------------------------------------------------------------------------------------------------------

enum
{
	atHand = 48 // points: 12 KiB in float, beside slots in the nearest cache
};

// A face slot with its points: where its numbers are, at a lane.
typedef struct Slot
{
	const scalar* face;
	const uint32_t* record;
	int points;
	int place; // points of the slots before it
} Slot;

KERNEL meetFace readFace(const scalar* at, double scale)
{
	meetFace face;
	loadRows(at + pl_groupLanes * pl_faceNormal, 3, face.n);
	face.friction = load(at + pl_groupLanes * pl_faceFriction);
	face.sliding = load(at + pl_groupLanes * pl_faceSliding);
	face.moment = load(at + pl_groupLanes * pl_faceMoment);
	face.mean = SPLAT(0);
	face.scale = SPLAT(scale);
	return face;
}

KERNEL const scalar* leverOf(const Slot* slot, int point)
{
	return slot->face + pl_groupLanes * (pl_faceRows + point * pl_pointRows);
}

// Forces and blocks of one slot.
KERNEL void addSlot(const Slot* slot, const scalar* records, double scale, meetRecord* kept, meetSums* sums)
{
	meetFace face = readFace(slot->face, scale);
	meetRecord room[pl_contactPoints], *record = slot->place + slot->points <= atHand ? kept + slot->place : room;
	real r[pl_contactPoints][3], m[pl_contactPoints][3], a = SPLAT(0), am[3] = {SPLAT(0), SPLAT(0), SPLAT(0)};
	real share = load(slot->face + pl_groupLanes * pl_faceShare),
	     sigma = load(slot->face + pl_groupLanes * pl_faceSign);
	real mean[3] = {SPLAT(0), SPLAT(0), SPLAT(0)};
	for (int p = 0; p < slot->points; ++p)
	{
		record[p] = readRecord(records, slot->record + pl_groupLanes * p);
		loadRows(leverOf(slot, p), 3, r[p]);
		meetCross(r[p], face.n, m[p]);
		face.mean = FMA(share, meetDot(face.n, record[p].u), face.mean);
		for (int i = 0; i < 3; ++i)
			mean[i] = FMA(share, m[p][i], mean[i]);
	}
	for (int p = 0; p < slot->points; ++p)
	{
		meetForce force = meetGetForce(&face, record + p);
		meetAddPoint(sums, &force, r[p], m[p], sigma, &a, am);
		if (ANY(force.loose > K(0)))
			meetAddLoose(sums, &force, r[p]);
		meetAddMoment(sums, SELECT(record[p].kt != K(0), force.km, SPLAT(0)), m[p], mean);
	}
	meetAddFace(sums, face.n, a, am);
}

// The multipliers of a slot, after both sides have moved.
KERNEL void updateSlot(const Slot* slot, meetRecord* record, double scale, real fall, mask later)
{
	meetFace face = readFace(slot->face, scale);
	real share = load(slot->face + pl_groupLanes * pl_faceShare);
	for (int p = 0; p < slot->points; ++p)
		face.mean = FMA(share, meetDot(face.n, record[p].u), face.mean);
	for (int p = 0; p < slot->points; ++p)
	{
		meetForce force = meetGetForce(&face, record + p);
		real kn = ABS(record[p].kn), kt = ABS(record[p].kt);
		mask holds = MASK_NOT(force.slips), slow = force.across <= fall * fall;
		for (int i = 0; i < 3; ++i)
			record[p].lambda[i] = SELECT(later, force.F[i], record[p].lambda[i]);
		record[p].kt = SELECT(later, SELECT(MASK_AND(force.pushes, holds), kt, -kt), record[p].kt);
		mask changes = MASK_AND(later, force.pushes);
		record[p].kn = SELECT(changes, SELECT(MASK_OR(holds, slow), kn, -kn), record[p].kn);
	}
}

// The records follow a step of the body; multipliers where this side is the later one.
KERNEL void moveSlot(const Slot* slot, scalar* records, double scale, real fall, const real* step, meetRecord* kept)
{
	bool isKept = slot->place + slot->points <= atHand;
	meetRecord room[pl_contactPoints], *record = isKept ? kept + slot->place : room;
	real sigma = load(slot->face + pl_groupLanes * pl_faceSign);
	mask later = load(slot->face + pl_groupLanes * pl_faceLater) > K(0);
	for (int p = 0; p < slot->points; ++p)
	{
		real r[3], turned[3];
		if (!isKept)
			record[p] = readRecord(records, slot->record + pl_groupLanes * p);
		loadRows(leverOf(slot, p), 3, r);
		meetCross(step + 3, r, turned);
		mask there = record[p].kt != K(0);
		for (int i = 0; i < 3; ++i)
			record[p].u[i] = SELECT(there, FMA(sigma, step[i] + turned[i], record[p].u[i]), SPLAT(0));
	}
	if (ANY(later))
		updateSlot(slot, record, scale, fall, later);
	for (int p = 0; p < slot->points; ++p)
		writeRecord(records, slot->record + pl_groupLanes * p, record + p);
}

KERNEL void advanceSlot(Slot* slot)
{
	slot->face += pl_groupLanes * (pl_faceRows + slot->points * pl_pointRows);
	slot->record += pl_groupLanes * slot->points;
	slot->place += slot->points;
}

// ---- the visit
// ----------------------------------------------------------------------------------------------------------------

KERNEL void lockAxes(const scalar* at, real H[6][6], real* f)
{
	for (int i = 0; i < 6; ++i)
	{
		real free = load(at + pl_groupLanes * (pl_groupFree + i));
		f[i] = f[i] * free;
		for (int j = 0; j < 6; ++j)
			H[i > j ? i : j][i > j ? j : i] *= free;
		H[i][i] += K(1) - free;
	}
}

// M zeta, added to forces with a minus.
KERNEL void addInertia(meetSums* sums, real mass, const real* I, const real* zeta)
{
	const real* w = zeta + 3;
	for (int i = 0; i < 3; ++i)
		sums->f[i] = FMA(-mass, zeta[i], sums->f[i]);
	sums->tau[0] -= FMA(I[0], w[0], FMA(I[3], w[1], I[4] * w[2]));
	sums->tau[1] -= FMA(I[3], w[0], FMA(I[1], w[1], I[5] * w[2]));
	sums->tau[2] -= FMA(I[4], w[0], FMA(I[5], w[1], I[2] * w[2]));
}

// Joints and vertices, one body at a time and in double: where the frames of a body's joints are, to the last bit of
// what a float says of its way, is what they pull by.
static void addJoints(const plGroups* g, const plGroup* group, size_t lane, const real* zeta, real H[6][6], real* f)
{
	for (size_t i = 0; i < PL_LANES && lane + i < group->bodyCount; ++i)
	{
		double at[6], force[6] = {0.0}, block[6][6] = {{0.0}};
		for (int k = 0; k < 6; ++k)
			at[k] = (double)LANE(zeta[k], i);
		plContacts_AddJoints(g->contacts, g->order[group->body + lane + i], at, force, block);
		plContacts_AddVertexMeets(g->contacts, g->order[group->body + lane + i], at, force, block);
		for (int k = 0; k < 6; ++k)
		{
			LANE(f[k], i) += (scalar)force[k];
			for (int j = 0; j <= k; ++j)
				LANE(H[k][j], i) += (scalar)block[k][j];
		}
	}
}

static void moveJoints(const plGroups* g, const plGroup* group, size_t lane, const real* zeta)
{
	for (size_t i = 0; i < PL_LANES && lane + i < group->bodyCount; ++i)
	{
		double at[6];
		for (int k = 0; k < 6; ++k)
			at[k] = (double)LANE(zeta[k], i);
		plContacts_MoveJoints(g->contacts, g->order[group->body + lane + i], at);
		plContacts_MoveVertexMeets(g->contacts, g->order[group->body + lane + i], at);
	}
}

static void visit(plGroups* g, const plGroup* group, size_t lane, double scale)
{
	scalar* at = (scalar*)g->bodies + (size_t)(group - g->groups) * pl_groupRows * pl_groupLanes + lane;
	scalar *slots = (scalar*)g->slots + group->numbers + lane, *records = g->records;
	const uint32_t* index = g->record + group->points + lane;
	real zeta[6], inertia[6], mass = load(at + pl_groupLanes * pl_groupMass), H[6][6], f[6];
	loadRows(at + pl_groupLanes * pl_groupZeta, 6, zeta);
	loadRows(at + pl_groupLanes * pl_groupInertia, 6, inertia);
	meetSums sums;
	memset(&sums, 0, sizeof sums);
	addInertia(&sums, mass, inertia, zeta);
	meetRecord kept[atHand];
	Slot slot = {slots, index, 0, 0};
	for (uint32_t s = 0; s < group->faceCount; ++s)
	{
		slot.points = g->pointCount[group->face + s];
		addSlot(&slot, records, scale, kept, &sums);
		advanceSlot(&slot);
	}
	block6Fill(H, &sums, mass, inertia);
	for (int i = 0; i < 3; ++i)
	{
		f[i] = sums.f[i];
		f[3 + i] = sums.tau[i];
	}
	if (group->isJoined)
		addJoints(g, group, lane, zeta, H, f);
	if (group->isLocked)
		lockAxes(at, H, f);
	block6Solve(H, f);
	for (int i = 0; i < 6; ++i)
	{
		zeta[i] += f[i];
		store(at + pl_groupLanes * (pl_groupZeta + i), zeta[i]);
	}
	if (group->isJoined)
		moveJoints(g, group, lane, zeta);
	slot = (Slot){slots, index, 0, 0};
	for (uint32_t s = 0; s < group->faceCount; ++s)
	{
		slot.points = g->pointCount[group->face + s];
		moveSlot(&slot, records, scale, SPLAT(g->fall), f, kept);
		advanceSlot(&slot);
	}
}

static void sweep(plGroups* g, size_t begin, size_t end, double scale)
{
	for (size_t k = begin; k < end; ++k)
		for (size_t lane = 0; lane < g->groups[k].bodyCount; lane += PL_LANES)
			visit(g, g->groups + k, lane, scale);
}

#define PASTE_(a, b, c, d) a##b##_##c##_##d
#define PASTE(a, b, c, d) PASTE_(a, b, c, d)
#define QUOTE_(a) #a
#define QUOTE(a) QUOTE_(a)
#define TABLE PASTE(plGroupKernels_, PL_ISA, PL_REAL_FLOAT, PL_LANES)

extern const plGroupKernels TABLE;
const plGroupKernels TABLE = {QUOTE(PL_ISA), PL_LANES, sweep};
