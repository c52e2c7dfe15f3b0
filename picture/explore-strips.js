// Strips, and pipelines of C, whose tiles are streamed some rows at a time; symbols
// are those of doc/stream.md.  Lists are by role: the dimension that is streamed,
// that of rows, that of lanes.
const STREAM = 0, ROW = 1, LANE = 2;
const has = role => data.role[role] >= 0;
const nameOf = role => data.dims[data.role[role]];
let strip;

const roundUp = (n, by) => Math.ceil(n / by) * by;
const slider = (name, otherwise) => $(name) ? +$(name).value : otherwise;
const lag = (step, number) => step * data.step + data.lag[number];

// Positions that an iteration computes of each version.
const AT = data.at || 1;

// Lanes of the sliders' sizes, as schedule/strips/needs.c has them.
function readLanes(s) {
	s.v = 2 ** Math.ceil(Math.log2(+$("v").value));
	$("v-value").textContent = s.v;
	Object.assign(s, {l: slider("l", 1), y: slider("y", 1), warps: slider("warps", 1)});
	s.columns = data.lanes * s.v;
	s.before = [0, s.launch.before[ROW], roundUp(s.launch.before[LANE], s.v)];
	s.after = [0, s.launch.after[ROW], roundUp(s.launch.after[LANE], s.v)];
	s.width = s.columns - s.before[LANE] - s.after[LANE];
	s.rows = s.y * s.warps;
	s.height = has(ROW) ? s.rows - s.before[ROW] - s.after[ROW] : 1;
}

// A tile of the sliders' sizes and what is around it.
function readTile(s) {
	const width = role => has(role) ? +$("w" + data.role[role]).value : 1;
	const all = role => width(role) + s.launch.before[role] + s.launch.after[role];
	Object.assign(s, {v: 1, warps: 1, l: width(STREAM), before: s.launch.before,
		after: s.launch.after, columns: all(LANE), width: width(LANE),
		rows: all(ROW), height: width(ROW), y: all(ROW)});
}

function readStrip() {
	const b = slider("b", slider("h", 1));
	const s = {b, launch: data.launches.find(launch => launch.b === b)};
	(data.tiles ? readTile : readLanes)(s);
	s.lag = Math.max(...data.lag.map((of, i) => lag(b - 1, i)));
	s.last = !has(STREAM) ? 0 : data.tiles ? s.l - 1 + s.launch.beyond :
		s.l - 1 + s.lag;
	s.iterations = !has(STREAM) ? 1 : data.tiles ?
		Math.ceil((s.last - s.launch.first + 1) / AT) :
		roundUp(s.last - s.launch.start + 1, data.period);
	s.first = data.tiles && has(STREAM) ? s.launch.first : s.last - s.iterations + 1;
	return s;
}

// A row of the drawing for each version of each state, the oldest below; step m
// computes version m + 1.
function versions() {
	const list = [];
	for (let v = 1 - Math.max(...data.fields.map(f => f.depth)); v <= strip.b; v++)
		for (const s of data.statements)
			if (v > -data.fields[s.write.field].depth)
				list.push({v, s, name: data.fields[s.write.field].name});
	return list;
}

function where(moment) {
	const sub = strip.b + 1;
	return {n: strip.first + AT * (Math.floor(moment / sub) + 1) - 1,
		m: moment % sub - 1};
}

// Positions that are drawn: all of them, or a part that follows the iteration.
function shown(now) {
	const needed = strip.launch.needed;
	let from = Math.min(...needed.map(e => e.low[STREAM]));
	let to = strip.l - 1 + Math.max(...needed.map(e => e.high[STREAM]));
	const WIDE = 56, HALF = 28;
	if (to - from >= WIDE) {
		const at = now.n - Math.floor(strip.lag / 2);
		from = Math.min(to - WIDE + 1, Math.max(from,
			from + (Math.floor((at - from) / HALF) - 0.5) * HALF));
		to = from + WIDE - 1;
	}
	return {from, to};
}

