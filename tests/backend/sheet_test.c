// sheet_test.c: what the cpu backend makes of the elements of sheets: sweeps, diagonals, Laplacian, float, damping
#include "../energy/sheet.h"
#include "backend/cpu/isa.h"
#include "backend/cpu/sweep.h"

static const plBendingModel models[3] = {pl_bendingQuadratic, pl_bendingHinge, pl_bendingPlate};

static void makeSheetOf(Sheet* s, size_t cells, size_t rows, plMembraneLaw law, plBendingModel model,
                        plPrecision precision, double damping)
{
	plMembraneDef membrane = plDefaultMembraneDef();
	plBendingDef bending = plDefaultBendingDef();
	sheetGrid(s, 0.0, 1.0, 0.8, cells, rows, equilateral);
	membrane.law = law;
	membrane.young = 100.0;
	membrane.limitStiffness = 20.0;
	bending.model = model;
	bending.stiffness = 0.05;
	plMembrane_Resolve(&s->membrane, &membrane, 0.1, NULL);
	plBending_Resolve(&s->bending, &bending, &membrane, 0.1, NULL);
	s->membrane.viscosity = damping;
	s->bending.viscosity = 0.1 * damping;
	sheetBends(s);
	sheetMake(s, true, precision);
}

static void makeSheet(Sheet* s, plMembraneLaw law, plBendingModel model, plPrecision precision, double damping)
{
	makeSheetOf(s, 6, 5, law, model, precision, damping);
}

static void crumple(Sheet* s, double size)
{
	uint64_t seed = 7;
	for (size_t i = 0; i < s->n; ++i)
		for (size_t k = 0; k < 3; ++k)
			placeOf(s, i)[k] = s->x[3 * i + k] + size * testRandom(&seed);
}

// Damping from the shape at rest, over a step of 0.1 s
static void begin(Sheet* s)
{
	s->problem->timestep = 0.1;
	s->problem->objective->begin(s->problem, &(plSubstep){.q = plPointData(s->q), .h = 0.1});
}

TEST(a_sweep_sees_the_forces_and_blocks_of_a_vertex)
{
	for (size_t m = 0; m < 3; ++m)
		for (int exact = 0; exact < 2; ++exact)
		{
			WITH("%s, %s", plBendingModel_GetName(models[m]), exact ? "exact" : "projected");
			Sheet s;
			makeSheet(&s, m == 1 ? pl_membraneNeoHookean : pl_membraneStvk, models[m], pl_precisionDouble, 3.0);
			begin(&s);
			crumple(&s, 0.03);
			CHECK(s.problem->sweep->colour(s.problem) == pl_success);
			const plCpuProblem* p = (const plCpuProblem*)s.problem;
			double *H = denseHessianOf(&s, !exact), *f = malloc(pl_quad * s.n * sizeof *f);
			memcpy(f, forceOf(&s), pl_quad * s.n * sizeof *f);
			double scale = largestOf(H, 9 * s.n * s.n);
			size_t seen = 0;
			for (size_t g = 0; g < p->sweep->groupCount; ++g)
				for (size_t l = 0; l < p->sweep->laneCount[g]; ++l, ++seen)
				{
					double sum[9] = {0.0};
					size_t i = p->sweep->vertex[pl_batchSize * g + l];
					for (plElementKind kind = 0; kind < pl_kindCount; ++kind)
					{
						_Alignas(64) double part[pl_sweepSums];
						plSweepGroup group = plCpuSweep_GetGroup(p, kind, g);
						if (group.partCount == 0)
							continue;
						p->kernels[kind]->sweep->blocks(&group, plPointData(s.q), !exact, part);
						for (size_t k = 0; k < 9; ++k)
							sum[k] += part[pl_batchSize * k + l];
					}
					static const size_t row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
					for (size_t k = 0; k < 3; ++k)
						CHECK_NEAR(sum[k], PL_AT(f, i)[k], 1e-11 * scale);
					for (size_t k = 0; k < 6; ++k)
						CHECK_NEAR(sum[3 + k], H[3 * s.n * (3 * i + row[k]) + 3 * i + column[k]], 1e-11 * scale);
				}
			CHECK(seen == s.n);
			free(H);
			free(f);
			sheetEnd(&s);
		}
}

