#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Drives anew-load as a user does. run_tests.py ANEW_LOAD [PATTERN]

Against the server inside it, and against servers of its own on loopback. Prints "N passed, N failed" last.
"""
import base64
import concurrent.futures
import contextlib
import csv
import http.server
import json
import os
import pathlib
import pty
import re
import signal
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import threading
import time
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "examples" / "support"))
import observed
from dying_server import ANSWER, DyingServer
from odd_values import OTHER_TYPES, audit, some_of_odd, valued_options
from program_tests import LIMIT, documented_codes, environment, expect, expect_equal, run_all, test

ANEW_LOAD = ""
PAGES = pathlib.Path(__file__).resolve().parents[2] / "docs" / "how_to"


class Run:
    """One run of the program, to its end."""

    def __init__(self, *arguments):
        run = subprocess.run([ANEW_LOAD, *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT,
                             env=environment(), check=False)
        self.code = run.returncode
        self.out = run.stdout.decode()
        self.err = run.stderr.decode()

    def __str__(self):
        return f"exit code {self.code}\n-- stdout\n{self.out}\n-- stderr\n{self.err}"


def load(*arguments, code=0):
    """What --json says."""
    run = Run("--json", *arguments)
    expect_equal(run.code, code, run)
    expect_equal(run.err, "", run)
    expect_equal(run.out.count("\n"), 1, run)
    seen = json.loads(run.out)
    expect_equal(seen["calls"], seen["ok"] + seen["failed"], seen)
    expect_equal(sum(seen["last_failures"].values()), seen["failed"], seen)
    expect_equal(sum(seen["attempt_ends"].values()), seen["attempts"], seen)
    took = seen["latency_ms"]
    expect(took["p50"] <= took["p90"] <= took["p99"] <= took["p99_9"] <= took["max"], seen)
    return seen


def has_tls():
    return "built without OpenSSL" not in Run("--no-retry", "--requests", "1", "https://127.0.0.1/").err


def expect_counted_as_by_the_server(seen):
    expect_equal(seen["requests"], seen["server"]["requests"], seen)
    expect_equal(seen["connections"], seen["server"]["connections"], seen)


class Server:
    """Keeps what it was asked; answers 200 in the way that the path says."""

    def __init__(self):
        self.requests = []
        self.seen = threading.Condition()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                with outer.seen:
                    outer.requests.append((self.command, self.path, body, self.headers, self.client_address))
                    outer.seen.notify_all()
                if self.path == "/silent":
                    time.sleep(LIMIT)
                    return
                self.send_response(404 if self.path == "/missing" else 204 if self.path == "/nothing" else 200)
                if self.path == "/chunked":
                    self.send_header("Transfer-Encoding", "chunked")
                    self.end_headers()
                    self.wfile.write(b"5\r\nhello\r\n0\r\n\r\n")
                    return
                if self.path == "/until-the-end":
                    self.send_header("Connection", "close")
                    self.end_headers()
                    self.wfile.write(b"hello\n" * 100_000)
                    return
                if self.path == "/cut":
                    self.send_header("Content-Length", "100")
                    self.end_headers()
                    self.wfile.write(b"hello\n")
                    self.close_connection = True
                    return
                if self.path == "/nonsense":
                    self.wfile.write(b"this is not HTTP\r\n\r\n")
                    self.close_connection = True
                    return
                if self.path != "/nothing":
                    self.send_header("Content-Length", "6")
                self.end_headers()
                if self.command != "HEAD" and self.path != "/nothing":
                    self.wfile.write(b"hello\n")

            do_GET = do_HEAD = do_PUT = do_POST = answer

            def log_message(self, *arguments):
                pass

        class Listener(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request, client_address):
                pass

        self.server = Listener(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def url(self, path="/"):
        return f"http://127.0.0.1:{self.server.server_address[1]}{path}"

    def wait_for(self, count):
        with self.seen:
            expect(self.seen.wait_for(lambda: len(self.requests) >= count, LIMIT), f"no request {count}")

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.server.shutdown()
        self.server.server_close()


# ---------------------------------------------------------------------------------------------------------------------
# Usage


@test
def helps_and_tells_its_version():
    overview = Run("--help")
    expect(overview.code == 0 and overview.err == "", overview)
    expect(overview.out.count("\n") <= 24 and max(map(len, overview.out.splitlines())) <= 80, overview)
    everything = Run("--help", "all").out
    expect("Exit codes" in everything and max(map(len, everything.splitlines())) <= 110, everything)
    for topic in re.findall(r"^  ([a-z-]+)  ", overview.out, re.M) + ["retries", "comparing", "exit-codes"]:
        section = Run("-h", topic)
        expect(section.code == 0 and section.out in everything and len(section.out) > 50, section)
    expect_equal(set(valued_options(everything)) - set(re.findall(r"--[a-z0-9-]+", overview.out)), set(),
                 "options without a topic")
    run = Run("--help", "me")
    expect(run.code == 2 and "--help 'me'" in run.err and run.err.count("\n") == 1, run)
    run = Run("--version")
    expect(run.code == 0 and run.out.startswith("anew-load ") and run.err == "", run)


def completions(shell):
    script = pathlib.Path(__file__).resolve().parents[2] / "docs" / "packaging" / "completions.py"
    run = subprocess.run([sys.executable, script, shell, ANEW_LOAD], stdout=subprocess.PIPE, text=True, timeout=LIMIT,
                         env=environment(), check=True)
    return run.stdout


@test
def shells_complete_its_options():
    spellings = set(re.findall(r"(?:^  |,)(--[a-z][-a-z]*)", Run("--help", "all").out, re.MULTILINE))
    expect(len(spellings) > 30, spellings)
    for shell, prefix in ("bash", "[ ']"), ("zsh", "'[*]?"), ("fish", "-l "):
        text = completions(shell)
        for spelling in spellings:
            word = spelling[2:] if shell == "fish" else spelling
            expect(re.search(prefix + re.escape(word) + r"(?![-a-z])", text), f"{shell}: {spelling}: {text}")
    for words, answer in (["--answ"], "--answer-after"), (["--for", "5"], ""), (["--csv", "/dev/nul"], "/dev/null"):
        complete = ('source /dev/stdin; COMP_WORDS=(anew-load "$@"); COMP_CWORD=$#; _anew_load; '
                    'echo "${COMPREPLY[*]}"')
        run = subprocess.run(["bash", "-c", complete, "bash", *words], input=completions("bash"), text=True,
                             stdout=subprocess.PIPE, timeout=LIMIT, check=True)
        expect_equal(run.stdout, answer + "\n", words)


@test
def fails_where_its_output_is_lost():
    arguments = [ANEW_LOAD, "--inside", "--requests", "5"]
    for redirection in [">&-"] + ([">/dev/full"] if os.path.exists("/dev/full") else []):
        for more in (["--help"], ["--json"], []):
            run = subprocess.run(["sh", "-c", f'exec "$@" {redirection}', "sh", *arguments, *more], timeout=LIMIT,
                                 stderr=subprocess.PIPE, env=environment(), check=False)
            expect_equal(run.returncode, 1, (redirection, more))
            expect_equal(run.stderr, b"anew-load: cannot write to standard output\n", (redirection, more))


@test
def says_in_one_line_what_is_wrong():
    inside = "--inside"
    for arguments, words in [
        ([], "no URL to call"),
        (["ftp://127.0.0.1/"], "begins with http:// or https://"),
        (["127.0.0.1"], "begins with http://"),
        ([inside, "--insecure", "--cacert", "x"], "exclude each other"),
        ([inside, "--cacert", "/nowhere.pem"], "cannot read certificates"),
        ([inside, "--rate", "10..1000", "--requests", "5"], "exclude each other"),
        ([inside, "--rate", "10..x"], "or two: 10..1000"),
        ([inside, "--profile", "5:1s", "--rate", "5"], "--profile and --rate"),
        ([inside, "--profile", "5:1s", "--for", "5s"], "--profile and --for"),
        ([inside, "--profile", "5:1s", "--requests", "5"], "--profile and --requests"),
        ([inside, "--profile", "5:1s,6"], "and for how long"),
        ([inside, "--profile", "5:2562047h,5:2562047h"], "longer than any run"),
        (["--weights", "3,1", "http://127.0.0.1/"], "2 numbers for 1 URL"),
        (["--weights", "0", "http://127.0.0.1/"], "from 1 to 1000"),
        (["http://127.0.0.1/", "http://127.0.0.1:x/"], "bad URL"),
        ([inside, "--compare", "aws-standard"], "two strategies"),
        ([inside, "--compare", "a(1,2),"], "two strategies"),
        ([inside, "--compare", "a,b,c"], "two strategies"),
        ([inside, "--compare", "no-retry,grpc", "--strategy", "grpc"], "exclude each other"),
        ([inside, "--compare", "no-retry,grpc", "--hedge", "5ms"], "exclude each other"),
        ([inside, "--compare", "no-retry,grpc", "--no-retry"], "exclude each other"),
        ([inside, "--compare", "no-retry,grpc", "--deadline", "5s"], "exclude each other"),
        ([inside, "--compare", "no-retry,grpc", "--hdr", "x.hgrm"], "must end in .hlog"),
        (["http://"], "bad URL"),
        (["http://me:secret@127.0.0.1/"], "Authorization"),
        ([inside, "http://127.0.0.1/"], "exclude each other"),
        (["--slow", "1%:1ms", "http://127.0.0.1/"], "--slow needs --inside"),
        ([inside, "--calls", "0"], "--calls '0'"),
        ([inside, "--calls", "many"], "--calls 'many'"),
        ([inside, "--calls", "2", "--threads", "3"], "must not be above --calls 2"),
        ([inside, "--for", "0s"], "above zero"),
        ([inside, "--for", "5"], "a number and a unit"),
        ([inside, "--duration", "5"], "a number and a unit"),
        ([inside, "--for", "1s", "--requests", "5"], "exclude each other"),
        ([inside, "--warm-up", "1s", "--requests", "5"], "exclude each other"),
        ([inside, "--requests", "-1"], "--requests '-1'"),
        ([inside, "--rate", "0"], "--rate '0'"),
        ([inside, "--rate", "nan"], "--rate 'nan'"),
        ([inside, "--slow", "1:5ms"], "a share of the requests"),
        ([inside, "--slow", "1%"], "a share and a time"),
        ([inside, "--slow", "101%:5ms"], "a share of the requests"),
        ([inside, "--slow", "60%:5ms", "--failing", "60%"], "more than 100% together"),
        ([inside, "--failing", "10%:200"], "from 400 to 599"),
        ([inside, "--answer-after", "8ms..2ms"], "or two"),
        ([inside, "--hedge", "p100"], "a quantile from p1 to p99"),
        ([inside, "--hedge", "p0"], "a quantile from p1 to p99"),
        ([inside, "--hedge", "soon"], "or off"),
        ([inside, "--hedge", "5ms", "-X", "POST"], "needs --idempotent"),
        ([inside, "--hedge", "5ms", "--no-retry"], "exclude each other"),
        ([inside, "--hedge", "5ms", "--strategy", "aws-standard"], "exclude each other"),
        ([inside, "--no-retry", "--strategy", "aws-standard"], "exclude each other"),
        ([inside, "--deadline", "1s", "--strategy", "deadline(1s) unbounded"], "exclude each other"),
        ([inside, "--deadline", "1s", "--strategy", "grpc"], "exclude each other"),
        ([inside, "--attempt-timeout", "1s", "--strategy", "attempt_timeout(1s)"], "exclude each other"),
        ([inside, "--strategy", "deadline(1s,last_try) unbounded"], "needs --attempt-timeout"),
        ([inside, "-X", "get"], "capital letters"),
        ([inside, "-H", "no colon"], "Name: value"),
        ([inside, "-X", "HEAD", "-d", "x"], "HEAD has no body"),
        ([inside, "--what"], "--what"),
    ]:
        run = Run(*arguments)
        expect_equal(run.code, 2, f"{arguments}: {run}")
        expect(run.out == "" and run.err.startswith("anew-load: ") and run.err.count("\n") == 1 and words in run.err,
               f"{arguments}: {run}")


# An option, a value that it takes, and those of the odd ones that it takes too.
AUDITED = {
    "--calls": ("5", ()), "--threads": ("1", ()), "--for": ("1ms", ()), "--requests": ("3", ()), "--rate": ("5", ()),
    "--warm-up": ("1ms", ()), "--hedge": ("5ms", ()), "--attempt-timeout": ("1s", ()), "--deadline": ("1s", ()),
    "--slow": ("1%:1ms", ()), "--failing": ("1%", ("5%",)), "--answer-after": ("1ms", ()), "--limited": ("5", ()),
    "--seed": ("1", ()), "--profile": ("5:1ms", ()), "--requests-per-connection": ("5", ()), "--weights": ("1", ()),
    "--connect-timeout": ("1s", ()), "--stall": ("1s", ()),
}


@test
def every_odd_number_is_refused_by_the_name_of_its_option():
    kinds = valued_options(Run("--help", "all").out)
    expect_equal({name for name, kind in kinds.items() if kind not in OTHER_TYPES} - {"--help"}, set(AUDITED), kinds)
    for number, (option, (good, taken)) in enumerate(AUDITED.items()):
        audit(lambda *arguments: Run("--inside", *arguments), option, good,
              [value for value in some_of_odd(number) if value not in taken], expect)


@test
def the_longest_durations_are_as_long_as_they_say():
    longest = "2562047h"
    for options in (["--for", longest], ["--for", longest, "--warm-up", longest],
                    ["--for", longest, "--deadline", longest, "--attempt-timeout", longest]):
        with Server() as server:
            process = subprocess.Popen([ANEW_LOAD, "--json", "--calls", "1", *options, server.url()],
                                       stdout=subprocess.PIPE, env=environment())
            try:
                server.wait_for(20)
            finally:
                process.send_signal(signal.SIGINT)
                out, _ = process.communicate(timeout=LIMIT)
            expect_equal(process.returncode, 130, f"{options}: {out}")


@test
def no_message_tells_a_password():
    secret = "http://me:secret@127.0.0.1/"
    for arguments in ([secret], ["http://127.0.0.1/", secret], ["--inside", secret], ["--calls", secret],
                      [f"--what={secret}"], [f"--json={secret}"], ["--strategy", secret, "--inside"],
                      ["http://me:secret@127.0.0.1:99999/"], ["me:secret@127.0.0.1"], ["--data", "@" + secret],
                      ["--inside", "--calls", "5", "--calls", secret]):
        run = Run(*arguments)
        expect_equal(run.code, 2, f"{arguments}: {run}")
        expect("secret" not in run.out + run.err and run.err != "", f"{arguments}: {run}")


@test
def closed_descriptors_are_no_harm():
    for redirection, code in ("<&-", 0), ("2>&-", 0), (">&-", 1), ("<&- >&- 2>&-", 1), ("2>/dev/full", 2):
        arguments = ["--bogus"] if "full" in redirection else ["--inside", "--requests", "5"]
        run = subprocess.run(["sh", "-c", f'exec "$@" {redirection}', "sh", ANEW_LOAD, *arguments], timeout=LIMIT,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(), check=False)
        expect_equal(run.returncode, 1 if "full" in redirection else code, redirection)
        expect(code != 0 or b"requests" in run.stdout, f"{redirection}: {run.stdout}")


@test
def no_socket_takes_the_number_of_a_standard_descriptor():
    with Server() as server:
        process = subprocess.Popen(["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", ANEW_LOAD, "--for", "1h", server.url()],
                                   env=environment())
        try:
            server.wait_for(1)
            opened = {os.readlink(f"/proc/{process.pid}/fd/{number}") for number in (0, 1, 2)}
        finally:
            process.kill()
            process.wait(LIMIT)
        expect_equal(opened, {"/dev/null"}, "the standard descriptors")


@test
def every_exit_code_is_as_documented():
    runs = {0: ["--inside", "--requests", "1"], 1: ["--inside", "--requests", "1", "--failing", "100%:404"],
            2: ["--calls", "0"]}
    for code, arguments in runs.items():
        run = Run(*arguments)
        expect_equal(run.code, code, run)
    signals = [signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM]
    with Server() as server:
        for number, which in enumerate(signals, 1):
            process = subprocess.Popen([ANEW_LOAD, "--json", "--calls", "1", server.url("/silent")],
                                       stdout=subprocess.DEVNULL, env=environment())
            server.wait_for(number)
            process.send_signal(which)
            expect_equal(process.wait(LIMIT), 128 + which, which)
    expect_equal(documented_codes("anew_load.md"), set(runs) | {128 + which for which in signals}, "the page")
    told = {int(code) for code in re.findall(r"^ +(\d+)  ", Run("--help", "exit-codes").out, re.M)}
    expect_equal(told, set(runs) | {130}, "--help exit-codes")
    for text in Run("--help", "exit-codes").out, (PAGES / "anew_load.md").read_text(encoding="utf-8"):
        expect(re.search(r"\b0\W+at least one call succeeded", text) and "answered\n    1" not in text, text)


@test
def points_at_what_is_wrong_in_a_strategy():
    run = Run("--inside", "--strategy", "full_jitter exponental(50ms,20s)")
    expect_equal(run.code, 2, run)
    expect("did you mean 'exponential'?" in run.err and "\n              ^~~~~~~~~~\n" in run.err, run)
    run = Run("--inside", "--strategy", "reset_after(1s)", "--hedge", "5ms")
    expect(run.code == 2 and "'reset_after' here: it expects one attempt at a time" in run.err, run)
    run = Run("--inside", "--compare", "no-retry,exponental(50ms,20s)")
    expect(run.code == 2 and run.err.startswith("anew-load: --compare: "), run)
    expect("did you mean 'exponential'?" in run.err, run)


@test
def explains_a_strategy_in_six_lines():
    run = Run("--explain", "--strategy",
              "exponential(100ms,1s) no_jitter max_attempts(4) deadline(30s) token_bucket(140)")
    expect(run.code == 0 and run.err == "", run)
    lines = run.out.splitlines()
    names = ["strategy", "attempts", "waits", "repeats", "limits", "promises"]
    expect_equal([line.split()[0] for line in lines], names, run)
    for line, words in zip(lines, ("max_attempts(4)", "at most 4", "before attempt 2: 100ms; 3: 200ms; 4: 400ms",
                                   "408, 429, 503, no connection; where a request may run twice also 500, 502, 504",
                                   "a call takes at most 30s", "a wait of at most 30s (deadline)")):
        expect(words in line, f"{words}: {run}")
    expect("pays 10 retries in a row" in lines[4], run)
    run = Run("--explain")
    expect("before attempt 2: " in run.out and "ms; 3: " in run.out and "pays 35 retries in a row" in run.out, run)
    run = Run("--explain", "--compare", "no-retry,aws-standard")
    expect(run.code == 0 and run.out.startswith("strategy  no retry: each call makes one attempt\n\nstrategy "), run)
    expect_equal(run.out.count("\n"), 8, run)


@test
def says_that_it_cannot_begin():
    run = Run("http://nowhere.invalid/")
    expect(run.code == 1 and run.out == "" and run.err == "anew-load: cannot resolve host 'nowhere.invalid'\n", run)


# ---------------------------------------------------------------------------------------------------------------------
# Counts


@test
def makes_as_many_calls_as_it_is_told():
    for options in (["--calls", "7"], ["--calls", "5", "--threads", "3"], ["--no-retry"], ["--calls", "500"]):
        seen = load("--inside", "--requests", "301", *options)
        for name in "calls", "ok", "attempts", "requests":
            expect_equal(seen[name], 301, seen)
        expect_equal((seen["retries"], seen["extra_percent"], seen["unfinished"]), (0, 0, 0), seen)
        expect_equal(seen["hedges"], None, seen)
        expect_equal(seen["latency_from"], "start", seen)
        expect(seen["connections"] <= seen["calls_at_once"], seen)
        expect_counted_as_by_the_server(seen)


@test
def calls_for_as_long_as_it_is_told():
    begin = time.monotonic()
    seen = load("--inside", "--for", "300ms")
    expect(0.3 <= time.monotonic() - begin, "too short")
    expect(0.25 <= seen["seconds"], seen)
    expect(seen["ok"] > 0 and seen["failed"] == 0 and not seen["interrupted"], seen)
    expect_counted_as_by_the_server(seen)


@test
def measures_how_long_a_call_takes():
    seen = load("--inside", "--requests", "20", "--calls", "1", "--answer-after", "30ms")
    took = seen["latency_ms"]
    expect(took["p50"] >= 29.6 and took["mean"] >= 30 and took["max"] >= 30, seen)  # bins are 1 % wide
    seen = load("--inside", "--requests", "100", "--slow", "20%:200ms")
    took = seen["latency_ms"]
    expect(took["p50"] < 200 <= took["max"] and took["p99"] >= 197, seen)


@test
def keeps_quiet_about_the_warming_up():
    seen = load("--inside", "--for", "200ms", "--warm-up", "200ms", "--answer-after", "1ms")
    expect(0 < seen["requests"] < seen["server"]["requests"], seen)
    expect(seen["requests"] >= seen["calls"], seen)


@test
def repeats_what_fails():
    seen = load("--inside", "--requests", "400", "--failing", "30%", "--strategy",
                "constant(1ms) unlimited_quota max_attempts(4)")
    expect(seen["retries"] > 40, seen)
    expect_equal(seen["attempts"], 400 + seen["retries"], seen)
    expect_equal(seen["gave_up"], {"attempts": seen["failed"]} if seen["failed"] else {}, seen)
    expect_equal(seen["last_failures"], {"503": seen["failed"]} if seen["failed"] else {}, seen)
    expect_equal(seen["quota"], None, seen)
    expect(abs(seen["extra_percent"] - seen["retries"] / 4) < 0.01, seen)
    expect_counted_as_by_the_server(seen)


@test
def says_when_nothing_is_answered():
    seen = load("--inside", "--requests", "20", "--failing", "100%:500", "--strategy",
                "constant(1ms) unlimited_quota max_attempts(4)", code=1)
    expect_equal((seen["ok"], seen["failed"], seen["attempts"]), (0, 20, 80), seen)
    expect_equal((seen["gave_up"], seen["last_failures"]), ({"attempts": 20}, {"500": 20}), seen)
    seen = load("--inside", "--requests", "20", "--failing", "100%:404", code=1)
    expect_equal((seen["attempts"], seen["gave_up"]), (20, {"not_retryable": 20}), seen)


@test
def leaves_the_client_alone():
    seen = load("--inside", "--requests", "20", "--failing", "100%", "--no-retry", code=1)
    expect_equal((seen["failed"], seen["attempts"], seen["gave_up"]), (20, 20, {}), seen)
    expect_equal((seen["strategy"], seen["quota"]), ("no retry", None), seen)
    expect_counted_as_by_the_server(seen)


@test
def spends_the_quota_of_all_calls():
    seen = load("--inside", "--requests", "20", "--failing", "100%", "--calls", "5", "--strategy",
                "constant(1ms) token_bucket(30) max_attempts(9)", code=1)
    expect_equal((seen["retries"], seen["gave_up"]), (2, {"quota": 20}), seen)  # 14 each
    expect_equal(seen["quota"], {"balance": 2, "capacity": 30}, seen)


@test
def takes_a_strategy_by_its_name():
    for name in "aws-standard", "aws-adaptive", "aws-legacy", "grpc", "from-config":
        seen = load("--inside", "--requests", "30", "--strategy", name)
        expect_equal((seen["ok"], seen["attempts"]), (30, 30), seen)
    seen = load("--inside", "--requests", "2", "--failing", "100%:500", "--strategy", "aws-standard", code=1)
    expect_equal((seen["attempts"], seen["gave_up"]), (6, {"attempts": 2}), seen)
    expect_equal(seen["quota"], {"balance": 444, "capacity": 500}, seen)


@test
def ends_an_attempt_that_takes_too_long():
    for limit in (["--attempt-timeout", "20ms"], []):
        text = "constant(1ms) max_attempts(2)" + ("" if limit else " attempt_timeout(20ms)")
        seen = load("--inside", "--requests", "6", "--slow", "100%:1m", *limit, "--strategy", text, code=1)
        expect_equal((seen["attempts"], seen["gave_up"]), (12, {"attempts": 6}), seen)
        expect_equal(seen["last_failures"], {"not in time": 6}, seen)
        expect(seen["latency_ms"]["p50"] >= 40, seen)
        expect_counted_as_by_the_server(seen)
    seen = load("--inside", "--requests", "6", "--slow", "100%:1m", "--attempt-timeout", "20ms", "--no-retry", code=1)
    expect_equal((seen["attempts"], seen["last_failures"]), (6, {"not in time": 6}), seen)


@test
def ends_a_call_at_its_deadline():
    for options in ([], ["--no-retry"]):
        seen = load("--inside", "--requests", "6", "--slow", "100%:1m", "--deadline", "30ms", *options, code=1)
        expect_equal((seen["attempts"], seen["last_failures"]), (6, {"not in time": 6}), seen)
        expect_equal(seen["gave_up"], {} if options else {"deadline": 6}, seen)
        expect(seen["latency_ms"]["p50"] >= 29, seen)


@test
def does_not_repeat_what_may_have_happened():
    seen = load("--inside", "--requests", "5", "--failing", "100%:500", "-X", "POST", code=1)
    expect_equal((seen["attempts"], seen["gave_up"]), (5, {"not_idempotent": 5}), seen)
    seen = load("--inside", "--requests", "5", "--failing", "100%:500", "-X", "POST", "--idempotent", "--strategy",
                "no_backoff", code=1)
    expect_equal((seen["attempts"], seen["gave_up"]), (15, {"attempts": 5}), seen)


@test
def counts_from_when_a_call_should_have_begun():
    # One call at once, 50 ms each, arriving every 10 ms: the queue grows, and with it what a call takes.
    seen = load("--inside", "--calls", "1", "--rate", "100", "--answer-after", "50ms", "--for", "1s")
    expect_equal(seen["latency_from"], "intended", seen)
    expect(seen["latency_ms"]["max"] >= 500, seen)
    expect(seen["calls"] <= 21 and seen["calls"] + seen["not_begun"] == 100 and seen["unfinished"] == 0, seen)
    seen = load("--inside", "--calls", "20", "--rate", "100", "--requests", "30")
    expect_equal((seen["calls"], seen["unfinished"]), (30, 0), seen)
    expect(seen["seconds"] >= 0.29, seen)


@test
def limits_the_rate_inside():
    seen = load("--inside", "--requests", "20", "--limited", "1", "--no-retry")
    expect(seen["ok"] >= 4 and seen["last_failures"] == {"429": 20 - seen["ok"]}, seen)


# ---------------------------------------------------------------------------------------------------------------------
# Files


@test
def counts_how_each_attempt_ended():
    seen = load("--inside", "--requests", "200", "--failing", "30%", "--strategy",
                "no_backoff unlimited_quota max_attempts(9)")
    expect_equal(set(seen["attempt_ends"]), {"200", "503"}, seen)
    expect_equal(seen["attempt_ends"]["200"], seen["ok"], seen)
    expect_equal(seen["attempt_ends"]["503"], seen["retries"] + seen["failed"], seen)
    seen = load("--inside", "--requests", "6", "--slow", "100%:1m", "--attempt-timeout", "20ms", "--strategy",
                "no_backoff max_attempts(2)", code=1)
    expect_equal(seen["attempt_ends"], {"not in time": 12}, seen)


def csv_of(file):
    with open(file, encoding="utf-8") as rows:
        return list(csv.DictReader(rows))


@test
def writes_a_row_for_each_second():
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "x.csv")
        seen = load("--inside", "--for", "2200ms", "--rate", "100", "--failing", "30%", "--answer-after", "3ms",
                    "--csv", file, "--strategy", "no_backoff unlimited_quota max_attempts(9)")
        rows = csv_of(file)
        # At least three: a busy machine ends the last calls later.
        expect_equal([row["second"] for row in rows], [str(i) for i in range(max(3, len(rows)))], rows)
        for column, total in ("calls", "calls"), ("ok", "ok"), ("failed", "failed"), ("attempts", "attempts"):
            expect_equal(sum(int(row[column]) for row in rows), seen[total], (column, rows))
        for status, total in seen["attempt_ends"].items():
            expect_equal(sum(int(row["attempts_" + status]) for row in rows), total, rows)
        expect_equal({row["rate"] for row in rows}, {"100.000"}, rows)
        expect_equal(f"{max(float(row['max_ms']) for row in rows):.6f}", f"{seen['latency_ms']['max']:.6f}", rows)
        expect(all(2.9 <= float(row["p50_ms"]) <= float(row["p99_ms"]) <= float(row["max_ms"]) for row in rows), rows)


def numbers_of(packed):
    """The bins of HdrHistogram's V2 encoding: a reader apart from the program's writer."""
    cookie, length = struct.unpack(">iI", packed[:8])
    expect_equal(cookie, 0x1c849314, "the cookie of what is compressed")
    plain = zlib.decompress(packed[8:8 + length])
    cookie, length, offset, digits, least, most, ratio = struct.unpack(">iIiiqqd", plain[:40])
    expect_equal((cookie, offset, digits, least, most, ratio), (0x1c849313, 0, 3, 1, 3_600_000_000_000, 1.0), "a head")
    expect_equal(len(plain), 40 + length, "the length")
    counts, at = {}, 40
    index = 0
    while at < len(plain):
        value = shift = 0
        while True:
            byte = plain[at]
            at += 1
            value |= (byte if shift == 56 else byte & 0x7f) << shift
            shift += 7
            if byte < 0x80 or shift == 63:
                break
        value = (value >> 1) ^ -(value & 1)
        if value < 0:
            index -= value
        else:
            if value:
                counts[index] = value
            index += 1
    return counts


def longest_of_bin(index):
    """In ns, as HdrHistogram computes it for three digits."""
    bucket, sub = (index >> 10) - 1, (index & 1023) + 1024
    if bucket < 0:
        bucket, sub = 0, sub - 1024
    return (sub << bucket) + (1 << bucket) - 1


@test
def writes_histograms_that_other_tools_read():
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "x.hlog")
        seen = load("--inside", "--for", "1200ms", "--slow", "10%:200ms", "--calls", "3", "--hdr", file)
        head, _, names, *lines = pathlib.Path(file).read_text(encoding="utf-8").splitlines()
        expect_equal(head, "#[Histogram log format version 1.3]", head)
        expect_equal(names, '"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"', names)
        all_counts = {}
        longest = 0
        for number, line in enumerate(lines):
            start, length, most, packed = line.split(",")
            expect_equal((float(start), float(length)), (number, 1), line)
            counts = numbers_of(base64.b64decode(packed, validate=True))
            if counts:
                expect(abs(longest_of_bin(max(counts)) / 1e6 - float(most)) <= 0.001 * float(most) + 0.001, line)
            longest = max(longest, float(most))
            for index, count in counts.items():
                all_counts[index] = all_counts.get(index, 0) + count
        expect_equal(sum(all_counts.values()), seen["calls"], seen)
        expect(abs(longest - seen["latency_ms"]["max"]) < 0.001, seen)
        # The quantile by the definition of HdrHistogram.
        below = 0
        for index in sorted(all_counts):
            below += all_counts[index]
            if below >= 0.9 * seen["calls"]:
                latency = seen["latency_ms"]
                expect_equal(min(longest_of_bin(index) / 1e6, latency["max"]), latency["p90"], seen)
                break

        file = os.path.join(folder, "x.hgrm")
        seen = load("--inside", "--requests", "500", "--slow", "10%:50ms", "--calls", "3", "--hdr", file)
        text = pathlib.Path(file).read_text(encoding="utf-8")
        lines = [line.split() for line in text.splitlines() if line and line[0] == " "]
        expect_equal(lines[0], ["Value", "Percentile", "TotalCount", "1/(1-Percentile)"], text)
        rows = [[float(cell) for cell in line] for line in lines[1:]]
        expect(rows == sorted(rows) and rows[0][1] == 0 and rows[-1][1:] == [1.0, 500.0], text)
        expect(all(row[2] >= row[1] * 500 - 1e-6 for row in rows), text)
        expect(any(row[1] == 0.9 and abs(row[0] - seen["latency_ms"]["p90"]) < 0.001 for row in rows), text)
        expect(f"Max     = {seen['latency_ms']['max']:12.3f}, Total count    = {500:12}]" in text, text)


@test
def files_that_cannot_be_written_are_named():
    for option in "--csv", "--hdr":
        run = Run("--inside", "--requests", "1", option, "/nowhere/to/be/found")
        expect_equal((run.code, run.out), (2, ""), run)
        expect_equal(run.err, f"anew-load: {option} '/nowhere/to/be/found': No such file or directory\n", run)
        if os.path.exists("/dev/full"):
            run = Run("--inside", "--requests", "1", option, "/dev/full")
            expect_equal((run.code, run.err), (1, "anew-load: cannot write '/dev/full'\n"), run)


@test
def a_standard_stream_takes_a_file_without_loss():
    with tempfile.TemporaryDirectory() as folder:
        for name in "/dev/stdout", "/dev/fd/1":
            log = pathlib.Path(folder, "log")
            log.write_text("before\n", encoding="utf-8")
            with open(log, "ab") as out:
                subprocess.run([ANEW_LOAD, "--inside", "--requests", "5", "--json", "--csv", name], check=True,
                               stdout=out, timeout=LIMIT, env=environment())
            lines = log.read_text(encoding="utf-8").splitlines()
            expect_equal(lines[0], "before", lines)
            expect(lines[1].startswith("second,") and json.loads(lines[-1])["ok"] == 5, lines)


# ---------------------------------------------------------------------------------------------------------------------
# Rates, URLs and connections


@test
def calls_arrive_as_the_profile_says():
    # 20 in the first second; then as many as a rate brings that grows evenly from 20 to 100 within a second: 60.
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "x.csv")
        seen = load("--inside", "--calls", "60", "--profile", "20:1s,20..100:1s", "--warm-up", "100ms", "--csv", file)
        expect_equal((seen["calls"] + seen["not_begun"], seen["latency_from"]), (80, "intended"), seen)
        expect_equal(seen["rate"], "20 for 1s, 20..100 for 1s", seen)
        expect_equal([row["rate"] for row in csv_of(file)][:2], ["20.000", "60.000"], "the rates of the seconds")
    seen = load("--inside", "--calls", "60", "--rate", "10..90", "--for", "1s")
    expect_equal((seen["calls"] + seen["not_begun"], seen["rate"]), (50, "10..90"), seen)
    expect(0.97 <= seen["seconds"], seen)


@test
def a_run_says_whether_it_counts_what_a_pause_holds_back():
    run = Run("--inside", "--requests", "5")
    expect("from when a call began" in run.out and "--rate counts them" in run.out, run)
    run = Run("--inside", "--requests", "5", "--rate", "500")
    expect("from when a call should have begun" in run.out and "no coordinated omission" in run.out, run)


@test
def calls_urls_as_often_as_they_weigh():
    with Server() as one, Server() as other:
        urls = [one.url("/a"), one.url("/missing"), other.url("/b")]
        seen = load("--requests", "60", "--calls", "4", "--threads", "2", "--weights", "3,1,2", *urls)
        expect_equal([url["url"] for url in seen["urls"]], urls, seen)
        expect_equal(sum(url["calls"] for url in seen["urls"]), 60, seen)
        expect_equal([url["failed"] for url in seen["urls"]], [0, seen["urls"][1]["calls"], 0], seen)
        paths = [r[1] for r in one.requests + other.requests]
        expect_equal([paths.count(p) for p in ("/a", "/missing", "/b")], [url["calls"] for url in seen["urls"]], seen)
        for url, share in zip(seen["urls"], (30, 10, 20)):
            expect(abs(url["calls"] - share) <= 4, seen)  # each thread goes through the turns by itself
        expect(seen["connections"] <= 8, seen)
        seen = load("--requests", "60", "--calls", "1", "--weights", "3,1,2", *urls)
        expect_equal([url["calls"] for url in seen["urls"]], [30, 10, 20], seen)
        expect_equal(seen["connections"], 2, seen)  # one for each server
        seen = load("--requests", "6", "--calls", "1", *urls)
        expect_equal([url["calls"] for url in seen["urls"]], [2, 2, 2], seen)


@test
def closes_a_connection_after_its_last_request():
    with Server() as server:
        seen = load("--requests", "20", "--calls", "1", "--requests-per-connection", "6", server.url())
        expect_equal((seen["ok"], seen["connections"], seen["attempts"]), (20, 4, 20), seen)
        asked = [r[3]["Connection"] for r in server.requests]
        expect_equal(asked, (([None] * 5 + ["close"]) * 4)[:20], "the header Connection")
        seen = load("--requests", "5", "--calls", "1", "--requests-per-connection", "1", server.url())
        expect_equal((seen["ok"], seen["connections"]), (5, 5), seen)


@contextlib.contextmanager
def encrypted(server, folder, name="localhost"):
    """Puts TLS in front of what listens there, with a certificate of its own; yields the folder's certificate."""
    key, certificate = os.path.join(folder, "key.pem"), os.path.join(folder, "certificate.pem")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate,
                    "-days", "2", "-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}"],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    listening = server.server.socket
    server.server.socket = context.wrap_socket(listening, server_side=True, do_handshake_on_connect=False)
    yield certificate


