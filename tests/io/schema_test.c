// schema_test.c: docs/scene.schema.json has the keys and the words that the reader of scenes has, no more and no fewer
//
// A reader that meets an unknown key or word, far from any known one, lists those that exist. Each row below asks it so
// at one place of a scene, and compares the list with `properties` or `enum` at that place of the schema. Every place
// of the schema has to have its row. Kinds and ranges of the solver block: scene_docs_test.c.
#include "file.h"
#include "json.h"
#include "scene_bar.h"

#include <dirent.h>

#define KEY "\"zzzzzzzzzzzzzzzzzzzz\": 0"
#define WORD "\"zzzzzzzzzzzzzzzzzzzz\""
#define AT_BODY(key) BODY_SCENE("{ \"type\": \"soft\", " MESH ", \"density\": 1000, " MATERIAL ", " key " }", "")
#define AT_CLOTH(key)                                                                                                  \
	BODY_SCENE(                                                                                                        \
	    "{ \"type\": \"cloth\", \"mesh\": { \"cloth\": [1, 1], \"cells\": [2, 2] }, \"density\": 0.2, " key " }", "")
#define AT_RIGID(key) BODY_SCENE("{ \"type\": \"rigid\", " key " }", "")
#define AT_SHAPE(key) AT_RIGID("\"density\": 1, \"shape\": { " key " }")
#define AT_PIN(key) REST("\"pins\": [{ \"body\": \"bar\", " key " }]")
#define AT_JOINT(key) REST("\"joints\": [{ \"type\": \"hinge\", \"a\": \"bar\", " key " }]")
#define AT_COLLIDER(collider) REST("\"colliders\": [" collider "]")

typedef struct Place
{
	const char* schema[2]; // paths; what both have together is what the reader has
	const char* scene;     // @ stands for every law, one after the other
} Place;

