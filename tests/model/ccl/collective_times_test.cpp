// SPDX-License-Identifier: Apache-2.0
// The time of collectives against the lower bound of the wires.
#include <gtest/gtest.h>

#include "model/ccl/process_group.hpp"
#include "tests/model/ccl/group_fixture.hpp"

namespace kernbench::model::ccl {
namespace {

using runtime::Placement;

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20U;

/// Broadcasts 1 MiB from rank 3.
void broadcast_a_mebibyte(runtime::Context& kb) {
  ProcessGroup group(kb.session(), "ahbm");
  spawn(kb, group, [](Worker& worker) {
    runtime::Context& device = worker.kb();
    const std::uint64_t pes = device.pes();
    const auto data = [rank = worker.rank(), pes] {
      return data::Array::from(
          data::DataType::I32,
          data::MatrixI(data::MatrixI::Constant(static_cast<Eigen::Index>(pes),
                                                static_cast<Eigen::Index>(kMebibyte / 4 / pes),
                                                static_cast<std::int32_t>(rank))));
    };
    const runtime::Tensor x = device.tensor(pes, kMebibyte / 4 / pes, data::DataType::I32,
                                            {Placement::Replicate, Placement::RowWise}, data);
    device.measure("broadcast", [&] { worker.broadcast(x, 3); });
    device.expect("x", device.read(x), [pes] {
      return data::Array::from(
          data::DataType::I32,
          data::MatrixI(data::MatrixI::Constant(
              static_cast<Eigen::Index>(pes), static_cast<Eigen::Index>(kMebibyte / 4 / pes), 3)));
    });
  });
}

// A SIP sends 64 GB/s: 1 MiB takes 16.384 us.
TEST(CollectiveTimes, ABroadcastIsWithin30PercentOfItsBound) {
  const bench::RunResult result = run(system_of(8, 1, 1), broadcast_a_mebibyte, "backend: ahbm\n");
  ASSERT_EQ(result.regions.size(), 1U);
  EXPECT_EQ(result.regions[0].time().ps(), 21'069'585);
  EXPECT_LE(result.regions[0].time().ns(), 1.3 * 16'384.0);
  for (const runtime::CheckReport& check : result.checks) EXPECT_EQ(check.wrong, 0U);
  EXPECT_EQ(result.checks.size(), 8U);
}

}  // namespace
}  // namespace kernbench::model::ccl
