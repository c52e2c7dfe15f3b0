/* Code for columns of vectors, from their plan. */
#include <stdio.h>
#include <string.h>

#include "codegen/hex/columns.h"

enum { IN_LOOP = 0 };		/* of "before" below */

/* One iteration.  The "before" iterations ahead of the first one compute what
 * the first one finds, for the rows from the first on.
 */
struct iteration {
	const struct column_plan *p;
	int before;
	const struct kx *i;		/* its plane */
	struct ks *block;		/* where its statements go */
	const struct kx **known;	/* by node: the name of its value, or
					 * NULL */
	const char ***loaded;		/* by load and plane, from its first
					 * plane on: the name of the loaded
					 * value, or NULL */
	struct vector_units *units;	/* which share the sums; or NULL */
};

static struct region *mem(const struct iteration *it)
{
	return it->p->mem;
}

const char *column_lanes(const struct cpu_hex *x)
{
	return fresh_name(x->h->mem, x->h->prog, "lanes");
}

const struct kx *column_row(const struct cpu_hex *x, const struct kx *value,
	int row)
{
	struct region *r = x->h->mem;
	const char *name = x->names->point[x->n_dims == 2 ? 1 : x->n_dims - 2];
	const struct kx *at = kx_name(r, name);

	return x->n_dims > 2 ? vector_moved(r, value, name, at, row) :
		vector_moved(r, value, name, kx_binary(r, OP_ADD, at, kx_binary(r,
			OP_MUL, kx_int(r, row), kx_name(r, column_lanes(x)))),
			0);
}

/* Names ----------------------------------------------------------------- */

/* A_old_m1_0: the name for A_old[i - 1][j] */
static const char *name_of_plane(const struct column_plan *p, int load,
	int plane)
{
	const struct column_load *l = &p->load[load];
	char text[16 * (IR_MAX_DIMS + 1)] = "";

	for (int d = 0; d < l->at->n_args; d++) {
		const struct kx *x = l->at->arg[d];
		bool shifted = x->kind == KX_BINARY &&
			x->arg[1]->kind == KX_INT;
		int64_t offset = d == 0 ? plane : shifted ?
			(x->op == OP_ADD ? 1 : -1) * x->arg[1]->ivalue : 0;

		snprintf(text + strlen(text), 16, "_%s%d", offset < 0 ? "m" :
			"", (int) (offset < 0 ? -offset : offset));
	}
	if (l->vector)
		snprintf(text + strlen(text), 16, "_next%d", l->vector);
	return fresh_name(p->mem, p->x->h->prog, "%s%s", value_stem(p->mem,
		p->x->h->prog, l->at->name), text);
}

/* The value of node "n" kept for "later" iterations; the one just computed has the greatest
 * number.
 */
static const char *name_of_part(const struct column_plan *p, int n, int later)
{
	int number = 0;

	for (int i = 0; i < n; i++)
		number += p->node[i].row == p->node[n].row &&
			column_node_life(p, i) > 0;
	if (column_node_life(p, n) == 1)
		return fresh_name(p->mem, p->x->h->prog, later ? "next%d_%d" :
			"part%d_%d", p->node[n].row, number);
	return fresh_name(p->mem, p->x->h->prog, "part%d_%d_%d",
		p->node[n].row, number, later);
}

/* Values ---------------------------------------------------------------- */

static struct kx *loaded_cell(const struct iteration *it,
	enum builtin builtin, int load, int plane)
{
	const struct column_plan *p = it->p;
	struct kx *x = kx_builtin(p->mem, builtin, 1, kx_address(p->mem,
		vector_moved(p->mem, p->load[load].at, p->x->names->point[0], it->i,
			plane - p->load[load].offset)));

	x->c_type = vector_type_of(p->x);
	return x;
}

