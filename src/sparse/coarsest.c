// coarsest.c: the last level of a multigrid, factorised whenever its matrix changes
//
// Held axes become rows of the identity, so that the pattern stays. The matrix was rounded to floats on its way down.
// If that has cost it its definiteness, its diagonal is raised until it is definite: the level then corrects less, and
// still descends.
#include "coarsest.h"

static size_t widthOf(const plMultigridLevel* level)
{
	return level->isScalar ? 1 : 3;
}

// Walks the lower triangle by columns: column (j, c) holds rows (i, r), i >= j. Writes if `rows` exists; returns the
// number of entries. Neighbours of a vertex are visited in order: those after it, merged from both parts of its row.
static size_t walkEntries(plCoarsest* s, const plMultigridLevel* level)
{
	const plLevelRows* rows = level->rows;
	size_t width = widthOf(level), square = width * width, count = 0;
	for (size_t j = 0; j < rows->count; ++j)
		for (size_t c = 0; c < width; ++c)
		{
			plRowParts parts = plLevelRows_GetParts(rows, j);
			plEntries early = parts.part[1], late = parts.part[2];
			if (s->rows != NULL)
				s->start[width * j + c] = count;
			for (size_t e = j; e != SIZE_MAX;)
			{
				size_t i = rows->column[e];
				for (size_t r = i == j ? c : 0; r < width && i >= j; ++r, ++count)
					if (s->rows != NULL)
					{
						s->rows[count] = (uint32_t)(width * i + r);
						s->from[count] = (uint32_t)(square * e + width * r + c); // A_ji by columns: (c, r) of it
					}
				bool hasEarly = early.begin < early.end, hasLate = late.begin < late.end;
				if (!hasEarly && !hasLate)
					e = SIZE_MAX;
				else if (hasEarly && (!hasLate || rows->column[early.begin] < rows->column[late.begin]))
					e = early.begin++;
				else
					e = late.begin++;
			}
		}
	if (s->rows != NULL)
		s->start[s->unknowns] = count;
	return count;
}

bool plCoarsest_Create(plCoarsest* s, const plMultigridLevel* level, plHeap* heap)
{
	*s = (plCoarsest){.unknowns = widthOf(level) * level->rows->count};
	s->entryCount = walkEntries(s, level);
	s->start = PL_NEW_ZERO(heap, size_t, s->unknowns + 1);
	s->rows = PL_NEW(heap, uint32_t, s->entryCount);
	s->from = PL_NEW(heap, uint32_t, s->entryCount);
	s->values = PL_NEW(heap, double, s->entryCount);
	s->solution = PL_NEW(heap, double, 3 * level->rows->count);
	bool fine = s->start && (s->unknowns == 0 || (s->rows && s->from && s->values && s->solution));
	if (fine)
	{
		plError error;
		if (s->unknowns > 0)
			walkEntries(s, level);
		s->factor = plFactor_Create(pl_factorKindOwn, s->unknowns, s->start, s->rows, heap, &error);
		fine = s->factor != NULL;
	}
	if (!fine)
		plCoarsest_Destroy(s, level, heap);
	return fine;
}

void plCoarsest_Destroy(plCoarsest* s, const plMultigridLevel* level, plHeap* heap)
{
	plFactor_Destroy(s->factor);
	PL_FREE(heap, s->start, s->unknowns + 1);
	PL_FREE(heap, s->rows, s->entryCount);
	PL_FREE(heap, s->from, s->entryCount);
	PL_FREE(heap, s->values, s->entryCount);
	PL_FREE(heap, s->solution, 3 * level->rows->count);
	*s = (plCoarsest){0};
}

static bool isHeld(const plMultigridLevel* level, size_t unknown)
{
	return level->isScalar ? level->held[unknown] != 0 : (level->held[unknown / 3] >> unknown % 3) & 1;
}

plResult plCoarsest_Factorise(plCoarsest* s, const plMultigridLevel* level)
{
	plResult result = pl_errorNumeric;
	for (double raise = 0.0; result == pl_errorNumeric && raise<2e-3; raise = raise> 0.0 ? 10.0 * raise : 1e-6)
	{
		for (size_t k = 0; k < s->entryCount; ++k)
			s->values[k] = (double)level->block[s->from[k]];
		for (size_t j = 0; j < s->unknowns; ++j)
			s->values[s->start[j]] = isHeld(level, j) ? 1.0 : s->values[s->start[j]] * (1.0 + raise);
		result = plFactor_Numeric(s->factor, s->values);
	}
	return result;
}

void plCoarsest_Solve(plCoarsest* s, plMultigridLevel* level)
{
	size_t n = level->rows->count, sides = level->isScalar ? 3 : 1;
	for (size_t i = 0; i < n; ++i)
		for (size_t k = 0; k < 3; ++k)
		{
			bool held = level->isScalar ? level->held[i] != 0 : (level->held[i] >> k) & 1;
			s->solution[level->isScalar ? n * k + i : 3 * i + k] = held ? 0.0 : (double)level->b[4 * i + k];
		}
	plFactor_Solve(s->factor, s->solution, s->solution, sides);
	for (size_t i = 0; i < n; ++i)
		for (size_t k = 0; k < 3; ++k)
			level->x[4 * i + k] = (float)s->solution[level->isScalar ? n * k + i : 3 * i + k];
}
