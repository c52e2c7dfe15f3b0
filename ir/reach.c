/* The depth of blocks' halos: what a block's own cells depend on, some steps back. */
#include "ir/cuts.h"
#include "ir/reduction.h"

/* How far beyond its own cells a block needs values, in each cut dimension on both sides;
 * NOT_NEEDED: none.
 */
struct margin {
	int beyond[BLOCKS_MAX_DIMS][SIDES];
};

struct reach {
	const struct blocks *blocks;
	struct margin **need;	/* by field and slot: that of version 1 - slot */
	struct margin *point;	/* by statement: where the current step needs it */
};

static const struct margin none = { {
	{ NOT_NEEDED, NOT_NEEDED }, { NOT_NEEDED, NOT_NEEDED },
	{ NOT_NEEDED, NOT_NEEDED },
} };

/* The cells that a read wants beyond the point needed "at"; cells near an end that stand for
 * cells beyond it lie on the other side of the point.
 */
static void subscript_reach(const struct subscript *at, int *cells)
{
	const struct boundary *b = at->field->boundary[at->d];

	cells[SIDE_LOW] = at->offset < 0 ? (int) -at->offset : 0;
	cells[SIDE_HIGH] = at->offset > 0 ? (int) at->offset : 0;
	if (!at->access) {
		cells[SIDE_LOW] += cells[SIDE_HIGH];
		cells[SIDE_HIGH] = cells[SIDE_LOW];
		return;
	}
	for (int side = 0; side < SIDES; side++)
		if (boundary_info(b[side].kind)->stands == STANDS_NEAR &&
		    cells[!side] < cells[side])
			cells[!side] = cells[side];
}

struct need_of {
	struct reach *reach;
	const struct margin *point;	/* where the statement is needed */
};

/* In waves a state has one copy, and a read may find what the same wave has written. */
static bool is_one_copy(const struct reach *r, const struct field *f)
{
	return r->blocks->whole->waves && f->kind == FIELD_STATE;
}

static struct margin *slot_of(const struct reach *r, const struct field *f,
	int version)
{
	return &r->need[f->index][is_one_copy(r, f) ? 0 : 1 - version];
}

static void add_need(void *user, const struct subscript *at)
{
	const struct need_of *n = user;
	const struct block_field *f =
		&n->reach->blocks->field[at->field->index];
	struct margin *m = slot_of(n->reach, at->field, at->access ?
		at->access->version : 0);
	int cells[SIDES], k = f->cut[at->d];

	if (k < 0)
		return;
	subscript_reach(at, cells);
	for (int side = 0; side < SIDES; side++)
		if (m->beyond[k][side] < n->point->beyond[k][side] + cells[side])
			m->beyond[k][side] = n->point->beyond[k][side] +
				cells[side];
}

/* A field's values are needed if they are along some dimension of its own. */
static bool is_needed(const struct margin *m)
{
	for (int k = 0; k < BLOCKS_MAX_DIMS; k++)
		if (m->beyond[k][SIDE_LOW] != NOT_NEEDED)
			return true;
	return false;
}

static void join(struct margin *a, const struct margin *b)
{
	for (int i = 0; i < BLOCKS_MAX_DIMS * SIDES; i++)
		if (a->beyond[i / SIDES][i % SIDES] <
		    b->beyond[i / SIDES][i % SIDES])
			a->beyond[i / SIDES][i % SIDES] =
				b->beyond[i / SIDES][i % SIDES];
}

/* Recording "s" in a step needs its own cells, and, between cells, the next ones, too. */
static void need_recorded(const struct reach *r, const struct stmt *s)
{
	struct margin *need = slot_of(r, s->write->field, s->write->version);

	for (int i = 0; i < s->n_listed; i++) {
		const struct listed *l = s->listed[i];
		int next = l->corners ? 1 : 0;

		if (l->series)
			join(need, &(struct margin) { { { 0, next },
				{ 0, next }, { 0, next } } });
	}
}

