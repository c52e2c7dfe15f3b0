/* The names of a program. */
#include "frontend/components.h"
#include "frontend/derivative.h"
#include "frontend/reads.h"

#include <string.h>

enum {
	MAX_QUOTED = 40,	/* bytes of the source in a message */
	MAX_COMPARED = 10000,	/* at most so many candidates for a similar name */
};

const char *quote(const struct lower *l, struct span at)
{
	const char *text = l->diags->source->text + at.start;
	size_t length = at.end - at.start;
	size_t line = strcspn(text, "\r\n");
	bool cut = length > MAX_QUOTED || line < length;

	if (length > MAX_QUOTED)
		length = MAX_QUOTED;
	if (line < length)
		length = line;
	return region_printf(l->mem, "%.*s%s", (int) length, text,
		cut ? "..." : "");
}

const char *symbol_what(const struct symbol *s)
{
	static const char *const fields[] = {
		"a state", "an input", "an output", "a temp"
	};

	switch (s->kind) {
	case SYMBOL_PARAM:
		return "a parameter";
	case SYMBOL_CONST:
		return s->item->ranges ? "a table" : "a constant";
	case SYMBOL_FIELD:
		return fields[s->item->field_kind];
	case SYMBOL_DEF:
		return "a definition";
	case SYMBOL_LET:
		return "a let";
	case SYMBOL_TIME:
		return "the time";
	case SYMBOL_RESULT:
		return "a result";
	default:
		return "unknown";
	}
}

/* The table of names -------------------------------------------------------*/

static struct symbol **bucket_of(const struct lower *l, const char *name)
{
	uintptr_t hash = (uintptr_t) name / sizeof(max_align_t);

	return &l->bucket[hash * 0x9e3779b1u % l->n_buckets];
}

static void grow(struct lower *l)
{
	l->n_buckets = l->n_buckets ? 4 * l->n_buckets : 61;
	l->bucket = region_array(l->mem, struct symbol *, l->n_buckets);
	for (struct symbol *s = l->first; s; s = s->next) {
		struct symbol **bucket = bucket_of(l, s->name);

		s->in_bucket = *bucket;
		*bucket = s;
	}
}

struct symbol *find_symbol(const struct lower *l, const char *name)
{
	struct symbol *s = l->n_buckets ? *bucket_of(l, name) : NULL;

	while (s && s->name != name)
		s = s->in_bucket;
	return s;
}

struct binding *find_binding(const struct context *c, const char *name)
{
	struct binding *b = c->bindings;

	while (b && b->name != name)
		b = b->outer;
	return b;
}

bool mentions(const struct ast_expr *e, const char *name)
{
	if ((e->kind == AST_NAME || e->kind == AST_STEP) &&
	    e->name.text == name)
		return true;
	for (const struct ast_expr *arg = e->args; arg; arg = arg->next)
		if (mentions(arg, name))
			return true;
	return false;
}

bool is_step(const struct lower *l, const struct ast_expr *e)
{
	return l->time && mentions(e, l->time->name);
}

bool is_made_of(const struct lower *l, const struct ast_expr *e,
	bool (*is)(const struct symbol *s))
{
	if (e->kind == AST_NAME) {
		const struct symbol *s = find_symbol(l, e->name.text);

		return s && is(s);
	}
	if (e->kind != AST_NUMBER && e->kind != AST_UNARY &&
	    e->kind != AST_BINARY)
		return false;
	for (const struct ast_expr *arg = e->args; arg; arg = arg->next)
		if (!is_made_of(l, arg, is))
			return false;
	return true;
}

static struct symbol *add_symbol(struct lower *l, enum symbol_kind kind,
	struct ast_name name, const struct ast_item *item)
{
	struct symbol *s = region_new_of(l->mem, struct symbol);
	struct symbol **bucket;

	if (++l->n_symbols > l->n_buckets)
		grow(l);
	bucket = bucket_of(l, name.text);
	s->kind = kind;
	s->name = name.text;
	s->at = name.at;
	s->item = item;
	s->is_lent = l->lends;
	s->in_bucket = *bucket;
	*bucket = s;
	if (l->last)
		l->last->next = s;
	else
		l->first = s;
	l->last = s;
	return s;
}

