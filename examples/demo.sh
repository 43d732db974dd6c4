#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# Builds the example program anew-get and runs it against a server that misbehaves: sh examples/demo.sh [OPTION...]
# Installs what is missing where it may (as root, or with a sudo that does not ask); the build is in build/demo.
set -eu
cd "$(dirname "$0")/.."
. tests/support/need.sh
need_all need_demo

dir=build/demo
log=build/demo.log
mkdir -p build
start=$(date +%s)

# step WORDS COMMAND...: silent when it goes well
step() {
  step_words=$1
  shift
  printf '%s ... ' "$step_words" >&2
  if "$@" >"$log" 2>&1; then
    printf 'done after %s s\n' $(($(date +%s) - start)) >&2
  else
    printf 'failed:\n' >&2
    tail -n 60 "$log" >&2
    exit 1
  fi
}

configure() {
  set -- -Dbuildtype=release -Dwerror=false -Dtests=disabled -Dexamples=enabled -Dbenchmarks=disabled \
    -Dcmake_package=disabled
  if [ -f "$dir/meson-private/coredata.dat" ] && meson setup --reconfigure "$dir" "$@"; then
    return 0
  fi
  rm -rf "$dir"
  meson setup "$dir" "$@"
}

step 'configuring build/demo' configure
step 'building anew-get' ninja -C "$dir" examples/anew-get
[ "${1:-}" != --build-only ] || exit 0
exec "$dir/examples/anew-get" --demo "$@"
