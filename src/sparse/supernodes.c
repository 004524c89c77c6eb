// supernodes.c: elimination tree, column counts, postorder, supernodes and their rows
//
// All of it on the compressed graph (graph.h), whose nodes are expanded to unknowns at the end.
//
//   tree        parent(j) = the first row below the diagonal of column j of L
//   row i of L  the union of the tree paths from every neighbour k < i of i up to i
//
// Walking these paths with a stamp per row visits every nonzero of the compressed L once: that gives the counts, and,
// on the tree of supernodes, the rows of each, already sorted because i ascends. Neighbouring columns j, j+1 =
// parent(j) with count(j) = count(j+1) + w(j) have the same rows: a supernode. A supernode is merged with the parent
// behind it if that fills in few zeros, for longer dense loops.
//
// References: J. W. H. Liu, The role of elimination trees in sparse factorization, SIAM J. Matrix Anal. Appl. 11(1),
// 1990; C. Ashcraft, R. Grimes, The influence of relaxed supernode partitions on the multifrontal method, ACM Trans.
// Math. Softw. 15(4), 1989.
#include "supernodes.h"

#include "graph.h"

#define NONE UINT32_MAX

// Arrays over nodes, in the order of elimination unless it says otherwise.
typedef struct Analysis
{
	plGraph graph;   // nodes by number
	uint32_t* slab;  // all that follows, nodes each
	uint32_t* order; // node at a position
	uint32_t* place; // position of a node
	uint32_t* parent;
	uint32_t* count; // weight of the column, its own included
	uint32_t* mark;
	uint32_t* child;  // first child; later: work
	uint32_t* next;   // next child of the same parent; later: work
	uint32_t* holder; // supernode of a position
	uint32_t* head;   // first position of a supernode
	uint32_t* above;  // parent of a supernode
	size_t* rowStart; // [supernodes + 1], in nodes
	size_t rowStartCount;
	uint32_t* row;
	size_t rowCount;
	size_t supernodes;
	size_t nodes;
} Analysis;

enum
{
	slabArrays = 10
};

static bool allocateAnalysis(Analysis* a, plHeap* heap)
{
	size_t n = a->nodes;
	a->slab = PL_NEW(heap, uint32_t, slabArrays * n);
	if (!a->slab)
		return false;
	uint32_t** arrays[slabArrays] = {&a->order, &a->place, &a->parent, &a->count, &a->mark,
	                                 &a->child, &a->next,  &a->holder, &a->head,  &a->above};
	for (size_t k = 0; k < slabArrays; ++k)
		*arrays[k] = a->slab + k * n;
	return true;
}

static void destroyAnalysis(Analysis* a, plHeap* heap)
{
	PL_FREE(heap, a->row, a->rowCount);
	PL_FREE(heap, a->rowStart, a->rowStartCount);
	PL_FREE(heap, a->slab, slabArrays * a->nodes);
	plGraph_Destroy(&a->graph, heap);
}

static uint32_t weightAt(const Analysis* a, size_t position)
{
	return a->graph.weight[a->order[position]];
}

// parent[], with paths to the current root compressed in `next`.
static void buildTree(Analysis* a)
{
	const plGraph* g = &a->graph;
	for (uint32_t i = 0; i < a->nodes; ++i)
	{
		a->place[a->order[i]] = i;
		a->parent[i] = a->next[i] = NONE;
	}
	for (uint32_t i = 0; i < a->nodes; ++i)
	{
		for (size_t e = g->start[a->order[i]]; e < g->start[a->order[i] + 1]; ++e)
		{
			uint32_t k = a->place[g->adjacent[e]];
			while (k != NONE && k < i)
			{
				uint32_t up = a->next[k];
				a->next[k] = i;
				if (up == NONE)
					a->parent[k] = i;
				k = up;
			}
		}
	}
}

static void countColumns(Analysis* a)
{
	const plGraph* g = &a->graph;
	for (uint32_t i = 0; i < a->nodes; ++i)
	{
		a->mark[i] = i;
		a->count[i] = weightAt(a, i);
		for (size_t e = g->start[a->order[i]]; e < g->start[a->order[i] + 1]; ++e)
		{
			for (uint32_t k = a->place[g->adjacent[e]]; k < i && a->mark[k] != i; k = a->parent[k])
			{
				a->mark[k] = i;
				a->count[k] += weightAt(a, i);
			}
		}
	}
}

