#!/bin/sh
# full_disk_test.sh: the disk is full in mid-run: status 4, and what was complete stands and can be resumed
. "$(dirname "$0")/harness.sh"
start
scene bar 60 1
status 0 "$pliant" run bar.json -o whole || exit 1

# Frames that are there are whole: as long as the first one, and listed or newer than the list.
stands() {
	size=$(wc -c <whole/bar_000010.vtu)
	for file in "$1"/bar_0000[1-9]?.vtu; do
		[ ! -e "$file" ] || cmp -s "$file" "whole/${file##*/}" || {
			echo "    $file is not whole"
			return 1
		}
	done
	[ -z "$(find "$1" -name '*.part')" ] && [ "$size" -gt 0 ] && [ -s "$1/checkpoint" ] &&
		[ "$(tail -c 1 "$1/stats.jsonl" | wc -l)" -eq 1 ]
}

limited() {
	(
		ulimit -f 20 # of 512 bytes: stats.jsonl outgrows it
		exec "$pliant" run bar.json -o limited --format none >out.txt 2>err.txt
	)
	[ $? -eq 4 ] && says err.txt 'limited/stats.jsonl: cannot be written: File too large' && stands limited &&
		status 0 "$pliant" run bar.json -o limited --format none --resume &&
		[ "$(outcome limited)" = "$(outcome whole)" ]
}
claim "a file that may not grow ends the run with 4, and it can be resumed" limited

small_disk() {
	"$pliant" run bar.json -o disk/run >out.txt 2>err.txt
	[ $? -eq 4 ] && says err.txt 'No space left on device' && stands disk/run &&
		cp -r disk/run moved && status 0 "$pliant" run bar.json -o moved --resume && same moved whole
}
mkdir disk
if [ "$(id -u)" -eq 0 ] && mount -t tmpfs -o size=1m none disk 2>/dev/null; then
	trap 'umount "$work/disk"; cd /; rm -rf "$work"' EXIT
	claim "a full disk ends the run with 4, the last frame and checkpoint stand" small_disk
else
	skip "a full disk ends the run with 4" "a 1 MiB disk cannot be mounted"
fi

finish
