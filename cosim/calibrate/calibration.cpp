// SPDX-License-Identifier: Apache-2.0
#include "cosim/calibrate/calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "common/diagnostics.hpp"
#include "common/fill_in_parts.hpp"
#include "common/parallel.hpp"
#include "cosim/run/fabric_run.hpp"
#include "cosim/workload/workloads.hpp"
#include "topology/spec/sip_spec.hpp"
#include "topology/traffic_kind.hpp"

namespace kernbench::cosim {
namespace {

using common::SimTime;
using model::fabric::AnalyticParameters;
using model::fabric::MazeNodeKind;

constexpr unsigned kLoadSteps = 32;
/// Factor by which runs that search for saturation, where queues build up, are longer than others.
constexpr std::uint64_t kLonger = 4;
constexpr std::uint64_t kMillion = 1'000'000;

/// Transfers and their latencies over the cycle reference.
struct Sample {
  TransferWorkload workload;
  std::vector<std::int64_t> latencies;  ///< in ps
};

std::vector<std::int64_t> latencies_over(FabricKind kind, const topology::SipSpec& sip,
                                         const TransferWorkload& workload, MazeNodeKind nodes,
                                         const AnalyticParameters& parameters) {
  FabricRunOptions options;
  options.nodes = nodes;
  options.analytic = parameters;
  const FabricRun run = run_on_fabric(kind, sip, workload, options);
  std::vector<std::int64_t> latencies;
  for (std::size_t i = 0; i < run.played.size(); ++i) latencies.push_back(run.latency(i).ps());
  return latencies;
}

/// Errors in millionths: integer sums do not depend on their order.
std::vector<std::uint64_t> errors_of(const Sample& sample, const topology::SipSpec& sip,
                                     MazeNodeKind nodes, const AnalyticParameters& parameters) {
  const auto got = latencies_over(FabricKind::Analytic, sip, sample.workload, nodes, parameters);
  std::vector<std::uint64_t> errors;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const auto off = static_cast<std::uint64_t>(std::abs(got[i] - sample.latencies[i]));
    errors.push_back(off * kMillion / static_cast<std::uint64_t>(sample.latencies[i]));
  }
  return errors;
}

ErrorSummary summary_of(std::vector<std::uint64_t> errors) {
  if (errors.empty()) return {};
  std::sort(errors.begin(), errors.end());
  const auto share = [&](std::size_t percent) {
    const std::size_t rank = std::max<std::size_t>((errors.size() * percent + 99) / 100, 1);
    return static_cast<double>(errors[rank - 1]) / static_cast<double>(kMillion);
  };
  return {errors.size(), share(50), share(95), share(100)};
}

class Calibration {
 public:
  Calibration(const topology::SipSpec& sip, const CalibrationOptions& options)
      : sip_(sip), options_(options) {}

  CalibrationResult run() {
    make_rows();
    find_loads();
    result_.start = options_.start.value_or(model::fabric::default_parameters(options_.nodes));
    fit();
    report();
    judge_calibration(result_);
    return std::move(result_);
  }

 private:
  /// Samples of a row, by load.
  using Samples = std::vector<Sample>;

  [[nodiscard]] TransferWorkload traffic(const std::string& pattern, std::uint64_t bytes,
                                         double load, std::uint64_t cycles) const {
    WorkloadSettings settings;
    settings.loads = {load};
    settings.bytes = bytes;
    settings.warmup = options_.warmup;
    settings.cycles = cycles;
    settings.seed = options_.seed;
    return make_workloads(pattern, sip_, settings).front();
  }

  void make_rows() {
    (void)maze_shape(sip_);
    std::vector<std::string> patterns = options_.patterns;
    if (patterns.empty()) {
      for (const std::string_view name : topology::traffic_names()) {
        try {
          (void)traffic(std::string(name), 1, 0.01, 1);
          patterns.emplace_back(name);
        } catch (const common::BadInput&) {  // the pattern needs another shape
        }
      }
    }
    const auto known = topology::traffic_names();
    for (const std::string& pattern : patterns) {
      if (std::find(known.begin(), known.end(), pattern) != known.end()) continue;
      throw common::BadInput(fmt::format("'{}' is not a pattern of synthetic traffic: use {}",
                                         pattern, fmt::join(known, ", ")));
    }
    if (patterns.size() < 2) {
      throw common::BadInput("a calibration needs two patterns: one to fit, one to hold out");
    }
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      for (const std::uint64_t bytes : options_.bytes) {
        CalibrationRow row;
        row.pattern = patterns[i];
        row.held_out = i % 2 == 1;
        row.bytes = bytes;
        result_.rows.push_back(std::move(row));
      }
    }
    require_few_transfers();
  }

