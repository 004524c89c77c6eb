#!/bin/sh
# check_headers.sh: every public header compiles alone, as C17 and as C++17, with gcc and clang, without a warning
set -u
cd "$(dirname "$0")/.." || exit 2

bad=0
for header in include/pliant/*.h; do
	name=pliant/$(basename "$header")
	for compiler in gcc clang; do
		for language in c c++; do
			echo "#include <$name>" | $compiler -x $language -std=${language}17 -pedantic -Wall -Wextra -Wshadow -Werror \
				-Iinclude -fsyntax-only - || { echo "$name: $compiler, ${language}17: not clean"; bad=1; }
		done
	done
done
exit $bad
