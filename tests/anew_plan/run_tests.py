#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Drives anew-plan as a user does. run_tests.py ANEW_PLAN [PATTERN]

The published rows are of one service with a first-in, first-out queue, 1000 attempts a second, a time-out of 1 s, and
an outage of 10 s with a tenth of the capacity, as in Brooker's posts on retries and in "Metastable Failures in
Distributed Systems" (HotOS 2021). Prints "N passed, N failed" last.
"""
import functools
import json
import math
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from program_tests import LIMIT, NO_THREADS, environment, expect, expect_equal, limited, run_all, test

ANEW_PLAN = ""
NAIVE = "exponential(50ms,20s) full_jitter max_attempts(3)"
ONCE = "exponential(50ms,20s) full_jitter max_attempts(1)"


class Run:
    """One run of the program, to its end."""

    def __init__(self, *arguments, stdout=subprocess.PIPE, settings=None, limit=None):
        run = subprocess.run([ANEW_PLAN, *arguments], stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE,
                             timeout=LIMIT, env={**environment(), **(settings or {})}, check=False,
                             preexec_fn=limited(limit))
        self.code = run.returncode
        self.out = (run.stdout or b"").decode()
        self.err = run.stderr.decode()

    def __str__(self):
        return f"exit code {self.code}\n-- stdout\n{self.out}\n-- stderr\n{self.err}"


@functools.cache
def planned(*arguments):
    run = Run("--json", *arguments)
    expect_equal((run.code, run.err), (0, ""), run)
    return run.out


def plan(*arguments):
    """What --json says."""
    return json.loads(planned(*arguments))


def expect_near(found, wanted, tolerance, what):
    if wanted is None or found is None:
        expect(found is wanted, f"{found}, not {wanted}: {what}")
    else:
        expect(abs(found - wanted) <= tolerance, f"{found}, not {wanted} within {tolerance}: {what}")


# Seconds until 99 % of the calls succeed again, of independent simulators; None: never.
PUBLISHED = {
    ONCE: 17.2,
    "aws-standard-2020": 33.8,
    "aws-standard": 28.6,
    "grpc": 18.4,
    "exponential(50ms,20s) full_jitter retry_budget(10%,0,10s)": 26.0,
    "exponential(50ms,20s) full_jitter retry_budget(20%,10,10s)": None,  # as Linkerd has it
    NAIVE: None,
    "aws-legacy": None,
}


@test
def published_recoveries():
    for strategy, seconds in PUBLISHED.items():
        found = plan(strategy)
        expect_near(found["recovery_seconds"], seconds, 2, found)
        expect_equal(found["verdict"], "holds_down" if seconds is None else "recovers", found)


@test
def arithmetic_and_simulation_agree_at_every_load():
    """Within 3 s and 6 %, but for a tenth of the load around the one at which the strategy begins to hold down."""
    points = 0
    for strategy, from_load in ((ONCE, None), ("aws-standard", None), ("aws-standard-2020", None), ("grpc", None),
                                (NAIVE, 1 / 3)):
        for load in (0.2, 0.25, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9):
            found = plan(strategy, "--rate", str(10 * load))
            wanted = found["closed_form"]["recovery_seconds"]
            expect_near(found["recovery_seconds"], wanted, 3 + 0.06 * (wanted or 0), (load, found))
            expect_equal(wanted is None, from_load is not None and load > from_load, (load, found))
            points += 1
    expect_equal(points, 40, "points")


@test
def the_load_from_which_on_it_holds_down():
    for strategy, load in ((NAIVE, 1 / 3), ("exponential(50ms,20s) full_jitter max_attempts(2)", 1 / 2),
                           ("exponential(50ms,20s) full_jitter retry_budget(25%,0,10s)", 1 / 1.25)):
        expect_near(plan(strategy)["holds_down_from_load"], load, 0.03, strategy)
    for strategy in (ONCE, "aws-standard", "grpc"):
        expect_equal(plan(strategy)["holds_down_from_load"], None, strategy)


@test
def what_it_proposes_recovers():
    found = plan(NAIVE)
    expect(len(found["changes"]) >= 2, found)
    words = " ".join(one["strategy"] for one in found["changes"])
    expect("token_bucket(" in words and "retry_budget(" in words, found)
    for change in found["changes"]:
        for seed in ("7", "8", "9"):
            again = plan(change["strategy"], "--seed", seed)
            expect_equal(again["verdict"], "recovers", (change, again))
            expect_near(again["recovery_seconds"], change["recovery_seconds"], 3 + 0.2 * change["recovery_seconds"],
                        (change, again))
            expect_near(again["lost_in_health"], change["lost_in_health"], 250, (change, again))
    # The price is the point: with no retries each error loses a call.
    once = next(one for one in found["changes"] if "max_attempts(1)" in one["strategy"])
    expect_near(once["lost_in_health"], 2000, 200, once)


@test
def a_strategy_that_recovers_needs_no_change():
    expect_equal(plan("aws-standard")["changes"], [], "aws-standard")


@test
def calls_that_wait_for_ever_are_no_success():
    """No call fails, and no call ends: the clients retry, or wait behind a gate, without end."""
    for strategy in ("no_backoff max_attempts(1000)", "exponential(1ms,1s) unbounded"):
        expect_equal(plan(strategy)["verdict"], "holds_down", strategy)
    waiting = plan("exponential(1s,60s) max_attempts(8) cool_down(exponential(1s,60s))")
    expect(waiting["latency_seconds"]["in_outage"]["p99"] > 60, waiting)
    # The queue gets shorter by a quarter of its length in an hour; that is no standstill.
    slow = plan("aws-standard", "--outage", "1h@0%", "--timeout", "30s")
    expect_near(slow["recovery_seconds"], slow["closed_form"]["recovery_seconds"], 500, slow)
    expect_equal(slow["holds_down_from_load"], None, slow)


@test
def a_gate_that_refuses_makes_no_retries():
    found = plan("exponential(50ms,20s) max_attempts(5) circuit_breaker(5,30s)")
    expect(found["amplification"] < 1 and found["verdict"] == "recovers", found)
    expect_near(found["closed_form"]["recovery_seconds"], 16.7, 0.1, found)


@test
def each_policy_is_a_strategy_alone():
    """Parts of a plan take a policy out of the text; what is left names none."""
    few = ("--clients=5", "--capacity=50", "--outage=2s@10%")
    for policy in ("circuit_breaker(5,30s)", "rate_breaker(50%,10s,20,30s)", "client_throttle(2,2m)",
                   "cool_down(constant(1s))", "client_rate_limiter", "client_rate_limiter(fail_fast)",
                   "full_jitter", "server_hint(stop)", "token_bucket(500)", "max_attempts(2)"):
        expect_equal(plan(policy, *few)["strategy"], policy, policy)


@test
def no_retries_keep_nothing_down():
    """The calls alone take 999 of 1000 attempts: the queue of 8 s gets shorter by 1 ms a second."""
    found = plan("max_attempts(1)", "--clients=50", "--capacity=500", "--rate=9.99", "--fail-if-metastable")
    expect_equal((found["verdict"], found["recovery_seconds"], found["holds_down_from_load"], found["changes"],
                  found["seeds_that_hold_down"], found["closed_form"]["disagrees"]),
                 ("recovers_slowly", None, None, [], 0, False), found)


@test
def latencies_of_no_calls_are_null():
    found = plan(NAIVE)["latency_seconds"]
    expect_equal(found["after"], {"p50": None, "p99": None, "p99_9": None}, "none succeeds")
    expect(found["in_outage"]["p50"] > 0, found)


@test
def calls_that_never_end_are_counted():
    few = ("--clients=20", "--capacity=200")
    found = plan("no_backoff unbounded", *few)
    expect(found["calls_lost"] == 0 and found["calls_not_ended"] > 1000, found)
    expect(20 < found["counted_seconds"] < 60, found)  # the clients have more calls under way than a program can
    expect_equal(found["closed_form"]["recovery_seconds"], None, found)
    printed = re.sub(r"\s+", " ", Run("no_backoff unbounded", *few).out)
    for words in (f"0 calls fail, and {found['calls_not_ended']} do not end.", "By arithmetic: never recovers",
                  f"In it and in the {found['counted_seconds']:.0f} s after it", "then without end"):
        expect(words in printed, f"'{words}' is missing: {printed}")
    found = plan("aws-standard")
    expect_equal((found["calls_not_ended"], round(found["counted_seconds"])), (0, 120), found)


@test
def arithmetic_knows_a_queue_in_which_nothing_times_out():
    few = ("--clients=50", "--capacity=500")
    found = plan(NAIVE, *few, "--rate=9.5", "--outage=3s@90%")
    expect_equal(found["closed_form"], {"recovery_seconds": 0, "holds_down_from_load": None,
                                        "nothing_times_out": True, "disagrees": False}, found)
    # An attempt that is answered at the end waits 5 s less the time in which its share answered those before it.
    found = plan(NAIVE, *few, "--rate=9", "--outage=5s@50%")
    expect_near(found["closed_form"]["holds_down_from_load"], 0.5 / (1 - 1 / 5), 1e-9, found)
    expect_near(found["holds_down_from_load"], 0.625, 0.03, found)
    # Gates are beyond the arithmetic.
    expect_equal(plan("exponential(1s,60s) max_attempts(8) cool_down(exponential(1s,60s))")["closed_form"]["disagrees"],
                 True, "a gate that waits")


@test
def seeds_that_disagree_are_said():
    edge = ("--clients=50", "--rate=7.3", "--capacity=500", "--outage=10s@10%", "--outage-mode=drops")
    for seed in range(1, 7):
        run = Run(NAIVE, *edge, f"--seed={seed}", "--fail-if-metastable")
        printed = re.sub(r"\s+", " ", run.out)
        if "of 3 seeds hold the service down" in printed:
            break
        expect_equal(run.code, "HOLDS THE SERVICE DOWN" in printed, "all seeds or none")
    expect(re.search("[12] of 3 seeds hold the service down", printed), "at this load some seeds recover")
    expect_equal(run.code, 1, "one seed is enough")


@test
def amplification_in_the_outage():
    expect_near(plan(ONCE)["amplification"], 1, 0, ONCE)
    # 35 retries after time-outs are in a full bucket of 500 at a cost of 14, over 70 calls of each client.
    expect_near(plan("aws-standard")["amplification"], 1.5, 0.03, "aws-standard")
    expect(2.5 < plan(NAIVE)["amplification"] <= 3, NAIVE)


@test
def a_service_that_refuses_or_drops_has_no_queue():
    for mode in ("refuses", "drops"):
        found = plan("aws-standard", "--outage-mode", mode)
        expect(found["recovery_seconds"] <= 2, found)
        expect_near(found["amplification"], 1.54, 0.05, found)  # half of a second of capacity more than a slow one
    found = plan(NAIVE, "--outage-mode", "refuses", "--outage", "10s@0%")
    expect_near(found["amplification"], 3, 0.2, found)


@test
def a_large_fleet_is_simulated_in_part():
    small, large = plan("aws-standard"), plan("aws-standard", "--clients", "10000", "--capacity", "100000")
    expect(small["simulated_clients"] == 100 and large["simulated_clients"] < 1000, large)
    expect_near(large["recovery_seconds"], small["recovery_seconds"], 1.5, large)
    expect_near(large["calls_lost"] / small["calls_lost"], 100, 5, large)
    # A service that answers a hundred times as fast; what waited for the outage waits as long.
    for when, quantile in (("before", "p50"), ("before", "p99"), ("after", "p50")):
        slow, fast = (one["latency_seconds"][when][quantile] for one in (small, large))
        expect_near(slow / fast, 100, 25, f"{when} {quantile}")
    for quantile in ("p50", "p99"):
        slow, fast = (one["latency_seconds"]["in_outage"][quantile] for one in (small, large))
        expect_near(fast, slow, 0.05, f"in the outage, {quantile}")


@test
def a_part_of_a_fleet_is_no_slower_than_the_fleet_by_chance():
    fleet = ("--clients", "10000", "--capacity", "100000")
    # At most some milliseconds of queue in the fleet: no call of it comes near its time-out.
    for rate in ("7", "9.6", "9.9"):
        found = plan("aws-legacy", *fleet, "--timeout", "100ms", "--outage", "1ms@99%", "--rate", rate)
        expect_equal((found["verdict"], found["seeds_that_hold_down"]), ("recovers", 0), found)
        expect(found["holds_down_from_load"] is None, found)
    # M/D/1 at half of the capacity: 12, 43 and 62 us.
    for strategy in ("aws-legacy", "aws-standard"):
        found = plan(strategy, *fleet, "--rate", "5")["latency_seconds"]["before"]
        expect_near(found["p99"], 43e-6, 5e-6, found)
        expect_near(found["p99_9"], 62e-6, 10e-6, found)
    # What is left of the outage falls by 1 % of the capacity: 790 s.
    for seed in ("1", "2", "3"):
        expect_near(plan(ONCE, *fleet, "--rate", "9.9", "--seed", seed)["recovery_seconds"], 790, 120, f"seed {seed}")


@test
def a_service_is_well_before_the_outage():
    for outage in ("10s@10%", "1ms@99%"):  # M/D/1: 8.5, 37 and 55 ms
        found = plan("aws-standard", "--clients", "20", "--capacity", "200", "--outage", outage)["latency_seconds"]
        expect_near(found["before"]["p50"], 8.5e-3, 1e-3, found)
        expect_near(found["before"]["p99_9"], 55e-3, 10e-3, found)


@test
def says_where_chance_decides():
    near = plan("exponential(50ms,20s) full_jitter max_attempts(2)", "--rate", "4.9")
    expect(any("Chance decides there" in one for one in near["warnings"]), near)
    far = plan("exponential(50ms,20s) full_jitter max_attempts(2)")
    expect(not any("Chance decides there" in one for one in far["warnings"]), far)


@test
def plans_without_threads_and_refuses_without_memory():
    whole = Run("aws-legacy", "--json")
    no_threads = Run("aws-legacy", "--json", limit=NO_THREADS)
    expect_equal((no_threads.code, no_threads.out), (whole.code, whole.out), "a plan without threads")
    run = Run("aws-legacy", "--clients", "10000", "--capacity", "100000", limit=(resource.RLIMIT_AS, 20 << 20))
    expect_equal((run.code, run.out), (1, ""), run)
    expect("anew-plan: there is not enough memory for this plan" in run.err, run)


@test
def a_plan_simulates_no_more_attempts_than_it_needs():
    fleet = ("--clients", "10000", "--capacity", "1000", "--rate")
    # Eleven attempts of each call, and a queue that needs hours to fall.
    many, slow = plan("aws-legacy", *fleet, "0.07"), plan("envoy", *fleet, "0.05")
    expect(many["simulated_clients"] < 3_000, many)
    expect(slow["recovery_seconds"] > 1_000 and slow["simulated_clients"] < 1_000, slow)
    few = plan("aws-legacy", "--clients", "1000", "--capacity", "1000", "--rate", "0.7")
    expect_near(many["holds_down_from_load"], few["holds_down_from_load"], 0.02, "the threshold of a part of a fleet")
    expect_near(many["amplification"], few["amplification"], 0.1, "the amplification of a part of a fleet")


@test
def the_same_seed_prints_the_same():
    expect_equal(Run("aws-standard").out, Run("aws-standard").out, "one seed")
    one, other = plan("aws-standard"), plan("aws-standard", "--seed", "2")
    expect(one != other, "the seed is not used")
    expect_equal(one["verdict"], other["verdict"], "the verdict of another seed")


@test
def compares():
    found = plan("--compare", f"aws-standard, {NAIVE},exponential(50ms,20s) token_bucket(100)")
    expect_equal([one["verdict"] for one in found], ["recovers", "holds_down", "recovers"], found)
    expect_equal(found[1], plan(NAIVE), "compared or alone")
    expect_equal(type(plan("--compare", "grpc")), list, "an array of one")
    expect_equal([one["name"] for one in found], ["aws-standard", None, None], found)
    expect(Run("--compare", "aws-standard,grpc").out.count("\ngrpc:\n  raised_cap(") == 1, "a preset has its name")


@test
def warns_of_the_configuration():
    """Each warning beside the same strategy without its mistake."""
    rest = "exponential(50ms,20s) full_jitter token_bucket(100) max_attempts(3)"
    for arguments, words in (
            ([rest], None),
            ([NAIVE], "No quota bounds the retries of a client: in an outage each call makes up to 3 attempts."),
            (["exponential(50ms,20s) unbounded"], "each call makes attempts without end"),
            ([NAIVE + " circuit_breaker(5,30s)"], None),
            ([ONCE], None),
            ([rest.replace("full_jitter", "no_jitter")], "Without jitter"),
            ([rest + " server_hint(ignore)"], "ignores the delay"),
            ([rest + " deadline(1s)"], "The deadline of 1 s leaves no time for a retry after a time-out"),
            ([rest + " deadline(2s)"], "The deadline of 2 s can end a call after 2 attempts"),
            # The third attempt begins after two time-outs, and backoffs of at most 50 and 100 ms.
            ([rest + " deadline(2149ms)"], "The deadline of 2.15 s can end a call after 2 attempts"),
            ([rest + " deadline(2151ms)"], None),
            ([rest + " deadline(5s) server_hint(stop,30s)"], "hints of up to 30 s"),
            ([rest + " deadline(5s) server_hint(stop,4s)"], None),
            (["exponential(50ms,20s) max_attempts(3) retry_budget(0%,0,10s)"], "The quota pays for no retry"),
            (["exponential(50ms,20s) max_attempts(3) retry_budget(1%,0,10s)"], None),
            (["exponential(50ms,20s) max_attempts(3) concurrency_budget(100%,1000)"], "The quota does not bound"),
            # A client has 7 calls under way where each attempt times out: 7 of them may retry, or fewer.
            (["exponential(50ms,20s) max_attempts(3) concurrency_budget(20%,7)"], "The quota does not bound"),
            (["exponential(50ms,20s) max_attempts(3) concurrency_budget(20%,6)"], None),
            (["envoy"], None),
            # 35 retries of each of 10 clients are 3.5 s of work, and 71 are 7.1 s.
            (["aws-standard"], None),
            ([rest.replace("(100)", "(1000)")],
             "can make 71 retries each at once, which keeps the service busy for 7.1 s"),
            ([rest.replace("(100)", "(1000)"), "--timeout=2s"], None),
            ([rest, "--layers", "3"], "3 layers of 3 attempts make up to 27 attempts"),
            ([ONCE, "--layers", "3"], None)):
        found = plan("--clients=10", "--capacity=100", *arguments)["warnings"]
        expect(not found if words is None else len(found) == 1 and words in found[0], (arguments, found))
    printed = re.sub(r"\s+", " ", Run(NAIVE).out)
    expect("Warning: No quota bounds" in printed and "Add a quota that successes fill" in printed, printed)


@test
def what_one_call_waits():
    """Two backoffs with full jitter: the sum of U(0, 50 ms) and U(0, 100 ms)."""
    found = plan(NAIVE)["wait_seconds"]
    expect_near(found["p50"], 0.075, 0.004, found)
    expect_near(found["p99"], 0.15 - math.sqrt(2 * 0.01 * 0.05 * 0.1), 0.004, found)
    expect(found["p99"] < found["p99_9"] < found["longest"] < 0.15, found)
    expect_equal(plan(ONCE)["wait_seconds"], {"p50": 0, "p99": 0, "p99_9": 0, "longest": 0}, ONCE)
    # 50 ms, 100 ms and 200 ms.
    fixed = plan("exponential(50ms,20s) no_jitter max_attempts(4) token_bucket(500)")["wait_seconds"]
    expect_equal({round(value, 6) for value in fixed.values()}, {0.35}, fixed)
    endless = ("exponential(50ms,20s) full_jitter unbounded token_bucket(100)", "--outage", "1s@10%")
    expect(plan(*endless)["wait_seconds"] is None, "a call without an end")
    expect("A call whose attempts all time out does not end." in Run(*endless).out, "a call without an end")


@test
def plans_what_the_aws_files_configure():
    with tempfile.TemporaryDirectory() as directory:
        file = pathlib.Path(directory, "config")
        file.write_text("[default]\nretry_mode = standard\nmax_attempts = 7\n")
        settings = {"AWS_CONFIG_FILE": str(file), "AWS_SHARED_CREDENTIALS_FILE": "/dev/null"}
        for arguments in (["--config"], ["from-config"]):
            run = Run("--json", *arguments, settings=settings)
            expect(run.code == 0 and "max_attempts(7)" in json.loads(run.out)["strategy"], run)
        # Without a quota there is most to simulate: a small fleet will do.
        run = Run("--json", "--config", "--clients", "10", "--capacity", "100",
                  settings={**settings, "AWS_RETRY_MODE": "legacy"})
        expect("token_bucket" not in json.loads(run.out)["strategy"], run)
        file.write_text("[default]\nmax_attempts = many\n")
        run = Run("--config", settings=settings)
        expect(run.code == 2 and f"{file}:2: max_attempts = many" in run.err and run.out == "", run)
        expect_equal(Run("--config", "grpc", settings=settings).code, 2, "--config beside a strategy")


@test
def the_text_says_what_matters():
    run = Run(NAIVE)
    for words in ("HOLDS THE SERVICE DOWN", "from 33 % load on; yours is 70 %", "What to change", "token_bucket("):
        expect(words in run.out, f"'{words}' is missing: {run}")
    expect(max(len(line) for line in run.out.splitlines() if "exponential(" not in line) <= 80, run)
    run = Run("aws-standard")
    expect("It recovers 28." in run.out and "at no load below the capacity" in run.out, run)


@test
def the_page_is_complete():
    with tempfile.TemporaryDirectory() as directory:
        file = pathlib.Path(directory, "plan.html")
        run = Run("--compare", f"aws-standard,{NAIVE}", "--html", str(file))
        expect_equal((run.code, run.err), (0, ""), run)
        page = file.read_text()
        root = xml.etree.ElementTree.fromstring(page.split("\n", 1)[1].replace("&nbsp;", " ").replace(
            '<meta charset="utf-8">', "").replace('initial-scale=1">', 'initial-scale=1"/>').replace("<br>", "<br/>"))
        titles = [one.get("aria-label") for one in root.iter("svg") if one.get("role")]
        # The second strategy has no quota whose level could be drawn.
        expect_equal([sum(word in title for title in titles) for word in ("per second", "quota", "took", "loads")],
                     [2, 1, 2, 2], titles)
        numbers = [float(n) for line in root.iter("polyline") for n in re.split("[ ,]+", line.get("points").strip())]
        expect(len(numbers) > 500 and all(0 <= n <= 360 for n in numbers), "points outside of the picture")
        for words in ("It holds the service down.", "It does so from 33 % load", "aws-standard: <code>", "recovers in",
                       "token_bucket(", "never", "No quota bounds"):
            expect(words in page, f"'{words}' is missing")
        # What fails in the table is what the text says.
        run = Run("--compare", f"aws-legacy,{NAIVE}", "--html", str(file))
        for one in plan("--compare", f"aws-legacy,{NAIVE}"):
            open_calls = f", and {one['calls_not_ended']} do not end" if one["calls_not_ended"] else ""
            expect(f">{one['calls_lost']}{open_calls} in {one['counted_seconds']:.0f} s<" in file.read_text(), one)
        expect("<script" not in page and "http" not in page, "the page stands alone")
        refused_file = pathlib.Path(directory, "no", "plan.html")
        run = Run("aws-standard", "--html", str(refused_file))
        expect(run.code == 1 and f"cannot write '{refused_file}'" in run.err, run)


@test
def exit_codes():
    expect_equal(Run(NAIVE).code, 0, "a plan was made")
    expect_equal(Run(NAIVE, "--fail-if-metastable").code, 1, "it holds down")
    expect_equal(Run("aws-standard", "--fail-if-metastable").code, 0, "it recovers")
    expect_equal(Run("--compare", f"grpc,{NAIVE}", "--fail-if-metastable").code, 1, "one of them holds down")
    expect_equal(Run("--help").code, 0, "--help")
    with open("/dev/full", "wb") as full:
        expect_equal(Run("grpc", stdout=full).code, 1, "a full disk")


@test
def mistakes_name_the_option_and_the_value():
    odd = ("nan", "inf", "-1", "1e999", "0x10", "", "ten")
    for option in ("--clients", "--rate", "--capacity"):
        for value in (*odd, "0"):
            refused(option, value, "grpc", f"{option}={value}")
    for option in ("--timeout", "--latency"):
        for value in (*odd, "5", "99999999999h"):
            refused(option, value, "grpc", f"{option}={value}")
    for value in (*odd, "10s", "10s@", "10s@10", "10s@101%", "10s@-1%", "@10%", "0s@10%", "10s@nan%"):
        refused("--outage", value, "grpc", f"--outage={value}")
    for value in (*odd, "1.5"):
        refused("--seed", value, "grpc", f"--seed={value}")
    for value in ("1.5", "10001"):
        refused("--clients", value, "grpc", f"--clients={value}")
    for value in (*odd, "0", "1.5", "11"):
        refused("--layers", value, "grpc", f"--layers={value}")
    refused("--outage-mode", "fast", "grpc", "--outage-mode", "fast")
    refused("--html", "must be the name of a file", "grpc", "--html", "")
    refused("--rate", "is a second value, after '1'", "grpc", "--rate", "1", "--rate", "2")
    refused("--outage '10s@20%'", "is a second value, after '10s@10%'", "grpc", "--outage=10s@10%", "--outage=10s@20%")
    refused("--rate", "has no value", "grpc", "--rate")
    expect(" ..." not in Run("--help").out, "--help does not say that an option takes several values")
    refused("'--rat'", "there is no option", "grpc", "--rat", "3")
    refused("--latency", "must be at most 1h", "grpc", "--latency", "3601s")
    refused("--rate", "is 3500 calls a second", "grpc", "--rate", "35")
    refused("--latency", "", "grpc", "--latency", "2s")
    refused("--capacity", "", "grpc", "--rate", "100")
    refused("too many arguments", "envoy", "grpc", "envoy")
    refused("STRATEGY", "")
    refused("STRATEGY", "", "grpc", "--compare", "envoy")
    refused("expo", "^~~~", "expo(50ms)")
    refused("--no-such-option", "", "grpc", "--no-such-option")


def refused(option, value, *arguments):
    run = Run(*arguments)
    expect_equal(run.code, 2, run)
    expect_equal(run.out, "", run)
    expect(option in run.err and value in run.err, f"{option} and '{value}' must be named: {run}")
    expect("Try 'anew-plan --help'" in run.err, run)


if __name__ == "__main__":
    ANEW_PLAN = sys.argv[1]
    sys.exit(run_all(*sys.argv[2:3]))
