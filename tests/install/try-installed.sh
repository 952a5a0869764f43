#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs an installed program as a user who has nothing else: probe, run, topology and sim, on the shipped RTL and on a
# copy of it, from a folder and with a home of its own. Then checks that nothing was written but the outputs in the
# current folder and the user's cache.
#
#   try-installed.sh PREFIX [SIM_OPTION...]      by default the simulations are of a 2x2 fabric
#   try-installed.sh --written PREFIX STAMP      only lists files of PREFIX that are newer than STAMP; exit code 1 if any

set -eu

# Prints what is newer than the file $2 below the folder $1, and fails if there is anything.
written() {
  new=$(find "$1" -newer "$2" ! -path '*/proc/*' 2>/dev/null || true)
  [ -z "$new" ] || { echo "written in the installation:"; echo "$new"; return 1; } >&2
}

if [ "$1" = --written ]; then
  written "$2" "$3"
  exit
fi
prefix=$1
kernbench=$prefix/bin/kernbench
shift
[ $# -gt 0 ] || set -- --fabric 2x2

work=$(mktemp -d "${TMPDIR:-/tmp}/kernbench-try.XXXXXX")
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
unset KERNBENCH_ROOT KERNBENCH_LAST_WAVE XDG_CACHE_HOME
export HOME="$work/home" LC_ALL=C.UTF-8
mkdir "$HOME" "$work/here" "$work/config"
cd "$work/here"
touch "$work/stamp"

# expect NAME TEXT COMMAND...: the output of the command has a line that matches TEXT, and its exit code is 0.
expect() {
  name=$1 text=$2
  shift 2
  if ! "$@" > "$work/out" 2> "$work/err" || ! grep -q -- "$text" "$work/out"; then
    echo "FAIL  $name: expected '$text' of: $*" >&2
    tail -n 15 "$work/out" "$work/err" >&2
    exit 1
  fi
  echo "ok    $name: $(grep -m 1 -- "$text" "$work/out")"
}

expect version '^kernbench [0-9.]*, revision [0-9a-f]\{7,\}' "$kernbench" --version
expect probe '^PASS  18 cases at 10 sizes' "$kernbench" probe
expect run '^PASS  z: 262,144 elements, 0 wrong' "$kernbench" run vector-add --verify
expect topology '^2 SIPs of 4 x 4 cubes of 8 PEs, joined by a UCIe mesh' "$kernbench" topology show
expect 'shipped file by its name' '^1 SIP of 8 x 8 cubes' "$kernbench" topology show --topology configs/topology-maze-8x8.yaml
expect 'list of suites' '^saturation ' "$kernbench" sim --list

# The mesh of a topology in a folder that cannot be written; root can write everywhere.
echo 'cube: {geometry: {cube_mm: {w: 18.0}}}' > "$work/config/mine.yaml"
if [ "$(id -u)" -ne 0 ]; then
  chmod a-w "$work/config"
  expect 'topology that cannot be written' '^2 SIPs' "$kernbench" topology show --topology "$work/config/mine.yaml"
  [ "$(find "$HOME/.cache/kernbench/meshes" -name '*.cube_mesh.yaml' | wc -l)" = 1 ]
fi

expect sim '^PASS ' "$kernbench" sim "$@"
expect 'sim of a network' '^PASS ' "$kernbench" sim configs/regressions/network.yaml --fabric 2x2 --suite alone
for module in topo:TOPO maze:MAZE_TOP; do
  grep -q "^module ${module#*:} (" "$prefix/share/kernbench/rtl/plain/${module%:*}.v"
done
cp -r "$prefix/share/kernbench/rtl" my_rtl
chmod -R u+w my_rtl
expect 'sim of own RTL' '^PASS ' "$kernbench" sim "$@" --rtl-dir my_rtl --report mine
[ "$(find "$HOME/.cache/kernbench/models" -name libmaze_model.so | wc -l)" = 2 ]

# A mistake in that RTL is found, and leaves waves.
sed -i 's/= payload_i;/= payload_i ^ 1;/' my_rtl/irs_n.sv
set +e
"$kernbench" sim "$@" --rtl-dir my_rtl --report broken > "$work/out" 2>&1
code=$?
set -e
if [ "$code" -ne 1 ] || [ -z "$(find broken/waves -name '*.fst')" ]; then
  echo "FAIL  broken RTL: exit code $code, expected 1 and waves" >&2
  tail -n 15 "$work/out" >&2
  exit 1
fi
echo "ok    broken RTL: $(tail -n 1 "$work/out")"

[ "$(ls -A | tr '\n' ' ')" = 'broken build mine my_rtl ' ] || { echo "FAIL  outputs: $(ls -A)" >&2; exit 1; }
[ "$(ls -A "$HOME") $(ls -A "$HOME/.cache" | grep -v '^ccache$')" = '.cache kernbench' ] ||
  { echo "FAIL  home:" >&2; ls -AR "$HOME" | head -n 20 >&2; exit 1; }
written "$prefix" "$work/stamp"
echo "ok    nothing was written elsewhere"
