/* CUDA's vector types, with its sizes and alignments. */
#ifndef STENCILC_EMU_VECTOR_TYPES_H
#define STENCILC_EMU_VECTOR_TYPES_H

#define STENCILC_EMU_VECTOR(T, name, align2, align4) \
	struct name##1 { T x; }; \
	struct __attribute__((aligned(align2))) name##2 { T x, y; }; \
	struct name##3 { T x, y, z; }; \
	struct __attribute__((aligned(align4))) name##4 { T x, y, z, w; };

STENCILC_EMU_VECTOR(signed char, char, 2, 4)
STENCILC_EMU_VECTOR(unsigned char, uchar, 2, 4)
STENCILC_EMU_VECTOR(short, short, 4, 8)
STENCILC_EMU_VECTOR(unsigned short, ushort, 4, 8)
STENCILC_EMU_VECTOR(int, int, 8, 16)
STENCILC_EMU_VECTOR(unsigned int, uint, 8, 16)
STENCILC_EMU_VECTOR(long, long, 16, 16)
STENCILC_EMU_VECTOR(unsigned long, ulong, 16, 16)
STENCILC_EMU_VECTOR(long long, longlong, 16, 16)
STENCILC_EMU_VECTOR(unsigned long long, ulonglong, 16, 16)
STENCILC_EMU_VECTOR(float, float, 8, 16)
STENCILC_EMU_VECTOR(double, double, 16, 16)

#undef STENCILC_EMU_VECTOR

struct dim3 {
	unsigned int x, y, z;

	constexpr dim3(unsigned int x = 1, unsigned int y = 1,
		unsigned int z = 1) : x(x), y(y), z(z) {}
	constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
	constexpr operator uint3() const { return uint3 { x, y, z }; }
};

#endif
