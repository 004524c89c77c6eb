// consumer.cpp: C++ that uses every public header of an installed pliant, and pliant-io
#include <pliant/base.h>
#include <pliant/id.h>
#include <pliant/io.h>
#include <pliant/math.h>
#include <pliant/mesh.h>
#include <pliant/pliant.h>
#include <pliant/types.h>

#include <cstdio>

int main()
{
	const plVersion version = plGetVersion();
	if (version.major != PL_VERSION_MAJOR || version.minor != PL_VERSION_MINOR || version.patch != PL_VERSION_PATCH)
	{
		std::fprintf(stderr, "library %d.%d.%d is not the header's\n", version.major, version.minor, version.patch);
		return 1;
	}
	plDiagnostics* diagnostics = plCreateDiagnostics();
	const plMesh* mesh = plReadMesh("no such file.msh", pl_repairNone, diagnostics);
	const bool refused = mesh == nullptr && plDiagnostics_GetErrorCount(diagnostics) > 0;
	if (refused)
		std::printf("%s\n", plDiagnostics_GetText(diagnostics, 0));
	plDestroyDiagnostics(diagnostics);
	return refused ? 0 : 1;
}
