#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""What compiling anew costs.

    compile_time.py [--compiler g++ --compiler clang++-19] [--like COMMANDS SOURCE] [--strategies N] [--runs N]
                    [--gate] [--write]

Three questions, each answered by running the compiler on generated files by turns, so that what disturbs the machine
disturbs all of them; the figures are the medians of the user and system time. And a fourth, whose answer does not
depend on the machine.

  * including: anew/anew.hpp beside <chrono> (what it costs in lines is tests/budget, which is a gate); and calling a
    function of another source that reads a strategy from a text
  * one more strategy: N of them, divided by N, that differ in one policy or in all of them (then in shuffled order):
    named, as a complete type, used in a call of retry(); and optimized, of a kind that the file has already
  * a mistake: is a wrong composition refused no later than the right one is compiled?

  * how much memory does g++ allocate for one more strategy? benchmarks/compile_time/expected has the figures, and a run
    with 100 strategies compares its own with them

--gate fails where g++ takes more than 1.5 ms for one more strategy, where a wrong composition takes longer, where
calling such a function takes more than twice what <chrono> takes, where one more strategy with its call takes more than
0.13 times that or one more call 0.05 times, or where what g++ allocates differs by more than 2 %.
Times depend on the machine, so that this is a choice and not a test. No file has them: on a busy machine even their
ratio to including <chrono> doubles. --write writes what g++ allocates, and does nothing else. ANEW_BENCHMARK_SMOKE=1
runs each once, without generating code.
"""
import argparse
import os
import pathlib
import random
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(ROOT / "tests" / "support"), str(HERE.parent / "codegen"), str(HERE.parent / "support")]
import codegen  # noqa: E402
import compile_command  # noqa: E402
import reviewed  # noqa: E402

MODES = [("-fsyntax-only", ["-fsyntax-only"]), ("-O0", ["-O0", "-c", "-o", "/dev/null"]),
         ("-O2", ["-O2", "-c", "-o", "/dev/null"])]
MOST_MILLISECONDS = 1.5
MOST_TO_CALL_A_READER = 2
MOST_OF_CHRONO = {"strategy and its call": 0.13, "call through one strategy": 0.05}
REVIEWED_STRATEGIES = 100
RUNS_TO_JUDGE = 3  # the figures of fewer runs are chance
TOLERANCE = 0.02

PROLOGUE = """#include "anew/anew.hpp"
using std::chrono::milliseconds;
struct answer { int value; int code; bool has_value() const { return code == 0; } int error() const { return code; } };
answer ask(int);
void wait(anew::duration);
template <int N> struct equals { constexpr bool operator()(int code) const { return code == N; } };
"""
CALL_OF_A_READER = """#include "anew/run_time/virtual/retry_strategy.hpp"
#include <memory>
#include <string_view>
std::unique_ptr<anew::retry_strategy> strategy_of(std::string_view setting);
std::unique_ptr<anew::retry_strategy> use() { return strategy_of("max_attempts(3)"); }
"""
USE = "int use{i}({s} const& it) {{ return anew::retry(it, [] {{ return ask({i}); }}, wait).value; }}\n"


def policies(number):
    """A file that completes as many policies as `strategies` has, without composing them."""
    return PROLOGUE + "".join(f"static_assert(sizeof({policy}) > 0);\n"
                              for i in range(number) for policy in policies_of(i))


def policies_of(i):
    return [f"anew::exponential_backoff<milliseconds{{{i + 1}}}, milliseconds{{{20000 + i}}}>",
            f"anew::token_bucket<{500 + i}>", f"anew::retry_if<equals<{i}>>", f"anew::max_attempts<{i + 2}>",
            f"anew::server_hint<anew::long_hint::stop, milliseconds{{{5000 + i}}}>",
            f"anew::deadline<milliseconds{{{60000 + i}}}>"]


def similar(number):
    """A file that names strategies of six policies, five of which they share."""
    return PROLOGUE + "".join(
        f"using s{i} = anew::strategy<anew::exponential_backoff<>, anew::full_jitter, anew::token_bucket<>, "
        f"anew::retry_all, anew::max_attempts<{i + 1}>, anew::server_hint<>>;\nextern s{i}* const p{i};\n"
        for i in range(number))


def uses(number):
    """A file with as many calls through one strategy, each with an operation of its own."""
    text = [PROLOGUE, "using s = anew::strategy<anew::retry_all>;\n"]
    for i in range(number):
        text.append(USE.format(i=i, s="s"))
    return "".join(text)


def strategies(number, what, seed=20):
    """A file with `number` strategies, no policy of which occurs in another: named, made, or used in a call."""
    shuffle = random.Random(seed).shuffle
    text = [PROLOGUE]
    for i in range(number):
        policies = [*policies_of(i), "anew::full_jitter"]
        shuffle(policies)
        text.append(f"using s{i} = anew::strategy<{', '.join(policies)}>;\n")
        if what == "named":
            text.append(f"extern s{i}* const p{i};\n")
        elif what == "used":
            text.append(USE.format(i=i, s=f"s{i}"))
        else:
            text.append(f"static_assert(sizeof(s{i}) > 0);\n")
    return "".join(text)


def of_one_kind(number):
    """As many strategies of the README's kind with a bucket and a classifier of their own, each with its call, that
    waits with the default sleeper; and as many calls through one of them."""
    def strategy(i):
        return (f"anew::strategy<anew::exponential_backoff<milliseconds{{{i + 1}}}, milliseconds{{{20000 + i}}}>, "
                f"anew::full_jitter, anew::token_bucket<{500 + i}>, anew::retry_if<equals<{i}>>, "
                f"anew::max_attempts<{i + 2}>> const s{i};\n")

    def call(i, through):
        return f"int use{i}() {{ return anew::retry(s{through}, [] {{ return ask({i}); }}).value; }}\n"
    return (PROLOGUE + "".join(strategy(i) + call(i, i) for i in range(number)),
            PROLOGUE + strategy(0) + "".join(call(i, 0) for i in range(number)))


def by_hand(number):
    """As many loops by hand, for comparison."""
    text = [PROLOGUE]
    for i in range(number):
        text.append(f"""int use{i}() {{
  for (unsigned attempt = 1;; ++attempt) {{
    auto result = ask({i});
    if (result.has_value() || attempt == {i + 2} || !equals<{i}>{{}}(result.error())) return result.value;
    anew::duration ceiling = milliseconds{{{i + 1}}};
    for (unsigned k = 1; k < attempt && ceiling < milliseconds{{{20000 + i}}}; ++k) ceiling *= 2;
    anew::thread_random random{{}};
    wait(anew::random_up_to(ceiling, random));
  }}
}}
""")
    return "".join(text)


RIGHT = PROLOGUE + """using s = anew::strategy<anew::exponential_backoff<milliseconds{50}, milliseconds{20000}>,
                         anew::full_jitter, anew::retry_if<equals<1>>, anew::max_attempts<3>>;
