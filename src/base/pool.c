// pool.c: threads behind one parallel loop
//
// A loop is posted, and the caller starts on it at once. Workers that are awake register and take ranges from a shared
// counter. When the counter is used up, the caller closes the loop and waits only for workers that registered. So it
// never waits for a worker that has not woken because another process holds its core.
//
//   post      loop = {...}, generation + 1, wake sleepers
//   register  under the lock, only while the loop is open: active + 1
//   close     under the lock: open = false; then wait for active == 0
//
// Workers spin briefly between loops, because a step posts hundreds of them, and then sleep.
#include "base.h"
#include "platform.h"

#include <stdatomic.h>
#include <stdlib.h>

enum
{
	rangesPerThread = 4, // enough to even out, few enough that taking one costs nothing
	workerSpins = 4000,  // about 50 microseconds
	callerSpins = 2000,
};

struct plPool
{
	int threadCount; // the caller included
	plThread** workers;
	plLock* lock;      // guards everything below that is not atomic
	plSignal* posted;  // a loop was posted, or the pool ends
	plSignal* drained; // the last registered worker left
	plLock* busy;      // held by the thread that runs a loop

	plRangeFcn* body;
	void* context;
	size_t count;
	size_t range;
	bool open;
	bool ending;
	atomic_int active;
	atomic_size_t next;
	atomic_uint generation;
};

static void takeRanges(plPool* pool, plRangeFcn* body, void* context, size_t count, size_t range)
{
	for (;;)
	{
		size_t begin = atomic_fetch_add_explicit(&pool->next, range, memory_order_relaxed);
		if (begin >= count)
			return;
		size_t end = count - begin < range ? count : begin + range;
		body(begin, end, context);
	}
}

static void workerMain(void* argument)
{
	plPool* pool = argument;
	unsigned seen = 0;
	for (;;)
	{
		for (int i = 0; i < workerSpins && atomic_load_explicit(&pool->generation, memory_order_relaxed) == seen; ++i)
			plPause();

		plLock_Enter(pool->lock);
		while (!pool->ending && atomic_load(&pool->generation) == seen)
			plSignal_Wait(pool->posted, pool->lock);
		if (pool->ending)
		{
			plLock_Leave(pool->lock);
			return;
		}
		seen = atomic_load(&pool->generation);
		bool registered = pool->open;
		plRangeFcn* body = pool->body;
		void* context = pool->context;
		size_t count = pool->count, range = pool->range;
		if (registered)
			atomic_fetch_add(&pool->active, 1);
		plLock_Leave(pool->lock);

		if (!registered)
			continue;
		takeRanges(pool, body, context, count, range);
		if (atomic_fetch_sub(&pool->active, 1) == 1)
		{
			plLock_Enter(pool->lock);
			plSignal_WakeAll(pool->drained);
			plLock_Leave(pool->lock);
		}
	}
}

static void waitForWorkers(plPool* pool)
{
	for (int i = 0; i < callerSpins; ++i)
	{
		if (atomic_load(&pool->active) == 0)
			return;
		plPause();
	}
	plLock_Enter(pool->lock);
	while (atomic_load(&pool->active) != 0)
		plSignal_Wait(pool->drained, pool->lock);
	plLock_Leave(pool->lock);
}

static size_t rangeLength(size_t count, size_t grain, int threads)
{
	size_t range = count / ((size_t)threads * rangesPerThread) + 1;
	return (range + grain - 1) / grain * grain;
}

void plParallelFor(plPool* pool, size_t count, size_t grain, plRangeFcn* body, void* context)
{
	PL_ASSERT(grain > 0, "a parallel loop needs a grain of at least 1");
	if (count == 0)
		return;
	// A loop inside a loop, or a second world on another thread, works alone.
	if (pool == NULL || pool->threadCount == 1 || count <= grain || !plLock_TryEnter(pool->busy))
	{
		body(0, count, context);
		return;
	}

	size_t range = rangeLength(count, grain, pool->threadCount);
	plLock_Enter(pool->lock);
	pool->body = body;
	pool->context = context;
	pool->count = count;
	pool->range = range;
	pool->open = true;
	atomic_store(&pool->next, 0);
	atomic_fetch_add(&pool->generation, 1);
	plSignal_WakeAll(pool->posted);
	plLock_Leave(pool->lock);

	takeRanges(pool, body, context, count, range);

	plLock_Enter(pool->lock);
	pool->open = false;
	plLock_Leave(pool->lock);
	waitForWorkers(pool);
	plLock_Leave(pool->busy);
}

int plPool_GetThreadCount(const plPool* pool)
{
	return pool == NULL ? 1 : pool->threadCount;
}

void plDestroyPool(plPool* pool)
{
	if (pool == NULL)
		return;
	if (pool->lock != NULL && pool->posted != NULL)
	{
		plLock_Enter(pool->lock);
		pool->ending = true;
		atomic_fetch_add(&pool->generation, 1);
		plSignal_WakeAll(pool->posted);
		plLock_Leave(pool->lock);
	}
	if (pool->workers != NULL)
		for (int i = 0; i < pool->threadCount - 1; ++i)
			plThread_Join(pool->workers[i]);
	free(pool->workers);
	plSignal_Destroy(pool->posted);
	plSignal_Destroy(pool->drained);
	plLock_Destroy(pool->lock);
	plLock_Destroy(pool->busy);
	free(pool);
}

plPool* plCreatePool(int threads)
{
	PL_ASSERT(threads >= 0, "a pool has at least the calling thread; 0 means all cores");
	int wanted = threads == 0 ? plGetCoreCount() : threads;
	plPool* pool = calloc(1, sizeof *pool);
	if (pool == NULL)
		return NULL;
	pool->threadCount = 1;
	pool->workers = calloc((size_t)wanted, sizeof *pool->workers);
	pool->lock = plLock_Create();
	pool->busy = plLock_Create();
	pool->posted = plSignal_Create();
	pool->drained = plSignal_Create();
	if (!pool->workers || !pool->lock || !pool->busy || !pool->posted || !pool->drained)
	{
		plDestroyPool(pool);
		return NULL;
	}
	for (; pool->threadCount < wanted; pool->threadCount++)
	{
		plThread* worker = plThread_Start(workerMain, pool);
		if (worker == NULL)
			break; // fewer threads than asked for: slower, same results
		pool->workers[pool->threadCount - 1] = worker;
	}
	return pool;
}
