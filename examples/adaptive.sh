#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# What the strategies that have a name do to a server that limits the rate of requests: sh examples/adaptive.sh [RATE]
# Each of them for a while against the server inside anew-get (429 beyond RATE requests a second, 20 if not given) and
# against nginx (503), twenty callers; a table of the second half of each run. Takes about two minutes.
set -eu
CDPATH='' cd -- "$(dirname -- "$0")/.."
. tests/support/need.sh
need_all need_demo
need_all need_nginx

rate=${1:-20}
sh examples/demo.sh --build-only
get=${ANEW_BUILD:-build}/demo/examples/anew-get
nginx=$(PATH=$PATH:/usr/sbin:/usr/local/sbin command -v nginx)
python=$(command -v /usr/bin/python3 || command -v python3)
exec "$python" examples/support/limited_rate.py "$get" "$nginx" "$rate"
