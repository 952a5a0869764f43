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
  return all;
}

Plot TerminalRouter::layout() const {
  return terminal_layout(base_->layout(), base_->channels());
}

}  // namespace kernbench::topology::zoo
