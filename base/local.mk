# base: memory, source text, messages, names, text, files

base_sources = \
	%D%/base.h \
	%D%/diag.def \
	%D%/diag.c \
	%D%/file.c \
	%D%/intern.c \
	%D%/region.c \
	%D%/source.c \
	%D%/text.c