// Sums of what sweeps see of values: an element counts once for each of its corners.
TEST(a_sweep_sees_the_values_around_a_vertex)
{
	for (size_t m = 0; m < 3; ++m)
	{
		Sheet s;
		double total = 0.0;
		makeSheet(&s, pl_membraneCorotated, models[m], pl_precisionDouble, 0.0);
		crumple(&s, 0.03);
		CHECK(s.problem->sweep->colour(s.problem) == pl_success);
		const plCpuProblem* p = (const plCpuProblem*)s.problem;
		s.problem->objective->value(s.problem, s.q);
		double expected = 0.0;
		for (plElementKind kind = 0; kind < pl_kindCount; ++kind)
			for (size_t b = 0; b < s.elements.kinds[kind]->batchCount; ++b)
				expected += (double)s.elements.kinds[kind]->kind->cornerCount *
				            p->batchValue[s.elements.kinds[kind]->firstBatch + b];
		for (size_t g = 0; g < p->sweep->groupCount; ++g)
			for (plElementKind kind = 0; kind < pl_kindCount; ++kind)
			{
				double value[pl_batchSize], noise[pl_batchSize];
				plSweepGroup group = plCpuSweep_GetGroup(p, kind, g);
				if (group.partCount == 0)
					continue;
				p->kernels[kind]->sweep->values(&group, plPointData(s.q), value, noise);
				for (size_t l = 0; l < p->sweep->laneCount[g]; ++l)
					total += value[l];
			}
		CHECK_NEAR(total, expected, 1e-12 * expected);
		sheetEnd(&s);
	}
}

// Where every step lowers what its vertex has a part in, the tested sweep is the plain one, bit for bit. Sweeps do not
// evaluate bending that is quadratic: here it is most of the objective, of damped sheets, too.
TEST(a_tested_sweep_knows_what_bending_gains)
{
	for (size_t m = 0; m < 3; m += 2)
		for (plPrecision precision = 0; precision <= pl_precisionFloat; ++precision)
		{
			WITH("%s, %s", plBendingModel_GetName(models[m]), precision == pl_precisionFloat ? "float" : "double");
			Sheet s;
			makeSheet(&s, pl_membraneStvk, models[m], precision, 3.0);
			begin(&s);
			crumple(&s, 0.004);
			CHECK(s.problem->sweep->colour(s.problem) == pl_success);
			plPoint* tested = s.problem->space->newPoint(s.problem);
			s.problem->space->copyPoint(s.problem, tested, s.q);
			double before = s.problem->objective->value(s.problem, s.q).value;
			s.problem->sweep->sweep(s.problem, s.q);
			s.problem->sweep->sweepCarefully(s.problem, tested);
			CHECK(s.problem->objective->value(s.problem, s.q).value < 0.5 * before);
			CHECK(memcmp(plPointData(tested), plPointData(s.q), pl_quad * s.n * sizeof(double)) == 0);
			s.problem->space->freePoint(s.problem, tested);
			sheetEnd(&s);
		}
}

TEST(damping_is_differentiated_too)
{
	for (size_t m = 0; m < 3; ++m)
		for (plMembraneLaw law = 0; law < pl_membraneSprings; law += 2)
		{
			WITH("%s, %s", plMembraneLaw_GetName(law), plBendingModel_GetName(models[m]));
			Sheet s;
			makeSheet(&s, law, models[m], pl_precisionDouble, 2.0);
			begin(&s);
			crumple(&s, 0.02);
			CALL(sheetCheckDerivatives(&s, 1e-6, true));
			sheetEnd(&s);
		}
}

// A flat sheet that moves rigidly is not resisted; what stretches is, by c times the rate.
TEST(damping_resists_rates_and_no_rigid_motion)
{
	Sheet s;
	makeSheet(&s, pl_membraneArap, pl_bendingHinge, pl_precisionDouble, 2.0);
	begin(&s);
	sheetMoveRigidly(&s);
	CHECK_NEAR(sheetValueOf(&s), 0.0, 1e-24);
	double plain, damped, area = 0.8;
	for (size_t i = 0; i < s.n; ++i)
	{
		memcpy(placeOf(&s, i), s.x + 3 * i, 3 * sizeof(double));
		placeOf(&s, i)[0] *= 1.2;
	}
	damped = sheetValueOf(&s);
	plain = s.problem->objective->elastic(s.problem, s.q, false);
	double strain = 0.5 * (1.2 * 1.2 - 1.0);
	CHECK_NEAR(damped - plain, 0.5 * 2.0 / 0.1 * strain * strain * area, 1e-12);
	sheetEnd(&s);
}

