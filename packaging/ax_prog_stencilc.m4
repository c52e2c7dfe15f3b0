# AX_PROG_STENCILC([VERSION], [ACTION-IF-FOUND], [ACTION-IF-NOT-FOUND])
#
# Find stencilc, of VERSION or later, and set STENCILC to its path.  Without
# ACTION-IF-NOT-FOUND its absence is an error.  STENCILC and STENCILCFLAGS are
# substituted, and stand in --help.  With Automake:
#
#	.stn.cu:
#		$(STENCILC) $(STENCILCFLAGS) -o $@ $<
#
# or, as a suffix has one dot, "heat2d.hip.cpp: heat2d.stn" with the same command.
AC_DEFUN([AX_PROG_STENCILC], [
AC_ARG_VAR([STENCILC], [stencil compiler])
AC_ARG_VAR([STENCILCFLAGS], [options of the stencil compiler])
AC_PATH_PROG([STENCILC], [stencilc])
ax_stencilc_found=no
AS_IF([test -n "$STENCILC"], [
  ax_stencilc_version=`"$STENCILC" --version 2>/dev/null |
    sed -n 's/^stencilc //p'`
  AS_IF([test -n "$ax_stencilc_version"], [ax_stencilc_found=yes])
  m4_ifval([$1], [
    AC_MSG_CHECKING([whether stencilc is $1 or later])
    AS_VERSION_COMPARE([$ax_stencilc_version], [$1],
      [ax_stencilc_found=no])
    AC_MSG_RESULT([$ax_stencilc_found, it is $ax_stencilc_version])
  ])
])
AS_IF([test $ax_stencilc_found = yes],
  [m4_default([$2], [:])],
  [m4_default([$3],
    [AC_MSG_ERROR([stencilc]m4_ifval([$1], [ $1 or later])[ was not found])])])
])
