// types.h: definitions that create things, and the report of a step
#ifndef PLIANT_TYPES_H
#define PLIANT_TYPES_H

#include "base.h"
#include "id.h"
#include "math.h"
#include "mesh.h"

// ---- materials ------------------------------------------------------------------------------------------------

typedef enum plLaw
{
	pl_lawStvk,             // St. Venant-Kirchhoff
	pl_lawNeoHookean,       // mu/2 (I-3) - mu ln J + lambda/2 ln^2 J
	pl_lawMooneyRivlin,     // s0 (J^-2/3 I - 3) + s2 (J^-4/3 II - 3) + s1 (J-1)^2
	pl_lawCorotated,        // mu |F-R|^2 + lambda/2 tr^2(R'F - I)
	pl_lawNeoHookeanIso,    // s0 (J^-2/3 I - 3) + s1 (J-1)^2
	pl_lawFung,             // s0 (J^-2/3 I - 3) + s2 (exp(s3 (J^-2/3 I - 3)) - 1) + s1 (J-1)^2
	pl_lawArap,             // mu |F-R|^2
	pl_lawStableNeoHookean, // mu/2 (I-3) - mu (J-1) + (lambda+mu)/2 (J-1)^2
	pl_lawPolynomial,       // mu sum (s-1)^4
	pl_lawSpline,           // sum a(s_i) + sum b(s_i s_j) + c(s_0 s_1 s_2), cubic splines
	pl_lawCallback,         // a function of the caller's
	pl_lawStrainLimit,      // mu |F-R|^2 + stiffness/2 sum (s - clamp(s, low, high))^2
	pl_lawCount
} plLaw;

// What a law does when an element is squeezed flat or turned inside out.
typedef enum plInversion
{
	pl_inversionExtend,  // the printed law while every stretch is at least 0.1, a C2 extension below
	pl_inversionConvert, // the same, blended with mu sum (s-1)^2 in elements with a stretch below 0.05 (StVK: 0.5)
} plInversion;

#define PL_COEFFICIENT_COUNT 4

// A cubic spline through (x[i], y[i]), x ascending. Beyond its ends it goes on as a parabola. count 0: zero everywhere.
// Two points make a line, three a parabola. More make a spline with a continuous third derivative at the second knot
// from either end.
typedef struct plCurve
{
	const double* x;
	const double* y; // J/m^3
	size_t count;
} plCurve;

// Curves for a and c that come with the library, scaled by mu and lambda.
typedef enum plSplinePreset
{
	pl_splineOwn, // the caller's curves
	pl_splineA,   // resists compression more
	pl_splineB,   // resists tension more
} plSplinePreset;

// The caller's own elastic law: energy density psi (J/m^3), first derivatives psi_0 psi_1 psi_2 and second derivatives
// psi_00 psi_11 psi_22 psi_01 psi_02 psi_12 in the signed stretches s[0] >= s[1] >= |s[2]|. It must be symmetric in the
// stretches and free of stress at rest. It must be finite and twice continuously differentiable, for s[2] <= 0 too.
// Several threads call it at once. It must give the same bits for the same stretches.
typedef void plStretchLawFcn(const double s[3], double* psi, double d[3], double dd[6], void* context);

// The same for `count` elements at once, which costs less than a third. Numbers of one kind stand together: s_0 of all
// elements, then s_1, then s_2; psi; d as s; dd six times `count` numbers. What is NULL is not asked for: psi and dd.
// What it says of an element must not depend on the others, nor on what is asked for.
typedef void plStretchLawBatchFcn(const double* s, size_t count, double* psi, double* d, double* dd, void* context);

#define PL_FIBRE_COUNT 3

// A family of fibres: stiffness/2 (|F d| - 1)^2, d the direction in the rest shape.
typedef struct plFibre
{
	plVec3 direction; // of any length but 0
	double stiffness; // Pa; 0: no fibres
} plFibre;

