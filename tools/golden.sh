#!/bin/sh
# golden.sh BUILD: add the rows that tests/determinism/golden.inl does not have, for this machine's best instruction set
# and for the baseline
#
# Rows that are there are compared, and stay as they are; if one of them differs, nothing is added.
set -u
cd "$(dirname "$0")/.." || exit 2

rows=$(mktemp)
trap 'rm -f "$rows" "$rows.log"' EXIT
for isa in '' baseline; do
	if ! PLIANT_ISA=$isa PLIANT_GOLDEN=new "$1/tests/determinism_golden_test" golden >"$rows.log"; then
		cat "$rows.log"
		exit 1
	fi
	grep '^	{' "$rows.log" >>"$rows"
done
awk '!seen[$0]++' "$rows" | tee -a tests/determinism/golden.inl | wc -l | sed 's/$/ rows added/'
