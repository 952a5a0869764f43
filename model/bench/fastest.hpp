// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "common/described.hpp"
#include "model/bench/spread.hpp"

namespace kernbench::model::bench {

/// One of several ways to do the same work, and its time over runs.
struct Contender {
  std::string work;  ///< contenders with the same work are compared
  std::string name;
  const Spread* spread = nullptr;
};

/// The contender that takes least for a work.
struct Fastest {
  std::string work;
  std::string name;
  TimeBand time;
  /// The others whose medians differ from it by no more than the band, and how much.
  struct Equal {
    std::string name;
    std::string difference;
  };
  std::vector<Equal> equals;
};

/// Returns for each work the contender with the least median, in the order of the works.
[[nodiscard]] std::vector<Fastest> fastest_of(const std::vector<Contender>& contenders);

}  // namespace kernbench::model::bench

template <>
const kernbench::common::Description<kernbench::model::bench::Fastest>&
kernbench::common::description_of();
