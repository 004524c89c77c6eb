// reactions.c: what pins, forces, springs, colliders, seams, joints and attachments do to bodies, and what touches
// what, at the end of a step
//
//   force   sum of f_i          over the vertices i that a thing acts on
//   torque  sum of (x_i - p) x f_i
//
//   hard pin    f_i = gradient of the objective along the axes that it holds: what holds the vertex back
//   soft pin    f_i = k (target - x_i)
//   force       f_i = its share of the load
//   springs     f_i = -dE/dx_i at the vertices of body a, as of seams
//   collider    f_i = push and friction, collide/contacts.c, and those of its shell (near_contacts.c)
//   joint       its force and torque on b
//   attachments f_i = lambda of constraint/vertex_meet.h, on the soft body
//
// All of it is there when a step has ended, and is worked out when somebody asks. Over all bodies it adds up:
//
//   sum of f  +  grabs  +  air  +  sum of m a  +  sum of r  =  sum of m (q - y)/h^2 + m a
//
// with f of all pins, forces, springs to points and colliders, r the residual, a gravity, y and h the integrator's. On
// the right is the rate of momentum as the integrator takes it. Springs between bodies, and what is inside of bodies,
// cancel.
#include "world.h"
#include "../base/vec3.h"
#include "../collide/contacts.h"

// A force and its torque about a point.
typedef struct Wrench
{
	double force[3];
	double torque[3];
	double about[3];
} Wrench;

static void add(Wrench* w, const double x[3], const double f[3])
{
	const double r[3] = {x[0] - w->about[0], x[1] - w->about[1], x[2] - w->about[2]};
	for (int i = 0; i < 3; ++i)
	{
		int j = (i + 1) % 3, k = (i + 2) % 3;
		w->force[i] += f[i];
		w->torque[i] += r[j] * f[k] - r[k] * f[j];
	}
}

static size_t placeOf(const plWorld* world, uint32_t body, uint32_t vertex)
{
	const plSoftBody* b = plSlots_At(&world->softs, body);
	return b->vertexStart + b->internalOf[vertex];
}

// ---- each kind ------------------------------------------------------------------------------------------------------

typedef void AddFcn(const plWorld* world, const void* item, Wrench* wrench);

static void addHardPin(const plWorld* world, const plPin* pin, Wrench* wrench)
{
	for (size_t i = 0; i < pin->count; ++i)
	{
		size_t at = placeOf(world, pin->body, pin->vertices[i]);
		double f[3];
		for (size_t k = 0; k < 3; ++k)
			f[k] = (pin->own[i] >> k) & 1 ? PL_AT(world->prepared.reaction, at)[k] : 0.0;
		add(wrench, PL_AT(world->q, at), f);
	}
}

static void addSoftPin(const plWorld* world, const plPin* pin, Wrench* wrench)
{
	size_t first = 0; // attachments stand in the order of their pins
	PL_EACH(const plPin, other, &world->pins)
	{
		if (other == pin)
			break;
		first += other->stiffness > 0.0 ? other->count : 0;
	}
	for (size_t i = 0; i < pin->count; ++i)
	{
		double f[3];
		plWorld_GetAttachmentForce(world, first + i, f);
		add(wrench, PL_AT(world->q, placeOf(world, pin->body, pin->vertices[i])), f);
	}
}

static void addPin(const plWorld* world, const void* item, Wrench* wrench)
{
	const plPin* pin = item;
	if (pin->stiffness > 0.0)
		addSoftPin(world, pin, wrench);
	else
		addHardPin(world, pin, wrench);
}

static void addForce(const plWorld* world, const void* item, Wrench* wrench)
{
	const plForce* force = item;
	double mass = plForce_GetMass(force, world), f[3];
	for (size_t i = 0; force->applied && i < force->count; ++i)
	{
		size_t at = placeOf(world, force->body, force->vertices[i]);
		plForce_GetLoad(force, world, mass, i, at, f);
		add(wrench, PL_AT(world->q, at), f);
	}
}

