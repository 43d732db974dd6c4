#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# Builds the Debian packages libanew-dev and anew-tools. You need not be root.
#
#   sh docs/packaging/build_debian.sh TO [OPTION OF dpkg-buildpackage...]
#
# dpkg-buildpackage wants debian/ at the top of the sources: the tree is copied into a temporary folder, and
# docs/packaging/debian is copied to its top. TO gets the packages and what describes them. Tests, benchmarks and build
# folders are not copied.
set -eu
[ $# -ge 1 ] || { sed -n '3,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mkdir -p "$1"
to=$(CDPATH='' cd -- "$1" && pwd)
shift
CDPATH='' cd -- "$(dirname -- "$0")/../.."
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
trap 'exit 130' INT TERM

name=anew
version=$(sed -n '1s/.*(\([^)]*\)-[^)-]*).*/\1/p' docs/packaging/debian/changelog)
source=$top/$name-$version
mkdir "$source"
for part in CHANGELOG.md CMakeLists.txt LICENSE README.md SECURITY.md docs examples include meson.build \
  meson_options.txt; do
  cp -R "$part" "$source/"
done
find "$source" -name __pycache__ -prune -exec rm -rf {} +
tar --sort=name --owner=0 --group=0 --numeric-owner -C "$top" -czf "$top/${name}_$version.orig.tar.gz" "$name-$version"
cp -R docs/packaging/debian "$source/"
(cd "$source" && dpkg-buildpackage --no-sign "$@")
find "$top" -maxdepth 1 -type f -exec mv {} "$to/" \;
