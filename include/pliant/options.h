// options.h: the settings of a solver as a table: key, kind, range or words, methods, default, help; and the dampings
//
// What reads, explains or writes settings loops over it: the check of a plSolverDef, scenes, `pliant run --help`, the
// docs and the JSON schema. A new setting is one row (src/method/options.c), one member of plSolverDef and its use. A
// new damping is one row (src/world/terms.c), one member of plDamping and its energy.
#ifndef PLIANT_OPTIONS_H
#define PLIANT_OPTIONS_H

#include "types.h"

typedef enum plOptionKind
{
	pl_optionNumber, // double
	pl_optionWhole,  // int; `words` are names of `values`, which need not lie in the range
	pl_optionWord,   // an enumeration: words[i] is enumerator i
	pl_optionPair,   // double[2]
	pl_optionRho,    // a word, or a number: rho of a single phase (plSolverDef.rho, phases, phaseCount)
	pl_optionPhases, // list of plPhase (plSolverDef.rho, phases, phaseCount)
} plOptionKind;

typedef struct plRange
{
	double low, high;         // high INFINITY: any finite number
	bool aboveLow, belowHigh; // the end itself is outside
} plRange;

// Methods that take a setting: all of `methods`, or, with a key, those whose setting `key` is one of `words`.
typedef struct plOptionOwner
{
	unsigned methods; // 1u << plMethod
	const char* key;  // of a setting with words, or NULL
	unsigned words;   // 1u << enumerator
} plOptionOwner;

#define PL_OWNER_COUNT 3

typedef struct plSolverOption
{
	const char* key;   // in the solver block of a scene
	const char* field; // of plSolverDef
	size_t offset;     // of that member
	plOptionKind kind;
	plRange range;                        // of a number, a whole number, each number of a pair, each rho
	const char* const* words;             // end with NULL; NULL: it has none
	const int* values;                    // of the words; NULL: 0, 1, 2...
	double usual[2];                      // of methods without a default of their own: number, enumerator or pair
	plOptionOwner owners[PL_OWNER_COUNT]; // end where methods is 0
	const char* help;                     // one line
} plSolverOption;

// By index from 0, NULL past the last; by key, NULL if there is none.
PL_API const plSolverOption* plGetSolverOption(int index);
PL_API const plSolverOption* plFindSolverOption(const char* key);

// Does the method of the def, with its other settings, look at this one?
PL_API bool plSolverOption_IsTaken(const plSolverOption* option, const plSolverDef* def);
PL_API bool plRange_Contains(const plRange* range, double number);

// The word that the setting `key` of the def is, e.g. "jacobi-block"; NULL: it has no words, or its value has none.
PL_API const char* plSolverDef_GetWord(const plSolverDef* def, const char* key);

// Does a step end with a budget, converged or not?
PL_API bool plSolverDef_HasBudget(const plSolverDef* def);

// ---- as text, cut where `size` ends; each returns `buffer` ----------------------------------------------------------

// "at least 0 and below 1"
PL_API const char* plRange_Describe(const plRange* range, char* buffer, size_t size);
// "number, at least 0 and below 1", "laplacian, diagonal, identity", ...
PL_API const char* plSolverOption_DescribeKind(const plSolverOption* option, char* buffer, size_t size);
// "newton-cg, quasi-newton and projective (with linear cg)"
PL_API const char* plSolverOption_DescribeOwners(const plSolverOption* option, char* buffer, size_t size);
// `"fit" belongs to quasi-newton (with matrix laplacian or diagonal), not to newton`
PL_API const char* plSolverOption_DescribeRefusal(const plSolverOption* option, const plSolverDef* def, char* buffer,
                                                  size_t size);
// The value in the def as JSON; a number reads back as the same number.
PL_API const char* plSolverOption_DescribeValue(const plSolverOption* option, const plSolverDef* def, char* buffer,
                                                size_t size);
// "500 (newton-cg), 15 (quasi-newton, projective)"; the value alone if it is the default of every method that takes it.
PL_API const char* plSolverOption_DescribeDefault(const plSolverOption* option, char* buffer, size_t size);

// ---- dampings -------------------------------------------------------------------------------------------------------

// A member of plDamping: a double, 0 or more, usually 0.
typedef struct plDampingOption
{
	const char* key;   // in the damping block of a body
	const char* field; // of plSoftBodyDef
	size_t offset;     // in plDamping
	const char* unit;
	const char* help; // one line
} plDampingOption;

PL_API const plDampingOption* plGetDampingOption(int index); // from 0, NULL past the last

static inline double* plDampingOption_At(const plDampingOption* option, plDamping* damping)
{
	return (double*)((char*)damping + option->offset);
}

#endif
