// SPDX-License-Identifier: Apache-2.0
// Parts of a row, and buffers that several operations write.
#include "bad_kernel.hpp"
#include "model/data/array.hpp"

namespace kernbench::model::kernel {
namespace {

class BadPart : public ::testing::TestWithParam<Bad> {};

TEST_P(BadPart, IsReportedWithItsPeOperationAndLine) {
  expect_reported(GetParam(), "buffers_test.cpp");
}

const std::vector<Bad> kBadParts = {

    Bad{"OfAMatrix",
        [](Tl& tl, int& line) {
          const Tile x = ones(tl, 4, 8);
          line = __LINE__ + 1;
          (void)tl.part(x, 0, 4);
        },
        ": tl.part at @: columns 0 to 4 are not a part of a row: the tile is 4 x 8 of f32"},
    Bad{"BeyondTheRow",
        [](Tl& tl, int& line) {
          const Tile x = ones(tl, 1, 8);
          line = __LINE__ + 1;
          (void)tl.part(x, 5, 4);
        },
        ": tl.part at @: columns 5 to 9 are not a part of a row: the tile is 1 x 8 of f32"},
    Bad{"OfABufferWithoutValues",
        [](Tl& tl, int& line) {
          const Tile x = ones(tl, 1, 6);
          const Tile all = tl.buffer(10, DataType::F32);
          tl.add_into(tl.part(all, 2, 6), x, x);
          line = __LINE__ + 1;
          (void)(tl.part(all, 0, 7) * 2.0);
        },
        ": tl.mul at @: 2 of 7 elements of a buffer have not been written"},
    Bad{"WrittenTwice",
        [](Tl& tl, int& line) {
          const Tile x = ones(tl, 1, 5);
          const Tile all = tl.buffer(10, DataType::F32);
          tl.add_into(tl.part(all, 0, 5), x, x);
          line = __LINE__ + 1;
          tl.add_into(tl.part(all, 3, 5), x, x);
        },
        ": tl.add at @: columns 3 to 4 of the buffer have been written, or are being received"},
    Bad{"OfNoBuffer",
        [](Tl& tl, int& line) {
          const Tile x = ones(tl, 1, 5);
          line = __LINE__ + 1;
          tl.recv_into("E", tl.part(x, 0, 2));
        },
        ": tl.recv_into at @: the target is not a part of a tl.buffer()"},
    Bad{"OfAnotherShape",
        [](Tl& tl, int& line) {
          const Tile x = ones(tl, 1, 5);
          const Tile all = tl.buffer(10, DataType::F32);
          line = __LINE__ + 1;
          tl.add_into(tl.part(all, 0, 4), x, x);
        },
        ": tl.add at @: a result of 1 x 5 of f32 does not fit into 1 x 4 of f32"},
    Bad{"OfAnotherType",
        [](Tl& tl, int& line) {
          const Tile x = ones(tl, 1, 5);
          const Tile all = tl.buffer(10, DataType::I32);
          line = __LINE__ + 1;
          tl.add_into(tl.part(all, 0, 5), x, x);
        },
        ": tl.add at @: a result of 1 x 5 of f32 does not fit into 1 x 5 of i32"},
};

INSTANTIATE_TEST_SUITE_P(Parts, BadPart, ::testing::ValuesIn(kBadParts),
                         [](const auto& tested) { return std::string(tested.param.name); });

/// Runs a bench on small_graph() with verification, and expects its numbers to be right.
void expect_right(void (*run)(runtime::Context&), std::uint64_t elements) {
  bench::RunOptions options;
  options.verify = true;
  const bench::RunResult result = bench::run_bench({"test", "", {}, run}, small_graph(), options);
  ASSERT_EQ(result.checks.size(), 1U);
  EXPECT_EQ(result.checks[0].elements, elements);
  EXPECT_EQ(result.checks[0].wrong, 0U) << result.checks[0].first_wrong;
}

TEST(Buffer, HoldsWhatItsPartsGot) {
  expect_right(
      [](runtime::Context& kb) {
        const runtime::Tensor y = kb.tensor(1, 10, DataType::I32, {}, {});
        kb.launch(
            "k",
            [y = y->view()](Tl& tl) {
              const Tile row = tl.arange(10, DataType::I32);
              const Tile all = tl.buffer(10, DataType::I32);
              // The second half first, each with the sums of the other half of `row`.
              tl.add_into(tl.part(all, 5, 5), tl.part(row, 0, 5), 100.0);
              tl.add_into(tl.part(all, 0, 5), tl.part(row, 5, 5), tl.part(row, 0, 5));
              tl.store(y.whole(), tl.part(tl.part(all, 0, 10), 0, 10));
            },
            kOneProgram);
        kb.expect("y", kb.read(y), [] {
          data::MatrixI wanted(1, 10);
          wanted << 5, 7, 9, 11, 13, 100, 101, 102, 103, 104;
          return data::Array::from(DataType::I32, wanted);
        });
      },
      10);
}

TEST(Buffer, AnEmptyPartNeedsNoValue) {
  expect_right(
      [](runtime::Context& kb) {
        const runtime::Tensor y = kb.tensor(1, 3, DataType::I32, {}, {});
        kb.launch(
            "k",
            [y = y->view()](Tl& tl) {
              const Tile row = tl.arange(3, DataType::I32);
              const Tile all = tl.buffer(3, DataType::I32);
              tl.recv_into("nowhere", tl.part(all, 3, 0));
              tl.send("nowhere", tl.part(all, 0, 0));
              tl.add_into(all, row, row);
              tl.store(y.whole(), all);
            },
            kOneProgram);
        kb.expect("y", kb.read(y), [] {
          data::MatrixI wanted(1, 3);
          wanted << 0, 2, 4;
          return data::Array::from(DataType::I32, wanted);
        });
      },
      3);
}

}  // namespace
}  // namespace kernbench::model::kernel
