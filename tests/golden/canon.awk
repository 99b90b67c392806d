# SPDX-License-Identifier: BSD-3-Clause
#
# canon.awk - the canonical form of a dump, to be given the same file twice.
#
# A dump calls events by addresses, which are free to be what they like. Here
# the address of an event becomes @ and the number of its line among those of
# events, from 0, both where the line begins with it and where a link names it.

BEGIN {
	event = "^\t0x[0-9a-f]+ Off: "
	number["0x0"] = "0x0"
}

# The first time: give numbers. A link may lead to a later line.
FNR == NR {
	if ($0 ~ event)
		number[$1] = "@" count++
	next
}

$0 ~ event {
	link = $NF in number ? number[$NF] : "@gone"
	from = length($1) + 2
	size = length($0) - from - length($NF)
	$0 = "\t" number[$1] substr($0, from, size) link " "
}

{ print }
