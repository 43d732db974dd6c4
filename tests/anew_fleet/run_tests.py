#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Drives anew-fleet as a user does. run_tests.py ANEW_FLEET SCENARIOS [PATTERN]

Each kind of service is compared with a closed form, or with a published number. Prints "N passed, N failed" last.
"""
import copy
import functools
import json
import math
import os
import pathlib
import pty
import re
import resource
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from program_tests import LIMIT, NO_THREADS, environment, expect, expect_equal, limited, run_all, test

ANEW_FLEET = ""
SCENARIOS = pathlib.Path()
BACKOFF = "exponential(50ms,20s) full_jitter"
NAIVE = BACKOFF + " max_attempts(3)"
ONCE = BACKOFF + " max_attempts(1)"


class Run:
    """One run of the program, to its end."""

    def __init__(self, *arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, limit=None):
        run = subprocess.run([ANEW_FLEET, *arguments], stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr,
                             timeout=LIMIT, env=environment(), check=False, preexec_fn=limited(limit))
        self.code = run.returncode
        self.out = (run.stdout or b"").decode()
        self.err = (run.stderr or b"").decode()

    def __str__(self):
        return f"exit code {self.code}\n-- stdout\n{self.out}\n-- stderr\n{self.err}"


def scenario(strategy, *phases, service=None, clients=10, rate=10, timeout="1s", **more):
    """A scenario; a phase is (length, service) or an object."""
    made = [one if isinstance(one, dict) else {"lasts": one[0], "service": one[1]} for one in phases]
    return {"clients": {"count": clients, "strategy": strategy, "timeout": timeout, **more.pop("of_clients", {})},
            "arrivals": more.pop("arrivals", {"rate": rate}), "service": service or {}, "phases": made, **more}


def run(content, *arguments):
    """Runs the program with a file, whose name the output has."""
    with tempfile.TemporaryDirectory() as directory:
        file = pathlib.Path(directory, "s.json")
        file.write_text(content if isinstance(content, str) else json.dumps(content, indent=1))
        return Run(str(file), *arguments)


@functools.cache
def printed(content, *arguments):
    done = run(content, "--json", *arguments)
    expect_equal((done.code, done.err), (0, ""), done)
    return done.out


def simulated(of, *arguments):
    """What --json says."""
    return json.loads(printed(json.dumps(of, indent=1), *arguments))


def rows(of, *arguments):
    return simulated(of, *arguments)["rows"]


def expect_near(found, wanted, tolerance, what):
    expect(found is not None and abs(found - wanted) <= tolerance,
           f"{found}, not {wanted} within {tolerance}: {what}")


def deviations(calls, share, times=5):
    """So many standard deviations of how many of the calls happen to be of the share."""
    return times * math.sqrt(calls * share * (1 - share)) + 1


# ------------------------------------------------------------------------------------------------------ services


@test
def the_example_recovers_as_published():
    """The row "AWS 2026" of the table in anew-plan's tests: 28.6 s after the outage."""
    done = Run(str(SCENARIOS / "outage.json"), "--json")
    expect_equal((done.code, done.err), (0, ""), done)
    found = json.loads(done.out)
    expect_near(found["recovery_seconds"], 28.6, 3, found)
    before, outage, after = found["rows"]
    expect_equal([one["name"] for one in found["rows"]], ["before", "outage", "after"], found)
    # 35 retries after time-outs are in a full bucket of 500 at a cost of 14, over 70 calls of each client.
    expect_near(outage["amplification"], 1.5, 0.03, outage)
    expect_equal((before["failed"], before["amplification"]), (0, 1), before)
    expect(outage["refused_by_quota"] > 0.7 * outage["failed"] > 0, outage)
    for one in found["rows"]:
        expect_equal(one["good"] + one["failed"] + one["under_way"], one["calls"], one)
    expect(outage["p50"] > before["p99"] > before["p50"] > 0, found)


@test
def the_other_published_recoveries():
    """Seconds until 99 % of the calls succeed again, of independent simulators; None: never."""
    for strategy, seconds in ((ONCE, 17.2), ("aws-standard", 28.6), ("aws-standard-2020", 33.8), ("grpc", 18.4),
                              (NAIVE, None)):
        found = simulated(scenario(strategy, ("5s", {}), ("10s", {"capacity": 100}), ("60s", {}), clients=100, rate=7,
                                   service={"capacity": 1000}), "--seeds", "3")["recovery_seconds"]
        if seconds is None:
            expect_equal(found, None, strategy)
        else:
            expect_near(found["median"], seconds, 2, strategy)


@test
def a_fixed_failure_rate():
    """Attempts per call are (1 - p^m) / (1 - p), and of the calls p^m fail, also where an error starts a hedge."""
    for p, hedges in ((0.1, {}), (0.5, {}), (0.9, {}), (1, {}), (0.5, {"hedging": "hedge_after(1h)"})):
        (one,) = rows(scenario(NAIVE, ("100s", {}), service={"failure_rate": p}, rate=20, of_clients=hedges))
        attempts = 3 if p == 1 else (1 - p ** 3) / (1 - p)
        expect_near(one["amplification"], attempts, 0.03, (p, one))
        expect_near(one["failed"], p ** 3 * one["calls"], deviations(one["calls"], p ** 3) + one["under_way"], (p, one))
        expect_equal(one["refused_by_quota"], 0, (p, one))


@test
def a_queue_that_is_too_slow():
    """Of 100 calls a second 50 are answered, and none in time once the queue is as long as the time-out."""
    early, late = rows(scenario(ONCE, ("2s", {}), ("20s", {}), service={"capacity": 50}))
    expect(early["good"] > 0.3 * early["calls"], early)
    expect_near(late["good"] + late["under_way"], 0, 150, late)


