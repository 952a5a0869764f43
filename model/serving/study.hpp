// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/grade.hpp"
#include "common/outcome.hpp"
#include "model/bench/runner.hpp"
#include "model/serving/requests.hpp"
#include "model/serving/serving_report.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::serving {

/// The requests of a server, and how its times are checked.
struct Study {
  std::uint64_t max_batch = 8;      ///< most sequences that are decoded at the same time
  std::vector<Request> requests{};  ///< requests of `file`; empty for drawn ones
  std::string file{};               ///< name of the file of requests, for messages
  /// Rates of arrival of drawn requests as fractions of the saturation rate, above 0 to 1.
  std::vector<double> loads{0.1, 0.3, 0.5, 0.7, 0.9};
  std::optional<double> rate{};  ///< requests/s, in place of `loads`
  DrawnLengths lengths{128, 128, 1};
  double seconds = 60.0;     ///< simulated time in which requests arrive
  std::uint64_t checks = 2;  ///< drawn steps that are simulated whole and compared
  unsigned jobs = 1;         ///< parallel simulations
};

/// The outcome of a study.
struct Served {
  ServingReport report{};
  common::Grade grade{};           ///< grade of the times
  std::uint64_t cache_tokens = 0;  ///< room of the cache
  /// Times of each request: rows of CSV with the head kServedHead.
  std::string rows{};
  std::string nothing{};  ///< why no request was served; empty if some were

  /// Returns Vacuous if no request was served, and Mismatch if a checked step differs.
  [[nodiscard]] common::Outcome outcome() const;
};

inline constexpr const char* kServedHead =
    "load,arrival_s,prompt,output,admitted_s,first_token_s,end_s\n";

/// Returns what is wrong with parameters of the bench `transformer` that the queue decides or does
/// not support.
[[nodiscard]] std::vector<std::string> wrong_parameters(
    const std::map<std::string, std::string>& parameters);

/// Serves requests by the bench `transformer` with these options. Throws common::BadInput when a
/// request can never be served or ranks are not SIPs, and errors of model::bench::run_bench().
[[nodiscard]] Served serve(const topology::TopologyGraph& graph, bench::RunOptions options,
                           const Study& study);

}  // namespace kernbench::model::serving
