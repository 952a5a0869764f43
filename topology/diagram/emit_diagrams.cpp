// SPDX-License-Identifier: Apache-2.0
#include "topology/diagram/emit_diagrams.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/atomic_file.hpp"
#include "topology/diagram/view_renderer.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {

std::vector<std::filesystem::path> emit_diagrams(const TopologyGraph& graph,
                                                 const std::filesystem::path& folder,
                                                 bool with_pe_view) {
  common::ensure_directory(folder);
  const std::vector<ViewLevel>& chosen = graph.spec().emit_views;
  std::vector<std::filesystem::path> written;
  for (const auto& [level_name, level] : kViewLevelNames) {
    const bool named = std::find(chosen.begin(), chosen.end(), level) != chosen.end();
    if (!named && !(with_pe_view && level == ViewLevel::Pe)) continue;
    const std::filesystem::path path = folder / fmt::format("{}_view.svg", level_name);
    common::write_file_atomically(path, render_view_svg(graph.view(level)));
    written.push_back(path);
  }
  return written;
}

}  // namespace kernbench::topology