@test
def throttling_by_a_limit():
    """Attempts for each that is admitted, A, at D times the limit: without a quota q = 1 - 1/A of the attempts fail,
    and D (1 + q + q^2) = A; a bucket that a success fills by 1 and a retry costs 5 has (A - D) (A - 1) = D / 5; gRPC's
    has no retries left."""
    for strategy, over in ((NAIVE, {1.2: 2.224, 2: 4.847, 5: 13.95}),
                           ("aws-standard", {1.2: 1.600, 2: 2.306, 5: 5.236}),
                           ("grpc", {1.2: 1.2, 2: 2.0, 5: 5.0})):
        for overload, load in over.items():
            one = rows(scenario(strategy, ("30s", {}), ("60s", {}), service={"limit": 200}, clients=10,
                                rate=20 * overload))[1]
            expect_near(one["attempts"] / (200 * 60), load, 0.06 * load, (strategy, overload, one))
            expect_near(one["good"], 200 * 60, 300, (strategy, overload, one))


@test
def a_throttled_call_waits_for_the_hint():
    """All attempts but one a second are told to come back after 2 s; those that were, take 2 s and not 50 ms."""
    hinted, free = (rows(scenario(NAIVE + " server_hint(clamp,1m)", ("60s", {"limit": 5, **hint}), rate=1))[0]
                    for hint in ({"hint": "2s"}, {}))
    expect(1.99 <= hinted["p99"] <= 4.1, hinted)
    expect(free["p99"] < 0.2, free)


@test
def an_outage_that_refuses_or_drops():
    for over, least, most in (("refuse", 0, 0.001), ("drop", 0.999, 2)):
        outage, after = rows(scenario(BACKOFF + " max_attempts(1)", ("10s", {"limit": 0, "over_limit": over}),
                                      ("10s", {}), service={"latency": "1ms"}))
        expect_equal(outage["good"], 0, outage)
        expect_equal((after["failed"], after["amplification"]), (0, 1), after)
        # A second attempt begins when the first has failed: at once, or after the time-out.
        one = rows(scenario("constant(1ms) no_jitter max_attempts(2)",
                            ("10s", {"limit": 0, "over_limit": over}), ("10s", {}), service={"latency": "1ms"}))[0]
        rescued = one["good"] / one["calls"]
        expect(least - 0.9 <= 10 * rescued <= most, (over, one))


@test
def a_brown_out():
    """A third of the capacity and 200 ms more: at 90 % load nothing is lost, and each call takes the latency longer."""
    well, ill = rows(scenario(ONCE, ("20s", {}), ("20s", {"capacity": 111, "latency": "205ms"}),
                              service={"capacity": 333, "latency": "5ms"}))
    expect_equal((well["failed"], ill["failed"]), (0, 0), ill)
    expect(0.205 + 0.009 < ill["p50"] < 0.205 + 0.15, ill)
    # M/D/1: the mean wait at a load of 0.3 is 0.3 / (2 * 0.7) of an attempt's time.
    expect(0.005 + 0.003 <= well["p50"] < 0.005 + 2 * 0.003 + 0.001, well)


@test
def a_deploy_that_drops_connections():
    """Each call takes 200 ms, so that 20 of 100 a second are under way; three quarters of them fail, and their retries
    succeed."""
    for strategy, failed, more in ((ONCE, 1, 0), (NAIVE, 0, 1)):
        of = scenario(strategy, ("10s", {}), {"lasts": "10s", "service": {"drops_connections": 0.75}},
                      service={"latency": "200ms"}, clients=100)
        before, after = rows(of)
        under_way = 0.75 * 0.2 * 100 * 10
        expect_near(before["failed"], failed * under_way, failed * 5 * math.sqrt(under_way), before)
        expect_equal(after["failed"], 0, after)
        expect_near(before["attempts"] + after["attempts"] - before["calls"] - after["calls"], more * under_way,
                    more * 5 * math.sqrt(under_way), after)
    # What breaks has left the queue: the wait of a full second is gone at once.
    full = scenario(ONCE, {"lasts": "1s", "burst": 900}, {"lasts": "5s", "service": {"drops_connections": 1}},
                    service={"capacity": 500}, timeout="10s")
    before, after = rows(full)
    expect_near(before["failed"], 900 + 100 - 500, 60, before)
    expect(after["p99"] < 0.1, after)


@test
def a_slow_tail():
    """1 % take a second longer: the 99th percentile is at the edge, the 99.9th beyond it; a time-out retries them."""
    tail = {"latency": "10ms", "slow_tail": {"share": 0.02, "by": "1s"}}
    (one,) = rows(scenario(ONCE, ("200s", {}), service=tail, timeout="2s"))
    expect((one["failed"], round(one["p50"], 2)) == (0, 0.01) and 1 < one["p99"] < 1.03, one)
    (one,) = rows(scenario("no_backoff max_attempts(3)", ("200s", {}), service=tail, timeout="100ms"))
    expect_near(one["amplification"], 1.0204, 0.006, one)
    expect(0.1 < one["p99"] < 0.13 and one["failed"] <= 3, one)


@test
def attempts_that_leave_the_queue():
    """In 20 s a queue gets 1000 attempts too many. They keep it busy for 8 s beyond the time-out, unless they
    leave with their clients."""
    for drops, seconds in ((False, 8), (True, 0)):
        found = simulated(scenario(ONCE, ("5s", {}), ("20s", {"capacity": 50}), ("30s", {}),
                                   service={"capacity": 200, "drops_cancelled": drops}))
        expect_near(found["recovery_seconds"], seconds, 2, (drops, found))


