// joint_tree.c: bodies that joints join, solved as one block
//
// One body after the other, a heavy thing at the end of a light chain takes as many sweeps as the square of its links.
// So the bodies of a tree of joints move at once (rules.direct), after all others, to where
//
//   sum over j of H_ij x_j = f_i      H_ii, f_i as in contact_sweep.c,   H_pi = k g_p g_i' + what its pull does to both
//
// What pulls do when bodies turn is taken exactly, with its couplings, and not by a bound: under a heavy load that is
// what the chain swings by. If H is not positive definite so, bounds take its place. Leaves are eliminated first, then
// what has become a leaf, up to the root: that fills nothing, and costs in proportion to the number of bodies.
//
//   D_i = H_ii - sum over children of U U' = L_i L_i',   U_i = H_pi L_i^-T
//
// A contact between bodies of trees couples nothing here: it counts twice in both blocks instead, which bounds what is
// left out from above. Contacts that the tree runs into on its way count, too (joint_reach.c). Rows of a tree hold as
// if all of it hung on each of them (joint.c): nothing limits their stiffness but rounding. Bodies among which joints
// close a loop are left to sweeps, and so is a tree that spins too fast.
#include "contact.h"
#include "../base/rotation.h"
#include "../base/vec3.h"

#include <math.h>

// ---- trees ----------------------------------------------------------------------------------------------------------

static uint32_t otherEnd(const plContacts* c, uint32_t code)
{
	return c->joints.records[code / 2].ends[1 - code % 2].mover;
}

// Flies a body of it by more than a radian in the substep? What is linear about its end tells nothing of how it gets
// back then, and sweeps, which go by small steps, are the safer way. Frames are still where the substep begins.
static bool isWild(const plContacts* c, size_t begin, size_t end)
{
	static const double cosine = 0.87758256189037276; // of half of it
	const plJoints* j = &c->joints;
	for (size_t at = begin; at < end; ++at)
	{
		uint32_t code = j->sides[j->sideStart[j->tree.order[at]]];
		const plJointEnd* body = j->records[code / 2].ends + code % 2;
		plQuat turn = plQuat_Multiply(plQuat_Inverse(body->now.turn), body->flight.turn);
		if (fabs(turn.s) < cosine)
			return true;
	}
	return false;
}

// Movers of one tree, from its root: each after its parent. Where a joint closes a loop there is none: returns `begin`.
static size_t growTree(plContacts* c, uint32_t root, size_t begin, uint32_t tree)
{
	plJoints* j = &c->joints;
	plJointTree* t = &j->tree;
	size_t end = begin, sides = 0;
	t->order[end++] = root;
	t->link[root] = UINT32_MAX;
	t->treeOf[root] = tree;
	for (size_t at = begin; at < end; ++at)
		for (size_t s = j->sideStart[t->order[at]]; s < j->sideStart[t->order[at] + 1]; ++s)
		{
			uint32_t other = otherEnd(c, j->sides[s]);
			sides += other != pl_noMover;
			if (other == pl_noMover || t->treeOf[other] != UINT32_MAX)
				continue;
			t->treeOf[other] = tree;
			t->link[other] = j->sides[s] ^ 1; // the child's side
			t->order[end++] = other;
		}
	bool isTree = sides == 2 * (end - begin - 1) && end - begin > 1;
	return isTree && !isWild(c, begin, end) ? end : begin;
}

// The square of how far a tree reaches: the diagonal of the box about its centres and anchors, m^2.
static double measureReach(const plContacts* c, size_t begin, size_t end)
{
	const plJoints* j = &c->joints;
	double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, sum = 0.0;
	for (size_t at = begin; at < end; ++at)
		for (size_t s = j->sideStart[j->tree.order[at]]; s < j->sideStart[j->tree.order[at] + 1]; ++s)
		{
			const plJointFrame* frame = &j->records[j->sides[s] / 2].ends[j->sides[s] % 2].now;
			for (int i = 0; i < 3; ++i)
			{
				low[i] = plMin(low[i], plMin(frame->centre[i], frame->x[i]));
				high[i] = plMax(high[i], plMax(frame->centre[i], frame->x[i]));
			}
		}
	for (int i = 0; i < 3; ++i)
		sum += (high[i] - low[i]) * (high[i] - low[i]);
	return sum;
}

