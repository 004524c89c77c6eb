// block_matrix.c: pattern, search and product of a symmetric matrix of 3x3 blocks
//
// The pattern comes from a table vertex -> elements (counting sort). Column c meets row r if an element holds both.
// Columns are visited in ascending order and each appends itself to the rows r <= c it meets, so every row comes out
// sorted without sorting, its diagonal first; a stamp per row drops repetitions. Cost: the sum over elements of
// cornerCount^2.
#include "block_matrix.h"

typedef struct Incidence
{
	size_t* start;   // [rows + 1]
	size_t* element; // [entries], elements of vertex v at start[v] .. start[v+1]-1, ascending
	size_t entries;
} Incidence;

static bool createIncidence(Incidence* table, size_t rows, const uint32_t* elements, size_t elementCount,
                            size_t cornerCount, plHeap* heap)
{
	*table = (Incidence){.entries = elementCount * cornerCount};
	table->start = PL_NEW_ZERO(heap, size_t, rows + 1);
	table->element = PL_NEW(heap, size_t, table->entries);
	if (!table->start || (table->entries > 0 && !table->element))
		return false;
	for (size_t k = 0; k < table->entries; ++k)
		table->start[elements[k] + 1]++;
	for (size_t v = 0; v < rows; ++v)
		table->start[v + 1] += table->start[v];
	// Filling moves start[v] to the end of v's range, which is the start of v + 1: shift back afterwards.
	for (size_t k = 0; k < table->entries; ++k)
		table->element[table->start[elements[k]]++] = k / cornerCount;
	for (size_t v = rows; v > 0; --v)
		table->start[v] = table->start[v - 1];
	table->start[0] = 0;
	return true;
}

// Rows that columns meet
typedef struct Meetings
{
	uint32_t* row; // [count] column 0 first; a column's last is the diagonal
	size_t count, room;
} Meetings;

// One pass over all columns: blocks of row r are counted in next[r]. stamp[r] is the column that met row r last, plus
// 1. False: no memory
static bool visitColumns(const Incidence* table, size_t rows, const uint32_t* elements, size_t cornerCount,
                         uint32_t* stamp, size_t* next, Meetings* met, plHeap* heap)
{
	memset(stamp, 0, rows * sizeof *stamp);
	for (size_t c = 0; c < rows; ++c)
	{
		size_t most = (table->start[c + 1] - table->start[c]) * cornerCount + 1;
		if (met->count + most > met->room &&
		    !plGrowArray(heap, &met->row, &met->room, met->count + most, sizeof *met->row))
			return false;
		for (size_t k = table->start[c]; k < table->start[c + 1]; ++k)
		{
			const uint32_t* corner = elements + table->element[k] * cornerCount;
			for (size_t a = 0; a < cornerCount; ++a)
			{
				uint32_t r = corner[a];
				if (r >= c || stamp[r] == (uint32_t)c + 1)
					continue;
				stamp[r] = (uint32_t)c + 1;
				met->row[met->count++] = r;
				next[r]++;
			}
		}
		met->row[met->count++] = (uint32_t)c;
		next[c]++;
	}
	return true;
}

// matrix->start from the counts, then the columns; next and stamp are scratch of `rows` items.
static plResult fillPattern(plBlockMatrix* matrix, const Incidence* table, const uint32_t* elements, size_t cornerCount,
                            uint32_t* stamp, size_t* next, plHeap* heap)
{
	size_t rows = matrix->rows;
	Meetings met = {0};
	memset(next, 0, rows * sizeof *next);
	bool fine = plGrowArray(heap, &met.row, &met.room, 5 * rows, sizeof *met.row) && // a sheet has 4 to 7 blocks a row
	            visitColumns(table, rows, elements, cornerCount, stamp, next, &met, heap);
	matrix->start[0] = 0;
	for (size_t r = 0; fine && r < rows; ++r)
	{
		matrix->start[r + 1] = matrix->start[r] + next[r];
		next[r] = matrix->start[r];
	}
	matrix->blockCount = fine ? matrix->start[rows] : 0;
	matrix->column = PL_NEW(heap, uint32_t, matrix->blockCount);
	fine = fine && matrix->column != NULL;
	for (size_t k = 0, c = 0; fine && k < met.count; ++k)
	{
		uint32_t r = met.row[k];
		matrix->column[next[r]++] = (uint32_t)c;
		c += r == c;
	}
	PL_FREE(heap, met.row, met.room);
	return fine ? pl_success : pl_errorMemory;
}

static void validatePattern(const plBlockMatrix* matrix)
{
	for (size_t i = 0; i < matrix->rows; ++i)
	{
		size_t first = matrix->start[i], end = matrix->start[i + 1];
		PL_VALIDATE(first < end && matrix->column[first] == i, "a row starts with its diagonal");
		for (size_t k = first + 1; k < end; ++k)
			PL_VALIDATE(matrix->column[k] > matrix->column[k - 1], "columns ascend in a row");
		PL_VALIDATE(matrix->column[end - 1] < matrix->rows, "a column is one of the matrix");
	}
}

