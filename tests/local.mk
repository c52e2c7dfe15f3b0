# A case is a file; configure lists them.

TEST_EXTENSIONS = .stn .cu .c .test
tap_driver = env AM_TAP_AWK='$(AWK)' sh $(top_srcdir)/%D%/timed-driver
LOG_DRIVER = $(tap_driver)
CU_LOG_DRIVER = $(tap_driver)
C_LOG_DRIVER = $(tap_driver)
STN_LOG_DRIVER = $(tap_driver)
TEST_LOG_DRIVER = $(tap_driver)
# The system's, not configure's choice, which takes longer to fork.
STN_LOG_COMPILER = sh $(top_srcdir)/%D%/run-case
C_LOG_COMPILER = sh $(top_srcdir)/%D%/run-c
CU_LOG_COMPILER = sh $(top_srcdir)/%D%/emu/run.test
TEST_LOG_COMPILER = sh

# What every test may use; the scripts run in the build folder.
AM_TESTS_ENVIRONMENT = \
	top_srcdir='$(abs_top_srcdir)'; export top_srcdir; \
	top_builddir='$(abs_top_builddir)'; export top_builddir; \
	STENCILC='$(abs_top_builddir)/stencilc$(EXEEXT)'; export STENCILC; \
	STENCILC_EMU='$(abs_top_builddir)/stencilc-emu'; export STENCILC_EMU; \
	CC='$(CC) $(TEST_LINKER)'; export CC; \
	SANITIZING_CC='$(SANITIZING_CC)'; export SANITIZING_CC; \
	CXX='$(CXX) $(TEST_LINKER)'; export CXX; \
	NVCC='$(NVCC)'; export NVCC; HIPCC='$(HIPCC)'; export HIPCC; \
	OPENMP_CFLAGS='$(OPENMP_CFLAGS)'; export OPENMP_CFLAGS; \
	CLANG='$(CLANG)'; export CLANG; \
	LIBCLANG='$(HAVE_LIBCLANG)'; export LIBCLANG; \
	CMOCKA_MESSAGE_OUTPUT=TAP; export CMOCKA_MESSAGE_OUTPUT; \
	LC_ALL=C; export LC_ALL; \
	OMP_WAIT_POLICY=passive; export OMP_WAIT_POLICY; \
	STENCILC_HOST=; export STENCILC_HOST; \
	TURN='$(TURN)'; export TURN; \
	ASKED='$(if $(filter command,$(firstword $(origin TESTS))),yes)'; export ASKED; \
	unset STENCILC_ORDER STENCILC_METRICS;

# Whose turn it is, of what takes turns: another one's with each commit (has_turn of tap.sh).
TURN := $(or $(TURN),$(shell sh $(top_srcdir)/%D%/timed-driver --turn $(top_srcdir)))

# Those that take longest first, so that all processors have work to the end ("make
# slowest" prints them).
long_scripts = \
	%D%/language.test %D%/mpi-gpu.test %D%/planted.test %D%/sizes.test \
	%D%/mpi-programs.test %D%/commands.test %D%/mpi-reduce.test \
	%D%/bench.test %D%/mpi.test %D%/model.test %D%/check-2d.test \
	%D%/check-3d.test %D%/launch.test %D%/clusters.test %D%/c-styles.test %D%/columns.test \
	%D%/tune.test %D%/calibrate.test %D%/mutants.test %D%/c-macros.test \
	%D%/norms.test %D%/narrow.test %D%/limits.test %D%/roots.test \
	%D%/warnings.test %D%/faults.test %D%/host.test %D%/stops.test \
	%D%/graph.test %D%/random.test %D%/hip.test %D%/series.test \
	%D%/slices.test %D%/aliases.test %D%/joined.test %D%/segments.test
test_scripts = \
	%D%/builds.test %D%/borders.test %D%/choices.test %D%/check-1d.test %D%/additions.test %D%/bindings.test %D%/docs.test %D%/explain.test \
	%D%/indices.test %D%/harness.test %D%/house.test %D%/chosen.test %D%/spills.test \
	%D%/grids.test %D%/vectors.test %D%/layering.test %D%/least.test %D%/leaves.test \
	%D%/absorb.test %D%/first.test %D%/fd.test %D%/multigrid.test %D%/finite.test %D%/components.test \
	%D%/complex.test %D%/fluids.test \
	%D%/mpi-errors.test %D%/mpi-overlap.test %D%/mpi-plans.test %D%/mpi-sweeps.test %D%/network.test \
	%D%/scale.test \
	%D%/names.test %D%/once.test %D%/onegrid.test %D%/prose.test %D%/openmp.test %D%/reassociate.test \
	%D%/answers.test \
	%D%/handles.test \
	%D%/options.test %D%/packaging.test %D%/pictures.test \
	%D%/random-broken.test %D%/random-c.test %D%/progress.test %D%/python.test \
	%D%/specialised.test %D%/traffic.test %D%/readme.test %D%/report.test \
	%D%/gpusim.test %D%/sass.test %D%/taken.test %D%/tutorial.test %D%/types.test

