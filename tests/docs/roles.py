# SPDX-License-Identifier: BSL-1.0
"""What the documents say of the roles, made of the code that states each role once.

From include/anew/strategy/role_table.hpp come the roles, their order and what plays them by default; from
include/anew/roles/roles.hpp what each decides; from include/anew/roles the concepts. In docs/concepts.md and in the
comment of strategy<> the table follows its marker and ends at the next empty line:

    <!-- roles: table -->      /// roles:

docs/reference/presets.md is what examples/preset_table.cpp prints, and docs/reference/notation.md what
examples/notation_table.cpp prints; the runs of the examples compare. Each policy has a word, or a reason why not.
check_docs.py calls `check`, and with --write writes.
"""
import re

import policies

TABLE = "include/anew/strategy/role_table.hpp"
ROLES = "include/anew/roles/roles.hpp"
CONCEPTS = "docs/concepts.md"
STRATEGY = "include/anew/strategy/strategy.hpp"
PRESETS = "docs/reference/presets.md"
PRINTED = "examples/expected/preset_table.txt"
PRESETS_INTRODUCTION = """# The presets, side by side

The first table has the numbers of each preset in `describe()`'s words. Then each role has a table of its policies, with
the presets that have them, and the last table has what each preset [promises](../how_to/demand_a_bound.md). [Use a
preset](../how_to/use_a_preset.md) says which to choose; the comment of each alias in
[anew/presets](../../include/anew/presets) says where its numbers come from.

<!-- Printed by examples/preset_table.cpp; tests/docs/check_docs.py --write copies it here. Do not edit. -->
"""
NOTATION = "docs/reference/notation.md"
PRINTED_WORDS = "examples/expected/notation_table.txt"
NOTATION_INTRODUCTION = """# The notation

`describe()` prints a strategy in this notation, and `read_strategy()` reads it ([Read a strategy from
text](../how_to/read_a_strategy_from_text.md)): policies with their arguments, in any order, separated by blanks.
`[,X]` may be omitted, `a|b` is one of them, `...` means that there may be more, and KIND is `transient`, `throttling`,
`timeout`, `server` or `client`.

| argument | is written |
|---|---|
| a time | a number and a unit: `250ms`, `1.5s`, `100us`, `7ns`, `1m`, `2h`; rounded to a nanosecond |
| a count | `500`; `20%` and `10/s` where the table says so |
| FACTOR, FRACTION, SHARE, LOW, HIGH | `2`, `1.5` or `3/2` |
| RATIO, X | a number, with at most three decimals for RATIO, and 18 digits for X: `0.1` |
| BACKOFF, LIMIT | a policy of this role |
| STATUS | `429`, or `4xx` and `5xx` for all of them |
| CODE | a status code of gRPC: `UNAVAILABLE` |

A strategy plays each role once; the roles that a text does not name are played by the policies that you give, or by
the defaults. With a deadline the limit of attempts must be written. A text has at most 64 KiB, 64 policies, 64
arguments of one, and 16 levels of nesting; a backoff of others is made of at most 16 backoffs. Arguments without a name
are read in their order: to give `LONGEST` of `rate_limit`, give `BURST` too. An argument with a name stands behind
them, and a flag such as `partial` behind all.

"Named by" is what you write in `read_strategy<...>()`, so that a text may use the word; the default is `core_words`.

<!-- Printed by examples/notation_table.cpp; tests/docs/check_docs.py --write copies it here. Do not edit. -->
"""
WORD_OF = {"status_classifier": "grpc_status", "std_clock": "steady_clock", "seeded_source": "seed", "not_": "not",
           "max_attempts_by_kind_at_run_time": "max_attempts_by_kind", "http_statuses": "http_status",
            "nested_backoff": "sum"}
OPTIONAL = re.compile(r"\s*\(optional(?:: (.*))?\)$")


def roles_of(root):
    """[{role, meaning, concept, default}] in the table's order; an optional role's default is a sentence."""
    table = re.search(r"using role_table = (.*?);\n", (root / TABLE).read_text(encoding="utf-8"), re.S).group(1)
    meanings = dict(policies.roles_of(root))
    printed = dict(re.findall(r"^## (\w+)\n.*?^\| (`[^|]*`) \| `anew::strategy<>`", (root / PRINTED).read_text(
        encoding="utf-8"), re.S | re.M))
    found = []
    for role, default in re.findall(r"entry<roles::(\w+)(?:, (\w+(?:<[^<>]*>)?))?>", table):
        declares = re.compile(r"^concept (\w+) =\s+detail::PlaysRole<\w+, roles::" + role + r">", re.M)
        concept, header = next((match, path) for path in sorted((root / "include/anew").rglob(f"{role}.hpp"))
                               if (match := declares.search(path.read_text(encoding="utf-8"))))
        optional = OPTIONAL.search(meanings.get(role, ""))
        words = f"`{default}`" if default else (optional and optional.group(1)) or "nothing: no size, no code"
        if "<>" in default:
            words += f", that is {printed.get(role, '')}"
        found.append({"role": role, "meaning": OPTIONAL.sub("", meanings.get(role, "")),
                      "concept": concept.group(1), "optional": bool(optional),
                      "header": header.relative_to(root).as_posix(),
                      "default": words})
    return found


