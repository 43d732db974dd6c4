#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""What becomes of mistakes that a compiler does not know, and of programs that look like them and are right.

    silent.py [--database COMPILE_COMMANDS | --compiler WORDS] [--only PREFIX] SOURCE_ROOT

silent/S13_....cpp to S64_....cpp do what their author did not mean, and no chapter of mistakes has them. Each has an
end in the table below:

    refused   does not compile: one error, in anew's words, in at most 30 lines
    warned    compiles with a warning about the mistake
    right     compiles, and does what was meant
    told      compiles, and how it ends names the mistake: a stop_reason with this one cause, the sentence of
              why_not_retried(), a time that is longer than the deadline, or an exception with a message
    silent    nothing tells. At most 12; each is named, with the reason why nothing can see it, in
              docs/how_to/why_is_it_not_retried.md

correct/C01_....cpp and so on are right: each compiles without a warning and runs. '// prints: TEXT' is a part of what a
program prints.
"""
import argparse
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import compile_command  # noqa: E402
import reject  # noqa: E402

PAGE = "docs/how_to/why_is_it_not_retried.md"
MOST_SILENT = 12
MOST_LINES = 30
ENDS = {
    "refused": "S38",
    "warned": "S42 S59",
    "right": "S22 S23 S24 S25 S26",
    "told": "S16 S17 S18 S19 S20 S21 S46 S47 S51 S54 S55 S57 S58 S61 S64",
    "silent": "S13 S14 S36 S40 S44 S45 S48 S49 S56 S60 S62 S63",
}
# What a warning has to say, so that another one does not pass for it.
WARNINGS = {
    "S42": r"nodiscard|ignoring return value",
    "S59": r"terminate|noexcept.*throw|has a non-throwing",
}
ALONE = ("S57",)  # ends before main()
NEEDS = {"S20": "boost/system/system_error.hpp", "S44": "boost/asio/io_context.hpp"}


class compiler:
    def __init__(self, words, directory, root, scratch):
        here = root / "tests" / "mistakes"
        self.directory = directory
        self.words = [*words, "-pthread", "-I", str(here)]
        self.scratch = scratch
        self.is_clang = compile_command.is_clang(words)
        # What all of them include is compiled once.
        header = scratch / "given.hpp"
        header.write_text('#include "' + str(here / "given.hpp") + '"\n', encoding="utf-8")
        compiled = scratch / ("given.pch" if self.is_clang else "given.hpp.gch")
        run = self.run([*self.words, "-x", "c++-header", str(header), "-o", str(compiled)])
        if run.returncode != 0:
            raise SystemExit(run.stderr)
        self.given = ["-include-pch", str(compiled)] if self.is_clang else ["-include", str(header)]

    def run(self, words):
        return subprocess.run(words, cwd=self.directory, text=True, capture_output=True, timeout=300, check=False,
                              env=compile_command.plain_environment())

    def compile(self, source, *more):
        return self.run([*self.words, *self.given, reject.ALL_ERRORS[self.is_clang], *more, str(source)])

    def has(self, header):
        probe = self.scratch / "probe.cpp"
        probe.write_text(f"#if !__has_include(<{header}>)\n#error\n#endif\n", encoding="utf-8")
        return self.run([*self.words, "-fsyntax-only", str(probe)]).returncode == 0

    def together(self, sources, main=""):
        """A unit of many programs: each in a namespace, unless it has one of its own, after what they all include. A
        main() of another name needs its return."""
        texts = {source: source.read_text(encoding="utf-8").rstrip() for source in sources}
        unit = sorted({line for text in texts.values() for line in re.findall(r"(?m)^#include .*", text)})
        for source, text in texts.items():
            renamed = f"main_of_{source.stem}"
            is_inside = not re.search(r"(?m)^namespace \w+ \{", text)
            unit += [f"namespace {source.stem} {{"] * is_inside
            unit += [f'#line 1 "{source}"', re.sub(r"\bmain\(", renamed + "(", text).removesuffix("}") + " return 0; }"]
            unit += [f"}}\nusing {source.stem}::{renamed};"] * is_inside
        path = self.scratch / "together.cpp"
        path.write_text("\n".join([*unit, main, ""]), encoding="utf-8")
        return path

    def build_and_run(self, source):
        """(problem or nothing, what it prints)"""
        program = self.scratch / "program"
        built = self.compile(source, "-o", str(program))
        if built.returncode != 0:
            return "does not compile:\n" + built.stderr, ""
        ran = subprocess.run([str(program)], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60,
                             check=False)
        return None, ran.stdout


def flags(chosen, root):
    """(how a program is compiled, where), warnings not being errors."""
    if not chosen.database:
        return [*shlex.split(chosen.compiler), "-std=c++20", "-Wall", "-Wextra", "-I", str(root / "include")], None
    words, directory = compile_command.flags_for(chosen.database, root / "examples" / "mistakes" / "numbers.cpp")
    return [*(word for word in words if word not in ("-Werror", "-Winvalid-pch")), "-Wno-error"], directory


def not_printed(source, printed):
    wanted = re.findall(r"(?m)^// prints: (.*\S)\s*$", source.read_text(encoding="utf-8"))
    if not wanted:
        return "says not what it prints"
    missing = [line for line in wanted if line not in printed]
    return f"does not print {missing[0]!r}, but:\n{printed}" if missing else None


def check_what_runs(cxx, sources):
    """All that compiles and says something, in one program: what leaves a main() is printed. One by one where it does
    not compile, and what ends before main()."""
    if not sources:
        return []
    together = [source for source in sources if source.name[:3] not in ALONE]
    run = "int main() {\n"
    for source in together:
        run += f"  calls = 0;\n  try {{\n    main_of_{source.stem}();\n  }} catch (std::exception const& what) {{\n"
        run += f'    std::puts(what.what());\n  }}\n  std::puts("-- {source.stem}");\n'
    problem, printed = cxx.build_and_run(cxx.together(together, run + "}"))
    errors = []
    for source in sources:
        if problem or source not in together:
            alone, own = cxx.build_and_run(source)
        else:
            alone, own = None, re.split(r"(?m)^-- .*\n", printed.partition(f"-- {source.stem}\n")[0])[-1]
        wrong = alone or not_printed(source, own.replace(source.stem + "::", ""))
        if wrong:
            errors.append(f"{source.stem} {wrong}")
    if problem and not errors:
        errors.append("the programs, each right alone, are not right together: " + problem)
    return errors


def by_source(diagnostics, sources):
    """source -> blocks of the diagnostics that name it; under no source, those that name none or several."""
    found = {source: [] for source in [*sources, None]}
    for block in reject.blocks([line for line in diagnostics.splitlines() if line.strip()]):
        named = [source for source in sources if reject.lines_named(block, source.name)]
        found[named[0] if len(named) == 1 else None].append(block)
    return found


def is_error(block):
    return any(re.search(r"\berror: ", line) for line in block)


def refused(blocks, _):
    errors = [block for block in blocks if is_error(block)]
    said = "\n".join(line for block in blocks for line in block)
    if len(errors) != 1 or "anew::" not in next(line for line in errors[0] if "error: " in line):
        return f"{len(errors)} errors, the first of which is not anew's:\n{said}"
    lines = sum(map(len, blocks))
    return f"{lines} lines of diagnostics" if lines > MOST_LINES else None


def warned(blocks, name):
    said = "\n".join(line for block in blocks for line in block)
    if any(map(is_error, blocks)):
        return "is refused: the table is behind\n" + said
    return None if re.search(WARNINGS[name], said) else "is not warned of"


def silent(blocks, _):
    return "is refused: the table is behind" if any(map(is_error, blocks)) else None


def check_what_is_read(cxx, sources, judge, *how):
    """Compiles many in one unit, and judges what is said of each."""
    if not sources:
        return []
    unit = cxx.together(sources)
    found = by_source(cxx.compile(unit, *how).stderr, sources)
    errors = [(source, judge(found[source], source.name[:3])) for source in sources]
    return [f"{source.stem} should be {judge.__name__}, and {error}" for source, error in errors if error] + [
        "a diagnostic is of no one program:\n" + "\n".join(block) for block in found[None] if is_error(block)]


def check_page(root, table):
    page = root / PAGE
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    named = {f"S{n}" for n in re.findall(r"tests/mistakes/silent/S(\d\d)_", text)}
    silent = {name for name, end in table.items() if end == "silent"}
    errors = [f"{PAGE} does not name {name}, which is silent" for name in sorted(silent - named)]
    errors += [f"{PAGE} names {name}, which is {table.get(name, 'unknown')}" for name in sorted(named - silent)]
    if len(silent) > MOST_SILENT:
        errors.append(f"{len(silent)} mistakes are silent; at most {MOST_SILENT} may be")
    return errors


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--database")
    parser.add_argument("--only", default="")
    parser.add_argument("root", type=pathlib.Path)
    chosen = parser.parse_args()
    root = chosen.root.resolve()
    here = root / "tests" / "mistakes"

    table = {name: end for end, names in ENDS.items() for name in names.split()}
    mistakes = sorted((here / "silent").glob("S*.cpp"))
    correct = sorted((here / "correct").glob("C*.cpp"))
    errors = []
    if sorted(table) != [source.name[:3] for source in mistakes]:
        errors.append("the table and the programs differ: "
                      + " ".join(sorted(set(table) ^ {source.name[:3] for source in mistakes})))
    if not chosen.only:
        errors += check_page(root, table)
    with tempfile.TemporaryDirectory() as scratch:
        words, directory = flags(chosen, root)
        cxx = compiler(words, directory, root, pathlib.Path(scratch))
        here_too = [source for source in mistakes if source.name.startswith(chosen.only) and source.name[:3] in table
                    and cxx.has(NEEDS.get(source.name[:3], "chrono"))]

        def of(*ends):
            return [source for source in here_too if table[source.name[:3]] in ends]

        errors += check_what_is_read(cxx, of("refused"), refused, "-fsyntax-only")
        # What needs the flow of control is not looked at by a check of the syntax.
        errors += check_what_is_read(cxx, of("warned"), warned, "-c", "-o", str(cxx.scratch / "object.o"))
        errors += check_what_is_read(cxx, of("silent"), silent, "-fsyntax-only")
        errors += check_what_runs(cxx, of("right", "told"))
        cxx.words.append("-Werror")
        errors += check_what_runs(cxx, [source for source in correct if source.name.startswith(chosen.only)])
    for error in errors:
        print("silent:", error)
    counts = ", ".join(f"{list(table.values()).count(end)} {end}" for end in ENDS)
    print(f"{len(mistakes)} mistakes ({counts}), {len(correct)} correct programs, {len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