# A command within a limit, its time and memory, and many runs of one.
check_PROGRAMS += %D%/within %D%/measure %D%/runs
tests_within_SOURCES = %D%/within.c
tests_within_LDADD =
tests_measure_SOURCES = %D%/measure.c
tests_measure_LDADD =
tests_runs_SOURCES = %D%/runs.c
tests_runs_LDADD =

# The compiler with a mistake, see mistaken.h.
check_PROGRAMS += %D%/mistaken
tests_mistaken_SOURCES = %D%/mistaken.h %D%/mistaken-formulas.c \
	%D%/mistaken-plans.c %D%/mistaken-clusters.c %D%/mistaken-code.c \
	%D%/mistaken-grid.c %D%/mistaken-lanes.c %D%/mistaken-lengths.c %D%/mistaken-ranks.c \
	%D%/mistaken-rims.c \
	%D%/mistaken-rows.c %D%/mistaken-segments.c \
	%D%/mistaken-stores.c %D%/mistaken-stages.c %D%/mistaken-waves.c \
	%D%/mistaken-widths.c main.c $(driver_sources)
tests_mistaken_LDFLAGS = $(AM_LDFLAGS) \
	-Wl,--wrap=access_reach -Wl,--wrap=blocks_new \
	-Wl,--wrap=codegen_add_mpi -Wl,--wrap=codegen_overlaps -Wl,--wrap=codegen_unit \
	-Wl,--wrap=cone_of_deps -Wl,--wrap=cpu_unit -Wl,--wrap=known_of_tile \
	-Wl,--wrap=deps_compute -Wl,--wrap=grid_index -Wl,--wrap=hex_find_cone \
	-Wl,--wrap=hexagon_least_width -Wl,--wrap=hexagon_make \
	-Wl,--wrap=hexagon_s_shift -Wl,--wrap=hexagon_tau_shift \
	-Wl,--wrap=outcome_through -Wl,--wrap=program_in_waves -Wl,--wrap=set_within \
	-Wl,--wrap=tile_last -Wl,--wrap=tile_stored \
	-Wl,--wrap=verify_code -Wl,--wrap=verify_lengths \
	-Wl,--wrap=verify_plans -Wl,--wrap=verify_ranks \
	-Wl,--wrap=verify_width

# What random programs are compared with.
check_PROGRAMS += %D%/interpret
tests_interpret_SOURCES = %D%/interpret.c %D%/interpret.h \
	%D%/interpret-places.c %D%/interpret-ranges.c %D%/interpret-results.c \
	%D%/interpret-steps.c %D%/interpret-values.c %D%/interpreter.h
EXTRA_DIST += %D%/compare.h %D%/compare.sh @LANGUAGE_FILES@

TESTS += $(long_scripts) $(unit_tests) @EXAMPLES@ @EMU_CASES@ $(test_scripts) \
	@CASES@ @C_CASES@

EXTRA_DIST += %D%/run-case %D%/run-example %D%/layering %D%/example-tiles.txt \
	%D%/commands-not-run.txt \
	%D%/random-program %D%/random-check %D%/random-c %D%/random-c-check \
	%D%/columns.awk %D%/comments.awk %D%/prose.awk %D%/tap.sh %D%/together.sh %D%/timed-driver %D%/call-emitted.cu %D%/call-emitted.c %D%/handles-main.cu %D%/handles-main.c %D%/mpi-boxes.c %D%/mpi-sent.c %D%/mpi-counts.c %D%/mpi-device.cu %D%/mpi-places.cu %D%/mpi-fail.c %D%/mpi-fail.def %D%/mpi-fail.h %D%/mpi-main.c %D%/mpi-plans-main.c %D%/mpi-torn.c %D%/mpi.sh $(long_scripts) $(test_scripts) \
	%D%/report.py %D%/check-example %D%/check-ways.txt %D%/roots.h %D%/vector-roots.c %D%/shapes.h \
	%D%/mutate-example %D%/planted.txt \
	%D%/failmalloc.c %D%/narrow.h %D%/nightly %D%/every-way %D%/verify-times %D%/foreign %D%/newer-isl %D%/bounds \
	%D%/fuzz/fuzz %D%/fuzz/target.c %D%/fuzz/mutate.c \
	%D%/fuzz/dictionary \
	%D%/planted-ahead.stn %D%/planted-around.stn %D%/planted-behind.stn %D%/planted-chosen.stn %D%/planted-halves.stn %D%/planted-jumps.stn %D%/planted-mirror.stn %D%/planted-temp.stn \
	%D%/planted-norms.stn %D%/planted-planes.stn \
	%D%/sass/machine.txt %D%/sass/ahead.sass %D%/sass/compute.sass \
	%D%/sass/encoded.sass %D%/sass/load.sass %D%/sass/store.sass \
	%D%/run-c @C_FILES@ \
	%D%/macros/arrays.h %D%/macros/jacobi1d.c %D%/macros/jacobi2d.c \
	%D%/macros/heat3d.c %D%/macros/fdtd2d.c \
	@CASE_FILES@ @EXAMPLES@ @EMU_FILES@

