#!/bin/bash
# resume_test.sh: a run that is stopped, killed, cut or prolonged and resumed is the run that was never disturbed
#
# bash for $RANDOM and fractions of a second in sleep. The cost of steps in stats.jsonl apart, folders are compared byte by byte.
. "$(dirname "$0")/harness.sh"
start
scene bar 60 4
status 0 "$pliant" run bar.json -o whole || exit 1

finished_stays() {
	cp -rp whole before && status 0 "$pliant" run bar.json -o whole --resume && diff -r whole before &&
		[ -z "$(find whole -newer before/checkpoint -type f)" ] &&
		status 0 "$pliant" run bar.json -o whole --resume --steps 20 && diff -r whole before
}
claim "a finished run stays as it is" finished_stays

resume_nothing() {
	status 0 "$pliant" run bar.json -o fresh --resume && same whole fresh
}
claim "--resume without a run starts one" resume_nothing

prolong() {
	status 0 "$pliant" run bar.json -o part --steps 28 && cp -r part kept &&
		status 0 "$pliant" run bar.json -o part --resume --steps 60 && says out.txt '32 steps' && same part whole || return 1
	head -n 28 part/stats.jsonl | cmp - kept/stats.jsonl
}
claim "--resume --steps prolongs a run and keeps what it had" prolong

# The balance of a step counts from the state that it begins with.
balanced() {
	status 0 "$pliant" run bar.json -o sums --steps 20 --set output.balance=true && says sums/stats.jsonl '"numerical":' &&
		status 0 "$pliant" run bar.json -o half --steps 9 --set output.balance=true &&
		status 0 "$pliant" run bar.json -o half --steps 20 --set output.balance=true --resume || return 1
	outcome sums >sums.txt && outcome half | cmp - sums.txt
}
claim "a resumed run has the same balance of energies" balanced

# A figure that walks under a sheet, which crosses itself: frames of the collider belong to the run, crossings to its frames.
cat >sheet.json <<'END'
{ "pliant": 1, "steps": 30, "timestep": 0.02, "output": { "every": 5 }, "contact": { "bodies": false, "self": false },
  "bodies": [ { "name": "sheet", "type": "cloth", "mesh": { "cloth": [1, 1], "cells": [10, 10] }, "density": 0.2,
                "transform": { "rotate": [1, 0, 0, -90], "translate": [0, 0.3, 0] } },
              { "name": "other", "type": "cloth", "mesh": { "cloth": [0.4, 0.4], "cells": [4, 4] }, "density": 0.2,
                "transform": { "translate": [0, 0.3, 0] } } ],
  "pins": [ { "body": "other", "where": "all" } ],
  "colliders": [ { "mesh": { "sphere": 0.25, "cells": 4 }, "frames": { "file": "ball/ball.pc2", "fps": 10 } } ] }
END
cat >ball.json <<'END'
{ "pliant": 1, "steps": 10, "timestep": 0.02, "gravity": [0, 0, 0], "output": { "formats": ["pc2"] },
  "bodies": [ { "name": "ball", "type": "soft", "mesh": { "sphere": 0.25, "cells": 4 }, "density": 100, "velocity": [0.5, 0, 0],
                "material": { "law": "neo-hookean", "young": 1e4, "poisson": 0.3 } } ] }
END
walks() {
	status 0 "$pliant" run ball.json -o ball && status 0 "$pliant" run sheet.json -o walk &&
		says err.txt 'surfaces cross in 6 of 6 frames, the first is that of step 5' &&
		[ "$(grep -c '"crossings":[1-9]' walk/stats.jsonl)" -eq 6 ] &&
		status 0 "$pliant" run sheet.json -o stop --steps 15 && status 0 "$pliant" run sheet.json -o stop --resume &&
		says err.txt 'surfaces cross in 6 of 6 frames' && same stop walk || return 1
	status 0 "$pliant" run sheet.json -o part --steps 15 && status 0 "$pliant" run ball.json -o ball --set bodies.ball.velocity=[0,0,1] &&
		status 2 "$pliant" run sheet.json -o part --resume && says err.txt 'made with another mesh: ball/ball.pc2 has changed since'
}
claim "frames of colliders and crossings go on in a resumed run" walks

prolong_between() {
	status 0 "$pliant" run bar.json -o odd --steps 26 && status 0 "$pliant" run bar.json -o odd --resume &&
		[ -f odd/bar_000026.vtu ] && says odd/bar.pvd 'bar_000026.vtu' && rm odd/bar_000026.* &&
		grep -v 000026 odd/bar.pvd >pvd && mv pvd odd/bar.pvd && same odd whole
}
claim "the last frame of a shorter run stays" prolong_between

