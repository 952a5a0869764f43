// SPDX-License-Identifier: Apache-2.0
// The errors of runs that simulate less than all flits, which their grades state.
#include "model/bench/grade.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "tests/model/bench_defaults.hpp"
#include "topology/graph/compile.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::bench {
namespace {

using common::Grade;

const topology::TopologyGraph& default_system() {
  static const topology::TopologyGraph kGraph =
      topology::compile_topology(topology::TopologySpec());
  return kGraph;
}

RunOptions with(RunOptions options, Shortcut shortcut) {
  options.reuse = shortcut != Shortcut::Messages;
  options.whole_messages = shortcut != Shortcut::Reuse;
  return options;
}

/// Returns the largest error of the time of a region in percent.
double error_of(const RunResult& exact, const RunResult& shortened) {
  double worst = 0.0;
  for (std::size_t i = 0; i < exact.regions.size(); ++i) {
    const double time = exact.regions[i].time().ns();
    worst = std::max(worst, 100.0 * std::abs(shortened.regions.at(i).time().ns() / time - 1.0));
  }
  return worst;
}

/// Returns the fault of a stated error: too small, or not the measured one rounded up to 0.1.
std::string fault_of(const ShortcutError& stated, double measured) {
  const double up = std::max(0.1, std::ceil(measured * 10.0) / 10.0);
  if (std::abs(stated.percent - up) < 1e-9) return "";
  return fmt::format("{} is {:.1f} % off, not {:.1f} %", stated.bench, up, stated.percent);
}

TEST(Grades, OfShortenedRunsAreTheMeasuredErrors) {
  std::set<std::string> benches_with_rows;
  std::size_t bounded = 0;
  for (const Bench& bench : benches()) {
    const RunOptions options = defaults_of(bench);
    const RunResult exact = run_bench(bench, default_system(), options);
    ASSERT_FALSE(exact.regions.empty()) << bench.name;
    EXPECT_EQ(grade_of_run(bench, default_system().spec(), options, exact, true), Grade());
    for (const ShortcutError& stated : shortcut_errors()) {
      if (stated.bench != bench.name) continue;
      const RunOptions shortened = with(options, stated.shortcut);
      const RunResult result = run_bench(bench, default_system(), shortened);
      EXPECT_EQ(fault_of(stated, error_of(exact, result)), "");
      const Grade grade = grade_of_run(bench, default_system().spec(), shortened, result, true);
      EXPECT_EQ(grade.kind, Grade::Kind::Within);
      EXPECT_LE(stated.percent, 3.0) << stated.bench;
      if (stated.shortcut != Shortcut::Messages) continue;
      benches_with_rows.insert(bench.name);
      if (grade.kind == Grade::Kind::Within) ++bounded;
    }
  }
  EXPECT_EQ(benches_with_rows.size(), benches().size()) << "a bench without a stated error";
  EXPECT_GE(bounded * 10, benches().size() * 9);
}

TEST(Grades, AForgedBoundIsNoticed) {
  const ShortcutError stated{"gemm", Shortcut::Messages, 0.4};
  EXPECT_EQ(fault_of(stated, 0.33), "");
  EXPECT_EQ(fault_of(stated, 0.41), "gemm is 0.5 % off, not 0.4 %");
  EXPECT_EQ(fault_of(stated, 0.29), "gemm is 0.3 % off, not 0.4 %");
}

TEST(Grades, OfShortenedRunsWithOtherSettingsAreEstimates) {
  const Bench& bench = find_bench("softmax");
  const RunOptions compared = with(defaults_of(bench), Shortcut::Messages);
  const RunResult result;
  const auto grade = [&](const RunOptions& options, const topology::TopologySpec& spec,
                         bool shipped) {
    return grade_of_run(bench, spec, options, result, shipped).text();
  };
  const topology::TopologySpec spec;
  const std::string estimate =
      "estimate: messages move as wholes, which no test compares with these settings";
  EXPECT_EQ(grade(compared, spec, true), "within 1.0 %: messages move as wholes");
  EXPECT_EQ(grade(compared, spec, false), estimate);
  topology::TopologySpec faster;
  faster.pe.clock_ghz *= 2;
  EXPECT_EQ(grade(compared, faster, true), estimate);
  RunOptions other = compared;
  other.parameters["rows"] = "64";
  EXPECT_EQ(grade(other, spec, true), estimate);
  other = compared;
  other.device = 1;
  EXPECT_EQ(grade(other, spec, true), estimate);
  other = compared;
  other.sample_seed = 2;
  EXPECT_EQ(grade(other, spec, true), estimate);
  other = compared;
  other.upload = true;
  EXPECT_EQ(grade(other, spec, true), estimate);
  const Bench& transformer = find_bench("transformer");
  other = with(defaults_of(transformer), Shortcut::Messages);
  EXPECT_EQ(grade_of_run(transformer, spec, other, result, true).name(), "within 0.8 %");
  other.parameters["model"] = places::source("/configs/models/llama-7b.yaml");
  EXPECT_EQ(grade_of_run(transformer, spec, other, result, true).name(), "estimate");
}

TEST(Grades, OfAnAnalyticMazeAndOfWhatABenchSaysAreEstimates) {
  topology::TopologySpec spec;
  spec.sip.inter_cube = topology::InterCube::Maze;
  EXPECT_EQ(grade_of_system(spec), Grade());
  spec.sip.maze.fabric = topology::FabricModel::Analytic;
  EXPECT_EQ(grade_of_system(spec).text(),
            "estimate: the MAZE is analytic, mean latencies -4.2 to +3.3 % off");
  RunResult drawn;
  drawn.estimates = {"experts are drawn, not chosen by the tokens"};
  EXPECT_EQ(grade_of_run(find_bench("transformer"), {}, {}, drawn, true).text(),
            "estimate: experts are drawn, not chosen by the tokens");
}

}  // namespace
}  // namespace kernbench::model::bench