@test
def speaks_tls_and_verifies_certificates():
    if not has_tls():
        return  # that it refuses is tested by the line above
    with tempfile.TemporaryDirectory() as folder, Server() as server, encrypted(server, folder) as certificate:
        url = f"https://localhost:{server.server.server_address[1]}/"
        seen = load("--requests", "40", "--calls", "2", "--cacert", certificate, url)
        expect_equal((seen["ok"], seen["connections"], seen["attempts"]), (40, 2, 40), seen)
        # The server closes without a word of TLS: the answer may have been cut off on the way.
        seen = load("--requests", "5", "--calls", "1", "--no-retry", "--cacert", certificate, url + "until-the-end",
                    code=1)
        expect_equal((seen["last_failures"], seen["connections"]), ({"answer cut off": 5}, 5), seen)
        seen = load("--requests", "2", "--calls", "1", "--insecure", url.replace("localhost", "127.0.0.1"))
        expect_equal(seen["ok"], 2, seen)
        before = len(server.requests)
        for arguments, why in ([url], "self-signed"), (["--cacert", certificate, url.replace("localhost", "127.0.0.1")],
                                                       "mismatch"):
            run = Run("--json", "--requests", "3", "--calls", "1", *arguments)
            expect_equal(run.code, 1, run)
            seen = json.loads(run.out)
            expect_equal((seen["last_failures"], seen["attempts"], seen["requests"]),
                         ({"certificate refused": 3}, 3, 0), seen)
            expect("the certificate was refused" in run.err and why in run.err.lower(), run)
            expect_equal(run.err.count("\n"), 1, run)
        expect_equal(len(server.requests), before, "requests after a certificate was refused")
    with Server() as server:
        seen = load("--requests", "2", "--calls", "1", "--strategy", "no_backoff max_attempts(2)",
                    server.url().replace("http:", "https:"), code=1)
        expect_equal((seen["last_failures"], seen["requests"]), ({"no TLS": 2}, 0), seen)


