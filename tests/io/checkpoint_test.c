// checkpoint_test.c: checkpoints are read back whole or refused; statistics; which files belong to a run
#include "test.h"
#include "scratch.h"

#include "checkpoint.h"
#include "file.h"
#include "run_folder.h"
#include "stats_file.h"

static const uint64_t hashes[3] = {1, 1ull << 63, 3};

static const plCheckpoint sample = {.step = 42,
                                    .samples = {7, 9},
                                    .meshes = hashes,
                                    .meshCount = 3,
                                    .bodyCount = 2,
                                    .names = "bar\0ball",
                                    .nameBytes = 9,
                                    .state = "0123456789abcdef!",
                                    .stateBytes = 17};

TEST(a_checkpoint_reads_back)
{
	plError error = {0};
	plCheckpoint back;
	CHECK(plCheckpoint_Write(scratchPath("checkpoint"), &sample, &error) == pl_success);
	CHECK(plCheckpoint_Read(scratchPath("checkpoint"), &back, &error) == pl_success);
	CHECK(back.samples[0] == 7 && back.samples[1] == 9);
	CHECK(back.step == 42 && back.bodyCount == 2 && back.nameBytes == 9 && back.stateBytes == 17);
	CHECK(back.meshCount == 3 && memcmp(back.meshes, hashes, sizeof hashes) == 0);
	CHECK(memcmp(back.names, sample.names, 9) == 0 && memcmp(back.state, sample.state, 17) == 0);
	plCheckpoint_Free(&back);
}

TEST(a_checkpoint_cut_anywhere_is_refused_with_words)
{
	plError error = {0};
	plCheckpoint back;
	CHECK(plCheckpoint_Write(scratchPath("checkpoint"), &sample, &error) == pl_success);
	size_t bytes;
	char* data = scratchRead("checkpoint", &bytes);
	for (size_t n = 0; n < bytes; ++n)
	{
		scratchWrite("cut", data, n);
		CHECK(plCheckpoint_Read(scratchPath("cut"), &back, &error) == pl_errorInput);
		CHECK(strstr(error.message, "/cut: is ") != NULL);
	}
	free(data);
}

TEST(a_checkpoint_with_any_wrong_bit_is_refused)
{
	plError error = {0};
	plCheckpoint back;
	CHECK(plCheckpoint_Write(scratchPath("checkpoint"), &sample, &error) == pl_success);
	size_t bytes;
	char* data = scratchRead("checkpoint", &bytes);
	for (size_t i = 0; i < 8 * bytes; ++i)
	{
		data[i / 8] ^= (char)(1 << i % 8);
		scratchWrite("wrong", data, bytes);
		CHECK(plCheckpoint_Read(scratchPath("wrong"), &back, &error) == pl_errorInput);
		data[i / 8] ^= (char)(1 << i % 8);
	}
	free(data);
}

// ---- which files belong to a run ------------------------------------------------------------------------------------

TEST(a_run_owns_the_files_of_its_bodies_only)
{
	static const char* const own[] = {"ball.pvd",         "bar_000000.vtu",      "bar_000020.vtu",
	                                  "bar_1234567.vtu",  "bar_000020.vtu.part", "bar_000020.obj",
	                                  "bar_2_000001.vtu", "bar.pvd.part",        "bar.pc2",
	                                  "ball.mdd",         "bar.mdd.spool"};
	static const char* const others[] = {
	    "bar.vtu",         "bar_20.vtu",     "bar_0000020.vtu", "bar_000020.vtu.bak",
	    "bars_000020.vtu", "ba_000020.vtu",  "notes.txt",       "other.pvd",
	    "bar_00002x.vtu",  "bar-000020.vtu", "_000020.vtu",     "bar_000020.vtu.part.part",
	    "bars.pc2",        "bar.spool"};
	plError error = {0};
	plRunNames names;
	plRunFile* files;
	size_t count;
	for (size_t i = 0; i < sizeof own / sizeof own[0]; ++i)
		scratchWrite(own[i], "", 0);
	for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i)
		scratchWrite(others[i], "", 0);
	CHECK(plRunNames_Init(&names, "bar\0ball\0bar_2", 3, &error) == pl_success);
	CHECK(plRunFolder_List(scratchFolder, &names, &files, &count, &error) == pl_success);
	CHECK(count == sizeof own / sizeof own[0]);
	for (size_t i = 0; i < count; ++i)
	{
		char* path = plRunFolder_GetPath(scratchFolder, &names, &files[i]);
		bool found = false;
		for (size_t k = 0; k < count; ++k)
			found = found || strcmp(path + strlen(scratchFolder) + 1, own[k]) == 0;
		CHECK(found);
		free(path);
	}
	CHECK(files[0].body == 0 && files[0].kind == pl_runVtu && files[0].step == 0);
	CHECK(files[3].body == 0 && files[3].step == 1234567);
	free(files);
	plRunNames_Free(&names);
}

