#!/bin/sh
# cloth_test.sh: cloth from a scene to files: frames in every format, resume, threads, what check says of meshes
. "$(dirname "$0")/harness.sh"
start

cat >sheet.json <<'END'
{ "pliant": 1, "steps": 12,
  "bodies": [ { "name": "sheet", "type": "cloth", "mesh": { "cloth": [1, 1], "cells": [8, 9] }, "fabric": "twill", "warp": [0, 1, 0],
                "transform": { "rotate": [1, 0, 0, -90], "translate": [0, 0.4, 0] }, "damping": { "air": 0.5, "viscous": 5, "bending": 0.01 },
                "regions": [ { "where": { "half_space": { "normal": [1, 0, 0] } }, "scale": [0.9, 1] } ] } ],
  "pins": [ { "name": "hook", "body": "sheet", "where": { "nearest": [-0.5, 0.4, -0.5] },
              "motion": { "translate": [0.1, 0.2, 0], "until": 0.2 } } ],
  "wind": { "velocity": [2, 0, 1] },
  "colliders": [ { "sphere": { "radius": 0.35 }, "friction": 0.5 } ],
  "output": { "every": 4, "formats": ["vtu", "pc2", "mdd", "obj"] } }
END
status 0 "$pliant" run sheet.json -o run || exit 1
vertices=$(awk '$1 == "v"' run/sheet_000000.obj | wc -l)

formats() {
	[ "$(ls run/*.vtu | wc -l)" -eq 4 ] && [ "$(ls run/*.obj | wc -l)" -eq 4 ] && [ -s run/sheet.pc2 ] && [ -s run/sheet.mdd ] &&
		for field in stretch0 stretch1 membrane_stress curvature velocity contact_force pin_force; do
			grep -aq "Name=\"$field\"" run/sheet_000012.vtu || { echo "    no $field"; return 1; }
		done &&
		[ "$vertices" -eq 95 ] && [ "$(awk '$1 == "f"' run/sheet_000012.obj | wc -l)" -eq 153 ]
}
claim "frames of cloth are VTU with stretches, stress and curvature, OBJ, PC2 and MDD" formats

# The caches hold the positions of the frames, however they are made.
caches() {
	status 0 "$pliant" convert run again.pc2 && cmp again.pc2 run/sheet.pc2 && status 0 "$pliant" convert run again.mdd &&
		cmp again.mdd run/sheet.mdd && status 0 "$pliant" convert run/sheet.mdd other.pc2 && cmp other.pc2 run/sheet.pc2 &&
		status 0 "$pliant" mesh cloth --cells 8,9 -o flat.obj && status 0 "$pliant" convert run/sheet.pc2 moved.obj --mesh flat.obj &&
		[ "$(ls moved_*.obj | wc -l)" -eq 4 ] &&
		[ "$(awk '$1 == "f"' flat.obj | cksum)" = "$(awk '$1 == "f"' run/sheet_000012.obj | cksum)" ]
}
claim "caches of cloth are those of its frames, and move the mesh that it was made of" caches

resumed() {
	status 0 "$pliant" run sheet.json -o part --steps 8 && status 0 "$pliant" run sheet.json -o part --resume --steps 12 && same part run
}
claim "a run of cloth that was cut goes on to the same bytes" resumed

threads() {
	for method in newton quasi-newton vbd avbd multigrid; do
		status 0 "$pliant" run sheet.json -o one --method $method --threads 1 && status 0 "$pliant" run sheet.json -o three --method $method --threads 3 &&
			same one three || { echo "    $method"; return 1; }
	done
}
claim "any number of threads gives the bytes of one, by five methods" threads

# ---- meshes ----------------------------------------------------------------------------------------------------------

square='v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0'

scene_of() { # KEYS: a scene of the cloth m.obj
	echo "{ \"pliant\": 1, \"steps\": 1, \"bodies\": [ { \"type\": \"cloth\", \"mesh\": { \"file\": \"m.obj\" }, \"density\": 0.2 $1 } ] }" >m.json
}

told() {
	printf '%s\nv 0 0 1\nf 1 2 3\nf 1 3 4\nf 1 3 5\n' "$square" >m.obj
	status 0 "$pliant" check m.obj && says out.txt 'crowded    1 edges of three triangles or more' &&
		printf '%s\nf 1 2 3\nf 1 4 3\n' "$square" >m.obj && status 0 "$pliant" check m.obj && says out.txt 'turned     1 edges' &&
		printf 'v 0 0 0\nv 1 0 0\nv 0.5 0.0001 0\nf 1 2 3\n' >m.obj && status 0 "$pliant" check m.obj && says out.txt 'altitude   0.0001 m at least' &&
		scene_of && status 0 "$pliant" run m.json -o taken --format none
}
claim "check tells crowded and turned edges and slivers, and they are taken" told

