#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""From an empty folder to the first call that is retried, by each way to take anew: counts the commands and seconds.

    first_calls.py SOURCE_ROOT [WAY...]

The files of the consumer are there, as is a copy of the sources, as if cloned. Each way may need six commands; those
that are named, or all, are walked, and each may take two minutes of the processor. Exits with 77 (skipped) when a tool
is not installed.
"""
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

from run_consumers import HERE, expect, need
from run_packages import commit, copy_tree

MOST_COMMANDS, MOST_SECONDS = 6, 120

CMAKE = "cmake_minimum_required(VERSION 3.16)\nproject(app CXX)\n{}\nadd_executable(app main.cpp)\n" \
        "target_link_libraries(app PRIVATE anew::anew)\n"
MESON = "project('app', 'cpp', default_options: ['cpp_std=c++20'])\n" \
        "executable('app', 'main.cpp', dependencies: dependency('anew', version: '>=0.1'))\n"
BUILD_BY_CMAKE = ["cmake -S . -B build", "cmake --build build", "build/app"]
BUILD_BY_MESON = ["meson setup build", "meson compile -C build", "build/app"]
INSTALL = ["cmake -S ../anew -B of-anew", "cmake --install of-anew --prefix prefix"]

# What the consumer has written, and what is typed. ../anew is the clone.
WAYS = {
    "plain": ({}, ["$CXX -std=c++20 -I../anew/include main.cpp -o app", "./app"]),
    "Meson subproject": ({"meson.build": MESON},
                         ["mkdir subprojects", "cp -r ../anew subprojects/anew", *BUILD_BY_MESON]),
    "Meson wrap": ({"meson.build": MESON},
                   ["mkdir subprojects",
                    'python3 ../anew/docs/packaging/pin_wrap.py "file://$(realpath ../anew)" >subprojects/anew.wrap',
                    *BUILD_BY_MESON]),
    "FetchContent": ({"CMakeLists.txt": CMAKE.format(
        "include(FetchContent)\nFetchContent_Declare(anew GIT_REPOSITORY ${CMAKE_SOURCE_DIR}/../anew GIT_TAG main)\n"
        "FetchContent_MakeAvailable(anew)")}, BUILD_BY_CMAKE),
    "add_subdirectory": ({"CMakeLists.txt": CMAKE.format("add_subdirectory(anew)")},
                         ["cp -r ../anew anew", *BUILD_BY_CMAKE]),
    "find_package": ({"CMakeLists.txt": CMAKE.format("find_package(anew 0.1 REQUIRED)")},
                     [*INSTALL, 'cmake -S . -B build -DCMAKE_PREFIX_PATH="$PWD/prefix"', *BUILD_BY_CMAKE[1:]]),
    "pkg-config": ({}, [*INSTALL,
                        '$CXX -std=c++20 $(PKG_CONFIG_PATH=prefix/share/pkgconfig pkg-config --cflags anew) main.cpp '
                        '-o app', "./app"]),
    # Unpacked, which needs no root, where apt-get installs it.
    "Debian package": ({}, ["sh ../anew/docs/packaging/build_debian.sh out -A",
                            "dpkg-deb -x out/libanew-dev_*_all.deb root",
                            "$CXX -std=c++20 -isystem root/usr/include main.cpp -o app", "./app"]),
    "single header": ({}, ["python3 ../anew/docs/packaging/single_header.py -o anew-single.hpp",
                           "$CXX -std=c++20 main.cpp -o app", "./app"]),
    "module": ({}, ["clang++-19 -std=c++20 -I../anew/include --precompile ../anew/docs/packaging/anew.cppm "
                    "-o anew.pcm",
                    "clang++-19 -std=c++20 -c anew.pcm -o anew.o",
                    "clang++-19 -std=c++20 -fmodule-file=anew=anew.pcm main.cpp anew.o -o app", "./app"]),
}
# In the place of main.cpp's first words.
INCLUDED = '#include "anew/anew.hpp"\n\nstatic_assert(ANEW_VERSION_MAJOR == 0 && ANEW_VERSION_MINOR == 1);\n'
INSTEAD = {"single header": '#include "anew-single.hpp"\n', "module": "import anew;\n"}


def spent():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def walk(top, way, files, commands):
    """Returns the seconds of a clock and of the processor."""
    folder = top / way.replace(" ", "-")
    folder.mkdir()
    program = (HERE / "main.cpp").read_text(encoding="utf-8")
    expect(INCLUDED in program, "main.cpp includes anew")
    for name, text in {"main.cpp": program.replace(INCLUDED, INSTEAD.get(way, INCLUDED)), **files}.items():
        (folder / name).write_text(text, encoding="utf-8")
    begin, used = time.monotonic(), spent()
    for command in commands:
        print("+", command, flush=True)
        done = subprocess.run(["sh", "-c", command], cwd=folder, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False,
                              env={**os.environ, "CXX": os.environ.get("CXX", "g++")})
        if done.returncode != 0:
            print(done.stdout)
            expect(False, f"{way}: {command}")
    return time.monotonic() - begin, spent() - used


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    for variable in ("DESTDIR", "MESON_BUILD_ROOT", "MESONINTROSPECT", "MESON_SOURCE_ROOT"):
        os.environ.pop(variable, None)
    need("clang++-19", "cmake", "dh", "dpkg-buildpackage", "git", "pkg-config")
    rows = []
    with tempfile.TemporaryDirectory(prefix="anew-first-calls-") as made:
        top = pathlib.Path(made).resolve()
        copy_tree(root, top / "anew")
        commit(top / "anew", "as cloned")
        for way in sys.argv[2:] or WAYS:
            files, commands = WAYS[way]
            rows.append((way, len(commands), *walk(top, way, files, commands)))
    print(f"\n{'way':<18}{'commands':>10}{'seconds':>10}{'of the processor':>18}")
    for way, commands, seconds, used in rows:
        print(f"{way:<18}{commands:>10}{seconds:>10.1f}{used:>18.1f}")
    for way, (_, commands) in WAYS.items():
        expect(len(commands) <= MOST_COMMANDS, f"{way}: at most {MOST_COMMANDS} commands")
    for way, _, _, used in rows:
        expect(used <= MOST_SECONDS, f"{way}: at most {MOST_SECONDS} s of the processor")
    return 0


if __name__ == "__main__":
    sys.exit(main())
