#!/bin/bash
# test_all.sh [CHECK...]: everything that `make test` leaves out; all checks, or the named ones
#
# A check is one case; a check that runs the tests of a build adds their cases. Output of what failed is shown.
# Last line: "N passed, N failed" (", N skipped"); status 0 if none failed.
set -u
cd "$(dirname "$0")/.." || exit 2

# Tests that the thread sanitizer watches; nothing else is built for it.
threaded=(base_pool_test determinism_golden_test)

# Long ones that `make test` leaves out; they run once, because they say the same of every build. So do those of scripts.
long='kernel_neon|world_(million|thousand)_test|app_papers_test'
same="$long|tools_.*"

# Long ones that say nothing new under the sanitizers.
sanitized="$same|world_robust_test|method_quasi_newton_robust_test|determinism_golden_test"

# Under the address sanitizer the kernels of avx2 run unwatched (CMakeLists.txt). Those of the baseline are watched, in
# the tests that run all kinds of elements and groups.
watched='backend_sheet_test|world_(law|cloth_mesh|rigid_contact)_test|method_vbd_test'

# What another compiler, no optimisation and no optional parts can change: bits, kernels and factorisations, the
# installed library, the command without pictures. The hashes stand for all that is computed from these. All tests
# are compiled by clang and run under the address sanitizer, with the invariants checked.
bits='base_.*|sparse_.*|determinism_golden_test|harness_test|hello'
clang="$bits|kernel_.*_test|backend_.*"
bare="$bits|kernel_(bundle|convert|eigen|lanes|place|special|svd|tet)_test|app_(render|usage)_test"

checks=(layers format headers references opencl gcc once clang bare tsan asan acceptance)
beside=' once tsan ' # mostly one test on one processor: they run beside the checks that follow them
passed=0 failed=0 skipped=0
work=$(mktemp -d)
running=() processes=() # of those beside
options=()
trap 'rm -rf "$work"' EXIT
trap 'kill "${processes[@]}" 2>/dev/null; exit 130' INT TERM

# The tests of a build folder count case by case.
tests() # BUILD [CTEST OPTIONS]
{
	sh tools/test.sh "$@" >"$log" 2>&1
	local status=$? last
	last=$(tail -n 1 "$log")
	if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed(,\ ([0-9]+)\ skipped)?$ ]]; then
		counts="${BASH_REMATCH[1]} ${BASH_REMATCH[2]} ${BASH_REMATCH[4]:-0}"
		note="; tests: $last"
	fi
	return $status
}

# More options of the preset stand in `options`.
configure() { cmake --preset "$1" "${options[@]}" >"$log" 2>&1; } # PRESET

build() # PRESET [TARGET...]
{
	configure "$1" && cmake --build "build-$1" ${JOBS:+-j "$JOBS"} ${2:+--target "${@:2}"} >"$log" 2>&1
}

# Only the products and the named tests are built.
build_and_test() # PRESET TESTS
{
	configure "$1" || return
	local programs
	programs=$(ctest --test-dir "build-$1" -N -R "^($2)\$" | sed -n 's/^ *Test *#[0-9]*: \(.*_test\)$/\1/p' | grep -v '^app_')
	# shellcheck disable=SC2086
	build "$1" products $programs && tests "build-$1" -R "^($2)\$" --no-tests=error
}

check_layers() { { sh tools/check_layers.sh && sh tools/check_strides.sh; } >"$log" 2>&1; }
check_format() { sh tools/check_format.sh >"$log" 2>&1; }
check_headers() { sh tools/check_headers.sh >"$log" 2>&1; }
check_references() { sh tools/check_references.sh >"$log" 2>&1; }
check_opencl() { sh tools/check_opencl.sh >"$log" 2>&1; } # kernels and laws, read by an OpenCL compiler
check_gcc() { build gcc; } # `make test` has tested it, but for -Werror; after `make test PRESET=gcc` it is there
check_once() { tests build-gcc -R "^($long)\$" --no-tests=error; }
check_clang() { build_and_test clang "$clang"; }

# Without optional parts and without optimisation, invariants checked, and the hashes of a third of the laws.
check_bare()
{
	local options=(-DCMAKE_BUILD_TYPE=Debug -DPLIANT_VALIDATE=ON)
	PLIANT_GOLDEN=some build_and_test minimal "$bare"
}

check_asan()
{
	build asan && tests build-asan -E "^($sanitized)\$" &&
		PLIANT_ISA=baseline sh tools/test.sh build-asan -R "^($watched)\$" --no-tests=error >>"$log" 2>&1
}
check_tsan()
{
	build tsan "${threaded[@]}" &&
		PLIANT_GOLDEN=some TSAN_OPTIONS=halt_on_error=1 tests build-tsan -R "^($(IFS='|'; echo "${threaded[*]}"))\$" --no-tests=error
}

# Scripts that say they are fast in a line "# fast".
check_acceptance()
{
	local script
	for script in tests/acceptance/*.sh; do
		grep -qx '# fast' "$script" 2>/dev/null || continue
		bash "$script" >"$log" 2>&1 || { echo "$script failed" >>"$log"; return 1; }
	done
}

# A check leaves "STATUS SECONDS PASSED FAILED SKIPPED NOTE" and its output.
perform() # CHECK
{
	local start=$SECONDS note='' counts='0 0 0' status
	log=$work/$1.log
	: >"$log"
	"check_$1"
	status=$?
	[[ $status != 0 && -z $note ]] && counts='0 1 0' # else the failed cases count
	echo "$status $((SECONDS - start)) $counts $note" >"$work/$1.result"
}

tell() # CHECK
{
	local status seconds p f s note
	read -r status seconds p f s note <"$work/$1.result"
	passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
	if [[ $status == 0 ]]; then
		passed=$((passed + 1))
		echo "ok      $1 ($seconds s$note)"
	else
		cat "$work/$1.log"
		echo "FAILED  $1 ($seconds s$note)"
	fi
}

for check in "${@:-${checks[@]}}"; do
	if [[ $beside == *" $check "* ]]; then
		perform "$check" &
		running+=("$check") processes+=($!)
	else
		perform "$check"
		tell "$check"
	fi
done
for i in "${!running[@]}"; do
	wait "${processes[i]}"
	tell "${running[i]}"
done

echo "$passed passed, $failed failed$( ((skipped)) && echo ", $skipped skipped")"
((failed == 0))
