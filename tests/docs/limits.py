# SPDX-License-Identifier: BSL-1.0
"""The numbers in docs/reference/limits.md are those in the code.

A row whose third column is `NAME` in [file](path) gives the value of that constant in its second column. Every other
row says that there is no constant: `none`. check_docs.py calls `check`.
"""
import re

PAGE = "docs/reference/limits.md"
CONSTANT = re.compile(r"^`(\w+)` in \[[^\]]+\]\(([^)]+)\)$")


def check(root):
    """Returns (number of limits that were compared, errors)."""
    page = root / PAGE
    compared, errors = 0, []
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|") or len(cells) != 4 or cells[2] in ("constant", "none", "---"):
            continue
        where = f"{PAGE}:{number}"
        constant = CONSTANT.match(cells[2])
        if not constant:
            errors.append(f"{where}: the third column is neither none nor `NAME` in [file](path)")
            continue
        name, path = constant.groups()
        source = (page.parent / path).resolve()
        text = source.read_text(encoding="utf-8") if source.is_file() else ""
        values = re.findall(rf"\b{name}(?: =|,) ([\d']+)L?\b", text)
        limit = re.match(r"[\d,]+", cells[1])
        if len(values) != 1:
            errors.append(f"{where}: {path} does not give {name} one value")
        elif not limit or int(limit.group().replace(",", "")) != int(values[0].replace("'", "")):
            errors.append(f"{where}: {name} is {values[0]} in {path}, and {cells[1]} here")
        compared += 1
    if compared == 0:
        errors.append(f"{PAGE} names no constant")
    return compared, errors
