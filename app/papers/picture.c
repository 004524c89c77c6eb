// picture.c: a scene as a file, run as `pliant run` would and its last frame rendered, so that it can be changed and
// run again by hand
#include "../app.h"
#include "papers.h"

#include <stdlib.h>
#include <string.h>

const char plPaper_sceneEnd[] = "\n  ]\n}\n";

#ifdef PL_WITH_RENDER
static int draw(const plPaperRun* run, const char* source, const char* mesh, const char* png, const plPaperView* view)
{
	const char* words[24] = {"render", source, "-o", png, "--quiet"};
	int count = 5;
	if (!run->ground)
		words[count++] = "--no-ground";
	words[count++] = "--size";
	words[count++] = run->quick ? "160x120" : view->size;
	words[count++] = "--camera";
	words[count++] = view->camera;
	words[count++] = "--look-at";
	words[count++] = view->lookAt;
	words[count++] = "--colour";
	words[count++] = view->field;
	if (view->range != NULL)
	{
		words[count++] = "--range";
		words[count++] = view->range;
	}
	if (view->fov != NULL)
	{
		words[count++] = "--fov";
		words[count++] = view->fov;
	}
	if (view->frame != NULL)
	{
		words[count++] = "--frame";
		words[count++] = view->frame;
	}
	if (mesh != NULL)
	{
		words[count++] = "--mesh";
		words[count++] = mesh;
	}
	return plApp_Render(count, (char**)words);
}
#else
static int draw(const plPaperRun* run, const char* source, const char* mesh, const char* png, const plPaperView* view)
{
	(void)run, (void)mesh, (void)view;
	plApp_Warn("pliant render of a build that has it draws the frames", "%s: no %s in a build without rendering",
	           source, png);
	return pl_exitDone;
}
#endif

bool plPaper_Render(const plPaperRun* run, const char* source, const char* mesh, const plPaperView* view,
                    plError* error)
{
	size_t length = strlen(run->folder) + strlen(view->name) + 6;
	char* png = malloc(length);
	if (png != NULL)
		snprintf(png, length, "%s/%s.png", run->folder, view->name);
	bool good = png != NULL && draw(run, source, mesh, png, view) == pl_exitDone;
	if (!good)
		snprintf(error->message, sizeof error->message, "%s.png cannot be made", view->name);
	free(png);
	return good;
}

bool plPaper_RunScene(const plPaperRun* run, plPaperFile* file, const char* name, plError* error)
{
	char scene[64], threads[16];
	size_t length = strlen(run->folder) + strlen(name) + 8;
	char *json = malloc(length), *folder = malloc(length);
	snprintf(scene, sizeof scene, "%s.json", name);
	snprintf(threads, sizeof threads, "%d", plPool_GetThreadCount(run->pool));
	bool good = plPaperFile_Close(file, run, scene, error);
	if (good && (json == NULL || folder == NULL))
	{
		snprintf(error->message, sizeof error->message, "%s: not enough memory to run it", scene);
		good = false;
	}
	if (good)
	{
		snprintf(json, length, "%s/%s", run->folder, scene);
		snprintf(folder, length, "%s/%s", run->folder, name);
		const char* words[] = {"run", json, "-o", folder, "--quiet", "--threads", threads};
		good = plApp_Run(7, (char**)words) == pl_exitDone;
		if (!good)
			snprintf(error->message, sizeof error->message, "%s cannot be run", scene);
	}
	free(json);
	free(folder);
	return good;
}

bool plPaper_DrawRun(const plPaperRun* run, const char* name, const plPaperView* view, plError* error)
{
	size_t length = strlen(run->folder) + strlen(name) + 2;
	char* folder = malloc(length);
	if (folder == NULL)
	{
		snprintf(error->message, sizeof error->message, "%s.png: not enough memory to draw it", view->name);
		return false;
	}
	snprintf(folder, length, "%s/%s", run->folder, name);
	bool good = plPaper_Render(run, folder, NULL, view, error);
	free(folder);
	return good;
}

bool plPaper_MakePicture(const plPaperRun* run, plPaperFile* file, const plPaperView* view, plError* error)
{
	return plPaper_RunScene(run, file, view->name, error) && plPaper_DrawRun(run, view->name, view, error);
}

void plPaper_BeginScene(FILE* out, const char* gravity, int steps, const char* rest)
{
	fprintf(out,
	        "{\n  \"pliant\": 1,\n  \"gravity\": %s, \"timestep\": 0.03333333, \"steps\": %d,\n"
	        "  \"output\": { \"every\": %d, \"formats\": [\"vtu\"] },\n%s  \"bodies\": [",
	        gravity, steps, steps, rest);
}
