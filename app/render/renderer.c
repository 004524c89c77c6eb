// renderer.c: the passes of a picture
//
//   depth       bodies from the light: what the light reaches              2048 x 2048
//   cast        bodies along the light on the ground: coverage and height  1024 x 1024, then its mip levels
//   soften      penumbra and contact darkening                             512 x 512
//   picture     sky, ground, bodies                                        width x height, four samples a pixel
//   read        samples averaged in linear light, rows turned, bytes out
//
// Space: the stage moved to the centre of its box and divided by the box's diagonal, so that every constant here and in
// the shaders is relative to the size of what is shown.
#include "renderer.h"

#include "colour.h"
#include "gl.h"
#include "shaders.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_SIZE 2048
#define CAST_SIZE 1024
#define SOFT_SIZE 512
#define LIGHT_WIDTH 0.16 // penumbra per height of what casts it
#define GROUND_REACH 9.0 // where the ground has faded
#define VERTEX_FLOATS 7  // position, normal, value

typedef struct Body
{
	const plSurface* surface;
	float colour[3];
	GLuint array, vertices, rest, triangles;
	float* data;    // VERTEX_FLOATS per drawn vertex
	float* normals; // 3 per drawn vertex
	float size;     // largest side of the rest shape
} Body;

struct plRenderer
{
	plStage stage;
	double centre[3], size;
	float light[3]; // unit, to the light
	float eye[3], ground, square;
	float viewProjection[16], lightMatrix[16], castBox[4];
	float rays[3][3]; // background: direction at the lower left, along the lower edge, along the left edge
	float taps[2 * PL_TAP_COUNT];
	plContext context;
	GLuint background, depth, cast, soften, floor, body; // programs
	plTarget depthTarget, castTarget, softTarget, samples, resolved;
	GLuint colourMap, emptyArray;
	uint8_t* pixels;
	Body* bodies;
	size_t bodyCount;
};

double plStage_GetSquare(const plStage* stage)
{
	double size = 0.0;
	for (int i = 0; i < 3; i++)
		size += (stage->high[i] - stage->low[i]) * (stage->high[i] - stage->low[i]);
	double wanted = sqrt(size) / 5.0;
	if (!(wanted > 0.0))
		return 1.0;
	double power = pow(10.0, floor(log10(wanted)));
	double digit = wanted / power;
	return power * (digit < 1.5 ? 1.0 : digit < 3.5 ? 2.0 : digit < 7.5 ? 5.0 : 10.0);
}

// ---- what is fixed for the film -----------------------------------------------------------------------------------

static void normalise(double a[3])
{
	double length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
	for (int i = 0; i < 3; i++)
		a[i] /= length;
}

// The light stands high, to the left of the camera and a little before it: shadows fall to the right and away.
static void placeLight(plRenderer* r, const double right[3], const double back[3])
{
	double forward[3] = {back[0], 0.0, back[2]}, l[3];
	if (back[0] * back[0] + back[2] * back[2] < 1e-6)
		forward[2] = 1.0;
	normalise(forward);
	for (int i = 0; i < 3; i++)
		l[i] = -0.62 * right[i] + 0.30 * forward[i];
	l[1] = 1.0;
	normalise(l);
	for (int i = 0; i < 3; i++)
		r->light[i] = (float)l[i];
}

// Orthographic, around the ball that holds the box: the box's half diagonal is 1/2.
static void placeLightMatrix(plRenderer* r)
{
	double back[3] = {r->light[0], r->light[1], r->light[2]}, axes[3][3];
	plCamera toward = {.eye = {back[0], back[1], back[2]}};
	plCamera_GetAxes(&toward, axes[0], axes[1], axes[2]);
	double reach = 0.52;
	memset(r->lightMatrix, 0, sizeof r->lightMatrix);
	for (int column = 0; column < 3; column++)
	{
		r->lightMatrix[4 * column + 0] = (float)(axes[0][column] / reach);
		r->lightMatrix[4 * column + 1] = (float)(axes[1][column] / reach);
		r->lightMatrix[4 * column + 2] = (float)(-axes[2][column] / reach);
	}
	r->lightMatrix[15] = 1.0f;
}

