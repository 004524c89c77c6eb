#!/bin/bash
# spine.sh [POINT...]: what the first version promises, point by point: from clone to picture
#
# Prints "point  figure  verdict" for each line; status 0 if none is FAIL. Points that need more than a quarter of an
# hour or root (bare: a Debian in a folder) run when named: spine.sh bare.
set -u
cd "$(dirname "$0")/../.." || exit 2

. tests/acceptance/points.sh

# ---- 1: the two commands -------------------------------------------------------------------------------------------

point_bare() { measure 1 "make demo && make test on a bare Debian" tools/bare.sh "$work/bare"; }
point_1()
{
	measure 1 "make demo" make --no-print-directory demo
	measure 1 "make demo again" make --no-print-directory demo
	local file
	for file in out/demo.png out/demo.mp4; do
		if [[ -s $file ]]; then say 1 "$file has $(stat -c %s $file) bytes" ok; else say 1 "$file is missing" FAIL; fi
	done
	measure 1 "make test" make --no-print-directory test
	if [[ -z $(git status --porcelain) ]]; then
		say 1 "the tree is clean afterwards" ok
	else
		say 1 "the tree is dirty: $(git status --porcelain | head -n 1)" FAIL
	fi
}

# ---- 2: energies and laws ------------------------------------------------------------------------------------------

point_2() { measure 2 "laws, kernels and energies against differences and closed forms" tests '^(kernel|material|energy|backend)'; }

# ---- 3: known answers ----------------------------------------------------------------------------------------------

point_3() { measure 3 "pliant verify" build/pliant verify; }

# ---- 4: real meshes ------------------------------------------------------------------------------------------------

point_4()
{
	if [[ -z ${PLIANT_MESHES:-} ]]; then
		say 4 "PLIANT_MESHES is not set" skipped
		return
	fi
	local mesh
	for mesh in "$PLIANT_MESHES"/*.msh "$PLIANT_MESHES"/*.mesh "$PLIANT_MESHES"/*.vtk "$PLIANT_MESHES"/*.ele; do
		measure 4 "pliant check $(basename "$mesh")" build/pliant check "$mesh"
	done
	armadillo
}

# Ninety steps under newton: every one converges; the film is there to be looked at.
armadillo()
{
	cat >"$work/armadillo.json" <<SCENE
{ "pliant": 1, "timestep": 0.03333333333333333, "steps": 90, "solver": "newton",
  "bodies": [ { "name": "armadillo", "type": "soft", "mesh": { "file": "$PLIANT_MESHES/Armadillo13K.msh" },
                "transform": { "scale": 0.01 }, "density": 1000,
                "material": { "law": "neo-hookean", "young": 5e5, "poisson": 0.4 } } ],
  "pins": [ { "body": "armadillo", "where": { "box": [[-9, -9, -9], [9, -0.5, 9]] } } ] }
SCENE
	measure 4 "armadillo, 90 steps, all converge" build/pliant run "$work/armadillo.json" -o out/armadillo --require-converged
	say 4 "$(sed -n 's/^newton: //p' "$work/log")" ok
	measure 4 "out/armadillo.mp4" build/pliant render out/armadillo -o out/armadillo.mp4
}

# ---- 5: frames in VTK ----------------------------------------------------------------------------------------------

point_5() { measure 5 "VTU and PVD in VTK" tests 'vtu|vtk'; }

# ---- 6: same bits --------------------------------------------------------------------------------------------------

# The same golden constants in every build: gcc and clang, -O0 and -O2, with and without optional parts.
point_6()
{
	measure 6 "threads 1 2 3 7; kill and resume" tests 'determinism|resume|world_world'
	local preset
	for preset in gcc clang debug minimal; do
		measure 6 "golden hashes, build $preset" golden $preset
	done
}

golden() # PRESET
{
	cmake --preset "$1" >/dev/null && cmake --build "build-$1" --target determinism_golden_test >/dev/null &&
		"build-$1/tests/determinism_golden_test"
}

# ---- 7: no allocation, and a crowded machine ----------------------------------------------------------------------

point_7()
{
	measure 7 "allocations in a step" tests '^(base_pool|world)'
	crowd
}

# Median step of a run on all cores, quiet and beside two foreign busy loops.
crowd()
{
	local quiet crowded loops=()
	quiet=$(median_step)
	for _ in 1 2; do
		(while :; do :; done) &
		loops+=($!)
	done
	crowded=$(median_step)
	kill "${loops[@]}"
	wait "${loops[@]}" 2>/dev/null
	local ratio
	ratio=$(awk -v a="$crowded" -v b="$quiet" 'BEGIN { printf "%.2f", a / b }')
	say 7 "a step beside two busy loops: $crowded ms, quiet $quiet ms, ratio $ratio (at most 3)" \
		"$(awk -v r="$ratio" 'BEGIN { print (r <= 3 ? "ok" : "FAIL") }')"
}

median_step()
{
	build/pliant run scenes/demo.json --steps 12 --format none --quiet -o "$work/crowd" >/dev/null &&
		sed 's/.*"total":\([0-9.e+-]*\).*/\1/' "$work/crowd/stats.jsonl" | tail -n +2 | sort -g |
		awk '{ v[NR] = $1 } END { printf "%.1f", v[int((NR + 1) / 2)] }'
}

# ---- 8: docs --------------------------------------------------------------------------------------------------------

point_8()
{
	local page
	for page in hello.c step.md notation.md scene.md materials.md limits.md references.md; do
		if [[ -s docs/$page ]]; then say 8 "docs/$page: $(wc -l <docs/$page) lines" ok; else say 8 "docs/$page is missing" FAIL; fi
	done
	measure 8 "hello and other users of an installed pliant" tests '^hello$'
	measure 8 "references and links" tools/check_references.sh
}

run_points "1 2 3 4 5 6 7 8" "$@"
