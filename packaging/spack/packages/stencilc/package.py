# Spack: see doc/packages.md.
from spack.package import *


class Stencilc(AutotoolsPackage):
    """Compiler for stencil computations: a grid, updated at every point from its neighbours,
    step after step, becomes CUDA, HIP or C with OpenMP, with time tiling."""

    maintainers = []
    license("MIT")

    # From a checkout or a release on this machine: spack dev-build, spack develop.
    version("0.1")

    variant("hwloc", default=True, description="Caches and cores of the machine at hand")

    depends_on("c", type="build")
    depends_on("cxx", type=("build", "run"))
    depends_on("autoconf", type="build")
    depends_on("automake", type="build")
    depends_on("bison@3.8:", type="build")
    depends_on("flex@2.6.4:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("isl@0.25:")
    depends_on("hwloc@2:", when="+hwloc")

    def configure_args(self):
        return self.with_or_without("hwloc") + ["--without-libclang"]

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_install(self):
        """What is installed compiles an example."""
        stencilc = Executable(self.prefix.bin.stencilc)
        stencilc("-o", join_path(self.stage.path, "heat2d.c"), "examples/heat2d.stn")
