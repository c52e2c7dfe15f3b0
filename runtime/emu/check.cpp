#include "emu.h"
namespace stencilc_emu {
bool checking;
void check_start() {}
void check_launch(uint64_t) {}
void check_block(uint64_t) {}
void check_interval() {}
void check_thread(unsigned) {}
void check_warp(unsigned, uint32_t) {}
void check_block_saved(std::vector<char> &) {}
void check_block_restored(const std::vector<char> &, uint64_t) {}
void check_grid_phase() {}
void check_launch_end() {}
void check_allocated(const allocation &, bool) {}
void check_freed(const allocation &) {}
void check_host_write(void *, size_t) {}
void check_copy(void *, const void *, size_t, const void *, const char *) {}
void check_async_issue(void *, size_t, const void *, size_t, const void *) {}
void check_async_done(void *, size_t, const void *, size_t, const void *) {}
void check_atomic(void *, size_t, const void *) {}
}