// What each of its joints has to hold as if: all of the tree, as often as it has bodies, and where it turns, as far
// away as the tree reaches.
static void setBurden(plContacts* c, size_t begin, size_t end)
{
	plJoints* j = &c->joints;
	double mass = 0.0, reach = measureReach(c, begin, end);
	for (size_t at = begin; at < end; ++at)
		mass += c->movers[j->tree.order[at]].mass;
	for (size_t at = begin; at < end; ++at)
	{
		j->tree.nodes[j->tree.order[at]].mass = mass;
		for (size_t s = j->sideStart[j->tree.order[at]]; s < j->sideStart[j->tree.order[at] + 1]; ++s)
		{
			plJointRecord* record = j->records + j->sides[s] / 2;
			record->burden = (double)(end - begin) * mass;
			record->turnBurden = record->burden * plMax(reach, record->size * record->size);
		}
	}
}

bool plContacts_IsOfTree(const plContacts* c, size_t contact)
{
	if (c->joints.tree.count == 0)
		return false;
	const uint32_t *movers = c->contacts[contact].movers, *treeOf = c->joints.tree.treeOf;
	return (movers[0] != pl_noMover && treeOf[movers[0]] != UINT32_MAX) ||
	       (movers[1] != pl_noMover && treeOf[movers[1]] != UINT32_MAX);
}

// Bodies that are joined to no other that moves, and those of loops, are left to sweeps.
bool plContacts_GrowTrees(plContacts* c)
{
	plJoints* j = &c->joints;
	plJointTree* t = &j->tree;
	size_t end = 0;
	t->count = t->contactCount = 0;
	if (j->count == 0 || !c->rules.direct)
		return true;
	for (size_t m = 0; m < c->moverCount; ++m)
		t->treeOf[m] = UINT32_MAX;
	for (uint32_t m = 0; m < c->moverCount; ++m)
	{
		if (t->treeOf[m] != UINT32_MAX || j->sideStart[m] == j->sideStart[m + 1])
			continue;
		size_t begin = end;
		end = growTree(c, m, begin, (uint32_t)t->count);
		if (end == begin)
			continue;
		setBurden(c, begin, end);
		t->start[t->count++] = begin;
	}
	t->start[t->count] = end;
	// treeOf now also marks what was left: it is made anew
	for (size_t m = 0; m < c->moverCount; ++m)
		t->treeOf[m] = UINT32_MAX;
	for (uint32_t tree = 0; tree < t->count; ++tree)
		for (size_t at = t->start[tree]; at < t->start[tree + 1]; ++at)
			t->treeOf[t->order[at]] = tree;
	if (t->count > 0 && !plContacts_ReserveMeets(c))
		return false;
	if (t->count > 0 && !plGrowArray(c->heap, &t->contacts, &t->contactRoom, c->contactCount, sizeof *t->contacts))
		return false;
	for (size_t k = 0; t->count > 0 && k < c->contactCount; ++k)
		if (plContacts_IsOfTree(c, k))
			t->contacts[t->contactCount++] = (uint32_t)k;
	return true;
}

// ---- what rows do ---------------------------------------------------------------------------------------------------

static void addCross(double M[6][6], int row, int column, double s, const double a[3])
{
	const double cross[3][3] = {{0.0, -a[2], a[1]}, {a[2], 0.0, -a[0]}, {-a[1], a[0], 0.0}};
	for (int i = 0; i < 3; ++i)
		for (int k = 0; k < 3; ++k)
			M[row + i][column + k] += s * cross[i][k];
}

// What a force on a point at an arm does when the body turns: its force is -F, its potential F.x.
static void addBend(double M[6][6], const double F[3], const double arm[3])
{
	double along = plDot3(F, arm);
	for (int i = 0; i < 3; ++i)
	{
		for (int k = 0; k < 3; ++k)
			M[3 + i][3 + k] += 0.5 * (F[i] * arm[k] + F[k] * arm[i]);
		M[3 + i][3 + i] -= along;
	}
}

