// scene_word_test.c: a solver as one word of the command line is what the same block of a scene is
#include "pliant/io.h"
#include "test.h"

static plDiagnostics* problems;
static plSolverDef solver;

static bool parse(const char* word, const plSceneOptions* options)
{
	plDestroyDiagnostics(problems);
	problems = plCreateDiagnostics();
	return plParseSolver("--methods", word, options, &solver, problems);
}

// Refused with exactly one problem: "--methods WORD: " + words.
static bool refused(const char* word, const char* words)
{
	char full[256];
	snprintf(full, sizeof full, "--methods %s: %s", word, words);
	bool fine = !parse(word, NULL) && plDiagnostics_GetCount(problems) == 1 &&
	            strncmp(plDiagnostics_GetText(problems, 0), full, strlen(full)) == 0;
	for (size_t i = 0; !fine && i < plDiagnostics_GetCount(problems); i++)
		fprintf(stderr, "    %s\n", plDiagnostics_GetText(problems, i));
	return fine;
}

TEST(a_bare_name_is_the_preset)
{
	for (int i = 0; i < pl_methodCount; i++)
	{
		plSolverDef preset = plDefaultSolverDef((plMethod)i);
		CHECK(parse(plMethod_GetName((plMethod)i), NULL));
		CHECK(solver.method == preset.method && solver.iterations == preset.iterations);
		CHECK(solver.tolerance == preset.tolerance && solver.accept == preset.accept && solver.cookie == preset.cookie);
	}
}

TEST(settings_stand_in_brackets)
{
	CHECK(parse("newton[iterations=7,tolerance=1e-3,precision=float,factorisation=\"simplicial\"]", NULL));
	CHECK(solver.method == pl_methodNewton && solver.iterations == 7 && solver.tolerance == 1e-3);
	CHECK(solver.precision == pl_precisionFloat && solver.factorisation == pl_factorSimplicial);
	CHECK(parse("newton-cg[cg_iterations=3]", NULL));
	CHECK(solver.method == pl_methodNewtonCg && solver.cgIterations == 3 && solver.hessian == pl_hessianExact);
	CHECK(parse("newton-cg[hessian=projected]", NULL));
	CHECK(solver.hessian == pl_hessianProjected && solver.cgIterations == 500);
	CHECK(parse("quasi-newton[linear=cg]", NULL));
	CHECK(solver.linear == pl_linearCg && solver.cgIterations == 15);
	CHECK(solver.fit[0] == 0.8 && solver.fit[1] == 1.2 && solver.pairOrder == pl_pairsOldest);
	CHECK(parse("projective[linear=cg,cg_iterations=40]", NULL));
	CHECK(solver.linear == pl_linearCg && solver.cgIterations == 40);
	CHECK(solver.fit[0] == 0.5 && solver.fit[1] == 1.5);
	CHECK(parse("quasi-newton[fit=[0.9,1.25],matrix=diagonal]", NULL));
	CHECK(solver.fit[0] == 0.9 && solver.fit[1] == 1.25);
}

// Every setting of every method, as the table describes its value, is read back as that value.
TEST(settings_are_read_as_they_are_described)
{
	const plSolverOption* option;
	for (int m = 0; m < pl_methodCount; m++)
		for (int i = 0; (option = plGetSolverOption(i)) != NULL; i++)
		{
			char word[256], value[128], again[128];
			plSolverDef def = plDefaultSolverDef((plMethod)m);
			CHECK(plSolverDef_Check(&def, NULL) == pl_success);
			if (option->kind == pl_optionPhases || !plSolverOption_IsTaken(option, &def))
				continue;
			plSolverOption_DescribeValue(option, &def, value, sizeof value);
			snprintf(word, sizeof word, "%s[%s=%s]", plMethod_GetName((plMethod)m), option->key, value);
			CHECK(parse(word, NULL));
			CHECK_TEXT(plSolverOption_DescribeValue(option, &solver, again, sizeof again), value);
		}
}

// What the check of a def blames on a setting stands in its row, and the reader refuses the same numbers.
TEST(numbers_out_of_range_are_refused_by_the_def_and_by_the_reader)
{
	const plSolverOption* option;
	for (int m = 0; m < pl_methodCount; m++)
		for (int i = 0; (option = plGetSolverOption(i)) != NULL; i++)
		{
			char word[256];
			plError error = {0};
			plSolverDef def = plDefaultSolverDef((plMethod)m);
			double bad = option->range.low - 2.0; // what stands right below a range may have a word
			int whole = (int)bad;
			if ((option->kind != pl_optionNumber && option->kind != pl_optionWhole) ||
			    !plSolverOption_IsTaken(option, &def))
				continue;
			bool isWhole = option->kind == pl_optionWhole;
			memcpy((char*)&def + option->offset, isWhole ? (void*)&whole : (void*)&bad,
			       isWhole ? sizeof whole : sizeof bad);
			CHECK(plSolverDef_Check(&def, &error) == pl_errorInput && strcmp(error.field, option->field) == 0);
			snprintf(word, sizeof word, "%s[%s=%d]", plMethod_GetName((plMethod)m), option->key, whole);
			CHECK(!parse(word, NULL) && plDiagnostics_GetCount(problems) == 1);
		}
}

