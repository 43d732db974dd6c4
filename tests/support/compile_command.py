# SPDX-License-Identifier: BSL-1.0
"""How the build compiles a source: Meson's flags, without those that name outputs and precompiled headers."""
import json
import os
import pathlib
import re
import shlex
import subprocess

WITH_ARGUMENT = {"-o", "-MF", "-MQ", "-MT", "-include", "-include-pch"}
ALONE = {"-c", "-MD", "-MMD", "-MP", "-fpch-preprocess"}
PRECOMPILED = re.compile(r"In file included from \S*tests/mistakes/pch/")
CACHES = ("cached.sh", "ccache")
COLOUR = ("-fdiagnostics-color", "-fcolor-diagnostics")


def has_precompiled(words, directory, option, header):
    """Whether `option header` names a precompiled header that has been built. Clang names that file; g++ names a
    header, and looks for that file in the directories of includes."""
    if option == "-include-pch":
        return (directory / header).exists()
    return option == "-include" and any((directory / word[2:] / (header + ".gch")).exists()
                                        for word in words if word.startswith("-I"))


def words_of(entry, precompiled=False):
    """The command of an entry of the database without outputs and without the source."""
    directory = pathlib.Path(entry["directory"])
    words = entry["arguments"] if "arguments" in entry else shlex.split(entry["command"])
    while pathlib.Path(words[0]).name in CACHES:
        words = words[1:]
    kept, skip = [], False
    for word, following in zip(words, words[1:] + [""]):
        if skip:
            skip = False
        elif word in WITH_ARGUMENT:
            if precompiled and has_precompiled(words, directory, word, following):
                kept += [word, following]
            skip = True
        elif word not in ALONE and word != entry["file"] and not word.startswith(COLOUR):
            kept.append(word)
    return kept


def flags_for(database, source, precompiled=False):
    """(command without outputs and without the source, directory to run it in), with the precompiled header where you
    ask for it and it has been built."""
    source = pathlib.Path(source).resolve()
    for entry in json.loads(pathlib.Path(database).read_text(encoding="utf-8")):
        directory = pathlib.Path(entry["directory"])
        if not entry["file"].endswith(source.name) or (directory / entry["file"]).resolve() != source:
            continue  # the name is compared first, because to resolve a path asks the disk
        return words_of(entry, precompiled), entry["directory"]
    raise SystemExit(f"{database} does not compile {source}")


def lines_of_user(diagnostics):
    """The lines of a compiler's diagnostics, without clang's about a precompiled header, which a user does not have."""
    return [line for line in diagnostics.splitlines() if line.strip() and not PRECOMPILED.match(line)]


def plain_environment():
    """Messages in English and in ASCII, whatever the user's locale."""
    return {**os.environ, "LC_ALL": "C", "LANGUAGE": "C"}


def is_clang(command):
    """Whether a command calls clang. Its first words may be a launcher, such as ccache, and the compiler."""
    options = next((i for i, word in enumerate(command) if word.startswith("-")), len(command))
    version = subprocess.run([*command[:options], "--version"], text=True, capture_output=True, check=False).stdout
    return "clang" in version
