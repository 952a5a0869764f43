#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Line, branch and toggle coverage of the RTL through Verilator: builds instrumented models, runs a
# short regression on each, prints the figures by file and fails under 95 % or where points are absent.
# docs/lab/code-coverage.md says what each figure covers.
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

# run_model NAME RTL [SIM OPTION...]: runs a model and moves its counts to the files of rtl/.
run_model() {
  local name=$1 rtl=$2 part
  shift 2
  "$kernbench" sim --model "$out/models/$name"/lib*_model.so --report "$out/report/$name" --waves off --jobs "$jobs" \
    --code-coverage "$out/data/$name" "$@" > "$out/$name.log" || { cat "$out/$name.log"; exit 1; }
  tail -n 1 "$out/$name.log"
  for part in "$out/data/$name"/*.dat; do  # a copy of a file counts as the file
    sed -i "s|\x01f\x02$(realpath "$rtl")/|\x01f\x02rtl/|; s|\x01f\x02rtl/network/\.\./|\x01f\x02rtl/|" "$part"
  done
}

# measure NAME NX NY COVERAGE CHECKS KIND [RTL]: builds a model of TOPO and runs the regression on it.
measure() {
  local name=$1 nx=$2 ny=$3 coverage=$4 checks=$5 kind=$6 rtl=${7:-rtl}
  "$kernbench" model NX="$nx" NY="$ny" FLIT_W=8 CHECKERS=0 COVERAGE="$coverage" \
    ${7:+RTL_DIR="$rtl"} ASSERT=0 --output "$out/models/$name"
  regression "$nx" "$ny" "$checks" "$kind" > "$out/$name.yaml"
  # The copies have other stages than the shipped TOPO, which the structure check would refuse.
  run_model "$name" "$rtl" "$out/$name.yaml" ${7:+--no-structure}
}

# measure_network NAME NX NY COVERAGE [SIM OPTION...]: builds a model of the network and runs the suites that reach
# all of it.
measure_network() {
  local name=$1 nx=$2 ny=$3 coverage=$4
  shift 4
  "$kernbench" model DEVICE=network NX="$nx" NY="$ny" FLIT_W=8 COVERAGE="$coverage" ASSERT=0 --output "$out/models/$name"
  run_model "$name" rtl configs/regressions/network.yaml --suite multicast --suite stalls --suite resets --suite detours "$@"
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
measure_network network-lines   8 8 line --cycles 300  # the sign-off size
measure_network network-toggles 4 3 toggle --suite failed-node

verilator_coverage --write "$out/merged.dat" "$out"/data/*/*.dat
verilator_coverage --write-info "$out/rtl.info" "$out/merged.dat"
genhtml --quiet --output-directory "$out/html" "$out/rtl.info" > "$out/genhtml.log" 2>&1 ||
  { cat "$out/genhtml.log" >&2; exit 1; }

"$(dirname "$0")/judge_coverage.py" "$out/merged.dat" --goal "$goal"
echo "details: $out/html/index.html"
