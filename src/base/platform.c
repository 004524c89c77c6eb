// platform.c: the operating system behind platform.h, and the clock and the cores of base.h (POSIX)
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE // madvise
#include "platform.h"
#include "base.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

struct plThread
{
	pthread_t handle;
	plThreadFcn* run;
	void* context;
};

struct plLock
{
	pthread_mutex_t handle;
};

struct plSignal
{
	pthread_cond_t handle;
};

static void* threadMain(void* argument)
{
	plThread* thread = argument;
	thread->run(thread->context);
	return NULL;
}

plThread* plThread_Start(plThreadFcn* run, void* context)
{
	plThread* thread = malloc(sizeof *thread);
	if (thread == NULL)
		return NULL;
	thread->run = run;
	thread->context = context;
	if (pthread_create(&thread->handle, NULL, threadMain, thread) != 0)
	{
		free(thread);
		return NULL;
	}
	return thread;
}

void plThread_Join(plThread* thread)
{
	pthread_join(thread->handle, NULL);
	free(thread);
}

plLock* plLock_Create(void)
{
	plLock* lock = malloc(sizeof *lock);
	if (lock != NULL && pthread_mutex_init(&lock->handle, NULL) != 0)
	{
		free(lock);
		lock = NULL;
	}
	return lock;
}

void plLock_Destroy(plLock* lock)
{
	if (lock != NULL)
		pthread_mutex_destroy(&lock->handle);
	free(lock);
}

void plLock_Enter(plLock* lock)
{
	pthread_mutex_lock(&lock->handle);
}

bool plLock_TryEnter(plLock* lock)
{
	return pthread_mutex_trylock(&lock->handle) == 0;
}

void plLock_Leave(plLock* lock)
{
	pthread_mutex_unlock(&lock->handle);
}

plSignal* plSignal_Create(void)
{
	plSignal* signal = malloc(sizeof *signal);
	if (signal != NULL && pthread_cond_init(&signal->handle, NULL) != 0)
	{
		free(signal);
		signal = NULL;
	}
	return signal;
}

void plSignal_Destroy(plSignal* signal)
{
	if (signal != NULL)
		pthread_cond_destroy(&signal->handle);
	free(signal);
}

void plSignal_Wait(plSignal* signal, plLock* lock)
{
	pthread_cond_wait(&signal->handle, &lock->handle);
}

void plSignal_WakeAll(plSignal* signal)
{
	pthread_cond_broadcast(&signal->handle);
}

void plPause(void)
{
#if defined(__x86_64__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

int plGetCoreCount(void)
{
	long count = sysconf(_SC_NPROCESSORS_ONLN);
	return count > 0 ? (int)count : 1;
}

double plNow(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double plProcessorNow(void)
{
	struct timespec now;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double plMilliseconds(double since)
{
	return 1e3 * (plNow() - since);
}

// Local: its symbols are nobody else's. Not closed again: threads of OpenBLAS and OpenMP may be at work in it.
void* plLibrary_Open(const char* name)
{
	return dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

void* plLibrary_Find(void* library, const char* symbol)
{
	return dlsym(library, symbol);
}

// Large arrays ask for large pages: loops that run over tens of megabytes otherwise wait for the tables of small ones
// (a tenth of a step of 5,000 rigid bodies). Only a hint: where there are none it changes nothing.
void* plSystemAllocate(size_t bytes)
{
	enum
	{
		line = 64,
		largePage = 1 << 21
	};
	void* memory = NULL;
	if (posix_memalign(&memory, bytes < largePage ? line : largePage, bytes) != 0)
		return NULL;
#ifdef MADV_HUGEPAGE
	if (bytes >= largePage)
		madvise(memory, bytes - bytes % largePage, MADV_HUGEPAGE);
#endif
	return memory;
}

void plSystemFree(void* memory)
{
	free(memory);
}
