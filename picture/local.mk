picture_sources = \
	%D%/picture.h \
	%D%/chart.c \
	%D%/cone.c \
	%D%/landscape.c \
	%D%/markup.c \
	%D%/measured.c \
	%D%/svg.c \
	%D%/tiles.c \
	%D%/transfers.c
