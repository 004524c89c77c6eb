#!/bin/sh
# usage_test.sh: what the command says and how it ends, when it is used rightly and wrongly
. "$(dirname "$0")/harness.sh"
start
scene bar 3 1

help_and_version() {
	status 0 "$pliant" --help && says out.txt 'pliant run SCENE' &&
		status 0 "$pliant" --version && says out.txt '^pliant 0\.1\.0$' && says out.txt 'compiler' && says out.txt '^backends  *cpu' &&
		status 0 "$pliant" run --help && says out.txt '--require-converged' && says out.txt 'cg_iterations  whole number, at least 1' && says out.txt 'default' &&
		status 0 "$pliant" check --help && says out.txt 'pliant check' &&
		status 0 "$pliant" mesh --help && says out.txt '--cells'
}
claim "every command has --help, and --version says what was built" help_and_version

usage_lines() {
	"$pliant" --help >all.txt
	for paper in $("$pliant" papers --help | sed -n 's/^Figures of \([A-Z]\):.*/\1/p'); do
		says all.txt "pliant papers [A-Z|]*$paper" || return 1
	done
	for kind in $("$pliant" bench none 2>&1 | sed -n 's/.*there is: //p' | tr -d ,); do
		status 0 "$pliant" bench $kind --help && says all.txt "pliant bench \[[a-z|]*$kind" || return 1
	done
	for command in $(sed -n 's/^  pliant \([a-z][a-z]*\) .*/\1/p' all.txt); do
		status 0 "$pliant" $command --help && says out.txt "^pliant $command" || return 1
	done
}
claim "the list of commands is that of the commands themselves" usage_lines

wrong_words() {
	status 2 "$pliant" && says err.txt 'command is missing' &&
		status 2 "$pliant" rum bar.json && says err.txt "unknown command 'rum'; did you mean \"run\"?" &&
		status 2 "$pliant" --versoin && says err.txt "did you mean \"--version\"?" &&
		status 2 "$pliant" run bar.json --stepz 3 && says err.txt "unknown option '--stepz'; did you mean \"--steps\"?" &&
		status 2 "$pliant" run bar.json --stepz=3 && says err.txt 'did you mean "--steps"?' &&
		status 2 "$pliant" run bar.json -x && says err.txt "unknown option '-x'; there is: --output, --steps" &&
		status 2 "$pliant" run bar.json --steps && says err.txt "value is missing after option '--steps'" &&
		status 2 "$pliant" run bar.json --quiet=yes && says err.txt "no value belongs to option '--quiet'" &&
		status 2 "$pliant" run && says err.txt 'scene is missing' &&
		status 2 "$pliant" run bar.json other.json && says err.txt 'too many' && [ ! -e out ]
}
claim "an unknown command or option ends with 2 and names the nearest one" wrong_words

wrong_values() {
	for bad in '--steps x' '--steps -1' '--steps 1e3' '--steps 99999999999999999999' '--iterations 0' '--tolerance nan' \
		'--tolerance -1' '--threads 0' '--threads two' '--precision half' '--backend gpu' '--method newtno' '--format vtx' \
		'--set nonsense' '--set bodies.bar.materiel.young=3'; do
		# shellcheck disable=SC2086
		status 2 "$pliant" run bar.json $bad || return 1
		[ -s err.txt ] || return 1
	done
	status 2 "$pliant" run bar.json --method newtno && says err.txt '^pliant: --method newtno: unknown method "newtno"; did you mean "newton"?$' && [ ! -e out ]
}
claim "a wrong value ends with 2 and words, and leaves no folder" wrong_values

far_words() {
	status 2 "$pliant" plot granite -o a.svg && says err.txt "unknown law 'granite'; there is: stvk, " &&
		status 2 "$pliant" dance && says err.txt "unknown command 'dance'; there is: run, compare, " &&
		status 2 "$pliant" verify nonsense && says err.txt "unknown check 'nonsense'; there is: " &&
		status 2 "$pliant" run bar.json --backend gpu && says err.txt '--backend gpu: unknown backend "gpu".*"cpu"' &&
		status 2 "$pliant" run bar.json --set bodies.bra.density=1 && says err.txt 'no body or index "bra"; did you mean "bar"?' &&
		status 2 "$pliant" run bar.json --precision half --format vtx && says err.txt '--precision half: unknown precision' &&
		says err.txt '--format vtx: unknown format "vtx"; did you mean "vtu"?' && [ "$(grep -c '^pliant' err.txt)" -eq 2 ]
}
claim "a word far from all names gets the list of them, and each is checked once" far_words

