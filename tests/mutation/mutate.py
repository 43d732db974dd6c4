#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Breaks the headers in small ways, one at a time, and looks whether a test notices.

    mutate.py [--header PATTERN]... [--sample N | --spread N] [--seed S] [--jobs J] [--survivors-only] [--most N]
              [--widths] [--list] [--report FILE] [--before FILE] [SOURCE_ROOT]

Every change is a mutant: it is compiled with the tests that cover its header, the nearest first, until one fails
(killed) or all pass (survived). One that does not compile, or lies in code that is not active here, does not count.
Fails when fewer than 90 % of all are killed, or when a survivor is not in survivors.txt. README.md has the rest.
"""
import argparse
import bisect
import concurrent.futures
import fnmatch
import functools
import hashlib
import json
import os
import pathlib
import queue
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE.parent / "mistakes"), str(HERE.parent / "support")]
import mistakes  # noqa: E402
import reject  # noqa: E402

LEAST_SCORE = 0.90
MEMORY = 6 << 30
SECONDS_TO_COMPILE = 240
SECONDS_TO_RUN = 40
FLAGS = ["-std=c++20", "-O0", "-w", '-DANEW_PROJECT_VERSION="0"']
FLAGS_OF = {"gcc": ["-fmax-errors=3", "-fconstexpr-ops-limit=5000000"],
            "clang": ["-ferror-limit=3", "-fconstexpr-steps=5000000"]}

# What is broken: the headers with logic. The concepts and the explanations are judged by tests/static, tests/mistakes.
# --spread draws from all headers, but for these: no test of this machine runs what another system compiles.
OF_OTHER_SYSTEMS = ["anew/base/platform/internal/windows.hpp"]
HEADERS = [
    "anew/base/duration.hpp", "anew/base/random_source.hpp", "anew/policies/sources/*.hpp",
    "anew/drivers/declarations.hpp", "anew/drivers/retry_outcome.hpp", "anew/base/result_traits.hpp",
    "anew/base/failure.hpp", "anew/base/attempt.hpp", "anew/strategy/basic_token.hpp",
    "anew/strategy/basic_strategy.hpp", "anew/base/directive.hpp", "anew/strategy/describe.hpp",
    "anew/strategy/adjusted.hpp", "anew/base/internal/scale.hpp", "anew/base/internal/parameter.hpp",
    "anew/base/internal/text.hpp", "anew/strategy/internal/draw.hpp", "anew/drivers/internal/decide.hpp",
    "anew/drivers/internal/drive.hpp", "anew/drivers/internal/before_attempt.hpp",
    "anew/drivers/internal/last_failure.hpp", "anew/drivers/internal/result_slot.hpp",
    "anew/drivers/internal/retry_loop.hpp", "anew/drivers/internal/loop_basis.hpp",
    "anew/drivers/internal/guarded.hpp", "anew/policies/backoff/*.hpp",
    "anew/policies/jitter/*.hpp", "anew/policies/quota/*.hpp", "anew/policies/classifier/*.hpp",
    "anew/policies/limits/*.hpp", "anew/policies/hint/*.hpp", "anew/policies/gate/*.hpp",
    "anew/policies/nesting/*.hpp", "anew/policies/sharing/*.hpp", "anew/policies/observer/*.hpp",
    "anew/policies/pacer/*.hpp", "anew/policies/hint/retry_after.hpp", "anew/drivers/poll/*.hpp",
    "anew/run_time/virtual/*.hpp", "anew/presets/*.hpp", "anew/policies/history/*.hpp", "anew/ports/aws/*.hpp",
    "anew/ports/smithy_kotlin/*.hpp", "anew/drivers/internal/machine.hpp",
]
# Who is asked after the test of the same name: by pattern, all that fit, in this order.
STORIES = ["unit/drive/stories.test.cpp", "unit/machine/stories.test.cpp"]
DRIVER = [*STORIES, "unit/retry/outcomes.test.cpp", "unit/retry/exceptions.test.cpp", "unit/retry/*.test.cpp"]
NUMBERS = "backoff jitter hint limits history quota gate pacer".split()
MORE_TESTS = [
    *((f"anew/policies/{room}/*.hpp", ["unit/numbers.test.cpp"]) for room in NUMBERS),
    ("anew/base/platform/internal/atomic.hpp", [
        "unit/quota/token_bucket.test.cpp", "unit/quota/striped.test.cpp", "unit/testing.test.cpp"
    ]),
    ("anew/base/internal/scale.hpp", ["unit/backoff.test.cpp", "laws/laws.test.cpp"]),
    ("anew/base/internal/text.hpp", ["unit/hint/retry_after.test.cpp", "unit/value/duration.test.cpp"]),
    ("anew/base/internal/given.hpp", ["unit/numbers.test.cpp"]),
    ("anew/base/internal/parameter.hpp", [
        "unit/numbers.test.cpp", "unit/backoff.test.cpp",
        "unit/max_attempts.test.cpp", "unit/quota/token_bucket.test.cpp", "static/*.cpp"
    ]),
    ("anew/base/duration.hpp", ["unit/numbers.test.cpp", "laws/laws.test.cpp"]),
    ("anew/base/policy_change.hpp", ["unit/gate/changes.test.cpp"]),
    ("anew/base/random_source.hpp", ["unit/value/random.test.cpp", "laws/random.test.cpp", "laws/laws.test.cpp"]),
    ("anew/policies/sources/*.hpp", ["unit/value/random.test.cpp", "laws/random.test.cpp"]),
    ("anew/base/failure.hpp", ["unit/classifier/retry.test.cpp", "unit/retry/hints.test.cpp"]),
    ("anew/base/attempt.hpp", ["unit/retry/attempt.test.cpp", STORIES[0], "unit/retry/stop.test.cpp"]),
    ("anew/base/result_traits.hpp", [
        "unit/drive/explain_result.test.cpp", "unit/retry/outcomes.test.cpp", "static/concepts.cpp"
    ]),
    ("anew/base/refused_result.hpp", ["asio/async_retry.test.cpp", "asio/begin_anywhere.test.cpp"]),
    ("anew/base/directive.hpp", ["unit/value.test.cpp", "unit/classifier/retry.test.cpp"]),
    ("anew/strategy/internal/deciding.hpp", [*STORIES, "unit/gate/changes.test.cpp"]),
    ("anew/strategy/internal/lazy_now.hpp", ["unit/drive/clock_reads.test.cpp"]),
    ("anew/strategy/basic_token.hpp", [
        STORIES[0], "laws/token.test.cpp", "static/sizes.cpp", *DRIVER
    ]),
    ("anew/strategy/basic_strategy.hpp", [
        STORIES[0], "unit/gate/changes.test.cpp", "unit/compose.test.cpp", "laws/decision.test.cpp",
        "laws/token.test.cpp", "unit/retry/hints.test.cpp", "unit/retry/gate.test.cpp", "unit/reset/*.test.cpp",
        "unit/nesting.test.cpp", "unit/backoff.test.cpp", "unit/max_attempts.test.cpp", "unit/quota/*.test.cpp",
        "unit/redis/redis_bucket.test.cpp",
        "unit/hint.test.cpp", "unit/retry/deadline.test.cpp", "unit/retry/throwing_parts.test.cpp",
        "unit/retry/cost.test.cpp", "laws/laws.test.cpp", "static/*.cpp"
    ]),
    ("anew/strategy/internal/draw.hpp", [
        "unit/backoff.test.cpp", "unit/jitter.test.cpp", "unit/compose.test.cpp"
    ]),
    ("anew/drivers/internal/before_attempt.hpp", [
        *STORIES, "unit/retry/gate.test.cpp", "unit/testing.test.cpp"
    ]),
    ("anew/drivers/internal/last_failure.hpp", [*STORIES, "unit/retry/gate.test.cpp", "unit/retry/stop.test.cpp"]),
    ("anew/drivers/internal/stop.hpp", ["unit/retry/stop.test.cpp"]),
    ("anew/drivers/internal/loop_basis.hpp", ["unit/drive/shared_loop.test.cpp"]),
    ("anew/drivers/internal/[acdglr]*.hpp", [*DRIVER, "unit/drive/shared_loop.test.cpp"]),
    ("anew/drivers/internal/machine.hpp", [STORIES[1], "unit/machine/*.test.cpp"]),
    ("anew/drivers/internal/decide.hpp", [
        "laws/decision.test.cpp", "unit/history/*.test.cpp", "unit/testing.test.cpp"
    ]),
    ("anew/policies/backoff/nested.hpp", ["unit/backoff.test.cpp", "unit/compose/notation/*.test.cpp"]),
    ("anew/policies/backoff/internal/explain_inner.hpp", ["unit/backoff.test.cpp", "unit/numbers.test.cpp"]),
    ("anew/policies/classifier/internal/combination.hpp", [
        "unit/classifier/combined.test.cpp", "laws/combinations.test.cpp", "unit/classifier/retry.test.cpp"
    ]),
    ("anew/policies/classifier/any_of.hpp", ["laws/combinations.test.cpp"]),
    ("anew/policies/classifier/http_status.hpp", ["unit/classifier/http_answer.test.cpp", "unit/curl/easy.test.cpp"]),
    ("anew/bounds/*.hpp", ["unit/bounds.test.cpp", "laws/bounds.test.cpp"]),
    ("anew/bounds/internal/*.hpp", ["unit/bounds.test.cpp", "laws/bounds.test.cpp"]),
    ("anew/policies/pacer/*.hpp", [
        "unit/pacer/*.test.cpp", "laws/pacers.test.cpp", "conformance/adaptive_rate.test.cpp"
    ]),
    ("anew/drivers/poll/*.hpp", ["unit/poll/*.test.cpp"]),
    ("anew/run_time/virtual/*.hpp", ["unit/virtual/*.test.cpp"]),
    ("anew/presets/aws/*.hpp", ["unit/aws/preset/*.test.cpp", "conformance/presets.test.cpp"]),
    ("anew/ports/aws/*.hpp", ["unit/aws/settings/*.test.cpp", "unit/aws/*.test.cpp", "unit/aws/*/*.test.cpp"]),
    ("anew/presets/*.hpp", ["conformance/presets.test.cpp", "unit/preset.test.cpp", "unit/preset/*.test.cpp"]),
    ("anew/policies/gate/internal/breaker_word.hpp", [
        "unit/gate/circuit_breaker.test.cpp", "unit/gate/rate_breaker.test.cpp", "laws/progress_breakers.depth.cpp"
    ]),
    ("anew/policies/gate/internal/failure_window.hpp", [
        "unit/gate/rate_breaker.test.cpp", "laws/progress_breakers.depth.cpp"
    ]),
    ("anew/policies/gate/internal/breaker_word.hpp", ["laws/progress_breakers.depth.cpp"]),
    ("anew/policies/quota/internal/counted_tenths.hpp", [
        "unit/quota/retry_budget.test.cpp", "unit/process/life.test.cpp", "laws/quotas.test.cpp",
        "laws/progress_budget.depth.cpp"
    ]),
    ("anew/policies/quota/retry_budget.hpp", ["laws/progress_budget.depth.cpp"]),
    ("anew/policies/quota/refilling_bucket.hpp", ["laws/progress_buckets.depth.cpp"]),
    ("anew/policies/observer/prometheus*.hpp", ["unit/observer_metrics.test.cpp"]),
    ("anew/policies/history/history.hpp", ["unit/history/history.test.cpp"]),
    ("anew/policies/sharing/internal/forwarded.hpp", ["unit/sharing.test.cpp", "unit/compose.test.cpp"]),
    ("anew/policies/sharing/internal/*.hpp", ["unit/sharing/keyed_hash.test.cpp"]),
    ("anew/policies/sharing/borrowed.hpp", ["unit/compose.test.cpp"]),
    ("anew/bridges/asio/internal/hedge_*.hpp", ["asio/lifetimes.test.cpp", "asio/async_hedge.test.cpp"]),
    ("anew/bridges/asio/async_hedge.hpp", ["asio/async_hedge.test.cpp"]),
    ("anew/bridges/asio/*timer*.hpp", ["asio/coarse_timers.test.cpp"]),
    ("anew/bridges/asio/*poll*.hpp", ["asio/async_poll.test.cpp"]),
    ("anew/bridges/asio/internal/read_completion.hpp", ["asio/tokens.test.cpp", "asio/async_retry.test.cpp"]),
    ("anew/bridges/asio/internal/call_block.hpp", ["asio/kept_block.test.cpp"]),
    ("anew/bridges/asio/*.hpp", [
        "asio/async_retry_ends.test.cpp", "asio/lifetimes.test.cpp", "asio/async_retry.test.cpp",
        "asio/async_hedge.test.cpp", "asio/calls.test.cpp", "asio/asio_awaitable.test.cpp",
        "asio/thread_pool.test.cpp", "asio/tokens.test.cpp", "asio/stories.test.cpp", "asio/begin_anywhere.test.cpp"
    ]),
    ("anew/policies/sources/*.hpp", ["unit/retry/sleepers.test.cpp", "unit/retry/stop.test.cpp"]),
    ("anew/policies/quota/*striped*.hpp", ["unit/quota/striped.test.cpp"]),
    ("anew/policies/quota/*.hpp", ["laws/quotas.test.cpp"]),
    ("anew/policies/gate/*.hpp", ["laws/gates.test.cpp"]),
    ("anew/policies/gate/adaptive_concurrency.hpp", ["unit/bounds.test.cpp"]),
    ("anew/policies/gate/striped_client_throttle.hpp", ["unit/gate/client_throttle.test.cpp"]),
    ("anew/policies/pacer/striped_client_rate_limiter.hpp", ["unit/pacer/client_rate_limiter.test.cpp"]),
    ("anew/policies/limits/max_attempts*.hpp", ["unit/max_attempts.test.cpp"]),
    ("anew/policies/limits/deadline.hpp", ["unit/retry/deadline.test.cpp"]),
    ("anew/policies/limits/*.hpp", ["unit/retry/attempt_timeout.test.cpp"]),
    ("anew/policies/hint/*.hpp", ["unit/retry/hints.test.cpp", "laws/decision.test.cpp"]),
    ("anew/policies/classifier/retry_*.hpp", ["unit/classifier/retry.test.cpp"]),
    ("anew/policies/classifier/*_status*.hpp", ["unit/classifier/statuses.test.cpp"]),
    ("anew/policies/classifier/*_of.hpp", ["unit/classifier/combined.test.cpp"]),
    ("anew/policies/classifier/*.hpp", [
        "unit/classifier/combined.test.cpp", "unit/retry/exceptions.test.cpp", "unit/retry/idempotent.test.cpp"
    ]),
    ("anew/strategy/internal/deciding.hpp", [
        "laws/decision.test.cpp", "unit/machine/retry_machine.test.cpp", *DRIVER
    ]),
    ("anew/run_time/internal/choice_*.hpp", ["unit/compose/choice.test.cpp"]),
    ("anew/strategy/internal/explain*.hpp", ["static/composition.cpp"]),
    ("anew/state/*.hpp", ["unit/compose/snapshot.test.cpp"]),
    ("anew/text/internal/strategy_reader.hpp", ["unit/json.test.cpp"]),
    ("anew/text/*.hpp", ["unit/compose/notation/*.test.cpp"]),
    ("anew/strategy/re*.hpp", ["unit/compose/snapshot.test.cpp", "unit/quota/striped.test.cpp"]),
    ("anew/bridges/ranges/schedule.hpp", ["unit/schedule/schedule.test.cpp"]),
    ("anew/roles/*.hpp", [
        "static/concepts.cpp", "static/concepts_gate_to_history.cpp", "static/concepts_optional_roles.cpp",
        "static/composition.cpp"
    ]),
    ("anew/roles/quota.hpp", ["unit/quota/token_bucket.test.cpp"]),
    ("anew/roles/internal/catalogue.hpp", ["static/calls.cpp"]),
    ("anew/roles/internal/several.hpp", ["unit/classifier/combined.test.cpp"]),
    ("anew/roles/for_kind.hpp", ["unit/backoff.test.cpp"]),
    ("anew/bridges/coroutine/*.hpp", ["unit/coroutine/results.test.cpp", "unit/coroutine/cancellation.test.cpp"]),
    ("anew/drivers/call_engine.hpp", ["unit/hedge/stories.test.cpp", *DRIVER]),
    ("anew/drivers/internal/before_attempt.hpp", [
        "unit/retry/attempt_timeout.test.cpp", "unit/drive/clock_reads.test.cpp", *DRIVER
    ]),
    ("anew/drivers/internal/e*.hpp", ["unit/drive/explain_result.test.cpp", "static/calls.cpp", *DRIVER]),
    ("anew/drivers/re*.hpp", ["unit/retry/outcome_report.test.cpp", "unit/machine/retry_machine.test.cpp", *DRIVER]),
    ("anew/drivers/hedge/*.hpp", [
        "unit/hedge/stories.test.cpp", "unit/hedge/hedge_machine.test.cpp"
    ]),
    ("anew/bridges/http/retry_after_field.hpp", ["unit/http/retry_after_or_reset.test.cpp"]),
    ("anew/bridges/http/*.hpp", ["unit/curl/easy.test.cpp", "unit/beast/connection.test.cpp"]),
    ("anew/bridges/beast/*.hpp", ["unit/beast/connection.test.cpp"]),
    ("anew/bridges/curl/answer_head.hpp", ["unit/curl/head.test.cpp"]),
    ("anew/bridges/curl/*.hpp", ["unit/curl/easy.test.cpp", "unit/curl/multi.test.cpp"]),
    ("anew/text/json/internal/*.hpp", ["unit/json.test.cpp"]),
    ("anew/base/platform/internal/fork.hpp", ["laws/fork.test.cpp"]),
    ("anew/base/platform/internal/[mp]*.hpp", ["unit/platform.test.cpp", "unit/value/random.test.cpp"]),
    ("anew/base/platform/internal/stripe.hpp", ["unit/quota/striped.test.cpp"]),
    ("anew/bridges/redis/redis_tls.hpp", ["redis/probe.cpp"]),
    ("anew/bridges/redis/internal/socket.hpp", ["redis/probe.cpp"]),
    ("anew/bridges/redis/execute.hpp", ["redis/commands.cpp", "unit/redis/result.test.cpp"]),
    ("anew/bridges/redis/internal/*.hpp", [
        "unit/redis/redis_that_misbehaves.test.cpp", "unit/redis/redis_bucket.test.cpp", "unit/redis/socket.test.cpp",
        "unit/redis/fleet_bucket.test.cpp"
    ]),
    ("anew/testing/laws/*.hpp", ["laws/kit_finds.test.cpp", "unit/testing.test.cpp", "laws/kit.test.cpp"]),
]
# Where the tests of a folder lie in tests/unit, unless in one of its name.
FOLDER_OF_TESTS = {"base": "value", "roles": "concept", "strategy": "compose", "text": "compose/notation",
                   "words": "compose/notation",
                   "run_time": "compose", "state": "compose", "drivers": "drive", "presets": "preset",
                   "ranges": "schedule", "limits": "retry", "sources": "retry"}
LAST_TESTS = ["laws/laws.test.cpp", "static/composition.cpp", "static/sizes.cpp", "static/concepts.cpp"]

# ---------------------------------------------------------------------------------------------------------------------
# The mutants of a header

RELATIONAL = {"<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"), "==": ("!=",), "!=": ("==",)}
OTHER = {"+": "-", "-": "+", "*": "/", "/": "*", "%": "*", "<<": ">>", ">>": "<<", "&": "|", "|": "&", "^": "&",
         "&&": "||", "||": "&&", "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "%=": "*=", "<<=": ">>=",
         ">>=": "<<=", "&=": "|=", "|=": "&=", "^=": "|=", "++": "--", "--": "++"}
TOKEN = re.compile(r"<=>|<<=|>>=|->\*?|\.\.\.|::|[<>=!+\-*/%&|^]=|<<|>>|&&|\|\||\+\+|--|[<>+\-*/%&|^!]")
NUMBER = re.compile(r"(?<![\w.'])(0[xX][0-9a-fA-F']+|\d[\d']*)(\.\d[\d']*)?([a-zA-Z_]*)(?![\w'])")
LITERAL = re.compile(r'R"(?P<mark>\w*)\(.*?\)(?P=mark)"|'
                     r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|(?<![\w'])'(?:\\.|[^'\\\n])+'", re.S)
NO_STATEMENT = re.compile(r"(?:return|if|else|for|while|do|switch|case|default|break|continue|goto|try|catch|throw|"
                          r"using|typedef|static_assert|friend|template|public|private|protected|static|constexpr|auto|"
                          r"const|inline|explicit|enum|struct|class|union|namespace|requires|asm|extern|virtual)\b")
DECLARATION = re.compile(r"(?:::)?\w[\w:]*(?:<.*>)?[*&]*\s+(?:const\s+)?[*&]*\w+\s*[={(;\[]", re.S)
OPENING, CLOSING = "([{", ")]}"


class Mutant:
    """One change of one header. `before` and `after` are the lines concerned, in one line each."""

    def __init__(self, header, text, begin, end, replacement):
        self.header, self.begin, self.end, self.explains = header, begin, end, False
        self.text = text[:begin] + replacement + text[end:]
        first, last = text.rfind("\n", 0, begin) + 1, text.find("\n", end)
        self.before = " ".join(text[first:last].split())
        self.after = " ".join((text[first:begin] + replacement + text[end:last]).split())
        self.line = text.count("\n", 0, begin) + 1
        self.last_line = text.count("\n", 0, end) + 1
        self.name = (header, self.before, self.after)
        code = LITERAL.sub(lambda m: "" if m.group().startswith("/") else m.group(), self.text)
        self.hash = hashlib.sha256(f"{header}\0{' '.join(code.split())}".encode()).hexdigest()[:24]


class Code:
    """A header with comments, literals and directives blanked, and the meaning of its brackets."""

    def __init__(self, text):
        self.text = text
        self.strings, self.chars = [], []
        code = re.sub(r"(?m)^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", self._blank, text)
        code = LITERAL.sub(self._literal, code)
        self.code = code
        # The format tells the two meanings of < and > apart: an operator has blanks around it.
        self.angles = {}
        for match in TOKEN.finditer(code):
            if match.group() in ("<", ">", ">>"):
                at, end = match.span()
                spaced = code[at - 1].isspace() and code[end].isspace() and not code[:at].rstrip().endswith("template")
                if not spaced:
                    for i in range(at, end):
                        self.angles[i] = code[i]
        self.parameters = [self._through_angles(m.end() - 1) for m in re.finditer(r"\btemplate\s*<", code)]
        self.left_out = [(m.start(), self.close_of(m.end() - 1)) for m in
                         re.finditer(r"\b(?:static_assert|asm(?: volatile)?|__attribute__)\s*(\()", code)]
        # A number that only tells members apart, and names of directions in attributes.
        self.left_out += [m.span(1) for m in re.finditer(r"\bparameter<[^<>;]*, \w+, (\d+)[,>]", code)]
        self.left_out += [m.span() for m in re.finditer(r"\[\[.*?\]\]", code)]
        # Whether a default constructor can be made of its members: without the question it is deleted all the same.
        self.left_out += [m.span() for m in re.finditer(r"\brequires\b[^;{}]*?=\s*default\s*;", code)
                          if "run_time" not in m.group() and "is_static" not in m.group()]
        self.left_out += [m.span() for m in re.finditer(r"\bis_default_constructible =[^;]*;", code)]

    @staticmethod
    def _blank(match):
        return re.sub(r"[^\n]", " ", match.group())

    def _literal(self, match):
        if match.group().startswith('R"'):
            return "".join(c if c == "\n" or c == '"' else " " for c in match.group())
        if match.group()[0] == '"':
            self.strings.append(match.span())
            return '"' + " " * (len(match.group()) - 2) + '"'
        if match.group()[0] == "'":
            self.chars.append(match.span())
        return self._blank(match)

    def _through_angles(self, at):
        depth = 0
        for i in range(at, len(self.code)):
            depth += {"<": 1, ">": -1}.get(self.angles.get(i), 0)
            if depth == 0:
                return at, i + 1
        return at, len(self.code)

    def close_of(self, at):
        """The end of the bracket that opens at `at`."""
        depth = 0
        for i in range(at, len(self.code)):
            depth += (self.code[i] in OPENING) - (self.code[i] in CLOSING)
            if depth == 0:
                return i + 1
        return len(self.code)

    def in_parameters(self, at):
        return any(begin <= at < end for begin, end in self.parameters)

    def is_left_out(self, at):
        return any(begin <= at < end for begin, end in self.left_out)

    def ternary(self, at):
        """The two branches of the `?` at `at`, as spans without the blanks around them."""
        depth, nested, colon = 0, 0, None
        for i in range(at + 1, len(self.code)):
            c = self.code[i]
            angle = self.angles.get(i)
            if depth == 0 and (c in CLOSING or c in ";," or angle == ">"):
                break
            depth += (c in OPENING or angle == "<") - (c in CLOSING or angle == ">")
            if depth == 0 and c == "?":
                nested += 1
            elif depth == 0 and c == ":" and ":" not in (self.code[i - 1], self.code[i + 1]):
                if nested == 0 and colon is None:
                    colon = i
                else:
                    nested -= 1
        if colon is None:
            return None
        return self.stripped(at + 1, colon), self.stripped(colon + 1, i)

    def stripped(self, begin, end):
        part = self.code[begin:end]
        return begin + len(part) - len(part.lstrip()), end - len(part) + len(part.rstrip())

    def statements(self):
        """Spans of statements in function bodies, each with whether its function returns a bool."""
        code = self.code
        for begin, end in self.parameters:
            code = code[:begin] + " " * (end - begin) + code[end:]
        stack, start, parens, found = [], 0, 0, []
        for i, c in enumerate(code):
            if c in "([":
                parens += 1
            elif c in ")]":
                parens -= 1
                # What follows `if (...)` is a statement of its own.
                if parens == (stack[-1][2] if stack else 0) and re.match(r"\s*(?:if|for|while)\b", code[start:i]):
                    start = i + 1
            elif c == "{":
                head = code[start:i]
                question = re.search(r"\brequires\s*(?:\((?:[^()]|\([^()]*\))*\))?\s*$", head)
                lambda_ = re.search(r"\[[^\[\]]*\]\s*(?:\([^()]*\))?[^()]*$", head)
                names = re.search(r"\b(?:namespace|class|struct|union|enum)\b", head)
                if question or (names and not head.rstrip().endswith(")")):
                    kind = ("scope", False)
                elif lambda_:
                    kind = ("body", "-> bool" in lambda_.group())
                elif stack and stack[-1][0] == "body" and re.search(r"[\w>=(,]\s*$", head) and not re.search(
                        r"\b(?:else|do|try)\s*$", head):
                    kind = ("braces", False)
                elif stack and stack[-1][0] in ("body", "braces"):
                    kind = stack[-1][:2]
                elif re.search(r"[\w>]$", head.rstrip()) and not re.search(r"\b(?:const|noexcept|override)$",
                                                                             head.rstrip()) and "(" not in head:
                    kind = ("braces", False)
                else:
                    kind = ("body", bool(re.search(r"\bbool\s+\w+\s*\(|\boperator bool\s*\(", head)))
                stack.append((*kind, parens, start))
                if kind[0] != "braces":
                    start = i + 1
            elif c == "}" and stack:
                kind = stack.pop()
                parens = kind[2]
                start = kind[3] if kind[0] == "braces" else i + 1
            elif c == ";" and parens == (stack[-1][2] if stack else 0):
                if stack and stack[-1][0] == "body":
                    begin, end = self.stripped(start, i + 1)
                    begin += len(re.match(r"(?:else\s+)?", code[begin:end]).group())
                    found.append((begin, end, stack[-1][1]))
                start = i + 1
        return found


def numbers(match):
    whole, fraction, suffix = match.groups()
    if fraction:
        value = float(whole.replace("'", ""))
        return [f"{whole}{fraction}{suffix} + 1"] + ([f"0.0{suffix}"] if value else [])
    value = int(whole.replace("'", ""), 0)
    return [f"{n}{suffix}" for n in sorted({value + 1, max(value - 1, 0), 0} - {value})]


def widths_of(header, text):
    """One bit less and one bit more in each field of a packed word: constants that are named `..._bits`."""
    made = []
    for match in re.finditer(r"\b\w+_bits = (\d+);", Code(text).code):
        made += [Mutant(header, text, *match.span(1), str(int(match.group(1)) + change)) for change in (-1, 1)]
    return made


def mutants_of(header, text):
    source = Code(text)
    code = source.code
    spots = []  # (begin, end, replacement)

    for match in TOKEN.finditer(code):
        token, (at, end) = match.group(), match.span()
        spaced = code[at - 1].isspace() and code[end].isspace()
        if source.in_parameters(at) or at in source.angles or re.search(r"\boperator\s*$", code[:at]):
            continue
        if token in RELATIONAL and spaced:
            spots += [(at, end, new) for new in RELATIONAL[token]]
        elif token == "!" or (token == "-" and not code[end].isspace() and
                              re.search(r"[(,={?:<>&|+*/%-]$|\breturn$", code[:at].rstrip())):
            spots.append((at, end, ""))
        elif token in ("++", "--") or (token in OTHER and spaced):
            spots.append((at, end, OTHER[token]))
    for match in NUMBER.finditer(code):
        spots += [(*match.span(), new) for new in numbers(match)]
    for match in re.finditer(r"\b(?:true|false)\b", code):
        spots.append((*match.span(), "false" if match.group() == "true" else "true"))
    for match in re.finditer(r"\b(smaller|larger)(?=\()|(?<=::)(min|max)(?=\(\))", code):
        other = {"smaller": "larger", "larger": "smaller", "min": "max", "max": "min"}
        if not re.search(r"\bT $", code[:match.start()]):
            spots.append((*match.span(), other[match.group()]))
    for begin, end in source.strings:
        spots.append((end - 1, end - 1, "?"))
    for begin, end in source.chars:
        old = text[begin + 1:end - 1]
        spots.append((begin, end, "'x'" if old.startswith("\\") else f"'{chr(ord(old) + 1)}'"))
    for match in re.finditer(r"\?", code):
        branches = source.ternary(match.start())
        if branches:
            (a, b), (c, d) = branches
            spots.append((a, d, text[c:d] + text[b:c] + text[a:b]))
    for match in re.finditer(r"\b(?:if|while)\s*(?:constexpr\s*)?(\()", code):
        begin, end = match.end(), source.close_of(match.end() - 1) - 1
        condition = code[begin:end]
        if not re.search(r"!|[<>=]=| [<>] |&&|\|\||;| = ", condition) and condition.strip():
            spots.append((begin, end, f"!({text[begin:end]})"))
    for begin, end, in_bool in source.statements():
        statement = code[begin:end]
        value = re.fullmatch(r"return\s+(.*);", statement, re.S)
        if value and in_bool:
            spots += [(begin, end, f"return {new};") for new in ("true", "false") if new != value.group(1).strip()]
        elif ("(" in statement or " = " in statement) and not NO_STATEMENT.match(statement) and not DECLARATION.match(
                statement):
            spots.append((begin, end, ";"))

    explanations = [(m.start(), source.close_of(m.end() - 1))
                    for m in re.finditer(r"\b(?:void|bool) explain\w*\(\)\s*(\{)", code)]
    made = {}
    for begin, end, replacement in sorted(set(spots)):
        if not source.is_left_out(begin):
            mutant = Mutant(header, text, begin, end, replacement)
            mutant.explains = any(first <= begin < last for first, last in explanations)
            if mutant.text != text:
                made.setdefault(mutant.hash, mutant)
    return list(made.values())


def code_lines(text):
    code = LITERAL.sub(lambda m: "" if m.group().startswith("/") else m.group(), text)
    return sum(1 for line in code.splitlines() if line.strip())


def spread(texts, mutants, number, seed):
    """So many mutants of all rooms in proportion to their lines of code, at least one of each that has any.

    Which ones, depends on the seed and on the mutant's name: a change elsewhere leaves the rest of the sample as it is.
    """
    lines, drawn = {}, {}
    for header, text in texts.items():
        room = header.split("/")[1]
        lines[room] = lines.get(room, 0) + code_lines(text)
        drawn.setdefault(room, []).extend(mutants[header])
    lines = {room: count for room, count in lines.items() if drawn[room]}
    exact = {room: number * count / sum(lines.values()) for room, count in lines.items()}
    share = {room: min(max(1, int(exact[room])), len(drawn[room])) for room in lines}
    for room in sorted(lines, key=lambda name: (int(exact[name]) - exact[name], name)):
        if sum(share.values()) < number and share[room] < len(drawn[room]):
            share[room] += 1
    chosen = {}
    for room, count in share.items():
        by_name = sorted(drawn[room], key=lambda m: (hashlib.sha256("\0".join((seed, *m.name)).encode()).hexdigest(),
                                                     m.line))
        for mutant in by_name[:count]:
            chosen.setdefault(mutant.header, []).append(mutant)
    return {header: sorted(found, key=lambda m: m.line) for header, found in sorted(
        chosen.items(), key=lambda item: hashlib.sha256((seed + item[0]).encode()).hexdigest())}


def drawn(root, number, seed):
    """A sample of all headers but those for other systems."""
    include = root / "include"
    headers = sorted(path.relative_to(include).as_posix() for path in include.rglob("*.hpp"))
    texts = {header: (include / header).read_text(encoding="utf-8") for header in headers
             if header not in OF_OTHER_SYSTEMS}
    return spread(texts, {header: mutants_of(header, text) for header, text in texts.items()}, number, seed)


def those_of(report, mutants):
    """The mutants of an earlier report, by their names; of several with one name the nearest line."""
    chosen = {}
    for row in report:
        name = row["header"], row["before"], row["after"]
        there = [m for m in mutants.get(row["header"], []) if m.name == name and m not in chosen.get(row["header"], [])]
        if there:
            chosen.setdefault(row["header"], []).append(min(there, key=lambda m: abs(m.line - row["line"])))
    return chosen


# ---------------------------------------------------------------------------------------------------------------------
# The tests of a mutant

SERVER = "support/misbehaving_server.hpp"
FINDS_FAILURES = "kit_finds"  # this test has a main, which expects them
# Programs that a script runs beside a server: the script, and what it is told after the program.
SCRIPTS = {"tests/redis/probe.cpp": ["tests/redis/run_edges.py", "redis-server", "openssl"],
           "tests/redis/commands.cpp": ["tests/redis/run_commands.py", "redis-server", "8", "3"]}
PRELUDE = """#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <variant>
#include <vector>
#if __has_include(<boost/hana/basic_tuple.hpp>)
#include <boost/hana/basic_tuple.hpp>
#include <boost/hana/type.hpp>
#include <boost/hana/unpack.hpp>
#endif
"""
PRELUDE_OF_ASIO = PRELUDE + """#include <boost/asio.hpp>
"""
USES_ASIO = re.compile(r"#include [<\"](?:boost/(?:asio|beast)|anew/(?:asio|beast))")
# Libraries that some tests are linked with, where they are.
LIBRARIES = ["crypto", "curl", "hiredis", "pq", "prometheus-cpp-core", "sqlite3", "ssl"]
# Errors by which a test says no while it is compiled.
REFUSED = re.compile(r"static assertion failed|constant expression|non-constant condition|overflow in|"
                     r"exceeds (?:limit|maximum)|instantiation depth|in a constant|'constexpr'|"
                     r"not an integral constant")


def run(command, cwd, seconds):
    """Returns (exit code or None after too long, output). Seconds are of the processor, which others use too."""

    def limits():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 5))

    with subprocess.Popen(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace", start_new_session=True, preexec_fn=limits,
                          env={**os.environ, "LC_ALL": "C"}) as process:
        try:
            output, _ = process.communicate(timeout=60 + 2 * seconds)
            too_long = process.returncode in (-signal.SIGXCPU, -signal.SIGKILL)
            return None if too_long else process.returncode, output
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return None, ""


class Workshop:
    """A copy of the tree, the precompiled prelude, and what was found out earlier."""

    def __init__(self, root, build, compiler, jobs):
        self.build, self.compiler = build, compiler
        build.mkdir(parents=True, exist_ok=True)
        self.tree = build / "tree"
        shutil.rmtree(self.tree, ignore_errors=True)
        for part in ("include", "tests", "examples"):
            shutil.copytree(root / part, self.tree / part)
        version = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout
        self.is_clang = "clang" in version
        self.flags = FLAGS + FLAGS_OF["clang" if self.is_clang else "gcc"]
        self.identity = version + " ".join(self.flags)
        project = re.search(r"version: '([^']+)'", (root / "meson.build").read_text(encoding="utf-8")).group(1)
        self.flags = [flag.replace('"0"', f'"{project}"') for flag in self.flags]
        for name, text in (("prelude.hpp", PRELUDE), ("prelude_of_asio.hpp", PRELUDE_OF_ASIO)):
            prelude, made = build / name, build / f"{name}.gch"
            wanted = f"// {hashlib.sha256((version + ' '.join(self.flags)).encode()).hexdigest()}\n{text}"
            if not made.exists() or prelude.read_text() != wanted:
                prelude.write_text(wanted)
                subprocess.run([compiler, *self.flags, "-x", "c++-header", prelude, "-o", made], check=True)
        quick_linker = ["-fuse-ld=lld"] if shutil.which("ld.lld") else []
        self.libraries = [*quick_linker, "-Wl,--as-needed", *(f"-l{name}" for name in LIBRARIES if subprocess.run(
            [compiler, f"-print-file-name=lib{name}.so"], capture_output=True, text=True, check=True
        ).stdout.startswith("/"))]
        self.places = queue.Queue()
        for i in range(jobs):
            place = build / f"place{i}"
            shutil.rmtree(place, ignore_errors=True)
            place.mkdir()
            self.places.put(place)
        self.lock = threading.Lock()
        self.known = {}
        self.log = build / "results"
        if self.log.exists():
            for line in self.log.read_text().splitlines():
                key, _, result = line.partition(" ")
                self.known[key] = result
        self.baseline_lock = threading.Lock()

    def remember(self, key, result):
        with self.lock:
            self.known[key] = result
            with self.log.open("a") as log:
                log.write(f"{key} {result}\n")

    @functools.lru_cache(maxsize=None)
    def text_of(self, test):
        """A test, and what it includes of tests/."""
        here, support = (self.tree / test).parent, self.tree / "tests/support"
        found, todo = {}, [self.tree / test]
        while todo:
            path = todo.pop()
            if path not in found:
                found[path] = path.read_text(encoding="utf-8")
                todo += [folder / name for name in re.findall(r'#include "([^"]+)"', found[path])
                         for folder in (here, path.parent, support) if (folder / name).is_file()]
        return "".join(found[path] for path in sorted(found))

    def key_of(self, mutant, test):
        return hashlib.sha256(
            f"{self.identity}\0{mutant.hash}\0{test}\0{self.text_of(test)}".encode()).hexdigest()[:24]

    def command(self, place, *rest, prelude="prelude.hpp"):
        # The laws in depth run optimised, over an atomic integer that counts its operations.
        depth = any(str(part).endswith(".depth.cpp") for part in rest)
        counted = ["-O2", f"-I{self.tree / 'tests/laws/counted'}"] if depth else []
        return [self.compiler, *self.flags, *counted, *(["-include", self.build / prelude] if not depth else []),
                f"-I{place / 'include'}", f"-I{self.tree / 'include'}", f"-I{self.tree / 'tests/support'}",
                "-I/usr/include/postgresql", *rest]

    def ask(self, place, test):
        """What a test says of the headers in `place`: (passed | failed | hangs | refused, the compiler's words)."""
        path = self.tree / test
        if test.startswith("examples/mistakes/"):
            return self.ask_mistakes(place, path)
        if test.startswith("tests/static/"):
            command = self.command(place, "-fsyntax-only", path, prelude=self.prelude_of(test))
            code, output = run(command, place, SECONDS_TO_COMPILE)
            return ("hangs" if code is None else "passed" if code == 0 else "refused"), output
        code, output = run(self.linking(place, test), place, SECONDS_TO_COMPILE)
        if code != 0:
            return "hangs" if code is None else "refused", output
        return self.ask_program(place, test)

    def linking(self, place, test):
        """The command that makes the program of a test."""
        main = [] if FINDS_FAILURES in test or test in SCRIPTS else ["-lgtest_main"]
        server = [self.server] if SERVER in self.text_of(test) else []
        return self.command(place, self.tree / test, f"-I{self.tree / 'examples'}", *server, "-o", place / "test",
                            *main, "-lgmock", "-lgtest", "-lpthread", *self.libraries, prelude=self.prelude_of(test))

    def ask_program(self, place, test):
        command = [place / "test", *([] if FINDS_FAILURES in test else ["--gtest_brief=1", "--gtest_fail_fast"])]
        if test in SCRIPTS:
            script, *rest = SCRIPTS[test]
            command = [sys.executable, self.tree / script, place / "test", *(shutil.which(one) or one for one in rest)]
        code, output = run(command, place, SECONDS_TO_RUN)
        return ("hangs" if code is None else "passed" if code == 0 else "failed"), output

    def prelude_of(self, test):
        return "prelude_of_asio.hpp" if USES_ASIO.search(self.text_of(test)) else "prelude.hpp"

    def ask_mistakes(self, place, chapter):
        """Both faces of the mistakes of a chapter, as tests/mistakes/reject.py judges them."""
        said = {}

        def compile_it(*options):
            command = self.command(place, "-fsyntax-only", reject.ALL_ERRORS[self.is_clang], *options, chapter)
            said[options] = run(command, place, SECONDS_TO_COMPILE)
            return said[options][1]

        results = reject.judge(chapter, compile_it, self.is_clang, accept=True)
        code, output = said[()]
        if code != 0:
            return "refused", output
        problems = [f"{name} error: {problem}" for name, found, _ in results for problem in found]
        return "failed" if problems else "passed", "\n".join(problems)

    @functools.cached_property
    def server(self):
        """The server that fails as told, which some tests talk to."""
        made = self.build / "server.o"
        subprocess.run([self.compiler, "-std=c++20", "-I", self.tree / "examples", "-I", self.tree / "include", "-c",
                        (self.tree / "examples" / SERVER).with_suffix(".cpp"), "-o", made], check=True)
        return made

    def passes_by_itself(self, test, place):
        """Whether a test passes when nothing is broken: asked once, of those that said no."""
        key = "base-" + hashlib.sha256(f"{self.identity}\0{self.headers}\0{test}\0{self.text_of(test)}"
                                       .encode()).hexdigest()[:24]
        with self.baseline_lock:
            if key not in self.known:
                shutil.rmtree(place / "include", ignore_errors=True)
                answer, output = self.ask(place, test)
                self.remember(key, answer)
                if answer != "passed":
                    first = next((line for line in output.splitlines() if "error" in line or "FAILED" in line), answer)
                    print(f"  not asked: {test} fails by itself: {first.strip()[:160]}", flush=True)
            return self.known[key] == "passed"

    @functools.cached_property
    def headers(self):
        texts = "".join(path.read_text(encoding="utf-8") for path in sorted((self.tree / "include").rglob("*.hpp")))
        return hashlib.sha256(texts.encode()).hexdigest()

    def judge(self, mutant, tests):
        """killed, survived or invalid, and by whom."""
        for test in tests:
            # Who is known to notice, and was not changed since, need not be asked again, nor those before it.
            if self.known.get(self.key_of(mutant, test)) in ("killed", "invalid"):
                return self.known[self.key_of(mutant, test)], test
        place = self.places.get()
        try:
            asked = 0
            for test in tests:
                key = self.key_of(mutant, test)
                if key not in self.known:
                    verdict = self.try_out(place, mutant, test)
                    if verdict == "killed" and not self.passes_by_itself(test, place):
                        continue
                    self.remember(key, verdict)
                asked += 1
                if self.known[key] != "survived":
                    return self.known[key], test
            return ("survived" if asked else "unasked"), ""
        finally:
            self.places.put(place)

    def try_out(self, place, mutant, test):
        overlay = place / "include" / mutant.header
        shutil.rmtree(place / "include", ignore_errors=True)
        overlay.parent.mkdir(parents=True)
        overlay.write_text(mutant.text, encoding="utf-8")
        answer, output = self.ask(place, test)
        if answer == "passed":
            return "survived"
        if answer != "refused":
            return "killed"
        # The compiler says no. That counts where the tests make it: the header by itself is a program.
        if run(self.command(place, "-fsyntax-only", "-x", "c++", overlay), place, SECONDS_TO_COMPILE)[0] != 0:
            return "invalid"
        error = next((line for line in output.splitlines() if re.search(r"\berror:", line)), "")
        where = re.match(r"(.*?):(\d+):", error)
        at_mutant = where and where.group(1).endswith(f"include/{mutant.header}") and (
            mutant.line <= int(where.group(2)) <= mutant.last_line)
        return "invalid" if at_mutant and not REFUSED.search(error) else "killed"

    def active_lines(self, header):
        """The lines of a header that the preprocessor lets through; None where it has no choice."""
        text = (self.tree / "include" / header).read_text(encoding="utf-8")
        if not re.search(r"(?m)^\s*#\s*(?:if|ifdef|elif)\b", text):
            return None
        code, output = run(self.command(self.build, "-E", "-x", "c++", self.tree / "include" / header), self.build,
                           SECONDS_TO_COMPILE)
        if code != 0:
            return None
        lines, here, number = set(), False, 0
        for line in output.splitlines():
            marker = re.match(r'# (\d+) "(.*)"', line)
            if marker:
                number, here = int(marker.group(1)), marker.group(2).endswith(f"include/{header}")
            else:
                if here and line.strip():
                    lines.add(number)
                number += 1
        return lines


@functools.lru_cache(maxsize=None)
def read(path):
    return path.read_text(encoding="utf-8")


@functools.lru_cache(maxsize=None)
def expected_in(chapter):
    return [text for each in mistakes.read(chapter) for text in each.values("expect-error")]


@functools.lru_cache(maxsize=None)
def nearest(tree, header):
    """Tests that include a header by its name."""
    tests = [path for folder in ("unit", "laws", "conformance", "static") for path in
             sorted((tree / "tests" / folder).rglob("*.cpp")) if not path.name.endswith(".depth.cpp")]
    return [path.relative_to(tree / "tests").as_posix() for path in tests
            if re.search(rf'#include [<"]{re.escape(header)}[>"]', read(path))]


@functools.lru_cache(maxsize=None)
def by_mentions(tree, room, name):
    """The tests of a room, those first that mention a name most."""
    tests = sorted((tree / "tests/unit" / room).rglob("*.test.cpp"))
    tests.sort(key=lambda path: -read(path).count(name))
    return [path.relative_to(tree / "tests").as_posix() for path in tests]


def tests_of(tree, header):
    """(tests, the nearest first, each once; the chapters of mistakes that have a message of the header)."""
    path = pathlib.PurePosixPath(header)
    folder = [part for part in path.parts[:-1] if part != "internal"][-1]
    room = FOLDER_OF_TESTS.get(folder, folder)
    wanted = [f"unit/{room}/{path.stem}.test.cpp", f"unit/{room}.test.cpp"]
    own_tests = wanted[:]
    for pattern, tests in MORE_TESTS:
        if fnmatch.fnmatch(header, pattern):
            wanted += tests
    if not any((tree / "tests" / name).exists() for name in own_tests):
        wanted += nearest(tree, header)
    wanted += [*by_mentions(tree, room, path.stem), *LAST_TESTS]
    found = []
    for pattern in wanted:
        for path in sorted((tree / "tests").glob(pattern)):
            name = path.relative_to(tree).as_posix()
            if name not in found:
                found.append(name)
    text = (tree / "include" / header).read_text(encoding="utf-8")
    said = {pathlib.PurePosixPath(header).stem, *re.findall(r'"anew::(\w+)[<:, ]', text)}
    messages = re.sub(r'"\s*"', "", " ".join(re.findall(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*', text)))
    chapters = []  # those that expect most of its messages first
    for path in sorted((tree / "examples/mistakes").glob("*.cpp")):
        expected = expected_in(path)
        said_here = sum(len(one) > 9 and one in messages for one in expected)
        if said_here or any(re.search(rf"anew::{name}\b", " ".join(expected)) for name in said):
            chapters.append((-said_here, path.relative_to(tree).as_posix()))
    return found, [chapter for _, chapter in sorted(chapters)]


# ---------------------------------------------------------------------------------------------------------------------
# The report

def read_survivors(path):
    """Blocks: the header; "- " the line; "+ " the line after the change, one or more; the reason."""
    listed = {}
    blocks = re.split(r"\n\s*\n", re.sub(r"(?m)^#.*\n?", "", path.read_text(encoding="utf-8"))) if path.exists() else []
    for block in filter(str.strip, blocks):
        header, *lines = block.strip().splitlines()
        before = [line[2:].strip() for line in lines if line.startswith("- ")]
        after = [line[2:].strip() for line in lines if line.startswith("+ ")]
        reason = " ".join(line.strip() for line in lines if line[:2] not in ("- ", "+ "))
        if len(before) != 1 or not after or not reason:
            sys.exit(f"{path}: needs one '- ' line, '+ ' lines and a reason:\n{block}")
        for line in after:
            listed[(header.strip(), before[0], line)] = reason
    return listed


def stages_of(build, tree):
    """test file -> "first" or "full", whether a plain build makes its program, as Meson says."""
    told = json.loads(subprocess.run(["meson", "introspect", "--targets", build], capture_output=True, text=True,
                                     check=True).stdout)
    tests = sorted(path.relative_to(tree).as_posix() for path in (tree / "tests").rglob("*.cpp"))
    stages = {}
    for target in told:
        for source in (path for part in target["target_sources"]
                       for path in part.get("sources", []) + part.get("generated_sources", [])):
            path, found = pathlib.Path(source), []
            if path.is_relative_to(build) and path.exists():
                included = re.findall(r"#include\s*[<\"](.+?)[>\"]", path.read_text(encoding="utf-8"))
                found = [test for test in tests for name in included if f"/{test}".endswith("/" + name.lstrip("/"))
                         or name.endswith("/" + test)]
            else:
                found = [test for test in tests if source.endswith("/" + test)]
            for test in found:
                if target["build_by_default"] or test not in stages:
                    stages[test] = "first" if target["build_by_default"] else "full"
    return stages


def compare(before, now):
    """What became of the mutants of an earlier report. Returns how many are not noticed any more."""
    def noticed(row):
        return row["stage"] if row["verdict"] == "killed" else row["verdict"]

    changes, lost = {}, 0
    by_name = {}
    for row in now:
        by_name.setdefault((row["header"], row["before"], row["after"]), row)
    for row in before:
        other = by_name.get((row["header"], row["before"], row["after"]))
        change = noticed(row), noticed(other) if other else "gone"
        changes[change] = changes.get(change, 0) + 1
        if row["verdict"] == "killed" and other and other["verdict"] in ("survived", "unasked"):
            lost += 1
            print(f"LOST {row['header']}:{other['line']}, killed before by {row['killer']}\n    - {row['before']}\n"
                  f"    + {row['after']}")
        elif row["verdict"] == "survived" and other and other["verdict"] == "killed":
            print(f"gained {row['header']}:{other['line']}, killed by {other['killer']}: {row['after']}")
        elif change == ("first", "full"):
            print(f"later {row['header']}:{other['line']}, killed by {row['killer']} before, by {other['killer']} now: "
                  f"{row['after']}")
    for (old, new), count in sorted(changes.items()):
        print(f"{old:>9} -> {new:9} {count}")
    return lost


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", default=HERE.parent.parent, type=pathlib.Path)
    parser.add_argument("--header", action="append", help="a header or a pattern, 'anew/drivers/*.hpp'; repeatable")
    parser.add_argument("--sample", type=int, help="so many mutants of each header")
    parser.add_argument("--spread", type=int, help="so many mutants of all headers, in proportion to their lines")
    parser.add_argument("--seed", default="0")
    parser.add_argument("--jobs", type=int, choices=(1, 2), default=1)
    parser.add_argument("--list", action="store_true", help="print the mutants and the tests, run nothing")
    parser.add_argument("--survivors-only", action="store_true",
                        help="believe what was killed before, whatever became of the tests")
    parser.add_argument("--widths", action="store_true",
                        help="only the fields of packed words, a bit narrower and a bit wider, the laws in depth first")
    parser.add_argument("--most", type=int, help="ask so many tests at most: more survive than should")
    parser.add_argument("--report", type=pathlib.Path, help="write what became of each mutant, as it goes, in JSON")
    parser.add_argument("--before", type=pathlib.Path, help="ask again about the mutants of such a report, and "
                        "compare; fails for what is not noticed any more")
    parser.add_argument("--stages", type=pathlib.Path, help="a configured build of SOURCE_ROOT: name the stage of each "
                        "killer")
    parser.add_argument("--build", type=pathlib.Path, help="where to work; build/mutation unless given")
    parser.add_argument("--compiler", default="g++")
    args = parser.parse_args()
    root = args.root.resolve()
    listed = read_survivors(HERE / "survivors.txt")
    there = sorted(p.relative_to(root / "include").as_posix() for p in (root / "include").rglob("*.hpp"))
    before = json.loads(args.before.read_text(encoding="utf-8")) if args.before else []
    patterns = args.header or (["*"] if args.spread or args.before else HEADERS)
    headers = [h for h in there if any(fnmatch.fnmatch(h, p) or h == f"anew/{p}" for p in patterns)
               and not (args.spread and h in OF_OTHER_SYSTEMS)]
    if args.before:
        asked_before = {row["header"] for row in before}
        headers = [h for h in headers if h in asked_before]

    build = (args.build or root / "build/mutation").resolve()
    shop = None if args.list else Workshop(root, build, args.compiler, args.jobs)
    tree = root if args.list else shop.tree
    stages = stages_of(args.stages.resolve(), root) if args.stages else {}
    rows, unlisted, seen, told = [], [], set(), []
    texts = {header: (tree / "include" / header).read_text(encoding="utf-8") for header in headers}
    of = {header: widths_of(header, text) if args.widths else mutants_of(header, text)
          for header, text in texts.items()}
    if args.before:
        of = those_of(before, of)
    elif args.spread:
        of = spread(texts, of, args.spread, args.seed)
    for header, mutants in of.items():
        if not args.widths and not args.spread and not args.before:
            names = {mutant.name for mutant in mutants}
            seen |= {name for name in listed if name[0] == header and name not in names}
        if args.sample is not None and args.sample < len(mutants):
            chosen = random.Random(f"{args.seed}:{header}").sample(range(len(mutants)), args.sample)
            mutants = [mutants[i] for i in sorted(chosen)]
        tests, chapters = tests_of(tree, header)
        if args.widths:
            tests.sort(key=lambda test: not test.endswith(".depth.cpp"))
        if args.list:
            print(f"{header}: {len(mutants)} mutants; {' '.join(tests + chapters)}")
            for m in mutants:
                print(f"  {header}:{m.line}\n    - {m.before}\n    + {m.after}")
            continue
        if not mutants:
            continue
        active = shop.active_lines(header)

        def judge(mutant):
            if active is not None and not active & set(range(mutant.line, mutant.last_line + 1)):
                return "invalid", "not active"
            last = shop.known.get("last-" + mutant.hash)
            if args.survivors_only and last in ("killed", "invalid"):
                return last, "before"
            asked = chapters + tests if mutant.explains else tests + chapters
            verdict, by = shop.judge(mutant, asked[:args.most])
            if last != verdict:
                shop.remember("last-" + mutant.hash, verdict)
            return verdict, by

        def report(mutant):
            verdict, by = judge(mutant)
            told.append({"header": header, "line": mutant.line, "before": mutant.before, "after": mutant.after,
                         "verdict": verdict, "killer": by, "stage": stages.get(by, "full") if by else ""})
            if args.report:
                args.report.write_text(json.dumps(told, indent=1), encoding="utf-8")
            return verdict, by

        begin = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            verdicts = list(pool.map(report, mutants))
        count = {kind: sum(v == kind for v, _ in verdicts) for kind in ("killed", "survived", "invalid", "unasked")}
        rows.append((header, count))
        print(f"{header}: {count['killed']} killed, {count['survived']} survived, {count['invalid']} not counted"
              f"{', no test passes' * bool(count['unasked'])} ({time.monotonic() - begin:.0f} s)", flush=True)
        for mutant, (verdict, by) in zip(mutants, verdicts):
            if args.widths:
                print(f"  {verdict} {header}:{mutant.line}: {mutant.after}{f', by {by}' * bool(by)}", flush=True)
            if verdict == "survived":
                known = listed.get(mutant.name)
                if not known:
                    unlisted.append(mutant)
                print(f"  {'listed' if known else 'SURVIVED'} {header}:{mutant.line}\n    - {mutant.before}\n"
                      f"    + {mutant.after}", flush=True)
            elif mutant.name in listed and verdict == "killed":
                print(f"  listed, but killed: {header}:{mutant.line}: {mutant.after}")
    if args.list:
        return 0
    for name in sorted(seen):
        print(f"listed, but there is no such mutant: {name[0]}: {name[2]}")
    killed = sum(count["killed"] for _, count in rows)
    survived = sum(count["survived"] for _, count in rows)
    print(f"\n{'header':36} {'killed':>7} {'survived':>9} {'not counted':>12} {'score':>7}")
    for header, count in rows:
        of = count["killed"] + count["survived"]
        score = f"{100 * count['killed'] / of:.1f}" if of else "-"
        print(f"{header:36} {count['killed']:7} {count['survived']:9} {count['invalid']:12} {score:>7}")
    score = killed / (killed + survived) if killed + survived else 1
    print(f"{len(rows)} headers, {killed} killed, {survived} survived, {100 * score:.1f} %, "
          f"{len(unlisted)} survivors not listed")
    if args.stages:
        for stage in ("first", "full"):
            print(f"killed by a test of the stage {stage}: "
                  f"{sum(row['verdict'] == 'killed' and row['stage'] == stage for row in told)}")
    if args.before:
        return 1 if compare(before, told) else 0
    # A few equivalent mutants are much of a small header: the score is one of all of them.
    return 1 if unlisted or (score < LEAST_SCORE and not args.header) else 0


if __name__ == "__main__":
    sys.exit(main())
