// renderer.c: the passes of a picture
//
//   depth       bodies from the light: what the light reaches              1536 x 1536
//   cast        bodies along the light on the ground: coverage and height  1024 x 1024, then its mip levels
//   soften      penumbra and contact darkening                             400 x 400
//   picture     sky, ground, bodies                                        width x height, four samples a pixel
//   read        samples averaged in linear light, rows turned, bytes out
//
// In the layout's space every constant, here and in the shaders, is relative to the size of what is shown.
#ifdef PL_WITH_RENDER
#include "renderer.h"

#include "colour.h"
#include "gl.h"
#include "layout.h"
#include "shaders.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_SIZE 1536
#define CAST_SIZE 1024
#define SOFT_SIZE 400
#define LIGHT_WIDTH 0.11 // penumbra per height of what casts it
#define VERTEX_FLOATS 7  // position, normal, value

typedef struct Body
{
	const plSurface* surface;
	bool shadowless; // in this frame
	GLuint array, vertices, rest, colours, triangles;
	float* data;    // VERTEX_FLOATS per drawn vertex
	float* normals; // 3 per drawn vertex
} Body;

struct plRenderer
{
	plStage stage;
	plLayout layout;
	float castLow[2], castHigh[2]; // of this frame, within castBox
	plContext context;
	GLuint background, depth, cast, soften, floor, body; // programs
	plTarget depthTarget, castTarget, softTarget, samples, resolved;
	GLuint colourMap, emptyArray;
	uint8_t* pixels;
	Body* bodies;
	size_t bodyCount;
};

// ---- OpenGL objects -------------------------------------------------------------------------------------------------

static bool createPrograms(plRenderer* r, plError* error)
{
	char constants[128];
	snprintf(constants, sizeof constants, "const bool mapped = %s; const bool patterned = %s;\n",
	         r->stage.mapped ? "true" : "false", r->stage.patterned ? "true" : "false");
	return (r->background = plCreateProgram(plShader_fullVertex, plShader_backgroundFragment, "", error)) &&
	       (r->depth = plCreateProgram(plShader_depthVertex, NULL, "", error)) &&
	       (r->cast = plCreateProgram(plShader_castVertex, plShader_castFragment, "", error)) &&
	       (r->soften = plCreateProgram(plShader_fullVertex, plShader_softenFragment, "", error)) &&
	       (r->floor = plCreateProgram(plShader_groundVertex, plShader_groundFragment, "", error)) &&
	       (r->body = plCreateProgram(plShader_bodyVertex, plShader_bodyFragment, constants, error));
}

static bool createTargets(plRenderer* r, plError* error)
{
	GLint most = 0, samples = 0;
	int width = r->stage.width, height = r->stage.height;
	glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &most);
	glGetIntegerv(GL_MAX_SAMPLES, &samples);
	if (width > most || height > most)
	{
		error->code = pl_errorInput;
		snprintf(error->message, sizeof error->message,
		         "a picture of %dx%d is too large: OpenGL here draws up to %dx%d", width, height, most, most);
		return false;
	}
	return plCreatePictureTarget(&r->samples, width, height, samples < 4 ? (samples < 1 ? 1 : samples) : 4, error) &&
	       plCreatePictureTarget(&r->resolved, width, height, 0, error) &&
	       plCreateShadowTarget(&r->depthTarget, DEPTH_SIZE, error) &&
	       plCreateTextureTarget(&r->castTarget, GL_RGBA8, CAST_SIZE, true, error) &&
	       plCreateTextureTarget(&r->softTarget, GL_RGBA8, SOFT_SIZE, false, error);
}

static void createColourMap(plRenderer* r)
{
	uint8_t map[3 * PL_COLOUR_COUNT];
	plMakeColourMap(map);
	r->colourMap = plCreateTexture(GL_SRGB8, PL_COLOUR_COUNT, 1, false);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
	glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, PL_COLOUR_COUNT, 1, GL_RGB, GL_UNSIGNED_BYTE, map);
}

