#!/bin/sh
# check_strides.sh: only base/layout.h knows how long a quad is
#
# Arrays by quads are reached through PL_AT, pl_quad and plLayout_GetLength. A literal stride in a room that has such
# arrays is an offence:
#
#   q[4 * i + k]   q + 4 * i   PL_NEW(heap, double, 4 * n)   4 * n * sizeof(double)   4 * vertexCount   i < 4 * n   a[i % 4]
#
# Other arrays of fours are known by the name before the 4: see `others`. Prints each offence as FILE:LINE: reason;
# status not 0 if there are any.
set -u
cd "$(dirname "$0")/.." || exit 2

find src/world src/method src/collide src/study src/problem src/energy src/backend -name '*.[ch]' | LC_ALL=C sort | xargs awk '
	BEGIN {
		# corners of tets, and lists of them as they are made; of the unit tets that a stress is sampled on
		names = "tets corners lanes vertices vertex uint32_t"
		# forces of patches on vertices, four numbers each, and positions of a patch as whole numbers
		names = names " share shares fixed"
		# planes of faces: a normal and an offset
		names = names " planes"
		# entries on the diagonal of a 3x3 block stand 4 apart
		names = names " H block blocks"
		n = split(names, list, " ")
		for (i = 1; i <= n; i++) others[list[i]] = 1

		# Files that may; strike out one that no longer does.
		# wide loops: a quad is one register of four
		wide = "^src/backend/cpu/bundle_lanes\\.c$"
	}
	function complain(words) { printf "%s:%d: %s\n", FILENAME, FNR, words; bad++ }
	FILENAME ~ wide { next }
	{
		code = $0
		sub(/\/\/.*/, "", code)
		gsub(/PL_AT\([A-Za-z_.>-]+, /, "(", code)
		gsub(/block\[9 \* [^;]* \+ 4 \* k\]/, "", code)
	}
	code ~ /4 \* [^,;]*vertexCount|< 4 \* |[^0-9]4 \* ([A-Za-z_.>-]+ \* )?sizeof\(double\)|= 4 \* \(|% 4\]/ {
		complain("a literal stride: base/layout.h has plLayout_GetLength and pl_quad")
		next
	}
	{
		gsub(/4 \* sizeof/, "", code)
		# the name of an array, or of the type of its numbers, before a stride
		while (match(code, /[A-Za-z_][A-Za-z0-9_]*(\[[^][]*\]|\([^()]*\))?(\[| \+ |, )4 \* /)) {
			name = substr(code, RSTART, RLENGTH)
			code = substr(code, RSTART + RLENGTH)
			sub(/[^A-Za-z0-9_].*/, "", name)
			if (!(name in others)) {
				complain("a literal stride after " name ": base/layout.h has PL_AT")
				next
			}
		}
	}
	END { exit bad > 0 }'
