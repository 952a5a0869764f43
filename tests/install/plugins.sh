#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the plugins of examples/plugin against an installation, in a folder outside the checkout, with GCC and Clang,
# and runs them. Both compilers must give the same output.
#
#   plugins.sh BUILD

set -eu
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)

work=$(mktemp -d "${TMPDIR:-/tmp}/kernbench-plugins.XXXXXX")
trap 'rm -rf "$work"' EXIT
fail() { echo "FAIL  $*" >&2; exit 1; }
unset KERNBENCH_ROOT
export HOME="$work/home" LC_ALL=C.UTF-8
export CCACHE_DIR="$build/ccache-of-plugins" CCACHE_BASEDIR="$work" CCACHE_NOHASHDIR=1
mkdir "$HOME"

"$root/packaging/install.sh" "$build" "$work/stage" /opt/kernbench
mv "$work/stage/opt/kernbench" "$work/prefix"
cp -r "$root/examples/plugin" "$work/project"
kernbench=$work/prefix/bin/kernbench
cd "$work/project"

compilers=g++
if command -v clang++ > /dev/null; then compilers="$compilers clang++"; else echo "skipped: clang++ is not installed"; fi
launcher=$(command -v ccache || true)
for compiler in $compilers; do
  cmake -B build -D CMAKE_PREFIX_PATH="$work/prefix" -D CMAKE_CXX_COMPILER=$compiler -D CMAKE_CXX_COMPILER_LAUNCHER="$launcher" \
    -D CMAKE_BUILD_TYPE=None -D CMAKE_CXX_FLAGS="-O0 -Wall -Wextra -Wpedantic -Wconversion -Werror" > "$work/log" 2>&1 &&
    cmake --build build -j 2 >> "$work/log" 2>&1 || { cat "$work/log" >&2; fail "$compiler"; }
  [ "$(cd build && ls ./*.so | tr '\n' ' ')" = './ageing_hbm.so ./example.so ' ] || fail "libraries: $(ls build)"
  {
    "$kernbench" list --plugin build/example.so | grep -A 3 saxpy | cut -c 5-
    "$kernbench" run --plugin build/example.so --bench saxpy --verify --json build/run.json
    "$kernbench" --plugin build/example.so traffic 'Mesh2D(4,4)' --pattern butterfly --loads 0.1
    "$kernbench" cosim --plugin build/example.so --workload butterfly --workload bench:saxpy --fabric cycle --loads 0.1
    "$kernbench" run --bench vector-add
    "$kernbench" run --bench vector-add --plugin build/example.so --plugin build/ageing_hbm.so
  } > "$work/out" 2> "$work/err" || { cat "$work/out" "$work/err" >&2; fail "run with $compiler"; }
  [ ! -s "$work/err" ] || fail "$compiler: $(cat "$work/err")"
  grep -A 5 '^ "plugins"' build/run.json | head -n 5 | tr -d ' \n' | grep -q '^"plugins":\[{"name":"example","version":"1.0",' ||
    fail "no plugin in the report: $(head -n 20 build/run.json)"
  grep -E '^ saxpy|^   [a-z]+=|^butterfly: |^   0\.1|^  bench:saxpy|us in all|^PASS' "$work/out" > "$work/$compiler.out"
  diff "$here/plugins.txt" "$work/$compiler.out" >&2 || fail "output with $compiler (> is that of now)"
  echo "ok    plugins built with $compiler"
  # A plugin of other headers.
  if [ $compiler = g++ ]; then
    sed -i 's/KERNBENCH_API_HASH "\(.*\)"/KERNBENCH_API_HASH "0000000000000000"/' "$work/prefix/include/kernbench/api_hash.hpp"
    cmake --build build --target example > "$work/log" 2>&1
    code=0
    "$kernbench" list --plugin build/example.so > "$work/out" 2> "$work/err" || code=$?
    [ "$code" = 2 ] && grep -q "^error: --plugin: plugin 'example' 1.0 (build/example.so) was built against headers 0000000000000000, " "$work/err" ||
      fail "other headers: exit code $code: $(cat "$work/err")"
    echo "ok    plugin of other headers refused"
    cp -p "$build/include/kernbench/api_hash.hpp" "$work/prefix/include/kernbench/"
  fi
  rm -r build
done
