#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# Both programs against nginx, which is killed and started again all the time:
#
#     sh examples/soak.sh [MINUTES]
#
# Builds anew-get and anew-load, and runs them for 60 minutes or as many as you say. Prints what they counted, what
# nginx logged, and how their memory and descriptors went. Exit code 1 when something does not add up.
set -eu
CDPATH='' cd -- "$(dirname -- "$0")/.."
. tests/support/need.sh
need_all need_demo
need_all need_nginx
sh examples/demo.sh --build-only anew-get anew-load
programs=${ANEW_BUILD:-build}/demo/examples
nginx=$(PATH=$PATH:/usr/sbin:/usr/local/sbin command -v nginx)
python=$(command -v /usr/bin/python3 || command -v python3)
exec "$python" examples/support/soak.py "$programs/anew-get" "$programs/anew-load" "$nginx" "$@"
