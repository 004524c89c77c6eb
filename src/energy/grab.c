// grab.c: vertices drawn to points that move, with a force that has a limit
//
//   r = |x - p|:   E = K/2 r^2            while K r <= F,   gradient K (x - p),     block K I
//                  E = F r - F^2/(2K)     beyond,           gradient F (x - p)/r,   block F/r (I - w w'),  w = (x -
//                  p)/r
//
// That is a spring and a damper under one limit. With u = x - t the way to the target t (m), k the stiffness (N/m), c
// the damping (kg/s), h the integrator's step (s) and u' what u would be at the end of the substep without a rate:
//
//   k u + c (u - u')/h  =  K (x - p),    K = k + c/h,    p = t + c/(h K) u'
//
// The rate of u is that of x against the target, so what follows a target at its own speed is not damped. Blocks are
// semidefinite as they are; the projected one beyond the limit is F/r I, which lies above E wherever x goes.
#include "grab.h"

#include <math.h>

static double distanceOf(const plGrabEnergy* g, size_t e, const double x[3], double u[3])
{
	for (size_t i = 0; i < 3; ++i)
		u[i] = x[i] - g->target[3 * e + i];
	return sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
}

static void value(const plEnergy* energy, const double* q, size_t begin, size_t end, plEnergySum* sum)
{
	const plGrabEnergy* g = (const plGrabEnergy*)energy;
	for (size_t e = begin; e < end; ++e)
	{
		double u[3], r = distanceOf(g, e, PL_AT(q, energy->vertices[e]), u), K = g->stiffness[e], F = g->most[e];
		bool full = K * r > F;
		double v = full ? F * (r - 0.5 * (F / K)) : 0.5 * K * r * r;
		sum->value += v;
		sum->magnitude += v;
		sum->noise += 8.0 * 0x1p-53 * v;
	}
}

// What the force is per distance.
static double slopeOf(const plGrabEnergy* g, size_t e, double r)
{
	return g->stiffness[e] * r > g->most[e] ? g->most[e] / r : g->stiffness[e];
}

static void gradient(const plEnergy* energy, const double* q, size_t begin, size_t end, double* forces)
{
	const plGrabEnergy* g = (const plGrabEnergy*)energy;
	for (size_t e = begin; e < end; ++e, forces += 3)
	{
		double u[3], r = distanceOf(g, e, PL_AT(q, energy->vertices[e]), u), slope = slopeOf(g, e, r);
		for (size_t i = 0; i < 3; ++i)
			forces[i] = slope * u[i];
	}
}

static void hessian(const plEnergy* energy, const double* q, bool projected, size_t begin, size_t end, double* blocks)
{
	const plGrabEnergy* g = (const plGrabEnergy*)energy;
	for (size_t e = begin; e < end; ++e, blocks += 9)
	{
		double u[3], r = distanceOf(g, e, PL_AT(q, energy->vertices[e]), u), slope = slopeOf(g, e, r);
		bool flat = slope < g->stiffness[e] && !projected;
		for (size_t i = 0; i < 3; ++i)
			for (size_t j = 0; j < 3; ++j)
				blocks[3 * i + j] = slope * ((i == j ? 1.0 : 0.0) - (flat ? u[i] / r * (u[j] / r) : 0.0));
	}
}

static double curvature(const plEnergy* energy, const double* q, const double* d, size_t begin, size_t end)
{
	double sum = 0.0;
	for (size_t e = begin; e < end; ++e)
	{
		const double* u = PL_AT(d, energy->vertices[e]);
		double H[9];
		hessian(energy, q, false, e, e + 1, H);
		for (size_t i = 0; i < 3; ++i)
			sum += u[i] * (H[3 * i] * u[0] + H[3 * i + 1] * u[1] + H[3 * i + 2] * u[2]);
	}
	return sum;
}

static const plEnergyVerbs grabVerbs = {
    .name = "grab", .cornerCount = 1, .value = value, .gradient = gradient, .curvature = curvature, .hessian = hessian};

// ---- memory ---------------------------------------------------------------------------------------------------------

void plGrabEnergy_Init(plGrabEnergy* g)
{
	*g = (plGrabEnergy){.base = {.verbs = &grabVerbs}};
}