# ---------------------------------------------------------------------------------------------------------------------
# Two strategies


def compare(*arguments):
    run = Run("--json", *arguments)
    expect(run.code == 0 and run.err == "", run)
    return json.loads(run.out)


@test
def compares_two_strategies_in_one_run():
    # Of four calls two fail without a retry, and one of 256 with seven.
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "x.csv")
        seen = compare("--inside", "--for", "2s", "--rate", "200", "--calls", "50", "--failing", "50%", "--compare",
                       "no-retry,no_backoff unlimited_quota max_attempts(8)", "--csv", file)
        rows = csv_of(file)
    expect_equal([(row["strategy"], row["rate"]) for row in rows[:2]], [("A", "100.000"), ("B", "100.000")], rows)
    a, b = seen["strategies"]
    expect_equal((a["strategy"], "max_attempts(8)" in b["strategy"]), ("no retry", True), seen)
    for one in a, b:
        # Whose turn a call is depends on the time at which it begins.
        expect(190 <= one["calls"] + one["unfinished"] + one["not_begun"] <= 210, seen)
        expect_equal(sum(one["attempt_ends"].values()), one["attempts"], seen)
    expect_equal(a["attempts"], a["calls"], seen)
    by = seen["compared"]
    expect_equal(by["samples"], 1000, by)
    expect(10 <= by["parts"] <= 50 and by["part_ms"] == 100, by)
    for name in "ok_percent", "attempts":
        one = by[name]
        expect(0 < one["low"] <= one["difference"] <= one["high"], by)
    expect_equal(by["ok_percent"]["a"], 100 * a["ok"] / a["calls"], by)
    expect(abs(by["attempts"]["b"] - b["attempts"] / b["calls"]) < 1e-9, by)