// Multiplications to factorise in the present order, about.
static double measureOrder(Analysis* a)
{
	buildTree(a);
	countColumns(a);
	double work = 0;
	for (size_t i = 0; i < a->nodes; ++i)
		work += (double)weightAt(a, i) * (double)a->count[i] * (double)a->count[i];
	return work;
}

static void swapOrders(Analysis* a)
{
	uint32_t* order = a->order;
	a->order = a->head;
	a->head = order;
}

// Minimum degree or nested dissection, whichever takes less work: the former for thin bodies, the latter for thick.
static plResult chooseOrder(Analysis* a, plHeap* heap)
{
	plResult result = plGraph_OrderDissection(&a->graph, a->head, heap);
	if (result == pl_success)
		result = plGraph_OrderMinimumDegree(&a->graph, a->nodes, a->order, heap);
	if (result != pl_success)
		return result;
	double byDegree = measureOrder(a);
	swapOrders(a);
	if (measureOrder(a) < byDegree)
		return pl_success;
	swapOrders(a);
	measureOrder(a);
	return pl_success;
}

// Children in ascending order, but the one with the longest column last: it stands before its parent and can merge.
static void listChildren(Analysis* a)
{
	for (size_t i = 0; i < a->nodes; ++i)
		a->child[i] = a->mark[i] = NONE;
	for (uint32_t i = 0; i < a->nodes; ++i)
	{
		uint32_t p = a->parent[i];
		if (p != NONE && (a->mark[p] == NONE || a->count[i] >= a->count[a->mark[p]]))
			a->mark[p] = i;
	}
	for (int longest = 1; longest >= 0; --longest)
	{
		for (uint32_t i = (uint32_t)a->nodes; i-- > 0;)
		{
			uint32_t p = a->parent[i];
			if (p == NONE || (a->mark[p] == i) != longest)
				continue;
			a->next[i] = a->child[p];
			a->child[p] = i;
		}
	}
}

// Renumbers order, parent and count so that every subtree stands together. `holder`, `head`, `above` are work.
static void postorder(Analysis* a)
{
	listChildren(a);
	uint32_t* stack = a->holder;
	uint32_t* newAt = a->head; // position before -> position after
	uint32_t place = 0;
	for (uint32_t root = 0; root < a->nodes; ++root)
	{
		if (a->parent[root] != NONE)
			continue;
		size_t depth = 0;
		stack[depth++] = root;
		while (depth > 0)
		{
			uint32_t i = stack[depth - 1];
			uint32_t c = a->child[i];
			if (c == NONE)
			{
				newAt[i] = place++;
				depth--;
				continue;
			}
			a->child[i] = a->next[c];
			stack[depth++] = c;
		}
	}
	uint32_t *order = a->above, *parent = a->child, *count = a->next;
	for (size_t i = 0; i < a->nodes; ++i)
	{
		order[newAt[i]] = a->order[i];
		parent[newAt[i]] = a->parent[i] == NONE ? NONE : newAt[a->parent[i]];
		count[newAt[i]] = a->count[i];
	}
	memcpy(a->order, order, a->nodes * sizeof *order);
	memcpy(a->parent, parent, a->nodes * sizeof *parent);
	memcpy(a->count, count, a->nodes * sizeof *count);
	for (uint32_t i = 0; i < a->nodes; ++i)
		a->place[a->order[i]] = i;
}

// A candidate supernode during merging.
typedef struct Group
{
	uint32_t begin;
	size_t width; // in unknowns
	size_t zeros; // taken in so far
} Group;

static double entriesOf(double width, double below)
{
	return width * (width + 1) / 2 + width * below;
}

// Zeros over entries that a merged supernode of this width may hold.
static double allowedZeros(size_t width)
{
	return width <= 12 ? 1.0 : width <= 24 ? 0.5 : width <= 48 ? 0.2 : width <= 96 ? 0.1 : 0.05;
}

// Merges groups at the top of the stack into the one that ends at `end` while that is worth it.
static size_t mergeGroups(const Analysis* a, Group* groups, size_t top, uint32_t end)
{
	while (top >= 2)
	{
		Group *child = groups + top - 2, *parent = groups + top - 1;
		uint32_t up = a->parent[parent->begin - 1];
		if (up == NONE || up >= end)
			break;
		// Widths and rows below: of the child from its last column, of the parent from its last one.
		double below = a->count[end - 1] - (double)weightAt(a, end - 1);
		double childBelow = a->count[parent->begin - 1] - (double)weightAt(a, parent->begin - 1);
		double entries = entriesOf((double)(child->width + parent->width), below);
		double zeros = entries - entriesOf((double)child->width, childBelow) - entriesOf((double)parent->width, below) +
		               (double)child->zeros + (double)parent->zeros;
		if (zeros > allowedZeros(child->width + parent->width) * entries)
			break;
		child->width += parent->width;
		child->zeros = (size_t)zeros;
		top--;
	}
	return top;
}

