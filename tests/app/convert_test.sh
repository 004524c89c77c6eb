#!/bin/bash
# convert_test.sh: meshes, runs and caches from one format to another; caches of a run, resumed and killed
. "$(dirname "$0")/harness.sh"
start
scene bar 12 4
sed -i 's/"formats": \[[^]]*\]/"formats": ["vtu", "pc2", "mdd"]/' bar.json
status 0 "$pliant" run bar.json -o run || exit 1

usage() {
	status 0 "$pliant" convert --help && says out.txt '--gmsh' &&
		status 2 "$pliant" convert && says err.txt 'the first file is missing' &&
		status 2 "$pliant" convert run && says err.txt 'the second file is missing' &&
		status 2 "$pliant" convert a b c && says err.txt 'one argument too many' &&
		status 2 "$pliant" convert nothing.msh a.ply && says err.txt 'nothing.msh: there is no such' &&
		status 2 "$pliant" convert run a.ply && says err.txt 'frames cannot be written to it' &&
		status 2 "$pliant" convert run a.pc2 --binary && says err.txt 'belong to meshes' &&
		status 2 "$pliant" convert run a.pc2 --mesh x.msh && says err.txt 'belongs to a cache' &&
		status 2 "$pliant" convert run/bar.pc2 a.obj && says err.txt 'a cache has no faces' &&
		status 2 "$pliant" convert run/bar.pc2 a.mdd --body bar && says err.txt 'belongs to a run' &&
		status 2 "$pliant" convert run a.pc2 --body baz && says err.txt "no frames of body 'baz': .* bar" &&
		status 2 "$pliant" convert run a.pc2 --gmsh 3 && says err.txt 'it is 2.2 or 4.1' &&
		status 2 "$pliant" convert run a.pc2 --binary --ascii && says err.txt 'exclude each other' &&
		[ ! -e a.pc2 ] && [ ! -e a.ply ] && [ ! -e a.mdd ]
}
claim "wrong words end with 2 and a reason and leave nothing" usage

meshes() {
	status 0 "$pliant" mesh sphere --cells 3 -o ball.msh || return 1
	status 0 "$pliant" convert ball.msh b22.msh --gmsh 2.2 && status 0 "$pliant" convert b22.msh b22b.msh --gmsh 2.2 --binary &&
		status 0 "$pliant" convert b22b.msh b41b.msh --binary && status 0 "$pliant" convert b41b.msh back.msh &&
		cmp ball.msh back.msh && [ "$(head -c 20 b41b.msh | tail -n 1)" = "4.1 1 8" ] || return 1
	last=ball.msh
	for next in ball.mesh ball.vtk ball.node again.msh; do
		status 0 "$pliant" convert $last $next && says out.txt '540 tetrahedra' || return 1
		last=$next
	done
	cmp ball.msh again.msh || return 1
	last=ball.msh
	for next in s.obj s.ply s2.obj; do
		status 0 "$pliant" convert $last $next && says out.txt '180 surface triangles' || return 1
		last=$next
	done
	cmp s.obj s2.obj && status 0 "$pliant" convert s.ply a.ply --ascii && status 0 "$pliant" convert a.ply b.ply && cmp s.ply b.ply &&
		status 0 "$pliant" convert s.ply s.stl && status 0 "$pliant" convert s.stl t.stl && cmp s.stl t.stl &&
		status 0 "$pliant" check s.stl
}
claim "a mesh through every format and back is the same file" meshes

bad_meshes() {
	head -c 500 b41b.msh >cut.msh && status 2 "$pliant" convert cut.msh x.ply && says err.txt '^pliant: cut.msh: byte [0-9]*: ' &&
		status 2 "$pliant" convert ball.msh x.vtk --binary && says err.txt 'ASCII only' &&
		status 2 "$pliant" convert s.stl x.node && says err.txt 'no tets' &&
		status 2 "$pliant" convert ball.msh x.abc && says err.txt "ending '.abc' is not known" && [ -z "$(ls | grep '^x')" ]
}
claim "what cannot be converted is refused with its place" bad_meshes

