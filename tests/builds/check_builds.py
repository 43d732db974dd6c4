#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Many builds, one program: units of other switches, standards, levels, visibility and versions are linked together,
and each does what it does alone, or they do not link.

    check_builds.py SOURCE_ROOT WORK_DIR [--cxx COMPILER]... [--headers INCLUDE] [--flag=FLAG]... [--types-alone]
                    [--verbose]

A linker keeps one copy of what has the same mangled name, that of the first unit that has it. So there is a program for
each unit in which that one comes first: then its copies are run by all others. Each runs under the sanitizer of
addresses, which sees objects that are larger in one unit than in another, and globals that are defined twice.
`--types-alone` leaves these programs out: it asks in a fifth of the time that units of other builds do not link when
they hand each other a type, and that what a library throws is caught. Exits with 77 (skipped) when a compiler is not
installed.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
# Name of the unit: its switches. 'other' is another version of the headers.
UNITS = {
    "plain": [],
    "no_exceptions": ["-fno-exceptions"],
    "no_rtti": ["-fno-rtti"],
    "neither": ["-fno-exceptions", "-fno-rtti", "-O2"],
    "cxx23": ["-std=c++2b"],
    "optimised": ["-O2", "-DNDEBUG"],
    "hidden": ["-fvisibility=hidden", "-fvisibility-inlines-hidden"],
    "debug_library": ["-D_GLIBCXX_DEBUG"],
    "other": [],
    "other_hidden": ["-fvisibility=hidden", "-fno-exceptions", "-O2"],
}
SKIPPED = 77  # as Meson takes it
SANITIZE = ["-fsanitize=address"]
ENVIRONMENT = {**os.environ, "ASAN_OPTIONS": "detect_odr_violation=2:detect_leaks=0"}


class room:
    def __init__(self, cxx, headers, work, more, verbose):
        self.cxx, self.headers, self.work, self.more, self.verbose = cxx, headers, work, more, verbose
        self.errors, self.programs = [], 0

    def run(self, *command):
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, env=ENVIRONMENT,
                              cwd=self.work, timeout=120)
        return done.returncode, (done.stdout + done.stderr).strip()

    def compile(self, name, source, *switches, headers=None, sanitize=True):
        """The path of an object file; the switches that come later win."""
        target = self.work / f"{name}.o"
        code, text = self.run(self.cxx, "-std=c++20", "-O0", "-g0", "-w", "-fPIC", *(SANITIZE if sanitize else []),
                              "-I", headers or self.headers, *self.more, *switches, "-c", source, "-o", target)
        if code != 0:
            sys.exit(f"{self.cxx}: {name} does not compile:\n{text[:4000]}")
        return target

    def link(self, name, *parts, sanitize=True):
        target = self.work / name
        code, text = self.run(self.cxx, *(SANITIZE if sanitize else []), *parts, "-ldl", "-o", target)
        return target if code == 0 else None, text

    def expect_success(self, what, program, *arguments):
        self.programs += 1
        code, text = self.run(program, *arguments)
        if self.verbose:
            print(f"{self.cxx}: {what}: exit {code}")
        if code != 0:
            lines = [line for line in text.splitlines() if not re.match(r"\s*(#[1-9]\d|$)", line)]
            self.errors.append(f"{self.cxx}: {what}: exit {code}\n    " + "\n    ".join(lines[:12]))


def write_main(at, names):
    """A program that has, or loads, the units of these names."""
    types = re.findall(r"^  ([^;]*\(\*(\w+)\)\([^;]*\));$", (HERE / "main.cpp.in").read_text(encoding="utf-8"), re.M)
    functions = {name: text for text, name in types}
    returns = "  return failed == 0 ? 0 : 1;"
    body = ["#ifndef AS_PLUGINS", 'extern "C" {']
    for unit in names:
        body += [functions[f].replace(f"(*{f})", f"{f}_{unit}") + ";" for f in functions]
    body += ["}", "int main() {", "  unit const units[] = {"]
    body += ['      {"%s", %s},' % (unit, ", ".join(f"&{f}_{unit}" for f in functions)) for unit in names]
    body += ["  };", "  check_all(units);", returns, "}", "#else", "int main(int, char** argv) {"]
    for unit in names:
        body += [f'  void* const {unit} = ::dlopen(*++argv, RTLD_NOW | RTLD_LOCAL);',
                 f'  if ({unit} == nullptr) return std::puts(::dlerror()), 99;']
    body += ["  unit const units[] = {"]
    body += ['      {"%s", %s},' % (unit, ", ".join(
        "reinterpret_cast<%s>(::dlsym(%s, \"%s_%s\"))" % (functions[f].replace(f"(*{f})", "(*)"), unit, f, unit)
        for f in functions)) for unit in names]
    body += ["  };", "  check_all(units);", returns, "}", "#endif"]
    at.write_text((HERE / "main.cpp.in").read_text(encoding="utf-8").replace("@BODY@", "\n".join(body)),
                  encoding="utf-8")
    return at