# Whose isl our calls reach when libclang has brought another.
check_PROGRAMS += %D%/isl-scope
tests_isl_scope_SOURCES = %D%/isl-scope.c
tests_isl_scope_LDADD = libstencilc.a $(SHARED_ISL_LIBS) $(HWLOC_LIBS) $(DL_LIBS) -lm
TESTS += %D%/isl-scope

# What builds.test has gcc look at.
.PHONY: every-sixth-object
every-sixth-object:
	@$(MAKE) $(AM_MAKEFLAGS) `printf '%s\n' $(stencilc_OBJECTS) \
	  $(libstencilc_a_OBJECTS) | awk 'NR % 6 == 1'`

# Unit tests: one program a folder of the compiler; PROGRAM-SUBJECT.c has the
# tests of a subject.
unit_programs = %D%/unit/base %D%/unit/codegen %D%/unit/frontend \
	%D%/unit/graph %D%/unit/model %D%/unit/reassociate %D%/unit/schedule
unit_libraries = $(LDADD) $(CMOCKA_LIBS)
unit_subjects = %D%/unit/subjects.c %D%/unit/subjects.h
tests_unit_base_SOURCES = %D%/unit/base.c
tests_unit_base_LDADD = $(unit_libraries)
tests_unit_codegen_SOURCES = %D%/unit/codegen.c
tests_unit_codegen_LDADD = $(unit_libraries)
tests_unit_frontend_SOURCES = %D%/unit/frontend.c
tests_unit_frontend_LDADD = $(unit_libraries)
tests_unit_graph_SOURCES = %D%/unit/graph.c %D%/unit/graph.h \
	%D%/unit/graph-by-maps.c %D%/unit/graph-counts.c \
	%D%/unit/graph-helpers.c %D%/unit/graph-maps.c \
	%D%/unit/graph-maps.h %D%/unit/graph-orders.c \
	%D%/unit/graph-search.c %D%/unit/graph-variants.c \
	%D%/random-graph.c %D%/random-graph.h $(unit_subjects)
tests_unit_graph_LDADD = $(unit_libraries)
tests_unit_model_SOURCES = %D%/unit/model.c %D%/unit/model.h \
	%D%/unit/model-cores.c %D%/unit/model-counts.c %D%/unit/model-helpers.c \
	%D%/unit/model-hexagon.c %D%/unit/model-machines.c \
	%D%/unit/model-network.c \
	%D%/unit/model-properties.c %D%/unit/model-reports.c \
	%D%/unit/model-search.c %D%/unit/model-skew.c \
	%D%/unit/model-strips.c \
	%D%/unit/model-switches.c %D%/unit/model-times.c \
	%D%/unit/model-traffic.c $(unit_subjects)
tests_unit_model_LDADD = $(unit_libraries)
tests_unit_model_LDFLAGS = $(AM_LDFLAGS) \
	-Wl,--wrap=hex_counts_but_words -Wl,--wrap=hex_set_words
tests_unit_reassociate_SOURCES = %D%/unit/reassociate.c
tests_unit_reassociate_LDADD = $(unit_libraries)
tests_unit_schedule_SOURCES = %D%/unit/schedule.c %D%/unit/schedule.h \
	%D%/unit/schedule-deps.c %D%/unit/schedule-dims.c \
	%D%/unit/schedule-execution.c \
	%D%/unit/schedule-footprint.c %D%/unit/schedule-full.c \
	%D%/unit/schedule-hexagon.c %D%/unit/schedule-machine.c \
	%D%/unit/schedule-order.c %D%/unit/schedule-points.c \
	%D%/unit/schedule-programs.c %D%/unit/schedule-refusals.c \
	%D%/unit/schedule-sizes.c \
	%D%/unit/schedule-strips.c %D%/unit/schedule-sweep.c \
	%D%/unit/schedule-tiling.c $(unit_subjects)
