# codegen: kernel trees and the printers

codegen_sources = \
	%D%/codegen.h \
	%D%/kernel.h \
	%D%/targets.c \
	%D%/tree/alternatives.h \
	%D%/tree/lower.h \
	%D%/tree/once.h \
	%D%/tree/names.h \
	%D%/tree/print.h \
	%D%/tree/targets.def \
	%D%/tree/tree.h \
	%D%/tree/ctype.h \
	%D%/tree/directive.h \
	%D%/tree/builtin.h \
	%D%/tree/choice.c \
	%D%/tree/common.c \
	%D%/tree/common.h \
	%D%/tree/ctype.c \
	%D%/host/cpu.h \
	%D%/place.h \
	%D%/tile.h \
	%D%/beyond.c \
	%D%/cells.c \
	%D%/points.c \
	%D%/host/cpu.c \
	%D%/forms.h \
	%D%/forms.c \
	%D%/kernel.c \
	%D%/near.c \
	%D%/tree/rewrite.h \
	%D%/tree/widths.h \
	%D%/tree/widths.c \
	%D%/tree/rewrite.c \
	%D%/fuse/fused.h \
	%D%/fuse/fused.c \
	%D%/fuse/kernels.c \
	%D%/fuse/planes.c \
	%D%/hex/hex.h \
	%D%/hex/one_grid.c \
	%D%/hex/column_code.c \
	%D%/hex/column_plan.c \
	%D%/hex/columns.h \
	%D%/hex/cpu.c \
	%D%/hex/cpu_around.c %D%/hex/cpu_fetch.c \
	%D%/hex/cpu_arrays.c \
	%D%/hex/cpu_columns.c \
	%D%/hex/cpu_reduce.c \
	%D%/hex/cpu_row_vectors.c \
	%D%/hex/cpu_rows.c \
	%D%/hex/cpu_tile.c \
	%D%/hex/cpu_together.c \
	%D%/hex/cpu_sizes.c \
	%D%/hex/cpu_vectors.c \
	%D%/hex/row_code.c \
	%D%/hex/row_lines.c \
	%D%/hex/row_roots.c \
	%D%/hex/row_squares.c \
	%D%/hex/row_sums.c \
	%D%/hex/row_values.c \
	%D%/hex/row_loads.c \
	%D%/hex/row_plan.c \
	%D%/hex/rows.h \
	%D%/hex/vector_values.c \
	%D%/hex/vectors.h \
	%D%/host/host.h \
	%D%/host/bindings.c \
	%D%/host/cpu_reduce.h \
	%D%/host/cpu_reduce.c \
	%D%/host/cpu_reduce_box.c \
	%D%/host/cpu_segments.c \
	%D%/host/complex.h \
	%D%/host/complex.c \
	%D%/host/gpu_finite.h \
	%D%/host/gpu_finite.c \
	%D%/host/gpu_reduce.h \
	%D%/host/gpu_reduce.c \
	%D%/host/gpu_segments.c \
	%D%/host/reductions.c \
	%D%/host/reductions.h \
	%D%/tree/gpu_reduce.c \
	%D%/host/arrays.c \
	%D%/host/buffers.c \
	%D%/host/checks.c \
	%D%/host/cpu_apart.c \
	%D%/host/gpu_memory.c \
	%D%/host/cpu_handles.c \
	%D%/host/gpu_handles.c \
	%D%/host/handles.c \
	%D%/host/handles.h \
	%D%/host/harness-plans.c \
	%D%/host/signature.c \
	%D%/host/cpu_entry.c \
	%D%/host/cpu_memory.c \
	%D%/host/cpu_sizes.c \
	%D%/host/cpu_unit.c \
	%D%/host/harness-main.c \
	%D%/host/harness.h \
	%D%/host/harness-c.c \
	%D%/host/harness-gpu.c \
	%D%/host/harness.c \
	%D%/host/harness-plain.h \
	%D%/host/harness-cells.c \
	%D%/host/harness-reductions.c \
	%D%/host/host.c \
	%D%/host/lanes.c \
	%D%/host/lists.c \
	%D%/host/lists.h \
	%D%/host/lists_between.c %D%/host/places.c \
	%D%/host/lists_gpu.c \
	%D%/host/harness-mpi.c \
	%D%/host/launch.c \
	%D%/host/mpi.c \
	%D%/host/mpi.h \
	%D%/host/mpi_gpu.c \
	%D%/host/mpi_zones.c \
	%D%/host/mpi_handles.c \
	%D%/host/mpi_unit.c \
	%D%/host/mpi_gpu_reduce.c \
	%D%/host/mpi_block.c \
	%D%/host/mpi_calls.c \
	%D%/host/mpi_plain.c \
	%D%/host/mpi_reduce.h \
	%D%/host/mpi_reduce.c \
	%D%/host/resident.c \
	%D%/host/slabs.c \
	%D%/host/store.c \
	%D%/host/sums.c \
	%D%/host/unit.c \
	%D%/host/variants.c \
	%D%/host/variants.h \
	%D%/host/widths.c \
	%D%/overlap/overlap.h \
	%D%/overlap/cells.c \
	%D%/overlap/guarded.c \
	%D%/overlap/lanes.h \
	%D%/overlap/lanes.c \
	%D%/overlap/lanes_fetch.c %D%/overlap/lanes_listed.c \
	%D%/overlap/listed.c \
	%D%/overlap/overlap.c \
	%D%/overlap/reach.c \
	%D%/strips/ahead.h %D%/strips/clusters.h \
	%D%/strips/strips.h \
	%D%/strips/stream.h \
	%D%/strips/ahead.c \
	%D%/strips/bulk.c \
	%D%/strips/cells.c \
	%D%/strips/clusters.c %D%/strips/edges.c \
	%D%/strips/kernels.c \
	%D%/strips/memory.c \
	%D%/strips/next.c \
	%D%/strips/once.c \
	%D%/strips/interior.c \
	%D%/strips/parts.c \
	%D%/strips/pointers.c \
	%D%/strips/shuffles.c \
	%D%/strips/strips.c \
	%D%/tiles/copies.c \
	%D%/tiles/deal.c \
	%D%/tiles/describe.c \
	%D%/tiles/known.c \
	%D%/tiles/lists.c \
	%D%/tiles/loads.c \
	%D%/tiles/relative.c \
	%D%/tiles/rows.c \
	%D%/tiles/straight.c \
	%D%/tiles/tile.c \
	%D%/tiles/vectors.c \
	%D%/tree/alternatives.c \
	%D%/tree/c.c \
	%D%/tree/c_vectors.h \
	%D%/tree/c_lanes.c \
	%D%/tree/c_vectors.c \
	%D%/tree/c_math.c \
	%D%/tree/c_roots.c \
	%D%/tree/cuda.c \
	%D%/tree/dump.c \
	%D%/tree/function.c \
	%D%/tree/gpu.c \
	%D%/tree/gpu.h \
	%D%/tree/helpers.c \
	%D%/tree/roots.c \
	%D%/tree/root_helpers.c \
	%D%/tree/hip.c \
	%D%/tree/islast.c \
	%D%/tree/lower.c \
	%D%/tree/names.c \
	%D%/tree/once.c \
	%D%/tree/once_straight.c \
	%D%/tree/print.c \
	%D%/tree/print_kx.c \
	%D%/tree/numbers.c \
	%D%/tree/tree.c \
	%D%/tree/unit.c

