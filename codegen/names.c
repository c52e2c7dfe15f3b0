#include <stdarg.h>
#include <string.h>

#include "codegen/codegen.h"

static bool is_local_name(const struct stmt *s, const char *name)
{
	for (const struct local *l = s->locals; l; l = l->next)
		if (!strcmp(l->name, name))
			return true;
	for (int d = 0; d < s->n_dims; d++)
		if (!strcmp(s->iterator[d], name))
			return true;
	return false;
}

static bool is_user_name(const struct program *prog, const char *name)
{
	for (int i = 0; i < prog->n_params; i++)
		if (!strcmp(prog->param[i]->name, name))
			return true;
	for (int i = 0; i < prog->n_fields; i++)
		if (!strcmp(prog->field[i]->name, name))
			return true;
	for (int i = 0; i < prog->n_stmts; i++)
		if (is_local_name(prog->stmt[i], name))
			return true;
	return !strcmp(prog->name, name);
}

const char *fresh_name(struct region *r, const struct program *prog,
	const char *fmt, ...)
{
	struct text t = { 0 };
	const char *name;
	va_list args;

	va_start(args, fmt);
	text_vprintf(&t, fmt, args);
	va_end(args);
	while (is_user_name(prog, t.bytes))
		text_puts(&t, "_");
	name = region_strdup(r, t.bytes);
	text_free(&t);
	return name;
}

const char *shared_name(struct region *r, const struct program *prog,
	const struct field *field)
{
	return fresh_name(r, prog, "%s_tile", field->name);
}

/* The iterators of the first statement name the dimensions in the comments
 * and in the names of origins.
 */
static const char *dim_name(const struct program *prog, int dim)
{
	for (int i = 0; i < prog->n_stmts; i++)
		if (dim < prog->stmt[i]->n_dims)
			return prog->stmt[i]->iterator[dim];
	return "x";
}

const struct kernel_names *kernel_names_new(struct region *r,
	const struct program *prog)
{
	struct kernel_names *n = region_new_of(r, struct kernel_names);

	n->mem = r;
	n->prog = prog;
	n->tt = fresh_name(r, prog, "TT");
	n->t0 = fresh_name(r, prog, "%s0", prog->time_name);
	n->step = fresh_name(r, prog, "step");
	n->time = prog->time_name;
	n->slot = fresh_name(r, prog, "copy");
	n->steps = fresh_name(r, prog, "steps");
	n->version[0] = fresh_name(r, prog, "before");
	n->version[1] = fresh_name(r, prog, "now");
	n->version[2] = fresh_name(r, prog, "next");
	n->phase = fresh_name(r, prog, "phase");
	n->wave = fresh_name(r, prog, "wave");
	n->phi = fresh_name(r, prog, "phi");
	n->phi_first = fresh_name(r, prog, "phi_first");
	n->phi_last = fresh_name(r, prog, "phi_last");
	n->chunks_wanted = fresh_name(r, prog, "chunks_wanted");
	n->phis = fresh_name(r, prog, "phis");
	n->chunk = fresh_name(r, prog, "chunk");
	n->chunks = fresh_name(r, prog, "chunks");
	n->chunk_tiles = fresh_name(r, prog, "chunk_tiles");
	n->hexagons = fresh_name(r, prog, "hexagons");
	n->place = fresh_name(r, prog, "place");
	n->value = fresh_name(r, prog, "value");
	for (int i = 0; i < 3; i++)
		n->thread[i] = fresh_name(r, prog, "t%c", "xyz"[i]);
	for (int d = 0; d < IR_MAX_DIMS; d++) {
		n->tile[d] = fresh_name(r, prog, "S%d", d);
		n->first[d] = fresh_name(r, prog, "S%d_first", d);
		n->last[d] = fresh_name(r, prog, "S%d_last", d);
		n->origin[d] = fresh_name(r, prog, "%s0", dim_name(prog, d));
		n->local[d] = fresh_name(r, prog, "s%d", d);
		n->cell[d] = fresh_name(r, prog, "c%d", d);
		n->inside[d] = fresh_name(r, prog, "t%s", dim_name(prog, d));
		n->point[d] = dim_name(prog, d);
	}
	return n;
}