  /// Throws BadInput if the longest run, at load 1, could have more than kMaxTransfers.
  void require_few_transfers() const {
    const std::uint64_t cycles = options_.warmup + kLonger * options_.cycles;
    for (const CalibrationRow& row : result_.rows) {
      const std::uint64_t transfers = cycles * sip_.cube_mesh_w * sip_.cube_mesh_h /
                                      model::fabric::packets_of(row.bytes, sip_.maze.flit_bits);
      if (transfers <= kMaxTransfers) continue;
      throw common::BadInput(fmt::format(
          "--calibrate: runs of {} cycles have up to {} transfers; a run has at most {}: reduce "
          "--warmup or --cycles",
          cycles, transfers, kMaxTransfers));
    }
  }

  /// True when at least 95 % of the packets offered during the measurement arrive during it.
  [[nodiscard]] bool carries(const CalibrationRow& row, unsigned load) const {
    const std::uint64_t cycles = kLonger * options_.cycles;
    const TransferWorkload workload =
        traffic(row.pattern, row.bytes, static_cast<double>(load) / kLoadSteps, cycles);
    FabricRunOptions options;
    options.nodes = options_.nodes;
    const FabricRun run = run_on_fabric(FabricKind::Cycle, sip_, workload, options);
    const SimTime period = SimTime::from_ns(sip_.maze.clock_ns);
    const SimTime begin = period * static_cast<std::int64_t>(options_.warmup);
    const SimTime end = period * static_cast<std::int64_t>(options_.warmup + cycles);
    std::uint64_t offered = 0;
    std::uint64_t accepted = 0;
    for (std::size_t i = 0; i < run.played.size(); ++i) {
      if (workload.transfers[i].at >= begin) ++offered;
      if (*run.played[i].done > begin && *run.played[i].done <= end) ++accepted;
    }
    return accepted * 20 >= offered * 19;
  }

  /// Results of a row over the cycle reference, by load.
  struct Measured {
    double saturation = 0;
    std::vector<double> loads;
    std::vector<std::vector<std::int64_t>> latencies;  ///< in ps

    template <class Archive>
    void serialize(Archive& archive) {
      archive(saturation, loads, latencies);
    }
  };

  [[nodiscard]] TransferWorkload sample_of(const CalibrationRow& row, double load) const {
    return traffic(row.pattern, row.bytes, load, options_.cycles);
  }

  [[nodiscard]] Measured measure(const CalibrationRow& row) const {
    unsigned carried = kLoadSteps;
    if (!carries(row, carried)) {
      unsigned too_much = kLoadSteps;
      for (carried = 1; too_much - carried > 1;) {
        const unsigned middle = (carried + too_much) / 2;
        (carries(row, middle) ? carried : too_much) = middle;
      }
    }
    Measured measured;
    measured.saturation = static_cast<double>(carried) / kLoadSteps;
    for (const double share : options_.shares) {
      measured.loads.push_back(share * measured.saturation);
      measured.latencies.push_back(latencies_over(
          FabricKind::Cycle, sip_, sample_of(row, measured.loads.back()), options_.nodes, {}));
    }
    return measured;
  }

  void find_loads() {
    std::vector<Measured> measured(result_.rows.size());
    common::fill_in_parts(options_.parts, options_.jobs, measured, [&](std::size_t i) {
      measured[i] = measure(result_.rows[i]);
      return true;
    });
    samples_.resize(measured.size());
    for (std::size_t i = 0; i < measured.size(); ++i) {
      CalibrationRow& row = result_.rows[i];
      row.saturation = measured[i].saturation;
      row.loads = measured[i].loads;
      for (std::size_t load = 0; load < row.loads.size(); ++load) {
        samples_[i].push_back(
            {sample_of(row, row.loads[load]), std::move(measured[i].latencies[load])});
      }
    }
  }

  /// Returns the mean error of the fitted half, with equal weights of all loads and rows.
  [[nodiscard]] std::uint64_t cost(const AnalyticParameters& parameters) {
    ++result_.tried;
    std::vector<std::uint64_t> costs(result_.rows.size());
    common::in_parallel(costs.size(), options_.jobs, [&](std::size_t i) {
      if (result_.rows[i].held_out) return;
      for (const Sample& sample : samples_[i]) {
        std::uint64_t sum = 0;
        const std::vector<std::uint64_t> errors =
            errors_of(sample, sip_, options_.nodes, parameters);
        for (const std::uint64_t error : errors) sum += error;
        if (!errors.empty()) costs[i] += sum / errors.size();
      }
    });
    std::uint64_t sum = 0;
    for (const std::uint64_t each : costs) sum += each;
    return sum;
  }

