// overlay.c: a stroke font of our own and the legend of a colour map
//
// A glyph is a list of strokes on a grid 4 units wide and 6 high (descenders to -2). A stroke is a chain of points,
// either straight or a quadratic B-spline with the inner points as its control polygon, which makes round letters from
// few numbers. A pixel's ink is its distance to the nearest segment against half the pen's width: smooth at any size.
//
// Encoding: strokes separated by spaces, first 'l' (lines) or 'c' (curve), then points as two characters each,
// x in 0..4, y as 'a' (-2) ... 'c' (0) ... 'i' (6).
#include "overlay.h"

#include "colour.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CURVE_STEPS 6

typedef struct Glyph
{
	char name;
	char width; // advance in grid units, '0'..'9'
	const char* strokes;
} Glyph;

static const Glyph glyphs[] = {
    {' ', '3', ""},
    {'0', '6', "c2i0i0f0c2c4c4f4i2i"},
    {'1', '4', "l0g2i2c"},
    {'2', '6', "c0h0i2i4i4g3f0d0c l0c4c"},
    {'3', '6', "c0h1i2i4i4f2f1f c1f2f4f4c2c1c0d"},
    {'4', '6', "l3c3i0e4e"},
    {'5', '6', "l4i0i0f c0f1g2g4g4c2c1c0d"},
    {'6', '6', "c3i0h0c2c4c4f2f0f0d"},
    {'7', '6', "l0i4i1c"},
    {'8', '6', "c2i0i0f2f4f4i2i c2f0f0c2c4c4f2f"},
    {'9', '6', "c1c4d4i2i0i0f2f4f4h"},
    {'.', '2', "l0c0c"},
    {',', '2', "l1c0b"},
    {'-', '5', "l0e3e"},
    {'+', '6', "l0e4e l2c2g"},
    {'/', '5', "l0b4i"},
    {'(', '3', "c1j0h0f0d1b"},
    {')', '3', "c0j1h1f1d0b"},
    {'>', '6', "l0h4f0d l0c4c"},
    {'A', '6', "l0c2i4c l1e3e"},
    {'G', '6', "c4h3i0i0c4c4f l4f2f"},
    {'M', '7', "l0c0i2e4i4c"},
    {'P', '6', "l0c0i2i c2i4i4f2f l2f0f"},
    {'a', '5', "c3g0g0c3c l3g3c"},
    {'b', '5', "l0i0c c0g3g3c0c"},
    {'c', '5', "c3f2g0g0c2c3d"},
    {'d', '5', "l3i3c c3g0g0c3c"},
    {'e', '5', "l0e3e c3e3g2g0g0c2c3d"},
    {'f', '3', "c2i1i1h1f l1f1c l0g2g"},
    {'g', '5', "c3g0g0c3c l3g3c c3c3a1a0b"},
    {'h', '5', "l0i0c c0e0g3g3e l3e3c"},
    {'i', '2', "l0g0c l0i0i"},
    {'j', '3', "c1d1a0a l1g1d l1i1i"},
    {'k', '5', "l0i0c l3g0e3c"},
    {'l', '2', "l0i0c"},
    {'m', '7', "l0g0c c0e0g2g2e l2e2c c2e2g4g4e l4e4c"},
    {'n', '5', "l0g0c c0e0g3g3e l3e3c"},
    {'o', '5', "c2g0g0c2c3c3g2g"},
    {'p', '5', "l0g0a c0g3g3c0c"},
    {'q', '5', "l3g3a c3g0g0c3c"},
    {'r', '4', "l0g0c c0e0g2g"},
    {'s', '5', "c3f2g0g0e2e3e3c1c0d"},
    {'t', '4', "c1i1d1c2c l0g2g"},
    {'u', '5', "c0e0c3c3e l0g0e l3g3c"},
    {'v', '5', "l0g2c4g"},
    {'w', '7', "l0g1c2f3c4g"},
    {'x', '5', "l0g3c l3g0c"},
    {'y', '5', "l0g2c l4g2c1a0a"},
    {'z', '5', "l0g3g0c3c"},
    {'?', '5', "l0c0i3i3c0c"},
};

