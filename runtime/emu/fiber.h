/* Switching between stacks. */
#ifndef FIBER_H
#define FIBER_H

#include <stddef.h>

#if !defined(__x86_64__) || defined(EMU_UCONTEXT)
#define FIBER_UCONTEXT 1
#include <ucontext.h>
#endif

namespace stencilc_emu {

struct fiber {
#ifdef FIBER_UCONTEXT
	ucontext_t context;
#else
	void *sp;
#endif
};

/* Let "f" start at "entry", which never returns, on the given stack. */
void fiber_prepare(fiber &f, char *stack, size_t bytes, void (*entry)());

/* Continue "to"; return when something continues "from". */
void fiber_switch(fiber &from, fiber &to);

#ifndef FIBER_UCONTEXT
extern "C" void stencilc_emu_switch(void **save, void *load);

inline void fiber_switch(fiber &from, fiber &to)
{
	stencilc_emu_switch(&from.sp, to.sp);
}
#endif

/* Stacks of one size, each above a guard page. */
struct stack {
	char *start;
	size_t bytes;
};
stack take_stack();
void give_stack(stack s);
bool is_guard_page(const void *p);

}

#endif
