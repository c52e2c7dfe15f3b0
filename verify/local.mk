# verify: shows that a plan computes its program and reads the code; shares no
# code with schedule

verify_sources = \
	%D%/verify.h \
	%D%/checker.h \
	%D%/code.h \
	%D%/code.c \
	%D%/code_cells.c \
	%D%/code_copies.c \
	%D%/code_stores.c \
	%D%/code_values.c \
	%D%/code_walk.c \
	%D%/launches.c \
	%D%/memory.c \
	%D%/order.c \
	%D%/overlap.c \
	%D%/pipeline.c \
	%D%/report.c \
	%D%/sets.c \
	%D%/stores.c \
	%D%/strip_hexagons.c \
	%D%/strips.c \
	%D%/tiles.c \
	%D%/verify.c
