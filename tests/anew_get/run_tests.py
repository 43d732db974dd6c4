#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Drives anew-get as a user does. run_tests.py [--without-nginx] [--without-redis] ANEW_GET [PATTERN]

Servers of its own on loopback, among them a real nginx and a real Redis. Prints "N passed, N failed" last.
"""
import contextlib
import fcntl
import hashlib
import http.server
import json
import os
import pathlib
import pty
import random
import re
import shutil
import signal
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import resume
from dying_server import ANSWER, DyingServer
from hostile_answers import CASES, MOST, OK
from odd_values import OTHER_TYPES, audit, some_of_odd, valued_options
from program_tests import LIMIT, documented_codes, environment, expect, expect_equal, run_all, test
from range_server import RangeServer

ANEW_GET = ""
SANITIZED = False
REQUIRES = {"nginx": set(), "redis": set()}


def requires(server):
    def mark(function):
        REQUIRES[server].add(function.__name__)
        return function
    return mark


class Run:
    """One run of the program, to its end."""

    def __init__(self, *arguments, cwd=None):
        begin = time.monotonic()
        run = subprocess.run([ANEW_GET, *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT,
                             env=environment(), cwd=cwd, check=False)
        self.elapsed = time.monotonic() - begin
        self.code = run.returncode
        self.body = run.stdout
        self.out = run.stdout.decode(errors="replace")
        self.err = run.stderr.decode()

    def __str__(self):
        return f"exit code {self.code} after {self.elapsed:.3f} s\n-- stdout\n{self.out}\n-- stderr\n{self.err}"

    def json(self):
        return [json.loads(line) for line in self.out.splitlines()]


def expect_code(run, code):
    expect(run.code == code, f"expected exit code {code}, but: {run}")


def events(lines, name):
    return [line for line in lines if line["event"] == name]


# ---------------------------------------------------------------------------------------------------------------------
# Servers


class Server:
    """Answers request n to a path with step n of its script, and with the last step from then on. A step is a function
    of the handler. Everything else is 200 "hello"."""

    def __init__(self, **scripts):
        self.scripts = {"/" + path: list(steps) for path, steps in scripts.items()}
        self.requests = []  # (time, method, path, body, headers, the client's port)
        self.seen = threading.Condition()
        self.over = threading.Event()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                with outer.seen:
                    outer.requests.append((time.monotonic(), self.command, self.path, body, dict(self.headers),
                                           self.client_address[1]))
                    outer.seen.notify_all()
                    steps = outer.scripts.get(self.path, [whole()])
                    step = steps.pop(0) if len(steps) > 1 else steps[0]
                self.outer = outer
                step(self)

            do_GET = do_HEAD = do_PUT = do_DELETE = do_OPTIONS = do_POST = do_PATCH = answer

            def log_message(self, *arguments):
                pass

        class Listener(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request, client_address):
                pass

        self.server = Listener(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self.thread.start()

    def url(self, path="/"):
        return f"http://127.0.0.1:{self.server.server_address[1]}{path}"

    def count(self, path):
        return sum(1 for request in self.requests if request[2] == path)

    def wait_for(self, count):
        with self.seen:
            expect(self.seen.wait_for(lambda: len(self.requests) >= count, LIMIT), f"no request {count}")

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.over.set()
        self.server.shutdown()
        self.server.server_close()


def whole(status=200, body=b"hello\n", **headers):
    def step(handler):
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        if handler.command != "HEAD":
            handler.wfile.write(body)
    return step


def cut_off(status=200, sent=b"half of the ", announced=100, reset=False, **headers):
    """Announces more than it sends, and closes or resets the connection."""
    def step(handler):
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", str(announced))
        handler.end_headers()
        handler.wfile.write(sent)
        handler.wfile.flush()
        if reset:
            handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            os.close(handler.connection.detach())
        else:
            handler.connection.shutdown(socket.SHUT_RDWR)
        handler.close_connection = True
    return step


def late(seconds, then):
    def step(handler):
        handler.outer.over.wait(seconds)
        then(handler)
    return step


def silent():
    def step(handler):
        handler.outer.over.wait(LIMIT)
        handler.close_connection = True
    return step


def free_port():
    """For a server that must be told its port: below those of which the system gives one to whoever asks for any."""
    while True:
        port = random.randrange(15_000, 32_000)
        with contextlib.suppress(OSError), socket.socket() as s:
            s.bind(("127.0.0.1", port))
            return port


@contextlib.contextmanager
def refusing_port():
    """A port that is ours and where nobody listens: connections are refused, and nobody else can take it."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        yield s.getsockname()[1]


# A server in a process of its own: sends half of a body, and then nothing until it is killed.
DOOMED = r"""
import socket, sys, time
listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
peer, _ = listener.accept()
peer.recv(65536)
peer.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + b"x" * 500)
print("half", flush=True)
time.sleep(600)
"""

NGINX_CONF = """
daemon off;
pid {dir}/pid;
error_log {dir}/error.log;
{user}
events {{ worker_connections 64; }}
http {{
  access_log {dir}/access.log;
  client_body_temp_path {dir}/body; proxy_temp_path {dir}/proxy; fastcgi_temp_path {dir}/fastcgi;
  uwsgi_temp_path {dir}/uwsgi; scgi_temp_path {dir}/scgi;
  server {{
    listen 127.0.0.1:{port};
    location /busy {{ add_header Retry-After 1 always; return 503; }}
    location /slow-down {{ add_header Retry-After 1 always; return 429; }}
    location /good {{ return 200 "good\\n"; }}
    location /absurd {{ add_header Retry-After 86400 always; return 503; }}
  }}
}}
"""


@contextlib.contextmanager
def nginx():
    path = os.environ.get("PATH", "") + ":/usr/local/sbin:/usr/sbin:/sbin"
    program = shutil.which("nginx", path=path)
    expect(program, "nginx is missing: install nginx-light, or give --without-nginx")
    with tempfile.TemporaryDirectory() as directory:
        port = free_port()
        conf = pathlib.Path(directory, "nginx.conf")
        user = "user root;" if os.geteuid() == 0 else ""
        conf.write_text(NGINX_CONF.format(dir=directory, port=port, user=user), encoding="utf-8")
        with open(os.path.join(directory, "out"), "wb") as out:
            command = [program, "-p", directory, "-c", conf, "-e", f"{directory}/error.log"]
            server = subprocess.Popen(command, stdout=out, stderr=out)
        try:
            end = time.monotonic() + LIMIT
            while True:
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                    break
                logs = [log.read_text() for log in pathlib.Path(directory).glob("[eo]*") if log.is_file()]
                expect(server.poll() is None and time.monotonic() < end, f"nginx does not start: {logs}")
                time.sleep(0.02)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(LIMIT)


PASSWORD = "open%sesame"


class Redis:
    """A real one on a port of its own, with a password."""

    def __enter__(self):
        program = shutil.which("redis-server")
        expect(program, "redis-server is missing: install it, or give --without-redis")
        self.port = free_port()
        command = [program, "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--requirepass", PASSWORD]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + LIMIT
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return self
            expect(self.process.poll() is None and time.monotonic() < end, "redis-server does not start")
            time.sleep(0.02)

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait(LIMIT)

    def quota(self, parameters="", password=PASSWORD):
        return f"redis://:{password.replace('%', '%25')}@127.0.0.1:{self.port}/1?name=tests{parameters}"


# ---------------------------------------------------------------------------------------------------------------------
# What is refused before anything is fetched

BAD_USAGE = [
    # arguments, what the line must contain
    (["--attempts", "0"], ["--attempts", "'0'"]),
    (["--attempts", "-1"], ["--attempts", "'-1'"]),
    (["--attempts", "three"], ["--attempts", "'three'"]),
    (["--attempts", "3.5"], ["--attempts", "'3.5'"]),
    (["--attempts", "4294967296"], ["--attempts", "'4294967296'"]),
    (["--attempts", ""], ["--attempts", "''"]),
    (["--attempts", "3", "--unbounded"], ["--attempts", "--unbounded"]),
    (["--base", "5"], ["--base", "'5'"]),
    (["--base", "5 ms"], ["--base", "'5 ms'"]),
    (["--base", "5parsec"], ["--base", "'5parsec'"]),
    (["--base", "-5ms"], ["--base", "'-5ms'"]),
    (["--base", "ms"], ["--base", "'ms'"]),
    (["--base", "nans"], ["--base", "'nans'"]),
    (["--base", "1e3ms"], ["--base", "'1e3ms'"]),
    (["--base", "0s"], ["--base", "'0s'"]),
    (["--base", "99999999999h"], ["--base", "'99999999999h'"]),
    (["--base", "30s"], ["--cap", "--base 30s"]),
    (["--cap", "1ms", "--base", "2ms"], ["--cap", "'1ms'", "--base 2ms"]),
    (["--cap", "soon"], ["--cap", "'soon'"]),
    (["--factor", "0.5"], ["--factor", "'0.5'"]),
    (["--factor", "-2"], ["--factor", "'-2'"]),
    (["--factor", "two"], ["--factor", "'two'"]),
    (["--factor", "1.00000001"], ["--factor", "'1.00000001'"]),
    (["--factor", "1.5.5"], ["--factor", "'1.5.5'"]),
    (["--backoff", "quadratic"], ["--backoff", "'quadratic'", "exponential"]),
    (["--jitter", "some"], ["--jitter", "'some'", "decorrelated"]),
    (["--quota", "-1"], ["--quota", "'-1'"]),
    (["--quota", "much"], ["--quota", "'much'", "unlimited"]),
    (["--deadline", "0s"], ["--deadline", "'0s'"]),
    (["--deadline", "tomorrow"], ["--deadline", "'tomorrow'"]),
    (["--deadline", "1s", "--at-deadline", "panic"], ["--at-deadline", "'panic'", "last-try"]),
    (["--at-deadline", "stop"], ["--at-deadline", "--deadline"]),
    (["--reserve", "1s"], ["--reserve", "--deadline"]),
    (["--deadline", "1s", "--reserve", "1s"], ["--reserve", "'1s'", "--deadline 1s"]),
    (["--deadline", "1s", "--at-deadline", "clamp"], ["--at-deadline clamp", "--reserve"]),
    (["--deadline", "1s", "--at-deadline", "last-try"], ["--at-deadline last-try", "--per-attempt"]),
    (["--per-attempt", "0ms"], ["--per-attempt", "'0ms'"]),
    (["--per-attempt", "x"], ["--per-attempt", "'x'"]),
    (["--hint", "obey"], ["--hint", "'obey'"]),
    (["--method", "GE T"], ["--method", "'GE T'"]),
    (["-X", "get"], ["--method", "'get'"]),
    (["--method", "HEAD", "--data", "x"], ["--data", "HEAD"]),
    (["--data", "@/no/such/file"], ["--data", "'@/no/such/file'"]),
    (["--header", "no colon"], ["--header", "'no colon'"]),
    (["--header", "A: b\r\nC: d"], ["--header", "A: b"]),
    (["--seed", "-1"], ["--seed", "'-1'"]),
    (["--strategy"], ["--strategy"]),
    (["--output", "/no/such/directory/file"], ["--output", "'/no/such/directory/file'"]),
    (["--output", "/"], ["--output", "'/'"]),
    (["--json", "--output", "-"], ["--output", "--json"]),
    (["--demo", "9"], ["--demo", "'9'"]),
    (["--demo", "0"], ["--demo", "'0'"]),
    (["--bogus"], ["--bogus"]),
    (["--base", "1s", "--base", "2s"], ["--base"]),
    (["--attempts"], ["--attempts"]),
]


@test
def every_bad_option_is_refused_in_one_line_and_nothing_is_fetched():
    with Server() as server:
        for arguments, words in BAD_USAGE:
            # The URL stands first, so that an option without a value does not take it.
            run = Run(server.url(), *arguments)
            expect_code(run, 2)
            expect(run.out == "", f"{arguments} prints: {run}")
            expect(run.err.count("\n") == 1 and run.err.endswith("\n"), f"{arguments}: not one line: {run}")
            for word in words:
                expect(word in run.err, f"{arguments}: '{word}' is not in: {run.err}")
        expect(not server.requests, "something was fetched")


# An option, a value that it takes, what it needs, and those of the odd ones that it takes too.
AUDITED = {
    "--attempts": ("5", [], ()), "--base": ("5ms", [], ()), "--cap": ("5s", [], ()), "--factor": ("2", [], ()),
    "--quota": ("5", [], ()), "--longest-hint": ("5s", [], ()), "--deadline": ("5s", [], ()),
    "--reserve": ("1ms", ["--deadline", "5s"], ()), "--per-attempt": ("5s", [], ()), "--seed": ("1", [], ()),
    "--for": ("1ms", [], ()), "--callers": ("1", ["--for", "1ms"], ()), "--limited": ("5", ["--for", "1ms"], ()),
    "--backoff": ("none", [], ()), "--jitter": ("none", [], ()), "--hint": ("stop", [], ()),
    "--at-deadline": ("stop", ["--deadline", "5s"], ()), "--parallel": ("2", [], ()),
    "--connect-timeout": ("5s", [], ()), "--stall": ("5s", [], ()), "--stall-speed": ("5kB", [], ()),
    "--max-size": ("5kB", [], ()), "--sha256": ("0" * 64, [], ()), "--progress": ("5s", [], ()),
}


@test
def every_odd_number_is_refused_by_the_name_of_its_option():
    kinds = valued_options(Run("--help", "all").out)
    numbers = {name for name, kind in kinds.items() if kind not in OTHER_TYPES} - {"--demo", "--help"}
    expect_equal(numbers, set(AUDITED), kinds)
    with Server() as server:
        for number, (option, (good, needs, taken)) in enumerate(AUDITED.items()):
            url = [] if option == "--limited" else [server.url()]
            audit(lambda *arguments: Run(*url, *needs, *arguments), option, good,  # pylint: disable=W0640
                  [value for value in some_of_odd(number) if value not in taken], expect)
        expect(not server.requests, "something was fetched")


@test
def no_message_tells_a_password():
    secret = "http://me:secret@127.0.0.1/"
    for arguments in (["http://me:secret@127.0.0.1:99999/"], ["--limited", "5", "--for", "1s", secret],
                      ["--attempts", secret], [f"--what={secret}"], [f"--json={secret}"], ["--strategy", secret],
                      ["--output", secret, "http://127.0.0.1/"], ["me:secret@127.0.0.1"], ["--demo", secret],
                      ["--data", "@" + secret], ["--base", "5s", "--base", secret], ["--quota", secret],
                      ["--header", secret.replace("http:", "")]):
        run = Run(*arguments)
        expect_code(run, 2)
        expect("secret" not in run.out + run.err and run.err != "", f"{arguments}: {run}")


