#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Four processes share a bucket on a real Redis, in seven phases: healthy, an outage of the service, Redis stopped,
going on, killed, started empty, and far away. Before these they make calls without it.

usage: run_fleet.py WORKER REDIS_SERVER [--scale N]

Two of the processes make calls that block their thread, two run theirs on Asio's event loop. What is asserted does not
depend on the machine's speed: how many tokens are spent, how often Redis is asked while it does not answer, and that no
system call waits. The table shows the rest; with --scale 10 its phases take a minute. Its times are microseconds of the
processor, which other work on the machine disturbs too: what 99.9 % of the decisions add at most, what 99.9 % of the
turns of an event loop take at most, and the longest turn. The first row says what turns take without a budget.
"""
import argparse
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

PROCESSES, CAPACITY, LEASE, BATCH, COST = 4, 500, 56, 32, 14
TIMES = ("decision", "turn", "longest")


class Proxy:
    """Between the fleet and Redis: replies may come late."""

    def __init__(self, path):
        self.path, self.latency = path, 0.0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            far = socket.socket(socket.AF_UNIX)
            try:
                far.connect(self.path)
            except OSError:
                near.close()
                far.close()
                continue
            near.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for args in ((near, far, False), (far, near, True)):
                threading.Thread(target=self.forward, args=args, daemon=True).start()

    def forward(self, source, target, is_reply):
        try:
            while data := source.recv(65536):
                if is_reply and self.latency:
                    time.sleep(self.latency)
                target.sendall(data)
        except OSError:
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


class Redis:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.path = os.path.join(folder, "redis.sock")

    def start(self):
        self.process = subprocess.Popen(
            [self.program, "--port", "0", "--unixsocket", self.path, "--save", "", "--appendonly", "no", "--dir",
             self.folder], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(3000):
            try:
                with socket.socket(socket.AF_UNIX) as probe:
                    probe.connect(self.path)
                    probe.sendall(b"PING\r\n")
                    if probe.recv(16).startswith(b"+PONG"):
                        return
            except OSError:
                pass
            time.sleep(0.01)
        raise RuntimeError("redis-server does not answer")

    def kill(self):
        self.process.kill()
        self.process.wait()


class Fleet:
    def __init__(self, program, port):
        self.earned, self.spent, self.lives, self.failures = 0, 0, 1, []
        self.workers = [
            subprocess.Popen([program, str(port), "fleet", str(seed), "loop" if seed % 2 else "block"],
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            for seed in range(1, PROCESSES + 1)
        ]

    def order(self, calls, percent, has_budget):
        for worker in self.workers:
            worker.stdin.write(f"{calls} {percent} {int(has_budget)}\n")
            worker.stdin.flush()
        told = [json.loads(worker.stdout.readline()) for worker in self.workers]
        total = {key: sum(one[key] for one in told) for key in
                 ("calls", "retries", "refused", "at_once", "after_retries", "exchanges", "lost", "can_wait")}
        total["away"] = sum(one["away"] for one in told)
        for key in TIMES:
            total[key] = max(one[key] for one in told)
        total["made"] = sum(one["made"] for one in told)
        if has_budget:
            self.spent += COST * total["retries"]
            self.earned += total["at_once"] + COST * total["after_retries"]
        return total

    def check(self, holds, what):
        if not holds:
            self.failures.append(what)

    def phase(self, name, calls, percent, rounds=1, until=None, has_budget=True):
        sums = None
        for _ in range(rounds):
            one = self.order(calls, percent, has_budget)
            if sums is None:
                sums = one
            else:
                for key in ("calls", "retries", "refused", "at_once", "after_retries", "exchanges", "lost"):
                    sums[key] += one[key]
                for key in TIMES:
                    sums[key] = max(sums[key], one[key])
                for key in ("away", "can_wait", "made"):
                    sums[key] = one[key]
            if until is not None and until(sums):
                break
        print(f"{name:34} {sums['calls']:7} {sums['retries']:7} {sums['refused']:7} {sums['exchanges']:9} "
              f"{sums['lost']:5} {sums['away']:4}" + "".join(f" {sums[key] / 1000:8.1f}" for key in TIMES), flush=True)
        self.check(self.spent <= CAPACITY * self.lives + self.earned,
                   f"{name}: {self.spent} tokens spent of {CAPACITY * self.lives} and {self.earned} earned")
        self.check(sums["can_wait"] == 0, f"{name}: {sums['can_wait']} system calls might wait")
        if until is not None:
            self.check(until(sums), f"{name}: it did not come to its end: {sums}")
        return sums


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("worker")
    parser.add_argument("server")
    parser.add_argument("--scale", type=int, default=1)
    args = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="anew-redis-")
    redis = Redis(args.server, folder)
    fleet = None
    try:
        redis.start()
        proxy = Proxy(redis.path)
        fleet = Fleet(args.worker, proxy.port)
        calls = 1500
        n = args.scale
        print(f"{'phase':34} {'calls':>7} {'retries':>7} {'refused':>7} {'exchanges':>9} {'lost':>5} {'away':>4}" +
              "".join(f" {key:>8}" for key in TIMES))

        fleet.phase("no budget, 1 % fail", calls, 1, rounds=n, has_budget=False)

        one = fleet.phase("healthy, 1 % fail", calls, 1, rounds=n)
        fleet.check(one["retries"] > 0 and one["exchanges"] > 0, "healthy: no retry was made")

        one = fleet.phase("outage: all fail", calls, 100, rounds=n)
        # Leases and batches of the time before are in it, and what the bucket had.
        bound = (CAPACITY + PROCESSES * (LEASE + BATCH)) // COST
        fleet.check(one["retries"] <= bound, f"outage: {one['retries']} retries, and {bound} are allowed")

        os.kill(redis.process.pid, signal.SIGSTOP)
        one = fleet.phase("Redis stopped (SIGSTOP), 5 % fail", calls, 5, rounds=n + 1)
        # At most one question of each process has no answer, and one more is under way when the server stops.
        fleet.check(one["exchanges"] <= 2 * PROCESSES, f"stopped: {one['exchanges']} exchanges")
        fleet.check(COST * one["retries"] <= PROCESSES * (LEASE + 2 * COST), f"stopped: {one['retries']} retries")

        os.kill(redis.process.pid, signal.SIGCONT)
        fleet.phase("Redis goes on, 5 % fail", calls // 2, 5, rounds=100,
                    until=lambda s: s["away"] == 0 and s["retries"] > 0)

        redis.kill()
        one = fleet.phase("Redis killed, 5 % fail", calls, 5, rounds=n)
        fleet.check(one["exchanges"] <= PROCESSES, f"killed: {one['exchanges']} exchanges")

        redis.start()
        fleet.lives += 1
        fleet.phase("restarted empty, 5 % fail", calls // 2, 5, rounds=100,
                    until=lambda s: s["away"] == 0 and s["retries"] > 0)

        proxy.latency = 0.05
        one = fleet.phase("latency 50 ms, 5 % fail", calls, 5, rounds=n)
        fleet.check(one["retries"] > 0, "latency: no retry was made")
    finally:
        if fleet is not None:
            for worker in fleet.workers:
                worker.stdin.close()
                worker.wait()
        redis.process.send_signal(signal.SIGCONT)
        redis.kill()
        shutil.rmtree(folder, ignore_errors=True)
    for failure in fleet.failures:
        print("FAILED:", failure)
    print(f"{fleet.spent} tokens spent, {CAPACITY * fleet.lives} + {fleet.earned} earned")
    return 1 if fleet.failures else 0


if __name__ == "__main__":
    sys.exit(main())
