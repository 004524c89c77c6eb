#!/bin/bash
# spine.sh [POINT...]: what the first version promises, point by point: from clone to picture
#
# Prints "point  figure  verdict" for each line; status 0 if none is FAIL. Points that need more than a quarter of an
# hour or root (bare: a Debian in a folder) run when named: spine.sh bare.
set -u
cd "$(dirname "$0")/../.." || exit 2

failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [[ -z ${PLIANT_MESHES:-} && -d ../shared/meshes ]]; then
	export PLIANT_MESHES=$PWD/../shared/meshes
fi

say() # POINT FIGURE VERDICT
{
	printf '%-10s %-90s %s\n' "$1" "$2" "$3"
	[[ $3 != FAIL ]] || failed=$((failed + 1))
}

# A command whose status is the verdict; its last line is the figure.
measure() # POINT WORDS COMMAND...
{
	local point=$1 words=$2 start=$SECONDS verdict=ok
	shift 2
	"$@" >"$work/log" 2>&1 || verdict=FAIL
	say "$point" "$words: $(tail -n 1 "$work/log") ($((SECONDS - start)) s)" $verdict
	[[ $verdict == ok ]] || tail -n 20 "$work/log"
}

# Tests of the default build whose names match.
tests() # REGEX
{
	sh tools/test.sh build -R "$1" --no-tests=error
}

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
}

# ---- 5: frames in VTK ----------------------------------------------------------------------------------------------

point_5() { measure 5 "VTU and PVD in VTK" tests 'vtu|vtk'; }

# ---- 6: same bits --------------------------------------------------------------------------------------------------

point_6() { measure 6 "hashes over threads; kill and resume" tests 'determinism|resume'; }

# ---- 7: no allocation, and a crowded machine ----------------------------------------------------------------------

point_7() { measure 7 "allocations in a step; the pool beside busy loops" tests '^(base_pool|world)'; }

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

printf '%-10s %-90s %s\n' point figure verdict
for point in "${@:-1 2 3 4 5 6 7 8}"; do
	for one in $point; do "point_$one"; done
done
((failed == 0))
