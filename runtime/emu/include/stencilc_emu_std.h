/* <math.h> for files that do not use std, STENCILC_EMU_NO_STD: the special
 * functions of C++ in libstdc++'s header, and what those include, take longer
 * to read than everything else.
 */
#ifndef STENCILC_EMU_STD_H
#define STENCILC_EMU_STD_H

#if defined(STENCILC_EMU_NO_STD) && __has_include(<bits/c++config.h>)
#include <bits/c++config.h>
#undef _GLIBCXX_USE_STD_SPEC_FUNCS
#endif

#endif
