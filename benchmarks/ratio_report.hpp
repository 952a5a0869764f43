// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <benchmark/benchmark.h>

#include <map>
#include <string>
#include <vector>

namespace kernbench::bench {

/// A ratio of two benchmarks of the same run, and its bar.
struct Ratio {
  std::string what;
  std::string numerator;    ///< benchmark name
  std::string denominator;  ///< benchmark name
  double at_least = 0.0;    ///< bar; 0 if the ratio is informative only
};

/// Prints the usual table and keeps the median cycles per second of each benchmark.
class RatioReporter : public benchmark::ConsoleReporter {
 public:
  RatioReporter() : ConsoleReporter(OO_Tabular) {}
  void ReportRuns(const std::vector<Run>& runs) override;
  /// Prints the ratios and returns the number of missed bars.
  int print(const std::vector<Ratio>& ratios) const;

 private:
  std::map<std::string, double> median_;  ///< cycles per second
};

/// Runs the registered benchmarks and prints the ratios. Returns the exit code: 1 when a bar is
/// missed, 2 for an unknown argument.
int run_benchmarks(int argc, char** argv, const std::vector<Ratio>& ratios);

}  // namespace kernbench::bench
