// cache_test.c: PC2 and MDD are read back to the bit, grow sample by sample, are cut, and refuse bad bytes
#include "test.h"
#include "scratch.h"

#include "cache.h"
#include "file.h"

enum
{
	points = 3,
	frames = 4
};

static float sample(size_t frame, size_t i)
{
	return i == 4 ? -0.0f : (float)(0.1 * (double)frame + 1.7 * (double)i) - 2.0f;
}

static plResult give(size_t frame, float* positions, void* context, plError* error)
{
	(void)error;
	for (size_t i = 0; i < 3 * points; ++i)
		positions[i] = sample(frame, i);
	return context == NULL ? pl_success : plFile_Fail(error, pl_errorInput, "no frame %zu", frame);
}

static void checkFrames(const char* name, size_t count, const float* times)
{
	plError error = {0};
	float got[3 * points], expected[3 * points];
	plCache* cache = plOpenCache(scratchPath(name), &error);
	CHECK_TEXT(error.message, "");
	plCacheView view = plCache_GetView(cache);
	CHECK(view.vertexCount == points && view.frameCount == count);
	CHECK((view.times != NULL) == (times != NULL));
	for (size_t k = count; k-- > 0;) // in any order
	{
		CHECK(times == NULL || view.times[k] == times[k]);
		give(k, expected, NULL, NULL);
		CHECK(plCache_Read(cache, k, got, &error) == pl_success && memcmp(got, expected, sizeof got) == 0);
	}
	CHECK(plCache_Read(cache, count, got, &error) == pl_errorInput);
	plCloseCache(cache);
}

TEST(caches_are_read_back_to_the_bit)
{
	const float times[frames] = {0.0f, 0.1f, 0.2f, 0.35f}, counted[frames] = {0, 1, 2, 3};
	plError error = {0};
	CHECK(plWriteCache(scratchPath("a.pc2"), points, frames, times, give, NULL, &error) == pl_success);
	CALL(checkFrames("a.pc2", frames, NULL));
	CHECK(plWriteCache(scratchPath("a.mdd"), points, frames, times, give, NULL, &error) == pl_success);
	CALL(checkFrames("a.mdd", frames, times));
	CHECK(plWriteCache(scratchPath("a.mdd"), points, frames, NULL, give, NULL, &error) == pl_success);
	CALL(checkFrames("a.mdd", frames, counted));
}

TEST(the_bytes_are_those_of_the_formats)
{
	static const unsigned char pc2[] = {'P', 'O', 'I', 'N', 'T', 'C', 'A', 'C', 'H', 'E', '2',  0,    1, 0, 0, 0,
	                                    3,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0x80, 0x3f, 4, 0, 0, 0};
	static const unsigned char mdd[] = {0, 0, 0, 4, 0, 0, 0, 3, 0, 0, 0, 0, 0x3f, 0x80, 0, 0, 0x40, 0, 0, 0};
	size_t bytes;
	char* data = scratchRead("a.pc2", &bytes);
	CHECK(bytes == 32 + 12 * points * frames && memcmp(data, pc2, sizeof pc2) == 0);
	float first = sample(0, 0);
	CHECK(memcmp(data + 32, &first, 4) == 0);
	free(data);
	data = scratchRead("a.mdd", &bytes);
	CHECK(bytes == 8 + (4 + 12 * points) * frames && memcmp(data, mdd, sizeof mdd) == 0);
	CHECK(data[8 + 4 * frames] == (char)0xc0 && data[8 + 4 * frames + 1] == 0); // -2, big-endian
	free(data);
}

TEST(a_cache_that_cannot_be_written_leaves_nothing)
{
	plError error = {0};
	int unwilling;
	CHECK(plWriteCache(scratchPath("n.pc2"), points, frames, NULL, give, &unwilling, &error) == pl_errorInput);
	CHECK_TEXT(error.message, "no frame 0");
	CHECK(!plFile_Exists(scratchPath("n.pc2")) && !plFile_Exists(scratchPath("n.pc2.part")));
	CHECK(plWriteCache(scratchPath("n.abc"), points, frames, NULL, give, NULL, &error) == pl_errorInput);
	CHECK(plWriteCache(scratchPath("no/n.pc2"), points, frames, NULL, give, NULL, &error) == pl_errorFile);
	CHECK(plOpenCache(scratchPath("missing.pc2"), &error) == NULL && error.code == pl_errorFile);
	CHECK(plOpenCache(scratchPath("a.vtu"), &error) == NULL && error.code == pl_errorInput);
}