// What becomes of position "x" of version "v" of statement "s" now.
function stateOf(now, row, x) {
	const {v, s} = row, age = now.n - (x + lag(v - 1, s.number));
	const isNow = age >= 0 && age < AT, m = v - 1;
	const e = strip.launch.needed[Math.max(v, 0)];
	if (x < e.low[STREAM] || x > strip.l - 1 + e.high[STREAM])
		return "";
	const isStored = v === strip.b && x >= 0 && x < strip.l;
	if (isNow && v > 0 && m > now.m)
		return "nothing";
	if (isNow)
		return (v <= 0 ? "loaded" : isStored ? "stored" : "kept") +
			(now.m === Math.max(m, -1) ? " runs" : "");
	if (age < 0)
		return v <= 0 && -age <= data.ahead ? "loaded gone" : "nothing";
	if (isStored)
		return "stored";
	return age < data.period ? (v <= 0 ? "loaded" : "kept") : "nothing gone";
}

// Does the step that runs read position "x" of "row"?
function isRead(now, row, x) {
	return now.m >= 0 && data.statements.some(s => {
		const at = now.n - lag(now.m, s.number);
		return s.reads.some(r => r.field === row.s.write.field &&
			now.m + r.version === row.v &&
			x <= at + r.offset[data.role[STREAM]] &&
			x > at + r.offset[data.role[STREAM]] - AT);
	});
}

function drawStream(now) {
	if (!has(STREAM)) {
		const svg = canvas("explorer-stream", 0, 24);
		element("text", {x: 4, y: 16}, svg,
			data.tiles ? "With one dimension the lanes of vectors have parts of a tile." :
			"With one dimension nothing is streamed: all of a version is there.");
		return;
	}
	const rows = versions(), {from, to} = shown(now);
	const cell = Math.min(20, 660 / (to - from + 1));
	const high = Math.min(18, 420 / rows.length);
	const svg = canvas("explorer-stream", 90 + cell * (to - from + 1),
		rows.length * high + 44);
	rows.forEach((row, i) => {
		const y = (rows.length - 1 - i) * high;
		if (i % Math.ceil(12 / high) === 0)
			element("text", {x: 76, y: y + high - 4, class: "end small"}, svg,
				row.name + " t0" + (row.v < 0 ? "\u2212" : "+") + Math.abs(row.v));
		for (let x = from; x <= to; x++) {
			const state = stateOf(now, row, x);
			if (state)
				element("rect", {x: 80 + (x - from) * cell, y, width: cell - 1,
					height: high - 1, class: state, "data-s": row.s.number}, svg);
			if (isRead(now, row, x))
				element("rect", {x: 80.5 + (x - from) * cell, y: y + 1,
					width: cell - 2, height: high - 2, class: "reads"}, svg);
		}
	});
	axis(svg, 80, cell, from, to, rows.length * high + 14, nameOf(STREAM));
}

// Columns of each version, the one computed now outlined.
function drawColumns(now) {
	const cell = 620 / strip.columns, high = Math.min(18, 300 / (strip.b + 1));
	const svg = canvas("explorer-block", 750, (strip.b + 1) * high + 44);
	const x = c => 80 + (c + strip.before[LANE]) * cell;
	for (let v = 0; v <= strip.b; v++) {
		const y = (strip.b - v) * high, e = strip.launch.needed[v];
		const low = e.low[LANE], end = strip.width + e.high[LANE];
		const bar = (a, b, name) => element("rect", {x: x(a), y,
			width: Math.max(0, (b - a) * cell), height: high - 2, class: name}, svg);
		element("text", {x: 76, y: y + high - 4, class: "end small"}, svg, "t0+" + v);
		bar(-strip.before[LANE], strip.width + strip.after[LANE], "nothing");
		bar(low, end, "loaded");
		bar(0, strip.width, "stored");
		if (v === now.m + 1)
			bar(low, end, "ring");
	}
	for (let c = 0; c <= strip.columns && cell * strip.v >= 6 && !data.tiles; c += strip.v)
		element("line", {x1: 80 + c * cell, x2: 80 + c * cell, y1: 0,
			y2: (strip.b + 1) * high, class: "edge"}, svg);
	axis(svg, 80, cell, -strip.before[LANE], strip.columns - strip.before[LANE] - 1,
		(strip.b + 1) * high + 14, nameOf(LANE) +
		(cell * strip.v >= 6 && !data.tiles ? ", lines between lanes" : ""));
}

