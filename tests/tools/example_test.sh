#!/bin/sh
# example_test.sh: the pieces of the worked example of CONTRIBUTING.md find their places in the tree
#
# tests/acceptance/house.sh example also builds and tests what they make.
. "$(dirname "$0")/../app/harness.sh"
root=${PLIANT_SOURCE:?set PLIANT_SOURCE to the root of the project}
start

copy() {
	rm -rf tree && mkdir -p tree/tests &&
		cp -r "$root/include" "$root/src" "$root/scenes" tree && cp -r "$root/tests/energy" "$root/tests/material" tree/tests
}

apply() { # PAGE
	awk -v into=tree -f "$root/tests/acceptance/example.awk" "$1"
}

fits() {
	copy && status 0 apply "$root/CONTRIBUTING.md" && [ "$(wc -l <out.txt)" -ge 10 ] && ! diff -rq tree/src "$root/src" >/dev/null
}

misplaced() { # a hunk whose place is not there, and a file that is
	sed 's/^ \(.*\)pl_lawCount/ \1pl_lawCounts/' "$root/CONTRIBUTING.md" >page.md
	copy && status 1 apply page.md && says err.txt 'include/pliant/material.h: the place of a hunk is not there' || return 1
	sed 's|^```c src/energy/dashpot.c|```c src/energy/spring.c|' "$root/CONTRIBUTING.md" >page.md
	copy && status 1 apply page.md && says err.txt 'src/energy/spring.c is there already'
}

if [ -e "$root/src/energy/dashpot.c" ]; then
	skip "the worked example fits the tree" "this is the tree that it makes"
else
	claim "the worked example fits the tree" fits
	claim "a piece that does not fit is said" misplaced
fi
finish
