# A text as an array of lines, for printers that copy it.
BEGIN { print "static const char *const harness_text[] = {" }
{
	gsub(/\\/, "&&")
	gsub(/"/, "\\\"")
	gsub(/\t/, "\\t")
	print "\t\"" $0 "\","
}
END {
	print "};"
	print "enum { HARNESS_LINES = " NR " };"
}