/* From what is needed after a step to what is needed before it, in the same slots. */
static void step_back(struct reach *r)
{
	const struct program *p = r->blocks->whole;

	for (int i = p->n_stmts - 1; i >= 0; i--) {
		const struct access *write = p->stmt[i]->write;
		const struct margin *point = slot_of(r, write->field,
			write->version);
		struct margin own;

		need_recorded(r, p->stmt[i]);
		own = r->point[i] = *point;
		if (is_needed(&own))
			stmt_each_subscript(p->stmt[i], add_need,
				&(struct need_of) { r, &own });
	}
	for (int i = 0; i < p->n_fields; i++) {
		const struct field *f = p->field[i];
		struct margin *need = r->need[i];

		if (f->kind != FIELD_STATE || is_one_copy(r, f))
			continue;
		/* a point that no statement computes keeps its value */
		if (!f->is_hidden)
			join(&need[1], &need[0]);
		for (int slot = 0; slot < f->depth; slot++)
			need[slot] = f->is_hidden ? none : need[slot + 1];
		need[f->depth] = none;
	}
}

/* The slot of what a caller passes as copy "copy", between two steps. */
static int slot_of_copy(const struct field *f, int copy)
{
	return f->kind == FIELD_STATE ? field_copies(f) - 1 - copy : 1;
}

/* Reductions behind the last step need what they read, at the rank's own points. */
static void need_reduced(const struct reach *r, const struct access *a)
{
	const struct field *f = a->field;
	struct margin *m = slot_of(r, f, a->version);

	for (int d = 0; d < f->n_dims; d++) {
		const struct subscript at = { f, a, d, a->dim[d], a->stride[d],
			a->offset[d], a->at };
		int cells[SIDES], k = r->blocks->field[f->index].cut[d];

		subscript_reach(&at, cells);
		for (int side = 0; side < SIDES && k >= 0; side++)
			if (m->beyond[k][side] < cells[side])
				m->beyond[k][side] = cells[side];
	}
}

/* After the last step, callers need the rank's own cells of the results. */
static void begin(struct region *tmp, struct reach *r)
{
	const struct program *p = r->blocks->whole;

	r->need = region_array(tmp, struct margin *, p->n_fields);
	r->point = region_array(tmp, struct margin, p->n_stmts);
	for (int i = 0; i < p->n_fields; i++) {
		const struct field *f = p->field[i];

		r->need[i] = region_array(tmp, struct margin, f->depth + 2);
		for (int slot = 0; slot < f->depth + 2; slot++)
			r->need[i][slot] = none;
		for (int c = 0; f->kind != FIELD_INPUT &&
		     f->kind != FIELD_SERIES && !field_is_temp(f) &&
		     c < field_copies(f); c++)
			r->need[i][slot_of_copy(f, c)] = (struct margin) {
				{ { 0, 0 } } };
	}
	for (int i = 0; i < p->n_reductions; i++)
		for (int j = 0; j < p->reduction[i]->point->n_reads; j++)
			need_reduced(r, p->reduction[i]->point->read[j]);
}

/* The widest need over all fields, at least 0. */
static struct margin widest(const struct reach *r)
{
	struct margin all = { { { 0, 0 } } };

	for (int i = 0; i < r->blocks->whole->n_fields; i++)
		for (int c = 0; c < field_copies(r->blocks->whole->field[i]); c++)
			join(&all, &r->need[i][slot_of_copy(
				r->blocks->whole->field[i], c)]);
	return all;
}

/* Call "at_end", which may be NULL, with what is needed behind all steps, if something is reduced there,
 * and "each" with what 1, 2, .. steps need.
 */
static void each_count(struct blocks *b,
	void (*at_end)(struct blocks *b, const struct reach *r),
	void (*each)(struct blocks *b, const struct reach *r, int steps))
{
	struct region *tmp = region_new();
	struct reach r = { .blocks = b };
	int most = b->whole->timed ? BLOCKS_MAX_STEPS : 1;

	begin(tmp, &r);
	if (at_end && b->whole->n_reductions > 0)
		at_end(b, &r);
	for (int steps = 1; steps <= most; steps++) {
		step_back(&r);
		each(b, &r, steps);
	}
	region_free(tmp);
}

