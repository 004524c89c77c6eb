// spread_proof.c: is a flat sheet spread out in two states and between them? (spread.h)
//
// Of what a node has, intervals of the entries of F, follow bounds of those of S = (A F + (A F)')/2, and
//
//   least eigenvalue of S >= that of [low of S11, most |S12|; most |S12|, low of S22]
//
// Where that does not do for a leaf, its triangles are looked at one by one. A has the two rows of (F'F)^-1/2 F', which
// is the rotation of the mean F of both nodes in both states.
#include "spread_kernels.h"
#include "../base/vec3.h"

enum
{
	baseGrain = 4,
	visitsOfNode = 64, // that a proof may take, of each node
	fewestVisits = 4096,
};

static const double rounding = 0x1p-48; // of what is compared, as a part of the largest coordinate
static const double border = 1e-9;      // of the altitude: what reaches that far into a part only touches it
static const double steepest = 1e3;     // F: what goes on within the border is less than `lost` of the altitude
static const double lost = 1e-5;

// ---- where it is ----------------------------------------------------------------------------------------------------

typedef struct FitLoop
{
	plSpread* s;
	const double *from, *to;
	const plSpreadKernels* kernels;
} FitLoop;

static void fitBases(size_t begin, size_t end, void* context)
{
	const FitLoop* loop = context;
	loop->kernels->fitBases(loop->s, loop->from, loop->to, begin, end);
}

void plSpread_Fit(plSpread* s, const double* from, const double* to, plPool* pool)
{
	FitLoop loop = {s, from, to, plFindSpreadKernels()};
	plParallelFor(pool, s->baseCount, baseGrain, fitBases, &loop);
	if (from != NULL)
		loop.kernels->join(s, 0);
	loop.kernels->join(s, 1);
	s->stamp++;
}

// ---- spread ---------------------------------------------------------------------------------------------------------

typedef struct Proof
{
	plSpread* s;
	const double* places[2];
	const plSpreadKernels* kernels;
	double least;    // m
	double distance; // that parts must be apart, m
	size_t left;     // visits
	size_t fold;     // the triangle that was not spread the last time: it often is not again
} Proof;

// The columns of F of triangle t
static void gradientOf(const plSpread* s, size_t t, const double* places, double columns[2][3])
{
	const uint32_t* c = s->corners + 3 * t;
	const double *a = PL_AT(places, c[0]), *b = PL_AT(places, c[1]), *d = PL_AT(places, c[2]);
	const plSpreadInverse* inverse = s->inverse + t;
	for (int k = 0; k < 3; ++k)
	{
		double ab = b[k] - a[k], ad = d[k] - a[k];
		columns[0][k] = ab * inverse->row[0][0] + ad * inverse->row[1][0];
		columns[1][k] = ab * inverse->row[0][1] + ad * inverse->row[1][1];
	}
}

typedef struct Frame
{
	double a[2][pl_quad]; // A
	plSpreadBox part;     // of the chart
} Frame;

// The mean F of two nodes in both states; false: it is no sheet
static bool findFrame(const Proof* p, size_t a, size_t b, Frame* frame)
{
	double f[2][3], m[3] = {0.0, 0.0, 0.0};
	for (int i = 0; i < 2; ++i)
		for (int k = 0; k < 3; ++k)
		{
			f[i][k] = 0.0;
			for (int end = 0; end < 2; ++end)
			{
				const plSpreadPlace *x = p->s->places[end] + a, *y = p->s->places[end] + b;
				f[i][k] += 0.125 * ((x->least[i][k] + x->most[i][k]) + (y->least[i][k] + y->most[i][k]));
			}
		}
	m[0] = plDot3(f[0], f[0]), m[1] = plDot3(f[1], f[1]), m[2] = plDot3(f[0], f[1]);
	double determinant = m[0] * m[1] - m[2] * m[2];
	if (!(determinant > 1e-6 * m[0] * m[1])) // far from flat: the rotation would be noise
		return false;
	double root = sqrt(determinant), trace = sqrt(m[0] + m[1] + 2.0 * root), scale = 1.0 / (root * trace);
	for (int k = 0; k < 3; ++k) // M^-1/2 = (M22 + root, -M12; -M12, M11 + root)/(root trace)
	{
		frame->a[0][k] = scale * ((m[1] + root) * f[0][k] - m[2] * f[1][k]);
		frame->a[1][k] = scale * ((m[0] + root) * f[1][k] - m[2] * f[0][k]);
	}
	frame->a[0][3] = frame->a[1][3] = 0.0;
	const plSpreadNode *x = p->s->nodes + a, *y = p->s->nodes + b;
	for (int i = 0; i < 2; ++i)
	{
		frame->part.low[i] = plMin(x->box.low[i], y->box.low[i]) + border * p->s->altitude;
		frame->part.high[i] = plMax(x->box.high[i], y->box.high[i]) - border * p->s->altitude;
	}
	return true;
}

