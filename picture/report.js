"use strict";
// The page is written by stencilc; this makes it move.  Symbols are those of
// doc/tiling.md.
const data = JSON.parse(document.getElementById("data").textContent);
const $ = id => document.getElementById(id);
const svgns = "http://www.w3.org/2000/svg";

function element(name, attributes, parent, text) {
	const e = document.createElementNS(svgns, name);
	for (const key in attributes)
		e.setAttribute(key, attributes[key]);
	if (text !== undefined)
		e.textContent = text;
	parent.append(e);
	return e;
}

// Links: what belongs to a statement lights up together ----------------------

function light(statement, on) {
	for (const e of document.querySelectorAll("[data-s~='" + statement + "']"))
		e.classList.toggle("lit", on);
}

for (const e of document.querySelectorAll("button[data-s],.line[data-s]")) {
	const s = e.dataset.s;
	for (const [event, on] of [["mouseenter", true], ["mouseleave", false],
			["focus", true], ["blur", false]])
		e.addEventListener(event, () => light(s, on));
}

// A read lights up where it stands, in the dependences and in the code.
function lightReads(target, on) {
	const e = target.closest ? target.closest("[data-r]") : null;
	if (e)
		for (const read of e.dataset.r.split(" "))
			for (const other of document.querySelectorAll("[data-r~='" + read + "']"))
				other.classList.toggle("lit-read", on);
}

for (const [event, on] of [["mouseover", true], ["mouseout", false],
		["focusin", true], ["focusout", false]])
	document.addEventListener(event, e => lightReads(e.target, on));

// Tables that sort -----------------------------------------------------------

for (const button of document.querySelectorAll("th button"))
	button.addEventListener("click", () => {
		const th = button.parentElement, body = th.closest("table").tBodies[0];
		const up = th.getAttribute("aria-sort") !== "ascending";
		const rows = [...body.rows], n = th.cellIndex;
		const key = row => row.cells[n].dataset.value || row.cells[n].textContent;
		rows.sort((a, b) => (key(a) - key(b) ||
			(isNaN(key(a)) ? key(a).localeCompare(key(b)) : 0)) * (up ? 1 : -1));
		for (const other of th.parentElement.cells)
			other.removeAttribute("aria-sort");
		th.setAttribute("aria-sort", up ? "ascending" : "descending");
		body.append(...rows);
	});

// Hexagons -------------------------------------------------------------------

const floor = (r, times) => Math.floor(r[0] * times / r[1]);
const ceil = (r, times) => Math.ceil(r[0] * times / r[1]);

function hexagon(d0, d1, h, w0) {
	const f0 = floor(d0, h), f1 = floor(d1, h);
	return {d0, d1, h, w0, f0, f1, height: 2 * h + 2,
		pitch: 2 * w0 + 2 + f0 + f1};
}

// First and last b of row a: (6), (8), (10), (12) of the paper.
function first(x, a) {
	const upper = ceil(x.d0, a - (2 * x.h + 1)) + x.f0;
	const lower = Math.ceil((x.d1[0] * (x.h - a) - (x.d1[1] - 1)) / x.d1[1]);
	return Math.max(upper, lower);
}

function last(x, a) {
	const upper = floor(x.d1, 2 * x.h + 1 - a) + x.f0 + x.w0;
	const lower = Math.floor((x.d0[0] * (a - x.h) + x.d0[1] - 1) / x.d0[1]) +
		x.f0 + x.w0 + x.f1;
	return Math.min(upper, lower);
}

// Bound (1): the least w0 for a height.
function leastWidth(h) {
	const side = r => Math.ceil((r[0] + r[0] * h - floor(r, h) * r[1]) / r[1]) - 1;
	return Math.max(0, side(data.delta0[data.hex]), side(data.delta1[data.hex]));
}

// What a tile does with values ------------------------------------------------

const LOADED = 1, REUSED = 2, KEPT = 3, STORED = 4;

