#include "fiber.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <vector>

namespace stencilc_emu {

#ifdef FIBER_UCONTEXT

void fiber_prepare(fiber &f, char *stack, size_t bytes, void (*entry)())
{
	getcontext(&f.context);
	f.context.uc_stack.ss_sp = stack;
	f.context.uc_stack.ss_size = bytes;
	f.context.uc_link = nullptr;
	makecontext(&f.context, entry, 0);
}

void fiber_switch(fiber &from, fiber &to)
{
	swapcontext(&from.context, &to.context);
}

#else

/* Save the registers that a call preserves, change stacks, load them.  It jumps
 * instead of returning: the return predictor would be wrong each time.
 */
asm(
"	.text\n"
"	.globl	stencilc_emu_switch\n"
"	.type	stencilc_emu_switch, @function\n"
"stencilc_emu_switch:\n"
"	push	%rbp\n"
"	push	%rbx\n"
"	push	%r12\n"
"	push	%r13\n"
"	push	%r14\n"
"	push	%r15\n"
"	mov	%rsp, (%rdi)\n"
"	mov	%rsi, %rsp\n"
"	pop	%r15\n"
"	pop	%r14\n"
"	pop	%r13\n"
"	pop	%r12\n"
"	pop	%rbx\n"
"	pop	%rbp\n"
"	pop	%rcx\n"
"	jmp	*%rcx\n"
"	.size	stencilc_emu_switch, .-stencilc_emu_switch\n"
);

/* As if "entry" had been called: six registers, the address to continue at, and
 * a return address of 0 that ends a backtrace.
 */
void fiber_prepare(fiber &f, char *stack, size_t bytes, void (*entry)())
{
	uintptr_t top = ((uintptr_t) stack + bytes) & ~(uintptr_t) 15;
	void **sp = (void **) top - 8;

	memset(sp, 0, 8 * sizeof *sp);
	sp[6] = (void *) entry;
	f.sp = sp;
}

#endif

static std::vector<stack> free_stacks;
static std::vector<uintptr_t> guard_pages;
static size_t page_bytes;
static unsigned made;

/* STENCILC_STACK: bytes for a thread's local memory and calls. */
static size_t stack_bytes()
{
	const char *s = getenv("STENCILC_STACK");
	size_t bytes = s ? strtoull(s, nullptr, 0) : 0;

	if (bytes < 16384)
		bytes = 256 * 1024;
	return (bytes + page_bytes - 1) & ~(page_bytes - 1);
}

/* Reserve stacks for 64 threads; only touched pages take memory.  Their tops
 * are shifted against each other: at equal distances they would all compete for
 * the same cache sets.
 */
static void make_stacks()
{
	page_bytes = sysconf(_SC_PAGESIZE);
	size_t each = stack_bytes() + page_bytes, n = 64;
	char *p = (char *) mmap(nullptr, n * each, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED) {
		perror("stencilc-emu: no memory for the stacks of threads");
		_exit(9);
	}
	for (size_t i = n; i-- > 0;) {
		char *start = p + i * each;
		mprotect(start, page_bytes, PROT_NONE);
		guard_pages.push_back((uintptr_t) start);
		free_stacks.push_back(stack { start + page_bytes,
			each - page_bytes - (made++ + n - i) % 64 * 192 });
	}
}

stack take_stack()
{
	if (free_stacks.empty())
		make_stacks();
	stack s = free_stacks.back();
	free_stacks.pop_back();
	return s;
}

void give_stack(stack s)
{
	free_stacks.push_back(s);
}

bool is_guard_page(const void *p)
{
	for (uintptr_t g : guard_pages)
		if ((uintptr_t) p - g < page_bytes)
			return true;
	return false;
}

}
