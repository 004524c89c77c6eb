#!/bin/sh
# plot_test.sh: curves of the laws, measured and drawn
. "$(dirname "$0")/harness.sh"
start

# E = 1, nu = 0.3 between stretches 1 and 2: corotated ends at stress 1, its curve is a straight line over the frame.
drawn() {
	status 0 "$pliant" plot corotated --from 1 --to 2 --points 5 -o line.svg || return 1
	says line.svg '^<svg ' && says line.svg '>corotated</text>' &&
		says line.svg 'd="M70.0 440.0L230.0 340.0L390.0 240.0L550.0 140.0L710.0 40.0"'
}
claim "a curve is where the textbook says" drawn

every() {
	status 0 "$pliant" plot -o all.svg --points 3 || return 1
	[ "$(grep -c 'stroke-width="2"' all.svg)" -ge 10 ]
}
claim "every law has its curve" every
claim "an unknown law is refused" status 2 "$pliant" plot neohookean -o x.svg
claim "a plot needs a file that ends in .svg" status 2 "$pliant" plot stvk -o x.png
claim "stretches must rise" status 2 "$pliant" plot stvk --from 2 --to 1 -o x.svg
claim "a refused plot leaves no file" test ! -e x.svg
claim "a folder that is not there is said" status 2 "$pliant" plot stvk -o nowhere/x.svg
finish
