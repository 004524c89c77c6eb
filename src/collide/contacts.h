// contacts.h: contacts one by one, when a substep has ended
#ifndef PL_CONTACTS_H
#define PL_CONTACTS_H

#include "../energy/push.h"

// What a search goes by: the end of a substep, before anything of it has changed
typedef struct plContactSearch
{
	const double* q;     // by quads, where it ended
	bool isEnergy;       // the model; else the next two count
	plSubstep substep;   // with its start
	const uint8_t* held; // [quads]
} plContactSearch;

typedef struct plPushContact
{
	size_t collider;  // its place among the colliders
	double point[3];  // of its surface, m
	double normal[3]; // there
	double distance;  // from there to the vertex, m
	double force[3];  // on the vertex, N
	bool sticks;
} plPushContact;

// The contact of element e with the first collider from contact->collider on that it touches; false: there is none.
bool plPushEnergy_FindContact(const plPushEnergy* push, const plContactSearch* search, size_t e,
                              plPushContact* contact);

#endif
