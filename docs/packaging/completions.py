#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Prints the completions of a program for a shell, from what its --help all says. completions.py bash|zsh|fish PROGRAM

    to=~/.local/share/bash-completion/completions/anew-load
    python3 docs/packaging/completions.py bash build/examples/anew-load >$to
"""
import pathlib
import re
import subprocess
import sys


def options_of(text):
    """Of each option: its spellings, the name of its value (empty: it has none) and its help."""
    found = []
    for line in text.splitlines():
        # The name of a value stands one blank behind the option, the help further away or in the next line.
        option = re.match(r"  (-\S+)(?: ([^\s-]\S*))?(?:\s{2,}(\S.*))?$", line)
        if option:
            spellings, kind, words = option.groups()
            found.append([spellings.split(","), kind or "", words or ""])
        elif found and not found[-1][2] and line.startswith(" " * 20):
            found[-1][2] = line.strip()
    return found


def values_of(kind):
    """The words of 'none|full|equal'; nothing for the name of a value."""
    words = kind.split("|")
    return words if len(words) > 1 and all(re.fullmatch(r"[a-z][a-z-]*", word) for word in words) else []


def bash(program, options):
    name = "_" + program.replace("-", "_")
    takes_file = "|".join(s for spellings, kind, _ in options if kind == "FILE" for s in spellings)
    takes_value = "|".join(s for spellings, kind, _ in options if kind and kind != "FILE" and not values_of(kind)
                           for s in spellings)
    lines = [f"# bash completion of {program}", f"{name}() {{", "  local word=${COMP_WORDS[COMP_CWORD]}",
             "  COMPREPLY=()", "  case ${COMP_WORDS[COMP_CWORD - 1]} in"]
    if takes_file:
        lines.append(f"    {takes_file}) COMPREPLY=($(compgen -f -- \"$word\")); return ;;")
    for spellings, kind, _ in options:
        if values_of(kind):
            lines.append(f"    {'|'.join(spellings)}) COMPREPLY=($(compgen -W '{' '.join(values_of(kind))}' -- "
                         "\"$word\")); return ;;")
    if takes_value:
        lines.append(f"    {takes_value}) return ;;")
    every = " ".join(s for spellings, _, _ in options for s in spellings)
    lines += ["  esac", f"  COMPREPLY=($(compgen -W '{every}' -- \"$word\"))", "}",
              f"complete -o default -F {name} {program}"]
    return lines


def zsh(program, options):
    def plain(words):
        return re.sub(r"[\[\]:'\\]", " ", words)

    lines = [f"#compdef {program}", "_arguments -S \\"]
    for spellings, kind, words in options:
        value = ""
        if values_of(kind):
            value = f":value:({' '.join(values_of(kind))})"
        elif kind:
            value = f":{plain(kind).strip().lower()}:" + ("_files" if kind == "FILE" else "")
        for spelling in spellings:
            lines.append(f"  '{'*' if kind == 'LINE' else ''}{spelling}[{plain(words)}]{value}' \\")
    return lines + ["  '*:url:_urls'"]


def fish(program, options):
    lines = [f"complete -c {program} -f"]
    for spellings, kind, words in options:
        line = f"complete -c {program}"
        for spelling in spellings:
            line += f" -l {spelling[2:]}" if spelling.startswith("--") else f" -s {spelling[1:]}"
        if kind:
            line += " -r" + (" -F" if kind == "FILE" else "")
        if values_of(kind):
            line += f" -a '{' '.join(values_of(kind))}'"
        quoted = words.replace("\\", "\\\\").replace("'", "\\'")
        lines.append(f"{line} -d '{quoted}'")
    return lines


def main():
    shells = {"bash": bash, "zsh": zsh, "fish": fish}
    if len(sys.argv) != 3 or sys.argv[1] not in shells:
        print(__doc__, file=sys.stderr)
        return 2
    program = sys.argv[2]
    text = subprocess.run([program, "--help", "all"], stdout=subprocess.PIPE, text=True, check=True).stdout
    print("\n".join(shells[sys.argv[1]](pathlib.Path(program).name, options_of(text))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
