#!/bin/sh
# vtk_test.sh: VTK opens the frames of a run, with the right counts, fields and times
. "$(dirname "$0")/harness.sh"
tests=$(cd "$(dirname "$0")/.." && pwd)
start
scene bar 7 3

frames() {
	status 0 "$pliant" run bar.json -o run || return 1
	/usr/bin/python3 "$tests/io/vtk_reads.py" run bar 81 192 0 3 6 7
}
if /usr/bin/python3 -c 'import vtk' 2>/dev/null; then
	claim "VTK reads frames and their list" frames
else
	skip "VTK reads frames and their list" "python3-vtk9 is not installed"
fi
finish
