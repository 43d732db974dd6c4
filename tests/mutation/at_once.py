#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Asks about many mutants with one build: a copy of include/ holds them all, and each run of a test chooses one.

    at_once.py [--spread N] [--seed S] [--build DIR] [--jobs J] [--seconds S] [SOURCE_ROOT]

A mutant becomes two branches, `if (is(7)) { mutated } else { original }`; the variable ANEW_MUTANT tells a program
which to take. Writes DIR/report.json, what became of each mutant, and DIR/one_by_one.json, those that are not killed:
ask about them with `mutate.py --before DIR/one_by_one.json`. README.md has the rest.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

import mutate

HOOK = """#pragma once
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cstdlib>
#include <type_traits>
namespace anew_mutants {
inline char const* variable(char const* name) { auto const* const text = std::getenv(name); return text ? text : ""; }
// Where each mutant that is reached leaves a mark: a file that children of a test write too.
inline char* marks() {
  int const file = ::open(variable("ANEW_MARKS"), O_RDWR);
  if (file < 0) return nullptr;
  void* const at = ::mmap(nullptr, 65536, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  return at == MAP_FAILED ? nullptr : static_cast<char*>(at);
}
inline int const chosen = std::atoi(variable("ANEW_MUTANT"));
inline char* const reached = marks();
constexpr bool is(int n) noexcept {
  if (std::is_constant_evaluated()) return false;
  if (reached) reached[n] = 1;
  return chosen == n;
}
}
"""
FORMS = {"statement": "{{ if (::anew_mutants::is({n})) {{ {new} }} else {{ {old} }} }}",
         "condition": "(::anew_mutants::is({n}) ? bool({new}) : bool({old}))",
         "void": "(::anew_mutants::is({n}) ? void({new}) : void({old}))",
         "value": "(::anew_mutants::is({n}) ? ({new}) : ({old}))"}
CANNOT = re.compile(r"\b(?:concept|requires|constexpr|constinit|using|typedef|alignas|explicit|enum|template)\b")
COMPILED = re.compile(r"\b(?:requires\s*(?:\([^()]*\))?|noexcept|static_assert|sizeof|decltype|alignas|explicit)\s*$")
HEAD = re.compile(r"(?:else|do|default\s*:|case\b[^:;{}]*(?:::[^:;{}]*)*:|\[\[\w+\]\])\s*(?!:)|"
                  r"(?:if|for|while|switch)\s*(?:constexpr\s*)?\(")
SETUP = ["-Doptimization=0", "-Ddebug=false", "-Dwerror=false", "-Dwarning_level=0", "-Dtests=enabled",
         "-Dexamples=enabled", "-Dprograms=false"]
# What no change of a function's behaviour shows in, and what takes too long for what it shows.
NOT_ASKED = re.compile(r"neighbours|^budget|fuzz|full-length|50-times|example|config_|static|odr|headers|"
                       r"many_strategies|plugin|law_|law-|namespaces|packag|builds|single-header|first-calls|module|"
                       r"mistakes|compile-fail")


