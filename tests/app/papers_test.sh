#!/bin/sh
# papers_test.sh: every figure of a paper leaves its numbers and its plot; what does not exist is refused
. "$(dirname "$0")/harness.sh"
start

paper=A
figure() { # NAME FILE...
	name=$1
	shift
	status 0 "$pliant" papers $paper "$name" --quick --threads 2 -o $paper || return 1
	for file in "$@"; do
		[ -s "$paper/$file" ] || { echo "    $file is missing"; return 1; }
		case $file in
		*.svg) says "$paper/$file" '^</svg>$' || return 1 ;;
		# Nesterov may overflow within a window, which the test at its end then throws away
		*.csv) awk -F, 'NR == 1 { n = NF } NF != n || /nan/ || (/inf/ && $1 != "Nesterov") { bad++ } END { exit !(NR > 1 && !bad) }' "$paper/$file" || return 1 ;;
		esac
	done
}
claim "figure 2 is made" figure 2 figure2.csv figure2-iterations.svg figure2-time.svg
claim "figure 3 is made" figure 3 figure3.csv figure3-iterations.svg
claim "figure 4 is made" figure 4 figure4.csv figure4-iterations.svg figure4-soft.csv figure4-soft-iterations.svg
claim "figure 5 is made" figure 5 figure5.csv figure5-iterations.svg
claim "figure 6 is made" figure 6 figure6.csv figure6.svg
claim "figure 8 is made" figure 8 figure8.csv figure8.svg
claim "figure 9 is made" figure 9 figure9.csv figure9.svg
claim "table 1 is made" figure table1 table1.csv
claim "figure 11 is made" figure 11 figure11.csv figure11.svg
drawn() { # NAME: its picture, where the build can draw
	! "$pliant" --version | grep -q '^rendering  *yes' || [ "$(head -c 4 "$paper/$1.png" | tail -c 3)" = PNG ]
}
picture() { # NAME FILE: the scene, its run and, where the build can draw, the picture
	status 0 "$pliant" papers $paper "$1" --quick --threads 2 -o $paper && [ -s "$paper/$2.json" ] &&
		[ -s "$paper/$2/stats.jsonl" ] && status 0 "$pliant" check "$paper/$2.json" || return 1
	drawn "$2"
}
simulated() { # NAME FILE: the scene and, where the build can draw, the picture of its end; it has no run of its own
	status 0 "$pliant" papers $paper "$1" --quick --threads 2 -o $paper && [ -s "$paper/$2.json" ] &&
		status 0 "$pliant" check "$paper/$2.json" && drawn "$2"
}
claim "figure 7 is drawn" picture 7 figure7
claim "figure 9 is drawn" picture helices figure9-picture
claim "figure 10 is drawn" picture 10 figure10
claim "the dress is drawn" picture dress dress

order() {
	awk -F, '$2 == 96 { e[$1] = $4 } END { exit !(e["descent (Jacobi + Chebyshev)"] < 0.5 * e["Jacobi"] && e["preconditioned CG"] < 0.5 * e["Jacobi"]) }' A/figure2.csv
}
claim "in figure 2 acceleration and conjugate gradients win over plain Jacobi" order
ends() {
	awk -F, 'NR > 1 { e[$1] = $4 } END { for (m in e) { n++; if (!(e[m] < 1)) bad++ }
		exit !(n == 6 && !bad && e["Chebyshev by budget"] < 0.5 * e["none"]) }' A/figure5.csv
}
claim "in figure 5 every acceleration ends below the start, Chebyshev far below none" ends
springs() {
	awk -F, '$2 == 96 { e[$1] = $4 } END { exit !(e["Jacobi 0.5"] < e["projective 0.5"] && e["descent 0.5 (Chebyshev)"] < e["projective 1 Chebyshev"]) }' A/figure4.csv
}
claim "in figure 4 the diagonal of the Hessian wins over that of projective dynamics" springs
analytic() {
	awk -F, 'NR > 1 { d = $3 - $4; m = $4 < 0 ? -$4 : $4; if (d < 0) d = -d; if (d > 0.01 * m + 0.001) bad++ } END { exit bad > 0 }' A/figure11.csv
}
claim "in figure 11 the box lies on the analytic curves" analytic

