// SPDX-License-Identifier: Apache-2.0
#include "topology/zoo/routing/butterfly_routing.hpp"

namespace kernbench::topology::zoo {

ButterflyRouting::ButterflyRouting(const Butterfly& butterfly)
    : RoutingRelation(butterfly), rows_(butterfly.rows()), k_ary_(butterfly.k_ary()) {
  std::uint32_t weight = 1;
  for (std::uint32_t digit = 0; digit + 1 < butterfly.n_fly(); ++digit, weight *= k_ary_) {
    weights_.push_back(weight);
  }
}

std::vector<Hop> ButterflyRouting::next(std::uint32_t at, std::optional<Hop> /*in*/,
                                        std::uint32_t dst) const {
  const std::uint32_t stage = at / rows_;
  const std::uint32_t last = dst / rows_;
  const std::uint32_t row = at % rows_;
  const std::uint32_t wanted = dst % rows_;
  if (last <= stage) return {};
  // Only the digits of the stages on the way can change.
  for (std::uint32_t i = 0; i < weights_.size(); ++i) {
    const bool on_the_way = i >= stage && i < last;
    if (!on_the_way && row / weights_[i] % k_ary_ != wanted / weights_[i] % k_ary_) return {};
  }
  const std::uint32_t weight = weights_[stage];
  const std::uint32_t others = row - row / weight % k_ary_ * weight;
  const std::uint32_t to = others + wanted / weight % k_ary_ * weight;
  return hop(at, (stage + 1) * rows_ + to, 0);
}

}  // namespace kernbench::topology::zoo
