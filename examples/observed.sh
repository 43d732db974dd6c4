#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# Builds anew-load, and lets every observer watch it against the server inside it, which fails and is slow:
# sh examples/observed.sh [DIR]
#
# Prints a line each second and a table, scrapes the metrics over HTTP while it runs, and asks that the observers
# counted what anew-load did. The metrics, the events and the trace are in DIR, by default build/observed. Takes ten
# seconds when it is built.
set -eu
CDPATH='' cd -- "$(dirname -- "$0")/.."
. tests/support/need.sh
need_observed() {
  need_header prometheus/counter.h prometheus-cpp-dev
}
need_all need_demo
need_all need_observed
build=${ANEW_BUILD:-build}
folder=${1:-$build/observed}
sh examples/demo.sh --build-only anew-load
python=$(command -v /usr/bin/python3 || command -v python3)
mkdir -p "$folder"
rm -f "$folder/metrics.url" "$folder/report.json"
"$python" examples/support/observed.py --scrape "$folder" >"$folder/scraped.txt" &
scraping=$!
"$build/demo/examples/anew-load" --inside --answer-after 2ms..8ms --failing 54% --slow 5%:100ms \
  --rate 250 --calls 100 --requests 2500 --observe "$folder"
wait $scraping
cat "$folder/scraped.txt"
"$python" examples/support/observed.py "$folder"
echo "In $folder: metrics.prom, events.jsonl, and trace.json, which https://ui.perfetto.dev draws."