// M += s g h'
static void addOuter(double M[6][6], double s, const double g[6], const double h[6])
{
	for (int i = 0; i < 6; ++i)
		for (int k = 0; k < 6; ++k)
			M[i][k] += s * g[i] * h[k];
}

// A string of tension F draws back what leaves its line: F/|z| (I - n n') between the ways of its two ends.
static void addString(double M[6][6], double s, const double n[3], const double armRow[3], const double armColumn[3])
{
	for (int k = 0; k < 3; ++k)
	{
		double g[6] = {0.0}, h[6] = {0.0}, unit[3] = {k == 0, k == 1, k == 2};
		for (int i = 0; i < 3; ++i)
			g[i] = h[i] = unit[i];
		plCross3(armRow, unit, g + 3);
		plCross3(armColumn, unit, h + 3);
		addOuter(M, s, g, h);
	}
	double g[6] = {n[0], n[1], n[2]}, h[6] = {n[0], n[1], n[2]};
	plCross3(armRow, n, g + 3);
	plCross3(armColumn, n, h + 3);
	addOuter(M, -s, g, h);
}

// A joint where its two bodies are: forces on either, and second derivatives a-a, b-b and a-b.
typedef struct JointBlocks
{
	double f[2][6];
	double H[2][6][6];
	double coupling[6][6]; // rows of a, columns of b
} JointBlocks;

static void addRows(const plContacts* c, const plJointRecord* record, bool isExact, JointBlocks* out)
{
	plJointPose pose = plJointPose_Make(&record->ends[0].now, &record->ends[1].now);
	double place[3] = {0.0, 0.0, 0.0}, string[3] = {0.0, 0.0, 0.0}, arms[3][3], n[3], k;
	plSubtract3(record->ends[1].now.x, record->ends[0].now.centre, arms[0]);
	plSubtract3(record->ends[1].now.x, record->ends[1].now.centre, arms[1]);
	plSubtract3(record->ends[0].now.x, record->ends[0].now.centre, arms[2]);
	for (uint32_t i = 0; i < record->rowCount; ++i)
	{
		const plJointRow* row = record->rows + i;
		double g[2][6], value = plJointPose_Measure(&pose, row->axis, record->twist, n);
		double force = plJointRow_GetForce(row, value, c->rules.rescales, &k);
		for (int side = 0; side < 2; ++side)
		{
			plJointRow_GetGradient(row, n, arms[side], side == 0 ? -1.0 : 1.0, g[side]);
			addOuter(out->H[side], k, g[side], g[side]);
			for (int e = 0; e < 6; ++e)
				out->f[side][e] -= force * g[side][e];
		}
		addOuter(out->coupling, k, g[0], g[1]);
		if (!plJointAxis_IsTurn(row->axis))
			plAdd3(row->axis == pl_jointLength ? string : place, force, n);
		if (isExact && row->axis == pl_jointLength)
		{
			double s = force * plJointPose_GetBend(&pose, row->axis);
			addString(out->H[0], s, n, arms[2], arms[2]);
			addString(out->H[1], s, n, arms[1], arms[1]);
			addString(out->coupling, -s, n, arms[2], arms[1]);
		}
	}
	if (!isExact)
		return;
	// the axes of a turn with a, and with them the pull: (w_a x P).(way of b's anchor against a)
	double pull[3] = {place[0] + string[0], place[1] + string[1], place[2] + string[2]};
	const double back[3] = {-string[0], -string[1], -string[2]};
	addBend(out->H[1], pull, arms[1]);
	addBend(out->H[0], place, arms[0]);
	addBend(out->H[0], back, arms[2]);
	addCross(out->H[0], 3, 0, -1.0, place);
	addCross(out->H[0], 0, 3, 1.0, place);
	addCross(out->coupling, 3, 0, 1.0, place);
	for (int i = 0; i < 3; ++i) // [P] (-[r])
		for (int e = 0; e < 3; ++e)
			out->coupling[3 + i][3 + e] -= arms[1][i] * place[e] - (i == e ? plDot3(place, arms[1]) : 0.0);
}

// ---- charts ---------------------------------------------------------------------------------------------------------