static const Glyph* findGlyph(char name)
{
	size_t count = sizeof glyphs / sizeof *glyphs;
	for (size_t i = 0; i < count; ++i)
		if (glyphs[i].name == name)
			return &glyphs[i];
	return &glyphs[count - 1];
}

// ---- strokes --------------------------------------------------------------------------------------------------------

static void blend(plPicture* p, int x, int y, const uint8_t ink[3], double part)
{
	if (x < 0 || y < 0 || x >= p->width || y >= p->height || part <= 0.0)
		return;
	uint8_t* pixel = p->rgb + 3 * ((size_t)y * (size_t)p->width + (size_t)x);
	for (int k = 0; k < 3; ++k)
		pixel[k] = (uint8_t)(pixel[k] + (ink[k] - pixel[k]) * fmin(part, 1.0) + 0.5);
}

// Segments of one glyph in pixels, to be filled together so that joints are not inked twice.
typedef struct Pen
{
	double segments[128][4];
	int count;
	double x, y, unit;
} Pen;

static void addSegment(Pen* pen, const double a[2], const double b[2])
{
	if (pen->count == 128)
		return;
	double* s = pen->segments[pen->count++];
	s[0] = pen->x + a[0] * pen->unit;
	s[1] = pen->y - a[1] * pen->unit;
	s[2] = pen->x + b[0] * pen->unit;
	s[3] = pen->y - b[1] * pen->unit;
}

// Quadratic B-spline: from the first point, through the middles of the inner legs, to the last point.
static void addCurve(Pen* pen, double (*points)[2], int count)
{
	double from[2] = {points[0][0], points[0][1]};
	for (int i = 1; i + 1 < count; ++i)
	{
		double end[2], last[2] = {from[0], from[1]};
		for (int k = 0; k < 2; ++k)
			end[k] = i + 2 == count ? points[i + 1][k] : 0.5 * (points[i][k] + points[i + 1][k]);
		for (int j = 1; j <= CURVE_STEPS; ++j)
		{
			double t = (double)j / CURVE_STEPS, next[2];
			for (int k = 0; k < 2; ++k)
				next[k] = (1 - t) * (1 - t) * from[k] + 2 * t * (1 - t) * points[i][k] + t * t * end[k];
			addSegment(pen, last, next);
			last[0] = next[0], last[1] = next[1];
		}
		from[0] = end[0], from[1] = end[1];
	}
}

static void addGlyph(Pen* pen, const char* strokes)
{
	while (*strokes)
	{
		double points[16][2];
		int count = 0;
		char kind = *strokes++;
		for (; *strokes && *strokes != ' ' && count < 16; strokes += 2, ++count)
		{
			points[count][0] = strokes[0] - '0';
			points[count][1] = strokes[1] - 'c';
		}
		if (*strokes == ' ')
			++strokes;
		if (kind == 'c')
			addCurve(pen, points, count);
		else
			for (int i = 0; i + 1 < count; ++i)
				addSegment(pen, points[i], points[i + 1]);
	}
}

static double distanceTo(const double s[4], double x, double y)
{
	double dx = s[2] - s[0], dy = s[3] - s[1], length = dx * dx + dy * dy;
	double t = length > 0.0 ? fmin(fmax(((x - s[0]) * dx + (y - s[1]) * dy) / length, 0.0), 1.0) : 0.0;
	return hypot(x - s[0] - t * dx, y - s[1] - t * dy);
}

static void fillPen(plPicture* picture, const Pen* pen, double halfWidth, const uint8_t ink[3])
{
	int low[2] = {(int)(pen->x - pen->unit - 1), (int)(pen->y - 8 * pen->unit)};
	int high[2] = {(int)(pen->x + 6 * pen->unit + 1), (int)(pen->y + 4 * pen->unit)};
	for (int y = low[1]; y <= high[1]; ++y)
		for (int x = low[0]; x <= high[0]; ++x)
		{
			double nearest = INFINITY;
			for (int i = 0; i < pen->count; ++i)
				nearest = fmin(nearest, distanceTo(pen->segments[i], x + 0.5, y + 0.5));
			blend(picture, x, y, ink, halfWidth + 0.5 - nearest);
		}
}

