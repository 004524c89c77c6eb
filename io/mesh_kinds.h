// mesh_kinds.h: the table of mesh formats: what reads and what writes each of them
#ifndef PL_IO_MESH_KINDS_H
#define PL_IO_MESH_KINDS_H

#include "mesh_reader.h"
#include "mesh_writer.h"

typedef struct plMeshRow
{
	plMeshKind kind;
	plMeshReadFcn* read;
	plMeshWriteFcn* write[2]; // one per ending
} plMeshRow;

// The row of the path's ending, and where that ending begins (the end of the path if it has none). NULL: another one.
const plMeshRow* plFindMeshRow(const char* path, size_t* stem);

// The file of the kind's ending `index` that belongs to `path`, allocated; NULL: no memory. For ball.node they are
// ball.node and ball.ele, for BALL.NODE they are BALL.NODE and BALL.ELE.
char* plMeshKind_MakePath(const plMeshKind* kind, int index, const char* path, size_t stem);

// ".msh .node .ele", for messages: all endings, or those of formats with a binary form.
typedef struct plShownEndings
{
	char text[96];
} plShownEndings;
plShownEndings plShowEndings(bool binary);

// What is said of an ending that no row has: "ending '.abc' is not known, .msh ... are", or of none at all.
typedef struct plRefusedEnding
{
	char text[192];
} plRefusedEnding;
plRefusedEnding plRefuseEnding(const char* ending);

#endif