// The tile of size {h, w}: its rows, and what becomes of the values of each
// state, in a box around them.
function tileOf(size) {
	const k = data.k, n = data.dims.length, hex = data.hex;
	const x = hexagon(data.delta0[hex], data.delta1[hex], size.h, size.w[0]);
	const width = d => size.w[d < hex ? d + 1 : d];
	const range = (a, d) => d === hex ? [first(x, a), last(x, a)] :
		[-floor(data.delta1[d], a), width(d) - 1 - floor(data.delta1[d], a)];
	const tile = {x, rows: [], fields: [], counts: [0, 0, 0, 0, 0], points: 0};
	for (let a = 0; a < x.height; a++) {
		const row = {range: [], points: 1};
		for (let d = 0; d < n; d++) {
			row.range.push(range(a, d));
			row.points *= Math.max(0, row.range[d][1] - row.range[d][0] + 1);
		}
		tile.points += row.points;
		tile.rows.push(row);
	}
	let sequential = -1;
	for (let d = 0; d < n; d++)
		if (d !== hex)
			sequential = d;
	data.fields.forEach((field, f) => {
		const box = boxOf(tile, f), use = new Uint8Array(box.size);
		for (const s of data.statements) {
			for (const r of s.reads)
				if (r.field === f)
					paint(tile, box, use, s.number, r, 1);
			if (s.write.field === f)
				paint(tile, box, use, s.number, s.write, 2);
		}
		const before = sequential < 0 || !data.reuse ? 0 :
			width(sequential) * box.step[1 + sequential];
		classify(tile, f, box, use, before, sequential);
		for (const u of use)
			tile.counts[u]++;
		tile.fields.push({box, use});
	});
	return tile;
}

// Low ends and extents of the values [v, y] of a field.
function boxOf(tile, f) {
	const n = data.dims.length, k = data.k;
	const low = Array(n + 1).fill(Infinity), high = Array(n + 1).fill(-Infinity);
	for (const s of data.statements)
		for (const acc of [...s.reads, s.write])
			for (let a = s.number; a < tile.rows.length && acc.field === f; a += k) {
				const v = (a - s.number) / k + acc.version;
				low[0] = Math.min(low[0], v);
				high[0] = Math.max(high[0], v);
				for (let d = 0; d < n; d++) {
					const [from, to] = tile.rows[a].range[d];
					low[1 + d] = Math.min(low[1 + d], from + acc.offset[d]);
					high[1 + d] = Math.max(high[1 + d], to + acc.offset[d]);
				}
			}
	const step = Array(n + 1);
	let size = 1;
	for (let d = n; d >= 0; d--) {
		step[d] = size;
		size *= high[d] - low[d] + 1;
	}
	return {low, high, step, size};
}

// Mark the values that "acc" of the instances of a statement touches.
function paint(tile, box, use, number, acc, bit) {
	const n = data.dims.length, k = data.k;
	for (let a = number; a < tile.rows.length; a += k) {
		const visit = (d, at) => {
			const [from, to] = tile.rows[a].range[d];
			at += (from + acc.offset[d] - box.low[1 + d]) * box.step[1 + d];
			for (let x = from; x <= to; x++, at += box.step[1 + d])
				if (d + 1 < n)
					visit(d + 1, at);
				else
					use[at] |= bit;
		};
		visit(0, ((a - number) / k + acc.version - box.low[0]) * box.step[0]);
	}
}

// From "read" and "written" to what becomes of a value: it is loaded, or the
// tile before, "before" cells further, has left it; it is stored if an
// instance outside the hexagon reads it.
function classify(tile, f, box, use, before, sequential) {
	const k = data.k, hex = data.hex, marks = use.slice();
	const extent = 1 + sequential >= 1 ?
		box.high[1 + sequential] - box.low[1 + sequential] + 1 : 0;
	for (let at = 0; at < use.length; at++) {
		if (!marks[at])
			continue;
		const v = Math.floor(at / box.step[0]) + box.low[0];
		if (!(marks[at] & 2)) {
			use[at] = LOADED;
			if (before) {
				const y = Math.floor(at / box.step[1 + sequential]) % extent;
				const width = before / box.step[1 + sequential];
				if (y + width < extent && marks[at + before])
					use[at] = REUSED;
			}
			continue;
		}
		const s0 = Math.floor(at / box.step[1 + hex]) %
			(box.high[1 + hex] - box.low[1 + hex] + 1) + box.low[1 + hex];
		use[at] = KEPT;
		for (const s of data.statements)
			for (const r of s.reads)
				if (r.field === f) {
					const a = k * (v - r.version) + s.number;
					const b = s0 - r.offset[hex];
					if (a < 0 || a >= tile.x.height ||
							b < first(tile.x, a) || b > last(tile.x, a))
						use[at] = STORED;
				}
	}
}

