#!/bin/sh
# rigid_test.sh: bad rigid bodies by the command: refused with place, reason and status 2, or survived without a NaN
. "$(dirname "$0")/harness.sh"
start

ground='{ "type": "rigid", "motion": "static", "shape": { "plane": {} } }'

write() { # BODIES [STEPS]: bad.json; its third line is the last body
	printf '{ "pliant": 1, "steps": %s, "output": { "every": 1000 }, "bodies": [\n%s,\n%s ] }\n' "${2:-30}" "$ground" "$1" >bad.json
}

refused() { # BODY WORDS
	write "$1"
	status 2 "$pliant" run bad.json -o out && says err.txt "^pliant: bad.json:3:[0-9]*: .*$2" && [ ! -e out ]
}

# stats.jsonl names no number that is none, and there is a line for every step.
survived() { # BODIES STEPS
	write "$1" "$2"
	rm -rf out
	status 0 "$pliant" run bad.json -o out --quiet || return 1
	[ "$(wc -l <out/stats.jsonl)" -eq "$2" ] && ! grep -iE '(nan|inf)[,} ]' out/stats.jsonl
}

sizes() {
	refused '{ "type": "rigid", "density": 1, "shape": { "box": [1, 0, 1] } }' 'each length of a box must be above 0' &&
		refused '{ "type": "rigid", "density": 1, "shape": { "sphere": 0 } }' 'radius of a sphere must be above 0' &&
		refused '{ "type": "rigid", "density": 1, "shape": { "sphere": 1e-300 } }' 'must be from 1e-40 to 1e+40' &&
		refused '{ "type": "rigid", "density": 1, "shape": { "box": [1, 1e300, 1] } }' 'must be from 1e-40 to 1e+40' &&
		refused '{ "type": "rigid", "density": 1, "shape": { "cylinder": { "radius": 1, "length": 1e300 } } }' '1e+40'
}
claim "sizes of zero, 1e-300 and 1e300 are refused" sizes

shapes() {
	refused '{ "type": "rigid", "density": 1, "shape": { "hull": [[0, 0, 0], [1, 0, 0], [0, 0, 1], [1, 0, 1]] } }' 'no volume' &&
		refused '{ "type": "rigid", "density": 1, "shape": { "hull": [[0, 0, 0], [1, 1, 1], [2, 2, 2], [3, 3, 3]] } }' 'hull' &&
		refused '{ "type": "rigid", "density": 1, "shape": { "torus": 1 } }' 'a shape needs one of the keys' &&
		refused '{ "type": "rigid", "density": 1, "shape": { "sphere": 1 }, "at": [NaN, 0, 0] }' 'found "NaN"' &&
		refused '{ "type": "rigid", "density": 1, "shape": { "sphere": 1 }, "at": [1e999, 0, 0] }' 'too large for a double' &&
		refused '{ "type": "rigid", "shape": { "sphere": 1, "density": 0 } }' 'its shapes weigh 0 kg'
}
claim "hulls without volume, unknown shapes, no numbers and no mass are refused" shapes

empty_mesh() {
	{
		printf 'v 0 0 0\nv 1 0 0\nv 2 0 0\n'
		awk 'BEGIN { for (i = 0; i < 1000000; ++i) print "f 1 2 3" }'
	} >line.obj
	refused '{ "type": "rigid", "motion": "static", "shape": { "mesh": "line.obj" } }' 'triangle 0 (vertices 0 1 2) has no area'
}
claim "a mesh of a million triangles without area is refused" empty_mesh

box='"type": "rigid", "density": 100, "shape": { "box": [1, 1, 1] }'
fast() {
	survived "{ $box, \"at\": [0, 1, 0], \"velocity\": [1e9, -1e9, 0] }, { $box, \"at\": [5, 0.5, 0] }" 30 &&
		survived "{ $box, \"at\": [0, 1, 0], \"spin\": [1e12, 0, 1e11] }, { $box, \"at\": [0, 3, 0] }" 30
}
claim "1e9 m/s and 1e12 rad/s are survived" fast

crowd() {
	survived '{ "array": { "count": [100, 1, 1], "spacing": [0, 0, 0], "of": { "type": "rigid", "density": 100, "shape": { "box": [1, 1, 1] },
		"at": [0, 1, 0] } } }' 30
}
claim "a hundred boxes in one place are survived" crowd

strangers() {
	run_scene() { "$pliant" run "strangers.json" -o "strangers.$1" --quiet --method "$1" >/dev/null 2>"strangers.log"; }
	cat >"strangers.json" <<-END
		{ "pliant": 1, "steps": 2, "bodies": [
		  { "name": "crate", "type": "rigid", "density": 500, "shape": { "box": [1, 1, 1] }, "at": [0, 5, 0] },
		  { "name": "sheet", "type": "cloth", "density": 0.2, "mesh": { "cloth": [1, 1], "cells": [3, 3] } } ] }
	END
	run_scene auto && run_scene avbd && grep -q '"method":"avbd"' strangers.auto/stats.jsonl || return 1
	for method in auto avbd; do
		sed 's/"iterations".*//' "strangers.$method/stats.jsonl" >"strangers.$method.txt"
	done
	cmp strangers.auto.txt strangers.avbd.txt
}
claim "auto lets soft and rigid bodies meet, by avbd" strangers

alone() {
	survived "{ $box, \"at\": [0, 1, 0], \"mask\": 0 }" 60
}
claim "masks that filter everything let bodies fall" alone

finish
