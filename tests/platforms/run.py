#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Builds and runs anew for other processors and systems, and prints a table.

usage: run.py [--jobs N] [--daily] BUILD_FOLDER [TARGET...]

Each target prints the golden log, which must be tests/platforms/golden.txt byte for byte, and what floating point
computes, which must be golden_floating.txt within 1e-9. Some run unit tests and laws too: those that ask about the
width of a type, the order of bytes, the system or the library, each on a target where it differs. A second table is of
processors without an operating system, for which a retry is compiled: its bytes must be within a limit. A third step
compiles what cannot be run here, a fourth what must be refused, with its message. With --daily the run asks what it
leaves out otherwise, and nothing twice: more targets, and more tests, the longest ones too.

The last line is "N passed, N failed, N skipped", where each test, log, size and refusal counts. What is skipped is
named: "left out: WHAT: NAME" is a compiler or an emulator that is not installed. Compilers run through ccache where
that is installed.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
GOOGLETEST = pathlib.Path("/usr/src/googletest")
TOLERANCE = 1e-9
LONGEST = 600  # seconds of one program: one that takes longer hangs, on any machine
FILES_OF_A_UNIT = 13  # compiled together, they read the library's headers once
CCACHE = ["ccache"] if shutil.which("ccache") else []
os.environ.setdefault("CCACHE_BASEDIR", str(ROOT))
os.environ.setdefault("CCACHE_NOHASHDIR", "1")
os.environ.setdefault("CCACHE_SLOPPINESS", "pch_defines,time_macros,include_file_mtime,include_file_ctime")
VERSION = re.search(r"version: '([^']+)'", (ROOT / "meson.build").read_text(encoding="utf-8"))[1]
FASTER = ["--param=ggc-min-heapsize=524288"]  # g++ collects garbage that would fit into memory

# Of the unit tests those whose outcome could depend on the width of a type, on the order of its bytes, on the library,
PACKED = """
    gate/circuit_breaker gate/rate_breaker hint platform/wide_word quota/refilling_bucket quota/retry_budget
    quota/token_bucket value value/duration value/random
""".split()
# Of these, those that name a thread or a future, which a system without threads does not have;
WITH_THREADS = "gate/rate_breaker value".split()
ALONE = [name for name in PACKED if name not in WITH_THREADS]
# on how wide the numbers in between are,
DELAYS = """
    backoff compose jitter machine/retry_machine numbers pacer
""".split()
# on what atomic integers are made of,
SHARED = "pacer/client_rate_limiter quota/striped sharing virtual/retry_token".split()
# or on the system's threads and files.
SYSTEM = "aws/settings/profile_file retry/stop".split()
LAWS = "../laws/decision ../laws/laws ../laws/one_decision ../laws/token".split()
# QEMU's i386 gives a thread another's segment after a signal, so the sleepers, which send signals, are not asked there.
WITH_POSIX = "platform retry/sleepers".split()
# What takes an emulator most of its time, for what the golden log asks of the same policies, and these tests elsewhere.
SLOW_WHERE_EMULATED = [
    "CapAfterDrawJitter.HasThePublishedDistributionAndItsAtom", "PollyDecorrelatedJitter.HasAnAtomAtTheCap",
    "PollyDecorrelatedJitter.HasThePublishedQuantiles",
    "PollyDecorrelatedJitter.TheFirstDelayHasTheFormulasDistribution", "RateBreaker.OpensAndCloses",
    "Striped.DecidesAsThePlainQuota", "StripedRateLimiter.MeasuresAsThePlainLimiter",
]


def cross(triple):
    return [f"{triple}-g++", "-std=c++20", "-static"]


def target(command, run=(), tests=(), daily=(), googletest=(), link=(), what="", only_daily=False):
    return {"command": command, "run": list(run), "tests": list(tests), "daily": list(daily),
            "googletest": list(googletest), "link": list(link), "what": what, "only daily": only_daily}


