// seam.h: sewing: pairs of vertices that are drawn together and then hold
//
//   plSeamDef def = plDefaultSeamDef();
//   def.a = front, def.b = back;
//   def.first = left, def.firstCount = n;   // vertices along a border of a, in any order
//   def.second = right, def.secondCount = m;
//   plSeamId seam = plCreateSeam(world, &def, &error);
//
// Formulas: docs/cloth.md. pliant.h includes this.
#ifndef PLIANT_SEAM_H
#define PLIANT_SEAM_H

#include "pliant.h"

// Which vertices are sewn to which
typedef enum plSeamMatch
{
	pl_seamAlong,   // `first` and `second` are two lines along edges: from end to end, or round and round, by length
	pl_seamPairs,   // as `pairs` says
	pl_seamNearest, // each of `first` to the nearest of `second` now, if that is within `reach`
	pl_seamMatchCount
} plSeamMatch;

// Stitches k/2 (l - L)^2 between vertices of two soft bodies, or of one. L goes from the distance when the seam is made
// to `length` within `close` seconds, in proportion to time.
typedef struct plSeamDef
{
	plBodyId a;
	plBodyId b; // may be a
	plSeamMatch match;
	const uint32_t* pairs; // [2 count] vertex of a, vertex of b
	size_t count;
	// Vertices of a and of b in any order, for the other two. Of a cloth those on its border count, unless there are
	// none. A vertex is never sewn to itself: the two sides of a dart may share its tip.
	const uint32_t* first;
	size_t firstCount;
	const uint32_t* second;
	size_t secondCount;
	double reach;      // m
	double length;     // m that the ends are drawn to
	double close;      // s; 0: at once
	double stiffness;  // k of each, N/m; 0: 1/(1/d_a + 1/d_b), d = m/h^2 + the elastic stiffness of the vertex
	double breakForce; // N: a stitch that pulls harder at the end of a step is broken from then on; INFINITY: none is
	double gap;        // m: ends no farther apart than length + gap count as closed
	const char* name;  // see plReaction; copied, NULL: it has none
	uint32_t cookie;
} plSeamDef;

PL_API plSeamDef plDefaultSeamDef(void); // along, half a second, to length 0, never breaks, gap 1 mm
PL_API plResult plSeamDef_Check(const plSeamDef* def, plError* error);
// pl_errorInput with words if the vertices are no line, or nothing is near enough. A saved state holds the lengths that
// a seam started from, when, and which stitches are broken.
PL_API plSeamId plCreateSeam(plWorld* world, const plSeamDef* def, plError* error);
PL_API void plDestroySeam(plWorld* world, plSeamId seam); // plDestroyBody of either body does it, too
PL_API bool plSeam_IsValid(const plWorld* world, plSeamId seam);

PL_API size_t plSeam_GetStitchCount(const plWorld* world, plSeamId seam);             // broken ones included
PL_API void plSeam_GetStitches(const plWorld* world, plSeamId seam, uint32_t* pairs); // vertex of a, vertex of b
PL_API size_t plSeam_GetBrokenCount(const plWorld* world, plSeamId seam);
// Not broken, but its ends are farther apart than length + gap.
PL_API size_t plSeam_GetOpenCount(const plWorld* world, plSeamId seam);
PL_API bool plSeam_IsClosed(const plWorld* world, plSeamId seam); // no stitch is open or broken
PL_API double plSeam_GetGap(const plWorld* world, plSeamId seam); // the widest: largest distance less length, m
// Of the strongest stitch at the end of the last step, N; 0 where plPin_GetForce gives zeros.
PL_API double plSeam_GetTension(const plWorld* world, plSeamId seam);
// On the vertices of a, within one body on the first of each pair, and the torque of that about a point (N m): as
// plSprings_GetForce.
PL_API plVec3 plSeam_GetForce(const plWorld* world, plSeamId seam);
PL_API plVec3 plSeam_GetTorque(const plWorld* world, plSeamId seam, plVec3 point);
PL_API const char* plSeam_GetName(const plWorld* world, plSeamId seam);
PL_API plSeamId plWorld_FindSeam(const plWorld* world, const char* name);

#endif
