/* What columns of vectors load, keep and compute, and when.
 *
 * A node that reads planes i - 1 and i of a sum over i - 1 .. i + 1 can be computed for row i
 * as soon as plane i is loaded ("early": partial sums are kept), or with the rest of the sum
 * (loaded values are kept).  Both keep the order of operations; which one keeps less depends on
 * the order in which the program adds.
 */
#include <string.h>

#include "codegen/hex/columns.h"

enum {
	REGISTERS = 16,		/* vector registers that every processor has */
	NEVER = -1000,		/* the age of a node that reads nothing */
	LONG = 16,		/* operations of a row: above this, split them
				 * by group */
};

struct reading {
	struct column_plan *p;
	enum type type;		/* on all vectors */
	bool fits;
};

/* Do "a" and "b" read the same cell, up to the plane? */
static bool is_same_place(const struct kx *a, const struct kx *b)
{
	if (strcmp(a->name, b->name) != 0 || a->n_args != b->n_args)
		return false;
	for (int i = 1; i < a->n_args; i++)
		if (!kx_same(a->arg[i], b->arg[i]))
			return false;
	return true;
}

/* Where the vector of row "row" has coordinate "d". */
static const struct kx *coordinate(const struct cpu_hex *h, int d, int row)
{
	const struct kx *at = kx_name(h->h->mem, h->names->point[d]);

	return h->n_dims == 2 && d == 1 ? column_row(h, at, row) : at;
}

/* The row in which a cell lies, counted from the first row read. */
static int row_of(const struct cpu_hex *h, const struct kx *index)
{
	int offset = 0;

	if (h->n_dims > 2)
		vector_is_shifted(index->arg[h->n_dims - 2], coordinate(h,
			h->n_dims - 2, 0), &offset);
	return offset;
}

static int load_at(struct column_plan *p, const struct kx *index, int offset,
	int row)
{
	for (int i = 0; i < p->n_loads; i++)
		if (is_same_place(p->load[i].at, index))
			return i;
	p->load[p->n_loads] = (struct column_load) {
		.at = index, .offset = offset, .group = row_of(p->x, index),
		.vector = p->x->n_dims == 2 ? row : 0,
	};
	return p->n_loads++;
}

/* Reads whole rows of the field, with planes outermost and vectors along the innermost
 * dimension.
 */
static bool is_in_order(const struct cpu_hex *h, const struct kx *index,
	int row)
{
	int offset;

	if (index->n_args != h->n_dims)
		return false;
	for (int d = 0; d < h->n_dims; d++)
		if (!vector_is_shifted(index->arg[d], coordinate(h, d, row), &offset))
			return false;
	return true;
}

static int add_node(struct reading *reading, struct column_node node)
{
	struct column_plan *p = reading->p;

	p->node[p->n_nodes] = node;
	for (int i = 0; i < 2; i++)
		if (node.operand[i] >= 0)
			p->node[node.operand[i]].parent = p->n_nodes;
	return p->n_nodes++;
}

/* The node that computes "x"; -1: "x" is the same for all points, or vectors cannot compute it. */
static int read_node(struct reading *reading, const struct kx *x, int row)
{
	struct column_node node = {
		.x = x, .operand = { -1, -1 }, .parent = -1, .row = row,
		.age = NEVER, .load = -1,
	};
	struct column_plan *p = reading->p;

	if (!vector_varies(p->x, x))
		return -1;
	if (x->kind == KX_INDEX && is_in_order(p->x, x, row)) {
		vector_is_shifted(x->arg[0], coordinate(p->x, 0, row), &node.offset);
		node.load = load_at(p, x, node.offset, row);
		node.age = node.offset;
		reading->fits &= x->of && x->of->type == reading->type;
		return add_node(reading, node);
	}
	if (!vector_is_arithmetic(x) || x->type != reading->type) {
		reading->fits = false;
		return -1;
	}
	for (int i = 0; i < x->n_args && reading->fits; i++) {
		node.operand[i] = read_node(reading, x->arg[i], row);
		if (node.operand[i] < 0)
			continue;
		if (node.age < p->node[node.operand[i]].age)
			node.age = p->node[node.operand[i]].age;
	}
	return reading->fits ? add_node(reading, node) : -1;
}

/* Decide when each node is computed; parents stand behind their operands. */
static void decide_when(struct column_plan *p)
{
	p->last = NEVER;
	for (int n = 0; n < p->n_nodes; n++)
		if (p->last < p->node[n].age)
			p->last = p->node[n].age;
	for (int n = p->n_nodes - 1; n >= 0; n--) {
		struct column_node *node = &p->node[n];

		if (node->parent < 0)
			node->when = p->last;
		else if (node->load >= 0 || !p->early)
			node->when = p->node[node->parent].when;
		else
			node->when = node->age;
	}
}

/* How many planes a load reads from if nothing is kept. */
static int planes_read(const struct column_plan *p, int load)
{
	uint64_t planes = 0;
	int count = 0;

	for (int n = 0; n < p->n_nodes; n++) {
		const struct column_node *node = &p->node[n];
		int plane = p->last - node->when + node->offset -
			p->load[load].low;

		if (node->load == load && plane < 64)
			planes |= UINT64_C(1) << plane;
	}
	for (; planes; planes &= planes - 1)
		count++;
	return count;
}

