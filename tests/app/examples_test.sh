#!/bin/sh
# examples_test.sh: every scene of scenes/ and every example of the pages is run
#
# examples.awk finds the examples; its head says what one is. Each page starts in a fresh copy of one small folder, in
# which its commands are run in order. Long ones are made short by options that are put behind theirs; what runs for
# minutes, or only stands in a sentence, is parsed and not run: `--help` at the end of a line ends it after its options.
. "$(dirname "$0")/harness.sh"
source=$(cd "${PLIANT_SOURCE:-$(dirname "$0")/../..}" && pwd)
tests=$(cd "$(dirname "$0")" && pwd)
cc=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$PLIANT_BUILD/CMakeCache.txt")
start
set -f # words of examples are not patterns of file names

# ---- the folder that examples are run in -----------------------------------------------------------------------------

# Boxes are made of status 0 "$pliant" cells here; the scenes are run as they are below.
coarse() { sed 's/"cells": \[[0-9]*, [0-9]*, [0-9]*\]/"cells": [8, 2, 2]/' "$1"; }

draw() { env ASAN_OPTIONS="detect_leaks=0:$ASAN_OPTIONS" "$pliant" "$@"; } # OpenGL drivers leak when they unload

# bar.msh is a box of which a half is the group "bone"; base.json is what fragments are put into; out/demo is a run.
furnish() {
	mkdir -p template/scenes template/papers/A template/papers/B && cd template || return 1
	for file in $(cd "$source" && find scenes papers -name '*.json'); do coarse "$source/$file" >"$file" || return 1; done
	"$pliant" mesh box --size 4,1,1 --cells 8,2,2 --gmsh 2.2 -o box.msh && "$pliant" convert box.msh bar.vtk &&
		awk '$1 == "$Nodes" { print "$PhysicalNames\n1\n3 7 \"bone\"\n$EndPhysicalNames" }
			NF == 9 && $2 == 4 && $1 % 2 { $4 = 7 } { print }' box.msh >bar.msh &&
		"$pliant" mesh sphere --cells 2 -o armadillo.msh && "$pliant" mesh torus --cells 8,1 -o torus.obj || return 1
	cat >base.json <<-'EOF'
		{ "pliant": 1,
		  "bodies": [ { "name": "bar", "type": "soft", "mesh": { "file": "bar.msh" }, "density": 1000, "material": {} },
		              { "name": "box", "type": "soft", "mesh": { "box": [1, 1, 1], "cells": [2, 2, 2] }, "density": 1000,
		                "material": {}, "transform": { "translate": [0, 2, 0] } } ],
		  "pins": [ { "body": "bar", "where": { "vertices": [0] } }, { "body": "bar", "where": { "vertices": [1] } } ] }
	EOF
	cp base.json bar.json && "$pliant" run scenes/demo.json --steps 2 --quiet && "$pliant" convert out/demo bar.pc2 ||
		return 1
	draw render out/demo -o ../probe.png --size 160x90 >/dev/null 2>../err.txt || cannot_draw=$(sed -n '1s/^pliant: //p' ../err.txt)
	cd ..
}

open_page() { # PAGE
	[ "$1" != "$page" ] || return 0
	page=$1 papers=
	cd "$work" && rm -rf here && cp -r template here && cd here || exit 1
}

# ---- one example of each kind ----------------------------------------------------------------------------------------

scene_file() { # FILE: a scene that is stored, as it is
	status 0 "$pliant" check "$1" && ! grep 'too soft' err.txt && status 0 "$pliant" run "$1" -o stored --format none --steps 1 --iterations 3
}

# A scene that a page shows is the bar.json of its commands, and the file that its first line names.
shown_scene() { # FILE
	name=$(sed -n '1s|^// \([a-z]*\.json\):.*|\1|p' "$1")
	cp "$1" bar.json && { [ -z "$name" ] || cp "$1" "$name"; } && status 0 "$pliant" check bar.json &&
		status 0 "$pliant" run bar.json -o shown --format none --steps 3
}

# A fragment is the value of its key: of a key of a body, in the body "bar" of base.json, of a key of a pin, in its
# first pin, else of the scene.
fragment() { # FILE
	key=$(sed 's/^"\([^"]*\)".*/\1/' "$1") value=$(sed 's/^"[^"]*"[ \t]*:[ \t]*//' "$1")
	case $key in
	name | type | mesh | transform | density | material | regions | velocity | damping) key=bodies.bar.$key ;;
	where) key=pins.0.where ;;
	esac
	status 0 "$pliant" run base.json -o fragment --format none --quiet --set "$key=$value" --steps 1
}

program() { # FILE; tests/hello/run.sh links and runs those of README.md and docs/hello.c
	cp "$1" program.c &&
		status 0 "$cc" -std=c17 -Wall -Wextra -pedantic -Werror -fsyntax-only -I "$source/include" program.c
}

