#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Tries the completion in bash: completion.bash SCRIPT

set -u
# shellcheck source=/dev/null
source "$1"
cd "$(mktemp -d)" || exit
trap 'rm -rf "$PWD"' EXIT
touch 'my system.yaml'

# expect "CANDIDATES" WORD...: what the words after "kernbench", the last of them unfinished, are completed to.
expect() {
  local expected=$1
  shift
  COMP_WORDS=(kernbench "$@")
  COMP_CWORD=$#
  COMPREPLY=()
  _kernbench
  [[ "${COMPREPLY[*]}" == "$expected" ]] ||
    { echo "FAIL  bash: kernbench $*: '${COMPREPLY[*]}', expected '$expected'" >&2; exit 1; }
}

expect 'export' topology ex
expect 'build show export route check zoo rtl prove' topology ''
expect '--seed --seeds' sim --se
expect '' sim --seed ''
expect 'dot graphml json' topology export --format ''
expect 'json' topology export --format = j
expect 'graphml' topology export --format = dot --format g
expect 'bash zsh fish' completion ''
expect 'my system.yaml' probe --topology m
expect '--verify' run list --verif   # "list" is a value here, not a command
expect '' nothing-such --x
[[ $(complete -p kernbench) == 'complete -F _kernbench kernbench' ]]
echo "ok    completion in bash"
