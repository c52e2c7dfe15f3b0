/* Nodes of the tree of a region. */
#include "frontend/c/local.h"
#include "frontend/c/part.h"
#include "frontend/c/walk.h"

#include <string.h>

bool c_op_compares(int op)
{
	return op == OP_LT || op == OP_LE || op == OP_GT || op == OP_GE ||
		op == OP_EQ || op == OP_NE;
}

struct c_expr *c_leaf(struct region *mem, enum c_kind kind, enum c_type type,
	struct span at)
{
	struct c_expr *e = region_new_of(mem, struct c_expr);

	e->kind = kind;
	e->type = type;
	e->op = C_OP_NONE;
	e->at = at;
	return e;
}

struct c_expr *c_variable(struct region *mem, const struct c_decl *d,
	enum c_type type, struct span at)
{
	struct c_expr *e = c_leaf(mem, CX_VAR, type, at);

	e->decl = (struct c_decl *) d;
	return e;
}

struct c_expr *c_node(struct region *mem, enum c_kind kind, enum c_type type,
	int n_args, struct c_expr *const *arg, struct span at)
{
	struct c_expr *e = c_leaf(mem, kind, type, at);

	e->n_args = n_args;
	e->arg = region_array(mem, struct c_expr *, n_args);
	for (int i = 0; i < n_args; i++)
		e->arg[i] = arg[i];
	return e;
}

struct c_expr *c_binary(struct region *mem, int op, enum c_type type,
	struct c_expr *a, struct c_expr *b, struct span at)
{
	struct c_expr *const arg[2] = { a, b };
	struct c_expr *e = c_node(mem, CX_BINARY, type, 2, arg, at);

	e->op = op;
	return e;
}

struct c_expr *c_converted(struct region *mem, struct c_expr *value,
	enum c_type type)
{
	return value->type == type ? value : c_node(mem, CX_CAST, type, 1,
		&value, value->at);
}

/* Does "d" belong to what a pointer points to? */
static bool is_behind_pointer(const struct c_decl *d)
{
	while (d->member && !d->member->is_behind)
		d = d->member->of;
	return d->member;
}

bool c_mixes_members(const struct c_decl *d)
{
	const struct c_decl *other = d->member ? d->member->of->members : NULL;

	while (other && other->member->is_each == d->member->is_each)
		other = other->next;
	return other;
}

/* The declaration of "d", a member of "base". */
static void place_in(struct c_decl *d, const struct c_decl *base,
	const struct c_member *m)
{
	d->is_inside = base->is_inside;
	d->is_const |= base->is_const;
	d->is_volatile |= base->is_volatile;
	d->at = base->at;
	if (m->is_each) {
		struct c_expr *const own = d->n_dims ? d->size[0] : NULL;

		memcpy(d->size, base->size, sizeof(d->size));
		if (own)
			d->size[base->n_dims] = own;
		d->n_dims += base->n_dims;
		d->is_pointer = base->is_pointer;
		d->is_decayed = base->is_decayed;
		d->has_rows = base->has_rows;
		d->is_restrict = base->is_restrict;
		d->is_allocated = base->is_allocated;
		d->is_global = base->is_global;
	} else if (!m->is_behind && !is_behind_pointer(base)) {
		d->is_global = base->is_global;
	} else if (d->n_dims && !d->is_pointer) {
		d->is_decayed = true;
		d->is_restrict = base->is_restrict;
	}
}

struct c_decl *c_member_of(struct region *mem, struct c_decl *base,
	const struct c_member *m, bool is_behind, bool is_each)
{
	struct c_decl *d = base->members;
	struct c_member *own;

	while (d && (strcmp(d->member->field, m->field) != 0 ||
	       d->member->is_behind != is_behind ||
	       d->member->is_each != is_each))
		d = d->next;
	if (d)
		return d;
	d = region_new_of(mem, struct c_decl);
	own = region_new_of(mem, struct c_member);
	*d = *m->like;
	*own = *m;
	own->of = base;
	own->is_behind = is_behind;
	own->is_each = is_each;
	own->spelling = is_each ? c_name(base) : region_printf(mem, "%s%s%s",
		c_name(base), is_behind ? "->" : ".", m->field);
	d->name = region_printf(mem, "%s_%s", base->name, m->field);
	d->member = own;
	place_in(d, base, own);
	d->next = base->members;
	base->members = d;
	return d;
}

bool c_same(const struct c_expr *a, const struct c_expr *b)
{
	bool same = a->kind == b->kind && a->op == b->op &&
		a->value == b->value && a->decl == b->decl &&
		a->n_args == b->n_args;

	for (int i = 0; same && i < a->n_args; i++)
		same = c_same(a->arg[i], b->arg[i]);
	return same;
}

