# What the prose of documents has that it should not have:
#
#	awk -f prose.awk WORDS.txt FILE.md...
#
# prints FILE:LINE: WHAT for each line of more than 117 columns, each sentence of
# more than 40 words and each phrase of WORDS.txt.  Code, tables and what stands
# between quotation marks as code does are no prose; a list's items are
# paragraphs of their own.

function complain(line, what) {
	print file ":" line ": " what
}

# A phrase and what to say instead, by lines "phrase: instead".
function note_word(    at) {
	at = index($0, ":")
	if (/^#/ || !at)
		return
	phrases[tolower(substr($0, 1, at - 1))] = substr($0, at + 2)
}

function check_sentence(sentence, line,    word, n) {
	gsub(/`[^`]*`/, "X", sentence)
	gsub(/\]\([^)]*\)/, "]", sentence)
	n = split(sentence, word, " ")
	if (n > 40)
		complain(line, "a sentence of " n " words: " substr(sentence, 1, 60) "..")
}

function check_phrases(text, line,    phrase) {
	gsub(/`[^`]*`/, "X", text)
	text = " " tolower(text) " "
	for (phrase in phrases)
		if (text ~ "[^a-z]" phrase "[^a-z]")
			complain(line, "\"" phrase "\": " phrases[phrase])
}

function end_paragraph(    rest, sentence, at) {
	if (paragraph == "")
		return
	check_phrases(paragraph, first)
	rest = paragraph
	gsub(/e\.g\. |i\.e\. |cf\. |vs\. |Fig\. |Eq\. |No\. /, "X ", rest)
	while (match(rest, /[.!?][)"*]* /)) {
		at = RSTART + RLENGTH
		sentence = substr(rest, 1, at - 1)
		rest = substr(rest, at)
		check_sentence(sentence, first)
	}
	check_sentence(rest, first)
	paragraph = ""
}

function add(line) {
	if (paragraph == "")
		first = FNR
	paragraph = paragraph " " line
}

FNR == 1 {
	end_paragraph()
	file = FILENAME
	code = 0
	n_files++
}
n_files == 1 {
	note_word()
	next
}
/^ *```/ {
	end_paragraph()
	code = !code
	next
}
code || /^\t/ || /^    [^ ]/ && paragraph == "" { next }
/^ *\|/ {
	end_paragraph()
	next
}
length($0) > 117 { complain(FNR, length($0) " columns") }
/^ *$/ || /^#/ {
	end_paragraph()
	next
}
/^ *([-*]|[0-9]+\.) / { end_paragraph() }
{ add($0) }
END { end_paragraph() }
