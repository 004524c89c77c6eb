# example.awk: apply the worked example of CONTRIBUTING.md to a copy of the tree
#
#   awk -v into=FOLDER -f example.awk CONTRIBUTING.md      on standard output: PART PATH new|changed ADDED
#
# A fence ```LANGUAGE PATH is a new file; ```diff PATH changes one. Its hunks are apart by lines @@; their lines begin
# with " " (the place), "-" and "+". A place has to be there, once. PART is the third word of the heading before.

function fail(words)
{
	print "example.awk: " FILENAME ":" FNR ": " words > "/dev/stderr"
	status = 1
}

function slurp(file,   text, line)
{
	while ((getline line < file) > 0)
		text = text line "\n"
	close(file)
	return text
}

function apply_hunk(   at)
{
	at = index(text, before)
	if (at == 0 || index(substr(text, at + 1), before) > 0)
		fail(path ": the place of a hunk is not there, or is there twice:\n" before)
	else
		text = substr(text, 1, at - 1) after substr(text, at + length(before))
	before = after = ""
}

/^### / {
	part = $3
	sub(/:$/, "", part)
}

/^```[a-z]+ [a-z]+\// {
	changes = $1 == "```diff"
	path = $2
	text = slurp(into "/" path)
	if (changes ? text == "" : text != "")
		fail(path (changes ? " is not there" : " is there already"))
	text = changes ? text : ""
	before = after = ""
	added = 0
	inside = 1
	next
}

inside && /^```$/ {
	if (changes)
		apply_hunk()
	if (!status)
		printf "%s", text > (into "/" path)
	close(into "/" path)
	print part, path, changes ? "changed" : "new", added
	inside = 0
	next
}

inside && changes && /^@@$/ {
	apply_hunk()
	next
}

inside && changes {
	if ($0 !~ /^[-+ ]/)
		fail("a line of a diff begins with a space, - or +")
	if ($0 ~ /^[- ]/)
		before = before substr($0, 2) "\n"
	if ($0 ~ /^[+ ]/)
		after = after substr($0, 2) "\n"
	added += /^\+/ - /^-/
	next
}

inside {
	text = text $0 "\n"
	added++
}

END {
	exit status
}