static const Place keyPlaces[] = {
    {{""}, TOP(KEY)},
    {{"properties/solver/oneOf/1"}, TOP("\"solver\": { " KEY " }")},
    {{"properties/solver/oneOf/1/properties/phases/items"},
     TOP("\"solver\": { \"method\": \"descent\", \"phases\": [{ " KEY " }] }")},
    {{"properties/wind"}, TOP("\"wind\": { " KEY " }")},
    {{"properties/wind/properties/gust"}, TOP("\"wind\": { \"gust\": { " KEY " } }")},
    {{"properties/pressures/items"}, REST("\"pressures\": [{ " KEY " }]")},
    {{"properties/pressures/items/properties/gas"}, REST("\"pressures\": [{ \"gas\": { " KEY " } }]")},
    {{"properties/contact"}, TOP("\"contact\": { " KEY " }")},
    {{"properties/output"}, TOP("\"output\": { " KEY " }")},
    {{"$defs/body"}, AT_BODY(KEY)},
    {{"$defs/body/properties/transform"}, AT_BODY("\"transform\": { " KEY " }")},
    {{"$defs/body/properties/regions/items"}, AT_BODY("\"regions\": [{ " KEY " }]")},
    {{"$defs/body/properties/damping"}, AT_BODY("\"damping\": { " KEY " }")},
    {{"$defs/cloth"}, AT_CLOTH(KEY)},
    {{"$defs/cloth/properties/regions/items"}, AT_CLOTH("\"regions\": [{ " KEY " }]")},
    {{"$defs/cloth/properties/damping"}, AT_CLOTH("\"damping\": { " KEY " }")},
    {{"$defs/membrane"}, AT_CLOTH("\"membrane\": { " KEY " }")},
    {{"$defs/bending"}, AT_CLOTH("\"bending\": { " KEY " }")},
    {{"properties/materials/additionalProperties"}, TOP("\"materials\": { \"ice\": { " KEY " } }")},
    {{"properties/pairs/items"}, TOP("\"pairs\": [{ " KEY " }]")},
    {{"$defs/rigid"}, AT_RIGID(KEY)},
    {{"$defs/rigids"}, BODY_SCENE("{ \"array\": {}, " KEY " }", "")},
    {{"$defs/rigids/properties/array"}, BODY_SCENE("{ \"array\": { " KEY " } }", "")},
    {{"$defs/rigids/properties/pyramid"}, BODY_SCENE("{ \"pyramid\": { " KEY " } }", "")},
    {{"$defs/shape"}, AT_SHAPE(KEY)},
    {{"$defs/shape/properties/capsule"}, AT_SHAPE("\"capsule\": { " KEY " }")},
    {{"$defs/shape/properties/cylinder"}, AT_SHAPE("\"cylinder\": { " KEY " }")},
    {{"$defs/shape/properties/plane"}, AT_SHAPE("\"plane\": { " KEY " }")},
    {{"$defs/mesh/oneOf/0"}, BODY_MESH("{ \"file\": \"none.msh\", " KEY " }")},
    {{"$defs/mesh/oneOf/1"}, BODY_MESH("{ \"box\": [1, 1, 1], \"cells\": [1, 1, 1], " KEY " }")},
    {{"$defs/mesh/oneOf/2"}, BODY_MESH("{ \"bar\": [1, 1, 1], \"cells\": [1, 1, 1], " KEY " }")},
    {{"$defs/mesh/oneOf/3"}, BODY_MESH("{ \"sphere\": 1, \"cells\": 2, " KEY " }")},
    {{"$defs/mesh/oneOf/4"}, BODY_MESH("{ \"torus\": [1, 0.3], \"cells\": [9, 1], " KEY " }")},
    {{"$defs/mesh/oneOf/5"},
     BODY_MESH("{ \"helix\": [1, 0.1], \"pitch\": 1, \"turns\": 1, \"cells\": [9, 1], " KEY " }")},
    {{"$defs/mesh/oneOf/6"}, BODY_MESH("{ \"cloth\": [1, 1], \"cells\": [2, 2], " KEY " }")},
    {{"$defs/mesh/oneOf/7"}, BODY_MESH("{ \"sleeve\": [1, 1, 1], \"cells\": [3, 2], " KEY " }")},
    {{"$defs/mesh/oneOf/8"}, BODY_MESH("{ \"knot\": [1, 0.4, 0.1], \"cells\": [60, 1], " KEY " }")},
    {{"$defs/material"}, BODY_MATERIAL("{ \"law\": \"@\", " KEY " }")},
    {{"$defs/material/properties/spline/oneOf/0", "$defs/material/properties/spline/oneOf/1"},
     BODY_MATERIAL("{ \"law\": \"spline\", \"spline\": { " KEY " } }")},
    {{"$defs/fibre"}, BODY_MATERIAL("{ \"fibre\": { " KEY " } }")},
    {{"$defs/where/oneOf/1"}, AT_PIN("\"where\": { " KEY " }")},
    {{"$defs/where/oneOf/1/properties/sphere"}, AT_PIN("\"where\": { \"sphere\": { " KEY " } }")},
    {{"$defs/where/oneOf/1/properties/half_space"}, AT_PIN("\"where\": { \"half_space\": { " KEY " } }")},
    {{"$defs/pin"}, AT_PIN(KEY)},
    {{"$defs/motion"}, AT_PIN("\"motion\": { " KEY " }")},
    {{"$defs/motion/properties/keys/items"}, AT_PIN("\"motion\": { \"keys\": [{ " KEY " }] }")},
    {{"$defs/motion/properties/sine"}, AT_PIN("\"motion\": { \"sine\": { " KEY " } }")},
    {{"$defs/force"}, REST("\"forces\": [{ " KEY " }]")},
    {{"$defs/seam"}, REST("\"seams\": [{ " KEY " }]")},
    {{"$defs/attachments"}, REST("\"attachments\": [{ " KEY " }]")},
    {{"$defs/joint"}, AT_JOINT(KEY)},
    {{"$defs/joint/properties/axes"}, AT_JOINT("\"axes\": { " KEY " }")},
    {{"$defs/axis/oneOf/1"}, AT_JOINT("\"axes\": { \"x\": { " KEY " } }")},
    {{"$defs/motor"}, AT_JOINT("\"motor\": { " KEY " }")},
    {{"$defs/springs"}, REST("\"springs\": [{ " KEY " }]")},
    {{"$defs/collider"}, AT_COLLIDER("{ " KEY " }")},
    {{"$defs/collider/properties/plane"}, AT_COLLIDER("{ \"plane\": { " KEY " } }")},
    {{"$defs/collider/properties/sphere"}, AT_COLLIDER("{ \"sphere\": { " KEY " } }")},
    {{"$defs/collider/properties/capsule"}, AT_COLLIDER("{ \"capsule\": { " KEY " } }")},
    {{"$defs/collider/properties/box"}, AT_COLLIDER("{ \"box\": { " KEY " } }")},
    {{"$defs/collider/properties/frames/oneOf/1"}, AT_COLLIDER("{ \"mesh\": \"none.obj\", \"frames\": { " KEY " } }")},
    {{"$defs/collider/properties/transform"}, AT_COLLIDER("{ \"mesh\": \"none.obj\", \"transform\": { " KEY " } }")},
};

