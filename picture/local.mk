picture_sources = \
	%D%/picture.h \
	%D%/bars.c \
	%D%/chart.c \
	%D%/cone.c \
	%D%/explore_blocks.c \
	%D%/explore_hexagons.c \
	%D%/explore_waves.c \
	%D%/forms.h \
	%D%/forms.c \
	%D%/group.c \
	%D%/inner.c \
	%D%/landscape.c \
	%D%/markup.c \
	%D%/measured.c \
	%D%/metrics.c \
	%D%/one_grid.c \
	%D%/pipeline.c \
	%D%/report.c \
	%D%/report.h \
	%D%/report_deps.c \
	%D%/report_explorer.c \
	%D%/report_model.c \
	%D%/report_parts.c \
	%D%/report_source.c \
	%D%/strip.c \
	%D%/svg.c \
	%D%/tikz.c \
	%D%/tikz.h \
	%D%/tiles.c \
	%D%/transfers.c \
	%D%/turn.c

# What moves in the report, as lines of text.
report_texts = %D%/report-css-text.h %D%/report-js-text.h \
	%D%/explore-blocks-text.h %D%/explore-hexagons-text.h \
	%D%/explore-strips-text.h %D%/explore-waves-text.h
BUILT_SOURCES += $(report_texts)
CLEANFILES += $(report_texts)
EXTRA_DIST += %D%/report.css %D%/report.js %D%/explore-blocks.js \
	%D%/explore-hexagons.js %D%/explore-strips.js %D%/explore-waves.js

%D%/report-css-text.h: %D%/report.css base/text-to-c.awk
	$(as_lines) -v name=report_css $(srcdir)/%D%/report.css >$@

%D%/report-js-text.h: %D%/report.js base/text-to-c.awk
	$(as_lines) -v name=report_js $(srcdir)/%D%/report.js >$@

%D%/explore-blocks-text.h: %D%/explore-blocks.js base/text-to-c.awk
	$(as_lines) -v name=explore_blocks $(srcdir)/%D%/explore-blocks.js >$@

%D%/explore-hexagons-text.h: %D%/explore-hexagons.js base/text-to-c.awk
	$(as_lines) -v name=explore_hexagons $(srcdir)/%D%/explore-hexagons.js >$@

%D%/explore-strips-text.h: %D%/explore-strips.js base/text-to-c.awk
	$(as_lines) -v name=explore_strips $(srcdir)/%D%/explore-strips.js >$@

%D%/explore-waves-text.h: %D%/explore-waves.js base/text-to-c.awk
	$(as_lines) -v name=explore_waves $(srcdir)/%D%/explore-waves.js >$@
