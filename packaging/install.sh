#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs what was built, and keeps a list of the files for uninstall.sh.
#
#   packaging/install.sh BUILD DESTDIR PREFIX

set -eu
build=$1
destdir=$2
prefix=$(realpath -m -- "$3")

DESTDIR=$destdir cmake --install "$build" --prefix "$prefix" --strip > "$build/install.log" || {
  cat "$build/install.log" >&2
  exit 1
}
list=$destdir$prefix/share/kernbench/installed-files
# The manifest has the paths without DESTDIR.
{ cat "$build/install_manifest.txt"; printf '\n%s\n' "$prefix/share/kernbench/installed-files"; } |
  while IFS= read -r file; do [ -z "$file" ] || printf '%s\n' "${file#"$prefix"/}"; done > "$list"
echo "Installed in $destdir$prefix: bin/kernbench and $(($(wc -l < "$list") - 1)) other files"