static const Place wordPlaces[] = {
    {{"properties/integrator"}, TOP("\"integrator\": " WORD)},
    {{"$defs/method"}, TOP("\"solver\": " WORD)},
    {{"properties/contact/properties/model"}, TOP("\"contact\": { \"model\": " WORD " }")},
    {{"properties/contact/properties/bodies/oneOf/1"}, TOP("\"contact\": { \"bodies\": " WORD " }")},
    {{"properties/contact/properties/self/oneOf/1"}, TOP("\"contact\": { \"self\": " WORD " }")},
    {{"properties/contact/properties/intersections"}, TOP("\"contact\": { \"intersections\": " WORD " }")},
    {{"$defs/rigid/properties/motion"}, AT_RIGID("\"motion\": " WORD)},
    {{"$defs/joint/properties/type"}, REST("\"joints\": [{ \"type\": " WORD " }]")},
    {{"$defs/axis/oneOf/0"}, AT_JOINT("\"axes\": { \"x\": " WORD " }")},
    {{"$defs/axis/oneOf/1/properties/mode"}, AT_JOINT("\"axes\": { \"x\": { \"mode\": " WORD " } }")},
    {{"$defs/motion/properties/ease"}, AT_PIN("\"motion\": { \"ease\": " WORD " }")},
    {{"properties/output/properties/formats/items"}, TOP("\"output\": { \"formats\": [" WORD "] }")},
    {{"$defs/mesh/oneOf/0/properties/repair"}, BODY_MESH("{ \"file\": \"none.msh\", \"repair\": " WORD " }")},
    {{"$defs/mesh/oneOf/6/properties/pattern"},
     BODY_MESH("{ \"cloth\": [1, 1], \"cells\": [2, 2], \"pattern\": " WORD " }")},
    {{"$defs/cloth/properties/fabric"}, AT_CLOTH("\"fabric\": " WORD)},
    {{"$defs/cloth/properties/chart"}, AT_CLOTH("\"chart\": " WORD)},
    {{"$defs/membrane/properties/law"}, AT_CLOTH("\"membrane\": { \"law\": " WORD " }")},
    {{"$defs/bending/properties/model"}, AT_CLOTH("\"bending\": { \"model\": " WORD " }")},
    {{"$defs/material/properties/law"}, BODY_MATERIAL("{ \"law\": " WORD " }")},
    {{"$defs/material/properties/inversion"}, BODY_MATERIAL("{ \"inversion\": " WORD " }")},
    {{"$defs/material/properties/spline/oneOf/0/properties/preset"},
     BODY_MATERIAL("{ \"law\": \"spline\", \"spline\": { \"preset\": " WORD " } }")},
};

enum
{
	keyCount = sizeof keyPlaces / sizeof *keyPlaces,
	wordCount = sizeof wordPlaces / sizeof *wordPlaces,
	limit = 64 // keys of an object, or rows
};

typedef struct Names
{
	char text[limit][32];
	size_t count;
} Names;

static plJsonStore store;
static const plJson* schema;
static const plJson* seen[4 * limit]; // properties and enums of the rows
static size_t seenCount;

static bool has(const Names* names, const char* text)
{
	for (size_t i = 0; i < names->count; ++i)
		if (strcmp(names->text[i], text) == 0)
			return true;
	return false;
}

static void put(Names* names, const char* text, size_t length)
{
	char name[32];
	snprintf(name, sizeof name, "%.*s", (int)length, text);
	if (!has(names, name) && names->count < limit)
		strcpy(names->text[names->count++], name);
}

// ---- the two sides --------------------------------------------------------------------------------------------------

// What stands behind "there is: " in a problem about the unknown name.
static void putListed(Names* names)
{
	for (size_t i = 0; i < plDiagnostics_GetCount(problems); ++i)
	{
		const char* text = plDiagnostics_GetText(problems, i);
		const char* list = strstr(text, "zzzz\"; there is: ");
		for (list = list != NULL ? list + strlen("zzzz\"; there is: ") : NULL; list != NULL;)
		{
			size_t length = strcspn(list, ",");
			put(names, list, length);
			list = list[length] == ',' ? list + length + 2 : NULL;
		}
	}
}