static bool isTriangleSpread(const Proof* p, size_t t, const Frame* frame)
{
	for (int end = 0; end < 2; ++end)
	{
		double f[2][3];
		gradientOf(p->s, t, p->places[end], f);
		double mixed = 0.5 * (plDot3(frame->a[0], f[1]) + plDot3(frame->a[1], f[0]));
		if (!plSpread_IsAtLeast(plDot3(frame->a[0], f[0]), plDot3(frame->a[1], f[1]), mixed, p->least))
			return false;
	}
	return true;
}

// Below a base, who asks first fits it.
static void needPlaces(const Proof* p, size_t n)
{
	plSpreadNode* node = p->s->nodes + n;
	if (node->endVertex > 0 || node->end - node->first > pl_spreadBase || node->stamp == p->s->stamp)
		return;
	p->kernels->fitNode(p->s, n, p->places);
	node->stamp = p->s->stamp;
}

static bool isNodeSpread(const Proof* p, size_t n, const Frame* frame)
{
	return p->kernels->isNodeSpread(p->s->places[0] + n, frame->a, p->least) &&
	       p->kernels->isNodeSpread(p->s->places[1] + n, frame->a, p->least);
}

// Boxes that only touch do not: a line along the border of the part has other triangles beside it, in which x goes
// alike.
static bool overlap(const plSpreadBox* a, const plSpreadBox* part)
{
	for (int i = 0; i < 2; ++i)
		if (a->low[i] >= part->high[i] || a->high[i] <= part->low[i])
			return false;
	return true;
}

// All triangles below a node that reach into the part of the chart
static bool isPartSpread(Proof* p, size_t n, const Frame* frame)
{
	const plSpreadNode* node = p->s->nodes + n;
	if (!overlap(&node->box, &frame->part))
		return true;
	if (p->left == 0)
		return false;
	p->left--;
	needPlaces(p, n);
	if (isNodeSpread(p, n, frame))
		return true;
	if (node->second != 0)
		return isPartSpread(p, n + 1, frame) && isPartSpread(p, node->second, frame);
	for (size_t t = node->first; t < node->end; ++t)
		if (overlap(p->s->boxes + t, &frame->part) && !isTriangleSpread(p, t, frame))
		{
			p->fold = t;
			return false;
		}
	return true;
}

static bool isFolded(const Proof* p, const Frame* frame)
{
	return overlap(p->s->boxes + p->fold, &frame->part) && !isTriangleSpread(p, p->fold, frame);
}

static bool areSpread(Proof* p, size_t a, size_t b)
{
	Frame frame;
	return findFrame(p, a, b, &frame) && !isFolded(p, &frame) && isPartSpread(p, 0, &frame);
}

// ---- apart ----------------------------------------------------------------------------------------------------------

// Along an axis, one before the other in both states
static bool areBoxesApart(const Proof* p, size_t a, size_t b)
{
	const plSpreadPlace *a0 = p->s->places[0] + a, *a1 = p->s->places[1] + a;
	const plSpreadPlace *b0 = p->s->places[0] + b, *b1 = p->s->places[1] + b;
	for (int k = 0; k < 3; ++k)
		if ((b0->low[k] - a0->high[k] >= p->distance && b1->low[k] - a1->high[k] >= p->distance) ||
		    (a0->low[k] - b0->high[k] >= p->distance && a1->low[k] - b1->high[k] >= p->distance))
			return true;
	return false;
}

