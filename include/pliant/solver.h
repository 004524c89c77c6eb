// solver.h: methods and their settings. types.h includes this.
#ifndef PLIANT_SOLVER_H
#define PLIANT_SOLVER_H

#include "base.h"
#include "material.h"

typedef enum plMethod
{
	pl_methodNewton,
	pl_methodGradient,
	pl_methodNewtonCg,
	pl_methodDescent, // this one, jacobi, ncg, lbfgs and gradient are presets of the choices further down
	pl_methodJacobi,
	pl_methodNcg,
	pl_methodLbfgs,
	pl_methodQuasiNewton,
	pl_methodProjective, // quasi-newton with alpha = 1 and no pairs, for the energies that it is exact for
	pl_methodVbd,        // vertex block descent: one vertex after the other, colour by colour
	pl_methodAuto,       // quasi-newton or newton, whichever is expected to be done sooner: the default
	pl_methodAvbd,       // augmented vertex block descent: rigid bodies
	pl_methodMultigrid,  // Newton's method by conjugate gradients and cycles over coarser and coarser meshes
	pl_methodImpulse,    // sequential impulses: rigid bodies only
	pl_methodXpbd,       // extended position based dynamics: rigid bodies only
	pl_methodCount,
	pl_softMethodCount = pl_methodImpulse // those from here on take rigid bodies only
} plMethod;

// A descent method is four independent choices: where to go, how far, how to speed up, where to start.

typedef enum plDirection
{
	pl_directionGradient,    // -g
	pl_directionJacobi,      // -diag(H)^-1 g
	pl_directionJacobiBlock, // the same with 3x3 blocks
	pl_directionNcg,         // nonlinear conjugate gradients, Fletcher-Reeves
	pl_directionLbfgs,       // limited-memory BFGS
	pl_directionNewton,      // -H^-1 g
	pl_directionGaussSeidel, // -(D+U)^-1 D (D+L)^-1 g: one symmetric sweep by colours
	pl_directionCount
} plDirection;

typedef enum plPreconditioner // of ncg and lbfgs, and of newton-cg
{
	pl_preconditionerNone,
	pl_preconditionerJacobi,
	pl_preconditionerJacobiBlock,
	pl_preconditionerMultigrid, // newton-cg only
	pl_preconditionerCount
} plPreconditioner;

typedef enum plStepLength
{
	pl_stepFixed,    // always the same
	pl_stepMonotone, // the objective must not have risen after 8 iterations
	pl_stepArmijo,   // backtracking in every iteration
	pl_stepCount
} plStepLength;

typedef enum plAcceleration
{
	pl_accelerationNone,
	pl_accelerationChebyshev,
	pl_accelerationNesterov,
	pl_accelerationCount
} plAcceleration;

typedef enum plGuess
{
	pl_guessLower,        // the lower of inertial and position
	pl_guessPosition,     // q
	pl_guessVelocity,     // q + h v
	pl_guessAcceleration, // q + h v + eta h (v - v of the step before)
	pl_guessOptimal,      // q + d v, d from a quadratic model
	pl_guessInertial,     // y = q + h v + h^2 a
	pl_guessFollow,       // the lower of acceleration and position
	pl_guessAdaptive,     // q + h v + h^2 a, of a as much as the last step's acceleration had
	pl_guessCount
} plGuess;

// Where Chebyshev's rho comes from.
typedef enum plRho
{
	pl_rhoBudget,   // from the number of iterations: safe without tuning
	pl_rhoEstimate, // measured on the fly and kept from step to step
	pl_rhoPhases,   // from the caller, phase by phase
	pl_rhoCount
} plRho;

#define PL_PHASE_COUNT 16

// A number of iterations with one rho. Chebyshev starts afresh with each phase.
typedef struct plPhase
{
	int iterations;
	double rho; // 0 <= rho < 1
} plPhase;

typedef enum plPrecision
{
	pl_precisionDouble,
	pl_precisionFloat, // of element arithmetic; the state is always double
} plPrecision;

// How newton factorises. All give the same bits for any number of threads.
typedef enum plFactorisation
{
	pl_factorAuto,       // our own supernodal one: the fastest measured; same bits on one instruction set
	pl_factorSimplicial, // CHOLMOD's, row by row: same bits on every machine; our own without CHOLMOD
	pl_factorSupernodal, // CHOLMOD's, through BLAS: same bits on one type of processor; our own without CHOLMOD
} plFactorisation;

// What a quasi-Newton method starts from
typedef enum plMatrixKind
{
	pl_matrixLaplacian, // M/h^2 + L, one row per vertex: factorised once
	pl_matrixDiagonal,  // its diagonal
	pl_matrixIdentity,  // scaled by the latest pair
	pl_matrixRest,      // the Hessian at rest: factorised once, three rows per vertex
	pl_matrixWarped,    // the same, turned with the body around every vertex
	pl_matrixHessian,   // the Hessian where the step begins: factorised every step
	pl_matrixCount
} plMatrixKind;

