#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# Draws the pictures of the documents, docs/pictures/*.svg, again: `sh docs/pictures/make.sh`
#
# The data are those of two programs of the library (benchmarks/pictures), which are built in build/benchmarks;
# matplotlib draws them. What is missing is installed where that is possible.
set -eu
CDPATH='' cd -- "$(dirname -- "$0")/../.."
. tests/support/need.sh
need_all need_pictures

build=build/benchmarks
python=$(command -v /usr/bin/python3 || command -v python3)
mkdir -p build
if ! { [ -f $build/build.ninja ] || CXX=${CXX:-g++} meson setup $build -Dbuildtype=release -Dtests=disabled \
  -Dexamples=disabled -Dbenchmarks=enabled; } >build/pictures.log 2>&1 ||
  ! ninja -C $build benchmarks/pictures/data benchmarks/pictures/trace >>build/pictures.log 2>&1; then
  tail -n 40 build/pictures.log >&2
  exit 1
fi
$build/benchmarks/pictures/data >build/pictures.csv
$build/benchmarks/pictures/trace >build/trace.json
"$python" docs/pictures/draw.py build/pictures.csv docs/pictures build/trace.json
