# The man pages come from --help; the tarball holds them.
h2m_files = %D%/stencilc.h2m %D%/stencilc-emu.h2m %D%/stencilc-tune.h2m \
	%D%/stencilc-calibrate.h2m
man_pages = $(h2m_files:.h2m=.1)
EXTRA_DIST += $(h2m_files) %D%/make-html %D%/site.css %D%/words.txt @DOCS@ \
	%D%/folder-map %D%/folder-map.awk %D%/pictures/folders.svg \
	%D%/pictures/heat2d-tiles.svg %D%/pictures/ratios.svg \
	%D%/pictures/scale.svg %D%/pictures/shot.png

if BUILD_MAN
dist_man_MANS += $(man_pages)
endif
MAINTAINERCLEANFILES += $(man_pages)

# Dates and lines are as mandoc(1) wants them.
man_page = $(AM_V_GEN)$(MKDIR_P) %D% && \
	date=`date -u -d "@$${SOURCE_DATE_EPOCH:-\`date +%s\`}" +%Y-%m-%d` && \
	$(HELP2MAN) --no-info --include=$(srcdir)/$(@:.1=.h2m) \
	  --output=$@.tmp
date_page = sed '2s/"[A-Z][a-z]* [0-9]*"/"'$$date'"/' $@.tmp | \
	awk '/^[.]/ { print; next } { print | "fold -s -w 79"; \
	  close("fold -s -w 79") }' | sed 's/ *$$//' >$@ && rm -f $@.tmp

# Newer than what --help is made from, not than the program: who builds from
# the tarball needs no help2man.
%D%/stencilc.1: main.c driver/options.c %D%/stencilc.h2m configure.ac | stencilc$(EXEEXT)
	$(man_page) --help-option=--help=all ./stencilc$(EXEEXT) && $(date_page)
%D%/stencilc-emu.1: runtime/emu/stencilc-emu.in %D%/stencilc-emu.h2m configure.ac | stencilc-emu
	$(man_page) ./stencilc-emu && $(date_page)
%D%/stencilc-tune.1: tools/tune/options.in %D%/stencilc-tune.h2m configure.ac | stencilc-tune
	$(man_page) ./stencilc-tune && $(date_page)
%D%/stencilc-calibrate.1: tools/calibrate/stencilc-calibrate.in %D%/stencilc-calibrate.h2m configure.ac | stencilc-calibrate
	$(man_page) ./stencilc-calibrate && $(date_page)

# The map of the folders in doc/inside.md, from what the sources include;
# docs.test compares.
.PHONY: folder-map
folder-map:
	$(AM_V_GEN)$(SHELL) $(srcdir)/%D%/folder-map '$(srcdir)' >folders.svg.tmp && \
	mv folders.svg.tmp $(srcdir)/%D%/pictures/folders.svg

# doc/ and README.md as one site, in html/.
.PHONY: html-site
html-local: html-site
html-site:
	$(AM_V_GEN)$(SHELL) $(srcdir)/%D%/make-html '$(srcdir)' html
clean-local: clean-html
.PHONY: clean-html
clean-html:
	-rm -rf html