// The box on the ground that can be in shadow: the stage's corners along the light, and a margin for the penumbra.
static void placeCastBox(plRenderer* r)
{
	double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
	for (int corner = 0; corner < 8; corner++)
	{
		double c[3];
		for (int i = 0; i < 3; i++)
			c[i] = ((corner >> i & 1 ? r->stage.high[i] : r->stage.low[i]) - r->centre[i]) / r->size;
		double h = fmax(c[1] - r->ground, 0.0) / r->light[1];
		for (int k = 0; k < 2; k++)
		{
			double x = c[2 * k] - h * r->light[2 * k];
			low[k] = fmin(low[k], x);
			high[k] = fmax(high[k], x);
		}
	}
	double side = fmax(high[0] - low[0], high[1] - low[1]) + 0.4;
	for (int k = 0; k < 2; k++)
	{
		r->castBox[k] = (float)(0.5 * (low[k] + high[k]) - 0.5 * side);
		r->castBox[2 + k] = (float)side;
	}
}

static void placeCamera(plRenderer* r)
{
	double axes[3][3], eye[3], distance = 0.0;
	double aspect = (double)r->stage.width / r->stage.height;
	plCamera_GetAxes(&r->stage.camera, axes[0], axes[1], axes[2]);
	for (int i = 0; i < 3; i++)
	{
		eye[i] = (r->stage.camera.eye[i] - r->centre[i]) / r->size;
		r->eye[i] = (float)eye[i];
		distance += eye[i] * eye[i];
	}
	distance = sqrt(distance);
	// Bodies lie within 1/2 of the centre. The near plane keeps a floor on depth resolution when the eye is inside.
	double near = fmax(distance - 0.75, 0.01);
	plCamera_GetMatrix(&r->stage.camera, aspect, r->centre, r->size, near, distance + 2.0 * GROUND_REACH,
	                   r->viewProjection);
	double half = tan(0.5 * r->stage.camera.fov * (3.14159265358979323846 / 180.0));
	for (int i = 0; i < 3; i++)
	{
		r->rays[0][i] = (float)(-axes[2][i] - half * aspect * axes[0][i] - half * axes[1][i]);
		r->rays[1][i] = (float)(2.0 * half * aspect * axes[0][i]);
		r->rays[2][i] = (float)(2.0 * half * axes[1][i]);
	}
	placeLight(r, axes[0], axes[2]);
}

static void placeStage(plRenderer* r)
{
	const plStage* s = &r->stage;
	double size = 0.0;
	for (int i = 0; i < 3; i++)
	{
		r->centre[i] = 0.5 * (s->low[i] + s->high[i]);
		size += (s->high[i] - s->low[i]) * (s->high[i] - s->low[i]);
	}
	r->size = size > 0.0 ? sqrt(size) : 1.0;
	// Without a ground nothing is near it.
	r->ground = s->hasGround ? (float)((s->ground - r->centre[1]) / r->size) : -1e6f;
	r->square = (float)(plStage_GetSquare(s) / r->size);
	placeCamera(r);
	placeLightMatrix(r);
	placeCastBox(r);
	// Evenly spread on the unit disk: radius sqrt((i + 1/2) / n), turned by the golden angle each (Vogel 1979).
	for (int i = 0; i < PL_TAP_COUNT; i++)
	{
		double radius = sqrt((i + 0.5) / PL_TAP_COUNT), angle = 2.39996322972865332 * i;
		r->taps[2 * i] = (float)(radius * cos(angle));
		r->taps[2 * i + 1] = (float)(radius * sin(angle));
	}
}

// ---- OpenGL objects -------------------------------------------------------------------------------------------------

static bool createPrograms(plRenderer* r, plError* error)
{
	return (r->background = plCreateProgram(plShader_fullVertex, plShader_backgroundFragment, error)) &&
	       (r->depth = plCreateProgram(plShader_depthVertex, NULL, error)) &&
	       (r->cast = plCreateProgram(plShader_castVertex, plShader_castFragment, error)) &&
	       (r->soften = plCreateProgram(plShader_fullVertex, plShader_softenFragment, error)) &&
	       (r->floor = plCreateProgram(plShader_groundVertex, plShader_groundFragment, error)) &&
	       (r->body = plCreateProgram(plShader_bodyVertex, plShader_bodyFragment, error));
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
	       plCreateTextureTarget(&r->castTarget, GL_RGBA16F, CAST_SIZE, true, error) &&
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
		snprintf(error->message, sizeof error->message, "no memory for a picture of %dx%d", stage->width,
		         stage->height);
		plDestroyRenderer(r);
		return NULL;
	}
	placeStage(r);
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
		for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
			glDeleteProgram(programs[i]);
		for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
			plDestroyTarget(targets[i]);
		for (size_t i = 0; i < r->bodyCount; i++)
		{
			const GLuint buffers[] = {r->bodies[i].vertices, r->bodies[i].rest, r->bodies[i].triangles};
			glDeleteVertexArrays(1, &r->bodies[i].array);
			glDeleteBuffers(3, buffers);
		}
		glDeleteTextures(1, &r->colourMap);
		glDeleteVertexArrays(1, &r->emptyArray);
		plDestroyContext(&r->context);
	}
	for (size_t i = 0; i < r->bodyCount; i++)
	{
		free(r->bodies[i].data);
		free(r->bodies[i].normals);
	}
	free(r->bodies);
	free(r->pixels);
	free(r);
}

