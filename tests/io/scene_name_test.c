// scene_name_test.c: names of pins, forces, springs and colliders in scenes, and their forces in stats.jsonl
#include "json.h"
#include "scene_bar.h"

#define LEFT "\"body\": \"bar\", \"where\": { \"box\": [[0, 0, 0], [0, 1, 1]] }"
#define RIGHT "\"body\": \"bar\", \"where\": { \"box\": [[2, 0, 0], [2, 1, 1]] }"
// One of each kind, with a place for their names; 2000 kg.
#define ALL(pin, force, springs, collider)                                                                             \
	REST("\"pins\": [ {" pin LEFT " } ],\n\"forces\": [ {" force RIGHT ", \"force\": [0, 0, 50] } ],\n"                \
	     "\"springs\": [ {" springs                                                                                    \
	     "\"a\": \"bar\", \"b\": \"world\", \"pairs\": [[3, [2, 3, 0]]], \"stiffness\": 100, \"rest\": 1 } ],\n"       \
	     "\"colliders\": [ {" collider "\"plane\": { \"offset\": -0.01 } } ]")
#define NAMED ALL("\"name\": \"wall\", ", "\"name\": \"pull\", ", "\"name\": \"rope\", ", "\"name\": \"ground\", ")

TEST(names_are_read_and_found_in_the_world)
{
	CHECK_READ(readText(NAMED));
	plWorld* world = plScene_CreateWorld(scene, NULL, NULL, problems);
	plReaction r[5];
	CHECK(world != NULL && plWorld_GetReactions(world, r, 5) == 4);
	CHECK(PL_IS_NON_NULL(plWorld_FindPin(world, "wall")) && PL_IS_NON_NULL(plWorld_FindForce(world, "pull")));
	CHECK(PL_IS_NON_NULL(plWorld_FindSprings(world, "rope")));
	CHECK(PL_IS_NON_NULL(plWorld_FindCollider(world, "ground")));
	CHECK(strcmp(plScene_GetView(scene).colliders[0].name, "ground") == 0);
	plDestroyWorld(world);
	CHECK_READ(readText(ALL("", "", "", "")));
	world = plScene_CreateWorld(scene, NULL, NULL, problems);
	CHECK(world != NULL && plWorld_GetReactions(world, r, 5) == 0);
	plDestroyWorld(world);
}

TEST(bad_names_are_refused_with_their_place)
{
	CALL(refused(ALL("\"name\": 3, ", "", "", ""), ":4:20: expected a string, found the number 3"));
	CALL(refused(ALL("\"name\": \"\", ", "", "", ""), ":4:20: pin: its name cannot be empty"));
	CALL(refused(ALL("", "\"name\": \"a\\tb\", ", "", ""), ":5:22: force: its name has a control character"));
	CALL(refused(ALL("", "", "\"name\": [], ", ""), ":6:23: expected a string, found an empty list"));
	CALL(refused(ALL("", "", "", "\"name\": \"\", "), ":7:25: collider: its name cannot be empty"));
	CALL(refused(ALL("\"nam\": \"a\", ", "", "", ""), ":4:12: unknown key \"nam\"; did you mean \"name\"?"));
	char text[2048], longest[202];
	memset(longest, 'n', 201);
	longest[201] = 0;
	snprintf(text, sizeof text, ALL("", "", "\"name\": \"%s\", ", ""), longest);
	CALL(refused(text, ":6:23: springs: its name has 201 bytes, at most 200"));
}

TEST(no_two_share_a_name_whatever_their_kinds)
{
	CALL(refused(ALL("\"name\": \"a\", ", "\"name\": \"a\", ", "", ""), ":5:22: the name \"a\" is taken by pin 0"));
	CALL(refused(ALL("", "\"name\": \"a\", ", "\"name\": \"a\", ", ""), ":6:23: the name \"a\" is taken by force 0"));
	CALL(refused(ALL("", "", "\"name\": \"a\", ", "\"name\": \"a\", "), ":7:25: the name \"a\" is taken by springs 0"));
	CALL(refused(REST("\"colliders\": [{ \"name\": \"a\", \"plane\": {} },\n{ \"name\": \"a\", \"plane\": {} }]"),
	             ":5:11: the name \"a\" is taken by collider 0"));
	CHECK_READ(readText(ALL("\"name\": \"bar\", ", "", "", ""))); // bodies have names of their own
}

TEST(set_finds_them_by_name)
{
	const char* const sets[] = {"pins.wall.axes=x", "forces.pull.force=[1,2,3]", "springs.rope.stiffness=200",
	                            "colliders.ground.friction=0.5"};
	plSceneOptions options = plDefaultSceneOptions();
	options.sets = sets;
	options.setCount = 4;
	CHECK_READ(readWith(NAMED, &options));
	const char* text = plScene_GetView(scene).text;
	CHECK(strstr(text, "\"axes\": \"x\"") && strstr(text, "\"force\": [1, 2, 3]"));
	CHECK(strstr(text, "\"stiffness\": 200") && strstr(text, "\"friction\": 0.5"));
	const char* const wrong[] = {"pins.wal.axes=x"};
	options.sets = wrong;
	options.setCount = 1;
	CHECK(readWith(NAMED, &options) == NULL);
	CALL(checkOneProblem("--set pins.wal.axes=x: there is no name or index \"wal\"; did you mean \"wall\"?"));
}

