# SPDX-License-Identifier: BSL-1.0
"""Values that an option may refuse and must not stumble over, for an audit of a program's command line."""
import re

# Refused wherever a number or a duration is asked for.
ODD = ["", " ", "nan", "NaN", "-nan", "inf", "-inf", "infinity", "nans", "infs", "infms", "-1", "-1s", "-0.5s", "+5",
       "+5s", " 5", "5 ", " 5s", "5 s", "5s ", "0x10", "0x10s", "0b1", "1e3", "1e3s", "1e400", "1e400s", "1_000", "1,5",
       "1,5s", "5.", "5.s", "1.2.3", "1.2.3s", "5S", "5sec", "5 parsec", "s", "ms", "5msms", "5s5s", "--5", "-", "%",
       "5%", "5!", "five", "٣", "５s", "5\tx", "5\nx", "\x1b[31m5", "5\u009b", "5\u202e", "99999999999999999999999999",
       "99999999999999999999999999s", "-99999999999999999999999999", "9" * 5000, "9" * 5000 + "s"]


def some_of_odd(number):
    """The odd values for the option of that number: each value is asked of every fourth option, because options have
    readers in common, and a program under sanitizers takes long to begin."""
    return ODD[number % 4::4]


# Options that ask for something else than a number.
OTHER_TYPES = ("METHOD", "DATA", "LINE", "TEXT", "FILE", "DIR", "USER", "URL")


def valued_options(help_text):
    """The options of --help that take a value: name and what is said of the value."""
    found = {}
    for spelling, kind in re.findall(r"^  (-[-\w,]*--[-\w]+|--[-\w,]+) (\[?[^\s-][^\s]*)", help_text, re.MULTILINE):
        name = next(word for word in spelling.split(",") if word.startswith("--"))
        found[name] = kind
    return found


def audit(run, option, good, odd, expect):
    """`run` calls the program with arguments. Each odd value is refused by exit code 2 and one line that names the
    option and the value; so are a second value and no value."""
    for value in odd:
        result = run(f"{option}={value}") if value else run(option, value)
        expect(result.code == 2 and result.out == "", f"{option} {value!r}: {result}")
        expect(result.err.count("\n") == 1 and option in result.err, f"{option} {value!r}: {result}")
        expect(not any(c < " " or "\x7f" <= c <= "\x9f" or c == "\u202e" for c in result.err[:-1]),
               f"{option} {value!r} reaches the terminal: {result}")
        shown = re.sub("[\x00-\x1f\x7f-\x9f\u202e]", "\ufffd", value)
        expect(f"{option} '{shown}'" in result.err, f"{option} {value!r} is not named: {result}")
    result = run(option, good, option, good)
    expect(result.code == 2 and result.err.count("\n") == 1 and f"{option} '{good}'" in result.err,
           f"{option} twice: {result}")
    result = run(option)
    expect(result.code == 2 and result.err.count("\n") == 1 and option in result.err, f"{option} alone: {result}")
