// SPDX-License-Identifier: Apache-2.0
#include "model/chakra/rank_replay.hpp"

#include <algorithm>
#include <tuple>

namespace kernbench::model::chakra {

using common::SimTime;

namespace {

bool is_communication(NodeKind kind) {
  return kind == NodeKind::Send || kind == NodeKind::Receive || kind == NodeKind::Collective;
}

}  // namespace

RankReplay::RankReplay(Owner& owner, std::uint32_t rank, const RankTrace& trace)
    : owner_(owner), rank_(rank), trace_(trace), left_(trace.nodes.size()) {
  missing_.reserve(trace.nodes.size());
  for (const Node& node : trace.nodes) missing_.push_back(node.dependencies);
}

void RankReplay::start(engine::Simulation& simulation) {
  simulation_ = &simulation;
  accounted_ = figures_.end = simulation.now();
  for (std::uint32_t node = 0; node < missing_.size(); ++node) {
    if (missing_[node] == 0) ready_.push(node);
  }
  start_ready();
}

void RankReplay::account() {
  const SimTime now = simulation_->now();
  if (communications_ != 0) {
    figures_.communicating += now - accounted_;
    if (!resources_[0].busy) figures_.exposed += now - accounted_;
  }
  accounted_ = now;
}

void RankReplay::release(std::uint32_t node) {
  --left_;
  figures_.end = simulation_->now();
  for (const std::uint32_t child : trace_.children_of(node)) {
    if (--missing_[child] == 0) ready_.push(child);
  }
}

void RankReplay::start_ready() {
  const SimTime now = simulation_->now();
  account();
  while (!ready_.empty()) {
    const std::uint32_t index = ready_.top();
    ready_.pop();
    const Node& node = trace_.nodes[index];
    switch (node.kind) {
      case NodeKind::Metadata:
      case NodeKind::Unknown:
        owner_.note({rank_, index, now, now}, now);
        release(index);
        break;
      case NodeKind::Computation:
        resources_[node.on_host ? 1 : 0].waiting.emplace(now, index);
        break;
      default:
        if (is_communication(node.kind)) ++communications_;
        begun_.emplace(index, now);
        owner_.begin(rank_, index);
    }
  }
  start_computations();
  if (left_ == 0) owner_.note_end();
}

void RankReplay::start_computations() {
  for (std::uint32_t which = 0; which < 2; ++which) {
    Resource& resource = resources_[which];
    if (resource.busy || resource.waiting.empty()) continue;
    std::tie(resource.ready, resource.node) = resource.waiting.top();
    resource.waiting.pop();
    resource.busy = true;
    resource.begin = simulation_->now();
    const SimTime time = owner_.time_of(rank_, trace_.nodes[resource.node]);
    simulation_->schedule(resource.begin + time, *this, which);
  }
}

void RankReplay::on_event(engine::EventArgument argument) {
  const std::uint64_t which = argument.number();
  Resource& resource = resources_[which];
  account();
  resource.busy = false;
  const SimTime now = simulation_->now();
  (which == 0 ? figures_.computing : figures_.on_host) += now - resource.begin;
  owner_.note({rank_, resource.node, resource.begin, now}, resource.ready);
  release(resource.node);
  start_ready();
}

void RankReplay::finish(std::uint32_t node, SimTime begin) {
  account();
  const auto begun = begun_.find(node);
  const SimTime ready = begun->second;
  begun_.erase(begun);
  if (is_communication(trace_.nodes[node].kind)) --communications_;
  owner_.note({rank_, node, std::max(begin, ready), simulation_->now()}, ready);
  release(node);
  start_ready();
}

}  // namespace kernbench::model::chakra
