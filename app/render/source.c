// source.c: frames from a folder, a running scene or a cache, reduced to what is drawn
//
// The topology of a body is taken from its first frame: rest = position - displacement, boundary of its tets, or
// triangles of rigid bodies. Later
// frames keep three floats a surface point, and one for the field. A folder is read frame by frame whenever a frame is
// asked for, so a long film needs no more memory than a picture; a scene is run once and its surfaces are kept.
#include "source_data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void plSource_SayMemory(plError* error)
{
	error->code = pl_errorMemory;
	snprintf(error->message, sizeof error->message, "not enough memory for the frames");
}

static void freePoses(plPose* poses, size_t count)
{
	for (size_t i = 0; poses && i < count; ++i)
	{
		free(poses[i].positions);
		free(poses[i].values);
	}
	free(poses);
}

void plDestroyFrameSource(plFrameSource* s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->frameCount; ++i)
		freePoses(s->frames[i].poses, s->bodyCount);
	freePoses(s->poses, s->bodyCount);
	for (size_t i = 0; i < s->bodyCount; ++i)
	{
		free(s->bodies[i].name);
		plDestroySurface(s->bodies[i].surface);
		free(s->bodies[i].sums);
		free(s->bodies[i].weights);
		free(s->bodies[i].cells);
		plDestroyFrame(s->bodies[i].scratch);
	}
	free(s->bodies);
	free(s->frames);
	free(s->folder);
	plCloseCache(s->cache);
	free(s->first);
	free(s->floats);
	free(s);
}

size_t plFrameSource_GetFrameCount(const plFrameSource* s)
{
	return s->frameCount;
}

uint64_t plFrameSource_GetStep(const plFrameSource* s, size_t frame)
{
	return s->frames[frame].step;
}

double plFrameSource_GetTime(const plFrameSource* s, size_t frame)
{
	return s->frames[frame].time;
}

size_t plFrameSource_GetBodyCount(const plFrameSource* s)
{
	return s->bodyCount;
}

const plSurface* plFrameSource_GetSurface(const plFrameSource* s, size_t body)
{
	return s->bodies[body].surface;
}

void plFrameSource_GetOrigin(const plFrameSource* s, double origin[3])
{
	for (int i = 0; i < 3; ++i)
		origin[i] = s->origin[i];
}

// ---- from a frame to what is drawn --------------------------------------------------------------------------------

plPose* plSource_CreatePoses(const plFrameSource* s)
{
	plPose* poses = calloc(s->bodyCount, sizeof *poses);
	for (size_t i = 0; poses && i < s->bodyCount; ++i)
	{
		size_t count = s->bodies[i].surface->pointCount;
		poses[i].positions = malloc(3 * count * sizeof(float));
		poses[i].values = s->field != pl_fieldNone ? malloc(count * sizeof(float)) : NULL;
		if (!poses[i].positions || (s->field != pl_fieldNone && !poses[i].values))
		{
			freePoses(poses, s->bodyCount);
			return NULL;
		}
	}
	return poses;
}

static bool checkFinite(const plSourceBody* b, const plFrame* frame, plError* error)
{
	for (size_t i = 0; i < 3 * frame->vertexCount; ++i)
		if (!isfinite(frame->positions[i]))
		{
			error->code = pl_errorInput;
			snprintf(error->message, sizeof error->message, "body %s: the position of vertex %zu is not finite",
			         b->name, i / 3);
			return false;
		}
	return true;
}

// Triangles, with the bodies that they belong to as parts
static plSurface* createRigid(const double* rest, const plFrame* frame, plError* error)
{
	size_t parts = 0;
	for (size_t t = 0; t < frame->triangleCount; ++t)
		parts = frame->bodies[t] >= parts ? (size_t)frame->bodies[t] + 1 : parts;
	plSurface* surface =
	    plCreateFaceSurface(rest, frame->vertexCount, frame->triangles, frame->triangleCount, PL_CREASE, error);
	if (surface == NULL || (parts <= frame->triangleCount && plSurface_SetParts(surface, frame->bodies, parts)))
		return surface;
	plDestroySurface(surface);
	plSource_SayMemory(error);
	return NULL;
}

static bool isSoft(const plFrame* frame)
{
	return (frame->tetCount > 0 || frame->isCloth) && frame->contactForce != NULL;
}

