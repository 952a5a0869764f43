// SPDX-License-Identifier: Apache-2.0
#include "model/bench/fastest.hpp"

#include <algorithm>

#include "common/band.hpp"
#include "common/description.hpp"

namespace kernbench::common {

using model::bench::Fastest;

template <>
const Description<Fastest::Equal>& description_of() {
  static const auto kAll = Description<Fastest::Equal>()
                               .add("name", &Fastest::Equal::name)
                               .add("difference", &Fastest::Equal::difference, "of the medians");
  return kAll;
}

template <>
const Description<Fastest>& description_of() {
  static const auto kAll = Description<Fastest>()
                               .add("work", &Fastest::work)
                               .add("name", &Fastest::name, "what takes least")
                               .add("least_ps", [](const auto& one) { return one.time.least; })
                               .add("median_ps", [](const auto& one) { return one.time.median; })
                               .add("most_ps", [](const auto& one) { return one.time.most; })
                               .add("equals", &Fastest::equals,
                                    "others whose medians differ from it by no more than the band");
  return kAll;
}

}  // namespace kernbench::common

namespace kernbench::model::bench {

std::vector<Fastest> fastest_of(const std::vector<Contender>& contenders) {
  std::vector<Fastest> all;
  for (const Contender& first : contenders) {
    const auto is_same = [&](const Fastest& one) { return one.work == first.work; };
    if (std::any_of(all.begin(), all.end(), is_same)) continue;
    const Contender* best = &first;
    for (const Contender& other : contenders) {
      if (other.work != first.work) continue;
      if (other.spread->band().median < best->spread->band().median) best = &other;
    }
    Fastest& fastest =
        all.emplace_back(Fastest{best->work, best->name, best->spread->bands.at(0), {}});
    for (const Contender& other : contenders) {
      if (other.work != first.work || &other == best) continue;
      if (differ(best->spread->band(), other.spread->band())) continue;
      fastest.equals.push_back(
          {other.name, difference_text(best->spread->band(), other.spread->band())});
    }
  }
  return all;
}

}  // namespace kernbench::model::bench
