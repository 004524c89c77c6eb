// render_picture_test.c: pictures of a box above the ground, drawn without a window
#include "test.h"

#include "app/render/renderer.h"

#include "render_box.h"

// OpenGL drivers keep memory after the context is gone and unload themselves, so their leaks have no name that could be
// excepted: under AddressSanitizer this program looks for everything but leaks.
const char* __asan_default_options(void);
const char* __asan_default_options(void)
{
	return "detect_leaks=0";
}

#define WIDTH 160
#define HEIGHT 120

typedef struct Shot
{
	plPicture picture;
	Box box;
	plSurface* surface;
	plPose pose;
	plStage stage;
	plRenderer* renderer; // NULL: no EGL here
	plError error;
} Shot;

// A bar of 4 x 1 x 1, twisted by `twist` radians from end to end, its lowest point `gap` above the ground.
static void openShot(Shot* s, double twist, double gap)
{
	*s = (Shot){.picture = {WIDTH, HEIGHT, malloc(3 * WIDTH * HEIGHT)}};
	makeBox(&s->box, 4, 1, 1);
	CHECK(s->box.mesh != NULL);
	s->surface = plCreateSurface(s->box.rest, s->box.vertexCount, s->box.tets, s->box.tetCount, 40.0, &s->error);
	CHECK(s->surface != NULL);
	s->pose.positions = malloc(3 * s->surface->pointCount * sizeof(float));
	s->pose.values = malloc(s->surface->pointCount * sizeof(float));
	plOutline outline = plMakeOutline();
	for (size_t p = 0; p < s->surface->pointCount; p++)
	{
		const double* x = s->box.rest + 3 * s->surface->points[p];
		double a = twist * (x[0] / 4.0 - 0.5), y = x[1] - 0.5, z = x[2] - 0.5;
		double q[3] = {x[0], cos(a) * y - sin(a) * z, sin(a) * y + cos(a) * z};
		plOutline_Add(&outline, q);
		for (int i = 0; i < 3; i++)
			s->pose.positions[3 * p + i] = (float)q[i];
		s->pose.values[p] = (float)(x[0] / 4.0);
	}
	s->stage = (plStage){.hasGround = true, .ground = outline.low[1] - gap, .width = WIDTH, .height = HEIGHT};
	s->stage.range[1] = 1.0;
	for (int i = 0; i < 3; i++)
	{
		s->stage.low[i] = outline.low[i];
		s->stage.high[i] = outline.high[i];
	}
	double direction[3];
	plChooseView(outline.low, outline.high, direction);
	s->stage.camera = plFitCamera(&outline, direction, (double)WIDTH / HEIGHT, 30.0);
}

static bool drawShot(Shot* s)
{
	const float red[3] = {0.7f, 0.02f, 0.02f};
	s->renderer = plCreateRenderer(&s->stage, &s->error);
	return s->renderer && plRenderer_AddBody(s->renderer, s->surface, red, &s->error) &&
	       plRenderer_Draw(s->renderer, &s->pose, &s->picture, &s->error);
}

static void closeShot(Shot* s)
{
	plDestroyRenderer(s->renderer);
	plDestroySurface(s->surface);
	freeBox(&s->box);
	free(s->pose.positions);
	free(s->pose.values);
	free(s->picture.rgb);
}

// The body is the only red thing.
static bool isBody(const uint8_t* p)
{
	return p[0] > p[1] + 40;
}

static double measureBody(const plPicture* picture)
{
	size_t count = 0;
	for (size_t i = 0; i < WIDTH * HEIGHT; i++)
		count += isBody(picture->rgb + 3 * i);
	return (double)count / (WIDTH * HEIGHT);
}

// Darkest and lightest pixel of the lower half that is no body: shadow and lit ground.
static void measureGround(const plPicture* picture, int* darkest, int* lightest)
{
	*darkest = 255;
	*lightest = 0;
	for (size_t i = WIDTH * HEIGHT / 2; i < WIDTH * HEIGHT; i++)
	{
		const uint8_t* p = picture->rgb + 3 * i;
		if (p[0] > p[2] + 4) // body, or a pixel that it shares
			continue;
		*darkest = p[1] < *darkest ? p[1] : *darkest;
		*lightest = p[1] > *lightest ? p[1] : *lightest;
	}
}

#define DRAW(shot)                                                                                                     \
	if (!drawShot(&shot))                                                                                              \
	{                                                                                                                  \
		bool missing = !shot.renderer && shot.error.code == pl_errorMissing;                                           \
		fprintf(stderr, "    %s\n", shot.error.message);                                                               \
		closeShot(&shot);                                                                                              \
		if (missing)                                                                                                   \
			SKIP("no OpenGL 3.3 without a window here");                                                               \
		CHECK(!"drawn");                                                                                               \
	}

