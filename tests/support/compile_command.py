# SPDX-License-Identifier: BSL-1.0
"""How the build compiles a source: Meson's flags, without those that name outputs and precompiled headers."""
import json
import os
import pathlib
import shlex

WITH_ARGUMENT = {"-o", "-MF", "-MQ", "-MT", "-include", "-include-pch"}
ALONE = {"-c", "-MD", "-MMD", "-MP", "-fpch-preprocess"}
COLOUR = ("-fdiagnostics-color", "-fcolor-diagnostics")


def flags_for(database, source):
    """(command without outputs and without the source, directory to run it in).

    A precompiled header of clang's is used where it has been built; g++ reads what the source includes."""
    source = pathlib.Path(source).resolve()
    for entry in json.loads(pathlib.Path(database).read_text(encoding="utf-8")):
        if (pathlib.Path(entry["directory"]) / entry["file"]).resolve() != source:
            continue
        words = entry["arguments"] if "arguments" in entry else shlex.split(entry["command"])
        kept, skip = [], False
        for word, following in zip(words, words[1:] + [""]):
            if word == "-include-pch" and (pathlib.Path(entry["directory"]) / following).exists():
                kept.append(word)
            elif skip:
                skip = False
            elif word in WITH_ARGUMENT:
                skip = True
            elif word not in ALONE and word != entry["file"] and not word.startswith(COLOUR):
                kept.append(word)
        return kept, entry["directory"]
    raise SystemExit(f"{database} does not compile {source}")


def plain_environment():
    """Messages in English and in ASCII, whatever the user's locale."""
    return {**os.environ, "LC_ALL": "C", "LANGUAGE": "C"}
