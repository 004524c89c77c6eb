#!/bin/sh
# render_test.sh: `pliant render` as users and scripts see it
. "$(dirname "$0")/harness.sh"
export ASAN_OPTIONS="detect_leaks=0:$ASAN_OPTIONS" # OpenGL drivers leak when they unload
start
scene bar 6 2
status 0 "$pliant" run bar.json -o run || exit 1

if "$pliant" render run -o probe.png >out.txt 2>err.txt; then
	drawable=yes
else
	drawable=
	reason=$(sed -n '1s/^pliant: //p' err.txt)
fi

size_of() { # PNG: width and height are bytes 16 to 23
	od -A n -t u1 -j 16 -N 8 "$1" | tr -s ' '
}

nothing_left() {
	[ -z "$(find . -name '*.part*')" ] && [ ! -e bad.png ] && [ ! -e bad.mp4 ] && return 0
	echo "    files were left behind: $(ls)"
	return 1
}

if grep -q 'built without rendering' err.txt; then
	skip "rendering" "built without it"
	finish
fi

usage() {
	status 0 "$pliant" render --help && says out.txt '--colour' &&
		status 2 "$pliant" render && says err.txt 'DIR or a SCENE is missing' &&
		status 2 "$pliant" render run && says err.txt '-o is missing' &&
		status 2 "$pliant" render run run -o bad.png && says err.txt 'too much' &&
		status 2 "$pliant" render run -o bad.gif && says err.txt 'bad.gif: unknown ending' &&
		status 2 "$pliant" render nowhere -o bad.png && says err.txt 'nowhere: there is no such' &&
		status 2 "$pliant" render run -o bad.png --size 1280 && says err.txt '--size 1280: expected WIDTHxHEIGHT' &&
		status 2 "$pliant" render run -o bad.png --colour heat && says err.txt 'no such field' &&
		status 2 "$pliant" render run -o bad.png --colour stress --range 2,1 && says err.txt 'must be below' &&
		status 2 "$pliant" render run -o bad.png --colour stretch && says err.txt 'no body here has stretch, only cloth has it' &&
		status 2 "$pliant" render run -o bad.mp4 --colour blend && says err.txt 'no body here has blend, only soft bodies' &&
		status 2 "$pliant" render bar.json -o bad.png --colour stretch && says err.txt 'no body here has stretch' &&
		status 2 "$pliant" render run -o bad.png --fov wide && says err.txt 'fov' &&
		status 2 "$pliant" render run -o bad.png --frame 3 && says err.txt 'no frame of step 3: 4 frames, steps 0 to 6' &&
		status 2 "$pliant" render run -o bad.png --camera 1,2,3 --look-at 1,2,3 && says err.txt 'must not stand at' &&
		status 2 "$pliant" render run -o bad.mp4 --size 161x120 && says err.txt 'even' &&
		nothing_left
}
claim "wrong words and values end with 2 and a reason" usage

bad_input() {
	mkdir -p empty broken && cp run/bar_000000.vtu run/bar_000002.vtu broken &&
		head -c 2000 run/bar_000004.vtu >broken/bar_000004.vtu && echo '{ "pliant": 1, "bodies": 3 }' >bad.json &&
		status 2 "$pliant" render empty -o bad.png && says err.txt 'empty: there are no frames' &&
		status 2 "$pliant" render broken -o bad.png && says err.txt 'broken/bar_000004.vtu' &&
		status 2 "$pliant" render bad.json -o bad.png && says err.txt 'bad.json:1:' && nothing_left
}
claim "missing, broken and wrong input ends with 2 and its place" bad_input

no_ffmpeg() {
	mkdir -p bin && PATH="$PWD/bin" status 2 "$pliant" render run -o bad.mp4 && says err.txt 'ffmpeg is not installed' &&
		nothing_left
}
claim "a film without ffmpeg is refused before anything is drawn" no_ffmpeg

if [ -z "$drawable" ]; then
	skip "drawing" "$reason"
	finish
fi

