#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Checks that each policy is tested by every test of all policies: it is in the test's list, or it is the example of a
word in a vocabulary that the test names (tests/support/examples.hpp), or it is listed here with a reason.

    check_catalogue.py SOURCE_ROOT
"""
import pathlib
import re
import sys

sys.dont_write_bytecode = True

LIBRARY = "needs a library that may not be there"
OF_LIBRARIES = {f"anew/{room}/": LIBRARY for room in ("bridges/beast", "bridges/boost_system", "bridges/curl",
                                                      "bridges/redis", "text/json")}
OF_LIBRARIES["anew/bridges/ranges/schedule.hpp"] = "needs range-v3"
OF_LIBRARIES["anew/policies/observer/prometheus_metrics.hpp"] = "needs prometheus-cpp"
OF_LIBRARIES["anew/policies/observer/usdt.hpp"] = "needs sys/sdt.h"
HEADER_OF = {"limit": "limits", "deadline": "limits", "striped": "gate"}  # words in headers of other names
WITHOUT_EXAMPLES = ("classifier", "hedge")
# (the files, the roles that they ask about, what stands elsewhere and why)
LISTS = [
    (["tests/laws/neighbours.test.cpp"], (), OF_LIBRARIES | {
        "anew/policies/backoff/nested.hpp": "made of backoffs: it has no default",
        "anew/policies/limits/max_attempts_by_kind.hpp": "made of limits: it has no default",
        "anew/policies/observer/timeline.hpp": "made of a sink: it has no default",
        "anew/presets/step_functions/": "made of a list: it has no default",
        "anew/bridges/process/": "opened by its name: it has no default",
        "anew/run_time/virtual/": "made by a view: it has no default",
    }),
    (["tests/laws/kit.test.cpp", "tests/laws/pacers.test.cpp", "tests/laws/attempt_timeouts.test.cpp"],
     ("backoff", "jitter", "quota", "gate", "pacer", "hint", "deadline", "attempt_timeout", "max_attempts", "reset",
      "clock", "random_source"), {
        "anew/bridges/ranges/schedule.hpp": "needs range-v3: tests/unit/schedule asks for the laws",
        "anew/bridges/redis/": "needs a server",
        "anew/policies/hint/clamped.hpp": "may shorten the wait, which the law forbids every other hint",
    }),
]


def examples_in(root, text):
    """What the headers of words say, of the roles whose vocabularies a test names."""
    named = set(re.findall(r"\b(\w+)_words\b", text))
    words = sorted((root / "include/anew/text/words").glob("*.hpp"))
    found = "".join(path.read_text(encoding="utf-8") for path in words
                    if path.stem in named | {HEADER_OF.get(name) for name in named}
                    or "all" in named and path.stem not in WITHOUT_EXAMPLES)
    return re.sub(r"(?<![:\w])(\w+)(?=[<>,;])", r"anew::\1", found)


def missing(policy, listed):
    """The room is a part of the name, where two rooms have a policy of one name."""
    room = "process::" if "/process/" in policy["header"] else r"(?:(?!process)\w+::)?"
    return not re.search(rf"\b(?:anew::{room}|using anew::){policy['name']}\b", listed)


def main():
    root = pathlib.Path(sys.argv[1])
    sys.path.insert(0, str(root / "tests/docs"))
    import policies  # noqa: E402: it knows what a policy is
    found = [policy for path in sorted((root / "include/anew").rglob("*.hpp"))
             if not path.relative_to(root / "include").as_posix().startswith(policies.LEFT_OUT)
             for policy, _ in policies.policies_in(root, path)]
    errors = []
    for files, roles, elsewhere in LISTS:
        listed = "".join((root / name).read_text(encoding="utf-8") for name in files)
        listed += examples_in(root, listed)
        errors += [f"{policy['header']}: {policy['name']} is in no list of {' or '.join(files)}"
                   for policy in found if (not roles or policy["role"] in roles)
                   and not policy["header"].startswith(tuple(elsewhere)) and missing(policy, listed)]
        errors += [f"nothing begins with {name}, which needs no {files[0]}" for name in elsewhere
                   if not any(policy["header"].startswith(name) for policy in found)]
    for error in errors:
        print("catalogue:", error)
    print(f"{len(found)} policies in {len(LISTS)} lists, {len(errors)} errors")
    return 1 if errors or len(found) < 80 else 0


if __name__ == "__main__":
    sys.exit(main())
