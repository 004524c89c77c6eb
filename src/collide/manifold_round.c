// manifold_round.c: spheres and capsules with each other, and a sphere with a box, in closed form
//
//   depth = ra + rb - |xb - xa|,  n = (xb - xa)/|xb - xa|,  xa, xb the nearest points of two points or segments
//
// Capsules that lie along each other get two points, at the ends of what they share, so that they do not rock.
// Where the nearest points coincide n is not unique. Spheres take the y axis of the world; capsules what is across both
// axes.
#include "narrow.h"

// n and gap of two points of cores; `spare` is n if they coincide.
static double direct(const double xa[3], const double xb[3], double tiny, const double spare[3], double n[3])
{
	double d[3];
	plSubtract3(xb, xa, d);
	double gap = sqrt(plDot3(d, d));
	for (int i = 0; i < 3; ++i)
		n[i] = gap > tiny ? d[i] / gap : spare[i];
	return gap;
}

static const plSite here = {.R = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};

static void writeOne(const plPair* pair, const double xa[3], const double xb[3], const double spare[3],
                     plManifold* manifold)
{
	plCandidates c;
	double n[3], radii = pair->a->radius + pair->b->radius;
	double gap = direct(xa, xb, 0x1p-40 * radii, spare, n);
	plCandidates_Begin(&c, pair, n, radii);
	plCandidates_Add(&c, xa, gap, 0);
	plCandidates_Finish(&c, &here, pair->a->radius, pair->b->radius, manifold);
}

void plCollideSpheres(const plPair* pair, plManifold* manifold)
{
	static const double up[3] = {0.0, 1.0, 0.0};
	writeOne(pair, pair->siteA->p, pair->siteB->p, up, manifold);
}

// The axis of a capsule: from its middle to its upper end
static void axisOf(const plSolid* capsule, const plSite* site, double axis[3])
{
	for (int i = 0; i < 3; ++i)
		axis[i] = site->R[i][1] * capsule->half[1];
}

void plCollideSphereCapsule(const plPair* pair, plManifold* manifold)
{
	double axis[3], d[3], xb[3], spare[3];
	axisOf(pair->b, pair->siteB, axis);
	plSubtract3(pair->siteA->p, pair->siteB->p, d);
	double square = plDot3(axis, axis);
	double t = square > 0.0 ? clamp(plDot3(d, axis) / square, -1.0, 1.0) : 0.0;
	along3(pair->siteB->p, t, axis, xb);
	plPerpendicular(axis, spare);
	writeOne(pair, pair->siteA->p, xb, spare, manifold);
}

// ---- two capsules ---------------------------------------------------------------------------------------------------

// Segments d + t v and s u, s and t in -1 .. 1: nearest s and t. Lumelsky 1985: the nearest points of
// the lines, then one parameter clamped, then the other.
static void nearestOfSegments(const double d[3], const double u[3], const double v[3], double* s, double* t)
{
	double uu = plDot3(u, u), vv = plDot3(v, v), uv = plDot3(u, v), du = plDot3(d, u), dv = plDot3(d, v), w[3];
	plCross3(u, v, w);
	double square = plDot3(w, w); // uu vv - uv^2 without cancellation
	*s = square > 0x1p-60 * uu * vv ? clamp((du * vv - dv * uv) / square, -1.0, 1.0) : 0.0;
	*t = vv > 0.0 ? (*s * uv - dv) / vv : 0.0;
	*t = clamp(*t, -1.0, 1.0);
	*s = uu > 0.0 ? clamp((du + *t * uv) / uu, -1.0, 1.0) : 0.0;
}