// An array of the elements: its pointer's place in plGrabEnergy, and the bytes of an element
typedef struct Column
{
	size_t offset;
	size_t size;
} Column;

static const Column columns[] = {
    {offsetof(plGrabEnergy, base.vertices), sizeof(uint32_t)}, {offsetof(plGrabEnergy, place), sizeof(uint32_t)},
    {offsetof(plGrabEnergy, offset), 3 * sizeof(double)},      {offsetof(plGrabEnergy, share), sizeof(double)},
    {offsetof(plGrabEnergy, stiffness), sizeof(double)},       {offsetof(plGrabEnergy, most), sizeof(double)},
    {offsetof(plGrabEnergy, target), 3 * sizeof(double)},      {offsetof(plGrabEnergy, force), 3 * sizeof(double)},
    {offsetof(plGrabEnergy, next), sizeof(uint32_t)}};

enum
{
	columnCount = sizeof columns / sizeof *columns
};

static char* getColumn(const plGrabEnergy* g, size_t c)
{
	char* data;
	memcpy(&data, (const char*)g + columns[c].offset, sizeof data);
	return data;
}

static void setColumn(plGrabEnergy* g, size_t c, char* data)
{
	memcpy((char*)g + columns[c].offset, &data, sizeof data);
}

static void freeColumns(plGrabEnergy* g, plHeap* heap)
{
	for (size_t c = 0; c < columnCount; ++c)
		plHeap_Free(heap, getColumn(g, c), g->room * columns[c].size);
}

static bool growElements(plGrabEnergy* g, size_t room, plHeap* heap)
{
	plGrabEnergy grown = *g;
	bool fine = true;
	grown.room = room;
	for (size_t c = 0; c < columnCount; ++c)
	{
		setColumn(&grown, c, plHeap_AllocateZero(heap, room, columns[c].size));
		fine = fine && getColumn(&grown, c) != NULL;
	}
	if (!fine)
	{
		freeColumns(&grown, heap);
		return false;
	}
	for (size_t c = 0; c < columnCount && g->room > 0; ++c)
		memcpy(getColumn(&grown, c), getColumn(g, c), g->base.elementCount * columns[c].size);
	freeColumns(g, heap);
	*g = grown;
	return true;
}

static bool growVertices(plGrabEnergy* g, size_t vertices, plHeap* heap)
{
	uint32_t* first = PL_NEW_ZERO(heap, uint32_t, vertices);
	if (first == NULL)
		return false;
	if (g->first != NULL)
		memcpy(first, g->first, g->vertexRoom * sizeof *first);
	PL_FREE(heap, g->first, g->vertexRoom);
	g->first = first;
	g->vertexRoom = vertices;
	return true;
}

bool plGrabEnergy_Reserve(plGrabEnergy* g, size_t elements, size_t vertices, plHeap* heap)
{
	if (vertices > g->vertexRoom && !growVertices(g, vertices, heap))
		return false;
	return elements <= g->room || growElements(g, elements > 2 * g->room ? elements : 2 * g->room, heap);
}

void plGrabEnergy_Free(plGrabEnergy* g, plHeap* heap)
{
	freeColumns(g, heap);
	PL_FREE(heap, g->first, g->vertexRoom);
	plGrabEnergy_Init(g);
}

void plGrabEnergy_Remove(plGrabEnergy* g, size_t begin, size_t end)
{
	for (size_t c = 0; c < columnCount; ++c)
	{
		size_t size = columns[c].size;
		memmove(getColumn(g, c) + begin * size, getColumn(g, c) + end * size, (g->base.elementCount - end) * size);
	}
	g->base.elementCount -= end - begin;
}

void plGrabEnergy_Unchain(plGrabEnergy* g)
{
	for (size_t e = 0; e < g->base.elementCount; ++e)
		g->first[g->base.vertices[e]] = 0;
}

// From the last to the first, so that chains ascend.
void plGrabEnergy_Chain(plGrabEnergy* g)
{
	for (size_t e = g->base.elementCount; e-- > 0;)
	{
		uint32_t* first = g->first + g->base.vertices[e];
		g->next[e] = *first;
		*first = (uint32_t)e + 1;
	}
}