frame_mesh() {
	status 0 "$pliant" convert run/bar_000012.vtu frame.msh && says out.txt '81 vertices, 192 tetrahedra' || return 1
	printf '<?xml version="1.0"?>\n<VTKFile type="UnstructuredGrid"></VTKFile>\n' >foreign.vtu
	status 2 "$pliant" convert foreign.vtu x.msh && says err.txt 'another program wrote it' && says err.txt 'save its mesh as' &&
		! grep -q repair err.txt && [ ! -e x.msh ]
}
claim "a frame is a mesh" frame_mesh

shapes() {
	status 0 "$pliant" mesh torus -o torus.msh && status 0 "$pliant" check torus.msh && says out.txt 'volume' &&
		status 0 "$pliant" mesh helix --strands 2 -o helix.msh --binary && status 0 "$pliant" check helix.msh &&
		status 0 "$pliant" mesh knot --away 0.4 --windings 2,5 --tube 0.1 -o knot.msh && status 0 "$pliant" check knot.msh &&
		status 0 "$pliant" mesh helix --radius 1 --tube 0.2 --pitch 1.5 --turns 2 --cells 60,1 -o helix.stl &&
		status 0 "$pliant" mesh cloth --size 2,1 --cells 8,4 --pattern one-way -o cloth.obj && says out.txt '45 vertices, 0 tetrahedra, 64 surface' &&
		status 0 "$pliant" mesh sleeve --size 0.2,0.4,1 --cells 12,5 -o sleeve.obj && says out.txt '72 vertices, 0 tetrahedra, 120 surface' &&
		status 2 "$pliant" mesh sleeve --cells 2,5 -o bad.obj && says err.txt '3 cells around at least' &&
		status 2 "$pliant" mesh torus --tube 2 -o bad.msh && says err.txt 'tube the smaller' &&
		status 2 "$pliant" mesh helix --pitch 0.1 -o bad.msh && says err.txt 'touches the next one' &&
		status 2 "$pliant" mesh torus --turns 2 -o bad.msh && says err.txt 'does not belong to a torus' &&
		status 2 "$pliant" mesh cloth --cells 8,4 --binary -o bad.obj && [ ! -e bad.msh ] && [ ! -e bad.obj ]
}
claim "tubes and cloth are generated, nonsense is refused" shapes

# ---- caches --------------------------------------------------------------------------------------------------------

caches() {
	status 0 "$pliant" convert run a.pc2 && says out.txt '4 frames of 81 vertices' && cmp a.pc2 run/bar.pc2 &&
		status 0 "$pliant" convert run/bar.pvd a.mdd && cmp a.mdd run/bar.mdd &&
		status 0 "$pliant" convert a.mdd b.pc2 && cmp b.pc2 a.pc2 &&
		status 0 "$pliant" convert a.mdd b.mdd && cmp b.mdd a.mdd &&
		status 0 "$pliant" convert a.pc2 c.mdd && status 0 "$pliant" convert c.mdd c.pc2 && cmp c.pc2 a.pc2
}
claim "a run becomes the caches it wrote itself, and caches become each other" caches

objs() {
	status 0 "$pliant" mesh box --size 4,1,1 --cells 8,2,2 -o bar.msh &&
		status 0 "$pliant" convert run seq.obj && says out.txt '4 files of 81 vertices' &&
		[ "$(echo seq_*.obj)" = "seq_000000.obj seq_000004.obj seq_000008.obj seq_000012.obj" ] &&
		status 0 "$pliant" run bar.json -o objs --format obj && cmp seq_000012.obj objs/bar_000012.obj &&
		status 0 "$pliant" convert a.mdd float.obj --mesh bar.msh && [ "$(ls float_*.obj | wc -l)" -eq 4 ] &&
		[ "$(grep '^f' float_000003.obj)" = "$(grep '^f' seq_000012.obj)" ] &&
		status 2 "$pliant" convert a.mdd bad.obj --mesh ball.msh && says err.txt 'ball.msh: has 147 vertices, a.mdd has 81 points'
}
claim "frames become OBJ files with the faces of the body" objs