bool is_state(const struct symbol *s)
{
	return s->item->field_kind == FIELD_STATE;
}

bool is_of_step(const struct symbol *s)
{
	return is_state(s) || s->item->field_kind == FIELD_TEMP;
}

struct ast_expr *indices_in(const struct ast_expr *e, const struct symbol *s)
{
	return is_state(s) ? e->args->next : e->args;
}

struct symbol *declare_part(struct lower *l, struct symbol *after,
	const char *name, const struct ast_item *item, struct symbol *of)
{
	struct symbol *last = l->last, *next = after->next;
	struct symbol *s = add_symbol(l, of->kind, (struct ast_name) {
		name, of->at }, item);

	s->part_of = of;
	if (!next)
		return s;
	last->next = NULL;
	l->last = last;
	s->next = next;
	after->next = s;
	return s;
}

/* NULL after a diagnostic if the name is taken. */
static struct symbol *declare(struct lower *l, enum symbol_kind kind,
	struct ast_name name, const struct ast_item *item)
{
	struct symbol *old = find_symbol(l, name.text);
	enum op op;
	bool single;

	if (op_find_function(name.text, &op, &single)) {
		diag(l->diags, E_REDEFINED, name.at,
			"'%s' is a function of the language", name.text);
		diag_advice(l->diags, "choose another name");
		return NULL;
	}
	if (!old) {
		check_reserved(l, name, kind == SYMBOL_CONST ||
			kind == SYMBOL_DEF ? NAMES_NOTHING : NAMES_VARIABLE);
		return add_symbol(l, kind, name, item);
	}
	diag(l->diags, E_REDEFINED, name.at, "'%s' is declared twice",
		name.text);
	diag_note(l->diags, old->at, "it is %s, declared here",
		symbol_what(old));
	if (old->is_lent)
		diag_advice(l->diags, "choose another name: 'use' brings this "
			"one");
	old->is_taken = true;
	return NULL;
}

static void declare_items(struct lower *l, const struct ast_item *item,
	const struct condition *conditions);

/* Add a statement of the text to the lists. */
static struct update *new_update(struct lower *l, const struct ast_item *item,
	const struct condition *conditions)
{
	struct update *u = region_new_of(l->mem, struct update);

	u->item = item;
	u->conditions = conditions;
	for (; conditions; conditions = conditions->outer)
		++u->n_conditions;
	u->order = l->n_orders++;
	u->looped = l->in_loop;
	u->list = l->list;
	return u;
}

static void declare_update(struct lower *l, const struct ast_item *item,
	const struct condition *conditions)
{
	struct update *u = new_update(l, item, conditions);

	if (l->last_update)
		l->last_update->next = u;
	else
		l->updates = u;
	l->last_update = u;
}

static void declare_reduction(struct lower *l, const struct ast_item *item,
	const struct condition *conditions)
{
	struct update **end = &l->reductions;

	while (*end)
		end = &(*end)->next;
	*end = new_update(l, item, conditions);
}

static void declare_until(struct lower *l, const struct ast_item *item)
{
	if (l->until) {
		diag(l->diags, E_REDUCTION, item->at, "this is a second "
			"'until'");
		diag_note(l->diags, l->until->at, "the first is here");
		diag_advice(l->diags, "join what they ask by '||'");
		return;
	}
	l->until = item;
	l->until_is_apart = !l->in_loop || l->list;
}

static void declare_let(struct lower *l, const struct ast_item *item)
{
	struct symbol *s = declare(l, SYMBOL_LET, item->name, item);

	if (s)
		s->order = l->n_orders;
	++l->n_orders;
}

static void declare_loop(struct lower *l, const struct ast_item *item)
{
	if (l->loop) {
		diag(l->diags, E_TWO_TIME_LOOPS, item->name.at,
			"this is a second time loop");
		diag_note(l->diags, l->loop->name.at, "the first is here");
		diag_advice(l->diags,
			"put the statements into one loop, or each loop "
			"into a program of its own");
		return;
	}
	l->loop = item;
	l->time = declare(l, SYMBOL_TIME, item->name, item);
	l->in_loop = true;
	declare_items(l, item->items, NULL);
	l->in_loop = false;
}