typedef struct plMaterialDef
{
	plLaw law;
	plInversion inversion;
	bool fromModuli; // true: young and poisson, where the law has them; false: coefficients
	double young;    // Pa
	double poisson;
	double coefficients[PL_COEFFICIENT_COUNT]; // in the order of plLaw_GetCoefficientName

	plSplinePreset preset; // spline
	plCurve a, b, c;       // spline without a preset; used only while the body is created

	plStretchLawFcn* callback; // callback: this one,
	plStretchLawBatchFcn*
	    batchCallback; // or this one; the law callback has no young and poisson: set fromModuli to false
	void* callbackContext;

	// Added to any law. Three families along three axes make it orthotropic.
	plFibre fibres[PL_FIBRE_COUNT];
	uint32_t cookie;
} plMaterialDef;

PL_API plMaterialDef plDefaultMaterialDef(void); // neo-Hookean, 1e5 Pa, 0.45
// pl_errorInput if no body can be made of it. error->message has the reason, error->field the member at fault: "young",
// "coefficients[1]", "fibres[0].direction". A callback is called to check it.
PL_API plResult plMaterialDef_Check(const plMaterialDef* def, plError* error);

// "neo-hookean" and so on; NULL for a law that does not exist.
PL_API const char* plLaw_GetName(plLaw law);
PL_API bool plLaw_IsProjection(plLaw law); // does the method projective take it?
// False if no law has this name.
PL_API bool plFindLaw(const char* name, plLaw* law);
// "mu", "lambda", "s0", ...; NULL past the last one.
PL_API const char* plLaw_GetCoefficientName(plLaw law, int index);
// Its value if none is given (NAN); 0: one has to be given.
PL_API double plLaw_GetCoefficientDefault(plLaw law, int index);
// Does it take young and poisson? `spline` does so only with a preset.
PL_API bool plLaw_HasModuli(plLaw law);

// ---- methods --------------------------------------------------------------------------------------------------

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
// parts of a step. xpbd takes passes and push.
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

// ---- world and what lives in it ---------------------------------------------------------------------------------

typedef enum plIntegrator
{
	pl_integratorImplicitEuler, // first order in the time step, loses energy
	pl_integratorBdf2, // second order, loses much less; the first step, and one after a jump, is implicit Euler
	pl_integratorCount
} plIntegrator;

PL_API const char* plIntegrator_GetName(plIntegrator integrator); // as in scenes; NULL: there is none

// How bodies are kept out of colliders.
typedef enum plContactModel
{
	// a push that grows with depth, and friction, as terms of the objective; when a step has converged, friction goes
	// by the normal forces at its end
	pl_contactEnergy,
	pl_contactProjection, // the minimisation ignores colliders; then vertices inside are moved out
} plContactModel;

// Do surfaces of different soft bodies and cloths touch?
typedef enum plMutualContact
{
	pl_bodiesNone,
	pl_bodiesAll,  // refused with a method that cannot keep them apart
	pl_bodiesAuto, // if the method can, and contact is by energy
} plMutualContact;

// Whose surfaces touch themselves.
typedef enum plSelfContact
{
	pl_selfNone,
	pl_selfCloth, // cloth, all of it
	pl_selfAll,   // cloth and soft bodies
	pl_selfAuto,  // cloth, if the method can keep it apart, and contact is by energy
} plSelfContact;

// What becomes of surfaces that cross when a world takes its first step, or after bodies came or were placed anew.
typedef enum plIntersections
{
	pl_intersectionsRefuse, // the step fails, with the list; nothing has changed
	pl_intersectionsIgnore, // triangles that cross do not touch until they have parted
} plIntersections;

