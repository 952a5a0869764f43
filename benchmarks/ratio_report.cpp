// SPDX-License-Identifier: Apache-2.0
#include "ratio_report.hpp"

#include <fmt/format.h>

namespace kernbench::bench {

void RatioReporter::ReportRuns(const std::vector<Run>& runs) {
  for (const Run& run : runs) {
    if (run.aggregate_name != "median") continue;
    const auto counter = run.counters.find("cycles/s");
    if (counter != run.counters.end()) median_[run.run_name.function_name] = counter->second.value;
  }
  ConsoleReporter::ReportRuns(runs);
}

int RatioReporter::print(const std::vector<Ratio>& ratios) const {
  int missed = 0;
  fmt::print("\n{:<58} {:>10} {:>10} {:>7} {:>7}\n", "ratio of medians, one run", "cycles/s", "to",
             "ratio", "bar");
  for (const Ratio& ratio : ratios) {
    const auto top = median_.find(ratio.numerator);
    const auto bottom = median_.find(ratio.denominator);
    if (top == median_.end() || bottom == median_.end()) continue;  // excluded by a filter
    const double value = top->second / bottom->second;
    const bool met = value >= ratio.at_least;
    missed += met ? 0 : 1;
    fmt::print("{:<58} {:>10.0f} {:>10.0f} {:>7.2f} {:>7} {}\n", ratio.what, top->second,
               bottom->second, value,
               ratio.at_least > 0 ? fmt::format("{:.1f}", ratio.at_least) : "-",
               ratio.at_least == 0 ? ""
               : met               ? "met"
                                   : "MISSED");
  }
  return missed;
}

int run_benchmarks(int argc, char** argv, const std::vector<Ratio>& ratios) {
  // Interleaved, so that disturbances affect both sides of a ratio.
  std::vector<char*> arguments(argv, argv + argc);
  std::string interleave = "--benchmark_enable_random_interleaving=true";
  arguments.push_back(interleave.data());
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;
  RatioReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  return reporter.print(ratios) == 0 ? 0 : 1;
}

}  // namespace kernbench::bench