int use() { return anew::retry(s{}, [] { return ask(1); }, wait).value; }
"""
WRONG = [
    ("a role twice", RIGHT.replace("anew::full_jitter", "anew::full_jitter, anew::no_jitter")),
    ("not a policy", RIGHT.replace("anew::full_jitter", "int")),
    ("cap below base", RIGHT.replace("<milliseconds{50},", "<milliseconds{50000},")),
    ("classifier does not fit", RIGHT.replace("anew::retry_if<equals<1>>", "anew::retry_info_classifier")),
]


def seconds_of(words, must_succeed):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(words, text=True, capture_output=True, check=False, env=compile_command.plain_environment())
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if (done.returncode == 0) != must_succeed:
        raise SystemExit(f"{' '.join(map(str, words))}\n{done.stderr}")
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


class Bench:
    def __init__(self, compiler, includes, work, runs):
        self.base = [compiler, "-std=c++20", *includes]
        self.work, self.runs, self.number = work, runs, 0

    def milliseconds(self, texts, flags, wrong=()):
        """Median for each of the texts, compiled by turns."""
        files = []
        for text in texts:
            self.number += 1
            files.append(self.work / f"{self.number}.cpp")
            files[-1].write_text(text, encoding="utf-8")
        times = [[] for _ in texts]
        for _ in range(self.runs):
            for i, name in enumerate(files):
                times[i].append(seconds_of([*map(str, [*self.base, *flags, name])], i not in wrong))
        return [statistics.median(series) * 1000 for series in times]

    def megabytes(self, text):
        """Megabytes that g++ allocates for the text, all together."""
        source = self.work / "allocated.cpp"
        source.write_text(text, encoding="utf-8")
        words = [*map(str, self.base), "-fsyntax-only", "-ftime-report", str(source)]
        report = subprocess.run(words, text=True, capture_output=True, check=True,
                                env=compile_command.plain_environment()).stderr
        return float(re.search(r"^ *TOTAL .* ([\d.]+)M$", report, re.MULTILINE).group(1))


def kinds_of(number):
    """What there may be one more of -> a file with so many."""
    return {"strategy, named": similar(number), "with its policies, named": strategies(number, "named"),
            "with its policies, complete": strategies(number, "complete"),
            "with its policies, used": strategies(number, "used"), "its policies alone": policies(number),
            "use of one strategy": uses(number), "loop by hand": by_hand(number)}


def allocations(compiler, includes, work, write):
    """What g++ allocates, beside what is expected; clang does not say. Returns the differences, or writes the file."""
    title, short = codegen.version_of(compiler)
    if not short.startswith("g++"):
        return []
    bench = Bench(compiler, includes, work, 1)
    kinds = kinds_of(REVIEWED_STRATEGIES)
    before, *after = [bench.megabytes(text) for text in (PROLOGUE, *kinds.values())]
    found = [f"one more of {REVIEWED_STRATEGIES},MB allocated"]
    print(f"  {found[0].partition(',')[0] + ', MB allocated':<34}{'-fsyntax-only':>15}")
    for name, all_of_them in zip(kinds, after):
        slope = f"{(all_of_them - before) / REVIEWED_STRATEGIES:.2f}"
        print(f"  {name:<34}{slope:>15}")
        found.append(f'"{name}",{slope}')
    return reviewed.compare(HERE / "expected" / f"{short}.csv", "\n".join(found) + "\n", title, write, TOLERANCE)


def measure(compiler, includes, work, options):
    """Prints the tables of one compiler; returns what is over its budget."""
    title, short = codegen.version_of(compiler)
    modes = options.modes
    bench = Bench(compiler, includes, work, options.runs)
    over = []
    print(title)
    print(f"  {'including, ms':<34}" + "".join(f"{mode:>15}" for mode, _ in modes))
    rows = {"nothing": "", "<chrono>": "#include <chrono>\n", "anew/anew.hpp": '#include "anew/anew.hpp"\n',
            "a call of a reader elsewhere": CALL_OF_A_READER}
    columns = [bench.milliseconds(list(rows.values()), flags) for _, flags in modes]
    for i, name in enumerate(rows):
        print(f"  {name:<34}" + "".join(f"{column[i]:>15.0f}" for column in columns))
    chrono = columns[-1][1]
    for i, name in enumerate(rows):
        ratios = [column[i] / column[1] for column in columns]
        if i > 1:
            print(f"  {name + ', x <chrono>':<34}" + "".join(f"{ratio:>15.2f}" for ratio in ratios))
    if max(ratios[:2]) > MOST_TO_CALL_A_READER:
        over.append(f"{short}: a call of a reader elsewhere takes {max(ratios[:2]):.2f} times what <chrono> takes")

    n = options.strategies
    print(f"  {f'one more of {n}, ms':<34}" + "".join(f"{mode:>15}" for mode, _ in modes[:2]))
    kinds = kinds_of(n)
    columns = [bench.milliseconds([PROLOGUE, *kinds.values()], flags) for _, flags in modes[:2]]
    for i, name in enumerate(kinds, 1):
        slopes = [(column[i] - column[0]) / n for column in columns]
        print(f"  {name:<34}" + "".join(f"{slope:>15.2f}" for slope in slopes))
        if name == "strategy, named" and short.startswith("g++"):
            for (mode, _), slope in zip(modes, slopes):
                if slope > MOST_MILLISECONDS:
                    over.append(f"{short}: one more strategy, {mode}: {slope:.2f} ms, at most {MOST_MILLISECONDS}")

    few = min(n, 20)
    first = of_one_kind(1)[0]
    times = bench.milliseconds([first, *of_one_kind(few + 1)], modes[-1][1])
    print(f"  {f'one more of {few} of a kind, ms':<34}{modes[-1][0]:>15}")
    for (name, most), time in zip(MOST_OF_CHRONO.items(), times[1:]):
        one = (time - times[0]) / few
        print(f"  {name:<34}{one:>15.1f}, {one / chrono:.3f} x <chrono>")
        if one > most * chrono:
            over.append(f"{short}: one more {name} takes {one / chrono:.3f} times what <chrono> takes, at most {most}")

    print(f"  {'a mistake, ms':<34}{'-fsyntax-only':>15}{'x right':>15}")
    times = bench.milliseconds([RIGHT, *(text for _, text in WRONG)], MODES[0][1], set(range(1, len(WRONG) + 1)))
    print(f"  {'none':<34}{times[0]:>15.0f}{1:>15.2f}")
    for (name, _), time in zip(WRONG, times[1:]):
        print(f"  {name:<34}{time:>15.0f}{time / times[0]:>15.2f}")
        if time > times[0] * 1.05:
            over.append(f"{short}: {name} takes {time:.0f} ms, right {times[0]:.0f} ms")
    return over


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", action="append", help="default: g++ and clang++-19, where they are")
    parser.add_argument("--like", nargs=2, metavar=("COMMANDS", "SOURCE"),
                        help="include what compile_commands.json has for a source")
    parser.add_argument("--strategies", type=int, default=100)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--gate", action="store_true")
    parser.add_argument("--write", action="store_true", help="write benchmarks/compile_time/expected")
    options = parser.parse_args()
    options.modes = MODES
    if os.environ.get("ANEW_BENCHMARK_SMOKE", "0") not in ("", "0"):
        options.runs, options.strategies, options.modes = 1, 1, MODES[:1]
    includes = codegen.includes_of(*options.like) if options.like else [f"-I{ROOT / 'include'}"]
    over = []
    for compiler in options.compiler or [c for c in ("g++", "clang++-19") if shutil.which(c)]:
        with tempfile.TemporaryDirectory() as work:
            if not options.write:
                slow = measure(compiler, includes, pathlib.Path(work), options)
                over += slow if options.gate or options.runs >= RUNS_TO_JUDGE else []
            if options.write or options.strategies == REVIEWED_STRATEGIES:
                over += allocations(compiler, includes, pathlib.Path(work), options.write)
    for sentence in over:
        print("over budget:", sentence)
    return 1 if over and options.gate else 0


if __name__ == "__main__":
    sys.exit(main())