// What averages a field of the elements, if the body has it
static bool keepCells(const plFrameSource* s, plSourceBody* b, const plFrame* frame, plError* error)
{
	if (s->field == pl_fieldContact)
		b->hasField = isSoft(frame);
	bool ofAll = s->field == pl_fieldCrossings;
	bool ofTets = frame->tetCount > 0 && (ofAll || s->field == pl_fieldStress || s->field == pl_fieldBlend);
	if (!ofTets && !(frame->isCloth && (ofAll || s->field == pl_fieldStretch)))
		return true;
	b->hasField = s->field != pl_fieldBlend || frame->hasBlend;
	b->corners = ofTets ? 4 : 3;
	b->cellCount = ofTets ? frame->tetCount : frame->triangleCount;
	size_t count = b->corners * b->cellCount;
	b->sums = malloc(frame->vertexCount * sizeof *b->sums);
	b->weights = calloc(frame->vertexCount, sizeof *b->weights);
	b->cells = malloc(count * sizeof *b->cells);
	if (!b->sums || !b->weights || !b->cells)
	{
		plSource_SayMemory(error);
		return false;
	}
	memcpy(b->cells, ofTets ? frame->tets : frame->triangles, count * sizeof *b->cells);
	for (size_t i = 0; i < count; ++i)
		b->weights[b->cells[i]] += 1.0f;
	return true;
}

bool plSource_TakeTopology(plFrameSource* s, plSourceBody* b, const plFrame* frame, plError* error)
{
	if (!checkFinite(b, frame, error))
		return false;
	double* rest = malloc((3 * frame->vertexCount + 1) * sizeof *rest);
	if (!rest)
	{
		plSource_SayMemory(error);
		return false;
	}
	for (size_t i = 0; i < 3 * frame->vertexCount; ++i)
		rest[i] = frame->positions[i] - frame->displacement[i];
	b->tetCount = frame->tetCount;
	b->triangleCount = frame->triangleCount;
	b->isCloth = frame->isCloth;
	if (frame->isCloth)
		b->surface =
		    plCreateFaceSurface(rest, frame->vertexCount, frame->triangles, frame->triangleCount, PL_CREASE, error);
	else if (frame->triangleCount > 0)
		b->surface = createRigid(rest, frame, error);
	else
		b->surface = plCreateSurface(rest, frame->vertexCount, frame->tets, frame->tetCount, PL_CREASE, error);
	free(rest);
	return b->surface && keepCells(s, b, frame, error);
}

const char* const plField_names[pl_fieldCount] = {"none",    "stress",    "displacement", "blend",
                                                  "stretch", "crossings", "contact"};

bool plSource_CheckField(const plFrameSource* s, plError* error)
{
	static const char* const owners[pl_fieldCount] = {[pl_fieldStress] = "only soft bodies have it",
	                                                  [pl_fieldBlend] =
	                                                      "only soft bodies have it whose \"inversion\" is \"convert\"",
	                                                  [pl_fieldStretch] = "only cloth has it",
	                                                  [pl_fieldCrossings] = "only soft bodies and cloth have it",
	                                                  [pl_fieldContact] = "only soft bodies and cloth have it"};
	bool found = owners[s->field] == NULL; // positions of any body give the others
	for (size_t i = 0; i < s->bodyCount; ++i)
		found = found || s->bodies[i].hasField;
	if (!found)
	{
		error->code = pl_errorInput;
		snprintf(error->message, sizeof error->message, "--colour %s: no body here has %s, %s", plField_names[s->field],
		         plField_names[s->field], owners[s->field]);
	}
	return found;
}

// Mean over the cells at a vertex; NULL: 0
static void takeMean(plSourceBody* b, const double* field, plPose* pose)
{
	const plSurface* surface = b->surface;
	memset(b->sums, 0, surface->bodyVertexCount * sizeof *b->sums);
	for (size_t i = 0; field && i < b->corners * b->cellCount; ++i)
		b->sums[b->cells[i]] += (float)field[i / b->corners];
	for (size_t p = 0; p < surface->pointCount; ++p)
		pose->values[p] = b->sums[surface->points[p]] / b->weights[surface->points[p]];
}

// 1 where a cell at a vertex has any of the field; NULL: 0
static void takeAny(plSourceBody* b, const double* field, plPose* pose)
{
	const plSurface* surface = b->surface;
	memset(b->sums, 0, surface->bodyVertexCount * sizeof *b->sums);
	for (size_t i = 0; field && i < b->corners * b->cellCount; ++i)
		if (field[i / b->corners] > 0.0)
			b->sums[b->cells[i]] = 1.0f;
	for (size_t p = 0; p < surface->pointCount; ++p)
		pose->values[p] = b->sums[surface->points[p]];
}

