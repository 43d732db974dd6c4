#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# Both programs against nginx, which is killed and started again all the time:
#
#     sh examples/soak.sh [MINUTES]
#
# Builds anew-get and anew-load, and runs them for 60 minutes or as many as you say. Prints what they counted, what
# nginx logged, and how their memory and descriptors went. Exit code 1 when something does not add up.
set -eu
cd "$(dirname "$0")/.."
. tests/support/need.sh
need_all need_demo
need_all need_nginx
sh examples/demo.sh --build-only
ninja -C build/demo examples/anew-load >build/demo.log 2>&1 || {
  tail -n 60 build/demo.log >&2
  exit 1
}
nginx=$(PATH=$PATH:/usr/sbin:/usr/local/sbin command -v nginx)
python=$(command -v /usr/bin/python3 || command -v python3)
exec "$python" examples/support/soak.py build/demo/examples/anew-get build/demo/examples/anew-load "$nginx" "$@"
