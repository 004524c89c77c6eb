// balloon.h: a closed cloth
#ifndef PL_TEST_BALLOON_H
#define PL_TEST_BALLOON_H

#include "sheet.h"

enum
{
	mostBalloonVertices = 1200
};

// A sphere of radius 1: an octahedron whose faces are cut into cells^2 triangles, pushed out. `inwards`: all turned
static inline plMesh* makeSphere(size_t cells, bool inwards, bool open, bool turned)
{
	static double x[3 * mostBalloonVertices];
	static uint32_t t[6 * mostBalloonVertices];
	size_t n = 0, m = 0;
	for (int f = 0; f < 8; ++f)
	{
		double sx = f & 1 ? -1.0 : 1.0, sy = f & 2 ? -1.0 : 1.0, sz = f & 4 ? -1.0 : 1.0;
		bool flip = (sx * sy * sz < 0.0) != inwards;
		uint32_t at[32][32];
		for (size_t i = 0; i <= cells; ++i)
			for (size_t j = 0; i + j <= cells; ++j)
			{
				double p[3] = {sx * (double)i, sy * (double)j, sz * (double)(cells - i - j)};
				double l = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
				size_t v = 0;
				for (size_t k = 0; k < 3; ++k)
					p[k] = p[k] == 0.0 ? 0.0 : p[k] / l;
				while (v < n && memcmp(x + 3 * v, p, sizeof p) != 0)
					++v;
				if (v == n)
					memcpy(x + 3 * n++, p, sizeof p);
				at[i][j] = (uint32_t)v;
			}
		for (size_t i = 0; i < cells; ++i)
			for (size_t j = 0; i + j < cells; ++j)
				for (int half = 0; half < (i + j + 1 < cells ? 2 : 1); ++half)
				{
					uint32_t c[3] = {half ? at[i + 1][j + 1] : at[i][j], half ? at[i][j + 1] : at[i + 1][j],
					                 half ? at[i + 1][j] : at[i][j + 1]};
					memcpy(t + 3 * m++, flip ? (uint32_t[]){c[0], c[2], c[1]} : c, sizeof c);
				}
	}
	if (turned)
		memcpy(t, (uint32_t[]){t[1], t[0], t[2]}, 3 * sizeof *t);
	plMeshDef def = plDefaultMeshDef();
	def.vertices = x;
	def.vertexCount = n;
	def.triangles = t;
	def.triangleCount = open ? m - 1 : m;
	return plCreateMesh(&def, NULL);
}

#endif
