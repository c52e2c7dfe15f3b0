" Vim syntax file for stencil programs (*.stn)
if exists("b:current_syntax")
  finish
endif

syntax keyword stnStructure stencil use iterate on at boundary assume
syntax keyword stnStructure every until sweep
syntax keyword stnStorage param const state input output temp result
syntax keyword stnStatement def let sum max min
syntax keyword stnType char short int long unsigned half bfloat float double complex
syntax keyword stnBoundary periodic mirror odd clamp fixed value low high
syntax keyword stnFunction sqrt cbrt exp exp2 expm1 log log2 log10 log1p pow hypot erf erfc
syntax keyword stnFunction sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh
syntax keyword stnFunction fabs fmin fmax fdim copysign fma fmod floor ceil trunc round rint
syntax keyword stnTodo TODO FIXME XXX contained
syntax match stnNumber "\<\d\+\>"
syntax match stnNumber "\<0[xX]\x\+\>"
syntax match stnFloat "\<\d\+\.\d*\([eE][-+]\?\d\+\)\?[fF]\?"
syntax match stnFloat "\.\d\+\([eE][-+]\?\d\+\)\?[fF]\?\>"
syntax match stnFloat "\<\d\+[eE][-+]\?\d\+[fF]\?\>"
syntax match stnRange "\.\."
syntax region stnComment start="/\*" end="\*/" contains=stnTodo
syntax match stnComment "//.*$" contains=stnTodo

highlight default link stnStructure Structure
highlight default link stnStorage StorageClass
highlight default link stnStatement Statement
highlight default link stnType Type
highlight default link stnBoundary Constant
highlight default link stnFunction Function
highlight default link stnNumber Number
highlight default link stnFloat Float
highlight default link stnRange Operator
highlight default link stnComment Comment
highlight default link stnTodo Todo

let b:current_syntax = "stencilc"
