#!/bin/sh
# plots.sh BUILD [--laws | --check]: the plots of docs/ that the program draws; with --laws, only those of the laws; with
# --check, whether these are what it draws now
#
# Curves of laws are the same to the byte everywhere. A comparison by time is as good as the machine was quiet, so it is
# drawn but not checked.
set -u
cd "$(dirname "$0")/.." || exit 2
build=$(cd "$1" && pwd) || exit 2
pliant=$build/pliant
mode=${2:-}

laws=$("$pliant" plot --help | awk '/Laws:$/ { getline; sub(/ spline /, " "); print }')
draw_laws() { # FOLDER
	mkdir -p "$1/laws" || return
	small="--size 300,180 --from 0.6 --to 2 --stress -1,3 --points 29"
	for law in $laws; do
		# shellcheck disable=SC2086
		"$pliant" plot "$law" $small -o "$1/laws/$law.svg" || return
	done
	# shellcheck disable=SC2086
	"$pliant" plot spline --preset A $small -o "$1/laws/spline-a.svg" &&
		"$pliant" plot spline --preset B $small -o "$1/laws/spline-b.svg" &&
		"$pliant" plot -o "$1/laws.svg"
}

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
if [ "$mode" = --check ]; then
	draw_laws "$work" || exit
	diff -rq "$work/laws" docs/laws && diff -q "$work/laws.svg" docs/laws.svg && exit
	echo "docs/laws: the program draws other curves; make docs"
	exit 1
fi
draw_laws docs || exit
[ "$mode" != --laws ] || exit 0

# A page of docs/methods has one plot: its method and what a setting changes, by iteration.
draw_method() { # PAGE METHODS
	"$pliant" compare scenes/demo.json --methods "$2" --at-step 22 -o "$work/$1" &&
		cp "$work/$1/iterations.svg" "docs/methods/$1.svg"
}
draw_method quasi-newton 'quasi-newton,quasi-newton[history=0],quasi-newton[matrix=warped],quasi-newton[matrix=identity],newton' &&
	draw_method newton 'newton,newton-cg,newton-cg[cg_iterations=20]' &&
	draw_method multigrid 'multigrid,multigrid[cycle=fmg],newton-cg[preconditioner=multigrid],quasi-newton,newton' &&
	draw_method gradient 'gradient,jacobi,ncg[preconditioner=none]' &&
	draw_method jacobi 'jacobi,jacobi[direction=jacobi-block],jacobi[acceleration=nesterov],descent' &&
	draw_method ncg 'ncg,ncg[preconditioner=none],ncg[preconditioner=jacobi-block]' &&
	draw_method lbfgs 'lbfgs,lbfgs[preconditioner=none],lbfgs[history=2],lbfgs[history=20]' &&
	draw_method vbd 'vbd,vbd[acceleration=chebyshev],jacobi[direction=jacobi-block],descent,quasi-newton' || exit
# The picture of docs/collision.md
"$pliant" run scenes/solids.json -o "$work/solids" -q &&
	"$pliant" render "$work/solids" -o docs/collision.png --camera 3.6,3.9,5.6 --look-at 0,0.45,0.1 --fov 34 -q || exit
mkdir -p docs/compare &&
	"$pliant" compare scenes/demo.json --methods newton,newton-cg,gradient,jacobi,descent,ncg,lbfgs,quasi-newton --at-step 30 -o "$work" &&
	cp "$work/iterations.svg" "$work/time.svg" docs/compare/
