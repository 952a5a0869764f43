// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/irs_traffic.hpp"

namespace kernbench::tests {

IrsTraffic::IrsTraffic(const IrsTrafficSpec& spec, const std::vector<IrsInstance>& instances)
    : spec_(spec),
      valid_threshold_(common::probability_threshold(spec.valid)),
      ready_threshold_(common::probability_threshold(spec.ready)),
      stalled_until_(instances.size()),
      inputs_(instances.size()) {
  for (std::size_t i = 0; i < instances.size(); ++i) {
    masks_.push_back(instances[i].mask());
    random_.push_back(common::Rng::stream(spec.seed, spec.name, i));
  }
}

const std::vector<IrsInputs>& IrsTraffic::next(const std::vector<bool>& taken) {
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    IrsInputs& in = inputs_[i];
    if (!in.valid_i || taken[i] || spec_.fickle) {
      in.valid_i = random_[i].chance(valid_threshold_);
      in.payload_i = random_[i].bits64() & masks_[i];
    }
    in.ready_i = receiver_ready(i);
  }
  ++cycle_;
  return inputs_;
}

bool IrsTraffic::receiver_ready(std::size_t instance) {
  switch (spec_.pattern) {
    case ReadyPattern::kRandom:
      return random_[instance].chance(ready_threshold_);
    case ReadyPattern::kPeriodic:
      return (cycle_ + instance) % 5 < 3;
    case ReadyPattern::kStalls:
      if (cycle_ < stalled_until_[instance]) return false;
      if (random_[instance].below(32) == 0) stalled_until_[instance] = cycle_ + 40;
      return cycle_ >= stalled_until_[instance];
    case ReadyPattern::kReleased:
      break;
  }
  return cycle_ / 64 % 2 == 1;
}

}  // namespace kernbench::tests
