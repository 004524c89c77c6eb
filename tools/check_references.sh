#!/bin/sh
# check_references.sh: every tag such as [WY16] in sources and docs stands in docs/references.md, links in docs lead
# somewhere, and a source file that a page or a comment names (`step.c`, `world/step.c`) is there
set -u
cd "$(dirname "$0")/.." || exit 2

bad=0
for tag in $(git ls-files '*.c' '*.h' '*.md' | xargs grep -ohE '\[[A-Z][A-Za-z]*[0-9][0-9]\]' | sort -u); do
	grep -qF "**$tag**" docs/references.md || { echo "docs/references.md: $tag is missing; used in"; git grep -lF "$tag"; bad=1; }
done
for tag in $(grep -oE '^- \*\*\[[^]]*\]' docs/references.md | sed 's/^- \*\*//'); do
	git grep -qF "$tag" -- ':!docs/references.md' || { echo "docs/references.md: nobody cites $tag"; bad=1; }
done
for page in $(git ls-files '*.md'); do
	for link in $(grep -oE '\]\([^)#]+\)' "$page" | sed 's/^](//; s/)$//' | grep -v '^https\{0,1\}:'); do
		[ -e "$(dirname "$page")/$link" ] || { echo "$page: $link does not exist"; bad=1; }
	done
done

# Names of pages and of comments with // or #; a name with a star or in capitals is a pattern. Headers of others, and
# programs that a page has the reader write, are not ours. The worked example of CONTRIBUTING.md makes files.
others=' cholmod.h fall.c tool.c stdio.h '
files=$(git ls-files '*.c' '*.h' && sed -n 's/^```c //p' CONTRIBUTING.md)
for name in $(
	{
		git ls-files '*.md' | grep -v '^CHANGELOG' | xargs cat
		git ls-files '*.c' '*.h' | xargs grep -ohE '//.*'
		git ls-files '*.sh' 'CMakeLists.txt' '*.cmake' Makefile | xargs grep -ohE '(^|[[:space:]])# .*'
	} | grep -oE '[A-Za-z0-9_*./-]*[A-Za-z0-9_*]\.[ch]\>' | sed 's|^\(\.*/\)*||' | grep -vE '[*A-Z]' | sort -u
); do
	case $others in *" $name "*) continue ;; esac
	echo "$files" | grep -qE "(^|/)$name\$" || { echo "$name is no file; named in"; git grep -nwF "$name"; bad=1; }
done
exit $bad