WASI_LIBRARY = "/usr/lib/llvm-19/include/wasm32-wasi/c++/v1"
# A change is asked on those that are not only daily. What the others differ in, these have too: 32 bits, a char without
# a sign, memory that is not ordered, a library without threads.
TARGETS = {
    "x86-64, switches": target(["g++", "-std=c++23", "-static", "-DANEW_PLATFORM_POSIX", "-DANEW_STANDARD_ATOMICS"],
                               what="g++ 12, native, the next three at once"),
    "x86-64, C++23": target(["g++", "-std=c++23", "-static"], only_daily=True, what="g++ 12, native"),
    "x86-64, clang 16": target(["clang++-16", "-std=c++20", "-static"], what="clang 16, native"),
    "x86-64, POSIX": target(["g++", "-std=c++20", "-static", "-DANEW_PLATFORM_POSIX"],
                            daily=["retry/sleepers", "retry/stop", "platform"], only_daily=True,
                            what="g++ 12, native, as on another POSIX system"),
    "x86-64, <atomic>": target(["g++", "-std=c++20", "-static", "-DANEW_STANDARD_ATOMICS"],
                               daily=["quota/token_bucket", "quota/striped", "gate/circuit_breaker", "sharing"],
                               only_daily=True, what="g++ 12, native, as without GNU's builtins"),
    "aarch64": target(cross("aarch64-linux-gnu"), ["qemu-aarch64"], what="g++ 12, qemu-user"),
    "riscv64": target(cross("riscv64-linux-gnu"), ["qemu-riscv64"], only_daily=True, what="g++ 12, qemu-user"),
    "s390x": target(cross("s390x-linux-gnu"), ["qemu-s390x"], PACKED + ["virtual/retry_token"],
                    DELAYS + SHARED + SYSTEM + WITH_POSIX, what="g++ 12, qemu-user, big endian"),
    # Before a release one of the two processors with 32 bits is asked, and both what depends on their atomics.
    "armhf": target(cross("arm-linux-gnueabihf"), ["qemu-arm"],
                    daily=SHARED + SYSTEM + WITH_POSIX, only_daily=True, what="g++ 12, qemu-user, 32 bits"),
    "i386": target(cross("i686-linux-gnu"), ["NATIVE or qemu-i386"], PACKED + SHARED,
                   DELAYS + ["platform"] + LAWS, what="g++ 12, native or qemu-user, 32 bits"),
    "Windows": target(cross("x86_64-w64-mingw32"), ["WINE"], PACKED + SHARED + SYSTEM,
                      DELAYS, what="g++ 12 with threads of POSIX, Wine"),
    "Windows, win32": target(["x86_64-w64-mingw32-g++-win32", "-std=c++20", "-static"], ["WINE"],
                             only_daily=True, what="g++ 12 with threads of Windows, Wine"),
    "WebAssembly": target(["clang++-19", "--target=wasm32-wasi", "-std=c++20", "-fno-exceptions",
                           "-isystem", WASI_LIBRARY],
                          ["node", "--no-warnings", "--experimental-wasi-unstable-preview1",
                           str(HERE / "run.mjs")], ALONE, DELAYS,
                          googletest=["-DGTEST_HAS_PTHREAD=0", "-DGTEST_HAS_STREAM_REDIRECTION=0",
                                      "-DGTEST_HAS_DEATH_TEST=0", "-D_WASI_EMULATED_SIGNAL",
                                      "-D_WASI_EMULATED_PROCESS_CLOCKS",
                                      "-U__SIZEOF_INT128__"],  # of which Debian's library cannot take a remainder
                          link=["-lwasi-emulated-signal", "-lwasi-emulated-process-clocks"],
                          what="clang 19, WASI, Node, without exceptions"),
}
TARGETS["Windows"]["command"][0] += "-posix"
for name in ("Windows", "Windows, win32"):
    TARGETS[name]["command"].extend(["-O1", "-Wa,-mbig-obj"])  # -O0 has more sections than an object file can name


