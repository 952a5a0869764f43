#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs a build below a DESTDIR, moves the installation, runs it, tries its man pages and completions, and removes it.
#
#   install.sh BUILD

set -eu
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)

work=$(mktemp -d "${TMPDIR:-/tmp}/kernbench-install.XXXXXX")
trap 'rm -rf "$work"' EXIT
fail() { echo "FAIL  $*" >&2; exit 1; }

"$root/packaging/install.sh" "$build" "$work/stage" /opt/kernbench
[ -x "$work/stage/opt/kernbench/bin/kernbench" ] || fail "no program below DESTDIR"
mkdir -p "$work/elsewhere/share/man/man1"
echo mine > "$work/elsewhere/share/man/man1/mine.1"
cp -a "$work/stage/opt/kernbench/." "$work/elsewhere"
rm -rf "$work/stage"
prefix=$work/elsewhere
! grep -rl "$root" "$prefix" > "$work/compiled-in" || fail "path of the checkout in: $(cat "$work/compiled-in")"

CCACHE_DIR=$(ccache --get-config cache_dir || true) "$here/try-installed.sh" "$prefix"

# That script notices a file that is written into the installation.
touch "$work/stamp"
sleep 0.01
touch "$prefix/share/kernbench/configs/stray.yaml"
if "$here/try-installed.sh" --written "$prefix" "$work/stamp" 2> "$work/err"; then fail "a stray file was not noticed"; fi
grep -q 'configs/stray.yaml$' "$work/err"
rm "$prefix/share/kernbench/configs/stray.yaml"

# Without its data, a program says what is missing.
mkdir "$work/alone"
cp "$prefix/bin/kernbench" "$work/alone/"
code=0
env -u KERNBENCH_ROOT "$work/alone/kernbench" list > "$work/out" 2> "$work/err" || code=$?
[ "$code" = 2 ] && grep -q '^error: the data of this program was not found: .*, and KERNBENCH_ROOT is not set; set ' "$work/err" ||
  fail "a program without data: exit code $code: $(cat "$work/err")"
code=0
KERNBENCH_ROOT=/nowhere "$work/alone/kernbench" list > "$work/out" 2> "$work/err" || code=$?
[ "$code" = 2 ] && grep -q " and KERNBENCH_ROOT is '/nowhere', which has no Makefile.verilator; set " "$work/err" ||
  fail "a wrong KERNBENCH_ROOT: exit code $code: $(cat "$work/err")"
KERNBENCH_ROOT=$prefix/share/kernbench "$work/alone/kernbench" topology show | grep -q '^2 SIPs' || fail "KERNBENCH_ROOT"

# The Python package of the installation, with its data and its program, and without the build.
if grep -q '^KERNBENCH_PYTHON:BOOL=ON' "$build/CMakeCache.txt"; then
  (
    cd "$work"
    unset KERNBENCH_ROOT KERNBENCH PYTHONDONTWRITEBYTECODE PYTHONPYCACHEPREFIX
    PYTHONPATH=$(echo "$prefix"/lib/python3*/dist-packages) /usr/bin/python3 -c "
import kernbench
from kernbench import _places
assert kernbench.__file__.startswith('$prefix/'), kernbench.__file__
assert (str(_places.root()), _places.program()) == ('$prefix/share/kernbench', '$prefix/bin/kernbench')
open('plan.yaml', 'w').write('command: [run, vector-add]\nparameters: {bench.rows: [64]}\ntargets: {data.end_ps: min}\n')
print(kernbench.load().run('vector-add', rows=64).end_ps, kernbench.sweep('plan.yaml')['data.end_ps'][0])" > out
  ) || fail "the installed Python package"
  "$prefix/bin/kernbench" run vector-add --set rows=64 --json "$work/run.json" > "$work/run.out"
  end=$(sed -n 's/^ *"end_ps": \([0-9]*\),$/\1/p' "$work/run.json" | head -n 1)
  [ -n "$end" ] || fail "no end_ps in a report"
  [ "$(cat "$work/out")" = "$end $end" ] || fail "Python: $(cat "$work/out"), the program: $end"
  [ -d "$(echo "$prefix"/lib/python3*/dist-packages/kernbench/__pycache__)" ] || fail "Python has not compiled its package"
  echo "ok    Python package"
else
  echo "skipped: the build has no Python package"
fi

# A man page for every command.
"$prefix/bin/kernbench" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z-][a-z-]*\) .*/\1/p' > "$work/commands"
[ -s "$work/commands" ] || fail "no commands in --help"
while read -r command; do
  [ -f "$prefix/share/man/man1/kernbench-$command.1.gz" ] || fail "no man page for $command"
done < "$work/commands"
if command -v mandoc > /dev/null; then
  for page in "$prefix"/share/man/man1/kernbench*.1.gz; do
    mandoc -Tlint -Werror "$page" || fail "mandoc: $page"
  done
  echo "ok    man pages"
else
  echo "skipped: mandoc is not installed"
fi

"$here/completion.bash" "$prefix/share/bash-completion/completions/kernbench"
for shell in zsh fish; do
  if command -v $shell > /dev/null; then
    "$here/completion.$shell" "$prefix"
  else
    echo "skipped: $shell is not installed"
  fi
done

# A build folder is configured again after it was moved with its checkout.
mkdir -p "$work/clone/scripts" "$work/clone/build"
cp "$root/scripts/moved-build.sh" "$work/clone/scripts/"
[ -z "$("$work/clone/scripts/moved-build.sh" "$work/clone/build")" ] || fail "a folder without a cache was moved"
echo "CMAKE_HOME_DIRECTORY:INTERNAL=$work/clone" > "$work/clone/build/CMakeCache.txt"
[ -z "$("$work/clone/scripts/moved-build.sh" "$work/clone/build")" ] || fail "a folder that stays was moved"
mv "$work/clone" "$work/clone2"
[ "$("$work/clone2/scripts/moved-build.sh" "$work/clone2/build" 2> "$work/err")" = --fresh ] || fail "moved build folder"
grep -q "build was configured for $work/clone; it is configured again$" "$work/err"

"$root/packaging/uninstall.sh" '' "$prefix"
left=$(find "$prefix" -type f)
[ "$left" = "$prefix/share/man/man1/mine.1" ] || fail "left by uninstall: $left"
for folder in include/kernbench share/cmake/KernBench share/kernbench; do
  [ ! -e "$prefix/$folder" ] || fail "$folder is left"
done
[ -z "$(find "$prefix" -name kernbench -path '*-packages/*')" ] || fail "the Python package is left"
if "$root/packaging/uninstall.sh" '' "$prefix" 2> "$work/err"; then fail "nothing was uninstalled twice"; fi
grep -q '^error: no KernBench of `make install` is in ' "$work/err"
echo "ok    uninstalled"
