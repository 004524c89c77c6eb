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

for picture in out/demo.png out/demo.mp4; do
	if [ ! -f "$picture" ] || [ "$run/stats.jsonl" -nt "$picture" ] || [ "$pliant" -nt "$picture" ]; then
		"$pliant" render "$run" -o "$picture" || exit
	fi
done

steps=$(wc -l <"$run/stats.jsonl")
converged=$(grep -c '"converged": *true' "$run/stats.jsonl")
seconds=$(sed -n '$s/.*"time": *\([0-9.eE+-]*\).*/\1/p' "$run/stats.jsonl")
echo
# The scene's first comment says what it shows.
sed -n 's|^[[:space:]]*// *|simulated  |p;/^[[:space:]]*\/\//q' "$scene"
echo "           $steps steps, $seconds s of motion"
if [ "$converged" = "$steps" ]; then
	echo "converged  in every step"
else
	echo "converged  in $converged of $steps steps; see $run/stats.jsonl"
fi
echo "frames     $run/*.pvd (ParaView)"
echo "picture    out/demo.png"
echo "open       out/demo.mp4"
