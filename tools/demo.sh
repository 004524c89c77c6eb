#!/bin/sh
# demo.sh BUILD: simulate scenes/demo.json into out/demo, leave out/demo.png and out/demo.mp4, say what happened; then
# scenes/wall.json into out/wall, with out/wall.png
#
# A finished run stays as it is unless the scene or the program is newer; pictures are made again only when the frames
# are newer.
set -u
pliant=$1/pliant
scene=scenes/demo.json
run=out/demo

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

# The picture shows the step with the most elastic energy, the film everything.
is_old() { # PICTURE FOLDER
	[ ! -f "$1" ] || [ "$2/stats.jsonl" -nt "$1" ] || [ "$pliant" -nt "$1" ]
}
if is_old out/demo.png "$run"; then
	peak=$(field elastic | awk '!($1 <= most) { most = $1; step = NR } END { print step }')
	"$pliant" render "$run" --frame "$peak" -o out/demo.png || exit
fi
if is_old out/demo.mp4 "$run"; then
	"$pliant" render "$run" -o out/demo.mp4 || exit
fi

# The wall, where the ball has gone through.
simulate scenes/wall.json out/wall || exit
wall_camera="--camera -7,3.4,-12.5 --look-at 0.4,2.2,0 --fov 34"
if is_old out/wall.png out/wall; then
	# shellcheck disable=SC2086
	"$pliant" render out/wall --frame 58 $wall_camera -o out/wall.png || exit
fi

steps=$(wc -l <"$run/stats.jsonl")
converged=$(field converged | grep -c true)
echo
# The comment that opens the scene says what it shows.
awk '/^[ \t]*\/\// { sub(/^[ \t]*\/\/ */, ""); print (NR == 1 ? "simulated  " : "           ") $0; next } { exit }' "$scene"
echo "           $steps steps, $(field time | awk 'END { printf "%.3g", $1 }') s of motion"
if [ "$converged" = "$steps" ]; then
	echo "converged  in every step"
else
	echo "converged  in $converged of $steps steps; see $run/stats.jsonl"
fi
echo "frames     $(echo "$run"/*.pvd) (ParaView)"
echo "picture    out/demo.png"
echo "open       out/demo.mp4"
echo
echo "simulated  a ball goes through a wall of a thousand bricks"
echo "picture    out/wall.png"
echo "film       $pliant render out/wall $wall_camera -o out/wall.mp4"
