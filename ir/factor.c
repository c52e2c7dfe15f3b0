/* Weighted sums of neighbouring cells, factored.
 *
 * The weights of a stencil are a map from offsets to numbers.  Two ways lead
 * from maps over the dimensions d, d + 1, .. to simpler ones, which all
 * neighbours share:
 *
 *	slices	a map is the sum of its slices along d, maps over d + 1, ..;
 *		those that are multiples of each other are one, which
 *		neighbours along d share
 *	classes	a map is the weighted sum of the classes of offsets that have
 *		the same weight in each map
 *
 * The 27 points of a cube with weights for its centre, faces, edges and corners
 * have two different slices, P0 and P1; those have three classes, the centre, E
 * and D; with L = A[k-1] + A[k+1],
 *
 *	E = A[j-1] + L + A[j+1]		P0 = w0*A + w1*E + w2*D
 *	D = L[j-1] + L[j+1]		P1 = w1*A + w2*E + w3*D
 *
 * and P1[i-1] + P0[i] + P1[i+1] makes 12 operations.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ir/factor.h"

/* Cells sorted by their offsets. */
struct map {
	int n;
	struct cell *cell;
};

struct factoring {
	struct region *mem;
	int n_dims;
	double epsilon;
};

/* A form for each map, and the total number of operations. */
struct solution {
	struct form *form;
	int cost;
};

/* Weights --------------------------------------------------------------- */

static bool same_symbol(const struct expr *a, const struct expr *b)
{
	if (a == b)
		return true;
	if (!a || !b || a->kind != b->kind || a->op != b->op ||
	    a->n_args != b->n_args || a->param != b->param)
		return false;
	for (int i = 0; i < a->n_args; i++)
		if (!same_symbol(a->arg[i], b->arg[i]))
			return false;
	return true;
}

bool weight_same_symbol(struct weight a, struct weight b)
{
	return same_symbol(a.symbol, b.symbol);
}

static bool weight_is_one(struct weight w)
{
	return w.value == 1 && !w.symbol;
}

static bool same_value(const struct factoring *f, double a, double b)
{
	return fabs(a - b) <= f->epsilon * fmax(fabs(a), fabs(b));
}

static bool same_weight(const struct factoring *f, struct weight a,
	struct weight b)
{
	return same_value(f, a.value, b.value) && weight_same_symbol(a, b);
}

/* Maps ------------------------------------------------------------------ */

static int compare_cells(const void *a, const void *b)
{
	const struct cell *x = a, *y = b;

	for (int d = 0; d < IR_MAX_DIMS; d++)
		if (x->at[d] != y->at[d])
			return x->at[d] < y->at[d] ? -1 : 1;
	return 0;
}

/* Are the offsets equal from dimension "d" on? */
static bool same_place(const struct factoring *f, const struct cell *a,
	const struct cell *b, int d)
{
	return !memcmp(a->at + d, b->at + d,
		sizeof(int) * (size_t) (f->n_dims - d));
}

static bool is_uniform(const struct factoring *f, const struct map *m)
{
	for (int i = 1; i < m->n; i++)
		if (!same_weight(f, m->cell[i].weight, m->cell[0].weight))
			return false;
	return true;
}

/* Is a = ratio * b, from dimension "d" on? */
static bool is_multiple(const struct factoring *f, const struct map *a,
	const struct map *b, int d, double *ratio)
{
	if (a->n != b->n)
		return false;
	*ratio = a->cell[0].weight.value / b->cell[0].weight.value;
	for (int i = 0; i < a->n; i++)
		if (!same_place(f, &a->cell[i], &b->cell[i], d) ||
		    !weight_same_symbol(a->cell[i].weight,
			b->cell[i].weight) ||
		    !same_value(f, a->cell[i].weight.value,
			*ratio * b->cell[i].weight.value))
			return false;
	return true;
}

/* The number in "known", "*n" maps over dimensions from "d" on, of the map of
 * which "m" is a multiple; adds it if it is new.
 */
static int find_multiple(const struct factoring *f, struct map *known, int *n,
	struct map m, int d, struct weight *weight)
{
	double ratio;

	*weight = (struct weight) { 1, NULL };
	if (is_uniform(f, &m)) {
		*weight = m.cell[0].weight;
		for (int i = 0; i < m.n; i++)
			m.cell[i].weight = (struct weight) { 1, NULL };
	}
	for (int i = 0; i < *n; i++)
		if (is_multiple(f, &m, &known[i], d, &ratio)) {
			weight->value *= fabs(ratio - 1) <= f->epsilon ? 1 :
				ratio;
			return i;
		}
	known[*n] = m;
	return (*n)++;
}

/* Forms ----------------------------------------------------------------- */

static int cost_of_form(const struct form *form)
{
	int cost = form->n_parts;

	for (int i = 0; i < form->n_parts; i++)
		if (weight_is_one(form->part[i].weight))
			return cost - 1;
	return cost;
}

static int cost_of_forms(int n, const struct form *form)
{
	int cost = 0;

	for (int i = 0; i < n; i++)
		cost += cost_of_form(&form[i]);
	return cost;
}

static struct solution solve(const struct factoring *f, int n,
	const struct map *map, int d);

