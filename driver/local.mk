# The compiler around its pipeline.
driver_sources = \
	%D%/choice.c \
	%D%/combine.c \
	%D%/compilation.c \
	%D%/driver.h \
	%D%/help.c \
	%D%/ignored.c \
	%D%/memory.c \
	%D%/options.c \
	%D%/options.h \
	%D%/output.c \
	%D%/parse.c \
	%D%/quota.c \
	%D%/reassociate.c \
	%D%/ranks.c \
	%D%/roots.c \
	%D%/refine.c \
	%D%/show.c \
	%D%/steps.c \
	%D%/values.c \
	%D%/variants.c \
	%D%/widths.c