# ------------------------------------------------------------------------------------------------------ hedges

AT_ONCE = {"hedging": "hedge_after(0s)"}


def slow_tail(share):
    return {"latency": "10ms", "slow_tail": {"share": share, "by": "1s"}}


@test
def a_hedge_cuts_the_tail():
    """A share q of the attempts takes a second longer, and a hedge is sent after 20 ms: 1 + q attempts a call, and a
    share q^2 of the calls is slow."""
    for q in (0.02, 0.1):
        of = scenario("no_backoff max_attempts(2)", ("200s", {}), service=slow_tail(q), rate=20, timeout="10s",
                      of_clients={"hedging": "hedge_after(20ms)"})
        (one,) = rows(of)
        expect_near(one["attempts"] - one["calls"], q * one["calls"], deviations(one["calls"], q), (q, one))
        expect_near(one["p99"], 0.03 if q * q < 0.01 else 1.01, 0.016, (q, one))
        expect_near(one["p99_9"], 0.03 if q * q < 0.001 else 1.01, 0.016, (q, one))
        del of["clients"]["hedging"]
        (one,) = rows(of)
        expect_near(one["p99_9"], 1.01, 0.016, (q, one))


@test
def the_example_hedges_five_percent():
    """As in "The Tail at Scale": at the 95th percentile a hedge costs 5 % more load, and the 99.9th falls much."""
    of = json.loads((SCENARIOS / "slow_tail.json").read_text())
    hedged = simulated(of)
    del of["clients"]["hedging"]
    plain = simulated(of)
    expect_equal((hedged["hedging"], plain.get("hedging")), ("hedge_at_quantile(95/100)", None), hedged)
    usual, alone = hedged["rows"][1], plain["rows"][1]
    expect_near(usual["amplification"], 1.05, 0.01, usual)
    expect_equal(alone["amplification"], 1, alone)
    expect(usual["p99_9"] < 0.05 < 1 < alone["p99_9"], (usual, alone))
    # In a brown-out all are later than that; the budget pays for a tenth.
    expect(hedged["rows"][2]["amplification"] < 1.1, hedged["rows"][2])


@test
def hedges_that_the_quota_pays_for():
    """A budget of 10 % of the calls pays for as many hedges. A hedge costs 14 tokens, which come back when it wins
    (the share q), and a first attempt that wins earns one: 1 / (14 (1 - q) + q) hedges a call."""
    q = 0.05
    for quota, share, more in (("retry_budget(10%,0,10s)", 0.1, 0), ("token_bucket(140)", 1 / (14 * (1 - q) + q), 10)):
        (one,) = rows(scenario(f"no_backoff max_attempts(2) {quota}", ("200s", {}), service=slow_tail(q), rate=20,
                               timeout="10s", of_clients=AT_ONCE))
        hedges = one["attempts"] - one["calls"]
        expect_near(hedges, share * one["calls"] + more * 10, 0.03 * share * one["calls"], (quota, one))


@test
def hedges_in_a_queue():
    """A burst makes calls wait for longer than a hedge does. If the loser stays in the queue, two attempts a call
    at 80 % load hold it down; if it leaves the queue when the other is answered, the queue ends as without hedges."""
    for drops, ends in ((False, False), (True, True)):
        of = scenario(BACKOFF + " max_attempts(2)", {"lasts": "20s", "burst": 100}, {"lasts": "20s"}, clients=10,
                      rate=8, timeout="20s", service={"capacity": 100, "drops_cancelled": drops},
                      of_clients={"hedging": "hedge_after(200ms)"})
        late = rows(of)[1]
        expect((late["p50"] < 0.1 and late["good"] == late["calls"] - late["under_way"]) == ends, (drops, late))


@test
def hedged_calls_whose_connections_break():
    """Both attempts of a call are under way when all break; the third succeeds. With max_attempts(2) all are lost."""
    for most, failed in ((3, False), (2, True)):
        before, after = rows(scenario(f"no_backoff max_attempts({most})", ("1s", {}),
                                      {"lasts": "1s", "service": {"drops_connections": 1}},
                                      service={"latency": "200ms"}, clients=20, of_clients=AT_ONCE))
        under_way = 0.2 * 20 * 10
        lost = before["failed"] + after["failed"]
        expect_near(lost, under_way if failed else 0, 5 * math.sqrt(under_way) if failed else 0, (most, before))
        if failed:
            continue
        more = before["attempts"] + after["attempts"] - 2 * (before["calls"] + after["calls"])
        expect(under_way / 2 < more < 3 * under_way, (more, before, after))


@test
def hedges_are_in_the_log():
    done = run(scenario("no_backoff max_attempts(2)", ("100ms", {}), service={"latency": "10ms"}, clients=1, rate=30,
                        of_clients=AT_ONCE), "--log")
    kinds = [line.split()[1] for line in done.out.splitlines() if line[:2] == "0."]
    expect_equal(kinds[:5], ["call", "attempt", "attempt", "answer", "cancel"], done)
    expect_equal(kinds.count("cancel"), kinds.count("end"), done)


