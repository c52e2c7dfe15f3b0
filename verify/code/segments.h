/* What the proof of the code requires of segments. */
#ifndef STENCILC_VERIFY_SEGMENTS_H
#define STENCILC_VERIFY_SEGMENTS_H

#include "verify/code/code.h"

/* The segments are the steps, one behind the other, and the reductions behind them are the
 * program's; "w" is where the file of such a program begins.
 */
bool segments_are_right(struct code *w);

#endif
