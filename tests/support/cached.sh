#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# Compiles with ccache: cached.sh COMPILER ARGUMENT...
#
# What clang precompiles names the folder and the times of the headers, so it is of no use in another clone. It is made
# each time, and ccache knows what includes it by the text that it was made from.
#
# What takes the place of the library's headers is looked up by its text too: in its direct mode ccache does not see
# that a header has come to stand before another one.
case $* in
  *tests/model/include* | *tests/laws/counted*) export CCACHE_NODIRECT=1 ;;
esac
output= previous=
for word in "$@"; do
  [ "$previous" != -o ] || output=$word
  previous=$word
done
case $output in
  *.pch) ;;
  *) exec ccache "$@" ;;
esac
"$@" || exit
# From here on a failure costs a hit, and nothing else.
root=$(dirname -- "$PWD")
"$@" -w -E -o "$output.text" && sed "s|$root/||g; s|\.\./||g" "$output.text" | sha256sum >"$output.sum"
rm -f "$output.text"
