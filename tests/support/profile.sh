#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# Runs a program of an instrumented build so that its counters are kept apart from those of others: a wrapper for
# `meson test --wrapper`. PROFILES names the directory.
LLVM_PROFILE_FILE=$PROFILES/$(basename "$1").%p.profraw exec "$@"
