// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/base/butterfly.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kernbench::topology::zoo {

Butterfly::Butterfly(std::uint32_t k_ary, std::uint32_t n_fly)
    : BaseTopology(define(k_ary, n_fly)), k_ary_(k_ary), n_fly_(n_fly) {}

BaseTopology::Definition Butterfly::define(std::uint32_t k_ary, std::uint32_t n_fly) {
  Definition fly{
      .name = fmt::format("Butterfly({},{})", k_ary, n_fly), .n_nodes = 0, .channels = {}};
  require_at_least(fly.name, "k_ary", k_ary, kMinButterfly);
  require_at_least(fly.name, "n_fly", n_fly, kMinButterfly);
  std::uint64_t rows = 1;
  for (std::uint32_t i = 1; i < n_fly && rows <= kMaxNodes; ++i) rows *= k_ary;
  rows = std::min<std::uint64_t>(rows, std::uint64_t{kMaxNodes} + 1);  // avoids overflow
  fly.n_nodes = checked_size(fly.name, rows * n_fly, rows * k_ary * (n_fly - 1));
  const auto height = static_cast<std::uint32_t>(rows);
  std::uint32_t weight = 1;  // k_ary^stage: the weight of digit `stage` of a row
  for (std::uint32_t stage = 0; stage + 1 < n_fly; ++stage, weight *= k_ary) {
    for (std::uint32_t row = 0; row < height; ++row) {
      const std::uint32_t others = row - row / weight % k_ary * weight;
      for (std::uint32_t digit = 0; digit < k_ary; ++digit) {
        fly.channels.push_back(
            {stage * height + row, (stage + 1) * height + others + digit * weight});
      }
    }
  }
  return fly;
}

Plot Butterfly::layout() const {
  // Wide enough for the steepest channel to read as left to right.
  const double stage_distance = std::max(1.5, 0.4 * rows());
  Plot plot;
  for (std::uint32_t node = 0; node < n_nodes(); ++node) {
    const std::uint32_t stage = node / rows();
    PlotNode drawn;
    drawn.at = {stage * stage_distance, 0.8 * (node % rows())};
    drawn.towards_ingress = {-1, 0};
    drawn.towards_egress = {1, 0};
    drawn.has_ingress = stage == 0;
    drawn.has_egress = stage + 1 == n_fly_;
    plot.nodes.push_back(drawn);
  }
  return plot;
}

}  // namespace kernbench::topology::zoo