// The plane of the block that the step computes: what is needed around what is
// stored shrinks on all four sides.
function drawPlane(now) {
	const cell = Math.min(640 / strip.columns, 20);
	const high = Math.min(400 / strip.rows, Math.max(cell, 8));
	const svg = canvas("explorer-block", 750, strip.rows * high + 44);
	const e = strip.launch.needed[now.m + 1];
	const box = (top, bottom, left, right, name) => element("rect", {
		x: 80 + (left + strip.before[LANE]) * cell, y: (top + strip.before[ROW]) * high,
		width: Math.max(0, (right - left) * cell),
		height: Math.max(0, (bottom - top) * high), class: name}, svg);
	box(-strip.before[ROW], strip.height + strip.after[ROW], -strip.before[LANE],
		strip.width + strip.after[LANE], "nothing");
	box(e.low[ROW], strip.height + e.high[ROW], e.low[LANE], strip.width + e.high[LANE],
		"loaded needed");
	box(0, strip.height, 0, strip.width, "stored");
	for (let w = 0; w <= strip.warps; w++) {
		const y = w * strip.y * high;
		element("line", {x1: 80, x2: 80 + strip.columns * cell, y1: y, y2: y,
			class: "border"}, svg);
		if (w < strip.warps && strip.y * high >= 11 && !data.tiles)
			element("text", {x: 76, y: y + strip.y * high / 2 + 4,
				class: "end small"}, svg, "warp " + w);
	}
	axis(svg, 80, cell, -strip.before[LANE], strip.columns - strip.before[LANE] - 1,
		strip.rows * high + 14, nameOf(LANE) + ", and " + nameOf(ROW) + " downwards");
}

function status(now) {
	const position = number => `${nameOf(STREAM)} = ` +
		(AT > 1 ? `${now.n - number - AT + 1} .. ` : "") + (now.n - number);
	const turn = data.tiles ? `Turn p = ${now.n - AT + 1}` : `Iteration n = ${now.n}`;
	if (!has(STREAM))
		return now.m < 0 ? "The strip is loaded." : `Step ${now.m} computes version ` +
			`t0+${now.m + 1} from t0+${now.m}.`;
	if (now.m < 0)
		return `${turn}: ${position(lag(-1, 0))} of version t0 ` +
			(data.ahead ? `arrives, which was on its way for ${data.ahead} iterations.` :
			"is loaded.");
	const at = now.n - lag(now.m, data.statements.length - 1);
	const stores = now.m === strip.b - 1 && at >= 0 && at < strip.l;
	return `${turn}: step ${now.m} computes ` +
		data.statements.map(s => position(lag(now.m, s.number)) + " of " +
			data.fields[s.write.field].name).join(", ") +
		` in version t0+${now.m + 1}` + (stores ? ", and stores it." : ".");
}

function resize() {
	strip = readStrip();
	const possible = strip.width > 0 && strip.height > 0;
	const computed = strip.iterations * AT * strip.columns * (has(ROW) ? strip.rows : 1);
	const stored = (has(STREAM) ? strip.l : 1) * strip.width * strip.height;
	$("too-large").hidden = possible;
	showNumbers({columns: strip.columns, width: Math.max(0, strip.width),
		rows: has(ROW) ? strip.rows : "\u2013",
		height: has(ROW) ? Math.max(0, strip.height) : "\u2013",
		iterations: strip.iterations, length: has(STREAM) ? strip.l : "\u2013",
		useful: possible ? (100 * stored / computed).toFixed(1) + " %" : "none",
		ratio: possible ? (computed / stored / strip.b).toFixed(3) : "\u2013",
		period: data.period, lag: strip.lag});
	return strip.iterations * (strip.b + 1);
}

function draw(moment) {
	const now = where(moment);
	showNumbers({iteration: now.n - AT + 1});
	$("status").textContent = status(now);
	drawStream(now);
	if (has(ROW))
		drawPlane(now);
	else
		drawColumns(now);
}

explore({
	resize, draw,
	// The iteration whose last step stores the first position.
	first: () => {
		strip = readStrip();
		return Math.floor((strip.lag - strip.first) / AT) * (strip.b + 1);
	},
	jump: moment => moment + strip.b + 1 - moment % (strip.b + 1),
});