static void declare_at(struct lower *l, const struct ast_item *item,
	const struct condition *conditions)
{
	if (l->list) {
		diag(l->diags, E_LIST, item->name.at,
			"a list of points within a list of points");
		diag_note(l->diags, l->list->name.at, "the outer one is here");
		return;
	}
	l->list = item;
	declare_items(l, item->items, conditions);
	l->list = NULL;
}

/* Numbers that are no fields have the types used for computing. */
static void check_number_type(struct lower *l, const struct ast_item *item)
{
	if (item->joined || item->type == TYPE_INT ||
	    item->type == TYPE_FLOAT || item->type == TYPE_DOUBLE)
		return;
	diag(l->diags, E_TYPE, item->name.at, "'%s' is %s and no field: its type "
		"cannot be '%s'", item->name.text, item->kind == AST_PARAM ?
		"a param" : item->kind == AST_CONST ? "a const" : "a result",
		type_name(item->type));
	diag_advice(l->diags, "make it an int, a float or a double; '(%s) x' "
		"converts a value", type_name(item->type));
}

static void declare_item(struct lower *l, const struct ast_item *item,
	const struct condition *conditions)
{
	struct condition inner = { item->value, conditions };

	switch (item->kind) {
	case AST_PARAM:
		check_number_type(l, item);
		declare(l, SYMBOL_PARAM, item->name, item);
		break;
	case AST_CONST:
		check_number_type(l, item);
		declare(l, SYMBOL_CONST, item->name, item);
		break;
	case AST_FIELD:
		declare(l, SYMBOL_FIELD, item->name, item);
		break;
	case AST_DEF:
		declare(l, SYMBOL_DEF, item->name, item);
		break;
	case AST_LET:
		declare_let(l, item);
		break;
	case AST_UPDATE:
		declare_update(l, item, conditions);
		break;
	case AST_RESULT:
		check_number_type(l, item);
		declare(l, SYMBOL_RESULT, item->name, item);
		break;
	case AST_REDUCE:
		declare_reduction(l, item, conditions);
		break;
	case AST_UNTIL:
		declare_until(l, item);
		break;
	case AST_ON:
		conditions = region_new_of(l->mem, struct condition);
		*(struct condition *) conditions = inner;
		declare_items(l, item->items, conditions);
		break;
	case AST_BLOCK:
		declare_items(l, item->items, conditions);
		break;
	case AST_ITERATE:
		declare_loop(l, item);
		break;
	case AST_AT:
		declare_at(l, item, conditions);
		break;
	case AST_BOUNDARY:
	case AST_ASSUME:
	case AST_USE:
		break;
	}
}

static void declare_items(struct lower *l, const struct ast_item *item,
	const struct condition *conditions)
{
	for (; item && !diag_full(l->diags); item = item->next)
		declare_item(l, item, conditions);
}

void declare_names(struct lower *l)
{
	grow(l);
	check_reserved(l, l->ast->name, NAMES_PROGRAM);
	l->lends = true;
	for (const struct ast_item *use = l->ast->uses.first; use;
	     use = use->next)
		declare_items(l, use->items, NULL);
	l->lends = false;
	declare_items(l, l->ast->items, NULL);
}

/* Names that are not declared ----------------------------------------------*/

static const char *similar_function(const char *wrong, const char *best)
{
	for (int i = 0; i < OP_COUNT; ++i)
		if (!op_info((enum op) i)->precedence)
			best = more_similar(wrong, best,
				op_info((enum op) i)->spelling);
	return best;
}

static bool has_use(const struct context *c, const struct symbol *s,
	enum usage usage)
{
	switch (s->kind) {
	case SYMBOL_PARAM:
		return usage == USED_AS_NUMBER || usage == USED_AS_PARAMETER;
	case SYMBOL_CONST:
		return usage == USED_AS_NUMBER || usage == USED_AS_FIELD;
	case SYMBOL_FIELD:
		return usage == USED_AS_FIELD;
	case SYMBOL_DEF:
		return usage == USED_AS_FUNCTION;
	case SYMBOL_LET:
		return usage == USED_AS_NUMBER;
	case SYMBOL_TIME:
		return usage == USED_AS_NUMBER && c->timed;
	case SYMBOL_RESULT:
		return usage == USED_AS_RESULT ||
			(usage == USED_AS_NUMBER && c->ends);
	case SYMBOL_UNKNOWN:
		break;
	}
	return false;
}