plRenderer* plCreateRenderer(const plStage* stage, plError* error)
{
	plRenderer* r = calloc(1, sizeof *r);
	if (r)
	{
		r->stage = *stage;
		r->context.display = EGL_NO_DISPLAY;
		r->pixels = malloc((size_t)stage->width * (size_t)stage->height * 4);
	}
	if (!r || !r->pixels)
	{
		error->code = pl_errorMemory;
		snprintf(error->message, sizeof error->message, "not enough memory for a picture of %dx%d", stage->width,
		         stage->height);
		plDestroyRenderer(r);
		return NULL;
	}
	plStage_GetLayout(stage, &r->layout);
	if (!plCreateContext(&r->context, error) || !createPrograms(r, error) || !createTargets(r, error))
	{
		plDestroyRenderer(r);
		return NULL;
	}
	createColourMap(r);
	glGenVertexArrays(1, &r->emptyArray);
	return r;
}

void plDestroyRenderer(plRenderer* r)
{
	if (!r)
		return;
	if (r->context.display != EGL_NO_DISPLAY)
	{
		const GLuint programs[] = {r->background, r->depth, r->cast, r->soften, r->floor, r->body};
		plTarget* targets[] = {&r->depthTarget, &r->castTarget, &r->softTarget, &r->samples, &r->resolved};
		for (size_t i = 0; i < sizeof programs / sizeof *programs; ++i)
			glDeleteProgram(programs[i]);
		for (size_t i = 0; i < sizeof targets / sizeof *targets; ++i)
			plDestroyTarget(targets[i]);
		for (size_t i = 0; i < r->bodyCount; ++i)
		{
			const GLuint buffers[] = {r->bodies[i].vertices, r->bodies[i].rest, r->bodies[i].colours,
			                          r->bodies[i].triangles};
			glDeleteVertexArrays(1, &r->bodies[i].array);
			glDeleteBuffers(4, buffers);
		}
		glDeleteTextures(1, &r->colourMap);
		glDeleteVertexArrays(1, &r->emptyArray);
		plDestroyContext(&r->context);
	}
	for (size_t i = 0; i < r->bodyCount; ++i)
	{
		free(r->bodies[i].data);
		free(r->bodies[i].normals);
	}
	free(r->bodies);
	free(r->pixels);
	free(r);
}

// `colours`: 3 per drawn vertex
static void createBuffers(Body* b, const float* colours)
{
	const plSurface* s = b->surface;
	const GLsizei stride = VERTEX_FLOATS * sizeof(float);
	glGenVertexArrays(1, &b->array);
	glGenBuffers(1, &b->vertices);
	glGenBuffers(1, &b->rest);
	glGenBuffers(1, &b->colours);
	glGenBuffers(1, &b->triangles);
	glBindVertexArray(b->array);
	glBindBuffer(GL_ARRAY_BUFFER, b->vertices);
	glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, stride, (void*)0);
	glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, stride, (void*)(3 * sizeof(float)));
	glVertexAttribPointer(2, 1, GL_FLOAT, GL_FALSE, stride, (void*)(6 * sizeof(float)));
	glBindBuffer(GL_ARRAY_BUFFER, b->rest);
	glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(3 * s->vertexCount * sizeof(float)), b->data, GL_STATIC_DRAW);
	glVertexAttribPointer(3, 3, GL_FLOAT, GL_FALSE, 0, (void*)0);
	glBindBuffer(GL_ARRAY_BUFFER, b->colours);
	glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(3 * s->vertexCount * sizeof(float)), colours, GL_STATIC_DRAW);
	glVertexAttribPointer(4, 3, GL_FLOAT, GL_FALSE, 0, (void*)0);
	for (GLuint i = 0; i < 5; ++i)
		glEnableVertexAttribArray(i);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, b->triangles);
	glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(3 * s->triangleCount * sizeof(uint32_t)), s->triangles,
	             GL_STATIC_DRAW);
	glBindVertexArray(0);
}

// Coordinates of the pattern: whole squares along each side of the rest shape, half as large as the ground's, and drawn
// in a little so that a flat side does not lie on the plane where the pattern changes.
static void placePattern(const plRenderer* r, Body* b)
{
	const plSurface* s = b->surface;
	double cell = 0.5 * r->layout.square * r->layout.size, inset = 0.01;
	for (int i = 0; i < 3; ++i)
	{
		double extent = 0.0;
		for (size_t v = 0; v < s->vertexCount; ++v)
			extent = fmax(extent, s->rest[3 * v + i]);
		double squares = fmax(rint(extent / cell), 1.0);
		double scale = extent > 0.0 ? (squares - 2.0 * inset) / extent : 0.0;
		for (size_t v = 0; v < s->vertexCount; ++v)
			b->data[3 * v + i] = (float)(inset + scale * s->rest[3 * v + i]);
	}
}

