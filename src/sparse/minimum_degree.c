// minimum_degree.c: approximate minimum degree ordering of a graph, in quotient form
//
// Eliminating a node makes its neighbours a clique. The quotient graph never stores cliques edge by edge: an
// eliminated node stays as an *element* e with the list L_e of variables it joined. A variable i is described by its
// elements E_i and the neighbours A_i that no element covers. Eliminating the pivot p gives
//
//   L_p = (A_p u  union of L_e over e in E_p) \ {p},   after which all e in E_p are absorbed by p,
//
// and for every i in L_p the bound on its external degree (sizes are sums of weights)
//
//   d_i = min( left - w_i,  d_i + |L_p \ i|,  |A_i \ L_p| + |L_p \ i| + sum over e in E_i, e != p, of |L_e \ L_p| ).
//
// |L_e \ L_p| comes for all e at once by subtracting the weights of L_p's variables from |L_e|. An element with
// L_e within L_p is absorbed as well (aggressive absorption). Variables left with p alone are eliminated with it (mass
// elimination); variables with equal lists become one (found by a hash).
//
// [ADD96] P. R. Amestoy, T. A. Davis, I. S. Duff, An approximate minimum degree ordering algorithm, SIAM J. Matrix
//         Anal. Appl. 17(4), 1996.
// The graph may be a part of a larger one. Its neighbours there, which come later, are nodes of the border: they are
// never eliminated but count in degrees.
// Departures: lists are kept in a doubly linked order of memory, so compaction is a walk. Stamps are 64 bits wide
// and never start over. Nodes with more than 10 sqrt(n) neighbours are left out and come last, as in the authors' code.
#include "graph.h"

#include <math.h>

#define NONE UINT32_MAX

typedef struct Quotient
{
	size_t n;
	size_t slabCount;
	size_t capacity;
	size_t end;        // first free place of list
	uint32_t* list;    // [capacity] lists of variables (elements, then variables) and of elements (variables)
	size_t* head;      // [n] where the list of a node starts
	uint64_t* stamp;   // [n]
	uint64_t now;      // no stamp is above it
	uint32_t* bucket;  // [total + 1] variables by degree
	uint32_t* slab;    // all that follows, n each
	uint32_t* length;  // of the list
	uint32_t* covered; // how many of it are elements, for a variable
	uint32_t* weight;  // of a live variable; 0: absorbed, eliminated or left out
	uint32_t* size;    // variable: degree; element: |L_e|
	uint32_t* before;  // in the bucket of its degree
	uint32_t* after;
	uint32_t* lower; // neighbours in memory
	uint32_t* upper;
	uint32_t* member; // chain of the variables that were merged into this one
	uint32_t* last;   // end of that chain
	uint32_t* inPivot;
	uint32_t* hashHead;
	uint32_t* hashNext;
	uint32_t* hash;
	uint32_t* scratch;
	uint8_t* isElement;       // [n] live element
	uint32_t lowest, highest; // ends of the order of memory
	size_t total;             // weight of all variables that take part
	size_t left;              // of those not eliminated yet
	size_t border;            // weight of the border
	size_t inner;             // nodes from here on are the border
	uint32_t serial;          // of the pivot
} Quotient;

enum
{
	slabArrays = 15
};

static void destroyQuotient(Quotient* q, size_t buckets, plHeap* heap)
{
	PL_FREE(heap, q->isElement, q->n);
	PL_FREE(heap, q->slab, q->slabCount);
	PL_FREE(heap, q->bucket, buckets);
	PL_FREE(heap, q->stamp, q->n);
	PL_FREE(heap, q->head, q->n);
	PL_FREE(heap, q->list, q->capacity);
}

