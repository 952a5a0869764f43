// SPDX-License-Identifier: Apache-2.0
// Tests how busy engines, DMA ports and wires are in a measured region.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/bench/launch_figures.hpp"
#include "model/bench/part_use.hpp"
#include "topology/graph/compile.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::bench {
namespace {

const topology::TopologyGraph& one_cube_graph() {
  static const topology::TopologyGraph graph = [] {
    topology::TopologySpec spec;
    spec.system.sips = 1;
    spec.sip.cube_mesh_w = 1;
    spec.sip.cube_mesh_h = 1;
    return topology::compile_topology(spec);
  }();
  return graph;
}

StretchUse use_of(void (*body)(runtime::Context&)) {
  RunOptions options;
  options.explain = true;
  const RunResult result = run_bench({"test", "", {}, body}, one_cube_graph(), options);
  return part_uses(result, one_cube_graph()).at(0);
}

/// Returns "busy_ps work" of a part, or "unused".
std::string use_of(const StretchUse& use, const std::string& kind, const std::string& name) {
  for (const PartUse& part : use.parts) {
    if (part.kind == kind && part.name == name) {
      return fmt::format("{} {}", part.busy.ps(), part.work);
    }
  }
  return "unused";
}

/// Reads 1 KiB of the slice of PE 0 on one or two PEs, after a read that is not measured.
template <std::uint32_t pes>
void read(runtime::Context& kb) {
  const runtime::DpPolicy once{runtime::Placement::Replicate, runtime::Placement::RowWise, 1, 1};
  const runtime::Tensor x = kb.tensor(1, 256, data::DataType::F32, once);
  const auto load = [&] {
    kb.launch("load", [x = x->view()](kernel::Tl& tl) { (void)tl.load(x.whole()); }, {1, pes});
  };
  load();
  kb.measure("measured", load);
}

TEST(PartUse, OfOneReadIsThatOfItsFlits) {
  const StretchUse use = use_of(read<1>);
  EXPECT_EQ(use.of, "region 'measured'");
  // Four flits of 256 bytes at 256 GB/s.
  EXPECT_EQ(use_of(use, "wires hbm_to_router", "sip0.cube0.hbm_ctrl.pe0 -> sip0.cube0.noc.r0c0"),
            "4000 1024");
  EXPECT_EQ(use_of(use, "wires pe_to_router", "sip0.cube0.noc.r0c0 -> sip0.cube0.pe0.pe_dma"),
            "4000 1024");
  // The request: 16 bytes at 256 GB/s, rounded up.
  EXPECT_EQ(use_of(use, "wires pe_to_router", "sip0.cube0.pe0.pe_dma -> sip0.cube0.noc.r0c0"),
            "63 16");
  EXPECT_EQ(use_of(use, "wires router_mesh", "sip0.cube0.noc.r0c0 -> sip0.cube0.noc.r0c1"),
            "unused");
  EXPECT_EQ(use_of(use, "pe_gemm", "sip0.cube0.pe0.pe_gemm"), "unused");
  EXPECT_EQ(use.hbm_bytes, 1024U);
  EXPECT_EQ(use.hbm_slices, 8U);
  EXPECT_EQ(use.hbm.ps(), 1000);  // 1 KiB at 1,024 GB/s
}

TEST(PartUse, SaysWhenAPortWaitsAndHowLongWorkQueued) {
  const StretchUse use = use_of(read<2>);
  const auto part = [&](const std::string& kind, const std::string& name) -> const PartUse& {
    return *std::find_if(use.parts.begin(), use.parts.end(),
                         [&](const PartUse& one) { return one.kind == kind && one.name == name; });
  };
  // The kernel runs for the whole region.
  const PartUse& port = part("pe_dma read", "sip0.cube0.pe0.pe_dma");
  EXPECT_EQ(port.busy + port.waiting, use.time);
  EXPECT_EQ(port.longest_queue.ps(), 0);
  // 2 KiB at 128 GB/s; the other PE's request is further away.
  const PartUse& slice = part("hbm_ctrl", "sip0.cube0.hbm_ctrl.pe0");
  EXPECT_EQ(slice.busy.ps(), 16'000);
  EXPECT_EQ(slice.work, 2048U);
  EXPECT_EQ(slice.waiting.ps(), 0) << "memories serve other PEs, too";
  const PartUse& wire =
      part("wires hbm_to_router", "sip0.cube0.hbm_ctrl.pe0 -> sip0.cube0.noc.r0c0");
  // Eight channels serve the four flits of a read at the same time.
  EXPECT_EQ(wire.longest_queue.ps(), 3 * 1'000);
}

TEST(PartUse, ForgetsTheQueuesBeforeTheRegion) {
  const StretchUse use = use_of([](runtime::Context& kb) {
    const runtime::DpPolicy once{runtime::Placement::Replicate, runtime::Placement::RowWise, 1, 1};
    const runtime::Tensor x = kb.tensor(64, 256, data::DataType::F32, once);
    const auto load = [x = x->view()](std::uint32_t pes) {
      return [x, pes](kernel::Tl& tl) { (void)pes, (void)tl.load(x.whole()); };
    };
    kb.launch("all", load(8), {1, 8});
    kb.measure("measured", [&] { kb.launch("one", load(1), {1, 1}); });
  });
  for (const PartUse& part : use.parts) {
    EXPECT_LT(part.longest_queue, common::SimTime::from_ns(1000)) << part.kind << " " << part.name;
  }
}

TEST(PartUse, OfTwoReadsAddsUpWhereTheyShareAWire) {
  const StretchUse use = use_of(read<2>);
  EXPECT_EQ(use_of(use, "wires hbm_to_router", "sip0.cube0.hbm_ctrl.pe0 -> sip0.cube0.noc.r0c0"),
            "8000 2048");
  EXPECT_EQ(use_of(use, "wires router_mesh", "sip0.cube0.noc.r0c0 -> sip0.cube0.noc.r0c1"),
            "4000 1024");
  const std::vector<KindUse> kinds = use.kinds();
  const auto reads = std::find_if(kinds.begin(), kinds.end(),
                                  [](const KindUse& kind) { return kind.kind == "pe_dma read"; });
  ASSERT_NE(reads, kinds.end());
  EXPECT_EQ(reads->parts, 2U);
  EXPECT_EQ(reads->work, 2048U);
  EXPECT_EQ(reads->mean().ps(), reads->total.ps() / 2);
  EXPECT_EQ(kinds.front().kind, "pe_dma read") << "a port is held from the request to the data";
}

TEST(PartUse, IsNoLongerThanTheRegionAndCountsAllWork) {
  topology::TopologySpec spec;
  spec.sip.cube_mesh_w = 2;
  spec.sip.cube_mesh_h = 1;
  const topology::TopologyGraph graph = topology::compile_topology(spec);
  for (const char* const bench :
       {"vector-add", "softmax", "layernorm", "gemm", "attention", "all-reduce", "all-to-all"}) {
    RunOptions options;
    options.explain = true;
    options.ccl.text = "backend: ahbm\n";
    const RunResult result = run_bench(find_bench(bench), graph, options);
    const std::vector<StretchUse> uses = part_uses(result, graph);
    ASSERT_EQ(uses.size(), std::max<std::size_t>(result.regions.size(), 1)) << bench;
    const std::vector<LaunchFigures> figures =
        region_figures(result, launch_figures(result.launches, result.recorder->log(), graph));
    for (std::size_t i = 0; i < uses.size(); ++i) {
      const StretchUse& use = uses[i];
      EXPECT_FALSE(use.parts.empty()) << bench;
      std::uint64_t macs = 0;
      for (const PartUse& part : use.parts) {
        EXPECT_GT(part.work, 0U) << bench << " " << part.name;
        EXPECT_LE(part.busy, use.time) << bench << " " << part.kind << " " << part.name;
        if (part.kind == "pe_gemm") macs += part.work;
      }
      EXPECT_LE(use.hbm, use.time);
      if (result.regions.empty()) continue;
      EXPECT_EQ(use.hbm_bytes, figures[i].read.bytes + figures[i].written.bytes) << bench;
      EXPECT_EQ(macs, figures[i].macs) << bench;
    }
  }
}

}  // namespace
}  // namespace kernbench::model::bench
