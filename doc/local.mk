# The man page comes from --help; the tarball holds it.
EXTRA_DIST += %D%/stencilc.h2m @DOCS@

if BUILD_MAN
dist_man_MANS += %D%/stencilc.1
endif
MAINTAINERCLEANFILES += %D%/stencilc.1

# Newer than what --help is made from, not than the program: who builds from
# the tarball needs no help2man.
%D%/stencilc.1: main.c options.c %D%/stencilc.h2m configure.ac | stencilc$(EXEEXT)
	$(AM_V_GEN)$(MKDIR_P) %D% && \
	$(HELP2MAN) --no-info --include=$(srcdir)/%D%/stencilc.h2m \
	  --output=$@ ./stencilc$(EXEEXT)
