// colour.h: a colour map for fields and a palette for bodies
#ifndef PL_RENDER_COLOUR_H
#define PL_RENDER_COLOUR_H

#include <stddef.h>
#include <stdint.h>

#define PL_COLOUR_COUNT 256

// Colours of equal perceived steps and growing lightness, from dark violet through teal to yellow: sRGB, 3 bytes each.
void plMakeColourMap(uint8_t map[3 * PL_COLOUR_COUNT]);

// Linear RGB of body number `index`.
void plGetBodyColour(size_t index, float rgb[3]);
// Of one body among many of an array: a shade near that of the array, the same in every picture.
void plGetPartColour(size_t index, size_t part, float rgb[3]);

// sRGB, 0 to 1, to linear light.
double plLinearFromSrgb(double value);

// Lightness of linear RGB, 0 to 1 (the L of Oklab).
double plGetLightness(const double rgb[3]);

#endif