# The harness that --harness adds to a file, as lines of text.
harness_texts = %D%/harness-text.h %D%/harness-c-text.h \
	%D%/harness-c-cells-text.h %D%/harness-c-sized-text.h \
	%D%/harness-gpu-sized-text.h \
	%D%/harness-gpu-text.h %D%/tree/harness-cuda-text.h %D%/tree/harness-hip-text.h \
	%D%/tree/mpi-text.h %D%/tree/mpi-reduce-text.h \
	%D%/tree/mpi-plans-text.h \
	%D%/tree/mpi-zones-text.h %D%/tree/mpi-plans-zones-text.h \
	%D%/tree/mpi-gpu-reduce-text.h \
	%D%/tree/mpi-cuda-text.h \
	%D%/tree/mpi-hip-text.h %D%/harness-mpi-text.h \
	%D%/harness-mpi-all-text.h %D%/harness-mpi-same-text.h \
	%D%/tree/harness-mpi-cuda-text.h %D%/tree/harness-mpi-hip-text.h \
	%D%/tree/tile-sizes-text.h %D%/tree/choose-sizes-text.h \
	%D%/tree/choose-variant-text.h %D%/tree/choose-length-text.h
BUILT_SOURCES += $(harness_texts)
CLEANFILES += $(harness_texts)
EXTRA_DIST += runtime/harness.inc runtime/harness-c.inc \
	runtime/harness-c-cells.inc runtime/harness-c-sized.inc \
	runtime/harness-gpu-sized.inc \
	runtime/harness-gpu.inc runtime/harness-timed.inc \
	runtime/mpi-ranks.inc runtime/mpi-halos.inc \
	runtime/mpi-calls.inc runtime/mpi-host-cells.inc runtime/mpi-host.inc \
	runtime/mpi-host-calls.inc runtime/mpi-host-zone-cells.inc \
	runtime/mpi-host-zones.inc runtime/mpi-in-zones.inc runtime/mpi-gpu-zones.inc \
	runtime/mpi-start.inc runtime/mpi-plans.inc runtime/mpi-reduce.inc \
	runtime/mpi-zones.inc runtime/mpi-gpu-cells.inc \
	runtime/mpi-gpu-halos.inc runtime/mpi-gpu.inc \
	runtime/mpi-cuda.inc runtime/mpi-hip.inc \
	runtime/harness-mpi.inc runtime/harness-mpi-all.inc \
	runtime/harness-mpi-same.inc runtime/harness-mpi-gpu.inc \
	runtime/tile-sizes-here.inc runtime/choose-variant.inc

