// png.c: a picture as PNG, through libpng: 8 bits, RGB, marked as sRGB; made in memory, then written as one
#ifdef PL_WITH_RENDER
#include "picture.h"
#include "pliant/io.h"

#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>

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
		snprintf(error->message, sizeof error->message, "not enough memory to write a PNG");
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
	for (int y = 0; y < picture->height; ++y)
		png_write_row(png, picture->rgb + (size_t)3 * (size_t)picture->width * (size_t)y);
	png_write_end(png, info);
	png_destroy_write_struct(&png, &info);
	return true;
}

int plWritePng(const char* path, const plPicture* picture, plError* error)
{
	char* data = NULL;
	size_t bytes = 0;
	FILE* memory = open_memstream(&data, &bytes);
	plError reason = {.message = "not enough memory"};
	bool good = memory != NULL && encode(memory, picture, &reason);
	good = memory != NULL && fclose(memory) == 0 && good; // now `data` is there
	int status = 2;
	if (!good)
	{
		error->code = pl_errorMemory;
		snprintf(error->message, sizeof error->message, "%s: cannot be made: %.200s", path, reason.message);
	}
	else if (plFile_WriteAll(path, data, bytes, error) == pl_success)
		status = 0;
	else
		status = errno == ENOSPC || errno == EDQUOT || errno == EFBIG ? 4 : 2;
	free(data);
	return status;
}

#endif
