/* Values of a stencil in the tree of the .stn language. */
#include "frontend/c/build.h"
#include "frontend/c/list.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Names --------------------------------------------------------------------*/

const char *build_intern(struct build *b, const char *name)
{
	return names_intern(b->s->named.all, name, strlen(name));
}

static bool is_used(const struct build *b, const char *name)
{
	const struct stencil *s = b->s;

	for (const struct c_param *p = s->params; p; p = p->next)
		if (p->name == name)
			return true;
	for (const struct c_field *f = s->fields; f; f = f->next)
		if (f->name == name)
			return true;
	for (const struct c_element *e = s->elements; e; e = e->next)
		if (e->name == name)
			return true;
	for (const struct c_result *r = s->until.results; r; r = r->next)
		if (r->name == name)
			return true;
	for (const struct let *l = b->lets; l; l = l->next)
		if (l->name == name)
			return true;
	for (int d = 0; d < IR_MAX_DIMS; d++)
		if (b->index[d].name == name)
			return true;
	return name == s->named.round || name == s->named.rounds;
}

/* "name" without beginnings that the language does not allow: _N becomes N, cuda_steps becomes
 * c_cuda_steps.
 */
static const char *allowed(const struct build *b, const char *name)
{
	const char *bare = name + strspn(name, "_");
	const char *longer = region_printf(b->s->mem, "%s_", bare);

	return !isalpha((unsigned char) *bare) ? "x" : frontend_is_taken(
		longer, b->s->named.program) ? region_printf(b->s->mem,
		"c_%s", bare) : bare;
}

/* Would it be a macro for the compiler of the emitted file, too? */
static bool is_given_macro(const struct build *b, const char *name)
{
	const struct c_macro *m = b->s->file->given;

	while (m && strcmp(m->name, name) != 0)
		m = m->next;
	return m;
}

/* v, v_, v_2, v_3, .. */
const char *build_new_name(struct build *b, const char *name)
{
	const char *first = allowed(b, name);
	const char *chosen = build_intern(b, first);

	for (int n = 1; is_used(b, chosen) || is_given_macro(b, chosen) ||
	     frontend_is_taken(chosen, b->s->named.program); n++)
		chosen = build_intern(b, n == 1 ? region_printf(b->s->mem,
			"%s_", first) : region_printf(b->s->mem, "%s_%d", first,
			n));
	return chosen;
}

/* A_1, A_m1 and A_p1 for copies, f_2 for a part. */
static const char *field_name(const struct stencil *s, const struct c_field *f)
{
	const char *name = f->decl->name;

	if (f->slot != NO_SLOT)
		name = region_printf(s->mem, f->slot < 0 ? "%s_m%d" :
			s->of_step && f->slot ? "%s_p%d" : "%s_%d", name,
			abs(f->slot));
	return !f->part.is_subscript ? name : region_printf(s->mem, "%s_%d",
		name, number_of_part(f));
}

void build_names(struct build *b)
{
	struct stencil *s = b->s;
	int64_t rounds;

	for (struct c_param *p = s->params; p; p = p->next)
		p->name = build_new_name(b, p->decl->name);
	for (struct c_field *f = s->fields; f; f = f->next)
		f->name = build_new_name(b, field_name(s, f));
	for (struct c_result *r = s->until.results; r; r = r->next)
		r->name = build_new_name(b, r->decl->name);
	if (s->round != s->time && !rounds_known(s, &rounds))
		s->named.rounds = build_new_name(b, "cycles");
	s->named.round = build_new_name(b, s->round == s->time ? s->time->name :
		"cycle");
}

/* The program's name for a variable that is no array. */
static const char *name_of(const struct build *b, const struct c_decl *d)
{
	if (d == b->s->round)
		return b->s->named.round;
	for (int i = 0; i < IR_MAX_DIMS; i++)
		if (d == &b->index[i])
			return d->name;
	for (const struct c_result *r = b->s->until.results; r; r = r->next)
		if (r->decl == d)
			return r->name;
	for (struct c_param *p = b->s->params; p; p = p->next)
		if (p->decl == d) {
			p->is_used = true;
			return p->name;
		}
	return NULL;
}

/* Integers -----------------------------------------------------------------*/

struct ast_expr *build_number(struct build *b, int64_t value,
	struct span at)
{
	const char *spelling = region_printf(b->s->mem, "%" PRId64,
		value < 0 ? -value : value);
	struct ast_expr *e = ast_spelled_number(&b->parse, spelling,
		strlen(spelling), at);

	return value < 0 ? ast_unary(&b->parse, OP_NEG, e, at) : e;
}

