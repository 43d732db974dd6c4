#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Finds every public name of include/anew in a header of its own name.

    check_names.py SOURCE_ROOT              check the tree
    check_names.py --self-test              check this script on small headers with one fault each
    check_names.py --list SOURCE_ROOT       print each public name and its header

The header of anew::x is ROOM/x.hpp, and that of a vocabulary anew::x_words is text/words/x.hpp. Of x may be dropped:
its namespace (anew::curl::multi_retry), the word of its room (exponential_backoff: backoff/exponential.hpp), an
underscore at the end (not_). The namespace may come first instead (grpc::status_classifier:
classifier/grpc_status.hpp), or be the header's name, which then holds all of it (presets/azure.hpp; the folder words
holds the namespace words). A concept's header has its name in snake_case. Beside x may stand what is named after it
and used with it: make_x, x_of, x_options, and the like (AFFIXES below). What else shares the header of another name
is listed in names.json with the reason; a * there stands for any text.
"""
import fnmatch
import json
import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TOKEN = re.compile(r"[A-Za-z_]\w*|::|->|[^\s\w]|\d[\w.']*")
# Machinery. Bases of policies stand outside detail: looking up a name with a strategy looks into the namespaces of its
# policies' bases.
HIDDEN = {"detail", "internal", "combining", "endings", "issuing", "kinds", "pinned", "sharing"}
AFFIXES = re.compile(r"^(?:make|parse|read|basic)_|_(?:of|for|by|options|operation|field|outcome|kind|settings)$")
OVERLOADED = {"to_string"}  # beside each enumeration
CLOSING = {"(": ")", "{": "}", "[": "]"}
BEFORE_PARENTHESIS = {"requires", "decltype", "noexcept", "alignas", "explicit", "static_assert", "__attribute__"}


def code_of(text):
    """The text without comments, directives, literals: no token in them declares anything."""
    text = re.sub(r'R"(\w*)\((?:.|\n)*?\)\1"', '""', text)
    def blank(found):
        return '""' if found.group()[0] == '"' else "0" if found.group()[0] == "'" else " "

    text = re.sub(r'//[^\n]*|/\*(?:.|\n)*?\*/|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\'', blank, text)
    return re.sub(r"(?m)^[ \t]*#(?:\\\n|[^\n])*", "", text)


def after_group(tokens, at):
    """The index behind the bracket that closes the one at `at`."""
    close, depth = CLOSING[tokens[at]], 0
    opening = tokens[at]
    while at < len(tokens):
        depth += (tokens[at] == opening) - (tokens[at] == close)
        at += 1
        if depth == 0:
            return at
    raise ValueError(f"a {opening} is not closed")


def after_angles(tokens, at):
    """The index behind the > that closes the < at `at`."""
    depth = 0
    while at < len(tokens):
        if tokens[at] in CLOSING:
            at = after_group(tokens, at)
            continue
        depth += (tokens[at] == "<") - (tokens[at] == ">")
        at += 1
        if depth == 0:
            return at
    raise ValueError("a < is not closed")


def declared(tokens):
    """Pair (kind, name) of a declaration at namespace scope, its body left out; None for what makes no name."""
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token == "ANEW_LAWS":
            return "alias", tokens[at + 2]
        if token == "template":
            if tokens[at + 1:at + 2] != ["<"]:
                return None  # an explicit instantiation
            if tokens[at + 2] == ">":
                return None  # a specialisation
            at = after_angles(tokens, at + 1)
        elif token in ("[", "("):
            at = after_group(tokens, at)
        elif token == "<":
            at = after_angles(tokens, at)
        elif token in ("class", "struct", "union", "enum"):
            at += 1
            while at < len(tokens) and (tokens[at] in ("class", "struct", "[") or tokens[at].startswith("ANEW_")):
                at = after_group(tokens, at) if tokens[at] == "[" else at + 1
            if at >= len(tokens) or tokens[at] == "{":
                return None
            rest = tokens[at + 1:at + 2]
            if rest == ["<"] or rest == ["::"]:
                return None  # a partial specialisation, or a member
            return ("enum" if token == "enum" else "class"), tokens[at]
        elif token == "concept":
            return "concept", tokens[at + 1]
        elif token == "using":
            if "=" in tokens:
                return "alias", tokens[at + 1]
            return None if tokens[at + 1] == "namespace" else ("alias", tokens[-1])
        elif token in ("typedef", "static_assert", "friend", "extern", "operator", "namespace"):
            return None
        elif token in BEFORE_PARENTHESIS:
            at += 1
        elif re.match(r"[A-Za-z_]", token):
            following = tokens[at + 1] if at + 1 < len(tokens) else ""
            member = at > 0 and tokens[at - 1] == "::" and at > 1 and re.match(r"[A-Za-z_>]", tokens[at - 2])
            if following == "(":
                return None if member or token.startswith("ANEW_") or "operator" in tokens else ("function", token)
            if following == "<" and "=" in tokens[after_angles(tokens, at + 1):][:1]:
                return None  # the specialisation of a variable
            if following in ("=", "{", "") or (following == "[" and not member):
                return None if member else ("variable", token)
            at += 1
        else:
            at += 1
    return None


def names_in(text, ahead=None):
    """(namespace, kind, name) of all that a header defines in namespace anew, outside detail and internal. Classes that
    it declares ahead go to the list `ahead`."""
    tokens = TOKEN.findall(code_of(text))
    found, scopes, start, at = [], [], 0, 0

    def note(head, into):
        path = [part for scope in scopes for part in scope]
        if not path or path[0] != "anew" or HIDDEN & set(path) or "" in path:
            return
        what = declared(head)
        if what is not None and not re.fullmatch(r"[A-Z0-9_]{2,}", what[1]):  # a macro declares something else
            into.append(("::".join(path[1:]), *what))

    while at < len(tokens):
        token = tokens[at]
        head = tokens[start:at]
        if token == "{":
            words = [t for t in head if t not in ("inline", "::") and not t.startswith("ANEW_")]
            if words[:1] == ["namespace"]:
                scopes.append(words[1:] or [""])
                at += 1
                start = at
                continue
            if words[:1] == ["extern"]:
                scopes.append([])
                at += 1
                start = at
                continue
            at = after_group(tokens, at)
            kind = (declared(head) or ("",))[0]
            ends = kind == "function" or "(" in head and kind not in ("variable", "class", "enum", "concept", "alias")
            if at < len(tokens) and tokens[at] in (";", ",", "=") or not ends and kind != "":
                # the rest of a declaration that goes on behind the bracket
                while at < len(tokens) and tokens[at] != ";":
                    at = after_group(tokens, at) if tokens[at] in CLOSING else at + 1
                at += 1
            elif at < len(tokens) and tokens[at] == "{":
                at = after_group(tokens, at)  # a member was initialised with braces before the body
            note(head, found)
            start = at
        elif token == "}":
            if scopes:
                scopes.pop()
            at += 1
            start = at
        elif token == ";":
            is_class = re.match(r"(?:template|class|struct|enum|union)$", head[0]) if head else None
            what = declared(head)
            is_ahead = what is not None and is_class and what[0] in ("class", "enum")
            if not is_ahead:
                note(head, found)
            elif ahead is not None:
                note(head, ahead)
            at += 1
            start = at
        elif token in ("(", "["):
            at = after_group(tokens, at)
        elif token == "template" and tokens[at + 1] == "<":
            at = after_angles(tokens, at + 1)
        elif token == "=" and head and head[-1] != "operator":
            # an initialiser, an alias, a concept: up to its semicolon
            while at < len(tokens) and tokens[at] != ";":
                at = after_group(tokens, at) if tokens[at] in CLOSING else at + 1
            note(head + ["="], found)
            at += 1
            start = at
        else:
            at += 1
    return found


def all_names(texts):
    """header: (namespace, name) of what it defines, and of classes that it declares and no header defines: tags, and
    templates that have specialisations alone. `texts` has all headers."""
    defined, declared_ahead = {}, {}
    for header, text in texts.items():
        ahead = []
        defined[header] = {(namespace, name) for namespace, _, name in names_in(text, ahead)}
        declared_ahead[header] = {(namespace, name) for namespace, _, name in ahead}
    everywhere = set().union(*defined.values())
    return {header: sorted(names | declared_ahead[header] - everywhere) for header, names in defined.items()}


def snake(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def is_at_home(header, namespace, name):
    """Is this the header of the name's own name, or of the name after which it is named?"""
    parts = pathlib.PurePosixPath(header).relative_to("anew").with_suffix("").parts
    rooms, stem = parts[:-1], parts[-1]
    plain = (snake(name) if name[:1].isupper() else name).rstrip("_")
    spaces = namespace.split("::") if namespace else []
    if name in OVERLOADED or namespace and stem == spaces[-1]:
        return True
    if "words" in (stem, *rooms[-1:]) and (name.endswith("_words") or spaces[-1:] == ["words"]):
        return True
    spellings = {plain, AFFIXES.sub("", plain)}
    spellings |= {"_".join(spaces[i:] + [spelling]) for i in range(len(spaces)) for spelling in spellings}
    for room in rooms + tuple(room.removesuffix("s") for room in rooms):
        spellings |= {spelling.removesuffix("_" + room) for spelling in set(spellings)}
    return stem in spellings


