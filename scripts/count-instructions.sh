#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Counts instructions of the benchmark programs with callgrind: an event, a flit-hop and a tl call at a time.
#
#   scripts/count-instructions.sh [BUILD]   BUILD: a release build with the benchmarks (build/release)
#
# Each figure is the difference of two runs of different length, so that start and set-up cancel out. Times depend on
# the machine and its load; these counts depend on the compiler alone.

set -eu
programs=${1:-build/release}/benchmarks
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

total() { # COMMAND...
  valgrind --tool=callgrind --callgrind-out-file="$work/out" "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
  sed -n 's/^totals: //p' "$work/out"
}

difference() { # UNITS SHORT LONG COMMAND...: instructions of one of UNITS by which the run with LONG is longer
  units=$1 short=$2 long=$3
  shift 3
  a=$(total "$@" "$short")
  b=$(total "$@" "$long")
  awk -v a="$a" -v b="$b" -v units="$units" 'BEGIN { printf "%.1f", (b - a) / units }'
}

for workload in short spread resource; do
  count=$(difference 256000 64000 320000 "$programs/engine_bench" count "$workload")
  printf '%-28s %9s\n' "event, $workload" "$count"
done
printf '%-28s %9s\n' "KiB streamed to 128 PEs" "$(difference 48 16 64 "$programs/model_bench" count)"
for call in full add dot load store; do
  calls=$(difference 4000 1000 5000 "$programs/kernel_bench" count calls "$call")
  commands=$(difference 4000 1000 5000 "$programs/kernel_bench" count commands "$call")
  awk -v call="$call" -v all="$calls" -v events="$commands" \
    'BEGIN { printf "%-28s %9.1f, %.1f beyond its events\n", "tl." call, all, all - events }'
done
