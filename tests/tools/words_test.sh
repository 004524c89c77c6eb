#!/bin/sh
# words_test.sh: every word of the glossary in docs/notation.md stands in the file that its line names
#
# A line is | word, word | what it is | file |. A word counts as a whole one, in small or capital letters; a name such as
# `plFacet` or `withoutContact` is one word as the code writes it.
. "$(dirname "$0")/../app/harness.sh"
source=$(cd "${PLIANT_SOURCE:?set PLIANT_SOURCE to the root of the project}" && pwd)
start

# lines PAGE: "file word" for every word of the section Words; a line without a file is a heading
lines() {
	awk -F ' *[|] *' '/^## / { inside = $0 == "## Words" }
		inside && NF == 5 && $4 ~ /\// { count = split($2, words, / *, */)
			for (i = 1; i <= count; ++i) print $4, words[i] }' "$1"
}

# look PAGE: complains about files that are not there and words that are not in them
look() {
	lines "$1" >lines.txt
	while read -r file word; do
		if [ ! -f "$source/$file" ]; then
			echo "$word: $file is no file"
		elif ! grep -qiwE "$word(s|es|ed)?" "$source/$file"; then
			echo "$word: not in $file"
		fi
	done <lines.txt >complaints.txt
	sed 's/^/    /' complaints.txt
	[ ! -s complaints.txt ]
}

glossary() { look "$source/docs/notation.md" && [ $(($(wc -l <lines.txt))) -ge 40 ]; }
claim "every word of the glossary stands in the file that explains it" glossary

complains() { # LINE COMPLAINT
	printf '## Words\n\n| word | what it is | where |\n| --- | --- | --- |\n%s\n' "$1" >page.md
	! look page.md >/dev/null && says complaints.txt "^$2\$"
}
wrong() {
	complains '| epoch, zebra | stripes | src/problem/objective.h |' 'zebra: not in src/problem/objective.h' &&
		complains '| epoch | iterations | src/problem/epoch.h |' 'epoch: src/problem/epoch.h is no file'
}
claim "a word that has gone and a file that has gone are found" wrong

finish
