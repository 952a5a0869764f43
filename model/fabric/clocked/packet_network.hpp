// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "maze/network_frame.hpp"
#include "model/fabric/seam/fabric_clock.hpp"

namespace kernbench::model::fabric {

/// A MAZE network between ports A and B of its nodes, stepped one cycle at a time (DESIGN section
/// 6). It starts empty and out of reset. A cycle with no packet inside and none offered has no
/// visible effect and may be skipped.
class PacketNetwork {
 public:
  PacketNetwork() = default;
  PacketNetwork(const PacketNetwork&) = delete;
  PacketNetwork& operator=(const PacketNetwork&) = delete;
  virtual ~PacketNetwork() = default;

  [[nodiscard]] virtual const maze::NetworkConfig& config() const = 0;

  /// Runs one cycle: sets `outputs` to the values that the network drives, then applies the rising
  /// edge `edge`, which samples `inputs`. Both are the same objects in every call. May throw
  /// FabricFailure.
  virtual void step(Edge edge, const maze::NetworkInputs& inputs,
                    maze::NetworkOutputs& outputs) = 0;

  /// Ends the run behind its last edge. May throw FabricFailure for what only the end shows.
  virtual void finish(Edge /*edge*/) {}

  /// Returns the number of packets that entered the link at output `port` of `node`.
  [[nodiscard]] virtual std::uint64_t entered(unsigned node, unsigned port) const = 0;
};

}  // namespace kernbench::model::fabric
