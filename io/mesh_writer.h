// mesh_writer.h: what the mesh writers share
#ifndef PL_IO_MESH_WRITER_H
#define PL_IO_MESH_WRITER_H

#include "file.h"
#include "pliant/io.h"

// "x y z" of a vertex; the numbers read back as the same doubles.
void plFile_PrintPoint(plFile* file, const double xyz[3]);

plResult plWriteGmsh(const plMeshView* mesh, plFile* file, plError* error);

#endif
