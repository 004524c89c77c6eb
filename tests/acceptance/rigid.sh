#!/bin/bash
# rigid.sh [POINT...]: block descent, point by point
#
# Prints "point  figure  verdict" for each line; status 0 if none is FAIL.
#
#   agree   vbd ends where newton ends, never rises, same bits in every width and on any number of threads
#   vbd     a sweep against a gradient: bar10k and bar58k, double and float, one thread; at most 8 gradients. An iteration
#           of jacobi with a fixed step is a gradient and one pass over the vertices. Processor time, least of REPEATS runs
#           (3) in turns
#   known   known answers of rigid bodies: flight, friction, restitution, rolling, tipping, filters, geometry
#   geometry  10^5 pairs of every two kinds of solids, of like sizes and up to 1 : 10^4, against brute force and ODE; hulls
#           that are flat, needles, of 10^4 corners, of duplicates; near pairs for any number of threads
#   stand   stacks for 60 s without sleeping, the top 1 mm to the side: height lost, mean speed, bodies whose velocity turns
#           round in every step, energy gained
#   tall    the same of a wall of 100 rows and a column of 60: takes long
#   speed   a step against Bullet's (libbullet-dev) in the same minute: pyramid 100, pile 17 and 27, at 10 and 4 iterations;
#           ns per contact and iteration
#   second  what the second core brings: pyramid 100 and pile 27, at least 1.5 times as fast
#   equal   pyramid 100 with the iterations, in one step or in two, that fit into Bullet's milliseconds: does it stand for 10 s?
#   collide collide, colour and refresh against ten iterations of minimise, on a pile of 17^3 at rest
#   spawn   a cube made and one destroyed in every step, on a pile of 17^3 at rest: at most 1.1 times the step, no allocation
#   bits    5,000 bodies over 600 steps: the same on 1, 2, 3 and 7 threads, with gcc and with clang
#
# Times want a quiet machine: speed, second, equal, collide and spawn are not among the points that are run by default, and
# neither are tall and bits, which take minutes.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/acceptance/points.sh

point_agree()
{
	measure agree "every law and energy, width and number of threads" tests '^method_vbd_test$'
	measure agree "facets: who asks what, and who is refused" tests '^backend_forward_test$'
}

# Processor time of a run, ms
used() # SCENE ITERATIONS OPTIONS...
{
	local scene=$1 iterations=$2 TIMEFORMAT=%U
	shift 2
	{ time build/pliant run "scenes/$scene.json" --steps 8 --iterations "$iterations" --threads 1 --set output.every=100 --quiet \
		-o "$work/run" "$@" >"$work/log" 2>&1; } 2>&1 | awk '{ print 1000 * $1 }'
}

# Processor time of an iteration, ms: what more of them take
iteration() # SCENE FEW MANY OPTIONS...
{
	local scene=$1 few=$2 many=$3
	shift 3
	echo "$(used "$scene" "$few" "$@") $(used "$scene" "$many" "$@") $few $many" | awk '{ print ($2 - $1) / 8 / ($4 - $3) }'
}

