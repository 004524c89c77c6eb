// validate_test.c: a build with PLIANT_VALIDATE sees invariants that are broken on purpose, and says them in words
//
// A handler takes the place of the trap: it notes what is said and lets the program go on.
#include "test.h"
#include "world/fixture.h"

#include "base/slots.h"
#include "world/world.h"

static char said[4096]; // the words of what was broken, one after the other

static bool note(const char* condition, const char* words, const char* file, int line)
{
	(void)condition;
	(void)file;
	(void)line;
	if (strlen(said) + strlen(words) + 2 < sizeof said && strstr(said, words) == NULL)
		strcat(strcat(said, words), "\n");
	return true;
}

#ifdef PLIANT_VALIDATE
static const bool validates = true;
#else
static const bool validates = false;
#endif

// Was it said, where it ought to be? Other builds say nothing.
static bool isSaid(const char* words)
{
	return validates ? strstr(said, words) != NULL : said[0] == 0;
}

static void listen(void)
{
	said[0] = 0;
	plSetAssertHandler(note);
}

static Fixture makeBar(plMethod method)
{
	static const size_t cells[3] = {3, 1, 1};
	plWorldDef wd = plDefaultWorldDef();
	wd.solver = plDefaultSolverDef(method);
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.4, 1000.0);
	return makeFixture(&wd, &bd, (plVec3){3.0, 1.0, 1.0}, cells, true);
}

TEST(a_heap_that_gets_back_too_much_is_noticed)
{
	plHeap heap;
	plHeap_Init(&heap, NULL);
	char* memory = PL_NEW(&heap, char, 64);
	listen();
	plHeap_Free(&heap, memory, 65);
	plSetAssertHandler(NULL);
	CHECK(isSaid("a heap gets back no more than it gave"));
}

TEST(slots_that_lost_a_free_one_are_noticed)
{
	plHeap heap;
	plSlots slots;
	plHeap_Init(&heap, NULL);
	plSlots_Init(&slots, &heap, sizeof(int));
	for (int i = 0; i < 3; ++i)
		plSlots_Add(&slots, &i);
	plSlots_Remove(&slots, plSlots_At(&slots, 1));
	slots.freeCount = 0;
	listen();
	plSlots_Add(&slots, &(int){4});
	plSetAssertHandler(NULL);
	CHECK(isSaid("every free slot is listed"));
	plSlots_Destroy(&slots);
}

TEST(a_state_with_a_fourth_number_is_noticed)
{
	Fixture f = makeBar(pl_methodNewton);
	listen();
	PL_AT(f.world->q, f.n - 1)[3] = 1e-3;
	plWorld_Step(f.world, NULL, &f.error);
	plSetAssertHandler(NULL);
	CHECK(isSaid("the fourth number of a state is 0"));
	destroyFixture(&f);
}

TEST(attachments_that_changed_places_are_noticed)
{
	Fixture f = makeBar(pl_methodDescent);
	const uint32_t ends[2] = {(uint32_t)f.n - 1, (uint32_t)f.n - 2};
	plPinDef pin = pinOf(&f, ends);
	pin.vertexCount = 2;
	pin.stiffness = 100.0;
	plCreatePin(f.world, &pin, &f.error);
	CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	uint32_t* vertices = f.world->prepared.attachments->base.vertices;
	uint32_t first = vertices[0];
	vertices[0] = vertices[1];
	vertices[1] = first;
	listen();
	plWorld_Step(f.world, NULL, &f.error);
	plSetAssertHandler(NULL);
	CHECK(isSaid("soft attachments stand in the order of their pins"));
	destroyFixture(&f);
}

TEST(a_negative_number_that_a_method_keeps_is_noticed)
{
	Fixture f = makeBar(pl_methodDescent);
	CHECK(plWorld_Step(f.world, NULL, &f.error) >= 0);
	const plMethodType* type = plMethod_GetType(pl_methodDescent);
	type->kept(f.world->prepared.method)[2] = -1.0;
	listen();
	plWorld_Step(f.world, NULL, &f.error);
	plSetAssertHandler(NULL);
	CHECK(isSaid("what a method keeps can be loaded again"));
	destroyFixture(&f);
}

// The mass is the world's and part of the diagonal.
TEST(a_diagonal_below_0_is_noticed)
{
	Fixture f = makeBar(pl_methodQuasiNewton);
	for (size_t i = 0; i < f.n; ++i)
		f.world->mass[i] = -1e9;
	listen();
	plWorld_Step(f.world, NULL, &f.error);
	plSetAssertHandler(NULL);
	CHECK(isSaid("the diagonal of a Laplacian is above 0"));
	destroyFixture(&f);
}

TEST(a_sound_world_says_nothing)
{
	for (plMethod method = 0; method < pl_methodProjective; ++method)
	{
		WITH("%s", plMethod_GetName(method));
		Fixture f = makeBar(method);
		plColliderDef ground = plDefaultColliderDef();
		plCreateCollider(f.world, &ground, &f.error);
		listen();
		for (int i = 0; i < 3; ++i)
			plWorld_Step(f.world, NULL, &f.error);
		plSetAssertHandler(NULL);
		CHECK_TEXT(said, "");
		destroyFixture(&f);
	}
}
