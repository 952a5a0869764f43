#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs the demonstration: the error is found, with report and waves; a program that finds none fails it.
#
#   tests/cli/demo_test.sh KERNBENCH FOLDER

set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root"

fail() { echo "FAIL: $*" >&2; exit 1; }

KERNBENCH_LAST_WAVE=$2-last-wave
export KERNBENCH_LAST_WAVE
scripts/demo.sh "$1" "$2" >"$2.out" || { cat "$2.out" >&2; fail "the error was not found"; }
for text in '-    if (main_load) main_pyld_q <= skid_free_q ? payload_i : skid_pyld_q;' 'lockstep payload' 'MISMATCH' \
  'first wrong: ' 'irs_lp.sv:61 drives main_pyld_q' "$2/reports/failures/random_stalls-seed1/failure.html" \
  "$2/reports/report.html"; do
  grep -qF -e "$text" "$2.out" || { cat "$2.out" >&2; fail "no '$text' in the output"; }
done
[ -s "$2/reports/report.html" ] || fail "no report"
[ -s "$2/reports/failures/random_stalls-seed1/failure.html" ] || fail "no page of the failure"
[ -s "$2/reports/failures/random_stalls-seed1/window.vcd" ] || fail "no waves"
grep -qF "$2/reports/failures/random_stalls-seed1/window.gtkw" "$KERNBENCH_LAST_WAVE" || fail "make wave would not find the waves"

if scripts/demo.sh true "$2-blind" >"$2.out" 2>&1; then fail "a program that finds nothing passes"; fi
grep -qF 'error: the run ended with 0, expected 1: the error was not found' "$2.out" || fail "no message"