pictures() {
	status 0 "$pliant" render run -o a.png --size 160x120 && [ "$(size_of a.png)" = " 0 0 0 160 0 0 0 120" ] &&
		status 0 "$pliant" render run -o b.png --size 160x120 && cmp a.png b.png &&
		status 0 "$pliant" render run -o c.png --size 160x120 --frame 6 && cmp a.png c.png &&
		status 0 "$pliant" render run -o d.png --size 160x120 --at 0.13 && cmp a.png d.png &&
		status 0 "$pliant" render run -o e.png --size 160x120 --frame 0 && ! cmp -s a.png e.png &&
		status 0 "$pliant" render run -o f.png --size 160x120 --colour stress && ! cmp -s a.png f.png &&
		status 0 "$pliant" render run -o k.png --size 160x120 --colour contact && ! cmp -s a.png k.png && ! cmp -s f.png k.png &&
		status 0 "$pliant" render run -o g.png --size 160x120 --colour displacement --range 0,1 --no-ground &&
		status 0 "$pliant" render run -o h.png --size 160x120 --camera 8,3,9 --look-at 2,0,0 --fov 40 --ground -2 --pattern
}
claim "the same options give the same picture, others another one" pictures

from_scene() {
	status 0 "$pliant" render bar.json -o scene0.png --size 160x120 &&
		status 0 "$pliant" render bar.json -o scene6.png --size 160x120 --frame 6 && ! cmp -s scene0.png scene6.png &&
		status 2 "$pliant" render bar.json -o bad.png --frame 7 && says err.txt 'there is no step 7: the scene has 6' &&
		[ ! -e out ] && nothing_left
}
claim "a scene is drawn at its start or at a step, and nothing else is written" from_scene

# A sheet shows both sides; the back is darker.
both_sides() {
	cat >sheet.json <<-'END'
		{ "pliant": 1, "steps": 3, "bodies": [ { "name": "sheet", "type": "cloth", "mesh": { "cloth": [1, 1], "cells": [6, 6] },
		  "density": 0.2, "bending": { "stiffness": 1e-4 } } ] }
	END
	status 0 "$pliant" run sheet.json -o sheet && status 0 "$pliant" render sheet -o front.png --camera 0,0,4 --no-ground &&
		status 0 "$pliant" render sheet -o back.png --camera 0,0,-4 --no-ground && [ -s front.png ] && [ -s back.png ] &&
		! cmp -s front.png back.png && status 0 "$pliant" render sheet -o drawn.png --colour stretch && [ -s drawn.png ]
}
claim "cloth is drawn from both sides, and by its stretch" both_sides

# Two sheets through each other: yellow along a line, in a run and in a scene that is simulated for the picture.
crossed() {
	cat >two.json <<-'END'
		{ "pliant": 1, "steps": 2, "gravity": [0, 0, 0], "contact": { "bodies": false, "self": false }, "bodies": [
		  { "name": "a", "type": "cloth", "mesh": { "cloth": [1, 1], "cells": [6, 6] }, "density": 0.2 },
		  { "name": "b", "type": "cloth", "mesh": { "cloth": [1, 1], "cells": [6, 6] }, "density": 0.2,
		    "transform": { "rotate": [0, 1, 0, 80], "translate": [0.05, 0.02, 0.01] } } ] }
	END
	status 0 "$pliant" check two.json && says err.txt 'surfaces cross or touch at the start in .* pairs of triangles, which have no contact' &&
		says out.txt '  crossing   triangle [0-9]* of [a-z]*, triangle [0-9]* of [a-z]*' &&
		status 0 "$pliant" run two.json -o two && says err.txt 'surfaces cross in 2 of 2 frames, the first is that of step 1' &&
		status 0 "$pliant" render two -o lines.png --size 160x120 --colour crossings &&
		status 0 "$pliant" render two.json -o made.png --size 160x120 --frame 2 --colour crossings && cmp lines.png made.png || return 1
	status 0 "$pliant" run two.json -o two --set output.crossings=false && [ ! -s err.txt ] && ! grep -q crossings two/stats.jsonl &&
		status 2 "$pliant" render two -o plain.png --size 160x120 --colour crossings && says err.txt 'nobody looked for them' && [ ! -e plain.png ]
}
claim "crossings are warned of, switched off, and drawn" crossed

unwritable() {
	status 2 "$pliant" render run -o no/such/folder/bad.png --size 160x120 && says err.txt 'cannot be written' &&
		(
			ulimit -f 1
			status 4 "$pliant" render run -o bad.png
		) && says err.txt 'bad.png: cannot be written: File too large' && nothing_left
}
claim "what cannot be written is absent: 2 for the place, 4 for a full disk" unwritable

if ! command -v ffmpeg >/dev/null; then
	skip "films" "ffmpeg is not installed"
	finish
fi

