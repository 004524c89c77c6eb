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
columns='^scene,size,bodies,threads,iterations,substeps,ms,collide,colour,refresh,minimise,rest,contacts,ns,lost,speed,turning,gained,hash,method,error'
rigid() {
	status 0 "$pliant" bench rigid pyramid 5 pile 3 tower --seconds 2 --threads 1,2 -o rigid.csv || return 1
	says rigid.csv '^# pliant 0.1.0, commit ' && says rigid.csv '120 steps of 1/60 s' && says rigid.csv "$columns\$" || return 1
	# three scenes, 10 and 4 iterations, one and two threads; phases that add up, stacks that stand, the same bits
	awk -F, '/^#/ || /^scene,/ { next }
		{ rows++; fine = NF == 21 && $20 == "avbd" && $21 == 0 && $3 == ($1 == "pyramid" ? 15 : $1 == "pile" ? 27 : 20) && $6 == 1
		  sum = $8 + $9 + $10 + $11 + $12; fine = fine && $7 > 0 && sum > 0.99 * $7 - 0.01 && sum < 1.01 * $7 + 0.01
		  fine = fine && $13 > 20 && $14 > 0 && ($16 < 20 || $1 == "tower") && $18 <= 0.1 && ($1 == "pile" || $15 < 1)
		  key = $1 "," $5; fine = fine && (!(key in hash) || hash[key] == $19); hash[key] = $19; good += fine }
		END { for (k in hash) n++; exit !(rows == 12 && good == rows && n == 6) }' rigid.csv && return 0
	sed 's/^/    /' rigid.csv
	return 1
}
claim "a step of rigid bodies is timed, by phases, and whether they stand" rigid
heavy() {
	status 0 "$pliant" bench rigid tower 4 --ratio 100 --iterations 3 --substeps 2 --seconds 0.1 &&
		says out.txt "top 100 times as heavy" && says out.txt '^tower,4,4,1,3,2,'
}
claim "iterations, substeps and the weight of a tower's top are taken" heavy
methods() {
	status 0 "$pliant" bench rigid chain 5 --ratio 10 --methods avbd,impulse --iterations 4,8 --seconds 0.5 || return 1
	awk -F, '/^chain,/ { rows++; good += $3 == 6 && $21 > 0 && $21 < 100; seen[$20]++ }
		END { exit !(rows == 4 && good == 4 && seen["avbd"] == 2 && seen["impulse"] == 2) }' out.txt
}
claim "methods go through the same chain" methods
rival() { # BODY: an executable called rival
	printf '#!/bin/sh\n%s\n' "$1" >rival
	chmod +x rival
}
beside() {
	rival 'echo "$1 $2 $3" >>asked.txt; echo "40.5 and other words"'
	status 0 "$pliant" bench rigid tower 3 pile 2 --seconds 0.5 --beside ./rival || return 1
	says out.txt "$columns,rival,ratio\$" && [ "$(cat asked.txt)" = "tower 3 30
pile 2 30" ] || return 1
	awk -F, '/^(tower|pile),/ { rows++; good += NF == 23 && $22 == 40.5 && $23 >= 0 && $23 < 1 } END { exit !(rows == 4 && good == 4) }' out.txt
}
claim "a rival runs beside, and the ratio is shown" beside
bad_rivals() {
	rival 'echo 3; exit 7'
	status 4 "$pliant" bench rigid tower 3 --seconds 0.1 --beside ./rival && says err.txt './rival tower 3: ended with status 7' || return 1
	rival 'kill -9 $$'
	status 4 "$pliant" bench rigid tower 3 --seconds 0.1 --beside ./rival && says err.txt './rival tower 3: was ended by signal 9' || return 1
	rival 'echo done in 3 ms'
	status 4 "$pliant" bench rigid tower 3 --seconds 0.1 --beside ./rival && says err.txt "milliseconds per step: 'done in 3 ms'" || return 1
	status 4 "$pliant" bench rigid tower 3 --seconds 0.1 --beside ./nobody && says err.txt './nobody tower 3: cannot be started'
}
claim "a rival that fails is reported in words" bad_rivals
spawn() {
	status 0 "$pliant" bench rigid pile 5 --spawn --seconds 2 --iterations 4 -o spawn.csv || return 1
	says spawn.csv '^scene,size,bodies,threads,iterations,substeps,standing,changing,made,percent,' || return 1
	awk -F, '/^pile,/ { rows++; good += NF == 14 && $3 == 125 && $7 > 0 && $8 > $9 && $9 > 0 && $11 >= $7 && $12 >= $8 && $14 == 0 }
		END { exit !(rows == 1 && good == 1) }' spawn.csv && return 0
	sed 's/^/    /' spawn.csv
	return 1
}
claim "cubes made and destroyed in every step are timed, and cost no memory" spawn
refused() { # WORDS PATTERN
	status 2 "$pliant" bench rigid $1 && says err.txt "$2"
}
claim "an unknown stack is refused" refused 'towr 3' "unknown scene 'towr'; did you mean \"tower\"?"
claim "a size that belongs to no stack is refused" refused 5 "unknown scene '5'"
claim "a size out of range is refused" refused 'pile 0' 'pile 0: expected a whole number from 1 to 1000'
claim "a list with a gap is refused" refused '--iterations 10,,4' '--iterations 10,,4: expected whole numbers'
claim "threads that are no number are refused" refused '--threads two' '--threads two: expected whole numbers'
claim "a run without steps is refused" refused '--seconds 0' '--seconds 0: expected a number'
claim "a method without rigid bodies is refused" refused '--methods avbd,newton' 'expected some of avbd, impulse and xpbd, each once'
claim "a method asked for twice is refused" refused '--methods impulse,impulse' 'each once'
claim "a weightless top is refused" refused '--ratio 0' '--ratio 0: expected a number'
claim "a rival where cubes come and go is refused" refused '--spawn --beside x' 'do not go together'
claim "bench descent refuses other words" status 2 "$pliant" bench descent box
claim "an unknown bench is refused" status 2 "$pliant" bench kernell
claim "cells that are no number are refused" status 2 "$pliant" bench --cells none
claim "a file that cannot be written is refused" status 2 "$pliant" bench -o nowhere/kernel.csv
finish