// head[], holder[] and above[] of the supernodes.
static bool partition(Analysis* a, plHeap* heap)
{
	Group* groups = PL_NEW(heap, Group, a->nodes);
	if (!groups)
		return false;
	size_t top = 0;
	for (uint32_t i = 0; i < a->nodes;)
	{
		groups[top++] = (Group){.begin = i, .width = weightAt(a, i)};
		for (i++; i < a->nodes && a->parent[i - 1] == i && a->count[i - 1] == a->count[i] + weightAt(a, i - 1); ++i)
			groups[top - 1].width += weightAt(a, i);
		top = mergeGroups(a, groups, top, i);
	}
	a->supernodes = top;
	for (size_t s = 0; s < top; ++s)
	{
		uint32_t end = s + 1 < top ? groups[s + 1].begin : (uint32_t)a->nodes;
		a->head[s] = groups[s].begin;
		for (uint32_t i = groups[s].begin; i < end; ++i)
			a->holder[i] = (uint32_t)s;
	}
	for (size_t s = 0; s < top; ++s)
	{
		uint32_t end = s + 1 < top ? groups[s + 1].begin : (uint32_t)a->nodes;
		uint32_t up = a->parent[end - 1];
		a->above[s] = up == NONE ? NONE : a->holder[up];
	}
	PL_FREE(heap, groups, a->nodes);
	return true;
}

// One walk over the rows: counts them per supernode in next[s + 1] or, with a->row, writes them from next[s] on.
static void walkRows(Analysis* a, size_t* next, bool write)
{
	const plGraph* g = &a->graph;
	for (size_t s = 0; s < a->supernodes; ++s)
		a->mark[s] = NONE;
	for (uint32_t i = 0; i < a->nodes; ++i)
	{
		for (size_t e = g->start[a->order[i]]; e < g->start[a->order[i] + 1]; ++e)
		{
			uint32_t k = a->place[g->adjacent[e]];
			if (k > i)
				continue;
			for (uint32_t s = a->holder[k]; s != a->holder[i] && a->mark[s] != i; s = a->above[s])
			{
				a->mark[s] = i;
				if (write)
					a->row[next[s]++] = i;
				else
					next[s + 1]++;
			}
		}
	}
}

static bool listRows(Analysis* a, plHeap* heap)
{
	size_t count = a->supernodes;
	size_t* next = PL_NEW(heap, size_t, count);
	a->rowStartCount = count + 1;
	a->rowStart = PL_NEW_ZERO(heap, size_t, a->rowStartCount);
	bool ok = next && a->rowStart;
	if (ok)
	{
		walkRows(a, a->rowStart, false);
		for (size_t s = 0; s < count; ++s)
		{
			a->rowStart[s + 1] += a->rowStart[s];
			next[s] = a->rowStart[s];
		}
		a->rowCount = a->rowStart[count];
		a->row = PL_NEW(heap, uint32_t, a->rowCount);
		ok = a->row || a->rowCount == 0;
	}
	if (ok)
		walkRows(a, next, true);
	PL_FREE(heap, next, count);
	return ok;
}

// ---- from nodes to unknowns ---------------------------------------------------------------------------------------

static bool allocateShape(plSupernodes* shape, const Analysis* a, plHeap* heap)
{
	for (size_t k = 0; k < a->rowCount; ++k)
		shape->rowCount += weightAt(a, a->row[k]);
	shape->count = a->supernodes;
	shape->order = PL_NEW(heap, uint32_t, shape->n);
	shape->place = PL_NEW(heap, uint32_t, shape->n);
	shape->holder = PL_NEW(heap, uint32_t, shape->n);
	shape->first = PL_NEW(heap, size_t, shape->count + 1);
	shape->rowStart = PL_NEW(heap, size_t, shape->count + 1);
	shape->row = PL_NEW(heap, uint32_t, shape->rowCount + 1); // never NULL: a diagonal matrix has no rows below
	shape->parent = PL_NEW(heap, uint32_t, shape->count);
	return shape->order && shape->place && shape->holder && shape->first && shape->rowStart && shape->row &&
	       shape->parent;
}