interrupt() {
	"$pliant" run bar.json -o stopped --steps 100000 >out.txt 2>err.txt &
	process=$!
	until_line 3 stopped/stats.jsonl
	kill -"$1" $process
	wait $process
	[ $? -eq 130 ] && says err.txt 'interrupted after step' && says err.txt '--resume' || return 1
	lines=$(wc -l <stopped/stats.jsonl)
	status 0 "$pliant" run bar.json -o stopped --resume --steps $((lines + 5)) && says out.txt '5 steps to' || return 1
	status 0 "$pliant" run bar.json -o straight --steps $((lines + 5)) && same stopped straight
}
claim "Ctrl-C stops after the step with a checkpoint, status 130" interrupt INT
rm -rf stopped straight
claim "so does a request to terminate" interrupt TERM

# Killed at random moments again and again until it is finished.
killed() {
	rm -rf shot
	shoot_to_the_end "$pliant" run bar.json -o shot --resume &&
		status 0 "$pliant" run bar.json -o shot --resume && same shot whole
}
for turn in 1 2 3; do claim "killed at random moments and resumed, the bytes are the same ($turn)" killed; done

# What descent keeps from step to step (alpha, the largest eigenvalue, rho) and the velocities of the step before.
killed_descent() {
	cp bar.json kept.json
	set -- 'solver={"method":"descent","iterations":32,"rho":"estimate"}'
	status 0 "$pliant" run kept.json -o kept_whole --set "$1" || return 1
	rm -rf kept_shot
	shoot_to_the_end "$pliant" run kept.json -o kept_shot --set "$1" --resume &&
		status 0 "$pliant" run kept.json -o kept_shot --set "$1" --resume && same kept_shot kept_whole
}
claim "so are those of descent, whose method remembers earlier steps" killed_descent

# What a kill between two writes leaves behind, made by hand: lines, frames and temporaries past the checkpoint.
remains() {
	status 0 "$pliant" run bar.json -o remains --steps 24 && status 0 "$pliant" run bar.json -o later --steps 33 || return 1
	cp later/stats.jsonl later/bar_00002[89].* later/bar_00003* later/bar.pvd remains/ 2>/dev/null
	printf '{"step":34,"time":0.6' >>remains/stats.jsonl
	echo half >remains/bar_000036.vtu.part
	echo half >remains/checkpoint.part
	cp remains/bar_000024.vtu remains/unrelated.vtu.bak
	status 0 "$pliant" run bar.json -o remains --resume && says out.txt '36 steps to' && rm remains/unrelated.vtu.bak &&
		same remains whole
}
claim "what lies after the checkpoint is removed and made again" remains

without_checkpoint() {
	cp -r whole lost && rm lost/checkpoint && status 0 "$pliant" run bar.json -o lost --resume && says out.txt '60 steps to' &&
		same lost whole
}
claim "without a checkpoint it starts at step 1" without_checkpoint

refused() {
	cp -rp whole guarded
	status 2 "$pliant" run bar.json -o guarded --resume --set bodies.bar.material.young=2e5 &&
		says err.txt 'bodies.*material.young' && diff -r whole guarded &&
		status 2 "$pliant" run bar.json -o guarded --resume --method gradient && says err.txt 'solver' && diff -r whole guarded &&
		status 0 "$pliant" run bar.json -o guarded --resume --threads 1 --quiet --format none && diff -r whole guarded
}
claim "another scene is refused with the key, and nothing changes" refused

# As many vertices and tets as before, but another shape; then the old shape in a file of another date; then a collider.
changed_mesh() {
	"$pliant" mesh box --cells 4,2,2 -o changing.msh >/dev/null && cp changing.msh old.msh &&
		"$pliant" mesh sphere --cells 2 -o floor.obj >/dev/null || return 1
	cat >changing.json <<END
{ "pliant": 1, "steps": 8, "bodies": [ { "name": "bar", "type": "soft", "mesh": { "file": "changing.msh" }, "density": 1000,
  "material": {}, "transform": { "translate": [0, 3, 0] } } ], "colliders": [ { "mesh": "floor.obj" } ] }
END
	status 0 "$pliant" run changing.json -o changing --steps 4 && cp -r changing kept_changing &&
		"$pliant" mesh box --size 1,1,1.1 --cells 4,2,2 -o changing.msh >/dev/null || return 1
	status 2 "$pliant" run changing.json -o changing --resume &&
		says err.txt 'checkpoint: the run was made with another mesh: changing.msh has changed since' &&
		diff -r changing kept_changing && cp old.msh changing.msh || return 1
	cp floor.obj old.obj && "$pliant" mesh sphere --radius 1.1 --cells 2 -o floor.obj >/dev/null &&
		status 2 "$pliant" run changing.json -o changing --resume && says err.txt 'floor.obj has changed since' || return 1
	cp old.obj floor.obj && status 0 "$pliant" run changing.json -o changing --resume
}
claim "a mesh that changed since is refused by name, also if it has as many vertices" changed_mesh