// How M/h^2 + L is solved
typedef enum plLinearSolver
{
	pl_linearDirect,    // factorised once
	pl_linearCg,        // conjugate gradients, preconditioned by the diagonal: no factorisation at all
	pl_linearMultigrid, // a cycle over coarser and coarser meshes: always the same linear map
	pl_linearCount
} plLinearSolver;

// The order in which L-BFGS visits its pairs: the one it visits first is reproduced exactly
typedef enum plPairOrder
{
	pl_pairsNewest,
	pl_pairsOldest,
	pl_pairOrderCount
} plPairOrder;

// The second derivatives of the objective
typedef enum plHessianKind
{
	pl_hessianExact,
	pl_hessianProjected, // every element's part made positive semidefinite
	pl_hessianCount
} plHessianKind;

enum
{
	pl_realTime = 10, // a budget, in iterations
};

// Where avbd takes the stiffness of contacts between rigid bodies from.
typedef enum plStiffnessRule
{
	pl_stiffnessLoad,  // masses, and the load that a contact bears
	pl_stiffnessRamp,  // as printed: kept from step to step, growing with the error in every iteration
	pl_stiffnessFixed, // one number, and no multipliers: vertex block descent on rigid bodies
	pl_stiffnessCount
} plStiffnessRule;

// Settings of avbd; docs/methods/avbd.md has the formulas. Those of time are per 1/60 s, whatever the time step is.
typedef struct plBlockDef
{
	plStiffnessRule stiffness;
	double forgive;   // alpha: share of an error at the start of a step that is left alone
	double fade;      // gamma: what multipliers fade by from step to step; 0: from the number of iterations
	double floor;     // kappa: least stiffness over m/h^2
	double floorNew;  // the same where bodies have just met
	double gain;      // q: stiffness over what a load needs to be met within the fall of one step
	double slack;     // of the size of a body: the least fall that counts
	double moment;    // stiffness against tilting over that of the gain; used from eight sweeps per 1/60 s on; 0: none
	double ramp;      // beta: N/m^2, with the rule ramp
	double rampStart; // N/m, the same
	double penalty;   // N/m, with the rule fixed
	int clamped;      // 1: rows that do not push leave the block; 0: as printed
	int shuffle;      // 1: colours in another order in every step
	int stabilise;    // 1: overlap is made good after the velocities are known, by a second round of sweeps
	int direct;       // 1: bodies that joints join move at once, if no joint closes a loop; 0: by sweeps as all others
	double jointFloor, jointGain; // kappa and p of joints
} plBlockDef;

// Settings of impulse and xpbd; docs/methods/impulse.md and xpbd.md have the formulas. `iterations` is the number of
// parts of a step. xpbd takes passes, push and share.
typedef struct plLinkDef
{
	int passes;     // over all contacts and joints in a part
	int warm;       // 1: impulses go on from part to part and from step to step
	int relax;      // 1: one more pass takes back the speed that made errors good
	double hertz;   // of contacts: how fast an overlap goes, 1/s; at most a quarter of the parts per second
	double damping; // over critical
	double jointHertz, jointDamping; // of joints
	double slop;                     // overlap that is left alone, of a body's size
	double push;                     // how fast an overlap goes at most, sizes per second
	double share;                    // of what puts right where bodies are: so much a visit of a contact does
} plLinkDef;

// What an iteration of multigrid is
typedef enum plCycle
{
	pl_cycleCg,  // a step of Newton's by conjugate gradients with V-cycles
	pl_cycleFmg, // corrections from the coarsest level to the finest, each with a step length of its own
	pl_cycleFas, // nonlinear smoothing from the finest level to the coarsest and back
	pl_cycleCount
} plCycle;

// When pl_cycleFmg takes the residual of the objective anew
typedef enum plResidualRule
{
	pl_residualEvery, // after the correction of every level
	pl_residualLast,  // after the two finest ones; before them the matrix stands for the objective
	pl_residualOnce,  // after all of them
	pl_residualCount
} plResidualRule;

// When pl_cycleFmg takes the matrix anew
typedef enum plRenewal
{
	pl_renewStep,  // in the first cycle of a step
	pl_renewCycle, // in every cycle
	pl_renewLevel, // whenever it takes the residual anew
	pl_renewCount
} plRenewal;

// How Gauss-Seidel goes over a level
typedef enum plSweeps
{
	pl_sweepsOneWay,    // forward before a coarse correction, backward after it
	pl_sweepsSymmetric, // there and back, before it and after it
	pl_sweepsCount
} plSweeps;

