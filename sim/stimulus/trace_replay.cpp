// SPDX-License-Identifier: Apache-2.0
#include "sim/stimulus/trace_replay.hpp"

#include <algorithm>

#include "maze/plane_bits.hpp"

namespace kernbench::sim {

using maze::BitPlane;
using maze::PayloadPlane;
using maze::Shape;

TraceReplay::TraceReplay(const Shape& shape, std::vector<TraceEntry> entries)
    : shape_(shape), queues_(shape.links()), links_(shape), waiting_(shape) {
  std::stable_sort(entries.begin(), entries.end(),
                   [](const TraceEntry& a, const TraceEntry& b) { return a.cycle < b.cycle; });
  by_cycle_.reserve(entries.size());
  for (const TraceEntry& entry : entries) {
    queue(entry.port, entry.node).packets.push_back(entry.packet);
    by_cycle_.push_back({entry.cycle, entry.port, entry.node});
    links_.set(entry.port, entry.node);
  }
}

void TraceReplay::start(std::uint64_t cycle, const FabricState& state, BitPlane& start) {
  for (; next_due_ < by_cycle_.size() && by_cycle_[next_due_].cycle <= cycle; ++next_due_) {
    const Due& due = by_cycle_[next_due_];
    ++queue(due.port, due.node).due;
    waiting_.set(due.port, due.node);
  }
  for (std::size_t w = 0; w < start.size(); ++w) {
    start.data()[w] = waiting_.data()[w] & state.free.data()[w];
  }
}

void TraceReplay::fill(const BitPlane& start, PayloadPlane& payloads) {
  for (unsigned port = 0; port < shape_.ports(); ++port) {
    for (unsigned w = 0; w < shape_.words(); ++w) {
      maze::for_each_bit(start.port(port)[w], w, [&](unsigned node) {
        LinkQueue& q = queue(port, node);
        payloads.at(port, node) = q.packets[q.next++];
        if (q.next == q.due) waiting_.set(port, node, false);
        ++started_;
      });
    }
  }
}

}  // namespace kernbench::sim
