// report.h: what a step says of itself. types.h includes this.
#ifndef PLIANT_REPORT_H
#define PLIANT_REPORT_H

#include "base.h"
#include "solver.h"

// Wall time of the phases of a step, in milliseconds.
typedef struct plProfile
{
	double predict;
	double collide; // with searches for pairs of surfaces, also those that the guess and the minimisation make
	double guess;
	double colour;
	double refresh;
	double minimise;
	double finish;
	double total;
} plProfile;

// Why a step was made by the method that it was made by
typedef enum plChoice
{
	pl_choiceGiven,   // the solver names it
	pl_choiceNone,    // auto: no iteration was needed
	pl_choiceCheaper, // auto: it was expected to need less work for the step
	pl_choiceSlow,    // auto: the other had done as much work in vain as this one was expected to need
	pl_choiceStalled, // auto: the other could not lower the objective any further
	pl_choiceCount
} plChoice;

PL_API const char* plChoice_GetName(plChoice choice); // "given", "none", "cheaper", "slow", "stalled"

// Where energy came from and went to in a step, J. Every number is computed from forces, velocities and energies, none
// as what the others leave: stored + lost - work is 0 but for rounding. Formulas: docs/step.md
typedef struct plBalance
{
	struct
	{
		double kinetic;
		double gravity; // -sum m a.x
		double elastic; // of tets and cloth
		double springs;
		double seams;
		double energies; // of the caller's own that are stored
		double softPins;
		double contact; // of the push
		double grips;   // springs of friction
	} stored;           // what the step added to it
	struct
	{
		double air;
		double viscous;
		double friction;  // by slip; never below 0
		double seams;     // with stitches that broke
		double numerical; // by the integrator; in BDF2 it may come back in a later step
	} lost;
	struct
	{
		double pins;     // that hold: reactions times ways
		double softPins; // of what moves or releases them
		double loads;
		double colliders; // that move, or whose surface runs
		double grabs;
		double seams;      // of what draws them in
		double energies;   // of the caller's own that are not stored
		double projection; // of the contact model of that name: its forces times ways
		double conversion; // of elements, and what draws out their tangles
		double residual;   // of forces that no one exerts: the equations of motion were solved so far only
	} work;                // done on bodies from outside
} plBalance;

PL_API void plBalance_Add(plBalance* sum, const plBalance* balance);
PL_API double plBalance_GetError(const plBalance* balance);   // stored + lost - work
PL_API double plBalance_GetLargest(const plBalance* balance); // the largest of its numbers, without signs

// What a step did. With substeps counts and times are sums, residuals are the worst, and flags hold for all.
typedef struct plStepReport
{
	uint64_t step;           // steps taken so far
	double time;             // s
	double objective;        // eps at the end, gravity in y (J)
	double kinetic;          // of soft and rigid bodies, J
	double elastic;          // of tets, cloth, springs and seams, J
	double potential;        // -sum m a.x (J)
	double residual;         // N, over free degrees of freedom
	double relativeResidual; // residual / forceScale
	double forceScale;       // N
	plMethod method;         // that made the last iteration; pl_methodAuto: none was needed
	plChoice choice;         // why that one
	int iterations;
	int lineSearches;   // trial values evaluated
	int factorisations; // of a matrix; 0 if an earlier one served
	int epochs;         // how many objectives there were: 1 unless elements convert or vertices rub
	bool converged;     // friction is judged by the normal forces at the end of the step; where projection moved
	                    // vertices, the place that it moved them to is judged
	bool stalled;       // the method could not lower the objective any further in its arithmetic
	size_t pairs;       // of shapes of rigid bodies whose boxes are near
	size_t manifolds;   // of them that touch, or are about to
	size_t contacts;    // vertices of surfaces nearer to a collider than the thickness, and points of rigid bodies that
	                    // push or overlap
	double penetration; // depth of the deepest one, m
	double sunken;      // the largest depth over its body's extent (longest edge of its box at rest; between rigid
	                    // bodies, the smallest width of the smaller one that moves); above 0.01 warns
	size_t
	    selfContacts;  // pairs of surfaces of soft bodies and cloth that push: of a vertex and a triangle, of two edges
	double gap;        // the least distance of those, m; 0: there are none
	size_t searches;   // for pairs that are near
	double pinLag;     // how far pins and obstacles stayed behind because surfaces were in their way, at most, m
	size_t colours;    // of rigid bodies: those of one colour do not touch
	size_t asleep;     // rigid bodies that sleep (plWorldDef.sleep)
	double jointError; // m
	double jointAngleError; // rad
	size_t brokenJoints;    // so far
	double stretch;         // largest ratio of edge length to rest length in cloth and springs
	size_t inverted;        // elements with det F <= 0
	size_t brokenStitches;  // of seams, that broke at the end of the step
	uint64_t hash;          // of the double state of all bodies, soft ones first, in the caller's order
	bool hasCrossings; // a step leaves it false: who asks for crossings after it may fill in the next (pliant-io does)
	size_t crossings;  // pairs of triangles that cross: plWorld_CountCrossings
	bool hasBalance;   // plWorldDef.balance
	plBalance balance;
	plProfile ms;
	size_t allocations; // made during the step
} plStepReport;

#endif
