// extended_matrix.c: the pattern of a matrix and of elements that come and go, and their sum
#include "extended_matrix.h"

enum
{
	corners = 4,
	numbers = 90, // of the blocks of an element
};

void plExtendedMatrix_Destroy(plExtendedMatrix* m, plHeap* lists, plHeap* patterns)
{
	plBlockMatrix_Destroy(&m->sum, patterns);
	PL_FREE(lists, m->vertices, m->room);
	*m = (plExtendedMatrix){0};
}

// ---- which elements -------------------------------------------------------------------------------------------------

static size_t findBlock(const plBlockMatrix* matrix, uint32_t a, uint32_t b)
{
	return plBlockMatrix_Find(matrix, a < b ? a : b, a < b ? b : a);
}

static bool hasElement(const plBlockMatrix* matrix, const uint32_t v[corners])
{
	for (size_t a = 0; a < corners; ++a)
		for (size_t b = a + 1; b < corners; ++b)
			if (findBlock(matrix, v[a], v[b]) == SIZE_MAX)
				return false;
	return true;
}

bool plExtendedMatrix_Set(plExtendedMatrix* m, const plExtension* extension, plHeap* lists, bool* changed)
{
	size_t bytes = corners * extension->count * sizeof *m->vertices;
	*changed = false;
	if (!m->isGrown && m->count == extension->count &&
	    (bytes == 0 || memcmp(m->vertices, extension->vertices, bytes) == 0))
		return true;
	if (!plGrowArray(lists, &m->vertices, &m->room, corners * extension->count, sizeof *m->vertices))
		return false;
	if (bytes > 0)
		memcpy(m->vertices, extension->vertices, bytes);
	m->count = extension->count;
	m->isGrown = false;
	*changed = true;
	return true;
}

bool plExtendedMatrix_Grow(plExtendedMatrix* m, const plExtension* extension, plHeap* lists, bool* changed)
{
	size_t missing = 0;
	*changed = false;
	for (size_t e = 0; e < extension->count; ++e)
		missing += !hasElement(&m->sum, extension->vertices + corners * e);
	if (missing == 0)
		return true;
	if (!plGrowArray(lists, &m->vertices, &m->room, corners * (m->count + missing), sizeof *m->vertices))
		return false;
	for (size_t e = 0; e < extension->count; ++e)
	{
		const uint32_t* v = extension->vertices + corners * e;
		if (!hasElement(&m->sum, v))
			memcpy(m->vertices + corners * m->count++, v, corners * sizeof *v);
	}
	m->isGrown = true;
	*changed = true;
	return true;
}

// ---- the pattern ----------------------------------------------------------------------------------------------------

// Columns of row i in either, ascending; `columns` NULL: counts them only
static size_t mergeRows(const plBlockMatrix* a, const plBlockMatrix* b, size_t i, uint32_t* columns)
{
	size_t k = a->start[i], l = b->start[i], count = 0;
	while (k < a->start[i + 1] || l < b->start[i + 1])
	{
		uint32_t left = k < a->start[i + 1] ? a->column[k] : UINT32_MAX;
		uint32_t right = l < b->start[i + 1] ? b->column[l] : UINT32_MAX;
		uint32_t least = left < right ? left : right;
		k += left == least;
		l += right == least;
		if (columns != NULL)
			columns[count] = least;
		count++;
	}
	return count;
}

static bool mergePatterns(plBlockMatrix* sum, const plBlockMatrix* a, const plBlockMatrix* b, plHeap* heap)
{
	sum->rows = a->rows;
	sum->start = PL_NEW(heap, size_t, sum->rows + 1);
	if (sum->start == NULL)
		return false;
	sum->start[0] = 0;
	for (size_t i = 0; i < sum->rows; ++i)
		sum->start[i + 1] = sum->start[i] + mergeRows(a, b, i, NULL);
	sum->blockCount = sum->start[sum->rows];
	sum->column = PL_NEW(heap, uint32_t, sum->blockCount);
	for (size_t i = 0; sum->column != NULL && i < sum->rows; ++i)
		mergeRows(a, b, i, sum->column + sum->start[i]);
	return sum->column != NULL && plBlockMatrix_AddBlocks(sum, heap);
}

bool plExtendedMatrix_Make(plExtendedMatrix* m, const plBlockMatrix* matrix, plHeap* patterns)
{
	plBlockMatrix elements, sum = {0};
	plBlockMatrix_Destroy(&m->sum, patterns);
	if (matrix->rows == 0)
		return true;
	if (plBlockMatrix_CreatePattern(&elements, matrix->rows, m->vertices, m->count, corners, patterns) != pl_success)
		return false;
	bool fine = mergePatterns(&sum, matrix, &elements, patterns);
	plBlockMatrix_Destroy(&elements, patterns);
	if (fine)
		m->sum = sum;
	else
		plBlockMatrix_Destroy(&sum, patterns);
	return fine;
}

// ---- values ---------------------------------------------------------------------------------------------------------

// to += B or B'
static void addBlock(double to[9], const double from[9], bool isTransposed)
{
	for (size_t k = 0; k < 9; ++k)
		to[k] += from[isTransposed ? 3 * (k % 3) + k / 3 : k];
}

static void addElement(plBlockMatrix* sum, const uint32_t v[corners], const double blocks[numbers])
{
	for (size_t a = 0; a < corners; ++a)
		for (size_t b = a; b < corners; ++b, blocks += 9)
			addBlock(sum->block + 9 * findBlock(sum, v[a], v[b]), blocks, v[a] > v[b]);
}

void plExtendedMatrix_Fill(plExtendedMatrix* m, const plBlockMatrix* matrix, const plExtension* extension)
{
	plBlockMatrix* sum = &m->sum;
	for (size_t i = 0; i < sum->rows; ++i)
	{
		size_t from = matrix->start[i];
		for (size_t k = sum->start[i]; k < sum->start[i + 1]; ++k)
		{
			bool isThere = from < matrix->start[i + 1] && matrix->column[from] == sum->column[k];
			if (isThere)
				memcpy(sum->block + 9 * k, matrix->block + 9 * from++, 9 * sizeof(double));
			else
				memset(sum->block + 9 * k, 0, 9 * sizeof(double));
		}
	}
	for (size_t e = 0; e < extension->count; ++e)
		addElement(sum, extension->vertices + corners * e, extension->blocks + numbers * e);
}
