// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "common/diagnostics.hpp"
#include "common/key_places.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {

// The networks of a spec: `sip.inter_cube: {noc: ...}` and `system.inter_sip: {noc: ...}`.

/// Loads the topologies that the spec names. Relative paths start from `folder`. Reports names that
/// are not valid and errors in files.
void load_noc_topologies(TopologySpec& spec, const std::filesystem::path& folder,
                         const common::KeyPlaces& places, common::Diagnostics& diagnostics);

/// Reports networks whose endpoints are not as many as cubes or SIPs, or cannot reach each other,
/// and routes that can deadlock.
void check_noc_topologies(const TopologySpec& spec, const common::KeyPlaces& places,
                          common::Diagnostics& diagnostics);

/// Throws std::logic_error for a spec with a network whose topology was not loaded, and BadInput if
/// it does not have the right number of endpoints.
void require_noc_topologies(const TopologySpec& spec);

/// Returns whether a network of the spec is estimated in place of simulated.
[[nodiscard]] bool has_estimated_noc(const TopologySpec& spec);

/// Returns the words for the interconnect of the cubes: "a UCIe mesh", "MAZE links", "Mesh2D(4,4)".
[[nodiscard]] std::string interconnect_name(const SipSpec& sip);

}  // namespace kernbench::topology
