# tune: sizes by timing; the script is made by configure

bin_SCRIPTS += stencilc-tune
EXTRA_DIST += %D%/stencilc-tune.in
