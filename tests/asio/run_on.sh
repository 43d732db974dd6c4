#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# Compiles tests/asio/tokens.test.cpp against any Asio you have the headers of, and runs it.
#
#   sh tests/asio/run_on.sh DIR...
#
# DIR holds asio/version.hpp (stand-alone Asio) or boost/asio/version.hpp (Boost.Asio: a whole Boost, or the include
# directory of boostorg/asio, which is then laid over the Boost that the compiler finds). GoogleTest and Boost.Hana are
# taken from where the compiler finds them. Nothing is downloaded.
#
# CXX (g++), STD (c++20) and CXXFLAGS say how; BUILD is where the programs go (a directory under /tmp, deleted at the
# end). For each DIR one line says what came of it; the exit code is 0 when all passed.
#
#   CXX='clang++-19 -stdlib=libc++' STD=c++23 sh tests/asio/run_on.sh ~/asio-1.36.0/include
#
# With libc++, LIBS has to name a GoogleTest that was built with it (default: -lgtest_main -lgtest).
set -u
[ $# -gt 0 ] || {
  sed -n '3,16s/^# \{0,1\}//p' "$0" >&2
  exit 2
}
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd) || exit 2
cxx=${CXX:-g++}
std=${STD:-c++20}
if [ -n "${BUILD:-}" ]; then
  mkdir -p "$BUILD" || exit 2
else
  BUILD=$(mktemp -d) || exit 2
  trap 'rm -rf "$BUILD"' EXIT
fi

failed=0
number=0
for dir in "$@"; do
  number=$((number + 1))
  if [ -e "$dir/asio/version.hpp" ]; then
    header=asio/version.hpp macro=ASIO_VERSION what='stand-alone Asio' define=-DANEW_STANDALONE_ASIO
  elif [ -e "$dir/boost/asio/version.hpp" ]; then
    header=boost/asio/version.hpp macro=BOOST_ASIO_VERSION what=Boost.Asio define=
  else
    echo "$dir: neither asio/version.hpp nor boost/asio/version.hpp is there" >&2
    failed=1
    continue
  fi
  # The compiler looks there anyway, and loses the headers of C when it is told to look there first.
  where=-isystem
  [ "$dir" != /usr/include ] || where=-I
  version=$(sed -n "s/^#define $macro .*\/\/ *//p" "$dir/$header")
  name="$what $version, $cxx -std=$std${CXXFLAGS:+ $CXXFLAGS}"
  program=$BUILD/tokens_$number log=$BUILD/tokens_$number.log
  # CXX, CXXFLAGS and LIBS may hold several words.
  # shellcheck disable=SC2086
  if ! $cxx -std="$std" -Wall -Wextra -Wpedantic -Werror ${CXXFLAGS:-} $define "$where" "$dir" -I"$root/include" \
    -I"$root/tests/support" "$root/tests/asio/tokens.test.cpp" ${LIBS:--lgtest_main -lgtest} -pthread -o "$program" \
    >"$log" 2>&1; then
    grep -E 'error|Error' "$log" | head -n 10 >&2
    echo "$name: does not compile"
    failed=1
  elif "$program" --gtest_brief=1 >"$log" 2>&1; then
    echo "$name: $(sed -n 's/^\[  PASSED  \] \([0-9]*\) tests*\./\1 passed, 0 failed/p' "$log")"
  else
    cat "$log" >&2
    echo "$name: $(sed -n 's/^\[  PASSED  \] \([0-9]*\) tests*\./\1 passed/p' "$log"), some failed"
    failed=1
  fi
done
exit $failed
