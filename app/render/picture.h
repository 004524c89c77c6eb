// picture.h: pixels, and the files they go to
//
// Functions that write return the exit status of the command: 0 done, 2 cannot be written, 4 disk full; `error` says
// why. A file appears under its name only when it is complete.
#ifndef PL_RENDER_PICTURE_H
#define PL_RENDER_PICTURE_H

#include "pliant/base.h"

typedef struct plPicture
{
	int width, height;
	uint8_t* rgb; // sRGB, rows from the top
} plPicture;

int plWritePng(const char* path, const plPicture* picture, plError* error);

// A film is written by the ffmpeg program, which reads frames from a pipe.
typedef struct plFilm plFilm;

// Whether ffmpeg can be found in PATH.
bool plFilm_IsAvailable(void);

// NULL and *status on error. Width and height are even.
plFilm* plCreateFilm(const char* path, int width, int height, double fps, int* status, plError* error);
int plFilm_Add(plFilm* film, const plPicture* picture, plError* error);
// Ends the film and frees it. Without `keep`, or after an error, no file is left.
int plFilm_Close(plFilm* film, bool keep, plError* error);

#endif
