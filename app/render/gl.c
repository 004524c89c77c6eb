// gl.c: OpenGL without a window: EGL's surfaceless platform, programs, offscreen targets
//
// The display is taken from the first that answers: surfaceless (Mesa, with or without a GPU), a device, the default.
// Everything is drawn into framebuffer objects, so that no surface is ever made.
#ifdef PL_WITH_RENDER
#include "gl.h"

#include <EGL/eglext.h>
#include <stdio.h>
#include <string.h>

static const char* eglReason(EGLint code)
{
	static const struct
	{
		EGLint code;
		const char* words;
	} reasons[] = {
	    {EGL_NOT_INITIALIZED, "EGL_NOT_INITIALIZED"},
	    {EGL_BAD_ALLOC, "EGL_BAD_ALLOC"},
	    {EGL_BAD_MATCH, "EGL_BAD_MATCH"},
	    {EGL_BAD_CONFIG, "EGL_BAD_CONFIG"},
	    {EGL_BAD_ATTRIBUTE, "EGL_BAD_ATTRIBUTE"},
	    {EGL_BAD_DISPLAY, "EGL_BAD_DISPLAY"},
	    {EGL_BAD_PARAMETER, "EGL_BAD_PARAMETER"},
	    {EGL_BAD_ACCESS, "EGL_BAD_ACCESS"},
	    {EGL_BAD_CONTEXT, "EGL_BAD_CONTEXT"},
	    {EGL_SUCCESS, "no display answered"},
	};
	for (size_t i = 0; i < sizeof reasons / sizeof *reasons; ++i)
		if (reasons[i].code == code)
			return reasons[i].words;
	return "unknown EGL error";
}

static bool hasExtension(const char* list, const char* name)
{
	size_t length = strlen(name);
	for (const char* at = list; at && (at = strstr(at, name)); at += length)
		if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == 0))
			return true;
	return false;
}

static EGLDisplay openPlatform(PFNEGLGETPLATFORMDISPLAYEXTPROC getDisplay, EGLenum platform, void* native)
{
	EGLDisplay display = getDisplay(platform, native, NULL);
	if (display != EGL_NO_DISPLAY && eglInitialize(display, NULL, NULL))
		return display;
	return EGL_NO_DISPLAY;
}

static EGLDisplay openDevice(PFNEGLGETPLATFORMDISPLAYEXTPROC getDisplay)
{
	PFNEGLQUERYDEVICESEXTPROC query = (PFNEGLQUERYDEVICESEXTPROC)eglGetProcAddress("eglQueryDevicesEXT");
	EGLDeviceEXT devices[16];
	EGLint count = 0;
	if (!query || !query(16, devices, &count))
		return EGL_NO_DISPLAY;
	for (EGLint i = 0; i < count; ++i)
	{
		EGLDisplay display = openPlatform(getDisplay, EGL_PLATFORM_DEVICE_EXT, devices[i]);
		if (display != EGL_NO_DISPLAY)
			return display;
	}
	return EGL_NO_DISPLAY;
}