// A good file cut to any length is refused, and changed bytes never read outside.
static void shake(const char* name, size_t headBytes)
{
	size_t bytes;
	char* data = scratchRead(name, &bytes);
	char path[32];
	snprintf(path, sizeof path, "cut%s", name + 1);
	plError error;
	for (size_t n = 0; n < bytes; ++n)
	{
		scratchWrite(path, data, n);
		CHECK(plOpenCache(scratchPath(path), &error) == NULL);
		CHECK(strstr(error.message, ": byte ") != NULL);
	}
	for (size_t i = 0; i < 256 * headBytes; i += 13) // all bytes, some values of each
	{
		char kept = data[i / 256];
		data[i / 256] = (char)i;
		scratchWrite(path, data, bytes);
		plCache* cache = plOpenCache(scratchPath(path), &error);
		if (cache != NULL)
		{
			plCacheView view = plCache_GetView(cache);
			CHECK(view.frameCount == 0 || 12 * view.vertexCount * view.frameCount <= bytes);
			float* positions = malloc(12 * view.vertexCount + 1);
			for (size_t k = 0; k < view.frameCount && k < 8; ++k)
				CHECK(plCache_Read(cache, k, positions, &error) == pl_success);
			free(positions);
		}
		plCloseCache(cache);
		data[i / 256] = kept;
	}
	uint64_t state = 3;
	for (int round = 0; round < 100; ++round)
	{
		for (size_t i = 0; i < bytes; ++i)
			data[i] = (char)(int)(testRandom(&state) * 255);
		scratchWrite(path, data, bytes);
		plCloseCache(plOpenCache(scratchPath(path), &error));
	}
	free(data);
}

TEST(no_bytes_bring_the_readers_down)
{
	CALL(shake("a.pc2", 32));
	CALL(shake("a.mdd", 12));
}

