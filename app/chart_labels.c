// chart_labels.c: labels at the ends of curves, moved until none lies over another
#include "chart_parts.h"

#include <math.h>
#include <stdlib.h>

enum
{
	labelHeight = 15,
};

static int compareEnds(const void* a, const void* b)
{
	const plChartLabel *x = a, *y = b;
	if (x->x != y->x)
		return x->x < y->x ? -1 : 1;
	return x->series < y->series ? -1 : x->series > y->series;
}

static int compareLabels(const void* a, const void* b)
{
	const plChartLabel *x = a, *y = b;
	if (x->y != y->y)
		return x->y < y->y ? -1 : 1;
	return x->series < y->series ? -1 : x->series > y->series;
}

static bool touch(const plChartLabel* a, const plChartLabel* b)
{
	return a->x < b->x + b->width && b->x < a->x + a->width;
}

// A label that would lie over the end of another curve goes to the right of that.
static void clearEnds(plChartLabel* labels, size_t count)
{
	qsort(labels, count, sizeof *labels, compareEnds);
	for (size_t i = 0; i < count; ++i)
	{
		double end = labels[i].x + 12.0 + labels[i].width;
		for (size_t j = i + 1; j < count; ++j)
			if (!labels[j].noEnd && labels[j].x < end && labels[j].x > labels[i].x &&
			    fabs(labels[j].y - labels[i].y) < 0.7 * labelHeight)
				labels[i].x = labels[j].x;
	}
}

// Downwards in order, then back up from the bottom, so that no two that stand over each other are closer than a line.
static void separate(plChartLabel* labels, size_t count, double bottom)
{
	qsort(labels, count, sizeof *labels, compareLabels);
	for (size_t i = 1; i < count; ++i)
		for (size_t j = 0; j < i; ++j)
			if (touch(labels + i, labels + j))
				labels[i].y = fmax(labels[i].y, labels[j].y + labelHeight);
	for (size_t i = count; i-- > 0;)
	{
		labels[i].y = fmin(labels[i].y, bottom);
		for (size_t j = i + 1; j < count; ++j)
			if (touch(labels + i, labels + j))
				labels[i].y = fmin(labels[i].y, labels[j].y - labelHeight);
	}
}

void plChartLabel_Place(plChartLabel* labels, size_t count, double bottom)
{
	clearEnds(labels, count);
	separate(labels, count, bottom);
}
