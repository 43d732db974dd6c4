# SPDX-License-Identifier: BSL-1.0
"""The table of all policies, docs/reference/policies.md, made of the comments above them.

Every class of namespace anew with `using role = roles::...` is a policy. Its comment begins with a sentence, and has

    Models: what it models      Formula: one line, or none      Requires: of what it is given, or nothing
    Cost: of using it           Source: where it comes from, or none

each at the beginning of a line, or behind two blanks. `Requires` may be left out where there is nothing to give.
check_docs.py calls `render`, compares, and with --write writes.
"""
import pathlib
import re

PAGE = "docs/reference/policies.md"
LABELS = ("Models", "Formula", "Requires", "Cost", "Source")
LABEL = re.compile(r"(?:^|\s{2,})(Models:|Formula:|Requires:|Cost:|Source:|Example:|Metastable above:|"
                   r"Choose\b)\s*")
ROLE = re.compile(r"\busing\s+role\s*=\s*([^;]+);")
UNITS = {"nanoseconds": "ns", "microseconds": "us", "milliseconds": "ms", "seconds": "s", "minutes": "min",
         "hours": "h"}
LEFT_OUT = ("anew/testing/", "anew/testing.hpp", "anew/roles/roles.hpp")
INTRODUCTION = """# The policies

One table for each role; a strategy has at most one policy of a role, and where none is named the one that is marked
*default*. Where a header is named, include it: it is not part of [anew/anew.hpp](../../include/anew/anew.hpp).
Each policy's header explains when to use it and when not to.

<!-- Made of the headers by tests/docs/check_docs.py --write; do not edit. -->
"""


def blanked(text):
    """Without comments, literals and directives, of the same length."""
    return re.sub(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|(?<!\w)'(?:\\.|[^'\\\n])'|(?m:^[ \t]*#[^\n]*)",
                  lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S)


def scopes_at(code, position):
    """The heads of the braces around a position, the outermost first, each with its begin."""
    stack, start = [], 0
    for i, c in enumerate(code[:position]):
        if c == "{":
            stack.append((code[start:i], start))
            start = i + 1
        elif c == "}":
            _, begin = stack.pop()
            start = begin if re.match(r"\s*[,>)]", code[i + 1:]) else i + 1  # a value in a list of parameters
        elif c == ";":
            start = i + 1
    return stack


def split_head(head):
    """(what stands between template's brackets, what stands behind them)."""
    begin = re.search(r"\btemplate\s*<", head)
    depth = 0
    for i in range(begin.end() - 1 if begin else len(head), len(head)):
        depth += (head[i] == "<") - (head[i] == ">" and head[i - 1] != "-")
        if depth == 0:
            inside = re.sub(r"std::chrono::(\w+)\{(\d+)\}", lambda m: m.group(2) + UNITS.get(m.group(1), m.group(1)),
                            head[begin.end():i])
            return " ".join(inside.split()), head[i + 1:]
    return "", head


def comment_above(lines, number):
    """The `///` lines right above line `number`, counted from 0."""
    found = []
    while number > 0 and lines[number - 1].startswith("///"):
        number -= 1
        found.insert(0, lines[number][3:].removeprefix(" "))
    return found


def read_comment(comment):
    """(first sentence, {label: text})."""
    labels, current, first = {}, None, []
    for line in comment:
        spans = list(LABEL.finditer(line))
        if not line.strip():
            current = None
        before = line[:spans[0].start()] if spans else line
        if current and before.strip():
            labels[current].append(before.strip())
        for span, after in zip(spans, spans[1:] + [None]):
            current = span.group(1).rstrip(":")
            labels.setdefault(current, []).append(line[span.end():after.start() if after else None].strip())
    for line in comment:
        if not line.strip() or LABEL.search(line):
            break
        first.append(line.strip())
    sentence = re.match(r"(.*?\.)(?=\s|$)", " ".join(first)) or re.match(r"(.*)", " ".join(first))
    return sentence.group(1).rstrip(":"), {label: " ".join(" ".join(text).split()) for label, text in labels.items()}


def declared_parameters(root):
    """Of the names that are declared before their definitions: there are their default arguments."""
    text = (root / "include/anew/roles/internal/catalogue.hpp").read_text(encoding="utf-8")
    heads = re.findall(r"^(template <[^;]*?>\n(?:class|struct) \w+;)", text, re.MULTILINE)
    return {re.search(r"(\w+);$", head).group(1): split_head(head)[0] for head in heads}