target() { # FILE: a target of the Makefile; the other tests are what runs it
	eval "set -- $(cat "$1")"
	[ $# -eq 1 ] || grep -q "^$2:" "$source/Makefile" || { echo "    no target $2 in the Makefile"; return 1; }
}

parsed() { # LINE: brackets of optional parts go, K and N are numbers
	eval "set -- $(echo "$1" | sed 's/ \[/ /g; s/\] / /g; s/\]$//; s/ [KN]\( \|$\)/ 1\1/g')"
	shift
	status 0 "$pliant" "$@" --help
}

# What a papers command leaves is made, small, when a later line of the page reads it.
leave_papers() { # FILE
	[ -e "$1" ] || [ -z "$papers" ] && return 0
	eval "set -- $papers"
	shift
	status 0 "$pliant" "$@" --quick
}

undrawn() { # LINE: true, with the reason in $reason, if this build or machine cannot draw it
	reason=$cannot_draw
	[ -z "$reason" ] || return 0
	case $1 in *.mp4*) command -v ffmpeg >/dev/null || reason="there is no ffmpeg" ;; esac
	[ -n "$reason" ]
}

without_comment() { sed 's/  *# .*//' "$1"; } # FILE

ran() { # LINE
	eval "set -- $1"
	shift
	case $1 in
	run) leave_papers "$2" && status 0 "$pliant" "$@" --steps 2 ;;
	compare) status 0 "$pliant" "$@" --at-step 1 --iterations 2 ;;
	tune) status 0 "$pliant" "$@" --set steps=1 --steps 1 --iterations 8 ;;
	render) status 0 draw "$@" --size 160x90 ;;
	*) status 0 "$pliant" "$@" ;;
	esac
}

command_line() { # PLACE LINE
	case $2 in
	*' [-'* | *' SCENE '*) claim "$1: $2 (parsed: a synopsis)" parsed "$2" ;;
	'pliant papers '*)
		papers=$2
		claim "$1: $2 (parsed: minutes; papers_test.sh makes every figure)" parsed "$2"
		;;
	'pliant bench'*) claim "$1: $2 (parsed: minutes; bench_test.sh runs it small)" parsed "$2" ;;
	'pliant render'*) if undrawn "$2"; then skip "$1: $2" "$reason"; else claim "$1: $2" ran "$2"; fi ;;
	*) claim "$1: $2" ran "$2" ;;
	esac
}

prose_line() { # PLACE LINE
	case $2 in
	'pliant render'*) if undrawn "$2"; then skip "$1: $2" "$reason" && return; fi ;;
	esac
	claim "$1: $2 (parsed: within a sentence)" parsed "$2"
}

# ---- all of them -----------------------------------------------------------------------------------------------------

# The examples that --help shows, as a page of each command.
help_pages() {
	mkdir help
	for name in '' $("$pliant" --help | awk '/^  pliant [a-z]+ / { print $2 }' | sort -u); do
		# shellcheck disable=SC2086
		"$pliant" $name --help 2>/dev/null |
			awk '/^Examples?$/ { on = 1; print "" } on && sub(/^  /, "    ")' >"help/pliant${name:+-$name}"
	done
}

cannot_draw=
furnish >log.txt 2>&1 || { cat log.txt && exit 1; }
cd "$work" || exit 1
help_pages
mkdir found
set +f
awk -v root="$source/" -v into="$work/found" -f "$tests/examples.awk" "$source/README.md" "$source/CONTRIBUTING.md" \
	$(find "$source/docs" -name '*.md' | sort) "$source"/papers/*/README.md help/* >index.txt
stored=$(echo "$source"/scenes/*.json) printed=$(echo "$source"/papers/*/*.json) programs=$(echo "$source"/docs/*.c)
set -f

# A sanitizer sees every third page, whole: its commands build on each other.
each=1
grep -q '^PLIANT_SANITIZE:[A-Z]*=address' "$PLIANT_BUILD/CMakeCache.txt" && each=3
awk -v each=$each '{ name = $3; sub(/:[^:]*$/, "", name) } name != page { page = name; n++ } n % each == 0' index.txt >chosen.txt

open_page stored
for file in $stored; do claim "${file#"$source"/}: a step of the scene" scene_file "$file"; done
for file in $printed; do
	claim "${file#"$source"/} (checked: papers_test.sh runs it small)" status 0 "$pliant" check "$file"
done
for file in $programs; do claim "${file#"$source"/} compiles without a warning" program "$file"; done

while read -r kind file place; do
	open_page "${place%:*}"
	case $kind in
	scene) claim "$place: a scene" shown_scene "$file" ;;
	fragment) claim "$place: $(cut -c 1-80 "$file")" fragment "$file" ;;
	c) claim "$place: a program compiles without a warning" program "$file" ;;
	command) command_line "$place" "$(without_comment "$file")" ;;
	make) claim "$place: $(without_comment "$file") (named by the Makefile)" target "$file" ;;
	prose) prose_line "$place" "$(cat "$file")" ;;
	*) claim "$place: $(cat "$file")" false ;;
	esac
done <"$work/chosen.txt"

kinds_are_found() {
	for kind in scene fragment c command make prose; do
		grep -q "^$kind " "$work/index.txt" || { echo "    no example of the kind $kind"; return 1; }
	done
	[ "$(grep -c ' help/' "$work/index.txt")" -ge 10 ]
}
claim "examples of every kind are found" kinds_are_found
finish