@test
def gives_no_interval_for_a_short_run():
    arguments = ["--inside", "--requests", "20", "--compare", "full_jitter,no-retry"]
    by = compare(*arguments)["compared"]
    expect_equal((by["samples"], by["p99_ms"]["low"], by["p99_ms"]["high"]), (0, None, None), by)
    run = Run(*arguments)
    expect("A: " in run.out and "B: no retry" in run.out and "no intervals: the run has" in run.out, run)


# ---------------------------------------------------------------------------------------------------------------------
# Hedging


@test
def sends_a_second_request():
    seen = load("--inside", "--requests", "60", "--slow", "50%:10s", "--hedge", "5ms", "--attempt-timeout", "500ms",
                "--strategy", "unlimited_quota no_backoff unbounded")
    hedges = seen["hedges"]
    expect_equal(seen["ok"], 60, seen)
    expect(hedges["made"] >= 15 and 0 < hedges["won"] <= hedges["made"] and hedges["refused"] == 0, seen)
    expect_equal(seen["attempts"], 60 + hedges["made"] + seen["retries"], seen)
    expect(seen["latency_ms"]["p50"] < 400, seen)
    expect("hedge_after(5ms)" in seen["strategy"], seen)
    expect(seen["requests"] <= seen["attempts"], seen)
    expect_equal(seen["requests"], seen["server"]["requests"], seen)


