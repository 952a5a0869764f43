#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs fuzz programs, which tests/sanitize/run.sh builds.
#
#   run.sh BUILD SECONDS [PROGRAM...]   runs each program of the build folder BUILD (all, if none is named) for SECONDS
#
# PROGRAM starts from the folders that PROGRAM.seeds lists and takes words from PROGRAM.dict. The inputs that it adds are
# kept in BUILD/corpus/PROGRAM. An input that makes it fail is named on standard error: make it a test and a file of the
# corpus. FUZZ_OPTIONS in the environment are more options of libFuzzer. Exit code 1 if a program fails.

set -eu
here=$(cd "$(dirname "$0")" && pwd)
if [ $# -lt 2 ]; then
  sed -n '2,8s/^# \{0,1\}//p' "$0" >&2
  exit 2
fi
build=$1
seconds=$2
shift 2

run_one() { # PROGRAM
  program=$1
  set -- "$build/corpus/$program"
  mkdir -p "$1"
  if [ ! -s "$here/$program.seeds" ]; then
    echo "$program: there is no $program.seeds" >&2
    return 1
  fi
  while read -r seeds; do set -- "$@" "$here/$seeds"; done <"$here/$program.seeds"
  options="-max_total_time=$seconds -timeout=20 -rss_limit_mb=2048 -max_len=16384 -print_final_stats=1 ${FUZZ_OPTIONS:-}"
  if [ -f "$here/$program.dict" ]; then options="$options -dict=$here/$program.dict"; fi
  log=$build/$program.log
  # shellcheck disable=SC2086
  if "$build/tests/fuzz/$program" $options -artifact_prefix="$build/$program-" "$@" >"$log" 2>&1; then
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    if [ "${runs:-0}" -eq 0 ]; then
      echo "$program: ended without a run; the whole log is $log" >&2
      return 1
    fi
    echo "$program: nothing found in $runs runs"
  else
    tail -n 60 "$log" >&2
    echo "$program: failed; the whole log is $log" >&2
    return 1
  fi
}

if [ $# -eq 0 ]; then
  for source in "$here"/*_fuzz.cpp; do set -- "$@" "$(basename "$source" .cpp)"; done
fi
status=0
for program in "$@"; do run_one "$program" || status=1; done
exit $status