TEST(options_hold_where_the_brackets_say_nothing)
{
	plSceneOptions options = plDefaultSceneOptions();
	options.iterations = 12;
	options.tolerance = 0.0;
	options.precision = "float";
	CHECK(parse("gradient", &options));
	CHECK(solver.iterations == 12 && solver.tolerance == 0.0 && solver.precision == pl_precisionFloat);
	CHECK(parse("gradient[iterations=5,precision=double]", &options));
	CHECK(solver.iterations == 5 && solver.tolerance == 0.0 && solver.precision == pl_precisionDouble);
	CHECK(!parse("gradient[iterations=5,iterations=6]", &options));
	options.precision = "half";
	CHECK(!parse("gradient", &options));
	CHECK(strstr(plDiagnostics_GetText(problems, 0), "--precision half: unknown precision") != NULL);
}

TEST(wrong_words_are_refused_with_the_word)
{
	CHECK(refused("", "the name of a method is missing"));
	CHECK(refused("[iterations=3]", "the name of a method is missing"));
	CHECK(refused("newtno", "unknown method \"newtno\"; did you mean \"newton\"?"));
	CHECK(refused("newton[", "a ] is missing at its end"));
	CHECK(refused("newton[iterations=3", "a ] is missing at its end"));
	CHECK(refused("newton[iterations=3]x", "a ] is missing at its end"));
	CHECK(refused("newton[]", "in the brackets stands key=value"));
	CHECK(refused("newton[iterations]", "in the brackets stands key=value"));
	CHECK(refused("newton[iterations=3,]", "in the brackets stands key=value"));
	CHECK(refused("newton[iterations=3,iterations=4]", "a key stands in the brackets twice"));
	CHECK(refused("newton[=3]", "in the brackets stands key=value"));
	CHECK(refused("newton[method=gradient]", "the method stands before the brackets"));
	CHECK(refused("newton[iterations=[1,2]]", "expected a whole number, found a list"));
	CHECK(refused("newton[iterations=0]", "expected at least 1, found 0"));
	CHECK(refused("newton[tolerance=2]", "\"tolerance\" must be at least 0 and below 1, found 2"));
	CHECK(refused("newton[itrations=2]", "unknown key \"itrations\"; did you mean \"iterations\"?"));
	CHECK(refused("gradient[cg_iterations=2]",
	              "\"cg_iterations\" belongs to newton-cg, quasi-newton and projective (with linear cg)"));
	CHECK(refused("quasi-newton[cg_iterations=2]",
	              "\"cg_iterations\" belongs to newton-cg, quasi-newton and projective (with linear cg), "
	              "multigrid (with cycle cg), not to "
	              "quasi-newton with linear direct"));
	CHECK(refused("quasi-newton[linear=lu]", "unknown linear \"lu\""));
	CHECK(refused("quasi-newton[linear=cg,matrix=rest]", "solver: linear cg and multigrid solve the matrix laplacian"));
	CHECK(refused("multigrid[cycle=w]", "unknown cycle \"w\""));
	CHECK(refused("multigrid[smoothing=0]", "expected at least 1, found 0"));
	CHECK(refused("multigrid[adaptive=0.1]", "\"adaptive\" belongs to multigrid (with cycle fmg or fas)"));
	CHECK(refused("newton-cg[ratio=4]", "\"ratio\" belongs to multigrid, newton-cg (with preconditioner multigrid)"));
	CHECK(refused("newton[linear=cg]", "\"linear\" belongs to quasi-newton and projective"));
	CHECK(refused("quasi-newton[fit=0.5]", "expected a list of 2 numbers, found the number 0.5"));
	CHECK(refused("quasi-newton[fit=[0.5]]", "expected a list of 2 numbers, found a list of 1"));
	CHECK(refused("quasi-newton[fit=[0.5,1,1.5]]", "expected a list of 2 numbers, found a list of 3"));
	CHECK(refused("quasi-newton[fit=[0.5,\"2\"]]", "expected a number, found the string \"2\""));
	CHECK(refused("quasi-newton[fit=[0,1.5]]", "\"fit\" must be above 0 and at most 10, found 0"));
	CHECK(refused("quasi-newton[fit=[1.5,0.5]]", "solver: fit is 1.5 to 0.5, it must contain stretch 1"));
	CHECK(refused("quasi-newton[fit=[1.1,1.5]]", "solver: fit is 1.1 to 1.5, it must contain stretch 1"));
	CHECK(refused("quasi-newton[fit=[0.5,11]]", "\"fit\" must be above 0 and at most 10, found 11"));
	CHECK(refused("quasi-newton[fit=[1,1]]", "solver: fit is 1 to 1, it must be 0.001 wide"));
	CHECK(refused(
	    "quasi-newton[fit=[0.5,1.5],matrix=rest]",
	    "\"fit\" belongs to quasi-newton (with matrix laplacian or diagonal), not to quasi-newton with matrix rest"));
	CHECK(refused("projective[fit=[0.5,1.5]]",
	              "\"fit\" belongs to quasi-newton (with matrix laplacian or diagonal), not to projective"));
	CHECK(refused("newton[fit=[0.5,1.5]]",
	              "\"fit\" belongs to quasi-newton (with matrix laplacian or diagonal), not to newton"));
	CHECK(refused("newton-cg[hessian=clamped]", "unknown hessian \"clamped\""));
	CHECK(refused("quasi-newton[hessian=projected]", "\"hessian\" belongs to newton and newton-cg"));
	CHECK(!parse("newton[iterations=\"3]", NULL)); // a quote that does not end
	plDestroyDiagnostics(problems);
}
