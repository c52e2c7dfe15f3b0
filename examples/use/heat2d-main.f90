! Calls heat2d from Fortran and compares with plain loops.
!
!   stencilc --target=c --header=heat2d.f90 -o heat2d.c ../heat2d.stn
!   cc -O2 -ffp-contract=off -c heat2d.c
!   gfortran -O2 -ffp-contract=off heat2d.f90 heat2d-main.f90 heat2d.o -lm
program main
  use, intrinsic :: iso_c_binding
  use heat2d_stencil
  implicit none
  integer(c_int), parameter :: steps = 10, n = 40, m = 70
  real(c_float) :: a(m, n), old(m, n), new(m, n)
  integer :: i, j, t, error

  do i = 1, n
    do j = 1, m
      a(j, i) = real(mod(7 * i + 13 * j, 32), c_float) / 32
    end do
  end do
  old = a
  new = a
  error = heat2d(steps, n, m, a)
  if (error /= 0) then
    print '(a)', heat2d_message(error)
    stop 1
  end if
  do t = 1, steps
    do i = 2, n - 1
      do j = 2, m - 1
        new(j, i) = 0.125 * (((((((old(j-1, i-1) + old(j, i-1)) &
          + old(j+1, i-1)) + old(j-1, i)) + old(j+1, i)) &
          + old(j-1, i+1)) + old(j, i+1)) + old(j+1, i+1))
      end do
    end do
    old = new
  end do
  if (any(abs(a - new) > 0)) stop 'the result differs from the plain loops'
  print '(a)', 'equal to the plain loops'
  print '(2a)', 'a wrong size: ', heat2d_message(heat2d(1, -1, m, a))
end program main
