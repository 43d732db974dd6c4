#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""docs/packaging/anew.cppm, the module `anew`, exports each public name of the headers.

    check_module.py SOURCE_ROOT            compare
    check_module.py --write SOURCE_ROOT    write it
    check_module.py --self-test            check this script on small trees

The module has all that needs the standard library and Hana alone. Left out are the headers that need something that may
not be there: tests/meson.build lists them (header_needs).
"""
import ast
import collections
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "layers"))

import check_layers  # noqa: E402
import check_names  # noqa: E402

MODULE = "docs/packaging/anew.cppm"
# The condition under which a header defines its names (by prefix), or a name is defined.
DEFINED_IF = {"anew/ports/smithy_kotlin": "ANEW_EXCEPTIONS"}
NAMED_IF = {"info_of": "defined(__cpp_rtti)"}
# The condition under which a header may be included at all.
INCLUDED_IF = dict.fromkeys(("anew/process", "anew/bridges/process"), "defined(ANEW_PLATFORM_LINUX)")
HEAD = """// SPDX-License-Identifier: BSL-1.0
// The module `anew`: every public name that needs the standard library and Boost.Hana alone, and no macro.
// docs/how_to/one_file_or_a_module.md says how to build it. Written by tests/packaging/check_module.py --write.
module;
"""


def needs(root):
    """The prefixes of headers that need another library."""
    text = (root / "tests/meson.build").read_text(encoding="utf-8")
    return tuple(ast.literal_eval(re.search(r"^header_needs = (\{.*?^\})", text, re.M | re.S).group(1)))


def condition(header, table):
    return next((text for prefix, text in table.items() if header.startswith(prefix)), "")


def all_headers(root):
    return {path.relative_to(root / "include").as_posix(): path.read_text(encoding="utf-8")
            for path in sorted((root / "include").rglob("*.hpp"))}


def public(headers, root):
    """Those that the module has."""
    without = needs(root)
    return [header for header in headers if "internal" not in header.split("/") and not header.startswith(without)]


def names_of(headers, texts):
    """(condition, namespace): the names, sorted, of these headers. `texts` has all headers."""
    found = collections.defaultdict(set)
    names_in = check_names.all_names(texts)
    for header in headers:
        guard = condition(header, DEFINED_IF) or condition(header, INCLUDED_IF)
        for namespace, name in names_in[header]:
            found[guard or NAMED_IF.get(name, ""), namespace].add(name)
    for (guard, namespace), names in found.items():  # a name that others have without a condition
        if guard:
            names -= found.get(("", namespace), set())
    return {key: sorted(names) for key, names in sorted(found.items()) if names}


def roots(headers, texts):
    """The headers that no other one includes."""
    included = {name for header in headers for _, name in check_layers.includes_of(texts[header])}
    return [header for header in headers if header not in included]


def guarded(guard, lines):
    return [f"#if {guard}", *lines, "#endif"] if guard else lines


def module_text(root):
    texts = all_headers(root)
    headers = public(texts, root)
    by_guard = collections.defaultdict(list)
    for header in roots(headers, texts):
        by_guard[condition(header, INCLUDED_IF)].append(f'#include "{header}"')
    lines = [line for guard, includes in sorted(by_guard.items()) for line in guarded(guard, includes)]
    lines += ["", "export module anew;"]
    for (guard, namespace), names in names_of(headers, texts).items():
        full = "::".join(["anew"] + [namespace] * bool(namespace))
        lines += ["", *guarded(guard, [f"export namespace {full} {{", *(f"using {full}::{name};" for name in names),
                                       f"}}  // namespace {full}"])]
    return HEAD + "\n".join(lines) + "\n"


def compare(root):
    """What is wrong with the module unit, name by name."""
    path = root / MODULE
    is_there, wanted = path.read_text(encoding="utf-8") if path.exists() else "", module_text(root)
    if is_there == wanted:
        return []
    have, want = is_there.splitlines(), wanted.splitlines()
    exported = re.compile(r"using (\S+);")
    errors = [f"{MODULE} does not export {match.group(1)}" for line in want if line not in have
              for match in [exported.match(line)] if match]
    errors += [f"{MODULE} exports {match.group(1)}, which is no public name" for line in have if line not in want
               for match in [exported.match(line)] if match]
    return errors or [f"{MODULE} is not what check_module.py --write writes"]


def self_test():
    failures = 0
    cases = [("class full {};", "class full {}; namespace deep { int f(); }", "does not export anew::deep::f"),
             ("class full {}; class empty {};", "class full {};", "exports anew::empty, which is no public name"),
             ("class full {};", "class full {}; namespace detail { int f(); }", None),
             ("class full {};", "class full {};\n}\nnamespace other {", None),
             ("class full {};", "class full {}; struct tag;", "does not export anew::tag"),
             ("class full {};", "class full; class not_here; class full {};", None)]
    for before, after, expected in cases:
        with tempfile.TemporaryDirectory() as top:
            root = pathlib.Path(top)
            for folder in ("include/anew/room/internal", "include/anew/bridges/curl", "tests", "docs/packaging"):
                (root / folder).mkdir(parents=True)
            (root / "tests/meson.build").write_text("header_needs = {\n  'anew/bridges/curl': 'curl/curl.h',\n}\n",
                                                    encoding="utf-8")
            for name in ("room/internal/hidden", "bridges/curl/easy"):
                (root / f"include/anew/{name}.hpp").write_text("namespace anew { class not_here {}; }\n",
                                                               encoding="utf-8")

            def write(text, root=root):
                (root / "include/anew/room/full.hpp").write_text(f"namespace anew::inline ANEW_ABI {{\n{text}\n}}\n",
                                                                 encoding="utf-8")

            write(before)
            (root / MODULE).write_text(module_text(root), encoding="utf-8")
            text = (root / MODULE).read_text(encoding="utf-8")
            alone = "not_here" not in text and text.count("#include") == 1 and not compare(root)
            write(after)
            errors = compare(root)
            said = not errors if expected is None else len(errors) == 1 and expected in errors[0]
            if not (alone and said):
                failures += 1
                print(f"self-test: {after} should give {expected!r}, gave {errors}, {text}")
    print(f"{len(cases) - failures} of {len(cases)} as expected")
    return 1 if failures else 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    root = pathlib.Path(sys.argv[-1])
    if sys.argv[1] == "--write":
        (root / MODULE).write_text(module_text(root), encoding="utf-8")
    errors = compare(root)
    for error in errors:
        print("module:", error)
    texts = all_headers(root)
    headers = public(texts, root)
    names = sum(len(names) for names in names_of(headers, texts).values())
    print(f"{names} exported names of {len(headers)} headers, {len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
