#!/bin/sh
# demo.sh BUILD: simulate scenes/demo.json into out/demo, leave out/demo.png and out/demo.mp4, say what happened
#
# A finished run stays as it is unless the scene or the program is newer; pictures are made again only when the frames
# are newer.
set -u
pliant=$1/pliant
scene=scenes/demo.json
run=out/demo

resume=--resume
if [ "$scene" -nt "$run/scene.json" ] || [ "$pliant" -nt "$run/scene.json" ]; then
	resume=
fi
"$pliant" run "$scene" -o "$run" $resume || exit

# What a field of stats.jsonl holds, line by line.
field() { sed -n "s/.*\"$1\": *\([^,}]*\).*/\1/p" "$run/stats.jsonl"; }

# The picture shows the step with the most elastic energy, the film everything.
is_old() { [ ! -f "$1" ] || [ "$run/stats.jsonl" -nt "$1" ] || [ "$pliant" -nt "$1" ]; }
if is_old out/demo.png; then
	peak=$(field elastic | awk '!($1 <= most) { most = $1; step = NR } END { print step }')
	"$pliant" render "$run" --frame "$peak" -o out/demo.png || exit
fi
if is_old out/demo.mp4; then
	"$pliant" render "$run" -o out/demo.mp4 || exit
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
