// words.c: words that people mistype: the name that was meant, or all that there are
//
// Distance of two words: letters to change, leave out, put in, or swap with their neighbour (optimal string alignment):
//
//   d[i][j] = min( d[i-1][j-1] + (a_i != b_j),  d[i-1][j] + 1,  d[i][j-1] + 1,  d[i-2][j-2] + 1 if the last two swap )
//
// Near are 1 letter in words of up to three, 2 in words of up to six, 3 in longer ones; and a name that the word
// begins. A name further away is not worth naming: the whole list helps more.
#include "pliant/io.h"

#include <stdio.h>
#include <string.h>

enum
{
	longest = 32 // no name is as long; a word that is has no near one
};

static size_t measure(const char* a, const char* b)
{
	size_t n = strlen(a), m = strlen(b);
	if (n >= longest || m >= longest)
		return SIZE_MAX;
	size_t d[longest][longest];
	for (size_t i = 0; i <= n; ++i)
		for (size_t j = 0; j <= m; ++j)
		{
			if (i == 0 || j == 0)
			{
				d[i][j] = i + j;
				continue;
			}
			size_t best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
			if (d[i - 1][j] + 1 < best)
				best = d[i - 1][j] + 1;
			if (d[i][j - 1] + 1 < best)
				best = d[i][j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && d[i - 2][j - 2] + 1 < best)
				best = d[i - 2][j - 2] + 1;
			d[i][j] = best;
		}
	return d[n][m];
}

const char* plFindNearest(const char* word, const char* const* names)
{
	const char* nearest = NULL;
	size_t length = strlen(word);
	size_t limit = length < 4 ? 1 : length < 7 ? 2 : 3;
	size_t best = limit + 1;
	for (; *names != NULL; ++names)
	{
		size_t d = measure(word, *names);
		bool begins = length >= 3 && strncmp(word, *names, length) == 0; // "neo" for "neo-hookean"
		if (begins && d > limit)
			d = limit;
		if (d < best && d < strlen(*names))
		{
			best = d;
			nearest = *names;
		}
	}
	return nearest;
}

const char* plSuggest(const char* word, const char* const* names, char* text, size_t size)
{
	const char* nearest = plFindNearest(word, names);
	if (nearest != NULL)
		snprintf(text, size, "did you mean \"%s\"?", nearest);
	else
		snprintf(text, size, *names != NULL ? "there is: " : "there is none");
	for (size_t length = strlen(text); nearest == NULL && *names != NULL && length + 1 < size; ++names)
	{
		int written = snprintf(text + length, size - length, "%s%s", *names, names[1] != NULL ? ", " : "");
		length += written > 0 ? (size_t)written : 0;
	}
	return text;
}
