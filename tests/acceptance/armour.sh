#!/bin/bash
# armour.sh [POINT...]: every law, every format, and nothing that breaks it, point by point
#
# Prints "point  figure  verdict" for each line; status 0 if none is FAIL. `armour.sh 8` fuzzes for twenty minutes of
# processor time (FUZZ_SECONDS changes that) and runs when named only.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/acceptance/points.sh

point_1() { measure 1 "laws: derivatives, rest, small strain, uniaxial, frames, inversion" tests '^(material|kernel_tet|world_law|world_step)'; }
point_2() { measure 2 "splines, callbacks and fibres against built-in laws" tests '^(world_law|material_law|kernel_tet)_test$'; }
point_3() { measure 3 "orders of both integrators, energy of a swinging bar" tests '^world_integrator'; }
point_4() { measure 4 "meshes through every format and back" tests '^io_mesh'; }
point_6() { measure 6 "factorisations of our own and of CHOLMOD" tests '^(sparse|determinism)'; }
point_7() { measure 7 "caches to the bit, films from them" tests '^(io_cache|app_convert|app_render)_test$'; }
point_8() { measure 8 "fuzzing, ${FUZZ_SECONDS:-600} s a target" tools/fuzz.sh "${FUZZ_SECONDS:-600}"; }

# The widest float gradient against the scalar double one, law by law: 6 times for laws closed in F, 3 times for those
# that need the decomposition. The least of three runs each: another user of the machine slows some rows of every run.
point_5()
{
	local run row
	for run in 1 2 3; do build/pliant bench kernel --threads 1 -o "$work/kernel$run.csv" || return; done
	while read -r row; do say 5 "${row% *}" "${row##* }"; done < <(awk -F, '
		function least(a, b) { return a == "" || b < a ? b : a }
		$2 == "gradient" && $3 == "double" && $4 == 1 { scalar[$1] = least(scalar[$1], $7) }
		$2 == "gradient" && $3 == "float" && $4 > 1 { wide[$1] = least(wide[$1], $7) }
		END {
			closed = " stvk neo-hookean mooney-rivlin neo-hookean-iso fung stable-neo-hookean "
			for (law in wide) {
				asked = index(closed, " " law " ") ? 6 : 3
				if (law == "spline") continue # by table, lane by lane
				ratio = scalar[law] / wide[law]
				printf "%s: wide float is %.1f times scalar double (at least %d) %s\n", law, ratio, asked, (ratio >= asked ? "ok" : "FAIL")
			}
		}' "$work"/kernel?.csv)
}

run_points "1 2 3 4 5 6 7" "$@"
