#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""What a formatter does not check: licence lines, include guards, the size of headers, the namespace that names the
build, members that share an address, the namespaces of unit tests, and the options that scripts and documents give to
Meson.

    check_style.py SOURCE_ROOT
"""
import pathlib
import re
import statistics
import sys

SPDX = "SPDX-License-Identifier: BSL-1.0"
MOST_LINES = 350
MOST_COLUMNS = 120  # clang-format sees to it in C++
SCRIPTS = {".py", ".sh", ".build"}
ROOMS = ("include", "tests", "examples", "benchmarks", "docs", ".ci")
SUFFIXES = {".hpp", ".cpp", ".cc", ".in", ".py", ".sh", ".build"}


MAY_BE_EMPTY = re.compile(r"ANEW_NO_UNIQUE_ADDRESS[^;{}()]*?\b(\w+)\s*(=(?!=)[^;]*|{[^;]*)?;")


def check_namespace(name, text):
    """What namespace anew holds has the build in its mangled name: anew/base/platform/compiler.hpp says why."""
    opened = re.findall(r"^[ \t]*(?:inline\s+)?namespace\s+anew\b[^{;=]*\{", text, re.M)
    errors = [f"{name}: opens 'namespace anew' without 'inline ANEW_ABI'"
              for head in opened if not re.match(r"\s*namespace\s+anew::inline ANEW_ABI\b", head)]
    if opened and '#include "anew/base/platform/compiler.hpp"' not in text:
        errors.append(f"{name}: opens 'namespace anew' without including \"anew/base/platform/compiler.hpp\", which "
                      "defines ANEW_ABI")
    return errors


def check_empty_members(name, text):
    """g++ 12 zeroes the byte at the address of an empty member that an initialiser `{}` or `()` makes, and with it what
    stands there: such a member is initialised by its type alone, or from a value."""
    errors = []
    if name != "anew/base/platform/compiler.hpp" and "[[no_unique_address]]" in text:
        errors.append(f"{name}: write ANEW_NO_UNIQUE_ADDRESS")
    for member, initialiser in MAY_BE_EMPTY.findall(text):
        if initialiser:
            errors.append(f"{name}: {member} may be empty, and has a default member initialiser")
        if re.search(r"[:,]\s*" + member + r"(\{\s*\}|\(\s*\))\s*[,{]", text):
            errors.append(f"{name}: {member} may be empty, and a constructor initialises it with {{}} or ()")
    return errors


SYSTEM = re.compile(r"\bpthread|\b_WIN32\b|\b__(?:linux|APPLE)__\b|\b__int128\b|\b__atomic_|\bgnu::|<mutex>|"
                    r"\b__builtin_(?!addressof\b)\w+")
# They need the system itself, or a library that does; anew/bridges/process is for Linux alone.
OF_THE_SYSTEM = ("anew/base/platform/", "anew/bridges/asio/", "anew/bridges/process/", "anew/bridges/redis/",
                 "anew/testing/laws/")


def check_system(name, text):
    """Only the platform room knows systems and compilers."""
    if name.startswith(OF_THE_SYSTEM):
        return []
    code = re.sub(r"//.*", "", text)
    return [f"{name}: '{found}' belongs into anew/base/platform" for found in sorted(set(SYSTEM.findall(code)))]


def check_thread_end(name, text):
    """g++ for Windows destroys a thread's variables after it has freed them."""
    code = re.sub(r"//.*", "", text)
    if "ANEW_THREADS_DESTROY" in code:
        return []
    with_destructor = re.findall(r"^.*\bthread_local\b.*$", code, re.M)
    return [f"{name}: '{line.strip()}' may have a destructor: make it constinit, or ask ANEW_THREADS_DESTROY"
            for line in with_destructor if "constinit" not in line and "#define" not in line]


def check_lost_notice(name, text):
    """Without a futex, GCC 12 notifies those who wait for an atomic without its mutex, and may miss one."""
    return [f"{name}: <{header}> loses notifications where GCC has no futex: wait otherwise"
            for header in re.findall(r"#include <(latch|barrier|semaphore)>", text)]


CLASS = re.compile(r"^[ \t]*(?:class|struct)[ \t]+(ANEW_VISIBLE[ \t]+)?(\w+)[ \t]*(?:final)?[ \t]*(?::([^{;]*))?\{",
                   re.M)
EXCEPTIONS = {"exception", "bad_alloc", "bad_cast", "bad_exception", "domain_error", "future_error", "invalid_argument",
              "length_error", "logic_error", "out_of_range", "overflow_error", "range_error", "runtime_error",
              "system_error", "underflow_error"}