/* The slope is the most that a step adds; "more" covers the first steps. */
static void note_slopes(struct blocks *b, const struct reach *r, int steps)
{
	struct margin all = widest(r);

	for (int k = 0; k < b->n_dims; k++)
		for (int side = 0; side < SIDES; side++) {
			int added = all.beyond[k][side] - b->dim[k].more[side];

			if (steps > 1 && added > b->dim[k].slope[side])
				b->dim[k].slope[side] = added;
			b->dim[k].more[side] = all.beyond[k][side];
		}
}

static void note_needs_but(struct blocks *b, const struct reach *r, int steps,
	int least)
{
	for (int i = 0; i < b->whole->n_fields; i++) {
		const struct field *f = b->whole->field[i];

		for (int c = 0; c < field_copies(f); c++) {
			const struct margin *m = &r->need[i][slot_of_copy(f, c)];

			for (int k = 0; k < b->n_dims; k++)
				for (int side = 0; side < SIDES; side++) {
					int need = m->beyond[k][side] - steps *
						b->dim[k].slope[side];

					if (m->beyond[k][side] >= least &&
					    b->field[i].need[c][k][side] < need)
						b->field[i].need[c][k][side] =
							need;
				}
		}
	}
}

static void note_needs(struct blocks *b, const struct reach *r, int steps)
{
	note_needs_but(b, r, steps, NOT_NEEDED + 1);
}

/* Reductions need some cells beyond the rank's own ones. */
static void note_needs_at_end(struct blocks *b, const struct reach *r)
{
	note_needs_but(b, r, 0, 1);
}

/* No step follows the last of these steps. */
static void note_points(struct blocks *b, const struct reach *r, int steps)
{
	for (int i = 0; i < b->whole->n_stmts; i++)
		for (int j = 0; j < BLOCKS_MAX_DIMS * SIDES; j++) {
			int k = j / SIDES, side = j % SIDES;
			int beyond = r->point[i].beyond[k][side];
			int more = beyond - (steps - 1) * b->dim[k].slope[side];

			if (beyond != NOT_NEEDED && b->point[i][k][side] < more)
				b->point[i][k][side] = more;
		}
}

/* A block's halos are those of the field that needs most. */
static void note_most(struct blocks *b)
{
	for (int k = 0; k < b->n_dims; k++)
		for (int side = 0; side < SIDES; side++) {
			int more = -b->dim[k].slope[side];

			for (int i = 0; i < b->whole->n_fields; i++)
				for (int c = 0; c < field_copies(b->whole->
				     field[i]); c++)
					if (b->field[i].need[c][k][side] > more)
						more = b->field[i].need[c][k]
							[side];
			b->dim[k].more[side] = more;
		}
}

void blocks_find_halos(struct region *r, struct blocks *b)
{
	int n_points = b->whole->n_stmts * BLOCKS_MAX_DIMS * SIDES;

	for (int i = 0; i < b->whole->n_fields; i++) {
		int n = field_copies(b->whole->field[i]);

		b->field[i].need = region_alloc(r, sizeof(*b->field[i].need) *
			(size_t) n);
		for (int j = 0; j < n * BLOCKS_MAX_DIMS * SIDES; j++)
			b->field[i].need[j / (BLOCKS_MAX_DIMS * SIDES)]
				[j / SIDES % BLOCKS_MAX_DIMS][j % SIDES] =
				NOT_NEEDED;
	}
	b->point = region_alloc(r, sizeof(*b->point) *
		(size_t) b->whole->n_stmts);
	for (int i = 0; i < n_points; i++)
		(&b->point[0][0][0])[i] = NOT_NEEDED;
	each_count(b, NULL, note_slopes);
	each_count(b, note_needs_at_end, note_needs);
	each_count(b, NULL, note_points);
	note_most(b);
}
