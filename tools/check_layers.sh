#!/bin/sh
# check_layers.sh: every include goes downwards
#
# Each room sees itself and the rooms below it; rooms on one line do not see each other:
#
#   app
#   io                       app and io see the public headers only, and nothing of src/
#   study
#   world backend            meet through problem/backend.h
#   method collide
#   problem
#   energy constraint
#   material
#   sparse mesh
#   base
#   kernel                   sees only itself
#
# Headers of the operating system: in src/ only base/platform.c; in io/, which sees nothing of src/, the two files that
# touch the disk; the command deals with signals and terminals where it must. Functions of the C library whose last bits
# are its own choice (sin, exp, pow, ...) are called nowhere in src/ and io/: base/number.h has them. Prints each offence as FILE:LINE: reason;
# status 1 if there are any.
set -u
cd "$(dirname "$0")/.." || exit 2

find src io app include 2>/dev/null -name '*.[ch]' | LC_ALL=C sort | xargs awk '
	BEGIN {
		n = split("kernel base sparse,mesh material energy,constraint problem method,collide backend,world study", line, " ")
		for (i = 1; i <= n; i++) {
			m = split(line[i], rooms, ",")
			for (j = 1; j <= m; j++) rank[rooms[j]] = i
		}
		own_bits = "(^|[^A-Za-z0-9_.>])(a?(sin|cos|tan)h?|atan2|exp|exp2|expm1|log|log2|log10|log1p|pow|cbrt|hypot)[fl]?\\("
		system_header = "^(pthread|unistd|time|sched|fcntl|dirent|signal|dlfcn|spawn|poll|termios|semaphore|glob|ftw)\\.h$|^sys/|^linux/"
	}
	function complain(words) { printf "%s:%d: %s\n", FILENAME, FNR, words; bad++ }
	function room(path,   part) {
		split(path, part, "/")
		return part[1] == "src" ? part[2] : part[1]
	}
	# folder/../x -> x, until nothing is left to shorten
	function shorten(path) {
		gsub(/\/\.\//, "/", path)
		while (match(path, /[^\/.][^\/]*\/\.\.\//)) path = substr(path, 1, RSTART - 1) substr(path, RSTART + RLENGTH)
		return path
	}
	FILENAME ~ /^(src|io)\// {
		code = $0; sub(/\/\/.*/, "", code)
		if (code ~ own_bits) complain("a function of the C library with bits of its own: base/number.h has such")
	}
	/^[ \t]*#[ \t]*include[ \t]*</ {
		header = $0; sub(/^[^<]*</, "", header); sub(/>.*/, "", header)
		if (header ~ system_header && FILENAME !~ /^(src\/base\/platform\.c|io\/(file|stats_file)\.c|app\/.*)$/)
			complain("<" header "> belongs in " (FILENAME ~ /^io/ ? "io/file.c" : "src/base/platform.c"))
	}
	/^[ \t]*#[ \t]*include[ \t]*"/ {
		header = $0; sub(/^[^"]*"/, "", header); sub(/".*/, "", header)
		here = room(FILENAME)
		if (header ~ /^pliant\//) {
			if (here == "kernel") complain("kernel/ sees only itself, not " header)
			else if (FILENAME ~ /^src\// && header == "pliant/io.h") complain("the library does not know pliant-io")
			next
		}
		folder = FILENAME; sub(/[^\/]*$/, "", folder)
		path = shorten(folder header)
		if ((getline ignored < path) < 0) path = "src/" header # the include folder of the library itself
		close(path)
		there = room(path)
		if (here == there) next
		if (FILENAME !~ /^src\//) complain(here " sees public headers only, not " path)
		else if (here == "kernel") complain("kernel/ sees only itself, not " path)
		else if (!(here in rank)) complain("room " here " has no place in the layers")
		else if (!(there in rank)) complain(here " may not see " path)
		else if (rank[there] >= rank[here]) complain(here " may not see " there " (" path ")")
	}
	END { exit bad > 0 }'
