// number.h: functions of numbers whose bits the C library does not decide
//
// They are in double precision, for everything that decides a state: pins that turn, meshes that bend, estimates of
// rates. They give the same bits with every C library on every machine (exp, log, cosh and acosh: within an instruction
// set). kernel/scalar.h and kernel/special.h have their errors and ranges.
#ifndef PL_NUMBER_H
#define PL_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

// x in rad. Beyond 2^20 it counts modulo the double nearest to 2 pi: the result is the sine of a number that is off by
// less than half an ulp of x. NaN for infinite x.
double plSin(double x);
double plCos(double x);

double plAtan2(double y, double x); // -pi to pi, the signs of zeros as in C
double plCosh(double x);
double plAcosh(double x); // NaN below 1
double plExp(double x);
double plLog(double x); // NaN below 0

// All of them; at the cost of a sum.
bool plAreFinite(const double* numbers, size_t count);

#endif
