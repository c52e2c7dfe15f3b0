/* Mistakes of clusters of blocks: mistaken.h. */
#include "tests/mistaken.h"

#include "codegen/kernel.h"

static bool calls(const struct ks *s, enum builtin builtin)
{
	return s->kind == KS_EXPRESSION && s->x[0]->kind == KX_BUILTIN &&
		s->x[0]->builtin == builtin;
}

static bool begins(const struct ks *s)
{
	return calls(s, B_CLUSTER_BARRIER);
}

static bool arrives(const struct ks *s)
{
	return calls(s, B_CLUSTER_ARRIVE);
}

static bool waits(const struct ks *s)
{
	return calls(s, B_CLUSTER_WAIT);
}

/* wait; loop over steps */
static bool waits_for_steps(const struct ks *s)
{
	bool any = false;

	for (int i = 0; s->kind == KS_BLOCK && i + 1 < s->n_children; i++)
		any = any || (waits(s->child[i]) &&
			s->child[i + 1]->kind == KS_FOR);
	return any;
}

static bool is_warp(const struct ks *s)
{
	return s->kind == KS_DECLARE && !strcmp(s->name, "warp");
}

static bool is_warp_below(const struct ks *s)
{
	return s->kind == KS_DECLARE && !strcmp(s->name, "warp_below");
}

static bool is_far_array(const struct ks *s)
{
	return s->kind == KS_ARRAY && s->at;
}

static bool loops_over_rows(const struct ks *s)
{
	return s->kind == KS_FOR && !strcmp(s->name, "S1");
}

static bool is_launch(const struct ks *s)
{
	return s->kind == KS_LAUNCH;
}

static void drop(struct ks *s)
{
	s->kind = KS_BLANK;
	s->n_x = s->n_children = 0;
}

static void wait_behind_steps(struct ks *s)
{
	for (int i = 0; i + 1 < s->n_children; i++)
		if (waits(s->child[i])) {
			struct ks *wait = s->child[i];

			s->child[i] = s->child[i + 1];
			s->child[i + 1] = wait;
			return;
		}
}

static int count(const struct ks *s, bool (*is)(const struct ks *s))
{
	int n = is(s);

	for (int i = 0; i < s->n_children; i++)
		n += count(s->child[i], is);
	return n;
}

static void change_barriers(struct kfunc *f)
{
	if (is_planted("cluster-not-begun"))
		drop(statement_where(f->body, begins, 0));
	if (is_planted("cluster-not-awaited"))
		drop(statement_where(f->body, waits, 1));
	if (is_planted("cluster-not-awaited-at-the-end"))
		drop(statement_where(f->body, waits, count(f->body, waits) - 1));
	if (is_planted("cluster-never-arrives"))
		drop(statement_where(f->body, arrives, 1));
	if (is_planted("cluster-awaited-late"))
		wait_behind_steps(statement_where(f->body, waits_for_steps, 0));
}

/* Which rows are whose. */
static void change_warps(struct region *mem, struct kfunc *f)
{
	struct ks *s;

	if (is_planted("rank-forgotten")) {
		s = statement_where(f->body, is_warp, 0);
		s->x[0] = s->x[0]->arg[1];
	}
	if (is_planted("rows-left-for-another-warp"))
		((struct kx *) statement_where(f->body, is_warp_below, 0)->x[0])->arg[1] =
			kx_name(mem, "warp");
	if (is_planted("rows-left-in-another-block")) {
		struct kx *at = (struct kx *) statement_where(f->body, is_far_array, 0)->at;

		at->arg[1] = kx_binary(mem, OP_DIV, kx_name(mem, "warp"),
			at->arg[1]->arg[1]);
	}
	if (is_planted("blocks-of-a-cluster-apart")) {
		s = statement_where(f->body, loops_over_rows, 0);
		((struct kx *) s->x[0])->arg[1] = s->x[0]->arg[1]->arg[0];
	}
}

void change_clusters(struct region *mem, struct kfunc *f)
{
	if (f->is_kernel && f->cluster[0] > 0) {
		change_barriers(f);
		change_warps(mem, f);
		if (is_planted("smaller-clusters"))
			f->cluster[1] /= 2;
	}
	if (is_planted("half-a-cluster-launched") && count(f->body, is_launch)) {
		struct kx *grid = (struct kx *) statement_where(f->body, is_launch, 0)->x[0];

		grid->arg[1] = grid->arg[1]->arg[0];
	}
}
