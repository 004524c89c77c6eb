#!/bin/sh
# neon.sh [FOLDER]: kernel tests compiled for aarch64 and run under qemu, the NEON tables among them
#
# A test takes part by a comment line "// neon: SOURCE..." that names, from the root of the project, what it is linked
# with. Sources *_lanes.c are compiled once for every NEON table, all others once. The last line is
# "N passed, N failed"; without cross compiler or qemu it says so and ends with 0.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
folder=${1:-$root/build/neon}
compiler=${PLIANT_NEON_CC:-aarch64-linux-gnu-gcc}
runner=${PLIANT_NEON_RUN:-qemu-aarch64}
tables="1_1 1_4 0_1 0_2"
flags="-std=gnu17 -O2 -ffp-contract=off -fno-math-errno -Wall -Wextra -Wshadow -Werror -DKERNEL_CASES=100
	-I$root/include -I$root/tests -I$root/src"

for tool in "$compiler" "$runner"; do
	if ! command -v "$tool" >/dev/null 2>&1; then
		echo "skipped: no $tool"
		exit 0
	fi
done
mkdir -p "$folder"

# compile SOURCE OBJECT [FLAG...]
compile()
{
	source=$1
	object=$2
	shift 2
	# shellcheck disable=SC2086
	"$compiler" $flags "$@" -c "$root/$source" -o "$object"
}

# objects SOURCE...: compiles each source that this run has not compiled yet, prints the objects
objects()
{
	for source in "$@"; do
		name=$(echo "$source" | tr '/' '_')
		case $source in
		*_lanes.c)
			for table in $tables; do
				object=$folder/$name.$table.o
				[ -e "$object" ] || compile "$source" "$object" -O3 -DPL_ISA=neon \
					-DPL_REAL_FLOAT="${table%_*}" -DPL_LANES="${table#*_}"
				echo "$object"
			done
			;;
		*)
			object=$folder/$name.o
			[ -e "$object" ] || compile "$source" "$object"
			echo "$object"
			;;
		esac
	done
}

rm -f "$folder"/*.o
passed=0
failed=0
for test in $(cd "$root" && grep -rl '^// neon: ' tests --include='*_test.c' | sort); do
	program=$folder/$(basename "$test" .c)
	sources=$(sed -n 's|^// neon: ||p' "$root/$test" | tr -d '\r' | tr '\n' ' ')
	echo "$test"
	# shellcheck disable=SC2046,SC2086
	if ! linked=$(objects $sources "$test") || ! "$compiler" -static -o "$program" $linked -lm -lpthread; then
		echo "  FAILED  to build $test"
		failed=$((failed + 1))
		continue
	fi
	"$runner" "$program" >"$folder/log" 2>&1 || true
	cat "$folder/log"
	last=$(tail -n 1 "$folder/log")
	case $last in
	*" passed, "*" failed"*)
		failures=${last#*, }
		passed=$((passed + ${last%% *}))
		failed=$((failed + ${failures%% *}))
		;;
	*)
		echo "  FAILED  $test ended early"
		failed=$((failed + 1))
		;;
	esac
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