// Settings of cycles: multigrid, newton-cg with pl_preconditionerMultigrid, quasi-newton with pl_linearMultigrid
typedef struct plCycleDef
{
	plCycle kind;            // multigrid
	plResidualRule residual; // pl_cycleFmg
	plRenewal renew;         // pl_cycleFmg
	plSweeps sweeps;
	int smoothing;       // sweeps before a coarse correction, and after it
	double smoothingRho; // Chebyshev over these sweeps, for errors that one shrinks by this; 0: plain
	double adaptive; // pl_cycleFmg, pl_cycleFas: residuals below this times their root mean square are not smoothed; 0:
	                 // all
	int constantIterations; // pl_cycleCg, at most: iterations of quasi-newton at the start of a step, while they pay
	int localSweeps; // pl_cycleCg, at most: after an iteration, over the few vertices that hold most of the residual
	double ratio;    // fewer vertices from level to level; 0: 8 for solids, 4 for sheets, 2 for ropes
	int project;     // pl_cycleFmg: not 0: corrections end outside of colliders where that lowers the objective
} plCycleDef;

// Ranges, words, defaults and help of the settings, as data: options.h
typedef struct plSolverDef
{
	plMethod method;
	int iterations;   // per (sub)step at most
	double tolerance; // a step ends when its relative residual is this small; 0: it does all, unless it stalls, but
	                  // auto, or with a budget, it ends at accept
	double accept;    // a step has converged if its relative residual is at most this, or tolerance if that is larger
	// A budget is for real time: a step ends when it is spent, converged or not. With budgetMs results depend on the
	// clock: not the same bits any more.
	int budget;            // iterations per (sub)step: pl_realTime or another number; 0: none
	double budgetMs;       // ms per step; 0: none
	double budgetResidual; // relative residual that a user of a budget puts up with
	plPrecision precision;
	plFactorisation factorisation; // newton
	int cgIterations;              // newton-cg, multigrid, pl_linearCg: products per iteration at most
	plHessianKind hessian;         // newton, newton-cg; exact: projected only where the exact one fails
	plGuess guess;
	double eta;            // of pl_guessAcceleration
	plMatrixKind matrix;   // quasi-newton, projective
	plLinearSolver linear; // of pl_matrixLaplacian
	double fit[2];         // quasi-newton: L takes a law's mean stiffness between these stretches, with 1 among them

	// descent, jacobi, ncg, lbfgs, gradient
	plDirection direction;
	plPreconditioner preconditioner;
	int history;           // lbfgs, quasi-newton: pairs kept
	plPairOrder pairOrder; // quasi-newton: which of them is visited first
	int refresh;           // the diagonal, or gauss-seidel's matrix, is evaluated every so many iterations
	plStepLength stepLength;
	double alpha; // first step length, with pl_stepFixed the only one; 0: found by power iteration
	plAcceleration acceleration;
	plRho rho;
	plPhase phases[PL_PHASE_COUNT]; // pl_rhoPhases: together as long as `iterations`
	int phaseCount;

	plBlockDef block; // avbd
	plLinkDef link;   // impulse, xpbd
	plCycleDef cycle; // multigrid
	uint32_t cookie;
} plSolverDef;

// pl_errorInput with words, and the member at fault, if a number is out of its range or settings do not go together.
PL_API plResult plSolverDef_Check(const plSolverDef* def, plError* error);

// The method's preset.
PL_API plSolverDef plDefaultSolverDef(plMethod method);
PL_API const char* plMethod_GetName(plMethod method);

// Methods of a family share the fields of plSolverDef.
typedef enum plMethodFamily
{
	pl_familyNewton,      // newton, newton-cg
	pl_familyDescent,     // descent, jacobi, gradient, ncg, lbfgs
	pl_familyQuasiNewton, // quasi-newton, projective
	pl_familyBlock,       // vbd, avbd
	pl_familyLink,        // impulse, xpbd
	pl_familyAuto,        // auto
} plMethodFamily;

PL_API plMethodFamily plMethod_GetFamily(plMethod method);
// Does it move rigid bodies as well, with multipliers that go on from step to step? Its steps are not judged by their
// residual, but by how deep bodies overlap.
PL_API bool plMethod_TakesBodies(plMethod method);
// Does it keep soft bodies and cloth from crossing each other and themselves? Others are refused where that is asked
// for (plContactDef.bodies, self).
PL_API bool plMethod_TakesPairs(plMethod method);
PL_API bool plFindMethod(const char* name, plMethod* method);

// pl_errorInput with words if the method does not take bodies of this law, or with this damping: projective takes only
// energies that it can project on.
PL_API plResult plMethod_CheckLaw(plMethod method, plLaw law, plError* error);
PL_API plResult plMethod_CheckViscosity(plMethod method, double viscous, plError* error);

#endif
