// manifold_merge.c: manifolds of one solid with the triangles of a mesh, those that push the same way made one
//
// Triangles know nothing of each other: a ball on an edge touches both of its triangles in the same point, and a box on
// a fine floor touches every triangle below it. Each of these would push. So manifolds whose normals differ by 2.5
// degrees at most are one, with the normal of the deepest: up to four points of all of theirs, as on a floor of one
// piece.
//
// Points are chosen in rounds. A round takes the points that the last one has left, then all of them again, chooses
// four (reduce.c) and leaves out those that the others bear: points on a segment or in a triangle of others, up to the
// slack, and no deeper than there. Without that a floor's own edges would give points between the corners of a box.
#include "narrow.h"

static const double levelCosine = 1.0 - 0x1p-10;

typedef struct List
{
	plManifold* first;
	size_t count;
} List;

static plManifold* at(const List* list, size_t i)
{
	return list->first + i;
}

static double deepestOf(const plManifold* m)
{
	double depth = -HUGE_VAL;
	for (int k = 0; k < m->count; ++k)
		depth = fmax(depth, m->points[k].depth);
	return depth;
}

// From a place on, the one that leads: it has a normal of its own, and is the deepest of these. SIZE_MAX: none is left
static size_t findLeader(const List* list, size_t from)
{
	size_t best = SIZE_MAX;
	for (size_t i = from; i < list->count; ++i)
	{
		const plManifold *m = at(list, i), *b = best == SIZE_MAX ? NULL : at(list, best);
		if (m->count == 0 || (b != NULL && m->borrowed && !b->borrowed))
			continue;
		if (b == NULL || (b->borrowed && !m->borrowed) || deepestOf(m) > deepestOf(b))
			best = i;
	}
	return best;
}

static void swap(plManifold* x, plManifold* y)
{
	plManifold m = *x;
	*x = *y;
	*y = m;
}

// ---- what the others bear -------------------------------------------------------------------------------------------

// Is the point k level with or above the segment i j, and on it up to the slack?
static bool isOnSegment(const plCandidates* c, int k, int i, int j)
{
	double e[3], d[3];
	plSubtract3(c->at[j].x, c->at[i].x, e);
	plSubtract3(c->at[k].x, c->at[i].x, d);
	along3(e, -plDot3(e, c->normal), c->normal, e);
	along3(d, -plDot3(d, c->normal), c->normal, d);
	double ee = plDot3(e, e), t = ee > 0.0 ? clamp(plDot3(d, e) / ee, 0.0, 1.0) : 0.0;
	along3(d, -t, e, d);
	double gap = c->at[i].gap + t * (c->at[j].gap - c->at[i].gap);
	return plDot3(d, d) <= c->slack * c->slack && c->at[k].gap >= gap - c->slack;
}

// The same with the triangle of the three others
static bool isInTriangle(const plCandidates* c, int k, const int corners[3])
{
	double weights[3], sum = 0.0, gap = 0.0;
	for (int i = 0; i < 3; ++i)
	{
		double u[3], v[3], turn[3];
		plSubtract3(c->at[corners[(i + 1) % 3]].x, c->at[k].x, u);
		plSubtract3(c->at[corners[(i + 2) % 3]].x, c->at[k].x, v);
		plCross3(u, v, turn);
		sum += weights[i] = plDot3(turn, c->normal);
	}
	for (int i = 0; i < 3; ++i)
	{
		if (!(weights[i] * sum > 0.0))
			return false;
		gap += weights[i] / sum * c->at[corners[i]].gap;
	}
	return c->at[k].gap >= gap - c->slack;
}

static bool isBorne(const plCandidates* c, int k)
{
	int others[3], count = 0;
	for (int i = 0; i < c->count; ++i)
		if (i != k)
			others[count++] = i;
	for (int i = 0; i < count; ++i)
		for (int j = 0; j <= i; ++j)
			if (isOnSegment(c, k, others[j], others[i]))
				return true;
	return count == 3 && isInTriangle(c, k, others);
}

static void leaveOutBorne(plCandidates* c)
{
	for (int k = c->count - 1; k >= 0; --k)
		if (isBorne(c, k))
		{
			for (int i = k + 1; i < c->count; ++i)
				c->at[i - 1] = c->at[i];
			c->count--;
		}
}

// The next round begins with the second point, the farthest from the first: that is a corner of all that touches.
static void startAtFarthest(plCandidates* c)
{
	if (c->count < 2)
		return;
	plCandidate first = c->at[0];
	c->at[0] = c->at[1];
	c->at[1] = first;
}

// ---- one of several -------------------------------------------------------------------------------------------------

// Does manifold m push as the leader does? One whose normal is not its own counts only if the leader's is not either:
// the triangle that has the normal has the points, too.
static bool isLevel(const plManifold* leader, const plManifold* m)
{
	return m->count > 0 && plDot3(leader->normal, m->normal) >= levelCosine;
}

// The points of the leader, at `first`, and of all after it that push as it does; these are left without points.
static void mergeInto(const List* list, size_t first, const plPair* pair)
{
	enum
	{
		rounds = 3
	};
	static const plSite world = {.R = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
	plManifold* leader = at(list, first);
	plManifold merged = *leader;
	plCandidates c;
	plCandidates_Begin(&c, pair, leader->normal, 0.0);
	for (int round = 0; round < rounds; ++round)
	{
		for (size_t i = first; i < list->count; ++i)
		{
			const plManifold* m = at(list, i);
			if (isLevel(leader, m) && m->borrowed == leader->borrowed)
				for (int k = 0; k < m->count; ++k)
				{
					double xa[3], xb[3];
					plManifold_GetPlaces(m, (uint32_t)k, xa, xb);
					plCandidates_Add(&c, xa, -m->points[k].depth, m->points[k].feature);
				}
		}
		plCandidates_Choose(&c);
		leaveOutBorne(&c);
		startAtFarthest(&c);
	}
	plCandidates_Finish(&c, &world, 0.0, 0.0, &merged);
	for (size_t i = first + 1; i < list->count; ++i)
		if (isLevel(leader, at(list, i)))
			at(list, i)->count = 0;
	*leader = merged;
}

size_t plManifold_Merge(plManifold* manifolds, size_t count, double margin, double width)
{
	List list = {.first = manifolds, .count = count};
	plPair pair = {.margin = margin, .slack = PL_SLACK_SHARE * width};
	size_t done = 0;
	for (size_t leader; (leader = findLeader(&list, done)) != SIZE_MAX; ++done)
	{
		swap(at(&list, done), at(&list, leader));
		mergeInto(&list, done, &pair);
	}
	return done;
}
