// SPDX-License-Identifier: Apache-2.0
#include "sim/network/network_collector.hpp"

#include "maze/plane_bits.hpp"

namespace kernbench::sim {

void NetworkCollector::on_cycle(const CycleView& view) {
  if (was_running_) {
    look_at_reference(view.cycle - 1);
    if (view.in_reset) coverage_.reset(reference_);
  }
  was_running_ = !view.in_reset;
  if (view.in_reset) return;
  for (unsigned w = 0; w < stalled_.size(); ++w) {
    stalled_[w] = view.observed->in_valid[w] & ~view.intended->in_ready[w];
    maze::for_each_bit((*view.sink_fired)[w], w, [&](unsigned node) {
      const unsigned source = layout_.node(layout_.src(view.observed->in_payload[node]));
      if (source < reference_.config().shape.nodes()) coverage_.delivered(source, node);
    });
    maze::for_each_bit((*view.source_fired)[w], w, [&](unsigned node) {
      coverage_.accepted(node, layout_.type(view.intended->out_payload[node]));
    });
  }
  coverage_.stalled(stalled_);
}

void NetworkCollector::after(const RunEnd& end) {
  if (was_running_) look_at_reference(end.cycles - 1);
  links_.after(end);
}

void NetworkCollector::look_at_reference(std::uint64_t cycle) {
  coverage_.sample(reference_);
  const maze::BitPlane& offered = reference_.to_nodes().in_valid;
  const maze::BitPlane& ready = reference_.from_nodes().in_ready;
  for (std::size_t i = 0; i < taken_.size(); ++i) taken_[i] = offered[i] & ready[i];
  links_.count(cycle, offered, taken_);
}

}  // namespace kernbench::sim
