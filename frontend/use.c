/* Texts that a program uses: files, and those of the library. */
#include "frontend/parse-context.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "frontend/absorb-text.h"
#include "frontend/fd-text.h"

static const struct library {
	const char *name;
	const char *const *line;
	int n_lines;
} library[] = {
	{ "absorb", absorb_text, ABSORB_LINES },
	{ "fd", fd_text, FD_LINES },
};

enum { N_LIBRARIES = sizeof(library) / sizeof(*library) };

void ast_use(struct parse *p, struct ast_name name, bool is_file)
{
	struct ast_item *item = ast_item(p, AST_USE, name.at);

	item->name = name;
	item->is_file = is_file;
	item->user = p->used;
	p->ast->uses = ast_join_items(p->ast->uses, ast_one_item(item));
	p->ast->n_uses++;
}

/* Finding texts ------------------------------------------------------------*/

/* The text called "name", or "name.stn" if "is_file"; NULL: there is none. */
static const struct library *find_library(const char *name, bool is_file)
{
	for (int i = 0; i < N_LIBRARIES; i++) {
		size_t n = strlen(library[i].name);

		if (!strncmp(name, library[i].name, n) &&
		    !strcmp(name + n, is_file ? ".stn" : ""))
			return &library[i];
	}
	return NULL;
}

static const struct source *library_source(struct parse *p,
	const struct library *of)
{
	char *name = region_printf(p->mem, "<%s.stn>", of->name);
	const struct source *src;
	struct text t = { 0 };

	for (int i = 0; i < of->n_lines; i++)
		text_printf(&t, "%s\n", of->line[i]);
	src = source_of_text(p->mem, name, t.bytes);
	text_free(&t);
	return src;
}

/* The file that "item" names, relative to the folder of the file with "item". */
static const char *path_of(struct parse *p, const struct ast_item *item)
{
	const char *name = item->name.text;
	const char *user = item->user ? item->user->path : p->source->name;
	const char *slash = user ? strrchr(user, '/') : NULL;

	if (!slash || name[0] == '/')
		return name;
	return region_printf(p->mem, "%.*s%s", (int) (slash + 1 - user), user,
		name);
}

static void list_libraries(struct parse *p)
{
	struct text t = { 0 };

	for (int i = 0; i < N_LIBRARIES; i++)
		text_printf(&t, "%s'%s'", i ? ", " : "", library[i].name);
	diag_advice(p->diags, "the library has %s; a file is used by its name "
		"in quotes", t.bytes);
	text_free(&t);
}

static void refuse_name(struct parse *p, struct ast_name name)
{
	const char *best = NULL;

	for (int i = 0; i < N_LIBRARIES; i++)
		best = more_similar(name.text, best, library[i].name);
	diag(p->diags, E_USE, name.at, "the library has no '%s'", name.text);
	if (best)
		diag_fixit(p->diags, name.at, "%s", best);
	else
		list_libraries(p);
}

/* The text of "item"; a file lies beside its user, or in the library. */
static const struct source *find_source(struct parse *p,
	struct ast_item *item)
{
	const struct library *of = find_library(item->name.text,
		item->is_file);
	bool from_library = item->user && !item->user->path;
	const char *path = path_of(p, item);
	const struct source *src;

	if (item->is_file && !from_library &&
	    !(of && access(path, F_OK) && errno == ENOENT)) {
		item->path = path;
		src = source_read(p->mem, p->diags, path);
		if (!src)
			diag_note(p->diags, item->at, "it is used here");
		return src;
	}
	if (of)
		return library_source(p, of);
	refuse_name(p, item->name);
	return NULL;
}

/* Does an item before "item" have the same text? */
static bool is_met(struct parse *p, const struct ast_item *item)
{
	const struct ast_item *old = p->ast->uses.first;

	for (; old != item; old = old->next)
		if (old->start && (item->path ?
		    old->path && file_is(old->path, item->path) :
		    !old->path && find_library(old->name.text, old->is_file) ==
		    find_library(item->name.text, item->is_file)))
			return true;
	return false;
}

/* Do the items up to "item" exceed the limit? */
static bool is_too_much(struct parse *p, const struct ast_item *item)
{
	int n = 1;

	for (const struct ast_item *old = p->ast->uses.first; old != item;
	     old = old->next)
		n += old->start > 0;
	if (n <= AST_MAX_USED)
		return false;
	diag(p->diags, E_TOO_LARGE, item->at, "more than %d texts are used",
		AST_MAX_USED);
	return true;
}

bool use_find(struct parse *p, struct ast_item *item)
{
	const struct source *src = is_too_much(p, item) ? NULL :
		find_source(p, item);

	if (!src)
		return false;
	if (!is_met(p, item))
		item->start = source_add(p->mem, p->all, src);
	return true;
}

/* What a text holds --------------------------------------------------------*/

void use_take(struct parse *p, struct ast_items items)
{
	const struct ast_item *item = items.first;

	while (item && (item->kind == AST_DEF || item->kind == AST_CONST))
		item = item->next;
	if (item) {
		diag(p->diags, E_USE, item->at, "a text that is used holds "
			"definitions and constants alone");
		diag_note(p->diags, p->used->at, "it is used here");
		diag_advice(p->diags, "declare it in the program, and pass "
			"it to a definition as an argument");
	}
	p->used->items = items.first;
}

void use_refuse_program(struct parse *p, struct span at)
{
	diag(p->diags, E_USE, at, "what is used is not a program: it holds "
		"definitions and constants alone");
	diag_note(p->diags, p->used->at, "it is used here");
}

const char *const *frontend_used(struct region *mem, const struct ast *ast,
	int *n)
{
	const char **path = region_array(mem, const char *, ast->n_uses);

	*n = 0;
	for (const struct ast_item *use = ast->uses.first; use; use = use->next)
		if (use->path && use->start)
			path[(*n)++] = use->path;
	return path;
}
