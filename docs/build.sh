#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# Builds the site of the documents, build/site/index.html, which needs no server: `sh docs/build.sh`
#
# A link or an anchor that leads nowhere fails, and so does a search that does not find what docs/site/search_words.txt
# says. ANEW_REPOSITORY is the address below which files outside of docs, examples and include are linked
# (https://HOST/PROJECT/blob/COMMIT); without it they are pages of the site.
set -eu
CDPATH='' cd -- "$(dirname -- "$0")/.."
. tests/support/need.sh
need_site() {
  need_program python3 python3
  need_program node nodejs
  need_program npm npm
  need_program clang++-19 clang-19
  need_program wasm-ld-19 lld-19
  need_program wasm-opt binaryen  # which clang calls by itself
  need_file /usr/include/wasm32-wasi wasi-libc
  need_file /usr/lib/llvm-19/include/wasm32-wasi/c++/v1 libc++-19-dev-wasm32
  need_file /usr/lib/llvm-19/lib/clang/19/lib/wasi/libclang_rt.builtins-wasm32.a libclang-rt-19-dev-wasm32
}
need_all need_site

packages=build/site_packages
if ! cmp -s docs/site/package-lock.json $packages/installed-lock.json; then
  if [ -n "${ANEW_NO_INSTALL:-}" ]; then
    echo "ANEW_NO_INSTALL is set, so the packages of docs/site/package.json are not installed into $packages." >&2
    exit 2
  fi
  need_folder $packages 'the packages of npm are installed there'
  cp docs/site/package.json docs/site/package-lock.json docs/site/.npmrc $packages/
  echo "installing: npm ci in $packages"
  (cd $packages && npm ci --ignore-scripts --no-audit --no-fund --silent)
  cp docs/site/package-lock.json $packages/installed-lock.json
fi
python3 -B docs/site/policies.py >build/site_policies.json
sh docs/site/playground/build.sh module build/playground.wasm
node docs/site/build.mjs $packages build/site_policies.json build/playground.wasm build/site
echo "Open build/site/index.html in a browser."
