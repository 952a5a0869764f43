// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "model/fabric/clocked/open_transfers.hpp"

namespace kernbench::model::fabric {

/// Is notified of every flit that moves through a network of routers. A slot names a transfer until
/// its last flit is delivered.
class FlitObserver {
 public:
  virtual ~FlitObserver() = default;

  /// A transfer begins: its source may send the first flit at edge `seen`.
  virtual void on_begun(common::SimTime submitted, Edge seen, Slot slot, const Transfer& transfer,
                        std::uint64_t flits) = 0;
  /// A flit enters its source by port A.
  virtual void on_accepted(Edge edge, Slot slot, std::uint64_t flit, std::uint32_t vc) = 0;
  /// A flit leaves a router by a channel. It is in the FIFO at the other end one cycle later, or
  /// more with registers.
  virtual void on_sent(Edge edge, std::uint32_t channel, Slot slot, std::uint64_t flit,
                       std::uint32_t vc) = 0;
  /// A flit leaves its destination by port B.
  virtual void on_delivered(Edge edge, Slot slot, std::uint64_t flit, std::uint32_t vc) = 0;
};

}  // namespace kernbench::model::fabric
