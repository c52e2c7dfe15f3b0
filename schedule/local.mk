# schedule: the program as sets, dependences, strategies and their plans

schedule_sources = \
	%D%/schedule.h \
	%D%/access.c \
	%D%/affine.c \
	%D%/checks.c \
	%D%/choices.c \
	%D%/conditions.c \
	%D%/copies.c \
	%D%/cover.c \
	%D%/cpu.c \
	%D%/cpuhex.c \
	%D%/deps.c \
	%D%/edges.c \
	%D%/fastest.c \
	%D%/footprint.c \
	%D%/fuse.c \
	%D%/fuse_model.c \
	%D%/hex.c \
	%D%/hex_dims.c \
	%D%/hexagon.c \
	%D%/keep.c \
	%D%/overlap.c \
	%D%/plan.c \
	%D%/planes.c \
	%D%/point.c \
	%D%/predict.c \
	%D%/print.c \
	%D%/range.c \
	%D%/scop.c \
	%D%/select.c \
	%D%/skew.c \
	%D%/stored.c \
	%D%/stream.c \
	%D%/strip.h \
	%D%/strip_count.c \
	%D%/strip_hexagons.c \
	%D%/strip_lags.c \
	%D%/strip_model.c \
	%D%/strip_needs.c \
	%D%/strip_parts.c \
	%D%/strip_print.c \
	%D%/strip_shape.c \
	%D%/strip_sizes.c \
	%D%/slabs.c \
	%D%/sweep.c \
	%D%/zblock.c
