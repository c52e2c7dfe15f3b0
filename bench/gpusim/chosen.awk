# The strategy and sizes of "--emit=model --format=json", in a line.

!strategy && match($0, /"strategy": "[a-z]+"/) { strategy = substr($0, RSTART + 13, RLENGTH - 14) }
!sizes && match($0, /"sizes": "[^"]*"/) { sizes = substr($0, RSTART + 10, RLENGTH - 11) }
!tile && match($0, /"tile": [{][^}]*/) { tile = substr($0, RSTART + 9, RLENGTH - 9) }
!threads && match($0, /"threads": \[[^]]*/) { threads = substr($0, RSTART + 12, RLENGTH - 12) }

END {
	if (sizes == "") {
		gsub(/[" ]/, "", tile)
		gsub(/:/, "=", tile)
		gsub(/ /, "", threads)
		sizes = tile (threads != "" ? " threads=" threads : "")
	}
	print strategy (sizes != "" ? " " sizes : "")
}
