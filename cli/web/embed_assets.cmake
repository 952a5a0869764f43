# Writes the files FILES (a list, relative to FOLDER) as the C++ source OUT that defines assets().
# Run as a script, whenever one of them changes.
set(media_.html "text/html; charset=utf-8")
set(media_.css "text/css; charset=utf-8")
set(media_.js "text/javascript; charset=utf-8")
set(media_.svg "image/svg+xml")

set(entries "")
foreach(name IN LISTS FILES)
  get_filename_component(extension "${name}" LAST_EXT)
  file(READ "${FOLDER}/${name}" text)
  string(APPEND entries "    {\"/${name}\", \"${media_${extension}}\", R\"~~~(${text})~~~\"},\n")
endforeach()
list(LENGTH FILES count)
file(WRITE "${OUT}" "// Made from viewer/ by embed_assets.cmake.
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