typedef struct plContactDef
{
	plContactModel model;
	double thickness; // m: vertices nearer than this touch
	double friction;  // Coulomb's coefficient, for colliders that have none of their own
	// N/m of a vertex, for the energy; 0: 12 times m/h^2 plus the stiffness of the elements at the vertex, of membranes
	// a tenth
	double stiffness;

	// Surfaces of soft bodies and cloth that touch each other: a push that grows without bound as their distance falls
	// to 0, and steps that cross no surface. Only with pl_contactEnergy, and methods of plMethod_TakesPairs
	plMutualContact bodies; // those of different bodies do; default auto
	plSelfContact self;     // those of one body do; default auto
	// m: surfaces nearer than this push; at most half the median edge of their triangles. 0: the thickness of cloth,
	// from 1/16 to 1/8 of the edge; of soft bodies 1/8; and at most half of what different bodies are apart where they
	// were made
	double pairThickness;
	double pairFriction; // Coulomb's coefficient between surfaces; below 0: `friction`
	plIntersections intersections;
} plContactDef;

typedef struct plWorldDef
{
	plVec3 gravity;  // m/s^2
	double timestep; // s
	int substeps;
	plIntegrator integrator;
	plSolverDef solver;
	plContactDef contact;
	bool sleep;            // rigid bodies that come to rest stop, and cost no time until something wakes them
	bool balance;          // reports say where energy comes from and goes to, for some evaluations in double a substep
	const char* backend;   // where it is computed, by plGetBackendName; NULL: the first one, "cpu"
	plPool* pool;          // shared, not owned; NULL: the calling thread alone
	plAllocator allocator; // allocate == NULL: malloc and free
	plLogFcn* log;         // NULL: silent
	void* logContext;
	uint32_t cookie;
} plWorldDef;

// Every def can be checked before there is a world: pl_success, or pl_errorInput with words and the member at fault in
// `field`. What creates a thing from a def checks it too. Bodies and vertices are looked up there only.
PL_API plResult plContactDef_Check(const plContactDef* def, plError* error);
PL_API plResult plWorldDef_Check(const plWorldDef* def, plError* error); // with its solver and contact

// Gravity -9.81 along y, 1/60 s, auto; contact by energy, 1 mm, friction 0.3; rigid bodies may sleep.
PL_API plWorldDef plDefaultWorldDef(void);

// Tets of a body with their own material or density.
typedef struct plRegionDef
{
	const uint32_t* tets; // indices into the mesh's tets
	size_t tetCount;
	const plMaterialDef* material; // NULL: the body's
	double density;                // kg/m^3; 0: the body's
} plRegionDef;

// Takes energy out of a body. The integrator does so, too. As data: options.h
typedef struct plDamping
{
	double air;     // 1/s: force -air m v on every vertex
	double viscous; // Pa s: a stress of viscous times the rate of Green strain; resists neither fall nor rotation
} plDamping;

typedef struct plSoftBodyDef
{
	const plMesh* mesh; // used only while the body is created
	plTransform transform;
	double density; // kg/m^3
	plMaterialDef material;
	const plRegionDef* regions; // later ones win
	size_t regionCount;
	plVec3 velocity; // m/s
	plDamping damping;
	uint32_t cookie;
} plSoftBodyDef;

PL_API plSoftBodyDef plDefaultSoftBodyDef(void);                               // 1000 kg/m^3
PL_API plResult plSoftBodyDef_Check(const plSoftBodyDef* def, plError* error); // without its materials

// What a rigid motion follows in time.
typedef enum plMotionKind
{
	pl_motionLine, // by `translate` and `rotateAngle` in total, between `from` and `until`; held before and after
	pl_motionKeys, // from key to key; held before the first and after the last
	pl_motionSine, // by `translate` and `rotateAngle` times sin(2 pi frequency (t - from) + phase)
	pl_motionCount
} plMotionKind;

typedef enum plEase
{
	pl_easeLinear, // at constant speed
	pl_easeSmooth, // starts and ends at speed 0, as does every stretch between two keys
	pl_easeCount
} plEase;

