// Tiles of one step: each kernel has stages, whose points lie around those of the
// tile.  Lists are by dimension, the outermost first.
const SIZE = ["bx", "by", "bz"];
const dims = data.dims.length;
let kernel, size;

function readSizes() {
	const number = $("kernel") ? +$("kernel").value : 0, walk = data.walks[number];
	kernel = {...data.kernels[number], walk: walk.lead ? walk : null};
	size = kernel.pitch.map((pitch, d) => {
		const input = $(SIZE[dims - 1 - d]);
		return input ? +input.value : pitch;
	});
}

const extent = (around, d) => size[d] + around.high[d] - around.low[d];
const pointsOf = around => size.reduce((n, s, d) => n * extent(around, d), 1);

// Iterations of a tile that is swept: planes of dimension 0.
const iterations = () => kernel.walk ? kernel.walk.last - kernel.walk.first + 1 +
	size[0] - kernel.pitch[0] : 1;
// Moments of an iteration: what is loaded, then stage after stage.
const sub = () => kernel.stages.length + 1;

function where(moment) {
	return {n: (kernel.walk ? kernel.walk.first : 0) + Math.floor(moment / sub()),
		stage: moment % sub() - 1};
}

// All that is read around the tile, or NULL.
function loads() {
	return kernel.loads.reduce((all, l) => all ? {
		low: all.low.map((x, d) => Math.min(x, l.low[d])),
		high: all.high.map((x, d) => Math.max(x, l.high[d])),
	} : {low: l.low, high: l.high}, null);
}

const rowsOf = () => {
	const all = loads();
	const names = kernel.loads.map(l => l.name).join(", ");
	return [...(all ? [{name: names.length > 14 ? "what is read" : names, around: all,
		stage: -1}] : []), ...kernel.stages.map((s, i) => ({name: s.name + " " +
		s.field, around: s, stage: i, statement: s.statement}))];
};

// The plane of dimension 0 that a stage of a swept tile computes in an iteration.
const planeOf = (row, n) => n + (row.stage < 0 ?
	Math.max(...kernel.walk.lead) : kernel.walk.lead[row.statement]);

// Stages, each a row over the dimension "d", whose points are those of the tile
// and those around it.
function drawStages(now) {
	const rows = rowsOf(), d = kernel.walk ? 0 : dims - 1;
	const all = rows.map(r => r.around);
	const from = Math.min(0, ...all.map(a => a.low[d]));
	const to = size[d] - 1 + Math.max(0, ...all.map(a => a.high[d]));
	const cell = Math.min(20, 620 / (to - from + 1));
	const high = Math.min(20, 400 / rows.length);
	const svg = canvas("explorer-stages", 750, rows.length * high + 44);
	rows.forEach((row, i) => {
		const y = (rows.length - 1 - i) * high;
		const bar = (a, b, name) => b > a && element("rect", {
			x: 110 + (a - from) * cell, y, width: (b - a) * cell - 1,
			height: high - 2, class: name}, svg);
		const low = row.around.low[d], end = size[d] + row.around.high[d];
		const isNow = row.stage === now.stage;
		element("text", {x: 104, y: y + high - 5, class: "end small"}, svg, row.name);
		if (kernel.walk) {
			const plane = planeOf(row, now.n);
			bar(low, end, "nothing");
			for (let x = low; x < Math.min(end, plane + 1); x++)
				bar(x, x + 1, (row.stage < 0 ? "loaded" : x < 0 || x >= size[d] ?
					"loaded" : "stored") + (x === plane ? isNow ? " runs" : "" : " gone"));
			return;
		}
		const state = row.stage < now.stage ? " done" : isNow ? " runs" : " waits";
		if (row.stage < 0) {
			bar(low, end, "loaded" + state);
			return;
		}
		bar(low, Math.min(0, end), "loaded" + state);
		bar(Math.max(0, low), Math.min(size[d], end), "stored" + state);
		bar(Math.max(size[d], low), end, "loaded" + state);
	});
	axis(svg, 110, cell, from, to, rows.length * high + 14, data.dims[d] +
		(kernel.walk ? ", swept" : ""));
}

// The two innermost dimensions, or the only one: what the stage computes over the
// tile and its neighbours, of which it computes what they compute as well.
function drawPlane(now) {
	const row = rowsOf().find(r => r.stage === now.stage);
	const inner = dims - 1, outer = dims > 1 ? dims - 2 : -1;
	const wide = size[inner], tall = outer < 0 ? 1 : size[outer];
	const cell = Math.min(20, 700 / (3 * wide), 400 / (3 * tall) * 3);
	const high = outer < 0 ? 20 : Math.min(cell * 4, 130 / tall);
	const svg = canvas("explorer-plane", 750, 3 * tall * high + 44);
	for (let i = 0; i < 3; i++)
		for (let j = 0; j < 3; j++)
			element("rect", {x: 20 + j * wide * cell, y: i * tall * high,
				width: wide * cell, height: tall * high, class: "border"}, svg);
	if (row) {
		const low = d => d < 0 ? 0 : row.around.low[d];
		element("rect", {x: 20 + (wide + low(inner)) * cell,
			y: (tall + low(outer)) * high, width: extent(row.around, inner) * cell,
			height: (outer < 0 ? 1 : extent(row.around, outer)) * high,
			class: "loaded"}, svg);
	}
	element("rect", {x: 20 + wide * cell, y: tall * high, width: wide * cell,
		height: tall * high, class: row && row.stage >= 0 ? "stored" : "ring"}, svg);
	axis(svg, 20, cell, -wide, 2 * wide - 1, 3 * tall * high + 14, data.dims[inner] +
		(outer < 0 ? "" : ", and " + data.dims[outer] + " downwards"));
}

function resize() {
	readSizes();
	const own = size.reduce((n, s) => n * s, 1), k = kernel.stages.length;
	const points = kernel.stages.reduce((n, s) => n + pointsOf(s), 0);
	const stored = kernel.stages.reduce((n, s) => n + Math.min(own, pointsOf(s)), 0);
	showNumbers({stages: k, own, points, stored, again: points - stored,
		overlap: (points / (own * k)).toFixed(3)});
	return iterations() * sub();
}

// Of a swept tile, those of one plane; none of a plane that it does not need.
function pointsAt(stage, now) {
	if (!kernel.walk)
		return pointsOf(stage);
	const plane = planeOf({stage: now.stage, statement: stage.statement}, now.n);
	return plane < stage.low[0] || plane >= size[0] + stage.high[0] ? 0 :
		pointsOf(stage) / extent(stage, 0);
}

function draw(moment) {
	const now = where(moment);
	const stage = kernel.stages[now.stage], at = kernel.walk ?
		`Iteration n = ${now.n}: ` : "Tile by tile: ";
	const plane = row => kernel.walk ? ` plane ${data.dims[0]} = ` +
		planeOf(row, now.n) + " of" : "";
	const points = stage ? pointsAt(stage, now) : 0;
	showNumbers({"row-points": points});
	$("status").textContent = at + (stage ?
		`${stage.name} computes${plane({stage: now.stage,
			statement: stage.statement})} ${stage.field}, ${format(points)} points.` :
		loads() ? `the tile reads${plane({stage: -1})} ` + kernel.loads.map(l =>
			l.name).join(", ") + " around itself." : "nothing is read around the tile.");
	drawStages(now);
	drawPlane(now);
}

explore({resize, draw, first: () => 0,
	jump: moment => moment + sub() - moment % sub()});
