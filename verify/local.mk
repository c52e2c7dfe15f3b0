# verify: shows that a plan computes its program and reads the code; shares no
# code with schedule

verify_sources = \
	%D%/checker.h \
	%D%/verify.h \
	%D%/domains.c \
	%D%/elements.c \
	%D%/forms.c \
	%D%/full.c \
	%D%/lattice.c \
	%D%/launches.c \
	%D%/report.c \
	%D%/sets.c \
	%D%/verify.c \
	%D%/code/code.h \
	%D%/code/asked.h \
	%D%/code/reads.h \
	%D%/code/asked.c \
	%D%/code/beyond.h \
	%D%/code/beyond.c \
	%D%/code/cells.c \
	%D%/code/code.c \
	%D%/code/copies.c \
	%D%/code/joins.h \
	%D%/code/joins.c \
	%D%/code/lanes.h \
	%D%/code/lanes.c \
	%D%/code/lines.c \
	%D%/code/listed.c \
	%D%/code/memory.c \
	%D%/code/moves.c \
	%D%/code/places.c \
	%D%/code/points.c \
	%D%/code/reads.c \
	%D%/code/recorded.c \
	%D%/code/registers.c \
	%D%/code/same.c \
	%D%/code/seen.c \
	%D%/code/stores.c \
	%D%/code/trees.h \
	%D%/code/trees.c \
	%D%/code/values.c \
	%D%/code/walk.c \
	%D%/fuse/fuse.c \
	%D%/overlap/overlap.h \
	%D%/overlap/overlap.c \
	%D%/overlap/points.c \
	%D%/strips/strips.h \
	%D%/strips/cells.c \
	%D%/strips/strips.c \
	%D%/tiles/tiles.h \
	%D%/tiles/around.c \
	%D%/tiles/distance.c \
	%D%/tiles/memory.c \
	%D%/tiles/order.c \
	%D%/tiles/stores.c \
	%D%/tiles/tiles.c
