/* What the proof of the code asks of segments. */
#ifndef STENCILC_VERIFY_SEGMENTS_H
#define STENCILC_VERIFY_SEGMENTS_H

#include "verify/code/code.h"

/* The segments are the steps, one behind the other, and what is reduced behind them is what
 * the program says; "w" is where the file of such a program begins.
 */
bool segments_are_right(struct code *w);

#endif
