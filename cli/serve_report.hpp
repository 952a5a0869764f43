// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/serving/percentiles.hpp"
#include "model/serving/queue.hpp"

namespace kernbench::cli {

/// A simulated queue, in figures.
struct LoadRun {
  std::optional<double> load;  ///< fraction of saturation; not set for a file of requests
  double rate = 0.0;           ///< requests/s that arrive
  std::size_t requests = 0;
  model::serving::ServedQueue queue;  ///< without the times of requests
  std::optional<model::serving::Percentiles> first_token;
  std::optional<model::serving::Percentiles> per_token;
  std::optional<model::serving::Percentiles> whole;

  [[nodiscard]] double per_second(std::uint64_t count) const {
    return static_cast<double>(count) / (queue.end.ns() * 1e-9);
  }
  [[nodiscard]] double mean_batch() const {
    return queue.decodes == 0
               ? 0.0
               : static_cast<double>(queue.decoded) / static_cast<double>(queue.decodes);
  }
  [[nodiscard]] double utilization() const { return queue.busy.ns() / queue.end.ns(); }
};

/// A step whose composed time is compared with that of its simulation.
struct StepCheck {
  model::serving::StepSample::Drawn composed;
  common::SimTime simulated;
  [[nodiscard]] double percent() const;
};

/// The checked steps of a command.
struct StepChecks {
  std::vector<StepCheck> steps;

  [[nodiscard]] double worst_percent() const;
  [[nodiscard]] double sum_percent() const;
  /// Returns whether each step is within 2 % and their sum within 0.5 %.
  [[nodiscard]] bool hold() const;
};

void print_runs(const std::vector<LoadRun>& runs);

/// The head of the table of requests.
inline constexpr std::string_view kServedHead =
    "load,arrival_s,prompt,output,admitted_s,first_token_s,end_s\n";
/// Returns a row for each request of a run that still has their times.
[[nodiscard]] std::string served_rows(const LoadRun& run,
                                      const std::vector<model::serving::Request>& requests);
/// Prints the result and the worst step, and a warning if the checks do not hold. Says so if there
/// are none.
void print_checks(const StepChecks& checks);

// Parts of a report of kind "serving".
[[nodiscard]] nlohmann::json json_of(const model::serving::Step& step);
[[nodiscard]] nlohmann::json json_of(const model::serving::AttentionCosts& costs);
[[nodiscard]] nlohmann::json json_of(const std::vector<LoadRun>& runs);
[[nodiscard]] nlohmann::json json_of(const StepChecks& checks);

}  // namespace kernbench::cli