def check_thrown(texts):
    """What is thrown is caught by its type across libraries that hide their symbols: libc++ compares addresses."""
    classes = {}  # name: (header, is it visible, the names of its bases)
    thrown = set()
    for name, text in texts.items():
        code = re.sub(r"//[^\n]*", "", text)
        for visible, own, bases in CLASS.findall(code):
            names = {base.split("::")[-1] for base in re.findall(r"[\w:]+(?=\s*(?:,|$))", bases or "")}
            classes[own] = (name, bool(visible), names)
        thrown |= set(re.findall(r"(?:\bthrow |make_exception_ptr\(|throw_with_nested\()(?:\w+::)*(\w+)\s*[{(]", code))
    grown = True
    while grown:
        derived = {own for own, (_, _, bases) in classes.items() if bases & (EXCEPTIONS | thrown)}
        grown = not derived <= thrown
        thrown |= derived
    return [f"{classes[own][0]}: {own} is thrown, and not ANEW_VISIBLE"
            for own in sorted(thrown & set(classes)) if not classes[own][1]]


def check_unit_test(root, path):
    """Several are compiled as one source, and each has the names of its helpers for itself. What replaces a function of
    the whole program cannot be in a namespace."""
    name = path.relative_to(root / "tests" / "unit").as_posix()
    own = name.removesuffix(".test.cpp").replace("/", "_") + "_test"
    text = path.read_text(encoding="utf-8")
    if f"\nnamespace {own} {{\n" in text or re.search(r"^(\[\[.*\]\] )?void\* operator new\(", text, re.M):
        return []
    return [f"tests/unit/{name}: what follows the includes is not in namespace {own}"]


def guard_of(name):
    return re.sub(r"[^A-Z0-9]", "_", name.upper())


def check_guards(names):
    """A path with / and one with _ have one guard: a program that includes both gets only one."""
    guards = {}
    return [f"{name} and {other} have the same include guard: rename one" for name in names
            if (other := guards.setdefault(guard_of(name), name)) != name]


def check_header(root, path):
    name = path.relative_to(root / "include").as_posix()
    guard = guard_of(name)
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    errors = check_namespace(name, text) + check_empty_members(name, text)
    errors += check_system(name, text) + check_thread_end(name, text) + check_lost_notice(name, text)
    if lines[:1] != [f"// {SPDX}"]:
        errors.append(f"{name}: the first line is not '// {SPDX}'")
    code = [line.rstrip() for line in lines[1:] if line.strip() and not line.startswith("//")]
    if code[:2] != [f"#ifndef {guard}", f"#define {guard}"] or not code[-1].startswith("#endif"):
        errors.append(f"{name}: the include guard is not {guard}, around everything")
    if len(lines) > MOST_LINES:
        errors.append(f"{name}: {len(lines)} lines, split it (at most {MOST_LINES})")
    return len(lines), errors


# Meson's own options begin so.
MESON_OPTION = re.compile(r"(?:b|c|cpp)_\w+|buildtype|debug|default_library|optimization|prefix|warning_level|werror")


def check_options(root):
    """Meson refuses an unknown option, and with it the whole command. A -D of CMake has capitals."""
    declared = set(re.findall(r"^option\('(\w+)'", (root / "meson_options.txt").read_text(encoding="utf-8"), re.M))
    pages = [root / "README.md", root / "CONTRIBUTING.md"]
    for room in ROOMS:
        pages += [path for path in sorted((root / room).rglob("*")) if path.suffix in {".md", ".py", ".sh"}]
    return [f"{path.relative_to(root)}: meson_options.txt has no option '{option}'"
            for path in pages
            for option in re.findall(r"(?<![\w-])-D([a-z]\w*)=", path.read_text(encoding="utf-8"))
            if option not in declared and not MESON_OPTION.fullmatch(option)]


def main():
    root = pathlib.Path(sys.argv[1])
    errors, sizes, texts = [], [], {}
    for path in sorted((root / "include").rglob("*.hpp")):
        texts[path.relative_to(root / "include").as_posix()] = path.read_text(encoding="utf-8")
        size, found = check_header(root, path)
        sizes.append(size)
        errors += found
    errors += check_guards(texts) + check_thrown(texts)
    errors += check_options(root)
    for path in sorted((root / "tests" / "unit").rglob("*.test.cpp")):
        errors += check_unit_test(root, path)
    for path in sorted((root / "tests" / "support").glob("*.hpp")):
        errors += check_lost_notice(path.relative_to(root), path.read_text(encoding="utf-8"))
    for room in ROOMS:
        for path in sorted((root / room).rglob("*")):
            if path.is_file() and (path.suffix in SUFFIXES or room == ".ci"):
                text = path.read_text(encoding="utf-8")
                name = path.relative_to(root)
                if not any(SPDX in line for line in text.splitlines()[:2]):
                    errors.append(f"{name}: no '{SPDX}' in its first lines")
                if path.suffix in SCRIPTS and max(map(len, text.splitlines())) > MOST_COLUMNS:
                    errors.append(f"{name}: a line of more than {MOST_COLUMNS} columns")
                if "\t" in text or re.search(r"[ \t]+$", text, re.M) or not text.endswith("\n"):
                    errors.append(f"{name}: a tab, a space at the end of a line, or no end of line at the end")
    for error in errors:
        print("style:", error)
    if sizes:
        p90 = statistics.quantiles(sizes, n=10)[-1] if len(sizes) > 1 else sizes[0]
        print(f"{len(sizes)} headers: median {statistics.median(sizes):.0f} lines, 90th percentile {p90:.0f}, "
              f"longest {max(sizes)}")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
