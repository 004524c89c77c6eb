// sum.c: sums whose order does not depend on the number of threads
#include "base.h"

typedef struct SumContext
{
	plSumFcn* body;
	void* context;
	double* partial;
	size_t count;
	size_t width;
} SumContext;

size_t plPartialCount(size_t count, int width)
{
	return (count / pl_sumBlock + 1) * (size_t)width;
}

static void sumBlocks(size_t begin, size_t end, void* context)
{
	SumContext* sum = context;
	for (size_t block = begin; block < end; ++block)
	{
		double* partial = sum->partial + block * sum->width;
		for (size_t k = 0; k < sum->width; ++k)
			partial[k] = 0.0;
		size_t first = block * pl_sumBlock;
		size_t last = sum->count - first < pl_sumBlock ? sum->count : first + pl_sumBlock;
		sum->body(first, last, partial, sum->context);
	}
}

void plParallelSum(plPool* pool, size_t count, int width, plSumFcn* body, void* context, double* partial, double* total)
{
	SumContext sum = {body, context, partial, count, (size_t)width};
	size_t blocks = (count + pl_sumBlock - 1) / pl_sumBlock;
	plParallelFor(pool, blocks, 1, sumBlocks, &sum);
	for (size_t k = 0; k < sum.width; ++k)
		total[k] = 0.0;
	for (size_t block = 0; block < blocks; ++block)
		for (size_t k = 0; k < sum.width; ++k)
			total[k] += partial[block * sum.width + k];
}
