#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes the files of an installation that the program writes about itself.
#
#   packaging/generate.sh KERNBENCH FOLDER TOPOLOGY...
#
# FOLDER gets man1/*.1.gz, completion/{bash,zsh,fish}, options.md, configs/*.cube_mesh.yaml of the topologies, the
# changelog of a Debian package, which refers to the project's, and plain/topo.v and plain/maze.v, the RTL at 8x8 in
# Verilog-2005.

set -eu
kernbench=$1
folder=$2
shift 2

rm -rf "$folder"
mkdir -p "$folder/completion" "$folder/configs"
"$kernbench" reference man -o "$folder/man1"
gzip -9n "$folder"/man1/*.1
"$kernbench" reference markdown > "$folder/options.md"
changes=$(dirname "$0")/../CHANGELOG.md
date=$(git -c safe.directory='*' log -1 --format=%aD -- "$changes" 2> /dev/null) || date=
gzip -9n > "$folder/changelog.gz" << END
kernbench ($("$kernbench" --version | sed 's/^kernbench \([^,]*\),.*/\1/')) unstable; urgency=medium

  * The changes are in /usr/share/doc/kernbench/CHANGELOG.md.

 -- KernBench maintainers <kernbench@localhost>  ${date:-$(date -R -r "$changes")}
END
for shell in bash zsh fish; do
  "$kernbench" completion "$shell" > "$folder/completion/$shell"
done
# The program writes the mesh file beside the topology that it reads.
cp "$@" "$folder/configs/"
for topology in "$folder"/configs/*.yaml; do
  "$kernbench" topology show --topology "$topology" > /dev/null
done
for topology in "$@"; do
  rm "$folder/configs/$(basename "$topology")"
done
mkdir "$folder/plain"
for device in topo maze; do
  "$kernbench" --quiet structure $([ $device = topo ] || echo network) --models "$folder/models" \
    --write-verilog "$folder/plain/$device.v" > /dev/null
done
rm -r "$folder/models"
touch "$folder/stamp"
