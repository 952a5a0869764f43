# SPDX-License-Identifier: Apache-2.0
# Script that writes the C++ source OUT, which defines schemas() with the files of FOLDER.
file(GLOB_RECURSE files RELATIVE "${FOLDER}" "${FOLDER}/*.schema.json")
list(SORT files)
set(entries "")
foreach(name IN LISTS files)
  file(READ "${FOLDER}/${name}" text)
  string(REPLACE ".schema.json" "" name "${name}")
  string(APPEND entries "    {\"${name}\", R\"~~~(${text})~~~\"},\n")
endforeach()
list(LENGTH files count)
file(WRITE "${OUT}" "// Generated from schemas/ by schemas.cmake.
#include \"cli/schemas.hpp\"

#include <array>

namespace kernbench::cli {

std::span<const Schema> schemas() {
  static constexpr std::array<Schema, ${count}> kSchemas = {{
${entries}  }};
  return kSchemas;
}

}  // namespace kernbench::cli
")
