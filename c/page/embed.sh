#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# embed.sh - writes page.html, with page.css and page.js in it, to standard
# output as C: pieces of text up to NULL. A piece {{name}} stands for what the
# library writes there. Makes ../report/page_data.inc again:
#
#	sh c/page/embed.sh >c/report/page_data.inc
#
# Lines lose what they are indented by, and lines of comments are left out. The
# page's Content-Security-Policy has hashes of the style sheet and of the script.
set -eu
LC_ALL=C
export LC_ALL
cd "$(dirname "$0")"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# strip FILE: without indentation and comments.
strip() {
	sed 's/^[ 	]*//; /^\/\//d; /^$/d' "$1" | awk '
		substr($0, 1, 2) == "/*" { inside = 1 }
		inside == 0 { print }
		substr($0, length($0) - 1) == "*/" { inside = 0 }'
}

# hash FILE: of what stands between its tags, in base64.
hash_of() {
	octal=$({
		echo
		cat "$1"
	} | sha256sum | cut -c1-64 | sed 's/../& /g' | awk '
		function digit(c) { return index("0123456789abcdef", c) - 1 }
		function byte(high, low) { return 16 * digit(high) + digit(low) }
		{
			for (i = 1; i <= NF; i++)
				printf "\\%03o", byte(substr($i, 1, 1), substr($i, 2, 1))
		}')
	# shellcheck disable=SC2059 # a format of octal digits
	printf "$octal" | base64
}

strip page.css >"$scratch/css"
strip page.js >"$scratch/js"
css_hash=$(hash_of "$scratch/css")
js_hash=$(hash_of "$scratch/js")

cat <<END
/* SPDX-License-Identifier: BSD-3-Clause */
/* page_data.inc - the template of HTML reports. Made by page/embed.sh. */
#ifndef GTRACE_REPORT_PAGE_DATA_INC_
#define GTRACE_REPORT_PAGE_DATA_INC_

static const char *const page_pieces[] = {
END
sed "s|{{css hash}}|$css_hash|; s|{{js hash}}|$js_hash|
/^{{css}}\$/{
r $scratch/css
d
}
/^{{js}}\$/{
r $scratch/js
d
}" page.html | awk '
	# A string literal has at most 4095 characters.
	function flush() {
		if (text != "")
			print "\"" text "\","
		text = ""
	}
	function add(part) {
		gsub(/\\/, "&&", part)
		gsub(/"/, "\\\\&", part)
		# No trigraphs.
		gsub(/\?\?/, "?\\?", part)
		if (length(text) + length(part) > 4000)
			flush()
		text = text part
	}
	{
		rest = $0
		while (match(rest, /\{\{[a-z]+\}\}/)) {
			add(substr(rest, 1, RSTART - 1))
			flush()
			add(substr(rest, RSTART, RLENGTH))
			flush()
			rest = substr(rest, RSTART + RLENGTH)
		}
		add(rest)
		text = text "\\n"
	}
	END { flush() }'
cat <<END
	0,
};

#endif /* GTRACE_REPORT_PAGE_DATA_INC_ */
END
