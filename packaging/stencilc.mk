# Make rules for stencil programs.  In a makefile:
#
#	include $(shell pkg-config --variable=makerules stencilc)
#
# Then FILE.cu, FILE.hip.cpp and FILE.c are made from FILE.stn, FILE.h with any,
# FILE.emu and FILE.hip.emu are programs on the emulator, and FILE.svg is a picture
# of the tiles.  What they depend on is noted in FILE.cu.d, FILE.hip.cpp.d and
# FILE.c.d.

STENCILC ?= stencilc
STENCILC_EMU ?= stencilc-emu
# Options for all files; those of one: heat2d.cu: STENCILCFLAGS += -DN=1024
STENCILCFLAGS ?=

%.cu: %.stn
	$(STENCILC) $(STENCILCFLAGS) -MD -MF $@.d -o $@ $<

%.hip.cpp: %.stn
	$(STENCILC) --target=hip $(STENCILCFLAGS) -MD -MF $@.d -o $@ $<

%.c: %.stn
	$(STENCILC) --target=c $(STENCILCFLAGS) -MD -MF $@.d -o $@ $<

%.h: %.stn
	$(STENCILC) $(STENCILCFLAGS) --header=$@ -o /dev/null $<

%.emu: %.cu
	$(STENCILC_EMU) $< -o $@

%.hip.emu: %.hip.cpp
	$(STENCILC_EMU) $< -o $@

%.svg: %.stn
	$(STENCILC) $(STENCILCFLAGS) --emit=tiles --format=svg -o $@ $<

# What was generated stays: it is there to be read.
.PRECIOUS: %.cu %.hip.cpp %.c %.emu %.hip.emu

-include $(wildcard *.cu.d *.hip.cpp.d *.c.d)
