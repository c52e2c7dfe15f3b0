/* Fields in components: state float u[3][N][M], of which u[t+1][0][i][j] is a part. */
#ifndef STENCILC_COMPONENTS_H
#define STENCILC_COMPONENTS_H

#include "frontend/lower.h"

enum { COMPONENTS_MOST = 64 };

struct components {
	int n_dims;			/* of the subscripts that say which */
	int64_t size[IR_MAX_DIMS];
	int n;				/* all of them, .. */
	struct symbol **part;		/* .. row-major, fields each */
	bool wrong;			/* reported: there are none */
};

/* names.c ------------------------------------------------------------------*/

/* "e" without the subscripts that say which component of "s" it is, "part". */
struct ast_expr *component_without(struct lower *l, const struct ast_expr *e,
	const struct symbol *s, const struct symbol *part, bool has_time);
/* The component of "s" that the subscripts from "at" on say; NULL after a diagnostic. */
struct symbol *component_of(struct context *c, struct ast_expr *at,
	const struct symbol *s);
/* The subscripts of "e" do not say which component of "s" is meant. */
void refuse_component(struct context *c, struct ast_expr *e,
	const struct symbol *s);

/* components.c -------------------------------------------------------------*/

/* What is written with constants in front of its indices is a field in components: statements
 * get copies that name these, as u_0.
 */
void find_components(struct lower *l);
/* The argument that the components of "s" are parts of; NULL after a diagnostic. */
const struct field *join_components(struct lower *l, const struct symbol *s);

/* symbols.c: a field that is part of another one, declared behind "after". */
struct symbol *declare_part(struct lower *l, struct symbol *after,
	const char *name, const struct ast_item *item);

#endif
