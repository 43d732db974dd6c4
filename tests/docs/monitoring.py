# SPDX-License-Identifier: BSL-1.0
"""docs/monitoring reads what anew::prometheus_families and prometheus_gauges show: families, labels, reasons."""
import json
import re

HEADER = "include/anew/policies/observer/prometheus_families.hpp"
GAUGES = "include/anew/policies/observer/prometheus_gauges.hpp"
FOLDER = "docs/monitoring"
OTHER_LABELS = {"job", "operation", "le"}
OF_A_HISTOGRAM = ("_bucket", "_sum", "_count")


def check(root):
    """Returns what is wrong."""
    header = (root / HEADER).read_text(encoding="utf-8")
    families = dict(re.findall(r"(?m)^/// \| `(anew_\w+)`\s*\| (\w+)", header))
    gauges = (root / GAUGES).read_text(encoding="utf-8")
    read_at_scrapes = set(re.findall(r"(?m)^/// \| `(anew_\w+)`", gauges))
    known = read_at_scrapes | {name for name, kind in families.items() if kind != "histogram"} | {
        name + end for name, kind in families.items() if kind == "histogram" for end in OF_A_HISTOGRAM}
    labels = OTHER_LABELS | set(re.findall(r'\{"(\w+)",', header))
    reasons = set(re.findall(r"(?m)^\s*(\w+),\s*///<",
                             (root / "include/anew/base/stop_reason.hpp").read_text(encoding="utf-8")))
    rules = (root / FOLDER / "anew.rules.yml").read_text(encoding="utf-8")
    board = json.loads((root / FOLDER / "dashboard.json").read_text(encoding="utf-8"))
    recorded = set(re.findall(r"- record: (\S+)", rules))
    expressions = re.findall(r"expr: (?:\|\n((?: {10,}.*\n)+)|(.*)\n)", rules)
    expressions = [several or one for several, one in expressions]
    expressions += [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    wrong = [] if families and labels and reasons else [f"{HEADER}: no table of families"]
    for name in sorted(set(families) - set(re.findall(r'"(anew_\w+)"', header))):
        wrong.append(f"{HEADER}: the table names {name}, which is not registered")
    for name in sorted(read_at_scrapes ^ set(re.findall(r'"(anew_\w+)"', gauges))):
        wrong.append(f"{GAUGES}: {name} is not both in the table and in the code")
    states = set(re.findall(r"(?m)^\s*(\w+),\s*///<",
                            (root / "include/anew/base/breaker_state.hpp").read_text(encoding="utf-8")))
    changes = (root / "include/anew/base/policy_change.hpp").read_text(encoding="utf-8")
    states |= set(re.findall(r'"(\w+)"', "".join(re.findall(r"name_in\((.*?), state\)", changes))))
    policies = set(re.findall(r'"(\w+)"', "".join(re.findall(r"name_in\((.*?), of\)", changes))))
    for text in expressions:
        wrong += [f"{FOLDER}: no state {name}" for name in re.findall(r'to="(\w+)"', text) if name not in states]
        wrong += [f"{FOLDER}: no policy {name}" for name in re.findall(r'policy="(\w+)"', text) if name not in policies]
        wrong += [f"{FOLDER}: no metric {name}" for name in re.findall(r"(?<![\w:])anew_\w+", text)
                  if name not in known]
        wrong += [f"{FOLDER}: no rule {name}" for name in re.findall(r"\w+:anew_\w+:\w+", text)
                  if name not in recorded]
        used = re.findall(r'[{,]\s*(\w+)\s*(?:=~|!=|=)\s*"', text)
        used += re.split(r",\s*", ", ".join(re.findall(r"(?:by|ignoring)\s*\(([\w, ]+)\)", text)))
        wrong += [f"{FOLDER}: no label {name}" for name in used if name and name not in labels]
        wrong += [f"{FOLDER}: no stop_reason {name}" for name in re.findall(r'reason!?="(\w+)"', text)
                  if name not in reasons]
    if len(expressions) < 6 + len(board["panels"]) or len(re.findall(r"- alert: ", rules)) != 6:
        wrong.append(f"{FOLDER}: {len(expressions)} expressions")
    return wrong
