#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Line, branch and toggle coverage of the RTL through Verilator: builds instrumented models, runs a
# short regression on each, prints the figures by file and fails under 95 %. docs/code-coverage.md
# says what each figure covers.
#
#   scripts/code-coverage.sh KERNBENCH [JOBS] [OUT]
set -euo pipefail

kernbench=$(realpath "$1")
jobs=${2:-2}
out=${3:-build/coverage}
goal=95

rm -rf "$out/data" "$out/report"
mkdir -p "$out/data"

# regression NX NY CHECKS KIND: writes a short regression that stalls, fills, drains and resets the fabric.
regression() {
  cat <<EOF
name: code-coverage
fabric: {nx: $1, ny: $2}
suites:
  - name: saturation
    traffic: {pattern: all_links, load: 1.0, payload: raw}
    back_pressure: {kind: $4}
    cycles: 1000
    reset_at: [300, 600]
    checks: [$3]
  - name: light_load
    traffic: {pattern: all_links, load: 0.1, payload: raw}
    back_pressure: {kind: $4, ready_probability: 0.3}
    cycles: 1000
    checks: [$3]
EOF
}

# measure NAME NX NY COVERAGE CHECKS KIND [RTL]: builds one model and runs the regression on it.
measure() {
  local name=$1 nx=$2 ny=$3 coverage=$4 checks=$5 kind=$6 rtl=${7:-rtl} part
  "$kernbench" model NX="$nx" NY="$ny" FLIT_W=8 CHECKERS=0 COVERAGE="$coverage" \
    ${7:+RTL_DIR="$rtl"} --out "$out/models/$name"
  regression "$nx" "$ny" "$checks" "$kind" > "$out/$name.yaml"
  "$kernbench" sim --config "$out/$name.yaml" --model "$out/models/$name/libmaze_model.so" \
    --report "$out/report/$name" --waves off --jobs "$jobs" --code-coverage "$out/data/$name" \
    > "$out/$name.log" || { cat "$out/$name.log"; exit 1; }
  tail -n 1 "$out/$name.log"
  for part in "$out/data/$name"/*.dat; do  # a copy of a file counts as the file
    sed -i "s|\x01f\x02$(realpath "$rtl")/|\x01f\x02rtl/|" "$part"
  done
}

# copy NAME EDIT: copies the RTL with another kind of stage in TOPO, so that the fabric contains IRS_HALF.
copy() {
  mkdir -p "$out/rtl-$1"
  cp rtl/*.sv "$out/rtl-$1/"
  sed -i -E "$2" "$out/rtl-$1/topo.sv"
  ! cmp -s rtl/topo.sv "$out/rtl-$1/topo.sv" || { echo "no edit of topo.sv for $1" >&2; exit 1; }
}
copy half     's/(\.TYPE_HALF *)\(0\)/\1(1)/'
copy no-ready 's/(\.TYPE_NO_READY *)\(0\)/\1(1)/'

all='lockstep, scoreboard, watchdog, delivery'
measure lines    8 3 line        "$all"                          random
measure toggles  4 3 toggle      "$all"                          random
# The reference models only the stages of the shipped TOPO; the scoreboard checks stages of every kind.
measure half     4 2 line,toggle 'scoreboard, watchdog, delivery' random "$out/rtl-half"
# Without ready a packet that the receiver does not take is lost, as specified: receivers are always ready.
measure no-ready 4 2 line,toggle 'scoreboard, watchdog, delivery' none   "$out/rtl-no-ready"

verilator_coverage --write "$out/merged.dat" "$out"/data/*/*.dat
verilator_coverage --write-info "$out/rtl.info" "$out/merged.dat"
genhtml --quiet --output-directory "$out/html" "$out/rtl.info" > "$out/genhtml.log" 2>&1 ||
  { cat "$out/genhtml.log" >&2; exit 1; }

# Every RTL file must be in the data, except maze_pkg.sv, which elaboration evaluates completely.
for file in rtl/*.sv; do
  [ "$file" = rtl/maze_pkg.sv ] || grep -q "$file" "$out/merged.dat" ||
    { echo "nothing was counted in $file" >&2; exit 1; }
done

# A line of the data is C '<key><value>...' count, with \001 before a key and \002 before its value.
LC_ALL=C awk -F '\001' -v goal="$goal" '
  function value(key,  i) {
    for (i = 2; i <= NF; i++) if (index($i, key "\002") == 1) return substr($i, length(key) + 2)
    return ""
  }
  function percent(file, kind) {
    if (!total[file, kind]) return "      -"
    if (100 * hit[file, kind] < goal * total[file, kind]) low = 1
    return sprintf("%6.1f%%", 100 * hit[file, kind] / total[file, kind])
  }
  function row(file) {
    printf "%-22s %s %9s  %s %9s  %s %9s\n", file, percent(file, "v_line"), of(file, "v_line"),
      percent(file, "v_branch"), of(file, "v_branch"), percent(file, "v_toggle"), of(file, "v_toggle")
  }
  function of(file, kind) { return total[file, kind] ? hit[file, kind] "/" total[file, kind] : "" }
  /^C / {
    count = $NF; sub(/.*\047 /, "", count)
    file = value("f"); kind = value("page"); sub(/\/.*/, "", kind)
    files[file]; total[file, kind]++; total["all", kind]++
    if (count + 0 > 0) { hit[file, kind]++; hit["all", kind]++ }
    else missed[++misses] = sprintf("%s:%s: %s %s, %s", file, value("l"), substr(kind, 3), value("o"), value("page"))
  }
  END {
    printf "\n%-22s %17s  %17s  %17s\n", "RTL file", "line", "branch", "toggle"
    n = 0; for (file in files) names[++n] = file
    for (i = 2; i <= n; i++) for (j = i; j > 1 && names[j - 1] > names[j]; j--) {
      swap = names[j]; names[j] = names[j - 1]; names[j - 1] = swap
    }
    for (i = 1; i <= n; i++) row(names[i])
    row("all")
    for (i = 1; i <= misses; i++) print "  missed: " missed[i]
    if (!n) { print "no coverage was measured"; exit 1 }
    if (low) { printf "under the goal of %d %%\n", goal; exit 1 }
  }' "$out/merged.dat"
echo "details: $out/html/index.html"
