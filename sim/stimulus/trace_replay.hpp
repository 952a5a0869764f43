// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "maze/link_frame.hpp"
#include "sim/stimulus/payload_source.hpp"
#include "sim/stimulus/traffic_pattern.hpp"
#include "sim/trace/link_trace.hpp"

namespace kernbench::sim {

/// Replays a link-trace. A packet of cycle c is offered in the first cycle from c on in which its
/// link is free and packets may start. The packets of a link keep their order.
class TraceReplay : public TrafficPattern, public PayloadSource {
 public:
  /// The cycles of a link must ascend.
  TraceReplay(const maze::Shape& shape, std::vector<TraceEntry> entries);

  void start(std::uint64_t cycle, const FabricState& state, maze::BitPlane& start) override;
  [[nodiscard]] bool exhausted() const override { return started_ == by_cycle_.size(); }
  [[nodiscard]] const maze::BitPlane& links() const override { return links_; }
  void fill(const maze::BitPlane& start, maze::PayloadPlane& payloads) override;

 private:
  /// Packets of one link, in order.
  struct LinkQueue {
    std::vector<maze::Payload> packets;
    std::size_t due = 0;   ///< number of packets whose cycle has been reached
    std::size_t next = 0;  ///< index of the first packet not started
  };
  struct Due {
    std::uint64_t cycle;
    unsigned port, node;
  };
  [[nodiscard]] LinkQueue& queue(unsigned port, unsigned node) {
    return queues_[std::size_t{port} * shape_.nodes() + node];
  }

  maze::Shape shape_;
  std::vector<LinkQueue> queues_;
  std::vector<Due> by_cycle_;
  std::size_t next_due_ = 0;
  std::size_t started_ = 0;
  maze::BitPlane links_;
  maze::BitPlane waiting_;  ///< links with a due packet not started
};

}  // namespace kernbench::sim
