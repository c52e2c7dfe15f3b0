# codegen: kernel trees and the printers

codegen_sources = \
	%D%/codegen.h \
	%D%/host.h \
	%D%/tile.h \
	%D%/buffers.c \
	%D%/cells.c \
	%D%/checks.c \
	%D%/copies.c \
	%D%/cuda.c \
	%D%/deal.c \
	%D%/dump.c \
	%D%/harness.c \
	%D%/host.c \
	%D%/islast.c \
	%D%/kernel.c \
	%D%/launch.c \
	%D%/lower.c \
	%D%/names.c \
	%D%/print.c \
	%D%/rows.c \
	%D%/tree.c

# The harness that --harness adds to a file, as lines of text.
BUILT_SOURCES += %D%/harness-text.h
CLEANFILES += %D%/harness-text.h
EXTRA_DIST += %D%/text-to-c.awk runtime/harness.inc

%D%/harness-text.h: runtime/harness.inc %D%/text-to-c.awk
	$(AM_V_GEN)$(MKDIR_P) %D% && \
	$(AWK) -v name=harness -f $(srcdir)/%D%/text-to-c.awk \
		$(srcdir)/runtime/harness.inc >$@.tmp && mv $@.tmp $@
