// trapezoid_lanes.c: W x and W' v in single precision, three right-hand sides at a time
//
// A panel of W is read once, front to back, in both. Sums run over the columns (W x) or over the panels and then over
// the lanes (W' v): an order that follows from the shape alone.
#if PL_REAL_FLOAT && PL_LANES > 1

#include "trapezoid.h"

#include "../kernel/wide.h"

KERNEL real load(const float* from)
{
	real a;
	memcpy(&a, from, sizeof a);
	return a;
}

#define PANELS 3 // that `product` takes at once: with three right-hand sides nine sums, enough to hide the latency

// Sums of up to three panels over columns 0 .. columns-1; `count` is a constant where this is called.
KERNEL void multiplyPanels(const float* W, size_t stride, size_t count, size_t columns, const float* x, float* out)
{
	real s[PANELS][3];
	for (size_t p = 0; p < count; ++p)
		s[p][0] = s[p][1] = s[p][2] = SPLAT(0.0);
	for (size_t k = 0; k < columns; ++k)
	{
		real x0 = SPLAT(x[4 * k]), x1 = SPLAT(x[4 * k + 1]), x2 = SPLAT(x[4 * k + 2]);
		for (size_t p = 0; p < count; ++p)
		{
			real a = load(W + PL_LANES * (p * stride + k));
			s[p][0] = FMA(a, x0, s[p][0]);
			s[p][1] = FMA(a, x1, s[p][1]);
			s[p][2] = FMA(a, x2, s[p][2]);
		}
	}
	for (size_t p = 0; p < count; ++p)
		for (size_t i = 0; i < PL_LANES; ++i)
		{
			float* to = out + 4 * (p * PL_LANES + i);
			to[0] = LANE(s[p][0], i);
			to[1] = LANE(s[p][1], i);
			to[2] = LANE(s[p][2], i);
			to[3] = 0.0f;
		}
}

static void product(const plTrapezoid* w, size_t begin, size_t end, const float* x, float* out)
{
	for (size_t p = begin; p < end;)
	{
		size_t count = end - p < PANELS ? 1 : PANELS;
		size_t last = (p + count) * PL_LANES; // right of the diagonal there are zeros
		size_t columns = last < w->width ? last : w->width;
		const float* W = w->W + p * PL_LANES * w->stride;
		float* to = out + 4 * p * PL_LANES;
		if (count == PANELS)
			multiplyPanels(W, w->stride, PANELS, columns, x, to);
		else
			multiplyPanels(W, w->stride, 1, columns, x, to);
		p += count;
	}
}

KERNEL float sumLanes(real a)
{
	float s = LANE(a, 0);
	for (size_t i = 1; i < PL_LANES; ++i)
		s += LANE(a, i);
	return s;
}

static void transposed(const plTrapezoid* w, size_t begin, size_t end, const float* v, float* out)
{
	size_t step = w->panels * PL_LANES;
	for (size_t strip = begin; strip < end; ++strip)
	{
		size_t k = strip * pl_trapezoidStrip;
		real s[pl_trapezoidStrip][3];
		for (size_t c = 0; c < pl_trapezoidStrip; ++c)
			s[c][0] = s[c][1] = s[c][2] = SPLAT(0.0);
		for (size_t p = k / PL_LANES; p < w->panels; ++p)
		{
			const float* W = w->W + PL_LANES * (p * w->stride + k);
			real v0 = load(v + PL_LANES * p), v1 = load(v + step + PL_LANES * p),
			     v2 = load(v + 2 * step + PL_LANES * p);
			for (size_t c = 0; c < pl_trapezoidStrip; ++c)
			{
				real a = load(W + PL_LANES * c);
				s[c][0] = FMA(a, v0, s[c][0]);
				s[c][1] = FMA(a, v1, s[c][1]);
				s[c][2] = FMA(a, v2, s[c][2]);
			}
		}
		for (size_t c = 0; c < pl_trapezoidStrip && k + c < w->width; ++c)
		{
			float* to = out + 4 * (k + c);
			to[0] = sumLanes(s[c][0]);
			to[1] = sumLanes(s[c][1]);
			to[2] = sumLanes(s[c][2]);
			to[3] = 0.0f;
		}
	}
}

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define QUOTE_(a) #a
#define QUOTE(a) QUOTE_(a)

extern const plTrapezoidKernels PASTE(plTrapezoidKernels_, PL_ISA);
const plTrapezoidKernels PASTE(plTrapezoidKernels_, PL_ISA) = {QUOTE(PL_ISA), PL_LANES, product, transposed};

#else

typedef int plTrapezoidKernelsAreFloat; // a file must declare something

#endif