// Where a motion is at a time: moved and turned from where it began.
typedef struct plMotionKey
{
	double time;        // s
	plVec3 translate;   // m
	plVec3 rotateAxis;  // zero: no rotation
	double rotateAngle; // rad
} plMotionKey;

// A rigid motion of pins and colliders from where they are when they are created: x -> centre + R (x - centre) +
// translate. Between two keys with one axis the angle goes from one to the other, several turns if it says so; between
// keys with different axes the turn takes the shorter way. All zeros: at rest.
typedef struct plMotion
{
	plMotionKind kind;
	plEase ease;        // line, keys
	plVec3 translate;   // m; line: in total, sine: amplitude
	plVec3 rotateAxis;  // zero: no rotation
	double rotateAngle; // rad, as translate
	plVec3 centre; // a point of the axis, if hasCentre; else the mean of the pinned vertices, or the collider's middle
	bool hasCentre;
	double from;             // s; line, sine
	double until;            // s; line, sine: later than `from`, there is no default. A sine's may be INFINITY
	const plMotionKey* keys; // two at least, times ascending; copied
	size_t keyCount;
	double frequency; // Hz, of a sine
	double phase;     // rad, of a sine
} plMotion;

enum
{
	pl_axisX = 1,
	pl_axisY = 2,
	pl_axisZ = 4,
	pl_axisAll = 7,
	pl_turnX = 8, // turns about the axes, of rigid bodies
	pl_turnY = 16,
	pl_turnZ = 32,
	pl_turnAll = 56
};

// Vertices held, axis by axis, where they are when the pin is created, or moved from there along `motion`.
typedef struct plPinDef
{
	plBodyId body;
	const uint32_t* vertices; // in the mesh's order
	size_t vertexCount;
	unsigned axes; // of pl_axisX ...
	plMotion motion;
	double release;   // s; INFINITY: never
	double stiffness; // N/m of each vertex: a soft pin, which draws its vertices by springs; 0: it holds them
	const char* name; // see plReaction; copied, NULL: it has none
	uint32_t cookie;
} plPinDef;

PL_API plPinDef plDefaultPinDef(void); // at rest: a motion of its own says when it ends
PL_API plResult plPinDef_Check(const plPinDef* def, plError* error);

// A dead load. `force` in all is shared among the vertices in proportion to their mass. `traction` acts on the boundary
// triangles whose three vertices are all selected, by their area at rest; each vertex takes a third.
typedef struct plForceDef
{
	plBodyId body;
	const uint32_t* vertices;
	size_t vertexCount;
	plVec3 force;       // N
	plVec3 traction;    // Pa
	double from, until; // s
	const char* name;   // see plReaction; copied, NULL: it has none
	uint32_t cookie;
} plForceDef;

PL_API plForceDef plDefaultForceDef(void);
PL_API plResult plForceDef_Check(const plForceDef* def, plError* error);

// Springs k/2 (l - L)^2 between vertices of a body, of two bodies, or of a body and fixed points.
typedef struct plSpringsDef
{
	plBodyId a;
	plBodyId b;           // may be a; null: the springs end at `points`
	const double* points; // [3 pointCount] m
	size_t pointCount;
	const uint32_t* pairs; // [2 count] vertex of a, vertex of b or number of a point
	size_t count;
	double stiffness; // k of each, N/m
	double rest;      // L of each, m; below 0: the length when it is created
	const char* name; // see plReaction; copied, NULL: they have none
	uint32_t cookie;
} plSpringsDef;

PL_API plSpringsDef plDefaultSpringsDef(void); // rest length: the length when they are created
PL_API plResult plSpringsDef_Check(const plSpringsDef* def, plError* error);

