#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# Builds the example program anew-get and runs it against a server that misbehaves: sh examples/demo.sh [OPTION...]
#
# Installs what is missing where it may (as root, or with a sudo that does not ask), and nothing with ANEW_NO_INSTALL=1.
# The build is in build/demo, or in demo of the folder ANEW_BUILD. `--build-only [PROGRAM...]` runs nothing.
set -eu
CDPATH='' cd -- "$(dirname -- "$0")/.."
. tests/support/need.sh
need_all need_demo

build=${ANEW_BUILD:-build}
dir=$build/demo
log=$build/demo.log
need_folder "$build" 'set ANEW_BUILD to another folder, as in ANEW_BUILD=/tmp/anew sh examples/demo.sh'
need_turn "$build/demo.lock"
trap 'exit 130' INT
trap 'exit 143' TERM
start=$(date +%s)

# step WORDS COMMAND...: silent when it goes well
step() {
  step_words=$1
  shift
  printf '%s ... ' "$step_words" >&2
  if "$@" >"$log" 2>&1 9>&-; then
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

only=
programs=anew-get
if [ "${1:-}" = --build-only ]; then
  only=yes
  shift
  programs=${*:-anew-get}
fi
step "configuring $dir" configure
for program in $programs; do
  step "building $program" ninja -C "$dir" ${ANEW_JOBS:+-j "$ANEW_JOBS"} "examples/$program"
done
[ -z "$only" ] || exit 0
exec 9>&-
exec "$dir/examples/anew-get" --demo "$@"
