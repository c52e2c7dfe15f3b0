# ir: the program as the compiler sees it

ir_sources = \
	%D%/ir.h \
	%D%/expr.h \
	%D%/ops.def \
	%D%/types.def \
	%D%/boundaries.def \
	%D%/affine.c \
	%D%/blocks.h \
	%D%/assumes.c %D%/blocks.c \
	%D%/boundary.h \
	%D%/boundary.c \
	%D%/cuts.h \
	%D%/cuts.c \
	%D%/decide.c \
	%D%/expr.c \
	%D%/ops.c \
	%D%/factor.h \
	%D%/finite.c \
	%D%/components.h \
	%D%/join.h \
	%D%/join.c \
	%D%/factor.c \
	%D%/listed.h \
	%D%/listed.c \
	%D%/memo.h \
	%D%/memo.c \
	%D%/names.c \
	%D%/reach.c \
	%D%/reassociate.c \
	%D%/rewrite.h \
	%D%/rewrite.c \
	%D%/reduction.h \
	%D%/reduction.c \
	%D%/print.c \
	%D%/verify.c \
	%D%/waves.h \
	%D%/waves.c