struct ast_expr *build_name(struct build *b, const char *text,
	struct span at)
{
	return ast_name(&b->parse, (struct ast_name) { text, at });
}

/* |coefficient| * symbols */
static struct ast_expr *term_expr(struct build *b,
	const struct poly_term *t, struct span at)
{
	int64_t c = t->coefficient < 0 ? -t->coefficient : t->coefficient;
	struct ast_expr *e = c != 1 || !t->degree ? build_number(b, c, at) : NULL;

	for (int i = 0; i < t->degree; i++) {
		struct ast_expr *symbol = build_name(b, name_of(b, t->symbol[i]),
			at);

		e = e ? ast_binary(&b->parse, OP_MUL, e, symbol, at) : symbol;
	}
	return e;
}

/* Should "a" be printed before "b"?  Variables come before numbers, sums before
 * differences.
 */
static bool goes_first(const struct poly_term *a, const struct poly_term *b)
{
	bool x = a->coefficient > 0, y = b->coefficient > 0;

	return x != y ? x : a->degree > b->degree;
}

/* Replace the round by the next one. */
static void move_on(const struct build *b, struct poly *p)
{
	struct poly next = poly_symbol(b->s->round);
	const struct poly one = poly_constant(1);

	poly_add(&next, &one, 1);
	poly_substitute(p, b->s->round, &next);
}

struct ast_expr *build_poly(struct build *b, struct poly p,
	struct span at)
{
	struct ast_expr *e = NULL;

	if (b->of_next_round)
		move_on(b, &p);

	while (p.n) {
		int first = 0;
		bool negative;
		struct ast_expr *term;

		for (int i = 1; i < p.n; i++)
			if (goes_first(&p.term[i], &p.term[first]))
				first = i;
		negative = p.term[first].coefficient < 0;
		term = term_expr(b, &p.term[first], at);
		if (e)
			e = ast_binary(&b->parse, negative ? OP_SUB : OP_ADD,
				e, term, at);
		else
			e = negative ? ast_unary(&b->parse, OP_NEG, term, at) :
				term;
		p.term[first] = p.term[--p.n];
	}
	return e ? e : build_number(b, 0, at);
}

bool rounds_known(const struct stencil *s, int64_t *value)
{
	int64_t n, by = s->n_phases * s->time_range.step;
	struct poly steps;

	if (s->of_step) {
		*value = 1;
		return true;
	}
	if (!loop_extent(&s->time_range, &steps) ||
	    !poly_is_constant(&steps, &n))
		return false;
	*value = n > 0 ? (leaves_rest(s) ? n : n + by - 1) / by : 0;
	return true;
}

/* Points -------------------------------------------------------------------*/

/* The value of the loop's variable at the point: for A[c*v + rest] = .. with c
 * = 1 or -1 it is c*(index - rest).
 */
static bool point_of(struct build *b, const struct c_loop *loop,
	struct poly *value)
{
	const struct c_access *w = b->update->write;

	for (int d = 0; d < w->n_subs; d++) {
		struct poly rest;
		int64_t c;

		if (!poly_uses(&w->sub[d], loop->decl))
			continue;
		poly_split(&w->sub[d], loop->decl, &c, &rest);
		*value = (struct poly) { 0 };
		return poly_add(value, &(struct poly) { .n = 1, .term = { {
				.coefficient = 1, .degree = 1,
				.symbol = { &b->index[d] } } } }, c) &&
			poly_add(value, &rest, -c);
	}
	return false;
}

struct poly build_at_point(struct build *b, const struct poly *p)
{
	struct poly result = *p, value;
	const struct c_loop *loop = b->update->place.loop;

	for (; loop; loop = loop->outer)
		if (point_of(b, loop, &value))
			poly_substitute(&result, loop->decl, &value);
	return result;
}

bool is_pinned(const struct build *b, int d)
{
	return !loop_of(b->update->place.loop, &b->update->write->sub[d]);
}

void build_indices(struct build *b)
{
	static const char *const usual[] = { "i", "j", "k", "l" };
	int n = b->update->write->n_subs;

	memset(b->index, 0, sizeof(b->index));
	for (int d = 0; d < n; d++) {
		const struct c_loop *loop = loop_of(
			b->update->place.loop,
			&b->update->write->sub[d]);

		if (loop)
			b->index[d].name = build_new_name(b, loop->decl->name);
	}
	for (int d = 0; d < n; d++)
		if (!b->index[d].name)
			b->index[d].name = build_new_name(b, d < 4 ? usual[d] : "x");
}

/* Reads --------------------------------------------------------------------*/