static void spreadColours(const plSurface* s, const float* colours, float* to)
{
	for (size_t v = 0; v < s->vertexCount; ++v)
		memcpy(to + 3 * v, colours + (s->parts ? 3 * (size_t)s->parts[v] : 0), 3 * sizeof *to);
}

bool plRenderer_AddBody(plRenderer* r, const plSurface* surface, const float* colours, plError* error)
{
	Body b = {.surface = surface};
	Body* bodies = realloc(r->bodies, (r->bodyCount + 1) * sizeof *bodies);
	if (bodies)
		r->bodies = bodies;
	b.data = malloc(VERTEX_FLOATS * surface->vertexCount * sizeof *b.data);
	b.normals = malloc(3 * surface->vertexCount * sizeof *b.normals);
	if (!bodies || !b.data || !b.normals)
	{
		free(b.data);
		free(b.normals);
		error->code = pl_errorMemory;
		snprintf(error->message, sizeof error->message, "not enough memory to draw %zu triangles",
		         surface->triangleCount);
		return false;
	}
	placePattern(r, &b);
	spreadColours(surface, colours, b.normals); // until there are any
	createBuffers(&b, b.normals);
	r->bodies[r->bodyCount++] = b;
	return true;
}

// ---- drawing --------------------------------------------------------------------------------------------------------

static void uploadPose(plRenderer* r, Body* b, const plPose* pose)
{
	const plSurface* s = b->surface;
	float offset[3], inverse = (float)(1.0 / r->layout.size);
	double low = r->stage.range[0], width = r->stage.range[1] - r->stage.range[0];
	for (int i = 0; i < 3; ++i)
		offset[i] = (float)((r->stage.origin[i] - r->layout.centre[i]) / r->layout.size);
	b->shadowless = pose->shadowless;
	plSurface_ComputeNormals(s, pose->positions, b->normals);
	for (size_t v = 0; v < s->vertexCount; ++v)
	{
		float* out = b->data + VERTEX_FLOATS * v;
		size_t point = s->vertexPoints[v];
		for (int i = 0; i < 3; ++i)
		{
			out[i] = pose->positions[3 * point + i] * inverse + offset[i];
			out[3 + i] = b->normals[3 * v + i];
		}
		for (int k = 0; k < 2 && !pose->shadowless; ++k)
		{
			float x = out[2 * k] - (out[1] - r->layout.ground) * r->layout.light[2 * k] / r->layout.light[1];
			r->castLow[k] = fminf(r->castLow[k], x);
			r->castHigh[k] = fmaxf(r->castHigh[k], x);
		}
		out[6] = r->stage.mapped && !pose->plain && width > 0.0
		             ? (float)fmin(fmax((pose->values[point] - low) / width, 0.0), 1.0)
		             : 0.0f;
	}
	glBindBuffer(GL_ARRAY_BUFFER, b->vertices);
	glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(VERTEX_FLOATS * s->vertexCount * sizeof(float)), b->data,
	             GL_STREAM_DRAW);
}

static void drawBody(const Body* b)
{
	glBindVertexArray(b->array);
	glDrawElements(GL_TRIANGLES, (GLsizei)(3 * b->surface->triangleCount), GL_UNSIGNED_INT, NULL);
}

static void drawCasters(const plRenderer* r)
{
	for (size_t i = 0; i < r->bodyCount; ++i)
		if (!r->bodies[i].shadowless)
			drawBody(&r->bodies[i]);
}

static void begin(const plTarget* target, GLuint program)
{
	glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
	glViewport(0, 0, target->width, target->height);
	glUseProgram(program);
}

static void set1(GLuint program, const char* name, float value)
{
	glUniform1f(glGetUniformLocation(program, name), value);
}