point_vbd()
{
	local scene precision row sweep gradient
	for scene in bar10k bar58k; do
		for precision in double float; do
			row=$(for _ in $(seq "${REPEATS:-3}"); do
				sweep=$(iteration "$scene" 4 44 --method vbd --precision $precision)
				gradient=$(iteration "$scene" 20 220 --method jacobi --precision $precision --tolerance 0 \
					--set solver.step_length=fixed --set solver.alpha=0.3)
				echo "$sweep $gradient"
			done | awk '{ if (!a || $1 < a) a = $1; if (!b || $2 < b) b = $2 } END { printf "%.3f ms, %.3f ms: %.1f", a, b, a / b }')
			say vbd "$scene, $precision: a sweep with its test, a gradient: $row gradients (at most 8)" \
				"$(awk -v r="${row##* }" 'BEGIN { print (r > 0 && r <= 8 ? "ok" : "FAIL") }')"
		done
	done
}

point_known()
{
	measure known "flight, contact, stacks, sleep, events, queries" tests '^world_(rigid.*|stand|thousand|sleep|events|query_rigid)_test$'
	measure known "solids, hulls, manifolds, near pairs" tests '^collide_(hull|solid|solid_query|soup|manifold.*|broad|box_tree)_test$'
}

# The long cases of a test, whose names have a word
long_cases() # TEST WORD
{
	"${BUILD:-build}/tests/$1" --long "$2"
}

point_geometry()
{
	measure geometry "every two kinds, brute force, and degenerate hulls" long_cases collide_manifold_test hundred
	measure geometry "solids on triangles, the distance" long_cases collide_manifold_triangle_test hundred
	measure geometry "every two kinds, ODE" long_cases collide_manifold_ode_test hundred
	measure geometry "hulls; near pairs against brute force, for any number of threads" tests '^collide_(hull|solid|soup|broad|box_tree)_test$'
}

# ---- stacks of cubes -----------------------------------------------------------------------------------------------

rigid() # OPTIONS...: leaves its table in $work/rigid.csv
{
	"${BUILD:-build}/pliant" bench rigid "$@" -o "$work/rigid.csv" && return
	say rigid "pliant bench rigid $*" FAIL
	return 1
}

figure() # COLUMN SCENE SIZE THREADS ITERATIONS: of that row
{
	awk -F, -v want="$1" -v key="$2 $3 $4 $5" '/^#/ { next }
		!named { for (i = 1; i <= NF; ++i) at[$i] = i; named = 1; next }
		$at["scene"] " " $at["size"] " " $at["threads"] " " $at["iterations"] == key { print $at[want] }' "$work/rigid.csv"
}

number() # FORMAT EXPRESSION
{
	awk "BEGIN { printf \"$1\", ($2) }"
}

verdict() # CONDITION, of numbers
{
	awk "BEGIN { print ($1 ? \"ok\" : \"FAIL\") }" 2>/dev/null || echo FAIL
}

bullet() # sets $bullet to the rival, or says that it is missing
{
	bullet=$work/bullet
	[[ -x $bullet ]] && return
	${CXX:-c++} -O2 -I/usr/include/bullet tests/acceptance/bullet.cpp -lBulletDynamics -lBulletCollision -lLinearMath \
		-o "$bullet" 2>"$work/log" && return
	say "$1" "Bullet is not installed (libbullet-dev)" skipped
	return 1
}

# A stack after 10 and 60 s, or after those that are named: at most so much lost, at most so fast.
stands() # SCENE N ITERATIONS SUBSTEPS RATIO LOST SPEED [SECONDS...]
{
	local seconds lost speed turning gained top=""
	[[ $5 == 1 ]] || top=", its top $5 times as heavy"
	for seconds in ${*:8} $([[ $# -gt 7 ]] || echo 10 60); do
		rigid "$1" "$2" --seconds $seconds --iterations "$3" --substeps "$4" --ratio "$5" || continue
		lost=$(figure lost "$1" "$2" 1 "$3") speed=$(figure speed "$1" "$2" 1 "$3")
		turning=$(figure turning "$1" "$2" 1 "$3") gained=$(figure gained "$1" "$2" 1 "$3")
		say stand "$1 $2$top, $4x$3, $seconds s: lost $lost % ($6), $speed mm/s ($7), turning $turning (0.1), gained $gained % (0.1)" \
			"$(verdict "$lost <= $6 && $speed <= $7 && $turning <= 0.1 && $gained <= 0.1")"
	done
}

point_stand()
{
	stands pyramid 44 10 1 1 0.15 4
	stands pyramid 44 4 1 1 0.25 10
	stands pyramid 10 10 1 1 1 2
	stands pyramid 10 4 1 1 1 2
	stands tower 20 10 1 1 1 2
	stands tower 20 4 1 1 1 2
	stands pile 10 10 1 1 100 2
	stands pile 10 4 1 1 100 2
	stands tower 20 10 1 1000 0.3 5
}

point_tall()
{
	stands tower 60 10 1 1 1 5
	stands pyramid 100 10 1 1 1 5 60 # it still sways after 10 s, and comes to rest later
}

# At 10 iterations at most as long as Bullet, at 4 at most 0.6 of it.
point_speed()
{
	local scene n iterations ours ns theirs ratio words most
	bullet speed && rigid pyramid 100 pile 17 pile 27 --beside "$bullet" || return
	while read -r scene n; do
		for iterations in 10 4; do
			ours=$(figure ms $scene $n 1 $iterations) theirs=$(figure bullet $scene $n 1 $iterations)
			ratio=$(figure ratio $scene $n 1 $iterations) most=$([[ $iterations == 10 ]] && echo 1 || echo 0.6)
			words=$(for phase in collide colour refresh minimise rest; do echo -n "$phase $(figure $phase $scene $n 1 $iterations), "; done)
			say speed "$scene $n, $iterations iterations: $ours ms (${words%, }), Bullet $theirs: $ratio ($most)" "$(verdict "$ratio <= $most")"
		done
	done <<-END
		pyramid 100
		pile 17
		pile 27
	END
	ns=$(figure ns pile 27 1 10)
	say speed "pile 27: $ns ns per contact and iteration (60)" "$(verdict "$ns <= 60")"
}

point_second()
{
	local scene n one two
	rigid pyramid 100 pile 27 --iterations 10 --threads 1,2 || return
	while read -r scene n; do
		one=$(figure ms $scene $n 1 10) two=$(figure ms $scene $n 2 10)
		say second "$scene $n, 10 iterations: $one ms on one core, $two on two: $(number %.2f "$one / $two") times as fast (1.5)" \
			"$(verdict "$one >= 1.5 * $two")"
	done <<-END
		pyramid 100
		pile 27
	END
}

# Sets n to the iterations that fit: a step takes a + b n, by the times at 4 and 10; 0: none.
fit() # SUBSTEPS
{
	local few many theirs
	n=0
	rigid pyramid 100 --seconds 4 --substeps "$1" --beside "$bullet" || return
	few=$(figure ms pyramid 100 1 4) many=$(figure ms pyramid 100 1 10) theirs=$(figure bullet pyramid 100 1 10)
	n=$(number %d "$many > $few ? 4 + ($theirs - $few) * 6 / ($many - $few) : 4")
}

# One of the two ways is enough.
point_equal()
{
	local substeps n lost speed ratio good words best=FAIL
	bullet equal || return
	for substeps in 1 2; do
		fit $substeps
		words="none fits" good=FAIL
		if ((n > 0)) && rigid pyramid 100 --seconds 10 --substeps $substeps --iterations "$n" --beside "$bullet"; then
			lost=$(figure lost pyramid 100 1 "$n") speed=$(figure speed pyramid 100 1 "$n") ratio=$(figure ratio pyramid 100 1 "$n")
			words="lost $lost % (1), $speed mm/s (5), our time over Bullet's $ratio"
			good=$(verdict "$lost <= 1 && $speed <= 5")
		fi
		[[ $good == ok ]] && best=ok
		say equal "pyramid 100, ${substeps}x$n, 600 steps: $words" "$([[ $good == ok ]] && echo ok || echo no)"
	done
	say equal "pyramid 100 stands in Bullet's time one way or the other" $best
}

point_collide()
{
	local before minimise
	rigid pile 17 --seconds 6 --iterations 10 || return
	minimise=$(figure minimise pile 17 1 10)
	before=$(number %.3f "$(figure collide pile 17 1 10) + $(figure colour pile 17 1 10) + $(figure refresh pile 17 1 10)")
	say collide "pile 17 at rest: collide, colour and refresh $before ms, ten iterations $minimise ms" "$(verdict "$before <= $minimise")"
}

point_spawn()
{
	local least median allocations
	rigid pile 17 --spawn --seconds 6 --iterations 10 || return
	least=$(figure percent pile 17 1 10) median=$(figure percent_median pile 17 1 10) allocations=$(figure allocations pile 17 1 10)
	say spawn "pile 17 at rest: $least % more by the least time, $median % by the median (10); $allocations allocations in 180 steps (0)" \
		"$(verdict "$least <= 10 && $median <= 10 && $allocations == 0")"
}

# The hashes in a table, each once.
hashes() # FILE
{
	awk -F, '/^(pyramid|pile),/ && !seen[$19]++ { printf "%s ", $19 }' "$1"
}

point_bits()
{
	local scene n gcc clang
	while read -r scene n; do
		rigid $scene $n --seconds 10 --iterations 10 --threads 1,2,3,7 || continue
		gcc=$(hashes "$work/rigid.csv")
		say bits "$scene $n, 600 steps on 1, 2, 3, 7 threads: $gcc" "$([[ $(wc -w <<<"$gcc") == 1 ]] && echo ok || echo FAIL)"
		command -v clang >/dev/null || { say bits "clang is not installed" skipped && continue; }
		cmake --preset clang >"$work/log" && cmake --build build-clang --target pliant >>"$work/log" &&
			BUILD=build-clang rigid $scene $n --seconds 10 --iterations 10 --threads 2 || { say bits "clang" FAIL && continue; }
		clang=$(hashes "$work/rigid.csv")
		say bits "$scene $n, the same with clang: $clang" "$([[ $clang == "$gcc" ]] && echo ok || echo FAIL)"
	done <<-END
		pyramid 100
		pile 17
	END
}

run_points "agree vbd known geometry stand" "$@"
