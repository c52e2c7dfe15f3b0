# graph: programs as graphs of stencils, their variants and the best of them

graph_sources = \
	%D%/graph.h \
	%D%/build.c \
	%D%/cells.c \
	%D%/count.c \
	%D%/draw.c \
	%D%/draw.h \
	%D%/dynamic.c \
	%D%/families.c \
	%D%/layers.c \
	%D%/machine.c \
	%D%/orders.c \
	%D%/print.c \
	%D%/search.c \
	%D%/search.h \
	%D%/shape.c \
	%D%/shape.h \
	%D%/shared.c \
	%D%/tiles.c \
	%D%/tiles.h \
	%D%/times.c \
	%D%/variant.c \
	%D%/whole.c