@test
def a_bad_url_is_refused_before_any_url_is_fetched():
    with Server() as server:
        for bad in ["", "foo", "localhost:80", "http://", "htp://x/", "ftp://x/", "file:///etc/passwd", "http://a b/",
                    "http://h:99999/", "http://h/\n"]:
            run = Run(server.url(), bad)
            expect_code(run, 2)
            expect(run.err.count("\n") == 1 and "bad URL" in run.err, run)
        expect(not server.requests, "something was fetched")


@test
def an_output_without_a_name_is_refused():
    run = Run("-o", "", "http://127.0.0.1:1/")
    expect(run.code == 2 and run.err == "anew-get: --output '': must be a file, or - for standard output\n", run)


@test
def no_url_is_bad_usage():
    run = Run()
    expect_code(run, 2)
    expect(run.err.count("\n") == 1 and "URL" in run.err, run)


@test
def help_and_version_go_to_standard_output():
    run = Run("--help", "all")
    expect_code(run, 0)
    expect(run.err == "", run)
    for word in ["--attempts", "--unbounded", "--base", "--cap", "--factor", "--backoff", "--jitter", "--quota",
                 "--deadline", "--at-deadline", "--reserve", "--hint", "--longest-hint", "--per-attempt", "--method",
                 "--data", "--header",
                 "--idempotent", "--output", "--json", "--quiet", "--seed", "--strategy", "--describe", "--demo",
                 "--version",
                 "Exit codes", "130"]:
        expect(word in run.out, f"{word} is not in the help")
    expect(max(map(len, run.out.splitlines())) <= 110, "the help has long lines")
    run = Run("--version")
    expect_code(run, 0)
    expect(re.fullmatch(r"anew-get \d+\.\d+\.\d+ \(libcurl [\d.]+\S*\)\n", run.out), run)


@test
def durations_are_read_exactly():
    for text, read in [("250ms", "250ms"), ("2s", "2s"), ("1.5s", "1500ms"), ("100us", "100us"), ("1m", "60s"),
                       ("0.1s", "100ms"), ("7ns", "7ns"), ("1.25h", "4500s"), ("2.5us", "2500ns")]:
        run = Run("--describe", "--base", text, "--cap", "100h")
        expect_code(run, 0)
        expect(f"exponential({read},360000s)" in run.out, f"{text}: {run}")


STATUSES = "http_status(408,429,500,502,503,504)"


def described(*arguments):
    run = Run("--describe", *arguments)
    expect_code(run, 0)
    expect(run.err == "" and run.out.count("\n") == 1, run)
    return run.out[:-1]


@test
def describe_names_every_choice():
    for arguments, part in [
            ([], f"exponential(50ms,20s) full_jitter token_bucket(500) {STATUSES} max_attempts(3) "
                 "server_hint(stop)"),
            (["--backoff", "none"], "no_backoff full_jitter"),
            (["--backoff", "constant", "--base", "1s"], "constant(1s) full_jitter"),
            (["--factor", "1.5"], "exponential(50ms,20s,3/2) full_jitter"),
            (["--cap", "10ms"], "exponential(10ms,10ms) full_jitter"),
            (["--jitter", "none"], ") no_jitter "),
            (["--jitter", "equal"], ") equal_jitter "),
            (["--jitter", "decorrelated"], ") decorrelated_jitter "),
            (["--quota", "unlimited"], " unlimited_quota "),
            (["--quota", "70"], " token_bucket(70) "),
            (["--attempts", "7"], " max_attempts(7) "),
            (["--unbounded"], " unbounded "),
            (["--deadline", "9s"], " unbounded server_hint(stop) deadline(9s)"),
            (["--deadline", "9s", "--attempts", "2"], " max_attempts(2) "),
            (["--deadline", "9s", "--reserve", "1s", "--at-deadline", "clamp"], " deadline(9s,clamp,1s)"),
            (["--deadline", "9s", "--per-attempt", "1s", "--at-deadline", "last-try"], " deadline(9s,last_try)"),
            (["--hint", "clamp", "--longest-hint", "5m"], " server_hint(clamp,300s)"),
            (["--hint", "ignore"], " server_hint(ignore)"),
            (["--seed", "7"], " server_hint(stop) seed(7)")]:
        said = described(*arguments)
        expect(part in said and "  " not in said, f"{arguments}: '{part}' is not in: {said}")
        # What a strategy says of itself is a way to say it.
        per_attempt = ["--per-attempt", "1s"] if "last_try" in said else []
        expect(described("--strategy", said, *per_attempt) == said, said)


# What --describe says of a strategy given as text, where that is not the text itself: the rest is the program's own.
@test
def a_strategy_is_said_in_one_text():
    rest = f"token_bucket(500) {STATUSES} max_attempts(3) server_hint(stop)"
    for text, said in [
            ("full_jitter", f"exponential(50ms,20s) full_jitter {rest}"),
            ("equal_jitter  linear( 1s, 10s )", f"linear(1s,10s) equal_jitter {rest}"),
            ("sum(constant(1s),exponential(0.5s,20s,1.5))",
             f"sum(constant(1s),exponential(500ms,20s,3/2)) full_jitter {rest}"),
            ("http_status(429,503) seed(3)",
             "exponential(50ms,20s) full_jitter token_bucket(500) http_status(429,503) max_attempts(3) "
             "server_hint(stop) seed(3)"),
            ("circuit_breaker(5,30s) unlimited_quota",
             f"exponential(50ms,20s) full_jitter unlimited_quota {STATUSES} max_attempts(3) server_hint(stop) "
             "circuit_breaker(5,30s)"),
            ("deadline(1m,2s) unbounded no_backoff",
             f"no_backoff full_jitter token_bucket(500) {STATUSES} unbounded server_hint(stop) deadline(60s,2s)")]:
        expect(described("--strategy", text) == said, described("--strategy", text))
        expect(described("--strategy", said) == said, described("--strategy", said))
    expect(described("--strategy", "no_jitter", "--seed", "9").endswith(" seed(9)"), "--seed beside --strategy")


@test
def a_mistake_in_a_strategy_is_pointed_at():
    with Server() as server:
        for text, what, place, carets in [
                ("full_jitter exponental(50ms,20s)", "there is no policy 'exponental'; did you mean 'exponential'?", 12,
                 "^~~~~~~~~~"),
                ("exponential(50ms)", "'exponential' requires more arguments; it is written exponential(BASE,CAP", 0,
                 "^" + "~" * 16),
                ("constant(1s,2s)", "'2s' does not belong here; constant is written constant(DELAY)", 12, "^~"),
                ("constant(1parsec)", "'1parsec' must be a duration up to 2562047h, a number and a unit", 9, "^~~~~~~"),
                ("max_attempts(0)", "anew::max_attempts: attempts must be between 1 and 4294967295, but is 0", 0,
                 "^" + "~" * 14),
                ("full_jitter no_jitter", "'no_jitter' plays the role jitter, as does 'full_jitter' before it", 12,
                 "^~~~~~~~~"),
                ("deadline(1s)", "with a deadline the limit of attempts must be written", 0, "^" + "~" * 11),
                ("constant(1s", "this '(' is never closed", 8, "^"),
                ("aws-standrd", "there is no strategy 'aws-standrd'; did you mean 'aws-standard'?", 0, "^" + "~" * 10),
                ("aws-standard max_attempts(3)", "'aws-standard' is the name of a whole strategy; write it alone", 0,
                 "^" + "~" * 11),
                ("käse full_jitter", "there is no policy 'käse'", 0, "^~~~")]:
            run = Run("--strategy", text, server.url())
            expect_code(run, 2)
            lines = run.err.split("\n")
            expect(len(lines) == 4 and lines[0].startswith("anew-get: --strategy: " + what), run)
            expect(lines[1:] == ["  " + text, "  " + " " * place + carets, ""], run)
            expect(run.out == "", run)
        for text in ("", "  "):
            run = Run("--strategy", text, server.url())
            expect(run.code == 2 and "the text must name a policy" in run.err, run)
        expect(not server.requests, "something was fetched")


@test
def a_text_and_single_options_exclude_each_other():
    for options in (["--attempts", "3"], ["--unbounded"], ["--backoff", "none"], ["--base", "1s"], ["--cap", "1s"],
                    ["--factor", "2"], ["--jitter", "full"], ["--quota", "3"], ["--hint", "stop"],
                    ["--longest-hint", "5s"], ["--deadline", "1s"],
                    ["--at-deadline", "stop"], ["--reserve", "1s"]):
        run = Run("--describe", "--strategy", "full_jitter", *options)
        expect_code(run, 2)
        expect(run.err == f"anew-get: --strategy and {options[0]} exclude each other: the text says it all\n", run)
    run = Run("--describe", "--strategy", "seed(3)", "--seed", "3")
    expect(run.code == 2 and "--seed and the seed of --strategy" in run.err, run)
    for text, word in (("deadline(3s,last_try) unbounded", "last_try"),
                       ("poll_deadline(30s,1s) max_attempts(3)", "poll_deadline")):
        run = Run("--describe", "--strategy", text)
        expect(run.code == 2 and f"anew-get: {word} in --strategy needs --per-attempt" in run.err, run)


@test
def a_strategy_as_text_does_what_it_says():
    with Server(x=[whole(503)], day=[whole(503, Retry_After="86400")], teapot=[whole(418), whole()]) as server:
        run = Run("--json", "--strategy", "linear(1ms,2ms) no_jitter max_attempts(4)", server.url("/x"))
        expect_code(run, 3)
        expect([a["delay_ms"] for a in events(run.json(), "attempt")] == [1, 2, 2, None], run)
        run = Run("--strategy", "constant(30s) no_jitter deadline(1s) unbounded", server.url("/x"))
        expect(run.code == 4 and "the deadline of 1s" in run.err, run)
        run = Run("--strategy", "server_hint(stop,5s)", server.url("/day"))
        expect(run.code == 6 and "86400s, more than the 5s that the strategy permits" in run.err, run)
        run = Run("--strategy", "exponential(1ms,2s)", server.url("/day"))
        expect(run.code == 6 and "more than the 60s" in run.err, run)
        run = Run("--strategy", "http_status(418) constant(1ms)", server.url("/teapot"))
        expect_code(run, 0)
        run = Run("--json", "--strategy", "retry_throttle(4,1/10) constant(1ms) max_attempts(9)", server.url("/x"))
        expect_code(run, 5)
        run = Run("--strategy", "concurrency_budget(20%,3) constant(1ms)", server.url("/x"))
        expect(run.code == 3 and re.search(r" 2/3$", run.err, re.M) and " 3/3\n" in run.err, run)
        run = Run("--strategy", "retry_budget(0%,1/s,10s) constant(1ms) max_attempts(2)", server.url("/x"))
        expect(run.code == 3 and re.search(r"\(backoff\) +9/10$", run.err, re.M), run)


# Words of the notation that the programs refuse, and a part of the reason.
REFUSED_WORDS = {
    "grpc_status": "by its status", "error_code": "by its status", "beast": "by its status", "asio": "by its status",
    "boost_system": "by its status", "any_of": "by its status", "first_of": "by its status", "not": "fail again",
    "caused_by": "inside it", "nesting_guard": "inside another", "hedge_after": "--hedge",
    "hedge_at_quantile": "--hedge", "retry_info": "by its status",
}


def words_of_the_notation():
    """Of each role, texts for the words in docs/reference/notation.md, without the arguments that may be omitted."""
    page = pathlib.Path(__file__).resolve().parents[2] / "docs" / "reference" / "notation.md"
    values = {"LIMIT": "5s", "LEAST": "1s", "BACKOFF": "constant(1s)", "TOTAL": "30s", "OPEN_FOR": "30s",
              "WINDOW": "10s", "DELAY": "1s", "BASE": "1s", "CAP": "9s", "PER": "1s", "LONGEST": "5s",
              "OVERSHOOT": "5s", "STABLE": "30s", "SHARE": "1/2", "FRACTION": "1/5", "LOW": "1/2", "HIGH": "3/2",
              "K": "2", "N": "3", "CAPACITY": "500", "FAILURES": "5", "PERCENT": "20", "MIN_VOLUME": "20",
              "TOKENS": "100", "RATIO": "1/10", "STATUS": "503", "CODE": "UNAVAILABLE", "NUM": "95", "DEN": "100",
              "MOST": "100", "BURST": "10", "SLOW": "250ms"}
    of_role = {"max_attempts": {"LIMIT": "max_attempts(3)"}, "quota": {"LEAST": "10"}}
    texts = {}
    role = ""
    for line in page.read_text().splitlines():
        if line.startswith("## "):
            role = line[3:]
        written = re.match(r"\| `(\w+(?:\(.*\))?)` \| `.*` \|$", line)
        if written:
            text = re.sub(r"\[.*?\]|,\.\.\.|\\\|\w+", "", written[1]).replace("()", "")
            text = text.replace("idempotent_only(error_code)", "idempotent_only(http_status(STATUS))")
            known = {**values, **of_role.get(role, {})}
            texts.setdefault(role, []).append(re.sub(r"[A-Z][A-Z_]*", lambda word: known[word[0]], text))
    return texts


@test
def every_word_of_the_notation_is_read_or_refused_with_the_reason():
    texts = words_of_the_notation()
    expect(len(texts) == 15 and sum(map(len, texts.values())) > 55, texts)
    read = {role: [text for text in all_ if re.match(r"\w+", text)[0] not in REFUSED_WORDS]
            for role, all_ in texts.items()}
    read["deadline"].reverse()  # poll_deadline requires attempt_timeout, and attempt_timeout_share a deadline
    for place in range(max(map(len, read.values()))):
        # A word of each role that has so many.
        words = [all_[place] for all_ in read.values() if place < len(all_)]
        said = described("--strategy", " ".join(words))
        expect(described("--strategy", said) == said, said)
        for word in words:
            inside = re.sub(r"^(?:curl|http)\((.*)\)$", r"\1", word)  # which read by the same statuses
            expect(inside in said or "at_least" in word or "1/2" in word, f"{word} is not in: {said}")
    refused = [text for all_ in texts.values() for text in all_ if re.match(r"\w+", text)[0] in REFUSED_WORDS]
    expect({re.match(r"\w+", text)[0] for text in refused} == set(REFUSED_WORDS), refused)
    for text in refused:
        name = re.match(r"\w+", text)[0]
        run = Run("--describe", "--strategy", text)
        start = f"anew-get: --strategy: this program does not read '{name}' here: "
        expect(run.code == 2 and run.err.startswith(start) and REFUSED_WORDS[name] in run.err, run)