class Regions:
    """Where a header's mutants can be said twice."""

    def __init__(self, text):
        self.source = mutate.Code(text)
        self.code = self.source.code

    def brackets(self, at):
        """The brackets around a place, the innermost first."""
        depth = 0
        for i in range(at - 1, -1, -1):
            depth += (self.code[i] in mutate.CLOSING) - (self.code[i] in mutate.OPENING)
            if depth < 0:
                yield i, self.source.close_of(i) - 1
                depth = 0

    def parts(self, begin, end, mark):
        """What a mark divides a region into. A block ends a statement too."""
        depth, first = 0, begin
        for i in range(begin, end):
            c, angle = self.code[i], self.source.angles.get(i)
            depth += (c in mutate.OPENING or angle == "<") - (c in mutate.CLOSING or angle == ">")
            if depth == 0 and (c == mark or (c + mark == "};" and re.search(r"[;{}]\s*$", self.code[first:i])
                                             and re.match(r"\s*[^;,.)\s]", self.code[i + 1:i + 99]))):
                yield first, i + 1
                first = i + 1
        yield first, end

    def part_of(self, at, close, begin, end, mark):
        """The part of a bracket that a mutant is in: (which, where, whether it is the last)."""
        for k, (b, e) in enumerate(self.parts(at + 1, close, mark)):
            if b <= begin and end <= e:
                e -= self.code[e - 1] == mark
                return k, self.source.stripped(b, e), not self.code[e + 1:close].strip()
        return None

    def is_value(self, begin, at):
        """Whether it is no template argument of what begins there."""
        return sum({"<": 1, ">": -1}.get(self.source.angles.get(i), 0) for i in range(begin, at)) == 0

    def ways(self, begin, end):
        """Ways to say it twice, the best first: (begin, end, form)."""
        values = []
        for at, close in self.brackets(begin):
            before = self.code[:at]
            if COMPILED.search(before if self.code[at] == "(" else before.rstrip().removesuffix("noexcept")):
                return []
            if self.code[at] == "{" and any(self.code[e - 1] == ";" for _, e in self.parts(at + 1, close, ";")):
                return self.in_block(at, close, begin, end, values)
            head = re.search(r"\b(if|while|for|switch)\s*(constexpr\s*)?$", before)
            found = self.part_of(at, close, begin, end, ";" if head else ",")
            if found is None or (head and head.group(2)):
                return []
            k, (b, e), is_last = found
            if head:
                is_for = head.group(1) == "for"
                if is_for and k == 2:
                    return [(b, e, "void"), *values]
                if (k == 1 if is_for else is_last) and head.group(1) != "switch" and " = " not in self.code[b:e]:
                    return [(b, e, "condition"), *values]
                return self.initial(b, e, begin) + values
            if self.is_value(b, begin) and self.code[at] != "[" and b < e:
                values.append((b, e, "value"))
        return []

    def initial(self, begin, end, at):
        """What a declaration begins with, `= E`."""
        equal = next((b for b, _ in self.parts(begin, end, "=") if begin < b <= at and self.code[b - 2] == " "), None)
        return [(*self.source.stripped(equal, end), "value")] if equal and self.is_value(begin, equal) else []

    def in_block(self, at, close, begin, end, values):
        found = self.part_of(at, close, begin, end, ";")
        head = re.split(r"[;{}]", self.code[:at])[-1]
        if found is None or "consteval" in head:
            return []
        b, e = found[1]
        if re.search(r"\b(?:namespace|class|struct|union|enum)\b", head) and not head.rstrip().endswith(")"):
            if re.search(r"\)\s*(?:noexcept\s*)?:[^:]", self.code[b:begin]):  # a constructor's list
                return values
            return [] if CANNOT.search(self.code[b:begin]) else self.initial(b, e, begin) + values
        while skipped := HEAD.match(self.code, b):
            b = self.source.close_of(skipped.end() - 1) if skipped.group().endswith("(") else skipped.end()
            b = self.source.stripped(b, e)[0]
        code = self.code[b:e] + ";"
        if re.match(r"static\b|constexpr\b|using\b|static_assert", code):
            return []
        if re.match(r"(?:co_)?return\b|throw\b", code) or not (
                mutate.NO_STATEMENT.match(code) or mutate.DECLARATION.match(code)):
            return [(b, e + 1, "statement"), *values]
        return self.initial(b, e, begin) + values


def written(text, spots):
    """A header with its mutants, each as (way, mutant, number); line by line as before."""
    def one_line(part):
        return " ".join(mutate.LITERAL.sub(lambda m: "" if m.group().startswith("/") else m.group(), part).split())

    def render(begin, end, inside):
        done, at = "", begin
        while inside:
            way = min((spot[0] for spot in inside), key=lambda w: (w[0], -w[1], w[2]))
            b, e, form = way
            old = render(b, e, [s for s in inside if s[0] != way and s[0][1] <= e])
            for _, mutant, n in (s for s in inside if s[0] == way):
                new = one_line(mutant.text[b:e + len(mutant.text) - len(text)])
                old = FORMS[form].format(n=n, new=new, old=old)
            done, at = done + text[at:b] + old, e
            inside = [s for s in inside if s[0][0] >= e]
        return done + text[at:end]
    return re.sub(r"\A//[^\n]*", "#include <anew_mutants.hpp>", render(0, len(text), spots))


