// SPDX-License-Identifier: Apache-2.0
// The share of the engines' peak that large products of f16 reach on one SIP, in the bench's own
// mapping. Half a minute.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/bench/evaluation/gemm_sweep.hpp"
#include "topology/graph/compile.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::bench {
namespace {

struct Size {
  std::uint64_t m;
  std::uint64_t k;
  std::uint64_t n;
  double share;  ///< least share, 0 to 1
};

TEST(GemmShares, AreThoseOfAGoodMapping) {
  topology::TopologySpec spec;
  spec.system.sips = 1;
  const topology::TopologyGraph graph = topology::compile_topology(spec);
  const std::vector<Size> sizes = {{2048, 2048, 2048, 0.55}, {4096, 4096, 4096, 0.75},
                                   {4352, 4352, 4352, 0.60}, {3001, 3001, 3001, 0.60},
                                   {3333, 3777, 4001, 0.60}, {4999, 4100, 3003, 0.60},
                                   {3584, 3100, 4608, 0.60}, {4500, 3210, 4999, 0.60}};
  std::vector<GemmCase> cases;
  for (const Size& size : sizes) {
    cases.push_back(
        {"one", size.m, size.k, size.n, Staging::Streamed, Staging::Streamed, SweepMapping::Auto});
  }
  const GemmSweep sweep = run_gemm_sweep(graph, cases, 2);
  ASSERT_EQ(sweep.points.size(), sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    EXPECT_GE(sweep.roofline.utilization(sweep.points[i]), sizes[i].share) << text_of(cases[i]);
  }
}

}  // namespace
}  // namespace kernbench::model::bench