static void pullRows(double M[6][6], const double w[3])
{
	for (int k = 0; k < 6; ++k)
	{
		double column[3] = {M[3][k], M[4][k], M[5][k]};
		plChart_Pull(w, column, column);
		for (int i = 0; i < 3; ++i)
			M[3 + i][k] = column[i];
	}
}

static void pullColumns(double M[6][6], const double w[3])
{
	for (int i = 0; i < 6; ++i)
		plChart_Pull(w, M[i] + 3, M[i] + 3);
}

// ---- assembly -------------------------------------------------------------------------------------------------------

static void addTo(plJointNode* node, const JointBlocks* blocks, int side)
{
	for (int i = 0; i < 6; ++i)
	{
		node->f[i] += blocks->f[side][i];
		for (int k = 0; k < 6; ++k)
			node->D[i][k] += blocks->H[side][i][k];
	}
}

// One joint, to the nodes of its ends that are in the tree.
static void addJoint(plContacts* c, size_t k, bool isExact)
{
	plJointTree* t = &c->joints.tree;
	const plJointRecord* record = c->joints.records + k;
	uint32_t movers[2] = {record->ends[0].mover, record->ends[1].mover};
	bool links = movers[0] != pl_noMover && movers[1] != pl_noMover;
	JointBlocks blocks = {0};
	addRows(c, record, isExact, &blocks);
	for (int side = 0; side < 2; ++side)
		if (movers[side] != pl_noMover)
		{
			double zeta[6];
			plContacts_GetZeta(c, movers[side], zeta);
			plChart_Pull(zeta + 3, blocks.f[side] + 3, blocks.f[side] + 3);
			pullRows(blocks.H[side], zeta + 3);
			pullColumns(blocks.H[side], zeta + 3);
			if (links && side == 0)
				pullRows(blocks.coupling, zeta + 3);
			if (links && side == 1)
				pullColumns(blocks.coupling, zeta + 3);
			addTo(t->nodes + movers[side], &blocks, side);
		}
	if (!links)
		return;
	bool childIsA = t->link[movers[0]] == 2 * k;
	plJointNode* child = t->nodes + movers[childIsA ? 0 : 1];
	for (int i = 0; i < 6; ++i) // rows of the parent
		for (int e = 0; e < 6; ++e)
			child->U[i][e] = childIsA ? blocks.coupling[e][i] : blocks.coupling[i][e];
}

// A joint between two of the tree is added by the one whose side is a's.
static bool isAdder(const plContacts* c, uint32_t code)
{
	return code % 2 == 0 || otherEnd(c, code) == pl_noMover;
}

static void addJointsOf(plContacts* c, size_t mover, bool isExact)
{
	const plJoints* j = &c->joints;
	for (size_t s = j->sideStart[mover]; s < j->sideStart[mover + 1]; ++s)
		if (isAdder(c, j->sides[s]))
			addJoint(c, j->sides[s] / 2, isExact);
}

// Without exact bends, the bounds of joint_sweep.c; they are of a side alone.
static void addBounds(plContacts* c, size_t mover)
{
	double zeta[6], H[6][6] = {{0.0}};
	plJointNode* node = c->joints.tree.nodes + mover;
	plContacts_GetZeta(c, mover, zeta);
	plContacts_AddJointBounds(c, mover, zeta, H);
	for (int i = 0; i < 6; ++i)
		for (int k = 0; k < 6; ++k)
			node->D[i][k] += i >= k ? H[i][k] : H[k][i];
}

static void assemble(plContacts* c, size_t begin, size_t end, bool isExact)
{
	plJointTree* t = &c->joints.tree;
	for (size_t at = begin; at < end; ++at)
	{
		plJointNode* node = t->nodes + t->order[at];
		double mass = node->mass;
		*node = (plJointNode){.mass = mass};
		plContacts_AddBlock(c, t->order[at], t->treeOf, node->f, node->D);
		for (int i = 0; i < 6; ++i)
			for (int k = i + 1; k < 6; ++k)
				node->D[i][k] = node->D[k][i];
		memcpy(node->H, node->D, sizeof node->H);
		memcpy(node->g, node->f, sizeof node->g);
	}
	for (size_t at = begin; at < end; ++at)
		addJointsOf(c, t->order[at], isExact);
	for (size_t at = begin; at < end && !isExact; ++at)
		addBounds(c, t->order[at]);
}