static Names askReader(const char* text)
{
	Names names = {.count = 0};
	const char* hole = strchr(text, '@');
	for (int law = 0; law < (hole != NULL ? pl_lawCount : 1); ++law)
	{
		char whole[2048];
		snprintf(whole, sizeof whole, "%.*s%s%s", (int)(hole != NULL ? hole - text : 0), text,
		         hole != NULL ? plLaw_GetName((plLaw)law) : "", hole != NULL ? hole + 1 : text);
		if (law != pl_lawCallback)
			readText(whole);
		putListed(&names);
	}
	return names;
}

// The node at a path of keys and indices, e.g. "properties/solver/oneOf/1"; NULL if there is none.
static const plJson* follow(const char* path)
{
	const plJson* node = schema;
	while (node != NULL && *path != 0)
	{
		char part[32];
		size_t length = strcspn(path, "/");
		snprintf(part, sizeof part, "%.*s", (int)length, path);
		path += length + (path[length] == '/');
		if (node->kind == pl_jsonObject)
			node = plJson_Find(node, part);
		else
		{
			int index = atoi(part);
			for (node = node->first; node != NULL && index > 0; --index)
				node = node->next;
		}
	}
	return node;
}

static Names askSchema(const Place* place, const char* member)
{
	Names names = {.count = 0};
	for (int i = 0; i < 2 && place->schema[i] != NULL; ++i)
	{
		const plJson* node = follow(place->schema[i]);
		const plJson* list = node != NULL ? plJson_Find(node, member) : NULL;
		for (const plJson* item = list != NULL ? list->first : NULL; item != NULL; item = item->next)
		{
			const char* name = item->key != NULL ? item->key : item->text;
			put(&names, name, strlen(name));
		}
		if (list != NULL)
			seen[seenCount++] = list;
	}
	return names;
}

static void compare(const Place* place, const char* member)
{
	Names reader = askReader(place->scene), page = askSchema(place, member);
	if (reader.count == 0 || page.count == 0)
		FAIL_("'%s': %zu names in the reader, %zu in the schema", place->schema[0], reader.count, page.count);
	for (size_t i = 0; i < reader.count; ++i)
		if (!has(&page, reader.text[i]))
			FAIL_("\"%s\" is not in the schema at '%s'", reader.text[i], place->schema[0]);
	for (size_t i = 0; i < page.count; ++i)
		if (!has(&reader, page.text[i]))
			FAIL_("\"%s\" of the schema at '%s' is unknown to the reader", page.text[i], place->schema[0]);
}

// ---- cases ----------------------------------------------------------------------------------------------------------

BEFORE_ALL(the_schema_is_read)
{
	size_t length = 0;
	char path[1024];
	plError error = {0};
	plJsonError reason = {0};
	snprintf(path, sizeof path, "%s/docs/scene.schema.json", getenv("PLIANT_SOURCE"));
	char* text = plFile_ReadAll(path, &length, &error);
	schema = text != NULL ? plJson_Parse(&store, text, length, &reason) : NULL;
	free(text);
	if (schema == NULL)
		FAIL_("%s: %s%s", path, error.message, reason.reason);
}

AFTER_ALL(the_schema_is_forgotten)
{
	plJsonStore_Free(&store);
}

TEST(every_key_of_the_reader_is_in_the_schema_and_back)
{
	for (size_t i = 0; i < keyCount; ++i)
		CALL(compare(keyPlaces + i, "properties"));
}

// The place of the words of solver setting k; false past the last. One without words has no scene.
typedef struct SettingPlace
{
	char path[64], scene[512];
} SettingPlace;

static bool findSetting(int k, SettingPlace* place)
{
	const plSolverOption* option = plGetSolverOption(k);
	*place = (SettingPlace){.scene = ""};
	if (option == NULL || option->words == NULL)
		return option != NULL;
	snprintf(place->path, sizeof place->path, "properties/solver/oneOf/1/properties/%s%s", option->key,
	         option->kind != pl_optionWord ? "/oneOf/0" : "");
	snprintf(place->scene, sizeof place->scene, TOP("\"solver\": { \"%s\": " WORD " }"), option->key);
	return true;
}

