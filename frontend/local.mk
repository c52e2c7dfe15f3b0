# frontend: from .stn text to the program

frontend_sources = \
	%D%/ast.h \
	%D%/beside.h \
	%D%/derivative.h \
	%D%/complex.h \
	%D%/components.h \
	%D%/conditions.h \
	%D%/frontend.h \
	%D%/linear.h \
	%D%/slice.h \
	%D%/lower.h \
	%D%/parse-context.h \
	%D%/reads.h \
	%D%/syntax.h \
	%D%/weights.h \
	%D%/access.c \
	%D%/affine.c \
	%D%/amend.c \
	%D%/arithmetic.c \
	%D%/ast.c \
	%D%/brackets.c \
	%D%/check.c \
	%D%/complex.c \
	%D%/components.c \
	%D%/constant.c \
	%D%/derivative.c \
	%D%/divide.c \
	%D%/division.c \
	%D%/doubles.c \
	%D%/element.c \
	%D%/before.c \
	%D%/ends.c \
	%D%/expr.c \
	%D%/boundary.c \
	%D%/field.c \
	%D%/functions.c \
	%D%/guard.c \
	%D%/lattice.c \
	%D%/slice.c \
	%D%/linear.c \
	%D%/list.c \
	%D%/lower.c \
	%D%/moved.c \
	%D%/names.c \
	%D%/number.c \
	%D%/once.c \
	%D%/order.c \
	%D%/parse.y \
	%D%/other.c \
	%D%/passed.c \
	%D%/print.c \
	%D%/propose.c \
	%D%/record.c %D%/reduce.c %D%/reserved.c \
	%D%/scan.l \
	%D%/subscript.c \
	%D%/symbols.c \
	%D%/syntax.c \
	%D%/use.c \
	%D%/weights.c

BUILT_SOURCES += %D%/parse.h
%D%/parse.c %D%/scan.c: | %D%/$(am__dirstamp)

# The names that headers have taken, as lines of text.
names_texts = %D%/macros-text.h %D%/functions-text.h
BUILT_SOURCES += $(names_texts)
CLEANFILES += $(names_texts)
EXTRA_DIST += %D%/macros-of-headers.txt %D%/functions-of-headers.txt \
	%D%/names-of-headers

%D%/macros-text.h: %D%/macros-of-headers.txt base/text-to-c.awk
	$(as_lines) -v name=macro $(srcdir)/%D%/macros-of-headers.txt >$@

%D%/functions-text.h: %D%/functions-of-headers.txt base/text-to-c.awk
	$(as_lines) -v name=function $(srcdir)/%D%/functions-of-headers.txt >$@

# The library, texts of the language that programs use.
library_texts = %D%/absorb-text.h %D%/fd-text.h
BUILT_SOURCES += $(library_texts)
CLEANFILES += $(library_texts)
EXTRA_DIST += %D%/library/absorb.stn %D%/library/fd.stn

%D%/absorb-text.h: %D%/library/absorb.stn base/text-to-c.awk
	$(as_lines) -v name=absorb $(srcdir)/%D%/library/absorb.stn >$@

%D%/fd-text.h: %D%/library/fd.stn base/text-to-c.awk
	$(as_lines) -v name=fd $(srcdir)/%D%/library/fd.stn >$@

.PHONY: names-of-headers
# The lists of names taken, with what the headers of this machine have.
names-of-headers:
	$(AM_V_GEN)CC='$(CC)' CXX='$(CXX)' NVCC='$(NVCC)' \
		$(SHELL) $(top_srcdir)/frontend/names-of-headers add
