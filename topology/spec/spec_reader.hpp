#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {

/// "~" and "~/..." with the user's home folder, as a shell expands them.
[[nodiscard]] std::filesystem::path expand_home(const std::filesystem::path& path);

/// Reads `topology.yaml` strictly (ADR-0053, "First action"; DESIGN section 4): `~` is expanded,
/// the path must name a readable file whose root is a map; every key is checked, absent ones take
/// their default. Throws common::BadInput with all errors, each with file, line, column and the
/// line shown.
[[nodiscard]] TopologySpec load_topology_spec(const std::filesystem::path& path);

/// The same for text in memory; `name` stands for the file in messages.
[[nodiscard]] TopologySpec parse_topology_spec(std::string_view text, const std::string& name);

}  // namespace kernbench::topology
