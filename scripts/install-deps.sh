#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian packages that a make target needs. Prints nothing when all are installed.
#
#   scripts/install-deps.sh [--check] GROUP...    GROUP: sim test prove tidy fuzz coverage wave bench peers deb chroot farm python silicon
#
# --check names the missing packages and installs nothing. Exit code 0 when none is missing, 1 otherwise.
# A tool or header of any origin counts as present, so that local builds are respected.

set -eu
LC_ALL=C
PATH="${PATH:-}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
export LC_ALL PATH

# Debian package and the sign that it is installed: a command, a header below an include folder, libFuzzer or a module of Python.
sim_packages='
  verilator=verilator g++=g++ make=make cmake=cmake ninja-build=ninja ccache=ccache
  libboost-dev=boost/beast.hpp
  zlib1g-dev=zlib.h libyaml-cpp-dev=yaml-cpp/yaml.h libfmt-dev=fmt/core.h
  nlohmann-json3-dev=nlohmann/json.hpp libcli11-dev=CLI/CLI.hpp libexpat1-dev=expat.h libsqlite3-dev=sqlite3.h libmuparser-dev=muParser.h
  libcereal-dev=cereal/cereal.hpp libprotobuf-dev=google/protobuf/message_lite.h protobuf-compiler=protoc
  libboost-context-dev=boost/context/fiber.hpp libeigen3-dev=eigen3/Eigen/Core'
# The FST writer of newer versions of Verilator needs it; that of Debian 12 has a copy of its own.
if [ -d "$("${VERILATOR:-verilator}" --getenv VERILATOR_ROOT 2>/dev/null)/include/fstcpp" ]; then
  sim_packages="$sim_packages liblz4-dev=lz4.h"
fi
test_packages='
  git=git strace=strace python3=python3 python3-yaml=yaml python3-jsonschema=jsonschema libgtest-dev=gtest/gtest.h libgmock-dev=gmock/gmock.h clang-format=clang-format
  python3-protobuf=google.protobuf
  yosys=yosys berkeley-abc=berkeley-abc iverilog=iverilog graphviz=dot clang=clang++ libclang-rt-14-dev=libFuzzer
  chromium=chromium gtkwave=gtkwave librsvg2-bin=rsvg-convert xvfb=Xvfb libxml2-utils=xmllint mandoc=mandoc zsh=zsh fish=fish'
farm_packages='python3=python3 python3-yaml=yaml munge=munged slurm-client=sbatch slurmctld=slurmctld slurmd=slurmd'
prove_packages='git=git python3=python3 python3-yaml=yaml yosys=yosys berkeley-abc=berkeley-abc iverilog=iverilog'
tidy_packages='git=git clang=clang++ clang-tidy=clang-tidy'
fuzz_packages='clang=clang++ libclang-rt-14-dev=libFuzzer'
silicon_packages='python3=python3 yosys=yosys iverilog=iverilog opensta=sta qflow=qflow graywolf=graywolf qrouter=qrouter magic=magic netgen-lvs=netgen-lvs
  qflow-tech-osu018=/usr/share/qflow/tech/osu018 qflow-tech-osu035=/usr/share/qflow/tech/osu035 qflow-tech-osu050=/usr/share/qflow/tech/osu050'
coverage_packages='lcov=lcov'
wave_packages='gtkwave=gtkwave'
deb_packages='dpkg-dev=dpkg-shlibdeps'
chroot_packages='dpkg-dev=dpkg-shlibdeps debootstrap=debootstrap'
bench_packages='libbenchmark-dev=benchmark/benchmark.h valgrind=valgrind'
# The package is for the python3 of Debian.
python_packages='pybind11-dev=pybind11/pybind11.h libpython3-dev=python3.11/Python.h python3-numpy=numpy
  python3-pandas=pandas python3-matplotlib=matplotlib mypy=mypy'
peers_packages='libsystemc-dev=systemc.h python3=python3 python3-simpy3=simpy'

usage() { sed -n '2,7s/^# \{0,1\}//p' "$0"; }
say() { printf '%s\n' "$*" >&2; }
fail() { say "error: $*"; exit 1; }

