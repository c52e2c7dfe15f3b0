# What makes stencilc fit in: make, Autoconf, CMake, pkg-config, shells,
# editors, Debian.

dist_pkgdata_DATA = %D%/stencilc.mk
cmakedir = $(pkgdatadir)/cmake
dist_cmake_DATA = %D%/FindStencilc.cmake
aclocaldir = $(datadir)/aclocal
dist_aclocal_DATA = %D%/ax_prog_stencilc.m4
pkgconfigdir = $(libdir)/pkgconfig
nodist_pkgconfig_DATA = stencilc.pc
vscodedir = $(pkgdatadir)/vscode
dist_vscode_DATA = %D%/vscode/package.json \
	%D%/vscode/language-configuration.json
vscodesyntaxdir = $(vscodedir)/syntaxes
dist_vscodesyntax_DATA = %D%/vscode/syntaxes/stencilc.tmLanguage.json
vimsyntaxdir = $(datadir)/vim/vimfiles/syntax
dist_vimsyntax_DATA = %D%/vim/syntax/stencilc.vim
vimdetectdir = $(datadir)/vim/vimfiles/ftdetect
dist_vimdetect_DATA = %D%/vim/ftdetect/stencilc.vim
zshdir = $(datadir)/zsh/site-functions
dist_zsh_DATA = %D%/_stencilc

# bash looks for a file by the name of each command.
bashdir = $(datadir)/bash-completion/completions
EXTRA_DIST += %D%/stencilc.bash
install-data-hook:
	$(MKDIR_P) '$(DESTDIR)$(bashdir)'
	for program in stencilc stencilc-emu stencilc-tune stencilc-calibrate; \
	do $(INSTALL_DATA) '$(srcdir)/%D%/stencilc.bash' \
	  "$(DESTDIR)$(bashdir)/$$program" || exit; done
uninstall-hook:
	cd '$(DESTDIR)$(bashdir)' && rm -f stencilc stencilc-emu \
	  stencilc-tune stencilc-calibrate

# make deb: a package of the release, in deb/.
debian_files = %D%/debian/control %D%/debian/rules %D%/debian/changelog.in \
	%D%/debian/copyright %D%/debian/source/format
EXTRA_DIST += %D%/StencilcFromSource.cmake %D%/manylinux \
	%D%/spack/repo.yaml %D%/spack/packages/stencilc/package.py \
	%D%/conda/meta.yaml %D%/nix/flake.nix %D%/meson/stencilc.wrap \
	%D%/meson/packagefiles/stencilc/meson.build \
	%D%/meson/packagefiles/stencilc/meson-build-compiler
EXTRA_DIST += $(debian_files) examples/Makefile $(example_uses)
example_uses = examples/use/heat2d-main.f90 examples/use/heat2d-main.py \
	examples/use/heat2d-main.rs examples/use/heat2d-main.jl \
	examples/use/multigrid-main.c examples/use/shot-main.c examples/use/shot-main.py

.PHONY: deb clean-deb
deb: dist
	rm -rf deb && $(MKDIR_P) deb
	cp $(distdir).tar.gz deb/$(PACKAGE)_$(VERSION).orig.tar.gz
	cd deb && tar xf $(PACKAGE)_$(VERSION).orig.tar.gz && \
	cp -r $(distdir)/%D%/debian $(distdir)/debian && \
	chmod -R u+w $(distdir)/debian && \
	sed -e 's/%VERSION%/$(VERSION)/' -e "s/%DATE%/`date -R`/" \
	  $(distdir)/%D%/debian/changelog.in >$(distdir)/debian/changelog && \
	rm -f $(distdir)/debian/changelog.in && \
	cd $(distdir) && dpkg-buildpackage -us -uc -b
clean-local: clean-deb
clean-deb:
	-rm -rf deb
