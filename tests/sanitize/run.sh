#!/bin/sh
# Builds and runs unit tests under sanitizers.
#
#   run.sh build FOLDER KIND COMPILER PROGRAM...   builds them in FOLDER; KIND: address (and undefined) or thread
#   run.sh run FOLDER PROGRAM [OPTION...]          runs a test program; exit code 1 when it fails
#   run.sh find FOLDER PROGRAM                     exit code 0 when PROGRAM ends with the report of its fault

set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
action=$1
folder=$2
shift 2

# The programs are compiled more often than run: in few large units, and not optimised. Units of one file each
# where two files of a large one use the same name.
build() { # KIND COMPILER PROGRAM...
  case $1 in
    address) preset=sanitize ;;
    thread) preset=sanitize-thread ;;
  esac
  compiler=$2
  shift 2
  cd "$root"
  for unity in ON OFF; do
    cmake --preset "$preset" -B "$folder" -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Debug \
      -DCMAKE_CXX_FLAGS_DEBUG=-g1 -DCMAKE_UNITY_BUILD=$unity -DCMAKE_UNITY_BUILD_BATCH_SIZE=32
    if cmake --build "$folder" --parallel 2 --target "$@"; then return 0; fi
  done
  return 1
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