static void addSprings(const plWorld* world, const void* item, Wrench* wrench)
{
	const plSprings* springs = item;
	const plPrepared* p = &world->prepared;
	const plEnergy* energy = springs->toPoints ? &p->pointSprings->base : &p->innerSprings->base;
	size_t first = 0; // elements stand in the order of their springs, those to points apart
	PL_EACH(const plSprings, other, &world->springs)
	{
		if (other == springs)
			break;
		first += other->toPoints == springs->toPoints ? other->count : 0;
	}
	for (size_t i = 0; i < springs->count; ++i)
	{
		double g[6];
		energy->verbs->gradient(energy, world->q, first + i, first + i + 1, g);
		const double f[3] = {-g[0], -g[1], -g[2]};
		add(wrench, PL_AT(world->q, placeOf(world, springs->a, springs->vertices[2 * i])), f);
	}
}

static void addSeam(const plWorld* world, const void* item, Wrench* wrench)
{
	const plSeam* seam = item;
	const plEnergy* energy = &world->prepared.seams->base;
	size_t first = plWorld_GetFirstStitch(world, seam);
	for (size_t i = 0; i < seam->count; ++i)
	{
		double g[6];
		energy->verbs->gradient(energy, world->q, first + i, first + i + 1, g);
		const double f[3] = {-g[0], -g[1], -g[2]};
		add(wrench, PL_AT(world->q, placeOf(world, seam->a, seam->vertices[2 * i])), f);
	}
}

// Colliders stand in the push energy as they do in the world.
static size_t numberOf(const plPushEnergy* push, uint32_t slot)
{
	size_t c = 0;
	while (c < push->colliderCount && push->colliders[c].slot != slot)
		++c;
	return c;
}

static plContactSearch searchOf(const plWorld* world)
{
	return (plContactSearch){.q = world->q,
	                         .isEnergy = world->contactDef.model == pl_contactEnergy,
	                         .substep = {.q = world->qOld, .h = world->prepared.problem->timestep},
	                         .held = world->prepared.held};
}

static void addPoint(const double x[3], const double force[3], void* wrench)
{
	add(wrench, x, force);
}

static void addCollider(const plWorld* world, const void* item, Wrench* wrench)
{
	const plPushEnergy* push = world->prepared.push;
	if (push == NULL)
		return; // no vertex can touch anything
	plContactSearch search = searchOf(world);
	size_t own = numberOf(push, plSlots_IndexOf(&world->colliders, item));
	for (size_t e = 0; e < push->base.elementCount; ++e)
	{
		plPushContact contact = {.collider = own};
		if (plPushEnergy_FindContact(push, &search, e, &contact) && contact.collider == own)
			add(wrench, PL_AT(world->q, push->base.vertices[e]), contact.force);
	}
	plWorld_VisitShellForces(world, plSlots_IndexOf(&world->colliders, item), addPoint, wrench);
}

// At b's anchor.
static void addJoint(const plWorld* world, const void* item, Wrench* wrench)
{
	const plJoint* joint = item;
	plJointPose pose = plWorld_GetJointPose(world, joint);
	add(wrench, pose.x, joint->force);
	for (int i = 0; i < 3; ++i)
		wrench->torque[i] += joint->torque[i];
}

static void addAttachments(const plWorld* world, const void* item, Wrench* wrench)
{
	const plAttachments* attached = item;
	for (size_t i = 0; i < attached->count; ++i)
		add(wrench, PL_AT(world->q, placeOf(world, attached->body, attached->vertices[i])),
		    plAttachments_GetPull(attached, i));
}

static AddFcn* const adders[pl_thingCount] = {addPin,  addForce, addSprings,    addCollider,
                                              addSeam, addJoint, addAttachments};

// ---- by id and by name ----------------------------------------------------------------------------------------------

static Wrench measureItem(const plWorld* world, plThing thing, const void* item, plVec3 about)
{
	Wrench wrench = {.about = {about.x, about.y, about.z}};
	if (world->prepared.measured)
		adders[thing](world, item, &wrench);
	return wrench;
}