// The explorer ---------------------------------------------------------------

const MOST_POINTS = 250000;
let size, tile, moment = 0, timer;

function readSize() {
	const w = [];
	for (let d = 0; d < data.dims.length; d++)
		w.push(+$("w" + d).value);
	let h = +$("h").value;
	h = Math.ceil((h + 1) / data.k) * data.k - 1;
	w[0] = Math.max(w[0], leastWidth(h));
	return {h, w};
}

// A moment is a row of a phase of a T: T = 0 and 1 are shown.
function where() {
	const H = tile.x.height, a = moment % H, launch = Math.floor(moment / H);
	return {a, phase: launch % 2, T: Math.floor(launch / 2)};
}

function format(n) {
	return String(n).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

function resize() {
	size = readSize();
	tile = tileOf(size);
	$("h-value").textContent = size.h;
	size.w.forEach((w, d) => $("w" + d + "-value").textContent = w);
	moment = Math.min(moment, 4 * tile.x.height - 1);
	$("moment").max = 4 * tile.x.height - 1;
	const x = tile.x, c = tile.counts;
	const show = {
		f0: x.f0, f1: x.f1, height: x.height, pitch: x.pitch,
		points: tile.points, loaded: c[LOADED], reused: c[REUSED],
		kept: c[KEPT], stored: c[STORED],
	};
	for (const key in show) {
		$("n-" + key).textContent = format(show[key]);
		$("n-" + key).dataset.value = show[key];
	}
	$("n-ratio").textContent = (c[LOADED] / tile.points).toFixed(3);
	$("too-large").hidden = tile.points <= MOST_POINTS;
	drawValues();
	step();
}

// The rows of the schedule, time upwards; what has run is filled.
function drawPattern() {
	const svg = $("explorer-pattern"), x = tile.x, now = where();
	const columns = Math.min(3 * x.pitch, 120), rows = 2 * x.height;
	const cell = Math.min(20, 700 / columns);
	const row = Math.min(20, 360 / rows);
	svg.replaceChildren();
	svg.setAttribute("viewBox",
		`0 0 ${Math.max(750, columns * cell + 40)} ${rows * row + 24}`);
	for (let tau = 0; tau < rows; tau++) {
		const y = (rows - 1 - tau) * row;
		if (row >= 9 || tau % 5 === 0)
			element("text", {x: 34, y: y + row - 2, class: "end small"}, svg, tau);
		for (let s = 0, run; s < columns; s = run) {
			const t = tileAt(x, tau, s);
			for (run = s + 1; run < columns; run++) {
				const u = tileAt(x, tau, run);
				if (u.phase !== t.phase || u.S !== t.S || u.T !== t.T)
					break;
			}
			const order = 2 * t.T + t.phase, current = 2 * now.T + now.phase;
			const state = order < current || (order === current && t.a < now.a) ?
				"done" : order === current && t.a === now.a ? "runs" : "waits";
			element("rect", {x: 40 + s * cell, y, width: (run - s) * cell - 1,
				height: row - 1, class: `phase${t.phase} ${state}`,
				"data-s": tau % data.k}, svg);
		}
	}
	element("text", {x: 40, y: rows * row + 18}, svg,
		data.dims[data.hex] + " \u2192");
}

// The tile that computes (tau, s).
function tileAt(x, tau, s) {
	for (let phase = 0; phase < 2; phase++) {
		const at = tau + (phase ? 0 : x.h + 1);
		const T = Math.floor(at / x.height), a = at - T * x.height;
		const along = s + (phase ? 0 : x.f0 + x.w0 + 1) + T * (x.f1 - x.f0);
		const S = Math.floor(along / x.pitch), b = along - S * x.pitch;
		if (b >= first(x, a) && b <= last(x, a))
			return {phase, T, S, a};
	}
	throw new Error("no tile holds " + tau + ", " + s);
}

// A slice through the middle of the tile: versions over the hexagon.
function drawValues() {
	const svg = $("explorer-values"), n = data.dims.length, hex = data.hex;
	const classes = ["", "loaded", "reused", "kept", "stored"];
	svg.replaceChildren();
	let top = 0, wide = 0;
	tile.fields.forEach((field, f) => {
		const {box, use} = field;
		const columns = box.high[1 + hex] - box.low[1 + hex] + 1;
		const rows = box.high[0] - box.low[0] + 1;
		const cell = Math.min(20, 700 / columns), row = Math.min(20, 300 / rows);
		let middle = 0;
		for (let d = 0; d < n; d++)
			if (d !== hex)
				middle += Math.floor((box.high[1 + d] - box.low[1 + d]) / 2) *
					box.step[1 + d];
		element("text", {x: 40, y: top + 14}, svg, data.fields[f].name);
		for (let v = 0; v < rows; v++) {
			const y = top + 20 + (rows - 1 - v) * row;
			if (row >= 9 || v % 5 === 0)
				element("text", {x: 34, y: y + row - 2, class: "end small"}, svg,
					"t+" + (v + box.low[0]));
			for (let c = 0, run; c < columns; c = run) {
				const of = c => use[v * box.step[0] + c * box.step[1 + hex] + middle];
				for (run = c + 1; run < columns && of(run) === of(c) && cell < 6; run++)
					;
				if (of(c))
					element("rect", {x: 40 + c * cell, y, width: (run - c) * cell - 1,
						height: row - 1, class: classes[of(c)]}, svg);
			}
		}
		top += 34 + rows * row;
		wide = Math.max(wide, columns * cell + 50);
	});
	svg.setAttribute("viewBox", `0 0 ${Math.max(wide, 750)} ${top}`);
}

// Threads of a block that have a point in the current row.
function threads(row) {
	let running = 1, all = 1;
	data.threads.forEach((t, i) => {
		const d = data.dims.length - 1 - i;
		const extent = d < 0 ? 1 : row.range[d][1] - row.range[d][0] + 1;
		running *= Math.min(t, Math.max(0, extent));
		all *= t;
	});
	return {running, all};
}

function step() {
	const now = where(), row = tile.rows[now.a], t = threads(row);
	$("moment").value = moment;
	$("moment-value").textContent = moment;
	$("n-row").textContent = now.a;
	$("n-row-points").textContent = format(row.points);
	$("n-row-points").dataset.value = row.points;
	$("n-threads").textContent = `${format(t.running)} of ${format(t.all)}`;
	$("n-threads").dataset.value = t.running;
	$("meter").value = t.running / t.all;
	const s = data.statements.find(s => s.number === now.a % data.k);
	$("status").textContent = `T = ${now.T}, phase ${now.phase}, row ${now.a} of ` +
		`each tile: ${s ? s.name : ""} computes ${format(row.points)} points ` +
		`with ${format(t.running)} of ${format(t.all)} threads.`;
	drawPattern();
}

function move(by) {
	const n = 4 * tile.x.height;
	moment = (moment + by + n) % n;
	step();
}

function play() {
	clearInterval(timer);
	timer = timer ? undefined : setInterval(() => move(1), 400);
	$("play").textContent = timer ? "Stop" : "Play";
	$("play").setAttribute("aria-pressed", Boolean(timer));
}

if (data.hex >= 0) {
	for (const input of document.querySelectorAll("#sizes input"))
		input.addEventListener("input", resize);
	moment = +$("h").value + 1;	// the row of the first time step
	$("moment").addEventListener("input", () => {
		moment = +$("moment").value;
		step();
	});
	$("back").addEventListener("click", () => move(-1));
	$("next").addEventListener("click", () => move(1));
	$("launch").addEventListener("click", () => move(tile.x.height - where().a));
	$("play").addEventListener("click", play);
	resize();
}
document.documentElement.dataset.ready = Math.round(performance.now());
