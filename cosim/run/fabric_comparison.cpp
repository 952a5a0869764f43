// SPDX-License-Identifier: Apache-2.0
#include "cosim/run/fabric_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "common/enum_names.hpp"

namespace kernbench::cosim {
namespace {

/// Returns the index of a percentile among `count` sorted values, by nearest rank.
std::size_t rank(std::size_t count, unsigned percent) {
  return std::max<std::size_t>((count * percent + 99) / 100, 1) - 1;
}

std::vector<std::int64_t> latencies(const FabricRun& run) {
  std::vector<std::int64_t> result;
  result.reserve(run.played.size());
  for (std::size_t i = 0; i < run.played.size(); ++i) result.push_back(run.latency(i).ps());
  return result;
}

}  // namespace

LatencySummary summarize(const FabricRun& run, std::size_t first) {
  std::vector<std::int64_t> sorted = latencies(run);
  if (first < sorted.size()) {
    sorted.erase(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(first));
  }
  std::sort(sorted.begin(), sorted.end());
  const double sum = std::accumulate(sorted.begin(), sorted.end(), 0.0);
  return {sum / static_cast<double>(sorted.size()), sorted[rank(sorted.size(), 50)],
          sorted[rank(sorted.size(), 95)], sorted.back()};
}

LatencyError latency_error(const FabricRun& run, const FabricRun& reference, std::size_t worst) {
  const std::vector<std::int64_t> got = latencies(run);
  const std::vector<std::int64_t> expected = latencies(reference);
  std::vector<double> errors(got.size());
  LatencyError error;
  for (std::size_t i = 0; i < got.size(); ++i) {
    // An operation of a machine may take no time.
    const double share = static_cast<double>(got[i] - expected[i]) /
                         static_cast<double>(std::max<std::int64_t>(expected[i], 1));
    error.mean_signed += share / static_cast<double>(got.size());
    errors[i] = std::abs(share);
  }
  std::vector<std::size_t> order(got.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return errors[a] < errors[b]; });
  error.median = errors[order[rank(order.size(), 50)]];
  error.p95 = errors[order[rank(order.size(), 95)]];
  error.max = errors[order.back()];
  for (auto at = order.rbegin(); at != order.rend() && error.worst.size() < worst; ++at) {
    if (errors[*at] == 0.0) break;
    error.worst.push_back(*at);
  }
  return error;
}

std::string unlike_operations(const std::vector<FabricRun>& runs) {
  const auto fabric = [](const FabricRun& run) {
    return common::name_of(kFabricKindNames, run.fabric);
  };
  if (runs.empty() || !runs.front().machine) return {};
  const MachineResults& first = *runs.front().machine;
  const std::vector<std::string>& expected = first.operations;
  for (const FabricRun& run : runs) {
    const std::vector<std::string>& operations = run.machine->operations;
    const auto [want, got] =
        std::mismatch(expected.begin(), expected.end(), operations.begin(), operations.end());
    if (want != expected.end() || got != operations.end()) {
      const auto text = [](auto at, auto end) {
        return at == end ? std::string("nothing") : fmt::format("'{}'", *at);
      };
      return fmt::format("operation {} is {} over {} and {} over {}", want - expected.begin(),
                         text(want, expected.end()), fabric(runs.front()),
                         text(got, operations.end()), fabric(run));
    }
    if (run.machine->result_hash != first.result_hash) {
      return fmt::format("the numbers computed over {} and over {} differ", fabric(runs.front()),
                         fabric(run));
    }
  }
  return {};
}

std::string first_difference(const FabricRun& cycle, const FabricRun& rtl) {
  const auto name = [&](std::size_t i) {
    return cycle.machine ? fmt::format("operation '{}'", cycle.machine->operations[i])
                         : fmt::format("transfer {}", i);
  };
  for (std::size_t i = 0; cycle.machine && i < cycle.machine->operations.size(); ++i) {
    const auto start = [i](const FabricRun& run) { return run.played[i].submitted->ps(); };
    if (start(cycle) == start(rtl)) continue;
    return fmt::format("{} starts at {} ps over the cycle reference, at {} ps over the RTL",
                       name(i), start(cycle), start(rtl));
  }
  std::size_t first = cycle.played.size();
  const auto done = [](const FabricRun& run, std::size_t i) {
    return run.played[i].done.value_or(common::SimTime::max());
  };
  for (std::size_t i = 0; i < cycle.played.size(); ++i) {
    if (done(cycle, i) == done(rtl, i)) continue;
    const auto at = [&](std::size_t transfer) {
      return std::min(done(cycle, transfer), done(rtl, transfer));
    };
    if (first == cycle.played.size() || at(i) < at(first)) first = i;
  }
  if (first != cycle.played.size()) {
    const auto text = [&](const FabricRun& run) {
      return run.played[first].done ? fmt::format("at {} ps", run.played[first].done->ps())
                                    : std::string("never");
    };
    return fmt::format("{} is done {} over the cycle reference, {} over the RTL", name(first),
                       text(cycle), text(rtl));
  }
  if (cycle.clocked->cycles != rtl.clocked->cycles) {
    return fmt::format("{} cycles over the cycle reference, {} over the RTL", cycle.clocked->cycles,
                       rtl.clocked->cycles);
  }
  if (cycle.clocked->packet_hash != rtl.clocked->packet_hash) {
    return "packets left their links at different times or with different contents";
  }
  if (!cycle.between_sips.empty()) {
    const std::string difference =
        first_difference(cycle.between_sips.front(), rtl.between_sips.front());
    if (!difference.empty()) return "between SIPs: " + difference;
  }
  return {};
}

}  // namespace kernbench::cosim
