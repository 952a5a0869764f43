// SPDX-License-Identifier: Apache-2.0
// Kernels that read the numbers of their tiles.
#include "bench_fixture.hpp"
#include "model/bench/random_data.hpp"
#include "model/data/op_log_json.hpp"
#include "model/runtime/context.hpp"

namespace kernbench::model::kernel {
namespace {

using data::DataType;
using runtime::Context;

/// Halves x until no element is above 1, and notes how often.
void halve(Tl& tl, const runtime::TensorView& x, const runtime::TensorView& steps) {
  Tile tile = tl.load(x.local(tl));
  double count = 0;
  while (tl.read(tl.max(tile, Axis::Columns)).to_floats()(0, 0) > 1.0F) {
    tile = tile * 0.5;
    ++count;
  }
  tl.store(x.local(tl), tile);
  tl.store(steps.local(tl), tl.full(1, 1, count, DataType::F32));
}

constexpr runtime::DpPolicy kByRows{
    runtime::Placement::RowWise, runtime::Placement::RowWise, {}, {}};

constexpr Eigen::Index kRows = 16;

/// Row i of x is 2^i; row i takes i steps.
void halve_bench(Context& kb) {
  const runtime::Tensor x = kb.tensor(kRows, 3, DataType::F32, kByRows, [] {
    data::MatrixF values(kRows, 3);
    for (Eigen::Index i = 0; i < kRows; ++i) values.row(i).setConstant(std::ldexp(1.0F, int(i)));
    return data::Array::from(DataType::F32, values);
  });
  const runtime::Tensor steps = kb.tensor(kRows, 1, DataType::F32, kByRows);
  kb.launch("halve", [x = x->view(), steps = steps->view()](Tl& tl) { halve(tl, x, steps); });
  kb.expect("steps", kb.read(steps), [] {
    data::MatrixF values(kRows, 1);
    for (Eigen::Index i = 0; i < kRows; ++i) values(i, 0) = static_cast<float>(i);
    return data::Array::from(DataType::F32, values);
  });
  kb.expect("x", kb.read(x), [] {
    return data::Array::from(DataType::F32, data::MatrixF(data::MatrixF::Ones(kRows, 3)));
  });
}

bench::RunResult run_live(void (*run)(Context&)) {
  bench::RunOptions options;
  options.live = true;
  options.verify = true;
  return bench::run_bench({"test", "", {}, run}, small_graph(), options);
}

TEST(KernelRead, LetsAKernelBranchOnItsNumbers) {
  const bench::RunResult result = run_live(halve_bench);
  ASSERT_EQ(result.checks.size(), 2U);
  for (const runtime::CheckReport& check : result.checks) {
    EXPECT_EQ(check.wrong, 0U) << check.first_wrong;
    EXPECT_GT(check.elements, 0U);
  }
}

TEST(KernelRead, ComputesTheSameBitsAsASecondPass) {
  const bench::RunResult live = run_live(halve_bench);
  data::Replay second_pass;
  second_pass.run(live.recorder->log());
  EXPECT_EQ(live.results.size(), 2U);
  EXPECT_TRUE(second_pass.results() == live.results);
}

TEST(KernelRead, WithoutLiveDataSaysWhatComputesThem) {
  const std::string message = failure_of<bench::RunFailed>(halve_bench);
  EXPECT_THAT(
      message,
      ::testing::MatchesRegex(
          "kernel 'halve' on sip0.cube0.pe0: tl.read at tests/model/kernel/read_test.cpp:18: the "
          "numbers are not computed while kernels run; `kernbench run --data live` computes them "
          "then.*"));
}

TEST(KernelRead, OfUnwrittenMemoryIsTheErrorOfASecondPass) {
  const auto bench = [](Context& kb) {
    const runtime::Tensor x = kb.tensor(16, 3, DataType::F32, kByRows);
    kb.launch("sum", [x = x->view()](Tl& tl) { (void)tl.sum(tl.load(x.local(tl)), Axis::Rows); });
  };
  std::string messages[2];
  for (const bool live : {false, true}) {
    bench::RunOptions options;
    options.live = live;
    options.verify = true;
    try {
      (void)bench::run_bench({"test", "", {}, bench}, small_graph(), options);
    } catch (const data::ReplayError& error) {
      messages[live ? 1 : 0] = error.what();
    }
  }
  EXPECT_THAT(messages[0], ::testing::HasSubstr("read_test.cpp:"));
  EXPECT_EQ(messages[0], messages[1]);
}

}  // namespace
}  // namespace kernbench::model::kernel
