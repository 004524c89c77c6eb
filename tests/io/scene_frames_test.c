// scene_frames_test.c: meshes of colliders that change their form: what is read, what is refused and where
#include "scene_text.h"

// A box from 0 to 1, 1000 kg.
#define COLLIDER(shape)                                                                                                \
	"{ \"pliant\": 1, \"bodies\": [ { \"name\": \"bar\", \"type\": \"soft\", \"mesh\": { \"box\": [1, 1, 1], "         \
	"\"cells\": [1, 1, 1] }, \"density\": 1000, \"material\": { \"young\": 1e5, \"poisson\": 0.3 } } ],\n"             \
	"\"colliders\": [" shape "] }"

static const char tetObj[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

// Does the box touch anything within two steps?
static bool touches(void)
{
	plWorld* world = scene ? plScene_CreateWorld(scene, NULL, NULL, problems) : NULL;
	plStepReport report = {0};
	size_t contacts = 0;
	bool fine = world != NULL;
	for (int i = 0; i < 2 && fine; i++)
	{
		fine = plWorld_Step(world, &report, NULL) >= 0;
		contacts += report.contacts;
	}
	plDestroyWorld(world);
	return fine && contacts > 0;
}

// The tetrahedron of tetObj, larger from frame to frame; the last one is `lastScale` times as large.
typedef struct Growth
{
	size_t vertexCount;
	float lastScale;
} Growth;

static plResult grow(size_t frame, float* positions, void* context, plError* error)
{
	static const float tet[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
	const Growth* growth = context;
	(void)error;
	for (size_t i = 0; i < 3 * growth->vertexCount; i++)
		positions[i] = tet[i % 12] * (frame == 2 ? growth->lastScale : 1.0f + 0.1f * (float)frame);
	return pl_success;
}

static bool writeFrames(const char* name, size_t vertexCount, float lastScale, const float times[3])
{
	Growth growth = {vertexCount, lastScale};
	return plWriteCache(scratchPath(name), vertexCount, 3, times, grow, &growth, NULL) == pl_success;
}

#define FRAMES(frames)                                                                                                 \
	COLLIDER("{ \"mesh\": \"tet.obj\", \"frames\": " frames                                                            \
	         ", \"transform\": { \"scale\": 2, \"translate\": [-0.3, -0.3, -0.3] } }")

TEST(frames_of_a_mesh_are_read_with_their_times)
{
	static const float times[3] = {0.5f, 0.625f, 0.75f};
	scratchWrite("tet.obj", tetObj, strlen(tetObj));
	CHECK(writeFrames("a.mdd", 4, 1.5f, times) && writeFrames("a.pc2", 4, 1.5f, NULL));
	static const struct
	{
		const char* text;
		double first, last;
	} cases[] = {{FRAMES("\"a.mdd\""), 0.5, 0.75},
	             {FRAMES("{ \"file\": \"a.mdd\", \"start\": 2 }"), 2.0, 2.25},
	             {FRAMES("{ \"file\": \"a.mdd\", \"fps\": 4 }"), 0.0, 0.5},
	             {FRAMES("{ \"file\": \"a.pc2\", \"fps\": 4, \"start\": -1 }"), -1.0, -0.5}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
	{
		CHECK_READ(readText(cases[i].text));
		const plColliderFrames* frames = &plScene_GetView(scene).colliders[0].frames;
		CHECK(frames->count == 3 && frames->vertexCount == 4);
		CHECK(frames->times[0] == cases[i].first && frames->times[2] == cases[i].last);
		CHECK(frames->positions[3] == 1.0 && frames->positions[24 + 3] == 1.5);
		CHECK(touches());
	}
}

TEST(bad_frames_are_refused_with_line_and_column)
{
	static const float back[3] = {0.0f, 0.25f, 0.125f};
	scratchWrite("tet.obj", tetObj, strlen(tetObj));
	CHECK(writeFrames("a.pc2", 4, 1.5f, NULL) && writeFrames("five.pc2", 5, 1.5f, NULL));
	CHECK(writeFrames("flat.pc2", 4, 0.0f, NULL) && writeFrames("far.pc2", 4, INFINITY, NULL));
	CHECK(writeFrames("back.mdd", 4, 1.5f, back));
	CALL(refused(FRAMES("3"), ":2:46: expected the name of a .pc2 or .mdd file"));
	CALL(refused(FRAMES("{ \"fps\": 25 }"), ":2:46: missing key \"file\""));
	CALL(refused(FRAMES("{ \"file\": \"a.pc2\", \"fps\": 25, \"rate\": 25 }"), "unknown key \"rate\""));
	CALL(refused(FRAMES("{ \"file\": \"a.pc2\", \"fps\": 0 }"), "\"fps\" must be above 0"));
	CALL(refused(FRAMES("\"a.pc2\""), ":2:46: \"a.pc2\" has no times: { \"file\": \"a.pc2\", \"fps\": 25 }"));
	CALL(refused(FRAMES("\"none.mdd\""), "none.mdd: cannot be read"));
	CALL(refused(FRAMES("\"tet.obj\""), "its ending is not that of a cache"));
	CALL(refused(FRAMES("{ \"file\": \"five.pc2\", \"fps\": 25 }"), "\"five.pc2\" has 5 vertices, the mesh has 4"));
	CALL(refused(FRAMES("{ \"file\": \"flat.pc2\", \"fps\": 25 }"), ":2:46: frames: frame 2: mesh: triangle 0"));
	CALL(refused(FRAMES("{ \"file\": \"far.pc2\", \"fps\": 25 }"), ":2:46: frames: frame 2: vertex 0 is not finite"));
	CALL(refused(FRAMES("\"back.mdd\""), ":2:46: frames: frame 2 is at 0.125 s, not later than the one before"));
	CALL(refused(COLLIDER("{ \"sphere\": { \"radius\": 1 }, \"frames\": \"a.mdd\" }"),
	             "\"frames\" belong to \"mesh\"; a sphere keeps its form"));
}