@test
def pays_for_a_second_request():
    seen = load("--inside", "--requests", "20", "--slow", "100%:30ms", "--hedge", "2ms", "--strategy",
                "token_bucket(0)")
    expect_equal((seen["ok"], seen["attempts"]), (20, 20), seen)
    expect_equal(seen["hedges"], {"made": 0, "refused": 20, "won": 0}, seen)


@test
def learns_when_to_send_a_second_request():
    seen = load("--inside", "--requests", "3000", "--calls", "20", "--answer-after", "1ms..3ms", "--slow", "2%:300ms",
                "--hedge", "p90", "--strategy", "unlimited_quota")
    expect_equal(seen["ok"], 3000, seen)
    expect(0 < seen["hedges"]["won"] and seen["hedges"]["made"] < 1500, seen)
    expect("hedge_at_quantile(90/100,lower=50us,samples=200)" in seen["strategy"], seen)


@test
def hedging_may_be_off():
    seen = load("--inside", "--requests", "20", "--hedge", "off")
    expect_equal((seen["hedges"], seen["attempts"]), (None, 20), seen)


# ---------------------------------------------------------------------------------------------------------------------
# Servers of others


@test
def asks_what_it_is_told_to():
    with Server() as server:
        seen = load("--requests", "3", "--calls", "1", "-d", "one=book", "-H", "X-One: 1", "-H", "X-Two: 2",
                    server.url("/order?a=b%20c"))
        expect_equal((seen["ok"], seen["connections"], seen["server"]), (3, 1, None), seen)
        expect_equal(len(server.requests), 3, server.requests)
        for method, path, body, headers, address in server.requests:
            expect_equal((method, path, body), ("POST", "/order?a=b%20c", b"one=book"), path)
            expect_equal((headers["X-One"], headers["X-Two"]), ("1", "2"), headers)
            expect_equal(headers["Host"], f"127.0.0.1:{server.server.server_address[1]}", headers)
            expect(headers["User-Agent"].startswith("anew-load/"), headers)
            expect_equal(address, server.requests[0][4], "one connection")
        load("--requests", "2", "-X", "HEAD", "--calls", "1", server.url())
        expect_equal([r[0] for r in server.requests[3:]], ["HEAD", "HEAD"], server.requests)


