#!/bin/bash
# test_all.sh [CHECK...]: everything that `make test` leaves out; all checks, or the named ones
#
# A check is one case; a check that runs the tests of a build adds their cases. Output of what failed is shown.
# Last line: "N passed, N failed" (", N skipped"); status 0 if none failed.
set -u
cd "$(dirname "$0")/.." || exit 2

# Tests that the thread sanitizer watches, as one regular expression over CTest names.
threaded='^(base_pool|determinism)'

# Tests that do not depend on the build run once, here; `make test` leaves them out because they take long.
once='^(kernel_neon|world_million_test)$'

# Long ones that say nothing new under the sanitizers, and without optimisation.
sanitized='^(kernel_neon|world_million_test|world_robust_test|determinism_golden_test|app_papers_test)$'
unoptimised='^(kernel_neon|world_million_test|world_robust_test|app_papers_test|kernel_tet_lanes_test)$'

checks=(layers format headers references gcc once clang debug minimal asan tsan acceptance)
passed=0 failed=0 skipped=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# The tests of a build folder count case by case.
tests() # BUILD [CTEST OPTIONS]
{
	sh tools/test.sh "$@" >"$log" 2>&1
	local status=$? last
	last=$(tail -n 1 "$log")
	if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed(,\ ([0-9]+)\ skipped)?$ ]]; then
		passed=$((passed + BASH_REMATCH[1])) failed=$((failed + BASH_REMATCH[2])) skipped=$((skipped + ${BASH_REMATCH[4]:-0}))
		note="; tests: $last"
	fi
	return $status
}

build() # PRESET
{
	cmake --preset "$1" >"$log" 2>&1 && cmake --build "build-$1" ${JOBS:+-j "$JOBS"} >"$log" 2>&1
}

check_layers() { sh tools/check_layers.sh >"$log" 2>&1; }
check_format() { sh tools/check_format.sh >"$log" 2>&1; }
check_headers() { sh tools/check_headers.sh >"$log" 2>&1; }
check_references() { sh tools/check_references.sh >"$log" 2>&1; }
check_gcc() { build gcc; } # but for -Werror this is the build that `make test` has tested
check_once() { tests build-gcc -R "$once" --no-tests=error; }
check_clang() { build clang && tests build-clang -E "$once"; }
check_debug() { build debug && tests build-debug -E "$unoptimised"; }
check_minimal() { build minimal && tests build-minimal -E "$once"; }
check_asan() { build asan && tests build-asan -E "$sanitized"; }
check_tsan() { build tsan && TSAN_OPTIONS=halt_on_error=1 tests build-tsan -R "$threaded" --no-tests=error; }

# Scripts that say they are fast in a line "# fast".
check_acceptance()
{
	local script
	for script in tests/acceptance/*.sh; do
		grep -qx '# fast' "$script" 2>/dev/null || continue
		bash "$script" >"$log" 2>&1 || { echo "$script failed" >>"$log"; return 1; }
	done
}

for check in "${@:-${checks[@]}}"; do
	start=$SECONDS
	note=
	: >"$log"
	if "check_$check"; then
		passed=$((passed + 1))
		echo "ok      $check ($((SECONDS - start)) s$note)"
	else
		[[ -n $note ]] || failed=$((failed + 1)) # else the failed cases count
		cat "$log"
		echo "FAILED  $check ($((SECONDS - start)) s$note)"
	fi
done

echo "$passed passed, $failed failed$( ((skipped)) && echo ", $skipped skipped")"
((failed == 0))
