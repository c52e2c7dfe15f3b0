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
	%D%/region.c \
	%D%/similar.c \
	%D%/source.c \
	%D%/temporary.c \
	%D%/text.c

# The pages that --explain prints, as lines of text.
BUILT_SOURCES += %D%/explain-text.h
CLEANFILES += %D%/explain-text.h

%D%/explain-text.h: doc/diagnostics.md codegen/text-to-c.awk
	$(AM_V_GEN)$(MKDIR_P) %D% && \
	$(AWK) -v name=explain -f $(srcdir)/codegen/text-to-c.awk \
		$(srcdir)/doc/diagnostics.md >$@.tmp && mv $@.tmp $@
