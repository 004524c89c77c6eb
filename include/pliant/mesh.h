// mesh.h: immutable meshes: made from arrays or generated, checked, shared by any number of bodies and worlds
#ifndef PLIANT_MESH_H
#define PLIANT_MESH_H

#include "base.h"
#include "math.h"

typedef struct plMesh plMesh;

// A named selection, e.g. a physical group of a Gmsh file.
typedef struct plMeshGroup
{
	const char* name;         // the group's name, or its number as text
	int64_t tag;              // the number it had in the file
	int dimension;            // of its elements: 0 vertices, 2 triangles, 3 tets
	const uint32_t* vertices; // vertices of its elements, ascending, each once
	size_t vertexCount;
	const uint32_t* elements; // indices of its triangles or tets, ascending; NULL for dimension 0
	size_t elementCount;
} plMeshGroup;

typedef enum plMeshDefect
{
	pl_defectNotFinite,    // vertex: a coordinate is NaN or infinite             (error)
	pl_defectOutOfRange,   // tet or triangle: names a vertex that does not exist  (error)
	pl_defectDegenerate,   // tet: no volume relative to its edges                 (error)
	pl_defectInverted,     // tet: negative volume                                 (error)
	pl_defectDuplicate,    // tet: same four vertices as an earlier one            (error)
	pl_defectUnreferenced, // vertex: in no tet (no triangle if there are no tets)  (warning)
	pl_defectNonManifold,  // tet: one of its faces belongs to three or more tets  (warning)
} plMeshDefect;

// What to do with elements that are inverted, degenerate or duplicate.
typedef enum plRepair
{
	pl_repairNone, // refuse the mesh
	pl_repairDrop, // leave them out
	pl_repairFlip, // swap two corners of inverted ones; refuse the rest
} plRepair;

typedef struct plMeshDef
{
	const double* vertices; // x y z per vertex
	size_t vertexCount;
	const uint32_t* tets; // four vertices per tet, det[b-a, c-a, d-a] > 0
	size_t tetCount;
	const uint32_t* triangles; // three vertices per triangle; may be NULL
	size_t triangleCount;
	const double* uvs;         // u v of each corner of each triangle, 6 per triangle; NULL: none
	const plMeshGroup* groups; // may be NULL
	size_t groupCount;
	plRepair repair;
	const plAllocator* allocator; // NULL: malloc and free
	uint32_t cookie;              // set by plDefaultMeshDef
} plMeshDef;

PL_API plMeshDef plDefaultMeshDef(void);

// Reports every defect, in order of kind, then index. `reason` is one line of words with figures.
// `index` is that of the vertex or tet; triangle i has index tetCount + i.
// Returns the number of errors (not warnings) that `def->repair` would not mend.
// Returns SIZE_MAX when memory ran out.
typedef void plMeshDefectFcn(plMeshDefect kind, size_t index, const char* reason, void* context);
PL_API size_t plCheckMesh(const plMeshDef* def, plMeshDefectFcn* report, void* context);

// Copies the arrays. A group with elements gets the vertices of its elements. NULL on error: the message names the
// first defect and counts the rest.
PL_API plMesh* plCreateMesh(const plMeshDef* def, plError* error);

// Box from the origin to `size`, vertices x fastest, then y, z.
// split 6: six tets a cell around its (0,0,0)-(1,1,1) diagonal. split 5: five tets, alternating so that faces match.
PL_API plMesh* plCreateBoxMesh(plVec3 size, const size_t cells[3], int split, const plAllocator* allocator,
                               plError* error);

// Ball centred on the origin with `cells` elements along its radius.
PL_API plMesh* plCreateSphereMesh(double radius, size_t cells, const plAllocator* allocator, plError* error);

// The next three are round tubes of radius `tube` along a curve. The cross-section is a disc of `cells[1]` rings of
// triangles around its middle; ring k has 6 k points. Along the curve there are `cells[0]` prisms, each cut into three
// tets. Vertices go by section along the curve, then ring by ring.
//
// Torus: around the y axis, its middle line a circle of radius `radius` > `tube`, centred on the origin.
PL_API plMesh* plCreateTorusMesh(double radius, double tube, const size_t cells[2], const plAllocator* allocator,
                                 plError* error);

