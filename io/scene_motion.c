// scene_motion.c: "motion" of pins and colliders: a way from one time to another, keys, or a sine
//
//   { "translate", "rotate", "about", "from", "until", "ease" }
//   { "keys": [ { "time", "translate", "rotate" }, ... ], "about", "ease" }
//   { "sine": { "translate", "rotate", "frequency", "phase" }, "about", "from", "until" }
#include "scene.h"

#include <math.h>
#include <stdlib.h>

static const double degree = 3.14159265358979323846 / 180.0;

void plSceneReader_ReadTimes(plSceneReader* reader, const plJson* node, double* from, double* until)
{
	bool good = plSceneReader_Number(reader, node, "from", pl_ruleNonNegative, from);
	good = plSceneReader_Number(reader, node, "until", pl_ruleNonNegative, until) && good;
	if (good && !(*until > *from))
	{
		const plJson* place = plJson_Find(node, "until") ? plJson_Find(node, "until") : plJson_Find(node, "from");
		plSceneReader_Fail(reader, place, "\"until\" (%g) must be later than \"from\" (%g)", *until, *from);
	}
}

// Reports the keys of `names` (ends with NULL) that stand beside `kind`, and why they do not belong there.
static void refuseBeside(plSceneReader* reader, const plJson* node, const char* kind, const char* const* names)
{
	for (; *names; ++names)
	{
		const plJson* member = plJson_Find(node, *names);
		if (member)
			plSceneReader_FailKey(reader, member, "\"%s\" and \"%s\" exclude each other", kind, *names);
	}
}

// ---- the three kinds ------------------------------------------------------------------------------------------------

static void readLine(plSceneReader* reader, const plJson* node, plMotion* motion)
{
	plSceneReader_Vector(reader, node, "translate", &motion->translate);
	plSceneReader_Rotation(reader, node, "rotate", &motion->rotateAxis, &motion->rotateAngle);
	bool moves = plJson_Find(node, "translate") || plJson_Find(node, "rotate");
	if (plJson_Find(node, "until"))
		plSceneReader_ReadTimes(reader, node, &motion->from, &motion->until);
	else if (moves || plJson_Find(node, "from"))
		plSceneReader_Fail(reader, node,
		                   "missing key \"until\": the time in seconds when the motion ends; it used to be 2");
}

static void readKey(plSceneReader* reader, const plJson* item, const plMotionKey* before, plMotionKey* key)
{
	static const char* const keys[] = {"time", "translate", "rotate", NULL};
	if (!plSceneReader_CheckObject(reader, item, keys))
		return;
	const plJson* time = plSceneReader_Require(reader, item, "time");
	plSceneReader_Vector(reader, item, "translate", &key->translate);
	plSceneReader_Rotation(reader, item, "rotate", &key->rotateAxis, &key->rotateAngle);
	if (time == NULL || !plSceneReader_Number(reader, item, "time", pl_ruleNonNegative, &key->time))
		return;
	if (before && !(key->time > before->time))
		plSceneReader_Fail(reader, time, "keys ascend in time: %g s does not come after %g s", key->time, before->time);
}

static void readKeys(plSceneReader* reader, const plJson* list, plMotion* motion)
{
	if (!plSceneReader_CheckList(reader, list, "a list of keys"))
		return;
	if (list->count < 2)
		plSceneReader_Fail(reader, list, "a motion has at least two keys, found %zu", list->count);
	plMotionKey* keys = plSceneReader_New(reader, list, list->count, sizeof(plMotionKey), "the keys of a motion");
	motion->kind = pl_motionKeys;
	motion->keys = keys;
	for (const plJson* item = list->first; item && keys; item = item->next, ++motion->keyCount)
		readKey(reader, item, motion->keyCount > 0 ? keys + motion->keyCount - 1 : NULL, keys + motion->keyCount);
}

static void readSine(plSceneReader* reader, const plJson* node, const plJson* sine, plMotion* motion)
{
	static const char* const keys[] = {"translate", "rotate", "frequency", "phase", NULL};
	double phase = 0;
	motion->kind = pl_motionSine;
	motion->until = INFINITY;
	plSceneReader_ReadTimes(reader, node, &motion->from, &motion->until);
	if (!plSceneReader_CheckObject(reader, sine, keys))
		return;
	if (!plJson_Find(sine, "translate") && !plJson_Find(sine, "rotate"))
		plSceneReader_Fail(reader, sine, "missing key \"translate\" or \"rotate\", the amplitude");
	plSceneReader_Vector(reader, sine, "translate", &motion->translate);
	plSceneReader_Rotation(reader, sine, "rotate", &motion->rotateAxis, &motion->rotateAngle);
	if (plSceneReader_Require(reader, sine, "frequency"))
		plSceneReader_Number(reader, sine, "frequency", pl_rulePositive, &motion->frequency);
	plSceneReader_Number(reader, sine, "phase", pl_ruleAny, &phase);
	motion->phase = phase * degree;
}

// ---- all of them ----------------------------------------------------------------------------------------------------

// Does anything turn?
static bool hasRotation(const plJson* node, const plJson* keys, const plJson* sine)
{
	bool any = plJson_Find(node, "rotate") || (sine && sine->kind == pl_jsonObject && plJson_Find(sine, "rotate"));
	for (const plJson* item = keys && keys->kind == pl_jsonList ? keys->first : NULL; item; item = item->next)
		any = any || (item->kind == pl_jsonObject && plJson_Find(item, "rotate"));
	return any;
}

static void readMotion(plSceneReader* reader, const plJson* node, plMotion* motion)
{
	static const char* const names[] = {"translate", "rotate", "about", "from", "until", "ease", "keys", "sine", NULL};
	static const char* const besideKeys[] = {"translate", "rotate", "from", "until", "sine", NULL};
	static const char* const besideSine[] = {"translate", "rotate", "ease", NULL};
	static const char* const eases[] = {"linear", "smooth", NULL}; // as plEase
	if (!plSceneReader_CheckObject(reader, node, names))
		return;
	const plJson *keys = plJson_Find(node, "keys"), *sine = plJson_Find(node, "sine");
	int ease = 0;
	if (keys)
	{
		refuseBeside(reader, node, "keys", besideKeys);
		readKeys(reader, keys, motion);
	}
	else if (sine)
	{
		refuseBeside(reader, node, "sine", besideSine);
		readSine(reader, node, sine, motion);
	}
	else
		readLine(reader, node, motion);
	plSceneReader_Choice(reader, node, "ease", "ease", eases, &ease);
	motion->ease = (plEase)ease;
	const plJson* about = plJson_Find(node, "about");
	if (about == NULL)
		return;
	motion->hasCentre = plSceneReader_GetVector(reader, about, &motion->centre);
	if (!hasRotation(node, keys, sine))
		plSceneReader_FailKey(reader, about, "\"about\" is the centre of \"rotate\", which is missing");
}

void plSceneReader_ReadMotion(plSceneReader* reader, const plJson* node, plMotion* motion)
{
	size_t problems = plDiagnostics_GetErrorCount(reader->diagnostics);
	*motion = (plMotion){0};
	if (node)
		readMotion(reader, node, motion);
	if (plDiagnostics_GetErrorCount(reader->diagnostics) == problems)
		return;
	free((void*)motion->keys);
	*motion = (plMotion){0};
}
