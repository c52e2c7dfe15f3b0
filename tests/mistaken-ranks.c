/* Mistakes of what ranks exchange: mistaken.h. */
#include "tests/mistaken.h"

#include "codegen/codegen.h"
#include "codegen/tree/tree.h"
#include "verify/verify.h"

/* The list whose name ends so, or NULL. */
static struct ks *list_in(struct ks *s, const char *suffix)
{
	size_t n = strlen(suffix);
	struct ks *found = s->kind == KS_LIST && strlen(s->name) >= n &&
		!strcmp(s->name + strlen(s->name) - n, suffix) ? s : NULL;

	for (int i = 0; !found && i < s->n_children; i++)
		found = list_in(s->child[i], suffix);
	return found;
}

static void set(struct region *r, const struct ks *list, int i, int64_t value)
{
	list->x[i] = kx_int(r, value);
}

static void add(struct region *r, const struct ks *list, int i, int64_t more)
{
	set(r, list, i, list->x[i]->ivalue + more);
}

static void exchange(const struct kx **a, const struct kx **b)
{
	const struct kx *x = *a;

	*a = *b;
	*b = x;
}

/* stencilc_cut_in_pieces(ranks, k, first + 1) */
static void cut_later(struct region *r, struct ks *s)
{
	struct kx *x = s->n_x ? (struct kx *) s->x[0] : NULL;

	if (s->kind == KS_EXPRESSION && x->kind == KX_CALL && !strcmp(x->name,
	    "stencilc_cut_in_pieces"))
		x->arg[2] = kx_add(r, x->arg[2], 1);
	for (int i = 0; i < s->n_children; i++)
		cut_later(r, s->child[i]);
}

/* stencilc_choose_zones(ranks, part, turns + 1) */
static void zone_more(struct region *r, struct ks *s)
{
	struct kx *x = s->n_x ? (struct kx *) s->x[0] : NULL;

	if (s->kind == KS_EXPRESSION && x->kind == KX_CALL && !strcmp(x->name,
	    "stencilc_choose_zones"))
		x->arg[2] = kx_add(r, x->arg[2], 1);
	for (int i = 0; i < s->n_children; i++)
		zone_more(r, s->child[i]);
}

/* Of the function that shares the grid out. */
static void change_halos(struct region *r, struct ks *body)
{
	struct ks *order = list_in(body, "order");
	struct ks *carried = list_in(body, "carried");

	if (is_planted("halo-too-shallow-on-a-side"))
		add(r, list_in(body, "A_need"), 2, -1);
	if (is_planted("halo-of-what-is-reduced-too-shallow"))
		add(r, list_in(body, "u_need"), 1, -1);
	if (is_planted("cut-in-the-midst-of-pieces"))
		cut_later(r, body);
	if (is_planted("halo-of-an-input-too-shallow"))
		add(r, list_in(body, "wgt_need"), 1, -1);
	if (is_planted("halo-of-a-past-step-forgotten"))
		for (int i = 0; i < 4; i++)
			set(r, list_in(body, "u_need"), i, NOT_NEEDED);
	if (is_planted("halo-of-the-same-wave-forgotten"))
		for (int i = 0; i < 4; i++)
			add(r, list_in(body, "u_need"), i, -1);
	if (is_planted("slope-too-small"))
		set(r, list_in(body, "reach"), 4, 0);
	if (is_planted("block-without-a-halo-cell"))
		add(r, list_in(body, "reach"), 3, -1);
	if (is_planted("ends-not-joined"))
		set(r, list_in(body, "around"), 0, 0);
	if (is_planted("corners-not-sent"))
		set(r, carried, 1, 0);
	if (is_planted("corners-sent-before-they-came")) {
		set(r, carried, 0, 2);
		set(r, carried, 1, 0);
	}
	if (is_planted("messages-in-another-order"))
		exchange(&order->x[0], &order->x[1]);
	if (is_planted("zones-with-unlike-halos"))
		add(r, list_in(body, "reach"), 0, 1);
	if (is_planted("zones-with-unlike-halos-elsewhere"))
		add(r, list_in(body, "reach"), 4, 1);
	if (is_planted("zones-along-a-dimension-more"))
		zone_more(r, body);
}

/* The loop over rounds, in one over segments if there are some; or NULL. */
static struct ks *rounds_in(struct ks *s)
{
	struct ks *found = NULL;

	for (int i = 0; !found && i < s->n_children; i++)
		found = rounds_in(s->child[i]);
	return found ? found : s->kind == KS_FOR ? s : NULL;
}

/* The end of a round is a sum, with the fewer of two numbers of steps at the end. */
static void change_rounds(struct region *r, struct ks *loop)
{
	struct ks *body = loop->child[0], *end = body->child[1];
	struct ks **last_two = body->child[body->n_children - 1]->child;
	struct kx *last = (struct kx *) end->x[0];

	while (last->kind == KX_BINARY)
		last = (struct kx *) last->arg[1];
	if (is_planted("a-step-more-between-exchanges")) {
		last->arg[0] = kx_add(r, last->arg[0], 1);
		loop->x[2] = kx_add(r, loop->x[2], 1);
	}
	if (is_planted("a-step-of-a-round-forgotten"))
		last->arg[0] = kx_add(r, last->arg[0], -1);
	if (is_planted("exchange-after-the-steps")) {
		struct ks *steps = last_two[1];

		last_two[1] = last_two[0];
		last_two[0] = steps;
	}
}

static bool calls(const struct ks *s, const char *name)
{
	return s->kind == KS_EXPRESSION && s->x[0]->kind == KX_CALL &&
		!strcmp(s->x[0]->name, name);
}

