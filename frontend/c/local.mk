# cfront: from C files to programs

cfront_sources = \
	%D%/build.h \
	%D%/cfront.h \
	%D%/clang.h \
	%D%/ctree.h \
	%D%/libclang.h \
	%D%/passes.h \
	%D%/stencil.h \
	%D%/question.c \
	%D%/bindings.c \
	%D%/build.c \
	%D%/build_record.c \
	%D%/build_value.c \
	%D%/call.c \
	%D%/cells.c \
	%D%/cfront.c \
	%D%/choice.c \
	%D%/clang.c \
	%D%/clang_call.c \
	%D%/clang_cursor.c \
	%D%/clang_cxx.c \
	%D%/clang_decl.c \
	%D%/clang_expr.c \
	%D%/clang_stmt.c \
	%D%/clang_unit.c \
	%D%/copy.c \
	%D%/ctree.c \
	%D%/data.c \
	%D%/ends.c \
	%D%/inline.c \
	%D%/inline_copy.c \
	%D%/leaves.c \
	%D%/order.c \
	%D%/poly.c \
	%D%/prescan.c \
	%D%/quotient.c \
	%D%/record_rest.c \
	%D%/recorded.c \
	%D%/region.c \
	%D%/regions.c \
	%D%/resolve.c \
	%D%/serve.c \
	%D%/sets.c \
	%D%/shape.c \
	%D%/sizes.c \
	%D%/walk.c