paper=B
claim "B: table 1 is made" figure table1 table1.csv table1.md
scenes() {
	for file in B/*.json; do
		status 0 "$pliant" check "$file" || return 1
	done
	[ "$(ls B/*.json | wc -l)" = 11 ]
}
claim "B: every row of table 1 leaves a scene that can be run" scenes
rows() { # errors of both methods between 0 and 1, but where rounding is all there is
	awk -F, 'NR > 1 { n++; if (!($7 < 1 && $10 < 1 && $6 > 0 && $9 > 0)) bad++ } END { exit !(n == 11 && !bad) }' B/table1.csv
}
claim "B: every row of table 1 is measured" rows
claim "B: figure 7 is made" figure 7 figure7.csv figure7-iterations.svg figure7-time.svg
claim "B: figure 8 is made" figure 8 figure8.csv figure8-iterations.svg figure8-time.svg
claim "B: figure 12 is made" figure 12 figure12.csv figure12-iterations.svg figure12-time.svg
claim "B: figure 13 is made" figure 13 figure13.csv figure13-iterations.svg figure13-time.svg
claim "B: figure 14 is made" figure 14 figure14.csv figure14-iterations.svg figure14-time.svg
claim "B: figure 3 is made" figure 3 figure3.csv figure3.svg
claim "B: figure 15 is made" figure 15 figure15.csv figure15.svg
claim "B: frames of figure 15 are drawn" drawn figure15-frames
claim "B: figure 10 is made" figure 10 figure10.csv figure10.svg figure10-swing.csv figure10-swing.svg figure10-gently.csv figure10-gently.svg
claim "B: frames of figure 10 are drawn" drawn figure10-frames-polynomial
near() { # at rest there is none; elsewhere a tenth of the largest is the most that they differ by
	awk -F, 'NR > 1 { d = $2 - $3; if (d < 0) d = -d; if (d > 0.05) bad++; if ($1 == 1 && ($2 != 0 || $3 != 0)) bad++ } END { exit !(NR > 5 && !bad) }' B/figure10.csv
}
claim "in figure 10 of B strain limits come near to the polynomial law" near
last() { # FILE METHOD: its last error
	awk -F, -v method="$2" '$1 == method { e = $4 } END { print e }' "B/$1.csv"
}
below() { # A B: A < B
	awk -v a="$1" -v b="$2" 'BEGIN { exit !(a < b) }'
}
pairs() {
	below "$(last figure7 'L-BFGS m = 5')" "$(last figure7 'plain (m = 0)')" &&
		below "$(last figure7 'L-BFGS m = 5')" "$(last figure7 'Chebyshev S = 10 rho = 0.95')"
}
claim "in figure 7 of B five pairs win over Chebyshev and plain steps" pairs
matrices() {
	below "$(last figure8 'M/h^2 + L')" "$(last figure8 'scaled identity')"
}
claim "in figure 8 of B the constant matrix wins over the identity" matrices
recovery() {
	awk -F, 'NR == 2 { first = $4 } NR > 1 { last = $4 } END { exit !(first > 50 && last < first / 4) }' B/figure15.csv
}
claim "in figure 15 of B a scattered body turns its elements back" recovery
claim "B: figure 2 is drawn" picture 2 figure2
claim "B: figure 4 is drawn" picture 4 figure4
claim "B: figure 5 is drawn" picture 5 figure5
claim "B: figure 6 is drawn" picture 6 figure6
claim "B: figure 9 is drawn" picture 9 figure9
claim "B: figure 11 is made" figure 11 figure11.csv
claim "B: figure 11 is drawn" drawn figure11
claim "B: the twisting bar is drawn" picture twist twist
claim "B: a ditto that is not there ends it" status 4 "$pliant" papers B table1 --quick --ditto no.msh -o B

paper=C
claim "C: figure 4 is made" figure 4 figure4.csv figure4-iterations.svg figure4-time.svg
claim "C: figures 6, 7 and 8 are made with it" figure 4 figure6.csv figure6-time.svg figure7.csv figure7-time.svg figure8.csv figure8-time.svg
claim "C: figure 8 is made" figure 8 figure8-vertices.msh
claim "C: the vertices of figure 8 are drawn" drawn figure8-vertices
claim "C: figure 9 is made" figure 9 figure9.csv figure9-iterations.svg figure9-time.svg
claim "C: figure 10 is made" figure 10 figure10.csv figure10-iterations.svg figure10-time.svg
claim "C: figure 11 is made" figure 11 figure11.csv
claim "C: figure 11 is drawn" drawn figure11
claim "C: figure 1 is drawn" simulated 1 figure1
claim "C: figure 12 is drawn" simulated 12 figure12-gown
claim "C: a mesh with frames walks in figure 12" says C/figure12-gown.json '"mesh": "walker.msh", "frames": "walker.mdd"'
claim "C: the dress of figure 12 is drawn" drawn figure12-dress
claim "C: figure 13 is drawn" picture 13 figure13
claim "C: figure 14 is made" figure 14 figure14.csv figure14.svg
claim "C: figure 14 is drawn" drawn figure14-200k
claim "C: table 1 is made" figure table1 table1.csv
cycles() { # every multigrid ends far below where Gauss-Seidel does
	awk -F, 'NR > 1 { e[$1] = $4 } END { exit !(e["multigrid (cg)"] < 0.1 * e["Gauss-Seidel + Chebyshev"] && e["full multigrid"] < 1) }' C/figure4.csv
}
claim "in figure 4 of C conjugate gradients with cycles end below Gauss-Seidel" cycles
beside() {
	status 0 "$pliant" papers C cg --quick -o C && sed 's/^multigrid (cg)/another/' C/cg.csv >another.csv &&
		status 0 "$pliant" papers C 4 --quick --beside another.csv -o C || return 1
	awk -F, '$1 == "another" { n++ } END { exit !(n > 3) }' C/figure4.csv
}
claim "in figure 4 of C a curve of another program stands beside ours" beside
broken() { # LINE
	printf 'method,iteration,ms,relative_error,residual,processor_ms\n%s\n' "$1" >broken.csv
	status 4 "$pliant" papers C 4 --quick --beside broken.csv -o C && says err.txt 'broken.csv:2: here must be'
}
claim "C: a curve that is none is refused" broken "another,1,2,three,4,5"
claim "C: an empty curve is refused" broken ""
sizes() {
	status 0 "$pliant" papers C 9 --vertices 300 -o small && awk -F, 'NR > 1 { n++ } END { exit !(n > 20) }' small/figure9.csv
}
claim "C: scenes are as small as asked for" sizes
claim "C: too few vertices are refused" status 2 "$pliant" papers C 9 --vertices 3

paper=D
claim "D: figure 1 is made" figure 1 figure1.csv
claim "D: figure 1 is drawn" drawn figure1
claim "D: figure 9 is made" figure 9 figure9.csv
claim "D: figure 9 is drawn" drawn figure9
claim "D: figure 2 is made" figure 2 figure2.csv figure2.svg
claim "D: figure 2 is drawn" drawn figure2-blocks
claim "D: figure 4 is made" figure 4 figure4.csv figure4.svg
claim "D: figure 4 is drawn" drawn figure4-blocks
springs() { # FILE: what trees and sweeps are off by falls
	awk -F, '$2 == 1 { few[$1] = $4 } $2 == 20 { many[$1] = $4 } END { exit !(many["trees"] < 0.1 * few["trees"] && many["sweeps"] < 0.5 * few["sweeps"]) }' "D/$1.csv"
}
claim "in figure 2 of D errors fall with iterations" springs figure2
claim "D: figure 7 is made" figure 7 figure7.csv figure7-iterations.svg figure7-time.svg
claim "D: figure 7 is drawn" drawn figure7-steep
chain() { # by sweeps far less than as printed, at once less than by sweeps
	awk -F, '$2 == 10 { e[$1] = $4 } END { exit !(e["trees at once"] < e["by sweeps"] && e["by sweeps"] < e["as printed"]) }' D/figure7.csv
}
claim "in figure 7 of D trees at once win over sweeps, and these over the printed rules" chain
claim "D: figure 8 is made" figure 8 figure8.csv figure8.svg
claim "D: figure 15 is made" figure 15 figure15.csv figure15-iterations.svg figure15-gamma.svg figure15-alpha.svg figure15-beta.svg
claim "D: figure 6 is made" figure 6 figure6-height.csv figure6-height.svg
claim "D: figure 6 is drawn" drawn figure6
claim "D: what the ball does in figure 6 is drawn" drawn figure6-fallen
claim "D: figure 10 is made" figure 10 figure10-lost.csv figure10-lost.svg
claim "D: figure 10 is drawn" drawn figure10
claim "D: figure 11 is made" figure 11 figure11.csv figure11.svg
claim "D: figure 11 is drawn" drawn figure11-blocks
claim "D: figure 12 is made" figure 12 figure12.csv figure12.svg
claim "D: figure 12 is drawn" drawn figure12-held
claim "D: figure 13 is made" figure 13 figure13-joints.csv figure13-joints.svg
claim "D: figure 13 is drawn" drawn figure13
stands() { # a small tower alone, and hit
	awk -F, 'NR == 2 { first = $2 } { last = $2 } END { exit !(last > 0.98 * first) }' D/figure6-height.csv
}
claim "in figure 6 of D a tower of cards stands" stands
claim "D: figure 3 is made" figure 3 figure3.csv
claim "D: figure 3 is drawn" drawn figure3
claim "D: figure 5 is made" figure 5 figure5-top.csv figure5-top.svg
claim "D: figure 5 is drawn" drawn figure5
flag() { # joints are off by less with more iterations
	awk -F, '$1 == "trees" { e[$2] = $3 } END { exit !(e[20] < e[5] && e[100] < 1e-4) }' D/figure5-top.csv
}
claim "in figure 5 of D joints hold better with more iterations" flag
claim "D: figure 14 is made" figure 14 figure14.csv
claim "D: figure 14 is drawn" drawn figure14
claim "D: table 1 is made" figure table1 table1.csv
claim "D: claims about rivals are tried" figure rivals rivals.csv
rows() { # FILE: nine scenes, each by two methods at least, and each with its times
	awk -F, 'NR > 1 { split($NF, word, "["); by[$1, word[1]] = 1; scene[$1] = 1; if (!($8 > 0)) bad++ }
		END { for (s in scene) n += ((s, "avbd") in by) && ((s, "impulse") in by); exit !(n == 9 && !bad) }' "D/$1.csv"
}
claim "in table 1 of D all scenes are measured by avbd and impulse" rows table1
claim "and with the settings of the paper" rows rivals
blocks() {
	status 0 "$pliant" papers D 1 --blocks 30 -o few --quick --threads 2 && awk -F, 'NR == 2 { exit $1 != 27 }' few/figure1.csv
}
claim "D: a pile is as large as asked for" blocks
claim "D: no blocks are refused" status 2 "$pliant" papers D 1 --blocks 0

claim "help lists the figures" status 0 "$pliant" papers --help
claim "it names table 1" says out.txt '^  table1 '
claim "a paper that does not exist is refused" status 2 "$pliant" papers Z
claim "a figure that does not exist is refused" status 2 "$pliant" papers A 99
claim "no paper is refused" status 2 "$pliant" papers
claim "an Armadillo that is not there ends it, and no folder is left" status 4 "$pliant" papers A 2 --armadillo no.msh -o none
claim "no folder is left" [ ! -e none ]
finish
