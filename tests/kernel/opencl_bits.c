// opencl_bits.c: the kernel of opencl.cl, compiled as OpenCL C and as C, gives the same bits
//
// tools/check_opencl.sh links this file, which holds the kernel as C, with an object of it as OpenCL C for the same
// processor. Built-in functions of OpenCL that such an object calls are given here, by the names it calls them by.
#define PL_LANES 1
#define __global
#define __constant
#define __kernel static __attribute__((unused))
#define get_global_id(axis) ((size_t)0)
#define elements elementsInC
#include "opencl.cl"
#undef elements

#include <math.h>
#include <stdio.h>

void elements(const real* element, const scalar* coefficient, int law, real* result); // in OpenCL C

#if PL_REAL_FLOAT
real builtInSqrt(real a) __asm__("_Z4sqrtf");
real builtInFma(real a, real b, real c) __asm__("_Z3fmafff");
#else
real builtInSqrt(real a) __asm__("_Z4sqrtd");
real builtInFma(real a, real b, real c) __asm__("_Z3fmaddd");
#endif
size_t builtInId(unsigned axis) __asm__("_Z13get_global_idj");

real builtInSqrt(real a)
{
	return SQRT(a);
}

real builtInFma(real a, real b, real c)
{
	return FUSED(a, b, c);
}

size_t builtInId(unsigned axis)
{
	return axis;
}

// In [-0.6, 0.6]
static double nextNumber(uint64_t* state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return 1.2 * (double)(*state >> 11) * 0x1p-53 - 0.6;
}

// Around the rest state, some inverted
static void fillElement(real element[elementSize], uint64_t* state)
{
	for (int k = 0; k < elementSize; ++k)
		element[k] = (real)(nextNumber(state) + (k < 9 && k % 4 == 0 ? 1.0 : 0.0));
}

#define CALLED_BY_OPENCL(name, law) name,

int main(void)
{
	static const int laws[] = {LAWS(CALLED_BY_OPENCL, CALLED_BY_OPENCL, NO_LAW)};
	const scalar coefficient[4] = {K(1), K(2), K(0.9), K(1.1)};
	uint64_t state = 1;
	int different = 0, closed = 0, count = 0;
	for (size_t l = 0; l < sizeof laws / sizeof *laws; ++l)
		for (int n = 0; n < 2000; ++n, ++count)
		{
			real element[elementSize], a[resultSize], b[resultSize];
			fillElement(element, &state);
			elementsInC(element, coefficient, laws[l], a);
			elements(element, coefficient, laws[l], b);
			different += memcmp(a, b, sizeof a) != 0;
			closed += a[20] != K(0);
		}
	printf("%d elements, %d by closed forms, %d with other bits\n", count, closed, different);
	return different > 0 || closed < count / 4;
}
