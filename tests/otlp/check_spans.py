#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""The spans that spans.cpp writes: their form, who is in whom, order, times and identifiers; and that a collector which
refuses, is killed and starts again gets all of them.

usage: check_spans.py SPANS KILLS
       check_spans.py --collect PORT FILE REFUSED TAKEN     a collector: refuses the first, and is silent after TAKEN
"""
import collections
import http.server
import json
import pathlib
import re
import socket
import subprocess
import sys
import tempfile

INTERNAL, CLIENT, OK, ERROR = 1, 3, 1, 2
MS = 1_000_000
REFUSED = "Connection refused"
# Of each call: its status, its attributes, how long it took, and its attempts: begin, length, error.type, message.
RETRY = [(0, 3, "transient", REFUSED), (5, 3, "transient", REFUSED)]
CALLS = {
    "at once": (OK, ("succeeded", 1, 0, 0, 0.0), 3, [(0, 3, None, None)]),
    "third": (OK, ("succeeded", 3, 2, 0, 0.004), 13, [*RETRY, (10, 3, None, None)]),
    'gives up "it"': (ERROR, ("attempts", 3, 2, 0, 0.004), 13, [*RETRY, (10, 3, "transient", REFUSED)]),
    "final": (ERROR, ("not_retryable", 1, 0, 0, 0.0), 3, [(0, 3, "final", "Permission denied")]),
    "long": (OK, ("succeeded", 501, 500, 0, 1.0), 2503,
             [*[(5 * n, 3, "transient", REFUSED) for n in range(500)], (2500, 3, None, None)]),
    "never": (ERROR, ("gate_closed", 0, 0, 0, 0.0), 0, []),
    "within": (OK, ("succeeded", 1, 0, 0, 0.0), 3, [(0, 3, None, None)]),
    "call": (OK, ("succeeded", 2, 0, 1, 0.0), 6, [(0, 6, "cancelled", ""), (5, 1, None, None)]),
    "parallel": (OK, ("succeeded", 2, 1, 0, 0.002), 8, [RETRY[0], (5, 3, None, None)]),
}
TIMES = collections.Counter({name: 1 for name in CALLS} | {"parallel": 160})


def value_of(attribute):
    (kind, value), = attribute["value"].items()
    assert isinstance(value, float if kind == "doubleValue" else str), attribute  # integers of 64 bits are texts
    return {"stringValue": str, "intValue": int, "doubleValue": float}[kind](value)


def attributes(of):
    keys = [a["key"] for a in of["attributes"]]
    assert len(set(keys)) == len(keys), of
    return {a["key"]: value_of(a) for a in of["attributes"]}


def span_of(line):
    """The one span of a request, once its form is checked."""
    resource, = json.loads(line).pop("resourceSpans")
    assert attributes(resource["resource"]) == {"service.name": "orders"}, resource
    scope, = resource["scopeSpans"]
    assert scope["scope"] == {"name": "anew"}
    span, = scope["spans"]
    assert set(span) - {"parentSpanId"} == {"traceId", "spanId", "name", "kind", "startTimeUnixNano", "endTimeUnixNano",
                                            "attributes", "status"}, span
    for key, digits in (("traceId", 32), ("spanId", 16), ("parentSpanId", 16)):
        identifier = span.get(key, "1" * digits)
        assert re.fullmatch(f"[0-9a-f]{{{digits}}}", identifier) and int(identifier, 16), span
    for key in ("startTimeUnixNano", "endTimeUnixNano"):
        assert isinstance(span[key], str)
        span[key] = int(span[key])
    assert set(span["status"]) <= {"code", "message"}
    return span


def check_call(call, attempts):
    status, said, took, expected = CALLS[call["name"]]
    begin = call["startTimeUnixNano"]
    assert call["kind"] == INTERNAL and call["status"]["code"] == status, call
    keys = ("anew.reason", "anew.attempts", "grpc.client.call.retries", "grpc.client.call.hedges",
            "grpc.client.call.retry_delay")
    assert attributes(call) == dict(zip(keys, said)), call
    assert call["endTimeUnixNano"] - begin == took * MS, call
    assert call["status"].get("message") == (None if status == OK else said[0]), call
    assert len(attempts) == len(expected), call["name"]
    attempts.sort(key=lambda a: attributes(a)["anew.attempt"])
    for number, (attempt, (at, length, failure, message)) in enumerate(zip(attempts, expected), 1):
        assert attempt["name"] == call["name"] + " attempt" and attempt["kind"] == CLIENT, attempt
        assert attempt["traceId"] == call["traceId"], attempt
        assert attempt["startTimeUnixNano"] - begin == at * MS, attempt
        assert attempt["endTimeUnixNano"] - attempt["startTimeUnixNano"] == length * MS, attempt
        wanted = {"anew.attempt": number}
        if number > 1:
            wanted["http.request.resend_count"] = number - 1
        if failure:
            wanted["error.type"] = failure
        assert attributes(attempt) == wanted, attempt
        assert attempt["status"] == ({} if failure is None else {"code": ERROR, "message": message}), attempt


def check(lines):
    spans = [span_of(line) for line in lines]
    ids = {span["spanId"] for span in spans}
    assert len(ids) == len(spans), "two spans have one identifier"
    outside = "b" * 16
    calls = [span for span in spans if span.get("parentSpanId", outside) == outside]
    assert len({call["traceId"] for call in calls}) == len(calls)
    children = collections.defaultdict(list)
    for span in spans:
        children[span.get("parentSpanId")].append(span)
    for call in calls:
        is_within = call["name"] == "within"
        assert (call["traceId"] == "a" * 32) == is_within and ("parentSpanId" in call) == is_within, call
        check_call(call, children[call["spanId"]])
    assert collections.Counter(call["name"] for call in calls) == TIMES
    assert len(spans) == sum(TIMES[name] * (1 + len(CALLS[name][3])) for name in CALLS)
    return len(spans)


def collect(port, file, refused, taken):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # head and body in one segment: the other would wait for an acknowledgement
        left = [refused, taken]

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            assert self.path == "/v1/traces" and self.headers["Content-Type"] == "application/json"
            answer = 200
            if self.left[0]:
                self.left[0] -= 1
                answer = 503
            else:
                with file.open("ab") as to:
                    to.write(body + b"\n")
                self.left[1] -= 1
                if not self.left[1]:
                    print("silent", flush=True)
                    while True:  # taken, and never answered
                        self.rfile.read(1)
            self.send_response(answer)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler) as server:
        print("ready", flush=True)
        server.serve_forever()


def send_to_a_collector_that_is_killed(program, kills, total):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "spans"

        def start(taken):
            started = subprocess.Popen([sys.executable, __file__, "--collect", str(port), str(file), "2", str(taken)],
                                       stdout=subprocess.PIPE, text=True)
            assert started.stdout.readline() == "ready\n"
            return started

        collector = start(total // (kills + 1))
        try:
            with subprocess.Popen([program, f"http://127.0.0.1:{port}/v1/traces"], stdout=subprocess.DEVNULL) as client:
                for kill in range(kills):
                    assert collector.stdout.readline() == "silent\n"
                    collector.kill()
                    collector.wait()
                    collector = start(total // (kills + 1) if kill + 1 < kills else 0)
            assert client.returncode == 0, "a span was lost"
        finally:
            collector.kill()
            collector.wait()
        lines = file.read_text().splitlines()
        once = list(dict.fromkeys(lines))
        assert len(lines) == len(once) + kills, "each kill costs one request that is sent again"
        check(once)


def main():
    if sys.argv[1] == "--collect":
        collect(int(sys.argv[2]), pathlib.Path(sys.argv[3]), *map(int, sys.argv[4:6]))
        return
    program, kills = sys.argv[1], int(sys.argv[2])
    said = subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()
    total = check(said)
    send_to_a_collector_that_is_killed(program, kills, total)
    print(f"{total} spans; all of them arrived at a collector that was killed {kills} times")


if __name__ == "__main__":
    main()
