#pragma once

#include <benchmark/benchmark.h>

#include <map>
#include <string>
#include <vector>

namespace kernbench::bench {

/// A figure that is a ratio of two benchmarks of the same run, and the least it has to be.
struct Ratio {
  std::string what;
  std::string numerator;    ///< benchmark name
  std::string denominator;  ///< benchmark name
  double at_least = 0.0;    ///< 0: for information
};

/// Prints the usual table, and keeps the median of each benchmark's cycles per second.
class RatioReporter : public benchmark::ConsoleReporter {
 public:
  RatioReporter() : ConsoleReporter(OO_Tabular) {}
  void ReportRuns(const std::vector<Run>& runs) override;
  /// Prints the ratios; returns how many miss their bar.
  int print(const std::vector<Ratio>& ratios) const;

 private:
  std::map<std::string, double> median_;  ///< cycles per second
};

}  // namespace kernbench::bench
