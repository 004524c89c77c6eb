// math_lanes.c: one table of the kernels' functions; PL_ISA, PL_REAL_FLOAT and PL_LANES come from the build
#include "lanes.h"
#include "../../src/kernel/eigen.h"
#include "../../src/kernel/special.h"
#include "../../src/kernel/svd.h"

enum
{
	mostIn = 10,
	mostOut = 21,
};

// Numbers of one vector of elements
typedef struct bundle
{
	real a[mostOut];
} bundle;

static mat3 matrixAt(const bundle* x, int first)
{
	mat3 A;
	for (int k = 0; k < 9; ++k)
		A.a[k / 3][k % 3] = x->a[first + k];
	return A;
}

static void putMatrix(bundle* y, int first, mat3 A)
{
	for (int k = 0; k < 9; ++k)
		y->a[first + k] = A.a[k / 3][k % 3];
}

static void arithmetic(bundle* y, const bundle* x)
{
	real a = x->a[0], b = x->a[1], c = x->a[2];
	y->a[0] = FMA(a, b, c);
	y->a[1] = SQRT(ABS(a));
	y->a[2] = MAX(a, b);
	y->a[3] = MIN(a, b);
	y->a[4] = ABS(a);
	mask m = MASK_OR(MASK_AND(a < b, MASK_NOT(a > c)), a == c);
	y->a[5] = SELECT(m, a, c);
	y->a[6] = roundReal(a);
}

static void evaluate(kernelFunction function, bundle* y, const bundle* x)
{
	svd3 d;
	eig3 e;
	switch (function)
	{
	case kernel_arithmetic:
		arithmetic(y, x);
		break;
	case kernel_log:
		y->a[0] = real_log(x->a[0]);
		break;
	case kernel_exp:
		y->a[0] = real_exp(x->a[0]);
		break;
	case kernel_rcbrt:
		y->a[0] = rcbrtNormal(x->a[0]);
		break;
	case kernel_svd:
		d = svd33(matrixAt(x, 0));
		putMatrix(y, 0, d.U);
		for (int k = 0; k < 3; ++k)
			y->a[9 + k] = d.s.a[k];
		putMatrix(y, 12, d.V);
		break;
	case kernel_polar:
		putMatrix(y, 0, polar33(matrixAt(x, 0)));
		break;
	case kernel_eigen:
		e = eigen33(matrixAt(x, 0));
		for (int k = 0; k < 3; ++k)
			y->a[k] = e.w.a[k];
		putMatrix(y, 3, e.Q);
		break;
	case kernel_clamp:
		putMatrix(y, 0, clampSpectrum33(matrixAt(x, 0), x->a[9]));
		break;
	default:
		break;
	}
}

// The last vector is filled up with its first element.
static void run(kernelFunction function, size_t count, const double* in, double* out)
{
	int ins = kernelShapes[function].in, outs = kernelShapes[function].out;
	for (size_t i = 0; i < count; i += PL_LANES)
	{
		bundle x, y;
		for (int l = 0; l < PL_LANES; ++l)
		{
			size_t element = i + (size_t)l < count ? i + (size_t)l : i;
			for (int k = 0; k < ins; ++k)
				LANE(x.a[k], l) = (scalar)in[element * (size_t)ins + (size_t)k];
		}
		evaluate(function, &y, &x);
		for (int l = 0; l < PL_LANES && i + (size_t)l < count; ++l)
			for (int k = 0; k < outs; ++k)
				out[(i + (size_t)l) * (size_t)outs + (size_t)k] = (double)LANE(y.a[k], l);
	}
}

#define NAME_(isa) #isa
#define NAME(isa) NAME_(isa)

const kernelTable KERNEL_TABLE(PL_ISA, PL_REAL_FLOAT, PL_LANES) = {
    .isa = NAME(PL_ISA),
    .isFloat = PL_REAL_FLOAT,
    .lanes = PL_LANES,
    .fused = PL_HAS_FMA,
    .run = run,
};
