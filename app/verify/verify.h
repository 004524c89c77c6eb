// verify.h: known answers: what the textbook says, what pliant gives
#ifndef PL_APP_VERIFY_H
#define PL_APP_VERIFY_H

#include "pliant/pliant.h"

// One line of the table. A check may write several.
typedef void plVerifyRowFcn(const char* what, double reference, double obtained, double error, double allowed,
                            void* context);

typedef struct plVerifySink
{
	plVerifyRowFcn* row;
	void* context;
	plPool* pool;
} plVerifySink;

typedef struct plVerifyCheck
{
	const char* name;
	const char* claim;
	bool (*run)(plVerifySink* sink, plError* error); // false: could not be run, error says why
} plVerifyCheck;

extern const plVerifyCheck plVerifyMotion[];  // motion.c, ends with a NULL name
extern const plVerifyCheck plVerifyStatics[]; // statics.c
extern const plVerifyCheck plVerifySprings[]; // springs.c
extern const plVerifyCheck plVerifyContact[]; // contact.c

// A row whose error is |obtained - reference| / scale.
void plVerify_Compare(plVerifySink* sink, const char* what, double reference, double obtained, double scale,
                      double allowed);
// A row for something that should be zero.
void plVerify_Zero(plVerifySink* sink, const char* what, double obtained, double allowed);

// ---- a body on a rig: a world with one box or ball, and its positions at hand ---------------------------------------

typedef struct plRig
{
	plWorld* world;
	plBodyId body;
	plMesh* mesh;
	size_t n, m;
	double* x; // [3n] room for positions
	double* w; // [3n] room for another field
	uint32_t* pick;
	plStepReport report; // of the last step
} plRig;

// Takes over the mesh, also on failure.
bool plRig_Create(plRig* rig, const plWorldDef* wd, const plSoftBodyDef* bd, plMesh* mesh, plError* error);
void plRig_Destroy(plRig* rig);
bool plRig_Step(plRig* rig, int count, plError* error); // false also if a step does not converge
// Pins the vertices of a box, at their current place or moving.
bool plRig_Pin(plRig* rig, plVec3 low, plVec3 high, unsigned axes, plVec3 translate, plError* error);
// Sum of the pin forces on the vertices in a box.
plVec3 plRig_PinForce(plRig* rig, plVec3 low, plVec3 high);
// Mean position of the vertices of which the rest position lies in a box.
plVec3 plRig_Mean(plRig* rig, plVec3 low, plVec3 high);

// Nominal stress (Pa) of a cube of the material, drawn to `stretch` between two plates on which its ends slide.
bool plRig_PullCube(plPool* pool, const plMaterialDef* material, double stretch, double* stress, plError* error);

// Statics by a time step so long that inertia is gone.
plWorldDef plRig_StaticsDef(plPool* pool);

#endif
