#!/bin/sh
# plot_test.sh: curves of the laws, measured and drawn
. "$(dirname "$0")/harness.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
start

# E = 1, nu = 0.3 between stretches 1 and 2: corotated ends at stress 1, its curve is a straight line over the frame.
drawn() {
	status 0 "$pliant" plot corotated --from 1 --to 2 --points 5 -o line.svg || return 1
	says line.svg '^<svg ' && says line.svg '>corotated, E = 1 Pa, nu = 0.3</text>' &&
		says line.svg 'd="M70.0 440.0L230.0 340.0L390.0 240.0L550.0 140.0L710.0 40.0"'
}
claim "a curve is where the textbook says" drawn

every() {
	status 0 "$pliant" plot -o all.svg --points 3 || return 1
	laws=$("$pliant" plot --help | awk '/Laws:$/ { getline; print NF }')
	[ "$laws" -ge 11 ] && [ "$(grep -c 'stroke-width="2"' all.svg)" -eq "$laws" ]
}
claim "every law has its curve" every
several() {
	status 0 "$pliant" plot stvk arap -o two.svg --points 3 && says two.svg '>stvk</text>' && says two.svg '>arap</text>'
}
claim "several laws are named at their curves" several

framed() { # the same line in a frame of half the size whose axis goes to 2 Pa
	status 0 "$pliant" plot corotated --from 1 --to 2 --points 5 --stress 0,2 --size 320,200 -o small.svg &&
		says small.svg 'd="M70.0 240.0L150.0 215.0L230.0 190.0L310.0 165.0L390.0 140.0"' && says small.svg 'width="410"'
}
claim "size and vertical axis can be given" framed

presets() {
	status 0 "$pliant" plot spline --points 3 -o a.svg && status 0 "$pliant" plot spline --preset B --points 3 -o b.svg &&
		says a.svg '>spline A, ' && says b.svg '>spline B, ' && ! cmp -s a.svg b.svg
}
claim "spline has two presets" presets
claim "the curves in docs/ are what the program draws" sh "$root/tools/plots.sh" "$PLIANT_BUILD" --check
claim "an unknown preset is refused" status 2 "$pliant" plot spline --preset C -o x.svg
claim "an axis must rise" status 2 "$pliant" plot stvk --stress 1,0 -o x.svg
claim "a frame of no size is refused" status 2 "$pliant" plot stvk --size 0,0 -o x.svg
claim "an unknown law is refused" status 2 "$pliant" plot neohookean -o x.svg
claim "a plot needs a file that ends in .svg" status 2 "$pliant" plot stvk -o x.png
claim "stretches must rise" status 2 "$pliant" plot stvk --from 2 --to 1 -o x.svg
claim "a refused plot leaves no file" test ! -e x.svg
claim "a folder that is not there is said" status 2 "$pliant" plot stvk -o nowhere/x.svg
finish
