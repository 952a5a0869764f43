// SPDX-License-Identifier: Apache-2.0
#include "sweep_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "common/numbers.hpp"
#include "common/outcome.hpp"
#include "farm/store.hpp"

namespace kernbench::cli_test {

using farm::Direction;
using nlohmann::json;

farm::Plan gemm_plan() {
  farm::Plan plan;
  plan.text = "command: [run, gemm]\n";
  plan.command = {"run", "gemm"};
  plan.parameters = {"bench.m", "mode"};
  plan.targets = {{"data.end_ps", Direction::Min}, {"data.hops", Direction::Max}};
  return plan;
}

void write_sweep(const std::filesystem::path& path, farm::Plan plan,
                 const std::vector<SweepPoint>& points, std::size_t missing) {
  std::vector<std::string> keys;
  std::vector<farm::PointResult> results;
  for (const SweepPoint& point : points) {
    farm::PointResult result;
    result.key = keys.emplace_back(fmt::format("k{}", keys.size()));
    result.outcome = common::outcome_from_name(point.outcome);
    result.message = point.message;
    if (result.outcome == common::Outcome::Pass) result.grade = "exact";
    result.targets = point.targets;
    results.push_back(std::move(result));
    farm::PlanPoint& values = plan.points.emplace_back();
    for (const std::string& text : point.values) {
      values.push_back({text, common::parse_double(text)});
    }
  }
  results.resize(results.size() - missing);
  farm::Store(path, plan, keys).add(results);
}

void write_small_sweep(const std::filesystem::path& path) {
  write_sweep(path, gemm_plan(),
              {{{"128", "a"}, {2'000'000, 7}},
               {{"256", "b"}, {1'000'000, 8.5}},
               {{"512", "a"}, {nullptr, nullptr}, "deadlock", "no event, <1> waits"},
               {{"1024", "b"}, {nullptr, nullptr}}},
              1);
}

void write_large_sweep(const std::filesystem::path& path) {
  farm::Plan plan = gemm_plan();
  plan.parameters = {"bench.m", "bench.n", "topology.pe.clock_ghz", "mode"};
  plan.targets.push_back({"data.flit_hops", Direction::None});
  std::vector<SweepPoint> points;
  for (int i = 0; i < 100'000; ++i) {
    const int m = 64 << (i / 12'500);
    const int n = 100 + 20 * (i / 250 % 50);
    const int tenths = 10 + i / 5 % 50;
    const int mode = i % 5;
    const int noise = static_cast<int>(i * 2'654'435'761LL % 1000);
    const double work = 1.0 * m * n / tenths * (1 + 0.2 * mode) * (1 + noise / 2000.0);
    SweepPoint& point = points.emplace_back();
    point.values = {std::to_string(m), std::to_string(n), fmt::format("{}", tenths / 10.0),
                    fmt::format("mode{}", mode)};
    if (i % 1000 == 999) {
      point.targets = {nullptr, nullptr, nullptr};
      point.outcome = "timeout";
      point.message = fmt::format("no answer after {} s", i);
    } else {
      point.targets = {std::llround(work * 1000), m * n / (work + 100.0 * tenths), m + n + noise};
    }
  }
  write_sweep(path, std::move(plan), points);
}

}  // namespace kernbench::cli_test