@test
def a_cold_cache():
    """With a tenth of the capacity c = 1000/s left and W = 2000 answers to fill the cache, a queue that is never empty
    has answered n after t = W / (0.9 c) ln((0.1 + 0.9 n / W) / 0.1): it is warm after 5.117 s."""
    cold = {"capacity": 1000, "cold_cache": {"capacity_share": 0.1, "answers": 2000}}
    for answered in (500, 1000, 2000):
        wanted = 2000 / 900 * math.log((0.1 + 0.9 * answered / 2000) / 0.1)
        (one,) = rows(scenario(ONCE, {"lasts": "30s", "burst": answered, "service": cold}, rate=0, timeout="60s"))
        expect_equal((one["good"], one["calls"]), (answered, answered), one)
        expect_near(one["p99_9"], wanted, 0.02 * wanted + 0.02, (answered, one))
    # Warm, it is as fast as before: the 3000 after them take three seconds.
    (one,) = rows(scenario(ONCE, {"lasts": "30s", "burst": 5000, "service": cold}, rate=0, timeout="60s"))
    expect_near(one["p99_9"], 2000 / 900 * math.log(10) + 3, 0.15, one)


@test
def layers_multiply():
    """Three layers of three attempts make 27 of a call that fails, and fewer where attempts succeed: as published,
    1.111, 2.000 and 9.419 attempts."""
    layer = {"processes": 5, "strategy": NAIVE, "timeout": "1h"}
    for p, attempts in ((1, 27), (0.1, 1.111), (0.5, 2.0), (0.9, 9.419)):
        found = simulated(scenario(NAIVE, ("100s", {"failure_rate": p}), ("100s", {"failure_rate": 0}), rate=5,
                                   timeout="1h", layers=[layer, layer]))
        sent = sum(one["attempts"] for one in found["rows"]) - found["rows"][1]["calls"]
        expect_near(sent / found["rows"][0]["calls"], attempts, 0.04 * attempts, (p, found))
        if p == 1:
            upper, lower = found["attempts_of_layers"]
            calls = [one["calls"] for one in found["rows"]]
            expect_near(upper - calls[1], 3 * calls[0], 60, found)
            expect_near(lower - calls[1], 9 * calls[0], 250, found)


@test
def a_layer_goes_on_after_its_client_gave_up():
    """The client waits 100 ms for a service that never answers; the layer makes all of its attempts."""
    found = simulated(scenario(ONCE, ("50s", {"limit": 0, "over_limit": "drop"}), ("20s", {"limit": 0, "over_limit":
                               "drop"}), rate=5, timeout="100ms",
                               layers=[{"processes": 5, "strategy": NAIVE, "timeout": "1s"}]))
    one = found["rows"][0]
    expect_equal(one["good"], 0, one)
    expect_near(one["amplification"], 3, 0.25, one)


# ------------------------------------------------------------------------------------------------------ arrivals


@test
def arrivals_are_as_many_as_the_rate_says():
    steady, ramp, spike, burst, none = rows(scenario(
        ONCE, {"lasts": "100s"}, {"lasts": "100s", "rate": {"from": 10, "to": 30}}, {"lasts": "10s", "rate": 100},
        {"lasts": "100ms", "burst": 5000}, {"lasts": "10s", "rate": 0}))
    for one, wanted in ((steady, 10000), (ramp, 20000), (spike, 10000), (burst, 5010), (none, 0)):
        expect_near(one["calls"], wanted, 5 * math.sqrt(wanted), one)
    # A ramp down ends at nothing, and its first half has three quarters of the calls.
    first, second = rows(scenario(ONCE, {"lasts": "50s", "rate": {"from": 20, "to": 10}},
                                  {"lasts": "50s", "rate": {"from": 10, "to": 0}}))
    expect_near(first["calls"], 7500, 5 * math.sqrt(7500), first)
    expect_near(second["calls"], 2500, 5 * math.sqrt(2500), second)


@test
def workers_obey_the_response_time_law():
    """Calls a second are X = N / (R + Z), at most the capacity: 200 workers that think 100 ms have it full, and wait
    R = N / X - Z."""
    for workers, busy in ((5, False), (20, True)):
        one = rows(scenario(ONCE, ("5s", {}), ("60s", {}), service={"capacity": 1000, "latency": "5ms"},
                            arrivals={"workers": workers, "think": "100ms"}))[1]
        rate = one["calls"] / 60
        if busy:
            expect_near(rate, 1000, 12, one)
            expect_near(one["p50"], 200 / 1000 - 0.1, 0.01, one)
        else:
            expect_near(rate, 50 / (0.1 + one["p50"]), 0.05 * rate, one)
    # They make no call while one is under way: a service that drops all gets one attempt of each in a time-out.
    (one,) = rows(scenario(ONCE, ("60s", {"limit": 0, "over_limit": "drop"}), arrivals={"workers": 3}))
    expect_equal((one["calls"], one["under_way"]), (30 * 60, 30), one)


@test
def what_clients_share():
    """A full bucket of 500 pays for 100 retries of throttled attempts: each of 20 clients has one, each of 4 hosts, or
    the fleet."""
    for share, quotas in (({}, 20), ({"quota_per": "host", "clients_per_host": 5}, 4), ({"quota_per": "fleet"}, 1)):
        (one,) = rows(scenario("aws-standard", ("100s", {"limit": 0}), clients=20, rate=10, of_clients=share))
        expect_equal(one["attempts"] - one["calls"], 100 * quotas, (share, one))


# ------------------------------------------------------------------------------------------------------ the program

# One of everything: its events are the same wherever the program was built.
ALL = scenario("aws-standard", ("5s", {}), {"lasts": "5s", "rate": {"from": 10, "to": 40}, "service":
               {"capacity": 150, "latency": "40ms"}}, {"lasts": "5s", "burst": 200, "service":
               {"drops_connections": 0.5, "cold_cache": {"capacity_share": 0.2, "answers": 500}}}, {"lasts": "5s",
               "service": {"limit": 50, "hint": "300ms"}}, {"lasts": "10s"}, clients=20,
               of_clients={"quota_per": "host", "clients_per_host": 4},
               service={"capacity": 1000, "latency": "5ms", "failure_rate": 0.02,
                        "slow_tail": {"share": 0.01, "by": "400ms"}},
               layers=[{"processes": 3, "strategy": NAIVE, "timeout": "700ms"}])