static Wrench measure(const plWorld* world, plThing thing, uint32_t index1, uint32_t generation, plVec3 about)
{
	const void* item = plSlots_Get(plWorld_GetThings(world, thing), index1, generation);
	PL_ASSERT(item != NULL, "the thing exists in this world");
	return measureItem(world, thing, item, about);
}

static plVec3 vectorOf(const double a[3])
{
	return (plVec3){a[0], a[1], a[2]};
}

static plVec3 forceOf(const plWorld* world, plThing thing, uint32_t index1, uint32_t generation)
{
	return vectorOf(measure(world, thing, index1, generation, (plVec3){0.0, 0.0, 0.0}).force);
}

plVec3 plPin_GetForce(const plWorld* world, plPinId id)
{
	return forceOf(world, pl_thingPin, id.index1, id.generation);
}

plVec3 plForce_GetForce(const plWorld* world, plForceId id)
{
	return forceOf(world, pl_thingForce, id.index1, id.generation);
}

plVec3 plSprings_GetForce(const plWorld* world, plSpringsId id)
{
	return forceOf(world, pl_thingSprings, id.index1, id.generation);
}

plVec3 plCollider_GetForce(const plWorld* world, plColliderId id)
{
	return forceOf(world, pl_thingCollider, id.index1, id.generation);
}

plVec3 plSeam_GetForce(const plWorld* world, plSeamId id)
{
	return forceOf(world, pl_thingSeam, id.index1, id.generation);
}

plVec3 plSeam_GetTorque(const plWorld* world, plSeamId id, plVec3 point)
{
	return vectorOf(measure(world, pl_thingSeam, id.index1, id.generation, point).torque);
}

plVec3 plPin_GetTorque(const plWorld* world, plPinId id, plVec3 point)
{
	return vectorOf(measure(world, pl_thingPin, id.index1, id.generation, point).torque);
}

plVec3 plForce_GetTorque(const plWorld* world, plForceId id, plVec3 point)
{
	return vectorOf(measure(world, pl_thingForce, id.index1, id.generation, point).torque);
}

plVec3 plSprings_GetTorque(const plWorld* world, plSpringsId id, plVec3 point)
{
	return vectorOf(measure(world, pl_thingSprings, id.index1, id.generation, point).torque);
}

plVec3 plCollider_GetTorque(const plWorld* world, plColliderId id, plVec3 point)
{
	return vectorOf(measure(world, pl_thingCollider, id.index1, id.generation, point).torque);
}

size_t plWorld_GetReactions(const plWorld* world, plReaction* reactions, size_t capacity)
{
	size_t count = 0;
	for (int thing = 0; thing < pl_thingCount; ++thing)
		PL_EACH(const void, item, plWorld_GetThings(world, (plThing)thing))
		{
			const char* name = plWorld_GetNameOf(item);
			if (name == NULL)
				continue;
			if (count < capacity)
			{
				Wrench wrench = measureItem(world, (plThing)thing, item, (plVec3){0.0, 0.0, 0.0});
				reactions[count] = (plReaction){name, (plThing)thing, vectorOf(wrench.force)};
			}
			count++;
		}
	return count;
}

// ---- contacts -------------------------------------------------------------------------------------------------------

static plContact describe(const plWorld* world, const plSoftBody* body, uint32_t vertex, const plPushContact* found)
{
	uint32_t key = world->prepared.push->colliders[found->collider].slot, slot = key & ~PL_RIGID_BIT;
	bool isRigid = (key & PL_RIGID_BIT) != 0;
	const plSlots* met = isRigid ? &world->rigids.shapes : &world->colliders;
	plSlotId owner = plSlots_GetId(&world->softs, body), none = {0, 0}, id = plSlots_GetId(met, plSlots_At(met, slot));
	plSlotId collider = isRigid ? none : id, shape = isRigid ? id : none;
	return (plContact){.body = {owner.index1, owner.generation},
	                   .vertex = vertex,
	                   .collider = {collider.index1, collider.generation},
	                   .shape = {shape.index1, shape.generation},
	                   .point = vectorOf(found->point),
	                   .normal = vectorOf(found->normal),
	                   .distance = found->distance,
	                   .force = vectorOf(found->force),
	                   .sticks = found->sticks};
}

