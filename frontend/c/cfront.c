/* From a C file to the programs of its regions. */
#include "frontend/c/border.h"
#include "frontend/c/call.h"
#include "frontend/c/carried.h"
#include "frontend/c/closed.h"
#include "frontend/c/exchange.h"
#include "frontend/c/forward.h"
#include "frontend/c/ghost.h"
#include "frontend/c/layer.h"
#include "frontend/c/list.h"
#include "frontend/c/lookup.h"
#include "frontend/c/overwrite.h"
#include "frontend/c/roles.h"
#include "frontend/c/turn.h"
#include "frontend/c/work.h"

#include <string.h>

/* Which statement computes each cell that is read; no access changes, though statements get copies. */
static bool find_writers(struct stencil *s)
{
	bool found;

	keep_cells(s);
	settle_writes(s);
	found = drop_idle(s) && find_versions(s);
	forget_cells(s);
	return found;
}

/* How much of each array there is, and what lies beyond; no access changes. */
static bool find_extents(struct stencil *s)
{
	bool found;

	keep_cells(s);
	found = find_sizes(s) && find_ends(s);
	forget_cells(s);
	return found;
}

static bool recognise(struct stencil *s)
{
	if (!walk_region(s) || !find_shapes(s))
		return false;
	ask_for_turns(s);
	part_conditions(s);
	if (!check_affine(s) || !ends_are_known(s) || !aliases_are_told(s) ||
	    !split_choices(s) || !drop_idle(s))
		return false;
	forward_arrays(s);
	find_layers(s);
	if (!find_ghosts(s))
		return false;
	drop_borders(s);
	join_roles(s);
	leave_rounds(s);
	leave_odd_step(s);
	if (!find_extents(s))
		return false;
	tell_phases_apart(s);
	find_mirrors(s);
	find_rows(s);
	choose_edges(s);
	return find_writers(s) && check_inside(s) &&
		check_results(s) && find_list_writers(s) && exchange_roles(s);
}

/* Report that each step becomes a call, and why. */
static void warn_each_step(struct stencil *s)
{
	const struct c_expr *e = s->of_step, *sub = e->arg[0];
	bool is_plain = sub->kind == CX_VAR;

	diag(s->diags, W_C_EACH_STEP, e->at, "'%s' is another element in each "
		"step, so each step is a call of its own: nothing is tiled "
		"over steps", c_quote(s, e->at));
	if (s->recorded.why) {
		explain_no_record(s);
		return;
	}
	diag_advice(s->diags, "if the last steps are all that is needed, let "
		"copies take turns, as in '%s[%s%s%s %% 2]'", e->decl->name,
		is_plain ? "" : "(", c_quote(s, sub->at), is_plain ? "" : ")");
}

static struct stencil *new_stencil(const struct stencil *like,
	const struct c_region *region)
{
	struct stencil *s = region_new_of(like->mem, struct stencil);

	*s = *like;
	s->region = region;
	s->named.all = names_new(s->mem);
	return s;
}

/* The stencil of "region"; if a record cannot be an output by step, the stencil with arrays of
 * all steps.  NULL after a diagnostic.
 */
static struct stencil *recognise_steps(const struct stencil *like,
	const struct c_region *region)
{
	struct stencil *s = new_stencil(like, region), *again;

	if (!recognise(s))
		return NULL;
	if (serve_records(s))
		return s;
	again = new_stencil(like, region);
	again->recorded.why = s->recorded.why;
	again->recorded.advice = s->recorded.advice;
	again->recorded.at = s->recorded.at;
	return recognise(again) ? again : NULL;
}

/* The same for steps that begin behind sources; NULL, without a diagnostic: there is none. */
static struct stencil *recognise_later(const struct stencil *like, const struct c_region *later)
{
	struct stencil trial = *like, *s;
	struct diags unseen;
	bool is_silent;

	diags_init_unseen(&unseen);
	unseen.source = like->source;
	trial.diags = &unseen;
	s = recognise_steps(&trial, later);
	is_silent = !unseen.warnings;
	diags_end_unseen(&unseen);
	if (s && !is_silent)
		return recognise_steps(like, later);
	if (s)
		s->diags = like->diags;
	return s;
}

static struct stencil *recognise_region(const struct stencil *like,
	const struct c_region *region)
{
	const struct c_region *own = without_carried(new_stencil(like, region)), *later;
	struct stencil *s;

	region = own ? own : region;
	later = own ? NULL : begun_behind_sources(new_stencil(like, region));
	s = later ? recognise_later(like, later) : NULL;
	return s ? s : recognise_steps(like, region);
}

