// chart_parts.h: what a chart is put together from: axes and labels
#ifndef PL_APP_CHART_PARTS_H
#define PL_APP_CHART_PARTS_H

#include "chart.h"

// Linear axes have steps of 1, 2 or 5 times a power of ten, logarithmic ones decades.
typedef struct plAxis
{
	double low, high; // in the axis's own scale: the logarithm on a logarithmic one
	double step;
	bool isLog;
} plAxis;

// Into the axis's own scale; false: it is not on the axis.
bool plAxis_Scale(const plAxis* axis, double value, double* out);
void plAxis_Widen(plAxis* axis, double value);
// To numbers that people like, with about one labelled step in 50 points of the length.
void plAxis_Round(plAxis* axis, double length);

// A text at the end of a curve: its left edge, its middle, its width.
typedef struct plChartLabel
{
	double x, y, width;
	size_t series;
	bool noEnd; // no curve ends here
} plChartLabel;

// Moves labels that would touch each other, or the end of another curve. None goes below `bottom`.
void plChartLabel_Place(plChartLabel* labels, size_t count, double bottom);

#endif
