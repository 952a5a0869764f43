#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints "--fresh", with which CMake configures a build folder from scratch, if the folder was configured for another
# checkout, or for this one before it was moved: CMake refuses such a folder. Prints nothing otherwise.
#
#   scripts/moved-build.sh BUILD_FOLDER

set -eu
home=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$1/CMakeCache.txt" 2>/dev/null) || true
here=$(cd "$(dirname "$0")/.." && pwd -P)
if [ -n "$home" ] && [ "$(realpath -m "$home")" != "$here" ]; then
  echo "$1 was configured for $home; it is configured again" >&2
  echo --fresh
fi
