#!/bin/bash
# descent.sh [POINT...]: descent methods, point by point
#
# Prints "point  figure  verdict" for each line; status 0 if none is FAIL. Point 2 takes many minutes and `speed` wants a
# quiet machine: both run when named only. `speed` compares with a bare loop, the C file that PLIANT_LIMIT names.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/acceptance/points.sh

# A test that is not there yet is said to be missing, not passed.
tests_if() # POINT WORDS REGEX
{
	if ctest --test-dir build -N -R "$3" 2>/dev/null | grep -q 'Total Tests: 0'; then
		say "$1" "$2: no test $3" skipped
	else
		measure "$1" "$2" tests "$3"
	fi
}

# Iterations until the relative error stays at 1 % or below, from compare.csv; nothing if it never does.
iterations_to_1() # METHOD
{
	awk -F, -v m="$1" '$1 == m && $2 > 0 { if ($5 > 0.01) at = 0; else if (!at) at = $2 } END { if (at) print at }' "$work/armadillo/compare.csv"
}

point_1()
{
	tests_if 1 "every composition reaches newton's minimiser" '^method_descent_test$'
	if [[ ! -f ${PLIANT_MESHES:-/nowhere}/Armadillo13K.msh ]]; then
		say 1 "the Armadillo: PLIANT_MESHES has no Armadillo13K.msh" skipped
		return
	fi
	cat >"$work/armadillo.json" <<END
{ "pliant": 1, "timestep": 0.0333333333333, "steps": 20,
  "bodies": [ { "name": "armadillo", "type": "soft", "mesh": { "file": "$PLIANT_MESHES/Armadillo13K.msh" }, "transform": { "scale": 0.01 },
    "density": 1000, "material": { "law": "mooney-rivlin", "young": 1e5, "poisson": 0.4 } } ],
  "pins": [ { "body": "armadillo", "where": { "box": [[-9, -9, -9], [9, -0.45, 9]] } } ] }
END
	if ! build/pliant compare "$work/armadillo.json" --methods 'descent,ncg[guess=acceleration]' --at-step 20 --iterations 384 \
		-o "$work/armadillo" >"$work/log" 2>&1; then
		tail -n 5 "$work/log"
		say 1 "the Armadillo could not be compared" FAIL
		return
	fi
	local ours theirs verdict=FAIL # what the first guess alone reaches proves nothing
	ours=$(iterations_to_1 descent) theirs=$(iterations_to_1 'ncg[guess=acceleration]')
	# ncg that is not there after 384 iterations needs more: three times that is beyond descent's budget
	if [[ -n $ours ]] && ((${theirs:-385} > 1 && ours <= 3 * ${theirs:-385})); then verdict=ok; fi
	say 1 "the Armadillo to 1 %: descent ${ours:-more than 384}, ncg ${theirs:-more than 384} iterations (at most 3 times)" $verdict
}

point_2()
{
	build/tests/world_robust_test --long every_law_motion_and_time_step >"$work/robust" 2>&1
	local status=$?
	cat "$work/robust"
	say 2 "stretched, compressed, twisted: $(tail -n 1 "$work/robust")" "$( ((status == 0)) && echo ok || echo FAIL)"
	measure 2 "randomised bodies" build/tests/world_robust_test --long randomised_bodies_settle
}

point_3() { measure 3 "force against stretch, four laws, within 1 %" tests '^world_stretch_curve_test$'; }

# Errors after 96 iterations with the diagonal refreshed every 1, 2, ... 32 iterations.
point_4()
{
	local m methods=
	for m in 1 2 4 8 16 32; do methods+="${methods:+,}descent[refresh=$m]"; done
	if ! build/pliant compare scenes/demo.json --methods "$methods" --at-step 30 -o "$work/refresh" >"$work/log" 2>&1; then
		tail -n 5 "$work/log"
		say 4 "could not be compared" FAIL
		return
	fi
	local row
	row=$(awk -F, 'NR > 1 && $2 == 96 { n++; if (n == 1 || $(NF-1) < least) least = $(NF-1); if (n == 1 || $(NF-1) > most) most = $(NF-1) }
		END { printf "%d curves, errors %.3g to %.3g, %.2f times (at most 2) %s", n, least, most, (least > 0 ? most / least : 0), (n == 6 && least > 0 && most <= 2 * least ? "ok" : "FAIL") }' "$work/refresh/compare.csv")
	say 4 "M from 1 to 32: ${row% *}" "${row##* }"
}

point_5()
{
	measure 5 "a budget that is too small is said" tests '^app_usage_test$'
	tests_if 5 "free fall with every first guess" '^method_descent_test$'
}

point_6() { measure 6 "hashes, resume, refusals" tests '^(determinism_golden_test|app_resume_test|io_scene_test)$'; }

point_speed()
{
	if [[ ! -f ${PLIANT_LIMIT:-/nowhere} ]]; then
		say speed "PLIANT_LIMIT names no yardstick" skipped
		return
	fi
	if ! build/pliant bench descent --help >/dev/null 2>&1; then
		say speed "there is no pliant bench descent" skipped
		return
	fi
	gcc -O3 -march=native -ffast-math -fopenmp "$PLIANT_LIMIT" -o "$work/limit" -lm 2>/dev/null || { say speed "the yardstick does not compile" skipped; return; }
	# the yardstick before and after: the smaller time counts
	"$work/limit" >"$work/limit.txt" && build/pliant bench descent --threads 2 -o "$work/descent.csv" && "$work/limit" >>"$work/limit.txt" ||
		{ say speed "could not be run" FAIL; return; }
	local row
	while read -r row; do say speed "${row% *}" "${row##* }"; done < <(awk '
		function judge(words, x, good) { printf "%s %s\n", sprintf(words, x), (good ? "ok" : "FAIL") }
		FNR == NR { if ($1 == "threads" && (!limit[$2 + 0] || $3 < limit[$2 + 0])) limit[$2 + 0] = $3; next }
		/^#/ { next }
		/^scene,/ { n = split($0, name, ","); for (i = 1; i <= n; i++) column[name[i]] = i; next }
		{ split($0, f, ","); key = f[column["scene"]] " " f[column["threads"]]
		  ms[key] = f[column["minimum"]]; ns[key] = f[column["ns"]]; bytes[key] = f[column["bytes"]] }
		END {
			for (t = 1; t <= 2; t++) if (limit[t] > 0) { r = ms["box " t] / limit[t]; judge(t " threads: %.2f times the yardstick (at most 1.4)", r, r > 0 && r <= 1.4) }
			if (ns["helix-41k 1"] > 0) { r = ns["helix-316k 1"] / ns["helix-41k 1"]; judge("cost per tet at 316K is %.2f times that at 41K (at most 1.3)", r, r > 0 && r <= 1.3) }
			if (limit[1] > 0 && limit[2] > 0) printf "the yardstick itself is %.2f times as fast on two threads measured\n", limit[1] / limit[2]
			if (ms["box 2"] > 0) { r = ms["box 1"] / ms["box 2"]; judge("%.2f times as fast on two threads (at least 1.7)", r, r >= 1.7) }
			for (key in bytes) if (bytes[key] > most) most = bytes[key]
			judge("%.0f bytes per tet of the body with most vertices to a tet (at most 200)", most, most > 0 && most <= 200)
		}' "$work/limit.txt" "$work/descent.csv")
}

run_points "1 3 4 5 6" "$@"
