// solid_inertia.c: mass, centre and inertia of solids, alone and together
//
//   sphere     m = 4/3 pi r^3              I = 2/5 m r^2
//   cylinder   m = 2 pi r^2 h              I_y = 1/2 m r^2,  I_x = m (r^2/4 + h^2/3)                    h half its
//   length capsule    a cylinder, and two halves of a sphere moved by h:  I_x = m (2/5 r^2 + h^2 + 3/4 h r) box m = 8 a
//   b c                 I_x = 1/3 m (b^2 + c^2) hull       tetrahedra from a point o to each triangle a b c of its
//   faces, D = a.(b x c), s = a + b + c:
//              V = sum D/6,   int x = sum D/24 s,   int x x' = sum D/120 (s s' + a a' + b b' + c c')
//
// times the density. With C = int x x' about the centre the inertia is tr(C) 1 - C. Two bodies with masses m and n
// whose centres are d apart have, together, the sum of both and  m n / (m + n) (d.d 1 - d d').
#include "solid.h"
#include "vector.h"

static const double pi = 3.14159265358979323846;

// xx yy zz xy xz yz of row and column.
static const int place[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};

// ---- closed forms ---------------------------------------------------------------------------------------------------

static void setDiagonal(plInertia* inertia, double x, double y, double z)
{
	inertia->moments[0] = x;
	inertia->moments[1] = y;
	inertia->moments[2] = z;
}

static void addRound(const plSolid* s, double density, plInertia* inertia)
{
	double r = s->radius, h = s->half[1], across, along;
	double shaft = s->kind == pl_shapeSphere ? 0.0 : density * 2.0 * pi * r * r * h;
	double ends = s->kind == pl_shapeCylinder ? 0.0 : density * 4.0 / 3.0 * pi * r * r * r;
	inertia->mass = shaft + ends;
	along = 0.5 * shaft * r * r + 0.4 * ends * r * r;
	across = shaft * (0.25 * r * r + h * h / 3.0) + ends * (0.4 * r * r + h * h + 0.75 * h * r);
	setDiagonal(inertia, across, along, across);
}

static void addBox(const double half[3], double density, plInertia* inertia)
{
	double x = half[0] * half[0], y = half[1] * half[1], z = half[2] * half[2];
	inertia->mass = 8.0 * density * half[0] * half[1] * half[2];
	double m = inertia->mass / 3.0;
	setDiagonal(inertia, m * (y + z), m * (x + z), m * (x + y));
}

// ---- hulls ----------------------------------------------------------------------------------------------------------

// Integrals of 1, x and x x' over a polytope, about a point.
typedef struct Integrals
{
	double volume, first[3], second[6];
} Integrals;

static void addTriangle(Integrals* sum, const double a[3], const double b[3], const double c[3])
{
	double bc[3], s[3];
	plCross3(b, c, bc);
	double D = plDot3(a, bc);
	sum->volume += D / 6.0;
	for (int i = 0; i < 3; ++i)
		s[i] = a[i] + b[i] + c[i];
	for (int i = 0; i < 3; ++i)
	{
		sum->first[i] += D / 24.0 * s[i];
		for (int j = i; j < 3; ++j)
			sum->second[place[i][j]] += D / 120.0 * (s[i] * s[j] + a[i] * a[j] + b[i] * b[j] + c[i] * c[j]);
	}
}

static void addHull(const plHull* hull, double density, plInertia* inertia)
{
	plPolytope p = plHull_GetPolytope(hull);
	Integrals sum = {0};
	double o[3] = {0.0}; // near the middle, so that little cancels
	for (size_t c = 0; c < 3 * (size_t)p.vertexCount; ++c)
		o[c % 3] += p.vertices[c] / p.vertexCount;
	for (uint32_t f = 0; f < p.faceCount; ++f)
		for (uint32_t e = p.faceStart[f] + 1; e + 1 < p.faceStart[f + 1]; ++e)
		{
			double x[3][3];
			plSubtract3(p.vertices + 3 * (size_t)p.corners[p.faceStart[f]], o, x[0]);
			plSubtract3(p.vertices + 3 * (size_t)p.corners[e], o, x[1]);
			plSubtract3(p.vertices + 3 * (size_t)p.corners[e + 1], o, x[2]);
			addTriangle(&sum, x[0], x[1], x[2]);
		}
	double offset[3], C[6], trace = 0.0;
	for (int i = 0; i < 3; ++i)
	{
		offset[i] = sum.first[i] / sum.volume;
		inertia->centre[i] = o[i] + offset[i];
	}
	for (int i = 0; i < 3; ++i)
		for (int j = i; j < 3; ++j)
			C[place[i][j]] = sum.second[place[i][j]] - sum.volume * offset[i] * offset[j];
	trace = C[0] + C[1] + C[2];
	inertia->mass = density * sum.volume;
	for (int k = 0; k < 6; ++k)
		inertia->moments[k] = density * ((k < 3 ? trace : 0.0) - C[k]);
}

bool plSolid_GetInertia(const plSolid* solid, double density, plInertia* inertia)
{
	*inertia = (plInertia){0};
	switch (solid->kind)
	{
	case pl_shapePlane:
	case pl_shapeMesh:
		return false;
	case pl_shapeBox:
		addBox(solid->half, density, inertia);
		return true;
	case pl_shapeHull:
		addHull(solid->hull, density, inertia);
		return true;
	default:
		addRound(solid, density, inertia);
		return true;
	}
}

// ---- several --------------------------------------------------------------------------------------------------------

// R I R'
static void turnMoments(const double R[3][3], const double moments[6], double turned[6])
{
	double RI[3][3];
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
			RI[i][j] = R[i][0] * moments[place[0][j]] + R[i][1] * moments[place[1][j]] + R[i][2] * moments[place[2][j]];
	for (int i = 0; i < 3; ++i)
		for (int j = i; j < 3; ++j)
			turned[place[i][j]] = plDot3(RI[i], R[j]);
}

void plInertia_Add(plInertia* sum, const plInertia* part, const plSite* site)
{
	double mass = sum->mass + part->mass, centre[3], turned[6], d[3];
	plSite_Apply(site, part->centre, centre);
	turnMoments(site->R, part->moments, turned);
	if (!(sum->mass > 0.0)) // the first: its place to the bit
		copy3(centre, sum->centre);
	plSubtract3(centre, sum->centre, d);
	double square = plDot3(d, d), reduced = mass > 0.0 ? sum->mass * part->mass / mass : 0.0;
	for (int i = 0; i < 3; ++i)
	{
		sum->centre[i] += mass > 0.0 ? part->mass / mass * d[i] : 0.0;
		for (int j = i; j < 3; ++j)
			sum->moments[place[i][j]] += turned[place[i][j]] + reduced * ((i == j ? square : 0.0) - d[i] * d[j]);
	}
	sum->mass = mass;
}