// ---- stats.jsonl ----------------------------------------------------------------------------------------------------

// Steps from `from` to `to` of the scene, into a folder.
static void record(const char* folder, bool resume, int from, int to)
{
	plError error = {0};
	plStepReport report;
	plWorld* world = plScene_CreateWorld(scene, NULL, NULL, problems);
	plRecording* recording = resume ? plResumeRecording(scratchPath(folder), scene, world, &error)
	                                : plCreateRecording(scratchPath(folder), scene, &error);
	CHECK(recording != NULL);
	CHECK(plRecording_Write(recording, world, NULL, &error) == pl_success);
	for (int i = from; i <= to; ++i)
	{
		CHECK(plWorld_Step(world, &report, &error) >= 0);
		CHECK(plRecording_Write(recording, world, &report, &error) == pl_success);
	}
	CHECK(plRecording_Close(recording, world, false, &error) == pl_success);
	plDestroyWorld(world);
}

// stats.jsonl of a folder, as text
static char* readStats(const char* folder)
{
	char path[64];
	size_t bytes;
	snprintf(path, sizeof path, "%s/stats.jsonl", folder);
	char* text = scratchRead(path, &bytes);
	text = realloc(text, bytes + 1);
	text[bytes] = 0;
	return text;
}

// Numbers of "reactions" of every line, one after the other; returns how many.
static size_t readReactions(const char* folder, const char* const names[4], double* numbers)
{
	size_t count = 0;
	char* text = readStats(folder);
	plJsonStore store = {0};
	for (char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1)
	{
		plJsonError error;
		const plJson* node = plJson_Parse(&store, line, (size_t)(end - line), &error);
		const plJson* reactions = node ? plJson_Find(node, "reactions") : NULL;
		for (size_t i = 0; reactions && i < 4; ++i)
		{
			const plJson* force = plJson_Find(reactions, names[i]);
			for (const plJson* item = force ? force->first : NULL; item; item = item->next)
				numbers[count++] = strtod(item->text, NULL);
		}
	}
	plJsonStore_Free(&store);
	free(text);
	return count;
}

TEST(a_run_writes_the_forces_and_so_does_a_resumed_one)
{
	static const char* const names[4] = {"wall", "pull", "rope", "ground"};
	double whole[60], parts[60];
	const char* const sets[] = {"steps=5", "output.every=2"};
	plSceneOptions options = plDefaultSceneOptions();
	options.sets = sets;
	options.setCount = 2;
	CHECK_READ(readWith(NAMED, &options));
	CALL(record("whole", false, 1, 5));
	CALL(record("parts", false, 1, 3));
	CALL(record("parts", true, 4, 5));
	CHECK(readReactions("whole", names, whole) == 60 && readReactions("parts", names, parts) == 60);
	CHECK(memcmp(whole, parts, sizeof whole) == 0);
	for (size_t step = 0; step < 5; ++step)
	{
		CHECK_NEAR(whole[12 * step + 5], 50.0, 1e-12); // the load, along z
		CHECK(whole[12 * step + 1] > 1e3);             // the wall holds most of 19620 N
	}
	CHECK_READ(readText(ALL("", "", "", "")));
	CALL(record("nameless", false, 1, 1));
	char* text = readStats("nameless");
	CHECK(strstr(text, "reactions") == NULL);
	free(text);
}

TEST(frames_have_forces_of_pins_and_residuals)
{
	plError error = {0};
	const char* const sets[] = {"steps=2", "output.every=1", "solver=descent", "solver.iterations=8"};
	plSceneOptions options = plDefaultSceneOptions();
	options.sets = sets;
	options.setCount = 4;
	CHECK_READ(readWith(NAMED, &options));
	CALL(record("frames", false, 1, 2));
	plFrame* frame = plReadVtu(scratchPath("frames/bar_000002.vtu"), &error);
	CHECK(frame != NULL && frame->vertexCount == 12);
	static const char* const names[4] = {"wall", "pull", "rope", "ground"};
	double numbers[24], pins = 0.0, rest = 0.0;
	CHECK(readReactions("frames", names, numbers) == 24);
	for (size_t i = 0; i < 12; ++i)
	{
		pins += frame->pinForce[3 * i + 1];
		rest += fabs(frame->residual[3 * i]) + fabs(frame->residual[3 * i + 1]) + fabs(frame->residual[3 * i + 2]);
	}
	CHECK_NEAR(pins, numbers[13], 1e-9 * fabs(pins));
	CHECK(rest > 0.0);
	plDestroyFrame(frame);
}
