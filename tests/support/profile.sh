#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# Runs a program of an instrumented build so that its counters are kept apart from those of others: a wrapper for
# `meson test --wrapper`. PROFILES names the directory. Of `env NAME=VALUE program` the program is the one that counts.
for word; do
  case $word in
    env | */env | *=*) ;;
    *) break ;;
  esac
done
LLVM_PROFILE_FILE=$PROFILES/$(basename "$word").%p.profraw exec "$@"
