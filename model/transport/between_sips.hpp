// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::transport {

/// Returns the network of routers that joins the SIPs of a system, as that of a SIP whose cubes
/// stand for the SIPs. The spec must have one.
[[nodiscard]] inline topology::SipSpec network_between_sips(const topology::TopologySpec& spec) {
  topology::SipSpec sip;
  sip.inter_cube = topology::InterCube::Noc;
  sip.cube_mesh_w = spec.system.sips;
  sip.cube_mesh_h = 1;
  sip.noc_topology = spec.system.noc_topology;
  sip.noc = spec.system.noc;
  return sip;
}

}  // namespace kernbench::model::transport
