// rigid_frames_test.c: a run of rigid bodies on disk: one file per entry and frame, the same surfaces in every format,
// and a run that was stopped goes on as if it had not been
#include "scene_bar.h"
#include "vtu.h"

#include "file.h"

#include <math.h>

static const char text[] =
    "{ \"pliant\": 1, \"steps\": 12,\n"
    "\"materials\": { \"wood\": { \"density\": 500, \"friction\": 0.5 } },\n"
    "\"bodies\": [ { \"name\": \"ground\", \"type\": \"rigid\", \"motion\": \"static\", \"shape\": { \"plane\": {} } "
    "},\n"
    "{ \"name\": \"pile\", \"array\": { \"count\": [2, 2, 1], \"spacing\": [1.2, 1.01, 0], \"stagger\": [0.3, 0, 0],\n"
    "  \"of\": { \"type\": \"rigid\", \"at\": [0, 0.6, 0], \"spin\": [1, 2, 3], \"material\": \"wood\",\n"
    "    \"shape\": [{ \"box\": [1, 1, 1] }, { \"box\": [0.2, 0.2, 0.2], \"at\": [0, 0, 0.6] }] } } } ],\n"
    "\"output\": { \"every\": 4, \"formats\": [\"vtu\", \"obj\", \"pc2\", \"mdd\"] } }";

AFTER_ALL(the_runs_are_removed)
{
	static const char* const folders[] = {"one", "two"};
	for (int i = 0; i < 2; ++i)
	{
		char folder[512], path[1024];
		snprintf(folder, sizeof folder, "%s", scratchPath(folders[i]));
		DIR* listed = opendir(folder);
		for (const struct dirent* entry; listed != NULL && (entry = readdir(listed)) != NULL;)
		{
			snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
			unlink(path);
		}
		if (listed != NULL)
			closedir(listed);
		rmdir(folder);
	}
}

static uint64_t run(const char* folder, int stopAfter, bool resume)
{
	plError error = {0};
	plWorld* world = plScene_CreateWorld(scene, NULL, NULL, problems);
	plRecording* recording =
	    resume ? plResumeRecording(folder, scene, world, &error) : plCreateRecording(folder, scene, &error);
	if (recording == NULL)
	{
		fprintf(stderr, "    %s\n", error.message);
		plDestroyWorld(world);
		return 0;
	}
	plResult result = plRecording_Write(recording, world, NULL, &error);
	while (result == pl_success && plWorld_GetStepCount(world) < (uint64_t)stopAfter)
	{
		plStepReport report;
		result = plWorld_Step(world, &report, &error) < 0 ? error.code : pl_success;
		if (result == pl_success)
			result = plRecording_Write(recording, world, &report, &error);
	}
	uint64_t hash = plWorld_GetHash(world);
	if (plRecording_Close(recording, world, false, &error) != pl_success || result != pl_success)
		hash = 0;
	plDestroyWorld(world);
	return hash;
}

static char* readIn(const char* folder, const char* name, size_t* bytes)
{
	char path[512];
	plError error = {0};
	snprintf(path, sizeof path, "%s/%s", folder, name);
	return plFile_ReadAll(path, bytes, &error);
}

TEST(an_entry_has_one_file_per_frame_and_planes_have_none)
{
	CHECK_READ(readText(text));
	const char* folder = scratchPath("one");
	CHECK(run(folder, 12, false) != 0);
	plError error = {0};
	plFrameFiles* files = plListFrames(folder, &error);
	CHECK(files != NULL && files->bodyCount == 1 && files->count == 4);
	for (size_t i = 0; i < 4; ++i)
		CHECK(strcmp(files->files[i].body, "pile") == 0 && files->files[i].step == 4 * i);
	plDestroyFrameFiles(files);
	size_t bytes;
	CHECK(readIn(folder, "ground.pvd", &bytes) == NULL && readIn(folder, "ground.pc2", &bytes) == NULL);
}