static void set3(GLuint program, const char* name, const float* value)
{
	glUniform3fv(glGetUniformLocation(program, name), 1, value);
}

static void set4(GLuint program, const char* name, const float* value)
{
	glUniform4fv(glGetUniformLocation(program, name), 1, value);
}

static void setMatrix(GLuint program, const char* name, const float* value)
{
	glUniformMatrix4fv(glGetUniformLocation(program, name), 1, GL_FALSE, value);
}

static void setTaps(GLuint program, const plRenderer* r)
{
	glUniform2fv(glGetUniformLocation(program, "taps"), PL_TAP_COUNT, r->layout.taps);
}

static void setTexture(GLuint program, const char* name, int unit, GLuint texture)
{
	glActiveTexture((GLenum)(GL_TEXTURE0 + unit));
	glBindTexture(GL_TEXTURE_2D, texture);
	glUniform1i(glGetUniformLocation(program, name), unit);
}

// Slope-scaled offset: a face seen edge-on by the light must not shade itself.
static void drawDepth(plRenderer* r)
{
	begin(&r->depthTarget, r->depth);
	glEnable(GL_DEPTH_TEST);
	glEnable(GL_POLYGON_OFFSET_FILL);
	glPolygonOffset(1.5f, 4.0f);
	glClear(GL_DEPTH_BUFFER_BIT);
	setMatrix(r->depth, "lightMatrix", r->layout.lightMatrix);
	drawCasters(r);
	glDisable(GL_POLYGON_OFFSET_FILL);
}

// Only where this frame's shadow can be: its extent and the widest penumbra.
static void scissorCast(const plRenderer* r)
{
	int low[2], high[2];
	for (int k = 0; k < 2; ++k)
	{
		float scale = (float)SOFT_SIZE / r->layout.castBox[2 + k];
		low[k] = (int)fmaxf(floorf((r->castLow[k] - PL_CAST_MARGIN - r->layout.castBox[k]) * scale), 0.0f);
		high[k] = (int)fminf(ceilf((r->castHigh[k] + PL_CAST_MARGIN - r->layout.castBox[k]) * scale), (float)SOFT_SIZE);
	}
	glEnable(GL_SCISSOR_TEST);
	glScissor(low[0], low[1], high[0] > low[0] ? high[0] - low[0] : 0, high[1] > low[1] ? high[1] - low[1] : 0);
}

static void drawGroundShadow(plRenderer* r)
{
	begin(&r->castTarget, r->cast);
	glEnable(GL_DEPTH_TEST);
	glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
	set3(r->cast, "light", r->layout.light);
	set1(r->cast, "ground", r->layout.ground);
	set4(r->cast, "castBox", r->layout.castBox);
	drawCasters(r);
	glDisable(GL_DEPTH_TEST);
	glBindTexture(GL_TEXTURE_2D, r->castTarget.colour);
	glGenerateMipmap(GL_TEXTURE_2D);

	begin(&r->softTarget, r->soften);
	glClear(GL_COLOR_BUFFER_BIT);
	scissorCast(r);
	setTexture(r->soften, "occluders", 0, r->castTarget.colour);
	setTaps(r->soften, r);
	set4(r->soften, "castBox", r->layout.castBox);
	set1(r->soften, "lightWidth", LIGHT_WIDTH);
	glBindVertexArray(r->emptyArray);
	glDrawArrays(GL_TRIANGLES, 0, 3);
	glDisable(GL_SCISSOR_TEST);
	glBindTexture(GL_TEXTURE_2D, r->softTarget.colour);
	glGenerateMipmap(GL_TEXTURE_2D);
}