class Schemata:
    """The copy of include/, and which mutants it holds in which of their ways."""

    def __init__(self, root, build, mutants):
        self.include = build / "tree/include"
        self.numbered = dict(enumerate(mutants, 1))
        self.texts = {h: (root / "include" / h).read_text(encoding="utf-8") for h in {m.header for m in mutants}}
        regions = {h: Regions(text) for h, text in self.texts.items()}
        self.ways = {n: regions[m.header].ways(m.begin, m.end) for n, m in self.numbered.items()}

    def held(self, header):
        return [n for n, ways in self.ways.items() if ways and self.numbered[n].header == header]

    def write(self, header):
        """Keeps the time of the file: what compiled with a way that is given up need not be made again."""
        path = self.include / header
        new = written(self.texts[header], [(self.ways[n][0], self.numbered[n], n) for n in self.held(header)])
        if path.read_text(encoding="utf-8") != new:
            then = path.stat().st_mtime_ns
            path.write_text(new, encoding="utf-8")
            os.utime(path, ns=(then, then))

    def give_up(self, output):
        """Takes the next way of each mutant that is near an error. Returns whether there was one."""
        found = set()
        for name, line, what in re.findall(r"include/(anew/[\w/]+\.hpp):(\d+):(\d+: \w+)", output):
            near = [n for n in self.held(name) if self.numbered[n].line - 8 <= int(line)]
            exact = [n for n in near if self.numbered[n].line - 2 <= int(line) <= self.numbered[n].last_line + 2]
            found |= set(exact or (near[-1:] if "error" in what else []))
        for n in found:
            at = f"{self.numbered[n].header}:{self.numbered[n].line}"
            print(f"  given up: {at} as a {self.ways[n].pop(0)[2]}", flush=True)
        for header in {self.numbered[n].header for n in found}:
            self.write(header)
        return bool(found)

    def compile(self, command, folder):
        """Compiles again while something near an error can be given up. Returns the errors that are left."""
        while True:
            code, output = run(command, folder, 20_000)
            if code == 0 or not self.give_up(output):
                return "" if code == 0 else output


def run(command, folder, seconds, **variables):
    """(exit code, or None after too long; output)"""
    with subprocess.Popen(list(map(str, command)), cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True,
                          env={**os.environ, "LC_ALL": "C", **variables}) as process:
        try:
            output, _ = process.communicate(timeout=seconds)
            return process.returncode, output
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return None, process.communicate()[0] or ""


def introspect(build, what):
    return json.loads(subprocess.run(["meson", "introspect", what, build], capture_output=True, text=True,
                                     check=True).stdout)


def compile_all(schemata, build, jobs):
    """All headers in one unit first: what many programs include should not fail in each of them."""
    unit = build / "all.cpp"
    unit.write_text("".join(f"#include <{h}>\n" for h in sorted(schemata.texts) if schemata.held(h)
                            and not re.search("/(?:postgres|sender)/", h)), encoding="utf-8")
    problems = schemata.compile(["g++", "-std=c++20", "-fsyntax-only", "-w", f"-I{schemata.include}", unit], build)
    if problems:
        sys.exit(f"the headers do not compile together:\n{problems[:3000]}")
    for target in sorted(introspect(build / "build", "--targets"), key=lambda one: not one["build_by_default"]):
        program = os.path.relpath(target["filename"][0], build / "build")
        if target["type"] == "executable" and not NOT_ASKED.search(program):
            problems = schemata.compile(["ninja", "-k0", f"-j{jobs}", program], build / "build")
            print(f"  {'not built' if problems else 'built'}: {program}\n{problems[-2000:]}".strip("\n"), flush=True)