// ---- elimination ----------------------------------------------------------------------------------------------------

static void lockNode(plJointNode* node, const uint8_t locked[2])
{
	for (int i = 0; i < 6; ++i)
	{
		if (!(locked[i / 3] & 1u << i % 3))
			continue;
		for (int k = 0; k < 6; ++k)
			node->D[i][k] = node->D[k][i] = node->U[k][i] = 0.0;
		node->D[i][i] = 1.0;
		node->f[i] = 0.0;
	}
}

static void lockRows(plJointNode* child, const uint8_t locked[2])
{
	for (int i = 0; i < 6; ++i)
		for (int k = 0; k < 6 && (locked[i / 3] & 1u << i % 3); ++k)
			child->U[i][k] = 0.0;
}

// D = L L', L in the lower triangle. False: it is not positive definite
static bool factor(double D[6][6])
{
	for (int i = 0; i < 6; ++i)
		for (int k = 0; k <= i; ++k)
		{
			double sum = D[i][k];
			for (int e = 0; e < k; ++e)
				sum -= D[i][e] * D[k][e];
			if (i == k && !(sum > 0x1p-40 * fabs(D[i][i])))
				return false;
			D[i][k] = i == k ? sqrt(sum) : sum / D[k][k];
		}
	return true;
}

static void solveLower(double L[6][6], double x[6])
{
	for (int i = 0; i < 6; ++i)
	{
		for (int e = 0; e < i; ++e)
			x[i] -= L[i][e] * x[e];
		x[i] /= L[i][i];
	}
}

static void solveUpper(double L[6][6], double x[6])
{
	for (int i = 5; i >= 0; --i)
	{
		for (int e = i + 1; e < 6; ++e)
			x[i] -= L[e][i] * x[e];
		x[i] /= L[i][i];
	}
}

static plJointNode* parentOf(const plContacts* c, uint32_t mover)
{
	uint32_t link = c->joints.tree.link[mover];
	return link != UINT32_MAX ? c->joints.tree.nodes + otherEnd(c, link) : NULL;
}

// From leaves to the root: U becomes U L^-T, and the parent's block loses U U'.
static bool eliminate(plContacts* c, size_t begin, size_t end)
{
	plJointTree* t = &c->joints.tree;
	for (size_t at = end; at-- > begin;)
	{
		plJointNode *node = t->nodes + t->order[at], *parent = parentOf(c, t->order[at]);
		lockNode(node, c->movers[t->order[at]].locked);
		if (!factor(node->D))
			return false;
		solveLower(node->D, node->f);
		if (parent == NULL)
			continue;
		lockRows(node, c->movers[otherEnd(c, t->link[t->order[at]])].locked);
		for (int i = 0; i < 6; ++i)
		{
			solveLower(node->D, node->U[i]);
			for (int e = 0; e < 6; ++e)
				parent->f[i] -= node->U[i][e] * node->f[e];
		}
		for (int i = 0; i < 6; ++i)
			for (int k = 0; k < 6; ++k)
				for (int e = 0; e < 6; ++e)
					parent->D[i][k] -= node->U[i][e] * node->U[k][e];
	}
	return true;
}

static void substitute(plContacts* c, size_t begin, size_t end)
{
	plJointTree* t = &c->joints.tree;
	for (size_t at = begin; at < end; ++at)
	{
		plJointNode *node = t->nodes + t->order[at], *parent = parentOf(c, t->order[at]);
		for (int e = 0; parent != NULL && e < 6; ++e)
			for (int i = 0; i < 6; ++i)
				node->f[e] -= node->U[i][e] * parent->f[i];
		solveUpper(node->D, node->f);
	}
}

// No body turns by more at once: beyond, what is linear tells nothing.
static double shareOf(const plContacts* c, size_t begin, size_t end)
{
	static const double most = 0.5; // rad
	double largest = 0.0;
	for (size_t at = begin; at < end; ++at)
		largest = plMax(largest, plLength3(c->joints.tree.nodes[c->joints.tree.order[at]].f + 3));
	return largest > most ? most / largest : 1.0;
}

