/* Fields in components: state float u[3][N][M], of which u[t+1][0][i][j] is one. */
#ifndef STENCILC_COMPONENTS_H
#define STENCILC_COMPONENTS_H

#include "frontend/lower.h"

enum { COMPONENTS_MOST = 64 };

struct components {
	bool is_complex;		/* they are the real and the imaginary
					 * part */
	int n_dims;			/* number of leading subscripts that
					 * select one */
	int64_t size[IR_MAX_DIMS];
	int n;				/* number of components, .. */
	struct symbol **part;		/* .. row-major, each a field */
	bool wrong;			/* reported: it has none */
};

/* names.c ------------------------------------------------------------------*/

/* "e" without the subscripts that select the component "part" of "s". */
struct ast_expr *component_without(struct lower *l, const struct ast_expr *e,
	const struct symbol *s, const struct symbol *part, bool has_time);
/* Report that what "e" is part of needs both parts where only one field can be read; false. */
bool refuse_both_parts(struct context *c, struct ast_expr *e);
/* The component of "s" that the subscripts from "at" on select; NULL after a diagnostic. */
struct symbol *component_of(struct context *c, struct ast_expr *at,
	const struct symbol *s);
/* Report that the subscripts of "e" do not select a component of "s". */
void refuse_component(struct context *c, struct ast_expr *e,
	const struct symbol *s);

/* complex.c ----------------------------------------------------------------*/

/* The text of the read "e" of "s", by the name of "s" if that is part of a complex field. */
const char *spelling_of_part(const struct lower *l, const struct ast_expr *e,
	const struct symbol *s);
/* Is "s" the imaginary part of a complex field?  Messages on both parts come with the real one, and
 * have the name of the field.
 */
bool is_imaginary_part(const struct symbol *s);
const char *complex_name(const struct symbol *s);
/* Are "a" and "b" the two parts of a complex field?  "b" may be NULL. */
bool other_part(const struct symbol *a, const struct symbol *b);

/* components.c -------------------------------------------------------------*/

/* A field written with constants in front of its indices is a field in components: its
 * statements are copied with names for these, as u_0.
 */
void find_components(struct lower *l);
/* The argument that holds the components of "s"; NULL after a diagnostic. */
const struct field *join_components(struct lower *l, const struct symbol *s);

/* symbols.c: a part of "of", declared behind "after". */
struct symbol *declare_part(struct lower *l, struct symbol *after,
	const char *name, const struct ast_item *item, struct symbol *of);

#endif
