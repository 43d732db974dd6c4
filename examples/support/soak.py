#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Both programs against an nginx that is killed and started again. soak.py ANEW_GET ANEW_LOAD NGINX [MINUTES]

anew-load makes calls at a rate, `anew-get --for` fetches as fast as nginx permits, and other runs of anew-get download
a file of 24 MB, one after the other. Every few seconds nginx is killed, or told to end, and starts again up to two
seconds later: by SIGKILL or SIGTERM, so that answers break off, or by SIGQUIT, so that open answers are finished.

It adds up when
* calls of anew-load are those that were answered, failed and were unfinished, and attempts the sum of their ends;
* nginx logged as many answers for anew-load as it counted, but for those that a signal took: at most one for each
  connection, each time;
* every download that succeeded has the right checksum, and each that did not left no file under that name;
* the memory of both processes that run all the time ends at most 20 % above what it was after a tenth of the time, and
  their descriptors are at most as many as calls run at once and 16 more.
"""
import hashlib
import json
import os
import pathlib
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time

CALLS_AT_ONCE = 20
CALLERS = 2
FILE_SIZE = 24_000_000
NGINX = """daemon off; worker_processes 1; pid {dir}/pid; error_log {dir}/error.log crit;
events {{ worker_connections 512; }}
http {{
  log_format line '$http_user_agent $status $request_uri';
  access_log {dir}/access.log line; keepalive_requests 1000; keepalive_timeout 1s;
  limit_req_zone $server_port zone=some:1m rate=100r/s;
  client_body_temp_path {dir}/body; proxy_temp_path {dir}/proxy; fastcgi_temp_path {dir}/fastcgi;
  uwsgi_temp_path {dir}/uwsgi; scgi_temp_path {dir}/scgi;
  server {{
    listen 127.0.0.1:{port}; root {dir}/files;
    location = /some {{ limit_req zone=some burst=50; try_files /hello =500; }}
    location = /file {{ limit_rate 8m; }}
    location / {{ return 200 "hello\\n"; }}
  }}
}}
"""


def runs(process):
    """Whether the process has not ended."""
    return process.poll() is None


class server:
    """nginx in a process group of its own, so that a signal takes its worker too."""

    def __init__(self, program, folder):
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            self.port = s.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        (folder / "nginx.conf").write_text(NGINX.format(dir=folder, port=self.port))
        self.words = [program, "-c", str(folder / "nginx.conf"), "-p", str(folder)]
        self.start()

    def start(self):
        for _ in range(50):  # what listened before may not be gone yet
            self.process = subprocess.Popen(self.words, stderr=subprocess.DEVNULL, start_new_session=True)
            for _ in range(50):
                with socket.socket() as s:
                    if s.connect_ex(("127.0.0.1", self.port)) == 0 and runs(self.process):
                        return
                if not runs(self.process):
                    break
                time.sleep(0.02)
            self.end(signal.SIGKILL)
        raise SystemExit("nginx does not start")

    def end(self, by):
        try:
            os.killpg(self.process.pid, by) if by == signal.SIGKILL else self.process.send_signal(by)
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        except ProcessLookupError:
            self.process.wait()


def memory_and_descriptors(process):
    """(KiB that are resident, descriptors), or nothing of a process that has ended."""
    try:
        status = pathlib.Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
        resident = re.search(r"VmRSS:\s+(\d+)", status)
        return (int(resident.group(1)), len(os.listdir(f"/proc/{process.pid}/fd"))) if resident else None
    except (FileNotFoundError, ProcessLookupError):
        return None


class downloads:
    """One after the other. Each goes to a file of its own, which is looked at when its process has ended."""

    def __init__(self, program, url, folder, checksum):
        self.words = [program, "--quiet", "--per-attempt", "60s", "--strategy",
                      "exponential(50ms,2s) full_jitter max_attempts(100)", "--sha256", checksum]
        self.url, self.folder, self.checksum = url, folder, checksum
        self.right = self.gave_up = self.wrong = self.resident = 0
        self.begin()

    def begin(self):
        self.file = self.folder / "download"
        self.file.unlink(missing_ok=True)
        self.process = subprocess.Popen([*self.words, "-o", str(self.file), self.url], stderr=subprocess.DEVNULL)

    def look(self, goes_on=True):
        seen = memory_and_descriptors(self.process)
        self.resident = max(self.resident, seen[0] if seen else 0)
        if runs(self.process):
            return
        is_there = self.file.exists()
        if self.process.returncode == 0 and is_there and \
                hashlib.sha256(self.file.read_bytes()).hexdigest() == self.checksum:
            self.right += 1
        elif self.process.returncode > 0 and not is_there:
            self.gave_up += 1
        else:
            self.wrong += 1
        if goes_on:
            self.begin()


def main():
    get, load, nginx = (os.path.abspath(path) for path in sys.argv[1:4])
    minutes = float(sys.argv[4]) if len(sys.argv) > 4 else 60
    seconds = 60 * minutes
    draw = random.Random(2026)
    faults = []
    with tempfile.TemporaryDirectory() as parent:
        os.chmod(parent, 0o755)  # nginx gives up root
        folder = pathlib.Path(parent)
        (folder / "files").mkdir()
        (folder / "files" / "hello").write_text("hello\n")
        content = draw.randbytes(FILE_SIZE)
        (folder / "files" / "file").write_bytes(content)
        at = server(nginx, folder)
        print(f"{minutes:g} minutes; nginx ends every 2 to 12 s, and starts again up to 2 s later", flush=True)
        calls = subprocess.Popen([load, "--quiet", "--json", "--calls", str(CALLS_AT_ONCE), "--rate", "200", "--for",
                                  f"{seconds:g}s", "--attempt-timeout", "2s", "--strategy",
                                  "exponential(50ms,1s) full_jitter max_attempts(5) token_bucket(500)", f"{at.url}/"],
                                 stdout=subprocess.PIPE, text=True)
        fetches = subprocess.Popen([get, "--json", "--for", f"{seconds:g}s", "--callers", str(CALLERS), "--strategy",
                                    "exponential(50ms,1s) full_jitter max_attempts(5)", f"{at.url}/some"],
                                   stdout=subprocess.PIPE, text=True)
        files = downloads(get, f"{at.url}/file", folder, hashlib.sha256(content).hexdigest())
        looks = {"anew-load": [], "anew-get --for": []}
        ends = {signal.SIGKILL: 0, signal.SIGTERM: 0, signal.SIGQUIT: 0}
        begin = time.monotonic()
        next_end, next_look, next_word = begin + 2, begin + 1, begin + 60
        while (now := time.monotonic()) < begin + seconds:
            if now >= next_end:
                by = draw.choice(list(ends))
                ends[by] += 1
                at.end(by)
                time.sleep(draw.uniform(0, 2))
                at.start()
                next_end = time.monotonic() + draw.uniform(2, 12)
            if now >= next_look:
                next_look = now + max(0.2, seconds / 600)
                for name, process in (("anew-load", calls), ("anew-get --for", fetches)):
                    if seen := memory_and_descriptors(process):
                        looks[name].append(seen)
            files.look()
            if now >= next_word:
                next_word += 60
                shown = ", ".join(f"{name} {seen[-1][0]} KiB and {seen[-1][1]} descriptors"
                                  for name, seen in looks.items() if seen)
                print(f"{(now - begin) / 60:4.0f} min: {sum(ends.values())} ends of nginx, {files.right} downloads; "
                      f"{shown}", flush=True)
            time.sleep(0.05)
        out, _ = calls.communicate(timeout=60)
        fetched, _ = fetches.communicate(timeout=60)
        files.process.wait(120)
        files.look(goes_on=False)
        at.end(signal.SIGQUIT)
        logged = (folder / "access.log").read_text(encoding="utf-8").splitlines()

        seen = json.loads(out)
        if seen["calls"] != seen["ok"] + seen["failed"]:
            faults.append("anew-load: calls are not the sum of those that were answered and failed")
        if seen["attempts"] != sum(seen["attempt_ends"].values()):
            faults.append("anew-load: attempts are not the sum of their ends")
        answers = seen["attempt_ends"].get("200", 0)
        lines = sum(line.startswith("anew-load/") and " 200 " in line for line in logged)
        signals = sum(ends.values())
        if abs(lines - answers) > CALLS_AT_ONCE * signals:
            faults.append(f"nginx logged {lines} answers for anew-load, which counted {answers}")
        if not seen["ok"] or not files.right:
            faults.append("nothing was answered")
        if files.wrong:
            faults.append(f"{files.wrong} downloads are wrong")
        rows = [json.loads(line) for line in fetched.splitlines()]
        windows = [row for row in rows if row["event"] == "window"]
        if fetches.returncode != 0 or calls.returncode != 0 or len(windows) != 6:
            faults.append(f"exit codes {calls.returncode} and {fetches.returncode}, {len(windows)} windows")
        if not all(window["answered_per_s"] > 0 for window in windows):
            faults.append("anew-get --for: a sixth of the time had no answer")
        gets = sum(line.startswith("anew-get/") and line.endswith(" /some") for line in logged)

        print(f"\nnginx ended {signals} times: {ends[signal.SIGKILL]} by SIGKILL, {ends[signal.SIGTERM]} by SIGTERM, "
              f"{ends[signal.SIGQUIT]} by SIGQUIT")
        print(f"anew-load       {seen['calls']} calls = {seen['ok']} answered + {seen['failed']} failed; "
              f"{seen['attempts']} attempts: " + ", ".join(f"{n} {end}" for end, n in seen["attempt_ends"].items()))
        print(f"                nginx logged {lines} answers of 200, {lines - answers:+d}: at most "
              f"{CALLS_AT_ONCE * signals} may be missing on either side")
        print(f"anew-get --for  nginx logged {gets} answers; answered in a second, by sixths: " +
              ", ".join(f"{window['answered_per_s']:.0f}" for window in windows))
        print(f"downloads       {files.right} right, {files.gave_up} gave up, {files.wrong} wrong; at most "
              f"{files.resident} KiB resident")
        for name, found in looks.items():
            if not found:
                faults.append(f"{name} ended at once")
                continue
            tenth, last = found[len(found) // 10], found[-1]
            most = max(descriptors for _, descriptors in found)
            print(f"{name:<15} {tenth[0]} KiB resident after a tenth of the time, {last[0]} at the end, at most "
                  f"{max(memory for memory, _ in found)}; at most {most} descriptors, {last[1]} at the end")
            if last[0] > 1.2 * tenth[0]:
                faults.append(f"{name}: memory grew from {tenth[0]} to {last[0]} KiB")
            if most > CALLS_AT_ONCE + 16:
                faults.append(f"{name}: {most} descriptors")
    for fault in faults:
        print("WRONG:", fault)
    print("it adds up" if not faults else f"{len(faults)} things are wrong")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
