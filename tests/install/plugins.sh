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
CCACHE_DIR=$(ccache --get-config cache_dir || true)
export HOME="$work/home" LC_ALL=C.UTF-8 CCACHE_DIR CCACHE_BASEDIR="$work" CCACHE_NOHASHDIR=1
mkdir "$HOME"

"$root/packaging/install.sh" "$build" "$work/stage" /opt/kernbench
mv "$work/stage/opt/kernbench" "$work/prefix"
cp -r "$work/prefix/share/doc/kernbench/examples/plugin" "$work/project"
kernbench=$work/prefix/bin/kernbench
cd "$work/project"

compilers=g++
if command -v clang++ > /dev/null; then compilers="$compilers clang++"; else echo "skipped: clang++ is not installed"; fi
cat > topology.yaml << END
system: {sips: {count: 6}}
sip: {cube_mesh: {w: 2, h: 1}}
cube: {pe_layout: {pe_per_corner: 1}, memory_map: {slices_per_cube: 4}}
END
cat > ccl.yaml << END
backend: ahbm
algorithms: {all_reduce: double-tree, all_to_all: pairwise}
END
cat > ccl-example.yaml << END
backend: ahbm
algorithms: {all_reduce: example-double-tree, example_exchange: example-pairwise}
END

# collective RANKS TYPE CCL NAME: runs a collective, and prints results and times without its name and that of its algorithm.
collective() {
  "$kernbench" run --plugin build/example.so --topology topology.yaml collective --verify --ccl "$3" --set bytes=20000 \
    --set "ranks=$1" --set "type=$2" --set "collective=$4" > "$work/out" || return 1
  grep -q '^PASS  contracts of ' "$work/out" || return 1
  sed -E 's/(example-)?(double-tree|pairwise)/ALGORITHM/; s/(^|=)(all_reduce|all_to_all|example_exchange)/\1COLLECTIVE/' "$work/out" | sed -zE 's/\n +/ /g' | tr -s ' '
}

launcher=$(command -v ccache || true)
for compiler in $compilers; do
  cmake -B build -D CMAKE_PREFIX_PATH="$work/prefix" -D CMAKE_CXX_COMPILER=$compiler -D CMAKE_CXX_COMPILER_LAUNCHER="$launcher" \
    -D CMAKE_BUILD_TYPE=None -D CMAKE_CXX_FLAGS="-O0 -Wall -Wextra -Wpedantic -Wconversion -Werror" > "$work/log" 2>&1 &&
    cmake --build build -j 2 >> "$work/log" 2>&1 || { cat "$work/log" >&2; fail "$compiler"; }
  [ "$(cd build && ls ./*.so | tr '\n' ' ')" = './ageing_hbm.so ./example.so ' ] || fail "libraries: $(ls build)"
  {
    "$kernbench" list --plugin build/example.so | grep -A 3 saxpy | cut -c 5-
    "$kernbench" run --plugin build/example.so saxpy --verify --json build/run.json
    "$kernbench" run --plugin build/example.so gemm --set plan=columns-first --set tile_m=8 --set tile_n=16 --set c=blocks --verify
    "$kernbench" --plugin build/example.so traffic 'Mesh2D(4,4)' --pattern butterfly --loads 0.1
    "$kernbench" topology zoo 'Star(5)' --plugin build/example.so
    printf 'topology: {kind: Star, n: 4}\nrouting: over_the_centre\n' > star.yaml
    "$kernbench" topology zoo --spec star.yaml --plugin build/example.so
    "$kernbench" cosim --plugin build/example.so --workload butterfly --workload bench:saxpy --fabric cycle --loads 0.1
    "$kernbench" run vector-add
    "$kernbench" run vector-add --plugin build/example.so --plugin build/ageing_hbm.so
  } > "$work/out" 2> "$work/err" || { cat "$work/out" "$work/err" >&2; fail "run with $compiler"; }
  [ ! -s "$work/err" ] || fail "$compiler: $(cat "$work/err")"
  grep -A 5 '^ "plugins"' build/run.json | head -n 5 | tr -d ' \n' | grep -q '^"plugins":\[{"hash":"[0-9a-f]*","name":"example","version":"1.0"' ||
    fail "no plugin in the report: $(head -n 20 build/run.json)"
  grep -E '^ saxpy|^   [a-z]+=|^butterfly: |^topology: |^routing: |^ 0\.1|us in all|^PASS' "$work/out" > "$work/$compiler.out"
  diff "$here/plugins.txt" "$work/$compiler.out" >&2 || fail "output with $compiler (> is that of now)"
  # The collectives of the example take the time of those that ship, and give the same numbers.
  for ranks in all 3 4,1 5,0,2 5,4,3,2,1; do
    for type in i32 f32; do
      for pair in all_reduce=all_reduce all_to_all=example_exchange; do
        collective $ranks $type ccl.yaml ${pair%=*} > "$work/shipped" || fail "${pair%=*} of $ranks"
        collective $ranks $type ccl-example.yaml ${pair#*=} > "$work/example" || fail "${pair#*=} of $ranks: $(cat "$work/out")"
        diff "$work/shipped" "$work/example" >&2 || fail "${pair#*=} of $ranks differs from the one that ships"
      done
    done
  done
  # That comparison notices another algorithm.
  sed 's/double-tree/tree/' ccl.yaml > ccl-tree.yaml
  collective all i32 ccl-tree.yaml all_reduce > "$work/shipped" || fail "all_reduce by a tree"
  collective all i32 ccl-example.yaml all_reduce > "$work/example" || fail "all_reduce by two trees"
  [ "$(grep 'us in all' "$work/shipped")" != "$(grep 'us in all' "$work/example")" ] || fail "one tree is taken for two"
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