damaged() {
	cp -r whole broken && head -c 1000 whole/checkpoint >broken/checkpoint &&
		status 2 "$pliant" run bar.json -o broken --resume --steps 90 && says err.txt 'checkpoint: is cut off' || return 1
	cp whole/checkpoint broken/checkpoint
	printf 'x' | dd of=broken/checkpoint bs=1 seek=2000 conv=notrunc 2>/dev/null
	status 2 "$pliant" run bar.json -o broken --resume --steps 90 && says err.txt 'checkpoint: is damaged' || return 1
	cp whole/checkpoint broken/checkpoint && head -n 50 whole/stats.jsonl >broken/stats.jsonl
	status 2 "$pliant" run bar.json -o broken --resume --steps 90 && says err.txt 'ends after step 50' &&
		status 0 "$pliant" run bar.json -o broken && same broken whole
}
claim "a damaged checkpoint is refused with words, and a run without --resume replaces it" damaged

every_step() {
	status 0 "$pliant" run bar.json -o dense --set output.checkpoint=1 --steps 10 || return 1
	"$pliant" run bar.json -o dense2 --set output.checkpoint=5 --steps 100000 >/dev/null &
	process=$!
	until_line 12 dense2/stats.jsonl
	kill -KILL $process
	wait $process 2>/dev/null
	steps=$(($(wc -l <dense2/stats.jsonl) + 5))
	status 0 "$pliant" run bar.json -o dense2 --set output.checkpoint=5 --steps $steps --resume || return 1
	status 0 "$pliant" run bar.json -o sparse2 --steps $steps && cp sparse2/scene.json dense2/scene.json && same dense2 sparse2
}
claim "checkpoints every few steps resume just the same" every_step

# One end is pushed through the other and let go: elements convert, and their weights are part of the state.
converts() {
	cat >crush.json <<END
{ "pliant": 1, "steps": 40, "timestep": 0.02,
  "bodies": [ { "name": "bar", "type": "soft", "mesh": { "box": [4, 1, 1], "cells": [8, 2, 2] }, "density": 1000,
                "material": { "law": "stvk", "young": 1e5, "poisson": 0.4, "inversion": "convert" } } ],
  "pins": [ { "body": "bar", "where": { "box": [[0, 0, 0], [0, 1, 1]] } },
            { "body": "bar", "where": { "box": [[4, 0, 0], [4, 1, 1]] }, "release": 0.4,
              "motion": { "translate": [-4.5, 0, 0], "from": 0, "until": 0.2 } } ],
  "output": { "every": 4 } }
END
	status 0 "$pliant" run crush.json -o crush && grep -aq 'Name="blend"' crush/bar_000008.vtu &&
		! grep -aq 'Name="blend"' whole/bar_000008.vtu && grep -q '"inverted":[1-9]' crush/stats.jsonl || return 1
	for at in 8 16 24; do status 0 "$pliant" run crush.json -o again --resume --steps $at || return 1; done
	status 0 "$pliant" run crush.json -o again --resume && same crush again
}
claim "a run whose elements convert is resumed just the same" converts

# ---- a folder that holds a run is replaced ----------------------------------------------------------------------------

replaced() {
	sed 's/"bar"/"rod"/g' bar.json >rod.json
	cp -r whole shared && echo mine >shared/notes.txt && cp whole/bar_000000.vtu shared/bar_mine.vtu && mkdir shared/below &&
		status 0 "$pliant" run rod.json -o shared && [ -f shared/notes.txt ] && [ -f shared/bar_mine.vtu ] && [ -d shared/below ] &&
		[ -f shared/rod_000060.vtu ] && [ ! -e shared/bar.pvd ] && [ -z "$(ls shared | grep '^bar_0')" ] || return 1
	rm -r shared/notes.txt shared/bar_mine.vtu shared/below
	status 0 "$pliant" run rod.json -o alone && same shared alone
}
claim "a folder that holds a run is replaced: its own files go, others stay" replaced

replace_killed() {
	for attempt in $(seq 12); do
		rm -rf swap && cp -r whole swap
		shoot "0.00$((RANDOM % 10))$((RANDOM % 10))" "$pliant" run rod.json -o swap
		grep -q '"rod"' swap/scene.json || continue # not begun: the old run is whole
		status 0 "$pliant" run rod.json -o swap --resume && same swap alone || return 1
	done
}
claim "killed while it replaces a run, it can be resumed" replace_killed

refused_keeps() {
	cp -r whole kept2 && printf '{ "pliant": 1, "bodies": [], "x": 1 }' >bad.json &&
		status 2 "$pliant" run bad.json -o kept2 && diff -r whole kept2
}
claim "a refused run leaves an older one alone" refused_keeps

two_at_once() {
	"$pliant" run bar.json -o busy --steps 100000 >/dev/null 2>&1 &
	process=$!
	until_line 1 busy/stats.jsonl
	status 2 "$pliant" run bar.json -o busy && says err.txt 'another run is being recorded'
	result=$?
	kill -KILL $process
	wait $process 2>/dev/null
	return $result
}
claim "two runs cannot share a folder at the same time" two_at_once

finish
