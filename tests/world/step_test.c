#include "fixture.h"

static const size_t barCells[3] = {8, 2, 2};
static const plVec3 barSize = {4.0, 1.0, 1.0};

TEST(newton_converges_to_1e_10_in_every_step_of_a_swinging_bar)
{
	plWorldDef wd = plDefaultWorldDef();
	wd.timestep = 1.0 / 30.0;
	wd.solver.tolerance = 1e-10;
	plSoftBodyDef bd = softBody(pl_lawNeoHookean, 1e5, 0.45, 1000.0);
	Fixture f = makeFixture(&wd, &bd, barSize, barCells, true);
	for (int i = 0; i < 30; ++i)
	{
		plStepReport report;
		plResult result = plWorld_Step(f.world, &report, &f.error);
		printf("    step %d: result %d it %d ls %d rel %.3g obj %.6g kin %.4g el %.4g inv %zu alloc %zu ms %.2f (min %.2f)\n", i, result,
			   report.iterations, report.line_searches, report.relative_residual, report.objective, report.kinetic, report.elastic, report.inverted,
			   report.allocations, report.ms.total, report.ms.minimise);
		CHECK(result == pl_success);
		CHECK_BELOW(report.relative_residual, 1e-10);
	}
	destroyFixture(&f);
}

TEST_MAIN(RUN(newton_converges_to_1e_10_in_every_step_of_a_swinging_bar))