/* The iteration's value of "node", a load, from plane i + "plane". */
static const struct kx *value_of_load(const struct iteration *it,
	const struct column_node *node, int plane)
{
	const struct column_load *load = &it->p->load[node->load];
	struct kx *x;

	if (it->loaded[node->load][plane - load->low])
		x = kx_name(mem(it), it->loaded[node->load][plane - load->low]);
	else if (load->kept && it->before == IN_LOOP)
		x = kx_name(mem(it), name_of_plane(it->p, node->load, plane));
	else
		x = loaded_cell(it, B_LOAD_LANES, node->load, plane);
	x->of = node->x->of;
	return x;
}

/* Node "n", computed here or before. */
static const struct kx *value_of(const struct iteration *it, int n, int when)
{
	const struct column_plan *p = it->p;
	const struct column_node *node = &p->node[n];
	struct kx *x;

	if (node->load >= 0)
		return value_of_load(it, node, p->last - when + node->offset);
	if (node->when < when)
		return kx_name(mem(it), name_of_part(p, n, 0));
	if (it->known[n])
		return it->known[n];
	x = vector_operation(p->x, node->x);
	for (int i = 0; i < x->n_args; i++)
		x->arg[i] = node->operand[i] < 0 ? vector_number(p->x,
			node->x->arg[i]) : value_of(it, node->operand[i], when);
	return vector_shared_out(p->x, node->x, x, it->units);
}

/* An iteration ---------------------------------------------------------- */

/* Does the iteration compute the node, for a row from the first on? */
static bool is_computed(const struct iteration *it, int n)
{
	const struct column_node *node = &it->p->node[n];

	return node->load < 0 && it->before <= it->p->last - node->when;
}

/* Does it compute the node, and then store or keep it? */
static bool is_result(const struct iteration *it, int n)
{
	return is_computed(it, n) && (it->p->node[n].parent < 0 ||
		column_node_life(it->p, n) > 0);
}

/* How many of the computed nodes read a plane of a load. */
static int uses_of(const struct iteration *it, int load, int plane)
{
	const struct column_plan *p = it->p;
	int uses = 0;

	for (int n = 0; n < p->n_nodes; n++)
		if (p->node[n].load == load && p->node[n].parent >= 0 &&
		    is_computed(it, p->node[n].parent) && plane ==
		    p->last - p->node[n].when + p->node[n].offset)
			uses++;
	return uses;
}

/* Load what several nodes read of a plane, or what is kept.  Leave the loads of long sums to
 * the compiler: there are fewer registers than partial sums.
 */
static void add_load(struct iteration *it, int load, int plane)
{
	const struct column_plan *p = it->p;
	const char *name = name_of_plane(p, load, plane);
	struct ctype type = vector_type_of(p->x);

	type.is_const = true;
	if (it->before != IN_LOOP)
		name = fresh_name(p->mem, p->x->h->prog, "%s_before%d", name,
			it->before);
	it->loaded[load][plane - p->load[load].low] = name;
	ks_add(p->mem, it->block, ks_declare(p->mem, type, name,
		loaded_cell(it, p->groups > 1 ? B_LOAD_LANES : B_KEEP_LANES,
			load, plane)));
}

static void add_loads(struct iteration *it, int group)
{
	const struct column_plan *p = it->p;

	for (int i = 0; i < p->n_loads; i++) {
		const struct column_load *load = &p->load[i];
		bool kept = load->kept && it->before == IN_LOOP;

		if (load->group != group)
			continue;
		for (int plane = load->low; plane <= load->high; plane++)
			if (kept ? plane == load->high :
			    uses_of(it, i, plane) > 1)
				add_load(it, i, plane);
	}
}

static const char *name_of_value(const struct iteration *it, int n)
{
	const struct column_plan *p = it->p;
	const struct column_node *node = &p->node[n];
	const char *name;

	if (node->parent < 0)
		name = fresh_name(p->mem, p->x->h->prog, "value%d", node->row);
	else if (column_node_life(p, n) > 0)
		name = name_of_part(p, n, column_node_life(p, n));
	else
		name = fresh_name(p->mem, p->x->h->prog, "sum%d_%d", node->row,
			n);
	return name;
}

