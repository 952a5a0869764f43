// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/base/terminal_router.hpp"

#include <fmt/format.h>

#include <utility>

#include "topology/zoo/layout/terminal_layout.hpp"

namespace kernbench::topology::zoo {

TerminalRouter::TerminalRouter(TopologyPtr base)
    : BaseTopology(define(*base)), base_(std::move(base)) {}

BaseTopology::Definition TerminalRouter::define(const BaseTopology& base) {
  Definition all{
      .name = fmt::format("TerminalRouter({})", base.name()), .n_nodes = 0, .channels = {}};
  all.parallel = base.has_parallel_channels();
  const std::uint32_t n = base.n_nodes();
  all.n_nodes =
      checked_size(all.name, std::uint64_t{2} * n, base.channels().size() + std::uint64_t{2} * n);
  for (const Channel& channel : base.channels()) {
    all.channels.push_back({n + channel.src, n + channel.dst});
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    all.channels.push_back({i, n + i});
    all.channels.push_back({n + i, i});
  }
  if (base.has_endpoints()) {  // they move to the terminals
    all.endpoints = base.endpoints();
    all.endpoints.resize(all.n_nodes, 0);
  }
  if (base.has_node_names()) {
    for (const std::string& name : base.node_names()) all.node_names.push_back(name + ".terminal");
    all.node_names.insert(all.node_names.end(), base.node_names().begin(), base.node_names().end());
  }
  return all;
}

bool TerminalRouter::must_reach(std::uint32_t src, std::uint32_t dst) const {
  const std::uint32_t n = base_->n_nodes();
  return src % n == dst % n || base_->must_reach(src % n, dst % n);
}

Plot TerminalRouter::layout() const {
  return terminal_layout(base_->layout(), base_->channels());
}

}  // namespace kernbench::topology::zoo