formats() {
	status 0 "$pliant" run bar.json -o only --format mdd,pc2 && [ "$(ls only | tr '\n' ' ')" = "bar.mdd bar.pc2 checkpoint scene.json stats.jsonl " ] &&
		cmp only/bar.mdd run/bar.mdd && says out.txt '2 frame files written'
}
claim "caches alone are written without any other frame" formats

prolong() {
	scene long 60 4
	sed -i 's/"formats": \[[^]]*\]/"formats": ["pc2", "mdd"]/' long.json
	status 0 "$pliant" run long.json -o whole && status 0 "$pliant" run long.json -o part --steps 28 && cp -r part kept &&
		status 0 "$pliant" run long.json -o part --resume && same part whole || return 1
	bytes=$(wc -c <kept/bar.pc2)
	cmp -i 32 -n $((bytes - 32)) kept/bar.pc2 part/bar.pc2 && cp -rp whole before &&
		status 0 "$pliant" run long.json -o whole --resume && diff -r whole before
}
claim "a prolonged run keeps the samples it had, a finished one stays" prolong

sparse_checkpoints() {
	status 0 "$pliant" run long.json -o rare --steps 28 --set output.checkpoint=20 &&
		cp rare/checkpoint rare28 && status 0 "$pliant" run long.json -o rare --steps 40 --set output.checkpoint=20 --resume || return 1
	rm -rf rare
	"$pliant" run long.json -o rare --set output.checkpoint=1000000000 --steps 1000000 >/dev/null 2>&1 &
	process=$!
	until_line 9 rare/stats.jsonl
	kill -KILL $process
	wait $process 2>/dev/null
	status 0 "$pliant" run long.json -o rare --resume && same rare whole
}
claim "samples after an old checkpoint are cut and made again" sparse_checkpoints

caches_are_whole() {
	[ ! -e shot/bar.pc2 ] || status 0 "$pliant" convert shot/bar.pc2 probe.mdd
}

killed() {
	look=caches_are_whole
	shoot_to_the_end "$pliant" run long.json -o shot --resume &&
		status 0 "$pliant" run long.json -o shot --resume && same shot whole
}
claim "killed again and again, its caches end up the same and are whole at any moment" killed

interrupted() {
	"$pliant" run long.json -o stopped --steps 100000 >out.txt 2>err.txt &
	process=$!
	until_line 6 stopped/stats.jsonl
	kill -INT $process
	wait $process
	[ $? -eq 130 ] && [ -f stopped/bar.mdd ] && [ ! -e stopped/bar.mdd.spool ] &&
		status 0 "$pliant" convert stopped/bar.mdd x.pc2 && cmp x.pc2 stopped/bar.pc2
}
claim "an interrupted run leaves complete caches" interrupted

other_formats() {
	status 0 "$pliant" run long.json -o switch --steps 20 --format pc2 && status 0 "$pliant" run long.json -o switch --steps 40 --format mdd --resume &&
		status 0 "$pliant" convert switch/bar.pc2 y.mdd && says out.txt '6 frames' &&
		status 0 "$pliant" convert switch/bar.mdd y.mdd && says out.txt '5 frames' && cp switch/bar.pc2 kept.pc2 && rm switch/bar.pc2 &&
		status 2 "$pliant" run long.json -o switch --format pc2 --resume && says err.txt 'has 0 samples, the checkpoint covers 6' &&
		cp kept.pc2 switch/bar.pc2 && status 0 "$pliant" run long.json -o switch --format none --resume && cmp kept.pc2 switch/bar.pc2
}
claim "formats may change between the parts of a run" other_formats

replaced() {
	scene rod 4 4
	sed -i 's/"bar"/"rod"/g' rod.json
	cp -r whole old && : >old/mine.pc2 && status 0 "$pliant" run rod.json -o old && [ ! -e old/bar.pc2 ] && [ ! -e old/bar.mdd ] && [ -e old/mine.pc2 ]
}
claim "a new run takes the old one's caches away and leaves others" replaced

full_disk() {
	(
		ulimit -f 16
		status 4 "$pliant" run long.json -o full
	) && says err.txt 'File too large' && [ ! -e full/bar.mdd.part ] && status 0 "$pliant" run long.json -o full --resume && same full whole
}
claim "a full disk ends with 4, and the run can be resumed" full_disk

finish