wrong_set() {
	status 2 env PLIANT_ISA=typo "$pliant" run bar.json && says err.txt 'PLIANT_ISA is "typo".*it has' && [ ! -e out ] &&
		status 2 env PLIANT_ISA=typo "$pliant" bench kernel && says err.txt 'PLIANT_ISA' &&
		status 0 env PLIANT_ISA=typo "$pliant" --version && says out.txt 'none'
}
claim "an instruction set that is not there ends with 2 and the names of those that are" wrong_set

both_forms() {
	status 0 "$pliant" run bar.json --steps=2 -o one && status 0 "$pliant" run -o two --steps 2 -- bar.json &&
		[ "$(wc -l <one/stats.jsonl)" -eq 2 ] && same one two &&
		status 0 "$pliant" run bar.json --steps 2 --backend cpu -o three && same one three
}
claim "--name=value and --name value are the same, -- ends the options" both_forms

missing_scene() {
	status 2 "$pliant" run nothing.json -o never && says err.txt '^pliant: nothing.json: ' && [ ! -e never ]
}
claim "a missing scene is refused and leaves no folder" missing_scene

bad_scene() {
	printf '{ "pliant": 1,\n  "bodies": [],\n  "stepz": 3 }\n' >bad.json
	status 2 "$pliant" run bad.json -o never && says err.txt '^pliant: bad.json:3:[0-9]*: ' && [ ! -e never ] &&
		status 2 "$pliant" check bad.json && says err.txt '^pliant: bad.json:3:[0-9]*: '
}
claim "a wrong key is refused with line and column and leaves no folder" bad_scene

unwritable() {
	: >file
	status 2 "$pliant" run bar.json -o file && says err.txt 'file' &&
		status 2 "$pliant" run bar.json -o file/below && says err.txt 'Not a directory' &&
		status 2 "$pliant" run bar.json -o /proc/never && says err.txt '^pliant: /proc/never' &&
		status 2 "$pliant" run bar.json -o ''
}
claim "an unwritable folder ends with 2 before anything is run" unwritable

own_scene() {
	mkdir here && cp bar.json here/scene.json && cp bar.json here/kept.json
	status 2 "$pliant" run here/scene.json -o here && says err.txt 'would be overwritten' && cmp here/scene.json here/kept.json &&
		[ ! -e here/stats.jsonl ]
}
claim "a scene.json that is not of a run is not overwritten" own_scene

default_folder() {
	status 0 "$pliant" run bar.json && [ -f out/bar/stats.jsonl ] && [ -f out/bar/bar_000003.vtu ]
}
claim "the default folder is out/<scene name>" default_folder

plain_output() {
	status 0 "$pliant" run bar.json -o plain || return 1
	cat out.txt err.txt | LC_ALL=C tr -d '\n -~' >control.txt
	[ ! -s control.txt ] && says out.txt '3 of 3 steps converged'
}
claim "piped output has a summary and no progress characters" plain_output

quiet() {
	status 0 "$pliant" run bar.json -o plain --quiet && [ ! -s out.txt ] && [ ! -s err.txt ] &&
		status 0 "$pliant" run bar.json -o plain --quiet --method gradient --iterations 1 && [ ! -s out.txt ] &&
		says err.txt '3 of 3 steps did not converge, the first is step 1'
}
claim "--quiet silences the summary, not the warning about convergence" quiet

not_converged() {
	status 3 "$pliant" run bar.json -o plain --method gradient --iterations 1 --require-converged &&
		status 3 "$pliant" run bar.json -o plain --method gradient --iterations 1 --require-converged --resume &&
		status 0 "$pliant" run bar.json -o plain --require-converged
}
# A push of 2000 N/m on each vertex carries no half ton.
sunken() {
	sed 's/"pins".*/"contact": { "stiffness": 2000 }, "colliders": [ { "plane": { "normal": [0, 1, 0], "offset": 0 } } ],/' \
		bar.json >heavy.json
	status 0 "$pliant" run heavy.json -o heavy --steps 20 && says err.txt 'into a collider, [0-9.]* % of its extent' &&
		says err.txt 'a larger contact.stiffness'
}
claim "a body that sinks into a collider is warned of, with a remedy" sunken

