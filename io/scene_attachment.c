// scene_attachment.c: "attachments": vertices of soft bodies and cloth that are fastened to rigid bodies
//
//   { "name": word, "body": body, "where": selection, "to": rigid body, "stiffness": k }
#include "scene.h"

#include <stdlib.h>

// One rigid body; of an array, one of its bodies.
static void readTo(plSceneReader* reader, const plJson* item, plSceneEnd* to)
{
	const plJson* node = plSceneReader_Require(reader, item, "to");
	if (node == NULL || !plSceneReader_ReadEnd(reader, node, "vertices are attached to rigid bodies", to))
		return;
	const plSceneRigid* rigid = plScene_GetEnd(reader->scene, to);
	if (to->member == pl_sceneEach && rigid->count > 1)
		plSceneReader_Fail(reader, node, "\"%s\" has %zu bodies; name one of them, as \"%s[0]\"",
		                   plJson_Show(node->text).text, rigid->count, plJson_Show(node->text).text);
}

static void readAttachments(plSceneReader* reader, const plJson* item, plSceneAttachments* attachments)
{
	static const char* const keys[] = {"name", "body", "where", "to", "stiffness", NULL};
	attachments->place = item;
	attachments->def = plDefaultAttachmentsDef();
	attachments->to.body = pl_sceneWorld;
	if (!plSceneReader_CheckObject(reader, item, keys))
		return;
	plSceneReader_ReadName(reader, item, pl_thingAttachments, &attachments->def.name);
	const plSceneBody* body = plSceneReader_ReadBody(reader, item, "body", &attachments->body);
	attachments->vertices = plSceneReader_ReadWhere(reader, item, body, &attachments->def.count);
	attachments->def.vertices = attachments->vertices;
	readTo(reader, item, &attachments->to);
	plSceneReader_Number(reader, item, "stiffness", pl_rulePositive, &attachments->def.stiffness);
}

void plSceneReader_ReadAttachments(plSceneReader* reader, const plJson* list)
{
	plScene* scene = reader->scene;
	if (!plSceneReader_CheckList(reader, list, "a list of attachments"))
		return;
	scene->attachments = plSceneReader_New(reader, list, list->count, sizeof(plSceneAttachments), "the attachments");
	for (const plJson* item = list->first; item && scene->attachments; item = item->next)
		readAttachments(reader, item, &scene->attachments[scene->attachmentCount++]);
}

bool plScene_CreateAttachments(plSceneReader* reader, plWorld* world)
{
	plScene* scene = reader->scene;
	plError error = {0};
	for (size_t i = 0; i < scene->attachmentCount; ++i)
	{
		plSceneAttachments* attachments = &scene->attachments[i];
		const plSceneRigid* rigid = plScene_GetEnd(scene, &attachments->to);
		attachments->def.body = scene->bodies[attachments->body].id;
		attachments->def.to = rigid->ids[attachments->to.member == pl_sceneEach ? 0 : attachments->to.member];
		if (PL_IS_NULL(plCreateAttachments(world, &attachments->def, &error)))
		{
			plSceneReader_Fail(reader, attachments->place, "attachments %zu: %s", i, error.message);
			return false;
		}
	}
	return true;
}

void plScene_FreeAttachments(plScene* scene)
{
	for (size_t i = 0; i < scene->attachmentCount; ++i)
		free(scene->attachments[i].vertices);
	free(scene->attachments);
}
