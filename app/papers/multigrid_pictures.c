// multigrid_pictures.c: Figures 1, 12 and 13 of [WWF18], as pictures: a scene file, its run, its last frame rendered
//
//   1    a tablecloth falls through a funnel
//   12   a gown and a dress on a body that walks
//   13   the curtain
#include "papers.h"

static bool drawScene(const plPaperRun* run, plGridScene scene, const plGridSceneDef* def, const plPaperView* view,
                      plError* error)
{
	plPaperFile file;
	plGridSceneDef shorter = *def;
	if (run->quick)
		shorter.steps = 2;
	FILE* out = plPaperFile_Open(&file);
	if (out == NULL || plGridScene_Print(scene, run, &shorter, out, error))
		return plPaper_MakePicture(run, &file, view, error);
	plPaperFile_Discard(&file);
	return false;
}

static bool makeFunnel(const plPaperRun* run, plError* error)
{
	static const plPaperView view = {"figure1", "640x480", "1.6,2.5,3.1", "0,0.2,0", "none", NULL, NULL};
	return drawScene(run, pl_gridFunnel, &(plGridSceneDef){.steps = 90}, &view, error);
}

static bool makeGarments(const plPaperRun* run, plError* error)
{
	static const plPaperView gown = {"figure12-gown", "420x480", "1.3,1.2,2.6", "0,0.68,0", "none", NULL, NULL};
	static const plPaperView dress = {"figure12-dress", "420x480", "1.3,1.2,2.2", "0,0.8,0", "none", NULL, NULL};
	const plGridSceneDef def = {.steps = 72};
	return drawScene(run, pl_gridGown, &def, &gown, error) && drawScene(run, pl_gridDress, &def, &dress, error);
}

static bool makeCurtain(const plPaperRun* run, plError* error)
{
	static const plPaperView view = {"figure13", "480x480", "8,-0.5,3.5", "-5,-2.2,0", "none", NULL, NULL};
	return drawScene(run, pl_gridCurtain, &(plGridSceneDef){.steps = 150}, &view, error);
}

const plPaperFigure plPaperGridPictures[] = {{"1", "a tablecloth in a funnel, a picture", makeFunnel},
                                             {"12", "a gown and a dress, pictures", makeGarments},
                                             {"13", "the curtain, a picture", makeCurtain},
                                             {0}};
