// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "topology/spec/noc_spec.hpp"
#include "topology/spec/spec_values.hpp"

namespace kernbench::topology {

/// The keys of `topology.yaml` outside SIPs; topology_spec.hpp has the units.
struct SystemSpec {
  std::uint32_t sips = 2;  ///< sips.count, 1..256 (8 bits of a physical address)
  InterSip inter_sip = InterSip::Switch;
  NocTopology noc_topology;  ///< with inter_sip noc; its endpoint i is SIP i
  NocSpec noc;
  std::uint32_t flit_bytes = 256;
  std::uint32_t request_bytes = 16;
  std::uint32_t target_bytes = 16;     ///< message.target_bytes
  std::uint32_t region_bytes = 24;     ///< message.region_bytes
  std::uint32_t placement_bytes = 16;  ///< message.placement_bytes
  double wire_ns_per_mm = 0.01;        ///< wire.ns_per_mm
  double host_cpu_overhead_ns = 0.0;   ///< host_cpu.attrs.overhead_ns
  double switch_overhead_ns = 100.0;
  LinkSpec host_to_switch{128.0, 100.0};
  LinkSpec switch_to_pcie_ep{64.0, 100.0};

  friend bool operator==(const SystemSpec&, const SystemSpec&) = default;
};

}  // namespace kernbench::topology
