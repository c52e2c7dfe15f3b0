# base: memory, source text, messages, names, text, files

base_sources = \
	%D%/base.h \
	%D%/diag.def \
	%D%/diag.c \
	%D%/explain.c \
	%D%/file.c \
	%D%/intern.c \
	%D%/json.c \
	%D%/json.h \
	%D%/number.c \
	%D%/number.h \
	%D%/region.c \
	%D%/similar.c \
	%D%/source.c \
	%D%/temporary.c \
	%D%/text.c

# A text as lines of C, in a header that is made.
.DELETE_ON_ERROR:
EXTRA_DIST += %D%/text-to-c.awk
as_lines = $(AM_V_GEN)$(MKDIR_P) $(@D) && \
	$(AWK) -f $(srcdir)/%D%/text-to-c.awk

# The pages that --explain prints.
BUILT_SOURCES += %D%/explain-text.h
CLEANFILES += %D%/explain-text.h

%D%/explain-text.h: doc/diagnostics.md %D%/text-to-c.awk
	$(as_lines) -v name=explain $(srcdir)/doc/diagnostics.md >$@
