#!/bin/sh
# layers_test.sh: tools/check_layers.sh on a copy of the sources, and on copies with one include too many
. "$(dirname "$0")/tree.sh"
start
check=check_layers.sh
copy_tree src io app include tools

offends() { complains "$1" "#include \"$2\"" "$3"; } # FILE HEADER WORDS
passes() { agrees "$1" "#include \"$2\""; }          # FILE HEADER

claim "every include of the sources goes downwards" as_it_is

world_and_backend() {
	offends src/world/step.c ../backend/cpu/problem.h 'world may not see backend' &&
		offends src/world/world.h ../backend/cpu/isa.h 'world may not see backend' &&
		offends src/world/step.c backend/cpu/problem.h 'world may not see backend' &&
		offends src/backend/backends.c ../world/world.h 'backend may not see world' &&
		offends src/backend/cpu/problem.c ../../world/world.h 'backend may not see world' &&
		passes src/world/step.c ../problem/backend.h && passes src/backend/cpu/problem.c ../../problem/backend.h
}
claim "world and backend do not see each other, but both see their door" world_and_backend

study_above() {
	offends src/world/step.c ../study/compare.h 'world may not see study' &&
		offends src/backend/cpu/problem.c ../../study/compare.h 'backend may not see study' &&
		passes src/study/compare.c ../world/world.h && passes src/study/compare.c ../backend/cpu/isa.h
}
claim "study sits above world and backend" study_above

method_and_problem() {
	offends src/method/loop.c ../backend/cpu/problem.h 'method may not see backend' &&
		offends src/method/loop.c ../world/world.h 'method may not see world' &&
		offends src/problem/problem.h ../method/method.h 'problem may not see method'
}
claim "a method knows problems only, and a problem no method" method_and_problem

outside() {
	offends app/run.c ../src/world/world.h 'app sees public headers only' &&
		offends io/scene.c ../src/base/base.h 'io sees public headers only' &&
		offends src/kernel/tet.h ../base/base.h 'kernel/ sees only itself' &&
		offends src/world/step.c pliant/io.h 'the library does not know pliant-io'
}
claim "app and io see public headers only, kernel itself, the library no files" outside

new_room() {
	mkdir tree/src/attic
	printf '#include "../base/base.h"\n' >tree/src/attic/old.c
	sh "tree/tools/$check" >out.txt 2>&1
	got=$?
	rm -r tree/src/attic
	[ $got -ne 0 ] && says out.txt '^src/attic/old.c:1: room attic has no place in the layers'
}
claim "a room that the layers do not name is refused" new_room

finish