TEST(a_frame_shows_every_body_where_it_is_and_how_fast)
{
	CHECK_READ(readText(text));
	plError error = {0};
	plWorld* world = plScene_CreateWorld(scene, NULL, NULL, problems);
	plStepReport report;
	for (int i = 0; i < 5; ++i)
		CHECK(plWorld_Step(world, &report, &error) >= 0);
	plFrame* frame = plScene_CreateFrame(scene, 1);
	CHECK(plScene_FillFrame(scene, world, 1, frame, &error) == pl_success);
	plSceneBodyView view = plScene_GetBody(scene, 1);
	CHECK(view.rigidCount == 4 && frame->vertexCount == 64 && frame->triangleCount == 96 && frame->tetCount == 0);
	for (size_t k = 0; k < 4; ++k)
	{
		double middle[3] = {0}, speed[3] = {0};
		for (size_t i = 0; i < 24; ++i) // of the large box
			middle[i % 3] += frame->positions[48 * k + i] / 8, speed[i % 3] += frame->velocity[48 * k + i] / 8;
		plTransform pose = plBody_GetPose(world, view.rigids[k]);
		CHECK(fabs(middle[0] - pose.translation.x) < 1e-12 && fabs(middle[1] - pose.translation.y) < 1e-12);
		plVec3 v = plBody_GetVelocity(world, view.rigids[k]), w = plBody_GetSpin(world, view.rigids[k]);
		plVec3 c = plBody_GetCentre(world, view.rigids[k]);
		double arm[3] = {-c.x, -c.y, -c.z}; // from the centre of mass to the middle
		plQuat_Rotate(pose.rotation, arm, arm);
		CHECK(fabs(speed[0] - (v.x + w.y * arm[2] - w.z * arm[1])) < 1e-12);
		CHECK(fabs(speed[1] - (v.y + w.z * arm[0] - w.x * arm[2])) < 1e-12);
		for (size_t t = 0; t < 24; ++t)
			CHECK(frame->bodies[24 * k + t] == k && frame->triangles[3 * (24 * k + t)] / 16 == k);
	}
	plDestroyFrame(frame);
	plDestroyWorld(world);
}

TEST(every_format_has_the_same_surface)
{
	const char* folder = scratchPath("one");
	plError error = {0};
	plFrame* frame = plReadFrame(folder, &(plFrameFile){.body = "pile", .step = 8}, &error);
	CHECK(frame != NULL && frame->triangleCount == 96);
	char path[512];
	static const char* const caches[] = {"pile.pc2", "pile.mdd"};
	float positions[3 * 64];
	for (int c = 0; c < 2; ++c)
	{
		snprintf(path, sizeof path, "%s/%s", folder, caches[c]);
		plCache* cache = plOpenCache(path, &error);
		CHECK(cache != NULL && plCache_GetView(cache).frameCount == 4 && plCache_GetView(cache).vertexCount == 64);
		CHECK(plCache_Read(cache, 2, positions, &error) == pl_success);
		for (int i = 0; i < 3 * 64; ++i)
			CHECK(positions[i] == (float)frame->positions[i]);
		plCloseCache(cache);
	}
	snprintf(path, sizeof path, "%s/pile_000008.obj", folder);
	plMesh* mesh = plReadMesh(path, pl_repairNone, problems);
	CHECK(mesh != NULL);
	plMeshView view = plMesh_GetView(mesh);
	CHECK(view.vertexCount == 64 && view.surfaceCount == 96);
	CHECK(memcmp(view.vertices, frame->positions, 3 * 64 * sizeof(double)) == 0);
	CHECK(memcmp(view.surface, frame->triangles, 3 * 96 * sizeof(uint32_t)) == 0);
	plDestroyMesh(mesh);
	plDestroyFrame(frame);
}

TEST(a_run_that_was_stopped_goes_on_to_the_same_bytes)
{
	static const char* const names[] = {"pile_000012.vtu", "pile_000012.obj", "pile.pc2", "pile.mdd", "pile.pvd"};
	CHECK_READ(readText(text));
	uint64_t whole = run(scratchPath("one"), 12, false);
	CHECK(whole != 0 && run(scratchPath("two"), 6, false) != 0);
	CHECK(run(scratchPath("two"), 12, true) == whole);
	for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
	{
		size_t a, b;
		char *one = readIn(scratchPath("one"), names[i], &a), *two = readIn(scratchPath("two"), names[i], &b);
		if (one == NULL || two == NULL || a != b || memcmp(one, two, a) != 0)
			FAIL_("%s differs", names[i]);
		free(one);
		free(two);
	}
}
