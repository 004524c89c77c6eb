// opencl.cl: what a device would do: an element of any law, by stretches and by its closed form
//
// tools/check_opencl.sh compiles it. Numbers of one element (of each lane) stand side by side:
//
//   element   F (9), shape vector b of a corner (3), direction and stiffness of a fibre (4)
//   result    by stretches, half converted: value, stress (9), stiffness of the corner (9), their noise
//             by the closed form: value, stress (9), second derivatives in I and J; zero if the law has none
//             of the fibre: value, stress (9)
#include "kernel/fibre.h"
#include "material/laws.h"
#include "material/convert.h"

enum
{
	elementSize = 16,
	resultSize = 42,
};

KERNEL mat3 matrixAt(__global const real* from)
{
	mat3 A;
	for (int k = 0; k < 9; ++k)
		A.a[k / 3][k % 3] = from[k];
	return A;
}

KERNEL vec3 vectorAt(__global const real* from)
{
	vec3 v = {{from[0], from[1], from[2]}};
	return v;
}

KERNEL void put(__global real* to, mat3 A)
{
	for (int k = 0; k < 9; ++k)
		to[k] = A.a[k / 3][k % 3];
}

KERNEL void putStretches(__global real* to, int law, coefficients c, mat3 F, vec3 b)
{
	svd3 f = svd33(F);
	stretchLaw w = convertLaw(lawStretch(law, c, f.s), f.s, SPLAT(0.5), c.a[0]);
	stretchHessian H = stretchProject(stretchSecond(f.s, &w));
	mat3 turned = {{{b.a[0], b.a[1], b.a[2]}}};
	mat3 G = mul33(turned, f.V);
	vec3 g = {{G.a[0][0], G.a[0][1], G.a[0][2]}};
	to[0] = w.value;
	put(to + 1, stretchStress(f, &w));
	put(to + 10, tetBlock(&H, f.U, g, g, SPLAT(1)));
	to[19] = w.magnitude + stretchNoise(f.s, &w);
}

KERNEL void putClosed(__global real* to, int law, coefficients c, mat3 F)
{
	mat3 cofactor = cofactor33(F);
	real root = lawRootAt(law, F);
	density w = lawValue(law, c, F, root);
	invariantLaw v = lawInvariants(law, c, square33(F), squareRows33(cofactor), closedVolume(F, cofactor));
	to[0] = w.value;
	put(to + 1, scale33(lawStress(law, c, F, root), lawIsLinear(law) ? SPLAT(1) : SPLAT(2)));
	to[10] = v.wI_I;
	to[11] = v.wJ_J;
}

__kernel void elements(__global const real* element, __constant const scalar* coefficient, int law,
                       __global real* result)
{
	size_t i = get_global_id(0);
	__global const real* from = element + elementSize * i;
	__global real* to = result + resultSize * i;
	mat3 F = matrixAt(from);
	coefficients c;
	for (int k = 0; k < 4; ++k)
		c.a[k] = SPLAT(coefficient[k]);
	for (int k = 0; k < resultSize; ++k)
		to[k] = SPLAT(0);

	putStretches(to, law, c, F, vectorAt(from + 9));
	if (lawIsClosed(law) && ALL(aboveFloor(F)))
		putClosed(to + 20, law, c, F);

	fibre thread = {vectorAt(from + 12), from[15]};
	fibrePose p = fibrePoseOf(&thread, F);
	to[32] = fibreEnergy(&thread, &p);
	put(to + 33, fibreStress(&thread, &p));
}

// Every law by its own name, the numbers left out
#define BY_NAME(name, law)                                                                                             \
	__kernel void law##Element(__global const real* from, coefficients c, __global real* to)                           \
	{                                                                                                                  \
		stretchLaw w = law##Stretch(c, vectorAt(from));                                                                \
		to[0] = w.value + w.magnitude + w.d[2] + w.dd[5];                                                              \
	}
#define CLOSED_BY_NAME(name, law)                                                                                      \
	__kernel void law##ClosedElement(__global const real* from, coefficients c, __global real* to)                     \
	{                                                                                                                  \
		mat3 F = matrixAt(from);                                                                                       \
		real root = law##HasRoot ? law##Root(determinant33(F, cofactor33(F))) : SPLAT(1);                              \
		to[0] = law##Value(c, F, root).value + law##Invariants(c, to[0], to[0], to[0]).wI;                             \
		put(to + 1, law##Stress(c, F, root));                                                                          \
	}
EVERY_LAW(BY_NAME)
EVERY_CLOSED_LAW(CLOSED_BY_NAME)
