# The compiler around its pipeline.
driver_sources = \
	%D%/choice.c \
	%D%/compilation.c \
	%D%/driver.h \
	%D%/memory.c \
	%D%/options.c \
	%D%/output.c \
	%D%/quota.c \
	%D%/refine.c \
	%D%/show.c
