// A result that is dropped, and the same looked at later or on purpose.
// expect: 9 /unchecked.cu:15: error: cudaMemcpy failed and nobody asked: invalid argument/

static void asked()
{
	cudaFree((void *) 1);
	(void) cudaFree((void *) 1);
	cudaGetLastError();
}

int main()
{
	char c;
	asked();
	cudaMemcpy(&c, &c, 1, cudaMemcpyHostToDevice);
	(void) cudaFree((void *) 1);
	return 0;
}