film() {
	status 0 "$pliant" render run -o a.mp4 --size 160x120 && says out.txt 'a.mp4: 4 pictures of 160x120, 25 a second' &&
		[ -s a.mp4 ] && status 0 "$pliant" render run -o b.mp4 --size 160x120 --fps 10 && says out.txt '10 a second, 0.4 s' &&
		status 0 "$pliant" render bar.json -o c.mp4 --size 160x120 && says out.txt 'c.mp4: 4 pictures' && nothing_left
}
claim "a film plays in real time, or at --fps" film

from_cache() {
	status 0 "$pliant" mesh box --size 4,1,1 --cells 8,2,2 -o bar.msh && status 0 "$pliant" convert bar.msh bar.obj &&
		status 0 "$pliant" convert run bar.pc2 && status 0 "$pliant" convert run bar.mdd &&
		status 0 "$pliant" render bar.mdd --mesh bar.msh -o mdd.mp4 --size 160x120 && says out.txt 'mdd.mp4: 4 pictures of 160x120, 25 a second' &&
		status 0 "$pliant" render bar.pc2 --mesh bar.msh -o pc2.mp4 --size 160x120 --fps 25 && cmp pc2.mp4 mdd.mp4 &&
		status 0 "$pliant" render bar.pc2 --mesh run/bar_000000.obj -o frame.png --size 160x120 --frame 3 &&
		status 0 "$pliant" render bar.mdd --mesh bar.msh -o frame2.png --size 160x120 --at 0.12 && cmp frame.png frame2.png &&
		status 0 "$pliant" render bar.pc2 --mesh bar.msh -o moved.png --size 160x120 --colour displacement && ! cmp -s moved.png frame.png &&
		status 2 "$pliant" render bar.pc2 -o bad.png && says err.txt 'a cache has no faces' &&
		status 2 "$pliant" render run --mesh bar.msh -o bad.png && says err.txt 'belongs to a cache' &&
		status 2 "$pliant" render bar.pc2 --mesh bar.msh -o bad.png --at 1 && says err.txt 'not known when' &&
		status 2 "$pliant" render bar.pc2 --mesh bar.msh -o bad.png --frame 4 && says err.txt 'no frame of step 4' &&
		status 2 "$pliant" render bar.pc2 --mesh bar.msh -o bad.png --colour stress && says err.txt 'no stress' &&
		status 2 "$pliant" render bar.pc2 --mesh bar.obj -o bad.png && says err.txt 'bar.pc2: has 81 points, bar.obj has' &&
		status 2 "$pliant" render bar.pc2 --mesh none.msh -o bad.png && says err.txt 'none.msh' &&
		head -c 1000 bar.mdd >cut.mdd && status 2 "$pliant" render cut.mdd --mesh bar.msh -o bad.png && says err.txt 'cut.mdd: byte 0: promises' &&
		nothing_left
}
claim "a film is rendered from a cache and the mesh it moves" from_cache

# A box that a cache draws out: the picture follows its frames.
changing_collider() {
	cat >on_box.json <<-'END'
		{ "pliant": 1, "steps": 6, "timestep": 0.02, "output": { "every": 6 }, "bodies": [ { "name": "sheet", "type": "cloth", "density": 0.2,
		    "mesh": { "cloth": [1, 1], "cells": [4, 4] }, "transform": { "translate": [0, 5, 0] } } ],
		  "colliders": [ { "mesh": "bar.msh", "frames": "bar.mdd" } ] }
	END
	status 0 "$pliant" render on_box.json -o first.png --size 160x120 --frame 0 --camera 2,3,14 --look-at 2,0,0 &&
		status 0 "$pliant" render on_box.json -o later.png --size 160x120 --frame 6 --camera 2,3,14 --look-at 2,0,0 &&
		status 0 "$pliant" render on_box.json -o film.mp4 --size 160x120 && ! cmp -s first.png later.png && nothing_left
}
claim "a collider with frames is drawn where it is" changing_collider

broken_ffmpeg() {
	printf '#!/bin/sh\necho "no such encoder" >&2\nexit 1\n' >bin/ffmpeg && chmod +x bin/ffmpeg &&
		PATH="$PWD/bin:$PATH" status 2 "$pliant" render run -o bad.mp4 --size 160x120 &&
		says err.txt 'bad.mp4: ffmpeg failed: no such encoder' && nothing_left &&
		printf '#!/bin/sh\ncat >/dev/null\necho "x: No space left on device" >&2\nexit 1\n' >bin/ffmpeg &&
		PATH="$PWD/bin:$PATH" status 4 "$pliant" render run -o bad.mp4 --size 160x120 && nothing_left
}
claim "when ffmpeg fails its words are told and no film is left" broken_ffmpeg

finish
