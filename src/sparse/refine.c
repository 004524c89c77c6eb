// refine.c: improves a vertex separator by moving one node at a time
//
// Moving v from the separator S to side s pulls its neighbours on the other side into S. What S loses:
//
//   gain_s(v) = w(v) - sum of w(u) over neighbours u of v on side 1 - s
//
// A pass moves the node of largest gain again and again, each node once, also when the gain is negative; then it goes
// back to the best state seen. Passes repeat while they help. Ties go to the lighter side, then to the smaller number:
// the result is the same everywhere.
//
// References: C. M. Fiduccia, R. M. Mattheyses, A linear-time heuristic for improving network partitions, Design
// Automation Conference 1982; C. Ashcraft, J. W. H. Liu, A partition improvement algorithm for generalized nested
// dissection, Boeing report BCSTECH-94-020, 1994 (the form for separators).
#include "separator.h"

#define NONE UINT32_MAX

enum
{
	mostPasses = 8,
	patience = 100, // moves without a better state after which a pass ends
};

// A heap of separator nodes by gain towards one side.
typedef struct Queue
{
	uint32_t* node; // [count]
	uint32_t* at;   // [n] place of a node, NONE: not in the queue
	int64_t* gain;  // [n]
	size_t count;
} Queue;

typedef struct Pass
{
	const plWeightedGraph* graph;
	plCut* cut;
	Queue queue[2];
	uint8_t* moved; // [n] in this pass
	uint32_t* log;  // moved node, then the nodes it pulled, then their number
	size_t logCount;
	size_t logCapacity;
	size_t most;
} Pass;

// ---- queue --------------------------------------------------------------------------------------------------------

static bool precedes(const Queue* q, uint32_t a, uint32_t b)
{
	return q->gain[a] != q->gain[b] ? q->gain[a] > q->gain[b] : a < b;
}

static void put(Queue* q, size_t place, uint32_t node)
{
	q->node[place] = node;
	q->at[node] = (uint32_t)place;
}

static void rise(Queue* q, size_t place)
{
	uint32_t node = q->node[place];
	for (; place > 0 && precedes(q, node, q->node[(place - 1) / 2]); place = (place - 1) / 2)
		put(q, place, q->node[(place - 1) / 2]);
	put(q, place, node);
}

static void sink(Queue* q, size_t place)
{
	uint32_t node = q->node[place];
	for (;;)
	{
		size_t child = 2 * place + 1;
		if (child >= q->count)
			break;
		if (child + 1 < q->count && precedes(q, q->node[child + 1], q->node[child]))
			child++;
		if (!precedes(q, q->node[child], node))
			break;
		put(q, place, q->node[child]);
		place = child;
	}
	put(q, place, node);
}

static void insert(Queue* q, uint32_t node)
{
	put(q, q->count++, node);
	rise(q, q->count - 1);
}

static void withdraw(Queue* q, uint32_t node)
{
	size_t place = q->at[node];
	if (place == NONE)
		return;
	q->at[node] = NONE;
	uint32_t last = q->node[--q->count];
	if (last == node)
		return;
	put(q, place, last);
	rise(q, place);
	sink(q, q->at[last]);
}

static void change(Queue* q, uint32_t node, int64_t by)
{
	q->gain[node] += by;
	if (q->at[node] == NONE)
		return;
	rise(q, q->at[node]);
	sink(q, q->at[node]);
}

// ---- moves --------------------------------------------------------------------------------------------------------

static void measureGains(Pass* p, uint32_t v)
{
	const plWeightedGraph* g = p->graph;
	int64_t gain[2] = {g->weight[v], g->weight[v]};
	for (size_t k = g->start[v]; k < g->start[v + 1]; ++k)
	{
		uint32_t u = g->adjacent[k];
		if (p->cut->side[u] != pl_sideSeparator)
			gain[1 - p->cut->side[u]] -= g->weight[u];
	}
	p->queue[0].gain[v] = gain[0];
	p->queue[1].gain[v] = gain[1];
}

static void setSide(Pass* p, uint32_t v, uint8_t side)
{
	p->cut->weight[p->cut->side[v]] -= p->graph->weight[v];
	p->cut->weight[side] += p->graph->weight[v];
	p->cut->side[v] = side;
}

// u joins the separator from side `from`.
static void pull(Pass* p, uint32_t u, uint8_t from)
{
	const plWeightedGraph* g = p->graph;
	setSide(p, u, pl_sideSeparator);
	for (size_t k = g->start[u]; k < g->start[u + 1]; ++k)
	{
		uint32_t x = g->adjacent[k];
		if (p->cut->side[x] == pl_sideSeparator)
			change(&p->queue[1 - from], x, g->weight[u]);
	}
	measureGains(p, u);
	if (!p->moved[u])
	{
		insert(&p->queue[0], u);
		insert(&p->queue[1], u);
	}
}

