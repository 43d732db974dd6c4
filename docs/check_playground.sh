#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# Builds the site, and checks its playground against the library and in Chromium: `sh docs/check_playground.sh`
set -eu
CDPATH='' cd -- "$(dirname -- "$0")/.."
. tests/support/need.sh
need_checks() {
  need_program chromium chromium
  need_program g++ g++
}
need_all need_checks
sh docs/build.sh
sh docs/site/playground/build.sh native build/playground
node docs/site/playground/test.mjs build/playground.wasm build/playground
node docs/site/playground/test_page.mjs build/site_packages build/site