tests_unit_schedule_LDADD = $(unit_libraries)

EXTRA_DIST += %D%/unit.test
if HAVE_CMOCKA
check_PROGRAMS += $(unit_programs)
unit_tests = $(unit_programs)
else
unit_tests = %D%/unit.test
endif

# Lines of the front end that its tests run, of a build for that.
EXTRA_DIST += %D%/coverage
coverage_tests = $(unit_programs) %D%/options.test %D%/explain.test \
	$(filter tests/cases/lang/% tests/cases/sched/%,$(TESTS))
.PHONY: coverage
coverage: all
	@find . -name '*.gcda' -exec rm -f {} +
	@$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(coverage_tests)' >coverage.log
	@$(SHELL) $(srcdir)/%D%/coverage frontend ir

# Lines of the whole compiler that run: what it writes for each program in each
# way, and the tests that show what it says.  What runs or times the code that is
# written runs no other lines.
COVERAGE_TESTS = $(coverage_tests) $(filter tests/cases/graph/% tests/c/err-%,$(TESTS)) \
	%D%/bindings.test %D%/calibrate.test %D%/chosen.test %D%/docs.test %D%/first.test %D%/graph.test \
	%D%/model.test %D%/pictures.test %D%/planted.test %D%/progress.test %D%/reassociate.test %D%/handles.test %D%/roots.test \
	%D%/report.test %D%/specialised.test %D%/stops.test
coverage_folders = base cfront codegen driver frontend graph ir model picture \
	schedule verify
.PHONY: coverage-all
coverage-all: all
	@find . -name '*.gcda' -exec rm -f {} +
	@$(MAKE) $(AM_MAKEFLAGS) check NVCC= TESTS='$(COVERAGE_TESTS)' \
	  >coverage.log || :
	@$(SHELL) $(srcdir)/%D%/every-way '$(abs_builddir)/stencilc$(EXEEXT)' >ways.txt
	@$(SHELL) $(srcdir)/%D%/coverage --all $(coverage_folders)