def check(include_dir, table):
    errors, names, include_dir = [], [], pathlib.Path(include_dir)
    rows = [(header, pattern) for reason in table["share"] for header, patterns in reason["names"].items()
            for pattern in patterns.split()]
    used = dict.fromkeys(rows, False)
    errors += [f"names.json lists {row[1]} of {row[0]} twice" for row in used if rows.count(row) > 1]
    errors += [f"names.json gives no reason for {', '.join(reason['names'])}"
               for reason in table["share"] if not reason["because"]]
    for path in sorted(include_dir.rglob("*.hpp")):
        header = path.relative_to(include_dir).as_posix()
        is_internal = "internal" in header.split("/")
        for namespace, kind, name in dict.fromkeys(names_in(path.read_text(encoding="utf-8"))):
            full = f"{namespace}::{name}" if namespace else name
            names.append((full, kind, header))
            if not is_internal and is_at_home(header, namespace, name):
                continue
            mine = [row for row in used if row[0] == header and fnmatch.fnmatchcase(full, row[1])]
            used.update(dict.fromkeys(mine, True))
            if not mine:
                errors.append(f"{header}: {full} ({kind}) " + (
                    "is public, and lies in an internal folder" if is_internal else "is not in a header of its name"))
    errors += [f"names.json lists {pattern} of {header} in vain: there is no such name, or it is in its own header"
               for (header, pattern), is_used in used.items() if not is_used]
    return names, errors


