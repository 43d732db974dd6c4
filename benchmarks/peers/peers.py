#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""What anew costs beside its peers, in one run: a table for each group, and what could not be measured.

    peers.py BUILD [--only unit,quota,grpc,curl,node]

BUILD is a build directory with the benchmarks (benchmarks/run.sh makes one in build/benchmarks). Figures are medians
with their quartiles; `x` is the ratio to the first row of its kind, of the same run. Instructions are exact.

  unit   one policy by hand, in an object-oriented design and with gRPC's throttle, both written for this comparison,
         and through anew: 32 strategies in one unit
  quota  the same quotas on one thread and on two
  grpc   the retry policy of a gRPC channel (libgrpc++-dev), beside anew around a channel without one
  curl   curl --retry beside anew around a libcurl handle: instructions of a transfer, counted by callgrind
  node   cockatiel, p-retry and @smithy/util-retry, beside a loop by hand in the same language; npm installs the
         versions of node/package-lock.json into BUILD

ANEW_BENCHMARK_SMOKE=1 runs each once. The exit code is 1 where a program fails, not where a peer is missing.
"""
import argparse
import collections
import http.server
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import threading

HERE = pathlib.Path(__file__).resolve().parent
GROUPS = ["unit", "quota", "grpc", "curl", "node"]
Figure = collections.namedtuple("Figure", "group what peer value low high unit")


def is_smoke():
    return os.environ.get("ANEW_BENCHMARK_SMOKE", "0") not in ("", "0")


class Missing(Exception):
    """What cannot be measured here, and what to install."""


class Failed(Exception):
    """A program that fails."""


def output_of(words):
    done = subprocess.run([str(word) for word in words], text=True, capture_output=True, check=False)
    if done.returncode != 0:
        raise Failed(f"{' '.join(map(str, words))}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout, done.stderr


def program(build, name, package=""):
    """Builds it: those that need a library of others are not built with the rest."""
    done = subprocess.run(["ninja", "-C", build, f"benchmarks/{name}"], text=True, capture_output=True, check=False)
    if "unknown target" in done.stdout + done.stderr:
        raise Missing(f"benchmarks/{name} is not in {build}" +
                      (f": install {package}, and configure it again" if package else ", or not on this machine"))
    if done.returncode != 0:
        raise Failed(f"benchmarks/{name} does not build\n{done.stdout}{done.stderr}")
    return build / "benchmarks" / name


def figures_of(text):
    for line in text.splitlines():
        group, what, peer, *numbers, unit = line.split("\t")
        yield Figure(group, what, peer, *map(float, numbers), unit)


def from_unit(build):
    out, err = output_of([program(build, "peers/unit")])
    print(err, end="")
    return list(figures_of(out))


def from_grpc(build):
    return list(figures_of(output_of([program(build, "peers/grpc_channel", "libgrpc++-dev")])[0]))


# Of the benchmark `quota`: its names of what is done and of the peers, and ours.
QUOTA_WHAT = {"success_at_full": "a success, full", "success_below_full": "a success, not full",
              "take_and_give_back": "a retry: taken and given back"}
QUOTA_PEERS = {"loops::hand_bucket": "by hand: compare-exchange", "mutex_bucket": "object-oriented: a mutex",
               "grpc_bucket": "gRPC's throttle, stated again", "throttle_bucket": "anew, retry_throttle",
               "anew_bucket": "anew, token_bucket", "striped_bucket": "anew, striped<token_bucket>"}


def from_quota(build):
    names = "|".join(QUOTA_WHAT)
    options = [f"--benchmark_filter=^({names})<({'|'.join(QUOTA_PEERS)})>", "--benchmark_format=json"]
    if not is_smoke():
        options += ["--benchmark_repetitions=9", "--benchmark_min_time=0.02",
                    "--benchmark_enable_random_interleaving=true"]
    runs = collections.defaultdict(list)
    for run in json.loads(output_of([program(build, "runtime/quota"), *options])[0])["benchmarks"]:
        what, peer, threads = re.fullmatch(r"(\w+)<([\w:]+)>.*/threads:(\d)", run["run_name"]).groups()
        if run["run_type"] == "iteration":
            # Of each thread, on a processor: what passes while another program has it does not count.
            runs[what, threads, peer].append(run["cpu_time"])
    rows = []
    for what in QUOTA_WHAT:
        for threads in "12":
            for peer, title in QUOTA_PEERS.items():
                if what == "success_below_full" and peer == "throttle_bucket":
                    continue  # a throttle has 1000 tokens at most, and is full before long
                times = runs[what, threads, peer]
                rows.append(Figure("Quotas, of each thread",
                                   f"{QUOTA_WHAT[what]}, {threads} thread{'s' if threads == '2' else ''}", title,
                                   statistics.median(times), *quartiles(times), "ns"))
    return rows


def quartiles(values):
    """The least and the greatest where there are few."""
    ordered = sorted(values)
    aside = len(ordered) // 4
    return ordered[aside], ordered[-1 - aside]


class Answers(http.server.BaseHTTPRequestHandler):
    """/ok/... is answered by 200; /busy/... by 503 at the first, third, ... request for it, by 200 at the others."""
    protocol_version = "HTTP/1.1"
    asked = collections.Counter()

    def do_GET(self):  # noqa: N802
        self.asked[self.path] += 1
        is_busy = self.path.startswith("/busy/") and self.asked[self.path] % 2 == 1
        self.send_response(503 if is_busy else 200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *_):
        pass


def instructions_of(words):
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *map(str, words)],
                          text=True, capture_output=True, check=False)
    collected = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode != 0 or not collected:
        raise Failed(f"{' '.join(map(str, words))}: exit code {done.returncode}\n{done.stderr}")
    return int(collected.group(1))


def from_curl(build):
    for name in ("valgrind", "curl"):
        if not shutil.which(name):
            raise Missing(f"{name} is not installed: install {name}")
    transfer = program(build, "peers/transfer", "libcurl4-openssl-dev")
    few, many, runs = (1, 2, 1) if is_smoke() else (1, 5, 2)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    numbers = iter(range(1, 1_000_000))

    def each(words, kind):
        """Instructions of one transfer more on the same connection."""
        def total(count):
            urls = [f"http://127.0.0.1:{server.server_port}/{kind}/{next(numbers):06}" for _ in range(count)]
            return instructions_of([*words, *urls])

        return (total(many) - total(few)) / (many - few)

    curl = ["curl", "-q", "-s", "--noproxy", "*"]
    kinds = [("curl", curl, None), ("curl --retry", [*curl, "--retry", "3", "--retry-delay", "1"], "curl"),
             ("libcurl handle", [transfer, "bare"], None), ("anew around the handle", [transfer, "anew"], "handle")]
    series = collections.defaultdict(list)
    for _ in range(runs):
        for name, words, retries in kinds:
            series["a transfer that succeeds", name].append(each(words, "ok"))
            if retries:
                failing = each(words, "busy")
                series["one attempt more", name].append(failing - series["a transfer that succeeds", name][-1])
    server.shutdown()
    return [Figure("libcurl, instructions of a transfer", what, name, statistics.median(found), *quartiles(found),
                   "instructions") for what, name in sorted(series, key=lambda key: key[0])
            for found in [series[what, name]]]


def from_node(build):
    if not shutil.which("npm"):
        raise Missing("Node is not installed: install nodejs and npm")
    folder = build / "peers" / "node"
    folder.mkdir(parents=True, exist_ok=True)
    lock = (HERE / "node" / "package-lock.json").read_text(encoding="utf-8")
    done = folder / "installed-lock.json"
    if not done.exists() or done.read_text(encoding="utf-8") != lock:
        for name in ("package.json", "package-lock.json"):
            shutil.copy(HERE / "node" / name, folder / name)
        installed = subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"], cwd=folder,
                                   text=True, capture_output=True, check=False)
        if installed.returncode != 0:
            reason = (installed.stderr or installed.stdout).strip().splitlines()[-1:] or ["no reason given"]
            raise Missing(f"npm ci failed in {folder}: {reason[0]}")
        done.write_text(lock, encoding="utf-8")
    return list(figures_of(output_of(["node", HERE / "node" / "peers.mjs", folder])[0]))


def number(value):
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.1f}"


def print_tables(figures):
    group = None
    begun = None
    for figure in figures:
        if figure.group != group:
            group = figure.group
            print(f"\n{group}\n  {'':<40}{'':<32}{'median':>12}{'quartiles':>22}{'x':>8}")
        title = f"{figure.what}, {figure.unit}"
        if title != begun:
            begun, base = title, figure.value
            print(f"  {title}")
        ratio = f"{figure.value / base:.2f}" if base > 0 else ""
        spread = f"{number(figure.low)} to {number(figure.high)}"
        print(f"  {'':<40}{figure.peer:<32}{number(figure.value):>12}{spread:>22}{ratio:>8}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--only", default=",".join(GROUPS), help="some of the groups, separated by commas")
    options = parser.parse_args()
    unknown = set(options.only.split(",")) - set(GROUPS)
    if unknown:
        parser.error(f"--only: no such group: {', '.join(sorted(unknown))}; there are: {', '.join(GROUPS)}")
    figures, missing, failed = [], [], []
    for group in options.only.split(","):
        try:
            figures += globals()[f"from_{group}"](options.build)
        except Missing as what:
            missing.append(f"NOT MEASURED: {group}: {what}")
        except Failed as what:
            failed.append(f"FAILED: {group}: {what}")
    print_tables(figures)
    print("\n" + "\n".join(missing + failed) if missing or failed else "")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
