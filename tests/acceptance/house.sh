#!/bin/bash
# house.sh [POINT...]: what holds the rooms together, point by point
#
# Prints "point  figure  verdict" for each line; status 0 if none is FAIL. BUILD names the folder of the build (build).
#
#   musl     the same bits with another C library: pliant built with musl-gcc (Debian: musl-tools), static, into build-musl,
#            against the build, on scenes that turn, bend and touch; some minutes of compiling the first time
#   example  the worked example of CONTRIBUTING.md in a copy of the tree: what it touches, make docs, make golden and
#            make test (TESTS=REGEX: only those tests), and what a user sees of it. Ten minutes or more
#   change   a pin that is made before every step of descent and destroyed after it costs less than 5 % of the step, on
#            58,800 tets; what a force, springs and a collider cost is said. Wants a quiet machine; REPEATS steps (15)
#   speed    an iteration against that of the commit BEFORE (a41401b), both built alike: descent on the yardstick's box,
#            quasi-newton on bar10k and bar58k, on one thread, in turns, least of REPEATS runs (15): at most 3 % more.
#            Where it is more and times scatter by more than that, instructions decide, counted by perf or by callgrind.
#            And bytes a tet
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

# ---- what changes cost, and speed ------------------------------------------------------------------------------------

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

build_alike() # SOURCE FOLDER
{
	cmake -S "$1" -B "$2" -G Ninja -DCMAKE_BUILD_TYPE=Release -DPLIANT_CHOLMOD=OFF -DPLIANT_RENDER=OFF -DPLIANT_TESTS=OFF &&
		cmake --build "$2" --target pliant
}

# What `speed` compares: name, scene, method, steps. SPEED_ROWS=REGEX: only those.
speed_rows()
{
	grep -E "^${SPEED_ROWS:-}" <<-END
		yardstick $work/yardstick.json descent 10
		bar10k scenes/bar10k.json quasi-newton 60
		bar58k scenes/bar58k.json quasi-newton 30
	END
}

run_before_or_after() # before|after SCENE METHOD STEPS [COMMAND...]: a run, as the command's argument; `budget`: iterations a step
{
	local pliant=$work/$1/pliant scene=$2 method=$3 steps=$4
	shift 4
	rm -rf --one-file-system "$work/run"
	"$@" "$pliant" run "$scene" -o "$work/run" --method "$method" --precision float --steps "$steps" --threads 1 --format none \
		${budget:+--iterations "${budget:-}"} --quiet
}

# Least milliseconds of an iteration in a run, its first step left out.
iteration()
{
	run_before_or_after "$@" >"$work/log" 2>&1
	awk 'match($0, /"iterations":[0-9]+/) { n = substr($0, RSTART + 13, RLENGTH - 13) }
		NR > 1 && n > 0 && match($0, /"minimise":[0-9.e-]+/) { m = substr($0, RSTART + 11, RLENGTH - 11) / n; if (!least || m < least) least = m }
		END { print least + 0 }' "$work/run/stats.jsonl"
}

# Instructions of a run; nothing: this machine counts none.
instructions()
{
	run_before_or_after "$@" perf stat -x, -e instructions:u -o "$work/count" >"$work/log" 2>&1
	awk -F, '/instructions/ && $1 + 0 > 0 { print $1; found = 1 } END { exit !found }' "$work/count" 2>"$work/log" && return
	PLIANT_ISA=${PLIANT_ISA:-avx2} run_before_or_after "$@" valgrind --tool=callgrind --callgrind-out-file=/dev/null >"$work/count" 2>&1
	awk '/Collected/ { print $NF }' "$work/count"
}

# The same of a step of eight iterations, because callgrind takes its time: two more steps take so many more.
step_instructions() # before|after SCENE METHOD
{
	local few many budget=8
	few=$(instructions "$1" "$2" "$3" 2) many=$(instructions "$1" "$2" "$3" 4)
	[[ -n $few && -n $many ]] && echo $(((many - few) / 2))
}

