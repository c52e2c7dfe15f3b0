# model: machines, predicted times, the search for sizes; numbers only

model_sources = \
	%D%/citer.h \
	%D%/cpu.h \
	%D%/hexagon.h \
	%D%/machine.h \
	%D%/model.h \
	%D%/network.h \
	%D%/query.h \
	%D%/report.h \
	%D%/search.h \
	%D%/strips.h \
	%D%/switches.h \
	%D%/time.h \
	%D%/traffic.h \
	%D%/waves.h \
	%D%/machines.def \
	%D%/roots.def \
	%D%/choose_hexagons.inc \
	%D%/tile_sizes.inc \
	%D%/switches.def \
	%D%/values.def \
	%D%/citer.c \
	%D%/roots.c \
	%D%/cores.c \
	%D%/counts.c \
	%D%/cpu.c \
	%D%/hexagon.c \
	%D%/host.c \
	%D%/levels.c \
	%D%/machine.c \
	%D%/machine_file.c \
	%D%/measured.c \
	%D%/network.c \
	%D%/rates.c \
	%D%/report.c \
	%D%/report_json.c \
	%D%/terms.h \
	%D%/strips.c \
	%D%/strips_edges.c \
	%D%/search.c \
	%D%/skew.c \
	%D%/switches.c \
	%D%/threads.c \
	%D%/time.c \
	%D%/traffic.c \
	%D%/waves.c
