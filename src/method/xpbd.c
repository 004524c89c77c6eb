// xpbd.c: extended position based dynamics: contacts and joints one after the other, by places
//
//   for every part of a step:   places by speeds and gravity; passes over all links, each puts right where its bodies
//                               are; speeds from places; joints, friction and bounces by speeds  constraint/links.c
//
// A rival of avbd on the same contacts and joints [MMCJK20]. An iteration is a part of the step, a substep of that
// paper; many parts of one pass is what it recommends [MSLMCJK19], few parts of many passes is [MMC16]. There are
// always as many as asked for: judge a run by its penetration, as with avbd.
//
// Departures from [MMCJK20]: contacts are found once per step, not in every part; friction holds up to its bound and
// not all or nothing; up to three rows of a joint that hold are solved at once, and its damping is there always; an
// overlap that was there before goes no faster than `push`; what a contact takes back of speeds is bounded by what it
// has pushed; a visit of a contact does `share` of what it finds. Reasons: constraint/link_place_lanes.c,
// joint_place_lanes.c.
//
// Contacts and joints are worked on eight at a time (constraint/link_groups.h).
//
// Parameters: iterations (10), precision (float), passes, push, share.
//
// [MMC16] Macklin, Mueller and Chentanez, XPBD, 2016.
// [MSLMCJK19] Macklin et al., Small steps in physics simulation, 2019.
// [MMCJK20] Mueller et al., Detailed rigid body simulation with extended position based dynamics, 2020.
#include "link_family.h"
#include "methods.h"

static void preset(plSolverDef* def)
{
	def->iterations = 10;
	def->precision = pl_precisionFloat;
}

const plMethodType plXpbdType = {.name = "xpbd",
                                 .preset = preset,
                                 .needs = plLinkFamily_Needs,
                                 .takesBodies = true,
                                 .isRigid = true,
                                 .create = plLinkFamily_Create,
                                 .refresh = plLinkFamily_Refresh,
                                 .iterate = plLinkFamily_Iterate,
                                 .destroy = plLinkFamily_Destroy};
