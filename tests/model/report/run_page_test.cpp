// SPDX-License-Identifier: Apache-2.0
#include "model/report/run_page.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "topology/graph/compile.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::report {
namespace {

TEST(RunPage, HasTheLongestRegionsInFullAlsoBehindEqualShorterOnes) {
  const bench::Bench bench;
  const topology::TopologyGraph graph = topology::compile_topology(topology::TopologySpec());
  const bench::RunResult result;
  RunReport run{bench, graph, result, {}};
  run.why.emplace();
  for (const std::int64_t ps : {7, 7, 7, 7, 9}) {
    Explanation& stretch = run.why->stretches.emplace_back();
    stretch.of = fmt::format("region '{}'", run.why->stretches.size());
    stretch.path.end = common::SimTime::from_ps(ps);
  }
  common::ReportEnvelope report;
  report.data = {{"launches", nlohmann::json::array()}, {"parameters", nlohmann::json::object()}};
  const std::string page = run_page(report, run);
  for (const int region : {1, 2, 3, 5}) {
    EXPECT_NE(page.find(fmt::format("<h2>Region &#39;{}&#39;: critical path</h2>", region)),
              std::string::npos)
        << region;
  }
  EXPECT_NE(page.find("<tr><td>region &#39;4&#39;</td><td class=\"n\">0.000</td>"),
            std::string::npos);
}

}  // namespace
}  // namespace kernbench::model::report
