#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# Builds the benchmarks in build/benchmarks and prints every table, and at the end the seconds that each part took.
#
#   sh benchmarks/run.sh --quick   in ten minutes, with a fleet of up to 100000 clients, and a seventh of the verdicts
#                                  of anew-plan beside 5 simulations each
#   sh benchmarks/run.sh           with a million clients, each verdict of anew-plan beside 100 simulations, 200
#                                  strategies in a file, and a million calls that wait
#
# The exit code is 1 where a table could not be printed, or a gate failed. What is missing is installed where that is
# possible. ANEW_JOBS says how many compilers run at once (2).
set -u
CDPATH='' cd -- "$(dirname -- "$0")/.." || exit 2
. tests/support/need.sh

case ${1:-} in
  --quick) quick=1 ;;
  '') quick= ;;
  *)
    sed -n '3,11s/^# \{0,1\}//p' benchmarks/run.sh >&2
    exit 2
    ;;
esac
need_all need_full
# A peer that cannot be had is said, and the others are measured.
(need_all need_peers) || echo 'Some peers will be missing from their table.'

build=build/benchmarks
jobs=${ANEW_JOBS:-2}
mkdir -p build
part() { # TITLE COMMAND...: runs it, and notes the seconds of the clock and of the processors
  part_title=$1
  shift
  times >build/times
  part_begin=$(date +%s)
  "$@"
  part_code=$?
  times >>build/times # the shell's and its children's, before and after
  part_seconds=$(($(date +%s) - part_begin))
  awk -v title="$part_title" -v seconds="$part_seconds" '
    NR % 2 == 0 { gsub(/[ms]/, " "); sum[NR] = 60 * ($1 + $3) + $2 + $4 }
    END { printf "%8d %10.0f   %s\n", seconds, sum[4] - sum[2], title }' build/times >>build/seconds
  return $part_code
}
: >build/seconds
build_all() {
  { [ -f $build/build.ninja ] || CXX=g++ meson setup $build -Dbuildtype=release -Dtests=disabled \
    -Dexamples=disabled -Dbenchmarks=enabled; } >build/benchmarks.log 2>&1 &&
    ninja -C $build -j "$jobs" >>build/benchmarks.log 2>&1
}
if ! part 'Build' build_all; then
  tail -n 40 build/benchmarks.log >&2
  exit 1
fi

failed=0
table() {
  title=$1
  shift
  printf '\n== %s\n   %s\n' "$title" "$*"
  part "$title" "$@" || {
    echo "== FAILED: $title"
    failed=1
  }
}
table 'Instructions, bytes, clock reads and allocations' meson test -C $build --no-rebuild --suite codegen -v
table 'Calls' $build/benchmarks/runtime/calls
table 'Virtual interface' $build/benchmarks/runtime/virtual
table 'Quotas, on one and several threads' $build/benchmarks/runtime/quota --benchmark_min_time=0.05
table 'A registry of a million destinations' $build/benchmarks/runtime/registry --benchmark_min_time=0.05
table 'Published results beside those of this library' $build/benchmarks/fleet/published
table 'Peers beside anew' python3 benchmarks/peers/peers.py $build
if [ -n "$quick" ]; then
  table 'Compile time' python3 benchmarks/compile_time/compile_time.py --strategies 20 --runs 1
  table 'A simulated fleet' $build/benchmarks/fleet/scale 1000 10000 100000
  table 'Verdicts of anew-plan beside simulations' $build/benchmarks/fleet/grid 5 "$jobs" 7
else
  table 'Compile time' python3 benchmarks/compile_time/compile_time.py
  table 'Growth' python3 benchmarks/numbers/curves.py $build
  table 'A simulated fleet' $build/benchmarks/fleet/scale 1000 10000 100000 1000000
  table 'Verdicts of anew-plan beside simulations' $build/benchmarks/fleet/grid 100 "$jobs"
fi
printf '\n== Seconds\n%8s %10s\n' clock processors
cat build/seconds
exit $failed
