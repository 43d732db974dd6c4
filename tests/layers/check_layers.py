#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Compares the include graph of include/anew with tests/layers/layers.json.

    check_layers.py SOURCE_ROOT      check the tree
    check_layers.py --self-test      check this script on small trees with one fault each
"""
import fnmatch
import json
import pathlib
import re
import sys
import tempfile

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)
HERE = pathlib.Path(__file__).resolve().parent


def row_of(name, rows):
    for i, row in enumerate(rows):
        if any(fnmatch.fnmatchcase(name, pattern) for pattern in row["headers"]):
            return i
    return None


def layer_of(name, table):
    i = row_of(name, table["rows"])
    return None if i is None else table["rows"][i]["layer"]


def includes_of(text):
    """Pairs (quote, name); comments do not count."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    return INCLUDE.findall(re.sub(r"//[^\n]*", "", text))


def find_cycle(graph):
    state, path = {}, []

    def visit(node):
        state[node] = 1
        path.append(node)
        for other in graph.get(node, ()):
            if state.get(other) == 1:
                return path[path.index(other):] + [other]
            if other not in state:
                found = visit(other)
                if found:
                    return found
        state[node] = 2
        path.pop()
        return None

    for node in sorted(graph):
        if node not in state:
            found = visit(node)
            if found:
                return found
    return None


def check(include_dir, table):
    include_dir = pathlib.Path(include_dir)
    rows, errors, graph = table["rows"], [], {}
    names = sorted(p.relative_to(include_dir).as_posix() for p in include_dir.rglob("*.hpp"))
    third_party = sorted(table["third_party"].items(), key=lambda item: -len(item[0]))
    for name in names:
        mine, graph[name] = row_of(name, rows), []
        if mine is None:
            errors.append(f"{name} is in no row of layers.json: say where it belongs")
            continue
        for quote, other in includes_of((include_dir / name).read_text(encoding="utf-8")):
            if other.startswith("anew/"):
                if other not in names:
                    errors.append(f"{name} includes {other}, which does not exist")
                    continue
                graph[name].append(other)
                theirs = row_of(other, rows)
                if theirs is not None and theirs > mine:
                    errors.append(f"{name} (layer {rows[mine]['layer']}) includes {other} "
                                  f"(layer {rows[theirs]['layer']}): only earlier rows may be included")
                continue
            if " " in other:
                continue  # a sentence, which ends the compilation
            if quote == '"':
                errors.append(f'{name} includes "{other}": spell it from the top, "anew/..."')
                continue
            allowed = next((patterns for prefix, patterns in third_party if other.startswith(prefix)), None)
            if allowed is not None:
                if not any(fnmatch.fnmatchcase(name, pattern) for pattern in allowed):
                    errors.append(f"{name} includes <{other}>: only {', '.join(allowed)} may")
            elif "/" in other and not other.startswith("sys/"):
                errors.append(f"{name} includes <{other}>: a third party that layers.json does not know")
            elif rows[mine]["layer"] <= table["kept_out"]["through_layer"] and other in table["kept_out"]["headers"]:
                errors.append(f"{name} (layer {rows[mine]['layer']}) includes <{other}>: too heavy for this layer")
    cycle = find_cycle(graph)
    if cycle:
        errors.append("headers include each other in a circle: " + " -> ".join(cycle))

    def reached_from(mark):
        root = next((n for row in rows if row.get(mark) for n in row["headers"]), None)
        seen, todo = set(), [root] if root in graph else []
        while todo:
            node = todo.pop()
            if node not in seen:
                seen.add(node)
                todo += graph.get(node, [])
        return root, seen

    umbrella, core = reached_from("umbrella")
    catalogue, every = reached_from("catalogue")
    if core:
        for name in names:
            layer = layer_of(name, table)
            if layer is None:
                continue
            if layer <= 4 and name not in core | every:
                errors.append(f"neither {umbrella} nor {catalogue} reaches {name} of layer {layer}")
            if layer > 4 and name in core:
                errors.append(f"{umbrella} reaches {name}, which is opt-in")
    return names, errors


def self_test():
    table = json.loads((HERE / "layers.json").read_text(encoding="utf-8"))
    good = {"anew/config.hpp": "#include <type_traits>\n", "anew/concept/backoff.hpp": '#include "anew/config.hpp"\n',
            "anew/strategy.hpp": '#include "anew/concept/backoff.hpp"\n',
            "anew/anew.hpp": '#include "anew/strategy.hpp"\n'}
    faults = [
        ({}, None),
        ({"anew/config.hpp": '// #include "anew/strategy.hpp"\n'}, None),
        ({"anew/config.hpp": '#include "anew/concept/backoff.hpp"\n'}, "only earlier rows"),
        ({"anew/config.hpp": '# include <anew/strategy.hpp>\n'}, "only earlier rows"),
        ({"anew/config.hpp": "#include <boost/hana.hpp>\n"}, "only anew/detail/normalize.hpp may"),
        ({"anew/config.hpp": "#include <boost/asio.hpp>\n"}, "only anew/asio.hpp"),
        ({"anew/config.hpp": "#include <fmt/format.h>\n"}, "does not know"),
        ({"anew/config.hpp": "#include <random>\n"}, "too heavy"),
        ({"anew/config.hpp": '#include "roles.hpp"\n'}, "spell it from the top"),
        ({"anew/config.hpp": '#include "anew/gone.hpp"\n'}, "does not exist"),
        ({"anew/new_room/thing.hpp": ""}, "is in no row"),
        ({"anew/backoff/linear.hpp": ""}, "reaches anew/backoff/linear.hpp"),
        ({"anew/backoff/linear.hpp": "", "anew/policies.hpp": '#include "anew/backoff/linear.hpp"\n'}, None),
        ({"anew/asio.hpp": "", "anew/anew.hpp": '#include "anew/strategy.hpp"\n#include "anew/asio.hpp"\n'}, "opt-in"),
        ({"anew/roles.hpp": '#include "anew/config.hpp"\n', "anew/config.hpp": '#include "anew/roles.hpp"\n'},
         "circle"),
    ]
    failures = 0
    for change, expected in faults:
        with tempfile.TemporaryDirectory() as top:
            for name, text in {**good, **change}.items():
                path = pathlib.Path(top) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            errors = check(top, table)[1]
        right = not errors if expected is None else any(expected in e for e in errors)
        if not right:
            failures += 1
            print(f"self-test: {change} should give {expected!r}, gave {errors}")
    print(f"{len(faults) - failures} of {len(faults)} faults seen")
    return 1 if failures else 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    root = pathlib.Path(sys.argv[1])
    names, errors = check(root / "include", json.loads((HERE / "layers.json").read_text(encoding="utf-8")))
    for error in errors:
        print("layers:", error)
    print(f"{len(names)} headers, {len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
