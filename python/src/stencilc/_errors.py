"""What goes wrong."""
from __future__ import annotations


class Error(Exception):
    """What stencilc, a compiler or a stencil says."""


class CompileError(Error):
    """The program cannot be compiled.

    Attributes
    ----------
    text : str
        What the compiler says: places, carets, reasons and ways out.
    status : int
        Its exit status; 1: the program is wrong, 2: an option is.
    ids : tuple of str
        The messages' names, for ``stencilc.explain``.
    """

    def __init__(self, text: str, status: int, ids: tuple[str, ...] = ()):
        super().__init__(text)
        self.text = text
        self.status = status
        self.ids = ids


class BuildError(Error):
    """The C, CUDA or HIP compiler is not there, or does not build the file.

    Attributes
    ----------
    text : str
        What it says.
    """

    def __init__(self, text: str):
        super().__init__(text)
        self.text = text


class RunError(Error):
    """A stencil refuses to run; its arrays hold what they held.

    Attributes
    ----------
    code : int
        What the function returned.
    """

    def __init__(self, text: str, code: int):
        super().__init__(text)
        self.code = code
