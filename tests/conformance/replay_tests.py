#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Tests of anew-replay itself: that it passes what is right, fails what is not, and says so.

    replay_tests.py ANEW_REPLAY VECTORS [-k PATTERN]

Cases of its own come from simulators that share nothing with the library; their random numbers have fixed seeds.
"""
import copy
import json
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM = ""
VECTORS = pathlib.Path()
FILES = {"standard": "standard_cases.json", "backoff": "backoff_cases.json", "cubic": "adaptive_cubic.json",
         "rate": "adaptive_rate.json", "config": "config_cases.json",
         "codes": "error_codes.json"}
TOTALS = re.compile(r"(\d+) passed, (\d+) failed, (\d+) skipped")


class Run:
    """One run of the program. What it must not look at is in its environment."""

    def __init__(self, *arguments):
        env = {**os.environ, "AWS_RETRY_MODE": "nonsense", "AWS_MAX_ATTEMPTS": "-7", "AWS_PROFILE": "nobody",
               "AWS_CONFIG_FILE": "/dev/null/nothing"}
        run = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, timeout=120, env=env, check=False)
        self.code, self.out, self.err = run.returncode, run.stdout.decode(), run.stderr.decode()
        self.lines = self.out.splitlines()

    def totals(self):
        return tuple(map(int, TOTALS.fullmatch(self.lines[-1]).groups()))

    def of(self, word):
        """The ids, or "id: rest", of the lines that begin with this word."""
        return [line[len(word) + 1:] for line in self.lines[:-1] if line.startswith(word + " ")]

    def __str__(self):
        return f"exit code {self.code}\n-- stdout\n{self.out}\n-- stderr\n{self.err}"


class ReplayTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def replay(self, mode, content, name="cases.json"):
        path = self.folder / name
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return Run(mode, path)

    def passes(self, mode, content, cases):
        run = self.replay(mode, content)
        self.assertEqual((run.code, run.totals()), (0, (cases, 0, 0)), run)

    def fails_only(self, mode, content, id_of_case, *words):
        """All cases but one pass, and the line of that one has these words."""
        run = self.replay(mode, content)
        self.assertEqual(run.code, 1, run)
        failed = run.of("FAIL")
        self.assertEqual([line.split(": ", 1)[0] for line in failed], [id_of_case], run)
        self.assertRegex(failed[0], r": expected .+ got .+")
        for word in words:
            self.assertIn(word, failed[0])

    def is_refused(self, mode, content, *words):
        """The file cannot be replayed: exit code 2, and a message that names it."""
        run = self.replay(mode, content, "broken.json")
        self.assertEqual((run.code, run.totals()), (2, (0, 0, 0)), run)
        self.assertTrue(run.err.startswith(f"anew-replay: {self.folder / 'broken.json'}: "), run)
        for word in words:
            self.assertIn(word, run.err)


def shipped(mode):
    return json.loads((VECTORS / FILES[mode]).read_text(encoding="utf-8"))


# --- what the program prints, and when it refuses

class TheProgram(ReplayTest):
    def test_shipped_files_pass(self):
        for mode, name in FILES.items():
            with self.subTest(mode):
                run = Run(mode, VECTORS / name)
                self.assertEqual(run.code, 0, run)
                passed, failed, skipped = run.totals()
                self.assertEqual((len(run.of("ok")), failed, len(run.of("skip"))), (passed, 0, skipped), run)
                self.assertEqual(len(run.lines), passed + skipped + 1, run)
                self.assertGreater(passed, 0)

    def test_every_standard_case_is_replayed(self):
        ids = [case["id"] for case in shipped("standard")["cases"]]
        self.assertEqual(Run("standard", VECTORS / FILES["standard"]).of("ok"), ids)

    def test_what_is_skipped_is_what_no_number_stands_for(self):
        skipped = {mode: {line.split(": ")[0] for line in Run(mode, VECTORS / name).of("skip")}
                   for mode, name in FILES.items()}
        # A misspelt name of a setting, which a compiler refuses.
        self.assertEqual(skipped, {mode: {"explicit-unknown-key"} if mode == "config" else set() for mode in FILES})

    def test_what_is_not_replayed_is_told_with_its_line(self):
        text = (VECTORS / FILES["config"]).read_text(encoding="utf-8")
        line = text[:text.index('"modes"')].count("\n") + 1
        self.assertIn(f"skip explicit-unknown-key: {VECTORS / FILES['config']}:{line}: 'modes' is ",
                      Run("config", VECTORS / FILES["config"]).out)
        path = self.folder / "cases.json"
        sets = {"a": [1, {"b": "}\\"}], "sets": [{"id": "x"}, {"id": "mine", "deep": [{"wat": 1}]}]}
        windows = {"time_windows": [{"last_max_rate": 0, "expected": 0}, {"id": "mine", "wat": 1}]}
        # A word is named by its own line; without one the object that begins above its id.
        for mode, file, word, above in (("backoff", sets, '"mine"', 1), ("cubic", windows, '"wat"', 0)):
            written = json.dumps(file, indent=1)
            path.write_text(written, encoding="utf-8")
            line = written[:written.index(word)].count("\n") + 1 - above
            self.assertRegex(Run(mode, path).out, rf"(skip|FAIL) mine: .*{re.escape(str(path))}:{line}: ")

    def test_the_words_of_others(self):
        first = {"id": "a", "setup": "enabled, fill 20, capacity 0", "acquire_at": 0, "wait_s": 0.05}
        same = {"id": "b", "setup": "same", "acquire_at": 1, "expected": "granted", "capacity_between": [6, 20]}
        own = {"id": "c", "setup": [{"t": 0, "fill_rate": 10}, {"t": 0.05, "fill_rate": 5}], "acquire_at": 0.05,
               "wait_s": 0.1}
        rows = [{"t": 1.0, "measured": 0.8}, {"t": 11.0, "measured": 0.24}]
        gap = {"id": "d", "start": 0, "rows": rows, "published": {"last_between": [0.2, 0.3]}}
        self.passes("rate", {"acquire": [first, same, own], "measured_rate": [gap]}, 4)
        self.fails_only("rate", {"acquire": [same]}, "b", "cases.json:1: 'same' is the setup of the entry before")
        self.fails_only("rate", {"acquire": [{"id": "e", "wait_s": 1}]}, "e", "'setup' is missing")
        for bounds in ([0, 0.2], [20, 30], [20, 0], [0], 7):
            self.fails_only("rate", {"acquire": [first, same | {"capacity_between": bounds}]}, "b", "capacity_between")
            other = gap | {"published": {"last_between": bounds}}
            self.fails_only("rate", {"measured_rate": [other]}, "d", "last_between")
        # Another situation before it: `same` is that one.
        self.fails_only("rate", {"acquire": [own, same]}, "b", "capacity_between")
        unknown = {"id": "f", "setup": "somewhere"}
        run = self.replay("rate", {"acquire": [unknown, same]})
        self.assertEqual((run.code, run.totals(), len(run.of("skip"))), (0, (0, 0, 2), 2), run)
        self.assertIn("cases.json:1: ", run.of("skip")[0])

    def test_each_altered_observation_is_found(self):
        for case in shipped("config")["cases"]:
            if case["expected"] is not None or case["id"] == "explicit-unknown-key":
                continue
            seen = case["observed"]["botocore"]
            changes = [{"error": "InvalidRetryModeError"}]
            if "mode" in seen:
                changes = [{"mode": "adaptive"}, {"max_attempts": 99}, {"invented": 1}]
                if seen["mode"] != "legacy" or seen["max_attempts"] is not None:
                    changes.append({"attempts_made_on_500": 99})
            for change in changes:
                altered = {**case, "observed": {"botocore": {**seen, **change}}}
                with self.subTest(case=case["id"], change=change):
                    self.fails_only("config", {"cases": [altered]}, case["id"])
        row = shipped("codes")
        row["statuses"]["5xx"]["spec2026"] = "transient"
        self.fails_only("codes", row, "status 5xx", " with 501")
        row["statuses"] = {"5x": {}, "abc": {}}
        self.assertEqual(self.replay("codes", row).totals()[1], 2)
        for place in range(8):
            file = shipped("cubic")
            file["mixed_post_beta_variant"]["rows"][place]["expected"] += 1e-6
            self.fails_only("cubic", file, "mixed_post_beta_variant")
        file = shipped("rate")
        raised = next(one for one in file["acquire"] if one["id"] == "rate-raised-while-waiting")
        for change in ({"ruby": "the waiter is woken"}, {"acquire_at": 1}):
            self.fails_only("rate", {"acquire": [raised | change]}, raised["id"])

    def test_each_altered_formula_is_found(self):
        file = shipped("backoff")
        keys = {"base_ms", "factor", "cap_ms", "jitter", "first_index", "expected"}
        for place, one in enumerate(file["sets"]):
            if keys <= set(one):
                continue
            for at, delay in enumerate(one["expected"]):
                altered = copy.deepcopy(file)
                row = altered["sets"][place]["expected"]
                if one["id"] == "waiter-example-table":
                    row[at][0] = 700
                elif isinstance(delay, list):
                    row[at][1] += 1
                else:
                    row[at] += 1
                with self.subTest(set=one["id"], delay=at):
                    self.fails_only("backoff", altered, one["id"])

    def test_each_altered_situation_is_found(self):
        for mode, key in (("rate", "acquire"), ("cubic", "throttle")):
            for place, one in enumerate(shipped(mode)[key]):
                for name, value in one.items():
                    if not isinstance(value, (int, float)) or name in ("acquire_at", "count", "tries"):
                        continue
                    file = shipped(mode)
                    file[key][place][name] = value + 0.25
                    with self.subTest(mode=mode, place=place, name=name):
                        self.fails_only(mode, file, one.get("id", f"{key}[{place}]"))
        file = shipped("cubic")
        file["throttle_first_event"]["rows"][2]["expected"] += 1e-6
        self.fails_only("cubic", file, "throttle_first_event")
        file = shipped("rate")
        file["end_to_end"]["rows"][5]["derived"]["calculated_rate"] = 1000
        self.fails_only("rate", file, "end_to_end", "calculated_rate")
        file = shipped("rate")
        file["measured_rate"][1]["published"]["last"] += 1e-3
        self.fails_only("rate", file, "five-inside-bucket-then-roll", "last")

    def test_each_altered_code_is_found(self):
        file = shipped("codes")
        for group, mark in (("codes", "code "), ("statuses", "status ")):
            for name, row in file[group].items():
                if name == "5xx":
                    continue
                altered = copy.deepcopy(file)
                altered[group][name]["spec2026"] = "transient" if row.get("spec2026") != "transient" else "throttling"
                with self.subTest(name):
                    self.fails_only("codes", altered, mark + name)
        for status in file["statuses"]:
            if status != "5xx":
                altered = copy.deepcopy(file)
                altered["statuses"][status]["older_sdkref_text"] = (
                    "throttling" if file["statuses"][status].get("older_sdkref_text") == "transient" else "transient"
                    if status not in ("502", "503") else "final")
                with self.subTest(status=status):
                    self.fails_only("codes", altered, "status " + status)
        for name in ("throttling_codes_2026", "transient_codes_2026"):
            altered = copy.deepcopy(file)
            altered[name].append("NoSuchKey")
            self.fails_only("codes", altered, name, "NoSuchKey")

    def test_several_files_are_one_run(self):
        once = Run("cubic", VECTORS / FILES["cubic"])
        twice = Run("cubic", VECTORS / FILES["cubic"], VECTORS / FILES["cubic"])
        self.assertEqual(twice.totals(), tuple(2 * n for n in once.totals()))
        self.assertEqual(sum(1 for line in twice.lines if TOTALS.fullmatch(line)), 1)

    def test_wrong_commands(self):
        for arguments in ([], ["standard"], ["adaptive", VECTORS / FILES["rate"]], ["--standard", "x"]):
            run = Run(*arguments)
            self.assertEqual((run.code, run.out), (2, ""), run)
            self.assertIn("usage: anew-replay standard|backoff|cubic|rate|config|codes FILE...", run.err)
        self.assertEqual(Run("--help").code, 0)

    def test_a_file_that_is_not_there_stops_no_other(self):
        run = Run("cubic", self.folder / "nowhere.json", VECTORS / FILES["cubic"])
        self.assertEqual(run.code, 2, run)
        self.assertIn(f"anew-replay: {self.folder / 'nowhere.json'}: ", run.err)
        self.assertEqual(run.totals()[1], 0)
        self.assertGreater(run.totals()[0], 0)

    def test_a_folder_is_no_file(self):
        run = Run("cubic", self.folder)
        self.assertEqual(run.code, 2, run)
        self.assertIn(f"anew-replay: {self.folder}: ", run.err)

    def test_files_of_another_layout_are_refused(self):
        for mode in FILES:
            with self.subTest(mode):
                self.is_refused(mode, "")
                self.is_refused(mode, '{"cases": [')
                self.is_refused(mode, "[]")
                self.is_refused(mode, "7")
                self.is_refused(mode, {})
        self.is_refused("standard", {"cases": [], "profiles": {}}, "no case")
        self.is_refused("standard", {"cases": [{}]}, "'profiles'")
        self.is_refused("standard", {"cases": {}, "profiles": {}}, "'cases'")
        self.is_refused("backoff", {"sets": []}, "no case")
        self.is_refused("backoff", {"sets": 3}, "'sets'")
        self.is_refused("config", {"cases": []}, "no case")
        self.is_refused("codes", {"codes": {}}, "no case")
        self.is_refused("cubic", {"time_windows": []}, "no case")
        self.is_refused("cubic", {"time_windows": 1}, "'time_windows'")
        self.is_refused("rate", {"measured_rate": [], "set_rate": []}, "no case")
        self.is_refused("rate", {"title": "rates"}, "no case")

    def test_a_case_that_makes_no_sense_fails_alone(self):
        for mode, key in (("standard", "cases"), ("backoff", "sets"), ("config", "cases")):
            for nonsense in (7, [], "case"):
                with self.subTest(mode=mode, nonsense=nonsense):
                    file = shipped(mode)
                    place = len(file[key])
                    file[key].append(nonsense)
                    self.fails_only(mode, file, f"{key}[{place}]")

    # What other programs did, what is handed on to the library as it is, and remarks.
    FREE = {"observed", "agrees", "env", "notes", "sources", "source"}

    @classmethod
    def with_an_invented_member(cls, value, name="invented"):
        """The value once for each of its objects, in which that one has a member more."""
        if isinstance(value, list):
            for place, one in enumerate(value):
                for other in cls.with_an_invented_member(one, name):
                    yield value[:place] + [other] + value[place + 1:]
        elif isinstance(value, dict):
            yield {**value, name: 5}
            for key, one in value.items():
                if key not in cls.FREE:
                    for other in cls.with_an_invented_member(one, name):
                        yield {**value, key: other}

    def test_a_key_that_is_not_known_fails_the_case(self):
        names = ("invented", "other_file", "system_property")  # each object has a member more of one of them, in turn
        for mode, key in (("standard", "cases"), ("backoff", "sets"), ("config", "cases"), ("cubic", "time_windows"),
                          ("cubic", "throttle"), ("rate", "measured_rate"), ("rate", "set_rate"), ("rate", "acquire")):
            file = shipped(mode)
            skipped = {line.split(": ")[0] for line in Run(mode, VECTORS / FILES[mode]).of("skip")}
            cases = [case for case in file[key] if case.get("id") not in skipped]
            altered = {}
            for place, case in enumerate(cases):
                for n, others in enumerate(zip(*(self.with_an_invented_member(case, name) for name in names))):
                    at = (place + n) % len(names)
                    altered[f"{place}-{n}"] = names[at], others[at]
            file = {k: v for k, v in file.items() if k == "profiles"} | {
                key: [{**other, "id": of} for of, (_, other) in altered.items()]}
            run = self.replay(mode, file)
            with self.subTest(mode=mode, key=key):
                self.assertEqual((run.code, run.totals()), (1, (0, len(altered), 0)), run)
                for line in run.of("FAIL"):
                    self.assertIn(f"'{altered[line.split(': ')[0]][0]}'", line)
        for case in shipped("config")["cases"]:
            if case["expected"] is None:
                self.fails_only("config", {"cases": [{**case, "invented": 5}]}, case["id"], "'invented'")
        for mode, sections in (("cubic", ("success", "mixed", "throttle_first_event")), ("rate", ("end_to_end",))):
            for section in sections:
                for other in self.with_an_invented_member(shipped(mode)[section]):
                    with self.subTest(mode=mode, section=section):
                        self.fails_only(mode, {section: other}, section, "'invented'")

    def test_constants_that_are_not_the_librarys_fail(self):
        for mode in ("cubic", "rate"):
            for change in ({"measure_bucket_s": 1}, {"send_token_cost": 2}, {"rate_growth_limit": "3*measured"},
                           {"initial": {"fill_rate": 1}}, {"betta": 0.7}):
                file = shipped(mode)
                file["constants"] = {**file["constants"], **change}
                run = self.replay(mode, file)
                with self.subTest(mode=mode, change=change):
                    self.assertEqual((run.code, run.totals()[0]), (1, 0), run)

    def test_a_case_is_one_line(self):
        file = shipped("backoff")
        file["sets"] = [{**file["sets"][0], "id": "two\nlines", "factor": "three\r\nlines"}]
        self.assertEqual(len(self.replay("backoff", file).lines), 2)


# --- standard

def simulate(numbers, responses):
    """Steps with what must come of them. numbers: a profile and all that may be given; responses: steps without it."""
    balance, calls, steps = numbers.get("initial_quota", numbers["capacity"]), {}, []
    for one in responses:
        attempts, paid = calls.get(one["call"], (1, None))
        kind = one.get("kind") or ("success" if one["status"] < 300 else
                                   "throttling" if one.get("code") in ("Throttling", "SlowDown") else
                                   "transient" if one["status"] in (500, 502, 503, 504) or one.get("code") else
                                   "final")
        outcome, delay = None, None
        if kind == "success":
            outcome = "success"
            balance = min(numbers["capacity"], balance + (paid or numbers["no_retry_increment"]))
        elif kind == "final":
            outcome = "fail"
        elif attempts >= numbers["max_attempts"]:
            outcome = "max_attempts"
        else:
            base = numbers["base_throttling_ms" if kind == "throttling" else "base_transient_ms"]
            grown, cap, u = base * numbers["factor"] ** (attempts - 1), numbers["max_backoff_ms"], numbers["jitter"]
            wait = u * min(cap, grown) if numbers["jitter_order"] == "cap_then_jitter" else min(cap, u * grown)
            if "headers" in one and numbers["retry_after_overshoot_ms"] is not None:
                asked = float(one["headers"]["x-amz-retry-after"])
                wait = min(max(asked, wait), wait + numbers["retry_after_overshoot_ms"])
            cost = numbers["cost_" + kind]
            if balance < cost:
                outcome, delay = "quota", wait if numbers["long_poll"] else None
            else:
                balance, outcome, delay, paid = balance - cost, "retry", wait, cost
        calls[one["call"]] = (attempts + 1, paid)
        if outcome != "retry":
            del calls[one["call"]]
        steps.append({**one, "outcome": outcome, "quota": balance, "delay_ms": delay})
    return steps


PLAIN = {"base_transient_ms": 50, "base_throttling_ms": 1000, "max_backoff_ms": 20000, "factor": 2,
         "cost_transient": 14, "cost_throttling": 5, "cost_timeout": 14, "no_retry_increment": 1, "capacity": 500,
         "max_attempts": 3, "retry_after_overshoot_ms": 5000, "jitter_order": "cap_then_jitter"}


def random_case(rng, number, profiles):
    numbers = {
        "base_transient_ms": rng.choice([0, 1, 25, 50, 0.5, 12.25, 700]),
        "base_throttling_ms": rng.choice([0, 3, 500, 1000, 90000]),
        "max_backoff_ms": rng.choice([0, 60, 200, 20000, 33333.5]),
        "factor": rng.choice([1, 1.1, 1.5, 2, 2.5, 3, 10]),
        "cost_transient": rng.randint(1, 20), "cost_throttling": rng.randint(1, 30),
        "cost_timeout": rng.randint(0, 30), "no_retry_increment": rng.choice([0, 1, 2, 7]),
        "capacity": rng.choice([0, 20, 100, 500]), "max_attempts": rng.randint(1, 12),
        "retry_after_overshoot_ms": rng.choice([None, 0, 100, 5000]),
        "jitter_order": rng.choice(["cap_then_jitter", "jitter_then_cap"]),
        "jitter": rng.choice([0, 0.25, 0.5, 0.9, 1.0, 1]), "long_poll": rng.random() < 0.3,
    }
    numbers["initial_quota"] = rng.randint(0, numbers["capacity"])
    responses = []
    for _ in range(rng.randint(1, 40)):
        one = {"call": rng.randint(1, 3)}
        one |= rng.choice([{"status": 200}, {"status": 204}, {"status": 500}, {"status": 502}, {"status": 503},
                           {"status": 504}, {"status": 404}, {"status": 429}, {"status": 400, "code": "Throttling"},
                           {"status": 503, "code": "SlowDown"}, {"status": 400, "code": "RequestTimeout"},
                           {"kind": "transient"}, {"kind": "throttling"}, {"kind": "timeout"}, {"kind": "success"}])
        if not numbers["long_poll"] and rng.random() < 0.2:
            one["headers"] = {"x-amz-retry-after": str(rng.choice([0, 7, 1500, 10000]))}
        responses.append(one)
    # Anything may be given in the place of what the profile says.
    given = {k: v for k, v in numbers.items() if k not in PLAIN or rng.random() < 0.5}
    profiles[f"p{number}"] = {k: PLAIN[k] if k in given else v for k, v in numbers.items() if k in PLAIN}
    return {"id": f"random-{number}", "profile": f"p{number}", "given": given, "steps": simulate(numbers, responses)}


class Standard(ReplayTest):
    def one(self, responses, **given):
        numbers = {**PLAIN, "jitter": 1.0, "long_poll": False, **given}
        return {"profiles": {"plain": PLAIN},
                "cases": [{"id": "mine", "profile": "plain", "given": given, "steps": simulate(numbers, responses)}]}

    def test_random_cases(self):
        rng, profiles = random.Random(20261121), {}
        cases = [random_case(rng, n, profiles) for n in range(400)]
        self.passes("standard", {"profiles": profiles, "cases": cases}, 400)

    def test_each_altered_answer_is_found(self):
        rng, profiles = random.Random(7), {}
        cases = [random_case(rng, n, profiles) for n in range(5)]
        for number, case in enumerate(cases):
            for place in range(len(case["steps"])):
                for name, other in (("quota", lambda q: q + 1), ("delay_ms", lambda d: (d or 0) + 0.001),
                                    ("outcome", lambda o: "fail" if o != "fail" else "retry")):
                    altered = copy.deepcopy(cases)
                    step = altered[number]["steps"][place]
                    step[name] = other(step[name])
                    with self.subTest(case=number, step=place, name=name):
                        self.fails_only("standard", {"profiles": profiles, "cases": altered}, case["id"],
                                        f"at step {place + 1} ")

    def test_each_number_of_a_profile_counts(self):
        responses = ([{"call": 1, "status": 500}, {"call": 1, "status": 400, "code": "Throttling"},
                      {"call": 1, "kind": "timeout"}, {"call": 1, "status": 500}, {"call": 1, "status": 500},
                      {"call": 1, "status": 200}, {"call": 2, "status": 200}]
                     + [{"call": 3, "status": 500, "headers": {"x-amz-retry-after": "99999"}}] * 2)
        right = self.one(responses, max_attempts=6, max_backoff_ms=410, capacity=460, initial_quota=460, jitter=0.5,
                         no_retry_increment=3, base_throttling_ms=200)
        self.passes("standard", right, 1)
        for name in ("base_transient_ms", "base_throttling_ms", "max_backoff_ms", "factor", "cost_transient",
                     "cost_throttling", "cost_timeout", "no_retry_increment", "initial_quota", "max_attempts",
                     "retry_after_overshoot_ms", "jitter"):
            with self.subTest(name):
                wrong = copy.deepcopy(right)
                given = wrong["cases"][0]["given"]
                given[name] = {**PLAIN, **given}[name] * 0.5 if name == "jitter" else {**PLAIN, **given}[name] - 1
                if name == "initial_quota":
                    given[name] = 10
                if name == "factor":
                    given[name] = 1.5
                self.fails_only("standard", wrong, "mine")
        for given in ({"long_poll": True, "initial_quota": 0}, {"capacity": 459, "initial_quota": 459},
                      {"jitter_order": "jitter_then_cap"}, {"retry_after_overshoot_ms": None}):
            with self.subTest(given):
                wrong = copy.deepcopy(right)
                wrong["cases"][0]["given"] |= given
                self.fails_only("standard", wrong, "mine")

    def test_a_retry_that_costs_nothing(self):
        responses = [{"call": 1, "kind": "throttling"}] * 3
        self.passes("standard", self.one(responses, cost_throttling=0, initial_quota=0), 1)

    def test_what_a_success_gives_back(self):
        file = self.one([{"call": 1, "status": 500}, {"call": 1, "status": 200}, {"call": 2, "status": 200}],
                        initial_quota=100)
        case = file["cases"][0]
        for refund, balances in ((2, (86, 88, 90)), (0, (86, 86, 86)), (0.5, (86, 86, 87)), (0.1, (86, 86, 86))):
            case["given"]["refund"], case["given"]["no_retry_increment"] = refund, None
            for step, balance in zip(case["steps"], balances):
                step["quota"] = balance
            self.passes("standard", file, 1)
        case["given"]["no_retry_increment"] = 1
        self.fails_only("standard", file, "mine", "'refund'")

    def test_a_partial_payment(self):
        file = self.one([{"call": 1, "status": 500}] * 2, initial_quota=15)
        steps = file["cases"][0]["steps"]
        self.assertEqual([step["outcome"] for step in steps], ["retry", "quota"])
        self.passes("standard", file, 1)
        file["cases"][0]["given"]["partial_payment"] = True
        self.fails_only("standard", file, "mine", "at step 2")
        steps[1].update(outcome="retry", quota=0, delay_ms=100)
        self.passes("standard", file, 1)

    def test_names_of_headers_have_no_case(self):
        file = self.one([{"call": 1, "status": 500, "headers": {"x-amz-retry-after": "1500"}}])
        step = file["cases"][0]["steps"][0]
        step["headers"] = {"X-Amz-Retry-After": "1500"}
        self.passes("standard", file, 1)
        step["headers"] = {"Retry-After": "1500"}
        self.fails_only("standard", file, "mine", "delay 1500 ms", "delay 50 ms")

    def test_nothing_that_is_given_is_passed_over(self):
        for place, name in ((("given",), "base_transient"), (("steps", 0), "header"), (("steps", 0), "kindd")):
            file = self.one([{"call": 1, "status": 500}])
            one = file["cases"][0]
            for key in place:
                one = one[key]
            one[name] = 5
            self.fails_only("standard", file, "mine", f"'{name}'")
        file = self.one([{"call": 1, "status": 500}])
        file["cases"][0]["steps"][0]["note"] = "remarks are none of its business"
        self.passes("standard", file, 1)

    def test_what_is_missing_or_nonsense(self):
        good = self.one([{"call": 1, "status": 500}])
        for name in PLAIN:
            with self.subTest(name):
                file = copy.deepcopy(good)
                if name != "retry_after_overshoot_ms":
                    file["profiles"]["plain"] = {k: v for k, v in PLAIN.items() if k != name}
                    self.fails_only("standard", file, "mine", f"'{name}'")
                file["profiles"]["plain"] = {**PLAIN, name: "a text"}
                self.fails_only("standard", file, "mine", f"'{name}'")
        for name, value in (("capacity", -1), ("max_attempts", 0), ("cost_transient", 1.5), ("initial_quota", 501),
                            ("jitter", 1.5), ("jitter", -0.1), ("factor", 0.5), ("base_transient_ms", -1),
                            ("jitter_order", "sideways"), ("long_poll", 1)):
            with self.subTest(name=name, value=value):
                file = copy.deepcopy(good)
                file["cases"][0]["given"][name] = value
                self.fails_only("standard", file, "mine")
        for change in ({"profile": "nobody"}, {"steps": []}, {"steps": 3}, {"given": 3}):
            with self.subTest(change):
                file = copy.deepcopy(good)
                file["cases"][0] |= change
                self.fails_only("standard", file, "mine")
        for change in ({"kind": "odd"}, {"outcome": "again"}, {"outcome": None}, {"status": None}, {"headers": 5}):
            with self.subTest(change):
                file = copy.deepcopy(good)
                file["cases"][0]["steps"][0] |= change
                self.fails_only("standard", file, "mine")


# --- backoff

class Backoff(ReplayTest):
    def test_random_sets(self):
        rng, sets = random.Random(5), []
        for number in range(200):
            base, factor = rng.choice([0, 1, 25, 0.5, 1000, 30000]), rng.choice([1, 1.2, 1.5, 2, 3])
            cap, jitter = rng.choice([0, 40, 20000]), rng.choice([0, 0.5, 0.7, 1])
            first, length = rng.choice([0, 1, 2, 9, 5000]), rng.randint(1, 15)
            expected = [0 if n == 0 else jitter * min(cap, base * factor ** min(n - 1, 200))
                        for n in range(first, first + length)]
            sets.append({"id": f"set-{number}", "base_ms": base, "factor": factor, "cap_ms": cap, "jitter": jitter,
                         "first_index": first, "expected": expected})
        self.passes("backoff", {"sets": sets}, 200)

    def test_each_altered_number_is_found(self):
        right = {"id": "mine", "base_ms": 50, "factor": 2, "cap_ms": 300, "jitter": 0.5, "first_index": 1,
                 "expected": [25, 50, 100, 150]}
        self.passes("backoff", {"sets": [right]}, 1)
        for name, value in (("base_ms", 51), ("factor", 2.1), ("cap_ms", 301), ("jitter", 0.51), ("first_index", 2),
                            ("expected", [25, 50, 100, 150.001]), ("expected", [25, 50, 100, 150, 151])):
            with self.subTest(name=name, value=value):
                self.fails_only("backoff", {"sets": [{**right, name: value}]}, "mine")

    def test_nonsense_is_found(self):
        right = shipped("backoff")["sets"][0]
        for name, value in (("base_ms", -1), ("factor", "2"), ("factor", 0), ("cap_ms", []), ("jitter", 2),
                            ("first_index", -1), ("first_index", 0.5), ("expected", []), ("expected", 5),
                            ("expected", [None])):
            with self.subTest(name=name, value=value):
                self.fails_only("backoff", {"sets": [{**right, name: value}]}, right["id"])


# --- cubic

def window(rate, beta=0.7, scale=0.4):
    return math.cbrt(rate * (1 - beta) / scale) if hasattr(math, "cbrt") else (rate * (1 - beta) / scale) ** (1 / 3)


class Cubic(ReplayTest):
    def make(self, rng, beta=0.7, scale=0.4):
        rate, start = rng.uniform(0.1, 500), rng.uniform(0, 1000)
        rows = {"success": [], "mixed": []}
        for name, throttles in (("success", False), ("mixed", True)):
            top, since, last = rate, start, rate
            for n in range(10):
                t, throttled = start + n * 0.75, throttles and rng.random() < 0.3
                if throttled:
                    top, since, last = last, t, beta * last
                else:
                    last = scale * (t - since - window(top, beta, scale)) ** 3 + top
                rows[name].append({"t": t, "throttled": throttled, "expected": last})
        given = {"last_max_rate": rate, "last_throttle_time": start}
        return {"constants": {"beta": beta, "scale_constant": scale},
                **{name: {"given": dict(given), "rows": rows[name]} for name in rows},
                "time_windows": [{"last_max_rate": r, "expected": window(r, beta, scale)} for r in (0, 3, 77)]}

    def test_random_sections(self):
        rng = random.Random(3)
        for _ in range(20):
            self.passes("cubic", self.make(rng), 5)
        self.passes("cubic", self.make(rng, 0.6, 0.9), 5)

    def test_a_section_may_state_its_own_constants(self):
        file = self.make(random.Random(9), 0.6, 0.9)
        for part in (file["success"]["given"], file["mixed"]["given"], *file["time_windows"]):
            part |= file["constants"]
        file["constants"] = {"beta": 0.7}
        self.passes("cubic", file, 5)

    def test_any_section_may_be_absent(self):
        file = self.make(random.Random(4))
        for name, cases in (("success", 1), ("mixed", 1), ("time_windows", 3)):
            self.passes("cubic", {name: file[name]}, cases)

    def test_each_altered_number_is_found(self):
        file = self.make(random.Random(6))
        for section in ("success", "mixed"):
            for place in range(10):
                altered = copy.deepcopy(file)
                altered[section]["rows"][place]["expected"] *= 1 + 1e-7
                self.fails_only("cubic", altered, section, "at t = ")
            for name in ("last_max_rate", "last_throttle_time"):
                altered = copy.deepcopy(file)
                altered[section]["given"][name] *= 1.001
                self.fails_only("cubic", altered, section)
        altered = copy.deepcopy(file)
        altered["time_windows"][1]["expected"] += 1e-6
        self.fails_only("cubic", altered, "time_windows[1]")
        altered = copy.deepcopy(file)
        altered["mixed"]["rows"][4]["throttled"] = not altered["mixed"]["rows"][4]["throttled"]
        self.fails_only("cubic", altered, "mixed")
        altered["tolerance"] = 1e9
        self.passes("cubic", altered, 5)

    def test_nonsense_is_found(self):
        for change in ({"given": None}, {"rows": []}, {"rows": [{"t": 1}]}, {"rows": [{"expected": 1}]}):
            file = self.make(random.Random(8))
            file["success"] |= change
            self.fails_only("cubic", file, "success")


# --- rate

class Limiter:
    """The client rate limiter by its published equations."""

    def __init__(self, start, beta=0.7, scale=0.4, smooth=0.8, min_rate=0.5, min_capacity=1.0):
        self.beta, self.scale, self.smooth = beta, scale, smooth
        self.min_rate, self.min_capacity = min_rate, min_capacity
        self.bucket, self.count, self.measured = math.floor(start), 0, 0.0
        self.fill = self.capacity = self.room = self.top = 0.0
        self.since, self.last, self.enabled = start, None, False

    def respond(self, t, throttled):
        self.count += 1
        bucket = math.floor(2 * t) / 2
        if bucket > self.bucket:
            self.measured = self.smooth * self.count / (bucket - self.bucket) + (1 - self.smooth) * self.measured
            self.bucket, self.count = bucket, 0
        if throttled:
            self.top = min(self.measured, self.fill) if self.enabled else self.measured
            self.since, self.enabled = t, True
            rate = self.beta * self.top
        else:
            rate = self.scale * (t - self.since - window(self.top, self.beta, self.scale)) ** 3 + self.top
        rate = min(rate, 2 * self.measured)
        if self.last is not None:
            self.room = min(self.capacity, self.room + (t - self.last) * self.fill)
        self.last = t
        self.fill, self.capacity = max(rate, self.min_rate), max(rate, self.min_capacity)
        self.room = min(self.room, self.capacity)
        return {"t": t, "throttled": throttled, "measured_tx_rate": self.measured, "fill_rate": self.fill,
                "derived": {"enabled": self.enabled, "max_capacity": self.capacity, "current_capacity": self.room,
                            "last_max_rate": self.top}}


class Rate(ReplayTest):
    def make(self, rng, **numbers):
        # Times in whole milliseconds: both clocks read the same.
        start = rng.randint(0, 5000) / 1000
        limiter, t, rows = Limiter(start, **numbers), start, []
        for _ in range(60):
            t = round(t + rng.randint(1, 400) / 1000, 3)
            rows.append(limiter.respond(t, rng.random() < 0.15))
        slow = Limiter(start, **numbers)
        measured = [{"t": row["t"], "measured": slow.respond(row["t"], False)["measured_tx_rate"]} for row in rows]
        names = {"scale": "scale_constant", "min_rate": "min_fill_rate"}
        return {"constants": {names.get(name, name): value for name, value in numbers.items()},
                "end_to_end": {"start_time": start, "rows": rows},
                "measured_rate": [{"id": "measured", "start": start, "rows": measured}],
                "set_rate": [{"set_rate": 0.3, "min_rate": 0.25, "fill_rate": 0.3, "max_capacity": 1},
                             {"set_rate": 9, "min_rate": 0.25, "fill_rate": 9, "max_capacity": 9}]}

    def test_random_sequences(self):
        rng = random.Random(12)
        for _ in range(20):
            self.passes("rate", self.make(rng), 4)
        self.passes("rate", self.make(rng, beta=0.5, scale=0.2, smooth=0.6, min_rate=2.0), 4)

    def test_each_altered_number_is_found(self):
        file = self.make(random.Random(13))
        for place in range(0, 60, 7):
            for names in (("measured_tx_rate",), ("fill_rate",), ("derived", "max_capacity"),
                          ("derived", "current_capacity"), ("derived", "last_max_rate"), ("derived", "enabled")):
                altered = copy.deepcopy(file)
                row = altered["end_to_end"]["rows"][place]
                for name in names[:-1]:
                    row = row[name]
                row[names[-1]] = not row[names[-1]] if names[-1] == "enabled" else row[names[-1]] + 1e-5
                with self.subTest(place=place, name=names[-1]):
                    self.fails_only("rate", altered, "end_to_end", names[-1])
        altered = copy.deepcopy(file)
        altered["measured_rate"][0]["rows"][30]["measured"] += 1e-5
        self.fails_only("rate", altered, "measured")
        altered = copy.deepcopy(file)
        altered["measured_rate"][0]["start"] += 1
        self.fails_only("rate", altered, "measured")
        for name in ("set_rate", "fill_rate", "max_capacity"):
            altered = copy.deepcopy(file)
            altered["set_rate"][1][name] += 0.5
            self.fails_only("rate", altered, "set_rate[1]")

    def test_entries_without_rows_are_described_in_words(self):
        file = self.make(random.Random(14))
        file["measured_rate"].append({"id": "idle", "setup": "nothing for a minute"})
        run = self.replay("rate", file)
        self.assertEqual((run.code, run.totals()), (0, (4, 0, 1)), run)

    def test_nonsense_is_found(self):
        for change in ({"rows": []}, {"rows": [{"t": 1}]}, {"rows": [{"measured": 0}]}, {"start": "now"},
                       {"start": 1e300}):
            file = self.make(random.Random(15))
            file["measured_rate"][0] |= change
            self.fails_only("rate", file, "measured")


# --- config

class Config(ReplayTest):
    @staticmethod
    def case(expected=(None, None), error=None, **more):
        return {"id": "mine", "config": None, "credentials": None, "env": {}, "profile_argument": None, **more,
                "expected": {"mode": expected[0], "max_attempts": expected[1], "error": error}}

    def passes_case(self, *arguments, **more):
        self.passes("config", {"cases": [self.case(*arguments, **more)]}, 1)

    FILE = "[default]\nretry_mode = adaptive\nmax_attempts = 8\n[profile me]\nretry_mode = legacy\nmax_attempts = 6\n"

    def test_own_cases(self):
        self.passes_case()
        self.passes_case(("adaptive", 8), config=self.FILE)
        self.passes_case(("legacy", 6), config=self.FILE, env={"AWS_PROFILE": "me"})
        self.passes_case(("legacy", 6), config=self.FILE, profile_argument="me", env={"AWS_PROFILE": "default"})
        self.passes_case(("standard", 8), config=self.FILE, credentials="[default]\nretry_mode = standard\n")
        self.passes_case(("standard", 2), config=self.FILE, explicit={"mode": "standard", "total_max_attempts": 2})
        self.passes_case(("adaptive", 3), config=self.FILE, explicit={"max_attempts": 2})
        self.passes_case((None, None), config=self.FILE, env={"AWS_CONFIG_FILE": "$DIR/no/such/file"})
        self.passes_case(("adaptive", 8), config=self.FILE, env={"AWS_CONFIG_FILE": "$DIR/config"})
        self.passes_case(("adaptive", 8), credentials=self.FILE,
                         env={"AWS_SHARED_CREDENTIALS_FILE": "$DIR/credentials"})
        self.passes_case(("adaptive", 8), config=self.FILE, env={"AWS_CONFIG_FILE": "~/config"})
        self.passes_case(("legacy", 8), config=self.FILE, explicit={"mode": "Legacy"})
        self.passes_case((None, None), "invalid_mode", explicit={"mode": "bold"})
        self.passes_case((None, None), "invalid_attempts", explicit={"max_attempts": -1})
        self.passes_case((None, None), "invalid_mode", env={"AWS_RETRY_MODE": "bold"})
        self.passes_case((None, None), "invalid_attempts", env={"AWS_MAX_ATTEMPTS": "0"})
        self.passes_case((None, None), "config_file", config="[default\n")

    def test_files_of_other_names(self):
        env = {"AWS_CONFIG_FILE": "$DIR/other.ini"}
        self.passes_case(("adaptive", 8), config="[default]\nmax_attempts = 2\n", env=env,
                         other_files={"other.ini": self.FILE})
        for name in ("$DIR/other.ini", "~/other.ini", "deep/er/other.ini"):
            place = "~/" + name.removeprefix("$DIR/").removeprefix("~/")
            self.passes_case(("legacy", 6), env={"AWS_CONFIG_FILE": place, "AWS_PROFILE": "me"},
                             other_files={name: self.FILE})
        self.passes_case(("adaptive", 8), env={"AWS_SHARED_CREDENTIALS_FILE": "$DIR/keys"},
                         other_files={"keys": self.FILE})
        for files in (7, {"/tmp/x": ""}, {"../x": ""}, {"x": 7}, {"": ""}):
            self.fails_only("config", {"cases": [self.case(other_files=files)]}, "mine", "'other_files'")

    def test_a_value_that_is_the_default_is_not_no_value(self):
        file = {"cases": [self.case((None, None), config="[default]\nretry_mode = standard\nmax_attempts = 3\n")]}
        self.fails_only("config", file, "mine", "mode null, max_attempts null", "mode standard, max_attempts 3")
        file = {"cases": [self.case(("standard", 3))]}
        self.fails_only("config", file, "mine", "mode null, max_attempts null")

    def test_each_altered_answer_is_found(self):
        file = shipped("config")
        for place, case in enumerate(file["cases"]):
            expected = case["expected"]
            if expected is None:
                continue
            if expected["error"]:
                changes = [{"error": "config_file" if expected["error"] != "config_file" else "invalid_mode"},
                           {"error": None}]
            else:
                changes = [{"mode": "legacy" if expected["mode"] != "legacy" else "adaptive"},
                           {"max_attempts": (expected["max_attempts"] or 3) + 1}, {"error": "invalid_mode"}]
            for change in changes if place % 9 == 0 else changes[:1]:
                altered = {"cases": file["cases"][:place] + [{**case, "expected": {**expected, **change}}]}
                with self.subTest(case=case["id"], change=change):
                    self.fails_only("config", altered, case["id"])

    def test_no_answer_is_no_case(self):
        file = {"cases": [self.case(), {**self.case(), "id": "open", "expected": None}]}
        run = self.replay("config", file)
        self.assertEqual((run.code, run.totals()), (0, (1, 0, 1)), run)
        self.assertEqual(len(run.of("skip")), 1)
        del file["cases"][1]["expected"]
        self.fails_only("config", file, "open", "'expected'")

    def test_nothing_that_is_given_is_passed_over(self):
        self.fails_only("config", {"cases": [self.case(explicit={"modes": "standard"})]}, "mine", "'modes'")
        self.fails_only("config", {"cases": [self.case(explicit={"mode": "bold"})]}, "mine", "invalid_mode")
        self.fails_only("config", {"cases": [self.case(env=7)]}, "mine", "'env'")
        self.fails_only("config", {"cases": [self.case(env={"AWS_RETRY_MODE": 7})]}, "mine", "'AWS_RETRY_MODE'")
        self.fails_only("config", {"cases": [self.case(config=7)]}, "mine", "'config'")
        case = self.case()
        case["expected"]["attempts"] = 3
        self.fails_only("config", {"cases": [case]}, "mine", "'attempts'")

    def test_it_leaves_nothing_behind(self):
        before = set(os.listdir(tempfile.gettempdir()))
        Run("config", VECTORS / FILES["config"])
        left = {n for n in set(os.listdir(tempfile.gettempdir())) - before if n.startswith("anew-replay-")}
        self.assertEqual(left, set())


if __name__ == "__main__":
    PROGRAM, VECTORS = sys.argv[1], pathlib.Path(sys.argv[2])
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
