#!/bin/bash
# gamg.sh [PROGRAM]: builds pliant with smoothed aggregation of PETSc in the place of our cycles, into build/pliant-gamg
#
# A rival for Figure 4 of papers/C: Newton's method and conjugate gradients are ours, the preconditioner is GAMG. It needs
# libpetsc-real-dev, which nothing else here does, and a build in ${BUILD:-build}:
#
#   tests/acceptance/gamg.sh
#   build/pliant-gamg papers C cg -o out/gamg
#   sed 's/^multigrid (cg)/CG + smoothed aggregation/' out/gamg/cg.csv > out/gamg.csv
#   build/pliant papers C 4 --beside out/gamg.csv -o out/C
set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
program=${1:-$build/pliant-gamg}
pkg-config --exists petsc || { echo "gamg.sh: PETSc is missing: apt-get install libpetsc-real-dev" >&2; exit 2; }
[[ -f $build/libpliant.a ]] || { echo "gamg.sh: build first: make" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
# shellcheck disable=SC2046
gcc -std=c17 -O2 -Isrc -Iinclude $(pkg-config --cflags petsc | sed 's/-Wdate-time//') \
	$(pkg-config --cflags ompi-c 2>/dev/null || mpicc --showme:compile) -c tests/acceptance/gamg.c -o "$work/gamg.o"
# Its object comes before the library, which then has no need of src/method/cycles.c.
# shellcheck disable=SC2046
gcc -O2 -o "$program" $(find "$build"/CMakeFiles/pliant.dir -name '*.o') "$work/gamg.o" "$build/libpliant-io.a" "$build/libpliant.a" \
	-lEGL -lOpenGL -lpng -lz $(pkg-config --libs petsc) $(mpicc --showme:link 2>/dev/null) -lm -lpthread -ldl
echo "$program"