static void move(Pass* p, uint32_t v, uint8_t side)
{
	const plWeightedGraph* g = p->graph;
	uint8_t other = (uint8_t)(1 - side);
	withdraw(&p->queue[0], v);
	withdraw(&p->queue[1], v);
	p->moved[v] = 1;
	setSide(p, v, side);
	p->log[p->logCount++] = v;
	uint32_t pulled = 0;
	for (size_t k = g->start[v]; k < g->start[v + 1]; ++k)
	{
		uint32_t u = g->adjacent[k];
		if (p->cut->side[u] == pl_sideSeparator)
			change(&p->queue[other], u, -(int64_t)g->weight[v]);
		else if (p->cut->side[u] == other)
		{
			pull(p, u, other);
			p->log[p->logCount++] = u;
			pulled++;
		}
	}
	p->log[p->logCount++] = pulled;
}

// Takes back moves until the log is `count` long.
static void undo(Pass* p, size_t count)
{
	while (p->logCount > count)
	{
		uint32_t pulled = p->log[--p->logCount];
		uint32_t v = p->log[p->logCount - pulled - 1];
		uint8_t other = (uint8_t)(1 - p->cut->side[v]);
		for (uint32_t k = 0; k < pulled; ++k)
			setSide(p, p->log[--p->logCount], other);
		setSide(p, p->log[--p->logCount], pl_sideSeparator);
	}
}

// The next move: the larger gain among the sides that have room. False: there is none.
static bool choose(const Pass* p, uint32_t* node, uint8_t* side)
{
	bool found = false;
	uint8_t light = p->cut->weight[1] < p->cut->weight[0];
	for (uint8_t turn = 0; turn < 2; ++turn)
	{
		uint8_t s = turn ? (uint8_t)(1 - light) : light;
		const Queue* q = &p->queue[s];
		if (q->count == 0 || (s != light && p->cut->weight[s] + p->graph->weight[q->node[0]] > p->most))
			continue;
		if (found && p->queue[s].gain[q->node[0]] <= p->queue[*side].gain[*node])
			continue;
		*node = q->node[0];
		*side = s;
		found = true;
	}
	return found;
}

bool plCut_IsBetter(const plCut* a, const plCut* b, size_t most)
{
	size_t heavyA = a->weight[0] > a->weight[1] ? a->weight[0] : a->weight[1];
	size_t heavyB = b->weight[0] > b->weight[1] ? b->weight[0] : b->weight[1];
	bool withinA = heavyA <= most, withinB = heavyB <= most;
	if (withinA != withinB)
		return withinA;
	if (!withinA)
		return heavyA < heavyB;
	if (a->weight[2] != b->weight[2])
		return a->weight[2] < b->weight[2];
	return heavyA < heavyB;
}

// One pass. False: it did not help.
static bool runPass(Pass* p)
{
	size_t n = p->graph->n;
	memset(p->moved, 0, n * sizeof *p->moved);
	p->logCount = p->queue[0].count = p->queue[1].count = 0;
	for (uint32_t v = 0; v < n; ++v)
	{
		p->queue[0].at[v] = p->queue[1].at[v] = NONE;
		if (p->cut->side[v] != pl_sideSeparator)
			continue;
		measureGains(p, v);
		insert(&p->queue[0], v);
		insert(&p->queue[1], v);
	}
	plCut best = *p->cut;
	size_t bestCount = 0;
	uint32_t v = 0;
	uint8_t side = 0;
	for (int idle = 0; idle < patience && choose(p, &v, &side); ++idle)
	{
		if (p->logCapacity - p->logCount < p->graph->start[v + 1] - p->graph->start[v] + 2)
			break;
		move(p, v, side);
		if (!plCut_IsBetter(p->cut, &best, p->most))
			continue;
		best = *p->cut;
		bestCount = p->logCount;
		idle = -1;
	}
	undo(p, bestCount);
	return bestCount > 0;
}

bool plCut_Refine(plCut* cut, const plWeightedGraph* graph, size_t most, plArena* arena)
{
	size_t n = graph->n;
	plArenaMark mark = plArena_Mark(arena);
	// A node moves once per pass and is pulled at most once after a move of each neighbour: the edges bound the log.
	Pass p = {.graph = graph, .cut = cut, .most = most, .logCapacity = 2 * n + graph->start[n] + 2};
	p.moved = plArena_Allocate(arena, n * sizeof *p.moved);
	p.log = plArena_Allocate(arena, p.logCapacity * sizeof *p.log);
	bool ok = p.moved && p.log;
	for (int s = 0; s < 2; ++s)
	{
		p.queue[s].node = plArena_Allocate(arena, n * sizeof(uint32_t));
		p.queue[s].at = plArena_Allocate(arena, n * sizeof(uint32_t));
		p.queue[s].gain = plArena_Allocate(arena, n * sizeof(int64_t));
		ok = ok && p.queue[s].node && p.queue[s].at && p.queue[s].gain;
	}
	for (int pass = 0; ok && pass < mostPasses && runPass(&p); ++pass)
		;
	plArena_Release(arena, mark);
	return ok;
}
