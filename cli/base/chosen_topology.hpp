// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "topology/zoo/base/base_topology.hpp"

namespace kernbench::cli {

/// A base topology and the files that it was read from.
struct ChosenTopology {
  topology::zoo::TopologyPtr topology;
  std::vector<std::filesystem::path> files;
};

/// Returns the base topology of a text, or of a file if `spec` is not empty, and prints what the
/// topology leaves out of the file. Throws common::BadInput for both at a time.
[[nodiscard]] ChosenTopology chosen_base_topology(const std::string& text, const std::string& spec);

}  // namespace kernbench::cli
