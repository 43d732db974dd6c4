#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# Compiles the playground, unless nothing has changed since: `sh docs/site/playground/build.sh module|native FILE`
set -eu
CDPATH='' cd -- "$(dirname -- "$0")/../../.."
sources='docs/site/playground/answer.cpp examples/fleet_simulation/clients.cpp examples/anew_fleet/result.cpp'
folders='include examples/fleet_simulation examples/anew_fleet examples/anew_plan examples/support docs/site/playground'
# shellcheck disable=SC2086
newer=$([ ! -e "$2" ] || find $folders -newer "$2" '(' -name '*.?pp' -o -name build.sh ')')
[ ! -e "$2" ] || [ -n "$newer" ] || exit 0
case $1 in
  module)  # Debian's library cannot take the remainder of an integer of 128 bits.
    set -- "$2" clang++-19 --target=wasm32-wasi -isystem /usr/lib/llvm-19/include/wasm32-wasi/c++/v1 -Oz \
      -fno-exceptions -fno-rtti -U__SIZEOF_INT128__ -D_WASI_EMULATED_SIGNAL -lwasi-emulated-signal \
      -mexec-model=reactor -Wl,--strip-all docs/site/playground/module.cpp
    ;;
  native)
    # CXX may hold flags too.
    # shellcheck disable=SC2086
    set -- "$2" ${CXX:-g++} -O1 docs/site/playground/native.cpp
    ;;
esac
out=$1
shift
echo "compiling $out"
# shellcheck disable=SC2086
"$@" $sources -std=c++20 -Wall -Wextra -Wshadow -Iinclude -Iexamples -Iexamples/fleet_simulation -Iexamples/anew_fleet \
  -Iexamples/anew_plan -o "$out"