TEST(diagonals_are_those_of_the_hessian)
{
	for (size_t m = 0; m < 3; ++m)
	{
		Sheet s;
		makeSheet(&s, pl_membraneOrthotropic, models[m], pl_precisionDouble, 0.0);
		crumple(&s, 0.02);
		for (size_t i = 0; i < s.n; ++i)
			s.mass[i] = 0.01;
		double* P = denseHessianOf(&s, true);
		CHECK(s.problem->diagonal->refresh(s.problem, s.q, pl_diagonalBlocks));
		double *d = plTangentArray(s.d), sum[3];
		uint64_t seed = 3;
		for (size_t i = 0; i < s.n; ++i)
			for (size_t k = 0; k < 3; ++k)
				PL_AT(d, i)[k] = testRandom(&seed);
		s.problem->diagonal->precondition(s.problem, s.g, s.d);
		for (size_t i = 0; i < s.n; ++i)
		{
			for (size_t k = 0; k < 3; ++k)
			{
				sum[k] = 0.0;
				for (size_t j = 0; j < 3; ++j)
					sum[k] += P[3 * s.n * (3 * i + k) + 3 * i + j] * PL_AT(plTangentData(s.g), i)[j];
				CHECK_NEAR(sum[k], PL_AT(d, i)[k], 1e-9);
			}
		}
		free(P);
		sheetEnd(&s);
	}
}

// Of arap and quadratic the Laplacian is the Hessian with rotations held: in the flat rest shape, along the sheet
TEST(the_laplacian_is_the_hessian_where_that_is_constant)
{
	static const plBendingModel flat[2] = {pl_bendingQuadratic, pl_bendingPlate};
	for (size_t m = 0; m < 2; ++m)
	{
		Sheet s;
		makeSheet(&s, pl_membraneArap, flat[m], pl_precisionDouble, 0.0);
		const plScalarMatrix* L = s.problem->matrix->laplacian(s.problem);
		CHECK(L != NULL);
		double* H = denseHessianOf(&s, false); // at rest: out of the plane it is bending alone
		double rowSum = 0.0, scale = largestOf(H, 9 * s.n * s.n);
		for (size_t i = 0; i < s.n; ++i)
			for (size_t k = L->start[i]; k < L->start[i + 1]; ++k)
			{
				size_t j = L->column[k];
				double z = H[3 * s.n * (3 * i + 2) + 3 * j + 2];
				double x = H[3 * s.n * 3 * i + 3 * j], y = H[3 * s.n * (3 * i + 1) + 3 * j + 1];
				// 2 mu (b.b) between both axes: xx + yy of arap's Hessian at rest is 3 mu (b.b), as alpha = mu
				double membrane = (x + y - 2.0 * z) * 2.0 / 3.0;
				CHECK_NEAR(L->value[k], membrane + z, 1e-10 * scale);
				rowSum += (i == j ? 1.0 : 2.0) * L->value[k];
			}
		CHECK_NEAR(rowSum, 0.0, 1e-9 * scale);
		free(H);
		sheetEnd(&s);
	}
}