%D%/harness-text.h: runtime/harness.inc base/text-to-c.awk
	$(as_lines) -v name=harness $(srcdir)/runtime/harness.inc >$@

%D%/harness-c-text.h: runtime/harness-c.inc base/text-to-c.awk
	$(as_lines) -v name=harness_c $(srcdir)/runtime/harness-c.inc >$@

%D%/harness-gpu-text.h: runtime/harness-gpu.inc base/text-to-c.awk
	$(as_lines) -v name=harness_gpu $(srcdir)/runtime/harness-gpu.inc >$@

%D%/harness-c-cells-text.h: runtime/harness-c-cells.inc base/text-to-c.awk
	$(as_lines) -v name=harness_c_cells $(srcdir)/runtime/harness-c-cells.inc >$@

%D%/harness-c-sized-text.h: runtime/harness-c-sized.inc base/text-to-c.awk
	$(as_lines) -v name=harness_c_sized $(srcdir)/runtime/harness-c-sized.inc >$@

%D%/harness-gpu-sized-text.h: runtime/harness-gpu-sized.inc base/text-to-c.awk
	$(as_lines) -v name=harness_gpu_sized $(srcdir)/runtime/harness-gpu-sized.inc >$@

# .. of targets for GPUs, one text in the words of each.
%D%/tree/harness-hip-text.h: runtime/harness-timed.inc base/text-to-c.awk
	$(as_lines) -v name=harness_hip $(srcdir)/runtime/harness-timed.inc | \
	  sed 's/gpu\([A-Z]\)/hip\1/g' >$@

%D%/tree/harness-cuda-text.h: runtime/harness-timed.inc base/text-to-c.awk
	$(as_lines) -v name=harness_cuda $(srcdir)/runtime/harness-timed.inc | \
	  sed -e 's/(void)gpu/gpu/' -e 's/gpu\([A-Z]\)/cuda\1/g' >$@