// A hand, or a mouse, that draws vertices of a body to a point. Each vertex is drawn to where it was against the point
// when it was grabbed, by its share of the force. Spring and damper together never exceed maxForce.
typedef struct plGrabDef
{
	plBodyId body;
	plVec3 point;             // m: the vertices within `radius` of it are grabbed, the nearest one at least
	double radius;            // m
	const uint32_t* vertices; // in the place of the two above; their mean by mass is the point. NULL: the two above
	size_t vertexCount;
	double maxForce;  // N, in all; 0: ten times the weight of the body at 9.81 m/s^2
	double stiffness; // N/m, in all; 0: maxForce at a tenth of the diagonal of the body's box at rest
	double damping;   // 1: critical for a free body as a whole, against the speed of the point
	uint32_t cookie;
} plGrabDef;

PL_API plGrabDef plDefaultGrabDef(void); // the nearest vertex, critically damped
PL_API plResult plGrabDef_Check(const plGrabDef* def, plError* error);

// An energy of the caller's own. The function is asked about elements first .. first + count - 1 at once. Numbers of an
// element stand together, element by element:
//
//   x         [3 cornerCount] positions of its corners, m
//   value     [1] E, J
//   gradient  [3 cornerCount] dE/dx, N: minus the force
//   hessian   [3 cornerCount][3 cornerCount] second derivatives, N/m, both triangles
//
// What is NULL is not asked for: any of the three. E must be twice differentiable but for kinks of its force. Where E
// is not defined it may be infinite: such a state is never entered, if the one before it was not. What it says of an
// element must not depend on what is asked for, nor on the other elements. Several threads call it at once. It must
// give the same bits for the same positions, and may not call the library.
typedef void plEnergyFcn(size_t first, size_t count, const double* x, double* value, double* gradient, double* hessian,
                         void* context);

// Called on one thread before anything is asked about a substep of `timestep` seconds that ends at `time`: for energies
// that depend on time. All that follows is known from the two and from `context`.
typedef void plEnergyBeginFcn(double time, double timestep, void* context);

// Elements of one kind, each a function of the positions of its corners.
typedef struct plEnergyDef
{
	const char* name;         // for messages; copied
	plBodyId body;            // of all corners,
	const plBodyId* bodies;   // or [cornerCount elementCount] of each. NULL: `body`
	const uint32_t* vertices; // [cornerCount elementCount] in the order of their meshes; copied, as all arrays are
	size_t cornerCount;       // of an element, one at least
	size_t elementCount;
	plEnergyFcn* evaluate;
	plEnergyBeginFcn* begin; // NULL: nothing depends on time
	void* context;           // handed to both; outlives the energy
	// [elementCount] the largest eigenvalue of an element's Hessian that is to be expected, N/m. quasi-newton and its
	// kin are preconditioned by it. NULL, or 0 for an element: that of the Hessian at rest at time 0
	const double* stiffness;
	bool isStored; // its value counts as elastic energy in reports
	uint32_t cookie;
} plEnergyDef;

PL_API plEnergyDef plDefaultEnergyDef(void); // stored; without elements
// The members by themselves. plCreateEnergy compares vertices with the bodies, and derivatives with differences.
PL_API plResult plEnergyDef_Check(const plEnergyDef* def, plError* error);

typedef enum plShapeKind
{
	pl_shapePlane,
	pl_shapeSphere,
	pl_shapeCapsule,
	pl_shapeBox,
	pl_shapeMesh,     // a closed surface
	pl_shapeHull,     // the convex hull of points: rigid bodies only
	pl_shapeCylinder, // the same
} plShapeKind;

// Where the vertices of a mesh are at times: a surface that changes its form, as a walking body does. Between two times
// they go on straight lines at constant speed; before the first and after the last they stay. Everything is copied: so
// where a collider is depends on the time alone, which a saved state knows, and all frames are checked before the first
// step. A function that is called back could promise neither.
typedef struct plColliderFrames
{
	size_t count;            // 0: there are none
	size_t vertexCount;      // that of the mesh
	const double* times;     // [count] s, ascending
	const double* positions; // [3 vertexCount count] m, frame by frame in the order of the mesh's vertices
} plColliderFrames;

