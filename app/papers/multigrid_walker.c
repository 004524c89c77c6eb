// multigrid_walker.c: the body below the garments of [WWF18], a closed mesh that walks on the spot, frame by frame
//
// The body is five round bars: two of the trunk, one of the hips, two legs. A bar is a capsule of rings. Trunk and hips
// sway as the necks of the garments do; a leg swings about its hip, and bends at the knee while it swings forward.
//
//   sway   x -> R_y(6 deg s) (x - c) + c + 0.03 s e_x,   s = sin(2 pi t),   c = (0, 1.2, 0)
//   leg    x -> R_x(28 deg sin a) (K x - hip) + hip,     a = 2 pi t + phase
//   K      turns what is below the knee about it by -40 deg max(0, cos a), smoothly over 12 cm
//
// Bars overlap; what a garment meets is their outside.
#include "papers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

enum
{
	around = 16, // vertices of a ring
	cap = 4,     // rings of a half sphere, its equator counted
	shaft = 12,  // rows of cells between the two equators
	ringCount = 2 * cap + shaft - 1,
	barVertices = 2 + ringCount * around,
	barTriangles = 2 * ringCount * around,
	barCount = 5,
	vertexCount = barCount * barVertices,
	framesPerSecond = 30
};

typedef struct Bar
{
	double a[3], b[3], radius; // m
	bool isLeg;
	double phase; // of a leg
} Bar;

static const Bar bars[barCount] = {{{-0.03, 1.0, 0.0}, {-0.06, 1.32, 0.0}, 0.095, false, 0.0},
                                   {{0.03, 1.0, 0.0}, {0.06, 1.32, 0.0}, 0.095, false, 0.0},
                                   {{-0.07, 0.93, 0.0}, {0.07, 0.93, 0.0}, 0.115, false, 0.0},
                                   {{-0.085, 0.86, 0.0}, {-0.095, 0.1, 0.0}, 0.07, true, 0.0},
                                   {{0.085, 0.86, 0.0}, {0.095, 0.1, 0.0}, 0.07, true, 1.0}}; // times pi

// ---- at rest --------------------------------------------------------------------------------------------------------

// Ring k: how far it is from a towards b (m), and its radius
static void ringOf(const Bar* bar, double length, size_t k, double* along, double* radius)
{
	double angle = 0.5 * pi;
	double share = fmin(fmax(((double)k - (cap - 1)) / shaft, 0.0), 1.0);
	if (k < cap)
		angle *= (double)(k + 1) / cap;
	else if (k >= cap + shaft - 1)
		angle *= (double)(ringCount - k) / cap;
	*along = share * length;
	*radius = bar->radius * sin(angle);
	*along += (k < cap ? -1.0 : 1.0) * bar->radius * cos(angle);
}

// e[2] from a to b, e[0] and e[1] across, right-handed
static double frameOf(const Bar* bar, double e[3][3])
{
	double length = 0.0;
	for (int i = 0; i < 3; ++i)
		length += (bar->b[i] - bar->a[i]) * (bar->b[i] - bar->a[i]);
	length = sqrt(length);
	for (int i = 0; i < 3; ++i)
	{
		e[2][i] = (bar->b[i] - bar->a[i]) / length;
		e[0][i] = i == 2 ? 1.0 : 0.0; // bars lie in the plane z = 0
	}
	for (int i = 0; i < 3; ++i)
		e[1][i] = e[2][(i + 1) % 3] * e[0][(i + 2) % 3] - e[2][(i + 2) % 3] * e[0][(i + 1) % 3];
	return length;
}

static void placeBar(const Bar* bar, double* x)
{
	double e[3][3], length = frameOf(bar, e);
	for (int i = 0; i < 3; ++i)
	{
		x[i] = bar->a[i] - bar->radius * e[2][i];
		x[3 * (barVertices - 1) + i] = bar->b[i] + bar->radius * e[2][i];
	}
	x += 3;
	for (size_t k = 0; k < ringCount; ++k)
	{
		double along, radius;
		ringOf(bar, length, k, &along, &radius);
		for (size_t j = 0; j < around; ++j, x += 3)
		{
			double angle = 2.0 * pi * (double)j / around;
			for (int i = 0; i < 3; ++i)
				x[i] = bar->a[i] + along * e[2][i] + radius * (cos(angle) * e[0][i] + sin(angle) * e[1][i]);
		}
	}
}

