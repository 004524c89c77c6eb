#!/bin/bash
# default.sh [POINT...]: what a scene costs as its author first writes it, point by point
#
# Prints "point  figure  verdict" for each line; status 0 if none is FAIL. BUILD names the folder of the build (build).
#
#   viscous   an iteration of a body with viscous damping against one without: bar10k and bar58k, by quasi-newton, descent
#             and newton, in float and double, on one thread, in turns, least of REPEATS runs (3): at most 1.5 times.
#             Wants a quiet machine
#   callback  an iteration with neo-Hookean as a batchCallback against the built-in one, by the same methods and bars,
#             in time of the processor: at most 3 times. That of a callback for one element is said. callback.c is
#             compiled with -O3 -march=native -ffast-math, as somebody who cares would
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/acceptance/points.sh

# Least milliseconds of a step over its iterations in a run, the first step left out: matrices and factors are counted.
per_iteration() # SCENE METHOD PRECISION STEPS OPTIONS...
{
	rm -rf --one-file-system "$work/run"
	"${BUILD:-build}/pliant" run "$1" -o "$work/run" --method "$2" --precision "$3" --steps "$4" --threads 1 --format none \
		--tolerance 0 --quiet "${@:5}" >"$work/log" 2>&1
	awk 'match($0, /"iterations":[0-9]+/) { n = substr($0, RSTART + 13, RLENGTH - 13) }
		NR > 1 && n > 0 && match($0, /"total":[0-9.e-]+/) { m = substr($0, RSTART + 8, RLENGTH - 8) / n; if (!least || m < least) least = m }
		END { print least + 0 }' "$work/run/stats.jsonl"
}

least() # FILE
{
	sort -g "$1" | head -n 1
}

# What `viscous` and others compare: scene, method, steps, iterations.
cost_rows()
{
	cat <<-END
		bar10k quasi-newton 20 10
		bar10k descent 8 96
		bar10k newton 4 3
		bar58k quasi-newton 8 10
		bar58k descent 4 96
		bar58k newton 3 2
	END
}

# Runs with and without some options, in turns.
compare_cost() # POINT MOST WORDS OPTIONS...
{
	local point=$1 most=$2 words=$3 scene method steps iterations precision i
	shift 3
	while read -r scene method steps iterations; do
		for precision in float double; do
			rm -f "$work/plain" "$work/other"
			for ((i = 0; i < ${REPEATS:-3}; i++)); do
				per_iteration "scenes/$scene.json" "$method" $precision "$steps" --iterations "$iterations" >>"$work/plain"
				per_iteration "scenes/$scene.json" "$method" $precision "$steps" --iterations "$iterations" "$@" >>"$work/other"
			done
			awk -v a="$(least "$work/other")" -v b="$(least "$work/plain")" -v most="$most" 'BEGIN {
				r = b > 0 && a > 0 ? a / b : 1e9; printf "%.4f %.4f %.2f %s\n", a, b, r, (r <= most ? "ok" : "FAIL") }' >"$work/ratio"
			read -r a b r verdict <"$work/ratio"
			say "$point" "$scene, $method, $precision: $a ms an iteration $words, $b without: $r times (at most $most)" "$verdict"
		done
	done < <(cost_rows)
}

point_viscous()
{
	compare_cost viscous 1.5 "with viscous damping" --set 'bodies.bar.damping={ "viscous": 2000 }'
}

point_callback()
{
	local method precision cells steps plain one many verdict
	${CC:-cc} -std=gnu17 -O3 -march=native -ffast-math -Iinclude tests/acceptance/callback.c "${BUILD:-build}/libpliant.a" \
		-lm -lpthread -ldl -o "$work/callback" 2>"$work/log" || { say callback "$(tail -n 1 "$work/log")" FAIL; return; }
	while read -r method cells steps; do
		for precision in float double; do
			read -r plain one many < <("$work/callback" "$method" $precision "$cells" "$steps" "${REPEATS:-3}")
			verdict=$(awk -v a="${many:-1}" -v b="${plain:-0}" 'BEGIN { print (a <= 3 * b ? "ok" : "FAIL") }')
			say callback "$method, $precision, $cells cells: $plain ms built in, for many $many, $(awk -v a="$many" -v b="$plain" \
				'BEGIN { printf "%.2f", a / b }') times (at most 3); for one $one" "$verdict"
		done
	done <<-END
		quasi-newton 8 8
		descent 8 4
		newton 8 3
		quasi-newton 14 4
		descent 14 3
		newton 14 2
	END
}

run_points "viscous callback" "$@"
