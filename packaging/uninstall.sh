#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Removes the files that install.sh listed, and the folders that are empty then and bear our name.
#
#   packaging/uninstall.sh DESTDIR PREFIX

set -eu
root=$1$(realpath -m -- "$2")
list=$root/share/kernbench/installed-files
[ -f "$list" ] || {
  echo "error: no KernBench of \`make install\` is in $root: there is no $list" >&2
  exit 1
}
files=$(cat "$list")  # which is one of them
printf '%s\n' "$files" | while IFS= read -r file; do rm -f -- "$root/$file"; done
for folder in "$root/include/kernbench" "$root/share/cmake/KernBench" "$root/share/doc/kernbench" "$root/share/kernbench"; do
  [ ! -d "$folder" ] || find "$folder" -depth -type d -empty -delete
done
for folder in "$root"/lib/python3*/*-packages/kernbench; do
  [ ! -d "$folder" ] || rm -rf -- "$folder/__pycache__"
  rmdir -- "$folder" 2> /dev/null || true
done
echo "Removed KernBench from $root"
