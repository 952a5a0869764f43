// SPDX-License-Identifier: Apache-2.0
// Integer operations with fractions, floating-point functions of integers, and epilogue operands of
// other types. The replay could not compute any of these.
#include <vector>

#include "bad_kernel.hpp"

namespace kernbench::model::kernel {
namespace {

class BadIntegers : public ::testing::TestWithParam<Bad> {};

TEST_P(BadIntegers, AreReportedWithTheirPeOperationAndLine) {
  expect_reported(GetParam(), "integer_errors_test.cpp");
}

/// Multiplies 8 x 8 tiles of type `factors` into `result`, with the epilogues neg and `step`.
void composite(Tl& tl, DataType factors, DataType result, const Epilogue& step, SourceLine line) {
  const Tile x = ones(tl, 8, 8, factors);
  CompositeOptions options;
  options.epilogue = {{MathOp::Neg}, step};
  (void)tl.composite(x, x, result, options, line);
}

// Outside a macro, within which all lines have one number.
const std::vector<Bad> kBadIntegers = {

    Bad{"FractionBesideATile",
        [](Tl& tl, int& line) {
          const Tile x = ones(tl, 4, 8, DataType::I32);
          line = __LINE__ + 1;
          (void)(x + 0.5);
        },
        ": tl.add at @: an operation on i32 computes in i32: 0.5 is not an i32 value"},
    Bad{"FractionBeforeATileOfBytes",
        [](Tl& tl, int& line) {
          const Tile x = ones(tl, 4, 8, DataType::I8);
          line = __LINE__ + 1;
          (void)(-1.25 < x);
        },
        ": tl.less at @: an operation on i8 computes in i32: -1.25 is not an i32 value"},
    Bad{"NumberBeyondI32",
        [](Tl& tl, int& line) {
          const Tile x = ones(tl, 4, 8, DataType::I32);
          line = __LINE__ + 1;
          (void)tl.maximum(x, 2147483648.0);
        },
        ": tl.maximum at @: an operation on i32 computes in i32: 2147483648 is not an i32 value"},
    Bad{"FractionToChoose",
        [](Tl& tl, int& line) {
          const Tile x = ones(tl, 4, 8, DataType::I32);
          const Tile condition = x > 0.0;
          line = __LINE__ + 1;
          (void)tl.where(condition, x, 0.5);
        },
        ": tl.where at @: an operation on i32 computes in i32: 0.5 is not an i32 value"},
    Bad{"TileOfFractions",
        [](Tl& tl, int& line) {
          line = __LINE__ + 1;
          (void)tl.full(4, 8, 0.5, DataType::I32);
        },
        ": tl.full at @: an operation on i32 computes in i32: 0.5 is not an i32 value"},
    Bad{"CountFromAFraction",
        [](Tl& tl, int& line) {
          line = __LINE__ + 1;
          (void)tl.arange(8, DataType::I8, 0.5);
        },
        ": tl.arange at @: an operation on i8 computes in i32: 0.5 is not an i32 value"},
    Bad{"FractionInAnEpilogue",
        [](Tl& tl, int& line) {
          line = __LINE__ + 1;
          composite(tl, DataType::I8, DataType::F32, {MathOp::Mul, 0.5}, SourceLine::here());
        },
        ": tl.composite at @: an operation on i8 computes in i32: 0.5 is not an i32 value"},
    Bad{"ExpAsEpilogue",
        [](Tl& tl, int& line) {
          line = __LINE__ + 1;
          composite(tl, DataType::I8, DataType::F32, {MathOp::Exp}, SourceLine::here());
        },
        ": tl.composite at @: epilogue 'exp' requires a floating-point type, not i32"},
    Bad{"FloatsBesideSumsThatBecomeSuch",
        [](Tl& tl, int& line) {
          const Tile row = ones(tl, 1, 8);
          line = __LINE__ + 1;
          composite(tl, DataType::I8, DataType::F32, {MathOp::Add, row}, SourceLine::here());
        },
        ": tl.composite at @: an epilogue operand has type f32, not i32; convert it with "
        "tl.cast()"},
    Bad{"EpilogueOperandOfTheFactorsType",
        [](Tl& tl, int& line) {
          const Tile row = ones(tl, 1, 8, DataType::F16);
          line = __LINE__ + 1;
          composite(tl, DataType::F16, DataType::F32, {MathOp::Add, row}, SourceLine::here());
        },
        ": tl.composite at @: an epilogue operand has type f16, not f32; convert it with "
        "tl.cast()"},
    Bad{"EpilogueOperandOfIntegers",
        [](Tl& tl, int& line) {
          const Tile row = ones(tl, 1, 8, DataType::I32);
          line = __LINE__ + 1;
          composite(tl, DataType::F16, DataType::F16, {MathOp::Add, row}, SourceLine::here());
        },
        ": tl.composite at @: an epilogue operand has type i32, not f32; convert it with "
        "tl.cast()"}};
INSTANTIATE_TEST_SUITE_P(All, BadIntegers, ::testing::ValuesIn(kBadIntegers),
                         [](const auto& test) { return std::string(test.param.name); });

/// Expects `kExpected` in all elements of the result of `kKernel` after the replay.
template <std::uint64_t kRows, std::uint64_t kColumns, int kExpected, Tile (*kKernel)(Tl&)>
void expect_all() {
  bench::RunOptions options;
  options.verify = true;
  const auto run = [](runtime::Context& kb) {
    using runtime::Placement;
    const auto y =
        kb.tensor(kRows, kColumns, DataType::I8, {Placement::Replicate, Placement::Replicate});
    kb.launch("k", [view = y->view()](Tl& tl) { tl.store(view.local(tl), kKernel(tl)); }, {1, 1});
    kb.expect("y", kb.read(y), [] {
      return data::Array::from(DataType::I8,
                               data::MatrixI(data::MatrixI::Constant(kRows, kColumns, kExpected)));
    });
  };
  const bench::RunResult result =
      bench::run_bench(bench::Bench{"test", "", {}, run}, small_graph(), options);
  ASSERT_EQ(result.checks.size(), 1U);
  EXPECT_EQ(result.checks[0].elements, kRows * kColumns);
  EXPECT_EQ(result.checks[0].wrong, 0U) << result.checks[0].first_wrong;
}

Tile gemm_with_epilogue(Tl& tl) {
  const Tile x = ones(tl, 8, 8, DataType::I8);
  CompositeOptions gemm;
  gemm.epilogue = {{MathOp::Neg},
                   {MathOp::Mul, 3.0},
                   {MathOp::Add, tl.full(1, 8, 4.0, DataType::I32)},
                   {MathOp::Add, ones(tl, 8, 1, DataType::I8)}};
  return tl.composite(x, x, DataType::I8, gemm) + 2.0;
}
TEST(IntegerKernels, ComputeWithWholeNumbersAndTilesOfTheSumsTypeOrTheResults) {
  expect_all<8, 8, -17, gemm_with_epilogue>();
}

Tile comparison_of_numbers(Tl& tl) {
  return tl.compare(MathOp::Less, 1.25, 1.5);
}
TEST(IntegerKernels, CompareNumbersAloneWithTheirFractions) {
  expect_all<1, 1, 1, comparison_of_numbers>();
}

}  // namespace
}  // namespace kernbench::model::kernel
