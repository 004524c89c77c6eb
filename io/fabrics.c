// fabrics.c: numbers of fabrics that were measured
//
// The tables are those of [WOR11] as [NSO12] publishes them with its program, versions 0.2.1 and 0.3.1, in its folder
// materials: an area density, c11 c12 c22 c33 of the unstretched sheet (N/m), and a bending stiffness along, between
// and across the axes at the least curvature measured (N m). What they mean is what the forces of that program make of
// them. They are the slopes of these energies, per area in Green's strain E, and per edge e:
//
//   c11 E11^2 + 2 c12 E11 E22 + c22 E22^2 + 2 c33 E12^2,   and   k |e|^2 angle^2/(8 (A0 + A1))
//
// so here (docs/cloth-energies.md) warp, weft, coupling, shear = 2 c11, 2 c22, 2 c12, c33, and D = k/4, with the mean
// of the three k. The energy that the program reports has half of that shear, but nothing there is moved by it, and the
// forces have the stress 2 c E for all four numbers alike. A c12 below 0 is taken as 0 by the program, and here. One of
// the ten fabrics is left out, a sweater: the weft that it has unstretched, 6.5 N/m, gives by a third where one metre
// of it hangs. Thicknesses were not measured.
#include "pliant/io.h"

typedef struct Row
{
	plFabric fabric;
	double c[4], bend[3]; // as published; bend in 1e-6 N m
} Row;

static const Row rows[] = {
    {{.name = "denim", .made = "jeans, 99 % cotton, 1 % spandex", .density = 0.324},
     {205.352005, 10.234077, 1013.88629, 53.387184},
     {64.196457, 73.384567, 96.951576}},
    {{.name = "twill", .made = "trousers, 65 % cotton, 35 % polyester", .density = 0.220},
     {2016.55456, 9.170511, 2034.97644, 104.759674},
     {125.409805, 107.997696, 125.409805}},
    {{.name = "tablecloth", .made = "100 % polyester", .density = 0.128},
     {2002.08618, 0.345588, 2027.48559, 19.189022},
     {51.713814, 40.659470, 31.282822}},
    {{.name = "blanket", .made = "100 % polyester", .density = 0.228},
     {151.503906, 106.028160, 244.830673, 30.250183},
     {117.070122, 87.509773, 59.774277}},
    {{.name = "jacket", .made = "100 % polyester", .density = 0.113},
     {43.067627, 54.373299, 171.424835, 14.314700},
     {14.293814, 21.951700, 20.345654}},
    {{.name = "ponte", .made = "jacket, 60 % polyester, 40 % rayon", .density = 0.284},
     {31.146198, -12.802702, 44.028667, 31.896357},
     {36.348366, 33.013252, 37.157593}},
    {{.name = "interlock", .made = "T-shirt, 60 % cotton, 40 % polyester", .density = 0.187},
     {16.593832, -14.695990, 34.477123, 36.860302},
     {23.191698, 24.749964, 14.267624}},
    {{.name = "rib-knit", .made = "underwear, 95 % cotton, 5 % spandex", .density = 0.276},
     {42.871021, -0.234556, 65.166023, 83.175644},
     {46.237591, 30.015930, 32.243889}},
    {{.name = "swimwear", .made = "87 % nylon, 13 % spandex", .density = 0.204},
     {47.971176, 6.834521, 104.615456, 60.773663},
     {60.237942, 58.803211, 51.018833}},
};

bool plGetFabric(int index, plFabric* fabric)
{
	if (index < 0 || (size_t)index >= sizeof rows / sizeof *rows)
		return false;
	const Row* row = &rows[index];
	*fabric = row->fabric;
	fabric->stiffness[0] = 2.0 * row->c[0];
	fabric->stiffness[1] = 2.0 * row->c[2];
	fabric->stiffness[2] = row->c[1] > 0.0 ? 2.0 * row->c[1] : 0.0;
	fabric->stiffness[3] = row->c[3];
	fabric->bending = 0.25e-6 * (row->bend[0] + row->bend[1] + row->bend[2]) / 3.0;
	return true;
}
