// semidefinite.h: eigenvalues of small symmetric matrices of any size, and the raising of negative ones to 0
#ifndef PL_SEMIDEFINITE_H
#define PL_SEMIDEFINITE_H

#include <stddef.h>

// A, n x n by rows, becomes diagonal: A = Q diag Q' up to rounding. Q gets the eigenvectors as columns; NULL: nobody
// asks for them. Numbers that are not finite stay so.
void plEigen(double* A, double* Q, size_t n);

// H + sum of max(0, -w) q q' over its eigenvalues w and eigenvectors q. H itself where no eigenvalue is below 0, up to
// rounding of the largest entry. `work` has room for 2 n n numbers. What is not finite is left alone.
void plMakeSemidefinite(double* H, size_t n, double* work);

#endif
