#!/bin/sh
# pipes_test.sh: readers that go away, streams that are closed or lead to a full disk
. "$(dirname "$0")/harness.sh"
start
scene bar 3 1

# Runs the command with its standard output (or both streams) into a reader that takes one line or none; its status is
# left in status.txt.
into() { # READER COMMAND...
	reader=$1
	shift
	{
		"$@" 2>err.txt
		echo $? >status.txt
	} | $reader >out.txt
	cat status.txt
}

one_line() {
	[ "$(into 'head -n 1' "$pliant" verify free-fall momentum)" -eq 0 ] && [ "$(wc -l <out.txt)" -eq 1 ] && [ ! -s err.txt ] &&
		[ "$(into 'head -n 1' "$pliant" --help)" -eq 0 ] && [ ! -s err.txt ] &&
		[ "$(into 'head -n 1' "$pliant" verify --list)" -eq 0 ] && [ ! -s err.txt ]
}
claim "a reader that takes one line is no error" one_line

none() {
	for line in 'verify free-fall' '--version' 'check bar.json' 'mesh box --cells 2 -o a.msh' 'run bar.json -o piped'; do
		# shellcheck disable=SC2086
		[ "$(into true "$pliant" $line)" -eq 0 ] && [ ! -s err.txt ] || {
			echo "    pliant $line"
			return 1
		}
	done
	status 0 "$pliant" run bar.json -o whole && same piped whole && status 0 "$pliant" check a.msh
}
claim "a reader that takes nothing does not disturb what is written to files" none

deaf() {
	{
		"$pliant" run nothing.json 2>&1 >/dev/null
		echo $? >status.txt
	} | true
	[ "$(cat status.txt)" -eq 2 ] && ! "$pliant" run nothing.json 2>&- && ! "$pliant" run nothing.json 2>/dev/full &&
		"$pliant" run nothing.json >&- 2>&- <&-
	[ $? -eq 2 ]
}
claim "a mistake ends with 2 also when nobody hears of it" deaf

closed() {
	"$pliant" run bar.json -o closed >&- 2>&- <&- && same closed whole &&
		"$pliant" verify free-fall >&- 2>&- <&- && "$pliant" check bar.json >&- 2>&- <&-
}
claim "closed standard streams do not disturb anything" closed

full() {
	for line in '--version' '--help' 'check bar.json' 'verify free-fall' 'run bar.json -o full'; do
		# shellcheck disable=SC2086
		"$pliant" $line >/dev/full 2>err.txt
		[ $? -eq 4 ] && says err.txt 'standard output cannot be written' || {
			echo "    pliant $line"
			return 1
		}
	done
	same full whole && "$pliant" run bar.json -o full --quiet >/dev/full
}
if [ -c /dev/full ]; then
	claim "output that does not fit on the disk ends with 4" full
else
	skip "output that does not fit on the disk ends with 4" "there is no /dev/full"
fi

mesh_without_room() {
	(
		ulimit -f 8 # of 512 bytes
		exec "$pliant" mesh box --cells 20 -o big.msh >out.txt 2>err.txt
	)
	[ $? -ne 0 ] && says err.txt 'big.msh: cannot be written: File too large' && [ -z "$(ls | grep '^big')" ]
}
claim "a mesh that does not fit leaves no file" mesh_without_room

finish