// Helix: right-handed around the y axis, its middle at height 0. It has `turns` windings of radius `radius`; each rises
// by `pitch`. `strands` tubes of `cells[0]` prisms each are turned against each other by equal angles: two make a
// double helix. Windings that would touch are refused, and so are too few cells for the bends.
PL_API plMesh* plCreateHelixMesh(double radius, double tube, double pitch, double turns, size_t strands,
                                 const size_t cells[2], const plAllocator* allocator, plError* error);

// Knot: a torus knot around the y axis, centred on the origin. Its middle line lies on a torus whose own middle circle
// has the radius `radius`, `away` > `tube` from that circle; it goes windings[0] times around the axis and windings[1]
// times through the hole, which have no common divisor: 2 and 3 make a trefoil. Windings that would touch are refused.
PL_API plMesh* plCreateKnotMesh(double radius, double away, double tube, const size_t windings[2],
                                const size_t cells[2], const plAllocator* allocator, plError* error);

// How the cells of a cloth are cut into triangles. docs/cloth.md compares how the three bend
typedef enum plClothPattern
{
	pl_clothEquilateral, // rows of vertices that are shifted by half a cell in turn, all triangles alike: the default
	pl_clothAlternating, // a grid; the diagonals of neighbouring cells alternate
	pl_clothOneWay,      // a grid; all diagonals go from (0,0) to (1,1)
	pl_clothPatternCount
} plClothPattern;

PL_API const char* plClothPattern_GetName(plClothPattern pattern); // "equilateral" and so on; NULL: there is none

// Cloth: a rectangle of triangles in the plane z = 0, width along x and height along y, centred on the origin. Vertices
// go x fastest. The front is +z. With pl_clothEquilateral cells[1] rows of 2 cells[0] + 1 triangles have a base of
// width/cells[0] and a height of height/cells[1]; every second row of vertices has one more, and its triangles at the
// sides are halves.
PL_API plMesh* plCreateClothMesh(double width, double height, const size_t cells[2], plClothPattern pattern,
                                 const plAllocator* allocator, plError* error);

// Sleeve: a tube of cloth around the y axis, open at both ends, centred on the origin; skirts and dresses, too. The
// radius goes from `top` to `bottom`. cells[0] triangles around, each row shifted by half a cell against the next,
// cells[1] rows along. Vertices go around first, then down. The front is outside.
PL_API plMesh* plCreateSleeveMesh(double top, double bottom, double height, const size_t cells[2],
                                  const plAllocator* allocator, plError* error);

PL_API void plDestroyMesh(plMesh* mesh);

// What a mesh holds. The arrays belong to the mesh and live as long as it does.
typedef struct plMeshView
{
	const double* vertices;
	size_t vertexCount;
	const uint32_t* tets;
	size_t tetCount;
	const uint32_t* triangles;
	size_t triangleCount;
	const double* uvs; // 6 per triangle; NULL: none
	const uint32_t*
	    surface; // three vertices per boundary face of the tets, outward; the triangles if there are no tets
	size_t surfaceCount;
	const plMeshGroup* groups;
	size_t groupCount;
	size_t unreferencedCount; // vertices in no tet (in no triangle if there are no tets); they stay where they are
	size_t droppedCount;      // elements left out by repair
	size_t flippedCount;      // elements turned by repair
} plMeshView;

PL_API plMeshView plMesh_GetView(const plMesh* mesh);

// Edges of the surface of a mesh
typedef struct plEdgeCounts
{
	size_t edges;
	size_t border;  // of one triangle: 0 of a closed surface
	size_t crowded; // of three or more: cloth bends freely there
	size_t turned;  // of two that face opposite ways
} plEdgeCounts;

PL_API plResult plMeshView_CountEdges(const plMeshView* view, plEdgeCounts* counts, plError* error);

// The group of this name, else of this number written as text. If there are several, the one of the highest dimension.
// NULL if there is none.
PL_API const plMeshGroup* plMesh_FindGroup(const plMesh* mesh, const char* name);

#endif