const char *similar_name(const struct context *c, const char *name,
	enum usage usage)
{
	const char *best = NULL;
	int n = 0;

	if (usage == USED_AS_FUNCTION)
		best = similar_function(name, best);
	for (const struct binding *b = c->bindings;
	     b && usage == USED_AS_NUMBER; b = b->outer)
		best = more_similar(name, best, b->name);
	for (const struct symbol *s = c->l->first; s && n < MAX_COMPARED;
	     s = s->next, ++n)
		if (has_use(c, s, usage))
			best = more_similar(name, best, s->name);
	return best;
}

/* Mention where a name that is known elsewhere could be used. */
static void advise(struct context *c, struct ast_name name,
	enum usage usage)
{
	struct diags *d = c->l->diags;
	struct text indices = { 0 };

	if (name.text == c->closed_sum) {
		diag_advice(d, "the sum over '%s' ends before a '+' or '-': "
			"put its body into parentheses", name.text);
		return;
	}
	if (usage == USED_AS_RESULT) {
		diag_advice(d, "what a reduction gives is declared with "
			"'result double %s;'", name.text);
		return;
	}
	if (usage == USED_AS_FIELD) {
		diag_advice(d, "a field is declared with its sizes, as in "
			"'%s float %s[N];'", c->l->loop ? "state" : "input",
			name.text);
		return;
	}
	if (!c->statement) {
		diag_advice(d, "a size known at run time is declared with "
			"'param int %s;'", name.text);
		return;
	}
	for (int i = 0; i < c->statement->ir->n_dims; ++i)
		text_printf(&indices, "%s'%s'", i ? ", " : "",
			c->statement->ir->iterator[i]);
	diag_advice(d, "a number from the caller is declared with 'param "
		"float %s;'; the indices of this statement are %s", name.text,
		indices.length ? indices.bytes : "not known");
	text_free(&indices);
}

void report_undeclared(struct context *c, struct ast_name name,
	enum usage usage)
{
	struct lower *l = c->l;
	const struct symbol *s = find_symbol(l, name.text);
	const char *similar = similar_name(c, name.text, usage);

	if (s && s->kind == SYMBOL_UNKNOWN)
		return;
	if (s) {
		diag(l->diags, E_UNDECLARED, name.at,
			"'%s' is not known here", name.text);
		diag_note(l->diags, s->at, s->kind == SYMBOL_TIME ?
			"it is the time, known inside the loop only" :
			"it is %s, known from here on", symbol_what(s));
		return;
	}
	if (similar) {
		diag(l->diags, E_UNDECLARED, name.at, "'%s' is not declared; "
			"did you mean '%s'?", name.text, similar);
		diag_fixit(l->diags, name.at, "%s", similar);
	} else {
		diag(l->diags, E_UNDECLARED, name.at, "'%s' is not declared",
			name.text);
		advise(c, name, usage);
	}
	add_symbol(l, SYMBOL_UNKNOWN, name, NULL);
}

bool report(struct context *c, struct ast_expr *e, enum diag_id id,
	struct span at, const char *fmt, ...)
{
	va_list args;
	char *message;
	struct text t = { 0 };

	if (e->reported)
		return false;
	e->reported = true;
	va_start(args, fmt);
	text_vprintf(&t, fmt, args);
	va_end(args);
	message = region_strndup(c->l->mem, t.bytes, t.length);
	text_free(&t);
	diag(c->l->diags, id, at, "%s", message);
	return true;
}

bool check_count(struct context *c, struct ast_expr *e, int n)
{
	return e->n_args == n || (report(c, e, E_ARGUMENTS, e->at,
		"'%s' takes %d argument%s, not %d", e->name.text, n,
		n == 1 ? "" : "s", e->n_args), false);
}
