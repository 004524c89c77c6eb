// joints.h: joints of rigid bodies, as a world holds them
#ifndef PL_WORLD_JOINTS_H
#define PL_WORLD_JOINTS_H

#include "../base/slots.h"
#include "../constraint/contact.h"

enum
{
	pl_noBody = UINT32_MAX // the world
};

typedef struct plJoint
{
	char* name; // stands first; NULL: it has none
	uint32_t bodies[2];
	uint32_t next1[2]; // slot + 1 of the next joint of either body; 0: none
	plTransform frames[2];
	plAxisDef axes[pl_jointAxisCount];
	plJointRow* rows; // [rowCount] what it holds and drives, ascending by axis
	uint32_t rowCount;
	double breakForce, breakTorque;
	bool collide;
	bool broken, startBroken;   // and when the step began
	double twist, startTwist;   // with its whole turns, rad; so far as it counts them
	double force[3], torque[3]; // on b, of the last substep
} plJoint;

struct plRigids;

void plJoint_Free(plJoint* joint, plHeap* heap);
plJoint* plWorld_GetJoint(const plWorld* world, plJointId id);                // asserts that it is live
plJointPose plWorld_GetJointPose(const plWorld* world, const plJoint* joint); // now
// May two bodies not touch each other, because a joint joins them?
bool plRigids_AreJoined(const struct plRigids* rigids, uint32_t a, uint32_t b);
void plWorld_DestroyJoints(plWorld* world, uint32_t body); // all that a body has

// In a substep, once contacts are made: records of joints. False: no memory
bool plWorld_MakeJoints(plWorld* world);
void plWorld_FinishJoints(plWorld* world); // before bodies are put where they go
void plWorld_BreakJoints(plWorld* world);  // after the last substep
void plWorld_KeepJoints(plWorld* world);   // at the start of a step
void plWorld_RestoreJoints(plWorld* world);
void plWorld_ReportJoints(const plWorld* world, plStepReport* report);

// joint_numbers.c: in saved states, in doubles
size_t plWorld_CountJointNumbers(const plWorld* world);
void plWorld_SaveJoints(const plWorld* world, char* out);
plResult plWorld_CheckJoints(const plWorld* world, const char* in, plError* error);
void plWorld_LoadJoints(plWorld* world, const char* in);

#endif