TEST(a_body_covers_a_plausible_part_of_the_picture)
{
	Shot s;
	CALL(openShot(&s, 0.0, 0.2));
	DRAW(s);
	double part = measureBody(&s.picture);
	closeShot(&s);
	CHECK(part > 0.15);
	CHECK(part < 0.6);
}

TEST(the_ground_in_shadow_is_darker_than_the_ground_in_light)
{
	Shot s;
	int darkest, lightest, bare, bareLight;
	CALL(openShot(&s, 0.0, 0.2));
	DRAW(s);
	measureGround(&s.picture, &darkest, &lightest);
	closeShot(&s);
	CALL(openShot(&s, 0.0, 30.0)); // far above: its shadow lies elsewhere
	DRAW(s);
	measureGround(&s.picture, &bare, &bareLight);
	closeShot(&s);
	CHECK(lightest > 200);
	CHECK(darkest < lightest - 60);
	CHECK(bare > darkest + 40);
}

// Neighbours on a flat side hardly differ, or there is acne.
TEST(a_convex_body_casts_no_shadow_on_its_lit_sides)
{
	Shot s;
	CALL(openShot(&s, 0.0, 0.2));
	DRAW(s);
	int worst = 0, darkest = 255;
	for (size_t y = 49; y < 60; y++) // inside the long side
		for (size_t x = 45; x < 110; x++)
		{
			const uint8_t* p = s.picture.rgb + 3 * (y * WIDTH + x);
			int across = abs(p[0] - p[3]), down = abs(p[0] - p[3 * WIDTH]);
			worst = across > worst ? across : worst;
			worst = down > worst ? down : worst;
			darkest = p[0] < darkest ? p[0] : darkest;
		}
	closeShot(&s);
	CHECK(darkest > 190);
	CHECK_BELOW(worst, 3);
}

TEST(the_same_pose_gives_the_same_bytes)
{
	Shot s;
	CALL(openShot(&s, 2.0, 0.1));
	DRAW(s);
	uint8_t* first = malloc(3 * WIDTH * HEIGHT);
	memcpy(first, s.picture.rgb, 3 * WIDTH * HEIGHT);
	memset(s.picture.rgb, 0, 3 * WIDTH * HEIGHT);
	bool drawn = plRenderer_Draw(s.renderer, &s.pose, &s.picture, &s.error);
	bool again = memcmp(first, s.picture.rgb, 3 * WIDTH * HEIGHT) == 0;
	plDestroyRenderer(s.renderer);
	bool anew = drawShot(&s) && memcmp(first, s.picture.rgb, 3 * WIDTH * HEIGHT) == 0;
	free(first);
	closeShot(&s);
	CHECK(drawn);
	CHECK(again);
	CHECK(anew);
}

TEST(values_show_as_colours_of_the_map)
{
	Shot s;
	CALL(openShot(&s, 0.0, 0.2));
	s.stage.mapped = true;
	DRAW(s);
	// violet at x = 0, yellow at x = 4: both must occur
	size_t violet = 0, yellow = 0;
	for (size_t i = 0; i < WIDTH * HEIGHT; i++)
	{
		const uint8_t* p = s.picture.rgb + 3 * i;
		violet += p[2] > p[1] + 25 && p[0] > p[1] + 10;
		yellow += p[1] > p[2] + 50 && p[0] > p[2] + 50;
	}
	closeShot(&s);
	CHECK(violet > 50);
	CHECK(yellow > 50);
}

TEST(a_picture_too_large_for_opengl_is_refused)
{
	Shot s;
	CALL(openShot(&s, 0.0, 0.2));
	s.stage.width = s.stage.height = 20000;
	s.renderer = plCreateRenderer(&s.stage, &s.error);
	bool made = s.renderer != NULL, missing = s.error.code == pl_errorMissing;
	closeShot(&s);
	if (missing)
		SKIP("no OpenGL 3.3 without a window here");
	CHECK(!made);
	CHECK(strstr(s.error.message, "too large") || strstr(s.error.message, "not enough memory"));
}

TEST(a_png_appears_complete_or_not_at_all)
{
	uint8_t rgb[3 * 16 * 16];
	for (size_t i = 0; i < sizeof rgb; i++)
		rgb[i] = (uint8_t)i;
	plPicture picture = {16, 16, rgb};
	plError error;
	char head[8] = "";
	CHECK(plWritePng("render_test.png", &picture, &error) == 0);
	FILE* file = fopen("render_test.png", "rb");
	CHECK(file != NULL);
	CHECK(fread(head, 1, 8, file) == 8);
	fclose(file);
	remove("render_test.png");
	CHECK(memcmp(head, "\211PNG\r\n\032\n", 8) == 0);
	CHECK(plWritePng("no/such/folder/a.png", &picture, &error) == 2);
	CHECK_TEXT(error.message, "no/such/folder/a.png: cannot be written: No such file or directory");
}