static struct ast_expr *refuse_read(struct build *b,
	const struct c_access *a, int d, const char *why)
{
	refuse(b->s, E_SUBSCRIPT, a->sub_at[d], "the subscript '%s' is not "
		"at a fixed distance from the point '%s': %s",
		c_quote(b->s, a->sub_at[d]), c_quote(b->s, b->update->at),
		why);
	return ast_bad(&b->parse, a->sub_at[d]);
}

static struct ast_expr *refuse_reversed(struct build *b,
	const struct c_access *a, int d)
{
	struct ast_expr *bad = refuse_read(b, a, d, "the factor of the index "
		"is negative");

	diag_advice(b->s->diags, a->field->is_written ? "store the array the "
		"other way round" : "fill an array with what the points read, "
		"before '#pragma scop', and read that");
	return bad;
}

/* index + constant, or number * index + constant */
static struct ast_expr *subscript(struct build *b,
	const struct c_access *a, int d)
{
	struct poly p = build_at_point(b, &a->sub[d]);
	int64_t c, constant;
	int n_subs = b->update->write->n_subs, found = -1;

	if (poly_uses(&p, b->s->round))
		return refuse_read(b, a, d, "it depends on the time");
	for (int i = 0; i < n_subs; i++) {
		struct poly rest;

		if (!poly_uses(&p, &b->index[i]))
			continue;
		if (found >= 0)
			return refuse_read(b, a, d, "it has two indices");
		if (!poly_split(&p, &b->index[i], &c, &rest))
			return refuse_read(b, a, d, "the index has a factor "
				"that is not known at compile time");
		if (c < 0)
			return refuse_reversed(b, a, d);
		if (!poly_is_constant(&rest, &constant))
			return refuse_read(b, a, d, "the distance is not "
				"known at compile time");
		found = i;
	}
	for (int i = 0; i < n_subs && found < 0; i++) {
		struct poly distance = p;
		int dim = (i + d) % n_subs;
		struct poly index;

		if (!is_pinned(b, dim) || !poly_add(&distance,
				&b->update->write->sub[dim], -1) ||
		    !poly_is_constant(&distance, &constant))
			continue;
		index = poly_symbol(&b->index[dim]);
		poly_add(&distance, &index, 1);
		p = distance;
		found = dim;
	}
	if (found < 0)
		return refuse_read(b, a, d, "it has no index");
	return build_poly(b, p, a->sub_at[d]);
}

struct ast_expr *build_step(struct build *b, int version, struct span at)
{
	struct poly p = poly_symbol(b->s->round);
	struct poly one = poly_constant(version);

	poly_add(&p, &one, 1);
	return build_poly(b, p, at);
}

static bool same_element(const struct c_access *a, const struct c_access *c)
{
	if (a->field != c->field)
		return false;
	for (int d = 0; d < a->n_subs; d++)
		if (!poly_equal(&a->sub[d], &c->sub[d]))
			return false;
	return true;
}

/* The parameter for the element "a": w_0_1 for w[0][1]. */
static struct ast_expr *element(struct build *b, const struct c_access *a)
{
	struct c_element **link = &b->s->elements;
	const char *text = a->field->decl->name;
	int64_t value;

	while (*link && !same_element((*link)->access, a))
		link = &(*link)->next;
	if (*link)
		return build_name(b, (*link)->name, a->at);
	for (int d = 0; d < a->n_subs; d++)
		text = poly_is_constant(&a->sub[d], &value) ?
			region_printf(b->s->mem, "%s_%" PRId64, text, value) :
			region_printf(b->s->mem, "%s_at", text);
	text = build_new_name(b, text);
	*link = region_new_of(b->s->mem, struct c_element);
	(*link)->access = a;
	(*link)->name = text;
	return build_name(b, text, a->at);
}

static struct ast_expr *read_expr(struct build *b,
	const struct c_access *a)
{
	struct ast_exprs subs = { 0 };

	if (a->is_listed)
		return build_listed(b, a);
	if (access_is_fixed(b->s, a))
		return element(b, a);
	a->field->is_used = true;
	if (a->field->is_written && !a->field->is_temp)
		subs = ast_add_expr(subs, build_step(b, a->version, a->at));
	for (int d = 0; d < a->n_subs; d++) {
		struct ast_expr *sub = subscript_is_uniform(b->s, a, d) ?
			build_poly(b, a->sub[d], a->sub_at[d]) :
			subscript(b, a, d);

		if (sub->kind == AST_BAD)
			return sub;
		subs = ast_add_expr(subs, sub);
	}
	return ast_element(&b->parse, (struct ast_name) { a->field->name,
		a->at }, subs, a->at);
}