// ---- statistics on disk -------------------------------------------------------------------------------------------

static plStepReport makeReport(uint64_t step)
{
	return (plStepReport){.step = step, .time = 0.1 * (double)step, .converged = step != 2};
}

TEST(lines_after_the_checkpoint_are_cut_and_those_before_stay)
{
	plError error = {0};
	plStatsFile file;
	CHECK(plStatsFile_Open(&file, scratchPath("stats.jsonl"), true, &error) == pl_success);
	for (uint64_t step = 1; step <= 4; ++step)
	{
		plStepReport report = makeReport(step);
		CHECK(plStatsFile_Append(&file, &report, NULL, &error) == pl_success);
	}
	plStatsFile_Close(&file);
	size_t bytes, after;
	char* before = scratchRead("stats.jsonl", &bytes);
	scratchWrite("stats.jsonl", before, bytes - 5); // killed in the middle of line 4
	CHECK(plStatsFile_Open(&file, scratchPath("stats.jsonl"), false, &error) == pl_success);
	CHECK(plStatsFile_Scan(&file, 4, &error) == pl_errorInput && strstr(error.message, "ends after step 3") != NULL);
	CHECK(plStatsFile_Scan(&file, 2, &error) == pl_success && plStatsFile_Cut(&file, &error) == pl_success);
	CHECK(file.notConverged == 1 && file.firstNotConverged == 2);
	for (uint64_t step = 3; step <= 4; ++step)
	{
		plStepReport report = makeReport(step);
		CHECK(plStatsFile_Append(&file, &report, NULL, &error) == pl_success);
	}
	plStatsFile_Close(&file);
	char* again = scratchRead("stats.jsonl", &after);
	CHECK(after == bytes && memcmp(before, again, bytes) == 0);
	free(before);
	free(again);
}

TEST(two_programs_cannot_record_into_one_folder)
{
	plError error = {0};
	plStatsFile first, second;
	CHECK(plStatsFile_Open(&first, scratchPath("locked.jsonl"), true, &error) == pl_success);
	CHECK(plStatsFile_Open(&second, scratchPath("locked.jsonl"), true, &error) == pl_errorFile);
	CHECK(strstr(error.message, "another run") != NULL);
	plStatsFile_Close(&first);
	CHECK(plStatsFile_Open(&second, scratchPath("locked.jsonl"), true, &error) == pl_success);
	plStatsFile_Close(&second);
}

TEST(a_foreign_line_is_refused_with_its_number)
{
	plError error = {0};
	plStatsFile file;
	static const char text[] = "{\"step\":1,\"x\":0}\nnonsense that is no line\n";
	scratchWrite("foreign.jsonl", text, sizeof text - 1);
	CHECK(plStatsFile_Open(&file, scratchPath("foreign.jsonl"), false, &error) == pl_success);
	CHECK(plStatsFile_Scan(&file, 2, &error) == pl_errorInput && strstr(error.message, "foreign.jsonl:2:1: ") != NULL);
	plStatsFile_Close(&file);
}
