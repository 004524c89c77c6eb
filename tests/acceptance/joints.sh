#!/bin/bash
# joints.sh [POINT...]: joints of rigid bodies, point by point
#
# Prints "point  figure  verdict" for each line; status 0 if none is FAIL.
#
#   rows     derivatives of every axis, of every row and of blocks; presets and what is refused
#   known    pendulum, springs, limits, motors, ropes, the cross of two shafts, a driven wheel, momentum, breaking
#   chain    fifty links and a cube of 1, 1000 and 50,000 kg (chain.c): largest error of a joint, energy, where the cube is
#            after 5 s; by sweeps at 10 and 30 iterations, and at once
#
# Times of `chain` are ratios of one run; they want a quiet machine.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/acceptance/points.sh

point_rows()
{
	measure rows "axes, rows, blocks" tests '^constraint_joint_test$'
	measure rows "presets" tests '^world_joint_presets_test$'
	measure rows "scenes" tests '^io_scene_joint_test$'
}

point_known()
{
	measure known "joints in a world" tests '^world_joint_test$'
	measure known "bodies that spin fast" tests '^world_joint_spin_test$'
}

# MASS ITERATIONS DIRECT ERROR X Z FAR: at most ERROR m, the cube within FAR m of (X, Z)
say_chain()
{
	local row
	row=$("$work/chain" "$1" "$2" 1 "$3") || row="1e9 1e9 0 0 0"
	echo "$row" >"$work/chain.$1.$2.$3"
	read -r error energy x z ms <<<"$row"
	say chain "1:$1, $2 iterations, $([[ $3 == 1 ]] && echo "at once" || echo sweeps): $error m (at most $4), energy $energy % (5), cube \
$(awk -v x="$x" -v z="$z" -v a="$5" -v b="$6" 'BEGIN { printf "%.2f", sqrt((x - a)^2 + (z - b)^2) }') m off (at most $7), $ms ms" \
		"$(awk -v e="$error" -v n="$energy" -v x="$x" -v z="$z" -v a="$5" -v b="$6" -v most="$4" -v far="$7" 'BEGIN {
			print (e <= most && n <= 5 && sqrt((x - a)^2 + (z - b)^2) <= far ? "ok" : "FAIL") }')"
}

point_chain()
{
	local k masses=(1 1000 50000) ten=(0.03 0.07 0.12) thirty=(0.006 0.025 0.04) far=(1 7 8) goal=(0.003 0.007 0.012) mass place
	${CC:-cc} -std=gnu17 -O2 -Iinclude tests/acceptance/chain.c "${BUILD:-build}/libpliant.a" -lm -lpthread -ldl -o "$work/chain" || exit 2
	for k in 0 1 2; do
		mass=${masses[k]}
		place=$("$work/chain" "$mass" 200 1 1 | awk '{ print $3, $4 }') # converged
		# shellcheck disable=SC2086
		{
			say_chain "$mass" 10 0 "${ten[k]}" $place "${far[k]}"
			say_chain "$mass" 30 0 "${thirty[k]}" $place "${far[k]}"
			say_chain "$mass" 10 1 "${goal[k]}" $place 0.5
		}
		say chain "1:$mass, at once over ten sweeps: $(cat "$work/chain.$mass.10.1" "$work/chain.$mass.10.0" |
			awk '{ t[NR] = $5 } END { printf "%.2f times the time (at most 2)", t[1] / t[2] }')" \
			"$(cat "$work/chain.$mass.10.1" "$work/chain.$mass.10.0" | awk '{ t[NR] = $5 } END { print (t[1] <= 2 * t[2] ? "ok" : "FAIL") }')"
	done
}

run_points "rows known chain" "$@"
