#!/bin/sh
# bench_test.sh: the benches run and say where their numbers come from; speed itself is no test
. "$(dirname "$0")/harness.sh"
start

kernels() {
	status 0 "$pliant" bench kernel --cells 2 --repeats 1 --threads 1 -o kernel.csv || return 1
	says kernel.csv '^# pliant 0.1.0, commit ' && says kernel.csv '^law,kernel,precision,lanes,threads,tets,' || return 1
	# every law, four kernels, two precisions, scalar and wide; each time is a positive number
	awk -F, '/^#/ || /^law,/ { next } { rows++; laws[$1]; good += NF == 8 && $6 == 48 && $7 > 0 && $8 >= $7 }
		END { for (l in laws) n++; exit !(rows == 16 * n && good == rows) }' kernel.csv
}
claim "every kernel is timed, with provenance" kernels
steps() {
	status 0 "$pliant" bench descent --quick --repeats 3 --threads 2 -o descent.csv || return 1
	says descent.csv '^# pliant 0.1.0, commit ' && says descent.csv '^scene,threads,vertices,tets,iterations,steps,minimum,' || return 1
	# a box and four helices on one thread and on two; whole budgets, positive times, memory
	awk -F, '/^#/ || /^scene,/ { next } { rows++; good += NF == 17 && $5 == 96 && $6 > 0 && $7 > 0 && $8 >= $7 && $16 > 50 && $17 >= $16 }
		END { exit !(rows == 10 && good == rows) }' descent.csv
}
claim "a step of descent is timed, by threads and size, with memory" steps
methods() {
	status 0 "$pliant" bench methods --quick --repeats 1 --threads 2 -o methods.csv || return 1
	says methods.csv '^# pliant 0.1.0, commit ' && says methods.csv '^method,threads,vertices,tets,iterations,ms,bytes$' || return 1
	awk -F, '/^#/ || /^method,/ { next } { rows++; good += NF == 7 && $2 == 2 && $5 > 0 && $6 > 0 && $7 > 100; bytes[$1] = $7 }
		END { exit !(rows >= 7 && good == rows && bytes["newton"] > bytes["newton-cg"]) }' methods.csv
}
claim "an iteration of every method is timed, with memory" methods
changes() {
	status 0 "$pliant" bench change --quick --repeats 1 --threads 1 -o change.csv || return 1
	says change.csv '^# pliant 0.1.0, commit ' && says change.csv '^thing,threads,tets,vertices,standing,changing,made,percent$' || return 1
	awk -F, '/^#/ || /^thing,/ { next } { rows++; good += NF == 8 && $3 == 1536 && $4 == 25 && $5 > 0 && $6 > $7 && $7 > 0 }
		END { exit !(rows == 5 && good == rows) }' change.csv
}
claim "what is made and destroyed in every step is timed" changes
claim "bench descent refuses other words" status 2 "$pliant" bench descent box
claim "an unknown bench is refused" status 2 "$pliant" bench kernell
claim "cells that are no number are refused" status 2 "$pliant" bench --cells none
claim "a file that cannot be written is refused" status 2 "$pliant" bench -o nowhere/kernel.csv
finish
