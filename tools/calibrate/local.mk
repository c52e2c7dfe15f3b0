# calibrate: micro-benchmarks that fill in machine files; the script is made
# by configure

bin_SCRIPTS += stencilc-calibrate
EXTRA_DIST += %D%/stencilc-calibrate.in

calibratedir = $(pkgdatadir)/calibrate
dist_calibrate_DATA = %D%/calibrate.c %D%/calibrate.cu %D%/messages.c %D%/seven_points.stn \
	%D%/cube_of_points.stn
