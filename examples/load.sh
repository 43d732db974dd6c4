#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# What hedging does to slow answers, what a strategy costs a client, and what the client costs beside wrk:
#
#     sh examples/load.sh [hedging|throughput|wrk] [SECONDS]
#
# Builds anew-load, and runs it against the server inside it (1 % of the answers are slow) and against nginx on
# loopback, with anew and without. Takes about two minutes.
set -eu
CDPATH='' cd -- "$(dirname -- "$0")/.."
. tests/support/need.sh
need_all need_demo
need_all need_nginx

which=
case "${1:-}" in
  hedging | throughput)
    which=$1
    shift
    ;;
  wrk)
    which=$1
    shift
    need_wrk() {
      need_program wrk wrk
      need_program openssl openssl
    }
    need_all need_wrk
    ;;
esac
sh examples/demo.sh --build-only anew-load
load=${ANEW_BUILD:-build}/demo/examples/anew-load
nginx=$(PATH=$PATH:/usr/sbin:/usr/local/sbin command -v nginx)
python=$(command -v /usr/bin/python3 || command -v python3)
# shellcheck disable=SC2086
exec "$python" examples/support/load_shows.py $which "$load" "$nginx" "$@"
