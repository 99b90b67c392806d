# SPDX-License-Identifier: BSD-3-Clause
#
# amalgamate.awk - writes the C files named as arguments, and the headers that
# they include, as one file to standard output. amalgamate.sh runs it in the
# folder that includes are relative to.
#
# The order is that of the arguments. A header comes where the first file that
# includes it begins. System headers, and what a C file declares extern, come
# first, because what is declared after them is hidden from the programs that
# the result is linked into.
#
# Two files may define the same name: two formats have a struct cursor each,
# and several files a static function called grow. Such a name gets a prefix:
# v2_ for what a header in v2/ defines, v2_ids_ for what v2/ids.c defines. Which
# definition a file means follows from the headers that it includes. A name is
# renamed
#
#   - after struct, union and enum, if it is a tag,
#   - as a function, variable, type, enumerator or macro, but not as a member of
#     a struct. A local variable of that name is renamed too.
#
# Enumerators that a macro makes by pasting (EV_##id) are known by what is
# pasted: if one name that starts with EV_ gets a prefix, all such names do.
#
# A header must have an include guard and include what it needs. A macro of a C
# file is undefined at the end of that file.

# ------------------------------------------------------------------ reading --

function fail(text) {
	print "amalgamate.awk: " text >"/dev/stderr"
	exit 1
}

# Reads FILE and, before it, all that it includes; lists them in files[].
function load(file,    text, n, status) {
	if (file in lines)
		return
	lines[file] = 0
	n = 0
	while ((status = (getline text <file)) > 0)
		line[file, ++n] = text
	if (status < 0)
		fail("cannot read " file)
	close(file)
	lines[file] = n
	load_includes(file)
	files[++file_count] = file
}

