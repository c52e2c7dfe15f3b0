// Sweeps: statement s at step t and point x is in wave
// step*t + along*x + behind[s], see ir/waves.h.
let steps, extent, statement = 0;

const waveOf = (t, x, s) => data.step * t + data.behind0 + s.behind +
	data.along.reduce((w, a, d) => w + a * (x[d] || 0), 0);

// Call "each" for all points drawn; further dimensions are at 0.
function points(each) {
	for (let i = 0; i < extent[0]; i++)
		for (let j = 0; j < extent[1]; j++)
			each([i, j]);
}

// The least number that a wave has, which counts from 0 here.
function firstWave() {
	let least = Infinity;
	data.behind0 = 0;
	points(x => data.sweeps.forEach(s => least = Math.min(least, waveOf(0, x, s))));
	return least;
}

function resize() {
	let last = 0, all = 0;
	steps = +$("T").value;
	extent = [+$("N").value, $("M") ? +$("M").value : 1];
	data.behind0 = -firstWave();
	points(x => data.sweeps.forEach(s => {
		last = Math.max(last, waveOf(steps - 1, x, s));
		all += steps;
	}));
	showNumbers({waves: last + 1, points: all, mean: (all / (last + 1)).toFixed(1)});
	return last + 1;
}

function draw(wave) {
	const two = data.dims.length > 1, k = data.sweeps.length;
	const cell = Math.min(24, 700 / extent[1]), high = Math.min(24, 420 / extent[0] / k);
	const svg = canvas("explorer-points", 40 + cell * extent[1],
		k * (extent[0] * high + 24) + 44);
	const found = new Set();
	let count = 0;
	data.sweeps.forEach((s, n) => {
		const top = n * (extent[0] * high + 24) + 18;
		element("text", {x: 40, y: top - 5, class: "small"}, svg, s.name + " " + s.field);
		points(x => {
			let done = -1, runs = false;
			for (let t = 0; t < steps; t++) {
				const w = waveOf(t, x, s);
				if (w === wave) {
					runs = true;
					count++;
					found.add(t);
				}
				if (w <= wave)
					done = t;
			}
			element("rect", {x: 40 + x[1] * cell, y: top + x[0] * high,
				width: cell - 1, height: high - 1,
				class: (done < 0 ? "nothing" : "phase" + done % 2) +
					(runs ? " runs" : done < 0 ? "" : " gone"),
				"data-t": done, "data-i": x[0], "data-j": x[1]}, svg);
			const next = waveOf(Math.min(steps - 1, runs ? done : done + 1), x, s);
			if (cell >= 15 && high >= 12)
				element("text", {x: 40 + (x[1] + 0.5) * cell - 0.5,
					y: top + (x[0] + 0.5) * high + 4, class: "small middle"}, svg, next);
		});
	});
	const names = two ? data.dims[1] + ", and " + data.dims[0] + " downwards" :
		data.dims[0];
	axis(svg, 40, cell, 0, extent[1] - 1, k * (extent[0] * high + 24) + 14, names);
	showNumbers({wave, "row-points": count, steps: found.size});
	$("status").textContent = `Wave ${wave} computes ${format(count)} points, of ` +
		stepsOf(found) +
		(data.dims.length > 2 ? ` Drawn where ${data.dims.slice(2).join(", ")} is 0.` : "");
}

// "step 1.", "steps 0, 1 and 2."
function stepsOf(found) {
	const steps = [...found].sort((a, b) => a - b), last = steps.pop();
	return last === undefined ? "no step." : !steps.length ? `step ${last}.` :
		`steps ${steps.join(", ")} and ${last}.`;
}

explore({resize, draw, first: () => data.along[0] * Math.floor(+$("N").value / 2),
	jump: moment => moment + data.step});
