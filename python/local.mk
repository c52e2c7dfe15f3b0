# The Python package, which builds the compiler itself: setup.py.
EXTRA_DIST += %D%/README.md %D%/pyproject.toml %D%/setup.py \
	%D%/src/stencilc/__init__.py %D%/src/stencilc/_arrays.py \
	%D%/src/stencilc/_call.py %D%/src/stencilc/_errors.py \
	%D%/src/stencilc/_stencil.py %D%/src/stencilc/_tools.py \
	%D%/src/stencilc/py.typed %D%/tests/conftest.py \
	%D%/tests/test_call.py %D%/tests/test_compile.py \
	%D%/tests/test_device.py
