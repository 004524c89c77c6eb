#!/bin/bash
# default.sh [POINT...]: what a scene costs as its author first writes it, point by point
#
# Prints "point  figure  verdict" for each line; status 0 if none is FAIL. BUILD names the folder of the build (build).
#
#   viscous   an iteration of a body with viscous damping against one without: bar10k and bar58k, by quasi-newton, descent
#             and newton, in float and double, on one thread, in turns, least of REPEATS runs (3): at most 1.5 times.
#             Wants a quiet machine
#   callback  a law by a callback for many elements against a built-in one: at most 3 times. Wants a quiet machine
#   scenes    the scenes in default/, by the default: at most 1 % of their steps unconverged; the last state within 1 % of
#             the extent of newton's to 1e-8 (chaotic contact excepted: jelly, mesh); processor time against the best of
#             newton and quasi-newton to the same residual: at most 1.5 times in twelve of them, never above 2.5 (a
#             tenth of a second more is forgiven). And how ten iterations of quasi-newton fare, the default of before
#   shipped   every scene in scenes/ converges in every step
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

# ---- the default on ordinary scenes ---------------------------------------------------------------------------------

scene_folder=tests/acceptance/default

# A run into $work/NAME: last surface as last.obj, stats.jsonl, and its processor seconds in `user`.
run_scene() # NAME SCENE OPTIONS...
{
	local name=$1 scene=$2 file
	shift 2
	file=$(sed -n 's/.*"file": "\([^"]*\)".*/\1/p' "$scene_folder/$scene.json")
	rm -rf --one-file-system "$work/$name"
	( TIMEFORMAT=%U; time "${BUILD:-build}/pliant" run "$scene_folder/$scene.json" -o "$work/$name" --format obj --threads 1 --quiet \
		--set output.every=1000000 ${file:+--set "bodies.0.mesh.file=$PLIANT_MESHES/$file"} "$@" >"$work/$name.log" 2>&1 ) 2>"$work/user"
	mv "$(find "$work/$name" -name '*.obj' | sort | tail -n 1)" "$work/$name/last.obj"
	read -r user <"$work/user"
}

# Steps that did not converge in a run
unconverged() # NAME
{
	grep -c '"converged":false' "$work/$1/stats.jsonl"
}

# The farthest vertex of two runs, in per cent of the second's extent
distance() # NAME REFERENCE
{
	paste <(grep '^v ' "$work/$1/last.obj") <(grep '^v ' "$work/$2/last.obj") | awk '
		{ d = ($2 - $6)^2 + ($3 - $7)^2 + ($4 - $8)^2; if (d > far) far = d
		  for (k = 6; k <= 8; k++) { if (NR == 1 || $k < low[k]) low[k] = $k; if (NR == 1 || $k > high[k]) high[k] = $k } }
		END { for (k = 6; k <= 8; k++) if (high[k] - low[k] > size) size = high[k] - low[k]; printf "%.3f", 100 * sqrt(far) / size }'
}

judge_scene() # SCENE
{
	local scene=$1 steps bad far auto newton quasi ratio verdict best chaotic=""
	case $scene in jelly | mesh) chaotic=", chaotic" ;; esac
	run_scene reference "$scene" --method newton --tolerance 1e-8 --iterations 200
	run_scene newton "$scene" --method newton --tolerance 1e-4 --iterations 1000
	newton=$user
	run_scene quasi "$scene" --method quasi-newton --tolerance 1e-4 --iterations 1000
	quasi=$user
	run_scene auto "$scene"
	auto=$user
	run_scene old "$scene" --method quasi-newton --iterations 10 --set solver.guess=inertial --set solver.pair_order=newest \
		--set 'solver.fit=[0.5, 1.5]'
	steps=$(grep -c . "$work/auto/stats.jsonl")
	bad=$(unconverged auto) far=$(distance auto reference)
	awk -v a="$auto" -v n="$newton" -v q="$quasi" -v bad="$bad" -v steps="$steps" -v far="$far" -v chaotic="$chaotic" \
		-v oldBad="$(unconverged old)" -v oldFar="$(distance old reference)" 'BEGIN {
		best = n < q ? n : q; ratio = a / best; forgiven = a - best < 0.1
		good = bad <= 0.01 * steps && (far <= 1 || chaotic != "") && (ratio <= 2.5 || forgiven)
		verdict = good ? "ok" : "FAIL"; fast = ratio <= 1.5 || forgiven; old = oldBad > 0.01 * steps || oldFar > 1
		printf("%s %d %d %d of %d steps unconverged, %s %% off%s, %.2f times the best (%s); before: %d, %s %%\n",
				verdict, fast, old, bad, steps, far, chaotic, ratio, (n < q ? "newton" : "quasi-newton"), oldBad, oldFar) }' >"$work/verdict"
}

point_scenes()
{
	local scene verdict fast old words fasts=0 olds=0 count=0
	for scene in ${SCENES:-$(cd $scene_folder && ls -- *.json | sed 's/\.json$//')}; do
		if [[ -z ${PLIANT_MESHES:-} ]] && grep -q '"file"' "$scene_folder/$scene.json"; then
			say scenes "$scene: PLIANT_MESHES is not set" skipped
			continue
		fi
		judge_scene "$scene"
		read -r verdict fast old words <"$work/verdict"
		fasts=$((fasts + fast)) olds=$((olds + old)) count=$((count + 1))
		say scenes "$scene: $words" "$verdict"
	done
	[[ -n ${SCENES:-} ]] && return
	say scenes "at most 1.5 times the best: $fasts of $count (12)" "$( ((fasts >= 12)) && echo ok || echo FAIL)"
	say scenes "failed by the default of before: $olds of $count (10)" "$( ((olds >= 10)) && echo ok || echo FAIL)"
}

point_shipped()
{
	local scene bad verdict
	for scene in scenes/*.json; do
		rm -rf --one-file-system "$work/shipped"
		verdict=ok
		"${BUILD:-build}/pliant" run "$scene" -o "$work/shipped" --format none --quiet --require-converged >"$work/log" 2>&1 || verdict=FAIL
		bad=$(unconverged shipped)
		say shipped "$scene: $bad of $(grep -c . "$work/shipped/stats.jsonl") steps unconverged" $verdict
	done
}

run_points "scenes shipped viscous callback" "$@"
