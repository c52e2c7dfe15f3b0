picture_sources = \
	%D%/picture.h \
	%D%/chart.c \
	%D%/cone.c \
	%D%/forms.h \
	%D%/forms.c \
	%D%/landscape.c \
	%D%/markup.c \
	%D%/measured.c \
	%D%/metrics.c \
	%D%/report.c \
	%D%/report.h \
	%D%/report_deps.c \
	%D%/report_explorer.c \
	%D%/report_model.c \
	%D%/report_source.c \
	%D%/strip.c \
	%D%/svg.c \
	%D%/tiles.c \
	%D%/transfers.c

# What moves in the report, as lines of text.
report_texts = %D%/report-css-text.h %D%/report-js-text.h
BUILT_SOURCES += $(report_texts)
CLEANFILES += $(report_texts)
EXTRA_DIST += %D%/report.css %D%/report.js

%D%/report-css-text.h: %D%/report.css base/text-to-c.awk
	$(as_lines) -v name=report_css $(srcdir)/%D%/report.css >$@

%D%/report-js-text.h: %D%/report.js base/text-to-c.awk
	$(as_lines) -v name=report_js $(srcdir)/%D%/report.js >$@