@test
def words_beside_the_core_do_what_they_say():
    with Server(x=[whole(503)] * 4 + [whole()], gone=[whole(404), whole()], late=[late(60, whole()), whole()],
                post=[whole(429), whole()]) as server:
        run = Run("--strategy", "reset_after(1ns) max_attempts(2) constant(1ms)", server.url("/x"))
        expect(run.code == 0 and server.count("/x") == 5, run)
        run = Run("--strategy", "retry_all constant(1ms)", server.url("/gone"))
        expect(run.code == 0 and server.count("/gone") == 2, run)
        run = Run("--strategy", "attempt_timeout(50ms) constant(1ms)", server.url("/late"))
        expect(run.code == 0 and "no answer within 50ms" in run.err, run)
        run = Run("--strategy", "idempotent_only(http_status(429)) constant(1ms)", "-d", "x", server.url("/post"))
        expect(run.code == 1 and server.count("/post") == 1, run)
    run = Run("--describe", "--strategy", "attempt_timeout(1s)", "--per-attempt", "1s")
    expect(run.code == 2 and "exclude each other" in run.err, run)
    run = Run("--describe", "--strategy", "attempt_timeout(1s) deadline(3s,last_try) unbounded")
    expect_code(run, 0)


@test
def a_strategy_is_explained_in_six_lines():
    run = Run("--explain", "--base", "100ms", "--jitter", "none", "--attempts", "4", "--quota", "140", "--deadline",
              "30s", "--attempt-timeout", "2s")
    expect(run.code == 0 and run.err == "", run)
    lines = run.out.splitlines()
    names = ["strategy", "attempts", "waits", "repeats", "limits", "promises"]
    expect([line.split()[0] for line in lines] == names, run)
    for line, words in zip(lines, ("max_attempts(4)", "at most 4", "before attempt 2: 100ms; 3: 200ms; 4: 400ms",
                                   "408, 429, 503", "pays 10 retries in a row, a call takes at most 30s, an attempt "
                                   "takes at most 2s, Retry-After is obeyed up to 60s",
                                   "a wait of at most 30s (deadline), waits of at most 30s (deadline) in a call; in "
                                   "the long run at most 2.00 attempts per call (quota)")):
        expect(words in line, f"{words}: {run}")
    run = Run("--explain", "--strategy", "attempt_timeout_share(1/2) deadline(8s) unbounded no_backoff")
    expect("an attempt takes at most 4s" in run.out, run)
    run = Run("--explain", "--strategy", "reset_after(10s) max_attempts(3) exponential(50ms,20s) no_jitter")
    for words in ("at most 3 in a call, counted again from an attempt on that ran 10s\n",
                  "before attempt 2: 50ms; 3: 100ms (drawn", "pays 35 retries in a row"):
        expect(words in run.out, f"{words}: {run}")
    run = Run("--explain", "--strategy", "aws-standard")
    expect("no deadline of a call, x-amz-retry-after is obeyed, Retry-After is not\n" in run.out, run)
    run = Run("--explain", "--describe")
    expect(run.code == 2 and "exclude each other" in run.err, run)


@test
def a_gate_lets_nothing_be_tried():
    with Server(x=[whole(503)]) as server:
        urls = [server.url("/x"), server.url("/x"), server.url("/y")]
        text = "circuit_breaker(2,1h) max_attempts(1)"
        run = Run("--json", "--strategy", text, *urls)
        expect_code(run, 3)  # the first that failed did so after its attempt
        ends = events(run.json(), "end")
        expect([e["reason"] for e in ends] == ["attempts", "attempts", "gate_closed"], ends)
        expect([e["attempts"] for e in ends] == [1, 1, 0] and ends[2]["status"] is None, ends)
        expect(server.count("/y") == 0, "a request was sent through a closed gate")
        run = Run("--strategy", text, *urls)
        expect("gave up: the gate refused the attempt  (0 attempts" in run.err, run)
        expect("0 of 3 URLs fetched" in run.err, run)
        run = Run("--quiet", "--strategy", text, *urls)
        expect(run.err.endswith("/y: gave up: the gate refused the attempt\n"), run)
        run = Run("--strategy", "cool_down(constant(1h),refuse) max_attempts(2) constant(1ms)", server.url("/x"))
        expect_code(run, 8)
        expect(server.count("/x") == 7, server.count("/x"))


@test
def an_attempt_as_long_as_the_deadline_is_warned_of():
    with Server() as server:
        for per_attempt, warned in [("5s", True), ("6s", True), ("4s", False)]:
            run = Run("--quiet", "--deadline", "5s", "--per-attempt", per_attempt, server.url())
            expect_code(run, 0)
            expect(("warning: --per-attempt" in run.err and "--deadline 5s" in run.err) == warned, run)


# ---------------------------------------------------------------------------------------------------------------------
# What is fetched, and what is retried


@test
def a_body_goes_to_standard_output_and_the_timeline_to_standard_error():
    body = bytes(range(256)) * 3000
    with Server(data=[whole(body=body)]) as server:
        run = Run(server.url("/data"))
    expect_code(run, 0)
    expect(run.body == body, "the body is not what was sent")
    expect("200 OK" in run.err and "fetched 768.0 kB" in run.err, run.err)
    expect("\033" not in run.err, "colours without a terminal")


@test
def retries_and_writes_only_the_last_body():
    for broken in [whole(503, b"sorry, busy\n"), whole(429), whole(500), whole(502), whole(504), whole(408),
                   cut_off(), cut_off(reset=True), cut_off(sent=b"")]:
        with Server(x=[broken, broken, whole(body=b"good\n")]) as server:
            run = Run("--base", "1ms", server.url("/x"))
            expect_code(run, 0)
            expect(run.body == b"good\n", run)
            expect(server.count("/x") == 3, "not three requests")


@test
def a_truncated_body_is_a_failure_and_never_written():
    for reset in (False, True):
        with Server(x=[cut_off(reset=reset)]) as server:
            run = Run("--base", "1ms", "--attempts", "2", server.url("/x"))
            expect_code(run, 3)
            expect(run.body == b"", run)
            expect("reset" in run.err if reset else "closed after 12 of 100 bytes" in run.err, run)
            expect(server.count("/x") == 2, "not two requests")


@test
def an_answer_that_is_cut_off_anywhere_leaves_the_old_file():
    hints = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
    with tempfile.TemporaryDirectory() as directory:
        file = pathlib.Path(directory, "kept")
        for answer, end, arguments in ((hints + ANSWER, "fin", ()), (ANSWER, "fin", ("-d", "x")), (ANSWER, "rst", ())):
            with DyingServer(lambda path, _: (answer[:int(path[1:])], end)) as server:
                for sent in range(len(answer)):
                    file.write_bytes(b"old")
                    run = Run("--base", "1ms", "--attempts", "2", *arguments, "-o", str(file), server.url(f"/{sent}"))
                    expect(run.code != 0, f"{end} after {sent} bytes of {answer}: {run}")
                    expect(file.read_bytes() == b"old", f"{end} after {sent} bytes: {file.read_bytes()}")
                    expect(server.count(f"/{sent}") == (1 if arguments else 2), run)


@test
def a_request_is_sent_no_oftener_than_it_is_attempted():
    # Each connection answers one request, executes the next one, and dies at any byte of its answer.
    for arguments in (("-d", "x"), ("-d", "x", "--idempotent"), ()):
        for end in ("fin", "rst"):
            with DyingServer(lambda path, n: (ANSWER, "keep") if n == 1 else (ANSWER[:int(path[1:])], end)) as server:
                paths = [f"/{sent}" for sent in range(len(ANSWER))]
                run = Run("--json", "--base", "1ms", *arguments, *map(server.url, paths))
                attempts = [event["attempts"] for event in events(run.json(), "end")]
                expect(len(attempts) == len(paths), run)
                for path, attempted in zip(paths, attempts):
                    executed = server.count(path)
                    expect(executed <= attempted, f"{path}: {executed} executed, {attempted} attempts")
                expect_code(run, 0)
                if arguments == ("-d", "x"):  # over a connection of its own each
                    expect(len(server.executed) == server.connections == len(paths), server.executed)
                else:
                    expect(len(server.executed) > len(paths), "no connection was kept")


@test
def chunks_that_cannot_be_read_are_no_reset():
    broken = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZZ\r\nhello"
    with DyingServer(lambda path, _: (broken, "fin")) as server:
        run = Run("--attempts", "1", server.url())
        expect(run.code == 3 and run.body == b"", run)
        expect("reset" not in run.err and "closed" not in run.err, run)
    trailers = OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n" + b"X: 1234567890\r\n" * 6_000 + b"\r\n"
    with DyingServer(lambda path, _: (trailers, "fin")) as server:
        run = Run(server.url())
        expect(run.code == 1 and run.body == b"" and "the answer's trailers are too long" in run.err, run)


@test
def other_statuses_are_final():
    for status in (400, 401, 403, 404, 405, 410, 422, 501):
        with Server(x=[whole(status, b"no\n")]) as server:
            run = Run(server.url("/x"))
            expect_code(run, 1)
            expect(run.body == b"" and server.count("/x") == 1, run)
            expect(str(status) in run.err and "cannot help" in run.err, run)


@test
def an_error_status_counts_although_its_page_is_cut_off():
    with Server(gone=[cut_off(404)], busy=[cut_off(503, Retry_After="86400")]) as server:
        run = Run(server.url("/gone"))
        expect(run.code == 1 and server.count("/gone") == 1 and "404" in run.err, run)
        run = Run("--data", "x", server.url("/busy"))
        expect(run.code == 6 and "503" in run.err, run)


@test
def what_may_have_taken_effect_is_repeated_only_where_that_is_harmless():
    for method, data, arguments, requests in [
            ("GET", None, [], 2), ("HEAD", None, [], 2), ("PUT", b"x", [], 2), ("DELETE", None, [], 2),
            ("OPTIONS", None, [], 2), ("POST", b"x", [], 1), ("PATCH", b"x", [], 1),
            ("POST", b"x", ["--idempotent"], 2),
            ("PATCH", b"x", ["--idempotent"], 2)]:
        # An answer to HEAD has no body that could be cut off.
        for broken in (whole(500),) if method == "HEAD" else (whole(500), cut_off(), cut_off(reset=True)):
            with Server(x=[broken, whole()]) as server:
                more = ["--data", data.decode()] if data else []
                run = Run("--base", "1ms", "--method", method, *more, *arguments, server.url("/x"))
                expect(server.count("/x") == requests, f"{method} {arguments}: {server.count('/x')} requests, {run}")
                expect(run.code == (0 if requests == 2 else 1), run)
                expect(all(r[1] == method and r[3] == (data or b"") for r in server.requests), server.requests)
                if requests == 1:
                    expect("idempotent" in run.err, run)


@test
def what_was_certainly_not_executed_is_repeated_for_a_post():
    for broken in (whole(503), whole(429), whole(408)):
        with Server(x=[broken, whole()]) as server:
            run = Run("--base", "1ms", "--data", "x", server.url("/x"))
            expect_code(run, 0)
            expect(server.count("/x") == 2, run)
    with refusing_port() as port:
        run = Run("--base", "1ms", "--data", "x", f"http://127.0.0.1:{port}/")
        expect_code(run, 3)
        expect(run.err.count("connection refused") == 3, run)


@test
def data_makes_a_post_and_headers_are_sent():
    with tempfile.TemporaryDirectory() as directory:
        file = pathlib.Path(directory, "body")
        file.write_bytes(b"from\0a file")
        with Server() as server:
            expect_code(Run("--data", "a=1", "-H", "X-One: 1", "-H", "X-Two: 2", server.url()), 0)
            expect_code(Run("-d", f"@{file}", "-X", "PUT", server.url()), 0)
            expect_code(Run("-X", "POST", server.url()), 0)
    one, two, three = server.requests
    expect(one[1] == "POST" and one[3] == b"a=1" and one[4]["X-One"] == "1" and one[4]["X-Two"] == "2", one)
    expect(one[4]["User-Agent"].startswith("anew-get/"), one)
    expect(two[1] == "PUT" and two[3] == b"from\0a file", two)
    expect(three[1] == "POST" and three[3] == b"", three)


@test
def a_connection_is_reused_unless_it_is_suspect():
    for status, method, reused in ((429, "GET", True), (503, "GET", False), (504, "GET", False), (429, "POST", False)):
        with Server(x=[whole(status), whole()]) as server:
            expect_code(Run("--base", "1ms", "-X", method, server.url("/x")), 0)
            one, two = (request[5] for request in server.requests)
            expect((one == two) == reused, f"{method} after {status}: from port {one} and {two}")


@test
def redirections_are_followed_when_asked():
    with Server(a=[whole(302, Location="/b")], b=[whole(body=b"there\n")]) as server:
        run = Run(server.url("/a"))
        expect_code(run, 1)
        expect("302" in run.err and run.body == b"", run)
        run = Run("-L", server.url("/a"))
        expect_code(run, 0)
        expect(run.body == b"there\n", run)
    with Server(a=[whole(302, Location="file:///etc/passwd")]) as server:
        run = Run("-L", server.url("/a"))
        expect(run.code == 1 and run.body == b"" and "nsupported protocol" in run.err, run)
    for redirections, code in ((10, 0), (11, 1)):
        pages = {f"p{i}": [whole(302, Location=f"/p{i + 1}")] for i in range(redirections)}
        with Server(**pages, **{f"p{redirections}": [whole(body=b"there\n")]}) as server:
            run = Run("-L", server.url("/p0"))
            expect_code(run, code)
            expect(run.body == (b"" if code else b"there\n"), run)
    with Server(a=[whole(302, Location="/a")]) as server:
        run = Run("-L", server.url("/a"))
        expect(run.code == 1 and run.body == b"", run)


@test
def a_host_that_is_not_found_is_looked_up_as_often_as_permitted():
    run = Run("--base", "1ms", "http://no-such-host.invalid/")
    expect_code(run, 3)
    expect(run.err.count("cannot resolve host") == 3 and "safe to repeat" in run.err, run)
    run = Run("--quiet", "--attempts", "1", "http://no-such-host.invalid/")
    expect_code(run, 3)
    expect(run.err.count("\n") == 1 and "cannot resolve host 'no-such-host.invalid'" in run.err, run)


@test
def a_refused_connection_is_tried_as_often_as_permitted():
    with refusing_port() as port:
        for attempts in (1, 2, 5):
            run = Run("--base", "1ms", "--attempts", str(attempts), f"http://127.0.0.1:{port}/")
            expect_code(run, 3)
            expect(run.err.count("connection refused") == attempts, run)
            expect("safe to repeat" in run.err, run)