/* The planes of each load, relative to the plane of the row that is finished. */
static void find_planes(struct column_plan *p)
{
	for (int i = 0; i < p->n_loads; i++)
		p->load[i].reads = 0;
	for (int n = 0; n < p->n_nodes; n++) {
		const struct column_node *node = &p->node[n];
		struct column_load *load = &p->load[node->load < 0 ? 0 :
			node->load];
		int plane = p->last - node->when + node->offset;

		if (node->load < 0)
			continue;
		if (load->reads++ == 0)
			load->low = load->high = plane;
		load->low = plane < load->low ? plane : load->low;
		load->high = plane > load->high ? plane : load->high;
	}
	for (int i = 0; i < p->n_loads; i++) {
		p->load[i].kept = p->load[i].high > p->load[i].low;
		p->load[i].planes = planes_read(p, i);
	}
}

static void count(struct column_plan *p)
{
	p->registers = p->loads = 0;
	for (int i = 0; i < p->n_loads; i++) {
		p->registers += p->load[i].kept ?
			p->load[i].high - p->load[i].low : 0;
		p->loads += p->load[i].kept ? 1 : p->load[i].planes;
	}
	for (int n = 0; n < p->n_nodes; n++)
		p->registers += column_node_life(p, n);
}

/* Keep less until it fits: drop first what takes most registers for each load that it saves. */
static bool fit(struct column_plan *p)
{
	int most = REGISTERS - p->rows - 2;

	for (count(p); p->registers > most; count(p)) {
		int worst = -1;
		double cost, dearest = 0;

		for (int i = 0; i < p->n_loads; i++) {
			if (!p->load[i].kept)
				continue;
			cost = (double) (p->load[i].high - p->load[i].low) /
				(p->load[i].planes - 1);
			if (cost > dearest) {
				dearest = cost;
				worst = i;
			}
		}
		if (worst < 0)
			return false;
		p->load[worst].kept = false;
	}
	return true;
}

static int operations_of(const struct column_plan *p)
{
	int operations = 0;

	for (int n = 0; n < p->n_nodes; n++)
		operations += p->node[n].load < 0;
	return operations;
}

/* The last group of rows that node "n" needs from its own iteration; values
 * from other iterations already exist.
 */
static int group_of(const struct column_plan *p, int n)
{
	const struct column_node *node = &p->node[n];
	int group = node->load < 0 ? 0 : p->load[node->load].group;

	for (int i = 0; i < 2; i++) {
		int operand = node->operand[i];

		if (operand >= 0 && column_node_life(p, operand) == 0 &&
		    p->node[operand].group > group)
			group = p->node[operand].group;
	}
	return group;
}

/* Split long sums by the rows that they read, the sums of all rows side by side: a loaded value
 * serves them all, and additions of one row do not wait for another's.
 */
static void make_groups(struct column_plan *p)
{
	int low = 0, high = 0;
	bool split = p->rows > 1 && operations_of(p) >= LONG * p->rows;

	for (int i = 0; i < p->n_loads; i++) {
		low = p->load[i].group < low ? p->load[i].group : low;
		high = p->load[i].group > high ? p->load[i].group : high;
	}
	p->groups = split ? high - low + 1 : 1;
	for (int i = 0; i < p->n_loads; i++)
		p->load[i].group = split ? p->load[i].group - low : 0;
	for (int n = 0; n < p->n_nodes; n++)
		p->node[n].group = group_of(p, n);
}

static struct column_plan *try_plan(const struct cpu_hex *x,
	const struct kx *const *value, int rows, bool early)
{
	struct region *r = x->h->mem;
	struct column_plan *p = region_new_of(r, struct column_plan);
	struct reading reading = { .p = p, .fits = true,
		.type = x->c.stmt->stmt->write->field->type };
	int *root = region_array(r, int, rows), most = 0;

	p->mem = r;
	p->x = x;
	p->rows = rows;
	p->early = early;
	for (int i = 0; i < rows; i++)
		most += vector_nodes(value[i]);
	p->node = region_array(r, struct column_node, most);
	p->load = region_array(r, struct column_load, most);
	p->value = root;
	for (int i = 0; i < rows && reading.fits; i++) {
		root[i] = read_node(&reading, value[i], i);
		reading.fits = reading.fits && root[i] >= 0 &&
			p->node[root[i]].load < 0;
	}
	if (!reading.fits)
		return NULL;
	decide_when(p);
	find_planes(p);
	make_groups(p);
	return fit(p) ? p : NULL;
}

static bool is_better(const struct column_plan *a, const struct column_plan *b)
{
	int difference;

	if (!a || !b)
		return a;
	difference = a->loads * b->rows - b->loads * a->rows;
	if (difference == 0)
		difference = a->registers * b->rows - b->registers * a->rows;
	return difference < 0 || (difference == 0 && a->rows > b->rows);
}

/* Vectors side by side share only the loop: they pay unless each moves more values from one
 * iteration to the next than it computes (fdtd2d 1.07 and heat2d 1.03 times, jacobi2d 0.92).
 */
static bool pays(const struct column_plan *p)
{
	enum { FEW = 8 };

	return !p || p->rows == 1 || p->x->n_dims > 2 ||
		p->registers < 2 * p->rows || (p->early &&
			operations_of(p) >= FEW * p->rows);
}

const struct column_plan *column_plan_new(const struct cpu_hex *x,
	const struct kx *const *value, int rows)
{
	const struct column_plan *best = NULL;

	if (vector_nodes(value[0]) > MOST_VECTOR_NODES)
		return NULL;
	for (int n = 1; n <= rows; n *= 2)
		for (int early = 0; early <= 1; early++) {
			const struct column_plan *p = try_plan(x, value, n,
				early);

			if (pays(p) && is_better(p, best))
				best = p;
		}
	return best;
}
