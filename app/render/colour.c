// colour.c: colours chosen in a space where distance is what the eye sees
//
// The space is Oklab (Ottosson 2020, "A perceptual color space for image processing"): lightness L, chroma C, hue h.
// The map walks from dark violet to yellow with L linear in h, C moderate and within what sRGB can show, and its
// colours are taken at equal lengths along that path, so that equal steps of a field look equal and print in grey in
// order.
#include "colour.h"

#include <math.h>

#define TURN 6.28318530717958647692
#define SAMPLES 1024

double plLinearFromSrgb(double v)
{
	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double srgbFromLinear(double v)
{
	return v <= 0.0031308 ? 12.92 * v : 1.055 * pow(v, 1.0 / 2.4) - 0.055;
}

// Oklab to linear sRGB
static void linearFromLab(const double lab[3], double rgb[3])
{
	double l = lab[0] + 0.3963377774 * lab[1] + 0.2158037573 * lab[2];
	double m = lab[0] - 0.1055613458 * lab[1] - 0.0638541728 * lab[2];
	double s = lab[0] - 0.0894841775 * lab[1] - 1.2914855480 * lab[2];
	l = l * l * l;
	m = m * m * m;
	s = s * s * s;
	rgb[0] = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s;
	rgb[1] = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s;
	rgb[2] = -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s;
}

double plGetLightness(const double rgb[3])
{
	double l = cbrt(0.4122214708 * rgb[0] + 0.5363325363 * rgb[1] + 0.0514459929 * rgb[2]);
	double m = cbrt(0.2119034982 * rgb[0] + 0.6806995451 * rgb[1] + 0.1073969566 * rgb[2]);
	double s = cbrt(0.0883024619 * rgb[0] + 0.2817188376 * rgb[1] + 0.6299787005 * rgb[2]);
	return 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
}

static int canShow(const double rgb[3])
{
	for (int i = 0; i < 3; ++i)
		if (rgb[i] < 0.0 || rgb[i] > 1.0)
			return 0;
	return 1;
}

// The most chroma that sRGB has at this lightness and hue
static double largestChroma(double lightness, double hue)
{
	double low = 0.0, high = 0.4;
	for (int i = 0; i < 40; ++i)
	{
		double c = 0.5 * (low + high), rgb[3];
		linearFromLab((double[3]){lightness, c * cos(hue), c * sin(hue)}, rgb);
		if (canShow(rgb))
			low = c;
		else
			high = c;
	}
	return low;
}

// Oklab at t in [0, 1] along the path: hue from violet (300 degrees) back through blue and green to yellow (105)
static void pathAt(double t, double lab[3])
{
	double lightness = 0.26 + 0.66 * t;
	double hue = (300.0 - 195.0 * t) * (TURN / 360.0);
	double chroma = fmin(0.9 * largestChroma(lightness, hue), 0.135);
	lab[0] = lightness;
	lab[1] = chroma * cos(hue);
	lab[2] = chroma * sin(hue);
}

void plMakeColourMap(uint8_t map[3 * PL_COLOUR_COUNT])
{
	double lengths[SAMPLES + 1], last[3], lab[3], rgb[3];
	lengths[0] = 0.0;
	pathAt(0.0, last);
	for (int i = 1; i <= SAMPLES; ++i)
	{
		pathAt((double)i / SAMPLES, lab);
		double d = 0.0;
		for (int k = 0; k < 3; ++k)
		{
			d += (lab[k] - last[k]) * (lab[k] - last[k]);
			last[k] = lab[k];
		}
		lengths[i] = lengths[i - 1] + sqrt(d);
	}
	int segment = 0;
	for (int i = 0; i < PL_COLOUR_COUNT; ++i)
	{
		double wanted = lengths[SAMPLES] * i / (PL_COLOUR_COUNT - 1);
		while (segment < SAMPLES - 1 && lengths[segment + 1] < wanted)
			++segment;
		double part = (wanted - lengths[segment]) / (lengths[segment + 1] - lengths[segment]);
		pathAt((segment + part) / SAMPLES, lab);
		linearFromLab(lab, rgb);
		for (int k = 0; k < 3; ++k)
			map[3 * i + k] = (uint8_t)(255.0 * srgbFromLinear(fmin(fmax(rgb[k], 0.0), 1.0)) + 0.5);
	}
}

// lightness, chroma, hue in degrees; neighbours differ in hue and in lightness
static const double palette[8][3] = {
    {0.66, 0.155, 38.0},  // coral
    {0.62, 0.095, 220.0}, // sea
    {0.80, 0.140, 85.0},  // amber
    {0.56, 0.125, 300.0}, // violet
    {0.70, 0.115, 150.0}, // leaf
    {0.62, 0.150, 5.0},   // rose
    {0.72, 0.090, 190.0}, // lagoon
    {0.54, 0.070, 60.0},  // umber
};

static void mixColour(double lightness, double chroma, double degrees, float rgb[3])
{
	double hue = degrees * (TURN / 360.0), linear[3];
	linearFromLab((double[3]){lightness, chroma * cos(hue), chroma * sin(hue)}, linear);
	for (int k = 0; k < 3; ++k)
		rgb[k] = (float)fmin(fmax(linear[k], 0.0), 1.0);
}

void plGetBodyColour(size_t index, float rgb[3])
{
	const double* p = palette[index % 8];
	mixColour(p[0], p[1], p[2], rgb);
}

void plGetPartColour(size_t index, size_t part, float rgb[3])
{
	// two numbers in [0, 1) that look random (splitmix64, Steele et al. 2014)
	uint64_t z = ((uint64_t)part + 1) * 0x9e3779b97f4a7c15u;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	z ^= z >> 31;
	double a = (double)(z & 0xffff) / 65536.0, b = (double)(z >> 16 & 0xffff) / 65536.0;
	const double* p = palette[index % 8];
	mixColour(p[0] + 0.14 * (a - 0.5), p[1] * (0.65 + 0.3 * b), p[2] + 26.0 * (b - 0.5), rgb);
}
