# bench: tables of what the code needs, and a folder to time it elsewhere

bench_env = \
	top_srcdir='$(abs_top_srcdir)'; export top_srcdir; \
	STENCILC='$(abs_top_builddir)/stencilc$(EXEEXT)'; export STENCILC; \
	STENCILC_EMU='$(abs_top_builddir)/stencilc-emu'; export STENCILC_EMU; \
	NVCC='$(NVCC)'; export NVCC; CC='$(CC)'; export CC;

# doc/steps.md, by the emulator and ptxas; takes a while.
.PHONY: bench-steps
bench-steps: all
	@$(bench_env) WORK='$(abs_top_builddir)/bench-steps.tmp' \
	  $(SHELL) $(srcdir)/%D%/steps -o '$(abs_top_srcdir)/doc/steps.md'

# Short runs by a plan beside one long one; takes a minute.
.PHONY: bench-calls
bench-calls: all
	@$(bench_env) OPENMP_CFLAGS='$(OPENMP_CFLAGS)' N='$(N)' STEPS='$(STEPS)' \
	  CALLS='$(CALLS)' OPTIONS='$(OPTIONS)' $(SHELL) $(srcdir)/%D%/calls/calls

# doc/strips.md, by ptxas and the emulator; takes some minutes.
.PHONY: bench-stream
bench-stream: all
	@$(bench_env) $(SHELL) $(srcdir)/%D%/stream \
	  -o '$(abs_top_srcdir)/doc/strips.md'

# doc/sass.md, by nvcc and nvdisasm; takes some minutes.  OPTIONS are of bench/sass/sass.
.PHONY: bench-sass
bench-sass: all
	@$(bench_env) CXX='$(CXX)'; export CXX; \
	  $(srcdir)/%D%/sass/sass $(or $(OPTIONS),-o '$(abs_top_srcdir)/doc/sass.md')

# How near the model is to strips that an H200 timed (bench/timed.txt); -v: each of them.
.PHONY: bench-predictions
bench-predictions: all
	@$(bench_env) $(srcdir)/%D%/predictions $(OPTIONS)

# The tiles that the model takes for the best, simulated one by one: which is, and in which order;
# minutes for each.  OPTIONS are of bench/sass/best.
.PHONY: bench-best
bench-best: all
	@$(bench_env) CXX='$(CXX)'; export CXX; $(srcdir)/%D%/sass/best $(OPTIONS)

# Chosen tiles of examples that spill registers, by nvcc; OPTIONS are of bench/spills.
.PHONY: bench-spills
bench-spills: all
	@$(bench_env) $(srcdir)/%D%/spills $(OPTIONS)

# Whole launches of examples on a simulated GPU, against one thread a point: GPUSIM=COMMAND runs a
# program there (doc/gpusim.md).  OPTIONS are of bench/gpusim/gpusim; programs and logs are kept.
.PHONY: bench-gpusim
bench-gpusim: all
	@$(bench_env) AWK='$(AWK)'; export AWK; GPUSIM='$(GPUSIM)'; export GPUSIM; \
	  WORK='$(abs_top_builddir)/bench-gpusim.tmp' $(SHELL) $(srcdir)/%D%/gpusim/gpusim $(OPTIONS)

# From sources to a first result in Python, in a new environment.
.PHONY: bench-install
bench-install: all
	@$(srcdir)/%D%/install

# What lengths of strips cost as arguments of kernels, by nvcc and ptxas; a minute.
.PHONY: bench-arguments
bench-arguments: all
	@$(bench_env) $(SHELL) $(srcdir)/%D%/arguments $(STENCILS)

# .. what the width of hexagons costs.
.PHONY: bench-widths
bench-widths: all
	@$(bench_env) $(SHELL) $(srcdir)/%D%/arguments --hex $(STENCILS)

# Registers that strips need, beside the model's; takes half an hour.
.PHONY: bench-registers
bench-registers: all
	@$(bench_env) $(SHELL) $(srcdir)/%D%/registers

# A folder that a machine with a GPU and nvcc checks and times; with TARGET=hip one
# with a GPU of AMD and hipcc.
.PHONY: bench-gpu
bench-gpu: all
	@$(bench_env) TARGET='$(TARGET)' ARCH='$(ARCH)' \
	  $(SHELL) $(srcdir)/%D%/make-gpu bench-gpu

