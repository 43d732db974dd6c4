#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Compiles a chapter of mistakes (tests/support/mistakes.py), and reads what the compiler says of each.

    reject.py [--wrong | --right] COMPILE_COMMANDS SOURCE

All wrong faces of the chapter, SOURCE with -DANEW_REJECT, are compiled in one run. Each mistake must be refused with
exactly one error that names its lines, in at most 24 lines of diagnostics, 28 in the words of a compiler, without a
word about the metaprogramming library. The right faces, SOURCE as it stands, must compile without a diagnostic. --wrong
and --right ask for the one alone. A template says once what is wrong with its arguments, so no two mistakes of a
chapter may share a wrong specialisation: the second has no error, and fails.
Prints TAP, a test for each mistake. In a chapter or a mistake:

    // expect-error: TEXT      the diagnostics contain TEXT, which is anew's; every one is checked
    // g++: TEXT               the same in g++'s words, because the language leaves us none
    // clang: TEXT             the same in clang's
    // beyond: g++ N, why      on this compiler it is at most N errors, and nothing that a library does changes that
    // options: FLAGS          the chapter is compiled with these as well
    // precompiled: no, why    it is compiled without the precompiled header of its library
"""
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import compile_command  # noqa: E402
import mistakes  # noqa: E402

MOST_LINES = 24
MOST_OF_A_COMPILER = 28  # in its own words, which list each constructor that it tried
INTERNALS = ("boost", "hana")
ALL_ERRORS = ["-fmax-errors=0", "-ferror-limit=0"]  # g++'s, clang's
# The head of a diagnostic, and what compilers say before one of where it is. All else is a quoted line.
HEAD = re.compile(r"^[^\s|][^|]*?: (?:fatal )?(error|warning|note): ")
CHAIN = re.compile(r"^In file included from |^ +from \S+:\d")
BEFORE = re.compile(CHAIN.pattern + r"|^\S+: (?:In|At) .*[:,]$|^\S+:\s+\[ skipping "
                    r"|^\S+:\d+:\d+:\s+(?:(?:recursively )?required |in '?constexpr)")
SUMMARY = re.compile(r"\d+ (?:error|warning)s?\b.* generated\.$|\S+: all warnings being treated as errors")


def items(lines):
    """(error, warning or note; its lines). What leads to a diagnostic stands before it."""
    found, kind, own = [], None, []
    for line in lines:
        head = HEAD.match(line)
        if kind and (head or BEFORE.match(line)):
            found.append((kind, own))
            kind, own = None, []
        own.append(line)
        kind = head[1] if head else kind
    return found + [(kind or "note", own)] * bool(own)


def blocks(lines):
    """The lines of each error or warning, with the notes after it, and with the chain of includes that compilers print
    once for diagnostics that follow each other in one header."""
    found, chains = [], {}
    for kind, own in items(lines):
        chain = [line for line in own if CHAIN.match(line)]
        place = next((line.split(":")[0] for line in own if not CHAIN.match(line)), "")
        if chain:
            chains[place] = chain
        if kind == "note" and found:
            found[-1] += own
        else:
            found.append((chains.get(place, []) if not chain else []) + own)
    return found


def lines_named(block, name):
    """The lines of a file to which a block leads its reader."""
    place = re.compile(rf"(?:In file included from | +from )?(?:[^\s:]*/)?{re.escape(name)}:(\d+)[:,]")
    return {int(found[1]) for found in map(place.match, block) if found}


def by_mistake(chapter, source, lines):
    """(name of a mistake -> blocks that name its lines, blocks that name no mistake's lines or those of several)"""
    mine, nobodys = {each.name: [] for each in chapter}, []
    for block in blocks(lines):
        named = lines_named(block, source.name)
        where = [each.name for each in chapter if any(each.first <= n <= each.last for n in named)]
        (mine[where[0]] if len(where) == 1 else nobodys).append(block)
    return mine, nobodys


def problems_of(each, found, is_clang, is_of_boost):
    """What is wrong with the blocks of a mistake's wrong face."""
    said, lines = "\n".join(line for block in found for line in block), sum(map(len, found))
    errors = sum(any(re.search(r"\berror: ", line) for line in block) for block in found)
    compiler = "clang" if is_clang else "g++"
    wanted = each.values("expect-error") or each.values(compiler)
    problems = [f"expected but not said: {text}" for text in wanted if text not in said]
    if not wanted:
        problems.append(f"has no comment that says what is expected of {compiler}")
    beyond = re.search(re.escape(compiler) + r" (\d+)", " ".join(each.values("beyond")))
    most = MOST_LINES if each.values("expect-error") else MOST_OF_A_COMPILER
    is_good = errors == 1 and lines <= most
    if not found:
        problems.append("compiles, or another mistake of this chapter has the same specialisation")
    elif is_good and beyond:
        problems.append("is one error now: take its 'beyond' out")
    elif beyond and errors > int(beyond[1]):
        problems.append(f"{errors} errors instead of {beyond[1]}")
    elif not is_good and not beyond:
        problems.append(f"{errors} errors in {lines} lines instead of one in at most {most}")
    # A mistake that is about Boost, or says the word itself, may be answered with it.
    problems += [f"says '{word}'" for word in INTERNALS if re.search(word, said, re.I)
                 and word not in each.text and not (word == "boost" and is_of_boost)]
    return problems


def without_places(diagnostics, chapter):
    """Where the tree lies, and the namespaces around the mistakes, are no part of the message."""
    output = re.sub(r"[^\s:]*/(?=include/anew/|examples/mistakes/|tests/mistakes/)", "", diagnostics)
    output = re.sub(rf"\b(?:{'|'.join(each.name for each in chapter)})::", "", output)
    lines = compile_command.lines_of_user(output)
    return [line for line in lines if not SUMMARY.match(line)]


def judge(source, compile_it, is_clang, faces):
    """[(name, problems, what the compiler said)], one for each mistake and one for each diagnostic without a place.
    compile_it(option, ...) returns the diagnostics of the source with these options; faces: "wrong", "right"."""
    chapter = mistakes.read(source)
    results = {each.name: ([], []) for each in chapter}
    is_of_boost = "#include <boost/" in source.read_text(encoding="utf-8")
    for face in faces:
        lines = without_places(compile_it(*["-DANEW_REJECT"] * (face == "wrong")), chapter)
        mine, nobodys = by_mistake(chapter, source, lines)
        for each in chapter:
            found = mine[each.name]
            if face == "wrong":
                problems = problems_of(each, found, is_clang, is_of_boost)
            else:
                problems = ["the right face does not compile without a diagnostic"] * bool(found)
            if problems:
                results[each.name][0].extend(problems)
                results[each.name][1].extend(line for block in found for line in block)
        for number, block in enumerate(nobodys, 1):
            results[f"{source.stem}: {face} face, diagnostic {number} that is of no one mistake"] = (["is said"], block)
    return [(name, *result) for name, result in results.items()]


def main():
    *asked, database, source = sys.argv[1:]
    source = pathlib.Path(source).resolve()
    faces = [face for face in ("wrong", "right") if not asked or f"--{face}" in asked]
    options = mistakes.value_of(source, "options").split()
    # A precompiled header is for the options that it was compiled with.
    precompiled = not options and not mistakes.value_of(source, "precompiled")
    command, directory = compile_command.flags_for(database, source, precompiled)
    is_clang = compile_command.is_clang(command)
    if "ANEW_REJECT" not in source.read_text(encoding="utf-8"):
        command = [word for word in command if not word.startswith("-W")]  # asked is what is refused
    command += [*options, "-fsyntax-only", ALL_ERRORS[is_clang]]

    def compile_it(*more):
        return subprocess.run([*command, *more, str(source)], cwd=directory, text=True, capture_output=True,
                              env=compile_command.plain_environment(), check=False).stderr

    results = judge(source, compile_it, is_clang, faces)
    print(f"1..{len(results)}")
    for number, (name, problems, said) in enumerate(results, 1):
        print(f"{'not ok' if problems else 'ok'} {number} - {name}")
        for line in problems + said:
            print(f"# {line}")
    return 1 if any(problems for _, problems, _ in results) else 0


if __name__ == "__main__":
    sys.exit(main())
