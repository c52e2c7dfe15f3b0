# A map of folders in layers, as SVG, from lines "FOLDER INCLUDED": who includes
# whom is drawn above it.  An arrow that follows from others is left out; folders
# that stand for the same, wings with the same arrows which nobody includes, share
# a box.

function add(node) {
	if (!(node in known)) {
		known[node]
		name[++n] = node
	}
}

# Is there a way from "from" down to "to"?
function leads(from, to,  i) {
	if ((from, to) in way)
		return way[from, to]
	way[from, to] = 0
	for (i = 1; i <= n && !way[from, to]; i++)
		if ((from, name[i]) in edge &&
				(name[i] == to || leads(name[i], to)))
			way[from, to] = 1
	return way[from, to]
}

# Does "from -> to" follow from another arrow of "from"?
function follows(from, to,  i) {
	for (i = 1; i <= n; i++)
		if (name[i] != to && (from, name[i]) in edge && leads(name[i], to))
			return 1
	return 0
}

function layer_of(node,  i, at) {
	if (node in layer)
		return layer[node]
	layer[node] = 0
	for (i = 1; i <= n; i++)
		if ((node, name[i]) in edge && (at = layer_of(name[i]) + 1) > layer[node])
			layer[node] = at
	return layer[node]
}

# What tells wings apart: their top folder and their arrows; "" of other folders.
function kind_of(node,  i, kind) {
	if (node !~ /\// || node in included)
		return ""
	kind = node
	sub(/\/.*/, "", kind)
	for (i = 1; i <= n; i++)
		if ((node, name[i]) in kept)
			kind = kind " " name[i]
	return kind
}

# Boxes: a folder each, or wings together; box_of[folder], in the order of names.
function find_boxes(  i, kind) {
	for (i = 1; i <= n; i++) {
		kind = kind_of(name[i])
		if (kind != "" && kind in first_of) {
			box_of[name[i]] = first_of[kind]
			more[first_of[kind]] = more[first_of[kind]] " " name[i]
			continue
		}
		first_of[kind] = box_of[name[i]] = name[i]
		place(name[i], layer[name[i]])
	}
}

# A box, or a point of an arrow that passes through, in the layer "at".
function place(what, at) {
	in_layer[at, ++count[at]] = what
	rank[what] = count[at]
	level[what] = at
	if (at > top)
		top = at
}

function link(above, below) {
	above_of[++links] = above
	below_of[links] = below
}

# Arrows as links from layer to layer.
function find_links(  i, j, at, from, passing) {
	for (i = 1; i <= n; i++)
		for (j = 1; j <= n; j++) {
			if (!((name[i], name[j]) in kept) || box_of[name[i]] != name[i])
				continue
			from = name[i]
			for (at = layer[from] - 1; at > layer[name[j]]; at--) {
				passing = name[i] ">" name[j] ">" at
				place(passing, at)
				link(from, passing)
				from = passing
			}
			link(from, name[j])
		}
}

# Order the boxes of a layer by the mean place of those that they are linked to.
function sort_layer(at, by_below,  i, j, sum, k, what, key, moved) {
	for (i = 1; i <= count[at]; i++) {
		what = in_layer[at, i]
		sum = k = 0
		for (j = 1; j <= links; j++) {
			if (by_below && above_of[j] == what) {
				sum += rank[below_of[j]] / (count[at - 1] + 1)
				k++
			} else if (!by_below && below_of[j] == what) {
				sum += rank[above_of[j]] / (count[at + 1] + 1)
				k++
			}
		}
		key[what] = k ? sum / k : rank[what] / (count[at] + 1)
	}
	do {
		moved = 0
		for (i = 1; i < count[at]; i++)
			if (key[in_layer[at, i]] > key[in_layer[at, i + 1]] + 1e-9) {
				what = in_layer[at, i]
				in_layer[at, i] = in_layer[at, i + 1]
				in_layer[at, i + 1] = what
				moved = 1
			}
	} while (moved)
	for (i = 1; i <= count[at]; i++)
		rank[in_layer[at, i]] = i
}

function is_passing(what) {
	return what ~ />/
}

function width_of(what) {
	return is_passing(what) ? 14 : 128
}

function height_of(what) {
	return is_passing(what) ? 0 : 26 + 15 * split(more[what], part, " ")
}

# Where boxes are, layer by layer from below.
function find_places(  at, i, sum, x, high, y) {
	for (at = 0; at <= top; at++) {
		sum = -GAP
		for (i = 1; i <= count[at]; i++)
			sum += width_of(in_layer[at, i]) + GAP
		wide[at] = sum
		if (sum > width)
			width = sum
	}
	y = 0
	for (at = 0; at <= top; at++) {
		high = 26
		for (i = 1; i <= count[at]; i++)
			if (height_of(in_layer[at, i]) > high)
				high = height_of(in_layer[at, i])
		x = (width - wide[at]) / 2
		y -= high
		for (i = 1; i <= count[at]; i++) {
			left[in_layer[at, i]] = x
			upper[in_layer[at, i]] = y
			lower[in_layer[at, i]] = y + high
			x += width_of(in_layer[at, i]) + GAP
		}
		y -= 44
	}
	height = -y - 44
}

function middle(what) {
	return left[what] + width_of(what) / 2
}

# Boxes stand on the lower edge of their layer.
function upper_edge(what) {
	return is_passing(what) ? upper[what] : lower[what] - height_of(what)
}

function draw_link(j,  x1, y1, x2, y2, bend) {
	x1 = middle(above_of[j]) + MARGIN
	y1 = lower[above_of[j]] + height + MARGIN
	x2 = middle(below_of[j]) + MARGIN
	y2 = upper_edge(below_of[j]) + height + MARGIN
	bend = (y2 - y1) / 2
	printf "<path class=\"%s\" d=\"M%.1f,%.1f C%.1f,%.1f %.1f,%.1f %.1f,%.1f\"/>\n",
		is_passing(below_of[j]) ? "way" : "arrow", x1, y1, x1, y1 + bend,
		x2, y2 - bend, x2, y2
	if (is_passing(below_of[j]))
		printf "<path class=\"way\" d=\"M%.1f,%.1f V%.1f\"/>\n", x2, y2,
			lower[below_of[j]] + height + MARGIN
}

function draw_box(what,  i, k, x, y, folders) {
	x = left[what] + MARGIN
	y = upper_edge(what) + height + MARGIN
	printf "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%d\" rx=\"3\"/>\n",
		what ~ /\// ? "wing" : "folder", x, y, width_of(what), height_of(what)
	k = split(what more[what], folders, " ")
	for (i = 1; i <= k; i++)
		printf "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n", x + width_of(what) / 2,
			y + 2 + 15 * i, folders[i] == "main" ? "main.c" : folders[i] "/"
}

{
	add($1)
	add($2)
	edge[$1, $2]
}

END {
	GAP = 16
	MARGIN = 12
	for (i = 1; i <= n; i++)
		for (j = 1; j <= n; j++)
			if ((name[i], name[j]) in edge && !follows(name[i], name[j])) {
				kept[name[i], name[j]]
				included[name[j]]
			}
	for (i = 1; i <= n; i++)
		layer_of(name[i])
	find_boxes()
	find_links()
	for (i = 0; i < 8; i++) {
		for (at = 1; at <= top; at++)
			sort_layer(at, 1)
		for (at = top - 1; at >= 0; at--)
			sort_layer(at, 0)
	}
	find_places()
	printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" ",
		width + 2 * MARGIN, height + 2 * MARGIN
	printf "viewBox=\"0 0 %d %d\" role=\"img\">\n", width + 2 * MARGIN,
		height + 2 * MARGIN
	print "<title>The folders: each includes those that its arrows lead to, and what these include</title>"
	print "<style>text{font:12px 'DejaVu Sans',Verdana,sans-serif;text-anchor:middle;fill:#1a1a1a}"
	print ".folder{fill:#9fcbe6;stroke:#0072b2}.wing{fill:#f7ddb0;stroke:#b07a10}"
	print ".arrow,.way{fill:none;stroke:#767676;stroke-width:1.3}.arrow{marker-end:url(#head)}</style>"
	print "<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0,0 L8,4 L0,8 z\" fill=\"#767676\"/></marker></defs>"
	print "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
	for (j = 1; j <= links; j++)
		draw_link(j)
	for (at = top; at >= 0; at--)
		for (i = 1; i <= count[at]; i++)
			if (!is_passing(in_layer[at, i]))
				draw_box(in_layer[at, i])
	print "</svg>"
}