projected() {
	sed 's/"pins".*/"contact": { "model": "projection" }, "colliders": [ { "plane": { "normal": [0, 1, 0], "offset": 0 } } ],/' \
		bar.json >moved.json
	status 0 "$pliant" run moved.json -o moved --steps 20 && says err.txt 'steps did not converge' &&
		says err.txt 'contact.model "energy"'
}
claim "steps that projection left out of equilibrium are not blamed on the solver" projected

claim "--require-converged ends with 3 if a step did not converge, also when resumed" not_converged

descent_budget() {
	status 3 "$pliant" run bar.json -o small --method descent --iterations 2 --require-converged &&
		says err.txt '3 of 3 steps did not converge, the first is step 1' &&
		[ "$(grep -c '"converged": *false' small/stats.jsonl)" = 3 ] &&
		status 0 "$pliant" run bar.json -o small --method descent --iterations 2 && says err.txt 'did not converge'
}
claim "descent says in stats, on the terminal and by its status that its budget was too small" descent_budget

numerics() {
	status 4 "$pliant" run bar.json -o numerics --set bodies.bar.velocity=[1e200,0,0] && says err.txt 'bar.json: step 1: ' &&
		[ -f numerics/bar_000000.vtu ] && [ -f numerics/checkpoint ] && [ ! -s numerics/stats.jsonl ] &&
		[ ! -e numerics/bar_000001.vtu ] &&
		status 4 "$pliant" run bar.json -o numerics --method quasi-newton --set pins=[] --set bodies.bar.velocity=[1e200,0,0] &&
		says err.txt '^pliant: bar.json: step 1: the kinetic energy is not finite$'
}
claim "a numerical failure ends with 4, and what was complete stands" numerics

progress() {
	TERM=xterm script -qec "$pliant run bar.json -o shown" typescript >/dev/null </dev/null && says typescript '3/3' &&
		says typescript 'converged'
}
if command -v script >/dev/null && script -qec true /dev/null >/dev/null 2>&1; then
	claim "a terminal shows progress" progress
else
	skip "a terminal shows progress" "there is no script(1), or no pseudo-terminal"
fi

closed_pipe() {
	{
		"$pliant" run bar.json -o piped
		echo $? >piped.txt
	} | :
	[ "$(cat piped.txt)" -eq 0 ] && "$pliant" run bar.json -o closed >&- 2>&- && same piped closed
}
claim "closed standard streams do not disturb a run" closed_pipe

checked() {
	status 0 "$pliant" check bar.json && says out.txt '81 vertices, 192 tetrahedra' && says out.txt 'mass  *4000 kg' &&
		says out.txt '^  pin 0  *9 vertices$' && [ ! -e out/checked ] && status 2 "$pliant" check && status 2 "$pliant" check bar.json bar.json &&
		status 2 "$pliant" check nothing.msh && status 2 "$pliant" check "" && says err.txt 'name of the file is empty' &&
		status 2 "$pliant" convert bar.json nothing && says err.txt "ending '.json'" &&
		status 2 "$pliant" mesh box -o nothing && says err.txt 'nothing: has no ending, .msh .node .ele .* are known'
}
claim "check sums up a good scene and refuses a missing file" checked

# A scene with the collider is refused for the same reason.
surfaces() {
	printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >sheet.obj && "$pliant" mesh sphere --cells 2 -o ball.obj >/dev/null &&
		status 0 "$pliant" check sheet.obj && says out.txt '^  collider  *no: mesh: ' &&
		status 0 "$pliant" check ball.obj && says out.txt '^  collider  *yes' || return 1
	status 0 "$pliant" check sheet.obj && reason=$(sed -n 's/^  collider  *no: //p' out.txt) && [ -n "$reason" ] &&
		sed 's/"bodies"/"colliders": [ { "mesh": "sheet.obj" } ], "bodies"/' bar.json >onsheet.json &&
		status 2 "$pliant" check onsheet.json && says err.txt "$reason"
}
claim "check says whether a collider can have a surface" surfaces

