#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Prints a wrap for Meson that is pinned to one commit.

    pin_wrap.py URL [REVISION] >subprojects/anew.wrap

URL is the address that your project clones anew from. REVISION is a tag or a commit of this clone (HEAD).
"""
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[1].startswith("-"):
        raise SystemExit(__doc__)
    url, revision = sys.argv[1], (sys.argv[2:] or ["HEAD"])[0]
    found = subprocess.run(["git", "-C", HERE, "rev-parse", "--verify", "--end-of-options", revision + "^{commit}"],
                           capture_output=True, text=True, check=False)
    if found.returncode != 0:
        raise SystemExit(f"pin_wrap.py: this clone has no commit '{revision}': {found.stderr.strip()}")
    text = (HERE / "anew.wrap.in").read_text(encoding="utf-8")
    print(text.replace("@URL@", url).replace("@COMMIT@", found.stdout.strip()), end="")


if __name__ == "__main__":
    main()