/* Each map as the sum of its slices along dimension "d". */
static struct solution by_slices(const struct factoring *f, int n,
	const struct map *map, int d)
{
	struct solution s = { .form = region_array(f->mem, struct form, n) };
	int cells = 0, n_slices = 0, n_parts = 0;
	struct map *slice;
	struct part *part;
	struct solution inner;
	int *which;

	for (int m = 0; m < n; m++)
		cells += map[m].n;
	slice = region_array(f->mem, struct map, cells);
	part = region_array(f->mem, struct part, cells);
	which = region_array(f->mem, int, cells);
	for (int m = 0; m < n; m++) {
		s.form[m].part = part + n_parts;
		for (int i = 0, end; i < map[m].n; i = end) {
			int offset = map[m].cell[i].at[d];
			struct map own = { 0 };

			for (end = i; end < map[m].n &&
			     map[m].cell[end].at[d] == offset; end++)
				own.n++;
			own.cell = region_array(f->mem, struct cell, own.n);
			memcpy(own.cell, map[m].cell + i,
				sizeof(struct cell) * (size_t) own.n);
			part[n_parts].dim = d;
			part[n_parts].offset = offset;
			which[n_parts] = find_multiple(f, slice, &n_slices,
				own, d + 1, &part[n_parts].weight);
			n_parts++;
			s.form[m].n_parts++;
		}
	}
	inner = solve(f, n_slices, slice, d + 1);
	for (int i = 0; i < n_parts; i++)
		part[i].form = &inner.form[which[i]];
	s.cost = inner.cost + cost_of_forms(n, s.form);
	return s;
}

static struct weight weight_at(const struct factoring *f,
	const struct map *m, const struct cell *cell, int d)
{
	for (int i = 0; i < m->n; i++)
		if (same_place(f, &m->cell[i], cell, d))
			return m->cell[i].weight;
	return (struct weight) { 0, NULL };
}

/* Does "cell" have the weights of "class" in all maps? */
static bool in_class(const struct factoring *f, int n, const struct map *map,
	const struct map *class, const struct cell *cell, int d)
{
	for (int m = 0; m < n; m++)
		if (!same_weight(f, weight_at(f, &map[m], cell, d),
		    weight_at(f, &map[m], &class->cell[0], d)))
			return false;
	return true;
}

/* Do maps before number "m" contain this place? */
static bool comes_before(const struct factoring *f, const struct map *map,
	int m, const struct cell *cell, int d)
{
	for (int i = 0; i < m; i++)
		if (weight_at(f, &map[i], cell, d).value != 0)
			return true;
	return false;
}

/* The classes of the offsets in the maps; "class" has room for all. */
static int find_classes(const struct factoring *f, int n,
	const struct map *map, int d, int room, struct map *class)
{
	int n_classes = 0;

	for (int m = 0; m < n; m++)
		for (int i = 0; i < map[m].n; i++) {
			const struct cell *cell = &map[m].cell[i];
			int c = 0;

			if (comes_before(f, map, m, cell, d))
				continue;
			while (c < n_classes && !in_class(f, n, map,
			       &class[c], cell, d))
				c++;
			if (c == n_classes)
				class[n_classes++].cell = region_array(f->mem,
					struct cell, room);
			class[c].cell[class[c].n] = *cell;
			class[c].cell[class[c].n++].weight =
				(struct weight) { 1, NULL };
		}
	for (int c = 0; c < n_classes; c++)
		qsort(class[c].cell, (size_t) class[c].n, sizeof(struct cell),
			compare_cells);
	return n_classes;
}

/* Each map as the weighted sum of classes, and these by slices. */
static struct solution by_classes(const struct factoring *f, int n,
	const struct map *map, int d)
{
	struct solution s = { .form = region_array(f->mem, struct form, n) };
	struct solution inner;
	struct map *class;
	int cells = 0, n_classes;

	for (int m = 0; m < n; m++)
		cells += map[m].n;
	class = region_array(f->mem, struct map, cells);
	n_classes = find_classes(f, n, map, d, cells, class);
	inner = by_slices(f, n_classes, class, d);
	for (int m = 0; m < n; m++) {
		struct form *form = &s.form[m];

		form->part = region_array(f->mem, struct part, n_classes);
		for (int c = 0; c < n_classes; c++) {
			struct weight w = weight_at(f, &map[m],
				&class[c].cell[0], d);

			if (w.value != 0)
				form->part[form->n_parts++] = (struct part) {
					w, -1, 0, &inner.form[c] };
		}
	}
	s.cost = inner.cost + cost_of_forms(n, s.form);
	return s;
}

static struct solution solve(const struct factoring *f, int n,
	const struct map *map, int d)
{
	struct solution slices, classes;

	if (d == f->n_dims)
		return (struct solution) {
			.form = region_array(f->mem, struct form, n) };
	slices = by_slices(f, n, map, d);
	classes = by_classes(f, n, map, d);
	if (n == 1 && is_uniform(f, &map[0]) &&
	    !weight_is_one(map[0].cell[0].weight))
		return classes.cost <= slices.cost ? classes : slices;
	return classes.cost < slices.cost ? classes : slices;
}

static int cost_as_written(int n, const struct cell *cell)
{
	for (int i = 0; i < n; i++)
		if (weight_is_one(cell[i].weight))
			return n - 1;
	return n;
}

const struct form *factor(struct region *r, int n_dims, double epsilon, int n,
	struct cell *cell)
{
	struct factoring f = { r, n_dims, epsilon };
	struct map map = { n, cell };
	struct solution s;

	qsort(cell, (size_t) n, sizeof(*cell), compare_cells);
	s = solve(&f, 1, &map, 0);
	return s.cost < cost_as_written(n, cell) ? &s.form[0] : NULL;
}