# A retry with backoff and jitter, and with a bucket, on a board that has no operating system: at most these bytes.
MOST_BYTES = {"backoff and jitter": 1100, "with a bucket": 1600}
# The compiler for Linux knows both processors, and its libraries are a tenth of those of the compiler for boards.
M4 = ["-mcpu=cortex-m4", "-mthumb"]
M0 = ["-mcpu=cortex-m0", "-mthumb"]
LINUX_ARM = "arm-linux-gnueabihf-g++"
FOR_BOARDS = "arm-none-eabi-g++"  # with --daily
BOARDS = {
    "armhf": [LINUX_ARM],
    "M4, Linux": [LINUX_ARM, *M4, "-mfloat-abi=soft"],
    "M0, Linux": [LINUX_ARM, *M0, "-mfloat-abi=soft", "-DANEW_SINGLE_THREADED"],
    "Cortex-M4": [FOR_BOARDS, *M4],
    "Cortex-M0": [FOR_BOARDS, *M0, "-DANEW_SINGLE_THREADED"],
}
BARE = ["-std=c++20", "-Os", "-Wall", "-Wextra", "-Werror", "-Wno-psabi", "-fno-exceptions", "-fno-rtti",
        "-fno-threadsafe-statics", "-DANEW_PLATFORM_NONE"]

# What cannot be run here: MSVC's language by clang, over the standard library of another system, whose own errors do
# not count; and both orders of <windows.h>, whose macros reach what follows.
WINDOWS_H = ["x86_64-w64-mingw32-g++-posix", "-std=c++20", "-Wall", "-Wextra", "-Werror"]
COMPILED = {
    "MSVC": ["clang++-19", "--target=i686-pc-windows-msvc", "-std=c++20", "-fms-compatibility-version=19.38",
             "-ferror-limit=0", "-U_WIN32", "-D__wasi__", "-D__wasm32__", "-D_WASI_EMULATED_SIGNAL",
             "-DANEW_PLATFORM_WINDOWS", "-DAS_MSVC", "-Wall", "-Wextra", "-Wno-unknown-attributes",
             "-isystem", WASI_LIBRARY, "-isystem", "/usr/include/wasm32-wasi"],
    "windows.h first": [*WINDOWS_H, "-DNOMINMAX", "-DWINDOWS_FIRST"],
    "windows.h last": [*WINDOWS_H, "-DWINDOWS_LAST"],
}

# What must not compile, and the one message: flags, then the policies that the board composes.
REFUSED = {
    "no clock": ([LINUX_ARM, "-DWITHOUT_CLOCK"], "anew requires a clock on a platform without"),
    "no random numbers": ([LINUX_ARM, "-DWITHOUT_SOURCE"], "anew requires random numbers on a"),
    "no sleeper": ([LINUX_ARM, "-DWITHOUT_SLEEPER"], "anew requires a sleeper on a platform"),
    "no atomics": ([FOR_BOARDS, *M0], "Define ANEW_SINGLE_THREADED if no other"),
    "one thread of Linux": (["g++", "-UANEW_PLATFORM_NONE", "-DANEW_SINGLE_THREADED"],
                            "anew requires ANEW_PLATFORM_NONE with ANEW_SINGLE_THREADED"),
}


class Failed(Exception):
    pass


class Build:
    def __init__(self, name, folder, pool):
        self.of = TARGETS[name]
        self.folder = folder / re.sub(r"\W+", "-", name).lower()
        self.folder.mkdir(parents=True, exist_ok=True)
        self.pool = pool

    def compile(self, source, more=()):
        """Starts it; the result is the object file."""
        to = self.folder / (re.sub(r"\W+", "-", str(source).removeprefix(str(ROOT))).strip("-") + ".o")

        compiler = self.of["command"][0]
        command = [*CCACHE, compiler, "-O0", "-w", "-Wno-psabi", *([] if "clang" in compiler else FASTER),
                   f"-I{ROOT}/include", f"-I{ROOT}/tests/support", f"-I{ROOT}/tests/unit",
                   f'-DANEW_PROJECT_VERSION="{VERSION}"',
                   f"-I{self.folder.parent}/headers", *self.of["command"][1:], *more, "-c", str(source), "-o", str(to)]
        return self.pool.submit(lambda: (check(command), to)[1])

    def link(self, name, objects):
        program = self.folder / f"{name}.exe"
        # Of the compiler's flags only those that choose a target matter here.
        check([*self.of["command"], *map(str, objects), *self.of["link"], "-o", str(program)])
        return program

    def run(self, program, *arguments):
        run = [wine() if one == "WINE" else one for one in self.of["run"]]
        if run == ["NATIVE or qemu-i386"]:
            run = [] if runs_natively(program) else ["qemu-i386"]
        environment = {**os.environ, "WINEDEBUG": "-all", "WINEPREFIX": str(self.folder.parent / "wine")}
        try:
            # In the pool, so that at most --jobs compilers and programs run at once.
            done = self.pool.submit(subprocess.run, [*run, str(program), *arguments], capture_output=True,
                                    timeout=LONGEST, check=False, env=environment, cwd=self.folder,
                                    stdin=subprocess.DEVNULL).result()
        except subprocess.TimeoutExpired as late:
            last = (late.stdout or b"").decode(errors="replace").strip().rpartition("\n")[2]
            raise Failed(f"{program.name} did not end within {LONGEST} s; its last line: {last}") from late
        out = done.stdout.decode(errors="replace").replace("\r", "")
        return done.returncode, out, done.stderr.decode(errors="replace")


