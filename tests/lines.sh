#!/usr/bin/env bash
# Counts lines of code: tests/lines.sh [-v] [FOLDER], of `src` if no folder is named. Blank lines, comments and
# tests do not count; a test is whatever `#[cfg(test)]` stands before, and the file of a module that it stands before
# with all that is below. -v prints the rooms as well: the first folder, and of environments the second.
set -euo pipefail
export LC_ALL=C

usage() {
    echo "usage: tests/lines.sh [-v] [FOLDER]" >&2
    exit 2
}
rooms=no
if [ "${1-}" = -v ]; then
    rooms=yes
    shift
fi
[ $# -le 1 ] || usage
[[ ${1-} != -* ]] || usage
root=${1-$(dirname "$0")/../src}
if [ ! -d "$root" ]; then
    echo "tests/lines.sh: $root is not a folder" >&2
    exit 2
fi
cd "$root"

# Prints `lines FILE N`, and `test FILE` or `test FOLDER/` for each module that is a test.
read_files='
function folder(path) { return match(path, /.*\//) ? substr(path, 1, RLENGTH) : "./" }

function begin_file() {
    if (file != "") print "lines", file, count
    file = FILENAME
    count = comment = string = testing = depth = 0
    item = named = raw = ""
}

# What is left of a line without comments and with empty texts. Sets `text` if a part of a text is on the line.
function code_of(rest,    code) {
    code = ""
    text = 0
    while (rest != "") {
        if (comment) rest = in_comment(rest)
        else if (string) rest = in_string(rest)
        else if (!match(rest, /"|\047|\/\/|\/\*|r#*"/)) return code rest
        else {
            code = code substr(rest, 1, RSTART - 1)
            rest = opened(substr(rest, RSTART))
        }
    }
    return code
}

# What follows the beginning of a comment, of a text or of a letter.
function opened(rest) {
    if (rest ~ /^\/\//) return ""
    if (rest ~ /^\/\*/) {
        comment = 1
        return substr(rest, 3)
    }
    text = 1
    if (match(rest, /^r#*"/)) {
        string = 1
        raw = "\"" substr(rest, 2, RLENGTH - 2)
        return substr(rest, RLENGTH + 1)
    }
    if (rest ~ /^"/) {
        string = 1
        raw = ""
        return substr(rest, 2)
    }
    if (match(rest, /^\047([^\\\047]|[\300-\377][^\047]*|\\\047|\\[^\047]+)\047/)) return substr(rest, RLENGTH + 1)
    return substr(rest, 2)
}

# Comments of this kind may hold others.
function in_comment(rest) {
    if (!match(rest, /\/\*|\*\//)) return ""
    comment += substr(rest, RSTART, 1) == "/" ? 1 : -1
    return substr(rest, RSTART + 2)
}

function in_string(rest,    end) {
    text = text || rest ~ /[^ \t\r]/
    if (raw != "") {
        end = index(rest, raw)
        if (!end) return ""
        string = 0
        return substr(rest, end + length(raw))
    }
    if (!match(rest, /^([^"\\]|\\.)*"/)) return ""
    string = 0
    return substr(rest, RLENGTH + 1)
}

# Goes on with the item that is a test; it ends with its block, or with a semicolon if it has none.
function in_test(code,    sign) {
    if (match($0, /#\[path *= *"[^"]*"/)) {
        named = substr($0, RSTART, RLENGTH - 1)
        sub(/.*"/, "", named)
    }
    while (match(code, /[{};]/)) {
        sign = substr(code, RSTART, 1)
        if (!depth) item = item " " substr(code, 1, RSTART - 1)
        code = substr(code, RSTART + 1)
        if (sign == "{") depth++
        else if (sign == "}") depth--
        else if (!depth) declared()
        if (!depth) {
            testing = 0
            return
        }
    }
    if (!depth) item = item " " code
}

# The file of a module, which is beside the file or in the folder of its name.
function declared(    place) {
    if (!match(item, /(^|[ \t])mod[ \t]+[A-Za-z0-9_]+[ \t]*$/)) return
    if (named != "") {
        print "test", folder(file) named
        return
    }
    sub(/[ \t]+$/, "", item)
    sub(/.*[ \t]/, "", item)
    place = file
    if (place ~ /\/(mod|lib|main)\.rs$/) place = folder(place)
    else sub(/\.rs$/, "/", place)
    print "test", place item ".rs"
    print "test", place item "/"
}

FNR == 1 { begin_file() }
{
    code = code_of($0)
    was_testing = testing
    if (!testing && match(code, /#\[cfg\(test\)\]/)) {
        testing = was_testing = 1
        item = named = ""
        code = substr(code, RSTART + RLENGTH)
    }
    if (testing) in_test(code)
    if (!was_testing && (text || code ~ /[^ \t\r]/)) count++
}
END { begin_file() }
'

# Adds up what is no test.
add_up='
$1 == "test" { test[$2] = 1; next }
{ lines[$2] = $3 }
function is_test(file,    at, part) {
    if (file in test) return 1
    for (at = 1; at <= length(file); at++)
        if (substr(file, at, 1) == "/" && substr(file, 1, at) in test) return 1
    return 0
}
function room(file,    parts, count) {
    count = split(file, parts, "/")
    if (count > 3 && parts[2] == "environments") return parts[2] "/" parts[3]
    return count > 2 ? parts[2] : "."
}
END {
    for (file in lines) {
        if (is_test(file)) continue
        rooms[room(file)] += lines[file]
        all += lines[file]
    }
    if (by_room == "yes")
        for (name in rooms) printf "%7d %s\n", rooms[name], name
    else printf "%d\n", all
    if (by_room == "yes") printf "%7d all\n", all
}
'

find . -name '*.rs' -type f -print0 | sort -z | xargs -0 -r awk "$read_files" | awk -v by_room="$rooms" "$add_up" | sort -k1,1nr
