// app.h: what the subcommands of `pliant` share: entry points, exit status, words on standard error
#ifndef PL_APP_H
#define PL_APP_H

#include "pliant/io.h"

enum
{
	pl_exitDone = 0,
	pl_exitUsage = 2,        // bad usage or input, nothing was run
	pl_exitNotConverged = 3, // ran, did not converge with --require-converged, or left more than a budget allows
	pl_exitFailed = 4,       // numerical failure or disk full: the last complete frame and checkpoint stand
	pl_exitInterrupted = 130 // resumable
};

// One per subcommand; argv[0] is its name. They return the exit status.
int plApp_Run(int argc, char** argv);
int plApp_Compare(int argc, char** argv);
int plApp_Tune(int argc, char** argv);
int plApp_Check(int argc, char** argv);
int plApp_Mesh(int argc, char** argv);
int plApp_Bench(int argc, char** argv);
int plApp_Plot(int argc, char** argv);
int plApp_Render(int argc, char** argv);
int plApp_Verify(int argc, char** argv);
int plApp_Convert(int argc, char** argv);
int plApp_Papers(int argc, char** argv);

// ---- meshes ---------------------------------------------------------------------------------------------------------

// --gmsh VERSION, --binary, --ascii; false: reported.
bool plApp_ApplyMeshFormat(plMeshFormat* format, const char* option, const char* value);
// Which formats there are, for --help.
void plApp_PrintMeshKinds(void);
// "FILE: 20 vertices, 24 tetrahedra, 44 surface triangles"
void plApp_PrintMesh(const char* path, const plMesh* mesh);

// ---- words ----------------------------------------------------------------------------------------------------------

// A section of --help: every key of the solver block with its kind, meaning, methods and default.
void plApp_PrintSolverSettings(void);

// "pliant: reason" on standard error, then the remedy (may be NULL) on its own line.
void plApp_Report(const char* remedy, const char* format, ...) __attribute__((format(printf, 2, 3)));
void plApp_Warn(const char* remedy, const char* format, ...) __attribute__((format(printf, 2, 3)));
void plApp_ReportDiagnostics(const plDiagnostics* diagnostics);

// Seconds of a steady clock.
double plApp_Now(void);

#endif
