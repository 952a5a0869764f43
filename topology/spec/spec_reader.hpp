// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {

/// Replaces a leading "~" with the user's home folder, as a shell does; "~user" is left alone.
[[nodiscard]] std::filesystem::path expand_home(const std::filesystem::path& path);

/// Reads `topology.yaml` strictly (ADR-0053, "First action"; DESIGN section 4). `~` is expanded;
/// the path must name a readable file whose root is a map. Every key is checked; absent keys keep
/// their defaults. Throws common::BadInput with all errors, each with file, line, column and the
/// source line.
[[nodiscard]] TopologySpec load_topology_spec(const std::filesystem::path& path);

/// Parses text in memory like load_topology_spec(); `name` replaces the file name in messages.
[[nodiscard]] TopologySpec parse_topology_spec(std::string_view text, const std::string& name);

}  // namespace kernbench::topology