# What files with --mpi call.
mpi_host_parts = $(srcdir)/runtime/mpi-ranks.inc \
  $(srcdir)/runtime/mpi-host-cells.inc $(srcdir)/runtime/mpi-halos.inc \
  $(srcdir)/runtime/mpi-calls.inc $(srcdir)/runtime/mpi-host.inc \
  $(srcdir)/runtime/mpi-host-calls.inc
mpi_once_parts = $(mpi_host_parts) $(srcdir)/runtime/mpi-start.inc
%D%/tree/mpi-text.h: $(mpi_once_parts) base/text-to-c.awk
	$(as_lines) -v name=mpi $(mpi_once_parts) >$@

# .. and with plans.
mpi_plans_parts = $(mpi_host_parts) $(srcdir)/runtime/mpi-plans.inc
%D%/tree/mpi-plans-text.h: $(mpi_plans_parts) base/text-to-c.awk
	$(as_lines) -v name=mpi_plans $(mpi_plans_parts) >$@

# .. that compute while halos travel: what they do as others is what the first zone does, and the
# host's memory takes the place of the GPU's.
mpi_zones_parts = $(srcdir)/runtime/mpi-ranks.inc \
  $(srcdir)/runtime/mpi-zones.inc $(srcdir)/runtime/mpi-host-cells.inc \
  $(srcdir)/runtime/mpi-halos.inc $(srcdir)/runtime/mpi-calls.inc \
  $(srcdir)/runtime/mpi-host.inc $(srcdir)/runtime/mpi-host-zone-cells.inc \
  $(srcdir)/runtime/mpi-in-zones.inc $(srcdir)/runtime/mpi-host-zones.inc \
  $(srcdir)/runtime/mpi-host-calls.inc
mpi_of_first_zone = /Calls of ranks that compute/,/Zones of blocks/
mpi_in_zones = sed -e '$(mpi_of_first_zone)s/stencilc_exchange_along/stencilc_exchange_at_once/' \
  -e '$(mpi_of_first_zone)s/stencilc_get_block/stencilc_get_first/' \
  -e '$(mpi_of_first_zone)s/stencilc_take(/stencilc_take_first(/' \
  -e '$(mpi_of_first_zone)s/stencilc_free(/stencilc_free_first(/' \
  -e 's/stencilc_gpu \*gpu;.*files for one,/stencilc_zones *zones;\\t\/* beside the first,/' \
  -e 's/move_on(r, r->gpu->stream, f, copies, /copy_all(f, copies, /' \
  -e 's/r->gpu/r->zones/g'
mpi_once_zones_parts = $(mpi_zones_parts) $(srcdir)/runtime/mpi-start.inc
%D%/tree/mpi-zones-text.h: $(mpi_once_zones_parts) base/text-to-c.awk
	$(as_lines) -v name=mpi_zones $(mpi_once_zones_parts) | $(mpi_in_zones) >$@
mpi_plans_zones_parts = $(mpi_zones_parts) $(srcdir)/runtime/mpi-plans.inc
%D%/tree/mpi-plans-zones-text.h: $(mpi_plans_zones_parts) base/text-to-c.awk
	$(as_lines) -v name=mpi_plans_zones $(mpi_plans_zones_parts) | $(mpi_in_zones) >$@

%D%/tree/mpi-reduce-text.h: runtime/mpi-reduce.inc base/text-to-c.awk
	$(as_lines) -v name=mpi_reduce $(srcdir)/runtime/mpi-reduce.inc >$@

# gpuMalloc() is cudaMalloc(), or hipMalloc(); nvcc warns of unused functions,
# and not all programs call these.
mpi_for_gpu = sed -e 's/"static inline /"[[maybe_unused]] static inline /'
%D%/tree/mpi-gpu-reduce-text.h: runtime/mpi-reduce.inc base/text-to-c.awk
	$(as_lines) -v name=mpi_gpu_reduce $(srcdir)/runtime/mpi-reduce.inc | \
	  $(mpi_for_gpu) >$@