CHECKSUM = "0a06af1b3c32d9b8"
CHECKSUM_OF_HEDGED = "d718464e54505f0c"


@test
def the_same_seed_has_the_same_events_with_every_compiler():
    """The suite runs with g++ and with clang. A change of the simulator changes the checksum: `anew-fleet --json`
    prints the new one."""
    first, second = simulated(ALL), simulated({**ALL, "seed": 2})
    expect_equal(first["seeds"][0]["log_checksum"], CHECKSUM, "the checksum of the events")
    expect(second["seeds"][0]["log_checksum"] != CHECKSUM, "the seed is not used")
    text = run(ALL)
    expect(CHECKSUM in text.out, text)
    hedged = copy.deepcopy(ALL)
    del hedged["layers"]
    hedged["service"]["drops_cancelled"] = True
    hedged["clients"]["hedging"] = "hedge_at_quantile(90/100,2,lower=5ms,samples=10)"
    expect_equal(simulated(hedged)["seeds"][0]["log_checksum"], CHECKSUM_OF_HEDGED, "hedged calls")


@test
def the_log_has_each_event():
    done = run(scenario("constant(10ms) no_jitter max_attempts(2)", ("100ms", {}), service={"failure_rate": 1,
               "latency": "1ms"}, clients=3, rate=20), "--log")
    expect_equal((done.code, done.err), (0, ""), done)
    events = [line.split() for line in done.out.splitlines() if line[:2] == "0."]
    times = [float(one[0]) for one in events]
    expect_equal(times, sorted(times), events)
    kinds = [one[1] for one in events]
    expect(kinds.count("call") >= 3 and kinds.count("attempt") > kinds.count("call"), events)
    of_first = [one for one in events if one[2] == events[0][2]][:6]
    expect_equal([one[1] for one in of_first[:3]], ["call", "attempt", "answer"], of_first)


@test
def simulates_without_threads_and_refuses_without_memory():
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory, "s.json")
        path.write_text(json.dumps(ALL))
        arguments = (str(path), "--json", "--seeds", "3", "--jobs", "3")
        whole, no_threads = Run(*arguments), Run(*arguments, limit=NO_THREADS)
        expect_equal((no_threads.code, no_threads.out), (0, whole.out), no_threads)
        path.write_text(json.dumps({**ALL, "clients": {**ALL["clients"], "count": 10_000}}))
        found = Run(str(path), limit=(resource.RLIMIT_AS, 20 << 20))
        expect_equal((found.code, found.out), (1, ""), found)
        expect("anew-fleet: there is not enough memory" in found.err, found)


