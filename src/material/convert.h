// convert.h: invertible model conversion: a law that gives way to a simpler one in elements squeezed flat or inverted
//
//   W_l  = (1 - l) W + l s/2 sum (s_i - 1)^2,    s = 2 mu                                          [WY16] Eq. 15 to 19
//   l   <- min(1, max(0, l - L, max_i (upper - s_i)/(upper - lower)))                              L = 0.05
//
// l is a weight of the element. It is 0 while every stretch is above `upper` (0.05; 0.5 for StVK), and 1 where one is
// not above `lower` = 0. Then it returns to 0 by steps of L at most. It is frozen while a method works; `relax` changes
// it (energy/tet_layout.h). The simple law is arap.h with the shear modulus mu: it has a finite force at every stretch,
// one place to rest, and no mirror image.
//
// W is the law with its extension (law.h). So a trial state may invert an element whose weight is still 0 and has a
// finite value all the same. Where l is 0 or 1, the other law is left out, not multiplied by zero.
//
// [WY16] Wang and Yang, Descent methods for elastic body simulation on the GPU, 2016. Its Eq. 16 and 19 differ by a
// factor of 2 in s; this is the one with which the stiffness at rest is s.
#ifndef PL_CONVERT_H
#define PL_CONVERT_H

#include "arap.h"

#define CONVERT_LOWER K(0)
#define CONVERT_RETURN K(0.05)

// (1 - l) a + l b
KERNEL real blend(real l, real a, real b)
{
	real mixed = FMA(l, b, (K(1) - l) * a);
	return SELECT(l <= K(0), a, SELECT(l >= K(1), b, mixed));
}

KERNEL stretchLaw convertLaw(stretchLaw w, vec3 s, real l, real mu)
{
	coefficients c = {.a = {mu}};
	stretchLaw simple = arapStretch(c, s);
	w.value = blend(l, w.value, simple.value);
	w.magnitude = blend(l, w.magnitude, simple.magnitude);
	for (int i = 0; i < 3; ++i)
		w.d[i] = blend(l, w.d[i], simple.d[i]);
	for (int i = 0; i < 6; ++i)
		w.dd[i] = blend(l, w.dd[i], simple.dd[i]);
	return w;
}

// The next weight of an element at F. One that does not convert and whose stretches are all surely above `upper`, by
// more than rounding, is not decomposed. NaN in F leaves the weight to its return.
KERNEL real convertWeight(mat3 F, real l, real upper)
{
	mask idle = MASK_AND(l <= K(0), stretchesAbove(F, K(1.001) * upper));
	if (ALL(idle))
		return l;
	real smallest = svd33(F).s.a[2];
	real next = MAX((upper - smallest) / (upper - CONVERT_LOWER), MAX(l - CONVERT_RETURN, SPLAT(0)));
	return SELECT(idle, l, MIN(next, SPLAT(1)));
}

#endif
