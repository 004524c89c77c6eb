#!/bin/sh
# demo.sh BUILD: simulate scenes/trampoline.json into out/trampoline, leave out/demo.png and out/demo.mp4, say what happened;
# then scenes/wall.json into out/wall, with out/wall.png
#
# A finished run stays as it is unless the scene or the program is newer; pictures are made again only when the frames
# are newer.
set -u
pliant=$1/pliant
scene=scenes/trampoline.json
run=out/trampoline
camera="--camera 3.9,2.7,4.9 --look-at 0,0.75,0 --fov 34"

simulate() { # SCENE FOLDER
	resume=--resume
	if [ "$1" -nt "$2/scene.json" ] || [ "$pliant" -nt "$2/scene.json" ]; then
		resume=
	fi
	"$pliant" run "$1" -o "$2" $resume
}
simulate "$scene" "$run" || exit

# What a field of stats.jsonl holds, line by line.
field() { sed -n "s/.*\"$1\": *\([^,}]*\).*/\1/p" "$run/stats.jsonl"; }

# The picture shows a crate above the cloth, the film everything.
is_old() { # PICTURE FOLDER
	[ ! -f "$1" ] || [ "$2/stats.jsonl" -nt "$1" ] || [ "$pliant" -nt "$1" ]
}
# shellcheck disable=SC2086
if is_old out/demo.png "$run"; then
	"$pliant" render "$run" --frame 42 $camera -o out/demo.png || exit
fi
# shellcheck disable=SC2086
if is_old out/demo.mp4 "$run"; then
	"$pliant" render "$run" $camera -o out/demo.mp4 || exit
fi

# The wall, where the ball has gone through.
simulate scenes/wall.json out/wall || exit
wall_camera="--camera -7,3.4,-12.5 --look-at 0.4,2.2,0 --fov 34"
if is_old out/wall.png out/wall; then
	# shellcheck disable=SC2086
	"$pliant" render out/wall --frame 58 $wall_camera -o out/wall.png || exit
fi

steps=$(wc -l <"$run/stats.jsonl")
echo
# The comment that opens the scene says what it shows.
awk '/^[ \t]*\/\// { sub(/^[ \t]*\/\/ */, ""); if ($0 == "") exit; print (NR == 1 ? "simulated  " : "           ") $0; next } { exit }' "$scene"
echo "           $steps steps, $(field time | awk 'END { printf "%.3g", $1 }') s of motion"
echo "touching   $(field contacts | awk '$1 > most { most = $1 } END { print most }') points at most, the deepest" \
	"$(field penetration | awk '$1 > most { most = $1 } END { printf "%.1f", 1e3 * most }') mm deep"
echo "frames     $(echo "$run"/*.pvd | wc -w) bodies: $run/*.pvd (ParaView)"
echo "picture    out/demo.png"
echo "open       out/demo.mp4"
echo
echo "simulated  a ball goes through a wall of a thousand bricks"
echo "picture    out/wall.png"
echo "film       $pliant render out/wall $wall_camera -o out/wall.mp4"
echo
echo "to the tolerance, step by step: $pliant run scenes/demo.json -o out/bar"
