# SPDX-License-Identifier: BSL-1.0
"""The public functions and concepts, each with its forms, as the comments of the headers describe them.

docs/site makes a page of each. check_docs.py calls `check`: each function and each concept that the module exports, or
that a header has which the module leaves out, has a comment, or a reason in LEFT_OUT.
"""
import pathlib
import re
import sys

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / name) for name in ("layers", "packaging")]
import check_module  # noqa: E402  pylint: disable=wrong-import-position
import check_names  # noqa: E402  pylint: disable=wrong-import-position

# (namespace, name, or * for all of it): why it has no page
LEFT_OUT = {
    ("testing", "TYPED_TEST_SUITE_P"): "a macro of GoogleTest",
    ("testing", "TYPED_TEST_P"): "a macro of GoogleTest",
    ("testing", "REGISTER_TYPED_TEST_SUITE_P"): "a macro of GoogleTest",
    ("testing", "GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST"): "a macro of GoogleTest",
    ("testing::laws", "*"): "the suites of docs/how_to/test_your_own_policy.md run them",
    ("words", "*"): "parts of the vocabularies, which docs/reference/notation.md lists",
}
# An overload that refuses a wrong call with a message.
EXPLAINS = re.compile(r"\b[Ee]xplains? (?:that|a|calls|why)\b|^Picks from an overload set")
SPECIFIER = re.compile(r"\bANEW_(?:INLINE|COLD|OUT_OF_LINE)\s+|\binline\s+(?=[\w\[])")  # only the compiler needs it


def without_requirements(code):
    """Blanks the braces of requires expressions, which are no body; the length stays."""
    at = 0
    while found := re.compile(r"\brequires\b\s*").search(code, at):
        at = end = found.end()
        for opening, closing in ("()", "{}"):
            if code[end:end + 1] == opening:
                begin, depth = end, 0
                while end < len(code) and (depth or end == begin):
                    depth += (code[end] == opening) - (code[end] == closing)
                    end += 1
                while code[end:end + 1].isspace():
                    end += 1
                if opening == "{":
                    code = f"{code[:begin]}{' ' * (end - begin)}{code[end:]}"
    return code


def declarations(text):
    """(namespace, line from 1, comment, text) of each declaration at namespace scope, and None at an empty line. The
    sources are formatted: these declarations begin in the first column, and their namespaces have a line each."""
    scopes, comment, lines, i = [], [], text.splitlines(), 0
    while i < len(lines):
        line = lines[i]
        space = re.match(r"namespace (.*) \{$", line)
        if line.startswith("///"):
            comment.append(line[3:].removeprefix(" "))
        elif space:
            scopes.append([part for part in re.sub(r"inline ANEW_ABI", "", space[1]).split("::") if part])
            comment = []
        elif line.startswith("}  // namespace"):
            scopes.pop()
        elif not line.strip():
            comment = []
            yield None
        elif re.match(r"[A-Za-z\[]", line):
            begin, depth = i, 0
            while True:
                code = check_names.code_of(lines[i]).rstrip()
                depth += sum((c in "({") - (c in ")}") for c in code)
                if depth == 0 and (code.endswith(";") or code.endswith("}") and without_requirements(
                        check_names.code_of("\n".join(lines[begin:i + 1]))).rstrip().endswith("}")):
                    break
                i += 1
            path = [part for scope in scopes for part in scope]
            yield "::".join(path[1:]), begin + 1, comment, "\n".join(lines[begin:i + 1])
            comment = []
        i += 1


def signature_of(kind, text):
    """A declaration without its body, and without what only the compiler needs."""
    if kind == "function":
        code, depth = without_requirements(re.sub(r"//[^\n]*|\"[^\"\n]*\"", lambda m: " " * len(m.group()), text)), 0
        end = None
        for i, c in enumerate(code):
            if depth == 0 and c in "{;":
                end = i
                break
            depth += (c in "({") - (c in ")}")
        text = text[:end].rstrip() + ";"
    return SPECIFIER.sub("", text)


def is_guide(text, name):
    return re.search(rf"->\s*(?:[\w:]*::)?{name}\b", check_names.code_of(text)) is not None


def entries(root):
    """[{kind, namespace, name, forms: [{header, line, comment, signatures}]}]: forms that share a comment are one."""
    found = {}
    for path in sorted((root / "include/anew").rglob("*.hpp")):
        header = path.relative_to(root / "include").as_posix()
        if "internal" in path.parts:
            continue
        before = None
        for declaration in declarations(path.read_text(encoding="utf-8")):
            if declaration is None:
                before = None
                continue
            space, line, comment, text = declaration
            code = without_requirements(check_names.code_of(text))
            what = check_names.declared(check_names.TOKEN.findall(code))
            if not what or what[0] not in ("function", "concept") or set(space.split("::")) & check_names.HIDDEN \
                    or reason_of(space, what[1]) or is_guide(text, what[1]):
                before = None
                continue
            kind, name = what
            is_refusal = "= delete" in code or "explain_" in code and not comment or EXPLAINS.search(" ".join(comment))
            if kind == "function" and is_refusal:
                continue
            form = {"line": line, "text": signature_of(kind, text)}
            entry = found.setdefault((space, name), {"kind": kind, "namespace": space, "name": name, "forms": []})
            if not comment and before == (space, name):
                entry["forms"][-1]["signatures"].append(form)
            else:
                entry["forms"].append({"header": header, "line": line, "comment": "\n".join(comment),
                                       "signatures": [form]})
            before = (space, name)
    for entry in found.values():  # what every program can use comes before what needs another library
        entry["forms"].sort(key=lambda form: (form["header"].startswith("anew/bridges"), form["header"].count("/"),
                                              not form["comment"]))
    return [found[key] for key in sorted(found)]


def reason_of(space, name):
    return LEFT_OUT.get((space, name)) or LEFT_OUT.get((space, "*"))


def exported(root):
    """{(namespace, name)} of the functions and the concepts of all public headers."""
    found, others = set(), set()
    for header, text in check_module.all_headers(root).items():
        if "internal" not in header.split("/"):
            for space, kind, name in check_names.names_in(text):
                (found if kind in ("function", "concept") else others).add((space, name))
    return found - others


def check(root):
    """(how many have an entry, errors)."""
    made = {(entry["namespace"], entry["name"]): entry for entry in entries(root)}
    errors = [f"tests/docs/lookup.py: {space}::{name} has no entry, and no reason in LEFT_OUT"
              for space, name in sorted(exported(root)) if (space, name) not in made and not reason_of(space, name)]
    for (space, name), entry in made.items():
        if not any(form["comment"] for form in entry["forms"]):
            form = entry["forms"][0]
            errors.append(f"include/{form['header']}:{form['line']}: {space}::{name} has no comment")
    return len(made), errors


if __name__ == "__main__":
    ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
    for one in entries(ROOT):
        for each in one["forms"]:
            print(f"## {one['namespace']}::{one['name']} {each['header']}:{each['line']}")
            print(*[signature["text"] for signature in each["signatures"]], sep="\n")
            print(each["comment"], end="\n\n")
    print(*check(ROOT), sep="\n")
