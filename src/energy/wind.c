// wind.c: drag of moving air on cloth
//
//   E = sum over vertices of  1/(2h) u' D u,   u = x - a - h w,   gradient D u/h,   block D/h
//   D = sum over the triangles at it of  1/3 1/2 rho A |r| (c_n n n' + c_t (1 - n n')),   r = mean of v at corners - w
//
// x position, a its anchor (plSubstep), so that u/h is the velocity against the air at the end of the substep; w wind
// (m/s); rho density of the air; A area, n normal, r velocity against the air of a triangle at the start of the
// substep; c_n, c_t coefficients of drag. The force on a triangle is thus the law of drag with |r| taken from the start
// and the velocity from the end. D is constant through a substep and has no negative eigenvalue: E is convex, and
// takes no more speed against the air away than there is, however large h, rho and w are. Where nothing changes any
// more both velocities are one, and the law is met exactly.
#include "wind.h"

#include <math.h>

static const size_t place[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};

// u and D u
static void push(const plWindEnergy* wind, const double* q, size_t e, double u[3], double Du[3])
{
	const double *x = PL_AT(q, wind->base.vertices[e]), *D = wind->drag + 6 * e;
	for (size_t i = 0; i < 3; ++i)
		u[i] = x[i] - wind->target[3 * e + i];
	for (size_t i = 0; i < 3; ++i)
		Du[i] = D[place[i][0]] * u[0] + D[place[i][1]] * u[1] + D[place[i][2]] * u[2];
}

// Rounding: a difference, two products and the sums are each off by half a unit in the last place.
static void value(const plEnergy* energy, const double* q, size_t begin, size_t end, plEnergySum* sum)
{
	const plWindEnergy* wind = (const plWindEnergy*)energy;
	for (size_t e = begin; e < end; ++e)
	{
		double u[3], Du[3], sizes = 0.0;
		push(wind, q, e, u, Du);
		double v = 0.5 * (u[0] * Du[0] + u[1] * Du[1] + u[2] * Du[2]) / wind->h;
		for (size_t i = 0; i < 3; ++i)
			for (size_t j = 0; j < 3; ++j)
				sizes += 0.5 * fabs(wind->drag[6 * e + place[i][j]] * u[i] * u[j]) / wind->h;
		sum->value += v;
		sum->magnitude += v;
		sum->noise += 8.0 * 0x1p-53 * sizes;
	}
}

static void gradient(const plEnergy* energy, const double* q, size_t begin, size_t end, double* forces)
{
	const plWindEnergy* wind = (const plWindEnergy*)energy;
	for (size_t e = begin; e < end; ++e, forces += 3)
	{
		double u[3], Du[3];
		push(wind, q, e, u, Du);
		for (size_t i = 0; i < 3; ++i)
			forces[i] = Du[i] / wind->h;
	}
}

static double curvature(const plEnergy* energy, const double* q, const double* d, size_t begin, size_t end)
{
	(void)q;
	const plWindEnergy* wind = (const plWindEnergy*)energy;
	double sum = 0.0;
	for (size_t e = begin; e < end; ++e)
	{
		const double *x = PL_AT(d, energy->vertices[e]), *D = wind->drag + 6 * e;
		for (size_t i = 0; i < 3; ++i)
			sum += x[i] * (D[place[i][0]] * x[0] + D[place[i][1]] * x[1] + D[place[i][2]] * x[2]) / wind->h;
	}
	return sum;
}

static void hessian(const plEnergy* energy, const double* q, bool projected, size_t begin, size_t end, double* blocks)
{
	(void)q;
	(void)projected;
	const plWindEnergy* wind = (const plWindEnergy*)energy;
	for (size_t e = begin; e < end; ++e, blocks += 9)
		for (size_t i = 0; i < 9; ++i)
			blocks[i] = wind->drag[6 * e + place[i / 3][i % 3]] / wind->h;
}

static void vertex(const plEnergy* energy, const double* q, size_t e, size_t corner, double g[3], double H[6])
{
	(void)corner;
	const plWindEnergy* wind = (const plWindEnergy*)energy;
	double u[3], Du[3];
	push(wind, q, e, u, Du);
	for (size_t i = 0; i < 3; ++i)
		g[i] += Du[i] / wind->h;
	for (size_t i = 0; i < 6; ++i)
		H[i] += wind->drag[6 * e + i] / wind->h;
}

// The trace is not below the largest eigenvalue.
static void scales(const plEnergy* energy, double* rounding, double* stiffness)
{
	(void)rounding;
	const plWindEnergy* wind = (const plWindEnergy*)energy;
	for (size_t e = 0; e < energy->elementCount; ++e)
	{
		const double* D = wind->drag + 6 * e;
		stiffness[energy->vertices[e]] += (D[0] + D[1] + D[2]) / wind->h;
	}
}