// Where the vertices are at a time: [3 vertexCount]. There is at least one frame.
PL_API void plColliderFrames_GetPositions(const plColliderFrames* frames, double time, double* positions);

// Something that bodies cannot enter, fixed or moving. Only the fields of its shape are used.
typedef struct plColliderDef
{
	plShapeKind shape;
	plVec3 normal;           // plane: towards the free side, of any length but 0
	double offset;           // plane: its points x have n.x = offset (m), n the normal scaled to length 1
	plVec3 centre;           // sphere, box
	double radius;           // sphere, capsule (m)
	plVec3 a, b;             // capsule: ends of its axis
	plVec3 size;             // box: lengths of its edges (m)
	plQuat rotation;         // box: about its centre
	const plMesh* mesh;      // used only while the collider is created; a mesh of tets gives its surface
	plTransform transform;   // mesh, and its frames
	plColliderFrames frames; // mesh: how it changes its form; used only while the collider is created
	double friction;         // Coulomb's coefficient; below 0: the world's
	double thickness;        // m; below 0: the world's, but 0 for a mesh when contact is by energy
	plMotion motion;         // from where the fields above put it
	plVec3 surfaceVelocity;  // m/s: the surface runs like a belt though the shape stays; turns with it. Only what lies
	                         // along the surface counts
	const char* name;        // see plReaction; copied, NULL: it has none
	uint32_t cookie;
} plColliderDef;

PL_API plColliderDef plDefaultColliderDef(void); // the ground: a plane through the origin, y upwards
// Looks at the surface of a mesh too, which takes as long as creating the collider; pl_errorMemory if there is none.
PL_API plResult plColliderDef_Check(const plColliderDef* def, plError* error);

// What may have a name. A name is UTF-8 of 1 to 200 bytes without control characters. No two things of a world have the
// same one, of whatever kinds they are.
typedef enum plThing
{
	pl_thingPin,
	pl_thingForce,
	pl_thingSprings,
	pl_thingCollider,
	pl_thingSeam,
	pl_thingJoint,
	pl_thingAttachments,
	pl_thingCount
} plThing;

PL_API const char*
plThing_GetName(plThing thing); // "pin", "force", "springs", "collider", "seam", "joint", "attachments"

// What a thing with a name does to bodies, at the end of the last step.
typedef struct plReaction
{
	const char* name; // until the thing is destroyed
	plThing thing;
	plVec3 force; // N; see plPin_GetForce, plForce_GetForce, plSprings_GetForce, plCollider_GetForce, plSeam_GetForce,
	              // plJoint_GetForce, plAttachments_GetForce
} plReaction;

// A vertex that touches a collider or a shape of a rigid body, at the end of the last step; or a point between vertices
// that a corner or an edge of a box or a hull touches. Those of a body come after its vertices.
typedef struct plContact
{
	plBodyId body;
	uint32_t vertex;       // in the caller's order; of a point between vertices the one with the largest share in it
	plColliderId collider; // this one,
	plShapeId shape;       // or this one; the other is null
	plVec3 point;          // of the collider's surface, the one nearest to the vertex, m
	plVec3 normal;         // of the surface there, away from the collider
	double distance;       // from there to the vertex along the normal, m; below 0: the vertex is inside
	plVec3 force;          // of the collider on the vertex, push and friction, N
	bool sticks;           // friction holds the vertex; false: it slips, or nothing rubs
} plContact;

// Two triangles of surfaces of soft bodies or cloth that have a point in common besides vertices and edges of both:
// plWorld_FindCrossings.
typedef struct plCrossing
{
	plBodyId bodies[2];      // may be one
	uint32_t triangles[2];   // of cloth, in the order of the mesh; of tets, of plMeshView.surface of their mesh
	uint32_t vertices[2][3]; // theirs, in the caller's order
} plCrossing;

