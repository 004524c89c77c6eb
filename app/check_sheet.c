// check_sheet.c: `pliant check`: surfaces of triangles, and what a cloth is made of
//
//   altitude   the least of a triangle: 2 area / longest edge; a sliver has little of it
//   angle      the least and the greatest of a triangle; 60 degrees in an equilateral one
//   border     edges of one triangle; crowded: of three or more; turned: the two beside it face opposite ways
#include "check_sheet.h"

#include <math.h>
#include <stdio.h>

// ---- edges ----------------------------------------------------------------------------------------------------------

static void printEdges(const plMeshView* mesh)
{
	plEdgeCounts n;
	if (plMeshView_CountEdges(mesh, &n, NULL) < 0)
		return;
	printf("  edges      %zu, of these %zu on the border\n", n.edges, n.border);
	if (n.crowded > 0)
		printf("  crowded    %zu edges of three triangles or more: a cloth bends freely there\n", n.crowded);
	if (n.turned > 0)
		printf("  turned     %zu edges between triangles that face opposite ways\n", n.turned);
}

// ---- triangles ------------------------------------------------------------------------------------------------------

typedef struct Shapes
{
	double area, least, most;     // m^2
	double altitude;              // m, the least
	double leastAngle, mostAngle; // degrees
	double texture;               // sum of areas of texture coordinates
	double leastRatio, mostRatio; // of these to areas in space
} Shapes;

static void addTriangle(Shapes* s, const double* p[3])
{
	double e[3][3], length[3], n[3], longest = 0.0;
	for (int k = 0; k < 3; ++k)
	{
		for (int i = 0; i < 3; ++i)
			e[k][i] = p[(k + 1) % 3][i] - p[k][i];
		length[k] = sqrt(e[k][0] * e[k][0] + e[k][1] * e[k][1] + e[k][2] * e[k][2]);
		longest = fmax(longest, length[k]);
	}
	for (int i = 0; i < 3; ++i)
		n[i] = e[0][(i + 1) % 3] * e[1][(i + 2) % 3] - e[0][(i + 2) % 3] * e[1][(i + 1) % 3];
	double twice = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
	s->area += 0.5 * twice;
	s->least = fmin(s->least, 0.5 * twice);
	s->most = fmax(s->most, 0.5 * twice);
	s->altitude = fmin(s->altitude, longest > 0.0 ? twice / longest : 0.0);
	for (int k = 0; k < 3; ++k) // at corner k, between its two sides
	{
		const double *a = e[k], *b = e[(k + 2) % 3];
		double angle = atan2(twice, -(a[0] * b[0] + a[1] * b[1] + a[2] * b[2])) * 180.0 / M_PI;
		s->leastAngle = fmin(s->leastAngle, angle);
		s->mostAngle = fmax(s->mostAngle, angle);
	}
}

static Shapes measure(const plMeshView* mesh, const double* positions)
{
	Shapes s = {
	    .least = INFINITY, .altitude = INFINITY, .leastAngle = INFINITY, .leastRatio = INFINITY, .mostRatio = 0.0};
	for (size_t t = 0; t < mesh->surfaceCount; ++t)
	{
		const double* p[3];
		double before = s.area;
		for (int k = 0; k < 3; ++k)
			p[k] = positions + 3 * (size_t)mesh->surface[3 * t + (size_t)k];
		addTriangle(&s, p);
		if (mesh->uvs == NULL)
			continue;
		const double* u = mesh->uvs + 6 * t;
		double texture = 0.5 * fabs((u[2] - u[0]) * (u[5] - u[1]) - (u[4] - u[0]) * (u[3] - u[1]));
		s.texture += texture;
		s.leastRatio = fmin(s.leastRatio, texture / (s.area - before));
		s.mostRatio = fmax(s.mostRatio, texture / (s.area - before));
	}
	return s;
}

void plApp_PrintSheet(const plMeshView* mesh, const double* positions)
{
	Shapes s = measure(mesh, positions);
	printf("  area       %.6g m^2; triangles from %.3g to %.3g m^2\n"
	       "  altitude   %.3g m at least\n"
	       "  angles     from %.2f to %.2f degrees\n",
	       s.area, s.least, s.most, s.altitude, s.leastAngle, s.mostAngle);
	printEdges(mesh);
	if (mesh->uvs != NULL && s.texture > 0.0)
		printf("  texture    %.3g to %.3g times the areas; with \"uv_scale\": %.4g it is as large\n", s.leastRatio,
		       s.mostRatio, sqrt(s.area / s.texture));
}

void plApp_PrintCloth(const plClothDef* cloth, const char* fabric)
{
	const plMembraneDef* m = &cloth->membrane;
	const plBendingDef* b = &cloth->bending;
	if (fabric != NULL)
		printf("  fabric     %s\n", fabric);
	printf("  cloth      %.6g kg/m^2, %.6g m thick, membrane %s", cloth->density, cloth->thickness,
	       plMembraneLaw_GetName(m->law));
	if (m->young > 0.0)
		printf(" of %.6g N/m", m->young * cloth->thickness);
	else if (m->law == pl_membraneOrthotropic)
		printf(" of %.6g, %.6g, %.6g, %.6g N/m", m->stiffness[0], m->stiffness[1], m->stiffness[2], m->stiffness[3]);
	else
		printf(" of %.6g N/m", m->stiffness[0]);
	double cube = cloth->thickness * cloth->thickness * cloth->thickness;
	double D = b->stiffness >= 0.0 ? b->stiffness : m->young * cube / (12.0 * (1.0 - m->poisson * m->poisson));
	printf(", bending %s", plBendingModel_GetName(b->model));
	if (b->model != pl_bendingNone)
		printf(" of %.3g N m", D);
	printf("\n");
}
