#!/bin/sh
# strides_test.sh: tools/check_strides.sh on a copy of the sources, and on copies with one line too many
. "$(dirname "$0")/tree.sh"
start
check=check_strides.sh
copy_tree src tools

offends() { complains "$1" "$2" 'a literal stride'; } # FILE LINE
passes() { agrees "$1" "$2"; }                        # FILE LINE

claim "no array by quads of the sources has a literal stride" as_it_is

indices() {
	offends src/world/step.c 'x = world->q[4 * i + k];' &&
		offends src/method/loop.c 'const double* x = q + 4 * (size_t)vertices[e];' &&
		offends src/energy/push.c 'size_t at = 4 * (size_t)energy->vertices[e] + i;' &&
		offends src/collide/lag.c 'memcpy(arrays[a] + 4 * slot, in, 3 * sizeof(double));' &&
		offends src/backend/cpu/matrix.c 'x = plTangentData(d)[4 * i];' &&
		offends src/world/integrator.c 'y[i] = a[i % 4];'
}
claim "an index with a literal stride is an offence" indices

lengths() {
	offends src/world/prepare.c 'p->y = PL_NEW_ZERO(heap, double, 4 * n);' &&
		offends src/study/compare.c 'memcpy(q, world->q, 4 * n * sizeof(double));' &&
		offends src/world/step.c 'memcpy(PL_AT(y, i), PL_AT(q, i), 4 * sizeof(double));' &&
		offends src/problem/problem.h 'size_t n = 4 * p->layout.vertexCount;' &&
		offends src/backend/cpu/vectors.c 'for (size_t i = 0; i < 4 * end; ++i)'
}
claim "so is a length" lengths

others() {
	passes src/world/step.c 'x = PL_AT(world->q, 4 * s + c)[k]; // q[4 * i + k]' &&
		passes src/world/body.c 'body->tets = PL_NEW(heap, uint32_t, 4 * m), body->tets[4 * t + c] = 0;' &&
		passes src/energy/viscous.c 'const uint32_t* corners = energy->vertices + 4 * e;' &&
		passes src/backend/cpu/diagonal.c 'x = H[4 * k] + blocks[4 * k];' &&
		passes src/sparse/substitution.c 'f->z[4 * k] = 0.0f;'
}
claim "other arrays of fours, comments and rooms without quads are none" others

finish
