# tune: sizes by timing; configure makes the script of its parts, one after the
# other: main.in calls what the others define

bin_SCRIPTS += stencilc-tune
