#!/bin/bash
# house.sh [POINT...]: what holds the rooms together, point by point
#
# Prints "point  figure  verdict" for each line; status 0 if none is FAIL. BUILD names the folder of the build (build).
#
#   musl   the same bits with another C library: pliant built with musl-gcc (Debian: musl-tools), static, into build-musl,
#          against the build, on scenes that turn, bend and touch; some minutes of compiling the first time
#   change a pin that is made before every step of descent and destroyed after it costs less than 5 % of the step, on 58,800
#          tets; what a force, springs and a collider cost is said. Wants a quiet machine; REPEATS steps of each (15)
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
hashes() # FOLDER SCENE ISA
{
	rm -rf --one-file-system "$work/run"
	PLIANT_ISA=$3 "$1/pliant" run "$2" -o "$work/run" --threads 2 --quiet >"$work/log" 2>&1 || return
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

point_change()
{
	local row verdict thing tets standing percent
	"${BUILD:-build}/pliant" bench change --threads 1 --repeats "${REPEATS:-15}" -o "$work/change.csv" >"$work/log" 2>&1 ||
		{ say change "could not be run: $(tail -n 1 "$work/log")" FAIL; return; }
	while IFS=, read -r thing _ tets _ standing _ _ percent; do
		case $thing in
		*pin) verdict=$(awk -v p="$percent" 'BEGIN { print (p < 5 ? "ok" : "FAIL") }') ;;
		*) verdict=measured ;;
		esac
		say change "$thing, made and destroyed in every step of $standing ms on $tets tets: $percent % (pins: below 5)" "$verdict"
	done < <(grep -v '^#\|^thing,' "$work/change.csv")
}

run_points "musl" "$@"