  void fit() {
    AnalyticParameters best = result_.start;
    std::uint64_t least = cost(best);
    const auto is_sound = [](const AnalyticParameters& tried) {
      return tried.stage_packets >= 2 &&
             tried.queue_packets >= model::fabric::least_queue_packets(tried);
    };
    const auto better = [&](std::uint32_t AnalyticParameters::*of, std::uint32_t step, bool up) {
      AnalyticParameters tried = best;
      if (!up && tried.*of < step) return false;
      tried.*of = up ? tried.*of + step : tried.*of - step;
      if (!is_sound(tried)) return false;
      const std::uint64_t tried_cost = cost(tried);
      if (tried_cost >= least) return false;
      best = tried;
      least = tried_cost;
      return true;
    };
    for (std::uint32_t step = 8; step > 0; step /= 2) {
      for (bool moved = true; moved;) {
        moved = false;
        for (const auto of :
             {&AnalyticParameters::queue_packets, &AnalyticParameters::stage_packets,
              &AnalyticParameters::restart_cycles}) {
          for (const bool up : {true, false}) {
            while (better(of, step, up)) moved = true;
          }
        }
      }
    }
    result_.fitted = best;
  }

  void report() {
    struct Half {
      std::vector<std::uint64_t> before, after;
    };
    Half fit_half;
    Half held_out;
    std::vector<std::vector<Half>> errors(result_.rows.size());
    common::in_parallel(result_.rows.size(), options_.jobs, [&](std::size_t i) {
      for (const Sample& sample : samples_[i]) {
        errors[i].push_back({errors_of(sample, sip_, options_.nodes, result_.start),
                             errors_of(sample, sip_, options_.nodes, result_.fitted)});
      }
    });
    const auto add = [](Half& to, const Half& more) {
      to.before.insert(to.before.end(), more.before.begin(), more.before.end());
      to.after.insert(to.after.end(), more.after.begin(), more.after.end());
    };
    Half pattern;
    for (std::size_t i = 0; i < errors.size(); ++i) {
      CalibrationRow& row = result_.rows[i];
      for (const Half& sample : errors[i]) {
        row.before.push_back(summary_of(sample.before));
        row.after.push_back(summary_of(sample.after));
        add(pattern, sample);
      }
      if (i + 1 < errors.size() && result_.rows[i + 1].pattern == row.pattern) continue;
      add(row.held_out ? held_out : fit_half, pattern);
      result_.patterns.push_back({row.pattern, row.held_out, summary_of(std::move(pattern.before)),
                                  summary_of(std::move(pattern.after))});
      pattern = {};
    }
    result_.fit_before = summary_of(std::move(fit_half.before));
    result_.fit_after = summary_of(std::move(fit_half.after));
    result_.held_out_before = summary_of(std::move(held_out.before));
    result_.held_out_after = summary_of(std::move(held_out.after));

    WorkloadSettings settings;
    settings.bytes = options_.bytes.back();
    settings.seed = options_.seed;
    Sample sample{make_workloads("multicasts", sip_, settings).front(), {}};
    sample.latencies = latencies_over(FabricKind::Cycle, sip_, sample.workload, options_.nodes, {});
    result_.multicasts = summary_of(errors_of(sample, sip_, options_.nodes, result_.fitted));
  }

  const topology::SipSpec& sip_;
  const CalibrationOptions& options_;
  CalibrationResult result_;
  std::vector<Samples> samples_;  ///< by row
};

}  // namespace

void judge_calibration(CalibrationResult& result) {
  const auto decide = [&result](common::Outcome outcome, std::string reason) {
    result.outcome = outcome;
    result.reason = std::move(reason);
  };
  const CalibrationRow* worst = nullptr;
  std::size_t worst_load = 0;
  std::uint64_t judged = 0, failed = 0;
  for (const CalibrationRow& row : result.rows) {
    for (std::size_t i = 0; row.held_out && i < row.after.size(); ++i) {
      const ErrorSummary& error = row.after[i];
      if (error.transfers == 0) {
        decide(common::Outcome::Vacuous, fmt::format("{} of {} bytes at load {:.3f} sent nothing",
                                                     row.pattern, row.bytes, row.loads[i]));
        return;
      }
      ++judged;
      if (error.median <= kMedianBar && error.p95 <= kP95Bar) continue;
      ++failed;
      if (worst != nullptr && error.p95 <= worst->after[worst_load].p95) continue;
      worst = &row;
      worst_load = i;
    }
  }
  if (judged == 0) return decide(common::Outcome::Vacuous, "nothing was held out");
  if (worst == nullptr) return decide(common::Outcome::Pass, "");
  const ErrorSummary& error = worst->after[worst_load];
  decide(common::Outcome::Mismatch,
         fmt::format("{} of {} held-out loads are beyond a median of {:.0f}% or a p95 of {:.0f}%, "
                     "the worst {} of {} bytes at load {:.3f}: {:.2f}% and {:.2f}%",
                     failed, judged, 100 * kMedianBar, 100 * kP95Bar, worst->pattern, worst->bytes,
                     worst->loads[worst_load], 100 * error.median, 100 * error.p95));
}

CalibrationResult calibrate(const topology::SipSpec& sip, const CalibrationOptions& options) {
  return Calibration(sip, options).run();
}

}  // namespace kernbench::cosim
