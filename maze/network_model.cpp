// SPDX-License-Identifier: Apache-2.0
#include "maze/network_model.hpp"

#include <algorithm>

namespace kernbench::maze {

NetworkModel::NetworkModel(const NetworkConfig& config)
    : config_(config), topo_(config.shape), from_nodes_(config.shape), to_nodes_(config.shape) {
  for (unsigned word = 0; word < config.shape.words(); ++word) groups_.emplace_back(config, word);
}

void NetworkModel::reset() {
  for (NodeGroup& group : groups_) group.reset();
  topo_.reset();
}

void NetworkModel::evaluate(TopoOutputs& outputs) {
  for (const NodeGroup& group : groups_) group.evaluate(from_nodes_, outputs);
  topo_.evaluate(from_nodes_, to_nodes_);
}

void NetworkModel::clock(const TopoInputs& inputs) {
  for (NodeGroup& group : groups_) group.clock(to_nodes_, inputs);
  topo_.clock(from_nodes_);
}

bool NetworkModel::empty() const {
  return topo_.empty() && std::all_of(groups_.begin(), groups_.end(),
                                      [](const auto& group) { return group.empty(); });
}

}  // namespace kernbench::maze