def ask(test, seconds, **variables):
    quick = {} if "finds" in test["name"] else {"GTEST_BRIEF": "1", "GTEST_FAIL_FAST": "1"}  # it expects failures
    return run(test["cmd"], test["workdir"], seconds, **{**test["env"], **quick, **variables})


def listen(build):
    """The tests, the quickest first, each with the mutants that it reaches while none is chosen."""
    passing, marks = [], build / "marks"
    for test in introspect(build / "build", "--tests"):
        programs = [pathlib.Path(part) for part in test["cmd"] if part.startswith(str(build / "build"))]
        if NOT_ASKED.search(" ".join([test["name"], *test["suite"]])) or not programs or not all(
                map(pathlib.Path.is_file, programs)):
            continue
        marks.write_bytes(bytes(65536))
        begin = time.monotonic()
        code, output = ask(test, 600, ANEW_MARKS=str(marks))
        test.update(seconds=time.monotonic() - begin, reached={n for n, mark in enumerate(marks.read_bytes()) if mark},
                    stage="full" if {"anew:thorough", "anew:asio", "anew:daily"} & set(test["suite"]) else "first")
        print(f"  {test['name']}: {test['seconds']:.1f} s, reaches {len(test['reached'])}" if code == 0 else
              f"  not asked: {test['name']} fails by itself: {output[-300:].strip()}", flush=True)
        passing += [test] * (code == 0)
    return sorted(passing, key=lambda test: test["seconds"])


def judge(number, tests, seconds):
    """What to report of a mutant. What no test reaches may still be noticed by the compiler: it is unasked."""
    found = {"verdict": "unasked", "killer": "", "stage": ""}
    for test in (test for test in tests if number in test["reached"]):
        code, output = ask(test, seconds + 3 * test["seconds"], ANEW_MUTANT=str(number))
        if code != 0:
            failed = re.search(r"\[  FAILED  \] ([\w/.]+)", output)
            why = f": {failed.group(1)}" if failed else ": hangs" if code is None else ""
            return {"verdict": "killed", "killer": test["name"] + why, "stage": test["stage"]}
        found["verdict"] = "survived"
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", default=mutate.HERE.parent.parent, type=pathlib.Path)
    parser.add_argument("--spread", type=int, default=240)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=20, help="what runs so much longer than three times as "
                        "long as without a mutant hangs")
    parser.add_argument("--build", type=pathlib.Path, help="where to work; build/at_once unless given")
    args = parser.parse_args()
    root = args.root.resolve()
    build = (args.build or root / "build/at_once").resolve()
    build.mkdir(parents=True, exist_ok=True)
    drawn = mutate.drawn(root, args.spread, args.seed)
    shutil.rmtree(build / "tree", ignore_errors=True)
    shutil.copytree(root, build / "tree", ignore=shutil.ignore_patterns(".git", "build"), symlinks=True)
    schemata = Schemata(root, build, [mutant for mutants in drawn.values() for mutant in mutants])
    (schemata.include / "anew_mutants.hpp").write_text(HOOK, encoding="utf-8")
    for header in schemata.texts:
        schemata.write(header)
    if not (build / "build/build.ninja").exists():
        subprocess.run(["meson", "setup", build / "build", build / "tree", *SETUP], check=True)
    compile_all(schemata, build, args.jobs)
    tests, rows = listen(build), []
    for n, m in schemata.numbered.items():
        rows.append({"header": m.header, "line": m.line, "before": m.before, "after": m.after,
                     **judge(n, tests, args.seconds)})
        print(f"{n} {rows[-1]['verdict']} {m.header}:{m.line} {rows[-1]['killer']}", flush=True)
        (build / "report.json").write_text(json.dumps(rows, indent=1), encoding="utf-8")
    rest = [row for row in rows if row["verdict"] != "killed"]
    (build / "one_by_one.json").write_text(json.dumps(rest, indent=1), encoding="utf-8")
    survived = sum(row["verdict"] == "survived" for row in rest)
    print(f"{len(rows) - len(rest)} of {len(rows)} killed, {survived} survived, {len(rest) - survived} not reached")
    return 0


if __name__ == "__main__":
    sys.exit(main())