# How long --verify takes, for each example and strategy, and for the tests of
# the language, which have many conditions and boundaries.
.PHONY: verify-times
verify-times: all %D%/measure$(EXEEXT)
	$(SHELL) $(srcdir)/%D%/verify-times 1 ./stencilc$(EXEEXT) \
	  ./%D%/measure$(EXEEXT) $(srcdir)/examples/*.stn
	$(SHELL) $(srcdir)/%D%/verify-times 3 ./stencilc$(EXEEXT) \
	  ./%D%/measure$(EXEEXT) $(srcdir)/tests/language/*.stn

# Every way of check-ways.txt and example-tiles.txt; about an hour.
check_tests = %D%/check-1d.test %D%/check-2d.test %D%/check-3d.test
.PHONY: check-ways
check-ways: all
	WAYS=all $(MAKE) $(AM_MAKEFLAGS) check \
	  TESTS='$(check_tests) @EXAMPLES@'

# All changes of mutants.test; takes more than an hour.
.PHONY: check-mutants
check-mutants: all
	MUTANTS=all $(MAKE) $(AM_MAKEFLAGS) check TESTS=%D%/mutants.test

# All that bench.test counts.
.PHONY: check-bench
check-bench: all
	BENCH=all $(MAKE) $(AM_MAKEFLAGS) check TESTS=%D%/bench.test

# What gcc and clang say of all programs of warnings.test.
.PHONY: check-warnings
check-warnings: all
	WARNINGS=all $(MAKE) $(AM_MAKEFLAGS) check TESTS=%D%/warnings.test

# Every strategy for each program of language.test; some minutes.
# It tells what failed, and stays when something does.
.PRECIOUS: test-suite.log

.PHONY: check-language
check-language: all tests/interpret$(EXEEXT)
	LANGUAGE=all $(MAKE) $(AM_MAKEFLAGS) check TESTS=%D%/language.test

# All mistakes of planted.test on the emulator, too; some minutes.
.PHONY: check-planted
check-planted: all
	PLANTED=all $(MAKE) $(AM_MAKEFLAGS) check TESTS=%D%/planted.test

# All stencils of traffic.test; some minutes.
.PHONY: check-traffic
check-traffic: all
	TRAFFIC=all $(MAKE) $(AM_MAKEFLAGS) check TESTS=%D%/traffic.test

# On a clean Debian, as root; some minutes.
EXTRA_DIST += %D%/clean-system
.PHONY: check-clean
check-clean: deb
	$(SHELL) $(srcdir)/%D%/clean-system $(abs_top_srcdir) \
	  "`ls deb/stencilc_*.deb`" | tee clean.log; ! grep '^not ok' clean.log

# Every operation and every allocation of limits.test; some hours.
.PHONY: check-limits
check-limits: all
	LIMITS=all $(MAKE) $(AM_MAKEFLAGS) check TESTS=%D%/limits.test

# Fuzzing, FUZZ_SECONDS per target; findings are left in fuzz/.
FUZZ_SECONDS = 180
.PHONY: fuzz
fuzz: all
	$(AM_TESTS_ENVIRONMENT) LIBCLANG_CPPFLAGS='$(LIBCLANG_CPPFLAGS)' \
	  $(SHELL) $(srcdir)/%D%/fuzz/fuzz $(FUZZ_SECONDS)

# All that takes long, see the script; some hours.
.PHONY: nightly
nightly: all
	$(SHELL) $(srcdir)/%D%/nightly

# The table of doc/bounds.md.
.PHONY: bounds
bounds: all %D%/measure$(EXEEXT)
	$(SHELL) $(srcdir)/%D%/bounds ./stencilc$(EXEEXT) \
	  ./%D%/measure$(EXEEXT)

# What the search for the best variant of a graph takes.
EXTRA_PROGRAMS = %D%/searches
CLEANFILES += %D%/searches$(EXEEXT)
tests_searches_SOURCES = %D%/searches.c %D%/random-graph.c %D%/random-graph.h
.PHONY: bounds-of-searches
bounds-of-searches: %D%/searches$(EXEEXT)
	./%D%/searches$(EXEEXT)

# Rewrite the expectations from what the compiler says now; review the diff.
.PHONY: accept
accept: all
	STENCILC_ACCEPT=1 $(MAKE) $(AM_MAKEFLAGS) check \
	  TESTS='$(filter tests/cases/%,$(TESTS))'

# Random programs in every strategy, RANDOM_JOBS parts of them side by side; what
# fails becomes a case.
RANDOM_FIRST = 1
RANDOM_COUNT = 2000
RANDOM_JOBS = 1
.PHONY: check-random
check-random: all tests/interpret$(EXEEXT) tests/within$(EXEEXT)
	@rm -f random-[0-9]*.log
	@$(AM_TESTS_ENVIRONMENT) \
	part=`expr '(' $(RANDOM_COUNT) + $(RANDOM_JOBS) - 1 ')' / $(RANDOM_JOBS)`; \
	for job in `seq $(RANDOM_JOBS)`; do \
	  first=`expr $(RANDOM_FIRST) + '(' $$job - 1 ')' '*' $$part`; \
	  $(SHELL) $(srcdir)/%D%/random-check $$first $$part point zblock stream \
	    fuse skew c c_hex c_fuse c_point \
	    c_block >random-$$job.log & \
	done; wait
	@$(SHELL) $(srcdir)/%D%/random-check --summary random-[0-9]*.log

# Random C programs, the same way.
.PHONY: check-random-c
check-random-c: all tests/within$(EXEEXT)
	@rm -f random-c-*.log
	@$(AM_TESTS_ENVIRONMENT) \
	part=`expr '(' $(RANDOM_COUNT) + $(RANDOM_JOBS) - 1 ')' / $(RANDOM_JOBS)`; \
	for job in `seq $(RANDOM_JOBS)`; do \
	  first=`expr $(RANDOM_FIRST) + '(' $$job - 1 ')' '*' $$part`; \
	  $(SHELL) $(srcdir)/%D%/random-c-check $$first $$part \
	    >random-c-$$job.log & \
	done; wait
	@$(SHELL) $(srcdir)/%D%/random-check --summary random-c-*.log

# Registers and spills of each example, as ptxas reported them.
CLEANFILES += ptxas-table.txt
check-local: check-TESTS
	@$(MAKE) $(AM_MAKEFLAGS) ptxas-table slowest

.PHONY: ptxas-table
ptxas-table:
	@rows=`find examples -name '*.ptxas' 2>/dev/null | LC_ALL=C sort`; \
	if test -n "$$rows"; then \
	  $(SHELL) $(srcdir)/%D%/run-example --table $$rows >ptxas-table.txt && \
	  cat ptxas-table.txt; \
	fi

# The tests that took most of what the last "make check" ran.
.PHONY: slowest
slowest:
	@$(SHELL) $(srcdir)/%D%/timed-driver --slowest 10 $(TEST_LOGS:.log=.trs)

clean-local: clean-tests
.PHONY: clean-tests
clean-tests:
	-find . -name '*.ptxas' -exec rm -f {} +