// What the state does not move stands from one Hessian to the next, until the step or damping is another.
TEST(a_hessian_after_others_is_that_of_a_sheet_that_never_had_one)
{
	static const double steps[4] = {0.1, 0.1, 0.05, 0.05};
	Sheet s;
	makeSheet(&s, pl_membraneStvk, pl_bendingQuadratic, pl_precisionDouble, 3.0);
	for (size_t k = 0; k < 4; ++k)
	{
		WITH("Hessian %zu", k);
		Sheet fresh;
		makeSheet(&fresh, pl_membraneStvk, pl_bendingQuadratic, pl_precisionDouble, 3.0);
		Sheet* both[2] = {&s, &fresh};
		const plBlockMatrix* H[2];
		for (size_t a = 0; a < 2; ++a)
		{
			crumple(both[a], 0.01 * (double)k);
			both[a]->problem->timestep = steps[k];
			both[a]->problem->objective->begin(both[a]->problem,
			                                   &(plSubstep){.q = plPointData(both[a]->q), .h = steps[k]});
			H[a] = both[a]->problem->matrix->hessian(both[a]->problem, both[a]->q,
			                                         k % 2 ? pl_hessianExact : pl_hessianProjected);
		}
		CHECK(memcmp(H[0]->block, H[1]->block, 9 * H[0]->blockCount * sizeof(double)) == 0);
		size_t still = 0;
		for (size_t b = 0; b < H[0]->blockCount; ++b)
			still += H[0]->moves[b] == 0;
		CHECK(still > 0 && still < H[0]->blockCount / 2);
		sheetEnd(&fresh);
	}
	CHECK(s.problem->matrix->hessian(s.problem, s.q, pl_hessianExact)->revision == 2); // made twice
	sheetEnd(&s);
}

// Elements are added up by chunks: a block gets what does not move once, and every element's part.
TEST(the_hessian_of_a_sheet_of_several_chunks_is_the_product_without_a_matrix)
{
	for (size_t m = 0; m < 3; ++m)
	{
		WITH("%s", plBendingModel_GetName(models[m]));
		Sheet s;
		makeSheetOf(&s, 48, 40, pl_membraneStvk, models[m], pl_precisionDouble, 3.0);
		begin(&s);
		crumple(&s, 0.002);
		plProblem* problem = s.problem;
		const plBlockMatrix* H = problem->matrix->hessian(problem, s.q, pl_hessianProjected);
		CHECK(((const plCpuProblem*)problem)->assemblies[pl_kindTriangle].chunkCount > 2);
		plTangent *d = problem->space->newTangent(problem), *expected = problem->space->newTangent(problem);
		double *x = malloc(3 * s.n * sizeof *x), *y = malloc(3 * s.n * sizeof *y), most = 0.0;
		for (size_t i = 0; i < 3 * s.n; ++i)
			x[i] = cos((double)i);
		problem->matrix->pack(problem, d, x);
		problem->objective->product(problem, s.q, pl_hessianProjected, d, expected);
		plBlockMatrix_Multiply(H, x, y, 3);
		problem->matrix->unpack(problem, x, expected);
		for (size_t i = 0; i < 3 * s.n; ++i)
			most = fmax(most, fabs(x[i]));
		for (size_t i = 0; i < 3 * s.n; ++i)
			CHECK_NEAR(y[i], x[i], 1e-11 * most);
		problem->space->freeTangent(problem, d);
		problem->space->freeTangent(problem, expected);
		free(x);
		free(y);
		sheetEnd(&s);
	}
}

TEST(rotations_of_a_turned_sheet_are_its_turn)
{
	const double R[9] = {0.36, 0.48, -0.8, -0.8, 0.6, 0.0, 0.48, 0.64, 0.6};
	Sheet s;
	makeSheet(&s, pl_membraneStvk, pl_bendingQuadratic, pl_precisionDouble, 0.0);
	double* rotation = malloc(9 * s.n * sizeof *rotation);
	sheetMoveRigidly(&s);
	s.problem->matrix->rotations(s.problem, s.q, rotation);
	for (size_t k = 0; k < 9 * s.n; ++k)
		CHECK_NEAR(rotation[k], R[k % 9], 1e-12);
	free(rotation);
	sheetEnd(&s);
}