static bool allocateQuotient(Quotient* q, const plGraph* graph, size_t buckets, plHeap* heap)
{
	size_t n = graph->n;
	*q = (Quotient){.n = n, .capacity = graph->entries + graph->entries / 4 + n + 1, .slabCount = slabArrays * n};
	q->list = PL_NEW(heap, uint32_t, q->capacity);
	q->head = PL_NEW(heap, size_t, n);
	q->stamp = PL_NEW_ZERO(heap, uint64_t, n);
	q->bucket = PL_NEW(heap, uint32_t, buckets);
	q->slab = PL_NEW_ZERO(heap, uint32_t, q->slabCount);
	q->isElement = PL_NEW_ZERO(heap, uint8_t, n);
	if (!q->list || !q->head || !q->stamp || !q->bucket || !q->slab || !q->isElement)
		return false;
	uint32_t** arrays[slabArrays] = {&q->length,  &q->covered,  &q->weight,   &q->size,   &q->before,
	                                 &q->after,   &q->lower,    &q->upper,    &q->member, &q->last,
	                                 &q->inPivot, &q->hashHead, &q->hashNext, &q->hash,   &q->scratch};
	for (size_t a = 0; a < slabArrays; ++a)
		*arrays[a] = q->slab + a * n;
	return true;
}

// ---- the two orders a node stands in ----------------------------------------------------------------------------

static void enterBucket(Quotient* q, uint32_t i)
{
	if (i >= q->inner)
		return;
	uint32_t first = q->bucket[q->size[i]];
	q->before[i] = NONE;
	q->after[i] = first;
	if (first != NONE)
		q->before[first] = i;
	q->bucket[q->size[i]] = i;
}

static void leaveBucket(Quotient* q, uint32_t i)
{
	if (i >= q->inner)
		return;
	if (q->after[i] != NONE)
		q->before[q->after[i]] = q->before[i];
	if (q->before[i] != NONE)
		q->after[q->before[i]] = q->after[i];
	else
		q->bucket[q->size[i]] = q->after[i];
}

static void enterMemory(Quotient* q, uint32_t i)
{
	q->lower[i] = q->highest;
	q->upper[i] = NONE;
	if (q->highest != NONE)
		q->upper[q->highest] = i;
	else
		q->lowest = i;
	q->highest = i;
}

// The list of i is not needed any more.
static void leaveMemory(Quotient* q, uint32_t i)
{
	if (q->lower[i] != NONE)
		q->upper[q->lower[i]] = q->upper[i];
	else
		q->lowest = q->upper[i];
	if (q->upper[i] != NONE)
		q->lower[q->upper[i]] = q->lower[i];
	else
		q->highest = q->lower[i];
	q->length[i] = 0;
}

// Room for `count` more. Live lists never hold more than the graph did, and count <= n: after compaction it fits.
static void makeRoom(Quotient* q, size_t count)
{
	if (q->capacity - q->end >= count)
		return;
	size_t end = 0;
	for (uint32_t i = q->lowest; i != NONE; i = q->upper[i])
	{
		memmove(q->list + end, q->list + q->head[i], q->length[i] * sizeof *q->list);
		q->head[i] = end;
		end += q->length[i];
	}
	q->end = end;
}

// ---- start ------------------------------------------------------------------------------------------------------

// Fills everything; dense nodes go to the end of `order`.
static void start(Quotient* q, const plGraph* graph, uint32_t* order, size_t buckets)
{
	size_t n = graph->n, inner = q->inner, dense = 0;
	size_t limit = (size_t)(10.0 * sqrt((double)n));
	limit = limit < 16 ? 16 : limit;
	for (size_t d = 0; d < buckets; ++d)
		q->bucket[d] = NONE;
	q->lowest = q->highest = NONE;
	for (size_t i = 0; i < n; ++i)
	{
		q->last[i] = (uint32_t)i;
		q->member[i] = q->hashHead[i] = NONE;
		if (i < inner && graph->start[i + 1] - graph->start[i] > limit)
			order[inner - ++dense] = (uint32_t)i;
		else
			q->weight[i] = graph->weight[i];
		q->total += q->weight[i];
		q->border += i < inner ? 0 : q->weight[i];
	}
	for (uint32_t i = 0; i < n; ++i)
	{
		if (q->weight[i] == 0)
			continue;
		q->head[i] = q->end;
		for (size_t k = graph->start[i]; k < graph->start[i + 1]; ++k)
		{
			uint32_t j = graph->adjacent[k];
			if (q->weight[j] == 0)
				continue;
			q->list[q->end++] = j;
			q->size[i] += q->weight[j];
		}
		q->length[i] = (uint32_t)(q->end - q->head[i]);
		enterMemory(q, i);
		enterBucket(q, i);
	}
	q->left = q->total;
}

