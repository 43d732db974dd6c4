#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Counts what `meson test` ran in a build directory; GoogleTest programs count by their cases.

    summarize.py BUILD_DIR           one line per suite, then "PASSED FAILED SKIPPED"
    summarize.py --built BUILD_DIR   the names of the tests whose programs are there
    summarize.py --skipped BUILD_DIR the names of the tests that were left out, and what they said is missing
"""
import collections
import json
import pathlib
import re
import sys
import xml.etree.ElementTree


def cases_by_test(junit):
    """Name of a test -> [passed, failed, skipped] of its cases."""
    counts = collections.defaultdict(lambda: [0, 0, 0])
    if not junit.exists():
        return counts
    for suite in xml.etree.ElementTree.parse(junit).getroot().iter("testsuite"):
        name = suite.get("name", "")
        if "." not in name:
            continue  # Meson's own suite: one case per program
        test = name.split(".", 1)[1]
        for case in suite.iter("testcase"):
            failed = case.find("failure") is not None or case.find("error") is not None
            skipped = case.find("skipped") is not None or case.get("status") == "notrun"
            counts[test][1 if failed else 2 if skipped else 0] += 1
    return counts


def print_built(build):
    for test in json.loads((build / "meson-info/intro-tests.json").read_text(encoding="utf-8")):
        words = [pathlib.Path(word) for word in test["cmd"]]
        ours = [word for word in words if build.resolve() in word.parents and word.suffix not in (".json", ".xml")]
        if all(word.exists() for word in ours):
            print(test["name"])


def results(build):
    """(name, [passed, failed, skipped], seconds, what is missing if it was left out) of each test."""
    logs = build / "meson-logs"
    cases = cases_by_test(logs / "testlog.junit.xml")
    for line in (logs / "testlog.json").read_text(encoding="utf-8").splitlines():
        test = json.loads(line)
        name, result, stdout = test["name"], test["result"], (test.get("stdout") or "").rstrip()
        mine = [0, 0, 0]
        # A script that counts for itself says so in its last line.
        said = re.search(r"^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\Z", stdout, re.M)
        if said:
            mine = [int(n or 0) for n in said.groups()]
        for junit_name, counts in cases.items():
            if junit_name == name or junit_name.startswith(name + "."):
                mine = [a + b for a, b in zip(mine, counts)]
        if result in ("OK", "EXPECTEDFAIL"):
            if mine == [0, 0, 0]:
                mine[0] = 1
        elif result in ("SKIP", "IGNORED"):
            mine = [0, 0, 1]
        elif mine[1] == 0:
            mine[1] = 1  # the program itself failed: a crash, a time-out
        missing = None
        if result == "SKIP":
            missing = (re.findall(r"^skipped: (.*)", stdout, re.M) or [stdout.rpartition("\n")[2]])[-1]
        yield name, mine, test["duration"], missing


def main():
    build = pathlib.Path(sys.argv[-1])
    if sys.argv[1] == "--built":
        print_built(build)
        return
    if sys.argv[1] == "--skipped":
        for name, _, _, missing in results(build):
            if missing is not None:
                print(f"{name.rpartition(' / ')[2]}: {missing}")
        return
    suites = collections.defaultdict(lambda: [0, 0, 0, 0.0])
    for name, mine, seconds, _ in results(build):
        suite = name.split(" / ")[0].split(":")[-1]
        for i in range(3):
            suites[suite][i] += mine[i]
        suites[suite][3] += seconds
    total = [sum(s[i] for s in suites.values()) for i in range(3)]
    for suite, (passed, failed, skipped, seconds) in suites.items():
        print(f"  {suite:<20} {passed:5} passed {failed:3} failed {skipped:3} skipped {seconds:8.1f} s")
    print(*total)


if __name__ == "__main__":
    main()
