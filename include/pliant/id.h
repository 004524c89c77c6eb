// id.h: handles of what lives in a world. Zero is null; a generation tells a stale handle from a live one
#ifndef PLIANT_ID_H
#define PLIANT_ID_H

#include <stdint.h>

// A soft or a rigid body; plBody_IsRigid tells which.
typedef struct plBodyId
{
	uint32_t index1; // index + 1; of a rigid body with the top bit set
	uint32_t generation;
} plBodyId;

// A shape of a rigid body.
typedef struct plShapeId
{
	uint32_t index1;
	uint32_t generation;
} plShapeId;

typedef struct plPinId
{
	uint32_t index1;
	uint32_t generation;
} plPinId;

typedef struct plForceId
{
	uint32_t index1;
	uint32_t generation;
} plForceId;

typedef struct plSpringsId
{
	uint32_t index1;
	uint32_t generation;
} plSpringsId;

typedef struct plSeamId
{
	uint32_t index1;
	uint32_t generation;
} plSeamId;

typedef struct plJointId
{
	uint32_t index1;
	uint32_t generation;
} plJointId;

typedef struct plAttachmentsId
{
	uint32_t index1;
	uint32_t generation;
} plAttachmentsId;

typedef struct plGrabId
{
	uint32_t index1;
	uint32_t generation;
} plGrabId;

typedef struct plEnergyId
{
	uint32_t index1;
	uint32_t generation;
} plEnergyId;

typedef struct plColliderId
{
	uint32_t index1;
	uint32_t generation;
} plColliderId;

#define PL_IS_NULL(id) ((id).index1 == 0)
#define PL_IS_NON_NULL(id) ((id).index1 != 0)

#endif
