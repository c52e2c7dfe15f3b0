/* The readings of the formulas: switches.def. */
#ifndef STENCILC_MODEL_SWITCHES_H
#define STENCILC_MODEL_SWITCHES_H

#include "base/base.h"

enum {
#define SWITCH(name, printed, recommended, values, meaning) SWITCH_##name,
#define NUMBER(name, printed, recommended, meaning)
#include "model/switches.def"
#undef SWITCH
#undef NUMBER
	SWITCH_COUNT
};

/* The number of a switch that stands for the machine's value. */
#define OF_MACHINE (-1)
enum { PITCH_PRINTED, PITCH_EXACT };
enum { BANDWIDTH_DEVICE, BANDWIDTH_SM };
enum { OVERLAP_PRINTED, OVERLAP_REPAIRED };
enum { SUBSLABS_PRODUCT, SUBSLABS_EACH };
enum { K_MAX, K_FILL };
enum { COUNTS_PRINTED, COUNTS_PLANAR, COUNTS_EXACT };
enum { WAVEFRONTS_EVEN, WAVEFRONTS_EPSILON };
enum { THREADS_LANES, THREADS_PASSES };
enum { CODE_PAPER, CODE_EMITTED };
enum { CLAMP_NO, CLAMP_YES };
enum { IMBALANCE_NO, IMBALANCE_YES };
enum { LAUNCH_NO, LAUNCH_YES };

struct switches {
	const char *preset;	/* "printed", "recommended" or "custom" */
#define SWITCH(name, printed, recommended, values, meaning) int name;
#define NUMBER(name, printed, recommended, meaning) double name;
#include "model/switches.def"
#undef SWITCH
#undef NUMBER
};

struct switches switches_printed(void);
struct switches switches_recommended(void);
/* Read "printed", "recommended" and "switch=value", separated by commas, into
 * "s", starting from the recommended ones.  NULL, or what is wrong, in "r".
 */
const char *switches_parse(struct region *r, const char *text,
	struct switches *s);
/* The settings in the form that switches_parse reads. */
void switches_print(struct text *t, const struct switches *s);

#endif