@test
def a_server_that_dies_in_the_middle_of_a_body():
    server = subprocess.Popen([sys.executable, "-c", DOOMED], stdout=subprocess.PIPE, text=True)
    try:
        port = int(server.stdout.readline())
        client = subprocess.Popen([ANEW_GET, "--base", "1ms", "--attempts", "2", f"http://127.0.0.1:{port}/"],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
        expect(server.stdout.readline() == "half\n", "the server sends nothing")
        server.kill()
        server.wait(LIMIT)
        out, err = client.communicate(timeout=LIMIT)
    finally:
        server.kill()
        server.wait(LIMIT)
        server.stdout.close()
    expect(client.returncode == 3, f"{client.returncode} {err}")
    expect(out == b"", "half a body was written")
    expect(re.search(r"(closed|reset) after \d+ of 1000 bytes", err.decode()), err)
    # A connection that the listener had not accepted is reset.
    expect(re.search("connection (refused|reset)", err.decode()), err)


@test
def the_quota_is_shared_by_all_urls_of_a_run():
    with refusing_port() as port:
        url = f"http://127.0.0.1:{port}/"
        run = Run("--json", "--quota", "42", "--base", "1ms", url, url, url, url)
    expect_code(run, 3)  # the first that failed did so after its attempts
    ends = events(run.json(), "end")
    expect([e["attempts"] for e in ends] == [3, 2, 1, 1], ends)
    expect([e["reason"] for e in ends] == ["attempts", "quota", "quota", "quota"], ends)
    expect([e["quota"] for e in ends] == [14, 0, 0, 0], ends)
    with Server(x=[whole(503), whole(503), whole()]) as server:
        run = Run("--json", "--quota", "42", "--base", "1ms", server.url("/x"), server.url("/y"), server.url("/y"))
    expect_code(run, 0)  # what the last retry paid comes back, and a token for each success without one
    expect([e["quota"] for e in events(run.json(), "end")] == [28, 29, 30], run)


@test
def an_empty_quota_has_an_exit_code_of_its_own():
    with Server(x=[whole(503)]) as server:
        run = Run("--quota", "0", server.url("/x"))
        expect_code(run, 5)
        expect(server.count("/x") == 1 and "quota" in run.err, run)
        run = Run("--quota", "unlimited", "--base", "1ms", server.url("/x"))
        expect_code(run, 3)
        expect("no limit" in run.err, run)


@test
def throttling_is_cheaper_than_an_outage():
    with Server(a=[whole(429), whole()], b=[whole(503), whole()]) as server:
        for path, cost in (("/a", 5), ("/b", 14)):
            first = events(Run("--json", "--base", "1ms", server.url(path)).json(), "attempt")[0]
            expect(first["quota"] == 500 - cost, first)


@test
def a_deadline_ends_the_call():
    with Server(x=[silent()]) as server:
        run = Run("--json", "--deadline", "600ms", "--per-attempt", "200ms", "--base", "10ms", server.url("/x"))
        expect_code(run, 4)
        end = events(run.json(), "end")[0]
        expect(end["reason"] == "deadline" and end["elapsed_ms"] >= 200, end)
        attempts = events(run.json(), "attempt")
        expect(all("no answer within" in a["what"] and a["kind"] == "timeout" for a in attempts), attempts)
        expect(attempts[0]["took_ms"] >= 199, attempts)


@test
def a_deadline_alone_limits_an_attempt():
    with Server(x=[silent()]) as server:
        run = Run("--json", "--deadline", "300ms", server.url("/x"))
    expect_code(run, 4)
    expect(events(run.json(), "end")[0]["attempts"] == 1, run)
    # A time that is no whole number of milliseconds is not told to the nanosecond.
    with Server(x=[silent()]) as server:
        run = Run("-q", "--attempts", "1", "--per-attempt", "100.000321ms", server.url("/x"))
    expect(run.code == 3 and "no answer within 100ms" in run.err, run)


@test
def the_ways_to_end_at_a_deadline():
    with Server(x=[whole(503)]) as server:
        waits = ["--json", "--backoff", "constant", "--base", "10s", "--jitter", "none"]
        common = [*waits, server.url("/x")]
        run = Run("--deadline", "1s", *common)
        expect_code(run, 4)
        expect(events(run.json(), "end")[0]["attempts"] == 1 and run.elapsed < 10, run)
        # The attempts that follow the clamped delay find the reserve used up.
        run = Run("--deadline", "1500ms", "--reserve", "500ms", "--at-deadline", "clamp", *common)
        expect_code(run, 4)
        first = events(run.json(), "attempt")[0]
        expect(first["origin"] == "deadline" and first["delay_ms"] <= 1000, first)
        run = Run("--deadline", "1s", "--per-attempt", "10s", "--at-deadline", "last-try", *common)
        expect_code(run, 4)
        attempts = events(run.json(), "attempt")
        expect(len(attempts) == 2 and attempts[0]["origin"] == "deadline", attempts)
        expect(attempts[1]["at_ms"] >= 999 and attempts[1]["status"] == 503, attempts)
    # The last try may take what any attempt may take, although nothing is left of the deadline.
    with Server(x=[whole(503), late(0.3, whole())]) as server:
        run = Run("--deadline", "1s", "--per-attempt", "10s", "--at-deadline", "last-try", *waits, server.url("/x"))
        expect_code(run, 0)


@test
def hints_are_obeyed_clamped_ignored_or_end_the_call():
    with Server(one=[whole(503, Retry_After="1"), whole()], day=[whole(503, Retry_After="86400")],
                nonsense=[whole(503, Retry_After="soon"), whole()]) as server:
        run = Run("--json", "--base", "1ms", server.url("/one"))
        expect_code(run, 0)
        first = events(run.json(), "attempt")[0]
        expect(first["hint_ms"] == 1000 and first["delay_ms"] == 1000 and first["origin"] == "hint", first)
        expect(events(run.json(), "end")[0]["last_hint_ms"] == 1000, run)
        one, two = (r[0] for r in server.requests)
        expect(two - one >= 1, f"only {two - one} s between the requests")

        run = Run("--json", server.url("/day"))
        expect_code(run, 6)
        end = events(run.json(), "end")[0]
        expect(end["reason"] == "hint_too_long" and end["last_hint_ms"] == 86400e3 and end["attempts"] == 1, end)
        run = Run(server.url("/day"))
        expect("86400s" in run.err and "--longest-hint" in run.err, run)

        run = Run("--json", "--hint", "clamp", "--base", "1ms", "--longest-hint", "30ms", "--attempts", "2",
                  server.url("/day"))
        expect_code(run, 3)
        first = events(run.json(), "attempt")[0]
        expect(first["delay_ms"] == 30 and first["origin"] == "cap", first)

        run = Run("--json", "--hint", "ignore", "--base", "1ms", "--attempts", "2", server.url("/day"))
        expect_code(run, 3)
        first = events(run.json(), "attempt")[0]
        expect(first["delay_ms"] <= 1 and first["origin"] == "backoff", first)

        run = Run("--json", "--base", "1ms", server.url("/nonsense"))
        expect_code(run, 0)
        expect(events(run.json(), "attempt")[0]["hint_ms"] is None, run)


@test
def a_seed_repeats_the_jitter():
    def delays(*arguments):
        with Server(x=[whole(503)]) as server:
            run = Run("--json", "--base", "1ms", "--attempts", "5", *arguments, server.url("/x"))
        return [a["delay_ms"] for a in events(run.json(), "attempt")[:-1]]
    for jitter in ("full", "equal", "decorrelated"):
        one, two = (delays("--seed", "1", "--jitter", jitter) for _ in range(2))
        expect(one == two and len(set(one)) == 4, (one, two))
        expect(delays("--seed", "2", "--jitter", jitter) != one, "another seed draws the same")
        expect(delays("--jitter", jitter) != delays("--jitter", jitter), "without a seed twice the same")
    expect(len(set(delays("--seed", "1", "--backoff", "constant"))) == 4, "the same number is drawn again and again")
    expect(delays("--jitter", "none") == [1, 2, 4, 8], "not the backoff itself")
    expect(delays("--jitter", "none", "--factor", "1.5") == [1, 1.5, 2.25, 3.375], "not the backoff itself")
    expect(delays("--jitter", "none", "--cap", "3ms") == [1, 2, 3, 3], "the cap does not hold")
    expect(delays("--backoff", "constant") != [], "no constant backoff")
    expect(delays("--backoff", "none") == [0, 0, 0, 0], "waits without a backoff")


@test
def the_json_says_what_the_text_says():
    with Server(x=[whole(503, Retry_After="1"), cut_off(), whole(500), whole(body=b"12345")]) as server:
        text = Run("--attempts", "5", "--base", "20ms", "--seed", "4", server.url("/x"))
        expect_code(text, 0)
        expect(text.body == b"12345", text)
    with Server(x=[whole(503, Retry_After="1"), cut_off(), whole(500), whole(body=b"12345")]) as server:
        run = Run("--json", "--attempts", "5", "--base", "20ms", "--seed", "4", server.url("/x"))
        expect_code(run, 0)
        expect(run.err == "", run)
        url = server.url("/x")
    lines = run.json()
    expect([line["event"] for line in lines] == ["start"] + ["attempt"] * 4 + ["end", "exit"], lines)
    expect(lines[0] == {"event": "start", "url": url, "method": "GET"}, lines[0])
    rows = [line for line in text.err.splitlines() if re.match(r"\s+\d+\s+\d+\.\d+ s ", line)]
    expect(len(rows) == 4, text.err)
    for number, (row, event) in enumerate(zip(rows, events(lines, "attempt")), 1):
        expect(event["attempt"] == number and event["url"] == url, event)
        expect(event["what"] in row, (row, event))
        expect(event["is_final"] == (number == 4) and event["severity"] == "info", event)
        expect(f"{event['quota']}/{event['quota_capacity']}" in row, (row, event))
        if event["verdict"] == "retry":
            expect(event["kind"] in row and f"({event['origin']})" in row, (row, event))
            expect({"yes": "safe to repeat", "maybe": "may have run"}[event["safety"]] in row, (row, event))
        else:
            expect(event["verdict"] == "success" and "success" in row and event["delay_ms"] is None, (row, event))
    end = lines[-2]
    expect(end["reason"] == "succeeded" and end["attempts"] == 4 and end["bytes"] == 5 and end["status"] == 200, end)
    expect(end["severity"] == "info", end)
    expect(end["words"] in text.err and "4 attempts" in text.err and "last hint 1s" in text.err, (end, text.err))
    expect(lines[-1] == {"event": "exit", "code": 0}, lines[-1])


@test
def quiet_says_nothing_but_what_failed():
    with Server(bad=[whole(404)], flaky=[whole(503), whole()]) as server:
        run = Run("--quiet", "--base", "1ms", server.url("/flaky"))
        expect(run.code == 0 and run.err == "" and run.body == b"hello\n", run)
        run = Run("-q", server.url("/good"), server.url("/bad"))
        expect(run.code == 1 and run.err.count("\n") == 1 and "404" in run.err and server.url("/bad") in run.err, run)


@test
def a_password_is_not_shown():
    with Server() as server:
        url = server.url().replace("//", "//me:secret@")
        for arguments in ([], ["--json"]):
            run = Run(*arguments, url)
            expect_code(run, 0)
            expect("secret" not in run.out + run.err and "me@" in run.out + run.err, run)
    expect(server.requests[0][4]["Authorization"].startswith("Basic "), server.requests)


@test
def files_are_written_whole_or_not_at_all():
    with tempfile.TemporaryDirectory() as directory:
        file = pathlib.Path(directory, "out")
        with Server(x=[cut_off(), whole(body=b"new\n")], bad=[cut_off()]) as server:
            file.write_bytes(b"old\n")
            file.chmod(0o640)
            run = Run("--base", "1ms", "-o", str(file), server.url("/bad"))
            expect_code(run, 3)
            expect(file.read_bytes() == b"old\n" and os.listdir(directory) == ["out"], os.listdir(directory))
            run = Run("--base", "1ms", "-o", "out", server.url("/x"), server.url("/"), cwd=directory)
            expect_code(run, 0)
            expect(run.body == b"" and file.read_bytes() == b"new\nhello\n", file.read_bytes())
            expect(os.listdir(directory) == ["out"], os.listdir(directory))
            expect(file.stat().st_mode & 0o777 == 0o640, "the file's mode has changed")
            run = Run("--json", "-o", str(file), server.url("/"))
            expect(run.code == 0 and file.read_bytes() == b"hello\n" and len(run.json()) == 4, run)
            run = Run("-o", "/dev/null", server.url("/"))
            expect(run.code == 0 and run.body == b"", run)
        if os.path.exists("/dev/full"):
            with Server() as server:
                run = Run("-o", "/dev/full", server.url())
                expect(run.code == 1 and "cannot write '/dev/full'" in run.err, run)


@test
def a_file_that_exists_stays_what_it_is():
    with Server() as server, tempfile.TemporaryDirectory() as directory:
        real, link, hard = (pathlib.Path(directory, name) for name in ("real", "link", "hard"))
        real.write_bytes(b"a longer old content\n")
        real.chmod(0o604)
        link.symlink_to("real")
        os.link(real, hard)
        before = real.stat()
        expect_code(Run("-q", "-o", str(link), server.url()), 0)
        expect(link.is_symlink() and hard.read_bytes() == real.read_bytes() == b"hello\n", real.read_bytes())
        after = real.stat()
        expect_equal((after.st_ino, after.st_mode, after.st_uid, after.st_nlink),
                     (before.st_ino, before.st_mode, before.st_uid, 2), "the file")
        link.unlink()
        link.symlink_to("new")
        expect_code(Run("-q", "-o", str(link), server.url()), 0)
        expect_equal((link.is_symlink(), pathlib.Path(directory, "new").read_bytes()), (True, b"hello\n"), "a link")
        long = pathlib.Path(directory, "x" * 250)
        mask = os.umask(0o027)
        try:
            expect_code(Run("-q", "-o", str(long), server.url()), 0)
        finally:
            os.umask(mask)
        expect_equal(long.stat().st_mode & 0o7777, 0o640, "the mode of a new file")


def root_makes_no_program_of_its_own_from_one_of_another_user():
    with Server() as server, tempfile.TemporaryDirectory() as directory:
        program = pathlib.Path(directory, "program")
        program.write_bytes(b"old\n")
        os.chown(program, 65534, 65534)
        program.chmod(0o4755)
        expect_code(Run("-q", "-o", str(program), server.url()), 0)
        now = program.stat()
        expect_equal((now.st_uid, now.st_gid, program.read_bytes()), (65534, 65534, b"hello\n"), oct(now.st_mode))


if os.geteuid() == 0:  # for others there is no such case
    test(root_makes_no_program_of_its_own_from_one_of_another_user)


@test
def a_file_is_written_only_when_everything_was_fetched():
    with Server(x=[whole(404)]) as server, tempfile.TemporaryDirectory() as directory:
        file = pathlib.Path(directory, "out")
        for old in (None, b"old\n"):
            if old:
                file.write_bytes(old)
            for urls in (["/", "/x"], ["/x", "/"]):
                run = Run("-o", str(file), *(server.url(url) for url in urls))
                expect_code(run, 1)
                expect(f"1 of 2 URLs fetched: '{file}' stays as it was\n" in run.err, run)
                expect_equal(os.listdir(directory), ["out"] if old else [], run)
                expect(not old or file.read_bytes() == old, "the file")


@test
def a_file_stays_when_there_is_no_room():
    with Server(x=[whole(body=b"x" * 100_000)]) as server, tempfile.TemporaryDirectory() as directory:
        file = pathlib.Path(directory, "out")
        file.write_bytes(b"old\n")
        env = environment(LLVM_PROFILE_FILE="/dev/null")  # where coverage is counted, its file is too large as well
        run = subprocess.run(["sh", "-c", 'ulimit -f 8 && exec "$@"', "sh", ANEW_GET, "-q", "-o", str(file),
                              server.url("/x")], capture_output=True, timeout=LIMIT, env=env, check=False)
        expect_equal((run.returncode, run.stderr.decode()),
                     (1, f"anew-get: cannot write '{file}': File too large\n"), "the end")
        expect_equal((os.listdir(directory), file.read_bytes()), (["out"], b"old\n"), "the file")


@test
def no_signal_leaves_a_file():
    with Server(x=[silent()]) as server, tempfile.TemporaryDirectory() as directory:
        file = pathlib.Path(directory, "out")
        cases = [(None, [which]) for which in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT,
                                               signal.SIGKILL)]
        cases += [(b"old\n", [signal.SIGINT, signal.SIGINT]), (b"old\n", [signal.SIGHUP])]
        for old, signals in cases:
            if old:
                file.write_bytes(old)
            before = server.count("/x")
            client = subprocess.Popen([ANEW_GET, "-q", "-o", str(file), server.url(), server.url("/x")],
                                      env=environment(TMPDIR=directory))
            server.wait_for(2 * before + 2)
            for which in signals:
                client.send_signal(which)
            code = client.wait(LIMIT)
            expect_equal(code, -9 if signals[0] == signal.SIGKILL else 128 + signals[0], signals)
            expect_equal(os.listdir(directory), ["out"] if old else [], signals)
            expect(not old or file.read_bytes() == old, "the file")


