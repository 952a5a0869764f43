# SPDX-License-Identifier: Apache-2.0
# Script that writes the C++ source OUT, which defines assets() with the contents of FILES (a list
# of paths, absolute or relative to FOLDER).
set(media_.html "text/html; charset=utf-8")
set(media_.css "text/css; charset=utf-8")
set(media_.js "text/javascript; charset=utf-8")
set(media_.svg "image/svg+xml")

set(entries "")
foreach(name IN LISTS FILES)
  get_filename_component(path "${name}" ABSOLUTE BASE_DIR "${FOLDER}")
  get_filename_component(extension "${name}" LAST_EXT)
  if(IS_ABSOLUTE "${name}")
    get_filename_component(name "${name}" NAME)
  endif()
  file(READ "${path}" text)
  string(APPEND entries "    {\"/${name}\", \"${media_${extension}}\", R\"~~~(${text})~~~\"},\n")
endforeach()
list(LENGTH FILES count)
file(WRITE "${OUT}" "// Generated from viewer/ by embed_assets.cmake.
#include \"cli/web/assets.hpp\"

#include <array>

namespace kernbench::cli::web {

std::span<const Asset> assets() {
  static constexpr std::array<Asset, ${count}> kAssets = {{
${entries}  }};
  return kAssets;
}

}  // namespace kernbench::cli::web
")
