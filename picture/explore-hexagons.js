// Hexagons, and skewed rectangles; symbols are those of doc/tiling.md.

const floor = (r, times) => Math.floor(r[0] * times / r[1]);
const ceil = (r, times) => Math.ceil(r[0] * times / r[1]);

function hexagon(d0, d1, h, w0) {
	if (data.skewed) {
		const height = data.k * h, drift = ceil(d1, height);
		return {d0, d1, h, w0, f0: 0, f1: floor(d1, height - 1), height,
			drift, pitch: w0 + drift};
	}
	const f0 = floor(d0, h), f1 = floor(d1, h);
	return {d0, d1, h, w0, f0, f1, height: 2 * h + 2,
		pitch: 2 * w0 + 2 + f0 + f1};
}

// First and last b of row a: (6), (8), (10), (12) of the paper.
function first(x, a) {
	if (data.skewed)
		return x.f1 - floor(x.d1, a);
	const upper = ceil(x.d0, a - (2 * x.h + 1)) + x.f0;
	const lower = Math.ceil((x.d1[0] * (x.h - a) - (x.d1[1] - 1)) / x.d1[1]);
	return Math.max(upper, lower);
}

function last(x, a) {
	if (data.skewed)
		return first(x, a) + x.w0 - 1;
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

// Moments ---------------------------------------------------------------------

const MOST_POINTS = 250000;
let size, tile;

function readSize() {
	const w = [];
	for (let d = 0; d < data.dims.length; d++)
		w.push(+$("w" + d).value);
	let h = +$("h").value;
	if (!data.skewed)
		h = Math.ceil((h + 1) / data.k) * data.k - 1;
	w[0] = Math.max(w[0], data.skewed ? 1 : leastWidth(h));
	return {h, w};
}

// A moment is a row of a launch; launches are numbered: the phases of T = 0 and
// 1, or wavefronts.
function where(moment) {
	const H = tile.x.height;
	return {a: moment % H, launch: Math.floor(moment / H)};
}

const launchOf = t => data.skewed ? t.T : 2 * t.T + t.phase;

// Columns of the pattern, and its launches.
const columns = () => Math.min(3 * tile.x.pitch, 120);
const launches = () => data.skewed ?
	tileAt(tile.x, 2 * tile.x.height - 1, columns() - 1).T + 1 : 4;

function resize() {
	size = readSize();
	tile = tileOf(size);
	$("h-value").textContent = size.h;
	size.w.forEach((w, d) => $("w" + d + "-value").textContent = w);
	const x = tile.x, c = tile.counts;
	showNumbers({
		height: x.height, pitch: x.pitch,
		points: tile.points, loaded: c[LOADED], reused: c[REUSED],
		kept: c[KEPT], stored: c[STORED],
		ratio: (c[LOADED] / tile.points).toFixed(3),
	});
	if (!data.skewed)
		showNumbers({f0: x.f0, f1: x.f1});
	$("too-large").hidden = tile.points <= MOST_POINTS;
	drawValues();
	return launches() * x.height;
}

// The rows of the schedule, time upwards; what has run is filled.
function drawPattern(now) {
	const x = tile.x, wide = columns(), rows = 2 * x.height;
	const cell = Math.min(20, 700 / wide);
	const row = Math.min(20, 360 / rows);
	const top = 8;	// for half of the uppermost label
	const svg = canvas("explorer-pattern", wide * cell + 40, top + rows * row + 40);
	const label = labelStep(row);
	for (let tau = 0; tau < rows; tau++) {
		const y = top + (rows - 1 - tau) * row;
		if (tau % label === 0)
			element("text", {x: 34, y: y + row - 2, class: "end small"}, svg, tau);
		for (let s = 0, run; s < wide; s = run) {
			const t = tileAt(x, tau, s);
			for (run = s + 1; run < wide; run++) {
				const u = tileAt(x, tau, run);
				if (u.phase !== t.phase || u.S !== t.S || u.T !== t.T)
					break;
			}
			const order = launchOf(t), current = now.launch;
			const state = order < current || (order === current && t.a < now.a) ?
				"done" : order === current && t.a === now.a ? "runs" : "waits";
			element("rect", {x: 40 + s * cell, y, width: (run - s) * cell - 1,
				height: row - 1, class: `phase${t.phase} ${state}`,
				"data-s": tau % data.k}, svg);
		}
	}
	axis(svg, 40, cell, 0, wide - 1, top + rows * row + 14, data.dims[data.hex]);
}

// The tile that computes (tau, s).
function tileAt(x, tau, s) {
	if (data.skewed) {
		const U = Math.floor(tau / x.height), a = tau - U * x.height;
		const S = Math.floor((s + floor(x.d1, a) + U * x.drift) / x.w0);
		return {phase: (U + S) % 2, T: U + S, S, a};
	}
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
	const svg = canvas("explorer-values", 0, 0);
	const n = data.dims.length, hex = data.hex;
	const classes = ["", "loaded", "reused", "kept", "stored"];
	let top = 0, wide = 0;
	tile.fields.forEach((field, f) => {
		const {box, use} = field;
		const columns = box.high[1 + hex] - box.low[1 + hex] + 1;
		const rows = box.high[0] - box.low[0] + 1;
		const cell = Math.min(20, 700 / columns), row = Math.min(20, 300 / rows);
		const label = labelStep(row);
		let middle = 0;
		for (let d = 0; d < n; d++)
			if (d !== hex)
				middle += Math.floor((box.high[1 + d] - box.low[1 + d]) / 2) *
					box.step[1 + d];
		element("text", {x: 40, y: top + 14}, svg, data.fields[f].name);
		for (let v = 0; v < rows; v++) {
			const y = top + 20 + (rows - 1 - v) * row;
			if (v % label === 0)
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

function draw(moment) {
	const now = where(moment), row = tile.rows[now.a], t = threads(row);
	showNumbers({row: now.a, "row-points": row.points,
		threads: `${format(t.running)} of ${format(t.all)}`});
	$("meter").value = t.running / t.all;
	const s = data.statements.find(s => s.number === now.a % data.k);
	const launch = data.skewed ? `Wavefront ${now.launch}` :
		`T = ${Math.floor(now.launch / 2)}, phase ${now.launch % 2}`;
	$("status").textContent = `${launch}, row ${now.a} of ` +
		`each tile: ${s ? s.name : ""} computes ${format(row.points)} points ` +
		`with ${format(t.running)} of ${format(t.all)} threads.`;
	drawPattern(now);
}

explore({
	resize, draw,
	// The row of the first time step.
	first: () => data.skewed ? 0 : readSize().h + 1,
	jump: moment => moment + tile.x.height - where(moment).a,
});