/* Values -------------------------------------------------------------------*/

enum type build_type(enum c_type type)
{
	return is_beyond_int(type) || is_narrow(type) ? TYPE_INT :
		c_stored_type(type);
}

static struct ast_expr *refuse_type(struct build *b,
	const struct c_expr *e)
{
	refuse(b->s, E_C_TYPE, e->at, "'%s' is not computed in a type that "
		"programs have", c_quote(b->s, e->at));
	return ast_bad(&b->parse, e->at);
}

static struct ast_expr *real(struct build *b, const struct c_expr *e)
{
	struct text t = { 0 };
	struct ast_expr *result;

	if (e->type != C_FLOAT && e->type != C_DOUBLE)
		return refuse_type(b, e);
	ir_print_real(&t, build_type(e->type), fabs(e->real));
	result = ast_spelled_number(&b->parse, t.bytes, t.length, e->at);
	text_free(&t);
	return signbit(e->real) ? ast_unary(&b->parse, OP_NEG, result, e->at) :
		result;
}

static struct ast_expr *variable(struct build *b, const struct c_expr *e)
{
	struct poly p = poly_symbol(e->decl);
	const char *param = name_of(b, e->decl);

	if (param && !(b->of_next_round && e->decl == b->s->round))
		return build_name(b, param, e->at);
	return build_poly(b, build_at_point(b, &p), e->at);
}

/* C computes sqrt() of a float in double, .stn in float. */
static struct ast_expr *call(struct build *b, const struct c_expr *e)
{
	bool single = e->type == C_FLOAT;
	struct ast_exprs args = { 0 };

	for (int i = 0; i < e->n_args; i++) {
		struct ast_expr *arg = build_value(b, e->arg[i]);

		if (!single && e->arg[i]->type == C_FLOAT)
			arg = ast_cast(&b->parse, TYPE_DOUBLE, arg, arg->at);
		args = ast_add_expr(args, arg);
	}
	return ast_call(&b->parse, (struct ast_name) { build_intern(b, e->name),
		e->at }, args, e->at);
}

struct let *build_find_let(struct build *b, const struct c_temp *temp)
{
	struct let *l = b->lets;

	while (l && l->temp != temp)
		l = l->next;
	return l;
}

static struct ast_expr *temporary(struct build *b, const struct c_expr *e)
{
	const struct let *l = build_find_let(b, e->temp);

	return l && l->name ? build_name(b, l->name, e->at) :
		build_value(b, e->temp->value);
}

static bool is_logical(int op)
{
	return op == OP_LT || op == OP_LE || op == OP_GT || op == OP_GE ||
		op == OP_EQ || op == OP_NE || op == OP_AND || op == OP_OR;
}

/* A sum of one or two indices and a number, or the quotient or remainder of one
 * by a number: an int holds it as C's larger types do.
 */
static bool is_index(const struct stencil *s, const struct c_expr *e)
{
	struct poly p;
	int n = 0;

	if (e->kind == CX_BINARY && (e->op == OP_DIV || e->op == OP_MOD))
		return e->arg[1]->kind == CX_INT && is_index(s, e->arg[0]);
	if (!poly_of(s, e, &p))
		return false;
	for (int i = 0; i < p.n; i++) {
		const struct poly_term *t = &p.term[i];

		if (!t->degree)
			continue;
		if (++n > 2 || t->degree > 1 || (t->coefficient != 1 &&
		    t->coefficient != -1))
			return false;
	}
	return true;
}

/* A large constant: the language has int literals only. */
static struct ast_expr *large_number(struct build *b, const struct c_expr *e)
{
	uint64_t value = (uint64_t) e->value, rest = value & INT32_MAX;
	struct ast_expr *sum = NULL;

	if (e->type == C_UINT)
		return build_number(b, (int32_t) value, e->at);
	for (int shift = 62; shift > 0; shift -= 31) {
		struct ast_expr *part = ast_cast(&b->parse, TYPE_ULONG,
			build_number(b, (int64_t) (value >> shift &
				INT32_MAX), e->at), e->at);

		part = ast_binary(&b->parse, OP_SHIFT_LEFT, part,
			build_number(b, shift, e->at), e->at);
		sum = sum ? ast_binary(&b->parse, OP_BIT_OR, sum, part,
			e->at) : part;
	}
	return ast_binary(&b->parse, OP_BIT_OR, sum, ast_cast(&b->parse,
		TYPE_ULONG, build_number(b, (int64_t) rest, e->at), e->at),
		e->at);
}

