#include "emu.h"
namespace stencilc_emu {
bool measuring;
void metrics_launch(const kernel &, uint64_t, unsigned) {}
void metrics_interval(bool) {}
void metrics_print() {}
void metrics_access(const void *, unsigned, bool, const void *) {}
}
