/* Zones: a rank computes the cells beside cuts along the dimensions of its last turns of messages, and
 * the others, one after the other, each as a rank would that has these cells alone.  So proofs for
 * ranks hold for zones: their own cells are at least as many as halos are deep, and blocks begin and
 * end as far beyond them as those of ranks (tests/mpi-boxes.c).  Where values come from follows from
 * three rules:
 *
 *	- from the rank's cells; so messages of a turn bring halos of all that have come before;
 *	- of zones beside cuts none has cells beside cuts of a later turn, so that no halo that comes
 *	  later is in its block (tests/mpi-boxes.c);
 *	- all zones have been computed when the messages of the next round go, and have given back
 *	  what they computed.
 */
#include <string.h>

#include "verify/ranks/ranks.h"

bool is_loop_of_zones(const struct ks *s, const char *next)
{
	const struct kx *call = s->kind == KS_FOR ? s->x[1] : NULL;

	return call && call->kind == KX_CALL && !strcmp(call->name, next) &&
		call->n_args == 2 && call->arg[1]->kind == KX_NAME &&
		!strcmp(call->arg[1]->name, s->name) && kx_is_int(s->x[0], 0) &&
		kx_is_int(s->x[2], 1);
}

const struct ks *zones_in(const struct ks *s)
{
	const struct ks *found = is_loop_of_zones(s, "stencilc_enter_zone") ?
		s->child[0] : NULL;

	for (int i = 0; !found && i < s->n_children; i++)
		found = s->child[i] ? zones_in(s->child[i]) : NULL;
	return found;
}

static bool is_call(const struct kx *x, const char *function, const char *of)
{
	return x->kind == KX_CALL && !strcmp(x->name, function) &&
		x->n_args == 2 && x->arg[1]->kind == KX_NAME &&
		!strcmp(x->arg[1]->name, of);
}

/* Zones are computed at the same time where they have streams, else one after the other. */
static bool are_at_once(const struct ranks *r, const struct kfunc *block)
{
	bool has_stream = false;

	for (int i = 0; i < block->n_params; i++)
		has_stream = has_stream || ctype_is(block->param[i].c_type, CT_STREAM);
	return r->exchange.late > 0 && has_stream;
}

bool is_of_zone(const struct ranks *r, const struct kx *x, const struct kfunc *block,
	const struct kparam *param)
{
	if (are_at_once(r, block) && ctype_is(param->c_type, CT_STREAM))
		return is_call(x, "stencilc_stream", param->name);
	if (are_at_once(r, block) && param->c_type.pointers)
		return is_call(x, "stencilc_memory", param->name);
	return x->kind == KX_NAME && !strcmp(x->name, param->name);
}

/* Messages of this turn bring halos of the halos along all dimensions before; those along dimension 0 are
 * the last.
 */
static bool bring_all(const struct exchange *x, int turn)
{
	int before = 0;

	for (int i = 0; i < turn; i++)
		before |= 1 << x->order[i];
	return x->carried[turn] == before && (turn < x->n_dims - 1 || x->order[
		turn] == 0);
}

static bool are_alike(const int *both)
{
	return both[SIDE_LOW] == both[SIDE_HIGH];
}

/* A zone's block of a field has the rank's cells alone beside halos. */
static bool is_as_long(struct ranks *r, const struct shared_field *f, int k)
{
	isl_space *space = space_of_dims(r->c, 0);
	bool good = true;

	for (int d = 0; d < f->field->n_dims; d++)
		good = good && (f->cut[d] != k || are_equal(r, value_of_code(r,
			space, f->size[d]), value_of_code(r, space,
				r->exchange.dim[k].size), r->c->context));
	isl_space_free(space);
	return good;
}

/* Does a zone along the dimension of this turn find in the rank what a rank finds in others? */
static bool suit_zones(struct ranks *r, int turn)
{
	const struct exchange *x = &r->exchange;
	int k = x->order[turn];
	bool good = bring_all(x, turn) && are_alike(x->dim[k].slope) &&
		are_alike(x->dim[k].more);

	for (int i = 0; good && i < x->n_fields; i++)
		good = is_as_long(r, &x->field[i], k);
	return good;
}

bool has_zones_along(const struct ranks *r, int k)
{
	const struct exchange *x = &r->exchange;
	bool has = false;

	for (int turn = x->n_dims - x->late; turn < x->n_dims; turn++)
		has = has || x->order[turn] == k;
	return has;
}

bool check_zones(struct ranks *r)
{
	const struct exchange *x = &r->exchange;

	if (!x->late)
		return true;
	for (int turn = x->n_dims - x->late; turn < x->n_dims; turn++)
		if (!suit_zones(r, turn))
			return refute(r->c, "zones along dimension %d have not what they "
				"need of the rank's cells", x->order[turn]);
	claim(r->c, "zones of a rank along %d dimension%s are computed as ranks with "
		"these cells are, those beside\n  other ranks when their "
		"messages have come, and all before those of the next round go",
		x->late, x->late > 1 ? "s" : "");
	return true;
}
