#!/bin/sh
# test.sh BUILD [CTEST OPTIONS...]: run the tests of a build folder and count their cases
#
# Every test program ends with a line "N passed, N failed" (", N skipped"). CTest's log holds the output of each; this
# script adds them up. A program that ends badly although it counts no failed case, or prints no such line, is one
# failed case. What failed is shown in full. Last line: "N passed, N failed" (", N skipped"); status 0 if none failed.
set -u

build=$1
shift

# Real meshes are not part of the project; tests that want them say "skipped" without.
root=$(cd "$(dirname "$0")/.." && pwd)
if [ -z "${PLIANT_MESHES:-}" ] && [ -d "$root/../shared/meshes" ]; then
	PLIANT_MESHES=$(cd "$root/../shared/meshes" && pwd)
	export PLIANT_MESHES
fi

log=$build/Testing/Temporary/LastTest.log
rm -f "$log"
ctest --test-dir "$build" --parallel "${JOBS:-$(getconf _NPROCESSORS_ONLN)}" --timeout 300 "$@" >"$build/ctest.out" 2>&1
if [ ! -f "$log" ]; then
	cat "$build/ctest.out"
	echo "0 passed, 1 failed"
	exit 1
fi

awk '
	/^[0-9]+\/[0-9]+ Testing: / { name = $3; text = ""; counted = 0; p = f = s = 0; inside = 0; next }
	/^Output:$/ && name != "" && !inside { inside = 1; getline; next }
	/^<end of output>$/ { inside = 0; next }
	inside {
		text = text $0 "\n"
		if ($0 ~ /^[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$/) { counted = 1; p = $1; f = $3; s = ($5 == "" ? 0 : $5) }
		next
	}
	/^Test time = / { time = $4 }
	/^Test (Passed|Failed)\.$/ && name != "" {
		good = ($2 == "Passed.")
		if (!counted) text = text "(no line \"N passed, N failed\": missing, crashed or out of time)\n"
		if (counted && !good && f == 0) text = text "(no case failed, but the program did)\n"
		if (!counted || (!good && f == 0)) f = 1
		if (f > 0) printf "---- %s\n%s----\n", name, text
		printf "%-40s %4d passed, %d failed%s  (%.1f s)\n", name, p, f, (s ? ", " s " skipped" : ""), time
		passed += p; failed += f; skipped += s; programs++; name = ""
	}
	END {
		if (name != "") { printf "---- %s\n%s(did not end)\n----\n", name, text; failed++ }
		if (!programs) failed++
		printf "%d passed, %d failed%s\n", passed, failed, (skipped ? ", " skipped " skipped" : "")
		exit failed > 0
	}' "$log"
