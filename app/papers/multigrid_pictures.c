// multigrid_pictures.c: Figures 1, 12 and 13 of [WWF18], as pictures: a scene file and its end rendered
//
//   1    a tablecloth falls through a funnel
//   12   a gown and a dress on a body that walks
//   13   the curtain
#include "papers.h"

#include <stdlib.h>
#include <string.h>

// The scene itself, at its last step: colliders that are meshes lie beside it, and not beside the frames of a run.
static bool drawSimulated(const plPaperRun* run, plPaperFile* file, const plPaperView* view, int steps, plError* error)
{
	char name[64], frame[16];
	size_t length = strlen(run->folder) + strlen(view->name) + 8;
	char* json = malloc(length);
	plPaperView at = *view;
	snprintf(name, sizeof name, "%s.json", view->name);
	snprintf(frame, sizeof frame, "%d", steps);
	at.frame = frame;
	bool good = plPaperFile_Close(file, run, name, error);
	if (json != NULL)
		snprintf(json, length, "%s/%s", run->folder, name);
	else
		snprintf(error->message, sizeof error->message, "%s: not enough memory to draw it", name);
	good = good && json != NULL && plPaper_Render(run, json, NULL, &at, error);
	free(json);
	return good;
}

static bool drawScene(const plPaperRun* run, plGridScene scene, const plGridSceneDef* def, const plPaperView* view,
                      plError* error)
{
	plPaperFile file;
	plGridSceneDef shorter = *def;
	if (run->quick)
		shorter.steps = 2;
	FILE* out = plPaperFile_Open(&file);
	if (out != NULL && !plGridScene_Print(scene, run, &shorter, out, error))
	{
		plPaperFile_Discard(&file);
		return false;
	}
	return scene == pl_gridCurtain ? plPaper_MakePicture(run, &file, view, error)
	                               : drawSimulated(run, &file, view, shorter.steps, error);
}

static bool makeFunnel(const plPaperRun* run, plError* error)
{
	static const plPaperView view = {"figure1", "640x480", "1.6,2.5,3.1", "0,0.2,0", "none", NULL, NULL, NULL};
	return drawScene(run, pl_gridFunnel, &(plGridSceneDef){.steps = 90}, &view, error);
}

static bool makeGarments(const plPaperRun* run, plError* error)
{
	static const plPaperView gown = {"figure12-gown", "420x480", "1.3,1.2,2.6", "0,0.68,0", "none", NULL, NULL, NULL};
	static const plPaperView dress = {"figure12-dress", "420x480", "1.3,1.2,2.2", "0,0.8,0", "none", NULL, NULL, NULL};
	const plGridSceneDef def = {.steps = 72};
	return drawScene(run, pl_gridGown, &def, &gown, error) && drawScene(run, pl_gridDress, &def, &dress, error);
}

static bool makeCurtain(const plPaperRun* run, plError* error)
{
	static const plPaperView view = {"figure13", "480x480", "8,-0.5,3.5", "-5,-2.2,0", "none", NULL, NULL, NULL};
	return drawScene(run, pl_gridCurtain, &(plGridSceneDef){.steps = 150}, &view, error);
}

const plPaperFigure plPaperGridPictures[] = {{"1", "a tablecloth in a funnel, a picture", makeFunnel},
                                             {"12", "a gown and a dress, pictures", makeGarments},
                                             {"13", "the curtain, a picture", makeCurtain},
                                             {0}};