static void project(const Proof* p, size_t n, int end, const double along[3], double range[2])
{
	const plSpreadNode* node = p->s->nodes + n;
	range[0] = INFINITY, range[1] = -INFINITY;
	for (size_t c = 3 * (size_t)node->first; c < 3 * (size_t)node->end; ++c)
	{
		double x = plDot3(along, PL_AT(p->places[end], p->s->corners[c]));
		range[0] = plMin(x, range[0]);
		range[1] = plMax(x, range[1]);
	}
}

static bool areLeavesApartAlong(const Proof* p, size_t a, size_t b, const double along[3])
{
	double length = plLength3(along), least[2], most[2]; // gaps with the one first, and with the other, in either state
	for (int end = 0; end < 2; ++end)
	{
		double first[2], second[2];
		project(p, a, end, along, first);
		project(p, b, end, along, second);
		least[end] = second[0] - first[1];
		most[end] = first[0] - second[1];
	}
	return length > 0.0 &&
	       (plMin(least[0], least[1]) >= p->distance * length || plMin(most[0], most[1]) >= p->distance * length);
}

// The same of leaves, along the line between their middles, or the normal of one
static bool areLeavesApart(const Proof* p, size_t a, size_t b)
{
	double between[3] = {0.0, 0.0, 0.0}, normal[2][3], f[2][2][3] = {{{0.0}}};
	for (int k = 0; k < 3; ++k)
		for (int end = 0; end < 2; ++end)
		{
			const plSpreadPlace* x[2] = {p->s->places[end] + a, p->s->places[end] + b};
			between[k] += (x[1]->low[k] + x[1]->high[k]) - (x[0]->low[k] + x[0]->high[k]);
			for (int i = 0; i < 4; ++i)
				f[i / 2][i % 2][k] += x[i / 2]->least[i % 2][k] + x[i / 2]->most[i % 2][k];
		}
	plCross3(f[0][0], f[0][1], normal[0]);
	plCross3(f[1][0], f[1][1], normal[1]);
	return areLeavesApartAlong(p, a, b, between) || areLeavesApartAlong(p, a, b, normal[0]) ||
	       areLeavesApartAlong(p, a, b, normal[1]);
}

// ---- the proof ------------------------------------------------------------------------------------------------------

static bool isProved(Proof* p, size_t a, size_t b)
{
	if (p->left == 0)
		return false;
	p->left--;
	needPlaces(p, a);
	needPlaces(p, b);
	if ((a != b && areBoxesApart(p, a, b)) || areSpread(p, a, b))
		return true;
	const plSpreadNode *x = p->s->nodes + a, *y = p->s->nodes + b;
	if (x->second == 0 && y->second == 0)
		return a != b && areLeavesApart(p, a, b);
	if (a == b)
		return isProved(p, a + 1, a + 1) && isProved(p, x->second, x->second) && isProved(p, a + 1, x->second);
	if (y->second == 0 || (x->second != 0 && x->end - x->first >= y->end - y->first))
		return isProved(p, a + 1, b) && isProved(p, x->second, b);
	return isProved(p, a, b + 1) && isProved(p, a, y->second);
}

// The largest coordinate in both states, m
static double sizeOf(const plSpread* s)
{
	double most = 0.0;
	for (int end = 0; end < 2; ++end)
		for (int k = 0; k < 3; ++k)
			most = plMax(plMax(fabs(s->places[end]->low[k]), fabs(s->places[end]->high[k])), most);
	return most;
}

static double steepnessOf(const plSpread* s)
{
	double most = 0.0;
	for (int end = 0; end < 2; ++end)
		for (int k = 0; k < 6; ++k)
			most =
			    plMax(plMax(fabs(s->places[end]->least[k / 3][k % 3]), fabs(s->places[end]->most[k / 3][k % 3])), most);
	return most;
}

bool plSpread_IsProved(plSpread* s, const double* from, const double* to, double apart, double distance)
{
	double size = sizeOf(s), slack = rounding * size;
	if (!(size < 1e100) || !(steepnessOf(s) < steepest))
		return false;
	Proof proof = {.s = s,
	               .places = {from, to},
	               .kernels = plFindSpreadKernels(),
	               .least = distance / plMax(s->altitude, apart) + slack / s->altitude + lost,
	               .distance = distance + slack,
	               .left = fewestVisits + visitsOfNode * s->nodeCount};
	return isProved(&proof, 0, 0);
}