// Values in float are within their noise, forces within what the scale says.
TEST(float_agrees_with_double_within_its_noise)
{
	for (size_t m = 0; m < 3; ++m)
		for (plMembraneLaw law = 0; law < pl_membraneSprings; ++law)
		{
			WITH("%s, %s", plMembraneLaw_GetName(law), plBendingModel_GetName(models[m]));
			static const double sizes[] = {0.0, 1e-4, 0.02, 0.1};
			for (size_t k = 0; k < 4; ++k)
			{
				Sheet a, b;
				plForceScale scale;
				makeSheet(&a, law, models[m], pl_precisionDouble, 0.0);
				makeSheet(&b, law, models[m], pl_precisionFloat, 0.0);
				crumple(&a, sizes[k]);
				crumple(&b, sizes[k]);
				double exact = sheetValueOf(&a), square = 0.0;
				plValue v = b.problem->objective->value(b.problem, b.q);
				CHECK_NEAR(v.value, exact, v.noise);
				CHECK(v.noise < 1e-3 * exact + 1e-6 * 10.0); // 10 N/m
				const double* f = forceOf(&a);
				b.problem->objective->gradient(b.problem, b.q, b.g, &scale);
				for (size_t i = 0; i < pl_quad * a.n; ++i)
					square += (f[i] - plTangentData(b.g)[i]) * (f[i] - plTangentData(b.g)[i]);
				CHECK(sqrt(square) < 10.0 * scale.noise + 1e-6 * scale.forces);
				sheetEnd(&a);
				sheetEnd(&b);
			}
		}
}

// ---- tables ---------------------------------------------------------------------------------------------------------

enum
{
	mostOut = 64 * 1024
};

typedef struct Results
{
	double value[64], noise[64], curvature[64], out[7][mostOut];
} Results;

static Results wide, narrow;

static void compute(const plElementKernels* k, const plBatches* b, const Sheet* s, size_t first, Results* r)
{
	static int32_t fixed[4 * pl_patchVertices];
	const double* q = plPointData(s->q);
	memset(r, 0, sizeof *r);
	plSpan span = plBatches_Clip(b, first, b->batchCount < first + 8 ? b->batchCount : first + 8, k->isFloat);
	plBatches_Shift(b, &span, first, k->isFloat);
	plPatchView view = plBatches_GetPatchView(b, first / pl_patchBatches);
	size_t n = b->kind->cornerCount, at = first % pl_patchBatches;
	if (k->patch->place != NULL)
		span.unit = k->patch->place(&view, n * at, n * (at + span.end), q, fixed);
	span.fixed = fixed;
	k->value(&span, q, r->value, r->noise);
	k->gradient(&span, q, r->out[0]);
	k->diagonal(&span, q, r->out[1]);
	k->scalarDiagonal(&span, q, r->out[2]);
	k->curvature(&span, q, plTangentData(s->d), r->curvature);
	k->product(&span, q, 0, plTangentData(s->d), r->out[3]);
	k->hessian(&span, q, 0, r->out[4]);
	k->hessian(&span, q, 1, r->out[5]);
	k->measure(&span, q, r->out[6], NULL);
}

TEST(wide_equals_scalar_bit_for_bit)
{
	int compared = 0;
	for (size_t m = 0; m < 3; ++m)
		for (plMembraneLaw law = 0; law < pl_membraneSprings; ++law)
			for (int damped = 0; damped < 2; ++damped)
			{
				Sheet s;
				makeSheet(&s, law, models[m], pl_precisionDouble, damped ? 2.0 : 0.0);
				CHECK(plElements_AddPrecision(&s.elements, pl_precisionFloat, &heap));
				begin(&s);
				crumple(&s, 0.15);
				for (size_t i = 0; i < pl_quad * s.n; ++i)
					plTangentArray(s.d)[i] = i % pl_quad < 3 ? sin((double)i) : 0.0;
				for (plElementKind kind = pl_kindTriangle; kind < pl_kindCount; ++kind)
				{
					const plElementKernels* table;
					for (int t = 0; (table = plCpu_ListKernels(kind, t)) != NULL; ++t)
					{
						if (table->lanes == 1 || s.elements.kinds[kind]->batchCount == 0)
							continue;
						WITH("%s, %s, %s %s", plMembraneLaw_GetName(law), plBendingModel_GetName(models[m]), table->isa,
						     table->isFloat ? "float" : "double");
						compute(table, s.elements.kinds[kind], &s, 0, &wide);
						compute(plCpu_FindKernels(kind, table->isa, table->isFloat, 1), s.elements.kinds[kind], &s, 0,
						        &narrow);
						CHECK(memcmp(&wide, &narrow, sizeof wide) == 0);
						++compared;
					}
				}
				sheetEnd(&s);
			}
	CHECK(compared >= 2 * 2 * 3 * 6);
}
