"use strict";
// The page is written by stencilc; this makes it move.  What the explorer draws
// is in the script of the form of the code that was emitted, which follows.
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

// The explorer ---------------------------------------------------------------

function format(n) {
	return String(n).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

// Fill in numbers of the table; those of whole numbers are for machines, too.
function showNumbers(numbers) {
	for (const key in numbers) {
		const e = $("n-" + key), value = numbers[key];
		e.textContent = typeof value === "number" ? format(value) : value;
		if (typeof value === "number")
			e.dataset.value = value;
	}
}

// An empty canvas of that size.
function canvas(id, width, height) {
	const svg = $(id);
	svg.replaceChildren();
	svg.setAttribute("viewBox", `0 0 ${Math.max(width, 750)} ${height}`);
	return svg;
}

// Numbers under the points "from" to "to", the first at "left", and the name of
// the dimension, which grows to the right.
function axis(svg, left, cell, from, to, y, name) {
	const step = [1, 2, 5, 10, 20, 50, 100, 200, 500].find(n => n * cell >= 34) || 1000;
	for (let x = Math.ceil(from / step) * step; x <= to; x += step)
		element("text", {x: left + (x - from + 0.5) * cell, y, class: "small middle"},
			svg, x);
	element("text", {x: left, y: y + 18}, svg, name + " \u2192");
}

// Every how many rows of a height have a label, so that labels do not collide.
function labelStep(height) {
	return [1, 2, 5, 10, 20, 50].find(n => n * height >= 12) || 100;
}

// "x" is an explorer: resize() reads the sliders and returns how many moments
// there are, draw(moment) draws one, jump(moment) is the one that the third
// button leads to, first() the one to begin with.
function explore(x) {
	let moment = 0, n = 1, timer;

	function show() {
		$("moment").value = moment;
		$("moment-value").textContent = moment;
		x.draw(moment);
	}

	function go(to) {
		moment = (to % n + n) % n;
		show();
	}

	function resize() {
		for (const input of document.querySelectorAll("#sizes input"))
			$(input.id + "-value").textContent = input.value;
		n = x.resize();
		moment = Math.min(moment, n - 1);
		$("moment").max = n - 1;
		show();
	}

	function play() {
		clearInterval(timer);
		timer = timer ? undefined : setInterval(() => go(moment + 1), 400);
		$("play").textContent = timer ? "Stop" : "Play";
		$("play").setAttribute("aria-pressed", Boolean(timer));
	}

	// The sliders take the sizes of a candidate.
	function take(row) {
		for (const size of row.dataset.sizes.split(" ")) {
			const [name, value] = size.split("=");
			if ($(name))
				$(name).value = value;
		}
		resize();
		$("explorer").scrollIntoView();
	}

	for (const input of document.querySelectorAll("#sizes input"))
		input.addEventListener("input", resize);
	for (const button of document.querySelectorAll("#candidates td button"))
		button.addEventListener("click", () => take(button.closest("tr")));
	$("moment").addEventListener("input", () => go(+$("moment").value));
	$("back").addEventListener("click", () => go(moment - 1));
	$("next").addEventListener("click", () => go(moment + 1));
	$("launch").addEventListener("click", () => go(x.jump(moment)));
	$("play").addEventListener("click", play);
	moment = x.first();
	resize();
}

addEventListener("DOMContentLoaded", () =>
	document.documentElement.dataset.ready = Math.round(performance.now()));