@test
def reads_answers_of_any_form():
    with Server() as server:
        for path, connections in ("/", 1), ("/chunked", 1), ("/nothing", 1), ("/until-the-end", 4):
            seen = load("--requests", "4", "--calls", "1", server.url(path))
            expect_equal((seen["ok"], seen["connections"], seen["attempts"]), (4, connections, 4), f"{path}: {seen}")


@test
def says_what_went_wrong():
    with Server() as server:
        for path, words, attempts in ("/missing", "404", 1), ("/cut", "answer cut off", 3), ("/nonsense", "no HTTP", 1):
            seen = load("--requests", "1", "--strategy", "no_backoff", server.url(path), code=1)
            expect_equal((seen["last_failures"], seen["attempts"]), ({words: 1}, attempts), f"{path}: {seen}")
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/"
        seen = load("--requests", "2", "--strategy", "no_backoff", url, code=1)
        expect_equal((seen["last_failures"], seen["attempts"], seen["requests"]), ({"no connection": 2}, 6, 0), seen)
        expect_equal(seen["connections"], 0, seen)


@test
def waits_for_the_answer_that_another_one_announces():
    interim = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
    broken = b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n"
    for final, ok, failures in (ANSWER, 20, {}), (broken, 0, {"503": 20}):
        with DyingServer(lambda path, n: (interim + final, "keep")) as server:
            seen = load("--requests", "20", "--calls", "1", "--no-retry", server.url(), code=0 if ok else 1)
        expect_equal((seen["ok"], seen["last_failures"]), (ok, failures), seen)
        expect_equal((len(server.executed), server.connections), (20, 1), seen)
    for nonsense in b"HTTP/1.1 101 Switching Protocols\r\n\r\n", b"HTTP/1.1 000 OK\r\nContent-Length: 0\r\n\r\n":
        with DyingServer(lambda path, n: (nonsense, "fin")) as server:
            seen = load("--requests", "5", "--calls", "1", server.url(), code=1)
        expect_equal(seen["last_failures"], {"no HTTP": 5}, seen)
    for bytes_of_it in range(len(interim)):
        with DyingServer(lambda path, n: (interim[:bytes_of_it], "fin")) as server:
            seen = load("--requests", "1", "--calls", "1", "--no-retry", server.url(), code=1)
        expect_equal(seen["ok"], 0, seen)


