// vertex_meets.h: where vertices of soft bodies meet dynamic rigid bodies, and what is attached to rigid bodies
#ifndef PL_WORLD_VERTEX_MEETS_H
#define PL_WORLD_VERTEX_MEETS_H

#include "../base/slots.h"
#include "../collide/box_tree.h"
#include "../collide/poke.h"
#include "../constraint/contact.h"

// What rigid bodies meet of a surface.
typedef enum plFeature
{
	pl_featureVertex, // against shapes
	pl_featureEdge,   // against edges of boxes and hulls
	pl_featureFace    // against their corners
} plFeature;

// Edges and triangles of the surfaces of soft bodies, those of a body one after the other.
typedef struct plFacets
{
	uint32_t* faces;               // [3 faceCount] vertices of the world, those of bodies of tets outward
	uint32_t* edges;               // [2 edgeCount]
	uint32_t* beside;              // [2 edgeCount] triangles that an edge is of, the same one twice on a border
	size_t *faceStart, *edgeStart; // [startCount] by slots of bodies
	uint32_t* names;               // [nameCount] vertices of the world as the callers of their bodies name them
	size_t faceCount, edgeCount, startCount;
	size_t faceRoom, edgeRoom, besideRoom, nameCount;
} plFacets;

// What is kept of a contact from substep to substep: part of the state. Those that push; they ascend by body, kind,
// number, shape and part.
typedef struct plVertexKept
{
	uint32_t body; // slot of the soft one
	plFeature kind;
	uint32_t number; // of a vertex its place in the range of the body; of an edge or a face that among the body's
	uint32_t shape;  // slot
	uint32_t part;   // corner or half-edge of the shape that meets it; 0: all of it
	bool sticks;
	double normal[3]; // from the shape to the point
	double lambda[3]; // N
	double anchor[3]; // where it sticks: from the centre of mass, in the axes of the body's frame, m
	double shares[3]; // of the point in its vertices
	double kn, kt;    // N/m
	double depth;     // m; below 0: a gap
} plVertexKept;

// A point of a surface that is near a shape in a substep.
typedef struct plVertexPair
{
	uint32_t body; // as above
	plFeature kind;
	uint32_t number, shape, part;
	bool isNear;
	double shares[3];
	double depth; // thickness - distance, m
	double normal[3];
} plVertexPair;

// A vertex, an edge or a triangle in the box of a shape: none, one or several pairs.
typedef struct plVertexCandidate
{
	plVertexPair pair; // the first one
	size_t count, first;
} plVertexCandidate;

// Vertices that move with a rigid body.
typedef struct plAttachments
{
	char* name;     // NULL: none; stands first
	uint32_t body;  // slot of the soft one
	uint32_t rigid; // slot
	double spring;  // N/m of each; 0: hard
	size_t count;
	uint32_t* vertices; // [count] caller's order
	double* points;     // [3 count] on the rigid body, in its frame, m
	double* numbers;    // [4 count] lambda (N) and k (N/m), which are kept from step to step
	double* start;      // [4 count] the same when the step began
} plAttachments;

// Arrays grow and stay.
typedef struct plVertexTouches
{
	plVertexCandidate* candidates; // ascending as what is kept
	size_t candidateCount, candidateRoom;
	plVertexPair* pairs; // the same
	size_t pairCount, pairRoom;
	plPoke* pokes; // [pairCount] of candidates that have several
	size_t pokeRoom;
	uint32_t* near; // shapes near a few of them
	size_t nearRoom;
	plVertexKept *kept, *next, *start; // as in plTouches
	size_t keptCount, keptRoom, nextCount, nextRoom, startCount, startRoom;
	bool hasStart;
} plVertexTouches;

