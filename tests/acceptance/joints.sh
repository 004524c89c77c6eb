#!/bin/bash
# joints.sh [POINT...]: joints of rigid bodies, point by point
#
# Prints "point  figure  verdict" for each line; status 0 if none is FAIL.
#
#   rows     derivatives of every axis, of every row and of blocks
#   known    world_joint_test: pendulum (its period), mass on a spring (m g/k within 1 % + 10 um at 5 iterations), hinge (its
#            limit), motor (torque and speed), ropes and a truss (forces and reactions), the cross of two shafts (its ratio),
#            a driven wheel (rolls without slipping), a pole of segments (bends as a beam), momentum, breaking within
#            the step of the load, resume with broken joints and multipliers; joints in conflict, a motor without a
#            bound against its stop. world_joint_spin_test: bodies that spin fast
#   refused  a joint of a body with itself, of two that do not move, an axis of no length, limits in the wrong order, axes held
#            in two places, numbers that are none: defs (world_joint_presets_test), scenes with place (io_scene_joint_test)
#   names    forces of joints and attachments by name (world_names_test, io_scene_attachment_test)
#   together soft bodies and cloth with rigid ones: rest, friction, momentum, attachments
#   chain    fifty links and a cube of 1, 1000 and 50,000 kg (chain.c): largest error of a joint, energy, where the cube is
#            after 5 s; by sweeps at 10 and 30 iterations, and at once
#   cards    the tower of cards of paper D, 5 substeps of 5 iterations: what it loses in 10 s, and what is left of it after a ball
#   mail     chain mail that holds a ball of 15, 50 and 150 kg for 5 s, by substeps
#   wall     a wall with joints that break: none by itself, some when three balls hit it, and none after that
#   ratio    a tower of 20 cubes whose top is 1000 times as heavy
#   flag     a flag of springs on a pole of 20 segments, 5 s: how far joints and attachments are off with 5 and 20 iterations
#   crowd    1728 jointed cubes that fall onto a cloth: joints, and none of them below it
#   rivals   a chain with 50,000:1 and a growing stack by avbd and by impulse, at the settings of the paper and at others
#   blocks   only if it is named, for it takes minutes: the pile of Figure 1 with 110,592 blocks, 4 iterations
#
# Times of `chain` are ratios of one run; they want a quiet machine.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/acceptance/points.sh

point_rows()
{
	measure rows "axes, rows, blocks" tests '^constraint_joint_test$'
}

point_refused()
{
	measure refused "defs" tests '^world_joint_presets_test$'
	measure refused "scenes" tests '^io_scene_joint_test$'
}

