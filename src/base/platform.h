// platform.h: the operating system, as little of it as pliant needs; everything else is standard C
#ifndef PL_PLATFORM_H
#define PL_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>

typedef struct plThread plThread;
typedef struct plLock plLock;     // a mutex
typedef struct plSignal plSignal; // a condition variable
typedef void plThreadFcn(void* context);

plThread* plThread_Start(plThreadFcn* run, void* context); // NULL: the system has no more threads or memory
void plThread_Join(plThread* thread);                      // and frees it

plLock* plLock_Create(void);
void plLock_Destroy(plLock* lock);
void plLock_Enter(plLock* lock);
bool plLock_TryEnter(plLock* lock);
void plLock_Leave(plLock* lock);

plSignal* plSignal_Create(void);
void plSignal_Destroy(plSignal* signal);
void plSignal_Wait(plSignal* signal, plLock* lock);
void plSignal_WakeAll(plSignal* signal);

void plPause(void); // a spinning thread's hint to the core

double plProcessorNow(void); // seconds that all threads of the process have worked

// Shared libraries that are loaded on demand and stay loaded.
void* plLibrary_Open(const char* name);                  // by SONAME; NULL: not on this machine, or it cannot be loaded
void* plLibrary_Find(void* library, const char* symbol); // also in what the library itself has loaded; NULL: not there

void* plSystemAllocate(size_t bytes); // 64-byte aligned
void plSystemFree(void* memory);

#endif
