// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "topology/spec/spec_values.hpp"

namespace kernbench::topology {

namespace zoo {
class EndpointRoutes;
}

/// The keys that a MAZE and a network of any topology share.
struct FabricSpec {
  double clock_ns = 1.0;
  FabricModel fabric = FabricModel::Cycle;  ///< a co-simulation chooses its own
  double attach_bw_gbs = 256.0;
  double attach_distance_mm = 0.5;

  friend bool operator==(const FabricSpec&, const FabricSpec&) = default;
};

/// The sizes of a network of any topology (docs/noc.md).
struct NocSpec : FabricSpec {
  std::uint32_t flit_bits = 32;  ///< data bits
  std::uint32_t lanes = 1;
  std::uint32_t slots = 8;
  std::uint32_t stages = 1;
  std::uint32_t packet_flits = 16;  ///< most flits of a packet

  friend bool operator==(const NocSpec&, const NocSpec&) = default;
};

/// The topology of a network: "Mesh2D(4,4)", or a file of the zoo whose path is relative to the
/// spec, and its routes.
struct NocTopology {
  std::string noc;
  std::shared_ptr<const zoo::EndpointRoutes> routes{};  ///< null without a network

  [[nodiscard]] const zoo::EndpointRoutes* operator->() const { return routes.get(); }
  friend bool operator==(const NocTopology& a, const NocTopology& b) { return a.noc == b.noc; }
};

}  // namespace kernbench::topology