static void drawBackground(plRenderer* r)
{
	begin(&r->samples, r->background);
	set3(r->background, "rayCorner", r->layout.rays[0]);
	set3(r->background, "rayRight", r->layout.rays[1]);
	set3(r->background, "rayUp", r->layout.rays[2]);
	glBindVertexArray(r->emptyArray);
	glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void drawGround(plRenderer* r)
{
	float centre[3];
	for (int i = 0; i < 3; ++i)
		centre[i] = (float)(-r->layout.centre[i] / r->layout.size); // squares are counted from the world's origin
	begin(&r->samples, r->floor);
	setMatrix(r->floor, "viewProjection", r->layout.viewProjection);
	setTexture(r->floor, "softShadow", 0, r->softTarget.colour);
	set4(r->floor, "castBox", r->layout.castBox);
	set3(r->floor, "centre", centre);
	set1(r->floor, "ground", r->layout.ground);
	set1(r->floor, "square", r->layout.square);
	set1(r->floor, "reach", PL_GROUND_REACH);
	glBindVertexArray(r->emptyArray);
	glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

static void drawShadedBodies(plRenderer* r, const plPose* poses)
{
	begin(&r->samples, r->body);
	glEnable(GL_DEPTH_TEST);
	glClear(GL_DEPTH_BUFFER_BIT);
	setMatrix(r->body, "viewProjection", r->layout.viewProjection);
	setMatrix(r->body, "lightMatrix", r->layout.lightMatrix);
	setTexture(r->body, "shadowMap", 0, r->depthTarget.depth);
	setTexture(r->body, "colourMap", 1, r->colourMap);
	setTaps(r->body, r);
	set3(r->body, "light", r->layout.light);
	set3(r->body, "eye", r->layout.eye);
	set1(r->body, "ground", r->layout.ground);
	GLint plain = glGetUniformLocation(r->body, "plain"), sheet = glGetUniformLocation(r->body, "sheet");
	glEnable(GL_CULL_FACE);
	for (size_t i = 0; i < r->bodyCount; ++i)
	{
		glUniform1i(plain, poses[i].plain);
		glUniform1i(sheet, poses[i].sheet);
		drawBody(&r->bodies[i]);
		if (poses[i].inverted ||
		    poses[i].sheet) // the inside shows where elements are turned inside out, and the back of a sheet
		{
			glCullFace(GL_FRONT);
			drawBody(&r->bodies[i]);
			glCullFace(GL_BACK);
		}
	}
	glDisable(GL_CULL_FACE);
}

static void readPicture(plRenderer* r, plPicture* picture)
{
	size_t width = (size_t)r->stage.width, height = (size_t)r->stage.height;
	glBindFramebuffer(GL_READ_FRAMEBUFFER, r->samples.framebuffer);
	glBindFramebuffer(GL_DRAW_FRAMEBUFFER, r->resolved.framebuffer);
	glBlitFramebuffer(0, 0, r->stage.width, r->stage.height, 0, 0, r->stage.width, r->stage.height, GL_COLOR_BUFFER_BIT,
	                  GL_NEAREST);
	glBindFramebuffer(GL_READ_FRAMEBUFFER, r->resolved.framebuffer);
	glReadPixels(0, 0, r->stage.width, r->stage.height, GL_RGBA, GL_UNSIGNED_BYTE, r->pixels);
	for (size_t y = 0; y < height; ++y)
	{
		const uint8_t* in = r->pixels + 4 * width * (height - 1 - y);
		uint8_t* out = picture->rgb + 3 * width * y;
		for (size_t x = 0; x < width; ++x)
			for (int k = 0; k < 3; ++k)
				out[3 * x + k] = in[4 * x + k];
	}
}

bool plRenderer_Draw(plRenderer* r, const plPose* poses, plPicture* picture, plError* error)
{
	for (int k = 0; k < 2; ++k)
		r->castLow[k] = INFINITY, r->castHigh[k] = -INFINITY;
	for (size_t i = 0; i < r->bodyCount; ++i)
		uploadPose(r, &r->bodies[i], &poses[i]);
	glDisable(GL_FRAMEBUFFER_SRGB);
	glDepthFunc(GL_LEQUAL); // the background lies at the largest depth
	drawDepth(r);
	if (r->stage.hasGround)
		drawGroundShadow(r);
	glEnable(GL_FRAMEBUFFER_SRGB);
	drawShadedBodies(r, poses);
	if (r->stage.hasGround)
		drawGround(r);
	drawBackground(r);
	readPicture(r, picture);
	GLenum code = glGetError();
	if (code == GL_NO_ERROR)
		return true;
	error->code = code == GL_OUT_OF_MEMORY ? pl_errorMemory : pl_errorMissing;
	snprintf(error->message, sizeof error->message, "OpenGL stopped drawing (error 0x%x)", code);
	return false;
}

#endif