@test
def several_seeds_in_parallel():
    many = json.loads(run(ALL, "--json", "--seeds", "3", "--jobs", "2").out)
    alone = [simulated({**ALL, "seed": seed}) for seed in (1, 2, 3)]
    expect_equal([one["log_checksum"] for one in many["seeds"]],
                 [one["seeds"][0]["log_checksum"] for one in alone], many["seeds"])
    for name in ("calls", "good", "p99"):
        for i, row in enumerate(many["rows"]):
            values = sorted(one["rows"][i][name] for one in alone if one["rows"][i][name] is not None) or [None]
            expect_equal([row[name]["min"], row[name]["median"], row[name]["max"]],
                         [values[0], values[(len(values) - 1) // 2], values[-1]], (name, i))
    text = run(ALL, "--seeds", "3")
    expect("3 seeds" in text.out and len(text.out.splitlines()) >= 3 + 3 * 5, text)


@test
def rows_per_second():
    of = scenario(ONCE, ("2s", {}), ("1500ms", {"failure_rate": 1}))
    by_phase, by_second = rows(of), rows(of, "--per", "second")
    expect_equal([one["begin_seconds"] for one in by_second], [0, 1, 2, 3], by_second)
    for name in ("calls", "good", "failed", "attempts"):
        expect_equal(sum(one[name] for one in by_phase), sum(one[name] for one in by_second), name)
    expect_equal([one["failed"] for one in by_second][:2], [0, 0], by_second)


@test
def several_files():
    path = str(SCENARIOS / "outage.json")
    found = json.loads(Run(path, path, "--json").out)
    expect_equal((len(found), found[0]), (2, found[1]), found)


@test
def every_example_runs():
    files = sorted(SCENARIOS.glob("*.json"))
    expect(len(files) >= 3, files)
    for file in files:
        done = Run(str(file))
        expect_equal((done.code, done.err), (0, ""), done)
        lines = done.out.replace(str(file), file.name).splitlines()  # however long the folder's name is
        expect(max(map(len, lines)) <= 130 and "Stopped" not in done.out, done)


@test
def the_page_shows_the_example():
    page = SCENARIOS.parent.parent / "docs/how_to/simulate_a_fleet.md"
    done = subprocess.run([ANEW_FLEET, "outage.json"], cwd=SCENARIOS, stdout=subprocess.PIPE, timeout=LIMIT,
                          env=environment(), check=True)
    wanted = {"json": (SCENARIOS / "outage.json").read_text(), "": "$ anew-fleet outage.json\n" + done.stdout.decode()}
    text = page.read_text()
    shown = re.findall(r"^```(.*?)\n(.*?)^```$", text, re.M | re.S)
    expect_equal(dict(shown), wanted, "the page is out of date")


@test
def progress_is_for_a_terminal():
    done = run(ALL)
    expect("#" not in done.err and "\r" not in done.err, done)
    master, slave = pty.openpty()
    long = scenario(NAIVE, ("600s", {"failure_rate": 0.5}), clients=100, rate=15)
    with tempfile.TemporaryDirectory() as directory:
        file = pathlib.Path(directory, "s.json")
        file.write_text(json.dumps(long))
        expect_equal(Run(str(file), stderr=slave).code, 0, "on a terminal")
    os.close(slave)
    shown = os.read(master, 1 << 16).decode()
    os.close(master)
    expect("\r" in shown, repr(shown))


@test
def a_simulation_that_grows_without_bounds_stops():
    found = simulated(scenario(ONCE, ("10s", {"limit": 0, "over_limit": "drop"}), clients=1, rate=1e5, timeout="1h"))
    expect(4 < found["stopped_at_seconds"] < 6, found)
    expect_equal((found["seeds"][0]["recovery"], found["recovery_seconds"]), ("stopped", None), found)
    # So do calls of a layer that go on after their clients gave up.
    found = simulated(scenario(ONCE, ("20s", {"limit": 0, "over_limit": "drop"}), clients=1, rate=5e4, timeout="10ms",
                               layers=[{"strategy": ONCE, "timeout": "1h"}]))
    expect(9 < found["stopped_at_seconds"] < 11, found)


@test
def a_last_phase_that_is_too_short_to_tell():
    """Ten seconds must be good, and two time-outs follow them: in 12 s no more and no less can be told."""
    for seconds, service, recovery, words in (
            ("11900ms", {}, "too_short", "'after' is too short to tell whether 99 % of the calls succeed again: "
             "they must for 10s, before the last 2s (two time-outs)."),
            ("12s", {}, "recovered", "99 % of the calls succeed from 0.0 s of 'after' on."),
            ("5s", {"failure_rate": 0.5}, "failing", "99 % of the calls do not succeed again in 'after'.")):
        of = scenario(ONCE, ("1s", {}), {"name": "after", "lasts": seconds, "service": service},
                      service={"latency": "1ms"}, rate=5)
        found = simulated(of)
        expect_equal(found["recovery_seconds"], 0 if recovery == "recovered" else None, (seconds, found))
        expect_equal([one["recovery"] for one in found["seeds"]], [recovery], (seconds, found))
        expect(f"\n{words}\n" in run(of).out, (seconds, run(of)))
        many = run(of, "--seeds", "2").out
        expect((" with 2 of the seeds: " in many) == (recovery == "too_short"), many)
    single = run(scenario(ONCE, ("5s", {"failure_rate": 1})))
    expect("\n99 % of the calls do not succeed in 'phase 1'.\n" in single.out, single)


@test
def what_no_call_has():
    """Where none succeeded there are no times, and where none began no attempts per call."""
    of = scenario(ONCE, {"lasts": "1s", "service": {"failure_rate": 1}}, {"lasts": "1s", "rate": 0})
    for one, has_calls in zip(rows(of), (True, False)):
        expect_equal([one[name] for name in ("p50", "p99", "p99_9")], [None] * 3, one)
        expect_equal(one["amplification"], 1 if has_calls else None, one)
    failed, empty = (line.split() for line in run(of).out.splitlines() if line.startswith("phase "))
    expect_equal((failed[4], failed[-3:], empty[4], empty[-3:]), ("1.00", ["-"] * 3, "-", ["-"] * 3), run(of))
    one = rows(of, "--seeds", "2")[0]
    expect_equal(one["p50"], {"min": None, "median": None, "max": None}, one)


@test
def numbers_in_json():
    """Counts are whole numbers, and the tenths of seconds those that were meant."""
    of = scenario(ONCE, ("60s", {"capacity": 90}), ("300ms", {}), rate=1, layers=[{"strategy": ONCE, "timeout": "1s"}])
    found = printed(json.dumps(of))
    expect(re.search(r'"calls":\d+,"attempts":\d+,.*"under_way":\d+,', found), found)
    expect('"attempts_of_layers":[' in found and "." not in str(json.loads(found)["attempts_of_layers"]), found)
    expect('"end_seconds":60.0,' in found and '"end_seconds":60.3,' in found, found)


@test
def texts_steer_no_terminal():
    of = scenario(ONCE, {"lasts": "1s", "name": "p\nq\x1b[31m\x9b5m"}, title="a\nb\x1b[31mred")
    done = run(of)
    expect("\x1b" not in done.out and "\x9b" not in done.out and "red" in done.out, done)
    expect_equal(len(done.out.splitlines()), len(run({**of, "title": "t"}).out.splitlines()), done)
    expect_equal(simulated(of)["title"], "a\nb\x1b[31mred", "JSON has its own escapes")


# ------------------------------------------------------------------------------------------------------ mistakes

SOUND = {"clients": {"count": 10, "strategy": "grpc", "timeout": "1s"}, "arrivals": {"rate": 1},
         "phases": [{"lasts": "1s"}]}


def refused(content, line, *words):
    done = run(content)
    expect_equal((done.code, done.out), (2, ""), (content, done))
    expect_equal(done.err.count("\n"), 1, (content, done))
    # First the file and the line, as editors read them.
    expect(re.match(rf"[^ ]*s\.json:{line}: ", done.err) and not done.err.startswith("anew-fleet"), (line, done))
    for word in words:
        expect(word in done.err, f"'{word}' is missing: {content} {done}")


def with_value(path, value):
    """A sound scenario but for one value, the text of the file, and the line of that value's name."""
    of = copy.deepcopy(SOUND)
    at = of
    *way, last = path
    for step in way:
        at = at.setdefault(step, {}) if isinstance(step, str) else at[step]
    at[last] = "@@"
    text = json.dumps(of, indent=1)
    line = 1 + text[:text.index('"@@"')].count("\n")
    return text.replace('"@@"', value), line


NUMBERS = {("clients", "count"): ("0", "1.5", "1000001"), ("arrivals", "rate"): ("1000001",),
           ("service", "capacity"): ("10000001",), ("service", "failure_rate"): ("1.01",),
           ("service", "limit"): ("10000001",), ("phases", 0, "burst"): ("0.5", "1000001"), ("seed",): ("0.1", "1e16"),
           ("phases", 0, "rate"): ("1000001",), ("phases", 0, "service", "drops_connections"): ("1.5",)}
DURATIONS = {("clients", "timeout"): ("0s", "2h"), ("service", "latency"): ("2h",),
             ("phases", 0, "lasts"): ("0s", "25h", "50ms", "1.05s")}


@test
def odd_numbers():
    for path, values in NUMBERS.items():
        for value in (*values, "-1", '"ten"', "null", "true", "[]", '"nan"', '"1"'):
            text, line = with_value(path, value)
            kind = "must be a whole number" if path[-1] in ("count", "burst", "seed") else "must be a number"
            refused(text, line, ".".join(step for step in path if isinstance(step, str))[:6], kind,
                    "not an array" if value == "[]" else f"not {value.replace('1e16', '1')}")
    text = json.dumps({**SOUND, "service": {"capacity": 9}, "phases": [{"lasts": "1s", "service": {"cold_cache":
                       {"capacity_share": 0.5, "answers": 1.5}}}]})
    refused(text, 1, "cold_cache.answers: must be a whole number", "not 1.5")
    for value in ("nan", "NaN", "inf", "+1", "0x10", "1.", ""):
        text, line = with_value(("arrivals", "rate"), value)
        done = run(text)
        expect(done.code == 2 and "the file is no JSON" in done.err and done.err.count("\n") == 1, done)
    text, line = with_value(("arrivals", "rate"), "1e999")
    refused(text, line, "arrivals.rate", "too large")


@test
def odd_durations():
    for path, values in DURATIONS.items():
        for value in (*(f'"{one}"' for one in values), '"-1s"', '"nan"', '"5"', '""', '"99999999999h"', "5", "null",
                      "{}"):
            text, line = with_value(path, value)
            refused(text, line, path[-1], "must be")
    text, line = with_value(("clients", "timeout"), '"-1s"')
    refused(text, line, "from 1us to 3600s", 'not "-1s"')


@test
def fields_that_are_missing_unknown_or_there_twice():
    for path in (("clients",), ("arrivals",), ("phases",), ("clients", "count"), ("clients", "strategy"),
                 ("clients", "timeout"), ("phases", 0, "lasts")):
        of = copy.deepcopy(SOUND)
        at = of
        for step in path[:-1]:
            at = at[step]
        del at[path[-1]]
        done = run(of)
        expect(done.code == 2 and path[-1] in done.err and "is missing" in done.err, done)
    for path in (("colour",), ("clients", "colour"), ("arrivals", "colour"), ("service", "colour"),
                 ("phases", 0, "colour"), ("phases", 0, "service", "colour")):
        text, line = with_value(path, "1")
        refused(text, line, path[-1], "is unknown; the fields here are")
    text, line = with_value(("service", "drops_connections"), "1")
    refused(text, line, "service.drops_connections", "belongs in the \"service\" of a phase")
    # One that is misspelt is named, and not the one that is missing then.
    for name in ("count", "strategy", "timeout", "lasts", "arrivals"):
        text = json.dumps(SOUND, indent=1).replace(f'"{name}"', f'"{name[:-1]}"')
        line = 1 + text[:text.index(f'"{name[:-1]}"')].count("\n")
        refused(text, line, f"{name[:-1]}: is unknown; the fields here are", f"{name}")
    refused('{\n "seed": 1,\n "clients": {},\n "seed": 2\n}', 4, "seed", "second time; the first is in line 2")
    refused('{"clients": {"count": 1,\n"count": 1}}', 2, "clients.count", "second time")


@test
def values_that_do_not_fit_together():
    for more, path, words in (
            ({"clients": {**SOUND["clients"], "quota_per": "host"}}, "clients.quota_per", "need each other"),
            ({"clients": {**SOUND["clients"], "clients_per_host": 2}}, "clients.clients_per_host", "need each other"),
            ({"clients": {**SOUND["clients"], "quota_per": "planet"}}, "clients.quota_per", "process, host, fleet"),
            ({"clients": {**SOUND["clients"], "count": 20001}}, "clients.count", "more than 20000 quotas"),
            ({"clients": {**SOUND["clients"], "strategy": "expo(5ms)"}}, "clients.strategy", "expo"),
            ({"clients": {**SOUND["clients"], "strategy": "AWS-STANDARD"}}, "clients.strategy",
             "presets, each alone, are aws-standard, "),
            ({"clients": {**SOUND["clients"], "strategy": "grpc max_attempts(5)"}}, "clients.strategy", ", grpc, "),
            ({"service": {"latency": "1s"}}, "service.latency", "below the time-out of the clients, 1s"),
            ({"phases": [{"lasts": "1s", "service": {"latency": "2s"}}]}, "phases", "no attempt would succeed"),
            ({"service": {"latency": "10ms"}, "layers": [{"strategy": "grpc", "timeout": "9ms"}]}, "service.latency",
             "the time-out of the last layer, 9ms"),
            ({"service": ""}, "service", 'must be an object, not ""'),
            ({"clients": {**SOUND["clients"], "strategy": ""}}, "clients.strategy", "name of a preset"),
            ({"clients": {**SOUND["clients"], "hedging": "hedge_late(1s)"}}, "clients.hedging", "no policy"),
            ({"clients": {**SOUND["clients"], "hedging": ""}}, "clients.hedging", "name a policy"),
            ({"clients": {**SOUND["clients"], "hedging": "hedge_after(1s,8)"}}, "clients.hedging", "between 0 and 7"),
            ({"clients": {**SOUND["clients"], "hedging": 1}}, "clients.hedging", "must be a text"),
            ({"clients": {**SOUND["clients"], "hedging": "hedge_after(1s)"}, "layers": [{"strategy": "grpc", "timeout":
             "1s"}]}, "layers", "omit \"hedging\" or \"layers\""),
            ({"service": {"drops_cancelled": 1}}, "service.drops_cancelled", "must be true or false, not 1"),
            ({"arrivals": {}}, "arrivals", "either"),
            ({"arrivals": {"rate": 1, "workers": 1}}, "arrivals", "either"),
            ({"arrivals": {"rate": 1, "think": "1s"}}, "arrivals.think", "only workers think"),
            ({"arrivals": {"workers": 20000}}, "arrivals.workers", "more than 100000"),
            ({"arrivals": {"rate": 1000000}}, "arrivals", "more than 1000000 calls a second"),
            ({"arrivals": {"workers": 1}, "phases": [{"lasts": "1s", "rate": 2}]}, "phases[0].rate", "workers"),
            ({"arrivals": {"workers": 1}, "phases": [{"lasts": "1s", "burst": 2}]}, "phases[0].burst", "workers"),
            ({"service": {"hint": "1s"}}, "service.hint", "limit"),
            ({"service": {"over_limit": "drop"}}, "service.over_limit", "limit"),
            ({"service": {"limit": 1, "over_limit": "drop", "hint": "1s"}}, "service.hint", "throttled"),
            ({"service": {"slow_tail": {"share": 1}}}, "service.slow_tail.by", "is missing"),
            ({"phases": [{"lasts": "1s", "service": {"cold_cache": {"capacity_share": 1, "answers": 1}}}]},
             "phases[0].service.cold_cache", "capacity"),
            ({"phases": []}, "phases", "1 to 100"),
            ({"phases": [{"lasts": "1s"}] * 101}, "phases", "1 to 100"),
            ({"phases": [{"lasts": "20h"}, {"lasts": "20h"}]}, "phases", "at most a day"),
            ({"arrivals": {"rate": 1e5}, "phases": [{"lasts": "1h"}]}, "phases[0]", "100000000 calls"),
            ({"layers": [{"strategy": "grpc", "timeout": "1s"}] * 8}, "layers", "at most 7"),
            ({"layers": [{"strategy": "grpc"}]}, "layers[0].timeout", "is missing"),
            ({"layers": 1}, "layers", "array")):
        done = run({**SOUND, **more})
        expect_equal((done.code, done.out, done.err.count("\n")), (2, "", 1), (more, done))
        expect(f" {path}: " in done.err and words in done.err and len(done.err) < 300, (more, done))


@test
def files_that_are_no_scenario():
    for content, words in (("", "no JSON"), ("[]", ":1: the scenario must be an object"), ("{", "no JSON"),
                           ("1", "the scenario must be an object"), ("{}{}", "no JSON"),
                           ("[" * 100, "nested too deeply"), ("\x00", "no JSON"),
                           (json.dumps(SOUND) + "\n\x00", ":2: the file is no JSON: it has a NUL byte"),
                           ('{"a\\u001b[2J": 1}', "is unknown"), ("\n" * 9 + " " * (1 << 20), ":10: the file must"),
                           ('{\r"seed": 1,\r\n"seed": 2}', ":3: seed"), ('{\r\r}}', ":3: the file is no JSON")):
        done = run(content)
        expect_equal((done.code, done.out, done.err.count("\n")), (2, "", 1), (content[:50], done))
        expect(words in done.err and "\x1b" not in done.err, (content[:50], done))
    for path in ("/no/such.json", "/"):
        done = Run(path)
        expect(done.code == 2 and f"anew-fleet: {path}: the file cannot be read" in done.err, done)


@test
def options():
    path = str(SCENARIOS / "outage.json")
    for arguments, words in (((), "FILE"), ((path, "--seeds", "0"), "--seeds '0'"), ((path, "--seeds", "1001"), "1000"),
                             ((path, "--seeds", "nan"), "--seeds 'nan'"), ((path, "--jobs", "-1"), "--jobs '-1'"),
                             ((path, "--per", "hour"), "--per 'hour'"), ((path, "--log", "--json"), "--log"),
                             ((path, "--log", "--seeds", "2"), "--log"), ((path, "--colour"), "--colour")):
        done = Run(*arguments)
        expect_equal((done.code, done.out), (2, ""), done)
        expect(words in done.err and "Try 'anew-fleet --help'" in done.err, done)
    expect_equal(Run("--help").code, 0, "--help")
    expect("anew-fleet " in Run("--version").out, "--version")
    with open("/dev/full", "wb") as full:
        expect_equal(Run(path, stdout=full).code, 1, "a full disk")


if __name__ == "__main__":
    ANEW_FLEET = str(pathlib.Path(sys.argv[1]).resolve())
    SCENARIOS = pathlib.Path(sys.argv[2])
    sys.exit(run_all(*sys.argv[3:4]))