enum type c_stored_type(enum c_type type)
{
	static const enum type types[] = {
		TYPE_INT, TYPE_FLOAT, TYPE_DOUBLE, TYPE_LONG, TYPE_UNSIGNED,
		TYPE_ULONG, TYPE_CHAR, TYPE_UCHAR, TYPE_SHORT, TYPE_USHORT,
		TYPE_UCHAR,
	};

	return type <= C_BOOL ? types[type] : TYPE_INT;
}

const char *c_type_word(enum c_type type)
{
	static const char *const words[] = {
		"int", "float", "double", "long long", "unsigned",
		"unsigned long long", "signed char", "unsigned char", "short",
		"unsigned short", "unsigned char",
	};

	return type <= C_BOOL ? words[type] : "int";
}

bool c_is_long_long(const struct c_decl *d)
{
	return sizeof(long) == 8 && (d->type == C_LONG || d->type == C_ULONG) &&
		strstr(d->type_name, "long long");
}

/* As declared: of long and long long, of char and signed char, only one is the language's type. */
const char *c_type_of_field(const struct c_decl *d)
{
	const char *name = d->type_name;

	if (d->type == C_BOOL || (!is_narrow(d->type) && d->type != C_LONG &&
	    d->type != C_ULONG))
		return c_type_word(d->type);
	return strncmp(name, "const ", 6) ? name : name + 6;
}

enum c_type c_common_type(enum c_type a, enum c_type b)
{
	static const enum c_type types[] = {
		C_OTHER, C_DOUBLE, C_FLOAT, C_ULONG, C_LONG, C_UINT
	};

	for (int i = 0; i < 6; i++)
		if (a == types[i] || b == types[i])
			return types[i];
	return C_INT;
}

bool is_literal(const struct c_expr *e, int64_t *value)
{
	const struct c_decl *d = e->kind == CX_VAR ? e->decl : NULL;

	*value = d ? d->value : e->value;
	return e->kind == CX_INT || (d && d->is_known && is_integer(d->type));
}

static bool reads_table_at(const struct c_expr *e, const struct c_decl *counter,
	bool in_table)
{
	in_table |= e->kind == CX_ELEMENT && e->decl->values;
	if (in_table && e->kind == CX_VAR && e->decl == counter)
		return true;
	for (int i = 0; i < e->n_args; i++)
		if (reads_table_at(e->arg[i], counter, in_table))
			return true;
	return false;
}

bool reads_table(const struct c_stmt *body, const struct c_decl *counter)
{
	for (; body; body = body->next)
		if ((body->target && reads_table_at(body->target, counter,
		     false)) || (body->value && reads_table_at(body->value,
		     counter, false)) || reads_table(body->body, counter) ||
		    reads_table(body->otherwise, counter))
			return true;
	return false;
}

bool uses_variable(const struct c_expr *e, const struct c_decl *d)
{
	if (e->decl == d || (e->kind == CX_TEMP && uses_variable(e->temp->value, d)))
		return true;
	for (int i = 0; i < e->n_args; i++)
		if (uses_variable(e->arg[i], d))
			return true;
	return false;
}

struct c_stmt *c_alone(struct region *mem, const struct c_stmt *stmt)
{
	struct c_stmt *copy = region_new_of(mem, struct c_stmt);

	*copy = *stmt;
	copy->next = NULL;
	return copy;
}

bool counts_members(const struct c_stmt *body, const struct c_decl *counter)
{
	for (; body; body = body->next) {
		const struct c_expr *to = body->kind == CS_ASSIGN ? body->target : NULL;
		const struct c_member *m = to && to->kind == CX_ELEMENT ? to->decl->member : NULL;

		if ((m && m->is_each && to->decl->n_dims > m->of->n_dims &&
		     uses_variable(to->arg[to->n_args - 1], counter)) || counts_members(body->body, counter) ||
		    counts_members(body->otherwise, counter))
			return true;
	}
	return false;
}

static const struct c_use *use_behind(const struct c_region *region, const struct c_decl *d)
{
	const struct c_use *use = region->behind;

	while (use && use->decl != d)
		use = use->next;
	return use;
}

bool is_named_behind(const struct c_region *region, const struct c_decl *d)
{
	const struct c_use *use = use_behind(region, d);

	return use && use->is_named;
}

bool is_read_behind(const struct c_region *region, const struct c_decl *d)
{
	const struct c_use *use = use_behind(region, d);

	return d->is_global || (use && use->is_read);
}