def check_matrix(it, other):
    main = write_main(it.work / "main.cpp", UNITS)
    objects = {name: it.compile(name, HERE / "unit.cpp", *switches, f"-DUNIT={name}",
                                headers=other if name.startswith("other") else None)
               for name, switches in UNITS.items()}
    linked = it.compile("main", main)
    for first in UNITS:
        order = [objects[first]] + [objects[name] for name in UNITS if name != first]
        program, text = it.link(f"first_{first}", *order, linked)
        if program is None:
            it.errors.append(f"{it.cxx}: with {first} first they do not link\n    {text[:600]}")
        else:
            it.expect_success(f"{first} first", program)
    # Each as a shared library, once linked and once loaded by a program that has a build of its own in it.
    libraries = []
    for name, switches in UNITS.items():
        library, text = it.link(f"lib{name}.so", "-shared", objects[name])
        libraries.append(library)
    program, text = it.link("linked", linked, *libraries, f"-Wl,-rpath,{it.work}")
    it.expect_success("as shared libraries", program)
    host = it.compile("host", main, "-DAS_PLUGINS")
    program, text = it.link("host", host, it.compile("in_host", HERE / "unit.cpp", "-DUNIT=in_host"), "-rdynamic")
    it.expect_success("as plug-ins", program, *libraries)


def check_exchange(it, other):
    """Units that hand each other types of the library are of the same build, or do not link."""
    give = it.compile("give", HERE / "exchange.cpp", "-DGIVE", sanitize=False)
    for name, switches, headers, same in [
            ("plain", [], None, True), ("optimised", ["-O2", "-DNDEBUG"], None, True),
            ("cxx23", ["-std=c++2b"], None, True), ("hidden", ["-fvisibility=hidden"], None, True),
            ("no_exceptions", ["-fno-exceptions"], None, False), ("no_rtti", ["-fno-rtti"], None, False),
            ("debug_library", ["-D_GLIBCXX_DEBUG"], None, False),
            ("another Asio", ["-DANEW_STANDALONE_ASIO"], None, False),
            ("another version", [], other, False)]:
        take = it.compile("take", HERE / "exchange.cpp", *switches, headers=headers, sanitize=False)
        program, _ = it.link("exchange", give, take, sanitize=False)
        if (program is not None) != same:
            it.errors.append(f"{it.cxx}: a failure given to '{name}' {'does not link' if same else 'links'}")
        elif same:
            it.expect_success(f"a failure given to '{name}'", program)


def check_thrown(it, *switches):
    """What a library throws that hides its symbols is caught by its type."""
    library, text = it.link("libthrows.so", "-shared", it.compile(
        "throws", HERE / "thrown.cpp", "-DTHROWS", "-fvisibility=hidden", *switches, sanitize=False), *switches,
        sanitize=False)
    catches = it.compile("catches", HERE / "thrown.cpp", *switches, sanitize=False)
    program, text = it.link("catches", catches, library, f"-Wl,-rpath,{it.work}", *switches, sanitize=False)
    if program is None:
        it.errors.append(f"{it.cxx}: what is thrown does not link: {text[:600]}")
    else:
        it.expect_success(" ".join(["what is thrown", *switches]), program)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--cxx", action="append", default=[])
    parser.add_argument("--headers", type=pathlib.Path)
    parser.add_argument("--flag", action="append", default=[], help="for each compilation, as -isystem of Hana")
    parser.add_argument("--types-alone", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    headers = (options.headers or options.source / "include").resolve()
    compilers = options.cxx or ["g++"]
    missing = [cxx for cxx in compilers if shutil.which(cxx) is None]
    if missing:
        print(f"skipped: {' and '.join(missing)} not installed")
        return SKIPPED
    options.work.mkdir(parents=True, exist_ok=True)
    errors, programs = [], 0
    with tempfile.TemporaryDirectory(dir=options.work) as scratch:
        other = pathlib.Path(scratch) / "other"
        shutil.copytree(headers, other)
        version = other / "anew/base/platform/version.hpp"
        text = version.read_text(encoding="utf-8")
        version.write_text(re.sub(r"(ANEW_VERSION_MINOR) \d+", r"\1 99", text), encoding="utf-8")
        # A version whose objects are larger: what it shares with the first one by name, it would corrupt.
        bucket = other / "anew/policies/quota/token_bucket.hpp"
        text = bucket.read_text(encoding="utf-8")
        bucket.write_text(text.replace(" private:\n", " private:\n  long long before_[4]{};\n", 1), encoding="utf-8")
        for cxx in compilers:
            work = pathlib.Path(scratch) / pathlib.Path(cxx).name
            work.mkdir()
            it = room(cxx, headers, work, options.flag, options.verbose)
            if not options.types_alone:
                check_matrix(it, other)
            check_exchange(it, other)
            check_thrown(it)
            if it.run(cxx, "-stdlib=libc++", "-E", "-x", "c++", "-include", "string", "/dev/null")[0] == 0:
                check_thrown(it, "-stdlib=libc++")
            errors += it.errors
            programs += it.programs
    for error in errors:
        print("builds:", error)
    print(f"{programs} programs by {len(compilers)} compilers, {len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
