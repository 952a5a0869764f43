// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "cli/base/command.hpp"
#include "cli/base/options.hpp"
#include "cli/base/report_files.hpp"
#include "cli/farm/part_options.hpp"
#include "common/outcome.hpp"
#include "model/bench/spread.hpp"

namespace kernbench::cli {

/// The options of `kernbench evaluate`.
struct EvaluateOptions {
  std::string name;
  std::string spec;
  std::vector<std::string> set{};
  bool quick = false;
  bool fail_fast = false;
  std::string ccl;  ///< a ccl.yaml, whose algorithms that are files run too; "" for none
  model::bench::SpreadChoice spread;
  ReportFiles files;
  std::string plot;     ///< file of the plot of a collective; "" for none
  std::string figures;  ///< report of a sweep of gemm to draw
  std::string plots;    ///< folder of the figures of gemm; "" for none
  bool no_plots = false;
  unsigned jobs = all_processors();
  PartOptions parts;
};

/// The files of the figures of gemm in their folder.
inline constexpr std::array kGemmPlots = {"gemm-latency.svg", "gemm-utilization.svg",
                                          "gemm-roofline.svg"};

// Each function runs one evaluation. Throws common::BadInput.

[[nodiscard]] common::Outcome evaluate_gemm(const EvaluateOptions& options,
                                            const Invocation& invocation);
[[nodiscard]] common::Outcome evaluate_all_reduce(const EvaluateOptions& options,
                                                  const Invocation& invocation);
[[nodiscard]] common::Outcome evaluate_collectives(const EvaluateOptions& options,
                                                   const Invocation& invocation);

[[nodiscard]] common::Outcome evaluate_topologies(const EvaluateOptions& options,
                                                  const Invocation& invocation);

}  // namespace kernbench::cli
