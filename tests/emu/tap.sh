# For the scripts of this folder: a place to work, and TAP.

here=$(cd "$(dirname "$0")" && pwd)
emu=${STENCILC_EMU:-./stencilc-emu}
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
n=0

ok()
{
	n=$((n + 1))
	echo "ok $n - $1"
}

# not_ok WHAT FILE: FILE says why.
not_ok()
{
	n=$((n + 1))
	echo "not ok $n - $1"
	sed 's/^/# /' "$2" | head -20
}
