// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "topology/spec/cube_spec.hpp"
#include "topology/spec/pe_spec.hpp"
#include "topology/spec/sip_spec.hpp"
#include "topology/spec/spec_values.hpp"
#include "topology/spec/system_spec.hpp"

namespace kernbench::topology {

// The contents of a `topology.yaml`, key by key; the initial values are the defaults. Suffixes give
// units: _mm, _ns, _gbs = 10^9 bytes/s, _gb = 2^30 bytes, _mb = 2^20 bytes. A header for each part,
// since a new key compiles again what includes its header.

/// A whole system: tray, SIPs, cubes and PEs. All SIPs and all cubes are identical.
struct TopologySpec {
  SystemSpec system;
  SipSpec sip;
  CubeSpec cube;
  PeSpec pe;
  std::vector<ViewLevel> emit_views{ViewLevel::System, ViewLevel::Sip, ViewLevel::Cube};

  friend bool operator==(const TopologySpec&, const TopologySpec&) = default;
};

/// A network of a spec.
struct NocChoice {
  const NocTopology& topology;
  const NocSpec& noc;
};
/// Returns the network between the SIPs, or that of a SIP.
[[nodiscard]] inline NocChoice noc_of(const TopologySpec& spec, bool between_sips) {
  if (between_sips) return {spec.system.noc_topology, spec.system.noc};
  return {spec.sip.noc_topology, spec.sip.noc};
}

}  // namespace kernbench::topology
