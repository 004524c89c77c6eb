# examples.awk: the examples of the pages, one file each
#
#   awk -v root=FOLDER/ -v into=DIR -f examples.awk PAGE...     index on standard output: KIND FILE PLACE
#
# KIND      an example is                                                      its FILE holds
# scene     a fence ```json with "pliant" and "bodies", or a block from {      the scene
# fragment  "key": value, in a fence ```json or an indented block              the fragment on one line
# c         a fence ```c                                                       the program
# command   a line `pliant ...`, in a fence ```sh or an indented block         the line
# make      a line `make ...`, there too                                       the line
# prose     `pliant ...` between backquotes in a paragraph                     the line
# unknown   a fence of another kind, ```text excepted, or an option alone      the reason
#
# A fence that names a path is a piece of the worked example of CONTRIBUTING.md: tests/acceptance/house.sh example.
# PLACE is page:line. Other indented lines are formulas and output, not examples.

function emit(kind, line, content)
{
	if (content == "")
		return
	file = sprintf("%s/%03d.%s", into, ++count, kind)
	print content > file
	close(file)
	print kind, file, page ":" line
}

function end_fragment()
{
	sub(/,[ \t]*$/, "", fragment)
	emit("fragment", fragment_line, fragment)
	fragment = ""
}

# One line of an indented block, or of a fence whose lines are examples each; without its indent.
function block_line(text)
{
	if (fragment != "" && text ~ /^([ \t]|[]}])/)
	{
		sub(/^[ \t]+/, "", text)
		fragment = fragment " " text
		return
	}
	end_fragment()
	if (text ~ /^"[^"]*"[ \t]*:/)
	{
		fragment = text
		fragment_line = FNR
	}
	else if (text ~ /^pliant /)
		emit("command", FNR, text)
	else if (text ~ /^make( |$)/)
		emit("make", FNR, text)
	else if (text ~ /^--/)
		emit("unknown", FNR, "an option without its command: write the whole line, pliant first")
	else if (text ~ /^[{]/)
		emit("unknown", FNR, "an indented scene: put it in a fence ```json")
}

function end_fence()
{
	end_fragment()
	if (language ~ /^(c|json|diff) [a-z]+\//)
		return
	if (language == "json" && held ~ /"pliant"[ \t]*:/ && held ~ /"bodies"[ \t]*:/)
		emit("scene", fence_line, held)
	else if (language == "json" && held !~ /^[ \t\n]*"/)
		emit("unknown", fence_line, "neither a scene with \"pliant\" and \"bodies\" nor \"key\": value")
	else if (language == "c")
		emit("c", fence_line, held)
	else if (language !~ /^(json|sh|text)$/)
		emit("unknown", fence_line, "a fence ```" language ": known are json, c, sh and text")
}

function end_paragraph(   span)
{
	while (match(paragraph, /`pliant [^`]*`/))
	{
		span = substr(paragraph, RSTART + 1, RLENGTH - 2)
		paragraph = substr(paragraph, RSTART + RLENGTH)
		emit("prose", paragraph_line, span)
	}
	paragraph = ""
}

function end_page()
{
	end_fragment()
	end_paragraph()
	if (fenced)
		emit("unknown", fence_line, "a fence without an end")
	fenced = 0
}

FNR == 1 {
	end_page()
	page = substr(FILENAME, 1, length(root)) == root ? substr(FILENAME, length(root) + 1) : FILENAME
	blank = 1
	block = 0
}

/^```/ {
	fenced = !fenced
	if (!fenced)
	{
		end_fence()
		next
	}
	end_fragment()
	end_paragraph()
	language = substr($0, 4)
	fence_line = FNR
	held = ""
	next
}

fenced {
	held = held $0 "\n"
	if (language == "sh" || (language == "json" && (fragment != "" || held ~ /^[ \t\n]*"/)))
		block_line($0)
	next
}

{
	block = /^    / && (block || blank)
	blank = /^[ \t]*$/ || /^#/
}

block {
	block_line(substr($0, 5))
	next
}

{
	end_fragment()
	if (blank)
		end_paragraph()
	if (paragraph == "")
		paragraph_line = FNR
	paragraph = paragraph $0 " "
}

END {
	end_page()
}
