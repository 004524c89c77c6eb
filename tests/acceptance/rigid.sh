#!/bin/bash
# rigid.sh [POINT...]: block descent, point by point
#
# Prints "point  figure  verdict" for each line; status 0 if none is FAIL.
#
#   agree   vbd ends where newton ends, never rises, same bits in every width and on any number of threads
#   vbd     a sweep against a gradient: bar10k and bar58k, double and float, one thread; at most 8 gradients. An iteration
#           of jacobi with a fixed step is a gradient and one pass over the vertices. Processor time, least of REPEATS runs
#           (3) in turns
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/acceptance/points.sh

point_agree()
{
	measure agree "every law and energy, width and number of threads" tests '^method_vbd_test$'
	measure agree "facets: who asks what, and who is refused" tests '^backend_forward_test$'
}

# Processor time of a run, ms
used() # SCENE ITERATIONS OPTIONS...
{
	local scene=$1 iterations=$2 TIMEFORMAT=%U
	shift 2
	{ time build/pliant run "scenes/$scene.json" --steps 8 --iterations "$iterations" --threads 1 --set output.every=100 --quiet \
		-o "$work/run" "$@" >"$work/log" 2>&1; } 2>&1 | awk '{ print 1000 * $1 }'
}

# Processor time of an iteration, ms: what more of them take
iteration() # SCENE FEW MANY OPTIONS...
{
	local scene=$1 few=$2 many=$3
	shift 3
	echo "$(used "$scene" "$few" "$@") $(used "$scene" "$many" "$@") $few $many" | awk '{ print ($2 - $1) / 8 / ($4 - $3) }'
}

point_vbd()
{
	local scene precision row sweep gradient
	for scene in bar10k bar58k; do
		for precision in double float; do
			row=$(for _ in $(seq "${REPEATS:-3}"); do
				sweep=$(iteration "$scene" 4 44 --method vbd --precision $precision)
				gradient=$(iteration "$scene" 20 220 --method jacobi --precision $precision --tolerance 0 \
					--set solver.step_length=fixed --set solver.alpha=0.3)
				echo "$sweep $gradient"
			done | awk '{ if (!a || $1 < a) a = $1; if (!b || $2 < b) b = $2 } END { printf "%.3f ms, %.3f ms: %.1f", a, b, a / b }')
			say vbd "$scene, $precision: a sweep with its test, a gradient: $row gradients (at most 8)" \
				"$(awk -v r="${row##* }" 'BEGIN { print (r > 0 && r <= 8 ? "ok" : "FAIL") }')"
		done
	done
}

run_points "agree vbd" "$@"