mpi_gpu_parts = $(srcdir)/runtime/mpi-ranks.inc \
  $(srcdir)/runtime/mpi-zones.inc \
  $(srcdir)/runtime/mpi-gpu-cells.inc $(srcdir)/runtime/mpi-halos.inc \
  $(srcdir)/runtime/mpi-start.inc $(srcdir)/runtime/mpi-calls.inc \
  $(srcdir)/runtime/mpi-gpu-halos.inc $(srcdir)/runtime/mpi-in-zones.inc \
  $(srcdir)/runtime/mpi-gpu-zones.inc $(srcdir)/runtime/mpi-gpu.inc
mpi_cuda_parts = $(srcdir)/runtime/mpi-cuda.inc $(mpi_gpu_parts)
%D%/tree/mpi-cuda-text.h: $(mpi_cuda_parts) base/text-to-c.awk
	$(as_lines) -v name=mpi_cuda $(mpi_cuda_parts) | \
	  $(mpi_for_gpu) -e 's/gpu\([A-Z]\)/cuda\1/g' >$@
mpi_hip_parts = $(srcdir)/runtime/mpi-hip.inc $(mpi_gpu_parts)
%D%/tree/mpi-hip-text.h: $(mpi_hip_parts) base/text-to-c.awk
	$(as_lines) -v name=mpi_hip $(mpi_hip_parts) | \
	  $(mpi_for_gpu) -e 's/gpuMallocHost/hipHostMalloc/g' \
	  -e 's/gpuFreeHost/hipHostFree/g' -e 's/gpu\([A-Z]\)/hip\1/g' >$@

%D%/tree/harness-mpi-cuda-text.h: runtime/harness-mpi-gpu.inc base/text-to-c.awk
	$(as_lines) -v name=harness_mpi_cuda \
	  $(srcdir)/runtime/harness-mpi-gpu.inc | \
	  sed 's/gpu\([A-Z]\)/cuda\1/g' >$@

%D%/tree/harness-mpi-hip-text.h: runtime/harness-mpi-gpu.inc base/text-to-c.awk
	$(as_lines) -v name=harness_mpi_hip \
	  $(srcdir)/runtime/harness-mpi-gpu.inc | \
	  sed 's/gpu\([A-Z]\)/hip\1/g' >$@

%D%/harness-mpi-text.h: runtime/harness-mpi.inc base/text-to-c.awk
	$(as_lines) -v name=harness_mpi $(srcdir)/runtime/harness-mpi.inc >$@

%D%/harness-mpi-all-text.h: runtime/harness-mpi-all.inc base/text-to-c.awk
	$(as_lines) -v name=harness_mpi_all $(srcdir)/runtime/harness-mpi-all.inc >$@

%D%/harness-mpi-same-text.h: runtime/harness-mpi-same.inc base/text-to-c.awk
	$(as_lines) -v name=harness_mpi_same $(srcdir)/runtime/harness-mpi-same.inc >$@

# What chooses the sizes of tiles as the code runs.
%D%/tree/tile-sizes-text.h: model/tile_sizes.inc base/text-to-c.awk
	$(as_lines) -v name=tile_sizes $(srcdir)/model/tile_sizes.inc >$@

choosing = $(srcdir)/model/choose_hexagons.inc $(srcdir)/runtime/tile-sizes-here.inc
%D%/tree/choose-sizes-text.h: $(choosing) base/text-to-c.awk
	$(as_lines) -v name=choose_sizes $(choosing) >$@

%D%/tree/choose-variant-text.h: runtime/choose-variant.inc base/text-to-c.awk
	$(as_lines) -v name=choose_variant $(srcdir)/runtime/choose-variant.inc >$@
%D%/tree/choose-length-text.h: model/choose_length.inc base/text-to-c.awk
	$(as_lines) -v name=choose_length $(srcdir)/model/choose_length.inc >$@
