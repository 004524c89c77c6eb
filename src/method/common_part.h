// common_part.h: the part of a Hessian that stands in no matrix: a sum of w v v', v few vectors, w >= 0
//
// With A the matrix and B_i = A + the first i of them (Sherman and Morrison 1950)
//
//   z_i = B_(i-1)^-1 v_i,   B_i^-1 b = B_(i-1)^-1 b - w_i (v_i.B_(i-1)^-1 b)/(1 + w_i v_i.z_i) z_i
//
// so a solution with B costs one with A, and one more for every vector when A is new.
#ifndef PL_COMMON_PART_H
#define PL_COMMON_PART_H

#include "../problem/problem.h"

typedef struct plCommonPart
{
	size_t count;
	size_t length; // of a vector
	double* v;     // [count][length]
	double* z;     // [count][length] if it is asked for, else NULL
	double* w;     // [count]
	double* full;  // [3 vertices] one as the problem gives it
	size_t fullCount;
} plCommonPart;

// Which numbers of three a vertex a vector has, and where: UINT32_MAX: none. NULL: all of them
typedef const uint32_t plFreeNumbers;

// Vectors at q, of `length` numbers. Memory is taken when it is not there; false: there is none
bool plCommonPart_Refresh(plCommonPart* part, plProblem* problem, const plPoint* q, plFreeNumbers* place, size_t length,
                          bool withSolutions);
void plCommonPart_Destroy(plCommonPart* part, plHeap* heap);
// Vector i of z is A^-1 v: makes it B_i^-1 v. In order from 0 on
void plCommonPart_TakeSolution(plCommonPart* part, size_t i);
// x = A^-1 b becomes B^-1 b.
void plCommonPart_Correct(const plCommonPart* part, double* x);
// out += sum of w v v' in
void plCommonPart_AddProduct(const plCommonPart* part, const double* in, double* out);

#endif
