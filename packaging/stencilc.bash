# bash completion for stencilc and its tools.  The options are those of
# --help=all and --help; the values of one are those that its message names.

_stencilc_options() {
	local help=--help
	[ "${1##*/}" != stencilc ] || help=--help=all
	"$1" $help 2>/dev/null |
	sed -n 's/^  *\(--*[A-Za-z][A-Za-z-]*=\{0,1\}\).*/\1/p' |
	sed 's/^\(-[DW]\).*/\1/'
}

# The values of option $2 of program $1, "=?" being none of them; names of sizes of tiles
# go on with "=".
_stencilc_values() {
	case $2 in
	--tile) "$1" --tile=? - 2>&1 </dev/null |
		sed -n 's/.* is not a tile size: //;s/ \[.*//;s/ \.\.,//
			s/; or \([a-z]*\), alone/, \1/p' |
		sed 's/, /= /g' ;;
	--arch) "$1" --list-archs 2>/dev/null | awk '{ print $1 }' ;;
	--*) "$1" "$2=?" - 2>&1 </dev/null |
		sed -n "s/.* is not one of \(.*\) \[.*/\1/p" | tr -d ',' ;;
	esac
}

_stencilc() {
	local program=$1 word=${COMP_WORDS[COMP_CWORD]} option
	COMPREPLY=()
	# "--emit=til" comes as three words where "=" separates words.
	if [ "$word" = = ]; then
		option=${COMP_WORDS[COMP_CWORD-1]} word=
	elif [ "$COMP_CWORD" -ge 2 ] &&
		[ "${COMP_WORDS[COMP_CWORD-1]}" = = ]; then
		option=${COMP_WORDS[COMP_CWORD-2]}
	elif [[ $word == --*=* ]]; then
		option=${word%%=*} word=${word#*=}
	fi
	if [ -n "$option" ]; then
		COMPREPLY=($(compgen -W "$(_stencilc_values "$program" \
			"$option")" -- "$word"))
		[ ${#COMPREPLY[@]} -gt 0 ] ||
			COMPREPLY=($(compgen -f -- "$word"))
		[[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
	elif [[ $word == -* ]]; then
		COMPREPLY=($(compgen -W "$(_stencilc_options "$program")" \
			-- "$word"))
		[[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
	else
		local suffix=stn
		[ "${program##*/}" != stencilc-emu ] || suffix='@(cu|hip|cpp)'
		shopt -q extglob || local reset=1
		shopt -s extglob
		COMPREPLY=($(compgen -f -X "!*.$suffix" -- "$word")
			$(compgen -d -- "$word"))
		[ -z "$reset" ] || shopt -u extglob
	fi
}

complete -F _stencilc -o filenames stencilc stencilc-emu stencilc-tune \
	stencilc-calibrate
