// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/base/torus_1d.hpp"

#include <fmt/format.h>

#include "topology/zoo/layout/ring_layout.hpp"

namespace kernbench::topology::zoo {

BaseTopology::Definition UnidirectionalTorus1D::define(std::uint32_t n) {
  Definition ring{
      .name = fmt::format("UnidirectionalTorus1D({})", n), .n_nodes = 0, .channels = {}};
  require_at_least(ring.name, "n", n, kMinRing);
  ring.n_nodes = checked_size(ring.name, n, n);
  for (std::uint32_t i = 0; i < n; ++i) ring.channels.push_back({i, (i + 1) % n});
  return ring;
}

BaseTopology::Definition BidirectionalTorus1D::define(std::uint32_t n) {
  Definition ring{.name = fmt::format("BidirectionalTorus1D({})", n), .n_nodes = 0, .channels = {}};
  require_at_least(ring.name, "n", n, kMinRing);
  ring.n_nodes = checked_size(ring.name, n, std::uint64_t{2} * n);
  for (std::uint32_t i = 0; i < n; ++i) {
    ring.channels.push_back({i, (i + 1) % n});
    ring.channels.push_back({(i + 1) % n, i});
  }
  return ring;
}

Plot UnidirectionalTorus1D::layout() const {
  return ring_layout(n_nodes(), 1.0);
}

Plot BidirectionalTorus1D::layout() const {
  return ring_layout(n_nodes(), 1.0);
}

}  // namespace kernbench::topology::zoo