static void begin(plEnergy* energy, const plSubstep* substep)
{
	plWindEnergy* wind = (plWindEnergy*)energy;
	wind->h = substep->h;
	for (size_t e = 0; e < energy->elementCount; ++e)
		for (size_t i = 0; i < 3; ++i)
			wind->target[3 * e + i] =
			    plSubstep_GetAnchorAt(substep, energy->vertices[e], i) + substep->h * wind->wind[i];
}

// ---- drag -----------------------------------------------------------------------------------------------------------

// D of a third of a triangle that has an area; false: it has none, and no drag.
static bool shareOf(const plWindEnergy* wind, const double* q, const double* v, const uint32_t* corners, plDrag drag,
                    double D[6])
{
	double sides[2][3], r[3], c[3];
	const uint32_t* vertices = wind->base.vertices;
	for (size_t i = 0; i < 3; ++i)
	{
		double start = PL_AT(q, vertices[corners[0]])[i], speed = PL_AT(v, vertices[corners[0]])[i];
		for (size_t k = 0; k < 2; ++k)
		{
			sides[k][i] = PL_AT(q, vertices[corners[k + 1]])[i] - start;
			speed += PL_AT(v, vertices[corners[k + 1]])[i];
		}
		r[i] = speed / 3.0 - wind->wind[i];
	}
	for (size_t i = 0; i < 3; ++i)
		c[i] = sides[0][(i + 1) % 3] * sides[1][(i + 2) % 3] - sides[0][(i + 2) % 3] * sides[1][(i + 1) % 3];
	double twice = sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]);
	if (!(twice > 0.0))
		return false;
	double size = drag.density * twice / 12.0 * sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
	for (size_t i = 0; i < 3; ++i)
		for (size_t j = i; j < 3; ++j)
			D[place[i][j]] =
			    size * ((drag.normal - drag.tangent) * (c[i] / twice) * (c[j] / twice) + (i == j ? drag.tangent : 0.0));
	return true;
}

void plWindEnergy_Blow(plWindEnergy* wind, const double* q, const double* v, const double w[3], plDrag drag)
{
	memcpy(wind->wind, w, sizeof wind->wind);
	memset(wind->drag, 0, 6 * wind->base.elementCount * sizeof(double));
	for (size_t t = 0; t < wind->triangleCount; ++t)
	{
		const uint32_t* corners = wind->triangles + 3 * t;
		double D[6];
		if (!shareOf(wind, q, v, corners, drag, D))
			continue;
		for (size_t i = 0; i < 18; ++i)
			wind->drag[6 * (size_t)corners[i / 6] + i % 6] += D[i % 6];
	}
}

// ---- life -----------------------------------------------------------------------------------------------------------

static void destroy(plEnergy* energy, plHeap* heap)
{
	plWindEnergy* wind = (plWindEnergy*)energy;
	PL_FREE(heap, energy->vertices, energy->elementCount);
	PL_FREE(heap, wind->triangles, 3 * wind->triangleCount);
	PL_FREE(heap, wind->drag, 6 * energy->elementCount);
	PL_FREE(heap, wind->target, 3 * energy->elementCount);
	PL_FREE(heap, wind, 1);
}

// D is another in every substep, so it has no part in a matrix that is made once.
static const plEnergyVerbs windVerbs = {.name = "wind",
                                        .cornerCount = 1,
                                        .account = pl_accountAir,
                                        .value = value,
                                        .gradient = gradient,
                                        .curvature = curvature,
                                        .hessian = hessian,
                                        .vertex = vertex,
                                        .begin = begin,
                                        .scales = scales,
                                        .destroy = destroy};

plWindEnergy* plWindEnergy_Create(size_t vertexCount, size_t triangleCount, plHeap* heap)
{
	plWindEnergy* wind = PL_NEW_ZERO(heap, plWindEnergy, 1);
	if (wind == NULL)
		return NULL;
	wind->base = (plEnergy){.verbs = &windVerbs, .elementCount = vertexCount};
	wind->triangleCount = triangleCount;
	wind->base.vertices = PL_NEW(heap, uint32_t, vertexCount);
	wind->triangles = PL_NEW(heap, uint32_t, 3 * triangleCount);
	wind->drag = PL_NEW_ZERO(heap, double, 6 * vertexCount);
	wind->target = PL_NEW_ZERO(heap, double, 3 * vertexCount);
	if (wind->base.vertices && wind->triangles && wind->drag && wind->target)
		return wind;
	destroy(&wind->base, heap);
	return NULL;
}
