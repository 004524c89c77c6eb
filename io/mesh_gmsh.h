// mesh_gmsh.h: a Gmsh file that is being read
//
//   mesh_gmsh.c   sections, header, names, what both formats share
//   mesh_gmsh2.c  nodes and elements of format 2.2
//   mesh_gmsh4.c  entities, nodes and elements of format 4.1
#ifndef PL_IO_MESH_GMSH_H
#define PL_IO_MESH_GMSH_H

#include "mesh_reader.h"

typedef struct plGmshSection
{
	const char *begin, *end; // NULL: not in the file
	size_t line;             // of `begin`
} plGmshSection;

// Physical group of an entity.
typedef struct plGmshPhysical
{
	int64_t dimension, entity, tag;
} plGmshPhysical;

typedef struct plGmsh
{
	plText* text; // binary or not: text->binary
	plMeshBuild* build;
	plGmshSection format, names, entities, nodes, parametricNodes, elements;
	bool four;             // format 4.1
	plNumberType sizeType; // of a size_t in a binary 4.1 file
	bool partitioned;
	struct
	{
		int type; // 0: none
		int64_t physical, entity;
		uint32_t corners[4];
	} last;           // triangle or tet of 2.2 that was read last
	plTagMap tags;    // node tag -> vertex
	plList physicals; // plGmshPhysical, of 4.1, sorted
} plGmsh;

typedef struct plGmshType
{
	int type, nodes, dimension;
	const char* name; // NULL: read or ignored; else refused by this name
} plGmshType;

void plGmsh_Enter(plGmsh* gmsh, const plGmshSection* section);

// Numbers as the file has them: an int, a size_t, a double, or their texts.
bool plGmsh_ReadInt(plGmsh* gmsh, const char* what, int64_t* value);
bool plGmsh_ReadSize(plGmsh* gmsh, const char* what, int64_t* value);
bool plGmsh_ReadReal(plGmsh* gmsh, const char* what, double* value);
// Room for that many rows of at least so many bytes as text, or exactly so many as numbers.
bool plGmsh_CheckRoom(plGmsh* gmsh, const char* kind, size_t textBytes, size_t numberBytes, int64_t count);

// `place` is that of an element, or none (line 0) for a block of them.
bool plGmsh_CheckType(plGmsh* gmsh, int64_t type, plElementPlace place, plGmshType* out);
bool plGmsh_AddNode(plGmsh* gmsh, int64_t tag, const double x[3]);
// Corner `i` of an element from the tag of its node.
bool plGmsh_FindCorner(plGmsh* gmsh, int64_t tag, plElementPlace place, uint32_t* corner);
// An element of a text file stands on a line of its own: after `done` of `count` nodes or tags (`kind`) the line goes
// on, and after the last node it ends. A line that is too short or too long is refused there, not where the numbers of
// later elements stop making sense.
bool plGmsh_CheckMore(plGmsh* gmsh, plElementPlace place, const char* kind, int64_t done, int64_t count);
bool plGmsh_CheckLast(plGmsh* gmsh, plElementPlace place);
bool plGmsh_AddElement(plGmsh* gmsh, plGmshType type, plElementPlace place, const uint32_t* corners);
// The element that was added last belongs to physical group `tag`.
bool plGmsh_AddMember(plGmsh* gmsh, plGmshType type, const uint32_t* corners, int64_t tag);

bool plGmsh_ReadNodes2(plGmsh* gmsh);
bool plGmsh_ReadElements2(plGmsh* gmsh);
bool plGmsh_ReadEntities4(plGmsh* gmsh);
bool plGmsh_ReadNodes4(plGmsh* gmsh);
bool plGmsh_ReadElements4(plGmsh* gmsh);

#endif
