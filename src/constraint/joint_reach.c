// joint_reach.c: contacts that a tree of joints runs into when it is solved at once
//
// A row that does not push leaves the block. Where its tree then goes back to it, nothing holds it there, and its
// multiplier takes over all of that way: lambda = k u, with the k of a point that bears the whole tree. The next solve
// throws the tree off again, and so on by turns; whether a step ended well was a matter of how often it solved. So
// points that do not push where the tree is, but will where it goes, are counted as if they pushed, by what they pull
// there, and the tree is solved once more: an active set, as in [HIK02].
//
//   counted: n.lambda + k n.u <= 0,   n.lambda + k n.(u + way) > 0       way: by how much the step changes u
//
// Each side has a mark of its own, so that trees that meet are worked on at the same time. Not where rows that do not
// push stay in the block anyway ("clamped": "no").
//
// [HIK02] Hintermueller, Ito, Kunisch, The primal-dual active set strategy as a semismooth Newton method, 2002.
#include "contact.h"
#include "../base/vec3.h"

static double getWay(const plContacts* c, const plBodyContact* contact, const plMeet* meet, uint32_t tree)
{
	const plJointTree* t = &c->joints.tree;
	double way = 0.0, turned[3];
	for (int side = 0; side < 2; ++side)
	{
		uint32_t mover = contact->movers[side];
		if (mover == pl_noMover || t->treeOf[mover] != tree)
			continue;
		const double* step = t->nodes[mover].f;
		plCross3(step + 3, meet->r[side], turned);
		way += (side == 0 ? 1.0 : -1.0) * (plDot3(contact->normal, step) + plDot3(contact->normal, turned));
	}
	return way;
}

// `code`: twice the contact with the side in the lowest bit
static bool markContact(plContacts* c, uint32_t code, uint32_t tree)
{
	const plBodyContact* contact = c->contacts + code / 2;
	bool changes = false;
	for (uint32_t i = 0; i < contact->count; ++i)
	{
		plMeet* meet = c->meets + contact->first + i;
		double push = plDot3(contact->normal, meet->lambda) + meet->kn * plDot3(contact->normal, meet->u);
		bool counts = push <= 0.0 && push + meet->kn * getWay(c, contact, meet, tree) > 0.0;
		changes = changes || counts != meet->counts[code % 2];
		meet->counts[code % 2] = counts;
	}
	return changes;
}

bool plContacts_CountReached(plContacts* c, size_t begin, size_t end)
{
	const plJointTree* t = &c->joints.tree;
	bool changes = false;
	for (size_t at = begin; at < end && c->rules.rescales; ++at)
		for (size_t s = c->sideStart[t->order[at]]; s < c->sideStart[t->order[at] + 1]; ++s)
			changes = markContact(c, c->sides[s], t->treeOf[t->order[at]]) || changes;
	return changes;
}

void plContacts_CountNone(plContacts* c, size_t begin, size_t end)
{
	const plJointTree* t = &c->joints.tree;
	for (size_t at = begin; at < end; ++at)
		for (size_t s = c->sideStart[t->order[at]]; s < c->sideStart[t->order[at] + 1]; ++s)
		{
			const plBodyContact* contact = c->contacts + c->sides[s] / 2;
			for (uint32_t i = 0; i < contact->count; ++i)
				c->meets[contact->first + i].counts[c->sides[s] % 2] = false;
		}
}
