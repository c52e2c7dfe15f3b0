# runtime: the emulator; stencilc-emu itself is made by configure

bin_SCRIPTS = stencilc-emu

emudir = $(pkgdatadir)/emu
emuincludedir = $(emudir)/include

emu_headers = \
	%D%/emu/block.h \
	%D%/emu/call.h \
	%D%/emu/calls.def \
	%D%/emu/emu.h \
	%D%/emu/fiber.h \
	%D%/emu/shadow.h

emu_sources = \
	%D%/emu/async.cpp \
	%D%/emu/atomic.cpp \
	%D%/emu/block.cpp \
	%D%/emu/bulk.cpp \
	%D%/emu/check.cpp \
	%D%/emu/cluster.cpp \
	%D%/emu/copy.cpp \
	%D%/emu/device.cpp \
	%D%/emu/error.cpp \
	%D%/emu/exit.cpp \
	%D%/emu/fiber.cpp \
	%D%/emu/graph.cpp \
	%D%/emu/kernels.cpp \
	%D%/emu/launch.cpp \
	%D%/emu/memory.cpp \
	%D%/emu/metrics.cpp \
	%D%/emu/order.cpp \
	%D%/emu/race.cpp \
	%D%/emu/report.cpp \
	%D%/emu/shadow.cpp \
	%D%/emu/stream.cpp \
	%D%/emu/symbols.cpp \
	%D%/emu/tsan.cpp \
	%D%/emu/ubsan.cpp \
	%D%/emu/warp.cpp

dist_emu_DATA = $(emu_headers) $(emu_sources) %D%/emu/rewrite.cpp

dist_emuinclude_DATA = \
	%D%/emu/include/cooperative_groups.h \
	%D%/emu/include/cuda_bf16.h \
	%D%/emu/include/cuda_fp16.h \
	%D%/emu/include/cuda_pipeline.h \
	%D%/emu/include/cuda_pipeline_primitives.h \
	%D%/emu/include/cuda_runtime.h \
	%D%/emu/include/cuda_runtime_api.h \
	%D%/emu/include/driver_types.h \
	%D%/emu/include/device_functions.h \
	%D%/emu/include/device_launch_parameters.h \
	%D%/emu/include/approximations.h \
	%D%/emu/include/math_functions.h \
	%D%/emu/include/stencilc_emu.h \
	%D%/emu/include/stencilc_emu_attributes.def \
	%D%/emu/include/stencilc_emu_errors.def \
	%D%/emu/include/stencilc_emu_given.h \
	%D%/emu/include/stencilc_emu_std.h \
	%D%/emu/include/vector_functions.h \
	%D%/emu/include/vector_types.h

emuhipdir = $(emuincludedir)/hip
dist_emuhip_DATA = \
	%D%/emu/include/hip/hip_cooperative_groups.h \
	%D%/emu/include/hip/hip_fp16.h \
	%D%/emu/include/hip/hip_runtime.h \
	%D%/emu/include/hip/hip_runtime_api.h

emuptxdir = $(emuincludedir)/cuda
dist_emuptx_DATA = %D%/emu/include/cuda/ptx

emu_PROGRAMS = %D%/emu/stencilc-emu-rewrite
%C%_emu_stencilc_emu_rewrite_SOURCES = %D%/emu/rewrite.cpp $(emu_headers)
%C%_emu_stencilc_emu_rewrite_CXXFLAGS = -std=c++17 $(AM_CXXFLAGS)
%C%_emu_stencilc_emu_rewrite_LDADD =

emu_LIBRARIES = %D%/emu/libstencilc-emu.a
%C%_emu_libstencilc_emu_a_SOURCES = $(emu_sources) $(emu_headers)
%C%_emu_libstencilc_emu_a_CPPFLAGS = -I$(top_srcdir)/%D%/emu/include
%C%_emu_libstencilc_emu_a_CXXFLAGS = -std=c++17 -O2 -fPIC -fvisibility=hidden

# Each program for the emulator links it, in half the time if it is without what a
# debugger reads; "make CXXFLAGS=-g" has that.
$(%C%_emu_libstencilc_emu_a_OBJECTS): CXXFLAGS += -g0

# Beside the cases of tests/emu.
TESTS += \
	tests/emu/command.test \
	tests/emu/mutate.test \
	tests/emu/planted.test
