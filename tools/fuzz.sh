#!/bin/sh
# fuzz.sh [SECONDS]: fuzz the scene reader and the mesh readers at the same time, each for SECONDS (600)
#
# Starts from tests/fuzz/corpus and from what earlier runs found new in build-fuzz/corpus. An input that breaks a reader is
# left in build-fuzz/findings and reported; it becomes a test by being copied, shortened and with a name that says what it
# is, to tests/fuzz/corpus/scene or mesh, which the tests replay. Status 0 if nothing was found.
set -u
cd "$(dirname "$0")/.." || exit 2
seconds=${1:-600}

cmake --preset fuzz >/dev/null && cmake --build --preset fuzz ${JOBS:+-j "$JOBS"} || exit 2

mkdir -p build-fuzz/findings
start() { # TARGET
	mkdir -p "build-fuzz/corpus/$1"
	nice -n 10 build-fuzz/fuzz_"$1" -max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=2048 \
		-dict="tests/fuzz/$1.dict" -artifact_prefix="build-fuzz/findings/$1-" -print_final_stats=1 \
		"build-fuzz/corpus/$1" "tests/fuzz/corpus/$1" >"build-fuzz/$1.log" 2>&1
}

start scene &
scene=$!
start mesh &
mesh=$!
trap 'kill "$scene" "$mesh" 2>/dev/null' INT TERM
status=0
for target in scene mesh; do
	eval "wait \$$target" && verdict='nothing found' || { verdict="FOUND, see build-fuzz/$target.log" status=1; }
	runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "build-fuzz/$target.log")
	covered=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "build-fuzz/$target.log" | tail -n 1)
	echo "$target: ${runs:-?} inputs in $seconds s, ${covered:-?} places reached: $verdict"
done
exit $status
