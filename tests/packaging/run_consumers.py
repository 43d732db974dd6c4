#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Uses anew the way others do, in a directory of its own: installs it or nests it, builds a consumer, runs it.

    run_consumers.py SOURCE_ROOT pkgconfig|cmake|cmake-sources|subproject

Exits with 77 (skipped) when the tool of the consumer is not installed.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PARTS = ("meson.build", "meson_options.txt", "include", "tests", "examples", "benchmarks", "docs", "README.md",
         "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "LICENSE", "CMakeLists.txt")
SKIPPED = 77


def run(*command, fails=False, **options):
    print("+", *command, flush=True)
    done = subprocess.run([str(word) for word in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          check=False, **options)
    if (done.returncode != 0) != fails:
        print(done.stdout)
        raise SystemExit(f"{'should have failed' if fails else 'failed'}: {' '.join(map(str, command))}")
    return done.stdout


def expect(condition, sentence):
    print(("ok: " if condition else "WRONG: ") + sentence)
    if not condition:
        raise SystemExit(1)


def need(*programs):
    missing = [program for program in programs if not shutil.which(program)]
    if missing:
        print(f"skipped: {' and '.join(missing)} not installed")
        raise SystemExit(SKIPPED)


def install(root, top):
    """anew installed below top/prefix, out of the tree, as README says; returns the prefix."""
    prefix, build = top / "prefix", top / "anew-build"
    readme = (root / "README.md").read_text(encoding="utf-8")
    said = re.search(r"`meson setup build (.*?) && meson install -C build`", readme)
    expect(said, "README says how to install")
    run("meson", "setup", build, root, f"--prefix={prefix}", *said.group(1).split())
    compiled = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    expect(not compiled, f"an install runs no compiler: {len(compiled)} commands")
    run("meson", "install", "-C", build)
    expect((prefix / "include/anew/base/platform/version.hpp").is_file(), "headers are installed below include/anew")
    strays = [p for p in prefix.rglob("*") if p.is_file() and p.suffix != ".hpp"
              and p.relative_to(prefix).parts[:1] != ("share",)]
    expect(not strays, f"nothing but headers and package files is installed {strays or ''}")
    return prefix


def pkgconfig(root, top):
    need("pkg-config")
    prefix = install(root, top)
    env = {**os.environ, "PKG_CONFIG_PATH": str(prefix / "share/pkgconfig")}
    run("pkg-config", "--exists", "anew >= 0.1", env=env)
    run("pkg-config", "--exists", "anew >= 0.2", env=env, fails=True)
    flags = run("pkg-config", "--cflags", "anew", env=env).split()
    expect(f"-I{prefix}/include" in flags, "pkg-config names the include directory")
    compiler = os.environ.get("CXX", "g++").split()
    run(*compiler, "-std=c++20", *flags, HERE / "main.cpp", "-o", top / "consumer")
    run(top / "consumer")


def cmake(root, top):
    need("cmake")
    prefix = install(root, top)
    source = top / "consumer"
    shutil.copytree(HERE / "consumer_cmake", source)
    shutil.copy(HERE / "main.cpp", source)
    generator = ["-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}"]
    run("cmake", "-S", source, "-B", top / "consumer-build", *generator)
    run("cmake", "--build", top / "consumer-build")
    run(top / "consumer-build" / "consumer")
    refusal = run("cmake", "-S", source, "-B", top / "refused", "-DWANTED=0.2", *generator, fails=True)
    expect("requested version \"0.2\"" in refusal, "find_package(anew 0.2) is refused because of the version")


def headers(of):
    return {path.relative_to(of): path.read_bytes() for path in (of / "anew").rglob("*.hpp")}


PARENTS = {
    "add_subdirectory": "add_subdirectory({root} anew)",
    "FetchContent": "include(FetchContent)\nFetchContent_Declare(anew SOURCE_DIR {root})\n"
                    "FetchContent_MakeAvailable(anew)",
    "find_package": "find_package(anew 0.1 REQUIRED)",
}


def cmake_sources(root, top):
    """Without Meson: nested, fetched, and installed by CMake."""
    need("cmake")
    prefix = top / "of-cmake"
    run("cmake", "-S", root, "-B", top / "anew-cmake", f"-DCMAKE_INSTALL_PREFIX={prefix}")
    run("cmake", "--install", top / "anew-cmake")
    installed = headers(prefix / "include")
    expect(installed == headers(root / "include") and installed, f"CMake installs all {len(installed)} headers")
    by_meson = install(root, top)
    expect(installed == headers(by_meson / "include"), "Meson installs the same headers")
    named = [sorted(str(path.relative_to(of)) for path in (of / "share").rglob("*") if path.is_file())
             for of in (prefix, by_meson)]
    expect(named[0] == named[1], f"both install the same packages: {named}")
    env = {**os.environ, "PKG_CONFIG_PATH": str(prefix / "share/pkgconfig")}
    flags = run("pkg-config", "--cflags", "anew >= 0.1", env=env).split()
    expect(f"-I{prefix}/include" in flags, "the file for pkg-config names the include directory")
    for way, text in PARENTS.items():
        source = top / way
        source.mkdir()
        shutil.copy(HERE / "main.cpp", source)
        (source / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.16)\nproject(app CXX)\n" + text.format(root=root) +
            "\nadd_executable(app main.cpp)\ntarget_link_libraries(app PRIVATE anew::anew anew::asio)\n"
            "install(TARGETS app)\n",
            encoding="utf-8")
        build = source / "build"
        run("cmake", "-S", source, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_INSTALL_PREFIX={source}/to")
        run("cmake", "--build", build)
        run(build / "app")
        run("cmake", "--install", build)
        strays = [path.name for path in (source / "to").rglob("*") if path.is_file()]
        expect(strays == ["app"], f"a parent by {way} installs nothing of anew: {strays}")


def subproject(root, top):
    parent = top / "parent"
    shutil.copytree(HERE / "consumer_subproject", parent)
    shutil.copy(HERE / "main.cpp", parent)
    for part in PARTS:
        source, target = root / part, parent / "subprojects/anew" / part
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        elif source.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)

    build = top / "build"
    log = run("meson", "setup", build, parent, "--wrap-mode=nodownload")
    looked_for = [name for name in ("gtest", "range", "asio", "curl", "threads") if name in log.lower()]
    expect("anew" in log and not looked_for, f"a parent looks for nothing but Hana: {looked_for}")
    tests = run("meson", "test", "-C", build, "--list").splitlines()
    tests = [line for line in tests if "/" in line or "consumer" in line]
    expect([t.split()[-1] for t in tests] == ["consumer"], f"a parent has its own tests only: {tests}")
    run("meson", "test", "-C", build)
    run("meson", "install", "-C", build, "--destdir", top / "dest")
    installed = [p.name for p in (top / "dest").rglob("*") if p.is_file()]
    expect(installed == ["consumer"], f"a parent installs nothing of anew: {installed}")

    build = top / "build-with-tests"
    run("meson", "setup", build, parent, "--wrap-mode=nodownload", "-Danew:tests=enabled")
    listed = run("meson", "test", "-C", build, "--list")
    expect("anew" in listed and "unit-unit" in listed, "-Danew:tests=enabled gives the parent anew's tests")
    # One reads the parent's compile_commands.json; one unit is compiled as the parent compiles.
    run("meson", "test", "-C", build, "--no-rebuild", "--suite=anew:budget")
    commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    units = [one["output"] for one in commands if one["file"].endswith("tests/static/version.cpp")]
    expect(len(units) == 1, f"a parent with anew's tests has their units: {units}")
    run("ninja", "-C", build, *units)


def main():
    root, consumer = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    # DESTDIR and the like of a packager's shell would redirect what is tested here.
    for variable in ("DESTDIR", "MESON_BUILD_ROOT", "MESONINTROSPECT", "MESON_SOURCE_ROOT"):
        os.environ.pop(variable, None)
    with tempfile.TemporaryDirectory(prefix="anew-consumer-") as top:
        os.chdir(top)  # cmake, when Meson asks it for its settings, writes where it stands
        ways = {"pkgconfig": pkgconfig, "cmake": cmake, "cmake-sources": cmake_sources, "subproject": subproject}
        ways[consumer](root, pathlib.Path(top).resolve())
        os.chdir(HERE)
    return 0


if __name__ == "__main__":
    sys.exit(main())