void plDrawText(plPicture* picture, double x, double y, double height, const char* text, const uint8_t ink[3])
{
	double unit = height / 6.0;
	for (; *text; ++text)
	{
		const Glyph* glyph = findGlyph(*text);
		Pen pen = {.x = x, .y = y, .unit = unit};
		addGlyph(&pen, glyph->strokes);
		if (pen.count > 0)
			fillPen(picture, &pen, fmax(0.42 * unit, 0.55), ink);
		x += unit * (glyph->width - '0');
	}
}

double plMeasureText(double height, const char* text)
{
	double width = 0.0;
	for (; *text; ++text)
		width += height / 6.0 * (findGlyph(*text)->width - '0');
	return width;
}

// ---- legend ---------------------------------------------------------------------------------------------------------

void plFormatQuantity(double value, const char* unit, char* text, size_t capacity)
{
	static const char* const prefixes[] = {"p", "n", "u", "m", "", "k", "M", "G", "T"};
	int prefix = 4;
	double size = fabs(value);
	if (size > 0.0 && unit[0] != '\0')
	{
		double digits = floor(log10(size) + 1e-9); // 0.9999999996 is 1
		prefix = (int)fmin(fmax(4.0 + floor(digits / 3.0), 0.0), 8.0);
	}
	snprintf(text, capacity, "%.3g%s%s%s", value / pow(10.0, 3.0 * (prefix - 4)), unit[0] != '\0' ? " " : "",
	         prefixes[prefix], unit);
}

// A rounded plate behind the legend, so that it can be read on any ground.
static void drawPlate(plPicture* p, double x0, double y0, double x1, double y1, double radius)
{
	static const uint8_t paper[3] = {250, 251, 252};
	for (int y = (int)y0 - 1; y <= (int)y1 + 1; ++y)
		for (int x = (int)x0 - 1; x <= (int)x1 + 1; ++x)
		{
			double dx = fmax(fmax(x0 + radius - (x + 0.5), x + 0.5 - (x1 - radius)), 0.0);
			double dy = fmax(fmax(y0 + radius - (y + 0.5), y + 0.5 - (y1 - radius)), 0.0);
			blend(p, x, y, paper, 0.82 * fmin(fmax(radius + 0.5 - hypot(dx, dy), 0.0), 1.0));
		}
}

void plDrawLegend(plPicture* picture, const plLegend* legend)
{
	static const uint8_t ink[3] = {40, 46, 54};
	double size = fmax(picture->height / 60.0, 7.0); // height of capitals
	double barHeight = 15.0 * size, barWidth = 1.3 * size, gap = size;
	char labels[3][64];
	double widest = plMeasureText(size, legend->title) - barWidth - 0.8 * gap;
	for (int i = 0; i < 3; ++i)
	{
		char quantity[48];
		double value = legend->range[0] + 0.5 * i * (legend->range[1] - legend->range[0]);
		plFormatQuantity(value, legend->unit, quantity, sizeof quantity);
		snprintf(labels[i], sizeof labels[i], "%s%s", i == 2 && legend->clipped ? "> " : "", quantity);
		widest = fmax(widest, plMeasureText(size, labels[i]));
	}
	double width = barWidth + 0.8 * gap + widest, height = barHeight + 3.0 * size;
	double left = picture->width - width - 3.0 * size, top = 0.5 * (picture->height - height);
	drawPlate(picture, left - 1.2 * size, top - 1.2 * size, left + width + 1.2 * size, top + height + 1.2 * size, size);
	plDrawText(picture, left, top + size, size, legend->title, ink);

	uint8_t map[3 * PL_COLOUR_COUNT];
	plMakeColourMap(map);
	int barTop = (int)(top + 3.0 * size), rows = (int)barHeight;
	for (int y = 0; y < rows; ++y)
		for (int x = 0; x < (int)barWidth; ++x)
			blend(picture, (int)left + x, barTop + y,
			      map + 3 * (int)((PL_COLOUR_COUNT - 1) * (1.0 - (double)y / (rows - 1)) + 0.5), 1.0);
	for (int i = 0; i < 3; ++i)
		plDrawText(picture, left + barWidth + 0.8 * gap, barTop + (1.0 - 0.5 * i) * rows + (0.5 * i) * size, size,
		           labels[i], ink);
}