// ---- one pivot --------------------------------------------------------------------------------------------------

static void addToPivot(Quotient* q, uint32_t p, uint32_t i)
{
	if (q->weight[i] == 0 || q->inPivot[i] == q->serial)
		return;
	q->inPivot[i] = q->serial;
	q->list[q->end++] = i;
	q->size[p] += q->weight[i];
	leaveBucket(q, i);
}

// L_p at the end of the list; its elements are absorbed.
static void makeElement(Quotient* q, uint32_t p)
{
	size_t room = q->length[p];
	for (uint32_t k = 0; k < q->covered[p]; ++k)
		room += q->length[q->list[q->head[p] + k]];
	makeRoom(q, room < q->n ? room : q->n);
	size_t begin = q->end;
	q->inPivot[p] = q->serial;
	q->size[p] = 0;
	for (uint32_t k = 0; k < q->length[p]; ++k)
	{
		uint32_t e = q->list[q->head[p] + k];
		if (k >= q->covered[p])
		{
			addToPivot(q, p, e);
			continue;
		}
		for (uint32_t m = 0; m < q->length[e]; ++m)
			addToPivot(q, p, q->list[q->head[e] + m]);
		q->isElement[e] = 0;
		leaveMemory(q, e);
	}
	leaveMemory(q, p);
	q->head[p] = begin;
	q->length[p] = (uint32_t)(q->end - begin);
	q->isElement[p] = 1;
	enterMemory(q, p);
}

// stamp[e] - now = |L_e \ L_p| for every element that meets L_p
static void measureElements(Quotient* q, uint32_t p)
{
	for (uint32_t k = 0; k < q->length[p]; ++k)
	{
		uint32_t i = q->list[q->head[p] + k];
		for (uint32_t m = 0; m < q->covered[i]; ++m)
		{
			uint32_t e = q->list[q->head[i] + m];
			if (!q->isElement[e])
				continue;
			if (q->stamp[e] < q->now)
				q->stamp[e] = q->now + q->size[e];
			q->stamp[e] -= q->weight[i];
		}
	}
}

static void merge(Quotient* q, uint32_t into, uint32_t i)
{
	q->member[q->last[into]] = i;
	q->last[into] = q->last[i];
	q->weight[into] += q->weight[i];
	q->weight[i] = 0;
	leaveMemory(q, i);
}

// The lists of i with p in front; the part of the degree outside L_p; the hash. False: i can be eliminated with p.
static bool rewrite(Quotient* q, uint32_t p, uint32_t i)
{
	uint32_t* list = q->list + q->head[i];
	uint32_t count = 0, k = 0;
	uint64_t outside = 0, hash = p;
	q->scratch[count++] = p;
	for (; k < q->covered[i]; ++k)
	{
		uint32_t e = list[k];
		if (!q->isElement[e])
			continue;
		if (q->stamp[e] == q->now)
		{
			q->isElement[e] = 0;
			leaveMemory(q, e);
			continue;
		}
		outside += q->stamp[e] - q->now;
		hash += e;
		q->scratch[count++] = e;
	}
	uint32_t covered = count;
	for (; k < q->length[i]; ++k)
	{
		uint32_t j = list[k];
		if (q->weight[j] == 0 || q->inPivot[j] == q->serial)
			continue;
		outside += q->weight[j];
		hash += j;
		q->scratch[count++] = j;
	}
	// i lost p or an element of p's, so the list has not grown.
	memcpy(list, q->scratch, count * sizeof *list);
	q->covered[i] = covered;
	q->length[i] = count;
	if (outside < q->size[i])
		q->size[i] = (uint32_t)outside;
	q->hash[i] = (uint32_t)(hash % q->n);
	return count > 1 || i >= q->inner;
}

