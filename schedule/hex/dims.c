/* The hexagonal dimension: the named one, or, if it is open, that of the tile
 * with the fastest prediction.
 */
#include "schedule/hex/hex.h"

int hex_index_of(int dim, int hex)
{
	return dim == hex ? 0 : dim < hex ? dim + 1 : dim;
}

int hex_dim_of(int index, int hex)
{
	return index == 0 ? hex : index <= hex ? index - 1 : index;
}

int hex_named_dim(const struct tile_request *request)
{
	return request->hex_dim >= 0 ? request->hex_dim : 0;
}

bool hex_has_dim(struct diags *d, const struct scop *scop,
	const struct tile_request *request)
{
	if (request->hex_dim < scop->n_dims)
		return true;
	diag_plain(d, E_TILE, "--hex-dim=%d: the program has %d space "
		"dimension%s, the first is 0", request->hex_dim, scop->n_dims,
		scop->n_dims == 1 ? "" : "s");
	return false;
}

bool hex_accepts(struct diags *d, const struct scop *scop,
	const struct tile_request *request, const struct outlook *outlook)
{
	(void) outlook;
	return hex_has_dim(d, scop, request);
}

/* Given widths are those of a tile with its hexagons in dimension 0; so are the
 * formulas of the papers, which identify dimensions by their sizes alone.
 */
static bool is_open(const struct scop *scop,
	const struct tile_request *request, const struct outlook *o)
{
	if (request->hex_dim >= 0 || scop->n_dims < 2)
		return false;
	if (request->hex_dim == HEX_DIM_AUTO)
		return true;
	for (int d = 0; d < IR_MAX_DIMS; d++)
		if (request->w[d] >= 0)
			return false;
	return request->for_cpu || (!o->by_loads &&
		o->switches.code == CODE_EMITTED);
}

/* On a GPU, hexagons in the innermost dimension of several count three times: five programs took 1.9
 * to 7 times their prediction on an H200.
 */
static double counted_s(const struct scop *scop, const struct sized *s)
{
	return s->predicted_s * (!s->request.for_cpu && scop->n_dims > 1 &&
		s->request.hex_dim == scop->n_dims - 1 ? 3 : 1);
}

static bool is_better(const struct scop *scop, const struct prediction *a,
	const struct prediction *b)
{
	const struct sized *x = a->candidate, *y = b->candidate;

	if (!a->n_candidates || !b->n_candidates)
		return a->n_candidates > 0 && !b->n_candidates;
	if (x->loads_per_point > 0)
		return x->loads_per_point < y->loads_per_point;
	return counted_s(scop, x) < counted_s(scop, y);
}

static struct hex_dim result_of(const struct scop *scop, int dim,
	const struct prediction *p, bool is_taken)
{
	struct hex_dim result = { .dim = dim, .is_taken = is_taken,
		.name = scop_dim_name(scop, dim), .why = p->why };

	if (p->n_candidates) {
		result.sizes = p->sizes;
		result.predicted_s = p->candidate->predicted_s;
		result.loads_per_point = p->candidate->loads_per_point;
	}
	return result;
}

static void predict_all(struct region *mem, const struct scop *scop,
	const struct tile_request *request, const struct outlook *outlook,
	hex_predict_in *predict, struct prediction *p)
{
	struct prediction *all = region_array(mem, struct prediction,
		scop->n_dims);
	struct hex_dim *dim = region_array(mem, struct hex_dim, scop->n_dims);
	struct tile_request named = *request;
	struct fastest others;
	int best = 0;

	for (int d = 0; d < scop->n_dims; d++) {
		all[d] = *p;
		named.hex_dim = d;
		predict(mem, scop, &named, outlook, &all[d]);
		if (is_better(scop, &all[d], &all[best]))
			best = d;
	}
	fastest_start(&others, mem, scop->n_dims, sizeof(struct sized),
		sized_seconds);
	for (int d = 0; d < scop->n_dims; d++) {
		bool has_tile = all[d].n_candidates > 0;

		dim[d] = result_of(scop, d, &all[d], d == best && has_tile);
		if (d != best && has_tile)
			fastest_try(&others, all[d].candidate);
	}
	*p = all[best];
	p->n_dims = scop->n_dims;
	p->dim = dim;
	p->n_others = others.n;
	p->other = others.all;
}

void hex_predict(struct region *mem, const struct scop *scop,
	const struct tile_request *request, const struct outlook *outlook,
	hex_predict_in *predict, struct prediction *p)
{
	struct tile_request named = *request;

	if (is_open(scop, request, outlook)) {
		predict_all(mem, scop, request, outlook, predict, p);
		return;
	}
	named.hex_dim = hex_named_dim(request);
	if (named.hex_dim < scop->n_dims)
		predict(mem, scop, &named, outlook, p);
	else
		p->why = "the program has no such dimension";
}

bool hex_choose_dim(struct diags *d, const struct scop *scop,
	const struct outlook *outlook, hex_predict_in *predict,
	struct tile_request *request)
{
	struct prediction p = { .n_candidates = 0 };

	if (!hex_has_dim(d, scop, request))
		return false;
	if (is_open(scop, request, outlook))
		predict_all(scop->mem, scop, request, outlook, predict, &p);
	request->hex_dim = hex_named_dim(p.n_candidates ?
		&p.candidate->request : request);
	return true;
}
