#!/bin/sh
# tune_test.sh: the phases that `pliant tune` finds can be used, are the same every time, and what is refused
. "$(dirname "$0")/harness.sh"
start
scene bar 6 1
stiff='--set bodies.bar.material.young=5e6 --iterations 32 --steps 2'

block() {
	status 0 "$pliant" tune bar.json $stiff && says out.txt '^step  *budget  *start  *tuned$' &&
		says out.txt '^geometric mean ' && says out.txt '^"solver": {$' && says out.txt '"phases": \[' &&
		awk '/^geometric mean/ { exit !($5 <= $4) }' out.txt
}
claim "a table says what was gained, and the solver block follows" block

usable() {
	status 0 "$pliant" tune bar.json $stiff --phases 4 -o solver.json && says out.txt '^solver.json: the solver block' || return 1
	sed "s/\"steps\": 6,/\"steps\": 6, \"solver\": $(tr -d '\n' <solver.json),/" bar.json >tuned.json
	status 0 "$pliant" check tuned.json && status 0 "$pliant" run tuned.json -o run --format none &&
		[ "$(grep -c '"rho"' solver.json)" -le 4 ]
}
claim "the block goes into the scene as it is" usable

threads() {
	for n in 1 2 3; do
		status 0 "$pliant" tune bar.json $stiff --threads $n -o t$n.json && cmp t1.json t$n.json || return 1
	done
}
claim "the answer does not depend on the number of threads" threads

own() { # the scene's own solver is tuned if chebyshev accelerates it
	status 0 "$pliant" tune bar.json $stiff --set 'solver={"method":"descent","direction":"gauss-seidel","refresh":8}' -o own.json &&
		says own.json '"direction": "gauss-seidel"' && says own.json '"refresh": 8' && says own.json '"iterations": 32,'
}
claim "what is tuned is the scene's solver" own

refused() {
	status 2 "$pliant" tune && says err.txt 'scene is missing' &&
		status 2 "$pliant" tune bar.json other.json && says err.txt 'one argument too many' &&
		status 2 "$pliant" tune nothing.json && says err.txt '^pliant: nothing.json: ' &&
		status 2 "$pliant" tune bar.json --phases 0 && status 2 "$pliant" tune bar.json --phases 17 &&
		status 2 "$pliant" tune bar.json --phases 4 --iterations 3 && says err.txt 'only 3 iterations' &&
		status 2 "$pliant" tune bar.json --rho 1 && says err.txt 'must lie in' &&
		status 2 "$pliant" tune bar.json --rho x && status 2 "$pliant" tune bar.json --steps 7 && says err.txt 'has 6 steps' &&
		status 2 "$pliant" tune bar.json --set stepz=3 && says err.txt 'unknown key' &&
		status 2 "$pliant" tune bar.json -o '' && says err.txt 'is empty'
}
claim "wrong options and scenes end with 2 and words" refused

failed() {
	status 4 "$pliant" tune bar.json --set 'gravity=[0,0,0]' -o never && says err.txt 'nothing to tune' && [ ! -e never ] &&
		status 4 "$pliant" tune bar.json $stiff -o no/such/folder.json && says err.txt 'no/such'
}
claim "nothing to tune with, or no place to write to, ends with 4" failed

helped() { status 0 "$pliant" tune --help && says out.txt '--phases N' && status 0 "$pliant" --help && says out.txt 'tune SCENE'; }
claim "it has --help" helped
finish