static bool sameLists(const Quotient* q, uint32_t i, uint32_t j)
{
	if (q->length[i] != q->length[j] || q->covered[i] != q->covered[j] || (i < q->inner) != (j < q->inner))
		return false;
	const uint32_t* list = q->list + q->head[j];
	for (uint32_t k = 0; k < q->length[j]; ++k)
	{
		if (q->stamp[list[k]] != q->now)
			return false;
	}
	return true;
}

// Variables of L_p with the same lists become one: each chain of equal hashes is compared, front against the rest.
static void mergeTwins(Quotient* q, uint32_t p)
{
	for (uint32_t k = 0; k < q->length[p]; ++k)
	{
		uint32_t first = q->list[q->head[p] + k];
		if (q->weight[first] == 0)
			continue;
		uint32_t i = q->hashHead[q->hash[first]];
		q->hashHead[q->hash[first]] = NONE;
		for (; i != NONE; i = q->hashNext[i])
		{
			if (q->hashNext[i] == NONE)
				break;
			q->now++;
			for (uint32_t m = 0; m < q->length[i]; ++m)
				q->stamp[q->list[q->head[i] + m]] = q->now;
			uint32_t previous = i;
			for (uint32_t j = q->hashNext[i]; j != NONE; j = q->hashNext[j])
			{
				if (sameLists(q, i, j))
				{
					merge(q, i, j);
					q->hashNext[previous] = q->hashNext[j];
				}
				else
					previous = j;
			}
		}
	}
}

// Degrees of L_p's variables, which go back to their buckets; L_p without the variables that are gone.
static void finishPivot(Quotient* q, uint32_t p, size_t* lowest)
{
	uint32_t* list = q->list + q->head[p];
	uint32_t count = 0;
	for (uint32_t k = 0; k < q->length[p]; ++k)
	{
		uint32_t i = list[k];
		if (q->weight[i] == 0)
			continue;
		uint64_t degree = (uint64_t)q->size[i] + q->size[p] - q->weight[i];
		uint64_t most = q->left - q->weight[i];
		q->size[i] = (uint32_t)(degree < most ? degree : most);
		enterBucket(q, i);
		*lowest = q->size[i] < *lowest ? q->size[i] : *lowest;
		list[count++] = i;
	}
	q->length[p] = count;
	q->end = q->head[p] + count;
	if (count == 0)
	{
		q->isElement[p] = 0;
		leaveMemory(q, p);
	}
}

static void eliminate(Quotient* q, uint32_t p, size_t* lowest)
{
	q->serial++;
	leaveBucket(q, p);
	makeElement(q, p);
	q->now += q->total + 1;
	measureElements(q, p);
	for (uint32_t k = 0; k < q->length[p]; ++k)
	{
		uint32_t i = q->list[q->head[p] + k];
		if (!rewrite(q, p, i))
		{
			q->size[p] -= q->weight[i];
			merge(q, p, i);
			continue;
		}
		q->hashNext[i] = q->hashHead[q->hash[i]];
		q->hashHead[q->hash[i]] = i;
	}
	q->now += q->total + 1;
	mergeTwins(q, p);
	q->left -= q->weight[p];
	q->weight[p] = 0;
	finishPivot(q, p, lowest);
}

plResult plGraph_OrderMinimumDegree(const plGraph* graph, size_t inner, uint32_t* order, plHeap* heap)
{
	if (inner == 0)
		return pl_success;
	size_t buckets = 1;
	for (size_t i = 0; i < graph->n; ++i)
		buckets += graph->weight[i];
	Quotient q;
	plResult result = pl_errorMemory;
	if (allocateQuotient(&q, graph, buckets, heap))
	{
		q.inner = inner;
		start(&q, graph, order, buckets);
		size_t lowest = 0, place = 0;
		while (q.left > q.border)
		{
			while (q.bucket[lowest] == NONE)
				lowest++;
			uint32_t p = q.bucket[lowest];
			eliminate(&q, p, &lowest);
			for (uint32_t i = p; i != NONE; i = q.member[i])
				order[place++] = i;
		}
		result = pl_success;
	}
	destroyQuotient(&q, buckets, heap);
	return result;
}
