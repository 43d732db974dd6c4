# SPDX-License-Identifier: BSL-1.0
"""What drivers of the programs have in common. Their tests wait for servers and clocks more than they compute, so
several run at once: each has a server and files of its own."""
import concurrent.futures
import fnmatch
import os
import pathlib
import re
import resource
import signal
import time
import traceback

# A shell that starts this in the background, or nohup, ignores signals, and the programs would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
for ignored in signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM:
    signal.signal(ignored, signal.SIG_DFL)

AT_ONCE = 4
LIMIT = 600  # seconds: a program that hangs, however slow the machine
TESTS = []


def test(function):
    TESTS.append(function)
    return function


def expect(condition, what):
    if not condition:
        raise AssertionError(str(what))


def expect_equal(a, b, what):
    expect(a == b, f"{a} != {b}: {what}")


def environment(**more):
    """Neither proxies nor a wish for no colours."""
    env = {k: v for k, v in os.environ.items() if "proxy" not in k.lower() and k != "NO_COLOR"}
    return {**env, **more}


def limited(limit):
    """What subprocess.run takes as preexec_fn, for (one of resource.RLIMIT_..., its value) or None."""
    def set_limit():
        if limit:
            resource.setrlimit(limit[0], (limit[1], resource.getrlimit(limit[0])[1]))
    return set_limit


NO_THREADS = (resource.RLIMIT_STACK, 1 << 47)  # the stack of each thread would be as large as that


def documented_codes(page):
    """The table 'Exit codes' of a page of docs/how_to; the signals stand in one row."""
    text = (pathlib.Path(__file__).resolve().parents[2] / "docs" / "how_to" / page).read_text()
    table = text[text.index("## Exit codes"):]
    rows = re.findall(r"^\| (\d+) \| (.*) \|$", table, re.M)
    return {int(code) for code, _ in rows} | {int(code) for code in re.findall(r"\b1[2-4]\d\b", rows[-1][1])}


def outcome(function):
    """Whether a test passed, and its line."""
    name = function.__name__
    begin = time.monotonic()
    try:
        function()
    except Exception:  # whatever it is, it is a failure of this test and not the end of the others
        return False, f"FAIL {name}\n{traceback.format_exc()}"
    return True, f"ok   {name} ({time.monotonic() - begin:.2f} s)"


def run_all(pattern="*", left_out=()):
    """Runs the tests whose names match, and prints "N passed, N failed" last. The exit code."""
    chosen = [one for one in TESTS if fnmatch.fnmatchcase(one.__name__, pattern) and one.__name__ not in left_out]
    passed = 0
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        for one in concurrent.futures.as_completed([pool.submit(outcome, function) for function in chosen]):
            good, line = one.result()
            passed += good
            print(line, flush=True)
    print(f"{passed} passed, {len(chosen) - passed} failed")
    return 0 if chosen and passed == len(chosen) else 1
