#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""What anew-load shows. load_shows.py [hedging|throughput|wrk] ANEW_LOAD NGINX [SECONDS]

hedging: the server inside is slow for 1 % of the requests; without hedging and with a second request at p95.
throughput: against nginx on loopback, five runs of the client alone and of the same with anew's strategy around it, in
short turns, so that what else the machine does falls on both; and wrk and ab, where they are installed.
wrk: against nginx on loopback, the client alone and wrk at the same time, so that what else the machine does falls on
both, with keep-alive and over TLS: requests for a second of the processor. Runs only if you name it, because wrk is not
needed elsewhere.
Exit code 1 when hedging does not lower p99.9 to a fifth for at most 7 % more requests, or when the median of the ratios
of throughput is below 0.97.
"""
import json
import os
import pathlib
import re
import resource
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

NGINX = """daemon off; worker_processes 1; pid {dir}/pid; error_log {dir}/error.log crit;
events {{ worker_connections 512; }}
http {{
  access_log off; keepalive_requests 1000000000;
  client_body_temp_path {dir}/body; proxy_temp_path {dir}/proxy; fastcgi_temp_path {dir}/fastcgi;
  uwsgi_temp_path {dir}/uwsgi; scgi_temp_path {dir}/scgi;
  server {{ listen 127.0.0.1:{port}{tls}; location / {{ return 200 "hello\\n"; }} }}
}}
"""


def nginx(program, parent, tls=False):
    folder = pathlib.Path(tempfile.mkdtemp(dir=parent))
    folder.chmod(0o755)  # nginx gives up root
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    if tls:
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate,
                        "-days", "2", "-subj", "/CN=localhost"], stderr=subprocess.DEVNULL, check=True)
    words = f" ssl; ssl_certificate {certificate}; ssl_certificate_key {key}" if tls else ""
    (folder / "nginx.conf").write_text(NGINX.format(dir=folder, port=port, tls=words))
    process = subprocess.Popen([program, "-c", folder / "nginx.conf", "-p", folder], stderr=subprocess.DEVNULL)
    for _ in range(200):
        with socket.socket() as s:
            if s.connect_ex(("127.0.0.1", port)) == 0:
                return process, f"http{'s' if tls else ''}://127.0.0.1:{port}/"
        time.sleep(0.02)
    raise SystemExit("nginx does not start")


def load(program, *options):
    run = subprocess.run([program, "--json", *options], stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(run.stdout)


def ms(value):
    return f"{value:.2f}" if value < 100 else f"{value:.0f}"


def hedging(program, seconds):
    print("\n20 calls at once; an answer takes 2 ms to 8 ms, and 1 % of them 500 ms more\n")
    print(f"{'hedging':<8} {'calls/s':>9} {'p50':>9} {'p90':>9} {'p99':>9} {'p99.9':>9} {'max':>9}   {'hedges':>7} "
          f"{'won':>6} {'refused':>7} {'extra':>8}")
    tails = {}
    extra = 0.0
    for choice in "off", "p95":
        seen = load(program, "--inside", "--calls", "20", "--answer-after", "2ms..8ms", "--slow", "1%:500ms",
                    "--warm-up", "2s", "--for", f"{seconds}s", "--hedge", choice,
                    "--strategy", "exponential(50ms,20s) unlimited_quota")
        took = seen["latency_ms"]
        hedges = seen["hedges"] or {"made": 0, "won": 0, "refused": 0}
        print(f"{choice:<8} {seen['calls_per_s']:>9.0f} " +
              " ".join(f"{ms(took[q]) + ' ms':>9}" for q in ("p50", "p90", "p99", "p99_9", "max")) +
              f"   {hedges['made']:>7} {hedges['won']:>6} {hedges['refused']:>7} {seen['extra_percent']:>6.2f} %",
              flush=True)
        tails[choice] = took["p99_9"]
        extra = seen["extra_percent"]
    ratio = tails["off"] / tails["p95"]
    good = ratio >= 5 and extra <= 7
    print(f"\np99.9 is {ratio:.1f} times lower for {extra:.2f} % more requests: " +
          ("as it should be" if good else "NOT 5 times for at most 7 %"))
    return good


def processor_us(words, requests):
    """The processor time of a request of another client; `requests` finds their number in what it prints."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    taken = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return 1e6 * taken / int(re.search(requests, out).group(1))


def others(url, seconds):
    print()
    whole = str(max(1, round(seconds)))
    for name, options, requests in (("wrk", ["-t", "1", "-c", "32", "-d", whole], r"(\d+) requests in"),
                                    ("ab", ["-q", "-k", "-c", "32", "-t", whole, "-n", "100000000"],
                                     r"Complete requests: +(\d+)")):
        if shutil.which(name):
            print(f"{name:<4} {'':>37} {processor_us([name, *options, url], requests):>13.2f} us", flush=True)
        else:
            print(f"{name:<4} is not installed")


