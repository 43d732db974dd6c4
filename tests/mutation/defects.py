#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Puts defects into a copy of the tree, one at a time, and looks whether the test that must catch each of them does.

    defects.py [--only NAME]... [--stage STAGE]... [--list] [--build DIR] [--compiler CXX] [SOURCE_ROOT]

Each defect is a patch, defects/NN_NAME.patch. Its first line says what is broken, its second which stage of run.sh must
catch it, and the cheapest question that can:

    Caught by: STAGE, QUESTION

    quick NAME                  a check of tests/support/quick.py
    tests/.../NAME.cpp          a test file by itself, or a file of static assertions; with `with address` or
                                `with thread` after it, compiled by clang with that sanitizer
    header NAME                 a header by itself
    examples/mistakes/NAME.cpp  both faces of a mistake
    examples/NAME.cpp           an example, and what it prints
    run SCRIPT WORDS...         a script of the tree; {root} is the copy, {work} a folder of its own

The question is asked of the tree without the defect too, when it says no. Fails when a defect is missed, when a patch
does not apply any more, and when a question says no without its defect.
"""
import argparse
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import mutate  # noqa: E402

mutate.MEMORY = resource.RLIM_INFINITY  # a sanitizer of addresses reserves them all

PARTS = (".clang-format", ".clang-tidy", "CHANGELOG.md", "CMakeLists.txt", "CONTRIBUTING.md", "LICENSE", "README.md",
         "SECURITY.md", "benchmarks", "docs", "examples", "include", "meson.build", "meson_options.txt", "subprojects",
         "tests")
HEAD = re.compile(r"\A(?P<what>[^\n]+)\nCaught by: (?P<stage>[a-z-]+), (?P<question>[^\n]+)\n")
SECONDS = 900


def read(patch):
    """(what is broken, stage, question)"""
    head = HEAD.match(patch.read_text(encoding="utf-8"))
    if not head:
        sys.exit(f"{patch}: begins with a line that says what is broken, and 'Caught by: STAGE, QUESTION'")
    return head["what"], head["stage"], head["question"]


class Bench:
    """A copy of the tree, and what compiles in it."""

    def __init__(self, root, build, compiler):
        self.root, self.tree, self.work = root, build / "copy", build / "work"
        shutil.rmtree(self.tree, ignore_errors=True)
        self.tree.mkdir(parents=True)
        for part in PARTS:
            source = root / part
            if source.is_dir():
                shutil.copytree(source, self.tree / part, symlinks=True)
            elif source.exists():
                shutil.copy2(source, self.tree / part)
        self.shops = {}
        self.build, self.compiler = build, compiler
        self.alone = [compiler, "-std=c++20", "-w", f"-I{self.tree / 'include'}"]

    def apply(self, patch, *options):
        # Outside of a repository, so that git does not look for the paths in the index of another one.
        done = subprocess.run(["git", "apply", *options, str(patch)], cwd=self.tree, text=True, capture_output=True,
                              env={**os.environ, "GIT_CEILING_DIRECTORIES": str(self.tree.parent)}, check=False)
        return done.returncode == 0, done.stderr.strip()

    def shop(self, compiler, sanitizer=None):
        """A workshop of mutate.py whose tree is the copy."""
        if (compiler, sanitizer) not in self.shops:
            flags = list(mutate.FLAGS)
            if sanitizer:
                mutate.FLAGS += [f"-fsanitize={sanitizer}", "-fno-sanitize-recover=all"]
            shop = mutate.Workshop(self.root, self.build / f"{compiler}-{sanitizer}", compiler, 1)
            mutate.FLAGS[:] = flags
            shutil.rmtree(shop.tree)
            shop.tree = self.tree
            self.shops[compiler, sanitizer] = shop
        return self.shops[compiler, sanitizer]

    def run(self, command, **more):
        """(passed, output)"""
        try:
            done = subprocess.run([str(part) for part in command], text=True, errors="replace", timeout=SECONDS,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  check=False, **more)
            return done.returncode == 0, done.stdout
        except subprocess.TimeoutExpired:
            return False, "takes too long"

    def ask(self, question):
        """(passed, what was said)"""
        words = question.split()
        if words[0] == "quick":
            return self.run([sys.executable, self.tree / "tests/support/quick.py", self.tree, *words[1:]])
        if words[0] == "run":
            shutil.rmtree(self.work, ignore_errors=True)
            self.work.mkdir()
            return self.run([sys.executable, self.tree / words[1],
                             *(word.format(root=self.tree, work=self.work) for word in words[2:])], cwd=self.work)
        if words[0] == "header":
            unit = self.build / "header.cpp"
            unit.write_text(f'#include "{words[1]}"\n', encoding="utf-8")
            return self.run([*self.alone, "-fsyntax-only", unit])
        if words[0].startswith("examples/") and not words[0].startswith("examples/mistakes/"):
            return self.example(words[0])
        shop = self.shop("clang++-19", words[2]) if words[1:2] == ["with"] else self.shop(self.compiler)
        place = shop.places.get()
        shutil.rmtree(place / "include", ignore_errors=True)
        shop.text_of.cache_clear()
        answer, said = shop.ask(place, words[0])
        shop.places.put(place)
        return answer == "passed", said

    def example(self, source):
        program = self.build / "example"
        passed, said = self.run([*self.alone, self.tree / source, "-o", program])
        if not passed:
            return False, said
        _, printed = self.run([program])
        wanted = (self.tree / "examples/expected" / pathlib.Path(source).with_suffix(".txt").name).read_text("utf-8")
        pattern = ".*".join(re.escape(part) for part in wanted.split("..."))
        return bool(re.fullmatch(pattern, printed, re.S)), printed


def reason(said):
    """The line that tells most of why a question said no."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    for pattern in (r"\berror:|\bERROR\b", r"\[  FAILED  \]", r"Failure$", r"."):
        found = next((line for line in lines if re.search(pattern, line)), None)
        if found:
            return re.sub(r"\S*/(?=\S)", "", found)[:110]
    return "no output"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", default=HERE.parent.parent, type=pathlib.Path)
    parser.add_argument("--only", action="append", help="a part of a defect's name; repeatable")
    parser.add_argument("--stage", action="append", help="those that this stage must catch; repeatable")
    parser.add_argument("--list", action="store_true", help="print the defects, and whether they apply; run nothing")
    parser.add_argument("--build", type=pathlib.Path, help="where to work; build/defects unless given")
    parser.add_argument("--compiler", default="g++")
    args = parser.parse_args()
    root = args.root.resolve()
    if args.list:
        with tempfile.TemporaryDirectory() as aside:  # a run in the other folder may be under way
            return go_through(args, Bench(root, pathlib.Path(aside), args.compiler))
    return go_through(args, Bench(root, (args.build or root / "build/defects").resolve(), args.compiler))