def link_of(role, page):
    """To the section of the concept; to its header where the page has none."""
    name = role["concept"]
    return f"[{name}]({'#' + name.lower() if f'## {name}' in page.splitlines() else '../' + role['header']})"


def lists(root):
    """{marker: lines} for docs/concepts.md."""
    known = roles_of(root)
    page = (root / CONCEPTS).read_text(encoding="utf-8")
    return {"table": ["| role | it decides | concept | when you compose none |", "|---|---|---|---|"] + [
        f"| [`roles::{r['role']}`](reference/policies.md#{r['role']}) | {r['meaning']} | {link_of(r, page)} | "
        f"{r['default']} |" for r in known]}


def comment_of(root):
    """The table in the comment of strategy<>."""
    rows = [(f"`{r['role']}`", r["default"]) for r in roles_of(root)]
    width = max(len(role) for role, _ in rows)
    return [f"/// | {'role'.ljust(width)} | when you compose none |", f"/// |{'-' * (width + 2)}|---|"] + [
        f"/// | {role.ljust(width)} | {default} |" for role, default in rows]


def replaced(text, lists_by_marker, pattern, is_end):
    """The text with the lines behind each marker replaced, and the markers that stand in it."""
    out, seen, skipping = [], [], False
    for line in text.splitlines():
        marker = re.fullmatch(pattern, line)
        if marker:
            out.append(line)
            name = marker.group(1) if marker.groups() else ""
            seen.append(name)
            out += lists_by_marker.get(name, [])
            skipping = True
        elif not skipping or is_end(line):
            skipping = False
            out.append(line)
    return "\n".join(out) + "\n", seen


def catalogue_of(root):
    """The names of all policies in docs/reference/policies.md; `classifier` by its folder, as in `curl`."""
    page = (root / "docs/reference/policies.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[`(\w+)`\]\(../../include/anew/(?:\w+/)*(\w+)/", page, re.M)
    return sorted({folder if policy == "classifier" else policy for policy, folder in rows})


def check(root, write):
    """Returns (number of roles, errors)."""
    errors, made = [], lists(root)
    concepts, seen = replaced((root / CONCEPTS).read_text(encoding="utf-8"), made, r"<!-- roles: (.*) -->",
                              lambda line: not line.strip())
    errors += [f"{CONCEPTS}: no marker <!-- roles: {name} -->" for name in made if name not in seen]
    errors += [f"{CONCEPTS}: roles.py makes no list '{name}'" for name in seen if name not in made]
    strategy, seen = replaced((root / STRATEGY).read_text(encoding="utf-8"), {"": comment_of(root)}, r"/// roles:",
                              lambda line: line.strip() == "///")
    errors += [] if seen else [f"{STRATEGY}: no line '/// roles:'"]
    presets = PRESETS_INTRODUCTION + (root / PRINTED).read_text(encoding="utf-8")
    words = (root / PRINTED_WORDS).read_text(encoding="utf-8")
    named = set(re.findall(r"^\| `(\w+)", words, re.M))
    for policy in catalogue_of(root):
        word = WORD_OF.get(policy, policy)
        if not {word, re.sub(r"_(backoff|classifier)$", "", word)} & named:
            errors.append(f"{PRINTED_WORDS}: no word for {policy}, and no reason why a text cannot hold it")
    notation = NOTATION_INTRODUCTION + words
    for name, wanted in ((CONCEPTS, concepts), (STRATEGY, strategy), (PRESETS, presets), (NOTATION, notation)):
        path = root / name
        if not path.is_file() or path.read_text(encoding="utf-8") != wanted:
            if write:
                path.write_text(wanted, encoding="utf-8")
                print(f"rewrote {name}")
            else:
                errors.append(f"{name} differs from what the code says of the roles "
                              "(tests/docs/check_docs.py --write brings it up to date)")
    return len(roles_of(root)), errors
