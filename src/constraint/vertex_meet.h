// vertex_meet.h: points of soft surfaces that meet rigid bodies, or are attached to them: one record for each pair
//
// As bodies do (contact.h), a point and a body meet in a record and never read each other. The point is a vertex, or
// one of an edge or a triangle between vertices, q = sum of a_c q_c with a_c its shares in them, which sum up to 1.
// With x where it was when the substep began, and d, w how far the body leaves its flight,
//
//   u = u_0 + b - (q - x)        u_0: where the body flies freely and the point stays
//   b = d + w x r                a contact, first order in the turn: r from the centre of mass to x at the start
//   b = d + R(w) r - r           an attachment, exactly: r from there to its place on the body, where the flight ends
//
// What a record gives is a_c F on the vertices, together F in the point, and -F on the body in that very place. So no
// record changes their momentum.
//
//   contact      s = lambda + kt u + (kn - kt) (n.u) n,  n from the body to the point
//                F = max(n.s, 0) n + c st,   c = min(1, mu N/|st|),  N = max(n.lambda, 0)
//   attachment   F = sigma (lambda + k u)    sigma = 1; of a spring K: K/(K + k), so that lambda tends to K u
//
// For a vertex that is a potential, with lambda and b as they are (vertex_meet_sweep.c): sweeps over vertices see it as
// they see other energies, and may test whether it falls. So friction goes by N alone, also in a visit that finds a
// gap; a multiplier of what does not push is 0 all the same.
//
// Who writes what: a body writes b of its records when it moves, b is all that vertices read of it. After a sweep over
// vertices, `at` takes over where they are, and lambda is F. Vertices and bodies are swept one after the other, and the
// sums of a body go by the order of records. The vertices of an edge or a triangle are of one element, and so of
// different colours: no two of a record move at once. So nothing depends on threads.
#ifndef PL_VERTEX_MEET_H
#define PL_VERTEX_MEET_H

#include "../base/base.h"
#include "../base/layout.h"
#include "pliant/base.h"

struct plContacts;

enum
{
	pl_meetCorners = 3
};

typedef struct plVertexMeet
{
	uint32_t corners[pl_meetCorners]; // places in the state; an attachment has one
	uint32_t cornerCount;
	double shares[pl_meetCorners]; // a_c
	uint32_t mover;                // pl_noMover: its body is static or kinematic
	uint32_t kept;                 // its place among what is kept of contacts, or among the vertices of its attachments
	bool isAttached;
	bool sticks;                    // friction holds it
	double normal[3];               // of a contact
	double friction;                // mu
	double size;                    // the smallest width of the body, m
	double weights[pl_meetCorners]; // N/m that the vertices resist with: m/h^2 and their elements
	double spring;                  // K of an attachment, N/m; 0: it is hard
	double r[3], x[3];              // m
	double u0[3];                   // before Begin: how the place on the body flies and runs against x
	double error[3];  // of an attachment when the substep begins; of a contact that sticks its drift across n
	double depth;     // n.(place on the body - x) when it begins; below 0: a gap
	double bias;      // what n.u is where nothing moves
	double lambda[3]; // N
	double N;         // that friction goes by
	double kn, kt;    // N/m; before Begin: those of the last substep. Of an attachment both are k
	double sigma;
	bool sprung;             // there is no lambda in F, it is only what F was (pl_stiffnessFixed)
	double b[3];             // the body's side
	double at[3];            // the point's side
	double value, magnitude; // J, for sums
	double mended;           // n.b of a second solve (contact_mend.c), m
} plVertexMeet;

// Of a substep. Arrays grow and stay.
typedef struct plVertexMeets
{
	plVertexMeet* meets;
	size_t count, room;
	bool isOpen;       // between Begin and the end of a substep: then they count
	uint32_t* first;   // [vertices] the first corner of a record that is this vertex, 1 + its number; 0: there is none
	uint32_t* next;    // [3 count] by corners, record by record: the next one that is the same vertex, as above
	size_t* sideStart; // [movers + 1] records of a mover, ascending
	uint32_t* sides;   // [count]
	plVertexMeet* saved; // [count] while overlap is mended
	size_t vertexCount, firstRoom, nextRoom, sideStartRoom, sideRoom, savedRoom;
} plVertexMeets;

