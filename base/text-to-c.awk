# A text as an array of lines called "name" and its length "NAME_LINES", for
# printers that copy it: awk -v name=harness ..
BEGIN { print "static const char *const " name "_text[] = {" }
{
	gsub(/\\/, "&&")
	gsub(/"/, "\\\"")
	gsub(/\t/, "\\t")
	print "\t\"" $0 "\","
}
END {
	print "};"
	print "enum { " toupper(name) "_LINES = " NR " };"
}