static void createBuffers(Body* b)
{
	const plSurface* s = b->surface;
	const GLsizei stride = VERTEX_FLOATS * sizeof(float);
	glGenVertexArrays(1, &b->array);
	glGenBuffers(1, &b->vertices);
	glGenBuffers(1, &b->rest);
	glGenBuffers(1, &b->triangles);
	glBindVertexArray(b->array);
	glBindBuffer(GL_ARRAY_BUFFER, b->vertices);
	glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, stride, (void*)0);
	glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, stride, (void*)(3 * sizeof(float)));
	glVertexAttribPointer(2, 1, GL_FLOAT, GL_FALSE, stride, (void*)(6 * sizeof(float)));
	glBindBuffer(GL_ARRAY_BUFFER, b->rest);
	glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(3 * s->vertexCount * sizeof(float)), b->data, GL_STATIC_DRAW);
	glVertexAttribPointer(3, 3, GL_FLOAT, GL_FALSE, 0, (void*)0);
	for (GLuint i = 0; i < 4; i++)
		glEnableVertexAttribArray(i);
	glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, b->triangles);
	glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(3 * s->triangleCount * sizeof(uint32_t)), s->triangles,
	             GL_STATIC_DRAW);
	glBindVertexArray(0);
}

bool plRenderer_AddBody(plRenderer* r, const plSurface* surface, const float colour[3], plError* error)
{
	Body b = {.surface = surface, .colour = {colour[0], colour[1], colour[2]}};
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
		snprintf(error->message, sizeof error->message, "no memory to draw %zu triangles", surface->triangleCount);
		return false;
	}
	// Squares of the pattern: an odd shift keeps flat sides of boxes off the planes where the pattern changes.
	float cell = r->square * (float)r->size * 0.5f;
	for (size_t i = 0; i < 3 * surface->vertexCount; i++)
		b.data[i] = surface->rest[i] / cell + 0.0137f;
	createBuffers(&b);
	r->bodies[r->bodyCount++] = b;
	return true;
}

// ---- drawing --------------------------------------------------------------------------------------------------------

static void uploadPose(plRenderer* r, Body* b, const plPose* pose)
{
	const plSurface* s = b->surface;
	float offset[3], inverse = (float)(1.0 / r->size);
	double low = r->stage.range[0], width = r->stage.range[1] - r->stage.range[0];
	for (int i = 0; i < 3; i++)
		offset[i] = (float)((r->stage.origin[i] - r->centre[i]) / r->size);
	plSurface_ComputeNormals(s, pose->positions, b->normals);
	for (size_t v = 0; v < s->vertexCount; v++)
	{
		float* out = b->data + VERTEX_FLOATS * v;
		size_t point = s->vertexPoints[v];
		for (int i = 0; i < 3; i++)
		{
			out[i] = pose->positions[3 * point + i] * inverse + offset[i];
			out[3 + i] = b->normals[3 * v + i];
		}
		out[6] =
		    r->stage.mapped && width > 0.0 ? (float)fmin(fmax((pose->values[point] - low) / width, 0.0), 1.0) : 0.0f;
	}
	glBindBuffer(GL_ARRAY_BUFFER, b->vertices);
	glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(VERTEX_FLOATS * s->vertexCount * sizeof(float)), b->data,
	             GL_STREAM_DRAW);
}

static void drawBodies(const plRenderer* r)
{
	for (size_t i = 0; i < r->bodyCount; i++)
	{
		glBindVertexArray(r->bodies[i].array);
		glDrawElements(GL_TRIANGLES, (GLsizei)(3 * r->bodies[i].surface->triangleCount), GL_UNSIGNED_INT, NULL);
	}
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
	glUniform2fv(glGetUniformLocation(program, "taps"), PL_TAP_COUNT, r->taps);
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
	setMatrix(r->depth, "lightMatrix", r->lightMatrix);
	drawBodies(r);
	glDisable(GL_POLYGON_OFFSET_FILL);
}

