# frontend: from .stn text to the program

frontend_sources = \
	%D%/ast.h \
	%D%/frontend.h \
	%D%/lower.h \
	%D%/names-of-headers.h \
	%D%/parse-context.h \
	%D%/syntax.h \
	%D%/access.c \
	%D%/affine.c \
	%D%/ast.c \
	%D%/brackets.c \
	%D%/check.c \
	%D%/constant.c \
	%D%/expr.c \
	%D%/field.c \
	%D%/lower.c \
	%D%/number.c \
	%D%/parse.y \
	%D%/print.c \
	%D%/propose.c \
	%D%/reserved.c \
	%D%/scan.l \
	%D%/symbols.c \
	%D%/syntax.c

BUILT_SOURCES += %D%/parse.h

EXTRA_DIST += %D%/names-of-headers
.PHONY: names-of-headers
# The list of names taken, with what the headers of this machine have.
names-of-headers:
	$(AM_V_GEN)CC='$(CC)' CXX='$(CXX)' NVCC='$(NVCC)' \
		$(SHELL) $(top_srcdir)/frontend/names-of-headers table \
		$(top_srcdir)/frontend/names-of-headers.h >$@.tmp && \
	mv $@.tmp $(top_srcdir)/frontend/names-of-headers.h
