# Calls heat2d from Julia, by a plan, and compares with plain loops.  The last index is the
# one that runs first in memory: the field A[N][M] is a Matrix of M x N.
#
#     stencilc --target=c --handles -o heat2d.c ../heat2d.stn
#     cc -O2 -ffp-contract=off -shared -fPIC heat2d.c -o libheat2d.so -lm
#     julia heat2d-main.jl
const library = joinpath(pwd(), "libheat2d.so")

message(code) = unsafe_string(@ccall library.heat2d_strerror(code::Cint)::Cstring)
checked(code) = code == 0 || error(message(code))

mutable struct Heat2d
    plan::Ptr{Cvoid}
    n::Int
    m::Int
    function Heat2d(n, m)
        plan = Ref{Ptr{Cvoid}}(C_NULL)
        checked(@ccall library.heat2d_create(plan::Ref{Ptr{Cvoid}}, n::Cint, m::Cint)::Cint)
        finalizer(x -> @ccall(library.heat2d_destroy(x.plan::Ptr{Cvoid})::Cvoid),
                  new(plan[], n, m))
    end
end

function run!(heat::Heat2d, t, a::Matrix{Float32})
    size(a) == (heat.m, heat.n) || throw(DimensionMismatch("$(size(a))"))
    GC.@preserve heat checked(@ccall library.heat2d_run(heat.plan::Ptr{Cvoid}, t::Cint,
                                                        a::Ptr{Float32})::Cint)
    a
end

function step(a)
    new = copy(a)
    for i in 2:size(a, 2)-1, j in 2:size(a, 1)-1
        new[j, i] = 0.125f0 * (((((((a[j-1, i-1] + a[j, i-1]) + a[j+1, i-1]) + a[j-1, i]) +
                                   a[j+1, i]) + a[j-1, i+1]) + a[j, i+1]) + a[j+1, i+1])
    end
    new
end

n, m = 40, 70
a = [Float32((37 * (m * i + j) % 101) * 0.01) for j in 0:m-1, i in 0:n-1]
plain = copy(a)
heat = Heat2d(n, m)
for t in (3, 0, 7)
    run!(heat, t, a)
end
for _ in 1:10
    global plain = step(plain)
end
try
    Heat2d(-1, 5)
catch why
    println("refused: ", why.msg)
end
a == plain || error("the result differs from the plain loops")
println("equal to the plain loops")
