#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Asks that what the observers of `anew-load --observe DIR` wrote is what anew-load counted itself. observed.py DIR
With --scrape it asks for the metrics four times a second while anew-load runs. observed.py --scrape DIR

Prints a row for each number, and exits with 1 when two of them differ.
"""
import collections
import json
import pathlib
import re
import sys
import time
import urllib.request


def metrics_of(text):
    """The sum of each family, and of each of its labels' values."""
    sums = collections.Counter()
    for name, labels, value in re.findall(r"(?m)^(\w+)\{([^}]*)\} (\S+)$", text):
        sums[name, ""] += float(value)
        for label in re.findall(r'(\w+="[^"]*")', labels):
            sums[name, label] += float(value)
    return sums


def scrape(folder, most=60.0):
    """The sums of each scrape until nothing answers any more; empty if nothing ever did."""
    until, seen = time.monotonic() + most, []
    while time.monotonic() < until:
        try:
            with urllib.request.urlopen((folder / "metrics.url").read_text().strip(), timeout=5) as answer:
                seen.append(metrics_of(answer.read().decode()))
        except (OSError, ValueError):
            if seen or (folder / "report.json").exists():  # which is written last
                break
        time.sleep(0.25 if seen else 0.02)
    calls = [metrics["anew_calls_total", ""] for metrics in seen]
    if calls != sorted(calls):
        sys.exit(f"a counter went back: {calls}")
    return seen


def compare(folder):
    """Rows of: what, as anew-load counts, as the observers do."""
    report = json.loads((folder / "report.json").read_text())
    metrics = metrics_of((folder / "metrics.prom").read_text())
    events = [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]
    trace = [bar for bar in json.loads((folder / "trace.json").read_text()) if bar["ph"] == "X"]
    lines = collections.Counter(event["event"] for event in events)
    bars = collections.Counter(bar["name"].split()[0] for bar in trace)
    by_reason = {key[1].split('"')[1]: count for key, count in metrics.items()
                 if key[0] == "anew_calls_total" and key[1].startswith("reason=")}
    calls = report["calls"] + report["unfinished"]
    rows = [
        ("calls, in metrics", calls, metrics["anew_calls_total", ""]),
        ("calls, in events", calls, lines["end"]),
        ("calls, in the trace", calls, bars["call"]),
        ("calls that succeeded", report["ok"], by_reason["succeeded"]),
        ("attempts, in events", metrics["anew_attempts_total", ""], lines["attempt"]),
        ("attempts, in the trace", metrics["anew_attempts_total", ""], bars["attempt"]),
        ("calls that were stopped", report["unfinished"], by_reason["cancelled"]),
        ("requests, at the server", report["requests"], report["server"]["requests"]),
        ("openings of the breaker", sum(event["event"] == "gate" and event["to"] == "open" for event in events),
         metrics["anew_policy_changes_total", 'to="open"']),
        ("times the bucket was empty", sum(event.get("to") == "empty" for event in events),
         metrics["anew_policy_changes_total", 'to="empty"']),
        ("left in the bucket", report["quota"]["balance"], metrics["anew_quota_balance", ""]),
        ("calls in progress", 0, metrics["anew_calls_in_progress", ""]),
    ]
    if not report["unfinished"] and report["hedges"] is None:  # a stopped attempt, or one that lost, tells no end
        rows += [("attempts, in metrics", report["attempts"], metrics["anew_attempts_total", ""]),
                 ("retries, in metrics", report["retries"], metrics["anew_attempts_total", 'type="retry"'])]
    rows += [(f"ended: {reason}", count, by_reason[reason.replace(" ", "_")])
             for reason, count in sorted(report["gave_up"].items())]
    return rows


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--scrape":
        seen = scrape(pathlib.Path(sys.argv[2]))
        print(f"scraped over HTTP {len(seen)} times while it ran")
        return 0 if len(seen) > 1 else 1
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    rows = compare(pathlib.Path(sys.argv[1]))
    print(f"{'':28}{'anew-load':>10}{'observers':>11}")
    for what, own, observed in rows:
        print(f"{what:28}{int(own):10}{int(observed):11}{'' if own == observed else '   DIFFERENT'}")
    return 0 if all(own == observed for _, own, observed in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
