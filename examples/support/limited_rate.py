#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Runs anew-get's strategies against servers that limit the rate. limited_rate.py ANEW_GET NGINX RATE

Exit code 1 when an adaptive strategy does not settle within 25 % of the rate, or has more than 10 % throttled.
"""
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time

ADAPTIVE = ["aws-adaptive", "aws-adaptive-2020"]
OTHERS = ["aws-standard", "aws-standard-2020", "aws-legacy", "grpc", "step-functions", "from-config"]
CALLERS = "20"

NGINX = """daemon off; worker_processes 1; pid {dir}/pid; error_log {dir}/error.log crit;
events {{ worker_connections 512; }}
http {{
  access_log off;
  limit_req_zone $binary_remote_addr zone=all:1m rate={rate}r/s;
  server {{ listen 127.0.0.1:{port}; location / {{ limit_req zone=all burst=4 nodelay; root {dir}/www; }} }}
}}
"""


def nginx(program, rate, parent):
    folder = pathlib.Path(tempfile.mkdtemp(dir=parent))
    (folder / "www").mkdir()
    (folder / "www" / "index.html").write_text("hello\n")
    for path in (folder, folder / "www"):
        path.chmod(0o755)  # nginx gives up root
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    (folder / "nginx.conf").write_text(NGINX.format(dir=folder, rate=rate, port=port))
    process = subprocess.Popen([program, "-c", folder / "nginx.conf", "-p", folder], stderr=subprocess.DEVNULL)
    for _ in range(200):
        with socket.socket() as s:
            if s.connect_ex(("127.0.0.1", port)) == 0:
                return process, f"http://127.0.0.1:{port}/"
        time.sleep(0.02)
    raise SystemExit("nginx does not start")


def load(get, strategy, seconds, *where):
    env = {k: v for k, v in os.environ.items() if "proxy" not in k.lower()}
    command = [get, "--json", "--strategy", strategy, "--for", f"{seconds}s", "--callers", CALLERS, *where]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env)


def second_half(process):
    out = process.communicate()[0]
    return [e for e in map(json.loads, out.splitlines()) if e["event"] == "second_half"][0]


def main():
    get, program, rate = sys.argv[1], sys.argv[2], int(sys.argv[3])
    good = True
    print(f"\n{rate} requests a second are let in, {CALLERS} callers; second half of each run\n")
    print(f"{'strategy':<20} {'server':<12} {'runs for':>8} {'requests/s':>11} {'of the limit':>12} "
          f"{'throttled':>10} {'answered/s':>11}")
    with tempfile.TemporaryDirectory() as parent:
        os.chmod(parent, 0o755)
        for strategy in OTHERS + ADAPTIVE:
            # What settles is given the time to; what does not is a hot loop as soon as its quota is spent.
            seconds = 60 if strategy in ADAPTIVE else 6
            server, url = nginx(program, rate, parent)
            try:
                runs = [("inside, 429", load(get, strategy, seconds, "--limited", str(rate))),
                        ("nginx, 503", load(get, strategy, seconds, url))]
                for name, run in runs:
                    seen = second_half(run)
                    sent, throttled = seen["requests_per_s"], seen["throttled_percent"]
                    print(f"{strategy:<20} {name:<12} {seconds:>6} s {sent:>11.1f} {100 * sent / rate:>10.0f} % "
                          f"{throttled:>8.1f} % {seen['answered_per_s']:>11.1f}", flush=True)
                    if strategy in ADAPTIVE:
                        good = good and 0.75 * rate <= sent <= 1.25 * rate and throttled < 10
            finally:
                server.terminate()
                server.wait()
    print("\nadaptive: " + ("within 25 % of the limit, less than 10 % throttled" if good else "NOT within its bounds"))
    return 0 if good else 1


sys.exit(main())
