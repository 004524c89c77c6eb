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
#           ns per contact and iteration; the second core. Wants a quiet machine
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
	measure known "flight, contact, stacks, sleep, events, queries" tests '^world_(rigid.*|stand|sleep|events|query_rigid)_test$'
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

stacks() # SCENE N SECONDS ITERATIONS SUBSTEPS THREADS RATIO
{
	if [[ ! -x $work/stacks ]]; then
		${CC:-cc} -std=gnu17 -O2 -Iinclude tests/acceptance/stacks.c "${BUILD:-build}/libpliant.a" -lm -lpthread -ldl -o "$work/stacks" || exit 2
	fi
	"$work/stacks" "$@"
}

# A stack after 10 and 60 s: at most so much lost, at most so fast.
stands() # SCENE N ITERATIONS SUBSTEPS RATIO LOST SPEED
{
	local seconds lost speed turning gained top=""
	[[ $5 == 1 ]] || top=", its top $5 times as heavy"
	for seconds in 10 60; do
		read -r lost speed turning gained _ < <(stacks "$1" "$2" $seconds "$3" "$4" 1 "$5")
		say stand "$1 $2$top, $4x$3, $seconds s: lost ${lost:-all} % ($6), ${speed:-?} mm/s ($7), turning ${turning:-?} (0.1), gained ${gained:-?} % (0.1)" \
			"$(awk -v l="${lost:-100}" -v s="${speed:-1e9}" -v t="${turning:-1}" -v g="${gained:-1}" -v L="$6" -v S="$7" \
				'BEGIN { print (l <= L && s <= S && t <= 0.1 && g <= 0.1 ? "ok" : "FAIL") }')"
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
	stands pyramid 100 10 1 1 1 5
}

point_speed()
{
	local scene n seconds iterations bullet ours alone ns
	if ! ${CXX:-c++} -O2 -I/usr/include/bullet tests/acceptance/bullet.cpp -lBulletDynamics -lBulletCollision -lLinearMath -o "$work/bullet" 2>"$work/log"; then
		say speed "Bullet is not installed (libbullet-dev)" skipped
		return
	fi
	while read -r scene n seconds; do
		read -r bullet _ < <("$work/bullet" "$scene" "$n" $((60 * seconds)))
		for iterations in 10 4; do
			read -r _ _ _ _ ours collide refresh minimise contacts < <(stacks "$scene" "$n" "$seconds" $iterations 1 1 1)
			ns=$(awk -v m="$minimise" -v c="$contacts" -v n="$iterations" 'BEGIN { printf "%.0f", 1e6 * m / c / n }')
			say speed "$scene $n, $iterations iterations: $ours ms (collide $collide, refresh $refresh, minimise $minimise: $ns ns), Bullet $bullet" \
				"$(awk -v a="$ours" -v b="$bullet" -v n="$iterations" 'BEGIN { print (a <= (n == 10 ? 1 : 0.6) * b ? "ok" : "FAIL") }')"
			[[ $iterations == 10 ]] && alone=$ours
		done
		read -r _ _ _ _ ours _ < <(stacks "$scene" "$n" "$seconds" 10 1 2 1)
		say speed "$scene $n, 10 iterations, two threads: $ours ms, $(awk -v a="$alone" -v b="$ours" 'BEGIN { printf "%.2f", a / b }') times as fast (1.5)" \
			"$(awk -v a="$alone" -v b="$ours" 'BEGIN { print (a >= 1.5 * b ? "ok" : "FAIL") }')"
	done <<-END
		pyramid 100 5
		pile 17 6
		pile 27 4
	END
}

run_points "agree vbd known geometry stand" "$@"
