/* Functions of a header: places in them are none of the program's. */
#ifndef INLINED_H
#define INLINED_H

#define larger_of(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })

static inline float mean(float a, float b)
{
	float sum = a + b;

	return 0.5f * sum;
}

#endif
