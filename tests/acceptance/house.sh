#!/bin/bash
# house.sh [POINT...]: what holds the rooms together, point by point
#
# Prints "point  figure  verdict" for each line; status 0 if none is FAIL. BUILD names the folder of the build (build).
#
#   musl     the same bits with another C library: pliant built with musl-gcc (Debian: musl-tools), static, into build-musl,
#            against the build, on scenes that turn, bend and touch; some minutes of compiling the first time
#   example  the worked example of CONTRIBUTING.md in a copy of the tree: what it touches, make docs, make golden and
#            make test (TESTS=REGEX: only those tests), and what a user sees of it. Ten minutes or more
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/acceptance/points.sh

build_musl()
{
	cmake -S . -B build-musl -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=musl-gcc \
		-DCMAKE_EXE_LINKER_FLAGS=-static -DPLIANT_CHOLMOD=OFF -DPLIANT_RENDER=OFF -DPLIANT_TESTS=OFF &&
		cmake --build build-musl --target pliant
}

# The hashes of a run, step by step.
hashes() # FOLDER SCENE ISA OPTIONS...
{
	rm -rf --one-file-system "$work/run"
	PLIANT_ISA=$3 "$1/pliant" run "$2" -o "$work/run" --threads 2 --quiet "${@:4}" >"$work/log" 2>&1 || return
	grep -oE '"hash":"[0-9a-f]+"' "$work/run/stats.jsonl"
}

point_musl()
{
	local scene isa verdict
	command -v musl-gcc >/dev/null || { say musl "musl-gcc is missing: apt-get install musl-tools" FAIL; return; }
	build_musl >"$work/log" 2>&1 || { say musl "the build with musl-gcc: $(tail -n 1 "$work/log")" FAIL; return; }
	for scene in tests/determinism/scenes/*.json; do
		for isa in "" baseline; do
			verdict=FAIL
			hashes "${BUILD:-build}" "$scene" "$isa" >"$work/glibc" && hashes build-musl "$scene" "$isa" >"$work/musl" &&
				cmp "$work/glibc" "$work/musl" >"$work/log" 2>&1 && verdict=ok
			say musl "$(basename "$scene" .json) (${isa:-best} set): $(wc -l <"$work/glibc") steps, last $(tail -n 1 "$work/glibc")" $verdict
		done
	done
}

# ---- the worked example ----------------------------------------------------------------------------------------------

# What a part of the example touches. Outside of tests: a source file, its row and its public name.
touched() # PART
{
	local verdict=ok
	[[ $(awk -v part="$1" '$1 == part && $2 !~ /^tests\//' "$work/pieces" | wc -l) == 3 ]] || verdict=FAIL
	say example "$(awk -v part="$1" '$1 == part { printf "%s%s %s%s", n++ ? ", " : part ": ", $3 == "new" ? "new" : "+" $4 " in", $2,
		$3 == "new" ? " (" $4 " lines)" : "" }' "$work/pieces")" $verdict
}

# In the copy.
build_example()
{
	! command -v ccache >/dev/null || export CMAKE_C_COMPILER_LAUNCHER=ccache
	make docs && make golden && make all
}

test_example()
{
	if [[ -n ${TESTS:-} ]]; then
		cmake --build build && sh tools/test.sh build -R "$TESTS" --no-tests=error
	else
		make test
	fi
}

# The law, the damping and the setting where users look, and their effect.
shown() # WHAT FILE WORDS...
{
	local what=$1 file=$2 word verdict=ok
	shift 2
	for word; do grep -qe "$word" "$file" || verdict=FAIL; done
	say example "$what: $*" $verdict
}

use_example()
{
	local all none verdict=ok
	shown schema docs/scene.schema.json '"corotated-log"' '"dashpot": {' '"shrink": {'
	shown docs/scene.md docs/scene.md '"corotated-log"' '^| `dashpot` |' '^| `shrink` |'
	build/pliant run --help >"$work/help"
	shown --help "$work/help" 'shrink  *number'
	all=$(hashes build scenes/example.json "" | tail -n 1)
	none=$(hashes build scenes/example.json "" --set bodies.bar.damping.dashpot=0 | tail -n 1)
	[[ -n $all && -n $none && $all != "$none" ]] || verdict=FAIL
	say example "the scene runs: $all, without dashpots $none" $verdict
	build/pliant run scenes/example.json -o "$work/none" --set solver.shrink=1 >"$work/refused" 2>&1
	shown "a shrink of 1 is refused" "$work/refused" '"shrink" must be'
	build/pliant run scenes/example.json -o "$work/none" --set solver.method=descent >"$work/refused" 2>&1
	shown "descent takes no shrink" "$work/refused" '"shrink" belongs to newton'
}

point_example()
{
	local copy=$work/copy part home=$PWD
	mkdir "$copy" && git ls-files -z | tar -c --null -T - | tar -x -C "$copy"
	if ! awk -v into="$copy" -f tests/acceptance/example.awk CONTRIBUTING.md >"$work/pieces"; then
		say example "the pieces of CONTRIBUTING.md do not fit the tree" FAIL
		return
	fi
	for part in law energy setting; do touched $part; done
	cd "$copy" || return
	measure example "make docs, make golden, make" build_example
	measure example "${TESTS:+tests $TESTS of }make test" test_example
	use_example
	cd "$home" || return
}

run_points "musl example" "$@"