# The least of a file's numbers, and by how many per cent their median lies above it.
summary() # FILE
{
	sort -g "$1" | awk '{ x[NR] = $1 } END { printf "%.4f %.1f\n", x[1], 100 * (x[int(NR / 2) + 1] / x[1] - 1) }'
}

judge_speed() # NAME SCENE METHOD
{
	local before after noise other ratio a b
	read -r before noise < <(summary "$work/$1.before")
	read -r after other < <(summary "$work/$1.after")
	noise=$(awk -v a="$noise" -v b="$other" 'BEGIN { print (a > b ? a : b) }')
	ratio=$(awk -v a="$after" -v b="$before" 'BEGIN { printf "%.3f", a / b }')
	if awk -v n="$noise" -v r="$ratio" 'BEGIN { exit !(n <= 3 || r <= 1.03) }'; then
		say speed "$1, $3: $after ms an iteration, before $before: $ratio times (at most 1.03), noise $noise %" \
			"$(awk -v r="$ratio" 'BEGIN { print (r <= 1.03 ? "ok" : "FAIL") }')"
		return
	fi
	say speed "$1, $3: $after ms an iteration, before $before: $ratio times, noise $noise %" noisy
	a=$(step_instructions after "$2" "$3") b=$(step_instructions before "$2" "$3")
	[[ -n $a && -n $b ]] || { say speed "$1, $3: neither perf nor callgrind counts instructions here" FAIL; return; }
	say speed "$1, $3: $a instructions a step, before $b: $(awk -v a="$a" -v b="$b" 'BEGIN { printf "%.3f", a / b }') times (at most 1.03)" \
		"$(awk -v a="$a" -v b="$b" 'BEGIN { print (a <= 1.03 * b ? "ok" : "FAIL") }')"
}

compare_speeds()
{
	local i which name scene method steps
	cat >"$work/yardstick.json" <<-END
		{ "pliant": 1, "timestep": 0.0333333333333, "steps": 20,
		  "bodies": [ { "name": "box", "type": "soft", "mesh": { "box": [1, 1, 0.708333333333], "cells": [24, 24, 17], "split": 6 },
		    "density": 1000, "material": { "law": "mooney-rivlin", "young": 1e5, "poisson": 0.4 } } ],
		  "pins": [ { "body": "box", "where": { "box": [[0, 0, 0], [0, 1, 1]] } } ] }
	END
	for ((i = 0; i < ${REPEATS:-15}; i++)); do
		while read -r name scene method steps; do
			for which in before after; do iteration $which "$scene" "$method" "$steps" >>"$work/$name.$which"; done
		done < <(speed_rows)
	done
	while read -r name scene method steps; do judge_speed "$name" "$scene" "$method"; done < <(speed_rows)
}

point_speed()
{
	local most
	git worktree prune
	git worktree add --detach "$work/source" "${BEFORE:-a41401b}" >"$work/log" 2>&1 &&
		build_alike "$work/source" "$work/before" >"$work/log" 2>&1 && build_alike . "$work/after" >"$work/log" 2>&1 &&
		compare_speeds || say speed "could not be built: $(tail -n 1 "$work/log")" FAIL
	git worktree remove --force "$work/source"
	"$work/after/pliant" bench descent --repeats 1 --threads 1 -o "$work/descent.csv" >"$work/log" 2>&1
	most=$(awk -F, '/^scene,/ { for (i = 1; i <= NF; i++) if ($i == "bytes") b = i; next } b && $b > most { most = $b } END { print most + 0 }' "$work/descent.csv")
	say speed "$most bytes a tet of the body with most vertices to a tet (at most 200)" "$(awk -v m="$most" 'BEGIN { print (m > 0 && m <= 200 ? "ok" : "FAIL") }')"
}

run_points "musl example" "$@"