present() {
  case $1 in
    /*) [ -e "$1" ] ;;
    *.h | *.hpp | */*) [ -e "/usr/include/$1" ] || [ -e "/usr/local/include/$1" ] ;;
    simpy | numpy | pandas | matplotlib | google.protobuf) /usr/bin/python3 -c "import $1" 2>/dev/null ;;
    yaml | jsonschema) python3 -c "import $1" 2>/dev/null ;;
    libFuzzer) ls "$(clang++ -print-resource-dir 2>/dev/null)"/lib/*/libclang_rt.fuzzer*.a >/dev/null 2>&1 ;;
    *) command -v "$1" >/dev/null 2>&1 ;;
  esac
}

# Prints the absent packages of a list of package=probe.
missing_of() {
  for entry in "$@"; do
    present "${entry#*=}" || printf '%s ' "${entry%%=*}"
  done
}

# at_least TOOL NEEDED FOUND: versions are compared part by part, as numbers.
at_least() {
  [ -n "$3" ] || fail "cannot tell the version of $1 (needed: $2 or newer)"
  echo "$2 $3" | awk '{
    n = split($1, want, "."); split($2, have, ".")
    for (i = 1; i <= n; i++) if (have[i] + 0 != want[i] + 0) exit have[i] + 0 < want[i] + 0
  }' || fail "$1 $3 is too old: $2 or newer is needed. Debian 12 ships a new enough one;" \
    "if another is installed in front of it, take it out of PATH (now: $(command -v "$1"))."
}

first_version() { "$@" 2>/dev/null | grep -o '[0-9][0-9]*\.[0-9.]*[0-9]' | head -n 1; }

check_versions() {
  at_least cmake 3.25 "$(first_version cmake --version)"
  at_least verilator 5.006 "$(first_version "${VERILATOR:-verilator}" --version)"
  at_least g++ 12 "$(g++ -dumpfullversion -dumpversion 2>/dev/null)"
}

# Runs apt-get with a log, as root. Standard input is closed: nothing may ask a question.
apt() {
  $as_root env DEBIAN_FRONTEND=noninteractive LC_ALL=C PATH="$PATH" \
    apt-get -q -y -o DPkg::Lock::Timeout=300 "$@" </dev/null >>"$log" 2>&1
}

install_packages() {
  command -v apt-get >/dev/null 2>&1 ||
    fail "apt-get was not found. Install the equivalents of these Debian packages: $*"
  by_hand="apt-get update && apt-get install --no-install-recommends $*"
  as_root=
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
      fail "not root, and there is no sudo. As root, run:
  $by_hand"
    elif sudo -n true 2>/dev/null; then
      as_root='sudo -n'
    elif [ -t 0 ] && [ -t 2 ] && sudo -v; then
      as_root=sudo
    else
      fail "sudo needs a password that cannot be asked for here. Run:
  sudo sh -c '$by_hand'"
    fi
  fi

  log=$(mktemp "${TMPDIR:-/tmp}/kernbench-install.XXXXXX")
  trap 'rm -f "$log"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  say "Installing them with apt-get; this can take a few minutes ..."
  updated=no
  # Fetches the package lists when they lack a package, or are too old to download one.
  if ! apt-cache show --no-all-versions "$@" >/dev/null 2>&1; then
    apt update || true
    updated=yes
  fi
  if ! apt install --no-install-recommends "$@"; then
    if [ "$updated" = yes ] || ! apt update || ! apt install --no-install-recommends "$@"; then
      tail -n 20 "$log" >&2
      fail "apt-get could not install the packages; its last lines are above. Once the cause is mended (network,
/etc/apt/sources.list, another apt running?), try again, or run as root:
  $by_hand"
    fi
  fi
}

install=yes
packages=
versions=no
[ $# -gt 0 ] || { usage >&2; exit 2; }
for group in "$@"; do
  case $group in
    -h | --help) usage; exit 0 ;;
    --check) install=no ;;
    sim) packages="$packages $sim_packages" versions=yes ;;
    test) packages="$packages $sim_packages $test_packages $farm_packages $python_packages" versions=yes ;;
    farm) packages="$packages $farm_packages" ;;
    python) packages="$packages $sim_packages $python_packages" versions=yes ;;
    prove) packages="$packages $sim_packages $prove_packages" versions=yes ;;
    tidy) packages="$packages $sim_packages $test_packages $tidy_packages" versions=yes ;;
    fuzz) packages="$packages $sim_packages $fuzz_packages" versions=yes ;;
    silicon) packages="$packages $silicon_packages" ;;
    coverage) packages="$packages $sim_packages $coverage_packages" versions=yes ;;
    bench) packages="$packages $sim_packages $bench_packages" versions=yes ;;
    peers) packages="$packages $sim_packages $bench_packages $peers_packages" versions=yes ;;
    wave) packages="$packages $sim_packages $wave_packages" versions=yes ;;
    deb) packages="$packages $sim_packages $deb_packages" versions=yes ;;
    chroot) packages="$packages $sim_packages $chroot_packages" versions=yes ;;
    *) say "error: unknown group '$group'"; usage >&2; exit 2 ;;
  esac
done

# Word splitting of the lists is intended, here and below. Groups share packages; each is named once.
# shellcheck disable=SC2086
packages=$(printf '%s\n' $packages | awk '!seen[$0]++')
# shellcheck disable=SC2086
missing=$(missing_of $packages)
if [ -n "$missing" ]; then
  say "Missing Debian packages: $missing"
  [ "$install" = yes ] || exit 1
  # shellcheck disable=SC2086
  install_packages $missing
  # shellcheck disable=SC2086
  missing=$(missing_of $packages)
  [ -z "$missing" ] || fail "installed, and yet not found: $missing"
  say "Installed."
fi
if [ "$versions" = yes ]; then check_versions; fi
