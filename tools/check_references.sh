#!/bin/sh
# check_references.sh: every tag such as [WY16] in sources and docs stands in docs/references.md, and links in docs lead
# somewhere
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
exit $bad
