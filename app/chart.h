// chart.h: a plot as SVG: axes, grid, curves, labels at their ends
#ifndef PL_APP_CHART_H
#define PL_APP_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct plSeries
{
	const char* label; // "": none
	const double* x;
	const double* y; // points that are not finite, or not positive on a logarithmic axis, are gaps
	size_t count;
} plSeries;

typedef struct plChart
{
	const char* title;
	const char* subtitle; // NULL: none
	const char* xLabel;
	const char* yLabel;
	bool xLog, yLog;
	double width, height;  // of the frame, in points; 0: 640 x 400
	double yLow, yHigh;    // what the vertical axis shows; equal: what the curves need
	double floor;          // values at most this are drawn at it, along a line; 0: none
	const char* floorWord; // on that line
	bool legend;           // besides the labels at the ends
	bool marks;            // at the points, so that curves can be told apart without colour
	const plSeries* series;
	size_t seriesCount;
} plChart;

// False if memory ran out or the file could not be written.
bool plChart_Write(const plChart* chart, FILE* file);

#endif
