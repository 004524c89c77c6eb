#!/bin/bash
# cloth.sh [POINT...]: sheets, point by point
#
# Prints "point  figure  verdict" for each line; status 0 if none is FAIL.
#
#   energies  membranes and bending: derivatives, moduli, rigid motion, float, widths, sweeps
#   strips    heavy strips against the elastica, 40 and 80 cells: plate on equilateral triangles within 6 and 3 %
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/acceptance/points.sh

point_energies()
{
	measure energies "membranes, bending, the backend" tests '^(energy_triangle|energy_bend|backend_sheet)_test$'
}

point_strips()
{
	measure strips "every pattern and model" build/tests/energy_elastica_test --long table
}

run_points "energies strips" "$@"
