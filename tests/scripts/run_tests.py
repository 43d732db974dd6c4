#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""The shell scripts where they are not at home: with CDPATH, in a folder that cannot be written, without permission to
install, interrupted, twice at once. run_tests.py [PATTERN]

Nothing is built: the tools are stand-ins that note how they were called. Prints "N passed, N failed" last.
"""
import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))
from program_tests import LIMIT, expect, expect_equal, run_all, test

BUILDING = ("examples/demo.sh", "examples/load.sh", "examples/adaptive.sh", "examples/observed.sh",
            "examples/soak.sh", "tests/run.sh")
ALL_SCRIPTS = BUILDING + ("benchmarks/run.sh", "docs/pictures/make.sh", "docs/packaging/build_debian.sh",
                          "tests/asio/run_on.sh")
TOOLS_OF_A_SYSTEM = ("sh", "dirname", "basename", "id", "mktemp", "rm", "mv", "mkdir", "cat", "chmod", "date", "sed",
                     "tail", "uname", "flock", "python3")


def executable(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)


class Tree:
    """A copy of the scripts, and a folder of tools."""

    def __init__(self, top):
        self.root = top / "tree"
        for name in ALL_SCRIPTS + ("tests/support/need.sh",):
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.root / name)
        self.tools = top / "tools"
        self.notes = top / "notes"
        self.gate = top / "gate"  # where the stand-in for ninja waits, if it is there
        for tool in TOOLS_OF_A_SYSTEM:
            if found := shutil.which(tool):
                self.tools.mkdir(exist_ok=True)
                (self.tools / tool).symlink_to(found)
        for tool in "g++", "pkg-config", "apt-cache", "nginx":
            executable(self.tools / tool, "exit 0\n")
        executable(self.tools / "apt-get", f'echo "apt-get $*" >>"{self.notes}"\n')
        # As Meson does, it leaves a mark: a folder without one is removed, also under a program that is about to
        # start.
        executable(self.tools / "meson", f'''echo "meson $*" >>"{self.notes}"
for word; do
  case $word in
    setup | -*) ;;
    *) mkdir -p "$word/meson-private" && : >"$word/meson-private/coredata.dat" && break ;;
  esac
done
''')
        program = top / "program"
        executable(program, f'echo "program $*" >>"{self.notes}"\n')
        executable(self.tools / "ninja", f'''echo "ninja $*" >>"{self.notes}"
if [ -p "{self.gate}" ]; then cat "{self.gate}" >>"{self.notes}"; fi
mkdir -p "$2/examples" && cat "{program}" >"$2/$3.new" && chmod +x "$2/$3.new" && mv "$2/$3.new" "$2/$3"
''')

    def start(self, name, *arguments, **env):
        return subprocess.Popen([str(self.tools / "sh"), name, *arguments], cwd=self.root, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
                                env={"PATH": str(self.tools), **env})

    def run(self, name, *arguments, **env):
        """Exit code, standard output and standard error."""
        process = self.start(name, *arguments, **env)
        out, err = process.communicate(timeout=LIMIT)
        return process.returncode, out, err

    def calls(self, tool):
        """How the stand-ins of that name were called."""
        text = self.notes.read_text() if self.notes.exists() else ""
        return [line for line in text.splitlines() if line.startswith(tool + " ")]


@contextlib.contextmanager
def tree():
    with tempfile.TemporaryDirectory() as folder:
        yield Tree(pathlib.Path(folder))


@test
def no_script_goes_where_cdpath_leads():
    for name in ALL_SCRIPTS:
        for line in (ROOT / name).read_text().splitlines():
            if "dirname" in line and "cd " in line:
                expect("CDPATH='' cd -- " in line, f"{name}: {line}")
    with tree() as here:
        elsewhere = here.root.parent / "elsewhere"
        executable(elsewhere / "tests/support/need.sh", "echo another tree; exit 9\n")
        (elsewhere / "examples").mkdir()
        run = here.run("examples/demo.sh", "3", CDPATH=str(elsewhere))
        expect(run[0] == 0 and "another tree" not in run[1], run)
        expect_equal(here.calls("program"), ["program --demo 3"], run)


@test
def a_folder_elsewhere_takes_the_build():
    with tree() as here:
        build = here.root.parent / "build elsewhere"
        expect_equal(here.run("examples/demo.sh", ANEW_BUILD=str(build))[0], 0, "the exit code")
        expect((build / "demo/examples/anew-get").exists() and not (here.root / "build").exists(), "the build")


@test
def a_folder_that_cannot_be_written_is_named():
    with tree() as here:
        (here.root / "build").write_text("a file where the folder would be\n")
        for name in BUILDING[:-1]:
            code, _, err = here.run(name)
            expect(code == 2 and err.startswith("cannot write into 'build'; set ANEW_BUILD") and err.count("\n") == 1,
                   (name, code, err))
        expect_equal(here.calls("ninja"), [], "something was built")
    with tree() as here:
        executable(here.root / "tests/support/need.sh",
                   (ROOT / "tests/support/need.sh").read_text() + "\nneed_all() { :; }\n")
        (here.root / "build").write_text("a file\n")
        code, out, err = here.run("tests/run.sh")
        expect(code == 2 and err.startswith("cannot write into 'build/logs'") and err.count("\n") == 1,
               (code, out, err))


@test
def nothing_is_installed_without_permission():
    with tree() as here:
        (here.tools / "meson").unlink()
        (here.tools / "g++").unlink()
        code, out, _ = here.run("examples/demo.sh", ANEW_NO_INSTALL="1")
        expect_equal(code, 2, out)
        expect("the program meson" in out and "ANEW_NO_INSTALL is set, so nothing is installed" in out, out)
        packages = out.splitlines()[-1]
        expect(packages.startswith("  apt-get install ") and " g++ " in packages and " meson" in packages, out)
        expect_equal(here.calls("apt-get"), [], out)


@test
def a_second_run_waits_for_the_first():
    with tree() as here:
        os.mkfifo(here.gate)
        first = here.start("examples/demo.sh")
        gate = os.open(here.gate, os.O_WRONLY)  # opened when the first has come so far
        second = here.start("examples/demo.sh")
        expect("another run works here" in second.stderr.readline(), "the second says nothing")
        expect_equal(len(here.calls("ninja")), 1, "both build")
        here.gate.unlink()
        os.close(gate)
        for process in first, second:
            process.communicate(timeout=LIMIT)
            expect_equal(process.returncode, 0, "the exit code")
        expect_equal(len(here.calls("program")), 2, "the demonstrations")


@test
def an_interruption_ends_a_run_and_not_the_next():
    with tree() as here:
        os.mkfifo(here.gate)
        process = here.start("examples/demo.sh")
        gate = os.open(here.gate, os.O_WRONLY)
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=LIMIT)
        os.close(gate)
        expect(process.returncode == 130 and "failed" not in err, (process.returncode, err))
        here.gate.unlink()
        expect_equal(here.run("examples/demo.sh")[0], 0, "the next run")


if __name__ == "__main__":
    sys.exit(run_all(*sys.argv[1:2]))
