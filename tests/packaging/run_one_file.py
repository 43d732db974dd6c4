#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""anew as one file, or by `import anew;`: builds consumers in a directory of its own and runs them. Prints sizes and
times.

    run_one_file.py SOURCE_ROOT single-header|module|module-switches|module-cmake

The compiler is CXX (g++; clang++-19 for modules). Exits with 77 (skipped) when what it needs is not installed.
"""
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

import check_module
from run_consumers import HERE, expect, need, run

sys.path.insert(0, str(HERE.parents[1] / "docs/packaging"))
import single_header  # noqa: E402

WARNINGS = ["-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wsign-conversion", "-Wshadow",
            "-Wold-style-cast", "-Werror"]
# Programs of README and the tutorial. The first waits a second and a half.
PROGRAMS = ("01_first_retry", "02_choose_a_backoff", "tutorial")


def timed(what, *command, **options):
    """run(), and the seconds of the processor."""
    def spent():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    before = spent()
    said = run(*command, **options)
    print(f"{what}: {spent() - before:.2f} s of the processor", flush=True)
    return said


def size(what, path):
    print(f"{what}: {path.stat().st_size:,} bytes", flush=True)


def uses(headers, root):
    """A unit's text that names each public name of the headers."""
    lines, number = [], 0
    for (guard, namespace), names in check_module.names_of(headers, check_module.all_headers(root)).items():
        lines += [f"#if {guard}"] * bool(guard)
        for name in names:
            number += 1
            full = "::".join(["anew"] + [namespace] * bool(namespace) + [name])
            lines.append(f"namespace use_{number} {{ using {full}; }}")
        lines += ["#endif"] * bool(guard)
    return "\n".join(lines) + "\n", number


def read_by(compiler, root, names):
    """The public headers of anew that the textual headers `names` bring along: as the compiler says, not the script."""
    said = subprocess.run([*compiler, "-std=c++20", "-M", "-x", "c++", "-", f"-I{root}/include"], check=True, text=True,
                          input="".join(f'#include "{name}"\n' for name in names), stdout=subprocess.PIPE).stdout
    paths = [pathlib.Path(word) for word in said.split()]
    return [path.relative_to(root / "include").as_posix() for path in paths
            if path.is_relative_to(root / "include/anew") and "internal" not in path.parts]


def dependencies(path):
    return [word for word in path.read_text(encoding="utf-8").split() if not word.endswith(("\\", ":"))]


def write(root, target, *options, seed="0"):
    """Runs the script as a user does."""
    run(sys.executable, root / "docs/packaging/single_header.py", "-o", target, *options,
        env={**os.environ, "PYTHONHASHSEED": seed})
    return target