// A point that a dynamic body pushes, by the vertex with the largest share in it.
static plContact describeMet(const plWorld* world, const plSoftBody* body, const plVertexKept* kept)
{
	plSlotId owner = plSlots_GetId(&world->softs, body);
	double t = world->contactDef.thickness, point[3] = {0.0, 0.0, 0.0};
	uint32_t corners[3], names[3], most = 0;
	uint32_t count = plWorld_GetFeature(world, kept->body, kept->kind, kept->number, corners);
	plWorld_NameFeature(world, kept->body, kept->kind, kept->number, names);
	for (uint32_t c = 0; c < count; ++c)
	{
		plAdd3(point, kept->shares[c], PL_AT(world->q, corners[c]));
		most = kept->shares[c] > kept->shares[most] ? c : most;
	}
	plAdd3(point, kept->depth - t, kept->normal);
	return (plContact){.body = {owner.index1, owner.generation},
	                   .vertex = names[most],
	                   .shape = plRigids_GetShapeId(&world->rigids, kept->shape),
	                   .point = vectorOf(point),
	                   .normal = vectorOf(kept->normal),
	                   .distance = t - kept->depth,
	                   .force = vectorOf(kept->lambda),
	                   .sticks = kept->sticks};
}

// Contacts of a vertex with obstacles, then with dynamic bodies, written from number `count` on; the number after the
// last.
static size_t listContacts(const plWorld* world, const plContactSearch* search, const plSoftBody* body, uint32_t i,
                           plContact* contacts, size_t capacity, size_t count)
{
	const plPushEnergy* push = world->prepared.push;
	const plVertexTouches* t = &world->rigids.vertexTouches;
	uint32_t slot = plSlots_IndexOf(&world->softs, body), place = body->internalOf[i];
	size_t vertex = body->vertexStart + place, e = push != NULL ? plPushEnergy_FindElement(push, vertex) : 0;
	bool pushed = push != NULL && e < push->base.elementCount && push->base.vertices[e] == vertex;
	for (plPushContact c = {0}; pushed && plPushEnergy_FindContact(push, search, e, &c); c.collider++, count++)
		if (count < capacity)
			contacts[count] = describe(world, body, i, &c);
	for (size_t k = plVertexTouches_Find(t, slot, pl_featureVertex, place); plVertexTouches_IsOf(t, k, slot, place);
	     ++k, ++count)
		if (count < capacity)
			contacts[count] = describeMet(world, body, t->kept + k);
	return count;
}

// Those of edges and faces of a body.
static size_t listFacets(const plWorld* world, const plSoftBody* body, plContact* contacts, size_t capacity,
                         size_t count)
{
	const plVertexTouches* t = &world->rigids.vertexTouches;
	uint32_t slot = plSlots_IndexOf(&world->softs, body);
	for (size_t k = plVertexTouches_Find(t, slot, pl_featureEdge, 0); k < t->keptCount && t->kept[k].body == slot;
	     ++k, ++count)
		if (count < capacity)
			contacts[count] = describeMet(world, body, t->kept + k);
	return count;
}

size_t plWorld_GetContacts(const plWorld* world, plContact* contacts, size_t capacity)
{
	size_t count = 0;
	bool any = world->prepared.push != NULL || world->rigids.vertexTouches.keptCount > 0;
	if (!any || !world->prepared.measured)
		return 0;
	plContactSearch search = searchOf(world);
	PL_EACH(const plSoftBody, body, &world->softs)
	{
		for (size_t i = 0; i < body->vertexCount; ++i)
			count = listContacts(world, &search, body, (uint32_t)i, contacts, capacity, count);
		count = listFacets(world, body, contacts, capacity, count);
	}
	return count;
}
