// attachment.h: vertices of soft bodies and cloth that are fastened to rigid bodies
//
//   plAttachmentsDef def = plDefaultAttachmentsDef();
//   def.body = flag, def.vertices = edge, def.count = n;
//   def.to = pole;
//   plAttachmentsId hold = plCreateAttachments(world, &def, &error);
//
// Each vertex keeps the place on the rigid body that it has when they are made. Both sides pull at each other, so that
// momentum stays. The rigid body may be dynamic, kinematic or static. A vertex does not touch a dynamic body that it is
// attached to; of others it is kept out as ever. Steps are taken by avbd only. Formulas: docs/rigid.md. pliant.h
// includes this.
#ifndef PLIANT_ATTACHMENT_H
#define PLIANT_ATTACHMENT_H

#include "pliant.h"

typedef struct plAttachmentsDef
{
	plBodyId body;            // soft, or cloth
	const uint32_t* vertices; // [count] copied
	size_t count;
	plBodyId to;      // rigid
	double stiffness; // of each vertex, N/m; 0: hard
	const char* name; // NULL: none
	uint32_t cookie;
} plAttachmentsDef;

PL_API plAttachmentsDef plDefaultAttachmentsDef(void); // hard
PL_API plResult plAttachmentsDef_Check(const plAttachmentsDef* def, plError* error);
// A saved state holds their forces.
PL_API plAttachmentsId plCreateAttachments(plWorld* world, const plAttachmentsDef* def, plError* error);
PL_API void plDestroyAttachments(plWorld* world, plAttachmentsId id); // plDestroyBody of either body does it, too
PL_API bool plAttachments_IsValid(const plWorld* world, plAttachmentsId id);
// On the soft body in the last substep, N; the rigid one is pulled by the opposite.
PL_API plVec3 plAttachments_GetForce(const plWorld* world, plAttachmentsId id);
PL_API const char* plAttachments_GetName(const plWorld* world, plAttachmentsId id);     // NULL: none
PL_API plAttachmentsId plWorld_FindAttachments(const plWorld* world, const char* name); // null: there is none
PL_API double plAttachments_GetError(const plWorld* world, plAttachmentsId id); // the farthest that one is off, now, m

#endif
