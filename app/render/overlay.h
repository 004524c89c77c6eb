// overlay.h: letters and a legend drawn over a finished picture
#ifndef PL_RENDER_OVERLAY_H
#define PL_RENDER_OVERLAY_H

#include "picture.h"

// Text in strokes of even width, `height` pixels from the baseline to the top of capitals, from the baseline's left
// end at (x, y). Characters: digits, letters without diacritics, space, . , - + ( ) / and > for "at least".
// `ink` is the colour in sRGB, 0 to 255. Unknown characters are boxes.
void plDrawText(plPicture* picture, double x, double y, double height, const char* text, const uint8_t ink[3]);
double plMeasureText(double height, const char* text);

// "12.3 kPa": three digits and a decimal prefix; without a unit the number alone.
void plFormatQuantity(double value, const char* unit, char* text, size_t capacity);

// A bar of the colour map at the right of the picture with the values of its ends and its middle.
// clipped: values beyond the upper end occur and wear its colour.
typedef struct plLegend
{
	const char* title;
	const char* unit;
	double range[2];
	bool clipped;
} plLegend;

void plDrawLegend(plPicture* picture, const plLegend* legend);

#endif