def single(root, top):
    compiler = os.environ.get("CXX", "g++").split()
    need(compiler[0])
    alone = top / "alone"
    alone.mkdir()
    one = write(root, alone / "anew-single.hpp")
    size("anew-single.hpp", one)
    with_boost = write(root, top / "with-boost.hpp", "--with-boost")
    size("the same --with-boost", with_boost)
    size("the core and describe alone", write(root, top / "core.hpp", "anew/anew.hpp", "anew/strategy/describe.hpp"))

    moved = top / "moved"
    for part in ("include", "docs/packaging", "LICENSE"):
        source = root / part
        (moved / part).parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if source.is_dir() else shutil.copy)(source, moved / part)
    again = write(moved, top / "again.hpp", seed="1")
    expect(again.read_bytes() == one.read_bytes(), "two runs, from two folders, give the same bytes")
    refused = run(sys.executable, root / "docs/packaging/single_header.py", "-o", top / "x.hpp", "anew/no_such.hpp",
                  fails=True)
    expect("no_such.hpp does not exist" in refused, "a header that does not exist is refused by name")
    refused = run(sys.executable, root / "docs/packaging/single_header.py", "-o", top / "x.hpp", "--boost", alone,
                  fails=True)
    expect("say --boost DIR, or --with-boost" in refused, "a folder without Boost is refused")
    for text in ("Permission is hereby granted, free of charge", "Copyright Louis Dionne"):
        expect(text in one.read_text(encoding="utf-8"), f"the file says '{text}'")

    # Two units, of which one names every public name.
    named, count = uses(read_by(compiler, root, single_header.DEFAULT), root)
    expect(count > 200, f"the headers have {count} public names")
    (top / "a.cpp").write_text('#include "anew-single.hpp"\n' + named + "int seen_by_b();\n"
                               "int main() { return seen_by_b() == ANEW_VERSION_MINOR ? 0 : 1; }\n", encoding="utf-8")
    (top / "b.cpp").write_text('#include "anew-single.hpp"\nint seen_by_b();\n'
                               "int seen_by_b() { return ANEW_VERSION_MINOR; }\n", encoding="utf-8")
    for unit in "ab":
        timed(f"unit {unit}", *compiler, *WARNINGS, f"-I{alone}", "-MMD", "-MF", top / f"{unit}.d", "-c",
              top / f"{unit}.cpp", "-o", top / f"{unit}.o")
    run(*compiler, top / "a.o", top / "b.o", "-o", top / "two")
    run(top / "two")
    run(*compiler, *WARNINGS, f"-I{alone}", "-M", "-MF", top / "all.d", top / "b.cpp")
    strays = [word for word in dependencies(top / "all.d") if "/boost/" in word or word.startswith(str(root))]
    expect(not strays, f"the compiler reads nothing of Boost, and nothing else of anew {strays}")

    for program in PROGRAMS:
        source = (root / f"examples/{program}.cpp").read_text(encoding="utf-8")
        source, changed = re.subn(r'#include "anew/[^"]+"', '#include "anew-single.hpp"', source)
        expect(changed, f"{program} includes anew")
        (top / f"{program}.cpp").write_text(source, encoding="utf-8")
        shutil.copytree(root / "examples/support", top / "support", dirs_exist_ok=True)
        run(*compiler, *WARNINGS, f"-I{alone}", top / f"{program}.cpp", "-o", top / program)
        run(sys.executable, root / "examples/support/check_output.py", top / program,
            root / f"examples/expected/{program}.txt")

    # More of anew, and Hana itself, behind a file that holds less; and the file that includes Hana.
    (top / "more.cpp").write_text('#include "core.hpp"\n#include "anew-single.hpp"\n#include "anew-single.hpp"\n'
                                  '#include <boost/hana/tuple.hpp>\n#include "anew/virtual.hpp"\n'
                                  "using anew::linear_backoff;\n"
                                  "int main() { return boost::hana::size_c<0>; }\n", encoding="utf-8")
    run(*compiler, "-std=c++20", f"-I{alone}", f"-I{root}/include", "-fsyntax-only", top / "more.cpp")
    run(*compiler, "-std=c++20", "-fsyntax-only", "-x", "c++", with_boost)
    old = run(*compiler, "-std=c++17", f"-I{alone}", "-fsyntax-only", top / "b.cpp", fails=True)
    expect(old.count("error:") == 1 and "anew requires C++20" in old, "C++17 is one error")