def shell(redirection, *arguments):
    """Exit code and standard error of a run whose descriptors the shell redirects."""
    run = subprocess.run(["sh", "-c", f'exec "$@" {redirection}', "sh", ANEW_GET, *arguments], stderr=subprocess.PIPE,
                         stdout=subprocess.PIPE, timeout=LIMIT, env=environment(), check=False)
    return run.returncode, run.stderr.decode()


@test
def what_cannot_be_written_is_a_failure():
    closed = "cannot write to standard output"
    with Server(x=[whole(404)]) as server:
        for arguments in (["--describe"], ["--help"], ["--version"], ["--json", server.url()], [server.url()],
                          ["--json", server.url("/x")], ["--demo", "5", "--json"], ["--for", "50ms", server.url()]):
            redirections = [">&-"] + ([">/dev/full"] if os.path.exists("/dev/full") else [])
            for redirection in redirections:
                code, err = shell(redirection, *arguments)
                expect(code == 1 and err.count(closed) == 1, f"{redirection} {arguments}: {code} {err}")
        # What is not written cannot fail; a closed standard error is a wish for silence.
        expect_equal(shell(">&- <&-", "--quiet", "-o", "/dev/null", server.url()), (0, ""), "nothing is written")
        expect_equal(shell("2>&- <&-", server.url())[0], 0, "no standard error")
        if os.path.exists("/dev/full"):
            expect_equal(shell("2>/dev/full", server.url())[0], 1, "the timeline is lost")
        before = server.count("/gone")
        code, _ = shell(">/dev/full", "--json", server.url("/gone"), server.url("/gone"))
        expect(code == 1 and server.count("/gone") == before + 1, "it goes on although nobody hears of it")


@test
def no_file_takes_the_number_of_a_standard_descriptor():
    with Server() as server, tempfile.TemporaryDirectory() as directory:
        file = pathlib.Path(directory, "out")
        for redirection in ("2>&-", ">&-", ">&- 2>&- <&-"):
            code, _ = shell(redirection, "-o", str(file), server.url())
            expect(code == 0 and file.read_bytes() == b"hello\n", f"{redirection}: {code} {file.read_bytes()}")


@test
def a_reader_that_is_gone_is_not_worked_for():
    with Server(x=[whole(503)]) as server:
        for arguments in (["--for", "1h", server.url()], ["--for", "1h", "--json", server.url()],
                          ["--json", "--unbounded", *WAITS, server.url("/x")]):
            client = subprocess.Popen([ANEW_GET, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                      env=environment())
            client.stdout.readline()
            client.stdout.close()
            try:
                expect_equal(client.wait(LIMIT), 1, arguments)
            finally:
                client.kill()
            expect_equal(client.stderr.read(), b"anew-get: cannot write to standard output\n", arguments)
            client.stderr.close()


HOSTILE = "\x1b]0;owned\x07 \x7f\x0e \u009b31m \u202e \u2066 \u200f".encode() + b" \x9b31m \x8d \xff"


def from_terminal(*arguments, **streams):
    """What a terminal gets that is the standard output or the standard error."""
    master, slave = pty.openpty()
    attributes = termios.tcgetattr(slave)
    attributes[1] &= ~termios.OPOST
    termios.tcsetattr(slave, termios.TCSANOW, attributes)
    command = [ANEW_GET, *arguments]
    settings = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **{name: slave for name in streams}}
    client = subprocess.Popen(command, stdin=subprocess.DEVNULL, env=environment(NO_COLOR="1"), **settings)
    os.close(slave)
    text = b""
    try:
        while piece := os.read(master, 4096):
            text += piece
    except OSError:
        pass  # the other end is closed
    client.wait(LIMIT)
    os.close(master)
    return text


@test
def nothing_of_a_server_steers_the_terminal():
    def raw(head, body=b""):
        def step(handler):
            handler.wfile.write(b"HTTP/1.1 " + head + b"\r\n\r\n" + body)
            handler.close_connection = True
        return step
    body = b"tab\tline\r\n" + HOSTILE + "gr\u00fc\u00df".encode()
    with Server(body=[whole(body=body)], status=[raw(b"404 " + HOSTILE)],
                head=[raw(b"404 x\r\nLocation: " + HOSTILE + b"\r\n" + HOSTILE + b": " + HOSTILE)],
                moved=[raw(b"302 x\r\nLocation: http://" + HOSTILE)], kind=[raw(b"302 x\r\nLocation: x\x1b://h/")],
                chunk=[raw(b"200 OK\r\nTransfer-Encoding: chunked", HOSTILE)],
                coding=[raw(b"200 OK\r\nTransfer-Encoding: " + HOSTILE)],
                length=[raw(b"200 OK\r\nContent-Length: " + HOSTILE)]) as server:
        expect_equal(Run("-q", server.url("/body")).body, body, "what is no terminal gets the bytes")
        shown = from_terminal("-q", server.url("/body"), stdout=True)
        expect(shown.startswith(b"tab\tline\r\n\xef\xbf\xbd]0;owned"), shown)
        expect("gr\u00fc\u00df" in shown.decode(), shown)
        shown = shown.replace(b"\r\n", b"\n").replace(b"\t", b"")
        for path in "status", "head", "moved", "kind", "chunk", "coding", "length":
            shown += from_terminal("-L", "--attempts", "1", server.url("/" + path), stderr=True)
        # What the user typed himself.
        shown += from_terminal("--attempts", "1", "http://127.0.0.1:1/\u009b31m\u202e", stderr=True)
        shown += from_terminal("--strategy", "\u009b31m\x1b[1m\u202e", server.url(), stderr=True)
    shown = shown.decode()  # every byte is UTF-8
    raw_ones = {c for c in shown if (c < " " and c != "\n") or "\x7f" <= c <= "\x9f" or c in "\u202e\u2066\u200f"}
    expect(not raw_ones, f"{raw_ones}: {shown}")


# ---------------------------------------------------------------------------------------------------------------------
# Downloads

@test
def a_download_goes_on_where_it_was_reset():
    code, equal, resident, times, resets, _, errors = resume.measured(ANEW_GET, 64_000_000, 2_000_000)
    expect(code == 0 and equal and resets >= 20, f"{code}, {equal}, {resets} resets: {errors}")
    # Sanitizers keep what was freed.
    expect(SANITIZED or resident <= 32 * 1024, f"{resident} kB resident")
    expect(times <= 1.1, f"each byte was sent {times} times")


@test
def a_body_takes_no_memory():
    with RangeServer(100_000_000, lambda n: None) as server:
        code, resident, errors = resume.run_measured([ANEW_GET, "-q", server.url()])
        expect_equal(code, 0, errors)
        expect(SANITIZED or resident <= 32 * 1024, f"{resident} kB resident")


@test
def no_hostile_answer_replaces_a_file_by_a_half():
    answers = {"/" + case.name: case.answers for case in CASES}
    server = None

    def reply(path, _):
        steps = answers[path]
        return steps[min(server.count(path), len(steps)) - 1]
    with tempfile.TemporaryDirectory() as directory, DyingServer(reply) as server:
        for case in CASES:
            pathlib.Path(directory, case.name).write_bytes(b"old")
        urls = "".join(server.url("/" + case.name) + "\n" for case in CASES)
        run = subprocess.run([ANEW_GET, "--json", "-O", "-i", "-", "--parallel", "16", "--base", "1ms", "--stall", "1s",
                              "--quota", "unlimited", "--max-size", str(MOST)], input=urls.encode(), timeout=LIMIT,
                             capture_output=True, env=environment(), cwd=directory, check=False)
        lines = [json.loads(line) for line in run.stdout.decode().splitlines()]
        ends = {line["url"].rpartition("/")[2]: line for line in events(lines, "end")}
        expect_equal(run.stderr, b"", "standard error")
        wrong = []
        for case in CASES:
            content = pathlib.Path(directory, case.name).read_bytes()
            if ends[case.name]["code"] != case.code:
                wrong.append(f"{case.name}: exit code {ends[case.name]['code']}, not {case.code}: {ends[case.name]}")
            if content != (b"old" if case.content is None else case.content):
                wrong.append(f"{case.name}: the file is {content[:50]}")
        expect(not wrong, "\n".join(wrong))
        expect_equal(run.returncode, next(case.code for case in CASES if case.code), "the first that failed")
        expect_equal(sorted(os.listdir(directory)), sorted(case.name for case in CASES), "the files")


def with_etag(body, sent, **more):
    return cut_off(sent=body[:sent], announced=len(body), reset=True, ETag='"v1"', **more)


def rest_of(body):
    """The rest, for who asks for it by the right validator."""
    def step(handler):
        first = int(handler.headers.get("Range", "bytes=0-")[6:-1])
        if first and handler.headers.get("If-Range") == '"v1"':
            whole(206, body[first:], ETag='"v1"', Content_Range=f"bytes {first}-{len(body) - 1}/{len(body)}")(handler)
        else:
            whole(body=body, ETag='"v1"')(handler)
    return step


@test
def a_later_run_continues():
    body = bytes(range(256)) * 400
    with tempfile.TemporaryDirectory() as directory:
        once = ["-q", "--attempts", "1", "-c"]
        for arguments, name in ((["-o", "out"], "out"), (["-O"], "x")):
            file = pathlib.Path(directory, name)
            for old in (None, b"old"):
                if old:
                    file.write_bytes(old)
                with Server(x=[with_etag(body, 60_000), rest_of(body)]) as server:
                    expect_code(Run(*once, *arguments, server.url("/x"), cwd=directory), 3)
                    left = [name] * bool(old) + [name + ".part", name + ".part.json"]
                    expect_equal(sorted(os.listdir(directory)), left, name)
                    held = file.with_name(name + ".part").stat().st_size
                    expect(not old or file.read_bytes() == old, "the file is replaced by a half")
                    note = file.with_name(name + ".part.json").read_text()
                    run = Run(*once, "--json", *arguments, server.url("/x"), cwd=directory)
                    expect_code(run, 0)
                    expect_equal(events(run.json(), "attempt")[0]["resumed_at"], held, note)
                expect_equal((os.listdir(directory), file.read_bytes()), ([name], body), "the file")
                file.unlink()


@test
def a_part_is_used_only_for_what_it_is_the_beginning_of():
    body = b"0123456789" * 100

    def changed(directory):
        part, note = pathlib.Path(directory, "out.part"), pathlib.Path(directory, "out.part.json")
        known = json.loads(note.read_text())
        yield "half a note", lambda: note.write_text(note.read_text()[:-9])
        yield "no URL", lambda: note.write_text(json.dumps({**known, "url_sha256": 1}))
        yield "two lines", lambda: note.write_text(json.dumps({**known, "validator": '"v1"\r\nX: y'}))
        yield "no object", lambda: note.write_text("[" * 100_000)
        yield "numbers", lambda: note.write_text(json.dumps({**known, "validator": 1}))
        yield "more than all", lambda: part.write_bytes(body + b"x")
        yield "another version", lambda: note.write_text(json.dumps({**known, "validator": '"v0"'}))
        yield "nothing", lambda: part.write_bytes(b"")
    number = 0
    while True:
        with tempfile.TemporaryDirectory() as directory, Server(x=[with_etag(body, 500), rest_of(body)]) as server:
            once = ["-q", "--attempts", "1", "-c", "-o", "out", server.url("/x")]
            expect_code(Run(*once, cwd=directory), 3)
            cases = list(changed(directory))
            if number == len(cases):
                break
            name, change = cases[number]
            number += 1
            change()
            run = Run("--json", *once[1:], cwd=directory)
            expect_code(run, 0)
            expect_equal(events(run.json(), "attempt")[0]["resumed_at"], 0, name)
            expect_equal((os.listdir(directory), pathlib.Path(directory, "out").read_bytes()), (["out"], body), name)


@test
def a_part_that_is_whole_is_finished():
    body = b"0123456789" * 100
    with tempfile.TemporaryDirectory() as directory, Server(x=[with_etag(body, 500), rest_of(body)]) as server:
        once = ["--json", "--attempts", "1", "-c", "-o", "out", server.url("/x")]
        expect_code(Run(*once, cwd=directory), 3)
        pathlib.Path(directory, "out.part").write_bytes(body)
        run = Run(*once, cwd=directory)
        expect_code(run, 0)
        expect_equal((events(run.json(), "attempt")[0]["resumed_at"], pathlib.Path(directory, "out").read_bytes()),
                     (len(body) - 1, body), run)


