// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "common/described.hpp"
#include "model/serving/percentiles.hpp"
#include "model/serving/queue.hpp"
#include "model/serving/step_times.hpp"
#include "plot/report_kind.hpp"

namespace kernbench::model::serving {

/// A simulated queue, in figures.
struct LoadRun {
  std::optional<double> load;  ///< fraction of saturation; not set for a file of requests
  double rate = 0.0;           ///< requests/s that arrive
  std::size_t requests = 0;
  ServedQueue queue;  ///< without the times of requests
  std::optional<Percentiles> first_token;
  std::optional<Percentiles> per_token;
  std::optional<Percentiles> whole;

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

/// A step and its simulated time.
struct TimedStep {
  Step step;
  common::SimTime time;
};

/// A step whose composed time is compared with that of its simulation.
struct StepCheck {
  StepSample::Drawn composed;
  common::SimTime simulated;
  [[nodiscard]] double percent() const;
};

/// The checked steps of a command.
struct StepChecks {
  /// Largest differences in percent between a composed time and a simulated one: of a step, and of
  /// the sum of the checked steps.
  static constexpr double kStepPercent = 2.0;
  static constexpr double kSumPercent = 0.5;

  std::vector<StepCheck> steps;

  [[nodiscard]] double worst_percent() const;
  [[nodiscard]] double sum_percent() const;
  /// Returns whether each step is within 2 % and their sum within 0.5 %.
  [[nodiscard]] bool hold() const;
};

/// The data of the report of `kernbench serve`.
struct ServingReport {
  std::map<std::string, std::string> parameters;
  std::uint64_t weights = 0;
  std::uint64_t max_batch = 1;
  std::uint64_t cache_pages = 0;
  std::uint64_t page_bytes = 0;
  std::optional<double> saturation{};  ///< requests/s
  std::vector<TimedStep> points{};
  AttentionCosts costs{};
  std::vector<LoadRun> runs{};
  StepChecks checks{};
};

/// The report.
extern const plot::ReportKind kServingReport;

}  // namespace kernbench::model::serving

template <>
const kernbench::common::Description<kernbench::model::serving::ServingReport>&
kernbench::common::description_of();
