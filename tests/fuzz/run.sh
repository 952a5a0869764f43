#!/bin/sh
# Builds and runs the fuzz programs of tests/fuzz/programs.
#
#   run.sh build FOLDER COMPILER             builds all of them in FOLDER
#   run.sh run FOLDER SECONDS [PROGRAM...]   runs each (all, if none is named) for SECONDS
#
# PROGRAM starts from the folders that PROGRAM.seeds lists and takes words from PROGRAM.dict. What it learns is
# kept in FOLDER/corpus/PROGRAM; an input that it fails on is named on standard error: make it a test and a file
# of the corpus. FUZZ_OPTIONS in the environment are more options of libFuzzer. Exit code 1 if a program fails.

set -eu
here=$(cd "$(dirname "$0")" && pwd)
action=$1
folder=$2
shift 2

build() {
  cmake -S "$here/programs" -B "$folder" -DCMAKE_CXX_COMPILER="$1" -DCMAKE_BUILD_TYPE=RelWithDebInfo
  cmake --build "$folder" --parallel 2
}

run_one() { # PROGRAM SECONDS
  program=$1
  seconds=$2
  set -- "$folder/corpus/$program"
  mkdir -p "$1"
  while read -r seeds; do set -- "$@" "$here/$seeds"; done <"$here/$program.seeds"
  options="-max_total_time=$seconds -timeout=20 -rss_limit_mb=2048 -max_len=16384 -print_final_stats=1 ${FUZZ_OPTIONS:-}"
  if [ -f "$here/$program.dict" ]; then options="$options -dict=$here/$program.dict"; fi
  log=$folder/$program.log
  # shellcheck disable=SC2086
  if "$folder/$program" $options -artifact_prefix="$folder/$program-" "$@" >"$log" 2>&1; then
    echo "$program: nothing found in $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") runs"
  else
    tail -n 60 "$log" >&2
    echo "$program: failed; the whole log is $log" >&2
    return 1
  fi
}

case $action in
  build) build "$@" ;;
  run)
    seconds=$1
    shift
    if [ $# -eq 0 ]; then
      for source in "$here"/*_fuzz.cpp; do set -- "$@" "$(basename "$source" .cpp)"; done
    fi
    status=0
    for program in "$@"; do run_one "$program" "$seconds" || status=1; done
    exit $status
    ;;
  *)
    sed -n '2,10s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
