#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A new edge kind must not compile before it has chosen its adjacencies (ADR-0053 D5).
#
#   new_edge_kind_test.sh SOURCE_DIR COMPILER
set -eu
source=$1 compiler=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/topology/graph"

# compiles TEXT-OF-KINDS: succeeds if the adjacencies compile with these kinds.
compiles() {
  printf '%s\n' "$1" > "$work/topology/graph/kinds.hpp"
  "$compiler" -std=c++20 -Wall -Wextra -Werror -fsyntax-only -I"$work" -I"$source" \
    "$source/topology/routing/adjacency.cpp" 2> "$work/errors"
}

kinds=$(cat "$source/topology/graph/kinds.hpp")
compiles "$kinds" || { echo "the shipped kinds do not compile:"; cat "$work/errors"; exit 1; }
more=$(printf '%s\n' "$kinds" | sed 's/^  MazeAttach,$/  MazeAttach,\n  Teleporter,/')
[ "$more" != "$kinds" ] || { echo "no place found for a new kind"; exit 1; }
if compiles "$more"; then echo "a kind without adjacencies compiles"; exit 1; fi
grep -q Teleporter "$work/errors" || { echo "another error:"; cat "$work/errors"; exit 1; }