@test
def a_part_of_another_kind_or_process_is_refused():
    with tempfile.TemporaryDirectory() as directory, Server(x=[silent()], y=[with_etag(b"0123456789", 5)]) as server:
        victim, part = pathlib.Path(directory, "victim"), pathlib.Path(directory, "out.part")
        victim.write_bytes(b"mine")
        once = ["-q", "-c", "-o", "out"]
        for make, why in ((lambda: part.symlink_to(victim), "is a link"),
                          (lambda: part.hardlink_to(victim), "is a link"),
                          (lambda: os.mkfifo(part), "is not a regular file"),
                          (lambda: part.write_bytes(b"mine"), "is not of anew-get, which notes in 'out.part.json'")):
            make()
            run = Run(*once, server.url("/"), cwd=directory)
            expect(run.code == 2 and f"anew-get: --continue 'out.part': {why}" in run.err, run)
            expect(victim.read_bytes() == b"mine", "another file is written")
            expect(not part.is_file() or part.read_bytes() == b"mine", "another file is written")
            part.unlink()
        # The query is no part of the name, and names another body.
        expect_code(Run("-q", "-c", "-O", "--attempts", "1", server.url("/y"), cwd=directory), 3)
        run = Run("-q", "-c", "-O", server.url("/y?x=1"), cwd=directory)
        expect(run.code == 1 and "cannot continue 'y.part': is the beginning of another URL" in run.err, run)
        for name, content in (("y.part", b"01234"), ("y.part.json", None)):
            left = pathlib.Path(directory, name)
            expect(content is None or left.read_bytes() == content, "a part is lost")
            left.unlink()
        client = subprocess.Popen([ANEW_GET, *once, server.url("/x")], cwd=directory, env=environment())
        try:
            server.wait_for(2)
            run = Run(*once, server.url("/"), cwd=directory)
            expect(run.code == 2 and "'out.part': is in use by another process" in run.err, run)
        finally:
            client.terminate()
            expect_equal(client.wait(LIMIT), 143, "the exit code")
        expect_equal(os.listdir(directory), ["victim"], "nothing was received, and nothing is left")


@test
def a_kill_leaves_what_a_later_run_continues():
    body = bytes(range(256)) * 4000

    def half(handler):
        handler.send_response(200)
        if handler.path == "/x":
            handler.send_header("ETag", '"v1"')
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body[:500_000])
        handler.wfile.flush()
        silent()(handler)
    for path, held in (("/x", 500_000), ("/without_etag", 0)):
        scripts = {path[1:]: [half, rest_of(body)]}
        with tempfile.TemporaryDirectory() as directory, Server(**scripts) as server:
            part = pathlib.Path(directory, "out.part")
            client = subprocess.Popen([ANEW_GET, "-q", "-c", "-o", "out", server.url(path)], cwd=directory,
                                      env=environment())
            end = time.monotonic() + LIMIT
            while not part.exists() or part.stat().st_size < 500_000:
                expect(time.monotonic() < end, "nothing is received")
            client.kill()
            client.wait(LIMIT)
            run = Run("-c", "-o", "out", server.url(path), cwd=directory)
            expect_code(run, 0)
            expect(("resumed at 500.0 kB  (1 attempt" in run.err) == (held != 0), run)
            expect_equal((os.listdir(directory), pathlib.Path(directory, "out").read_bytes()), (["out"], body), path)


@test
def a_request_of_parts_gets_them():
    with Server(x=[whole(206, b"llo", Content_Range="bytes 2-4/5")]) as server:
        run = Run("-q", "-H", "Range: bytes=2-4", server.url("/x"))
        expect(run.code == 0 and run.body == b"llo", run)
        run = Run("--attempts", "1", server.url("/x"))
        expect(run.code == 3 and run.body == b"" and "206 without a range" in run.err, run)


@test
def a_checksum_is_looked_at():
    good, bad = hashlib.sha256(b"hello\n").hexdigest(), "0" * 64
    with tempfile.TemporaryDirectory() as directory, Server(x=[whole(body=b"spoilt"), whole()]) as server:
        file = pathlib.Path(directory, "out")
        file.write_bytes(b"old")
        run = Run("--base", "1ms", "--sha256", bad, "-o", str(file), server.url())
        expect(run.code == 3 and run.err.count("sha256 is another") == 3 and file.read_bytes() == b"old", run)
        run = Run("--base", "1ms", "--sha256", good.upper(), "-o", str(file), server.url("/x"))
        expect(run.code == 0 and server.count("/x") == 2 and file.read_bytes() == b"hello\n", run)
        for arguments, code in ((["--json", "--sha256", bad], 3), (["--json", "--sha256", good], 0),
                                (["--sha256", good, "--sha256", bad, server.url()], 3),
                                (["--sha256", good, "--sha256", good, server.url()], 0)):
            run = Run("--base", "1ms", *arguments, server.url())
            expect_code(run, code)
        listed = pathlib.Path(directory, "list")
        for sums, code in (((good, good), 0), ((good, bad), 3), ((None, good), 0)):
            listed.write_text("# two\n\n" + "".join(f"{server.url()} {'sha256=' + s if s else ''}\r\n" for s in sums))
            run = Run("-q", "--base", "1ms", "-i", str(listed), server.url())
            expect_code(run, code)
            expect(code or run.body == b"hello\n" * 3, run)


@test
def lists_and_names_are_checked_before_anything_is_fetched():
    with Server() as server, tempfile.TemporaryDirectory() as directory:
        listed = pathlib.Path(directory, "list")
        one = server.url("/x")
        for text, word in (("", "has no URL"), ("# none\n", "has no URL"), ("ftp://h/", "bad URL 'ftp://h/'"),
                           (f"{one}\n{one} sha256=1\n", f"{listed}:2: sha256 '1'"),
                           (f"{one} md5=1", f"{listed}:1 'md5=1'")):
            listed.write_text(text)
            run = Run("-i", str(listed))
            expect(run.code == 2 and word in run.err and run.err.count("\n") == 1, run)
        for arguments, word in ((["-O", server.url("/")], "no file name"),
                                (["-O", server.url("/a/..")], "no file name"),
                                (["-O", one, one + "?y"], "second one"),
                                (["-O", "-o", "x", one], "exclude"),
                                (["-O", server.url("/" + "x" * 300)], "too long"),
                                (["-c", one], "--continue needs a file"),
                                (["-c", "-o", "x", one, one], "--continue needs a file"),
                                (["-c", "-O", "-d", "x", one], "plain GET"),
                                (["-c", "-O", "-H", "range: bytes=1-", one], "plain GET"),
                                (["-i", "/no/such"], "No such file"),
                                (["--key", str(listed), one], "--key needs --cert"),
                                (["--cacert", "/no", one], "--cacert '/no'"),
                                (["--parallel", "101", one], "--parallel '101'"),
                                (["--for", "1s", "-O", one], "--for and --remote-name"),
                                (["--proxy", "ftp://h/", one], "--proxy"),
                                (["--stall", "1500ms", one], "whole seconds"),
                                (["--user", "me:secret", one], "--netrc"),
                                (["-u", "me", one], "no terminal"),
                                (["--sha256", "0" * 64, "--sha256", "1" * 64, one], "--sha256 '1"),
                                (["--sha256", "0" * 64, one, one], "for each URL")):
            run = Run(*arguments, cwd=directory)
            expect(run.code == 2 and word in run.err and run.err.count("\n") == 1, f"{arguments}: {run}")
            expect("secret" not in run.err, run)
        expect(not server.requests and os.listdir(directory) == ["list"], "something was fetched")


@test
def several_are_fetched_at_once_and_written_in_order():
    # Each answer waits until all requests are there.
    together = threading.Barrier(4)

    def answer(handler):
        together.wait(LIMIT)
        whole(body=handler.path.encode())(handler)
    names = [f"p{i}" for i in range(8)]
    with Server(**{name: [answer] for name in names}) as server, tempfile.TemporaryDirectory() as directory:
        urls = [server.url("/" + name) for name in names]
        run = Run("--parallel", "4", *urls)
        expect(run.code == 0 and run.out == "".join("/" + name for name in names), run)
        expect(run.err.count("✔ fetched") == 8 and "8 of 8 URLs fetched" in run.err, run)
        run = Run("--parallel", "4", "--json", "-O", *urls, cwd=directory)
        expect(run.code == 0 and len(events(run.json(), "end")) == 8, run)
        expect_equal({file.name: file.read_text() for file in pathlib.Path(directory).iterdir()},
                     {name: "/" + name for name in names}, "the files")


@test
def urls_at_once_share_the_quota():
    with refusing_port() as port:
        run = Run("--json", "--quota", "42", "--base", "1ms", "--parallel", "4", *[f"http://127.0.0.1:{port}/"] * 8)
    expect_equal(sum(e["attempts"] for e in events(run.json(), "end")), 8 + 42 // PRICE, "attempts")


@test
def one_of_several_that_fails_leaves_the_others():
    with Server(bad=[whole(404)]) as server, tempfile.TemporaryDirectory() as directory:
        pathlib.Path(directory, "bad").write_bytes(b"old")
        run = Run("-q", "-O", server.url("/good"), server.url("/bad"), server.url("/fine"), cwd=directory)
        expect_code(run, 1)
        expect_equal({file.name: file.read_bytes() for file in pathlib.Path(directory).iterdir()},
                     {"good": b"hello\n", "bad": b"old", "fine": b"hello\n"}, "the files")


@test
def a_silent_server_stalls():
    with Server(x=[silent()], y=[cut_off(sent=b"half")]) as server:
        run = Run("--json", "--stall", "1s", "--attempts", "2", "--base", "1ms", server.url("/x"))
        expect_code(run, 3)
        attempts = events(run.json(), "attempt")
        expect(all(a["what"] == "stalled for 1s" and a["kind"] == "timeout" for a in attempts), attempts)
    with socket.socket() as full:  # its backlog is full: connections wait
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        fillers = [socket.socket() for _ in range(4)]
        for filler in fillers:
            filler.setblocking(False)
            filler.connect_ex(full.getsockname())
        url = f"http://127.0.0.1:{full.getsockname()[1]}/"
        run = Run("--json", "--connect-timeout", "100ms", "--attempts", "1", url)
        expect_code(run, 3)
        expect_equal(events(run.json(), "attempt")[0]["what"], "no connection within 100ms", run)
        for filler in fillers:
            filler.close()


@test
def netrc_and_a_terminal_say_the_password():
    with Server() as server, tempfile.TemporaryDirectory() as directory:
        netrc = pathlib.Path(directory, ".netrc")
        netrc.write_text("machine 127.0.0.1 login me password secret\n")
        for arguments in (["--netrc-file", str(netrc)], ["--netrc-file", str(netrc), "-u", "me"]):
            run = Run(*arguments, server.url())
            expect(run.code == 0 and "secret" not in run.err, run)
            expect_equal(server.requests[-1][4]["Authorization"], "Basic bWU6c2VjcmV0", arguments)
        env = environment(HOME=directory)
        run = subprocess.run([ANEW_GET, "--netrc", server.url()], capture_output=True, timeout=LIMIT, env=env,
                             check=False)
        expect(run.returncode == 0 and server.requests[-1][4]["Authorization"].startswith("Basic"), run)
        # In a session of its own, whose terminal is the pseudo-terminal.
        for typed, code in ((b"secreX\x7ft\n", 0), (b"wrong\x15secret\r", 0), (b"sec\x03", 2), (b"\x04", 2)):
            pid, master = pty.fork()
            if pid == 0:
                os.execve(ANEW_GET, [ANEW_GET, "-q", "-u", "me", server.url()], environment())
            shown = b""
            while b"Password of me: " not in shown:
                shown += os.read(master, 1000)
            while termios.tcgetattr(master)[3] & termios.ECHO:
                pass  # until it listens: what is typed before is thrown away
            os.write(master, typed)
            with contextlib.suppress(OSError):
                while piece := os.read(master, 1000):
                    shown += piece
            _, status = os.waitpid(pid, 0)
            os.close(master)
            expect_equal(os.waitstatus_to_exitcode(status), code, shown)
            expect(b"sec" not in shown, shown)
            expect(code or server.requests[-1][4]["Authorization"] == "Basic bWU6c2VjcmV0", server.requests[-1])


@test
def a_proxy_is_asked():
    with Server() as proxy:
        url = proxy.url().replace("//", "//me:secret@")
        run = Run("--proxy", url, "http://no-such-host.invalid/x")
        expect(run.code == 0 and proxy.requests[0][2] == "http://no-such-host.invalid/x", run)
        expect("secret" not in run.err and "Proxy-Authorization" in proxy.requests[0][4], run)


def authority(directory):
    """A private authority, and certificates of a server and a client. The files' paths by name."""
    def openssl(*arguments):
        subprocess.run(["openssl", *arguments], cwd=directory, check=True, capture_output=True, timeout=LIMIT)
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
    openssl("req", "-x509", *key, "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=ca")
    for name in ("server", "client"):
        openssl("req", "-x509", *key, "-keyout", f"{name}.key", "-out", f"{name}.pem", "-subj", f"/CN={name}", "-CA",
                "ca.pem", "-CAkey", "ca.key", "-addext", "subjectAltName=IP:127.0.0.1", "-addext",
                "basicConstraints=CA:FALSE")
    names = ("ca.pem", "server.pem", "server.key", "client.pem", "client.key")
    return {name: str(pathlib.Path(directory, name)) for name in names}


@test
def a_private_authority_and_a_client_certificate():
    with tempfile.TemporaryDirectory() as directory, Server() as server:
        files = authority(directory)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(files["server.pem"], files["server.key"])
        context.load_verify_locations(files["ca.pem"])
        context.verify_mode = ssl.CERT_REQUIRED
        server.server.socket = context.wrap_socket(server.server.socket, server_side=True)
        url = server.url().replace("http:", "https:")
        run = Run(url)
        expect(run.code == 7 and "certificate is refused" in run.err, run)
        client = ["--cert", files["client.pem"], "--key", files["client.key"]]
        run = Run("-q", "--cacert", files["ca.pem"], *client, url)
        expect(run.code == 0 and run.out == "hello\n", run)
        run = Run("-q", "--cacert", files["ca.pem"], "--attempts", "1", url)
        expect(run.code != 0 and run.out == "", run)
        expect_equal(server.count("/"), 1, "requests without a certificate")


@test
def progress_is_a_bar_on_a_terminal_and_lines_elsewhere():
    size = 3_000_000
    with RangeServer(size, lambda n: None) as server:
        run = Run("--progress", "1ns", "-o", "/dev/null", server.url())
        lines = [line for line in run.err.splitlines() if re.fullmatch(
            r"  \d+(\.\d)? \w+ of 3\.0 MB \(\d+ %\)(, \d+(\.\d)? \w+/s, (\d+ s|\d+ min|\d+ h) left)?", line)]
        expect(run.code == 0 and len(lines) > 2, run)
        for arguments in ((), ("--quiet",), ("--json",)):
            run = Run(*arguments, "-o", "/dev/null", server.url())
            expect("left" not in run.err and "%" not in run.err, run)
        shown = from_terminal("-o", "/dev/null", server.url(), stderr=True).decode()
        expect(re.search(r"\r\d+ % +[█░]+ +\d+(\.\d)? \w+ of 3\.0 MB", shown), shown)
        # The bar is wiped away before a row is written.
        expect(re.search(r"\r +\r +1 +\S+ s  200 OK", shown), shown)
        expect("\r" not in from_terminal("-q", "-o", "/dev/null", server.url(), stderr=True).decode(), "quiet")


@test
def the_help_fits_a_screen_and_has_topics():
    run = Run("--help")
    expect(run.code == 0 and run.out.count("\n") <= 24 and max(map(len, run.out.splitlines())) <= 80, run)
    everything = Run("--help", "all").out
    expect_equal([line for line in everything.splitlines() if len(line) > 100], [], "lines of --help all")
    for option in re.findall(r"--[a-z0-9-]+", run.out):
        expect(option == "--help" or option in everything, option)
    topics = re.findall(r"^  ([a-z-]+)  ", run.out, re.M) + ["quota", "retries", "exit-codes"]
    for topic in topics:
        section = Run("-h", topic)
        expect(section.code == 0 and section.out in everything and len(section.out) > 50, section)
    run = Run("--help", "me")
    expect(run.code == 2 and "--help 'me'" in run.err and run.err.count("\n") == 1, run)
    known = set(re.findall(r"--[a-z0-9-]+", Run("--help").out)) - {"--help"}
    expect_equal({o for o in valued_options(everything) if o != "--help"} - known, set(), "options without a topic")


@test
def every_exit_code_is_as_documented():
    def no_http(handler):
        handler.wfile.write(b"this is not HTTP\r\n\r\n")
        handler.close_connection = True

    with Server(gone=[whole(404)], busy=[whole(503)], day=[whole(503, Retry_After="86400")], limited=[whole(429)],
                odd=[no_http]) as server:
        runs = {0: ["/ok"], 1: ["/gone"], 2: ["--attempts", "0", "/ok"], 3: ["--base", "1ms", "/busy"],
                4: ["--deadline", "20ms", "--backoff", "constant", "--base", "1s", "--jitter", "none", "/busy"],
                5: ["--quota", "0", "/busy"], 6: ["/day"], 7: ["/odd"],
                8: ["--strategy", "cool_down(constant(1h),refuse) constant(1ms)", "/busy"],
                9: ["--strategy", "client_rate_limiter(fail_fast) constant(1ms) unlimited_quota max_attempts(50)",
                    "/limited"]}
        for code, (*options, path) in runs.items():
            expect_code(Run(*options, server.url(path)), code)
    signals = [signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM]
    with Server(silent=[silent()]) as server:
        for number, which in enumerate(signals, 1):
            client = subprocess.Popen([ANEW_GET, "-q", server.url("/silent")], stderr=subprocess.DEVNULL,
                                      env=environment())
            server.wait_for(number)
            client.send_signal(which)
            expect(client.wait(LIMIT) == 128 + which, f"{which}: {client.returncode}")
    expect_equal(documented_codes("anew_get.md"), set(runs) | {128 + which for which in signals}, "the page")
    told = {int(code) for code in re.findall(r"^ +(\d+)  ", Run("--help", "exit-codes").out, re.M)}
    expect_equal(told, set(runs) | {130}, "--help exit-codes")


# ---------------------------------------------------------------------------------------------------------------------
# Interruptions


class Interrupted:
    """Starts the program, sends it a signal when `ready` returns, and measures how long it lives on."""

    def __init__(self, arguments, ready, which=signal.SIGINT):
        client = subprocess.Popen([ANEW_GET, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, env=environment())
        watchdog = threading.Timer(LIMIT, client.kill)
        watchdog.start()
        try:
            ready(client)
            begin = time.monotonic()
            client.send_signal(which)
            out, err = client.communicate(timeout=LIMIT)
            self.latency = time.monotonic() - begin
        finally:
            watchdog.cancel()
            client.kill()
            client.wait(LIMIT)
        self.code, self.out, self.err = client.returncode, out.decode(), err.decode()

    def expect(self, code, where):
        print(f"     ended {self.latency * 1000:.1f} ms after a signal {where}", flush=True)
        expect(self.code == code, f"exit code {self.code}: {self.err}")
        expect(self.latency < 1, f"{self.latency} s")
        expect("interrupted" in self.err, self.err)
        expect(self.out == "", "something was written")


def first_row_is_shown(client):
    """The row of an attempt is shown just before its wait begins."""
    while True:
        line = client.stderr.readline().decode()
        expect(line, "no row")
        if "backoff" in line or "hint" in line:
            return


WAITS = ["--backoff", "constant", "--base", "1h", "--cap", "2h", "--jitter", "none"]


@test
def sigint_ends_a_wait():
    with Server(x=[whole(503)]) as server:
        for which, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGQUIT, 131)):
            Interrupted([*WAITS, server.url("/x")], first_row_is_shown, which).expect(code, "in a wait")
        expect(server.count("/x") == 4, "another attempt was made")


