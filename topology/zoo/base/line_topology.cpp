// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/base/line_topology.hpp"

#include <fmt/format.h>

#include "topology/zoo/layout/grid_layout.hpp"

namespace kernbench::topology::zoo {

BaseTopology::Definition UnidirectionalLine::define(std::uint32_t n) {
  Definition line{.name = fmt::format("UnidirectionalLine({})", n), .n_nodes = 0, .channels = {}};
  require_at_least(line.name, "n", n, 1);
  line.n_nodes = checked_size(line.name, n, n);
  for (std::uint32_t i = 0; i + 1 < n; ++i) line.channels.push_back({i, i + 1});
  return line;
}

BaseTopology::Definition BidirectionalLine::define(std::uint32_t n) {
  Definition line{.name = fmt::format("BidirectionalLine({})", n), .n_nodes = 0, .channels = {}};
  require_at_least(line.name, "n", n, 1);
  line.n_nodes = checked_size(line.name, n, std::uint64_t{2} * n);
  for (std::uint32_t i = 0; i + 1 < n; ++i) {
    line.channels.push_back({i, i + 1});
    line.channels.push_back({i + 1, i});
  }
  return line;
}

Plot UnidirectionalLine::layout() const {
  return grid_layout({.nx = n_nodes(), .ny = 1}, 1.0);
}

Plot BidirectionalLine::layout() const {
  return grid_layout({.nx = n_nodes(), .ny = 1}, 1.0);
}

}  // namespace kernbench::topology::zoo
