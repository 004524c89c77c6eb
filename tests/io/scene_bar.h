// scene_bar.h: scenes around one bar, so that places are known
#ifndef PL_TEST_SCENE_BAR_H
#define PL_TEST_SCENE_BAR_H

#include "scene_text.h"

// The body stands on line 3.
#define BODY_SCENE(body, rest) "{ \"pliant\": 1,\n\"bodies\": [\n" body "]" rest "}"
#define MESH "\"mesh\": { \"box\": [2, 1, 1], \"cells\": [2, 1, 1] }"
#define MATERIAL "\"material\": { \"law\": \"neo-hookean\", \"young\": 1e5, \"poisson\": 0.4 }"
#define BODY "{ \"name\": \"bar\", \"type\": \"soft\", " MESH ", \"density\": 1000, " MATERIAL " }"
#define BODY_MATERIAL(material)                                                                                        \
	BODY_SCENE("{ \"type\": \"soft\", " MESH ", \"density\": 1000,\n\"material\": " material " }", "")
#define BODY_MESH(mesh) BODY_SCENE("{ \"type\": \"soft\", \"density\": 1000, " MATERIAL ",\n\"mesh\": " mesh " }", "")
// What follows the bodies, on line 4.
#define REST(rest) BODY_SCENE(BODY, ",\n" rest)
// What follows the version, on line 2.
#define TOP(rest) "{ \"pliant\": 1,\n" rest ",\n\"bodies\": [" BODY "] }"

#endif