@test
def sigint_ends_a_wait_that_the_server_asked_for():
    with Server(x=[whole(503, Retry_After="3600")]) as server:
        Interrupted(["--longest-hint", "2h", server.url("/x")], first_row_is_shown).expect(130, "in a hint's wait")


@test
def sigint_ends_a_silent_transfer():
    with Server(x=[silent()]) as server:
        def silent_for_a_while(_):
            server.wait_for(1)
            time.sleep(0.5)  # for the first 200 ms libcurl's timers wake it anyway
        run = Interrupted([server.url("/x")], silent_for_a_while)
        run.expect(130, "in a transfer without an answer")
        expect(server.count("/x") == 1, "another attempt was made")


@test
def sigint_ends_a_transfer_in_the_middle_of_a_body():
    def half(handler):
        handler.send_response(200)
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        handler.wfile.write(b"x" * 500)
        handler.wfile.flush()
        silent()(handler)
    with tempfile.TemporaryDirectory() as directory, Server(x=[half]) as server:
        file = pathlib.Path(directory, "out")
        run = Interrupted(["-o", str(file), server.url("/x")], lambda _: server.wait_for(1))
        run.expect(130, "in half a body")
        expect(os.listdir(directory) == [], os.listdir(directory))


@test
def sigint_ends_a_connection_attempt():
    # A full backlog: the kernel lets further connections wait.
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        fillers = []
        for _ in range(4):
            filler = socket.socket()
            filler.setblocking(False)
            filler.connect_ex(listener.getsockname())
            fillers.append(filler)
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/"

        def first_line(client):
            expect(client.stderr.readline(), "no line")
        Interrupted([url], first_line).expect(130, "while connecting")
        for filler in fillers:
            filler.close()


@test
def sigint_ends_a_write_that_is_not_read():
    with Server(x=[whole(body=b"x" * 2_000_000)]) as server:
        for which, code in ((signal.SIGINT, 130), (signal.SIGHUP, 129)):
            client = subprocess.Popen([ANEW_GET, "-q", server.url("/x")], stdout=subprocess.PIPE, bufsize=0,
                                      env=environment())
            expect_equal(client.stdout.read(1), b"x", "the first byte")
            client.send_signal(which)
            try:
                expect_equal(client.wait(LIMIT), code, "the exit code")
            finally:
                client.kill()
                client.stdout.close()


@test
def sigterm_ends_the_wait_for_the_reader_of_a_fifo():
    with tempfile.TemporaryDirectory() as directory, Server() as server:
        file = pathlib.Path(directory, "f")
        os.mkfifo(file)

        def signals_are_watched(client):
            end = time.monotonic() + LIMIT
            status = pathlib.Path(f"/proc/{client.pid}/status")
            while not int(re.search(r"SigBlk:\s*(\w+)", status.read_text())[1], 16) >> (signal.SIGTERM - 1) & 1:
                expect(time.monotonic() < end and client.poll() is None, "no signal is watched")
        for arguments in (["-o", str(file)], ["-o", str(file), "--json"]):
            run = Interrupted([*arguments, server.url()], signals_are_watched, signal.SIGTERM)
            expect_equal((run.code, server.requests), (143, []), run.err)
        client = subprocess.Popen([ANEW_GET, "-q", "-o", str(file), server.url()], env=environment())
        expect_equal(file.read_bytes(), b"hello\n", "what the reader gets")
        expect_equal(client.wait(LIMIT), 0, "the exit code")


@test
def nohup_is_heard():
    with Server(x=[whole(503), whole()]) as server:
        client = subprocess.Popen(["sh", "-c", 'trap "" HUP; exec "$@"', "sh", ANEW_GET, "--base", "500ms", "--jitter",
                                   "none", server.url("/x")], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  env=environment())
        first_row_is_shown(client)
        client.send_signal(signal.SIGHUP)
        out, err = client.communicate(timeout=LIMIT)
        expect(client.returncode == 0 and out == b"hello\n", f"{client.returncode}: {err}")


@test
def after_an_interruption_no_further_url_is_fetched():
    with Server(x=[silent()]) as server:
        run = Interrupted([server.url("/x"), server.url("/y")], lambda _: server.wait_for(1))
        run.expect(130, "two URLs")
        expect(server.count("/y") == 0 and run.err.count("GET ") == 1, run.err)


@test
def the_demonstration_can_be_interrupted():
    def after_line(client):
        expect(client.stdout.readline(), "no line")
    client = Interrupted(["--demo"], after_line)
    expect(client.code == 130 and client.latency < 1, f"{client.code} {client.latency}")


# ---------------------------------------------------------------------------------------------------------------------
# Against nginx


@test
@requires("nginx")
def nginx_asks_for_a_second_and_gets_it():
    with nginx() as base:
        run = Run(f"{base}/good")
        expect(run.code == 0 and run.body == b"good\n", run)
        for path, status, kind in (("/busy", 503, "transient"), ("/slow-down", 429, "throttling")):
            run = Run("--json", "--attempts", "3", "--base", "10ms", "--cap", "500ms", base + path)
            expect_code(run, 3)
            attempts = events(run.json(), "attempt")
            expect([a["status"] for a in attempts] == [status] * 3, attempts)
            expect(all(a["kind"] == kind and a["hint_ms"] == 1000 for a in attempts), attempts)
            for one, two in zip(attempts, attempts[1:]):
                waited = two["at_ms"] - one["at_ms"] - one["took_ms"]
                expect(1000 <= one["delay_ms"] <= 5000 and one["origin"] == "hint", one)
                expect(waited >= 1000, f"waited only {waited} ms")
            expect(run.elapsed >= 2, run)


@test
@requires("nginx")
def nginx_asks_for_more_than_is_permitted():
    with nginx() as base:
        run = Run("--json", "--base", "10ms", "--longest-hint", "500ms", f"{base}/busy")
        expect_code(run, 6)
        expect(len(events(run.json(), "attempt")) == 1, run)
        run = Run("--json", "--attempts", "3", "--base", "10ms", "--longest-hint", "500ms", "--hint", "clamp",
                  f"{base}/absurd")
        expect_code(run, 3)
        attempts = events(run.json(), "attempt")
        expect([a["delay_ms"] for a in attempts] == [500, 500, None], attempts)
        expect([a["origin"] for a in attempts] == ["cap", "cap", None], attempts)


# ---------------------------------------------------------------------------------------------------------------------
# A quota that processes share

PRICE = 14  # of a retry
PROCESSES, CALLS = 4, 10


def run_processes(server, *arguments):
    """Each fetches a URL that is down ten times, with at most two retries for each. Their outputs."""
    command = [ANEW_GET, "--base", "5ms", "--jitter", "none", *arguments, *[server.url("/down")] * CALLS]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
               for _ in range(PROCESSES)]
    return [process.communicate(timeout=LIMIT) for process in started]


def retries(server):
    return server.count("/down") - PROCESSES * CALLS


@test
def processes_of_a_host_share_a_quota():
    name = f"anew-get-test-{os.getpid()}-{random.randrange(10**9)}"
    quota = f"shm:{name}?capacity={10 * PRICE}"
    try:
        with Server(down=[whole(503)]) as server:
            run_processes(server, "--quota", quota)
            expect_equal(retries(server), 10, "retries of all processes")
            run_processes(server, "--quota", quota)
            expect_equal(retries(server) - PROCESSES * CALLS, 10, "the bucket stays empty after its processes")
        with Server(down=[whole(503)]) as server:
            run_processes(server, "--quota", str(10 * PRICE))
            expect_equal(retries(server), PROCESSES * 10, "retries where each process has a bucket of its own")
        run = Run("--quota", f"shm:{name}", "http://127.0.0.1:1/")
        expect_code(run, 2)
        expect("token_bucket(140)" in run.err and "token_bucket(500)" in run.err, run)
    finally:
        with contextlib.suppress(OSError):
            os.remove(f"/dev/shm/anew.{os.geteuid()}/{name}")


@test
@requires("redis")
def processes_share_a_quota_on_redis():
    with Redis() as redis, Server(down=[whole(503)]) as server:
        run_processes(server, "--quota", redis.quota(f"&capacity={10 * PRICE}"))
        expect(1 <= retries(server) <= 10, f"{retries(server)} retries of all processes")
        before = server.count("/down")
        run_processes(server, "--quota", redis.quota(f"&capacity={10 * PRICE}"))
        run_processes(server, "--quota", redis.quota(f"&capacity={10 * PRICE}"))
        expect(server.count("/down") - before <= 2 * PROCESSES * CALLS + 10 - (before - PROCESSES * CALLS),
               "what was spent was spent again")


@test
@requires("redis")
def without_redis_the_quota_does_as_help_says():
    with Redis() as redis, Server(down=[whole(503)]) as server:
        down = server.url("/down")
        redis.process.send_signal(signal.SIGSTOP)
        for away, attempts, code in (("", 1, 5), ("&away=share&processes=2&capacity=56", 3, 3), ("&away=grant", 3, 3)):
            # Redis is away once it has not answered for 200 ms: the fifth call begins later than that.
            run = Run("--json", "--base", "60ms", "--jitter", "none", "--quota", redis.quota(away), *[down] * 5)
            expect_code(run, code)
            ends = events(run.json(), "end")
            expect_equal(ends[0]["attempts"], attempts, run)
            expect(ends[-1]["quota_trouble"] and run.elapsed < 10, run)
            # It hangs already at the first call, whose retry waits 5 ms for an answer.
            expect(ends[0]["quota_trouble"], run)
        redis.process.send_signal(signal.SIGCONT)
        run = Run("--quota", redis.quota(password="wr%ng"), down)
        expect_code(run, 5)
        expect("Redis is away" in run.err and "AUTH" in run.err and "wr" not in run.err, run)
        run = Run("-q", "--quota", redis.quota(password="wr%ng"), down)
        expect("Redis is away" in run.err and "AUTH" in run.err, run)
        run = Run("--quota", redis.quota(), down)
        expect_code(run, 3)
        expect("Redis is away" not in run.err and "leased" in run.err, run)


