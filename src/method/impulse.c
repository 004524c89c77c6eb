// impulse.c: sequential impulses: contacts and joints one after the other, by velocities
//
//   for every part of a step:   speeds by gravity; impulses of before; passes over all links with soft bias;
//                               places; one pass without bias                                   constraint/links.c
//
// A rival of avbd on the same contacts and joints, as the best engines have it: parts of a step instead of iterations,
// warm start, a soft step [Cat24]. An iteration is a part. There are always as many as asked for: judge a run by its
// penetration, as with avbd.
//
// Departures from [Cat24]: slop, push and the least speed of a bounce are relative, so that nothing depends on the unit
// of length; friction is one circular cone, two axes at once; rows of a joint that hold are solved at once, up to six;
// there is no softer contact for light bodies; a joint that is torn has no warm start (constraint/joint_push_lanes.c).
//
// Contacts and joints are worked on eight at a time (constraint/link_groups.h).
//
// Parameters: iterations (4), precision (float), passes, warm, relax, hertz, damping, joint_hertz, joint_damping, slop,
// push.
//
// [Cat24] Catto, Solver2D, 2024: "soft step".
#include "link_family.h"
#include "methods.h"

static void preset(plSolverDef* def)
{
	def->iterations = 4;
	def->precision = pl_precisionFloat;
}

const plMethodType plImpulseType = {.name = "impulse",
                                    .preset = preset,
                                    .needs = plLinkFamily_Needs,
                                    .takesBodies = true,
                                    .isRigid = true,
                                    .create = plLinkFamily_Create,
                                    .refresh = plLinkFamily_Refresh,
                                    .iterate = plLinkFamily_Iterate,
                                    .destroy = plLinkFamily_Destroy};
