// scene_attachment_test.c: attachments of a scene: what is read, and what is refused and where
#include "scene_bar.h"

#define BOX "\"type\": \"rigid\", \"density\": 100, \"shape\": { \"box\": [0.1, 1, 0.1] }"
#define BODIES                                                                                                         \
	"{ \"name\": \"pole\", " BOX ", \"at\": [-0.55, 0, 0] }, { \"name\": \"pile\", \"array\": { \"of\": { " BOX        \
	" }, \"count\": [3, 1, 1], \"spacing\": [2, 0, 0] } }, "                                                           \
	"{ \"name\": \"flag\", \"type\": \"cloth\", \"mesh\": { \"cloth\": [1, 1], \"cells\": [2, 2] }, \"density\": 0.2 " \
	"}"
// Attachments start on line 5.
#define ATTACHMENTS(list) BODY_SCENE(BODIES, ",\n\"solver\": \"avbd\", \"attachments\": [\n" list " ] ")
#define EDGE "\"where\": { \"box\": [[-0.51, -1, -1], [-0.49, 1, 1]] }"

TEST(attachments_are_read)
{
	plError error;
	CHECK(readText(ATTACHMENTS("{ \"body\": \"flag\", " EDGE ", \"to\": \"pole\" }, { \"body\": \"flag\", \"where\": "
	                           "{ \"nearest\": [0.5, 0.5, 0] }, \"to\": \"pile[2]\", \"stiffness\": 50 }")) != NULL);
	plWorld* world = plScene_CreateWorld(scene, NULL, NULL, problems);
	CHECK(world != NULL);
	for (int i = 0; i < 5; ++i)
		CHECK(plWorld_Step(world, NULL, &error) >= 0);
	plDestroyWorld(world);
}

TEST(their_force_stands_under_their_name)
{
	plError error;
	plReaction reaction;
	CHECK(readText(ATTACHMENTS("{ \"name\": \"hem\", \"body\": \"flag\", " EDGE ", \"to\": \"pole\" }")) != NULL);
	plWorld* world = plScene_CreateWorld(scene, NULL, NULL, problems);
	plAttachmentsId hem = plWorld_FindAttachments(world, "hem");
	CHECK(PL_IS_NON_NULL(hem));
	for (int i = 0; i < 5; ++i)
		CHECK(plWorld_Step(world, NULL, &error) >= 0);
	plVec3 force = plAttachments_GetForce(world, hem);
	CHECK(plWorld_GetReactions(world, &reaction, 1) == 1 && reaction.thing == pl_thingAttachments);
	CHECK(strcmp(reaction.name, "hem") == 0 && force.y != 0.0);
	CHECK(reaction.force.x == force.x && reaction.force.y == force.y && reaction.force.z == force.z);
	plDestroyWorld(world);
}

TEST(other_methods_are_refused_by_a_step)
{
	plError error;
	CHECK(readText(BODY_SCENE(BODIES, ",\n\"solver\": \"newton\", \"attachments\": [ { \"body\": \"flag\", " EDGE
	                                  ", \"to\": \"pole\" } ] ")) != NULL);
	plWorld* world = plScene_CreateWorld(scene, NULL, NULL, problems);
	CHECK(world != NULL && plWorld_Step(world, NULL, &error) == pl_errorInput);
	CHECK(strstr(error.message, "avbd") != NULL);
	plDestroyWorld(world);
}

TEST(bad_attachments_are_refused_with_their_place)
{
	CALL(refused(ATTACHMENTS("{ \"name\": \"\", \"body\": \"flag\", " EDGE ", \"to\": \"pole\" }"),
	             ":5:11: attachments: its name cannot be empty"));
	CALL(refused(ATTACHMENTS("{ " EDGE ", \"to\": \"pole\" }"), ":5:1: missing key \"body\""));
	CALL(refused(ATTACHMENTS("{ \"body\": \"flag\", \"to\": \"pole\" }"), ":5:1: missing key \"where\""));
	CALL(refused(ATTACHMENTS("{ \"body\": \"flag\", " EDGE " }"), ":5:1: missing key \"to\""));
	CALL(refused(ATTACHMENTS("{ \"body\": \"pole\", " EDGE ", \"to\": \"pole\" }"), "body \"pole\" is rigid"));
	CALL(refused(ATTACHMENTS("{ \"body\": \"flag\", " EDGE ", \"to\": \"flag\" }"),
	             "body \"flag\" is cloth; vertices are attached to rigid bodies"));
	CALL(refused(ATTACHMENTS("{ \"body\": \"flag\", " EDGE ", \"to\": \"pile\" }"),
	             "\"pile\" has 3 bodies; name one of them, as \"pile[0]\""));
	CALL(refused(ATTACHMENTS("{ \"body\": \"flag\", " EDGE ", \"to\": \"pile[3]\" }"), "the last one is \"pile[2]\""));
	CALL(refused(ATTACHMENTS("{ \"body\": \"flag\", " EDGE ", \"to\": \"world\" }"), "\"world\""));
	CALL(refused(ATTACHMENTS("{ \"body\": \"flag\", " EDGE ", \"to\": \"pole\", \"stiffness\": 0 }"),
	             "\"stiffness\" must be above 0, found 0"));
	CALL(refused(ATTACHMENTS("{ \"body\": \"flag\", " EDGE ", \"to\": \"pole\", \"stifness\": 1 }"),
	             "unknown key \"stifness\"; did you mean \"stiffness\"?"));
}