// A body that does not have the field is drawn in its colour, a rigid one always: nothing is strained.
static void takePlain(const plFrameSource* s, const plSourceBody* b, plPose* pose)
{
	bool isRigid = b->triangleCount > 0 && !b->isCloth;
	pose->plain = s->field != pl_fieldDisplacement && (isRigid || s->field != pl_fieldNone);
	for (size_t p = 0; pose->plain && pose->values && p < b->surface->pointCount; ++p)
		pose->values[p] = 0.0f;
}

static const double* fieldOf(const plFrameSource* s, const plFrame* frame)
{
	if (s->field == pl_fieldStretch)
		return frame->stretch0;
	if (s->field == pl_fieldCrossings)
		return frame->hasCrossing ? frame->crossing : NULL;
	return s->field == pl_fieldStress ? frame->vonMises : frame->hasBlend ? frame->blend : NULL;
}

// A frame in which nobody looked for crossings is not one without any.
static bool checkCrossings(const plFrameSource* s, const plSourceBody* b, const plFrame* frame, plError* error)
{
	if (s->field != pl_fieldCrossings || b->cells == NULL || frame->hasCrossing)
		return true;
	error->code = pl_errorInput;
	snprintf(
	    error->message, sizeof error->message,
	    "body %s has no crossings here, nobody looked for them: run it with \"output\": { \"crossings\": true }, or "
	    "render the scene",
	    b->name);
	return false;
}

// Of vertices, if that is what is shown; NULL: it is not, or the body has none
static const double* vectorOf(const plFrameSource* s, const plFrame* frame)
{
	if (s->field == pl_fieldContact)
		return isSoft(frame) ? frame->contactForce : NULL;
	return s->field == pl_fieldDisplacement ? frame->displacement : NULL;
}

// Are the elements inside out?
static bool finishPose(const plFrame* frame, plPose* pose)
{
	if (frame->triangleCount > 0)
		return true;
	pose->inverted = frame->tetCount == 0; // nothing is known about sides
	for (size_t t = 0; t < frame->tetCount && !pose->inverted; ++t)
		pose->inverted = !(frame->detF[t] > 0.0);
	return true;
}

bool plSource_TakePose(const plFrameSource* s, plSourceBody* b, const plFrame* frame, plPose* pose, plError* error)
{
	const plSurface* surface = b->surface;
	if (frame->vertexCount != surface->bodyVertexCount || frame->tetCount != b->tetCount ||
	    frame->triangleCount != b->triangleCount)
	{
		error->code = pl_errorInput;
		snprintf(error->message, sizeof error->message,
		         "body %s has %zu vertices and %zu elements here, %zu and %zu in its first frame", b->name,
		         frame->vertexCount, frame->tetCount + frame->triangleCount, surface->bodyVertexCount,
		         b->tetCount + b->triangleCount);
		return false;
	}
	if (!checkFinite(b, frame, error) || !checkCrossings(s, b, frame, error))
		return false;
	for (size_t p = 0; p < surface->pointCount; ++p)
	{
		size_t v = surface->points[p];
		for (int i = 0; i < 3; ++i)
			pose->positions[3 * p + i] = (float)(frame->positions[3 * v + i] - s->origin[i]);
		const double* u = vectorOf(s, frame);
		if (u != NULL)
			pose->values[p] =
			    (float)sqrt(u[3 * v] * u[3 * v] + u[3 * v + 1] * u[3 * v + 1] + u[3 * v + 2] * u[3 * v + 2]);
	}
	pose->plain = pose->inverted = false;
	pose->sheet = frame->isCloth;
	if (s->field == pl_fieldContact && isSoft(frame))
		return finishPose(frame, pose);
	if (b->cells == NULL)
		takePlain(s, b, pose);
	else if (s->field == pl_fieldCrossings)
		takeAny(b, fieldOf(s, frame), pose);
	else
		takeMean(b, fieldOf(s, frame), pose);
	return finishPose(frame, pose);
}

void plSource_TakeOrigin(plFrameSource* s, const plFrame* frame)
{
	for (int i = 0; i < 3; ++i)
		s->origin[i] = frame->vertexCount > 0 ? frame->positions[i] : 0.0;
}

const plPose* plFrameSource_Load(plFrameSource* s, size_t frame, plError* error)
{
	if (s->frames[frame].poses)
		return s->frames[frame].poses;
	for (size_t i = 0; i < s->bodyCount; ++i)
	{
		plFrame* read = s->cache ? plSource_ReadCache(s, frame, error) : plSource_ReadBody(s, i, frame, error);
		bool good = read && plSource_TakePose(s, &s->bodies[i], read, &s->poses[i], error);
		plDestroyFrame(read);
		if (!good)
			return NULL;
	}
	return s->poses;
}