@test
@requires("redis")
def a_password_of_redis_is_never_printed():
    with Redis() as redis, Server(down=[whole(503)]) as server:
        good = redis.quota()
        for arguments in (["--quota", good], ["--json", "--quota", good], ["--describe", "--quota", good],
                          ["--quota", good + "&capacity=x"], ["--quota", good.replace("redis:", "rediss:")],
                          ["--quota", good.replace("redis:", "htp:")], ["--quota", good.replace("/1?", "/one?")],
                          ["--quota", good.replace("%25", "%")], ["--quota", good.replace("%25", "@")],
                          ["--quota", good.replace(f":{redis.port}", ":99999")],
                          ["--strategy", "unlimited_quota", "--quota", good], ["--strategy", good],
                          ["--quota", "100", good], ["--demo", good], ["--limited", "--for", "1s", good],
                          ["--quota", good.replace("://", ":")], ["--quota", good.replace("://", ":/")],
                          ["--quota", good.replace("redis://", "")], ["--quota", good.replace("://", "//")],
                          ["--strategy", "aws-standard", "--quota", good]):
            run = Run(*arguments, server.url("/down"))
            expect("sesame" not in run.out + run.err, f"{arguments}: {run}")
        run = Run("--quota", good.replace("%25", "@"), server.url("/down"))
        expect("%40" in run.err, run)
        run = subprocess.run([ANEW_GET, "--quota", good.replace(good[8:good.index("@") + 1], ""), server.url("/down")],
                             capture_output=True, timeout=LIMIT, env=environment(REDISCLI_AUTH=PASSWORD), check=False)
        expect_equal(run.returncode, 3, run.stderr.decode())


@test
def a_quota_that_cannot_be_opened_is_refused():
    for quota, words in (("shm:", "must be 1 to 200"), ("shm:a/", "must name a file"), ("shm:x?cap=9", "capacity"),
                         ("shm:x?capacity=3", "capacity must be"), ("shm:x?capacity=50&capacity=60", "twice"),
                         ("redis:///0", "names a host"), ("redis://h/0#f", "%23"),
                         ("redis://h?processes=2", "away=share"),
                         ("redis://h?away=share", "processes=N"), ("redis://h?name=a%zz", "two hex"),
                         ("redis://h?name=a%0db", "two hex"), ("redis://h?name=a%", "two hex"),
                         ("redis://u:a%00b@h", "control character"),
                         ("http://h/", "redis://"), ("redis://", "'redis://'"), ("sh:x", "shm:NAME")):
        run = Run("--quota", quota, "http://127.0.0.1:1/")
        expect_code(run, 2)
        expect(words in run.err and run.err.count("\n") == 1, f"{quota}: {run}")
    for arguments in (["--strategy", "token_bucket(500)", "--quota", "shm:x"],
                      ["--strategy", "aws-standard", "--quota", "shm:x"],
                      ["--strategy", "full_jitter", "--quota", "500"]):
        run = Run(*arguments, "http://127.0.0.1:1/")
        expect_code(run, 2)
        expect("--quota" in run.err and "--strategy" in run.err, run)
    with contextlib.suppress(OSError):
        os.remove(f"/dev/shm/anew.{os.geteuid()}/x")
    run = Run("--quota", "shm:never-made", "--max-attempts", "2", "http://127.0.0.1:1/")
    expect_code(run, 2)
    expect(not os.path.exists(f"/dev/shm/anew.{os.geteuid()}/never-made"), run)
    run = Run("--describe", "--strategy", "linear(1s,10s)", "--quota", "shm:/tmp/anew-get-test-quota")
    os.remove("/tmp/anew-get-test-quota")
    expect_code(run, 0)
    expect("process(/tmp/anew-get-test-quota,token_bucket(500))" in run.out, run)


# ---------------------------------------------------------------------------------------------------------------------
# Strategies that have a name

AWS_NAMES = ["aws-standard", "aws-standard-2020", "aws-adaptive", "aws-adaptive-2020", "aws-legacy", "aws-dynamodb",
             "aws-long-polling", "from-config"]


@test
def a_strategy_goes_by_its_name():
    for name in [*AWS_NAMES, "grpc", "step-functions"]:
        with Server(page=[whole(502), whole()]) as server:
            if name == "step-functions":
                run = Run("--strategy", name, "--describe")  # its first wait is three seconds
                expect_code(run, 0)
                expect("3/2" in run.out and "max_attempts(4)" in run.out, run)
                continue
            run = Run("--strategy", name, "--json", server.url("/page"))
            expect_code(run, 0)
            expect(len(events(run.json(), "attempt")) == 2, run)
            headers = [request[4] for request in server.requests]
            if name == "grpc":
                expect("amz-sdk-invocation-id" not in headers[0], headers)
                continue
            ids = [h["amz-sdk-invocation-id"] for h in headers]
            uuid = r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
            expect(ids[0] == ids[1] and re.fullmatch(uuid, ids[0]), ids)
            most = {"aws-legacy": 11, "aws-dynamodb": 4}.get(name, 3)
            expect([h["amz-sdk-request"] for h in headers] == [f"attempt={n}; max={most}" for n in (1, 2)], headers)


@test
def two_calls_have_two_invocations():
    with Server() as server:
        expect_code(Run("--strategy", "aws-standard", server.url("/a"), server.url("/b")), 0)
        expect(len({request[4]["amz-sdk-invocation-id"] for request in server.requests}) == 2, server.requests)


@test
def the_environment_configures_from_config():
    with tempfile.TemporaryDirectory() as home:
        config = pathlib.Path(home) / "config"
        config.write_text("[default]\nretry_mode = standard\nmax_attempts = 2\n[profile fast]\nretry_mode = adaptive\n")

        def described(**env):
            run = subprocess.run([ANEW_GET, "--strategy", "from-config", "--describe"], capture_output=True, text=True,
                                 env=environment(AWS_CONFIG_FILE=str(config), **env), timeout=LIMIT, check=False)
            return run.returncode, run.stdout, run.stderr

        code, out, err = described()
        expect(code == 0 and "max_attempts(2)" in out and "client_rate_limiter" not in out, (code, out, err))
        code, out, err = described(AWS_PROFILE="fast", AWS_MAX_ATTEMPTS="7")
        expect(code == 0 and "max_attempts(7)" in out and "client_rate_limiter" in out, (code, out, err))
        config.write_text("[default]\nretry_mode = sometimes\n")
        code, out, err = described()
        expect(code == 2 and f"{config}:2: retry_mode = sometimes" in err, (code, out, err))
        expect(err.startswith("anew-get: --strategy from-config: ") and err.count("\n") == 1, err)


@test
def amazons_hint_is_heard_by_its_strategies_alone():
    with Server(page=[whole(503, x_amz_retry_after="1200"), whole()]) as server:
        run = Run("--strategy", "aws-dynamodb", "--json", server.url("/page"))
        expect_code(run, 0)
        first = events(run.json(), "attempt")[0]
        expect(first["kind"] == "throttling" and first["hint_ms"] == 1200 and first["delay_ms"] >= 1200, first)
    with Server(page=[whole(502, x_amz_retry_after="60000"), whole()]) as server:
        run = Run("--strategy", "grpc", "--json", server.url("/page"))
        expect_code(run, 0)
        expect(events(run.json(), "attempt")[0]["hint_ms"] is None, run)


@test
def a_load_is_a_table():
    run = Run("--strategy", "aws-adaptive", "--for", "600ms", "--callers", "2", "--limited", "1000")
    expect_code(run, 0)
    rows = re.findall(r"^ +(\d+\.\d)-(\d+\.\d) ", run.out, re.M)
    expect(len(rows) == 6 and "second half: " in run.out, run)
    expect(all(row[1] == after[0] for row, after in zip(rows, rows[1:])) and rows[0][0] == "0.0", run)
    with refusing_port() as port:  # no request is sent there
        run = Run("--for", "60ms", "--attempts", "1", "--json", f"http://127.0.0.1:{port}/")
    windows = events(run.json(), "window")
    expect(run.code == 1 and not any(window["requests_per_s"] for window in windows), run)
    expect(any(window["gave_up_per_s"] for window in windows), run)
    run = Run("--for", "300ms", "--limited", "1000", "--json")
    expect_code(run, 0)
    expect(len(events(run.json(), "window")) == 6 and len(events(run.json(), "second_half")) == 1, run)
    for wrong in (["--callers", "2", "http://127.0.0.1/"], ["--limited", "5"],
                  ["--for", "1s", "--limited", "5", "http://a/"],
                  ["--for", "1s", "--callers", "1001", "http://a/"], ["--for", "1s", "http://a/", "http://b/"],
                  ["--strategy", "grpc", "--seed", "1", "http://a/"]):
        expect_code(Run(*wrong), 2)


@test
def a_load_of_many_callers_gets_its_descriptors():
    # The soft limit is no limit.
    command = ["sh", "-c", 'ulimit -Sn 64 && exec "$@"', "sh", ANEW_GET, "--for", "300ms", "--callers", "60",
               "--limited", "100000", "--json"]
    run = subprocess.run(command, capture_output=True, timeout=LIMIT, env=environment(), check=False)
    windows = events([json.loads(line) for line in run.stdout.decode().splitlines()], "window")
    expect(run.returncode == 0 and sum(window["gave_up_per_s"] for window in windows) == 0, (run, windows))


@test
def a_load_repeats_only_what_is_declared_to_be_harmless():
    for arguments, repeats in ((("-X", "POST"), False), (("-X", "POST", "--idempotent"), True)):
        with Server(x=[whole(500)]) as server:
            Run("--for", "1s", "--strategy", "aws-standard", *arguments, server.url("/x"))
        calls = [request[4]["amz-sdk-invocation-id"] for request in server.requests]
        expect(calls and (len(set(calls)) < len(calls)) == repeats, f"{len(calls)} requests of {len(set(calls))} calls")


# ---------------------------------------------------------------------------------------------------------------------
# The demonstration


def on_terminal(*arguments, columns, **env):
    """The exit code, and what a terminal of that width gets."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    client = subprocess.Popen([ANEW_GET, *arguments], stdin=subprocess.DEVNULL, stdout=slave, stderr=slave,
                              env=environment(**env))
    os.close(slave)
    text = b""
    with contextlib.suppress(OSError):
        while chunk := os.read(master, 65536):
            text += chunk
    os.close(master)
    return client.wait(LIMIT), text.decode().replace("\r\n", "\n")


@test
def the_demonstration_shows_six_scenes_and_checks_them():
    run = Run("--demo")
    expect_code(run, 0)
    heads = re.findall(r"^━━ (\d)  ", run.out, re.M)
    expect(heads == ["1", "2", "3", "4", "5", "6"], run.out)
    expect(run.out.count("Look for: ") == 6 and run.out.count("\n➜ ") == 6, run.out)
    expect("6 scenes, 6 as expected" in run.out and "did not" not in run.out, run.out)
    expect(run.elapsed < 20, f"the demonstration took {run.elapsed} s")
    expect("\033" not in run.out and max(map(len, run.out.splitlines())) <= 100, "colours or long lines")


@test
def one_scene_of_the_demonstration():
    # On a terminal of 80 columns, where each line fits; that a pipe gets longer ones is seen above.
    for scene in "123456":
        code, shown = on_terminal("--demo", scene, columns=80, TERM="dumb")
        expect(code == 0 and re.findall(r"^━━ (\d)  ", shown, re.M) == [scene], shown)
        expect("\033" not in shown and max(map(len, shown.splitlines())) <= 80, shown)


@test
def the_demonstration_as_json():
    run = Run("--demo", "--json")
    expect_code(run, 0)
    lines = run.json()
    expect([line["scene"] for line in events(lines, "scene")] == [1, 2, 3, 4, 5, 6], lines)
    checks = events(lines, "check")
    expect({check["scene"] for check in checks} == {1, 2, 3, 4, 5, 6} and all(c["good"] for c in checks), checks)
    ends = [e["reason"] for e in events(lines, "end")]
    for reason in ("succeeded", "hint_too_long", "deadline", "attempts", "quota", "not_retryable", "not_idempotent"):
        expect(reason in ends, f"no call ends with {reason}")


@test
def four_processes_spend_one_budget():
    run = Run("--demo", "6", "--json")
    expect_code(run, 0)
    rows = events(run.json(), "process")
    own, one = ([row for row in rows if row["budget"] == budget] for budget in ("own", "one"))
    for processes in (own, one):
        expect([row["process"] for row in processes] == [1, 2, 3, 4], rows)
    expect(all(row["calls"] == 20 and row["retries"] == 10 and not row["killed"] for row in own), own)
    # Who of the four gets how many depends on who asks first.
    expect(sum(row["retries"] for row in one) == 10, one)
    expect([row["killed"] for row in one] == [False, False, False, True], one)
    expect(all(row["calls"] == 20 for row in one[:3]), one)
    expect(one[3]["calls"] + one[3]["retries"] == 3, "killed at its third request")


@test
def four_processes_are_shown_and_leave_no_file():
    run = Run("--demo", "6")
    expect_code(run, 0)
    expect(re.findall(r"^  ([1-4])(?: \(b: (killed)\))? .*\d$", run.out, re.M)
           == [("1", ""), ("2", ""), ("3", ""), ("4", "killed")], run.out)
    sums = re.findall(r"^  the server saw +80 +40 +120 +\d+ +10 +\d+$", run.out, re.M)
    expect(len(sums) == 1 and "own budgets the server got 40 retries, with one budget 10." in run.out, run.out)
    name = re.search(r'process::token_bucket budget\{"(anew-get-demo-\d+)"', run.out)
    expect(name and not os.path.exists(f"/dev/shm/anew.{os.geteuid()}/{name[1]}"), run.out)


@test
def colours_are_for_terminals():
    for env, coloured in (({"TERM": "xterm"}, True), ({"TERM": "xterm", "NO_COLOR": "1"}, False)):
        code, shown = on_terminal("--demo", "5", columns=100, **env)
        expect(code == 0 and ("\033[" in shown) == coloured, shown)


# ---------------------------------------------------------------------------------------------------------------------


def main():
    global ANEW_GET, SANITIZED
    missing = [server for server in REQUIRES if f"--without-{server}" in sys.argv]
    arguments = [a for a in sys.argv[1:] if not a.startswith("--without-")]
    if not arguments or not os.access(arguments[0], os.X_OK):
        print(__doc__)
        return 2
    ANEW_GET = os.path.abspath(arguments[0])
    SANITIZED = b"__asan_init" in pathlib.Path(ANEW_GET).read_bytes()
    return run_all(*arguments[1:2], left_out=set().union(*(REQUIRES[server] for server in missing)))


if __name__ == "__main__":
    sys.exit(main())