/* The nodes that this group of rows completes, and that this iteration uses
 * with more of another group, or not at all.
 */
static void add_values(struct iteration *it, int group)
{
	const struct column_plan *p = it->p;
	struct ctype type = vector_type_of(p->x);

	type.is_const = true;
	for (int n = 0; n < p->n_nodes; n++) {
		const struct column_node *node = &p->node[n];
		const char *name;

		if (!is_computed(it, n) || node->group != group ||
		    (!is_result(it, n) && p->node[node->parent].group == group))
			continue;
		name = name_of_value(it, n);
		ks_add(p->mem, it->block, ks_declare(p->mem, type, name,
			value_of(it, n, node->when)));
		it->known[n] = kx_name(p->mem, name);
	}
}

/* How many kept values of node "n" exist after the iteration. */
static int values_there(const struct iteration *it, int n)
{
	int life = column_node_life(it->p, n);
	int computed = it->p->last - it->p->node[n].when - it->before + 1;

	return it->before == IN_LOOP || computed > life ? life : computed;
}

/* Rename the values that the next iteration finds under the names of this one. */
static void add_moves(const struct iteration *it)
{
	const struct column_plan *p = it->p;
	struct region *r = p->mem;

	for (int n = 0; n < p->n_nodes; n++) {
		int life = column_node_life(p, n);

		if (!is_result(it, n))
			continue;
		for (int later = life - values_there(it, n); later < life;
		     later++)
			ks_add(r, it->block, ks_assign(r, kx_name(r,
				name_of_part(p, n, later)), kx_name(r,
				name_of_part(p, n, later + 1))));
	}
	for (int i = 0; i < p->n_loads && it->before == IN_LOOP; i++)
		for (int plane = p->load[i].low; p->load[i].kept &&
		     plane < p->load[i].high; plane++)
			ks_add(r, it->block, ks_assign(r, kx_name(r,
				name_of_plane(p, i, plane)), kx_name(r,
				name_of_plane(p, i, plane + 1))));
}

/* The first lane of row "row" still to be done. */
static const struct kx *first_lane(const struct column_plan *p, int row,
	const char *done)
{
	const struct kx *x = kx_name(p->mem, done);

	return p->x->n_dims > 2 ? x : kx_binary(p->mem, OP_SUB, x, kx_binary(
		p->mem, OP_MUL, kx_int(p->mem, row), kx_name(p->mem,
			column_lanes(p->x))));
}

static void add_stores(const struct iteration *it,
	const struct kx *const *to, const char *done)
{
	const struct column_plan *p = it->p;

	for (int row = 0; row < p->rows; row++) {
		const struct kx *address = kx_address(p->mem, to[row]);
		const struct kx *value = it->known[p->value[row]];
		struct kx *store = done ? kx_builtin(p->mem,
			B_STORE_LAST_LANES, 3, address, value, first_lane(p,
				row, done)) : kx_builtin(p->mem,
			B_STORE_LANES, 2, address, value);

		store->c_type = vector_type_of(p->x);
		ks_add(p->mem, it->block, ks_expression(p->mem, KS_EXPRESSION,
			store));
	}
}

static struct iteration begin_iteration(const struct column_plan *p,
	int before, const struct kx *i)
{
	struct iteration it = {
		.p = p, .before = before, .i = i, .block = ks_scope(p->mem),
		.known = region_array(p->mem, const struct kx *, p->n_nodes),
		.loaded = region_array(p->mem, const char **, p->n_loads),
	};

	for (int n = 0; n < p->n_loads; n++)
		it.loaded[n] = region_array(p->mem, const char *,
			p->load[n].high - p->load[n].low + 1);
	return it;
}