@test
def reads_heads_up_to_the_limits():
    ok = b"Content-Length: 0\r\n\r\n"
    line = b"HTTP/1.1 200 OK\r\nX: "
    interim = b"HTTP/1.1 103 Early Hints\r\n\r\n"
    for answer, ends in (
        (line + b"a" * 30_000 + b"\r\n" + ok, {"200": 2}),
        (line + b"a" * 70_000 + b"\r\n" + ok, {"header too long": 2}),
        (interim * 100 + ANSWER, {"200": 2}),
        (interim * 101 + ANSWER, {"header too long": 2}),
        (interim[:-2] + b"X: " + b"a" * 40_000 + b"\r\n\r\n" + line + b"a" * 40_000 + b"\r\n" + ok,
         {"header too long": 2}),
    ):
        with DyingServer(lambda path, n, answer=answer: (answer, "keep")) as server:
            seen = load("--requests", "2", "--calls", "1", server.url(), code=0 if "200" in ends else 1)
        expect_equal((seen["attempt_ends"], seen["attempts"]), (ends, 2), seen)


@test
def what_is_no_http_is_not_repeated():
    # The connection stays open: the first bytes tell.
    for answer in b"hello", b"HTTQ", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: bogus\r\n\r\nhello":
        with DyingServer(lambda path, n, answer=answer: (answer, "keep")) as server:
            seen = load("--requests", "1", server.url(), code=1)
        expect_equal((seen["last_failures"], seen["attempts"]), ({"no HTTP": 1}, 1), seen)
    for start in b"H", b"HTTP/", b"HTTP/1.1 200":
        with DyingServer(lambda path, n, start=start: (start, "fin")) as server:
            seen = load("--requests", "1", "--no-retry", server.url(), code=1)
        expect_equal(seen["last_failures"], {"answer cut off": 1}, seen)


@test
def a_server_that_says_nothing_ends_an_attempt():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"127.0.0.1:{silent.getsockname()[1]}/"
        for scheme, limit, other in ("http", "--stall", "--connect-timeout"), ("https", "--connect-timeout", "--stall"):
            if scheme == "https" and not has_tls():
                continue
            seen = load("--requests", "2", "--calls", "2", "--no-retry", "--insecure", limit, "20ms", other, "1h",
                        f"{scheme}://{url}", code=1)
            expect_equal((seen["last_failures"], seen["requests"]),
                         ({"not in time": 2}, 2 if scheme == "http" else 0), seen)
            expect(seen["latency_ms"]["p50"] >= 20, seen)


@test
def sends_nothing_into_a_connection_that_the_server_has_closed():
    # It does not announce it.
    for arguments in ("-X", "POST", "-d", "pay"), ():
        with DyingServer(lambda path, n: (ANSWER, "fin")) as server:
            seen = load("--requests", "10", "--calls", "1", *arguments, server.url())
        expect_equal((seen["ok"], seen["attempts"], seen["requests"], seen["connections"]), (10, 10, 10, 10), seen)


@test
def sends_a_request_no_oftener_than_it_is_attempted():
    # Each connection answers one request, executes the next one, and dies at any byte of its answer.
    deaths = iter(list(range(len(ANSWER))) * 100)
    for end in "fin", "rst":
        for arguments in ("-d", "pay", "-X", "POST"), ("-d", "pay", "-X", "POST", "--idempotent"), ():
            with DyingServer(lambda path, n: (ANSWER, "keep") if n == 1 else (ANSWER[:next(deaths)], end)) as server:
                seen = load("--requests", "100", "--calls", "1", "--strategy", "no_backoff", *arguments, server.url())
            executed = len(server.executed)
            expect(executed <= seen["requests"] <= seen["attempts"], f"{executed} executed: {seen}")
            if arguments[3:] == ("POST",):
                expect_equal((executed, seen["attempts"]), (100, 100), seen)
                expect(seen["failed"] > 30, seen)
            else:
                expect(executed > 130 and seen["ok"] == 100, f"{executed} executed: {seen}")


@test
def what_the_user_gives_takes_the_place_of_what_is_sent():
    with Server() as server:
        def sent(*arguments):
            load("--requests", "1", *arguments, server.url("/nothing"))
            return server.requests[-1]
        given = sent("-H", "Host: example.org", "-H", "user-agent: mine", "-H", "Accept: text/plain", "-H", "X-A: 1")[3]
        expect_equal({name: given.get_all(name) for name in ("Host", "User-Agent", "Accept", "X-A")},
                     {"Host": ["example.org"], "User-Agent": ["mine"], "Accept": ["text/plain"], "X-A": ["1"]}, given)
        _, _, body, given, _ = sent("-d", "abc", "-H", "Content-Length: 3")
        expect_equal((body, given.get_all("Content-Length")), (b"abc", ["3"]), given)
        given = sent("-H", "User-Agent:", "-H", "accept: ")[3]
        expect_equal((given.get_all("User-Agent"), given.get_all("Accept")), (None, None), given)
        given = sent("-X", "POST")[3]
        expect_equal(given.get_all("Content-Length"), ["0"], given)
        with tempfile.NamedTemporaryFile() as file:
            file.write(b"from a file\x00\n")
            file.flush()
            expect_equal(sent("-d", "@" + file.name)[2], b"from a file\x00\n", "the body")
    run = Run("--inside", "-d", "@/")
    expect(run.code == 2 and "--data '@/': is a directory" in run.err, run)


@test
def a_field_behind_the_body_asks_for_nothing():
    long, short = b"Retry-After: 3600\r\n", b"Retry-After: 0\r\n"
    for head, trailer, attempts in ((b"", long, 3), (long, b"", 1), (short, long, 3)):
        answer = (b"HTTP/1.1 503 x\r\nTransfer-Encoding: chunked\r\n" + head + b"\r\n2\r\nhi\r\n0\r\n" + trailer
                  + b"\r\n")
        with DyingServer(lambda path, n, answer=answer: (answer, "keep")) as server:
            seen = load("--requests", "1", "--strategy", "constant(1ms) max_attempts(3)", server.url(), code=1)
        expect_equal((seen["attempts"], seen["gave_up"]),
                     (attempts, {"attempts": 1} if attempts == 3 else {"hint_too_long": 1}), seen)


