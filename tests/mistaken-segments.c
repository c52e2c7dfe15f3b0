/* Mistakes of segments and of what is reduced behind them: mistaken.h. */
#include "tests/mistaken.h"

#include "codegen/kernel.h"

static struct ks *find(struct ks *s, bool (*is)(const struct ks *s,
	const char *name), const char *name)
{
	struct ks *found = is(s, name) ? s : NULL;

	for (int i = 0; !found && i < s->n_children; i++)
		found = find(s->child[i], is, name);
	return found;
}

static bool is_loop(const struct ks *s, const char *name)
{
	return s->kind == KS_FOR && !strcmp(s->name, name);
}

static bool is_declared(const struct ks *s, const char *name)
{
	return s->kind == KS_DECLARE && !strcmp(s->name, name);
}

/* Does "s" itself call or launch a function whose name has "name" in it? */
static bool reduces(const struct ks *s, const char *name)
{
	const struct kx *x = s->n_x ? s->x[s->n_x - 1] : NULL;

	while (x && x->kind == KX_CAST)
		x = x->arg[0];
	return s->kind == KS_LAUNCH ? strstr(s->name, name) != NULL :
		s->kind == KS_ASSIGN && x->kind == KX_CALL &&
		strstr(x->name, name);
}

/* Where is the reduction, or the "if" around it, in the block "s"? */
static int index_of(const struct ks *s, const char *name)
{
	for (int i = 0; i < s->n_children; i++)
		if (find(s->child[i], reduces, name))
			return i;
	return -1;
}

static void add_to(struct region *mem, const struct kx **x, int64_t by)
{
	*x = kx_add(mem, *x, by);
}

/* The innermost block with it. */
static struct ks *block_with(struct ks *s, const char *name)
{
	struct ks *inner = s->child[index_of(s, name)];

	return inner->kind == KS_BLOCK ? block_with(inner, name) : s;
}

/* "at" of the launch or assignment. */
static void change_place(struct region *mem, const struct kunit *unit,
	struct ks *s)
{
	if (s->kind == KS_ASSIGN) {
		add_to(mem, (const struct kx **) s->x[0]->arg, 1);
		return;
	}
	for (const struct kfunc *f = unit->first; f; f = f->next)
		for (int i = 0; !strcmp(f->name, s->name) && i < f->n_params;
		     i++)
			if (!strcmp(f->param[i].name, "at"))
				add_to(mem, &s->x[3 + i], 1);
}

static void change_loop(struct kunit *unit, struct ks *loop)
{
	struct region *mem = unit->mem;
	struct ks *end = find(loop, is_declared,
		unit->prog->segments->end->name);
	struct ks *body = block_with(loop->child[0], "_reduce1"), *s;
	int i = index_of(body, "_reduce1");

	if (is_planted("segment-left-out"))
		loop->x[2] = kx_binary(mem, OP_MUL, kx_int(mem, 2), loop->x[2]);
	if (is_planted("segments-begin-later"))
		add_to(mem, &loop->x[0], 1);
	if (is_planted("segment-too-long"))
		add_to(mem, &end->x[0], 1);
	if (is_planted("past-where-it-is-due")) {
		loop->x[2] = kx_int(mem, 4);
		end->x[0] = kx_min(mem, kx_add(mem, kx_name(mem,
			loop->name), 4), ((struct kx *) loop->x[1])->arg[1]);
	}
	if (is_planted("series-in-the-next-place"))
		change_place(mem, unit, find(body->child[i], reduces,
			"_reduce1"));
	if (is_planted("reduced-where-it-is-not-due"))
		body->child[i] = body->child[i]->child[0];
	if (is_planted("reduced-before-the-steps")) {
		s = body->child[i];
		memmove(body->child + 1, body->child, sizeof(*body->child) *
			(size_t) i);
		body->child[0] = s;
	}
}

/* The first cell that a reduction reads in "x". */
static struct kx *read_in(const struct kx *x)
{
	struct kx *found = x->of && expr_is_read(x->of) ? (struct kx *) x :
		NULL;

	for (int i = 0; !found && i < x->n_args; i++)
		found = read_in(x->arg[i]);
	return found;
}

/* The other one of two copies, (passes + 1) % 2 if that is "copy". */
static const struct kx *another_copy(struct region *mem, const struct kx *copy)
{
	return copy->kind == KX_INT ? kx_int(mem, copy->ivalue ? 0 : 1) :
		kx_binary(mem, copy->op, kx_add(mem, copy->arg[0], 1),
			copy->arg[1]);
}

static void change_reads(struct region *mem, const struct ks *s)
{
	for (int i = 0; i < s->n_x; i++) {
		struct kx *x = read_in(s->x[i]);

		if (x && is_planted("another-step-is-reduced"))
			x->arg[0] = another_copy(mem, x->arg[0]);
		if (x && is_planted("another-cell-is-reduced"))
			add_to(mem, &x->arg[x->n_args - 1], 1);
		if (x)
			return;
	}
	for (int i = 0; i < s->n_children; i++)
		change_reads(mem, s->child[i]);
}

static bool adds_box(const struct ks *s, const char *name)
{
	return s->kind == KS_EXPRESSION && s->x[0]->kind == KX_CALL &&
		strstr(s->x[0]->name, name);
}