plResult plBlockMatrix_CreatePattern(plBlockMatrix* matrix, size_t rows, const uint32_t* elements, size_t elementCount,
                                     int cornerCount, plHeap* heap)
{
	*matrix = (plBlockMatrix){.rows = rows};
	PL_ASSERT(cornerCount > 0, "an element has at least one corner");
	size_t corners = (size_t)cornerCount;
	if (rows >= UINT32_MAX || elementCount > SIZE_MAX / corners)
		return pl_errorInput;
	for (size_t k = 0; k < elementCount * corners; ++k)
	{
		if (elements[k] >= rows)
			return pl_errorInput;
	}

	plResult result = pl_errorMemory;
	Incidence table = {0};
	uint32_t* stamp = PL_NEW(heap, uint32_t, rows);
	size_t* next = PL_NEW(heap, size_t, rows);
	matrix->start = PL_NEW(heap, size_t, rows + 1);
	if (!matrix->start)
		goto done;
	matrix->start[0] = 0;
	if (rows == 0)
	{
		result = pl_success;
		goto done;
	}
	if (!stamp || !next || !createIncidence(&table, rows, elements, elementCount, corners, heap))
		goto done;
	result = fillPattern(matrix, &table, elements, corners, stamp, next, heap);
	if (result == pl_success)
		PL_VALIDATE_CALL(validatePattern(matrix));
done:
	PL_FREE(heap, table.element, table.entries);
	PL_FREE(heap, table.start, rows + 1);
	PL_FREE(heap, next, rows);
	PL_FREE(heap, stamp, rows);
	if (result != pl_success)
		plBlockMatrix_Destroy(matrix, heap);
	return result;
}

bool plBlockMatrix_AddBlocks(plBlockMatrix* matrix, plHeap* heap)
{
	if (matrix->block != NULL || matrix->blockCount == 0)
		return true;
	if (matrix->blockCount <= SIZE_MAX / 9)
		matrix->block = PL_NEW_ZERO(heap, double, 9 * matrix->blockCount);
	return matrix->block != NULL;
}

plResult plBlockMatrix_Create(plBlockMatrix* matrix, size_t rows, const uint32_t* elements, size_t elementCount,
                              int cornerCount, plHeap* heap)
{
	plResult result = plBlockMatrix_CreatePattern(matrix, rows, elements, elementCount, cornerCount, heap);
	if (result != pl_success || plBlockMatrix_AddBlocks(matrix, heap))
		return result;
	plBlockMatrix_Destroy(matrix, heap);
	return pl_errorMemory;
}

void plBlockMatrix_Destroy(plBlockMatrix* matrix, plHeap* heap)
{
	PL_FREE(heap, matrix->moves, matrix->moves != NULL ? matrix->blockCount : 0);
	PL_FREE(heap, matrix->block, 9 * matrix->blockCount);
	PL_FREE(heap, matrix->column, matrix->blockCount);
	PL_FREE(heap, matrix->start, matrix->rows + 1);
	*matrix = (plBlockMatrix){0};
}

size_t plBlockMatrix_Find(const plBlockMatrix* matrix, uint32_t row, uint32_t column)
{
	PL_ASSERT(row < matrix->rows && row <= column, "a block of the upper triangle");
	// The last that is not beyond, in as many steps for any column: branches here would go like dice.
	size_t at = matrix->start[row];
	for (size_t count = matrix->start[row + 1] - at; count > 1;)
	{
		size_t half = count / 2;
		at += matrix->column[at + half] <= column ? half : 0;
		count -= half;
	}
	return matrix->column[at] == column ? at : SIZE_MAX;
}

// y += B x and y += B' x for a 3x3 block
static inline void multiplyBlock(const double* b, const double* x, double* y)
{
	y[0] += b[0] * x[0] + b[1] * x[1] + b[2] * x[2];
	y[1] += b[3] * x[0] + b[4] * x[1] + b[5] * x[2];
	y[2] += b[6] * x[0] + b[7] * x[1] + b[8] * x[2];
}

static inline void multiplyTransposed(const double* b, const double* x, double* y)
{
	y[0] += b[0] * x[0] + b[3] * x[1] + b[6] * x[2];
	y[1] += b[1] * x[0] + b[4] * x[1] + b[7] * x[2];
	y[2] += b[2] * x[0] + b[5] * x[1] + b[8] * x[2];
}

void plBlockMatrix_Multiply(const plBlockMatrix* matrix, const double* x, double* y, int stride)
{
	PL_ASSERT(stride == 3 || stride == 4, "vectors have 3 or 4 numbers per vertex");
	if (matrix->rows == 0)
		return;
	PL_ASSERT(x != y, "the product cannot overwrite its operand");
	size_t step = (size_t)stride;
	memset(y, 0, matrix->rows * step * sizeof *y);
	for (size_t i = 0; i < matrix->rows; ++i)
	{
		multiplyBlock(matrix->block + 9 * matrix->start[i], x + step * i, y + step * i);
		for (size_t k = matrix->start[i] + 1; k < matrix->start[i + 1]; ++k)
		{
			const double* b = matrix->block + 9 * k;
			size_t j = matrix->column[k];
			multiplyBlock(b, x + step * j, y + step * i);
			multiplyTransposed(b, x + step * i, y + step * j);
		}
	}
}
