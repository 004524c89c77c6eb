// names_test.c: names of pins, forces, springs, colliders, seams, joints and attachments: what is one, who has it, and
// memory that is short
#include "shortage.h"

static const uint32_t corner = 0, pair[2] = {0, 0};
static const double hook[3] = {0.0, 2.0, 0.0};

static plForceDef forceOf(plBodyId body)
{
	plForceDef def = plDefaultForceDef();
	def.body = body;
	def.vertices = &corner;
	def.vertexCount = 1;
	def.force = (plVec3){1.0, 0.0, 0.0};
	return def;
}

static plSpringsDef springsOf(plBodyId body)
{
	plSpringsDef def = plDefaultSpringsDef();
	def.a = body;
	def.points = hook;
	def.pointCount = def.count = 1;
	def.pairs = pair;
	return def;
}

static plBodyId crate; // rigid, of the last world

// One of each kind under a name. False: it was refused, or there is no memory.
static bool make(plWorld* world, plBodyId body, plThing thing, const char* name, plError* error)
{
	plPinDef pin = plDefaultPinDef();
	pin.body = body;
	pin.vertices = &corner;
	pin.vertexCount = 1;
	plForceDef force = forceOf(body);
	plSpringsDef springs = springsOf(body);
	plColliderDef collider = plDefaultColliderDef();
	collider.offset = -5.0;
	plSeamDef seam = plDefaultSeamDef();
	seam.a = seam.b = body;
	seam.match = pl_seamPairs;
	seam.pairs = (const uint32_t[]){0, 7};
	seam.count = 1;
	seam.length = 1.0;
	plJointDef joint = plDefaultJointDef();
	joint.a = crate;
	joint.axes[pl_jointX].mode = pl_axisLocked;
	plAttachmentsDef attached = plDefaultAttachmentsDef();
	attached.body = body;
	attached.to = crate;
	attached.vertices = &corner;
	attached.count = 1;
	pin.name = force.name = springs.name = collider.name = seam.name = joint.name = attached.name = name;
	switch (thing)
	{
	case pl_thingPin:
		return PL_IS_NON_NULL(plCreatePin(world, &pin, error));
	case pl_thingForce:
		return PL_IS_NON_NULL(plCreateForce(world, &force, error));
	case pl_thingSprings:
		return PL_IS_NON_NULL(plCreateSprings(world, &springs, error));
	case pl_thingSeam:
		return PL_IS_NON_NULL(plCreateSeam(world, &seam, error));
	case pl_thingJoint:
		return PL_IS_NON_NULL(plCreateJoint(world, &joint, error));
	case pl_thingAttachments:
		return PL_IS_NON_NULL(plCreateAttachments(world, &attached, error));
	default:
		return PL_IS_NON_NULL(plCreateCollider(world, &collider, error));
	}
}

static bool addCrate(plWorld* world, plError* error)
{
	plRigidBodyDef def = plDefaultRigidBodyDef();
	def.mass = 1.0;
	crate = plCreateRigidBody(world, &def, error);
	return PL_IS_NON_NULL(crate);
}

static Fixture makeBox(void)
{
	plWorldDef wd = newtonWorldDef();
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.3, 1000.0);
	Fixture f = makeFixture(&wd, &bd, unit, oneCell, false);
	addCrate(f.world, &f.error);
	return f;
}

TEST(things_are_found_by_their_names)
{
	Fixture f = makeBox();
	static const char* const names[pl_thingCount] = {"left", "wind", "ropes", "ground", "hem", "knee", "strap"};
	char word[8];
	for (int thing = 0; thing < pl_thingCount; ++thing)
	{
		snprintf(word, sizeof word, "%s", names[thing]);              // which is copied
		CHECK(make(f.world, f.body, (plThing)thing, NULL, &f.error)); // without; the later pin holds
		CHECK(make(f.world, f.body, (plThing)thing, word, &f.error));
	}
	memset(word, 'x', sizeof word);
	plReaction r[8];
	CHECK(plWorld_GetReactions(f.world, NULL, 0) == 7 && plWorld_GetReactions(f.world, r, 8) == 7);
	for (int thing = 0; thing < pl_thingCount; ++thing)
		CHECK(strcmp(r[thing].name, names[thing]) == 0 && (int)r[thing].thing == thing && r[thing].force.y == 0.0);
	CHECK_TEXT(plPin_GetName(f.world, plWorld_FindPin(f.world, "left")), "left");
	CHECK_TEXT(plForce_GetName(f.world, plWorld_FindForce(f.world, "wind")), "wind");
	CHECK_TEXT(plSprings_GetName(f.world, plWorld_FindSprings(f.world, "ropes")), "ropes");
	CHECK_TEXT(plCollider_GetName(f.world, plWorld_FindCollider(f.world, "ground")), "ground");
	CHECK_TEXT(plSeam_GetName(f.world, plWorld_FindSeam(f.world, "hem")), "hem");
	CHECK_TEXT(plJoint_GetName(f.world, plWorld_FindJoint(f.world, "knee")), "knee");
	CHECK_TEXT(plAttachments_GetName(f.world, plWorld_FindAttachments(f.world, "strap")), "strap");
	CHECK(PL_IS_NULL(plWorld_FindPin(f.world, "wind")) && PL_IS_NULL(plWorld_FindForce(f.world, "left")));
	CHECK(PL_IS_NULL(plWorld_FindSprings(f.world, "")) && PL_IS_NULL(plWorld_FindCollider(f.world, "x")));
	plDestroyBody(f.world, crate); // newton does not take it
	CHECK(PL_IS_NULL(plWorld_FindJoint(f.world, "knee")) && PL_IS_NULL(plWorld_FindAttachments(f.world, "strap")));
	CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	CHECK(plWorld_GetReactions(f.world, r, 8) == 5 && r[1].force.x == 1.0 && r[0].force.x != 0.0);
	plDestroyWorld(f.world);
}