// Outwards counter-clockwise
static void listBar(uint32_t first, uint32_t* t)
{
	uint32_t ring = first + 1, end = first + barVertices - 1;
	for (uint32_t j = 0; j < around; ++j, t += 6)
	{
		uint32_t next = (j + 1) % around, last = ring + (ringCount - 1) * around;
		const uint32_t caps[6] = {first, ring + next, ring + j, end, last + j, last + next};
		memcpy(t, caps, sizeof caps);
	}
	for (uint32_t k = 0; k + 1 < ringCount; ++k)
		for (uint32_t j = 0; j < around; ++j, t += 6)
		{
			uint32_t a = ring + k * around + j, b = ring + k * around + (j + 1) % around;
			const uint32_t two[6] = {a, b, a + around, b, b + around, a + around};
			memcpy(t, two, sizeof two);
		}
}

// ---- in motion ------------------------------------------------------------------------------------------------------

// Turns x about a point and an axis, 0 or 1.
static void turn(double x[3], const double about[3], int axis, double degrees)
{
	int i = (axis + 1) % 3, j = (axis + 2) % 3;
	double c = cos(degrees * pi / 180.0), s = sin(degrees * pi / 180.0), u = x[i] - about[i], v = x[j] - about[j];
	x[i] = about[i] + c * u - s * v;
	x[j] = about[j] + s * u + c * v;
}

static void move(const Bar* bar, double t, double x[3])
{
	static const double waist[3] = {0.0, 1.2, 0.0};
	double angle = 2.0 * pi * t + pi * bar->phase, sway = sin(2.0 * pi * t);
	if (!bar->isLeg)
	{
		turn(x, waist, 1, 6.0 * sway);
		x[0] += 0.03 * sway;
		return;
	}
	const double hip[3] = {bar->a[0], 0.9, 0.0}, knee[3] = {bar->a[0], 0.5, 0.0};
	double below = fmin(fmax((knee[1] + 0.06 - x[1]) / 0.12, 0.0), 1.0);
	turn(x, knee, 0, -40.0 * fmax(0.0, cos(angle)) * below * below * (3.0 - 2.0 * below));
	turn(x, hip, 0, 28.0 * sin(angle));
}

static plResult readFrame(size_t frame, float* positions, void* context, plError* error)
{
	const double* rest = context;
	(void)error;
	for (size_t v = 0; v < vertexCount; ++v)
	{
		double x[3] = {rest[3 * v], rest[3 * v + 1], rest[3 * v + 2]};
		move(bars + v / barVertices, (double)frame / framesPerSecond, x);
		for (int i = 0; i < 3; ++i)
			positions[3 * v + (size_t)i] = (float)x[i];
	}
	return pl_success;
}

static bool writeFrames(const plPaperRun* run, const char* name, double seconds, double* rest, plError* error)
{
	size_t length = strlen(run->folder) + strlen(name) + 6, frames = (size_t)ceil(seconds * framesPerSecond) + 2;
	char* path = malloc(length);
	float* times = malloc(frames * sizeof *times);
	bool good = path != NULL && times != NULL;
	if (!good)
		snprintf(error->message, sizeof error->message, "%s: not enough memory for %zu frames", name, frames);
	for (size_t i = 0; good && i < frames; ++i)
		times[i] = (float)i / framesPerSecond;
	if (good)
	{
		snprintf(path, length, "%s/%s.mdd", run->folder, name);
		good = plWriteCache(path, vertexCount, frames, times, readFrame, rest, error) >= 0;
	}
	free(path);
	free(times);
	return good;
}

bool plWalker_Write(const plPaperRun* run, const char* name, double seconds, plError* error)
{
	plMeshDef def = plDefaultMeshDef();
	double* x = malloc(3 * vertexCount * sizeof *x);
	uint32_t* t = malloc(3 * barCount * barTriangles * sizeof *t);
	bool good = x != NULL && t != NULL;
	if (!good)
		snprintf(error->message, sizeof error->message, "%s: not enough memory for the mesh", name);
	for (uint32_t b = 0; good && b < barCount; ++b)
	{
		placeBar(bars + b, x + 3 * (size_t)b * barVertices);
		listBar(b * barVertices, t + 3 * (size_t)b * barTriangles);
	}
	def.vertices = x;
	def.vertexCount = vertexCount;
	def.triangles = t;
	def.triangleCount = (size_t)barCount * barTriangles;
	good = good && plQuasi_WriteMesh(plCreateMesh(&def, error), run, name, error) &&
	       writeFrames(run, name, seconds, x, error);
	free(x);
	free(t);
	return good;
}