def policies_in(root, path):
    """Yields (policy, errors) for every policy of a header."""
    header = path.relative_to(root / "include").as_posix()
    text = path.read_text(encoding="utf-8")
    code, lines = blanked(text), text.splitlines()
    for match in ROLE.finditer(code):
        scopes = scopes_at(code, match.start())
        heads = [head for head, _ in scopes]
        spaces = " ".join(re.findall(r"\bnamespace\s+([\w:]+)", " ".join(heads).replace("inline ANEW_ABI", "")))
        classes = [head for head in heads if "namespace" not in head]
        if not classes or len(classes) > 1 or {"detail", "sharing"} & set(
                spaces.replace("::", " ").split()):
            continue  # inside another class, or a base of others: a part of it, such as a handle
        parameters, rest = split_head(classes[0])
        name = re.search(r"\b(?:class|struct)\s+(\w+)\s*(<)?", rest)
        if not name or name.group(2):
            continue  # a specialisation: described where the template is
        parameters = declared_parameters(root).get(name.group(1), parameters)
        begin = scopes[-1][1]
        begin += len(code[begin:match.start()]) - len(code[begin:match.start()].lstrip())
        sentence, labels = read_comment(comment_above(lines, text.count("\n", 0, begin)))
        role = re.search(r"\broles::(\w+)", match.group(1))
        policy = {"name": name.group(1), "role": role.group(1) if role else "", "header": header,
                  "parameters": parameters, "sentence": sentence, "labels": labels}
        needed = [label for label in LABELS if label != "Requires" or policy["parameters"]]
        errors = [f"include/{header}: {policy['name']} has no '{label}:' in its comment"
                  for label in needed if not labels.get(label)]
        if not sentence:
            errors.append(f"include/{header}: {policy['name']} has no comment that begins with a sentence")
        yield policy, errors


def cell(text, code=False):
    text = text.strip().replace("|", "\\|")
    if code and "`" not in text:
        return f"`{text}`" if text else ""
    # Stars and angle brackets outside of code would be read as Markdown.
    return "".join(part if i % 2 else re.sub(r"([*<])", r"\\\1", part)
                   for i, part in enumerate(re.split(r"(`[^`]*`)", text)))


def roles_of(root):
    """[(role, what it is)]: first those of anew/roles/roles.hpp, then those that a folder of their own declares."""
    first = root / "include/anew/roles/roles.hpp"
    texts = [path.read_text(encoding="utf-8") for path in
             [first] + sorted(p for p in (root / "include/anew").glob("*/*.hpp") if p != first)]
    return [found for text in texts for declared in re.findall(r"ANEW_ABI::roles \{(.*?)^\}", text, re.M | re.S)
            for found in re.findall(r"^struct (\w+);\s*///<\s*(.*)$", declared, re.M)]


def defaults_of(root):
    text = (root / "include/anew/strategy/role_table.hpp").read_text(encoding="utf-8")
    return dict(re.findall(r"entry<roles::(\w+), (\w+(?:<[^<>]*>)?)>", text))


def row_of(policy, default, umbrella):
    labels = policy["labels"]
    name = f"[`{policy['name']}`](../../include/{policy['header']})"
    if default.split("<")[0] == policy["name"]:
        name += f" *default*: `{default}`"
    if policy["header"] not in umbrella:
        name += f"<br>`{policy['header']}`"
    requires = labels.get("Requires", "").rstrip(".")
    parameters = cell(policy["parameters"], code=True)
    if requires and requires.lower() not in ("nothing", "none"):
        parameters += ("; " if parameters else "") + "requires " + cell(requires)
    does = cell(policy["sentence"])
    formula = labels.get("Formula", "").rstrip(".")
    if formula.lower() != "none" and formula.replace("`", "") not in policy["sentence"]:
        does += "<br>" + cell(formula, code=True)
    source = labels.get("Source", "").rstrip(".")
    return (f"| {name} | {parameters or 'none'} | {does} | {cell(labels.get('Cost', '').rstrip('.'))} | "
            f"{cell(source)} |")


def reachable(root, header, seen=None):
    """What including a header brings."""
    seen = set() if seen is None else seen
    path = root / "include" / header
    if header not in seen and path.is_file():
        seen.add(header)
        for name in re.findall(r'^\s*#include "(anew/[^"]+)"', path.read_text(encoding="utf-8"), re.M):
            reachable(root, name, seen)
    return seen


def render(root):
    """(the page, how many policies, errors)."""
    policies, errors = [], []
    for path in sorted((root / "include/anew").rglob("*.hpp")):
        if not path.relative_to(root / "include").as_posix().startswith(LEFT_OUT):
            for policy, found in policies_in(root, path):
                policies.append(policy)
                errors += found
    umbrella, defaults, known = reachable(root, "anew/anew.hpp"), defaults_of(root), []
    out = [INTRODUCTION]
    for role, meaning in [*roles_of(root), ("", "the role of what they are made of")]:
        known.append(role)
        rows = [row_of(policy, defaults.get(role, ""), umbrella)
                for policy in sorted(policies, key=lambda p: p["name"]) if policy["role"] == role]
        if rows:
            out.append(f"## {role or 'Any role'}\n\n{meaning[0].upper()}{meaning[1:]}.\n")
            out.append("| policy | parameters | what it does | cost | source |\n|---|---|---|---|---|")
            out.append("\n".join(rows) + "\n")
    errors += [f"include/{p['header']}: {p['name']} plays a role that no header declares"
               for p in policies if p["role"] not in known]
    return "\n".join(out), len(policies), errors


if __name__ == "__main__":
    ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
    print(*render(ROOT)[::2], sep="\n")