/* { what the loop over zones declares in each of them; the loop } */
static struct ks *with_first_zone(struct region *r, struct ks *loop)
{
	struct ks *all = ks_block(r), *body = loop->child[0];

	for (int i = 0; i < body->n_children; i++)
		if (body->child[i]->kind == KS_DECLARE) {
			ks_add(r, all, body->child[i]);
			body->child[i] = ks_simple(r, KS_BLANK);
		}
	ks_add(r, all, loop);
	return all;
}

static bool is_over_zones(const struct ks *s)
{
	return s->kind == KS_FOR && s->x[1]->kind == KX_CALL &&
		!strcmp(s->x[1]->name, "stencilc_enter_zone");
}

/* Of the loop over zones, if there is one, and what follows it. */
static void change_zones(struct region *r, struct ks *s)
{
	for (int i = 0; i < s->n_children; i++) {
		struct ks *c = s->child[i];

		if (is_over_zones(c) && is_planted("zone-left-out"))
			c->x[0] = kx_int(r, 1);
		if (is_planted("zones-not-joined") &&
		    calls(c, "stencilc_leave_zones"))
			s->child[i] = ks_simple(r, KS_BLANK);
		if (is_over_zones(c) && is_planted("zones-where-the-first-is"))
			s->child[i] = with_first_zone(r, c);
		change_zones(r, c);
	}
}

/* Of the function that computes all steps. */
static void change_run(struct region *r, struct ks *body)
{
	struct ks *loop = rounds_in(body), **extent[2] = { NULL, NULL };
	int n = 0;

	if (!loop)
		return;
	change_rounds(r, loop);
	for (int i = 0; i < body->n_children; i++) {
		struct ks *s = body->child[i];

		if (is_planted("input-not-exchanged") &&
		    calls(s, "stencilc_exchange"))
			body->child[i] = ks_simple(r, KS_BLANK);
		if (s->kind == KS_DECLARE && strstr(s->name, "_extent") && n < 2)
			extent[n++] = &body->child[i];
		if (is_planted("own-cells-end-early") && s->kind == KS_DECLARE &&
		    strstr(s->name, "_own_end"))
			s->x[0] = kx_add(r, s->x[0], -1);
	}
	if (is_planted("extents-exchanged") && n == 2)
		exchange(&(*extent[0])->x[0], &(*extent[1])->x[0]);
}

/* The declaration of "name" in "s", or NULL. */
static struct ks *declaration(struct ks *s, const char *name)
{
	struct ks *found = s->kind == KS_DECLARE && !strcmp(s->name, name) ? s :
		NULL;

	for (int i = 0; !found && i < s->n_children; i++)
		found = s->child[i] ? declaration(s->child[i], name) : NULL;
	return found;
}

/* Of the function that computes a tile of a block. */
static void change_tile(struct region *r, struct ks *body)
{
	struct ks *left = declaration(body, "left");

	if (left && is_planted("a-step-less-is-left"))
		left->x[0] = kx_add(r, left->x[0], -1);
}

int __real_codegen_overlaps(const struct blocks *b);
int __wrap_codegen_overlaps(const struct blocks *b);

/* Whatever is reduced. */
int __wrap_codegen_overlaps(const struct blocks *b)
{
	return is_planted("zones-beside-what-is-reduced") ? 1 : __real_codegen_overlaps(b);
}

void __real_codegen_add_mpi(struct kunit *unit, const struct scop *whole,
	const struct blocks *blocks, struct exchange_steps steps, unsigned with);
void __wrap_codegen_add_mpi(struct kunit *unit, const struct scop *whole,
	const struct blocks *blocks, struct exchange_steps steps, unsigned with);

void __wrap_codegen_add_mpi(struct kunit *unit, const struct scop *whole,
	const struct blocks *blocks, struct exchange_steps steps, unsigned with)
{
	__real_codegen_add_mpi(unit, whole, blocks, steps, with);
	change_segments(unit);
	for (struct kfunc *f = unit->first; f; f = f->next) {
		change_tile(unit->mem, f->body);
		if (list_in(f->body, "carried"))
			change_halos(unit->mem, f->body);
		change_zones(unit->mem, f->body);
		if (f->is_exported && strstr(f->name, "_mpi") &&
		    ks_uses(f->body, "STENCILC_RESULT"))
			change_run(unit->mem, f->body);
	}
}

struct blocks *__real_blocks_new(struct region *r, struct diags *d,
	const struct program *p);
struct blocks *__wrap_blocks_new(struct region *r, struct diags *d,
	const struct program *p);

struct blocks *__wrap_blocks_new(struct region *r, struct diags *d,
	const struct program *p)
{
	struct blocks *b = __real_blocks_new(r, d, p);

	if (b && is_planted("points-left-out-at-an-end"))
		b->point[0][0][SIDE_LOW]--;
	for (int i = 0; b && i < p->n_stmts; i++)
		if (is_planted("condition-of-the-grid") &&
		    p->stmt[i]->n_conditions > 0)
			b->block->stmt[i]->condition[0] =
				p->stmt[i]->condition[0];
	return b;
}

bool __real_verify_ranks(struct diags *d, struct text *certificate,
	const struct scop *whole, const struct blocks *blocks,
	const struct kunit *unit);
bool __wrap_verify_ranks(struct diags *d, struct text *certificate,
	const struct scop *whole, const struct blocks *blocks,
	const struct kunit *unit);

bool __wrap_verify_ranks(struct diags *d, struct text *certificate,
	const struct scop *whole, const struct blocks *blocks,
	const struct kunit *unit)
{
	if (proves_nothing())
		return true;
	return __real_verify_ranks(d, certificate, whole, blocks, unit);
}