def go_through(args, bench):
    count = {"caught": 0, "MISSED": 0, "DOES NOT APPLY": 0, "SAYS NO BY ITSELF": 0}
    for patch in sorted((HERE / "defects").glob("*.patch")):
        what, stage, question = read(patch)
        if args.only and not any(part in patch.stem for part in args.only):
            continue
        if args.stage and stage not in args.stage:
            continue
        begin = time.monotonic()
        applies, why = bench.apply(patch)
        named = re.findall(r"(?:tests|examples)/[\w./]+", question)
        gone = [name for name in named if not (bench.tree / name).exists()]
        if gone:
            end, said = "DOES NOT APPLY", f"there is no {gone[0]}"
        elif not applies:
            end, said = "DOES NOT APPLY", why
        elif args.list:
            end, said = "caught", what
        else:
            passed, said = bench.ask(question)
            end = "MISSED" if passed else "caught"
        if applies and not bench.apply(patch, "-R")[0]:
            sys.exit(f"{patch}: does not come off again")
        if end == "caught" and not args.list:
            by_itself, first = bench.ask(question)
            if not by_itself:
                end, said = "SAYS NO BY ITSELF", first
        count[end] += 1
        verdict = "applies" if args.list and end == "caught" else end
        print(f"{patch.stem}: {verdict}, {stage}: {question} ({time.monotonic() - begin:.0f} s)\n"
              f"    {what if end == 'MISSED' or verdict == 'applies' else reason(said)}", flush=True)
    print(", ".join(f"{number} {end}" for end, number in count.items()))
    return 0 if count["caught"] == sum(count.values()) > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