/* The operand n of "slot", a number % n, of a call. */
static void take_fewer_slots(struct region *mem, const struct kx *call)
{
	for (int i = 0; i < call->n_args; i++) {
		struct kx *x = (struct kx *) call->arg[i];

		if (x->kind == KX_BINARY && x->op == OP_MOD)
			x->arg[1] = kx_int(mem, x->arg[1]->ivalue - 1);
	}
}

/* The block whose child is "s". */
static struct ks *block_of(struct ks *in, const struct ks *s, int *place)
{
	struct ks *found = NULL;

	for (int i = 0; !found && i < in->n_children; i++) {
		*place = i;
		found = in->child[i] == s ? in : block_of(in->child[i], s,
			place);
	}
	return found;
}

/* What a tile reduces. */
static void change_tile(struct region *mem, struct ks *body)
{
	struct ks *call = find(body, adds_box, "_run_reduce0");
	struct ks *due, *block;
	int place;

	if (!call)
		return;
	due = block_of(body, call, &place);
	while (due->kind != KS_IF)
		due = block_of(body, due, &place);
	block = block_of(body, due, &place);
	if (is_planted("norm-where-it-is-not-due"))
		block->child[place] = due->child[0];
	if (is_planted("norm-before-the-rows")) {
		memmove(block->child + 1, block->child, sizeof(*block->child) *
			(size_t) place);
		block->child[0] = due;
	}
	if (is_planted("too-few-slots"))
		take_fewer_slots(mem, call->x[0]);
}

/* .. and what the run makes of it. */
static void change_values(struct region *mem, struct ks *body)
{
	struct ks *value = find(body, reduces, "_run_reduced0"), *loop;
	int place;

	if (!value)
		return;
	loop = block_of(body, value, &place);
	while (loop->kind != KS_FOR)
		loop = block_of(body, loop, &place);
	if (is_planted("value-in-the-next-place"))
		add_to(mem, (const struct kx **) value->x[0]->arg, 1);
	if (is_planted("values-of-a-later-band"))
		add_to(mem, (const struct kx **) &loop->x[1]->arg[1], 1);
	if (is_planted("too-few-slots"))
		take_fewer_slots(mem, value->x[1]);
}

static bool is_assigned(const struct ks *s, const char *name)
{
	return s->kind == KS_ASSIGN && s->x[0]->kind == KX_NAME &&
		!strcmp(s->x[0]->name, name);
}

/* Take "x", or its first operand with the name, for what it is without passes. */
static bool drop(struct region *mem, const struct kx **x, const char *name)
{
	struct kx *in = (struct kx *) *x;

	if (in->kind == KX_NAME && !strcmp(in->name, name)) {
		*x = kx_int(mem, 0);
		return true;
	}
	for (int i = 0; i < in->n_args; i++)
		if (drop(mem, &in->arg[i], name))
			return true;
	return false;
}

/* The same in the first statement like "kind" that has it. */
static bool drop_in(struct region *mem, struct ks *s, enum ks_kind kind,
	const char *name)
{
	for (int i = 0; s->kind == kind && i < s->n_x; i++)
		if (drop(mem, &s->x[i], name))
			return true;
	for (int i = 0; i < s->n_children; i++)
		if (drop_in(mem, s->child[i], kind, name))
			return true;
	return false;
}

static void drop_argument(struct kunit *unit, struct ks *launch, const char *name)
{
	for (int i = 3; launch && i < launch->n_x; i++)
		drop(unit->mem, &launch->x[i], name);
}

/* Copies that turn from segment to segment. */
static void change_passes(struct kunit *unit, struct kfunc *f)
{
	const char *name = kernel_names_new(unit->mem, unit->prog)->memory.passes;
	struct ks *counted = find(f->body, is_assigned, name);

	if (f->is_kernel && !f->is_of_lists && is_planted("copy-does-not-turn"))
		drop_in(unit->mem, f->body, KS_ASSIGN, name);
	if (!counted)
		return;
	if (is_planted("reduced-in-the-first-copies"))
		drop_argument(unit, find(f->body, reduces, "_reduce0"), name);
	if (is_planted("launched-in-the-first-copies"))
		drop_argument(unit, find(f->body, reduces, unit->prog->name), name);
	if (is_planted("results-of-the-first-copies"))
		drop_in(unit->mem, f->body, KS_CHECKED, name);
	if (is_planted("a-pass-too-many"))
		add_to(unit->mem, (const struct kx **) &counted->x[1]->arg[0], 1);
	if (is_planted("passes-not-counted"))
		*counted = *ks_simple(unit->mem, KS_BLANK);
}

void change_segments(struct kunit *unit)
{
	const struct segments *segments = unit->prog->segments;

	for (struct kfunc *f = unit->first; segments && f; f = f->next) {
		struct ks *loop = find(f->body, is_loop,
			segments->first->name);
		struct ks *unseen = find(f->body, reduces, "_reduce2"), *pieces;

		if (loop && !f->is_kernel)
			change_loop(unit, loop);
		if (unseen && is_planted("number-of-the-end-forgotten"))
			*unseen = *ks_simple(unit->mem, KS_BLANK);
		if (strstr(f->name, "_reduce0") || strstr(f->name, "_pieces0"))
			change_reads(unit->mem, f->body);
		pieces = find(f->body, reduces, "_pieces0");
		if (pieces && is_planted("pieces-not-made"))
			*pieces = *ks_simple(unit->mem, KS_BLANK);
		change_tile(unit->mem, f->body);
		change_values(unit->mem, f->body);
		change_passes(unit, f);
	}
}
