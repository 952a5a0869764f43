// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/clocked/clocked_fabric.hpp"

#include <utility>

#include "model/engine/simulation.hpp"

namespace kernbench::model::fabric {

ClockedFabric::ClockedFabric(engine::Simulation& simulation, common::SimTime period,
                             std::unique_ptr<LinkArray> links, const MazeNodeSettings& nodes,
                             Edge tick_until)
    : Fabric(simulation, {.n_nodes = links->shape().nodes(),
                          .period = period,
                          .packet_bits = links->shape().flit_w,
                          .has_rows_and_columns = true}),
      links_(std::move(links)),
      observer_(nodes.observer),
      nodes_(links_->shape(), nodes),
      load_(links_->shape()),
      outputs_(links_->shape()),
      tick_until_(tick_until) {
  if (tick_until_ > 0) schedule(1);
}

void ClockedFabric::carry(const Transfer& transfer) {
  const Edge seen = clock().edge_after(simulation().now());
  const Slot slot = nodes_.accept(transfer, packets_of(transfer.bytes));
  submitted_.push({slot, seen, simulation().now()});
  if (!ticking_) schedule(seen);
}

void ClockedFabric::schedule(Edge edge) {
  simulation().schedule(clock().time_of(edge), *this, edge);
  ticking_ = true;
}

void ClockedFabric::on_event(engine::EventArgument argument) {
  const Edge edge = argument.number();
  while (!submitted_.empty() && submitted_.front().seen <= edge) {
    const Submitted next = submitted_.pop();
    if (observer_ != nullptr) {
      const OpenTransfer& open = nodes_.transfer(next.slot);
      observer_->on_begun(next.at, edge, open.transfer, open.packets);
    }
    nodes_.begin(next.slot);
  }
  load_.begin(edge, nodes_);
  step(edge);
  ++cycles_;
  for (const std::uint64_t id : done_) complete(id);
  ticking_ = false;
  if (!nodes_.idle() || !submitted_.empty() || edge < tick_until_) schedule(edge + 1);
}

void ClockedFabric::step(Edge edge) {
  stepping_ = true;
  links_->step(edge, nodes_.drive(), outputs_);
  done_.clear();
  nodes_.settle(outputs_, edge, done_);
  stepping_ = false;
  last_ = edge;
}

void ClockedFabric::drain() {
  constexpr Edge kDeepestLink = 7;  // stages, with 16 nodes a side
  constexpr Edge kPacketsOfIt = 2 * kDeepestLink;
  for (Edge i = 0; i < kDeepestLink + kPacketsOfIt; ++i) step(last_ + 1);
}

}  // namespace kernbench::model::fabric
