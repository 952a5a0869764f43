// SPDX-License-Identifier: Apache-2.0
// Copies and composite GEMMs that a kernel starts now and waits for later.
#include <optional>

#include "bad_kernel.hpp"
#include "bench_fixture.hpp"
#include "kernel_fixture.hpp"
#include "model/data/array.hpp"
#include "model/kernel/kernel_error.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::kernel {
namespace {

class BadOperationInFlight : public ::testing::TestWithParam<Bad> {};

TEST_P(BadOperationInFlight, IsReportedWithItsPeOperationAndLine) {
  expect_reported(GetParam(), "in_flight_test.cpp");
}

const std::vector<Bad> kBadInFlight = {

    Bad{"NotWaitedFor",
        [](Tl& tl, int& line) {
          const Tile x = ones(tl, 4, 8);
          line = __LINE__ + 1;
          (void)tl.icomposite(x, Tl::trans(x), DataType::F32);
        },
        ": tl.icomposite at @: the kernel ended without waiting for this operation"},
    Bad{"WaitedForTwice",
        [](Tl& tl, int& line) {
          const Tile x = ones(tl, 4, 8);
          const PendingTile pending = tl.icomposite(x, Tl::trans(x), DataType::F32);
          (void)tl.wait(pending);
          line = __LINE__ + 1;
          (void)tl.wait(pending);
        },
        ": tl.wait at @: the kernel has already waited for this operation"},
    Bad{"OfUnmappedMemory",
        [](Tl& tl, int& line) {
          line = __LINE__ + 1;
          (void)tl.iload(Tl::ref(std::uint64_t{1} << 56U, 4, 8, DataType::F32));
        },
        ": tl.iload at @: access of 128 bytes at 0x100000000000000: physical address "
        "0x0100000000000000: bits 63..56 must be 0"},
    Bad{"OfAnotherShape",
        [](Tl& tl, int& line) {
          const Tile x = ones(tl, 4, 8);
          line = __LINE__ + 1;
          (void)tl.istore(Tl::ref(0, 8, 4, DataType::F32), x);
        },
        ": tl.istore at @: a tile of 4 x 8 of f32 does not fit into 8 x 4 of f32"},
    Bad{"OfTooManySums",
        [](Tl& tl, int& line) {
          const Tile x = ones(tl, 300, 8);
          CompositeOptions options;
          options.tile_m = 300;
          options.tile_n = 300;
          line = __LINE__ + 1;
          (void)tl.icomposite(x, Tl::trans(x), DataType::F32, options);
        },
        ": tl.icomposite at @: a tile of 300 x 300 sums of f32 is too large: the accumulators of "
        "pe_gemm hold 65536 (accumulator_kb: 256)"},
    Bad{"OfADotWithTooManySums",
        [](Tl& tl, int& line) {
          const Tile x = ones(tl, 257, 8);
          line = __LINE__ + 1;
          (void)tl.dot(x, Tl::trans(x));
        },
        ": tl.dot at @: a tile of 257 x 257 sums of f32 is too large: the accumulators of "
        "pe_gemm hold 65536 (accumulator_kb: 256)"},
    Bad{"BeginningWithAnUnknownTile",
        [](Tl& tl, int& line) {
          const Tile x = ones(tl, 4, 8);
          CompositeOptions options;
          options.tile_k = 4;
          options.first_k_tile = 2;
          line = __LINE__ + 1;
          (void)tl.composite(x, Tl::trans(x), DataType::F32, options);
        },
        ": tl.composite at @: first_k_tile must be below 2, the tiles along k, not 2"},
};

INSTANTIATE_TEST_SUITE_P(Kernels, BadOperationInFlight, ::testing::ValuesIn(kBadInFlight),
                         [](const auto& test) { return test.param.name; });

/// Returns the time that a kernel takes on an idle PE.
std::int64_t time_of(const std::function<void(Tl&, const KernelMachine&)>& kernel) {
  KernelMachine pe{topology::TopologySpec()};
  std::int64_t end = 0;
  pe.run([&](Tl& tl) {
    kernel(tl, pe);
    end = pe.now();
  });
  return end;
}

TensorRef matrix(const KernelMachine& pe, std::uint64_t number, std::uint64_t rows = 64,
                 std::uint64_t columns = 128) {
  return Tl::ref(pe.slice(number << 20U), rows, columns, DataType::F16);
}

TEST(OperationsInFlight, TakeTheTimeOfTheirBlockingForms) {
  EXPECT_EQ(time_of([](Tl& tl, const auto& pe) { (void)tl.wait(tl.iload(matrix(pe, 0))); }),
            time_of([](Tl& tl, const auto& pe) { (void)tl.load(matrix(pe, 0)); }));
  EXPECT_EQ(time_of([](Tl& tl, const auto& pe) {
              tl.wait(tl.istore(matrix(pe, 0), tl.full(64, 128, 1.0, DataType::F16)));
            }),
            time_of([](Tl& tl, const auto& pe) {
              tl.store(matrix(pe, 0), tl.full(64, 128, 1.0, DataType::F16));
            }));
  EXPECT_EQ(time_of([](Tl& tl, const auto& pe) {
              tl.wait(tl.icomposite(matrix(pe, 0), matrix(pe, 1, 128, 64), matrix(pe, 2, 64, 64)));
            }),
            time_of([](Tl& tl, const auto& pe) {
              tl.composite(matrix(pe, 0), matrix(pe, 1, 128, 64), matrix(pe, 2, 64, 64));
            }));
}

TEST(OperationsInFlight, OverlapWithOthers) {
  const std::int64_t load = time_of([](Tl& tl, const auto& pe) { (void)tl.load(matrix(pe, 0)); });
  const auto math = [](Tl& tl) { return tl.full(256, 512, 1.0, DataType::F32); };
  const std::int64_t fill = time_of([&](Tl& tl, const auto& /*pe*/) { (void)math(tl); });
  ASSERT_GT(fill, load);
  // The load ends while the math engine works; the PE's CPU sends two commands one after the other.
  const std::int64_t both = time_of([&](Tl& tl, const auto& pe) {
    const PendingTile pending = tl.iload(matrix(pe, 0));
    (void)math(tl);
    (void)tl.wait(pending);
  });
  EXPECT_GE(both, fill);
  EXPECT_LT(both, fill + 1000);
}

// The DMA reads one after the other, without the way of the command in between.
TEST(OperationsInFlight, ShareTheDmaInTheOrderOfTheirStart) {
  KernelMachine pe{topology::TopologySpec()};
  pe.run([&](Tl& tl) {
    std::vector<PendingTile> pending;
    for (std::uint64_t i = 0; i < 3; ++i) pending.push_back(tl.iload(matrix(pe, i)));
    for (std::size_t i = pending.size(); i-- > 0;) (void)tl.wait(pending[i]);
  });
  const std::vector<data::StageRecord>& reads = pe.log().stages();
  ASSERT_EQ(reads.size(), 3U);
  EXPECT_EQ(reads[1].start, reads[0].end);
  EXPECT_EQ(reads[2].start, reads[1].end);
}

TEST(OperationsInFlight, KeepTheTcmOfTheirInputs) {
  KernelMachine pe{topology::TopologySpec()};
  const std::uint64_t half = std::uint64_t{2} << 20U;
  pe.run([&](Tl& tl) {
    std::optional<Tile> tile = tl.full(1, half, 1.0, DataType::I8);
    const Pending store = tl.istore(Tl::ref(pe.slice(), 1, half, DataType::I8), *tile);
    tile.reset();
    EXPECT_THROW((void)tl.full(1, half + 1, 1.0, DataType::I8), KernelError);
    tl.wait(store);
    (void)tl.full(1, half + 1, 1.0, DataType::I8);
  });
  EXPECT_EQ(pe.free_tcm(), 2 * half);
}

TEST(OperationsInFlight, OfEmptyMatricesTakeNoTime) {
  EXPECT_EQ(time_of([](Tl& tl, const auto& pe) {
              const TensorRef none = matrix(pe, 0, 0, 128);
              const PendingTile tile = tl.iload(none);
              tl.wait(tl.istore(none, tl.wait(tile)));
              tl.wait(tl.icomposite(none, matrix(pe, 1, 128, 64), matrix(pe, 2, 0, 64)));
            }),
            0);
}

/// Doubles x in two halves, with all copies in flight at the same time, and computes x x^T.
void double_and_square(runtime::Context& kb) {
  const runtime::DpPolicy once{runtime::Placement::RowWise, runtime::Placement::RowWise};
  const auto values = [] {
    data::MatrixF numbers(8, 16);
    for (Eigen::Index i = 0; i < numbers.size(); ++i) numbers.data()[i] = static_cast<float>(i % 7);
    return data::Array::from(DataType::F32, numbers);
  };
  const runtime::Tensor x = kb.tensor(8, 16, DataType::F32, once, values);
  const runtime::Tensor twice = kb.tensor(8, 16, DataType::F32, once);
  const runtime::Tensor square = kb.tensor(8, 8, DataType::F32, once);
  kb.launch(
      "double",
      [x = x->view(), twice = twice->view(), square = square->view()](Tl& tl) {
        const PendingTile first = tl.iload(x.whole().block(0, 0, 4, 16));
        const PendingTile second = tl.iload(x.whole().block(4, 0, 4, 16));
        const Tile all = tl.load(x.whole());
        const PendingTile product = tl.icomposite(all, Tl::trans(all), DataType::F32);
        const Pending late = tl.istore(twice.whole().block(4, 0, 4, 16), tl.wait(second) * 2.0);
        const Pending early = tl.istore(twice.whole().block(0, 0, 4, 16), tl.wait(first) * 2.0);
        tl.store(square.whole(), tl.wait(product));
        tl.wait(early);
        tl.wait(late);
      },
      kOneProgram);
  kb.expect("twice", kb.read(twice), [values] {
    return data::Array::from(DataType::F32, data::MatrixF(values().to_floats() * 2.0F));
  });
  kb.expect("square", kb.read(square), [values] {
    const data::MatrixF numbers = values().to_floats();
    return data::Array::from(DataType::F32, data::MatrixF(numbers * numbers.transpose()));
  });
}

TEST(OperationsInFlight, ComputeTheNumbersOfTheirBlockingForms) {
  bench::RunOptions options;
  options.verify = true;
  options.races = true;
  const bench::RunResult result =
      bench::run_bench({"test", "", {}, double_and_square}, small_graph(), options);
  ASSERT_EQ(result.checks.size(), 2U);
  for (const runtime::CheckReport& check : result.checks) {
    EXPECT_EQ(check.wrong, 0U) << check.name << " " << check.first_wrong;
  }
  EXPECT_TRUE(result.races.races.empty());
}

}  // namespace
}  // namespace kernbench::model::kernel
