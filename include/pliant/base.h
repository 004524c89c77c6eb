// base.h: what every other header of pliant uses: results, errors, hooks, the thread pool, the version
#ifndef PLIANT_BASE_H
#define PLIANT_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define PL_EXTERN extern "C"
#else
#define PL_EXTERN extern
#endif

#if defined(__GNUC__) && !defined(PL_STATIC)
#define PL_API PL_EXTERN __attribute__((visibility("default")))
#else
#define PL_API PL_EXTERN
#endif

#define PL_VERSION_MAJOR 0
#define PL_VERSION_MINOR 1
#define PL_VERSION_PATCH 0

typedef struct plVersion
{
	int major;
	int minor;
	int patch;
} plVersion;

// Version of the running library; it may differ from the header's.
PL_API plVersion plGetVersion(void);

// What the library was built with: compiler, instruction set in use, optional parts. Texts are constants.
PL_API const char* plGetCompiler(void);
// "baseline", "avx2" or "neon"; "none" if the environment variable PLIANT_ISA names one that is not there
PL_API const char* plGetInstructionSet(void);
PL_API bool plHasCholmod(void); // loaded when a solver asks for it: pl_errorMissing if the machine does not have it
PL_API const char* plGetBackendName(size_t index); // for plWorldDef.backend, the default first; NULL: there are no more

// Every function that may fail returns one of these: 0 is success, below 0 an error, above 0 a warning.
typedef enum plResult
{
	pl_success = 0,
	pl_notConverged = 1,  // the step was taken, but its residual is above `accept`
	pl_errorInput = -1,   // data that cannot be simulated; the message says which and why
	pl_errorMemory = -2,  // the allocator returned NULL; nothing was changed
	pl_errorNumeric = -3, // a number stopped being finite, or a system has no solution
	pl_errorMissing = -4, // this build, or this machine, lacks an optional part
	pl_errorFile = -5,    // a file cannot be opened, read or written (pliant-io)
} plResult;

// Filled by functions that fail. `message` is one line without a full stop and names the place.
typedef struct plError
{
	plResult code;
	char message[512];
	const char* field; // of the def that was checked: the member at fault, e.g. "material.young"; a constant, or NULL
} plError;

// Memory hook. `allocate` returns storage aligned to 64 bytes, or NULL; `release` takes what it returned.
typedef struct plAllocator
{
	void* (*allocate)(size_t bytes, void* context);
	void (*release)(void* memory, size_t bytes, void* context);
	void* context;
} plAllocator;

// Log hook: one line without a newline. The library is silent when there is none.
typedef void plLogFcn(const char* line, void* context);

// Called when the caller breaks a documented contract. Return true to go on, false to trap.
typedef bool plAssertFcn(const char* condition, const char* words, const char* file, int line);
PL_API void plSetAssertHandler(plAssertFcn* handler);

// Threads shared by any number of worlds. `threads` counts the calling thread; 0 means all cores online.
// A world without a pool works on the calling thread alone. Results do not depend on the number of threads.
typedef struct plPool plPool;
PL_API plPool* plCreatePool(int threads);
PL_API void plDestroyPool(plPool* pool);
PL_API int plPool_GetThreadCount(const plPool* pool);

// Number of cores online.
PL_API int plGetCoreCount(void);

#endif
