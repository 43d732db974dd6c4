#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Asks about many mutants with one program: the headers hold them all, and each run of a test chooses one.

    at_once.py [--spread N] [--seed S] [--build DIR] [--most N] [--compiler C] [SOURCE_ROOT]

A mutant becomes two branches, `if (is(7)) { mutated } else { original }`; the variable ANEW_MUTANT tells a program
which to take. Each answer is kept in DIR/results, where `mutate.py --build DIR` finds it and asks about the rest.
README.md has more.
"""
import argparse
import collections
import os
import pathlib
import re
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
    """The headers of a sample, and which mutants they hold in which of their ways."""

    def __init__(self, shop, place, mutants):
        self.shop, self.place, self.numbered = shop, place, dict(enumerate(mutants, 1))
        self.texts = {h: (shop.tree / "include" / h).read_text(encoding="utf-8") for h in {m.header for m in mutants}}
        regions = {h: Regions(text) for h, text in self.texts.items()}
        self.ways = {n: regions[m.header].ways(m.begin, m.end) for n, m in self.numbered.items()}
        (place / "include").mkdir(parents=True, exist_ok=True)
        (place / "include/anew_mutants.hpp").write_text(HOOK, encoding="utf-8")
        for header in self.texts:
            self.write(header)

    def held(self, header):
        return [n for n, ways in self.ways.items() if ways and self.numbered[n].header == header]

    def write(self, header):
        path = self.place / "include" / header
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(written(self.texts[header], [(self.ways[n][0], self.numbered[n], n)
                                                     for n in self.held(header)]), encoding="utf-8")

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

    def make(self, test):
        """Compiles again while something near an error can be given up. Returns the errors that are left."""
        while True:
            code, output = mutate.run(self.shop.linking(self.place, test), self.place, mutate.SECONDS_TO_COMPILE)
            if code == 0 or not self.give_up(output):
                return "" if code == 0 else output or "too long"

    def ask(self, test, **variables):
        os.environ.update({"ANEW_MUTANT": "0", "ANEW_MARKS": "", **variables})
        return self.shop.ask_program(self.place, test)[0]

    def reached(self, test):
        """The mutants that a test reaches while none is chosen; nothing where it fails by itself."""
        marks = self.place / "marks"
        marks.write_bytes(bytes(65536))
        problem = self.make(test)[-300:] or self.ask(test, ANEW_MARKS=str(marks)).removeprefix("passed")
        if problem:
            print(f"  not asked: {test}: {problem.strip()}", flush=True)
        return set() if problem else {n for n, mark in enumerate(marks.read_bytes()) if mark}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", default=mutate.HERE.parent.parent, type=pathlib.Path)
    parser.add_argument("--spread", type=int, default=240)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--most", type=int, default=6, help="so many of the nearest tests of each mutant")
    parser.add_argument("--build", type=pathlib.Path, help="where to work; build/mutation unless given")
    parser.add_argument("--compiler", default="g++")
    args = parser.parse_args()
    root = args.root.resolve()
    shop = mutate.Workshop(root, (args.build or root / "build/mutation").resolve(), args.compiler, 1)
    drawn = mutate.drawn(root, args.spread, args.seed)
    schemata = Schemata(shop, shop.places.get(), [mutant for mutants in drawn.values() for mutant in mutants])
    open_, keys = {}, {}  # of each mutant that is not killed: its tests, the nearest first
    for n, m in schemata.numbered.items():
        tests = [test for test in mutate.tests_of(shop.tree, m.header)[0]
                 if not re.search("^tests/static|[.]depth[.]", test)][:args.most]
        keys.update({(n, test): shop.key_of(m, test) for test in tests})
        if schemata.ways[n] and not any(shop.known.get(keys[n, test]) == "killed" for test in tests):
            open_[n] = tests
    while True:
        hope = collections.Counter()
        for n, tests in open_.items():
            for rank, test in enumerate(tests):
                if not {keys[n, test], "past-" + keys[n, test]} & shop.known.keys():
                    hope[test] += 4.0 ** -rank
        if not hope:
            break
        test = max(hope, key=hope.get)
        reached = schemata.reached(test)
        for n in [n for n in open_ if test in open_[n]]:
            # What it does not reach it may still notice when it is compiled.
            verdict = "" if n not in reached else (
                "survived" if schemata.ask(test, ANEW_MUTANT=str(n)) == "passed" else "killed")
            shop.remember(keys[n, test] if verdict else "past-" + keys[n, test], verdict)
            if verdict == "killed":
                del open_[n]
        print(f"{time.strftime('%T')} {test}: {len(open_)} are left", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