IMPORTS = """#include <cstdio>
#include <map>
#include <optional>
#include <string>
import anew;
#include <chrono>
#include <stdexcept>
#include <system_error>
#include <vector>

using namespace std::chrono_literals;
"""
CONSUMER = IMPORTS + """
struct page {  // read through a specialisation, as a client's own type is
  int state;
  std::map<std::string, std::string> fields;
};
template <>
struct anew::http_traits<page> {
  static int status(page const& p) { return p.state; }
  static std::optional<anew::duration> retry_after(page const&) { return anew::duration{1}; }
};

struct ten_times {  // a policy of one's own
  using role = anew::roles::backoff;
  [[nodiscard]] static constexpr anew::duration delay(unsigned retry) { return retry * 10ns; }
  [[nodiscard]] static constexpr anew::duration cap() { return 1us; }
};
static_assert(anew::Backoff<ten_times>);

std::string described_by_the_other_unit();

int main() {
  anew::http::standard const over_http{};
  page const got = anew::retry(over_http, anew::idempotent([&](anew::attempt& a) {
    return page{a.number() < 3 ? 503 : 200, {}};
  }));

  using patient = anew::strategy<ten_times, anew::no_jitter, anew::token_bucket<500>,
                                 anew::retry_on<std::runtime_error>, anew::max_attempts<4>>;
  patient const strategy{};
  int calls = 0;
  auto const end = anew::retry_outcome(strategy, [&]() -> int {
    if (++calls < 4) throw std::runtime_error{"not yet"};
    return calls;
  });
  bool thrown = false;
  try {
    anew::retry(strategy, [&]() -> int { throw std::logic_error{"never"}; });
  } catch (std::logic_error const&) {
    thrown = true;
  }
  anew::virtual_strategy const erased{anew::strategy<ten_times, anew::retry_all, anew::max_attempts<2>>{}};
  int const last = anew::retry(anew::strategy_view{erased}, [] { return 7; });
  std::vector<int> const seen{got.state, calls, static_cast<int>(end.attempts()), thrown, last};
  for (int const number : seen) std::printf("%d ", number);
  bool const same = anew::describe(anew::strategy<anew::max_attempts<4>>{}) == described_by_the_other_unit();
  std::printf("%s\\n", same ? "same" : "other");
}
"""
PARTNER = IMPORTS + """
std::string described_by_the_other_unit();
std::string described_by_the_other_unit() {
  return anew::describe(anew::strategy<anew::max_attempts<4>>{});
}
"""


def clang():
    compiler = os.environ.get("CXX", "")
    compiler = compiler.split() if "clang" in compiler else ["clang++-19"]
    need(compiler[0])
    return compiler


def module(root, top, switched=((),)):
    compiler = clang()
    unit = root / check_module.MODULE
    named, count = uses(check_module.public(check_module.all_headers(root), root), root)
    (top / "main.cpp").write_text(CONSUMER, encoding="utf-8")
    (top / "partner.cpp").write_text(PARTNER, encoding="utf-8")
    # Macros do not come with a module: those that guard a name come from their header.
    (top / "named.cpp").write_text('#include "anew/base/platform/compiler.hpp"\nimport anew;\n' + named,
                                   encoding="utf-8")
    (top / "hidden.cpp").write_text("import anew;\nusing anew::detail::platform::now;\n", encoding="utf-8")
    for switches in switched:
        flags = [*WARNINGS, *switches]
        timed(f"--precompile {' '.join(switches)}", *compiler, *flags, f"-I{root}/include", "--precompile", unit,
              "-o", top / "anew.pcm")
        size("anew.pcm", top / "anew.pcm")
        imports = [*flags, f"-fmodule-file=anew={top}/anew.pcm"]
        timed(f"all {count} names", *compiler, *imports, f"-I{root}/include", "-fsyntax-only", top / "named.cpp")
        refusal = run(*compiler, *imports, "-fsyntax-only", top / "hidden.cpp", fails=True)
        expect("detail" in refusal, "what is no public name stays in the module")
        if not switches:
            run(*compiler, *flags, "-c", top / "anew.pcm", "-o", top / "anew.o")
            timed("a consumer", *compiler, *imports, "-c", top / "main.cpp", "-o", top / "main.o")
            run(*compiler, *imports, "-c", top / "partner.cpp", "-o", top / "partner.o")
            run(*compiler, top / "main.o", top / "partner.o", top / "anew.o", "-o", top / "app")
            # Headers that the module has not, and headers that it has, behind the import.
            (top / "mixed.cpp").write_text('import anew;\n#include "anew/boost_system.hpp"\n#include "anew/anew.hpp"\n'
                                           "anew::with<anew::strategy<>, anew::boost_system::classifier<>> s;\n",
                                           encoding="utf-8")
            run(*compiler, *imports, f"-I{root}/include", "-fsyntax-only", top / "mixed.cpp")
            expect(run(top / "app") == "200 4 4 1 7 same\n", "two units import anew, and the program runs")