formats() {
	status 0 "$pliant" run bar.json -o plain --format none && [ -z "$(ls plain | grep -E 'vtu|obj|pvd')" ] &&
		status 0 "$pliant" run bar.json -o plain --format obj && [ "$(ls plain | grep -c 'obj$')" -eq 4 ] &&
		[ "$(ls plain | grep -c 'vtu$')" -eq 0 ]
}
claim "--format says which frames are written" formats

frames() {
	scene seven 7 3
	status 0 "$pliant" run seven.json -o seven && [ "$(echo seven/*.vtu)" = "seven/bar_000000.vtu seven/bar_000003.vtu \
seven/bar_000006.vtu seven/bar_000007.vtu" ]
}
claim "frames are at step 0, every few steps, and at the last" frames

meshes() {
	status 2 "$pliant" mesh && status 2 "$pliant" mesh bxo -o a.msh && says err.txt 'did you mean "box"?' &&
		status 2 "$pliant" mesh box && says err.txt 'file is missing' &&
		status 2 "$pliant" mesh box --size 1,2 -o a.msh && status 2 "$pliant" mesh box --size 1,-2,1 -o a.msh &&
		status 2 "$pliant" mesh sphere --radius 0 -o a.msh && says err.txt 'greater than 0' && status 2 "$pliant" mesh box --cells 1.5 -o a.msh &&
		status 2 "$pliant" mesh box --split 7 -o a.msh && status 2 "$pliant" mesh sphere --size 1 -o a.msh &&
		status 2 "$pliant" mesh box --cells 2 -o a.xyz && status 2 "$pliant" mesh box --cells 2000000000 -o a.msh &&
		[ ! -e a.msh ] && [ ! -e a.xyz ] || return 1
	for file in a.msh a.mesh a.vtk a.node; do
		status 0 "$pliant" mesh box --size 4,1,1 --cells 4,1,1 --split 6 -o $file && says out.txt '20 vertices, 24 tetrahedra' &&
			status 0 "$pliant" check $file && says out.txt '20 vertices, 24 tetrahedra' && says out.txt 'volume  *4 m' || return 1
	done
	status 0 "$pliant" mesh sphere --radius 1 --cells 2 -o ball.mesh && status 0 "$pliant" check ball.mesh
}
claim "mesh writes what check reads, and refuses nonsense" meshes

endings() {
	"$pliant" mesh box --cells 2 -o BAR.MSH >/dev/null && "$pliant" mesh box --cells 2 -o BAR.NODE >/dev/null && [ -e BAR.ELE ] &&
		status 0 "$pliant" check BAR.MSH && says out.txt '27 vertices, 48 tetrahedra' &&
		status 0 "$pliant" check BAR.ELE && says out.txt '27 vertices' || return 1
	: >bar.STL
	echo '*HEADING' >bar.inp
	status 2 "$pliant" run BAR.MSH && says err.txt 'BAR.MSH: is a mesh (Gmsh), not a scene' && says err.txt 'pliant check' &&
		status 2 "$pliant" run bar.STL && says err.txt 'is a mesh (STL), not a scene' &&
		status 2 "$pliant" compare BAR.MSH --methods newton && says err.txt 'not a scene' &&
		status 2 "$pliant" check bar.inp && says err.txt 'bar.inp:1:1: is not a scene: ' && says err.txt '.msh .node .ele' &&
		[ ! -e out/BAR ] || return 1
	for command in check convert mesh; do
		status 0 "$pliant" $command --help && says out.txt '.node .ele  *TetGen: tetrahedra; text' || return 1
	done
}
claim "an ending says the format in large letters too, and a mesh is not taken for a scene" endings

device() {
	# a sanitizer wants more memory than there is, so it runs without the limit
	(
		(ulimit -v 2000000 && "$pliant" --version) >/dev/null 2>&1 && ulimit -v 2000000
		status 2 "$pliant" check /dev/zero
	) && says err.txt '/dev/zero: is not a file'
}
claim "a device is not read as a scene" device

finish
