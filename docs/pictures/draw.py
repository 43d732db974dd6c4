#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Draws the pictures of the documents from what benchmarks/pictures prints: draw.py DATA.csv FOLDER [TRACE.json]

docs/pictures/make.sh calls it. The same data give the same files: no date, and a fixed salt for the names inside.
Colours are those of Okabe and Ito, which colour-blind readers can tell apart; lines differ in their dashes too.
"""
import collections
import csv
import json
import pathlib
import sys

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.colors import BoundaryNorm, ListedColormap  # noqa: E402

COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9", "#8C6D1F", "#555555"]
DASHES = ["-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (7, 2)), (0, (1, 1)), (0, (3, 1, 1, 1)), (0, (9, 1))]
plt.rcParams.update({
    "svg.hashsalt": "anew", "svg.fonttype": "none", "font.family": "DejaVu Sans",
    "font.size": 12, "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True, "grid.color": "#dddddd",
    "grid.linewidth": 0.6, "lines.linewidth": 2, "legend.frameon": False, "legend.handlelength": 3.2,
    "figure.facecolor": "white", "path.simplify_threshold": 1.0, "axes.axisbelow": True, "axes.titlesize": 12,
    "axes.titlelocation": "left",
})


def style(i):
    return {"color": COLOURS[i % len(COLOURS)], "linestyle": DASHES[i % len(DASHES)]}


def figure(rows=1, columns=1, height=4.2, **more):
    return plt.subplots(rows, columns, figsize=(6.4, height), layout="constrained", **more)


def legend_above(axes, columns=1, has_title=False):
    axes.legend(loc="lower left", bbox_to_anchor=(-0.02, 1.12 if has_title else 1.0), ncols=columns, borderaxespad=0.2)


def plain_numbers(*axes):
    """Instead of powers of ten."""
    for axis in axes:
        axis.set_major_formatter("{x:g}")
        axis.set_minor_formatter("")


def column(rows, which):
    return [row[which] for row in rows]


def jitter_work_and_time(series):
    fig, (work, time) = figure(2, height=7, sharex=True)
    for i, (name, rows) in enumerate(series.items()):
        work.plot(column(rows, 0), column(rows, 1), label=name, **style(i))
        time.plot(column(rows, 0), column(rows, 2), label=name, **style(i))
    work.set(ylabel="calls made", title="Work")
    time.set(ylabel="seconds until the last is done", xlabel="clients that update one row", title="Time", yscale="log")
    plain_numbers(time.yaxis)
    legend_above(work, 2, True)
    return fig


def backoffs(series):
    fig, axes = figure(height=5.4)
    for i, (name, rows) in enumerate(series.items()):
        axes.plot(column(rows, 0), column(rows, 1), label=name, marker="osD^vPX"[i % 7], markersize=5, **style(i))
    axes.set(xlabel="retry", ylabel="backoff, s", xticks=range(1, 11), ylim=(0, 31))
    legend_above(axes)
    return fig


def jitters(series):
    fig, all_axes = figure(len(series), 2, height=9.4, sharex=True)
    for i, (name, rows) in enumerate(series.items()):
        for j, axes in enumerate(all_axes[i]):
            values = column(rows, j + 1)
            axes.stairs(values, [*column(rows, 0), 8.125], fill=True, color=COLOURS[j])
            axes.set(yticks=[], xlim=(0, 8.2), ylim=(0, max(values) * 1.1))
            axes.grid(False)
        all_axes[i][0].set_title(name, fontsize=11)
    all_axes[-1][0].set_xlabel("s before retry 3,\nwhose backoff is 4 s")
    all_axes[-1][1].set_xlabel("s before retry 8,\nat the cap of 8 s")
    return fig


def storm_and_recovery(series):
    fig, all_axes = figure(len(series), height=7, sharex=True, sharey=True)
    for axes, (name, rows) in zip(all_axes, series.items()):
        axes.axvspan(5, 15, color="#cccccc", lw=0)
        axes.axhline(1000, color=COLOURS[4], lw=1, linestyle=":")
        axes.step(column(rows, 0), column(rows, 1), where="post", label="attempts", **style(1))
        axes.step(column(rows, 0), column(rows, 2), where="post", label="calls that succeed", **style(0))
        axes.set(title=name, ylim=(0, 2300))
    all_axes[1].set_ylabel("a second")
    all_axes[-1].set_xlabel("s (grey: the outage; dotted: the capacity)")
    legend_above(all_axes[0], 2, True)
    return fig


def phase_map(series):
    fig, all_axes = figure(len(series), height=8, sharex=True)
    bounds = [-2, -0.5, 5, 20, 60, 120, 300]
    colours = ListedColormap(["#222222", "#f7fbff", "#c6dbef", "#6baed6", "#2171b5", "#08306b"])
    for axes, (name, rows) in zip(all_axes, series.items()):
        loads, outages = sorted(set(column(rows, 0))), sorted(set(column(rows, 1)))
        cells = {(load, outage): seconds for load, outage, seconds in rows}
        grid = [[cells[load, outage] for load in loads] for outage in outages]
        image = axes.pcolormesh(grid, cmap=colours, norm=BoundaryNorm(bounds, colours.N), edgecolors="white",
                                linewidth=0.3)
        axes.set_yticks([i + 0.5 for i in range(len(outages))], labels=[f"{outage:g}" for outage in outages])
        axes.set_xticks([i + 0.5 for i in range(0, len(loads), 2)], labels=[f"{load:g}" for load in loads[::2]])
        axes.set_title(name)
        axes.grid(False)
    all_axes[1].set_ylabel("length of the outage, s")
    all_axes[-1].set_xlabel("load before the outage, % of the capacity")
    bar = fig.colorbar(image, ax=list(all_axes), location="top", shrink=0.98, aspect=30)
    labels = ["not in\n300 s", "0 to 5 s", "to 20 s", "to 60 s", "to 120 s", "to 300 s"]
    bar.set_ticks([-1.25, 2.25, 12.5, 40, 90, 210], labels=labels)
    bar.set_label("recovers after")
    return fig


def hedging_tail(series):
    fig, axes = figure(height=5)
    for i, (name, rows) in enumerate(series.items()):
        axes.plot(column(rows, 0), column(rows, 1), label=name, **style(i))
    axes.set(xscale="log", yscale="log", xlabel="ms", ylabel="calls that take longer, %", ylim=(0.01, 100))
    plain_numbers(axes.xaxis, axes.yaxis)
    legend_above(axes)
    return fig


def budget_balance(series):
    fig, axes = figure(height=4.8)
    axes.axvspan(10, 30, color="#cccccc", lw=0)
    for i, (name, rows) in enumerate(series.items()):
        axes.plot(column(rows, 0), column(rows, 1), label=name, **style(i))
    axes.set(xlabel="s (grey: 60 % of the attempts fail, else 2 %)", ylabel="balance, % of the capacity", ylim=(0, 105))
    legend_above(axes)
    return fig


def layered_amplification(series):
    fig, axes = figure(height=4.4)
    for i, (name, rows) in enumerate(series.items()):
        shift = (i - 0.5) * 0.4
        bars = axes.bar([x + shift for x in column(rows, 0)], column(rows, 1), width=0.38, label=name,
                        color=COLOURS[1 - i], hatch=["", "//"][i], edgecolor="white")
        axes.bar_label(bars, fmt="%g")
    axes.set(xlabel="layers that retry", ylabel="attempts at the service", yscale="log", ylim=(1, 500))
    plain_numbers(axes.yaxis)
    axes.grid(axis="x", visible=False)
    legend_above(axes)
    return fig


def trace(events):
    """The bars of each call in lanes, so that none lies over another: the call, its attempts and waits, its hedges."""
    fig, axes = figure(height=3.6)
    bars = sorted((event for event in events if event["ph"] == "X"),
                  key=lambda bar: (bar["tid"], bar["name"] != "call", bar["ts"]))
    start = min(bar["ts"] for bar in bars)
    lanes = []  # of each: the call, and when its last bar ends
    for bar in bars:
        begin, length = (bar["ts"] - start) / 1e3, bar["dur"] / 1e3
        if length == 0:
            continue
        lane = next((i for i, (call, end) in enumerate(lanes) if call == bar["tid"] and end <= begin), len(lanes))
        lanes[lane:lane + 1] = [(bar["tid"], begin + length)]
        name = bar["name"]
        outcome = bar["args"].get("reason") or bar["args"].get("verdict")
        good = outcome in ("succeeded", "success")
        axes.barh(lane, length, left=begin, height=0.8, edgecolor="white", hatch="//" if name == "wait" else "",
                  color="#bbbbbb" if name == "wait" else COLOURS[0] if good else COLOURS[1])
        title = f"call {bar['tid']}" if name == "call" else name
        if name == "call" or not good and length > 60:
            title += f": {outcome}"
        axes.text(begin + 1, lane, title.replace("attempt ", "") if length < 25 else title, va="center", fontsize=10,
                  color="black" if name == "wait" else "white")
    for event in events:
        if event["ph"] == "i":
            at = (event["ts"] - start) / 1e3
            axes.axvline(at, color="black", linestyle=":")
            axes.text(at, -0.55, event["name"], ha="center", va="bottom", fontsize=10)
    axes.set(xlabel="ms", yticks=[], ylim=(len(lanes) - 0.4, -0.6))
    axes.grid(axis="y", visible=False)
    axes.spines["left"].set_visible(False)
    return fig


def main():
    if len(sys.argv) not in (3, 4):
        print(__doc__)
        return 2
    pictures = collections.defaultdict(lambda: collections.defaultdict(list))
    with open(sys.argv[1], encoding="utf-8", newline="") as data:
        for row in csv.DictReader(data):
            numbers = [float(row[name]) for name in ("x", "y", "second") if row[name]]
            pictures[row["picture"]][row["series"]].append(numbers)
    if len(sys.argv) == 4:
        pictures["trace"] = json.loads(pathlib.Path(sys.argv[3]).read_text(encoding="utf-8"))
    for name, series in pictures.items():
        drawn = globals()[name](series)
        path = pathlib.Path(sys.argv[2]) / f"{name}.svg"
        drawn.savefig(path, metadata={"Date": None, "Creator": None})
        plt.close(drawn)
        # A reader without this font has another, without serifs too.
        text = path.read_text(encoding="utf-8").replace("'DejaVu Sans'", "'DejaVu Sans', Verdana, sans-serif")
        text = "\n".join(line.rstrip() for line in text.splitlines()) + "\n"
        path.write_text(text, encoding="utf-8")
        print(f"{path}: {len(text)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
