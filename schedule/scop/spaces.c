/* The spaces of instances and values, and their times. */
#include "ir/waves.h"
#include "schedule/scop/sets.h"

__isl_give isl_space *scop_param_space(const struct scop *scop)
{
	const struct program *prog = scop->prog;
	isl_space *space = isl_space_params_alloc(scop->ctx, 0);

	for (int i = 0; i < prog->n_params; i++) {
		struct param *p = prog->param[i];
		int pos = isl_space_dim(space, isl_dim_param);

		if (p->type != TYPE_INT || p->fixed)
			continue;
		space = isl_space_add_dims(space, isl_dim_param, 1);
		space = isl_space_set_dim_name(space, isl_dim_param, pos,
			p->name);
	}
	return space;
}

__isl_give isl_space *scop_tuple_space(const struct scop *scop,
	const char *name, int n)
{
	isl_space *space = isl_space_set_from_params(scop_param_space(scop));

	space = isl_space_add_dims(space, isl_dim_set, n);
	return isl_space_set_tuple_name(space, isl_dim_set, name);
}

__isl_give isl_space *scop_instance_space(const struct scop *scop,
	const struct stmt *stmt)
{
	return scop_tuple_space(scop, stmt->name, 1 + stmt->n_dims);
}

__isl_give isl_space *scop_value_space(const struct scop *scop,
	const struct field *field)
{
	return scop_tuple_space(scop, field->name,
		has_version(field) + field->n_dims);
}

__isl_give isl_pw_aff *scop_affine_of_params(const struct scop *scop,
	const struct expr *e)
{
	isl_space *space;
	isl_pw_aff *value;

	space = isl_space_set_from_params(scop_param_space(scop));
	value = affine_of_expr(space, scop->prog, e);
	isl_space_free(space);
	return value;
}

__isl_give isl_pw_aff *scop_steps(const struct scop *scop)
{
	return isl_pw_aff_project_domain_on_params(isl_pw_aff_sub(
		scop_affine_of_params(scop, scop->prog->end),
		scop_affine_of_params(scop, scop->prog->begin)));
}

__isl_give isl_set *scop_has_steps(const struct scop *scop)
{
	const struct program *written = program_written(scop->prog);

	return isl_set_params(isl_pw_aff_gt_set(
		scop_affine_of_params(scop, written->end),
		scop_affine_of_params(scop, written->begin)));
}

__isl_give isl_set *scop_time_range(const struct scop *scop,
	__isl_keep isl_space *space)
{
	const struct program *prog = scop->prog;
	isl_pw_aff *steps;

	steps = isl_pw_aff_sub(affine_of_expr(space, prog, prog->end),
		affine_of_expr(space, prog, prog->begin));
	return set_within(space, 0, steps);
}

__isl_give isl_set *scop_cells_at_steps(const struct scop *scop,
	__isl_keep isl_set *like, const struct field *f)
{
	isl_space *space = isl_set_get_space(like);
	isl_set *set = scop_time_range(scop, space);

	for (int d = 0; d < f->n_dims; d++)
		set = isl_set_intersect(set, set_within(space,
			1 + d, affine_of_expr(space, scop->prog,
				f->size[d])));
	isl_space_free(space);
	return isl_set_intersect_params(set, isl_set_copy(scop->context));
}

__isl_give isl_map *scop_instants_of(const struct scop *scop,
	const struct scop_stmt *s, int k, int number)
{
	isl_space *from = isl_set_get_space(s->domain);
	isl_space *to = isl_space_set_from_params(scop_param_space(scop));
	isl_local_space *ls = isl_local_space_from_space(isl_space_copy(from));
	isl_multi_aff *ma;
	isl_aff *tau;

	to = isl_space_add_dims(to, isl_dim_set, 1 + scop->n_dims);
	ma = isl_multi_aff_zero(isl_space_map_from_domain_and_range(from, to));
	tau = isl_aff_var_on_domain(isl_local_space_copy(ls), isl_dim_set, 0);
	tau = isl_aff_scale_val(tau, isl_val_int_from_si(scop->ctx, k));
	tau = isl_aff_add_constant_si(tau, number);
	ma = isl_multi_aff_set_aff(ma, 0, tau);
	for (int d = 0; d < s->stmt->n_dims; d++)
		ma = isl_multi_aff_set_aff(ma, 1 + d, isl_aff_var_on_domain(
			isl_local_space_copy(ls), isl_dim_set, 1 + d));
	isl_local_space_free(ls);
	return isl_map_from_multi_aff(ma);
}

__isl_give isl_map *scop_canonical(const struct scop *scop,
	const struct scop_stmt *s)
{
	return isl_map_intersect_domain(scop_instants_of(scop, s, scop->k,
		s->number), isl_set_copy(s->domain));
}

int program_writer(const struct program *prog, const struct field *field)
{
	for (int i = 0; i < prog->n_stmts; i++)
		if (prog->stmt[i]->write->field == field)
			return i;
	return -1;
}
