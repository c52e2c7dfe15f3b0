# codegen: kernel trees and the printers

codegen_sources = \
	%D%/codegen.h \
	%D%/cpu.h \
	%D%/fused.h \
	%D%/host.h \
	%D%/strip.h \
	%D%/tile.h \
	%D%/bindings.c \
	%D%/buffers.c \
	%D%/c.c \
	%D%/cells.c \
	%D%/checks.c \
	%D%/copies.c \
	%D%/cpu.c \
	%D%/cpu_entry.c \
	%D%/cpuhex.c \
	%D%/cpuhex_rows.c \
	%D%/cpuhex_tile.c \
	%D%/cpuhex_vectors.c \
	%D%/cuda.c \
	%D%/deal.c \
	%D%/dump.c \
	%D%/function.c \
	%D%/harness.c \
	%D%/fused.c \
	%D%/harness-main.c \
	%D%/helpers.c \
	%D%/host.c \
	%D%/islast.c \
	%D%/kernel.c \
	%D%/known.c \
	%D%/lanes.c \
	%D%/launch.c \
	%D%/lower.c \
	%D%/names.c \
	%D%/overlap.c \
	%D%/planes.c \
	%D%/print.c \
	%D%/resident.c \
	%D%/rows.c \
	%D%/slabs.c \
	%D%/store.c \
	%D%/straight.c \
	%D%/stream.c \
	%D%/strip_ahead.c \
	%D%/strip_bulk.c \
	%D%/strip_cells.c \
	%D%/strip_parts.c \
	%D%/strip_edges.c \
	%D%/strip_hexagons.c \
	%D%/strip_memory.c \
	%D%/strip_shuffles.c \
	%D%/sums.c \
	%D%/tree.c \
	%D%/vectors.c

# The harness that --harness adds to a file, as lines of text.
harness_texts = %D%/harness-text.h %D%/harness-c-text.h %D%/harness-cuda-text.h
BUILT_SOURCES += $(harness_texts)
CLEANFILES += $(harness_texts)
EXTRA_DIST += %D%/text-to-c.awk runtime/harness.inc runtime/harness-c.inc \
	runtime/harness-cuda.inc

as_lines = $(AM_V_GEN)$(MKDIR_P) %D% && $(AWK) -f $(srcdir)/%D%/text-to-c.awk

%D%/harness-text.h: runtime/harness.inc %D%/text-to-c.awk
	$(as_lines) -v name=harness $(srcdir)/runtime/harness.inc >$@.tmp && \
		mv $@.tmp $@

%D%/harness-c-text.h: runtime/harness-c.inc %D%/text-to-c.awk
	$(as_lines) -v name=harness_c $(srcdir)/runtime/harness-c.inc >$@.tmp && \
		mv $@.tmp $@

%D%/harness-cuda-text.h: runtime/harness-cuda.inc %D%/text-to-c.awk
	$(as_lines) -v name=harness_cuda $(srcdir)/runtime/harness-cuda.inc \
		>$@.tmp && mv $@.tmp $@