// Of all joints of a tree, each by the side that assembles it.
static double getPotential(const plContacts* c, size_t begin, size_t end)
{
	const plJoints* j = &c->joints;
	double sum = 0.0, n[3];
	for (size_t at = begin; at < end; ++at)
		for (size_t s = j->sideStart[j->tree.order[at]]; s < j->sideStart[j->tree.order[at] + 1]; ++s)
		{
			const plJointRecord* record = j->records + j->sides[s] / 2;
			if (!isAdder(c, j->sides[s]))
				continue;
			plJointPose pose = plJointPose_Make(&record->ends[0].now, &record->ends[1].now);
			for (uint32_t i = 0; i < record->rowCount; ++i)
				sum += plJointRow_GetPotential(record->rows + i,
				                               plJointPose_Measure(&pose, record->rows[i].axis, record->twist, n));
		}
	return sum;
}

// By how much all but joints changes with a share of the step: contacts by what is linear in them.
static double getChange(const plContacts* c, size_t begin, size_t end, double share)
{
	double sum = 0.0;
	for (size_t at = begin; at < end; ++at)
	{
		const plJointNode* node = c->joints.tree.nodes + c->joints.tree.order[at];
		for (int i = 0; i < 6; ++i)
		{
			double row = 0.0;
			for (int e = 0; e < 6; ++e)
				row += node->H[i][e] * node->f[e];
			sum += share * node->f[i] * (0.5 * share * row - node->g[i]);
		}
	}
	return sum;
}

static void moveFrames(plContacts* c, size_t begin, size_t end, double share)
{
	for (size_t at = begin; at < end; ++at)
	{
		uint32_t mover = c->joints.tree.order[at];
		double zeta[6];
		plContacts_GetZeta(c, mover, zeta);
		for (int i = 0; i < 6; ++i)
			zeta[i] += share * c->joints.tree.nodes[mover].f[i];
		plContacts_MoveJoints(c, mover, zeta);
	}
}

// Half of the step, half of that, ... until the potential does not rise; 0: none is left
static double findShare(plContacts* c, size_t begin, size_t end)
{
	double share = shareOf(c, begin, end), before = getPotential(c, begin, end);
	for (int tries = 0; tries < 6; ++tries, share *= 0.5)
	{
		moveFrames(c, begin, end, share);
		if (getPotential(c, begin, end) + getChange(c, begin, end, share) <=
		    before + 0x1p-44 * fabs(before)) // rounding
			return share;
	}
	return 0.0;
}

// The step to where forces balance, found again with the contacts that it runs into. False: it is not positive definite
static bool solveTree(plContacts* c, size_t begin, size_t end, bool isExact)
{
	static const int most = 2;
	plContacts_CountNone(c, begin, end);
	for (int round = 0;; ++round)
	{
		assemble(c, begin, end, isExact);
		if (!eliminate(c, begin, end))
			return false;
		substitute(c, begin, end);
		if (round == most || !plContacts_CountReached(c, begin, end))
			return true;
	}
}

static void solveTrees(size_t first, size_t last, void* context)
{
	plContacts* c = context;
	plJointTree* t = &c->joints.tree;
	for (size_t tree = first; tree < last; ++tree)
	{
		size_t begin = t->start[tree], end = t->start[tree + 1];
		double share = 0.0;
		for (int bounded = 0; bounded < 2 && share == 0.0; ++bounded)
		{
			if (!solveTree(c, begin, end, bounded == 0))
				continue;
			share = findShare(c, begin, end);
			if (share == 0.0)
				moveFrames(c, begin, end, 0.0);
		}
		for (size_t at = begin; at < end; ++at)
		{
			t->nodes[t->order[at]].share = share;
			for (int i = 0; i < 6; ++i)
				t->nodes[t->order[at]].f[i] = share > 0.0 ? share * t->nodes[t->order[at]].f[i] : 0.0;
		}
	}
}

void plContacts_SolveTrees(plContacts* c, plPool* pool)
{
	plJointTree* t = &c->joints.tree;
	plParallelFor(pool, t->count, 1, solveTrees, c);
	for (size_t at = 0; t->count > 0 && at < t->start[t->count]; ++at) // trees may share contacts
		plContacts_StepMover(c, t->order[at], t->nodes[t->order[at]].f);
}
