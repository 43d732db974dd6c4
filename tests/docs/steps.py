# SPDX-License-Identifier: BSL-1.0
"""That the page which you click through has an end for each way in which a call ends: for each stop_reason, and for
each text that why_not_retried() and in_words() of an end can print. An end names the cause, and the code that mends it.
"""
import html
import re

PAGE = "docs/how_to/why_step_by_step.md"
REASONS = "include/anew/base/stop_reason.hpp"
TEXTS = ("include/anew/drivers/why_not_retried.hpp", "include/anew/policies/observer/timeline.hpp")
STRINGS = re.compile(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*')


def texts_of(code):
    """The strings of three words or more, and those that are returned for a reason; of the timeline those of an end."""
    code = re.sub(r"(?m)\s*//.*$", "", code)
    begin = code.find("in_words(end_event const&")
    if begin >= 0:
        code = code[begin:code.index("\n}", begin)]
    yield from re.findall(r'case [^"]*: return "(\w+)";', code)
    for run in STRINGS.findall(code):
        text = "".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', run)).strip(" ,:(")
        if text.count(" ") > 1:
            yield text


def plain(text):
    """Without tags, quotes of code and marks of emphasis, on one line."""
    return " ".join(html.unescape(re.sub(r"</?\w[^<>]*>", "", text)).replace("`", "").replace("**", "").split())


def ends_of(text):
    """(what the summary says, what stands below it) of each <details> that has no other inside."""
    for block in re.findall(r"<details>((?:(?!<details>).)*?)</details>", text, re.DOTALL):
        summary, _, below = block.partition("</summary>")
        yield plain(summary), below


def check(root):
    text = (root / PAGE).read_text(encoding="utf-8")
    reasons = re.findall(r"(?m)^\s*(\w+),\s*///<", (root / REASONS).read_text(encoding="utf-8"))
    found = [f"{PAGE} has no step for stop_reason::{name}" for name in reasons
             if f"<details><summary><code>{name}</code>:" not in text]
    found += [f"{PAGE} has a step for '{name}', which is no stop_reason"
              for name in re.findall(r"<details><summary><code>(\w+)</code>", text) if name not in reasons]
    words = plain(text)
    for header in TEXTS:
        texts = list(texts_of((root / header).read_text(encoding="utf-8")))
        found += [f"{PAGE} has no end for the text '{each}' of {header}" for each in texts if each not in words]
        if not texts:
            found.append(f"{header} prints nothing that {PAGE} could have an end for")
    for summary, below in ends_of(text):
        cause, _, mend = below.partition("**Mend**: ")
        if "**Cause**: " not in cause or "`" not in mend:
            found.append(f"{PAGE}: '{summary}' needs **Cause**: and **Mend**: with code")
    if text.count("<details>") != text.count("</details>"):
        found.append(f"{PAGE}: a <details> is not closed")
    return found