static EGLDisplay openDisplay(void)
{
	const char* extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
	PFNEGLGETPLATFORMDISPLAYEXTPROC getDisplay =
	    (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
	EGLDisplay display = EGL_NO_DISPLAY;
	if (getDisplay && hasExtension(extensions, "EGL_MESA_platform_surfaceless"))
		display = openPlatform(getDisplay, EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY);
	if (display == EGL_NO_DISPLAY && getDisplay && hasExtension(extensions, "EGL_EXT_platform_device"))
		display = openDevice(getDisplay);
	if (display == EGL_NO_DISPLAY)
	{
		display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
		if (display != EGL_NO_DISPLAY && !eglInitialize(display, NULL, NULL))
			display = EGL_NO_DISPLAY;
	}
	return display;
}

bool plCreateContext(plContext* c, plError* error)
{
	const EGLint configAttributes[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
	const EGLint contextAttributes[] = {
	    EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
	    EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
	EGLConfig config = NULL;
	EGLint count = 0;
	const char* stage = "open a display";
	c->context = EGL_NO_CONTEXT;
	c->display = openDisplay();
	if (c->display != EGL_NO_DISPLAY)
	{
		stage = "make an OpenGL 3.3 context";
		if (eglBindAPI(EGL_OPENGL_API) && eglChooseConfig(c->display, configAttributes, &config, 1, &count) &&
		    count > 0)
			c->context = eglCreateContext(c->display, config, EGL_NO_CONTEXT, contextAttributes);
		if (c->context != EGL_NO_CONTEXT && eglMakeCurrent(c->display, EGL_NO_SURFACE, EGL_NO_SURFACE, c->context))
			return true;
	}
	error->code = pl_errorMissing;
	snprintf(error->message, sizeof error->message,
	         "cannot %s without a window: %s; on Debian the packages libegl1 and libgl1-mesa-dri are needed", stage,
	         eglReason(eglGetError()));
	plDestroyContext(c);
	return false;
}

void plDestroyContext(plContext* c)
{
	if (c->display == EGL_NO_DISPLAY)
		return;
	eglMakeCurrent(c->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
	if (c->context != EGL_NO_CONTEXT)
		eglDestroyContext(c->display, c->context);
	eglTerminate(c->display);
	eglReleaseThread();
	c->context = EGL_NO_CONTEXT;
	c->display = EGL_NO_DISPLAY;
}

// ---- programs -------------------------------------------------------------------------------------------------------

static bool attachShader(GLuint program, GLenum kind, const char* constants, const char* text, plError* error)
{
	GLint good = 0;
	GLuint shader = glCreateShader(kind);
	const char* parts[] = {"#version 330 core\n", constants, text};
	glShaderSource(shader, 3, parts, NULL);
	glCompileShader(shader);
	glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
	if (good)
		glAttachShader(program, shader);
	else
	{
		int length = snprintf(error->message, sizeof error->message, "OpenGL refuses a shader: ");
		glGetShaderInfoLog(shader, (GLsizei)sizeof error->message - length, NULL, error->message + length);
		error->code = pl_errorMissing;
	}
	glDeleteShader(shader); // lives on as long as the program
	return good;
}

GLuint plCreateProgram(const char* vertex, const char* fragment, const char* constants, plError* error)
{
	GLint good = 0;
	GLuint program = glCreateProgram();
	if (attachShader(program, GL_VERTEX_SHADER, "", vertex, error) &&
	    (!fragment || attachShader(program, GL_FRAGMENT_SHADER, constants, fragment, error)))
	{
		glLinkProgram(program);
		glGetProgramiv(program, GL_LINK_STATUS, &good);
		if (!good)
		{
			int length = snprintf(error->message, sizeof error->message, "OpenGL cannot link a program: ");
			glGetProgramInfoLog(program, (GLsizei)sizeof error->message - length, NULL, error->message + length);
			error->code = pl_errorMissing;
		}
	}
	if (good)
		return program;
	glDeleteProgram(program);
	return 0;
}

// ---- textures and targets -------------------------------------------------------------------------------------------

GLuint plCreateTexture(GLenum format, int width, int height, bool mipmapped)
{
	GLuint texture;
	GLenum source = format == GL_DEPTH_COMPONENT24 ? GL_DEPTH_COMPONENT : GL_RGBA;
	glGenTextures(1, &texture);
	glBindTexture(GL_TEXTURE_2D, texture);
	glTexImage2D(GL_TEXTURE_2D, 0, (GLint)format, width, height, 0, source, GL_FLOAT, NULL);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, mipmapped ? GL_LINEAR_MIPMAP_LINEAR : GL_LINEAR);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
	if (mipmapped)
		glGenerateMipmap(GL_TEXTURE_2D);
	else
		glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
	return texture;
}

static GLuint createRenderbuffer(GLenum format, int width, int height, int samples)
{
	GLuint buffer;
	glGenRenderbuffers(1, &buffer);
	glBindRenderbuffer(GL_RENDERBUFFER, buffer);
	glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width, height);
	return buffer;
}

static void openTarget(plTarget* t, int width, int height)
{
	*t = (plTarget){.width = width, .height = height};
	glGenFramebuffers(1, &t->framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, t->framebuffer);
}

static bool checkTarget(plTarget* t, plError* error)
{
	GLenum status = glCheckFramebufferStatus(GL_FRAMEBUFFER), code = glGetError();
	if (status == GL_FRAMEBUFFER_COMPLETE && code == GL_NO_ERROR)
		return true;
	error->code = code == GL_OUT_OF_MEMORY ? pl_errorMemory : pl_errorMissing;
	snprintf(error->message, sizeof error->message, "OpenGL cannot draw to a buffer of %dx%d (status 0x%x, error 0x%x)",
	         t->width, t->height, status, code);
	plDestroyTarget(t);
	return false;
}

bool plCreatePictureTarget(plTarget* t, int width, int height, int samples, plError* error)
{
	openTarget(t, width, height);
	t->colour = createRenderbuffer(GL_SRGB8_ALPHA8, width, height, samples);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, t->colour);
	if (samples > 0)
	{
		t->depth = createRenderbuffer(GL_DEPTH_COMPONENT24, width, height, samples);
		glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, t->depth);
	}
	return checkTarget(t, error);
}

bool plCreateTextureTarget(plTarget* t, GLenum format, int size, bool withDepth, plError* error)
{
	openTarget(t, size, size);
	t->textured = true;
	t->colour = plCreateTexture(format, size, size, true);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t->colour, 0);
	if (withDepth)
	{
		t->depth = createRenderbuffer(GL_DEPTH_COMPONENT24, size, size, 0);
		glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, t->depth);
	}
	return checkTarget(t, error);
}

bool plCreateShadowTarget(plTarget* t, int size, plError* error)
{
	const float lit[4] = {1.0f, 1.0f, 1.0f, 1.0f};
	openTarget(t, size, size);
	t->depth = plCreateTexture(GL_DEPTH_COMPONENT24, size, size, false);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
	glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, lit);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, t->depth, 0);
	glDrawBuffer(GL_NONE);
	glReadBuffer(GL_NONE);
	return checkTarget(t, error);
}

void plDestroyTarget(plTarget* t)
{
	if (t->colour && t->textured)
		glDeleteTextures(1, &t->colour);
	else if (t->colour)
		glDeleteRenderbuffers(1, &t->colour);
	if (t->depth && t->colour)
		glDeleteRenderbuffers(1, &t->depth);
	else if (t->depth)
		glDeleteTextures(1, &t->depth);
	if (t->framebuffer)
		glDeleteFramebuffers(1, &t->framebuffer);
	*t = (plTarget){0};
}

#endif