EXTRA_DIST += %D%/predictions %D%/spills %D%/timed.txt %D%/arguments %D%/install %D%/calls/calls %D%/calls/main.c %D%/cases.txt %D%/compile-times %D%/count-ptx \
	%D%/count-loop %D%/counting.sh %D%/measures.awk %D%/steps \
	%D%/steps-intro.md %D%/table.awk %D%/make-gpu %D%/gpu/README.md \
	%D%/gpu/run %D%/gpu/times.h %D%/registers %D%/stream %D%/stream-cases.txt \
	%D%/stream-intro.md %D%/stream-measures.awk %D%/stream-table.awk \
	%D%/sass/sass %D%/sass/best %D%/sass/loop %D%/sass/intro.md %D%/sass/launches.h \
	%D%/sass/goals.py %D%/sass/goals.txt \
	%D%/sass/case.py %D%/sass/issue.py %D%/sass/kernel.py %D%/sass/launches.py \
	%D%/sass/listing.py %D%/sass/loops.py %D%/sass/machine.py %D%/sass/meaning.py %D%/sass/report.py \
	%D%/sass/values.py %D%/sass/walk.py \
	%D%/gpusim/chosen.awk %D%/gpusim/gpusim %D%/gpusim/launches.awk %D%/gpusim/runtime.h \
	%D%/gpusim/table.awk

mostlyclean-local: clean-bench
.PHONY: clean-bench
clean-bench:
	-rm -rf bench-steps.tmp bench-gpu bench-gpusim.tmp bench-scale.tmp

# --target=c against plain nests on this machine, as bench-cpu.csv, .md for
# doc/performance.md and .svg; needs it alone, and some minutes.  POLYCC=.. and
# YASK=.. time the code of Pluto and YASK, too, DEVITO=.. waves (below); what
# their searches find is kept for the next time in BENCH_CACHE, CPU_CFLAGS are the
# options of ours, STENCILS="jacobi2d .." are those to time.
.PHONY: bench-cpu
bench-cpu: all
	$(bench_env) CXX='$(CXX)'; export CXX; POLYCC='$(POLYCC)' YASK='$(YASK)' \
		BENCH_CACHE='$(or $(BENCH_CACHE),bench-cpu.cache)' \
		$(srcdir)/%D%/cpu $(STENCILS) >bench-cpu.csv.tmp && \
		mv bench-cpu.csv.tmp bench-cpu.csv && cat bench-cpu.csv
	$(AWK) -f $(srcdir)/%D%/cpu-plot.awk bench-cpu.csv >bench-cpu.svg
	$(AWK) -f $(srcdir)/%D%/cpu-table.awk bench-cpu.csv >bench-cpu.md
	@echo; cat bench-cpu.md
	$(if $(DEVITO),$(MAKE) bench-waves)

# Waves and heat beside Devito and pystencils, as bench-waves.csv and .md: DEVITO=..
# is a Python that has them.  Part of bench-cpu where that is given.
.PHONY: bench-waves
bench-waves: all
	$(bench_env) DEVITO='$(DEVITO)' \
		BENCH_CACHE='$(or $(BENCH_CACHE),bench-cpu.cache)' \
		$(srcdir)/%D%/waves $(WAVES) >bench-waves.csv.tmp && \
		mv bench-waves.csv.tmp bench-waves.csv && cat bench-waves.csv
	$(AWK) -f $(srcdir)/%D%/waves-table.awk bench-waves.csv >bench-waves.md
	@echo; cat bench-waves.md

# What sources and receivers cost such waves; needs this machine alone, and some minutes.
# ORDERS="2d2 3d8" times some.
.PHONY: bench-sources
bench-sources: all
	@$(bench_env) $(srcdir)/%D%/sources $(ORDERS)

# Records and fields of shots beside Devito's, which DEVITO=.., a Python, has; a minute.
.PHONY: check-records
check-records: all
	@$(bench_env) DEVITO='$(DEVITO)' $(srcdir)/%D%/records $(SHOTS)

CLEANFILES += bench-cpu.csv bench-cpu.md bench-cpu.svg bench-cpu.cache bench-graph.csv \
	bench-waves.csv bench-waves.md