// ---- rigid bodies -----------------------------------------------------------------------------------------------

typedef enum plRigidMotion
{
	pl_rigidDynamic,   // flies, and takes forces
	pl_rigidKinematic, // goes where its path or the caller says, whatever is in its way
	pl_rigidStatic,    // stays
	pl_rigidMotionCount
} plRigidMotion;

// A rigid body has a frame: its shapes are placed in it, and it is what `position` and `rotation` say. The centre of
// mass follows from the shapes.
typedef struct plRigidBodyDef
{
	plRigidMotion motion;
	plVec3 position; // m: the origin of its frame
	plQuat rotation;
	plVec3 velocity; // m/s, of that origin; dynamic bodies
	plVec3 spin;     // rad/s, in the axes of the world; dynamic bodies
	plMotion path;   // kinematic bodies: from position and rotation on, about `position` unless it has a centre
	double mass;     // kg; 0: that of its shapes. Else they are taken as heavy as that together
	double
	    inertia[6];  // kg m^2: xx yy zz xy xz yz about the centre of mass in the axes of the frame; zeros: the shapes'
	unsigned locked; // axes of the world that it cannot move along, pl_axisX ..., or turn about, pl_turnX ...
	double air;      // 1/s: a force -air m v and a torque -air I w
	uint32_t cookie;
} plRigidBodyDef;

PL_API plRigidBodyDef plDefaultRigidBodyDef(void); // dynamic, at rest in the origin, mass from its shapes
PL_API plResult plRigidBodyDef_Check(const plRigidBodyDef* def, plError* error);

// A solid that belongs to a rigid body. Only the fields of its kind are used. In its own axes:
//   plane     the half-space y <= 0                  static bodies only
//   sphere    `radius` about the origin
//   capsule   `radius` about an axis of `length` along y, the origin in its middle
//   cylinder  the same with flat ends
//   box       edges `size`, the origin in its middle
//   hull      the convex hull of `points`, or else of the vertices of `mesh`
//   mesh      the triangles of `mesh`, or the surface of its tets; need not be closed. Static bodies only
typedef struct plShapeDef
{
	plShapeKind kind;
	double radius;        // m
	double length;        // m
	plVec3 size;          // m
	const double* points; // [3 pointCount] m; these and the mesh are used only while the shape is created
	size_t pointCount;
	const plMesh* mesh;
	plTransform local;      // from its axes to those of the body's frame; its scale is 1
	double density;         // kg/m^3; 0: it adds no mass
	double friction;        // Coulomb's coefficient, of static friction; below 0: the world's (plContactDef)
	double slidingFriction; // below 0: as friction
	double restitution;     // 0 to 1: share of the speed of approach that it bounces back with
	uint32_t material;      // a number of the caller's, for plWorld_SetMaterialPair; 0: none
	plVec3 surfaceVelocity; // m/s, in its axes: the surface runs like a belt
	bool sensor;            // it notices what overlaps it, and pushes nothing
	// Two shapes of one group other than 0 meet if it is above 0, and never meet if it is below. All others meet if the
	// mask of each has a bit of the category of the other. Soft bodies count as category 1, and take all.
	uint64_t category, mask;
	int32_t group;
	uint32_t cookie;
} plShapeDef;

PL_API plShapeDef plDefaultShapeDef(void); // a box of 1 m, 1000 kg/m^3, category 1, mask of all
// Looks at the points and the mesh, too, which takes as long as creating the shape; pl_errorMemory if there is none.
PL_API plResult plShapeDef_Check(const plShapeDef* def, plError* error);
// The surface of a shape as a mesh of triangles, outward, in the shape's own axes: to draw it. Round ones have `sides`
// around them, at least 8, rounded up to a multiple of 4. A plane has no end and is refused. NULL on error.
PL_API plMesh* plCreateShapeMesh(const plShapeDef* def, int sides, const plAllocator* allocator, plError* error);

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
