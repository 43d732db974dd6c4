#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Prints the headers below include, as a program includes them."""
import pathlib

INCLUDE = pathlib.Path(__file__).resolve().parents[2] / "include"
print(*sorted(path.relative_to(INCLUDE).as_posix() for path in INCLUDE.rglob("*.hpp")), sep="\n")
