// words.c: problems on standard error: one line each, then the remedy
#include "app.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static void report(const char* kind, const char* remedy, const char* format, va_list arguments)
{
	fflush(stdout); // so that the two streams keep their order on a terminal
	fprintf(stderr, "pliant: %s", kind);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	if (remedy != NULL)
		fprintf(stderr, "    %s\n", remedy);
}

void plApp_Report(const char* remedy, const char* format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	report("", remedy, format, arguments);
	va_end(arguments);
}

void plApp_Warn(const char* remedy, const char* format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	report("warning: ", remedy, format, arguments);
	va_end(arguments);
}

void plApp_ReportDiagnostics(const plDiagnostics* diagnostics)
{
	for (size_t i = 0; i < plDiagnostics_GetCount(diagnostics); ++i)
	{
		const char* text = plDiagnostics_GetText(diagnostics, i);
		const char* remedy = plDiagnostics_GetRemedy(diagnostics, i);
		if (plDiagnostics_GetSeverity(diagnostics, i) == pl_severityError)
			plApp_Report(remedy, "%s", text);
		else
			plApp_Warn(remedy, "%s", text);
	}
}

double plApp_Now(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// ---- meshes ---------------------------------------------------------------------------------------------------------

bool plApp_ApplyMeshFormat(plMeshFormat* format, const char* option, const char* value)
{
	if (strcmp(option, "gmsh") == 0)
	{
		format->gmsh = strcmp(value, "2.2") == 0 ? 22 : 41;
		if (format->gmsh == 22 || strcmp(value, "4.1") == 0)
			return true;
		plApp_Report(NULL, "--gmsh %s: it is 2.2 or 4.1", value);
		return false;
	}
	plCoding coding = strcmp(option, "binary") == 0 ? pl_codingBinary : pl_codingAscii;
	if (format->coding != pl_codingUsual && format->coding != coding)
	{
		plApp_Report(NULL, "--binary and --ascii exclude each other");
		return false;
	}
	format->coding = coding;
	return true;
}

void plApp_PrintMeshKinds(void)
{
	printf("\nMeshes, by ending\n");
	for (size_t i = 0; plGetMeshKind(i) != NULL; ++i)
	{
		const plMeshKind* kind = plGetMeshKind(i);
		char endings[32];
		snprintf(endings, sizeof endings, "%s %s", kind->endings[0], kind->endings[1] != NULL ? kind->endings[1] : "");
		printf("  %-12s %s: %s; %s\n", endings, kind->name,
		       !kind->tets       ? "triangles, of tetrahedra the surface"
		       : kind->triangles ? "tetrahedra and triangles"
		                         : "tetrahedra",
		       !kind->hasBinary      ? "text"
		       : kind->usuallyBinary ? "binary, or text with --ascii"
		                             : "text, or binary with --binary");
	}
}

void plApp_PrintMesh(const char* path, const plMesh* mesh)
{
	plMeshView view = plMesh_GetView(mesh);
	printf("%s: %zu vertices, %zu tetrahedra, %zu surface triangles\n", path, view.vertexCount, view.tetCount,
	       view.surfaceCount);
}
