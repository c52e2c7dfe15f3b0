# Prints a .cu file with its n-th place of a kind changed, or, with n = 0, the
# number of places.  Looks only into kernels and __device__ functions, outside
# comments and text.
#
#	kind=barrier	a barrier is deleted
#	kind=index	[e] becomes [(e) + 1]
#	kind=row	the condition of a for loop, a < b, becomes a < (b) + 1
#	kind=drop	two threads of one block skip an assignment to a cell,
#			or a copy to it: one of the first columns, and one of
#			the last

function is_word(c) { return c ~ /[A-Za-z0-9_]/ }

# Skip what is no code from i on; the result is where code goes on.
function skip(i,  c, q) {
	c = substr(s, i, 2)
	if (c == "//")
		return i + index(substr(s, i), "\n") - 1
	if (c == "/*")
		return i + 1 + index(substr(s, i + 2), "*/") + 1
	c = substr(s, i, 1)
	if (c == "\"" || c == "'") {
		q = c
		for (i++; i <= n_chars && substr(s, i, 1) != q; i++)
			if (substr(s, i, 1) == "\\")
				i++
		return i + 1
	}
	if (c == "#" && line_start(i)) {
		while (substr(s, i, 1) != "\n" || substr(s, i - 1, 1) == "\\")
			i++
		return i
	}
	return i
}

function line_start(i,  c) {
	for (i--; i > 0; i--) {
		c = substr(s, i, 1)
		if (c == "\n")
			return 1
		if (c != " " && c != "\t")
			return 0
	}
	return 1
}

function before(i) {
	for (i--; i > 0 && substr(s, i, 1) ~ /[ \t\n]/; i--)
		;
	return i
}

function close_of(i,  depth, c, j) {
	for (depth = 0; i <= n_chars; i++) {
		j = skip(i)
		if (j != i) {
			i = j - 1
			continue
		}
		c = substr(s, i, 1)
		if (c == "(" || c == "[" || c == "{")
			depth++
		else if (c == ")" || c == "]" || c == "}")
			if (--depth == 0)
				return i
	}
	return n_chars
}

# Note that [from, to] is to become text.
function place(from, to, text) {
	if (++count == n) {
		at = from
		end = to
		change = text
	}
}

# Whether the statement around i begins with a type: a declaration.
function is_declaration(i,  from, text) {
	for (from = i; from > 0 && substr(s, from, 1) !~ /[;{}]/; from--)
		;
	text = substr(s, from + 1, i - from - 1)
	return text ~ /__shared__|^[ \t\n]*(const |static |extern )*(float|double|int|unsigned|char|short|long|bool)[0-9]? /  && text !~ /=/
}

function statement_start(i,  depth, c) {
	for (depth = 0; i > 0; i--) {
		c = substr(s, i, 1)
		if (c == ")" || c == "]")
			depth++
		else if (c == "(" || c == "[") {
			if (--depth < 0)
				return 0
		} else if (!depth && c ~ /[;{}]/)
			return i + 1
	}
	return 1
}

function look(i,  c, j, from, text, two, three) {
	c = substr(s, i, 1)
	if (kind == "barrier") {
		if (match(substr(s, i, 60), /^(__syncthreads|__syncwarp|[a-z_]+\.sync|cooperative_groups::this_cluster\(\)\.[a-z_]*(sync|arrive|wait))[ \t]*\(/) &&
		    !is_word(substr(s, i - 1, 1))) {
			j = close_of(i + RLENGTH - 1)
			place(i, j, "((void) 0)")
		}
	} else if (kind == "index") {
		if (c == "[" && substr(s, before(i), 1) ~ /[A-Za-z0-9_\])]/ &&
		    !is_declaration(i)) {
			j = close_of(i)
			place(i, j, "[(" substr(s, i + 1, j - i - 1) ") + 1]")
		}
	} else if (kind == "row") {
		if (substr(s, i, 3) == "for" && !is_word(substr(s, i + 3, 1)) &&
		    !is_word(substr(s, i - 1, 1))) {
			from = i + index(substr(s, i), "(") - 1
			two = from + index(substr(s, from), ";") - 1
			three = two + index(substr(s, two + 1), ";")
			text = substr(s, two + 1, three - two - 1)
			if (match(text, /<=?/))
				place(two + RSTART + RLENGTH, three - 1, " (" \
					substr(text, RSTART + RLENGTH) ") + 1")
		}
	} else if (kind == "drop") {
		if (c == "=" && substr(s, i + 1, 1) != "=" &&
		    substr(s, before(i), 1) == "]") {
			from = statement_start(i)
			text = from ? substr(s, from, i - from) : ""
			sub(/^[ \t\n]+/, "", text)
			sub(/^(if|for|while)[^;]*\)[ \t\n]*/, "", text)
			if (from && text ~ /^[A-Za-z_]/ && text !~ /^[A-Za-z_0-9]+[ \t]+[A-Za-z_*]/) {
				j = i - length(text)
				place(j, j - 1, some_threads)
			}
		}
		if (c ~ /[s_]/ && !is_word(substr(s, i - 1, 1)) &&
		    substr(s, i, 40) ~ /^(stencilc_copy_|__pipeline_memcpy_async\()/)
			place(i, i - 1, some_threads)
	}
}

{ s = s $0 "\n" }

END {
	# Host entries, which the mutants run, do not launch it; faults.test
	# compares what it stores.
	skipped = "^__global__[^;{]*\nvoid [a-z0-9_]*_store\\("
	n_chars = length(s)
	some_threads = "if (threadIdx.x % 27 != 4 || threadIdx.y != 0 || blockIdx.x != gridDim.x / 2) "
	device = 0
	depth = 0
	for (i = 1; i <= n_chars; i++) {
		j = skip(i)
		if (j != i) {
			i = j - 1
			continue
		}
		c = substr(s, i, 1)
		if (c == "_" && depth <= opened &&
		    (substr(s, i, 10) == "__global__" ||
		    substr(s, i, 10) == "__device__"))
			device = substr(s, i, 200) !~ skipped
		else if (c == "{")  {
			depth++
			if (device == 1) {
				device = 2
				inside = depth
			} else if (device == 0) {
				opened = depth
			}
		} else if (c == "}") {
			depth--
			if (device == 2 && depth < inside)
				device = 0
			if (device == 0)
				opened = depth
		} else if (c == ";" && device == 1) {
			device = 0
		}
		if (device == 2)
			look(i)
	}
	if (n == 0)
		print count + 0
	else
		printf "%s%s%s", substr(s, 1, at - 1), change, substr(s, end + 1)
}
