// stage.c: a scene of the folder as a world
#include "papers.h"

#include <stdlib.h>
#include <string.h>

static bool readScene(plPaperStage* stage, const plPaperRun* run, const char* path, const plSceneOptions* options,
                      plError* error)
{
	plDiagnostics* diagnostics = plCreateDiagnostics();
	if (diagnostics != NULL)
		stage->scene = plReadScene(path, options, diagnostics);
	if (stage->scene != NULL)
		stage->world = plScene_CreateWorld(stage->scene, run->pool, NULL, diagnostics);
	if (stage->world == NULL)
		snprintf(error->message, sizeof error->message, "%s",
		         diagnostics != NULL && plDiagnostics_GetCount(diagnostics) > 0 ? plDiagnostics_GetText(diagnostics, 0)
		                                                                        : "not enough memory for the scene");
	plDestroyDiagnostics(diagnostics);
	return stage->world != NULL;
}

bool plPaperStage_Open(plPaperStage* stage, const plPaperRun* run, plPaperFile* file, const char* name, plError* error)
{
	return plPaperStage_OpenWith(stage, run, file, name, NULL, error);
}

bool plPaperStage_OpenWith(plPaperStage* stage, const plPaperRun* run, plPaperFile* file, const char* name,
                           const plSceneOptions* options, plError* error)
{
	size_t length = strlen(run->folder) + strlen(name) + 2;
	char* path = malloc(length);
	*stage = (plPaperStage){0};
	bool good = plPaperFile_Close(file, run, name, error);
	if (good && path == NULL)
	{
		snprintf(error->message, sizeof error->message, "%s: not enough memory to read it", name);
		good = false;
	}
	if (good)
	{
		snprintf(path, length, "%s/%s", run->folder, name);
		good = readScene(stage, run, path, options, error);
	}
	if (good)
	{
		plSceneBodyView body = plScene_GetBody(stage->scene, 0);
		stage->body = body.id;
		stage->mesh = body.mesh;
	}
	if (good && plScene_GetBody(stage->scene, 0).rigidCount == 0)
	{
		stage->vertexCount = plBody_GetVertexCount(stage->world, stage->body);
		stage->tetCount = plBody_GetTetCount(stage->world, stage->body);
		stage->triangleCount = plBody_GetTriangleCount(stage->world, stage->body);
	}
	free(path);
	return good;
}

void plPaperStage_Close(plPaperStage* stage)
{
	plDestroyWorld(stage->world);
	plDestroyScene(stage->scene);
	*stage = (plPaperStage){0};
}
