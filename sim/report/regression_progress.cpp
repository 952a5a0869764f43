// SPDX-License-Identifier: Apache-2.0
#include "sim/report/regression_progress.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/report/number_text.hpp"

namespace kernbench::sim {

void RegressionProgress::case_done(bool passed, std::uint64_t packets) {
  ++cases_;
  packets_ += packets;
  if (!passed) ++failed_;
}

double RegressionProgress::share_done() const {
  const auto ratio = [](auto part, auto whole) {
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
  };
  const std::size_t cases = cases_;
  if (planned_cycles_ == 0) return std::min(1.0, ratio(cases, all_cases_));
  // The planned cycles do not include draining: only the number of cases shows that all are done.
  return cases >= all_cases_ ? 1.0 : std::min(0.99, ratio(cycles_.load(), planned_cycles_));
}

common::ProgressState RegressionProgress::state() const {
  std::string text = fmt::format("{}/{} cases", cases_.load(), all_cases_);
  if (failed_ != 0) text += fmt::format(", {} failed", failed_.load());
  text += fmt::format(", {} packets, {} cycles", short_count(packets_), short_count(cycles_));
  return {share_done(), text};
}

}  // namespace kernbench::sim
