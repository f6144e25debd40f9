#!/usr/bin/env python3
"""Counts tokens of Rust code: identifiers, numbers, texts (one each) and punctuation, without comments and tests.

usage: tests/tokens.py [FOLDER] [--depth N]    FOLDER: default `src`; --depth: rows by folder down to N levels (default 1)

Items behind `#[cfg(test)]` do not count, nor the files of modules behind it with all below, nor folders named tests,
benches, examples or target. Formatting moves nothing here, unlike a count of lines.
"""
import os, re, sys

PIECE = re.compile(r"""
    (?P<comment>//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)
  | (?P<text>b?c?r(?P<h>\#+)"(?s:.*?)"(?P=h)|b?c?r"[^"]*"|b?c?"(?:\\.|[^"\\])*"|b?'(?:\\(?:x..|u\{[^}]*\}|.)|[^'\\\n])')
  | (?P<word>[A-Za-z_]\w*|\d[\w.]*)
  | (?P<mark>[^\s\w])
""", re.X | re.S)

def tokens(source):
    return [m.group() for m in PIECE.finditer(source) if m.lastgroup and not m.group("comment")]

def without_tests(found):
    """Leaves out items behind #[cfg(test)]; returns the rest, and names of modules whose files are tests."""
    kept, names, i = [], set(), 0
    mark = ["#", "[", "cfg", "(", "test", ")", "]"]
    while i < len(found):
        if found[i:i + 7] != mark:
            kept.append(found[i]); i += 1
            continue
        i += 7
        head = i
        depth = 0
        while i < len(found):
            t = found[i]; i += 1
            if t in "([{": depth += 1
            elif t in ")]}":
                depth -= 1
                if depth == 0 and t == "}": break
            elif t == ";" and depth == 0: break
        item = found[head:i]
        if "mod" in item[:8] and item[-1] == ";":
            names.add(item[item.index("mod") + 1])
    return kept, names

def main():
    arguments = [a for a in sys.argv[1:] if not a.startswith("--")]
    depth = int(sys.argv[sys.argv.index("--depth") + 1]) if "--depth" in sys.argv else 1
    if "--depth" in sys.argv: arguments = [a for a in arguments if a != str(depth)]
    root = arguments[0] if arguments else os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "src")
    files, tests = {}, set()
    for folder, below, names in os.walk(root):
        below[:] = [name for name in below if name not in ("tests", "benches", "examples", "target")]
        for name in names:
            if not name.endswith(".rs"): continue
            path = os.path.join(folder, name)
            kept, modules = without_tests(tokens(open(path, encoding="utf8", errors="replace").read()))
            files[path] = len(kept)
            stem = folder if name in ("mod.rs", "lib.rs", "main.rs") else path[:-3]
            for module in modules:
                tests.add(os.path.join(stem, module)); tests.add(os.path.join(folder, module))
    rows, small, total, count = {}, 0, 0, 0
    for path, n in files.items():
        stem = path[:-3]
        parts = stem.split(os.sep)
        if any(os.sep.join(parts[:k]) in tests for k in range(1, len(parts) + 1)): continue
        total += n; count += 1; small += n < 530   # some 60 lines
        below = os.path.relpath(path, root).split(os.sep)
        key = "/".join(below[:depth]) if len(below) > depth else "/".join(below[:-1]) or "."
        if depth == 1 and len(below) > 2 and below[0] in ("environments", "worlds"): key = "/".join(below[:2])
        rows[key] = rows.get(key, 0) + n
    for key, n in sorted(rows.items(), key=lambda row: -row[1]): print(f"{n:9,}  {key}")
    print(f"{total:9,}  all, {count} files, {small} of them below 530 tokens")

main()