/* Is it, of the first vector's loads, the last one that reads its row of its plane? */
static bool is_last_of_row(const struct column_plan *p, int load)
{
	for (int i = load + 1; i < p->n_loads; i++) {
		const struct kx *a = p->load[i].at, *b = p->load[load].at;
		int d = 1;

		if (p->load[i].vector > 0 || strcmp(a->name, b->name) != 0)
			continue;
		while (d < p->x->n_dims - 1 && kx_same(a->arg[d], b->arg[d]))
			d++;
		if (d == p->x->n_dims - 1)
			return false;
	}
	return p->load[load].vector == 0;
}

/* Fetch what the column beside this one reads first in this iteration: of each row the line behind
 * that of the vectors side by side, which are a line at most.
 */
static void add_fetches(const struct iteration *it)
{
	const struct column_plan *p = it->p;
	int lines = p->x->n_dims == 2 && p->rows > 1 ? 2 : 1;

	for (int i = 0; i < p->n_loads; i++) {
		const struct kx *from = loaded_cell(it, B_LOAD_LANES, i,
			p->load[i].high)->arg[0];

		if (is_last_of_row(p, i))
			ks_add(p->mem, it->block, ks_expression(p->mem,
				KS_EXPRESSION, kx_builtin(p->mem,
				B_FETCH_BEHIND, 2, from, kx_int(p->mem,
				lines * LINE_BYTES))));
	}
}

static void compute(struct iteration *it)
{
	for (int group = 0; group < it->p->groups; group++) {
		add_loads(it, group);
		add_values(it, group);
	}
}

/* Declare all values kept from one iteration to the next. */
static void declare_kept(const struct column_plan *p, struct ks *block,
	const struct kx *first)
{
	struct iteration it = begin_iteration(p, 1, first);

	for (int i = 0; i < p->n_loads; i++)
		for (int plane = p->load[i].low; p->load[i].kept &&
		     plane < p->load[i].high; plane++)
			ks_add(p->mem, block, ks_declare(p->mem,
				vector_type_of(p->x), name_of_plane(p, i, plane),
				loaded_cell(&it, B_LOAD_LANES, i, plane)));
	for (int n = 0; n < p->n_nodes; n++)
		for (int later = 0; later < column_node_life(p, n); later++) {
			struct ks *s = ks_simple(p->mem, KS_DECLARE);

			s->c_type = vector_type_of(p->x);
			s->name = name_of_part(p, n, later);
			ks_add(p->mem, block, s);
		}
}

/* How many iterations before the first one compute part of its row. */
static int iterations_before(const struct column_plan *p)
{
	int most = 0;

	for (int n = 0; n < p->n_nodes; n++)
		if (p->node[n].load < 0 && p->last - p->node[n].when > most)
			most = p->last - p->node[n].when;
	return most;
}

static bool has_roots(const struct column_plan *p)
{
	for (int n = 0; n < p->n_nodes; n++)
		if (p->node[n].x->kind == KX_MATH)
			return true;
	return false;
}

struct ks *column_code(const struct column_plan *p, const char *first,
	const char *last, const struct kx *const *to, const char *done)
{
	struct region *r = p->mem;
	const char *i = p->x->names->point[0];
	struct ks *all = ks_block(r), *block = ks_block(r);
	struct vector_units units = { 0 };
	struct iteration it;

	declare_kept(p, block, kx_name(r, first));
	for (int before = iterations_before(p); before > 0; before--) {
		it = begin_iteration(p, before, kx_add(r, kx_name(r, first),
			-before));
		it.block->braces = true;
		compute(&it);
		add_moves(&it);
		ks_add(r, block, it.block);
	}
	it = begin_iteration(p, IN_LOOP, kx_name(r, i));
	it.units = has_roots(p) ? NULL : &units;
	add_fetches(&it);
	compute(&it);
	add_stores(&it, to, done);
	add_moves(&it);
	ks_add(r, block, ks_for(r, i, kx_name(r, first), kx_binary(r, OP_LE,
		kx_name(r, i), kx_name(r, last)), kx_int(r, 1), it.block));
	vector_declare_one(p->x, &units, all);
	ks_add(r, all, block);
	return all;
}