@test
def descriptors_that_ran_out_are_named():
    def limited(soft, hard, *arguments):
        run = subprocess.run(["sh", "-c", f'ulimit -Sn {soft} && ulimit -Hn {hard} && exec "$@"', "sh", ANEW_LOAD,
                              "--json", "--requests", "400", *arguments], capture_output=True, timeout=LIMIT,
                             env=environment(), check=False)
        expect(run.stdout, run)
        return run.returncode, json.loads(run.stdout), run.stderr.decode()

    with DyingServer(lambda path, n: (ANSWER, "keep")) as server:
        code, seen, err = limited(40, 40, "--calls", "200", "--no-retry", server.url())
        expect_equal(set(seen["last_failures"]), {"too many open files"}, seen)
        expect(err.count("\n") == 1 and "ulimit -n" in err, err)
        # The soft limit is no limit.
        code, seen, err = limited(40, 400, "--calls", "200", "--no-retry", server.url())
        expect_equal((code, seen["ok"], err), (0, 400, ""), seen)


# ---------------------------------------------------------------------------------------------------------------------
# Signals and output


@test
def prints_what_was_measured_when_it_is_interrupted():
    for which, code in (signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGQUIT, 131):
        for options in ([], ["--no-retry"], ["--hedge", "1m"]):
            with Server() as server:
                process = subprocess.Popen([ANEW_LOAD, "--json", "--for", "1h", "--calls", "3", *options,
                                            server.url("/silent")], stdout=subprocess.PIPE, env=environment())
                server.wait_for(3)
                process.send_signal(which)
                out, _ = process.communicate(timeout=LIMIT)
                expect_equal(process.returncode, code, out)
                seen = json.loads(out)
                expect_equal((seen["interrupted"], seen["calls"], seen["unfinished"]), (True, 0, 3), seen)
                expect_equal((seen["gave_up"], seen["attempts"]), ({}, 3), seen)


@test
def is_interrupted_while_it_waits():
    with Server() as server:
        process = subprocess.Popen([ANEW_LOAD, "--for", "1h", "--calls", "1", "--strategy",
                                    "constant(1h) no_jitter", server.url("/cut")], stdout=subprocess.PIPE,
                                   env=environment())
        server.wait_for(1)
        process.send_signal(signal.SIGINT)
        out = process.communicate(timeout=LIMIT)[0].decode()
        expect_equal(process.returncode, 130, out)
        expect("interrupted" in out and "unfinished" in out, out)


@test
def does_not_measure_for_a_reader_that_is_gone():
    process = subprocess.Popen([ANEW_LOAD, "--inside", "--for", "1h"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               env=environment())
    process.stdout.close()
    expect_equal(process.wait(LIMIT), 1, "the exit code")
    expect_equal(process.stderr.read(), b"anew-load: cannot write to standard output\n", "the line")
    process.stderr.close()


@test
def prints_a_table():
    run = Run("--inside", "--requests", "1500", "--failing", "5%", "--calls", "3", "--strategy",
              "no_backoff token_bucket(100)")
    expect(run.code == 0 and run.err == "", run)
    for words in ("no_backoff", "http://127.0.0.1:", "3 calls at once, 1 thread", "1,500", "a second", "p50 ", "p99.9 ",
                  "max ", " retries", "left of 100", "requests seen"):
        expect(words in run.out, f"{words}: {run}")
    expect("\033" not in run.out, run)


@test
def shows_progress_on_a_terminal_alone():
    for options, shown in ([], True), (["--quiet"], False), (["--json"], False):
        master, slave = pty.openpty()
        process = subprocess.Popen([ANEW_LOAD, "--inside", "--for", "1200ms", "--answer-after", "5ms", *options],
                                   stdout=subprocess.PIPE, stderr=slave, env=environment())
        os.close(slave)
        text = b""
        try:
            while piece := os.read(master, 4096):
                text += piece
        except OSError:
            pass  # the other end is closed
        out = process.communicate(timeout=LIMIT)[0]
        os.close(master)
        expect_equal(process.returncode, 0, out)
        expect_equal(b"calls/s" in text and b"p99" in text, shown, f"{options}: {text}")
        expect(shown or text == b"", text)
        expect(not shown or text.endswith(b"\r\033[K"), text)
        expect(b"calls/s" not in out, out)


@test
def the_observers_count_what_it_counts():
    with tempfile.TemporaryDirectory() as folder:
        run = Run("--inside", "--failing", "90%", "--rate", "150", "--requests", "330", "--observe", folder)
        if "built without prometheus" in run.err:
            return
        expect_equal((run.code, run.err), (0, ""), run)
        rows = observed.compare(pathlib.Path(folder))
        expect_equal([row for row in rows if row[1] != row[2]], [], run)
        by_name = {what: own for what, own, _ in rows}
        expect_equal(by_name["calls, in metrics"], 330, rows)
        expect(by_name["openings of the breaker"] > 0, rows)
        expect(by_name["ended: gate_closed"] > 0, rows)
        line = r"(?m)^ +\d\.\d s .*p99.*  attempts \d.*  retries .*  bucket \d+/500  breaker \w+"
        seconds = re.findall(line, run.out)
        expect(1 <= len(seconds) <= 3, run)
        metrics = pathlib.Path(folder, "metrics.prom")
        metrics.write_text(re.sub(r'(reason="gate_closed"\} )\d+', r"\g<1>1", metrics.read_text()))
        rows = observed.compare(pathlib.Path(folder))
        expect(any(own != seen for _, own, seen in rows), "a wrong counter is not seen")


@test
def the_observers_count_hedges_refusals_and_stops():
    # ANEW_OBSERVED_CALLS=100000 for the long form.
    calls = int(os.environ.get("ANEW_OBSERVED_CALLS", "2000"))
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor() as pool:
        scrapes = pool.submit(observed.scrape, pathlib.Path(folder), LIMIT)
        # The slow answers are stopped: they come after the second that calls under way get at the end.
        load = ["--calls", "100", "--for", f"{calls // 1000}s", "--rate", "1000"]
        run = Run("--inside", "--failing", "30%", "--slow", "1%:9s", "--answer-after", "1ms..9ms", "--hedge", "8ms",
                  *load, "--observe", folder, "--quiet")
        if "built without prometheus" in run.err:
            pathlib.Path(folder, "report.json").touch()
            return
        expect_equal((run.code, run.err), (0, ""), run)
        rows = observed.compare(pathlib.Path(folder))
        expect_equal([row for row in rows if row[1] != row[2]], [], run)
        by_name = {what: own for what, own, _ in rows}
        expect(by_name["calls that were stopped"] > 0, rows)
        expect(by_name["times the bucket was empty"] > 0, rows)
        if pathlib.Path(folder, "metrics.url").exists():  # built with the exposer
            expect(len(scrapes.result()) > 1, "it was not scraped while it ran")


# ---------------------------------------------------------------------------------------------------------------------


def main():
    global ANEW_LOAD
    if len(sys.argv) < 2 or not os.access(sys.argv[1], os.X_OK):
        print(__doc__)
        return 2
    ANEW_LOAD = os.path.abspath(sys.argv[1])
    return run_all(*sys.argv[2:3])


if __name__ == "__main__":
    sys.exit(main())
