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

/// Does the same for a text that may name a file: one that ends with .yaml or .yml.
[[nodiscard]] ChosenTopology chosen_base_topology(const std::string& text_or_file);

}  // namespace kernbench::cli