static void drawGroundShadow(plRenderer* r)
{
	begin(&r->castTarget, r->cast);
	glEnable(GL_DEPTH_TEST);
	glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
	set3(r->cast, "light", r->light);
	set1(r->cast, "ground", r->ground);
	set4(r->cast, "castBox", r->castBox);
	drawBodies(r);
	glDisable(GL_DEPTH_TEST);
	glBindTexture(GL_TEXTURE_2D, r->castTarget.colour);
	glGenerateMipmap(GL_TEXTURE_2D);

	begin(&r->softTarget, r->soften);
	setTexture(r->soften, "occluders", 0, r->castTarget.colour);
	setTaps(r->soften, r);
	set4(r->soften, "castBox", r->castBox);
	set1(r->soften, "lightWidth", LIGHT_WIDTH);
	glBindVertexArray(r->emptyArray);
	glDrawArrays(GL_TRIANGLES, 0, 3);
	glBindTexture(GL_TEXTURE_2D, r->softTarget.colour);
	glGenerateMipmap(GL_TEXTURE_2D);
}

static void drawBackground(plRenderer* r)
{
	begin(&r->samples, r->background);
	glDisable(GL_DEPTH_TEST);
	glClear(GL_DEPTH_BUFFER_BIT);
	set3(r->background, "rayCorner", r->rays[0]);
	set3(r->background, "rayRight", r->rays[1]);
	set3(r->background, "rayUp", r->rays[2]);
	glBindVertexArray(r->emptyArray);
	glDrawArrays(GL_TRIANGLES, 0, 3);
	glEnable(GL_DEPTH_TEST);
}

static void drawGround(plRenderer* r)
{
	float centre[3];
	for (int i = 0; i < 3; i++)
		centre[i] = (float)(-r->centre[i] / r->size); // squares are counted from the world's origin
	begin(&r->samples, r->floor);
	setMatrix(r->floor, "viewProjection", r->viewProjection);
	setTexture(r->floor, "softShadow", 0, r->softTarget.colour);
	set4(r->floor, "castBox", r->castBox);
	set3(r->floor, "centre", centre);
	set1(r->floor, "ground", r->ground);
	set1(r->floor, "square", r->square);
	set1(r->floor, "reach", (float)GROUND_REACH);
	glBindVertexArray(r->emptyArray);
	glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

static void drawShadedBodies(plRenderer* r)
{
	begin(&r->samples, r->body);
	setMatrix(r->body, "viewProjection", r->viewProjection);
	setMatrix(r->body, "lightMatrix", r->lightMatrix);
	setTexture(r->body, "shadowMap", 0, r->depthTarget.depth);
	setTexture(r->body, "colourMap", 1, r->colourMap);
	setTaps(r->body, r);
	set3(r->body, "light", r->light);
	set3(r->body, "eye", r->eye);
	set1(r->body, "ground", r->ground);
	set1(r->body, "mapped", r->stage.mapped ? 1.0f : 0.0f);
	set1(r->body, "pattern", r->stage.patterned ? 0.22f : 0.0f);
	GLint albedo = glGetUniformLocation(r->body, "albedo");
	for (size_t i = 0; i < r->bodyCount; i++)
	{
		glUniform3fv(albedo, 1, r->bodies[i].colour);
		glBindVertexArray(r->bodies[i].array);
		glDrawElements(GL_TRIANGLES, (GLsizei)(3 * r->bodies[i].surface->triangleCount), GL_UNSIGNED_INT, NULL);
	}
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
	for (size_t y = 0; y < height; y++)
	{
		const uint8_t* in = r->pixels + 4 * width * (height - 1 - y);
		uint8_t* out = picture->rgb + 3 * width * y;
		for (size_t x = 0; x < width; x++)
			for (int k = 0; k < 3; k++)
				out[3 * x + k] = in[4 * x + k];
	}
}

bool plRenderer_Draw(plRenderer* r, const plPose* poses, plPicture* picture, plError* error)
{
	for (size_t i = 0; i < r->bodyCount; i++)
		uploadPose(r, &r->bodies[i], &poses[i]);
	glDisable(GL_FRAMEBUFFER_SRGB);
	drawDepth(r);
	if (r->stage.hasGround)
		drawGroundShadow(r);
	glEnable(GL_FRAMEBUFFER_SRGB);
	drawBackground(r);
	if (r->stage.hasGround)
		drawGround(r);
	drawShadedBodies(r);
	readPicture(r, picture);
	GLenum code = glGetError();
	if (code == GL_NO_ERROR)
		return true;
	error->code = code == GL_OUT_OF_MEMORY ? pl_errorMemory : pl_errorMissing;
	snprintf(error->message, sizeof error->message, "OpenGL stopped drawing (error 0x%x)", code);
	return false;
}