def module_cmake(root, top):
    """The lines of the how-to. CMake before 3.28 can configure them, behind its gate for experiments, and not build."""
    compiler = clang()
    need("cmake", "ninja")
    version = tuple(map(int, re.search(r"(\d+)\.(\d+)", run("cmake", "--version")).groups()))
    page = (root / "docs/how_to/one_file_or_a_module.md").read_text(encoding="utf-8")
    recipe = re.search(r"```cmake\n(.*?)```", page, re.S).group(1)
    expect("cmake_minimum_required(VERSION 3.28)" in recipe, "the how-to says which CMake")
    (top / "main.cpp").write_text(CONSUMER, encoding="utf-8")
    (top / "partner.cpp").write_text(PARTNER, encoding="utf-8")
    prefix = top / "prefix"
    run("cmake", "-S", root, "-B", top / "anew", f"-DCMAKE_INSTALL_PREFIX={prefix}")
    run("cmake", "--install", top / "anew")
    gate = ""
    if version < (3, 28):
        recipe = recipe.replace("VERSION 3.28", "VERSION 3.25")
        scan = (f"clang-scan-deps-19 -format=p1689 -- {compiler[0]} <DEFINES> <INCLUDES> <FLAGS> -x c++ <SOURCE> -c "
                "-o <OBJECT> -MT <DYNDEP_FILE> -MD -MF <DEP_FILE> > <DYNDEP_FILE>")
        gate = ('set(CMAKE_EXPERIMENTAL_CXX_MODULE_CMAKE_API "3c375311-a3c9-4396-a187-3227ef642046")\n'
                f'set(CMAKE_EXPERIMENTAL_CXX_MODULE_DYNDEP 1)\nset(CMAKE_EXPERIMENTAL_CXX_SCANDEP_SOURCE "{scan}")\n'
                'set(CMAKE_EXPERIMENTAL_CXX_MODULE_MAP_FORMAT "clang")\n'
                'set(CMAKE_EXPERIMENTAL_CXX_MODULE_MAP_FLAG "@<MODULE_MAP_FILE>")\n')
    configure = ["cmake", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_CXX_COMPILER={compiler[0]}",
                 "-S", top]
    if gate:
        (top / "CMakeLists.txt").write_text(recipe, encoding="utf-8")
        refusal = run(*configure, "-B", top / "refused", fails=True)
        expect("anew_add_module needs CMake 3.28" in " ".join(refusal.split()), "an older CMake is refused by number")
    (top / "CMakeLists.txt").write_text(recipe.replace("\nfind_package", "\n" + gate + "find_package"),
                                        encoding="utf-8")
    run(*configure, "-B", top / "build")
    if gate:
        need("clang-scan-deps-19")
        plan = run("ninja", "-C", top / "build", "-t", "targets", "all")
        scans = [line.split(":")[0] for line in plan.splitlines() if line.split(":")[0].endswith(".ddi")]
        run("ninja", "-C", top / "build", *scans)
        rules = [json.loads((top / "build" / scan).read_text(encoding="utf-8"))["rules"][0] for scan in scans]
        provided = [name["logical-name"] for rule in rules for name in rule.get("provides", ())]
        required = [name["logical-name"] for rule in rules for name in rule.get("requires", ())]
        expect(provided == ["anew"] and required == ["anew", "anew"],
               f"CMake finds who provides and who imports anew: {provided} {required}")
        print(f"CMake {version[0]}.{version[1]} cannot build modules with clang: the steps behind were not run")
    else:
        run("cmake", "--build", top / "build")
        expect(run(top / "build/mine") == "200 4 4 1 7 same\n", "CMake builds the module, and the program runs")


def main():
    root, way = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    ways = {"single-header": single, "module": module, "module-cmake": module_cmake,
            "module-switches": lambda root, top: module(root, top, (["-fno-exceptions"], ["-fno-rtti"]))}
    with tempfile.TemporaryDirectory(prefix="anew-one-file-") as top:
        ways[way](root, pathlib.Path(top).resolve())
    return 0


if __name__ == "__main__":
    sys.exit(main())