# Hexagons as C on larger machines than this one, simulated.
.PHONY: bench-threads
bench-threads: all
	@$(bench_env) for case in jacobi2d:T=96,N=16000,M=16000 \
	  heat2d:T=96,N=16000,M=16000 gradient2d:T=96,N=16000,M=16000 \
	  fdtd2d:T=96,N=16000,M=16000 laplacian3d:T=48,N=1000,M=1000,K=1000 \
	  heat3d:T=48,N=1000,M=1000,K=1000; do \
	    $(srcdir)/%D%/threads $(srcdir)/examples/$${case%%:*}.stn $${case#*:} \
	      $(or $(THREADS),2 8 16 32 64 16:2 64:2 128:8); \
	done

# Stencils around the grid beside the same ones with fixed boundaries, as C on this
# machine; needs it alone, and some minutes.
.PHONY: bench-around
bench-around: all
	@$(bench_env) $(srcdir)/%D%/around $(STENCILS)

# What a norm every ten steps costs, likewise; SIZES="1000,3000" are N and T.
.PHONY: bench-norms
bench-norms: all
	@$(bench_env) $(srcdir)/%D%/norms $(SIZES)

# Sizes of tiles that are arguments beside constants, likewise.
.PHONY: bench-sizes
bench-sizes: all
	@$(bench_env) $(srcdir)/%D%/sizes $(STENCILS)

EXTRA_DIST += %D%/around %D%/norms %D%/sizes %D%/sources %D%/threads %D%/cpu %D%/cpu-plain.c %D%/cpu-plot.awk %D%/cpu-table.awk %D%/ratio-plot.awk %D%/graph \
	%D%/peers/bounds.py %D%/peers/cells.py %D%/peers/compare.c %D%/peers/nests.py \
	%D%/peers/own.py %D%/peers/plain.py %D%/peers/pluto.py %D%/peers/programs.py \
	%D%/peers/search.py %D%/peers/yask.py %D%/peers/yask-run.cpp \
	%D%/peers/yask/PlainNests.cpp %D%/peers/waves.py %D%/waves %D%/waves-table.awk \
	%D%/wave/case.py %D%/wave/main.c %D%/wave/devito-run.py \
	%D%/wave/pystencils-run.py %D%/wave/wave2d2.stn %D%/wave/wave2d4.stn \
	%D%/wave/wave2d8.stn %D%/wave/wave3d2.stn %D%/wave/wave3d4.stn \
	%D%/wave/wave3d8.stn %D%/wave/heat2d5.stn %D%/wave/heat3d7.stn \
	%D%/wave/ricker2d.stn %D%/wave/ricker3d.stn %D%/records \
	%D%/wave/records.py %D%/wave/shot2d2.stn %D%/wave/shot2d4.stn %D%/wave/shot2d8.stn \
	%D%/wave/shot3d2.stn %D%/wave/shot3d4.stn %D%/wave/shot3d8.stn

# Programs for several ranks on simulated clusters of up to 1,024, as doc/scale.md and its
# picture, where SimGrid is installed; 20 minutes.  Rows of bench-scale.tmp/scale.csv are not
# made again.  RANKS_CASES names some of its cases, as it does below.
.PHONY: bench-scale
bench-scale: all
	@$(MKDIR_P) bench-scale.tmp && $(bench_env) $(SHELL) $(srcdir)/%D%/scale/scale \
	  -o bench-scale.tmp $(RANKS_CASES)
	@test ! -s bench-scale.tmp/scale.csv || { $(bench_env) \
	  $(SHELL) $(srcdir)/%D%/scale/page bench-scale.tmp/scale.csv \
	    '$(abs_top_srcdir)/doc'; }

# Two ranks of a thread beside a rank of two threads, as C on this machine; needs it alone.
.PHONY: bench-ranks
bench-ranks: all
	@$(bench_env) $(srcdir)/%D%/ranks $(RANKS_CASES)

EXTRA_DIST += %D%/ranks %D%/scale/barbora.machine %D%/scale/cases.txt %D%/scale/cluster %D%/scale/ethernet.machine \
	%D%/scale/intro.md %D%/scale/main.c %D%/scale/page %D%/scale/plan %D%/scale/plan.md %D%/scale/plot.awk \
	%D%/scale/scale %D%/scale/table.awk %D%/scale/two-cores.machine

# Messages that a rank sends, ours and Devito's, by counting them; DEVITO=.. is a Python that has
# devito and mpi4py.  RANKS_AND_SIZE="8 32 1 4" are ranks, cells of a side, and --mpi-steps.
.PHONY: bench-messages
bench-messages: all
	@$(bench_env) DEVITO='$(DEVITO)' $(srcdir)/%D%/messages/messages $(RANKS_AND_SIZE)

EXTRA_DIST += %D%/messages/count.c %D%/messages/devito-heat.py %D%/messages/messages

# PolyBench's fdtd-2d as a C region beside the C compiler's build of it, by two threads; SIZES
# are steps, rows and columns, LARGE if there are none.
.PHONY: bench-region
bench-region: all
	@$(bench_env) $(SHELL) $(srcdir)/%D%/region $(SIZES)

EXTRA_DIST += %D%/region

# All variants of hd as C on this machine, as bench-graph.csv; needs it alone,
# and two minutes.
.PHONY: bench-graph
bench-graph: all
	$(bench_env) $(SHELL) $(srcdir)/%D%/graph >bench-graph.csv.tmp && \
		mv bench-graph.csv.tmp bench-graph.csv && cat bench-graph.csv
