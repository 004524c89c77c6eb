# harness.sh: what the tests of the command share; sourced, with PLIANT_BUILD set to the folder that holds pliant
#
#   start                      an empty folder to work in, removed at the end
#   claim WORDS COMMAND...     one case: passes if the command does
#   status N COMMAND...        true if the command ends with status N; its streams are left in out.txt and err.txt
#   skip WORDS REASON
#   until_line N FILE          waits until a file has N lines
#   shoot SECONDS COMMAND...   kills the command after that time; status 137, or 0 if it was done before, 1 if it failed
#   shoot_to_the_end COMMAND...  the same again and again at random moments, until it is done
#   finish                     prints "N passed, N failed", exit status accordingly

pliant="${PLIANT_BUILD:?set PLIANT_BUILD to the folder that holds pliant}/pliant"
passed=0 failed=0 skipped=0

start() {
	work=$(mktemp -d) || exit 1
	trap 'cd /; rm -rf "$work"' EXIT
	cd "$work" || exit 1
}

claim() {
	words=$1
	shift
	if "$@"; then
		echo "  ok      $words"
		passed=$((passed + 1))
	else
		echo "  FAILED  $words"
		failed=$((failed + 1))
	fi
}

skip() {
	echo "  skipped $1: $2"
	skipped=$((skipped + 1))
}

status() {
	expected=$1
	shift
	"$@" >out.txt 2>err.txt </dev/null
	got=$?
	[ $got -eq "$expected" ] && return 0
	echo "    status $got, expected $expected: $*"
	sed 's/^/    /' err.txt
	return 1
}

says() { # FILE PATTERN
	grep -q -- "$2" "$1" && return 0
	echo "    $1 does not say '$2':"
	sed 's/^/    /' "$1"
	return 1
}

until_line() {
	while [ "$(cat "$2" 2>/dev/null | wc -l)" -lt "$1" ]; do sleep 0.005; done
}

shoot() {
	seconds=$1
	shift
	"$@" >/dev/null 2>err.txt &
	process=$!
	sleep "$seconds"
	kill -KILL $process 2>/dev/null
	wait $process 2>/dev/null
	result=$?
	[ $result -eq 0 ] || [ $result -eq 137 ] || { sed 's/^/    /' err.txt && return 1; }
	return $result
}

shoot_to_the_end() { # after each shot the command `look`, if there is one
	for attempt in $(seq 200); do
		shoot "0.0$((RANDOM % 7 + 1))$((RANDOM % 10))" "$@"
		case $? in
		0) return 0 ;;
		1) return 1 ;;
		esac
		[ -z "${look:-}" ] || $look || return 1
	done
}

finish() {
	if [ $skipped -gt 0 ]; then
		echo "$passed passed, $failed failed, $skipped skipped"
	else
		echo "$passed passed, $failed failed"
	fi
	[ $failed -eq 0 ]
	exit
}

# A bar that hangs from one end; NAME.json in the folder. Arguments: name, steps, every.
scene() {
	cat >"$1.json" <<END
{ "pliant": 1, "steps": $2, "timestep": 0.02,
  "bodies": [ { "name": "bar", "type": "soft", "mesh": { "box": [4, 1, 1], "cells": [8, 2, 2] }, "density": 1000,
                "material": { "law": "neo-hookean", "young": 1e5, "poisson": 0.4 } } ],
  "pins": [ { "body": "bar", "where": { "box": [[0, 0, 0], [0, 1, 1]] } } ],
  "output": { "every": $3, "formats": ["vtu", "obj"] } }
END
}

# Lines of statistics without what a step cost the process that took it: times and factorisations.
outcome() {
	sed 's/,"ms":{[^}]*}//; s/"factorisations":[0-9]*,//' "$1/stats.jsonl"
}

# The files of a run without the cost of its steps; true if two folders hold the same bytes.
same() {
	for folder in "$1" "$2"; do
		rm -rf "compare_$folder"
		cp -r "$folder" "compare_$folder"
		outcome "$folder" >"compare_$folder/stats.jsonl"
	done
	diff -r "compare_$1" "compare_$2" >diff.txt && return 0
	sed 's/^/    /' diff.txt
	return 1
}