SELF_TEST = [  # header, text, what is said (None: nothing)
    ("backoff/linear.hpp", "class linear_backoff {};", None),
    ("backoff/linear.hpp", "template <class T = int> class linear_backoff final : base<T> { int x = f(); };", None),
    ("backoff/linear.hpp", "class linear_backoff; template <> struct other<int> {}; int other::f() { return 1; }",
     None),
    ("backoff/linear.hpp", "class slope {};", "slope (class) is not in"),
    ("backoff/linear.hpp", "template <class T> requires(sizeof(T) > 1) struct slope { T t; };", "slope (class)"),
    ("backoff/linear.hpp", "// class slope {};\nconstexpr char const* linear = \"class slope {};\";", None),
    ("backoff/linear.hpp", "#define SLOPE class slope {};\n", None),
    ("backoff/linear.hpp", "namespace detail { class slope {}; int steep(); }", None),
    ("backoff/linear.hpp", "namespace steep { class slope {}; }", "steep::slope (class)"),
    ("backoff/linear.hpp", "enum class slope : char { up, down };", "slope (enum)"),
    ("backoff/linear.hpp", "template <class T> concept Slope = requires(T t) { t(); };", "Slope (concept)"),
    ("backoff/linear.hpp", "template <class T> concept Linear = T::x < 3;", None),
    ("backoff/linear.hpp", "using slope = int;", "slope (alias)"),
    ("testing/laws/delays.hpp", "ANEW_LAWS(SlopeLaws, Backoff) TEST(SlopeLaws, A) {}", "SlopeLaws (alias)"),
    ("backoff/linear.hpp", "using steep::slope;", "slope (alias)"),
    ("backoff/linear.hpp", "inline constexpr int slope = 1;", "slope (variable)"),
    ("backoff/linear.hpp", "inline constexpr word<3> slope{};", "slope (variable)"),
    ("backoff/linear.hpp", "[[nodiscard]] constexpr auto slope(int x) noexcept -> std::pair<int, int> { return x; }",
     "slope (function)"),
    ("backoff/linear.hpp", "linear_backoff<int> make_linear(); std::string to_string(linear_backoff<int>);", None),
    ("backoff/linear.hpp", "template <class T> linear_backoff(T) -> linear_backoff<T>;", None),
    ("backoff/linear.hpp", "bool operator==(a, b); a operator\"\"_x(char c) { return c; }", None),
    ("backoff/linear.hpp", "}  namespace other { class slope {};", None),
    ("backoff/internal/linear.hpp", "class linear_backoff {};", "lies in an internal folder"),
    ("text/words/jitter.hpp", "namespace words { class full_jitter {}; }", None),
    ("text/words/jitter.hpp", "class full_jitter {};", "full_jitter (class)"),
    ("classifier/not.hpp", "class not_ {};", None),
    ("roles/max_attempts.hpp", "template <class T> concept MaxAttempts = true;", None),
    ("curl/multi_retry.hpp", "namespace curl { class multi_retry {}; }", None),
    ("classifier/grpc_status.hpp", "namespace grpc { struct status_classifier {}; }", None),
    ("presets/azure.hpp", "namespace azure { using jitter = full_jitter; }", None),
    ("drivers/retry.hpp", "class outcome {}; int retry(int);", "outcome (class)"),
]