// The ends of what two capsules share, if they lie along each other. s u on a's axis faces d + t v on b's. Axes that
// cross at a small angle share what is within 1/16 of a radius sideways; `at` is s where they are nearest.
static void addEnds(plCandidates* c, const plPair* pair, const double d[3], const double u[3], const double v[3],
                    double at)
{
	double uu = plDot3(u, u), vv = plDot3(v, v), uv = plDot3(u, v), w[3];
	plCross3(u, v, w);
	double square = plDot3(w, w);
	if (uu == 0.0 || vv == 0.0 || square > 0x1p-10 * uu * vv) // 1.8 degrees
		return;
	double sideways = 0.0625 * fmin(pair->a->radius, pair->b->radius) * sqrt(vv / square);
	double middle = plDot3(d, u) / uu, reach = fabs(uv) / uu;
	double low = fmax(fmax(-1.0, middle - reach), at - sideways), high = fmin(fmin(1.0, middle + reach), at + sideways);
	if ((high - low) * sqrt(uu) <= pair->slack)
		return;
	double nearest = c->count > 0 ? c->at[0].gap : HUGE_VAL;
	for (int k = 0; k < 2; ++k)
	{
		double s = k == 0 ? low : high, t = clamp((s * uu - plDot3(d, u)) / uv, -1.0, 1.0), x[3], y[3], gap[3];
		for (int i = 0; i < 3; ++i)
		{
			x[i] = s * u[i];
			y[i] = d[i] + t * v[i];
			gap[i] = y[i] - x[i];
		}
		// Along n only if the axes cross or coincide, else the gap itself
		double straight = sqrt(plDot3(gap, gap)), alongNormal = plDot3(gap, c->normal);
		plCandidates_Add(c, x, alongNormal > 0.0 ? straight : alongNormal, 1 + (uint32_t)k);
	}
	// The nearest point is not needed if an end is level with it.
	for (int k = 1; k < c->count; ++k)
		if (c->at[k].gap <= nearest + pair->slack && c->count > 1)
		{
			for (int i = 1; i < c->count; ++i)
				c->at[i - 1] = c->at[i];
			c->count--;
			return;
		}
}

void plCollideCapsules(const plPair* pair, plManifold* manifold)
{
	plCandidates c;
	double u[3], v[3], d[3], n[3], x[3], y[3], spare[3], s, t, radii = pair->a->radius + pair->b->radius;
	axisOf(pair->a, pair->siteA, u);
	axisOf(pair->b, pair->siteB, v);
	plSubtract3(pair->siteB->p, pair->siteA->p, d);
	nearestOfSegments(d, u, v, &s, &t);
	for (int i = 0; i < 3; ++i)
	{
		x[i] = s * u[i];
		y[i] = d[i] + t * v[i];
	}
	plCross3(u, v, spare);
	double square = plDot3(spare, spare);
	if (square > 0x1p-40 * plDot3(u, u) * plDot3(v, v))
		for (int i = 0; i < 3; ++i)
			spare[i] /= sqrt(square);
	else
		plPerpendicular(u, spare);
	double gap = direct(x, y, 0x1p-40 * radii, spare, n);
	plCandidates_Begin(&c, pair, n, radii);
	plCandidates_Add(&c, x, gap, 0);
	addEnds(&c, pair, d, u, v, s);
	plSite site = here;
	copy3(pair->siteA->p, site.p);
	plCandidates_Finish(&c, &site, pair->a->radius, pair->b->radius, manifold);
}

// ---- a sphere and a box ---------------------------------------------------------------------------------------------

// Outside the nearest point of the box is the clamped centre. Inside it is on the nearest face.
void plCollideSphereBox(const plPair* pair, plManifold* manifold)
{
	plCandidates c;
	const double* half = pair->b->half;
	double d[3], y[3], nearest[3], n[3], gap;
	plSubtract3(pair->siteA->p, pair->siteB->p, d);
	plSite_TurnBack(pair->siteB, d, y);
	for (int i = 0; i < 3; ++i)
		nearest[i] = clamp(y[i], -half[i], half[i]);
	double spare[3] = {0.0, 0.0, 0.0};
	gap = direct(y, nearest, 0.0, spare, n);
	if (gap <= 0x1p-40 * pair->a->radius)
	{
		int face = 0;
		for (int i = 1; i < 3; ++i)
			if (half[i] - fabs(y[i]) < half[face] - fabs(y[face]) - pair->slack)
				face = i;
		n[0] = n[1] = n[2] = 0.0;
		n[face] = y[face] < 0.0 ? 1.0 : -1.0;
		gap = fabs(y[face]) - half[face];
	}
	plCandidates_Begin(&c, pair, n, pair->a->radius);
	plCandidates_Add(&c, y, gap, 0);
	plCandidates_Finish(&c, pair->siteB, pair->a->radius, 0.0, manifold);
}