TEST(every_word_of_the_reader_is_in_the_schema_and_back)
{
	SettingPlace setting;
	for (size_t i = 0; i < wordCount; ++i)
		CALL(compare(wordPlaces + i, "enum"));
	for (int k = 0; findSetting(k, &setting); ++k)
		if (setting.scene[0] != 0)
			CALL(compare(&(Place){{setting.path}, setting.scene}, "enum"));
}

TEST(the_schema_knows_the_laws_without_young_and_poisson)
{
	const plJson* list = follow("$defs/material/allOf/2/if/properties/law/enum");
	CHECK(list != NULL);
	for (int i = 0; i < pl_lawCount; ++i)
	{
		bool found = false;
		for (const plJson* item = list->first; item != NULL; item = item->next)
			found = found || strcmp(item->text, plLaw_GetName((plLaw)i)) == 0;
		if (i != pl_lawCallback && found == plLaw_HasModuli((plLaw)i))
			FAIL_("the schema is wrong about young and poisson of %s", plLaw_GetName((plLaw)i));
	}
}

// ---- seeds of the fuzzer --------------------------------------------------------------------------------------------

// All scenes of tests/fuzz/corpus, one after the other; malloc
static char* readSeeds(void)
{
	char folder[1024], path[2048];
	size_t length = 0, total = 0;
	char* all = NULL;
	plError error = {0};
	snprintf(folder, sizeof folder, "%s/tests/fuzz/corpus/scene", getenv("PLIANT_SOURCE"));
	DIR* list = opendir(folder);
	for (struct dirent* entry; list != NULL && (entry = readdir(list)) != NULL;)
	{
		snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
		char* text = entry->d_name[0] != '.' ? plFile_ReadAll(path, &length, &error) : NULL;
		if (text == NULL)
			continue;
		all = realloc(all, total + length + 1);
		memcpy(all + total, text, length);
		total += length;
		all[total] = 0;
		for (size_t i = total - length; i < total; ++i) // some seeds have bytes that end a text
			all[i] = all[i] == 0 ? ' ' : all[i];
		free(text);
	}
	if (list != NULL)
		closedir(list);
	return all;
}

static void requireSeeds(const plJson* node, const char* seeds)
{
	bool object = node->kind == pl_jsonObject && node->key != NULL && strcmp(node->key, "properties") == 0;
	for (const plJson* item = node->first; item != NULL && !testFailedHere; item = item->next)
	{
		char quoted[64];
		snprintf(quoted, sizeof quoted, "\"%s\"", item->key != NULL ? item->key : "");
		if (object && strstr(seeds, quoted) == NULL)
			FAIL_("no scene of tests/fuzz/corpus has the key %s of docs/scene.schema.json:%zu", quoted, item->line);
		requireSeeds(item, seeds);
	}
}

TEST(every_key_of_the_schema_has_a_seed_for_the_fuzzer)
{
	char* seeds = readSeeds();
	CHECK(seeds != NULL);
	requireSeeds(schema, seeds);
	free(seeds);
}

// Conditions repeat keys that are described elsewhere. Names of keys do not lead astray: a list of words has strings,
// properties are an object.
static void requireSeen(const plJson* node)
{
	bool object = node->kind == pl_jsonObject && node->key != NULL && strcmp(node->key, "properties") == 0;
	bool words = node->kind == pl_jsonList && node->key != NULL && strcmp(node->key, "enum") == 0 &&
	             node->first->kind == pl_jsonString;
	if (node->key != NULL && strcmp(node->key, "if") == 0)
		return;
	bool found = !object && !words;
	for (size_t i = 0; i < seenCount && !found; ++i)
		found = seen[i] == node;
	if (!found)
		FAIL_("docs/scene.schema.json:%zu: no row of this test compares this with the reader", node->line);
	for (const plJson* item = node->first; item != NULL && !testFailedHere; item = item->next)
		requireSeen(item);
}

TEST(every_object_and_every_list_of_words_of_the_schema_was_compared)
{
	SettingPlace setting;
	seenCount = 0;
	for (size_t i = 0; i < keyCount; ++i)
		askSchema(keyPlaces + i, "properties");
	for (size_t i = 0; i < wordCount; ++i)
		askSchema(wordPlaces + i, "enum");
	for (int k = 0; findSetting(k, &setting); ++k)
		askSchema(&(Place){{setting.path}, setting.scene}, "enum");
	requireSeen(schema);
}
