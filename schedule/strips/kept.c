/* Strips of register streaming: what a lane keeps from iteration to iteration, and whether sums
 * that are begun early take less than the rows that they are sums of.
 */
#include "schedule/strips/strips.h"

static bool is_state(const struct field *f)
{
	return f->kind == FIELD_STATE;
}

int strip_words(enum type type)
{
	return type_size(type) > 4 ? type_size(type) / 4 : 1;
}

struct strip_usage strip_usage(const struct scop *scop, const struct stream *s,
	const struct field *f)
{
	unsigned ages[2] = { 0, 0 };
	struct strip_usage u = { 0 };

	for (int c = 0; c < scop->k; c++) {
		const struct stmt *stmt = scop->prog->stmt[c];
		const struct strip_parts *parts = s->parts[c].differs ? NULL :
			&s->parts[c];

		for (int i = 0; i < strip_n_reads(stmt, parts); i++) {
			struct strip_read read = strip_read_of(stmt, parts, i);
			const struct access *acc = read.acc;
			int age = 0;

			if (acc->field != f)
				continue;
			if (s->dim.stream >= 0)
				age = stream_age(s, scop, stmt, acc,
					(int) acc->offset[s->dim.stream]) -
					read.early;
			u.oldest = larger(u.oldest, age);
			if (acc->offset[s->dim.lane] != 0)
				ages[0] |= 1u << (age & 31);
			if (s->dim.row >= 0 && acc->offset[s->dim.row] != 0) {
				ages[1] |= 1u << (age & 31);
				u.corners |= acc->offset[s->dim.lane] != 0;
			}
		}
	}
	for (int age = 0; age < 32; age++) {
		u.beside += ages[0] >> age & 1;
		u.rows += ages[1] >> age & 1;
	}
	return u;
}

struct strip_rows strip_kept_rows(const struct stream *s, struct strip_usage u,
	const struct field *f)
{
	int i = f->index;
	int across = s->beside.left[i] + s->beside.right[i];
	int along = s->beside.above[i] + s->beside.below[i];

	return (struct strip_rows) {
		.cells = s->cells + (u.beside > 1 ? across : 0),
		.rows = s->dim.row < 0 ? 1 : s->rows + (u.rows > 1 ? along : 0),
		.positions = larger(u.oldest, 1),
	};
}

int strip_parts_kept(const struct strip_parts *parts)
{
	int kept = 0;

	for (int i = 0; i < parts->n; i++)
		kept += parts->part[i].oldest;
	return kept;
}

/* 32-bit words that a lane keeps of all rows and parts. */
static double words_kept(const struct scop *scop, const struct stream *s)
{
	double words = 0;

	for (int i = 0; i < scop->prog->n_fields; i++) {
		const struct field *f = scop->prog->field[i];
		struct strip_rows kept = { 0 };

		if (is_state(f))
			kept = strip_kept_rows(s, strip_usage(scop, s, f), f);
		words += strip_words(f->type) * (double) kept.cells * kept.rows *
			kept.positions;
	}
	for (int i = 0; i < scop->k; i++)
		words += strip_words(scop->prog->stmt[i]->write->field->type) *
			(double) strip_parts_kept(&s->parts[i]) * s->rows * s->cells;
	return words;
}

/* The lane for which parts are chosen: in planes two rows of two cells, else one row of 16
 * bytes.
 */
static struct stream usual_lane(const struct scop *scop, const struct stream *s)
{
	enum { BYTES = 16 };
	struct stream lane = *s;
	int size = type_size(scop->prog->stmt[0]->write->field->type);

	lane.rows = s->dim.row < 0 ? 1 : 2;
	lane.cells = s->dim.row < 0 ? larger(BYTES / size, 1) : 2;
	return lane;
}

/* Sums in the program's order are begun early where the lane keeps less then. */
static void keep_less(const struct scop *scop, struct stream *s)
{
	struct strip_parts *parts = s->parts;
	struct stream lane = usual_lane(scop, s);
	double words = words_kept(scop, &lane);

	s->parts = lane.parts = region_array(scop->mem, struct strip_parts,
		scop->k);
	for (int i = 0; i < scop->k; i++)
		s->parts[i] = strip_without_parts(scop, &parts[i]);
	if (words < words_kept(scop, &lane))
		s->parts = parts;
}

void strip_choose_parts(const struct scop *scop, struct stream *s)
{
	s->parts = region_array(scop->mem, struct strip_parts, scop->k);
	for (int i = 0; i < scop->k; i++) {
		const struct scop_stmt *stmt = &scop->stmt[i];
		struct strip_parts *parts = &s->parts[i];

		parts->of = scop_far(scop, stmt);
		parts->differs = stmt->is_mapped ||
			parts->of.stmt != stmt->stmt;
		strip_find_parts(scop, s, parts);
	}
	if (!scop->prog->reassociated)
		keep_less(scop, s);
	for (int i = 0; i < scop->k; i++)
		s->parts[i].written = strip_mix_as_written(scop->prog,
			s->parts[i].of.stmt);
}
