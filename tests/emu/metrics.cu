// Counts of a kernel whose traffic is known.
// needs: g++
// emu: --metrics
// expect: 0 STENCILC_METRICS=- /"name": "copy"/
// expect: 0 STENCILC_METRICS=- /"global_load_requests": 8,/
// expect: 0 STENCILC_METRICS=- /"global_load_sectors": 36,/
// expect: 0 STENCILC_METRICS=- /"global_load_block_sectors": 36,/
// expect: 0 STENCILC_METRICS=- /"global_load_group_sectors": 9,/
// expect: 0 STENCILC_METRICS=- STENCILC_RESIDENT=2 /"global_load_group_sectors": 18,/
// expect: 0 STENCILC_METRICS=- /"global_store_group_sectors": 256,/
// expect: 0 STENCILC_METRICS=- /"global_load_efficiency": 0.8889/
// expect: 0 STENCILC_METRICS=- /"global_store_sectors": 256,/
// expect: 0 STENCILC_METRICS=- /"global_store_efficiency": 0.1250/
// expect: 0 STENCILC_METRICS=- /"shared_load_requests": 8,/
// expect: 0 STENCILC_METRICS=- /"shared_load_wavefronts": 256,/
// expect: 0 STENCILC_METRICS=- /"shared_store_wavefronts": 8}/
// expect: 0 STENCILC_METRICS=- /"barriers": 4,/
// expect: 0 STENCILC_METRICS=- /"global_load_aligned": 4,/
// expect: 0 STENCILC_METRICS=- /"shared_load_wavefronts": 10/
// expect: 0 /global load +8 +36 +88.9% +50.0%/
__global__ void copy(const float *a, float *b)
{
	__shared__ float s[64][32];
	int x = threadIdx.x;
	/* two warps in each of four blocks; the second is shifted by a word */
	s[x / 32][x % 32] = a[x + x / 32];
	__syncthreads();
	b[8 * x + 1024 * blockIdx.x] = s[x % 32][0];
}

/* 8 bytes a lane: two passes without conflicts; a broadcast: one. */
__global__ void wide(const double *a, float *b)
{
	__shared__ double d[32];
	__shared__ float4 q[32];
	d[threadIdx.x] = threadIdx.x;
	q[threadIdx.x] = make_float4(1, 2, 3, 4);
	__syncthreads();
	float4 v = q[threadIdx.x];
	b[threadIdx.x] = d[threadIdx.x] + v.x + v.w;
	b[threadIdx.x] += d[0];
	if (threadIdx.x < 7)
		b[threadIdx.x] += d[threadIdx.x] + d[16];
}

int main()
{
	float *a;
	if (cudaMalloc(&a, 1 << 16) || cudaMemset(a, 0, 1 << 16))
		return 1;
	copy<<<4, 64>>>(a, a + 256);
	wide<<<1, 32>>>((double *) a, a);
	return cudaGetLastError() || cudaFree(a);
}