/* Number "number" of the file's regions, if that has several. */
static struct c_program *build_region(const struct stencil *like, const struct c_region *region, const char *number)
{
	struct c_program *p = region_new_of(like->mem, struct c_program);
	struct stencil *s = recognise_region(like, region);

	if (!s)
		return NULL;
	s->named.call = region_printf(s->mem, "%s_region%s",
		s->region->function, number);
	if (!fill_lookups(s))
		return NULL;
	p->ast = build_program(s, region_printf(s->mem, "%s_stencil%s",
		s->region->function, number));
	p->stencil = s;
	return p->ast && check_counters(s) ? p : NULL;
}

/* The same without nests that copy arrays; NULL, without a diagnostic: they stay. */
static struct c_program *build_without_copies(const struct stencil *like, const struct c_region *region,
	const char *number)
{
	struct stencil trial = *like;
	struct c_program *p;
	struct diags unseen;
	bool is_silent;

	diags_init_unseen(&unseen);
	unseen.source = like->source;
	trial.diags = &unseen;
	p = build_region(&trial, region, number);
	is_silent = !unseen.warnings;
	diags_end_unseen(&unseen);
	if (p && !is_silent)
		return build_region(like, region, number);
	if (p)
		((struct stencil *) p->stencil)->diags = like->diags;
	return p;
}

static struct c_program *read_region(const struct stencil *like,
	const struct c_region *region, int index, int n)
{
	const char *number = n > 1 ? region_printf(like->mem, "%d", index) : "";
	struct stencil with_copies = *like;
	struct c_program *p;
	struct stencil *s;

	if (!region->function) {
		diag(like->diags, E_C_REGION, region->pragma, "the region is in "
			"no function of this file");
		return NULL;
	}
	with_copies.leaves.no_copies = true;
	p = build_without_copies(like, region, number);
	if (!p)
		p = build_region(&with_copies, region, number);
	if (!p)
		return NULL;
	s = (struct stencil *) p->stencil;
	s->recorded.before = text_beside_steps(s, true);
	s->recorded.beside = text_beside_steps(s, false);
	if (s->of_step)
		warn_each_step(s);
	warn_of_loops(s);
	return p;
}

/* The regions with function calls expanded, and regions of several loops over time in parts. */
static struct c_region *split_regions(const struct stencil *like,
	struct c_region *regions)
{
	struct c_region *first = NULL, **link = &first, *next;

	for (struct c_region *r = regions; r; r = next) {
		bool fails = false;

		next = r->next;
		r->next = NULL;
		close_advances(like->mem, r);
		r->body = inline_calls(like->mem, r->body);
		take_breaks(r->body);
		*link = r->function ? split_region(like, r, &fails) : NULL;
		if (!*link && !fails)
			*link = r;
		while (*link)
			link = &(*link)->next;
	}
	return first;
}

/* Questions about pointers before the first part must hold for all parts: none moves then. */
static void check_moves(const struct c_program *programs)
{
	for (const struct c_program *p = programs; p; p = p->next)
		for (const struct c_program *q = programs; q; q = q->next)
			if (p->stencil->region->whole &&
			    p->stencil->region->whole ==
			    q->stencil->region->whole &&
			    moves_pointers(p->stencil) &&
			    asks_about_pointers(q->stencil))
				refuse_moves((struct stencil *) q->stencil);
}

struct c_program *cfront_read(struct region *mem, isl_ctx *isl,
	struct diags *d, const struct source *src, const char *const *args,
	int n_args, bool no_alias, bool on_device)
{
	struct c_program *first = NULL, **link = &first;
	struct c_region *regions;
	struct c_file *file = region_new_of(mem, struct c_file);
	const struct stencil like = { .mem = mem, .isl = isl, .diags = d,
		.source = src, .file = file };
	unsigned errors = d->errors;
	int n = 0, index = 0;

	file->no_alias = no_alias;
	file->on_device = on_device;
	d->source = src;
	d->says_once = true;
	regions = regions_find(mem, d, src);
	if (!regions || !clang_read(mem, d, src, args, n_args, regions, file))
		return NULL;
	regions = split_regions(&like, regions);
	for (const struct c_region *r = regions; r; r = r->next)
		n++;
	for (const struct c_region *r = regions; r; r = r->next) {
		*link = read_region(&like, r, ++index, n);
		if (*link)
			link = &(*link)->next;
	}
	if (d->errors == errors)
		check_moves(first);
	return d->errors > errors ? NULL : first;
}

bool cfront_check_cxx(struct region *mem, struct diags *d,
	const struct source *src, const struct c_program *programs,
	const char *const *args, int n_args, const char *host)
{
	return clang_check_cxx(mem, d, src, args, n_args,
		restrict_in_cxx(programs->stencil->file), host);
}