/* Is the tree of "e" of type int, though C has a larger type? */
static bool is_built_as_int(const struct stencil *s, const struct c_expr *e)
{
	return e->kind == CX_VAR || e->kind == CX_INT || is_index(s, e);
}

/* "e" in its C type. */
static struct ast_expr *build_as_is(struct build *b, const struct c_expr *e)
{
	bool is_large = e->kind == CX_INT && e->value != (int32_t) e->value;
	struct ast_expr *value = is_large ? large_number(b, e) :
		build_value(b, e);

	return is_beyond_int(e->type) && is_built_as_int(b->s, e) ?
		ast_cast(&b->parse, c_stored_type(e->type), value, e->at) :
		value;
}

/* Must operands of "e" have their C types? */
static bool needs_types(const struct c_expr *e)
{
	if (e->kind == CX_SELECT || e->kind == CX_UNARY || !is_logical(e->op))
		return is_beyond_int(e->type);
	if (e->op == OP_AND || e->op == OP_OR)
		return false;
	return (is_beyond_int(e->arg[0]->type) ||
		is_beyond_int(e->arg[1]->type)) && is_of_data(e);
}

static struct ast_expr *operand(struct build *b, const struct c_expr *e,
	int i)
{
	return needs_types(e) && !b->in_condition ? build_as_is(b, e->arg[i]) :
		build_value(b, e->arg[i]);
}

/* x & (n - 1) and x >> n of expressions without data become quotients, which conditions may
 * contain.
 */
static struct ast_expr *index_bits(struct build *b, const struct c_expr *e)
{
	int64_t n = e->arg[1]->kind == CX_INT ? e->arg[1]->value : -1;
	struct ast_expr *x;

	if (e->op != OP_BIT_AND || n < 0 || n & (n + 1) || is_of_data(e) ||
	    !is_never_negative(b->s, &b->update->place, e->arg[0]))
		return NULL;
	x = build_value(b, e->arg[0]);
	return ast_binary(&b->parse, OP_MOD, x, build_number(b, n + 1, e->at),
		e->at);
}

/* From left to right: parameters stand in the order in which values use them. */
static struct ast_expr *operation(struct build *b, const struct c_expr *e)
{
	struct ast_expr *left;
	struct poly p;

	if (is_beyond_int(e->type) && !is_logical(e->op)) {
		if (b->in_condition && !is_index(b->s, e))
			return refuse_type(b, e);
		if (is_index(b->s, e))
			return ast_binary(&b->parse, (enum op) e->op,
				build_value(b, e->arg[0]),
				build_value(b, e->arg[1]), e->at);
	}
	if (op_is_of_bits((enum op) e->op)) {
		if (poly_of(b->s, e, &p))
			return build_poly(b, build_at_point(b, &p), e->at);
		left = index_bits(b, e);
		if (left)
			return left;
	}
	left = operand(b, e, 0);
	return ast_binary(&b->parse, (enum op) e->op, left, operand(b, e, 1),
		e->at);
}

static struct ast_expr *selection(struct build *b, const struct c_expr *e)
{
	struct ast_expr *condition = build_value(b, e->arg[0]);
	struct ast_expr *then = operand(b, e, 1);

	return ast_select(&b->parse, condition, then, operand(b, e, 2), e->at);
}

static struct ast_expr *unary(struct build *b, const struct c_expr *e)
{
	if (is_beyond_int(e->type) && b->in_condition)
		return refuse_type(b, e);
	return ast_unary(&b->parse, (enum op) e->op, operand(b, e, 0), e->at);
}

static struct ast_expr *cast(struct build *b, const struct c_expr *e)
{
	if (e->type == C_OTHER || e->type == C_BOOL)
		return refuse_type(b, e);
	return ast_cast(&b->parse, c_stored_type(e->type),
		is_of_data(e) ? build_as_is(b, e->arg[0]) :
		build_value(b, e->arg[0]), e->at);
}

struct ast_expr *build_value(struct build *b, const struct c_expr *e)
{
	switch (e->kind) {
	case CX_INT:
		return build_number(b, e->value, e->at);
	case CX_REAL:
		return real(b, e);
	case CX_VAR:
		return variable(b, e);
	case CX_ELEMENT:
		return read_expr(b, e->access);
	case CX_TEMP:
		return temporary(b, e);
	case CX_UNARY:
		return unary(b, e);
	case CX_BINARY:
		return operation(b, e);
	case CX_SELECT:
		return selection(b, e);
	case CX_CALL:
		return call(b, e);
	case CX_CAST:
		return cast(b, e);
	case CX_LIST:
	case CX_BAD:
		break;
	}
	return ast_bad(&b->parse, e->at);
}