// at[i] is the first unknown's position of the node at position i.
static void expand(plSupernodes* shape, const Analysis* a, const uint32_t* node, uint32_t* at)
{
	uint32_t place = 0;
	for (size_t i = 0; i < a->nodes; ++i)
	{
		at[i] = place;
		place += weightAt(a, i);
	}
	uint32_t* next = a->child; // the next unknown of a node goes here
	memcpy(next, at, a->nodes * sizeof *next);
	for (uint32_t u = 0; u < shape->n; ++u)
	{
		uint32_t i = a->place[node[u]];
		shape->place[u] = next[i];
		shape->holder[next[i]] = a->holder[i];
		shape->order[next[i]++] = u;
	}
	size_t rows = 0;
	for (size_t s = 0; s < shape->count; ++s)
	{
		shape->first[s] = at[a->head[s]];
		shape->parent[s] = a->above[s];
		shape->rowStart[s] = rows;
		for (size_t k = a->rowStart[s]; k < a->rowStart[s + 1]; ++k)
		{
			for (uint32_t w = 0; w < weightAt(a, a->row[k]); ++w)
				shape->row[rows++] = at[a->row[k]] + w;
		}
	}
	shape->first[shape->count] = shape->n;
	shape->rowStart[shape->count] = rows;
	for (size_t s = 0; s < shape->count; ++s)
	{
		size_t width = shape->first[s + 1] - shape->first[s];
		shape->nonzeros += width * (width + 1) / 2 + width * (shape->rowStart[s + 1] - shape->rowStart[s]);
	}
}

// place[order[k]] = k for all k makes both permutations.
static void validateShape(const plSupernodes* shape)
{
	for (size_t k = 0; k < shape->n; ++k)
		PL_VALIDATE(shape->order[k] < shape->n && shape->place[shape->order[k]] == k, "an ordering is a permutation");
	PL_VALIDATE(shape->first[0] == 0 && shape->first[shape->count] == shape->n, "supernodes cover all positions");
	for (size_t s = 0; s < shape->count; ++s)
	{
		size_t end = shape->first[s + 1], top = shape->rowStart[s], bottom = shape->rowStart[s + 1];
		PL_VALIDATE(shape->first[s] < end, "a supernode has columns");
		for (size_t k = shape->first[s]; k < end; ++k)
			PL_VALIDATE(shape->holder[k] == s, "a position knows its supernode");
		for (size_t r = top; r < bottom; ++r)
			PL_VALIDATE(shape->row[r] >= end && shape->row[r] < shape->n &&
			                (r == top || shape->row[r - 1] < shape->row[r]),
			            "rows below a supernode ascend");
		PL_VALIDATE(shape->parent[s] == (top < bottom ? shape->holder[shape->row[top]] : PL_NO_SUPERNODE),
		            "the parent is the supernode of the first row below");
	}
}

plResult plSupernodes_Create(plSupernodes* shape, size_t n, const size_t* start, const uint32_t* rows, plHeap* heap)
{
	*shape = (plSupernodes){.n = n};
	Analysis a = {0};
	uint32_t* node = PL_NEW(heap, uint32_t, n);
	bool ok = node && plGraph_Compress(&a.graph, node, n, start, rows, heap) == pl_success;
	a.nodes = a.graph.n;
	ok = ok && allocateAnalysis(&a, heap) && chooseOrder(&a, heap) == pl_success;
	if (ok)
	{
		postorder(&a);
		ok = partition(&a, heap) && listRows(&a, heap) && allocateShape(shape, &a, heap);
	}
	if (ok)
		expand(shape, &a, node, a.next);
	destroyAnalysis(&a, heap);
	PL_FREE(heap, node, n);
	if (ok)
	{
		PL_VALIDATE_CALL(validateShape(shape));
		return pl_success;
	}
	plSupernodes_Destroy(shape, heap);
	return pl_errorMemory;
}

void plSupernodes_Destroy(plSupernodes* shape, plHeap* heap)
{
	PL_FREE(heap, shape->parent, shape->count);
	PL_FREE(heap, shape->row, shape->rowCount + 1);
	PL_FREE(heap, shape->rowStart, shape->count + 1);
	PL_FREE(heap, shape->first, shape->count + 1);
	PL_FREE(heap, shape->holder, shape->n);
	PL_FREE(heap, shape->place, shape->n);
	PL_FREE(heap, shape->order, shape->n);
	*shape = (plSupernodes){0};
}
