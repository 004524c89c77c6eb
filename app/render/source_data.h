// source_data.h: what the three kinds of sources share
#ifndef PL_RENDER_SOURCE_DATA_H
#define PL_RENDER_SOURCE_DATA_H

#include "source.h"

typedef struct plSourceBody
{
	char* name;
	plSurface* surface;
	size_t tetCount, triangleCount;
	float* sums;     // per body vertex: field, while it is averaged
	float* weights;  // per body vertex: elements at it
	uint32_t* cells; // of the first frame, to average a field of tets or triangles; NULL: no such field is asked for
	size_t corners;  // of a cell
	size_t cellCount;
	bool isCloth;
	bool hasField;    // it has what the colours show
	size_t number;    // of a scene: its body
	plFrame* scratch; // of a scene
} plSourceBody;

typedef struct plSourceFrame
{
	uint64_t step;
	double time;
	size_t bodies; // of a folder: how many have this step
	plPose* poses; // of a scene: kept
} plSourceFrame;

struct plFrameSource
{
	plField field;
	char* folder;   // NULL: a scene or a cache
	plCache* cache; // NULL: a folder or a scene
	double* first;  // of a cache: positions of the first frame
	float* floats;  // of a cache: one frame
	double origin[3];
	plSourceBody* bodies;
	size_t bodyCount;
	plSourceFrame* frames;
	size_t frameCount;
	plPose* poses; // of the frame that was loaded last
};

void plSource_SayMemory(plError* error);

#define PL_CREASE 42.0 // degrees

// First frame of a body: its surface, and what averaging needs. Only positions, displacement and tets are looked at.
bool plSource_TakeTopology(plFrameSource* source, plSourceBody* body, const plFrame* frame, plError* error);
// Once all bodies are there: does any have the field that is asked for?
bool plSource_CheckField(const plFrameSource* source, plError* error);
// Floats count from the first vertex of the first body.
void plSource_TakeOrigin(plFrameSource* source, const plFrame* frame);
bool plSource_TakePose(const plFrameSource* source, plSourceBody* body, const plFrame* frame, plPose* pose,
                       plError* error);
// Room for the poses of all bodies; NULL when memory ran out.
plPose* plSource_CreatePoses(const plFrameSource* source);
// One body in one frame, of a cache or of a folder.
plFrame* plSource_ReadCache(const plFrameSource* source, size_t frame, plError* error);
plFrame* plSource_ReadBody(const plFrameSource* source, size_t body, size_t frame, plError* error);

#endif