TEST(bad_headers_are_refused_with_their_byte)
{
	static const struct
	{
		const char *name, *bytes;
		size_t size;
		const char* words;
	} bad[] = {
	    {"b.pc2", "POINTCACHE3\0\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 32, "byte 0: does not begin with"},
	    {"b.pc2", "POINTCACHE2\0\2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 32, "byte 12: version 2 of PC2"},
	    {"b.pc2", "POINTCACHE2\0\1\0\0\0\xff\xff\xff\xff\0\0\0\0\0\0\0\0\1\0\0\0", 32, "byte 16: promises -1 points"},
	    {"b.pc2", "POINTCACHE2\0\1\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\xff\xff\xff\x7f", 32,
	     "byte 28: promises 2147483647 frames of 1 points, the file has room for 0"},
	    {"b.mdd", "\x80\0\0\0\0\0\0\1", 8, "byte 0: promises -2147483648 frames"},
	    {"b.mdd", "\0\0\0\1\x7f\xff\xff\xff\0\0\0\0", 12, "byte 0: promises 1 frames of 2147483647 points"},
	    {"b.mdd", "\0\0\0\1\0\0\0\0\x7f\xc0\0\0", 12, "byte 8: the time of frame 0 is not finite"},
	};
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i)
	{
		plError error = {0};
		scratchWrite(bad[i].name, bad[i].bytes, bad[i].size);
		CHECK(plOpenCache(scratchPath(bad[i].name), &error) == NULL);
		if (strstr(error.message, bad[i].words) == NULL)
			FAIL_("case %zu: %s", i, error.message);
	}
}

// ---- samples that grow ----------------------------------------------------------------------------------------------

static void append(plSampleFile* file, size_t from, size_t to)
{
	float scratch[3 * points + 1];
	double positions[3 * points];
	plError error = {0};
	for (size_t k = from; k < to; ++k)
	{
		for (size_t i = 0; i < 3 * points; ++i)
			positions[i] = sample(k, i);
		CHECK(plSampleFile_Append(file, (float)k, positions, scratch, &error) == pl_success);
	}
}

TEST(a_growing_pc2_is_whole_after_every_sample)
{
	plSampleFile file;
	plError error = {0};
	CHECK(plSampleFile_Open(&file, pl_cachePc2, scratchPath("g.pc2"), points, 0, &error) == pl_success);
	CALL(checkFrames("g.pc2", 0, NULL));
	for (size_t k = 0; k < frames; ++k)
	{
		CALL(append(&file, k, k + 1));
		CALL(checkFrames("g.pc2", k + 1, NULL));
	}
	plSampleFile_Close(&file);
	size_t a, b;
	char *one = scratchRead("a.pc2", &a), *two = scratchRead("g.pc2", &b);
	CHECK(a == b && memcmp(one, two, a) == 0);
	free(one);
	free(two);
}

TEST(what_a_checkpoint_covers_stays_and_the_rest_is_cut)
{
	plSampleFile file;
	plError error = {0};
	size_t a, b;
	char* whole = scratchRead("g.pc2", &a);
	scratchWrite("g.pc2", whole, a - 7); // killed inside the last sample, which the header does not count
	FILE* stream = fopen(scratchPath("g.pc2"), "r+b");
	fseek(stream, 28, SEEK_SET);
	fputc(3, stream);
	fclose(stream);
	CHECK(plSampleFile_Open(&file, pl_cachePc2, scratchPath("g.pc2"), points, 2, &error) == pl_success);
	CALL(checkFrames("g.pc2", 2, NULL));
	CALL(append(&file, 2, 4));
	plSampleFile_Close(&file);
	char* again = scratchRead("g.pc2", &b);
	CHECK(a == b && memcmp(whole, again, a) == 0);
	free(whole);
	free(again);
	CHECK(plSampleFile_Open(&file, pl_cachePc2, scratchPath("g.pc2"), points, 5, &error) == pl_errorInput);
	CHECK(strstr(error.message, "has 4 samples, the checkpoint covers 5") != NULL);
	CHECK(plSampleFile_Open(&file, pl_cachePc2, scratchPath("g.pc2"), points + 1, 2, &error) == pl_errorInput);
	CHECK(strstr(error.message, "has 3 points, the body has 4 vertices") != NULL);
	CALL(checkFrames("g.pc2", 4, NULL)); // refused: untouched
}

TEST(an_mdd_is_made_of_its_spool_and_becomes_one_again)
{
	const float times[frames] = {0, 1, 2, 3};
	plSampleFile file;
	plError error = {0};
	const char* spool = "m.mdd.spool";
	CHECK(plSampleFile_Open(&file, pl_cacheMdd, scratchPath(spool), points, 0, &error) == pl_success);
	CALL(append(&file, 0, frames));
	CHECK(plSampleFile_MakeMdd(&file, scratchPath("m.mdd"), &error) == pl_success);
	plSampleFile_Close(&file);
	CALL(checkFrames("m.mdd", frames, times));
	CHECK(plSampleFile_MakeSpool(scratchPath("n.mdd.spool"), scratchPath("m.mdd"), points, 2, &error) == pl_success);
	CHECK(plSampleFile_Open(&file, pl_cacheMdd, scratchPath("n.mdd.spool"), points, 2, &error) == pl_success);
	CALL(append(&file, 2, frames));
	plSampleFile_Close(&file);
	size_t a, b;
	char *one = scratchRead(spool, &a), *two = scratchRead("n.mdd.spool", &b);
	CHECK(a == b && a == frames * (4 + 12 * points) && memcmp(one, two, a) == 0);
	free(one);
	free(two);
	CHECK(plSampleFile_MakeSpool(scratchPath("n.mdd.spool"), scratchPath("m.mdd"), points, 5, &error) == pl_errorInput);
}

TEST(positions_beyond_a_float_are_refused)
{
	const double far[3] = {0.0, 1e39, 0.0};
	float out[3];
	plError error = {0};
	CHECK(plCache_Round("x.pc2", far, 1, out, &error) == pl_errorNumeric);
	CHECK_TEXT(error.message, "x.pc2: vertex 0 is too far away for a float");
}

TEST(frames_of_a_folder_are_listed_with_their_times)
{
	static const char* const names[] = {"bar_000000.vtu", "bar_000020.vtu", "bar_1000000.vtu", "a_b_000003.vtu"};
	static const char* const others[] = {"bar_20.vtu", "bar_000020.obj", "_000020.vtu"};
	for (int i = 0; i < 4; ++i)
		scratchWrite(names[i], "", 0);
	for (int i = 0; i < 3; ++i)
		scratchWrite(others[i], "", 0);
	const char pvd[] = "<DataSet timestep=\"0.5\" part=\"0\" file=\"bar_000020.vtu\"/>\n<x/>\n"
	                   "<DataSet timestep=\"1.5\" part=\"0\" file=\"bar_000021.vtu\"/>";
	scratchWrite("bar.pvd", pvd, sizeof pvd - 1);
	plError error = {0};
	plFrameFiles* files = plListFrames(scratchFolder, &error);
	CHECK(files != NULL && files->count == 4 && files->bodyCount == 2);
	CHECK_TEXT(files->files[0].body, "a_b");
	CHECK(files->files[0].step == 3 && isnan(files->files[0].time));
	CHECK_TEXT(files->files[2].body, "bar");
	CHECK(files->files[2].step == 20 && files->files[2].time == 0.5 && files->files[3].step == 1000000);
	CHECK(plReadFrame(scratchFolder, &files->files[2], &error) == NULL);
	CHECK(strstr(error.message, "bar_000020.vtu") != NULL);
	plDestroyFrameFiles(files);
	CHECK(plListFrames("no/such/folder", &error) == NULL);
}
