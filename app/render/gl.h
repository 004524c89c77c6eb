// gl.h: an OpenGL 3.3 context without a window, and the objects a renderer is made of
#ifndef PL_RENDER_GL_H
#define PL_RENDER_GL_H

#include "pliant/base.h"

#include <EGL/egl.h>
#define GL_GLEXT_PROTOTYPES
#include <GL/glcorearb.h>

typedef struct plContext
{
	EGLDisplay display;
	EGLContext context;
} plContext;

// Makes a context and makes it current. False and a message with EGL's reason and the packages that are needed.
bool plCreateContext(plContext* context, plError* error);
void plDestroyContext(plContext* context);

// 0 and the compiler's words on error. `fragment` may be NULL: depth only. `constants` go before the fragment's text: a
// branch on a constant costs nothing, one on a uniform costs both sides where there is no GPU.
GLuint plCreateProgram(const char* vertex, const char* fragment, const char* constants, plError* error);

// Texture of one level, or of all levels if mipmapped; no repetition, black outside.
GLuint plCreateTexture(GLenum format, int width, int height, bool mipmapped);

// A framebuffer and what it draws to.
typedef struct plTarget
{
	GLuint framebuffer;
	GLuint colour; // texture, or renderbuffer if multisampled; 0: depth only
	GLuint depth;  // texture if there is no colour, else renderbuffer; 0: none
	bool textured; // colour is a texture
	int width, height;
} plTarget;

// Picture to be read back: sRGB, with depth if samples > 0.
bool plCreatePictureTarget(plTarget* target, int width, int height, int samples, plError* error);
// Texture to be sampled later, with or without a depth buffer.
bool plCreateTextureTarget(plTarget* target, GLenum format, int size, bool withDepth, plError* error);
// Depth to be compared with: a shadow map.
bool plCreateShadowTarget(plTarget* target, int size, plError* error);
void plDestroyTarget(plTarget* target);

#endif
