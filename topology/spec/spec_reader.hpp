// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {

/// Reads `topology.yaml` strictly (ADR-0053, "First action"; DESIGN section 4). `~` is expanded;
/// the path must name a readable file whose root is a map. Every key is checked; absent keys keep
/// their defaults. Throws common::BadInput with all errors, each with file, line, column and the
/// source line.
///
/// `settings` replace keys of the file: "pe.clock_ghz=2". Their values are checked as those of the
/// file are; messages call them `--set topology.pe.clock_ghz=2`.
[[nodiscard]] TopologySpec load_topology_spec(const std::filesystem::path& path,
                                              const std::vector<std::string>& settings = {});

/// Returns the files of the networks that such a file and settings name, which load_topology_spec()
/// reads besides it.
[[nodiscard]] std::vector<std::filesystem::path> topology_files(
    const std::filesystem::path& path, const std::vector<std::string>& settings = {});

/// Parses text in memory like load_topology_spec(); `name` replaces the file name in messages, and
/// relative paths start from the current folder.
[[nodiscard]] TopologySpec parse_topology_spec(std::string_view text, const std::string& name,
                                               const std::vector<std::string>& settings = {});

}  // namespace kernbench::topology