refused() {
	scene_of
	printf '%s\nf 1 2 3\nf 3 1 2\nf 1 3 4\n' "$square" >m.obj && status 2 "$pliant" run m.json -o bad && says err.txt 'triangle 1 has the same corners as triangle 0' &&
		printf '%s\nf 1 2 3\nf 1 3 4\nf 2 2 4\n' "$square" >m.obj && status 2 "$pliant" run m.json -o bad && says err.txt 'triangle 2 is degenerate' &&
		printf '%s\nv 5 5 5\nf 1 2 3\nf 1 3 4\n' "$square" >m.obj && status 2 "$pliant" run m.json -o bad && says err.txt 'vertex 4 belongs to no triangle' &&
		printf '%s\nvt 0 0\nvt 100 0\nvt 100 100\nvt 0 100\nf 1/1 2/2 3/3\nf 1/1 3/3 4/4\n' "$square" >m.obj && scene_of ', "chart": "uv"' &&
		status 2 "$pliant" run m.json -o bad && says err.txt 'uv_scale is 1, and 0.01 would make the two as large' &&
		scene_of ', "chart": "uv", "uv_scale": 0.01' && status 0 "$pliant" run m.json -o good --format none && [ ! -e bad ]
}
claim "duplicates, triangles without area, loose vertices and textures in wrong units are refused by name" refused

# ---- contact ---------------------------------------------------------------------------------------------------------

touching_of() { # CONTACT: a cloth and a soft body
	cat >touch.json <<-END
		{ "pliant": 1, "steps": 1, "solver": "newton", "contact": { $1 }, "bodies": [
		  { "type": "cloth", "mesh": { "cloth": [1, 1], "cells": [4, 4] }, "density": 0.2 },
		  { "type": "soft", "mesh": { "box": [1, 1, 1], "cells": [2, 2, 2] }, "density": 100,
		    "material": { "young": 1e5, "poisson": 0.3 }, "transform": { "translate": [0, 0, 1] } } ] }
	END
}

model='"model": "projection"'
may='surfaces may pass, 2 soft bodies and cloths through each other, and cloth through itself: contact by projection cannot keep them apart'
said() {
	touching_of "$model" && status 0 "$pliant" check touch.json && says err.txt "$may" &&
		status 0 "$pliant" run touch.json -o touch --format none && says err.txt "$may" && says err.txt 'the model energy' &&
		touching_of "$model, \"bodies\": false, \"self\": false" && status 0 "$pliant" check touch.json && [ ! -s err.txt ] &&
		touching_of "$model, \"bodies\": false" && status 0 "$pliant" check touch.json && says err.txt 'may pass, cloth through itself: contact by' &&
		touching_of '"bodies": "auto"' && status 0 "$pliant" run touch.json -o touch --format none && [ ! -s err.txt ] &&
		status 0 "$pliant" check touch.json && says out.txt 'contact    .* m thick, .* of its median edge'
}
claim "check and run say which surfaces cannot be kept apart, and check how thick they are" said

crossed() { # CONTACT: two sheets through each other
	cat >crossed.json <<-END
		{ "pliant": 1, "steps": 1, "contact": { $1 }, "bodies": [
		  { "type": "cloth", "mesh": { "cloth": [1, 1], "cells": [4, 4] }, "density": 0.2 },
		  { "type": "cloth", "mesh": { "cloth": [1, 1], "cells": [4, 4] }, "density": 0.2, "transform": { "rotate": [1, 0, 0, 40] } } ] }
	END
}
refuses() {
	crossed '"friction": 0.3' && status 2 "$pliant" run crossed.json -o crossed --format none &&
		says err.txt 'cross at the start in [1-9][0-9]* pairs' && says err.txt 'ignore' && [ ! -e crossed ] &&
		crossed '"pair_thickness": 0.5' && status 2 "$pliant" run crossed.json -o crossed --format none &&
		says err.txt 'more than half the median edge' && [ ! -e crossed ] &&
		crossed '"intersections": "ignore"' && status 0 "$pliant" run crossed.json -o crossed --format none
}
claim "run refuses surfaces that cross at the start, or are too thick, before it makes a folder" refuses
finish