TEST(two_things_never_have_one_name)
{
	Fixture f = makeBox();
	char words[160];
	for (int first = 0; first < pl_thingCount; ++first)
	{
		char name[16];
		snprintf(name, sizeof name, "n%d", first);
		CHECK(make(f.world, f.body, (plThing)first, name, &f.error));
		for (int second = 0; second < pl_thingCount; ++second)
		{
			WITH("%s after %s", plThing_GetName((plThing)second), plThing_GetName((plThing)first));
			CHECK(!make(f.world, f.body, (plThing)second, name, &f.error));
			CHECK(f.error.code == pl_errorInput && strcmp(f.error.field, "name") == 0);
			snprintf(words, sizeof words, "%s: the name '%s' is taken by %s%s", plThing_GetName((plThing)second), name,
			         first == pl_thingSprings || first == pl_thingAttachments ? "" : "a ",
			         plThing_GetName((plThing)first));
			CHECK_TEXT(f.error.message, words);
		}
	}
	plDestroyPin(f.world, plWorld_FindPin(f.world, "n0"));
	CHECK(make(f.world, f.body, pl_thingCollider, "n0", &f.error)); // it is free again
	plDestroyBody(f.world, f.body);
	plReaction r[8];
	plDestroyBody(f.world, crate);
	CHECK(plWorld_GetReactions(f.world, r, 8) == 2); // what was fastened to the body has gone with it
	CHECK(plThing_GetName(pl_thingCount) == NULL);
	plDestroyWorld(f.world);
}

TEST(what_is_no_name_is_refused)
{
	char longest[202];
	memset(longest, 'n', 201);
	longest[201] = 0;
	const struct
	{
		const char *name, *words;
	} cases[] = {{"", "its name cannot be empty"},
	             {longest, "its name has 201 bytes, at most 200"},
	             {"a\nb", "its name has a control character"},
	             {"a\x7F", "its name has a control character"},
	             {"\xFF", "its name is not UTF-8"},
	             {"a\x80", "its name is not UTF-8"},
	             {"\xC3", "its name is not UTF-8"},
	             {"\xC0\x80", "its name is not UTF-8"},
	             {"\xE0\x9F\xBF", "its name is not UTF-8"},
	             {"\xED\xA0\x80", "its name is not UTF-8"},
	             {"\xF0\x8F\xBF\xBF", "its name is not UTF-8"},
	             {"\xF4\x90\x80\x80", "its name is not UTF-8"}};
	Fixture f = makeBox();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
		for (int thing = 0; thing < pl_thingCount; ++thing)
		{
			char words[80];
			WITH("case %zu, %s", i, plThing_GetName((plThing)thing));
			CHECK(!make(f.world, f.body, (plThing)thing, cases[i].name, &f.error));
			snprintf(words, sizeof words, "%s: %s", plThing_GetName((plThing)thing), cases[i].words);
			CHECK_TEXT(f.error.message, words);
			CHECK(f.error.code == pl_errorInput && strcmp(f.error.field, "name") == 0);
		}
	longest[200] = 0;
	CHECK(make(f.world, f.body, pl_thingPin, longest, &f.error));
	CHECK(make(f.world, f.body, pl_thingForce, "Gr\xC3\xBC\xC3\x9F \xE2\x82\xAC \xF0\x9F\x98\x80 \"x\\.y\"", &f.error));
	plForceDef def = forceOf(f.body);
	def.name = "";
	CHECK(plForceDef_Check(&def, &f.error) == pl_errorInput);
	plDestroyWorld(f.world);
}

static bool liveALife(Meter* meter, const plMesh* mesh, plError* error)
{
	plWorldDef wd = newtonWorldDef();
	wd.allocator = meterHook(meter);
	plWorld* world = plCreateWorld(&wd, error);
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.3, 1000.0);
	bd.mesh = mesh;
	plBodyId body = world != NULL ? plCreateSoftBody(world, &bd, error) : (plBodyId){0};
	bool fine = PL_IS_NON_NULL(body) && addCrate(world, error);
	for (int thing = 0; fine && thing < pl_thingCount; ++thing)
		fine = make(world, body, (plThing)thing, plThing_GetName((plThing)thing), error);
	plReaction r[pl_thingCount];
	fine = fine && plWorld_GetReactions(world, r, pl_thingCount) == pl_thingCount;
	if (fine)
		plDestroyBody(world, crate); // newton does not take it
	fine = fine && stepOrStay(world, 1, meter, error);
	plDestroyWorld(world);
	return fine;
}

TEST(any_allocation_of_things_with_names_may_fail)
{
	failEachAllocation(liveALife, unit, oneCell, 30);
}