int plVertexKept_Compare(const plVertexKept* a, const plVertexKept* b);
// The first one that is kept of a vertex, an edge or a face, or of what is after it
size_t plVertexTouches_Find(const plVertexTouches* touches, uint32_t body, plFeature kind, uint32_t number);
static inline bool plVertexTouches_IsOf(const plVertexTouches* t, size_t k, uint32_t body, uint32_t vertex)
{
	return k < t->keptCount && t->kept[k].body == body && t->kept[k].kind == pl_featureVertex &&
	       t->kept[k].number == vertex;
}
void plVertexTouches_Destroy(plVertexTouches* touches, plHeap* heap);

// facets.c: found once for bodies as they are; false: no memory
bool plWorld_NeedFacets(plWorld* world);
void plFacets_Destroy(plFacets* facets, plHeap* heap);                        // leaves zeros
size_t plFacets_Count(const plFacets* facets, uint32_t body, plFeature kind); // edges or faces of a body's slot
// The vertices of the world that it stands between, and how many there are
uint32_t plWorld_GetFeature(const plWorld* world, uint32_t body, plFeature kind, uint32_t number, uint32_t corners[3]);
uint32_t plWorld_NameFeature(const plWorld* world, uint32_t body, plFeature kind, uint32_t number,
                             uint32_t names[3]); // the same, as the caller names them
// A vector that points out of a body of tets at an edge; zeros of cloth
void plWorld_GetOutward(const plWorld* world, uint32_t body, uint32_t edge, double outward[3]);

// vertex_pairs.c: in a substep, once shapes are where they are: who is near whom. False: no memory
bool plWorld_FindVertexPairs(plWorld* world, double h);
bool plWorld_TakesBoth(const plWorld* world); // soft bodies and rigid ones meet

bool plWorld_WakePressed(plWorld* world);               // true: some woke
bool plWorld_MakeVertexMeets(plWorld* world, double h); // records, once there are movers; false: no memory
void plWorld_FinishVertexMeets(plWorld* world);
bool plWorld_KeepVertexMeets(plWorld* world); // at the start of a step; false: no memory
void plWorld_RestoreVertexMeets(plWorld* world);
void plWorld_ReportVertexMeets(const plWorld* world, plStepReport* report);
// Those of a soft body's slot, or of a shape's are forgotten; UINT32_MAX: of none
void plWorld_DropVertexMeets(plWorld* world, uint32_t body, uint32_t shape);
// N/m that a vertex resists with: inertia, and elements and other energies around it
double plWorld_GetVertexWeight(const plWorld* world, size_t vertex, double h);

// attachments.c
void plAttachments_Free(plAttachments* attachments, plHeap* heap);
plAttachments* plWorld_GetAttachments(const plWorld* world, plAttachmentsId id); // asserts that they are live
void plWorld_DestroyAttachments(plWorld* world, uint32_t soft, uint32_t rigid);  // all of a slot; UINT32_MAX: of none
size_t plWorld_CountAttached(const plWorld* world);
const double* plAttachments_GetPull(const plAttachments* attached, size_t i); // on a vertex in the last substep, N
// Their records, from `meets` on; how many there are
size_t plWorld_MakeAttached(plWorld* world, double h, plVertexMeet* meets);
void plWorld_FinishAttached(plWorld* world, const plVertexMeet* meets); // the same ones, at the end of a substep
void plWorld_KeepAttached(plWorld* world);
void plWorld_RestoreAttached(plWorld* world);

// vertex_state.c: in saved states
size_t plWorld_GetVertexBytes(size_t count);
void plWorld_SaveVertexMeets(const plWorld* world, char* out);
plResult plWorld_CheckVertexMeets(const plWorld* world, const char* in, size_t count, plError* error);
bool plWorld_ReserveVertexMeets(plWorld* world, size_t count); // false: no memory
void plWorld_LoadVertexMeets(plWorld* world, const char* in, size_t count);
size_t plWorld_CountAttachedNumbers(const plWorld* world); // doubles
void plWorld_SaveAttached(const plWorld* world, char* out);
plResult plWorld_CheckAttached(const plWorld* world, const char* in, plError* error);
void plWorld_LoadAttached(plWorld* world, const char* in);

#endif