def self_test():
    def said(header, text, share=()):
        with tempfile.TemporaryDirectory() as top:
            path = pathlib.Path(top) / "anew" / header
            path.parent.mkdir(parents=True)
            path.write_text("namespace anew::inline ANEW_ABI {\n" + text + "\n}\n", encoding="utf-8")
            return check(top, {"share": list(share)})[1]

    failures = 0
    for header, text, expected in SELF_TEST:
        errors = said(header, text)
        if errors if expected is None else len(errors) != 1 or expected not in errors[0]:
            failures += 1
            print(f"self-test: {header}: {text} should give {expected!r}, gave {errors}")
    def row(names, because="a reason"):
        return {"because": because, "names": {"anew/drivers/retry.hpp": names}}

    outcome = "class outcome {};"
    of_tables = [([row("outcome")], outcome, 0), ([row("out*")], outcome, 0), ([row("outcome outcome")], outcome, 1),
                 ([row("outcome")], "", 1), ([row("retry")], "int retry();", 1), ([row("outcome", "")], outcome, 1)]
    for share, text, expected in of_tables:
        errors = said("drivers/retry.hpp", text, share)
        if len(errors) != expected:
            failures += 1
            print(f"self-test: {share} should give {expected} errors, gave {errors}")
    count = len(SELF_TEST) + len(of_tables)
    print(f"{count - failures} of {count} as expected")
    return 1 if failures else 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    table = json.loads((HERE / "names.json").read_text(encoding="utf-8"))
    root = pathlib.Path(sys.argv[-1])
    names, errors = check(root / "include", table)
    if sys.argv[1] == "--list":
        for full, kind, header in names:
            print(f"{full:48} {kind:9} {header}")
        return 0
    for error in errors:
        print("names:", error)
    shared = sum(1 for row in table["share"] for names in row["names"].values() for _ in names.split())
    print(f"{len({full for full, _, _ in names})} public names, {shared} exceptions, {len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
