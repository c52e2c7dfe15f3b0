autocmd BufRead,BufNewFile *.stn setfiletype stencilc
