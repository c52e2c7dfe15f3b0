/* model: predicted times, the sizes that minimise them, and what bounds a
 * kernel.  Numbers in, numbers out: nothing here knows a program or a set.
 *
 * Sources, cited at each formula:
 *	[CGO] Grosser, Cohen, Holewinski, Sadayappan, Verdoolaege: Hybrid
 *	      Hexagonal/Classical Tiling for GPUs, CGO 2014.
 *	[PP]  Prajapati, Ranasinghe, Rajopadhye, Andonov, Djidjev, Grosser:
 *	      Simple, Accurate, Analytical Time Modeling and Optimal Tile Size
 *	      Selection for GPGPU Stencils, PPoPP 2017.
 *	[SU]  Su, Cai, Wen, Zhang: An analytical GPU performance model for 3D
 *	      stencil computations from the angle of data traffic, 2015.
 *
 * Counts that may be products of sizes are doubles: exact below 2^53 and
 * never an overflow.  Words are the elements of the array meant.
 * doc/model.md is the reader's version of this file.
 */
#ifndef STENCILC_MODEL_H
#define STENCILC_MODEL_H

#include "base/base.h"

#include "model/citer.h"
#include "model/cpu.h"
#include "model/hexagon.h"
#include "model/machine.h"
#include "model/network.h"
#include "model/query.h"
#include "model/report.h"
#include "model/strips.h"
#include "model/switches.h"
#include "model/time.h"
#include "model/traffic.h"
#include "model/waves.h"

#endif
