// mesh_write_surface.c: the surface of a mesh as PLY or STL
//
// PLY has the vertices as doubles, STL three corners per triangle: floats in a binary file, doubles in an ASCII one.
// Without tets the surface is all triangles. Normals of STL: (b - a) x (c - a), of length 1; 0 for a triangle without
// area; in a binary file from the corners as they are written, so that writing what was read gives the same bytes.
#include "mesh_writer.h"

#include <math.h>
#include <stdlib.h>

static void writeTexture(plFile* file, const double uvs[6], bool binary)
{
	const unsigned char six = 6;
	if (binary)
		plFile_Write(file, &six, 1);
	else
		plFile_Print(file, " 6");
	for (int k = 0; k < 6; ++k)
	{
		char text[PL_NUMBER_CAPACITY];
		if (binary)
			plFile_WriteNumber(file, &uvs[k], sizeof uvs[k]);
		else
		{
			plFormatNumber(uvs[k], text);
			plFile_Print(file, " %s%s", text, k == 5 ? "\n" : "");
		}
	}
}

plResult plWritePly(const plMeshView* mesh, const plMeshFormat* format, plFile* file, plError* error)
{
	bool binary = format->coding == pl_codingBinary;
	size_t count;
	const bool textured = plMesh_HasSurfaceUvs(mesh);
	uint32_t* number = plNumberSurface(mesh, &count);
	if (number == NULL)
		return plFile_Fail(error, pl_errorMemory, "mesh: not enough memory to write it");
	plFile_Print(file,
	             "ply\nformat %s 1.0\ncomment pliant\nelement vertex %zu\nproperty double x\nproperty double y\n"
	             "property double z\nelement face %zu\nproperty list uchar %s vertex_indices\n%send_header\n",
	             binary ? "binary_little_endian" : "ascii", count, mesh->surfaceCount,
	             count > INT32_MAX ? "uint" : "int", textured ? "property list uchar double texcoord\n" : "");
	for (size_t v = 0; v < mesh->vertexCount; ++v)
	{
		const double* x = mesh->vertices + 3 * v;
		if (number[v] == UINT32_MAX)
			continue;
		for (int k = 0; k < 3 && binary; ++k)
			plFile_WriteNumber(file, &x[k], sizeof x[k]);
		if (binary)
			continue;
		plFile_PrintPoint(file, x);
		plFile_Print(file, "\n");
	}
	for (size_t i = 0; i < mesh->surfaceCount; ++i)
	{
		const uint32_t* c = mesh->surface + 3 * i;
		const unsigned char three = 3;
		if (binary)
		{
			plFile_Write(file, &three, 1);
			for (int k = 0; k < 3; ++k)
				plFile_WriteNumber(file, &number[c[k]], sizeof number[0]);
		}
		else
			plFile_Print(file, "3 %u %u %u%s", number[c[0]], number[c[1]], number[c[2]], textured ? "" : "\n");
		if (textured)
			writeTexture(file, mesh->uvs + 6 * i, binary);
	}
	free(number);
	return pl_success;
}

static void getNormal(const double* p[3], double n[3])
{
	double u[3], v[3];
	for (int k = 0; k < 3; ++k)
	{
		u[k] = p[1][k] - p[0][k];
		v[k] = p[2][k] - p[0][k];
	}
	n[0] = u[1] * v[2] - u[2] * v[1];
	n[1] = u[2] * v[0] - u[0] * v[2];
	n[2] = u[0] * v[1] - u[1] * v[0];
	double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
	for (int k = 0; k < 3; ++k)
		n[k] = length > 0.0 && isfinite(length) ? n[k] / length : 0.0;
}

static void writeFloats(plFile* file, const double x[3])
{
	for (int k = 0; k < 3; ++k)
	{
		float single = (float)x[k];
		plFile_WriteNumber(file, &single, sizeof single);
	}
}

static void writeBinary(const plMeshView* mesh, plFile* file)
{
	char head[80] = "binary STL, written by pliant";
	uint32_t count = (uint32_t)mesh->surfaceCount;
	plFile_Write(file, head, sizeof head);
	plFile_WriteNumber(file, &count, sizeof count);
	for (size_t i = 0; i < mesh->surfaceCount; ++i)
	{
		double corners[3][3], n[3];
		for (size_t k = 0; k < 9; ++k)
			corners[k / 3][k % 3] = (float)mesh->vertices[3 * (size_t)mesh->surface[3 * i + k / 3] + k % 3];
		getNormal((const double* [3]){corners[0], corners[1], corners[2]}, n);
		writeFloats(file, n);
		for (int k = 0; k < 3; ++k)
			writeFloats(file, corners[k]);
		plFile_Write(file, "\0", 2);
	}
}

static void writeAscii(const plMeshView* mesh, plFile* file)
{
	plFile_Print(file, "solid pliant\n");
	for (size_t i = 0; i < mesh->surfaceCount; ++i)
	{
		const double* p[3];
		double n[3];
		for (size_t k = 0; k < 3; ++k)
			p[k] = mesh->vertices + 3 * (size_t)mesh->surface[3 * i + k];
		getNormal(p, n);
		plFile_Print(file, "facet normal ");
		plFile_PrintPoint(file, n);
		plFile_Print(file, "\nouter loop\n");
		for (int k = 0; k < 3; ++k)
		{
			plFile_Print(file, "vertex ");
			plFile_PrintPoint(file, p[k]);
			plFile_Print(file, "\n");
		}
		plFile_Print(file, "endloop\nendfacet\n");
	}
	plFile_Print(file, "endsolid pliant\n");
}

plResult plWriteStl(const plMeshView* mesh, const plMeshFormat* format, plFile* file, plError* error)
{
	if (mesh->surfaceCount > UINT32_MAX)
		return plFile_Fail(error, pl_errorInput, "%s: more triangles than STL can count", file->path);
	if (format->coding != pl_codingBinary)
	{
		writeAscii(mesh, file);
		return pl_success;
	}
	for (size_t i = 0; i < 3 * mesh->surfaceCount; ++i)
		for (size_t k = 0; k < 3; ++k)
			if (!isfinite((float)mesh->vertices[3 * (size_t)mesh->surface[i] + k]))
				return plFile_Fail(error, pl_errorInput,
				                   "%s: vertex %u is too far away for the floats of a binary STL file", file->path,
				                   mesh->surface[i]);
	writeBinary(mesh, file);
	return pl_success;
}
