#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# Writes the completions of the programs in the folder FROM as their shells look for them: completions.sh FROM TO
set -eu
[ $# -eq 2 ] || { sed -n '3s/^# //p' "$0" >&2; exit 2; }
print=$(dirname -- "$0")/completions.py
for shell in bash zsh fish; do
  mkdir -p "$2/$shell"
  for program in anew-get anew-load anew-plan anew-fleet; do
    case $shell in
      bash) file=$program ;;
      zsh) file=_$program ;;
      fish) file=$program.fish ;;
    esac
    python3 "$print" $shell "$1/$program" >"$2/$shell/$file"
  done
done
