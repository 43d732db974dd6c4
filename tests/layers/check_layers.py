#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Compares the include graph of include/anew with tests/layers/layers.json.

    check_layers.py SOURCE_ROOT              check the tree
    check_layers.py --write SOURCE_ROOT      write docs/reference/headers.md, the map of the rooms, and the includes of
                                             the umbrella of the catalogue
    check_layers.py --self-test              check this script on small trees with one fault each
    check_layers.py --rooms SOURCE_ROOT      print each room, its size, and the rooms that it includes
"""
import collections
import fnmatch
import json
import pathlib
import re
import sys
import tempfile

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)
HERE = pathlib.Path(__file__).resolve().parent
OF_POLICIES, OF_DRIVERS, OPT_IN = 2, 4, 5


def parts_of(name):
    return pathlib.PurePosixPath(name).relative_to("anew").parts


def is_umbrella(name, table):
    stem = "/".join(parts_of(name)).removesuffix(".hpp")
    umbrellas = table["umbrellas"]
    return name in (umbrellas["core"], umbrellas["catalogue"]) or stem in umbrellas["others"] + umbrellas["in_rooms"]


def row_of(name, table):
    """The index of the row of its folder or of one above; umbrellas at the top come after all. None without a row."""
    rows, parts = table["rows"], parts_of(name)
    if len(parts) == 1:
        return len(rows) if is_umbrella(name, table) else None
    index = {row["room"]: i for i, row in enumerate(rows)}
    folders = ["/".join(parts[:length]) for length in range(len(parts) - 1, 0, -1)]
    return next((index[folder] for folder in folders if folder in index), None)


def layer_of(name, table):
    row = row_of(name, table)
    if row is None:
        return None
    if row == len(table["rows"]):
        return 4 if name == table["umbrellas"]["core"] else OPT_IN
    opt_in = table["rows"][row].get("opt_in", ())
    return OPT_IN if pathlib.PurePosixPath(name).stem in opt_in else table["rows"][row]["layer"]


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


def check_table(names, table):
    """The table names only what exists, and each room once."""
    errors, rooms = [], [row["room"] for row in table["rows"]]
    folders = {folder for name in names for folder in parts_of(name)[:-1]}
    stems = collections.defaultdict(set)
    for name in names:
        row, parts = row_of(name, table), parts_of(name)
        room = "" if len(parts) == 1 else rooms[row] if row is not None else parts[0]
        stems[room].add("/".join(parts).removesuffix(".hpp"))
    for room, count in collections.Counter(rooms).items():
        if count > 1:
            errors.append(f"layers.json has {count} rows for the room {room}")
        if room not in stems:
            errors.append(f"layers.json names the room {room}, which does not exist")
    for row in table["rows"]:
        for stem in row.get("opt_in", ()):
            if not any(pathlib.PurePosixPath(name).name == stem for name in stems[row["room"]]):
                errors.append(f"layers.json names {row['room']}/**/{stem}.hpp, which does not exist")
    umbrellas = table["umbrellas"]
    for stem in umbrellas["others"]:
        if stem not in stems[""]:
            errors.append(f"layers.json names the umbrella anew/{stem}.hpp, which does not exist")
        if stem not in folders and stem not in umbrellas["of_one_header"]:
            errors.append(f"the umbrella anew/{stem}.hpp has no folder of its name")
    for stem in umbrellas["in_rooms"]:
        if stem not in set().union(*stems.values()):
            errors.append(f"layers.json names the umbrella anew/{stem}.hpp, which does not exist")
    count = len({room.split("/")[0] for room in rooms})
    if count > table["most_rooms"]:
        errors.append(f"{count} rooms, at most {table['most_rooms']}")
    for prefix, patterns in table["third_party"].items():
        for pattern in patterns:
            if not any(fnmatch.fnmatchcase(name, pattern) for name in names):
                errors.append(f"layers.json lets {pattern} include <{prefix}...>, and there is no such header")
    return errors


def check(include_dir, table, whole=True):
    include_dir = pathlib.Path(include_dir)
    rows, errors, graph = table["rows"], [], {}
    names = sorted(p.relative_to(include_dir).as_posix() for p in include_dir.rglob("*.hpp"))
    if whole:
        errors += check_table(names, table)
    third_party = sorted(table["third_party"].items(), key=lambda item: -len(item[0]))
    for name in names:
        mine, graph[name] = row_of(name, table), []
        if mine is None:
            errors.append(f"{name} is in no row of layers.json: say where it belongs")
            continue
        layer = layer_of(name, table)
        for quote, other in includes_of((include_dir / name).read_text(encoding="utf-8")):
            if other.startswith("anew/"):
                if other not in names:
                    errors.append(f"{name} includes {other}, which does not exist")
                    continue
                graph[name].append(other)
                theirs = row_of(other, table)
                if is_umbrella(other, table) and not is_umbrella(name, table):
                    errors.append(f"{name} includes the umbrella {other}: include the headers that you mean")
                elif theirs is not None and theirs > mine:
                    errors.append(f"{name} includes {other} (room {rows[theirs]['room']}): only earlier rows may be "
                                  f"included")
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
            elif layer <= table["kept_out"]["through_layer"] and other in table["kept_out"]["headers"]:
                errors.append(f"{name} (layer {layer}) includes <{other}>: too heavy for this layer")
    cycle = find_cycle(graph)
    if cycle:
        errors.append("headers include each other in a circle: " + " -> ".join(cycle))

    def reached_from(root):
        seen, todo = set(), [root] if root in graph else []
        while todo:
            node = todo.pop()
            if node not in seen:
                seen.add(node)
                todo += graph.get(node, [])
        return seen

    umbrella, catalogue = table["umbrellas"]["core"], table["umbrellas"]["catalogue"]
    core, every = reached_from(umbrella), reached_from(catalogue)
    if core:
        for name in names:
            layer = layer_of(name, table)
            if layer is None:
                continue
            if layer < OF_DRIVERS and name not in core | every:
                errors.append(f"neither {umbrella} nor {catalogue} reaches {name} of layer {layer}")
            if layer == OPT_IN and name in core and not is_umbrella(name, table):
                errors.append(f"{umbrella} reaches {name}, which is opt-in")
    return names, errors


def print_rooms(root, table):
    include_dir, arrows = root / "include", 0
    rooms = {row["room"]: {"headers": 0, "lines": 0, "to": collections.Counter()} for row in table["rows"]}
    for path in sorted(include_dir.rglob("*.hpp")):
        name = path.relative_to(include_dir).as_posix()
        if len(parts_of(name)) == 1:
            continue
        mine = table["rows"][row_of(name, table)]["room"]
        text, room = path.read_text(encoding="utf-8"), rooms[mine]
        room["headers"] += 1
        room["lines"] += text.count("\n")
        for _, other in includes_of(text):
            theirs = table["rows"][row_of(other, table)]["room"] if other.startswith("anew/") else mine
            if theirs != mine:
                room["to"][theirs] += 1
    for name, room in rooms.items():
        arrows += len(room["to"])
        print(f"{name:22} {room['headers']:3} headers {room['lines']:5} lines -> {' '.join(room['to'])}")
    print(f"{len(rooms)} rooms, {arrows} arrows")


def page_of(root, table):
    """docs/reference/headers.md: the umbrellas, and a line for each room."""
    def link(path):
        return f"[`{path}`](../../include/{path})"

    umbrellas = table["umbrellas"]
    names = [umbrellas["core"], umbrellas["catalogue"]]
    names += [f"anew/{stem}.hpp" for stem in sorted(umbrellas["others"] + umbrellas["in_rooms"])]
    rows = table["rows"]
    lines = [(HERE / "headers_top.txt").read_text(encoding="utf-8")]
    for name in names:
        about = re.search(r"((?:^///.*\n)+)", (root / "include" / name).read_text(encoding="utf-8"), re.M)
        if about is None:
            raise SystemExit(f"include/{name} says in no comment what it is")
        text = " ".join(line[3:].strip() for line in about[1].splitlines())
        lines.append(f"* {link(name)}: {re.split(r'(?<=[.]) ', text)[0].rstrip('.')}\n")
    lines.append("\n## Rooms\n\n<!-- rooms -->\n\n| room | what lies there |\n|---|---|\n")
    lines += [f"| {link('anew/' + row['room'] + '/')} | {row['what']} |\n" for row in rows]
    return "".join(lines)


def catalogue_of(root, table):
    """The umbrella of the catalogue: the core, all other public headers of policies, and what the table adds."""
    include_dir, umbrellas = root / "include", table["umbrellas"]
    texts = {path.relative_to(include_dir).as_posix(): path.read_text(encoding="utf-8")
             for path in include_dir.rglob("*.hpp")}
    core, todo = set(), [umbrellas["core"]]
    while todo:
        name = todo.pop()
        if name not in core:
            core.add(name)
            todo += [other for _, other in includes_of(texts.get(name, "")) if other.startswith("anew/")]
    wanted = {name for name in texts if name not in core and "internal" not in parts_of(name)
              and layer_of(name, table) == OF_POLICIES} | set(umbrellas["catalogue_too"])
    lines = [f'#include "{name}"\n' for name in [umbrellas["core"], *sorted(wanted)]]
    return re.sub(r'(?:#include "anew/.*"\n)+', lambda _: "".join(lines), texts[umbrellas["catalogue"]])


def self_test():
    table = json.loads((HERE / "layers.json").read_text(encoding="utf-8"))
    good = {"anew/base/platform/compiler.hpp": "#include <type_traits>\n",
            "anew/roles/backoff.hpp": '#include "anew/base/platform/compiler.hpp"\n',
            "anew/strategy/strategy.hpp": '#include "anew/roles/backoff.hpp"\n',
            "anew/anew.hpp": '#include "anew/strategy/strategy.hpp"\n'}
    faults = [
        ({}, None),
        ({"anew/base/platform/compiler.hpp": '// #include "anew/strategy/strategy.hpp"\n'}, None),
        ({"anew/base/platform/compiler.hpp": '#include "anew/roles/backoff.hpp"\n'}, "only earlier rows"),
        ({"anew/base/platform/compiler.hpp": '# include <anew/strategy/strategy.hpp>\n'}, "only earlier rows"),
        ({"anew/base/platform/compiler.hpp": "#include <boost/hana.hpp>\n"},
         "only anew/strategy/role_table.hpp"),
        ({"anew/base/platform/compiler.hpp": "#include <boost/asio.hpp>\n"}, "only anew/bridges/asio/*.hpp"),
        ({"anew/base/platform/compiler.hpp": "#include <fmt/format.h>\n"}, "does not know"),
        ({"anew/base/platform/compiler.hpp": "#include <random>\n"}, "too heavy"),
        ({"anew/base/platform/compiler.hpp": '#include "roles.hpp"\n'}, "spell it from the top"),
        ({"anew/base/platform/compiler.hpp": '#include "anew/gone.hpp"\n'}, "does not exist"),
        ({"anew/new_room/thing.hpp": ""}, "is in no row"),
        ({"anew/loose.hpp": ""}, "is in no row"),
        ({"anew/policies/backoff/linear.hpp": ""}, "reaches anew/policies/backoff/linear.hpp"),
        ({"anew/policies/backoff/linear.hpp": "",
          "anew/policies.hpp": '#include "anew/policies/backoff/linear.hpp"\n'}, None),
        ({"anew/bridges/asio/async_retry.hpp": "",
          "anew/anew.hpp": '#include "anew/strategy/strategy.hpp"\n#include "anew/bridges/asio/async_retry.hpp"\n'},
         "opt-in"),
        ({"anew/drivers/retry.hpp": '#include "anew/anew.hpp"\n'}, "includes the umbrella anew/anew.hpp"),
        ({"anew/roles/roles.hpp": '#include "anew/roles/backoff.hpp"\n',
          "anew/roles/backoff.hpp": '#include "anew/roles/roles.hpp"\n'}, "circle"),
    ]
    failures = 0
    for change, expected in faults:
        with tempfile.TemporaryDirectory() as top:
            for name, text in {**good, **change}.items():
                path = pathlib.Path(top) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            errors = check(top, table, whole=False)[1]
        right = not errors if expected is None else any(expected in e for e in errors)
        if not right:
            failures += 1
            print(f"self-test: {change} should give {expected!r}, gave {errors}")
    small = {**table, "rows": [{"room": "base/platform", "layer": 0}], "third_party": {},
             "umbrellas": {"core": "anew/anew.hpp", "catalogue": "anew/policies.hpp", "others": [], "of_one_header": [],
                           "in_rooms": []}}
    of_tables = [
        ({}, None),
        ({"rows": small["rows"] + [{"room": "attic", "layer": 5}]}, "the room attic, which does not exist"),
        ({"rows": small["rows"] * 2}, "2 rows for the room base/platform"),
        ({"rows": [{"room": "base/platform", "layer": 0, "opt_in": ["ghost"]}]}, "ghost.hpp, which does not exist"),
        ({"umbrellas": {**small["umbrellas"], "others": ["ghost"]}}, "the umbrella anew/ghost.hpp, which does not"),
        ({"umbrellas": {**small["umbrellas"], "in_rooms": ["base/ghost"]}}, "anew/base/ghost.hpp, which does"),
        ({"third_party": {"fmt/": ["anew/ghost/*.hpp"]}}, "no such header"),
        ({"most_rooms": 0}, "1 rooms, at most 0"),
    ]
    for change, expected in of_tables:
        errors = check_table(["anew/anew.hpp", "anew/base/platform/compiler.hpp"], {**small, **change})
        right = not errors if expected is None else any(expected in e for e in errors)
        if not right:
            failures += 1
            print(f"self-test: a table with {change} should give {expected!r}, gave {errors}")
    count = len(faults) + len(of_tables)
    print(f"{count - failures} of {count} faults seen")
    return 1 if failures else 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    table = json.loads((HERE / "layers.json").read_text(encoding="utf-8"))
    root = pathlib.Path(sys.argv[-1])
    if sys.argv[1] == "--rooms":
        print_rooms(root, table)
        return 0
    errors = []
    for name, made in (("docs/reference/headers.md", page_of),
                       (f"include/{table['umbrellas']['catalogue']}", catalogue_of)):
        path, text = root / name, made(root, table)
        if sys.argv[1] == "--write":
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            errors.append(f"{name} differs from layers.json and the headers: check_layers.py --write .")
    names, found = check(root / "include", table)
    errors += found
    for error in errors:
        print("layers:", error)
    print(f"{len(names)} headers, {len(table['rows'])} rooms, {len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
