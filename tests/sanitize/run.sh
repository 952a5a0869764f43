#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds and runs unit tests under sanitizers.
#
#   run.sh build FOLDER COMPILER PROGRAM...   builds them in FOLDER
#   run.sh run FOLDER PROGRAM [OPTION...]     runs a test program; exit code 1 when it fails
#   run.sh find FOLDER PROGRAM                exit code 0 when PROGRAM ends with the report of its fault

set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
action=$1
folder=$2
shift 2

# The programs are compiled more often than run, so they are not optimised; tests/fuzz optimises what is fuzzed.
build() { # COMPILER PROGRAM...
  compiler=$1
  shift
  cd "$root"
  # shellcheck disable=SC2046
  cmake --preset sanitize $(scripts/moved-build.sh "$folder") -B "$folder" -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS="-O0 -gline-tables-only"
  cmake --build "$folder" --parallel 2 --target "$@"
}

path_of() { find "$folder/tests" -name "$1" -type f -perm -u+x; }

find_fault() { # PROGRAM
  log=$folder/$1.log
  if "$(path_of "$1")" >"$log" 2>&1; then
    echo "$1 ended well: its fault was not seen" >&2
    return 1
  fi
  case $1 in
    data_race) report='ThreadSanitizer: data race' ;;
    heap_overflow) report='AddressSanitizer: heap-buffer-overflow' ;;
    signed_overflow) report='runtime error: signed integer overflow' ;;
  esac
  grep "$report" "$log"
}

case $action in
  build) build "$@" ;;
  run)
    program=$(path_of "$1")
    shift
    "$program" "$@" --gtest_list_tests | grep -q . || { echo "no test is left" >&2; exit 1; }
    "$program" "$@"
    ;;
  find) find_fault "$1" ;;
  *)
    sed -n '2,6s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