// Runs the block after it for every corner e of records that a vertex is: corner e % 3 of record e / 3.
#define PL_EACH_MEET(e, v, vertex)                                                                                     \
	for (size_t e##1 = (v)->isOpen && (v)->count > 0 ? (v)->first[vertex] : 0, e = e##1 - 1; e##1 != 0;                \
	     e##1 = (v)->next[e], e = e##1 - 1)

// Where the point of a record is. Of a vertex that is the vertex, to the bit
static inline void plVertexMeet_GetPoint(const plVertexMeet* meet, const double* q, double point[3])
{
	for (int i = 0; i < 3; ++i)
		point[i] = meet->shares[0] * PL_AT(q, meet->corners[0])[i];
	for (uint32_t c = 1; c < meet->cornerCount; ++c)
		for (int i = 0; i < 3; ++i)
			point[i] += meet->shares[c] * PL_AT(q, meet->corners[c])[i];
}

static inline bool plVertexMeets_Has(const plVertexMeets* v, size_t mover)
{
	return v->count > 0 && v->sideStart[mover] < v->sideStart[mover + 1];
}

// ---- vertex_meet.c

void plVertexMeets_Destroy(plVertexMeets* meets, plHeap* heap);
bool plVertexMeets_Reserve(plVertexMeets* meets, size_t count, size_t vertices, size_t movers, plHeap* heap);
// Its records are filled in, vertices and movers: chains and sides
void plContacts_ListVertexMeets(struct plContacts* contacts, size_t vertexCount);
// What they push a mover by, against the external acceleration, N; `up` against it, or zeros
double plContacts_GetVertexCarry(const struct plContacts* contacts, size_t mover, const double up[3]);
// After the guess: stiffness, multipliers, and both sides where they start. `held` [vertices] bits of axes, q by quads
void plContacts_BeginVertexMeets(struct plContacts* contacts, const uint8_t* held, const double* q, plPool* pool);
// Attached vertices go to where their places on bodies are, along axes that are not held
void plContacts_LeadVertices(struct plContacts* contacts, const uint8_t* held, double* q);
// `at` of all records, where vertices did not get there
void plContacts_PlaceVertexMeets(struct plContacts* contacts, const double* q);
bool plVertexMeets_ReserveMend(plVertexMeets* meets, plHeap* heap); // false: no memory
void plContacts_BeginVertexMend(struct plContacts* contacts);       // vertices stay, bodies are put right
void plContacts_EndVertexMend(struct plContacts* contacts);
double plVertexMeet_GetDepth(const plVertexMeet* meet); // of a contact at the end, m; below 0: a gap
bool plContacts_IsAttached(const struct plContacts* contacts, size_t mover);

// ---- vertex_meet_sweep.c

// F at a place of the point, and the stiffness that a block may count on
typedef struct plVertexForce
{
	double u[3], force[3];
	double kn, kt;
	bool pushes, slips;
} plVertexForce;
plVertexForce plVertexMeet_GetForce(const plVertexMeet* meet, const double q[3], bool rescales);

// The side of a corner, by its number as in PL_EACH_MEET. Adds to the gradient of its vertex and to its block xx yy zz
// xy xz yz; q of all vertices, by quads
void plContacts_AddToVertex(const struct plContacts* contacts, size_t corner, const double* q, double g[3],
                            double H[6]);
// Its potential with its point in q, J; adds the sizes of its parts to `magnitude`, which rounding goes by
double plVertexMeet_GetValue(const plVertexMeet* meet, const double q[3], double* magnitude);
double plContacts_GetVertexValue(struct plContacts* contacts, const double* q, plPool* pool, double* magnitude);

// The body's side: its part in the block of a mover, as plContacts_AddJoints and those after it
void plContacts_AddVertexMeets(const struct plContacts* contacts, size_t mover, const double zeta[6], double f[6],
                               double H[6][6]);
void plContacts_MoveVertexMeets(struct plContacts* contacts, size_t mover, const double zeta[6]);
void plContacts_LoadVertexMeets(const struct plContacts* contacts, size_t mover, const double zeta[6], double f[6],
                                double* load);
// After a sweep over vertices: `at`, and the multipliers
void plContacts_UpdateVertexMeets(struct plContacts* contacts, const double* q, const uint8_t* stopped, plPool* pool);

#endif