def runs_natively(program):
    """Not every kernel of 64 bits runs programs of 32."""
    try:
        subprocess.run([str(program), "--gtest_list_tests"], capture_output=True, check=False, timeout=LONGEST)
    except OSError:
        return False
    return True


def missing(command, run=()):
    """The programs of these that are not installed."""
    programs = [command[0], *(one.split()[-1] for one in run[:1])]
    return [one for one in programs if not (os.access(wine(), os.X_OK) if one == "WINE" else shutil.which(one))]


def left_out(what, names):
    """Says so; the number of what is skipped."""
    print(f"left out: {what}: {' and '.join(names)} not installed", flush=True)
    return 1


def check(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failed(" ".join(command) + "\n" + done.stderr[:3000])
    return done.stdout


def wine():
    found = shutil.which("wine64") or shutil.which("wine")
    return found or "/usr/lib/wine/wine64"


def golden(build):
    """The faults of the two logs."""
    program = build.link("golden", [build.compile(HERE / "golden.cpp").result()])
    code, out, error = build.run(program)
    faults = []
    expected = (HERE / "golden.txt").read_text()
    if code != 0 or out != expected:
        lines = zip(out.splitlines() + ["(the end)"], expected.splitlines() + ["(the end)"])
        number, pair = next(((i, p) for i, p in enumerate(lines, 1) if p[0] != p[1]), (0, ("", "")))
        faults.append(f"golden log, exit code {code}, line {number}:\n  {pair[0][:300]}\n  instead of\n"
                      f"  {pair[1][:300]}\n{error[:500]}")
    code, out, error = build.run(program, "floating")
    numbers = [float(line) for line in out.split()]
    wanted = [float(line) for line in (HERE / "golden_floating.txt").read_text().split()]
    close = len(numbers) == len(wanted) and all(abs(a - b) <= TOLERANCE * max(1.0, abs(b))
                                                for a, b in zip(numbers, wanted))
    if code != 0 or not close or not wanted:
        faults.append(f"floating point, exit code {code}: {out[:300]} {error[:300]}")
    return faults


def wrong_texts(build):
    """A fault, where a wrong text is told otherwise than on x86-64 with exceptions."""
    def told(by):
        return by.run(by.link("texts", [by.compile(ROOT / "tests/configs/wrong_texts.test.cpp").result()]))

    expected, here = told(Build("x86-64, C++23", build.folder.parent, build.pool)), told(build)
    if expected[0] == 0 and expected[1].count("\n") >= 2000 and here[:2] == expected[:2]:
        return []
    return [f"wrong texts, exit codes {expected[0]} and {here[0]}: {here[1][-300:]} {here[2][:300]}"]


def unit_tests(build, names, all_of_them):
    """How many passed, the names of those that failed, and of those that were skipped."""
    if not names:
        return 0, [], []
    own = [f"-isystem{GOOGLETEST}/googletest/include", f"-isystem{GOOGLETEST}/googlemock/include",
           *build.of["googletest"]]
    objects = [build.compile(GOOGLETEST / "googletest/src/gtest-all.cc", [*own, f"-I{GOOGLETEST}/googletest"]),
               build.compile(GOOGLETEST / "googletest/src/gtest_main.cc", own)]
    together = [name for name in names if name not in LAWS]
    units = [together[first:first + FILES_OF_A_UNIT] for first in range(0, len(together), FILES_OF_A_UNIT)]
    # Laws are alone: names of their anonymous namespaces meet.
    for number, unit in enumerate(units + [[name] for name in names if name in LAWS]):
        source = build.folder / f"unit-{number}.cpp"
        source.write_text("".join(f'#include "{name}.test.cpp"\n' for name in unit))
        objects.append(build.compile(source, own))
    program = build.link("unit", [one.result() for one in objects])
    is_brief = not all_of_them and any("qemu" in word for word in build.of["run"])
    code, out, error = build.run(program, *["--gtest_filter=-" + ":".join(SLOW_WHERE_EMULATED)] * is_brief)
    passed = len(re.findall(r"^\[       OK \]", out, re.M))
    failed = sorted(set(re.findall(r"^\[  FAILED  \] ([\w./]+) \(\d", out, re.M)))
    skipped = sorted(set(re.findall(r"^\[  SKIPPED \] ([\w./]+) \(\d", out, re.M)))
    if code != 0 and not failed:
        failed = [f"(exit code {code}) {out[-300:]} {error[-300:]}"]
    if passed == 0:
        failed.append("(no test ran)")
    return passed, [f"{one}\n{text_of(one, out)}" for one in failed], skipped


def board_command(folder, command, to):
    return [command[0], *BARE, f"-I{ROOT}/include", f"-I{folder}/headers", *command[1:], "-c",
            str(HERE / "minimal.cpp"), "-o", str(to)]


def bytes_of(folder, command, number):
    """Of code and constants."""
    to = folder / f"board-{number}.o"
    check(board_command(folder, command, to))
    sizes = check([command[0].removesuffix("g++") + "size", "-A", str(to)])
    return sum(int(line.split()[1]) for line in sizes.splitlines() if re.match(r"\.(text|rodata)", line))


def boards(folder, daily):
    """Prints the bytes; returns how many were within the limit, how many were not, and how many were skipped."""
    passed = failed = skipped = 0
    print(f"\n{'board':<18}" + "".join(f"{what:>20}" for what in MOST_BYTES) + "  in bytes of code and constants")
    for name, command in BOARDS.items():
        if (command[0] == FOR_BOARDS) != daily:
            continue
        if names := missing(command):
            skipped += left_out(f"board {name}", names)
            continue
        found = [bytes_of(folder, [*command, *more], number) for number, more in enumerate(([], ["-DWITH_BUCKET"]))]
        print(f"{name:<18}" + "".join(f"{size:>20}" for size in found))
        good = sum(0 < size <= most for size, most in zip(found, MOST_BYTES.values()))
        passed, failed = passed + good, failed + len(found) - good
    print(f"{'at most':<18}" + "".join(f"{most:>20}" for most in MOST_BYTES.values()))
    return passed, failed, skipped


def compiled_only(folder, _):
    failed = skipped = 0
    (folder / "stand_in").mkdir(exist_ok=True)
    (folder / "stand_in/setjmp.h").write_text("typedef int jmp_buf[1];\n")  # for clang's <intrin.h>
    for name, command in COMPILED.items():
        if names := missing(command):
            skipped += left_out(name, names)
            continue
        done = subprocess.run([*command, f"-I{ROOT}/include", f"-I{folder}/headers", "-isystem", folder / "stand_in",
                               "-fsyntax-only", str(HERE / "umbrellas.cpp")],
                              capture_output=True, text=True, check=False)
        lines = done.stderr.splitlines()
        wrong = [line for line in lines if re.match(r"(?!/usr/).*: (fatal error|error|warning): ", line)]
        if name != "MSVC" and done.returncode != 0 and not wrong:
            wrong = lines
        failed += bool(wrong)
        print("".join(f"{name}: {line}\n" for line in wrong[:20]), end="")
    passed = len(COMPILED) - failed - skipped
    print(f"compiled, not run: {passed} of {len(COMPILED)}")
    return passed, failed, skipped


def refusals(folder, daily):
    failed = skipped = 0
    asked = {name: of for name, of in REFUSED.items() if (of[0][0] == FOR_BOARDS) == daily}
    for name, (command, message) in asked.items():
        if names := missing(command):
            skipped += left_out(f"refusal: {name}", names)
            continue
        done = subprocess.run(board_command(folder, command, folder / "refused.o"), capture_output=True, text=True,
                              check=False)
        errors = re.findall(r"error: (.*)", done.stderr)
        if done.returncode == 0 or len(errors) != 1 or message not in errors[0]:
            failed += 1
            print(f"{name}: expected the one error '{message}', and the compiler says\n{done.stderr[:2000]}")
    passed = len(asked) - failed - skipped
    print(f"refused with one message: {passed} of {len(asked)}")
    return passed, failed, skipped


def text_of(test, out):
    found = re.search(rf"^\[ RUN      \] {re.escape(test)}\n(.*?)^\[", out, re.M | re.S)
    return found[1][:800] if found else ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("targets", nargs="*")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--daily", action="store_true")
    args = parser.parse_args()
    unknown = set(args.targets) - set(TARGETS)
    if unknown:
        parser.error(f"no such target: {', '.join(unknown)}; there are: {', '.join(TARGETS)}")
    wanted = args.targets or [name for name, of in TARGETS.items()
                              if args.daily == of["only daily"] or (args.daily and of["daily"])]
    folder = args.folder.resolve()
    (folder / "headers").mkdir(parents=True, exist_ok=True)
    (folder / "headers/gnu").mkdir(exist_ok=True)
    (folder / "headers/gnu/stubs-soft.h").touch()  # of a C library without floating point, which Debian does not have
    boost = folder / "headers/boost"  # alone: the rest of /usr/include is of another system
    if not boost.is_symlink():
        boost.symlink_to("/usr/include/boost")
    passed = failed = skipped = 0
    print(f"{'target':<18}{'golden log':>12}{'unit tests':>12}{'failed':>8}{'skipped':>9}{'seconds':>9}  toolchain",
          flush=True)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        def one(name):
            begin = time.monotonic()
            of = TARGETS[name]
            if names := missing(of["command"], of["run"]):
                return name, names, [], 0, [], [], 0
            build = Build(name, folder, pool)

            def tried(otherwise, part, *arguments):
                try:
                    return part(build, *arguments)
                except (Failed, OSError, ValueError) as error:
                    return otherwise(str(error))

            logs = []
            if args.daily == of["only daily"]:
                logs.append(golden)
            if args.daily and name == "WebAssembly":
                logs.append(wrong_texts)
            faults = [tried(lambda error: [error], log) for log in logs]
            right, wrong, omitted = tried(lambda error: (0, [error], []), unit_tests,
                                          of["daily"] if args.daily else of["tests"], args.daily)
            return name, [], faults, right, wrong, omitted, time.monotonic() - begin

        with concurrent.futures.ThreadPoolExecutor(len(TARGETS)) as targets:
            for name, names, faults, right, wrong, omitted, seconds in targets.map(one, wanted):
                if names:
                    skipped += left_out(name, names)
                    continue
                differs = sum(map(bool, faults))
                passed += len(faults) - differs + right
                failed += differs + len(wrong)
                skipped += len(omitted)
                log = "differs" if differs else "equal" if faults else "-"
                print(f"{name:<18}{log:>12}{right + len(wrong) or '-':>12}"
                      f"{len(wrong):>8}{len(omitted):>9}{seconds:>9.0f}  {TARGETS[name]['what']}", flush=True)
                for fault in [fault for of_log in faults for fault in of_log] + wrong:
                    print("  " + fault.replace("\n", "\n  "), flush=True)
                for test in omitted:
                    print(f"  skipped: {test}", flush=True)
    if not args.targets:
        for part in (boards, refusals) if args.daily else (boards, compiled_only, refusals):
            right, wrong, omitted = part(folder, args.daily)
            passed, failed, skipped = passed + right, failed + wrong, skipped + omitted
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return failed != 0 or passed == 0


if __name__ == "__main__":
    sys.exit(main())
