#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Every policy of the headers stands in the lists of neighbours.test.cpp, or here with the reason why it cannot.

    check_neighbours.py SOURCE_ROOT
"""
import pathlib
import re
import sys

sys.dont_write_bytecode = True
ELSEWHERE = {
    "anew/backoff/nested.hpp": "made of backoffs: it has no default",
    "anew/max_attempts/attempts_by_kind.hpp": "made of limits: it has no default",
    "anew/beast/": "needs a library that may not be there",
    "anew/boost_system/": "needs a library that may not be there",
    "anew/curl/": "needs a library that may not be there",
    "anew/json/": "needs a library that may not be there",
    "anew/redis/": "needs a library that may not be there",
    "anew/observer/timeline.hpp": "made of a sink: it has no default",
    "anew/compose/schedule.hpp": "needs range-v3",
    "anew/preset/step_functions/": "made of a list: it has no default",
    "anew/process/": "opened by its name: it has no default",
    "anew/virtual/": "made by a view: it has no default",
}


def main():
    root = pathlib.Path(sys.argv[1])
    sys.path.insert(0, str(root / "tests/docs"))
    import policies  # noqa: E402: it knows what a policy is
    listed = (root / "tests/laws/neighbours.test.cpp").read_text(encoding="utf-8")
    errors, count = [], 0
    for path in sorted((root / "include/anew").rglob("*.hpp")):
        header = path.relative_to(root / "include").as_posix()
        if header.startswith((*policies.LEFT_OUT, *ELSEWHERE)):
            continue
        for policy, _ in policies.policies_in(root, path):
            count += 1
            if not re.search(r"\banew::(?:\w+::)?" + policy["name"] + r"\b", listed):
                errors.append(f"{header}: {policy['name']} is not in the lists of tests/laws/neighbours.test.cpp")
    for error in errors:
        print("neighbours:", error)
    print(f"{count} policies, {len(errors)} errors")
    return 1 if errors or count < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
