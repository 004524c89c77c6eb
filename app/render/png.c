// png.c: a picture as PNG, through libpng: 8 bits, RGB, marked as sRGB
#ifdef PL_WITH_RENDER
#include "picture.h"

#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void onError(png_structp png, png_const_charp words)
{
	plError* error = png_get_error_ptr(png);
	snprintf(error->message, sizeof error->message, "%s", words);
	png_longjmp(png, 1);
}

static void onWarning(png_structp png, png_const_charp words)
{
	(void)png;
	(void)words;
}

// libpng jumps here on error; nothing that changes after setjmp is used after it.
static bool encode(FILE* file, const plPicture* picture, plError* error)
{
	png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, error, onError, onWarning);
	png_infop info = png ? png_create_info_struct(png) : NULL;
	if (!info)
	{
		snprintf(error->message, sizeof error->message, "no memory to write a PNG");
		png_destroy_write_struct(&png, NULL);
		return false;
	}
	if (setjmp(png_jmpbuf(png)))
	{
		png_destroy_write_struct(&png, &info);
		return false;
	}
	png_init_io(png, file);
	png_set_IHDR(png, info, (png_uint_32)picture->width, (png_uint_32)picture->height, 8, PNG_COLOR_TYPE_RGB,
	             PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
	png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
	png_write_info(png, info);
	for (int y = 0; y < picture->height; y++)
		png_write_row(png, picture->rgb + (size_t)3 * (size_t)picture->width * (size_t)y);
	png_write_end(png, info);
	png_destroy_write_struct(&png, &info);
	return true;
}

int plWritePng(const char* path, const plPicture* picture, plError* error)
{
	size_t length = strlen(path) + sizeof ".part";
	char* part = malloc(length);
	int status = 2;
	error->code = pl_errorMemory;
	snprintf(error->message, sizeof error->message, "no memory to write %s", path);
	if (!part)
		return 2;
	snprintf(part, length, "%s.part", path);
	errno = 0;
	FILE* file = fopen(part, "wb");
	if (file)
	{
		bool good = encode(file, picture, error);
		int code = good ? 0 : errno;
		if (good && fflush(file) != 0)
			good = false, code = errno;
		if (fclose(file) != 0 && good)
			good = false, code = errno;
		errno = code;
		if (good && rename(part, path) == 0)
			status = 0;
		else
		{
			code = errno;
			remove(part);
			errno = code;
		}
	}
	if (status != 0)
	{
		int code = errno;
		error->code = pl_errorFile;
		snprintf(error->message, sizeof error->message, "%s: cannot be written: %s", path, strerror(code));
		status = code == ENOSPC || code == EDQUOT || code == EFBIG ? 4 : 2;
	}
	free(part);
	return status;
}

#endif
