// SPDX-License-Identifier: Apache-2.0
// Layers that ranks share take the time of the first of them.
#include <gtest/gtest.h>

#include "group_fixture.hpp"
#include "model/ccl/process_group.hpp"

namespace kernbench::model::ccl {
namespace {

/// Adds rows to themselves, on all PEs.
void launch_add(runtime::Context& kb, const runtime::Tensor& tensor) {
  kb.launch("add", [view = tensor->view()](kernel::Tl& tl) {
    const kernel::Tile tile = tl.load(view.local(tl));
    tl.store(view.local(tl), tile + tile);
  });
}

/// Runs six layers of kernels and an all-reduce over two ranks. Rank 1 has more to do.
void run_layers(runtime::Context& host, bool barrier) {
  using runtime::Placement;
  ProcessGroup world(host.session(), "ahbm");
  spawn(host, world, [barrier](Worker& worker) {
    runtime::Context& kb = worker.kb();
    const auto f32 = data::DataType::F32;
    const runtime::Tensor x = kb.tensor(16, 64, f32, {Placement::Replicate, Placement::RowWise});
    const runtime::Tensor more = kb.tensor(16, 64, f32, {Placement::RowWise, Placement::RowWise});
    for (std::uint64_t i = 0; i < 6; ++i) {
      if (barrier) worker.barrier();
      worker.repeat("layer", i, 6, [&] {
        if (worker.rank() == 1) launch_add(kb, more);
        launch_add(kb, more);
        worker.all_reduce(x);
      });
    }
  });
}

bench::RunResult run_system(void (*body)(runtime::Context&), bool reuse) {
  bench::RunOptions options;
  options.ccl = {"ccl.yaml", "backend: ahbm\n"};
  options.reuse = reuse;
  return bench::run_bench({"test", "", {}, body}, small_system_of(2, 2, 2), options);
}

/// Returns the ends of all launches, in order.
std::vector<std::int64_t> ends_of(const bench::RunResult& result) {
  std::vector<std::int64_t> ends;
  for (const runtime::LaunchRecord& record : result.launches) ends.push_back(record.end.ps());
  std::sort(ends.begin(), ends.end());
  return ends;
}

TEST(RepeatedLayers, HaveTheTimesOfTheFullSimulationBehindABarrier) {
  const auto body = [](runtime::Context& kb) { run_layers(kb, true); };
  const bench::RunResult full = run_system(body, false);
  const bench::RunResult reused = run_system(body, true);
  EXPECT_EQ(ends_of(reused), ends_of(full));
  EXPECT_EQ(reused.end, full.end);
  EXPECT_LT(reused.flit_hops, full.flit_hops);
  ASSERT_TRUE(reused.repeats);
  EXPECT_EQ(reused.repeats->simulated, 3U);
  EXPECT_EQ(reused.repeats->repeated, 3U);
  ASSERT_EQ(reused.repeats->samples.size(), 1U);
  EXPECT_EQ(reused.repeats->samples[0].key, "layer of group 'world'");
  EXPECT_EQ(reused.repeats->samples[0].error(), 0.0);
}

TEST(RepeatedLayers, AreWithinAPercentWithoutABarrier) {
  const auto body = [](runtime::Context& kb) { run_layers(kb, false); };
  const double full = run_system(body, false).end.ns();
  const bench::RunResult reused = run_system(body, true);
  EXPECT_NEAR(reused.end.ns(), full, 0.01 * full);
  // Ranks begin layers 0.28 us and 0.33 us apart in turn.
  EXPECT_LT(reused.repeats->samples.at(0).error(), 0.03);
}

}  // namespace
}  // namespace kernbench::model::ccl
