// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/clocked/clocked_fabric.hpp"

#include <utility>

#include "model/engine/simulation.hpp"

namespace kernbench::model::fabric {

ClockedFabric::ClockedFabric(engine::Simulation& simulation, common::SimTime period,
                             std::unique_ptr<SteppedNetwork> network, Edge tick_until)
    : Fabric(simulation, network->properties(period)),
      network_(std::move(network)),
      load_(network_->links()),
      tick_until_(tick_until) {
  if (tick_until_ > 0) schedule(1);
}

void ClockedFabric::carry(const Transfer& transfer) {
  const Edge seen = clock().edge_after(simulation().now());
  const Slot slot = network_->accept(transfer, packets_of(transfer.bytes));
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
    network_->begin(next.slot, edge, next.at);
  }
  load_.begin(edge, *network_);
  const std::vector<std::uint64_t>& done = step(edge);
  ++cycles_;
  for (const std::uint64_t id : done) complete(id);
  ticking_ = false;
  if (!network_->idle() || !submitted_.empty() || edge < tick_until_) schedule(edge + 1);
}

const std::vector<std::uint64_t>& ClockedFabric::step(Edge edge) {
  stepping_ = true;
  const std::vector<std::uint64_t>& done = network_->step(edge);
  stepping_ = false;
  last_ = edge;
  return done;
}

void ClockedFabric::drain() {
  for (Edge i = network_->drain_cycles(); i > 0; --i) step(last_ + 1);
  network_->finish(last_);
}

}  // namespace kernbench::model::fabric