function load_includes(file,    i, name) {
	for (i = 1; i <= lines[file]; i++) {
		if (file ~ /\.c$/ && line[file, i] ~ /^extern /)
			externs = externs line[file, i] "\n"
		if (line[file, i] !~ /^# *include/)
			continue
		name = line[file, i]
		sub(/^# *include *["<]/, "", name)
		sub(/[">].*/, "", name)
		if (line[file, i] ~ /"/) {
			load(name)
			included[file] = included[file] " " name
		} else if (name !~ /^gtrace\// && !(name in system_known)) {
			system_known[name] = 1
			system_headers = system_headers " " name
		}
	}
}

# Takes note of the headers that FILE sees, by way of HEADER, and itself.
function read_sees(file, header,    names, n, i) {
	if ((file, header) in sees)
		return
	sees[file, header] = 1
	n = split(included[header], names, " ")
	for (i = 1; i <= n; i++)
		read_sees(file, names[i])
}

# ------------------------------------------------------------------- tokens --

# Takes the first token from the line REST: sets token to it, kind to "name",
# "number", "space" or "other", and rest to what follows. A comment, a string
# and a character are "other", and so is each part of a comment of more than
# one line (in_comment).
function next_token(    end) {
	if (in_comment || substr(rest, 1, 2) == "/*") {
		kind = "other"
		end = index(in_comment ? rest : "  " substr(rest, 3), "*/")
		in_comment = end == 0
		token = end == 0 ? rest : substr(rest, 1, end + 1)
	} else if (match(rest, /^[A-Za-z_][A-Za-z_0-9]*/)) {
		kind = "name"
		token = substr(rest, 1, RLENGTH)
	} else if (match(rest, /^[ \t]+/)) {
		kind = "space"
		token = substr(rest, 1, RLENGTH)
	} else if (match(rest, /^[0-9][A-Za-z_0-9.]*/)) {
		kind = "number"
		token = substr(rest, 1, RLENGTH)
	} else if (match(rest, /^"([^"\\]|\\.)*"/) ||
	    match(rest, /^'([^'\\]|\\.)*'/)) {
		kind = "other"
		token = substr(rest, 1, RLENGTH)
	} else {
		kind = "other"
		token = substr(rest, 1, match(rest, /^(->|##|\/\/.*)/) ? RLENGTH : 1)
	}
	rest = substr(rest, length(token) + 1)
}

# Whether TOKEN is a comment or space, which nothing depends on.
function is_blank() {
	return kind == "space" || token ~ /^\/[*\/]/ || was_comment
}

# -------------------------------------------------------------- definitions --

# What is defined by FILE begins with this where it clashes.
function unit_of(file) {
	if (file ~ /\.h$/ && file ~ /\//)
		sub(/\/.*/, "", file)
	sub(/\.[ch]$/, "", file)
	gsub(/[^A-Za-z0-9]/, "_", file)
	return file "_"
}

# FILE defines NAME: SPACE is "tag", "name" or "paste".
function define(space, name, file,    unit) {
	defined[space, name, file] = 1
	unit = unit_of(file)
	if (!((space, name, unit) in unit_defines)) {
		unit_defines[space, name, unit] = 1
		clash[space, name]++
	}
	if (file ~ /\.h$/)
		header_defines[space, name] = header_defines[space, name] \
			" " file
}

# Takes note of what a preprocessor line of FILE defines.
function read_directive(file, text,    name) {
	if (text ~ /^# *define/) {
		name = text
		sub(/^# *define[ \t]*/, "", name)
		match(name, /^[A-Za-z_0-9]*/)
		name = substr(name, 1, RLENGTH)
		if (name !~ /^_[A-Z]/) {
			define("name", name, file)
			macros[file] = macros[file] " " name
		}
	} else if (text ~ /^# *undef/) {
		name = text
		sub(/^# *undef[ \t]*/, "", name)
		sub(/[^A-Za-z_0-9].*/, "", name)
		sub(" " name "$", "", macros[file])
		gsub(" " name " ", " ", macros[file])
	}
}

# What a header pastes to make enumerators.
function read_pastes(file, text,    name) {
	while (match(text, /[A-Z][A-Z0-9]*_##/)) {
		name = substr(text, RSTART, RLENGTH - 2)
		if (file ~ /\.h$/)
			define("paste", name, file)
		pasted[name] = 1
		text = substr(text, RSTART + RLENGTH)
	}
}

# What is pasted to make NAME: its part up to the first underscore, or "".
function family_of(name) {
	if (!match(name, /^[A-Z][A-Z0-9]*_/))
		return ""
	name = substr(name, 1, RLENGTH)
	return name in pasted ? name : ""
}

# Finds out which families have a name that two files define.
function read_families(    key, part, family) {
	for (key in defined) {
		split(key, part, SUBSEP)
		family = part[1] == "paste" ? part[2] : family_of(part[2])
		if (part[1] == "tag" || family == "")
			continue
		if (clash[part[1], part[2]] > 1)
			family_clashes[family] = 1
		if (part[1] == "name" && part[3] ~ /\.h$/)
			members[family, part[3]] = 1
	}
	for (key in members) {
		split(key, part, SUBSEP)
		define("paste", part[1], part[2])
	}
}

# The declaration at file scope is over: words[1] to words[words_count] are its
# tokens. A static one defines the first name with a parenthesis after it, or
# the last name. A pointer to a function is one in parentheses of its own.
function end_declaration(file,    i, name, pointer) {
	if (words[1] == "typedef" || words[1] == "static") {
		name = ""
		for (i = 2; i <= words_count; i++) {
			if (words[i] == "(" && words[i + 1] == "*") {
				pointer = 1
				continue
			}
			if (pointer && words[i] == ")")
				break
			if (words[i] == "(" && words[i - 1] ~ /^[a-z]/ &&
			    words[i - 1] !~ /^_/) {
				name = words[i - 1]
				break
			}
			if (words[i] ~ /^[=,[]$/)
				break
			if (words[i] ~ /^[A-Za-z_]/)
				name = words[i]
		}
		define("name", name, file)
	}
	words_count = 0
}

# Braces open at file scope, after words[]: of a struct or enum, which the
# declaration goes on after, or others, at which it ends. Returns whether an
# enumerator comes next.
function begin_braces(file,    tag) {
	tag = words[words_count]
	in_type = tag ~ /^(struct|union|enum)$/
	in_enum = tag == "enum" || words[words_count - 1] == "enum"
	if (words[words_count - 1] ~ /^(struct|union|enum)$/) {
		in_type = 1
		define("tag", tag, file)
	}
	if (!in_type)
		end_declaration(file)
	return in_enum
}

# Finds what FILE defines at file scope.
function read_definitions(file,    i, depth, parens, want, directive) {
	words_count = depth = parens = in_enum = 0
	in_comment = in_type = directive = 0
	for (i = 1; i <= lines[file]; i++) {
		rest = line[file, i]
		if (directive || (!in_comment && rest ~ /^#/)) {
			if (!directive)
				read_directive(file, rest)
			read_pastes(file, rest)
			directive = rest ~ /\\$/
			continue
		}
		while (rest != "") {
			was_comment = in_comment
			next_token()
			if (is_blank())
				continue
			if (token == "{") {
				if (depth++ == 0)
					want = begin_braces(file)
			} else if (token == "}") {
				if (--depth == 0 && !in_type)
					words_count = 0
			} else if (depth == 0 && token == ";") {
				end_declaration(file)
			} else if (depth == 0) {
				words[++words_count] = token
			} else if (depth == 1 && in_enum) {
				if (token == "(")
					parens++
				else if (token == ")")
					parens--
				else if (token == "," && parens == 0)
					want = 1
				else if (want && kind == "name") {
					# Not a macro that makes enumerators.
					if (rest !~ /^\(/)
						define("name", token, file)
					want = rest ~ /^\(/
				}
			}
		}
	}
}

# ----------------------------------------------------------------- renaming --

# The prefix for what FILE means by NAME, or "" if FILE sees no definition.
function prefix_of(space, name, file,    key, n, i, found, unit, list) {
	key = space SUBSEP name SUBSEP file
	if (key in prefix)
		return prefix[key]
	found = ""
	if ((space, name, file) in defined) {
		found = unit_of(file)
	} else {
		n = split(header_defines[space, name], list, " ")
		for (i = 1; i <= n; i++) {
			if (!((file, list[i]) in sees))
				continue
			unit = unit_of(list[i])
			if (found != "" && found != unit)
				fail(file " means " found name " or " unit name)
			found = unit
		}
		# A tag that FILE only declares is one of its own folder.
		for (i = 1; i <= n && found == "" && space == "tag"; i++)
			if (folder_of(list[i]) == folder_of(file))
				found = unit_of(list[i])
	}
	if (name ~ /^[A-Z_0-9]*$/)
		found = toupper(found)
	prefix[key] = found
	return found
}

function folder_of(file) {
	sub(/[^\/]*$/, "", file)
	return file
}

# The name TOKEN as it is in the result, in FILE, after PREVIOUS. IN_STRUCT: it
# is in the braces of a struct, where lower-case names are members.
function renamed(file, previous, in_struct,    family, found) {
	if (previous ~ /^(struct|union|enum)$/) {
		if (clash["tag", token] < 2)
			return token
		return prefix_of("tag", token, file) token
	}
	if (previous == "." || previous == "->")
		return token
	if (in_struct && token ~ /[a-z]/)
		return token
	family = family_of(token)
	if (clash["name", token] < 2 && !(family in family_clashes))
		return token
	found = prefix_of("name", token, file)
	if (found == "" && family in family_clashes)
		found = prefix_of("paste", family, file)
	if (found != "" && ("name", found token) in clash)
		fail(file " and others define " token ", and " found token)
	return found token
}

# Line I of FILE as it is in the result. Uses braces, a string of the open ones:
# "s" for those of a struct, "o" for others.
function rename_line(file, i,    out, is_struct, directive) {
	out = ""
	rest = line[file, i]
	directive = !in_comment && (in_directive || rest ~ /^#/)
	in_directive = directive && rest ~ /\\$/
	if (rest ~ /^# *include/)
		return rest
	while (rest != "") {
		was_comment = in_comment
		next_token()
		if (is_blank()) {
			out = out token
			continue
		}
		if (!directive && token == "{") {
			is_struct = before_previous ~ /^(struct|union)$/ ||
				previous ~ /^(struct|union)$/
			braces = braces (is_struct ? "s" : "o")
		} else if (!directive && token == "}") {
			braces = substr(braces, 1, length(braces) - 1)
		}
		if (kind == "name")
			out = out renamed(file, previous,
				!directive && braces ~ /s$/)
		else
			out = out token
		before_previous = previous
		previous = token
	}
	return out
}

# ------------------------------------------------------------------ writing --

# Writes the includes of system headers, sorted.
function write_system_headers(    names, n, i, j, name) {
	n = split(system_headers, names, " ")
	for (i = 2; i <= n; i++) {
		name = names[i]
		for (j = i; j > 1 && names[j - 1] > name; j--)
			names[j] = names[j - 1]
		names[j] = name
	}
	for (i = 1; i <= n; i++)
		print "#include <" names[i] ">"
}

# Writes FILE, unless it is written already, after what it includes. The lines
# that are left out leave no second blank line where they were.
function write_file(file,    i, name, names, n, blank) {
	if (file in written)
		return
	written[file] = 1
	n = split(included[file], names, " ")
	for (i = 1; i <= n; i++)
		write_file(names[i])
	print ""
	name = "/* " file " "
	while (length(name) < 77)
		name = name "-"
	print name "*/"
	braces = previous = before_previous = ""
	in_comment = in_directive = 0
	for (i = 1; i <= lines[file]; i++) {
		if (line[file, i] ~ /^# *include|^# *define _[A-Z]/ ||
		    line[file, i] ~ /SPDX-License-Identifier/ ||
		    (file ~ /\.c$/ && line[file, i] ~ /^extern /))
			continue
		if (line[file, i] != "" || !blank)
			print rename_line(file, i)
		blank = line[file, i] == ""
	}
	if (file ~ /\.c$/) {
		n = split(macros[file], names, " ")
		for (i = 1; i <= n; i++) {
			token = names[i]
			print "#undef " renamed(file, "", 0)
		}
	}
}

BEGIN {
	for (i = 1; i < ARGC; i++)
		load(ARGV[i])
	for (i = 1; i <= file_count; i++) {
		read_definitions(files[i])
		read_sees(files[i], files[i])
	}
	read_families()
	# All that any file asks the system headers for.
	print ""
	print "#ifndef _GNU_SOURCE"
	print "#define _GNU_SOURCE"
	print "#endif"
	print "#ifndef _FILE_OFFSET_BITS"
	print "#define _FILE_OFFSET_BITS 64"
	print "#endif\n"
	write_system_headers()
	print "\n#include \"gtrace.h\"\n"
	if (externs != "")
		print externs
	print "#if defined(__GNUC__)"
	print "#pragma GCC visibility push(hidden)"
	print "/* Files do not know each other's variables, nor use all of headers. */"
	print "#pragma GCC diagnostic push"
	print "#pragma GCC diagnostic ignored \"-Wshadow\""
	print "#pragma GCC diagnostic ignored \"-Wunused-const-variable\""
	print "#pragma GCC diagnostic ignored \"-Wunused-function\""
	print "#endif"
	for (i = 1; i < ARGC; i++)
		write_file(ARGV[i])
	print "\n#if defined(__GNUC__)"
	print "#pragma GCC diagnostic pop"
	print "#pragma GCC visibility pop"
	print "#endif"
}
