// mesh_writer.h: what the mesh writers share
#ifndef PL_IO_MESH_WRITER_H
#define PL_IO_MESH_WRITER_H

#include "file.h"
#include "pliant/io.h"

// "x y z" of a vertex; the numbers read back as the same doubles.
void plFile_PrintPoint(plFile* file, const double xyz[3]);

// A number as its bytes, little-endian.
void plFile_WriteNumber(plFile* file, const void* value, size_t bytes);

// Numbers that the vertices get in a file that holds the surface alone: from 0 on, UINT32_MAX: not in it. A mesh
// without tets keeps all its vertices. NULL: no memory. Free with free().
uint32_t* plNumberSurface(const plMeshView* mesh, size_t* count);

// Are texture coordinates those of the surface? Those of a mesh with tets belong to triangles that need not be on it.
static inline bool plMesh_HasSurfaceUvs(const plMeshView* mesh)
{
	return mesh->uvs != NULL && mesh->tetCount == 0;
}

// The writers, one per file. The coding is no longer the usual one.
typedef plResult plMeshWriteFcn(const plMeshView* mesh, const plMeshFormat* format, plFile* file, plError* error);
plMeshWriteFcn plWriteGmsh, plWriteNodes, plWriteTets, plWriteMedit, plWriteVtk, plWriteObj, plWritePly, plWriteStl;

#endif
