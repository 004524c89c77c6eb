// joint.h: joints: how two rigid bodies, or one and the world, may move against each other
//
//   plJointDef def = plMakeHingeJoint(world, door, frame, at, (plVec3){0, 0, 1});
//   def.axes[pl_jointTwist].mode = pl_axisLimited;
//   def.axes[pl_jointTwist].low = 0.0, def.axes[pl_jointTwist].high = 1.5;
//   plJointId hinge = plCreateJoint(world, &def, &error);
//
// A joint has a frame on either body: an anchor, and axes. It measures nine numbers of how the frame of b stands
// against that of a, its axes; each of them may be free, locked, limited, sprung and driven. Ball, hinge, slider and
// the others are presets of that. Formulas: docs/joints.md. pliant.h includes this.
#ifndef PLIANT_JOINT_H
#define PLIANT_JOINT_H

#include "pliant.h"

// What a joint measures. x, y, z are the axes of a's frame.
typedef enum plJointAxis
{
	pl_jointX, // from a's anchor to b's, along x, m
	pl_jointY,
	pl_jointZ,
	pl_jointTwist,  // by how much b's frame is turned about x, rad; whole turns count
	pl_jointSwingY, // the turn that takes a's x axis to b's the short way: its part about y, rad
	pl_jointSwingZ, // and about z
	pl_jointLength, // distance of the anchors, m
	pl_jointCone,   // angle between the two x axes, rad
	pl_jointCross,  // by how much a's y axis and b's z axis are not at right angles, rad
	pl_jointAxisCount
} plJointAxis;

PL_API const char* plJointAxis_GetName(plJointAxis axis); // "x", "swing_y", ... as in scenes; NULL: there is none

typedef enum plAxisMode
{
	pl_axisFree,
	pl_axisLocked,  // at `target`
	pl_axisLimited, // from `low` to `high`
	pl_axisModeCount
} plAxisMode;

// Lengths in m and N, angles in rad and N m.
typedef struct plAxisDef
{
	plAxisMode mode;
	double low, high;
	double target;    // also of the spring
	double stiffness; // of a spring, N/m; 0: none
	double damping;   // N s/m
	bool motor;       // runs at `speed`, as far as `most` lets it
	double speed;     // m/s
	double most;      // the largest force of the spring with its damper, and of the motor, N
} plAxisDef;

// `a` is rigid; so is `b`, or null: the world. One of them is dynamic.
typedef struct plJointDef
{
	plBodyId a, b;
	plTransform frameA, frameB; // in the frames of the bodies; scale is 1
	plAxisDef axes[pl_jointAxisCount];
	double breakForce;  // N: a joint that bears more at the end of a step is broken from then on; INFINITY: never
	double breakTorque; // N m
	bool collide;       // its bodies may touch each other
	const char* name;   // see plReaction; copied, NULL: it has none
	uint32_t cookie;
} plJointDef;

PL_API plJointDef plDefaultJointDef(void); // all axes are free, frames are those of the bodies, nothing breaks
PL_API plResult plJointDef_Check(const plJointDef* def, plError* error);

// Presets, for bodies where they are now. Places and axes are those of the world; axes have any length but 0. The first
// frame's x axis is `axis`.
PL_API plJointDef plMakeBallJoint(const plWorld* world, plBodyId a, plBodyId b, plVec3 at);
PL_API plJointDef plMakeFixedJoint(const plWorld* world, plBodyId a, plBodyId b, plVec3 at);
PL_API plJointDef plMakeHingeJoint(const plWorld* world, plBodyId a, plBodyId b, plVec3 at, plVec3 axis);
PL_API plJointDef plMakeSliderJoint(const plWorld* world, plBodyId a, plBodyId b, plVec3 at, plVec3 axis);
// A cross between two shafts: it turns about `axisA` on a and `axisB` on b, which stay at right angles. They are made
// so if they are not, by turning the second.
PL_API plJointDef plMakeUniversalJoint(const plWorld* world, plBodyId a, plBodyId b, plVec3 at, plVec3 axisA,
                                       plVec3 axisB);
// A ball joint whose axis stays within `cone` of where it is, and twists by no more than `twist` either way, rad.
PL_API plJointDef plMakeConeTwistJoint(const plWorld* world, plBodyId a, plBodyId b, plVec3 at, plVec3 axis,
                                       double cone, double twist);
// A wheel b under a: it spins about `axis`, and rides along `up` on a spring that is at rest now.
PL_API plJointDef plMakeWheelJoint(const plWorld* world, plBodyId a, plBodyId b, plVec3 at, plVec3 axis, plVec3 up,
                                   double stiffness, double damping);
// Between two points, that keep their distance of now, or get no farther apart than that, or are drawn to it.
PL_API plJointDef plMakeDistanceJoint(const plWorld* world, plBodyId a, plBodyId b, plVec3 atA, plVec3 atB);
PL_API plJointDef plMakeRopeJoint(const plWorld* world, plBodyId a, plBodyId b, plVec3 atA, plVec3 atB);
PL_API plJointDef plMakeSpringJoint(const plWorld* world, plBodyId a, plBodyId b, plVec3 atA, plVec3 atB,
                                    double stiffness, double damping);

// A saved state holds the multipliers of joints, their whole turns, and which are broken.
PL_API plJointId plCreateJoint(plWorld* world, const plJointDef* def, plError* error);
PL_API void plDestroyJoint(plWorld* world, plJointId joint); // plDestroyBody of either body does it, too
PL_API bool plJoint_IsValid(const plWorld* world, plJointId joint);

// Between two steps; what sleeps wakes. pl_errorInput, and nothing has changed, where a def would be refused.
PL_API plResult plJoint_SetAxis(plWorld* world, plJointId joint, plJointAxis axis, const plAxisDef* def,
                                plError* error);
PL_API plAxisDef plJoint_GetAxis(const plWorld* world, plJointId joint, plJointAxis axis);

PL_API bool plJoint_IsBroken(const plWorld* world, plJointId joint);
PL_API void plJoint_Break(plWorld* world, plJointId joint);
PL_API double plJoint_GetValue(const plWorld* world, plJointId joint, plJointAxis axis); // now
PL_API double plJoint_GetSpeed(const plWorld* world, plJointId joint, plJointAxis axis); // now, m/s or rad/s
// Of an axis: of all that holds and drives it in the last substep, along it; above 0 draws b back towards lower values.
PL_API double plJoint_GetAxisForce(const plWorld* world, plJointId joint, plJointAxis axis);
// On b in the last substep, N; a is pulled by the opposite. The torque is about b's anchor, N m.
PL_API plVec3 plJoint_GetForce(const plWorld* world, plJointId joint);
PL_API plVec3 plJoint_GetTorque(const plWorld* world, plJointId joint);
// How far it is off what is locked and limited, now: m, and rad.
PL_API double plJoint_GetError(const plWorld* world, plJointId joint);
PL_API double plJoint_GetAngleError(const plWorld* world, plJointId joint);
PL_API const char* plJoint_GetName(const plWorld* world, plJointId joint);
PL_API plJointId plWorld_FindJoint(const plWorld* world, const char* name);

#endif
