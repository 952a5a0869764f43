// SPDX-License-Identifier: Apache-2.0
#include "cli/run_reuse.hpp"

#include <algorithm>

#include "cli/console.hpp"

namespace kernbench::cli {

using model::runtime::RepeatSample;

namespace {

/// Difference in percent above which a user should know that reuse does not fit.
constexpr double kLargeError = 1.0;

}  // namespace

void print_reuse(const model::bench::RunResult& result) {
  if (!result.repeats) return;
  const std::vector<RepeatSample>& samples = result.repeats->samples;
  if (result.repeats->simulated == 0) {
    print("the bench repeats no work, so that none was drawn to be simulated in full\n");
    return;
  }
  print("{} works simulated, {} repeated; ", result.repeats->simulated, result.repeats->repeated);
  if (samples.empty()) {
    print("none drawn to be simulated in full\n");
    return;
  }
  const RepeatSample& worst = *std::max_element(
      samples.begin(), samples.end(),
      [](const RepeatSample& a, const RepeatSample& b) { return a.error() < b.error(); });
  const double percent = worst.error() * 100.0;
  print(
      "times are at most {:.4f} % from those of {} drawn and simulated in full\n  {}, work {}: "
      "{:.3f} us, not {:.3f} us\n",
      percent, samples.size(), worst.key, worst.index, worst.simulated.ns() / 1000.0,
      worst.repeated.ns() / 1000.0);
  if (percent > kLargeError) {
    print_warning(
        fmt::format("works may take {:.2f} % more or less time than the report says; "
                    "without --reuse and --fidelity message it is exact",
                    percent));
  }
}

nlohmann::json reuse_json(const model::runtime::RepeatSummary& repeats) {
  nlohmann::json samples = nlohmann::json::array();
  for (const RepeatSample& sample : repeats.samples) {
    samples.push_back({{"work", sample.key},
                       {"index", sample.index},
                       {"simulated_ps", sample.simulated.ps()},
                       {"repeated_ps", sample.repeated.ps()}});
  }
  return {{"simulated", repeats.simulated},
          {"repeated", repeats.repeated},
          {"samples", std::move(samples)}};
}

}  // namespace kernbench::cli
