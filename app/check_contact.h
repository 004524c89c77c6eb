// check_contact.h: what `pliant check` and `run` say about surfaces that touch each other
#ifndef PL_APP_CHECK_CONTACT_H
#define PL_APP_CHECK_CONTACT_H

#include "pliant/io.h"

// Says how thick surfaces are against their edges, and which of their triangles cross at the start. How many reasons
// there are for a run to refuse the scene.
size_t plApp_CheckContact(const char* path, const plScene* scene, plWorld* world);

// Is there a reason for a run to refuse it? Says the first one.
bool plApp_RefusesContact(const char* path, const plScene* scene, plWorld* world);

// Warns if surfaces may pass through each other though nobody asked for it, and says which method cannot part them.
void plApp_WarnMissingContact(const char* path, const plScene* scene, plWorld* world);

#endif
