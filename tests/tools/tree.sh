# tree.sh: a check of tools/ on a copy of the sources, as they are and with one line too many
#
# A test sets `check` to the name of the script and lists the folders that it reads: copy_tree src tools
. "$(dirname "$0")/../app/harness.sh"

copy_tree() # FOLDER...
{
	mkdir tree
	for folder; do
		cp -r "${PLIANT_SOURCE:?set PLIANT_SOURCE to the root of the project}/$folder" tree
	done
}

# append FILE LINE: checks the sources with one more line at the end of a file: `got`, `line` and out.txt
append() {
	cp "tree/$1" kept
	printf '%s\n' "$2" >>"tree/$1"
	line=$(($(wc -l <"tree/$1")))
	sh "tree/tools/$check" >out.txt 2>&1
	got=$?
	cp kept "tree/$1"
}

# complains FILE LINE WORDS: the line is complained about, once, with its place and these words
complains() {
	append "$1" "$2"
	[ $got -ne 0 ] && says out.txt "^$1:$line: $3" && [ $(($(wc -l <out.txt))) -eq 1 ]
}

# agrees FILE LINE: nobody minds the line
agrees() {
	append "$1" "$2"
	[ $got -eq 0 ] && [ ! -s out.txt ]
}

as_it_is() { status 0 sh "tree/tools/$check" && [ ! -s out.txt ]; }
