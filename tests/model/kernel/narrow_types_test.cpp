// SPDX-License-Identifier: Apache-2.0
// Kernels with weights of i4 and factors of f8: their numbers, and what is refused.
#include <vector>

#include "bad_kernel.hpp"
#include "model/bench/random_data.hpp"

namespace kernbench::model::kernel {
namespace {

using data::Array;
using data::MatrixF;
using runtime::Placement;

class BadNarrowTypes : public ::testing::TestWithParam<Bad> {};

TEST_P(BadNarrowTypes, AreReportedWithTheirPeOperationAndLine) {
  expect_reported(GetParam(), "narrow_types_test.cpp");
}

Tile weights_of(Tl& tl, std::uint64_t rows, std::uint64_t columns) {
  return tl.cast(ones(tl, rows, columns), DataType::I4);
}

// Outside a macro, within which all lines have one number.
const std::vector<Bad> kBadNarrowTypes = {
    Bad{"OddColumns",
        [](Tl& tl, int& line) {
          const Tile x = ones(tl, 2, 7);
          line = __LINE__ + 1;
          (void)tl.cast(x, DataType::I4);
        },
        ": tl.cast at @: a tile of 2 x 7 of i4 has rows that do not fill their bytes: the number "
        "of columns must be even"},
    Bad{"RowsInMemoryThatDoNotFillTheirBytes",
        [](Tl& tl, int& line) {
          TensorRef ref = Tl::ref(0, 4, 8, DataType::I4);
          ref.row_stride = 9;
          line = __LINE__ + 1;
          (void)tl.load(ref);
        },
        ": tl.load at @: a row of 9 elements of i4 does not fill its bytes: the number of columns "
        "must be even"},
    Bad{"ArithmeticOfWeights",
        [](Tl& tl, int& line) {
          const Tile w = weights_of(tl, 2, 8);
          line = __LINE__ + 1;
          (void)(w + 1.0);
        },
        ": tl.add at @: i4 only holds weights; convert it with tl.cast()"},
    Bad{"WeightsFromNothing",
        [](Tl& tl, int& line) {
          line = __LINE__ + 1;
          (void)tl.full(2, 8, 1.0, DataType::I4);
        },
        ": tl.full at @: i4 only holds weights; convert it with tl.cast()"},
    Bad{"TheLargestOfWeights",
        [](Tl& tl, int& line) {
          const Tile w = weights_of(tl, 2, 8);
          line = __LINE__ + 1;
          (void)tl.argmax(w);
        },
        ": tl.argmax at @: i4 only holds weights; convert it with tl.cast()"},
    Bad{"WeightsOnTheLeft",
        [](Tl& tl, int& line) {
          const Tile w = weights_of(tl, 2, 8);
          const Tile x = ones(tl, 8, 4, DataType::F16);
          line = __LINE__ + 1;
          (void)tl.dot(w, x);
        },
        ": tl.dot at @: cannot multiply 2 x 8 of i4 by 8 x 4 of f16: the inner dimensions and the "
        "types must be equal (or both types f8, or the right one i4)"},
    Bad{"FactorsOfTwoTypes",
        [](Tl& tl, int& line) {
          const Tile x = ones(tl, 2, 8, DataType::F8E4M3);
          const Tile y = ones(tl, 8, 2, DataType::F16);
          line = __LINE__ + 1;
          (void)tl.dot(x, y);
        },
        ": tl.dot at @: cannot multiply 2 x 8 of f8e4m3 by 8 x 2 of f16: the inner dimensions and "
        "the types must be equal (or both types f8, or the right one i4)"},
    Bad{"TilesOfACompositeThatBeginWithinAByte",
        [](Tl& tl, int& line) {
          const Tile x = ones(tl, 2, 8, DataType::F16);
          CompositeOptions options;
          options.tile_n = 3;
          line = __LINE__ + 1;
          (void)tl.composite(x, Tl::ref(0, 8, 8, DataType::I4), DataType::F16, options);
        },
        ": tl.composite at @: a row of 3 elements of i4 does not fill its bytes: the number of "
        "columns must be even"}};
INSTANTIATE_TEST_SUITE_P(All, BadNarrowTypes, ::testing::ValuesIn(kBadNarrowTypes),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(NarrowTypeKernels, ABlockOfI4BeginsWithAByte) {
  const TensorRef weights = Tl::ref(0, 4, 8, DataType::I4);
  EXPECT_EQ(weights.block(2, 4, 2, 2).va, 10U);
  EXPECT_THAT([&] { (void)weights.block(0, 3, 1, 2); },
              ::testing::ThrowsMessage<std::invalid_argument>(
                  "column 3 of i4 does not begin with a byte: it must be even"));
}

/// Expects the numbers of `kernel`, which multiplies x (6 x 10) of one type by w (10 x 8) of
/// another into f32, after the replay.
void expect_product(DataType left, DataType right,
                    void (*kernel)(Tl&, const TensorRef& x, const TensorRef& w,
                                   const TensorRef& y)) {
  bench::RunOptions options;
  options.verify = true;
  const auto run = [=](runtime::Context& kb) {
    const runtime::DpPolicy one{Placement::Replicate, Placement::Replicate, 1, 1};
    const auto x_data = bench::uniform(left, 6, 10, 1);
    const auto w_data = bench::uniform(right, 10, 8, 2);
    const auto x = kb.tensor(6, 10, left, one, x_data);
    const auto w = kb.tensor(10, 8, right, one, w_data);
    const auto y = kb.tensor(6, 8, DataType::F32, one);
    kb.launch("k",
              [=, x = x->view(), w = w->view(), y = y->view()](Tl& tl) {
                kernel(tl, x.local(tl), w.local(tl), y.local(tl));
              },
              {1, 1});
    // The copy of packed weights comes back as it was.
    kb.expect("w", kb.read(w), w_data);
    kb.expect("y", kb.read(y), [=] {
      return Array::from(DataType::F32,
                         MatrixF(x_data().to_floats() * w_data().to_floats() * 0.5F));
    });
  };
  const bench::RunResult result =
      bench::run_bench(bench::Bench{"test", "", {}, run}, small_graph(), options);
  ASSERT_EQ(result.checks.size(), 2U);
  for (const runtime::CheckReport& check : result.checks) {
    EXPECT_EQ(check.wrong, 0U) << check.name << " " << check.first_wrong;
  }
}

void by_composite(Tl& tl, const TensorRef& x, const TensorRef& w, const TensorRef& y) {
  CompositeOptions options;
  options.tile_m = 4;
  options.tile_k = 4;
  options.tile_n = 2;
  options.epilogue = {{MathOp::Mul, tl.full(1, 8, 0.25, DataType::F32)}, {MathOp::Mul, 2.0}};
  tl.composite(x, w, y, options);
}

void by_dot(Tl& tl, const TensorRef& x, const TensorRef& w, const TensorRef& y) {
  const Tile whole = tl.load(x);
  for (std::uint64_t column = 0; column < 8; column += 2) {
    const Tile some = tl.load(w.block(0, column, 10, 2));
    tl.store(y.block(0, column, 6, 2), tl.dot(whole, some) * 0.5);
  }
}

void by_conversion(Tl& tl, const TensorRef& x, const TensorRef& w, const TensorRef& y) {
  const Tile left = tl.cast(tl.load(x), DataType::F32);
  const Tile right = tl.cast(tl.load(w), DataType::F32);
  tl.store(y, tl.dot(left, right) * 0.5);
}

TEST(NarrowTypeKernels, MultiplyWeightsOfI4AndFactorsOfF8) {
  for (const auto& [left, right] :
       {std::pair(DataType::F16, DataType::I4), std::pair(DataType::F8E4M3, DataType::I4),
        std::pair(DataType::F8E4M3, DataType::F8E4M3),
        std::pair(DataType::F8E4M3, DataType::F8E5M2),
        std::pair(DataType::F8E5M2, DataType::F8E5M2)}) {
    SCOPED_TRACE(fmt::format("{} {}", name_of(left), name_of(right)));
    expect_product(left, right, by_composite);
    expect_product(left, right, by_dot);
    expect_product(left, right, by_conversion);
  }
}

TEST(NarrowTypeKernels, GatherAndScatterRowsOfI4) {
  bench::RunOptions options;
  options.verify = true;
  const auto run = [](runtime::Context& kb) {
    const runtime::DpPolicy one{Placement::Replicate, Placement::Replicate, 1, 1};
    const auto data = bench::uniform(DataType::I4, 4, 6, 1);
    const auto x = kb.tensor(4, 6, DataType::I4, one, data);
    const auto y = kb.tensor(4, 6, DataType::I4, one, data);
    kb.launch("k",
              [x = x->view(), y = y->view()](Tl& tl) {
                const Tile from = tl.cast(tl.arange(2, DataType::I32) * -2.0 + 3.0, DataType::I32);
                const Tile to = tl.arange(2, DataType::I32) * 2.0;
                const Tile rows = tl.gather(x.local(tl), from);
                tl.scatter(y.local(tl), to, rows);
              },
              {1, 1});
    kb.expect("y", kb.read(y), [=] {
      MatrixF rows = data().to_floats();
      const MatrixF before = rows;
      rows.row(0) = before.row(3);
      rows.row(2) = before.row(1);
      return Array::from(DataType::I4, rows);
    });
  };
  const bench::RunResult result =
      bench::run_bench(bench::Bench{"test", "", {}, run}, small_graph(), options);
  ASSERT_EQ(result.checks.size(), 1U);
  EXPECT_EQ(result.checks[0].wrong, 0U) << result.checks[0].first_wrong;
}

/// Returns the message of a bench that makes a tensor of i4.
std::string refused_tensor(std::uint64_t columns, Placement placement) {
  try {
    const auto run = [=](runtime::Context& kb) {
      (void)kb.tensor(8, columns, DataType::I4, {placement, placement});
    };
    (void)bench::run_bench(bench::Bench{"test", "", {}, run}, small_graph(), {});
  } catch (const std::exception& error) {
    return error.what();
  }
  return "accepted";
}

TEST(NarrowTypeKernels, ATensorOfI4HasPartsOfEvenNumbersOfColumns) {
  EXPECT_THAT(
      refused_tensor(7, Placement::RowWise),
      ::testing::HasSubstr("a tensor of 8 x 7 of i4 has parts of 7 columns, but two elements "
                           "share a byte: the number must be even"));
  EXPECT_THAT(refused_tensor(16, Placement::ColumnWise),
              ::testing::HasSubstr("a tensor of 8 x 16 of i4 has parts of 1 columns"));
}

}  // namespace
}  // namespace kernbench::model::kernel
