// formats_page_test.c: the pages and the schema say of formats what the tables say
#include "file.h"
#include "pliant/io.h"
#include "test.h"

#include <ctype.h>

enum
{
	cellCount = 7
};

// A page of the sources; free().
static char* readPage(const char* name)
{
	const char* source = getenv("PLIANT_SOURCE");
	char path[512];
	size_t bytes;
	snprintf(path, sizeof path, "%s/%s", source != NULL ? source : ".", name);
	return plFile_ReadAll(path, &bytes, NULL);
}

static bool pageSays(const char* name, const char* words)
{
	char* page = readPage(name);
	bool found = page != NULL && strstr(page, words) != NULL;
	free(page);
	return found;
}

// Cells of the row of a table whose first cell has all the words; false: there is no such row.
static bool findRow(char* page, const char* const words[3], char cells[cellCount][256])
{
	for (char* line = strtok(page, "\n"); line != NULL; line = strtok(NULL, "\n"))
	{
		memset(cells, 0, cellCount * sizeof cells[0]);
		char* at = line;
		for (int i = 0; i < cellCount && at[0] == '|' && at[1] != '\0'; ++i)
		{
			size_t length = strcspn(at + 1, "|");
			snprintf(cells[i], sizeof cells[i], "%.*s", (int)length, at + 1);
			at += length + 1;
		}
		bool all = cells[0][0] != '\0';
		for (int i = 0; i < 3 && words[i] != NULL; ++i)
			all = all && strstr(cells[0], words[i]) != NULL;
		if (all)
			return true;
	}
	return false;
}

TEST(the_page_of_formats_has_a_true_row_for_every_mesh_format)
{
	for (size_t i = 0; plGetMeshKind(i) != NULL; ++i)
	{
		const plMeshKind* kind = plGetMeshKind(i);
		char endings[2][16] = {"", ""}, cells[cellCount][256];
		for (int k = 0; k < 2 && kind->endings[k] != NULL; ++k)
		{
			snprintf(endings[k], sizeof endings[k], "`%s`", kind->endings[k]);
			CHECK(pageSays("README.md", endings[k]) && pageSays("docs/scene.md", endings[k]));
		}
		const char* words[3] = {kind->name, endings[0], endings[1]};
		char* page = readPage("docs/formats.md");
		CHECK(page != NULL && findRow(page, words, cells));
		CHECK_TEXT(cells[2], kind->tets ? " yes " : " surface ");
		CHECK_TEXT(cells[3], kind->tets ? " yes " : " – ");
		CHECK_TEXT(cells[4], kind->triangles ? " yes " : " – ");
		CHECK((strstr(cells[0], "binary") != NULL) == kind->hasBinary);
		free(page);
	}
}

TEST(every_format_of_frames_stands_in_the_pages_and_in_the_schema)
{
	for (int i = 0; i < pl_frameFormatCount; ++i)
	{
		const char* name = plFrameFormat_GetName((plFrameFormat)i);
		plFrameFormat found;
		char quoted[16], row[16], file[16];
		CHECK(plFindFrameFormat(name, &found) && (int)found == i);
		snprintf(quoted, sizeof quoted, "\"%s\"", name);
		snprintf(row, sizeof row, "\n| %s |", name);
		for (char* c = row; *c != '\0'; ++c)
			*c = (char)toupper((unsigned char)*c);
		snprintf(file, sizeof file, ".%s`", name);
		CHECK(pageSays("docs/formats.md", row) && pageSays("docs/formats.md", file));
		CHECK(pageSays("docs/scene.md", quoted) && pageSays("docs/scene.schema.json", quoted));
	}
	CHECK(plFrameFormat_GetName(pl_frameFormatCount) == NULL);
}

// Names of the fields, out of a line of statistics itself.
TEST(every_field_of_the_statistics_stands_in_the_page)
{
	char line[4096];
	const plStepReport report = {.hasBalance = true};
	plFormatStats(&report, line, sizeof line);
	size_t count = 0;
	bool ended = false; // after ms: its phases stand in docs/step.md
	for (const char *at = strchr(line, '"'), *end; at != NULL && !ended; at = strchr(end + 1, '"'))
	{
		end = strchr(at + 1, '"');
		if (end[1] != ':') // a value
			continue;
		char quoted[64];
		snprintf(quoted, sizeof quoted, "`%.*s`", (int)(end - at - 1), at + 1);
		CHECK(pageSays("docs/formats.md", quoted));
		ended = strcmp(quoted, "`ms`") == 0;
		++count;
	}
	CHECK(ended && count > 20);
}
