/* The arrays of functions for rows of tiles. */
#include "codegen/hex/hex.h"

void cpu_hex_add_arrays(const struct cpu_hex *x, struct kfunc *f)
{
	const struct host *h = x->h;

	for (int k = 0; k < h->prog->n_fields; k++) {
		const struct field *field = h->prog->field[k];

		if (field->kind != FIELD_STATE) {
			cpu_add_array(h, f, field, field->name, 1,
				cpu_layout_of_copies(h, field));
			continue;
		}
		for (int back = cpu_hex_copies(h, field) - 1; back >= 0; back--) {
			cpu_add_array(h, f, field, version_name(h->mem, h->prog,
				field, 1 - back), 1, x->in_one_grid ?
				cpu_layout_of_copies(h, field) :
				cpu_layout_of_user(h, field));
			f->param[f->n_params - 1].may_alias = x->in_one_grid;
		}
	}
}
