// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/clocked/clocked_fabric.hpp"

#include <utility>

#include "model/engine/simulation.hpp"

namespace kernbench::model::fabric {

ClockedFabric::ClockedFabric(engine::Simulation& simulation, common::SimTime period,
                             std::unique_ptr<CycleMaze> maze, Edge tick_until)
    : Fabric(simulation, {.n_nodes = maze->shape().nodes(),
                          .period = period,
                          .packet_bits = maze->shape().flit_w,
                          .has_rows_and_columns = true,
                          .failed = maze->failed()}),
      maze_(std::move(maze)),
      load_(maze_->shape()),
      tick_until_(tick_until) {
  if (tick_until_ > 0) schedule(1);
}

void ClockedFabric::carry(const Transfer& transfer) {
  const Edge seen = clock().edge_after(simulation().now());
  const Slot slot = maze_->accept(transfer, packets_of(transfer.bytes));
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
    maze_->begin(next.slot, edge, next.at);
  }
  load_.begin(edge, *maze_);
  const std::vector<std::uint64_t>& done = step(edge);
  ++cycles_;
  for (const std::uint64_t id : done) complete(id);
  ticking_ = false;
  if (!maze_->idle() || !submitted_.empty() || edge < tick_until_) schedule(edge + 1);
}

const std::vector<std::uint64_t>& ClockedFabric::step(Edge edge) {
  stepping_ = true;
  const std::vector<std::uint64_t>& done = maze_->step(edge);
  stepping_ = false;
  last_ = edge;
  return done;
}

void ClockedFabric::drain() {
  constexpr Edge kDeepestLink = 7;  // stages, with 16 nodes a side
  constexpr Edge kPacketsOfIt = 2 * kDeepestLink;
  for (Edge i = 0; i < kDeepestLink + kPacketsOfIt; ++i) step(last_ + 1);
}

}  // namespace kernbench::model::fabric
