#!/bin/sh
# compare_test.sh: methods on one step's problem: the table, the plots, and what is refused
. "$(dirname "$0")/harness.sh"
start
scene bar 5 1

# METHOD COLUMN: of its last line
last() { awk -F, -v method="$1" -v column="$2" '$1 == method { found = $column } END { print found }' "$3"; }

compared() {
	status 0 "$pliant" compare bar.json --methods newton,newton-cg,gradient --at-step 3 --iterations 20 -o three || return 1
	[ "$(head -n 1 three/compare.csv)" = method,iteration,ms,objective,relative_error,residual ] || return 1
	# three methods, each from iteration 0 on, at most 20; the time rises within a method; numbers are finite
	awk -F, 'NR == 1 { next }
		NF != 6 || $0 ~ /nan|inf/ { bad++ }
		$2 == 0 { methods++; if ($5 != 1 || $3 != 0) bad++; if (start == "") start = $4 "," $6; if (start != $4 "," $6) bad++ }
		$2 > 0 && ($2 != iteration + 1 || $3 <= ms || $1 != method) { bad++ }
		$2 > 20 { bad++ }
		{ method = $1; iteration = $2; ms = $3 }
		END { exit !(methods == 3 && !bad) }' three/compare.csv
}
claim "every method starts from the same state, and every iteration has a line" compared

minimum() {
	for method in newton newton-cg; do
		last $method 5 three/compare.csv | awk '{ exit !($1 < 1e-13 && $1 > -1e-13) }' || return 1
	done
	last gradient 5 three/compare.csv | awk '{ exit !($1 > 1e-9 && $1 < 1) }'
}
claim "newton ends at an error of nothing, steepest descent does not" minimum

told() {
	says out.txt '^bar, step 3: eps(q_t) = ' && says out.txt '^method  *iterations  *ms  *error  *residual  *1 %  *1e-4$' &&
		says out.txt '^newton-cg  *[0-9]' && says out.txt '^gradient  *20 ' && [ ! -s err.txt ]
}
claim "the table names every method" told

drawn() {
	for plot in iterations time; do
		says three/$plot.svg '^<svg ' && says three/$plot.svg '>relative error</text>' &&
			says three/$plot.svg '10<tspan[^>]*>.*</tspan></text>' || return 1
		for method in newton newton-cg gradient; do # in the legend and at the curve
			[ "$(grep -c ">$method</text>" three/$plot.svg)" -eq 2 ] || return 1
		done
	done
	says three/iterations.svg '>iteration</text>' && says three/time.svg '>time (ms)</text>'
}
claim "both plots have axes, legend and labels" drawn

# The plot by iteration and every column but the time, which is the third from the left in lines without quotes.
threads() {
	for n in 1 2 3; do
		status 0 "$pliant" compare bar.json --methods newton,newton-cg,gradient --at-step 2 --iterations 12 --threads $n -o t$n ||
			return 1
		cut -d, -f1,2,4- t$n/compare.csv >t$n.csv
		cmp t1.csv t$n.csv && cmp t1/iterations.svg t$n/iterations.svg || return 1
	done
}
claim "only times depend on the number of threads" threads

variants() {
	status 0 "$pliant" compare bar.json --methods 'gradient[iterations=7,precision=float],newton-cg[cg_iterations=2]' \
		--iterations 3 -o variants || return 1
	[ "$(grep -c '^"gradient\[iterations=7,precision=float\]",' variants/compare.csv)" -eq 8 ] &&
		[ "$(grep -c '^newton-cg\[cg_iterations=2\],' variants/compare.csv)" -eq 4 ] &&
		says out.txt '^gradient\[iterations=7,precision=float\]  *7 '
}
claim "settings in brackets are those of the solver block, and stand in the names" variants

path() { # the scene's solver has no say in the state that the methods start from
	status 0 "$pliant" compare bar.json --methods gradient --iterations 2 --at-step 4 -o one &&
		status 0 "$pliant" compare bar.json --methods gradient --iterations 2 --at-step 4 --set solver=gradient -o two &&
		cmp one/iterations.svg two/iterations.svg
}
claim "the way to the step is newton's" path

default_folder() { status 0 "$pliant" compare bar.json --methods newton && [ -f out/bar/compare.csv ] && rm -r out; }
claim "the default folder is out/<scene name>, the default step the first" default_folder

refused() {
	status 2 "$pliant" compare && says err.txt 'scene is missing' &&
		status 2 "$pliant" compare bar.json && says err.txt 'which methods' &&
		status 2 "$pliant" compare bar.json --methods '' && says err.txt 'name of a method is missing' &&
		status 2 "$pliant" compare bar.json --methods newton,newtno && says err.txt 'unknown method "newtno"; did you mean "newton"' &&
		status 2 "$pliant" compare bar.json --methods 'newton[itrations=3]' && says err.txt 'unknown key "itrations"; did you mean' &&
		status 2 "$pliant" compare bar.json --methods 'newton[iterations=0]' && says err.txt 'at least 1' &&
		status 2 "$pliant" compare bar.json --methods 'newton[iterations=3' && says err.txt 'is missing at its end' &&
		status 2 "$pliant" compare bar.json --methods 'newton[tolerance=1]' && says err.txt '"tolerance" must be at least 0 and below 1' &&
		status 2 "$pliant" compare bar.json --methods 'newton[cg_iterations=2]' && says err.txt 'belongs to newton-cg, quasi-newton' &&
		status 2 "$pliant" compare bar.json --methods newton --at-step 6 && says err.txt 'the scene has 5 steps' &&
		status 2 "$pliant" compare bar.json --methods newton --at-step 0 &&
		status 2 "$pliant" compare bar.json --methods newton --precision half && says err.txt 'unknown precision' &&
		status 2 "$pliant" compare bar.json --methods newton --set stepz=3 && says err.txt 'unknown key' &&
		status 2 "$pliant" compare nothing.json --methods newton && says err.txt '^pliant: nothing.json: ' && [ ! -e out ]
}
claim "wrong methods, settings, steps and scenes end with 2 and words, and leave no folder" refused

unwritable() {
	: >file
	status 2 "$pliant" compare bar.json --methods newton -o file && says err.txt 'file' &&
		status 2 "$pliant" compare bar.json --methods newton -o file/below && says err.txt 'Not a directory'
}
claim "a folder that cannot be made ends with 2 before anything is run" unwritable

failed() {
	status 4 "$pliant" compare bar.json --methods newton --set 'bodies.bar.velocity=[1e200,0,0]' --at-step 2 -o never &&
		says err.txt '^pliant: bar.json: step 1: ' && [ ! -e never ] &&
		status 4 "$pliant" compare bar.json --methods newton --set 'gravity=[0,0,0]' -o never &&
		says err.txt 'at its minimum already' && [ ! -e never ]
}
claim "a step that fails, or one with nothing to do, ends with 4 and leaves no folder" failed

helped() { status 0 "$pliant" compare --help && says out.txt '--at-step K' && says out.txt 'Methods: newton'; }
claim "it has --help" helped
finish
