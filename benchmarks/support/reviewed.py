# SPDX-License-Identifier: BSL-1.0
"""Figures that are reviewed: a CSV file in the tree, what was found now, and the difference as a message.

    over += reviewed.compare(path, found, made_with, write)

The first line of such a file is a comment that says what made it. Figures of another compiler are not comparable: they
are shown, and fail nothing. `python3 benchmarks/numbers/figures.py BUILD --write` writes all files of this kind.
"""
import csv
import pathlib

REMEDY = "review the change, and write it with --write"


def figures(text):
    """(table, row, column) -> text of the figure. A file has several tables, with an empty line between them."""
    found, head = {}, None
    for row in csv.reader(text.splitlines()):
        if not row:
            head = None
        elif head is None:
            head = row
        else:
            found.update({(head[0], row[0], column): value for column, value in zip(head[1:], row[1:])})
    return found


def is_close(before, after, tolerance):
    try:
        return abs(float(after) - float(before)) <= tolerance * abs(float(before))
    except (TypeError, ValueError):
        return False


def compare(path, found, made_with, write=False, tolerance=0.0):
    """Sentences on what differs by more than `tolerance`, a share; or writes the file. Prints each difference."""
    path = pathlib.Path(path)
    name = "/".join(path.parts[-3:])
    if write:
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"# {made_with}\n{found}", encoding="utf-8")
        return []
    if not path.exists():
        print(f"  there is no {name}")
        return []
    maker, _, text = path.read_text(encoding="utf-8").partition("\n")
    before, after = figures(text), figures(found)
    comparable = maker == f"# {made_with}"
    over = []
    for key in sorted(before.keys() | after.keys()):
        if before.get(key) == after.get(key):
            continue
        sentence = f"{name}: {key[1]}, {key[2]}: {before.get(key, 'nothing')} is now {after.get(key, 'nothing')}"
        if not comparable:
            print(f"  {sentence} (made with {maker[2:]})")
        elif is_close(before.get(key), after.get(key), tolerance):
            print(f"  {sentence} (within {tolerance:.0%})")
        else:
            over.append(f"{sentence}; {REMEDY}")
    return over