def throughput(program, server, seconds):
    turns = 10
    print(f"\nnginx on loopback, 32 calls at once, one thread; a run is {turns} turns of {seconds / turns:.2f} s "
          "each\n")
    print(f"{'':<4} {'calls a second':>27} {'':>8}   {'processor time of a call':>27}")
    print(f"{'run':<4} {'client alone':>13} {'with anew':>13} {'ratio':>8}   {'client alone':>13} {'with anew':>13} "
          f"{'ratio':>8}")
    ratios, costs = [], []
    with tempfile.TemporaryDirectory() as parent:
        os.chmod(parent, 0o755)
        process, url = nginx(server, parent)
        try:
            for run in range(5):
                calls = {"alone": 0, "with": 0}
                time_of = {"alone": 0.0, "with": 0.0}
                cost = {"alone": [], "with": []}
                for turn in range(turns):
                    for kind in ("alone", "with") if (run + turn) % 2 == 0 else ("with", "alone"):
                        options = ["--no-retry"] if kind == "alone" else []
                        seen = load(program, "--calls", "32", "--warm-up", "50ms", "--for",
                                    f"{1000 * seconds / turns:.0f}ms", *options, url)
                        if seen["failed"] or seen["unfinished"] or seen["attempts"] != seen["calls"]:
                            raise SystemExit(f"calls failed, or were repeated: {seen}")
                        calls[kind] += seen["calls"]
                        time_of[kind] += seen["seconds"]
                        cost[kind].append(seen["processor_us_per_call"])
                rate = {kind: calls[kind] / time_of[kind] for kind in calls}
                took = {kind: statistics.median(cost[kind]) for kind in calls}
                ratios.append(rate["with"] / rate["alone"])
                costs.append(took["with"] / took["alone"])
                print(f"{run + 1:<4} {rate['alone']:>13.0f} {rate['with']:>13.0f} {ratios[-1]:>8.3f}   "
                      f"{took['alone']:>10.2f} us {took['with']:>10.2f} us {costs[-1]:>8.3f}", flush=True)
            others(url, seconds)
        finally:
            process.terminate()
            process.wait()
    median = statistics.median(ratios)
    good = median >= 0.97
    print(f"\nmedian ratio {median:.3f}: " + ("at least 0.97" if good else "BELOW 0.97") +
          f"; of processor time {statistics.median(costs):.3f}")
    return good


def rate_of(process, requests_of):
    """Requests of a program for its seconds of the processor, from its start to its end."""
    out = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{process.args[0]} ends with {process.returncode}")
    return requests_of(out) / (used.ru_utime + used.ru_stime)


def beside_wrk(program, server, seconds):
    turns = 10
    good = True
    print(f"\nnginx on loopback, one for each client, 32 connections, one thread; {turns} runs of {seconds:.0f} s, "
          "both clients at once.\nRequests for a second of the processor: medians\n")
    print(f"{'':<12} {'wrk':>10} {'anew-load':>10} {'ratio':>7}")
    with tempfile.TemporaryDirectory() as parent:
        os.chmod(parent, 0o755)
        for name, tls, least in ("keep-alive", False, 0.95), ("TLS", True, 0.8):
            servers = [nginx(server, parent, tls) for _ in range(2)]
            rates, others_, ratios = [], [], []
            try:
                for turn in range(turns):
                    urls = [url for _, url in servers]
                    wrk = ["wrk", "-t1", "-c32", f"-d{seconds:.0f}s", urls[turn % 2]]
                    load_ = [program, "--json", "--calls", "32", "--for", f"{seconds:.0f}s", "--no-retry",
                             *(["--insecure"] if tls else []), urls[1 - turn % 2]]
                    both = [subprocess.Popen(words, stdout=subprocess.PIPE, text=True) for words in (wrk, load_)]
                    others_.append(rate_of(both[0], lambda out: int(re.search(r"(\d+) requests in", out).group(1))))
                    rates.append(rate_of(both[1], lambda out: json.loads(out)["requests"]))
                    ratios.append(rates[-1] / others_[-1])
            finally:
                for process, _ in servers:
                    process.terminate()
                    process.wait()
            ratio = statistics.median(ratios)
            good = good and ratio >= least
            verdict = f"at least {least}" if ratio >= least else f"BELOW {least}"
            print(f"{name:<12} {statistics.median(others_):>10.0f} {statistics.median(rates):>10.0f} {ratio:>7.3f}   "
                  f"{verdict}", flush=True)
    return good


def main():
    words = sys.argv[1:]
    which = words.pop(0) if words and words[0] in ("hedging", "throughput", "wrk") else ""
    if len(words) not in (2, 3):
        print(__doc__)
        return 2
    seconds = float(words[2]) if len(words) == 3 else None
    good = True
    if which == "wrk":
        return 0 if beside_wrk(words[0], words[1], seconds or 3) else 1
    if which != "throughput":
        good = hedging(words[0], seconds or 30) and good
    if which != "hedging":
        good = throughput(words[0], words[1], seconds or 3) and good
    return 0 if good else 1


sys.exit(main())
