/* Vector loops over rows of hexagonal tiles, several rows at a time where they share most of
 * their loads.
 */
#include <string.h>

#include "codegen/hex/vectors.h"
#include "schedule/columns.h"

static struct ks *simd(const struct cpu_hex *x, struct ks *loop)
{
	struct ks *block = ks_block(x->h->mem);

	ks_add(x->h->mem, block, ks_directive(x->h->mem,
		(struct directive) { .kind = OMP_SIMD_LINE, .lanes = x->line }));
	ks_add(x->h->mem, block, loop);
	return block;
}

static const char *value_name(const struct host *h, int i)
{
	return fresh_name(h->mem, h->prog, "value%d", i);
}

/* { const TYPE value0 = .., value1 = ..; store them all }: with values before stores, a
 * compiler sees that several of them load the same cells.
 */
static struct ks *instances_of_rows(const struct cpu_hex *x, int rows)
{
	const struct host *h = x->h;
	struct kernel_names names = *x->names;
	struct place place = x->place;
	struct cursor c = x->c;
	struct ks *body = ks_block(h->mem), *stores = ks_block(h->mem);
	const struct kx *value[CPU_HEX_ROWS];
	const struct ctype type =
		ctype_const(scalar_of(c.stmt->stmt->write->field->type));

	place.names = &names;
	c.place = &place;
	for (int i = 0; i < rows; i++) {
		const struct ks *assign;

		if (i > 0)
			names.point[x->n_dims - 2] = x->row[i];
		assign = only_child(cpu_instance(&c));
		value[i] = assign->x[1];
		ks_add(h->mem, stores, ks_assign(h->mem, assign->x[0],
			name(h, value_name(h, i))));
	}
	x->function->keeps_order |= sums_side_by_side(h->mem, h->prog, body,
		value, rows);
	for (int i = 0; i < rows; i++)
		ks_add(h->mem, body, ks_declare(h->mem, type,
			value_name(h, i), value[i]));
	ks_add(h->mem, body, stores);
	return body;
}

/* Can the nest "outer" of loops j and k run several j at a time? */
static bool takes_rows(const struct cpu_hex *x, const struct ks *outer,
	const struct ks *inner)
{
	const struct ks *row;

	if (inner->kind != KS_FOR)
		return false;
	row = only_child(inner->child[0]);
	return !x->c.stmt->stmt->locals &&
		outer->x[1]->kind == KX_BINARY &&
		kx_is_int(outer->x[2], 1) &&
		!strcmp(inner->name, x->names->point[x->n_dims - 1]) &&
		row->kind == KS_ASSIGN && vector_is_at_point(x, row->x[0]) &&
		!kx_uses(inner->x[0], outer->name) &&
		!kx_uses(inner->x[1], outer->name);
}

static struct ks *for_row(const struct cpu_hex *x, const struct ks *like,
	struct ks *body)
{
	return simd(x, ks_for(x->h->mem, like->name, like->x[0], like->x[1],
		like->x[2], body));
}

/* The rows left over at the end, one by one. */
static struct ks *rows_left(const struct cpu_hex *x, const struct ks *outer,
	const struct ks *inner)
{
	const struct host *h = x->h;
	struct kernel_names names = *x->names;
	struct place place = x->place;
	struct cursor c = x->c;
	const struct kx *row = name(h, x->row[0]);
	struct ks *body;

	names.point[x->n_dims - 2] = x->row[0];
	place.names = &names;
	c.place = &place;
	body = cpu_instance(&c);
	return ks_for(h->mem, x->row[0], name(h, outer->name),
		op(h, outer->x[1]->op, row, outer->x[1]->arg[1]),
		integer(h, 1), for_row(x, inner, body));
}

/* for j: for k: body => for j by rows: if j + rows - 1 <= last: for k: all
 * rows, else the remaining ones
 *
 * provided that the loop over k does not depend on j.
 */
static struct ks *in_rows(const struct cpu_hex *x, struct ks *outer)
{
	const struct host *h = x->h;
	struct ks *inner = only_child(outer->child[0]), *body;
	const struct kx *condition = outer->x[1], *runs;
	const int rows = CPU_HEX_ROWS;

	if (!takes_rows(x, outer, inner))
		return NULL;
	body = ks_block(h->mem);
	for (int i = 1; i < rows; i++)
		ks_add(h->mem, body, ks_declare(h->mem, ctype_const(CT_INT),
			x->row[i], kx_add(h->mem, name(h, outer->name), i)));
	runs = op(h, condition->op, name(h, x->row[rows - 1]),
		condition->arg[1]);
	ks_add(h->mem, body, ks_if(h->mem, runs, for_row(x, inner,
		instances_of_rows(x, rows)), rows_left(x, outer, inner)));
	return ks_for(h->mem, outer->name, outer->x[0], condition,
		integer(h, rows), body);
}

/* Rows of stars in three dimensions share little, and several of them need more pointers than
 * there are registers.
 */
static bool shares_rows(const struct cpu_hex *x)
{
	return x->n_dims == 2 || (x->n_dims > 2 && columns_pay(x->h->scop, 0,
		x->c.stmt->stmt));
}

/* A nest of loops over rows and their cells, several rows at a time; NULL: it has another form,
 * or its rows are computed one by one.  Long sums leave vectors registers for one row only;
 * there, compilers add several rows' sums side by side.
 */
static struct ks *rows_together(struct cpu_hex *x, struct ks *s)
{
	if (s->kind != KS_FOR || x->n_dims < 2 ||
	    strcmp(s->name, x->names->point[x->n_dims - 2]) != 0)
		return NULL;
	if (cpu_hex_takes_vectors(x, only_child(s->child[0])) &&
	    (x->vectors.n_rows > 1 || x->vectors.sums || x->vectors.alone))
		return cpu_hex_vector_rows(x, s);
	return shares_rows(x) ? in_rows(x, s) : NULL;
}

struct ks *cpu_hex_vectorise_rows(struct cpu_hex *x, struct ks *s)
{
	struct ks *rows = rows_together(x, s);

	if (rows)
		return rows;
	for (int i = 0; i < s->n_children; i++)
		s->child[i] = cpu_hex_vectorise_rows(x, s->child[i]);
	if (s->kind != KS_FOR || strcmp(s->name,
		x->names->point[x->n_dims - 1]) != 0)
		return s;
	return cpu_hex_takes_vectors(x, s) ? cpu_hex_vector_row(x, s) :
		simd(x, s);
}

/* "s" with its innermost loops in the compiler's vectors. */
static struct ks *vectorise_together(const struct cpu_hex *x, struct ks *s)
{
	for (int i = 0; i < s->n_children; i++)
		s->child[i] = vectorise_together(x, s->child[i]);
	return s->kind == KS_FOR && !strcmp(s->name, x->names->point[
		x->n_dims - 1]) ? simd(x, s) : s;
}

struct ks *cpu_hex_vectorise(struct cpu_hex *x, struct ks *s)
{
	struct ks *columns = NULL;

	if (x->together.n > 1)
		return vectorise_together(x, s);

	if (s->kind == KS_FOR && x->n_dims > 1 &&
	    !strcmp(s->name, x->names->point[0]))
		columns = cpu_hex_columns(x, s);
	if (columns || s->kind != KS_BLOCK)
		return columns ? columns : cpu_hex_vectorise_rows(x, s);
	for (int i = 0; i < s->n_children; i++)
		s->child[i] = cpu_hex_vectorise(x, s->child[i]);
	return s;
}