point_names()
{
	measure names "in a world" tests '^world_names_test$'
	measure names "in scenes" tests '^io_scene_attachment_test$'
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

point_together()
{
	measure together "soft bodies, cloth and rigid bodies" "${BUILD:-build}/tests/world_mixed_test" --long
	measure together "a ball on a soft block, boxes on a cloth, a soft tyre: up to 20 s" "${BUILD:-build}/tests/world_together_test" --long
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

# ---- figures of paper D ---------------------------------------------------------------------------------------------

figures() # NUMBER [OPTION...]: leaves its files in $work/D
{
	"${BUILD:-build}/pliant" papers D "$@" -o "$work/D" --threads 1 >"$work/log" 2>&1 && return
	say papers "pliant papers D $1" FAIL
	return 1
}

verdict() # CONDITION, of numbers
{
	awk "BEGIN { print ($1 ? \"ok\" : \"FAIL\") }" 2>/dev/null || echo FAIL
}

point_cards()
{
	figures 6 || return
	local lost left
	read -r lost left <<<"$(awk -F, 'NR == 2 { first = $2 } { last = $2; hit = $3 } END { print 100 * (first - last) / first, 100 * hit / first }' \
		"$work/D/figure6-height.csv")"
	say cards "5 levels, 10 s: lost $lost % of its height (at most 1)" "$(verdict "$lost <= 1")"
	say cards "hit by a ball: $left % is left (at most 40)" "$(verdict "$left <= 40")"
}

point_mail()
{
	local substeps mass held height
	figures 12 || return
	while read -r substeps mass; do
		read -r held height <<<"$(awk -F, -v s="$substeps" -v m="$mass" '$1 == s && $2 == 15 && $3 == m { print $4, $5 }' "$work/D/figure12.csv")"
		say mail "$substeps substeps of 15, ball of $mass kg: held $held, at $height m after 5 s" "$([[ $held == yes ]] && echo ok || echo FAIL)"
	done <<<"2 15
4 15
4 50
8 15
8 50
8 150"
}

point_wall()
{
	figures 13 || return
	local alone hit early off
	read -r alone hit early off <<<"$(awk -F, 'NR > 1 { a = $2; h = $4; e = $5; if ($1 <= 4) early = $4 } END { print a, h, early, e }' \
		"$work/D/figure13-joints.csv")"
	say wall "left alone for 5 s: $alone joints broken (0)" "$(verdict "$alone == 0")"
	say wall "hit by three balls: $hit joints broken (more than 0), $((hit - early)) of them in the fifth second (0)" \
		"$(verdict "$hit > 0 && $hit == $early")"
	say wall "joints that hold are off by $off m at the end (at most 0.002)" "$(verdict "$off <= 0.002")"
}

point_ratio()
{
	local iterations lost
	figures 10 || return
	for iterations in 2 4 6 10 20; do
		lost=$(awk -F, -v i=$iterations '$1 == "ours" && $2 == i { print 100 * $3 }' "$work/D/figure10-lost.csv")
		say ratio "tower 20, 1000:1, $iterations iterations, 10 s: lost $lost % (at most 0.3)" "$(verdict "$lost <= 0.3")"
	done
}

point_flag()
{
	local iterations most joint attached
	figures 5 || return
	while read -r iterations most; do
		read -r joint attached <<<"$(awk -F, -v i="$iterations" '$1 == "trees" && $2 == i { print 1000 * $3, 1000 * $4 }' "$work/D/figure5-top.csv")"
		say flag "$iterations iterations: joints off by $joint mm, attachments by $attached mm (at most $most)" \
			"$(verdict "$joint <= $most && $attached <= $most")"
	done <<<"5 10
20 2"
}

point_crowd()
{
	local joint lowest
	figures 14 || return
	read -r joint lowest <<<"$(awk -F, 'NR == 2 { print $12, $18 }' "$work/D/figure14.csv")"
	say crowd "joints off by $joint m after 3 s (at most 0.02)" "$(verdict "$joint <= 0.02")"
	say crowd "the lowest cube is at $lowest m (above 0.5: on the cloth)" "$(verdict "$lowest > 0.5")"
}

# SCENE COLUMN SOLVER: a number of rivals.csv
rival_number()
{
	awk -F, -v s="$1" -v c="$2" -v w="$3" 'NR == 1 { for (i = 1; i <= NF; ++i) at[$i] = i } $1 == s && $NF == w && !n++ { print $(at[c]) }' \
		"$work/D/rivals.csv"
}

point_rivals()
{
	local ours best
	figures rivals || return
	ours=$(rival_number pendulum joint_error_m "avbd[iterations=20]")
	best=$(awk -F, '$1 == "pendulum" && $NF ~ /^impulse/ && $3 == 300 && (!n++ || $11 < e) { e = $11 } END { print e }' "$work/D/rivals.csv")
	say rivals "chain 50,000:1: avbd $ours m, the best impulse $best m (ours less than a tenth)" "$(verdict "$ours < 0.1 * $best")"
	ours=$(rival_number growing lost "avbd[iterations=20]")
	say rivals "growing stack, avbd: $ours of its height lost (at most 0.01)" "$(verdict "$ours <= 0.01")"
}

point_blocks()
{
	local blocks lost solve step
	figures 1 --blocks 110592 || return
	read -r blocks lost solve step <<<"$(awk -F, 'NR == 2 { print $1, 100 * $5, $7, $8 }' "$work/D/figure1.csv")"
	say blocks "$blocks blocks, 4 iterations, 5 s: lost $lost % (at most 1), $solve ms of $step ms a step solve" "$(verdict "$lost <= 1")"
}

run_points "rows known refused names together chain cards mail wall ratio flag crowd rivals" "$@"
