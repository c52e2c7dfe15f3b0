/* What the model asks of rows that vectors compute: which statements they serve, and how long rows of
 * the grid are.
 */
#include "schedule/hex/hex.h"

struct asked_of_operations {
	const struct stmt *stmt;
	bool roots, others;
};

/* Is it anything but a sum, a product or a quotient of numbers of the same type, or one of them? */
static void note_other(void *user, const struct expr *e)
{
	struct asked_of_operations *asked = user;
	bool is_leaf = e->n_args == 0 && e->kind != EXPR_INDEX &&
		e->kind != EXPR_TIME;
	bool is_operation = e->type == asked->stmt->write->field->type &&
		((e->kind == EXPR_BINARY && !op_is_of_bits(e->op)) ||
			e->kind == EXPR_UNARY);
	bool is_root = e->kind == EXPR_CALL && e->op == OP_SQRT;

	asked->others |= !is_leaf && !is_operation &&
		!(is_root && asked->roots);
}

bool hex_is_of_operations(const struct stmt *s, bool roots)
{
	struct asked_of_operations asked = { s, roots, false };

	stmt_each_expr(s, note_other, &asked);
	return !asked.others;
}

int hex_margin(const struct scop *scop)
{
	int64_t least = 0, most = 0;

	for (int i = 0; i < scop->prog->n_stmts; i++)
		for (int n = 0; n < scop->prog->stmt[i]->n_reads; n++) {
			const struct access *read =
				scop->prog->stmt[i]->read[n];
			const int64_t by = read->offset[scop->n_dims - 1];

			if (read->field->n_dims < scop->n_dims ||
			    read->field->is_listed)
				continue;
			least = by < least ? by : least;
			most = by > most ? by : most;
		}
	return (int) (most - least);
}
