// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <array>
#include <cmath>

#include "model/data/compute.hpp"
#include "tests/model/data/data_fixture.hpp"

namespace kernbench::model::data {
namespace {

using components::MathOp;

struct GemmSize {
  std::uint64_t m, k, n;
};
constexpr std::array<GemmSize, 12> kGemmSizes = {{{1, 1, 1},
                                                  {1, 37, 1},
                                                  {1, 64, 33},
                                                  {33, 64, 1},
                                                  {5, 1, 7},
                                                  {3, 5, 7},
                                                  {17, 13, 19},
                                                  {64, 64, 64},
                                                  {65, 129, 31},
                                                  {7, 1031, 11},
                                                  {2, 3, 0},
                                                  {4, 0, 3}}};

/// Accumulates exactly, in 64 bits.
std::vector<std::int64_t> exact_product(const Array& a, const Array& b) {
  const MatrixF x = a.to_floats();
  const MatrixF y = b.to_floats();
  std::vector<std::int64_t> sums;
  for (Eigen::Index row = 0; row < x.rows(); ++row) {
    for (Eigen::Index column = 0; column < y.cols(); ++column) {
      std::int64_t sum = 0;
      for (Eigen::Index k = 0; k < x.cols(); ++k) {
        sum += static_cast<std::int64_t>(x(row, k)) * static_cast<std::int64_t>(y(k, column));
      }
      sums.push_back(sum);
    }
  }
  return sums;
}

TEST(Gemm, WholeNumbersComeOutExactlyForAllTypesAndSizes) {
  for (const DataType type : kAllTypes) {
    for (const GemmSize& size : kGemmSizes) {
      const Array a = whole_numbers(type, size.m, size.k, 1, 9);
      const Array b = whole_numbers(type, size.k, size.n, 2, 9);
      const Array c = compute_gemm(a, b, accumulator_of(type));
      ASSERT_EQ(c.rows(), size.m);
      ASSERT_EQ(c.columns(), size.n);
      const std::vector<std::int64_t> expected = exact_product(a, b);
      const std::vector<float> found = floats_of(c);
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_EQ(static_cast<std::int64_t>(found[i]), expected[i])
            << name_of(type) << " " << size.m << " " << size.k << " " << size.n << " at " << i;
      }
    }
  }
}

TEST(Gemm, FractionsAreAsNearAsSumsInF32Get) {
  for (const DataType type : {DataType::F32, DataType::F16, DataType::BF16}) {
    for (const GemmSize& size : kGemmSizes) {
      const Array a = fractions(type, size.m, size.k, 3);
      const Array b = fractions(type, size.k, size.n, 4);
      const Array c = compute_gemm(a, b, DataType::F32);
      const Eigen::MatrixXd x = a.to_floats().cast<double>();
      const Eigen::MatrixXd y = b.to_floats().cast<double>();
      const Eigen::MatrixXd exact = x * y;
      const Eigen::MatrixXd bound =
          x.cwiseAbs() * y.cwiseAbs() * (static_cast<double>(size.k) * 0x1p-24);
      const MatrixF found = c.to_floats();
      for (Eigen::Index row = 0; row < found.rows(); ++row) {
        for (Eigen::Index column = 0; column < found.cols(); ++column) {
          ASSERT_LE(std::abs(static_cast<double>(found(row, column)) - exact(row, column)),
                    bound(row, column));
        }
      }
    }
  }
}

TEST(Gemm, IntegersWrapAround) {
  const Array large = integers_of(DataType::I32, {2147483647, 2147483647});
  const Array two = integers_of(DataType::I32, {2, 1}).transposed();
  // 3 (2^31 - 1) modulo 2^32
  EXPECT_EQ(compute_gemm(large, two, DataType::I32), integers_of(DataType::I32, {2147483645}));
  const Array bytes = integers_of(DataType::I8, {127, 127});
  EXPECT_EQ(compute_gemm(bytes, bytes.transposed(), DataType::I32),
            integers_of(DataType::I32, {32258}));
  EXPECT_EQ(compute_gemm(bytes, bytes.transposed(), DataType::I8), integers_of(DataType::I8, {2}));
}

TEST(Gemm, ResultsAreRoundedOnceFromTheSum) {
  // Accumulated in f16, 2048 + 1 + 1 would remain 2048.
  const Array a = row_of(DataType::F16, {2048.0F, 1.0F, 1.0F});
  const Array ones = row_of(DataType::F16, {1.0F, 1.0F, 1.0F}).transposed();
  EXPECT_EQ(floats_of(compute_gemm(a, ones, DataType::F16)), std::vector<float>{2050.0F});
  const Array b = row_of(DataType::BF16, {256.0F, 1.0F, 1.0F});
  EXPECT_EQ(
      floats_of(compute_gemm(b, row_of(DataType::BF16, {1, 1, 1}).transposed(), DataType::BF16)),
      std::vector<float>{258.0F});
}

std::uint64_t hash_of_products() {
  common::RunHash hash;
  for (const DataType type : kAllTypes) {
    for (const GemmSize& size : {GemmSize{96, 1500, 40}, GemmSize{1, 700, 33}, GemmSize{5, 3, 2}}) {
      const Array a = is_floating(type) ? fractions(type, size.m, size.k, 5)
                                        : whole_numbers(type, size.m, size.k, 5, 100);
      const Array b = is_floating(type) ? fractions(type, size.k, size.n, 6)
                                        : whole_numbers(type, size.k, size.n, 6, 100);
      hash.add(hash_of(compute_gemm(a, b, accumulator_of(type))));
    }
  }
  return hash.value();
}

TEST(Gemm, SumsHaveTheSameBitsWhateverCachesTheMachineReports) {
  // Equal for all compilers. A change of this value is a change of results.
  constexpr std::uint64_t kExpected = 12088298607598178781U;
  EXPECT_EQ(hash_of_products(), kExpected);
  Eigen::setCpuCacheSizes(4 * 1024, 32 * 1024, 128 * 1024);
  EXPECT_EQ(hash_of_products(), kExpected);
}

TEST(Gemm, EigenAloneWouldCutSumsWhereCachesEnd) {
  const MatrixF a = fractions(DataType::F32, 96, 1500, 5).to_floats();
  const MatrixF b = fractions(DataType::F32, 1500, 40, 6).to_floats();
  Eigen::setCpuCacheSizes(4 * 1024, 32 * 1024, 128 * 1024);
  const MatrixF small = a * b;
  Eigen::setCpuCacheSizes(64 * 1024, 4096 * 1024, 65536 * 1024);
  const MatrixF large = a * b;
  EXPECT_NE(small, large);
}

TEST(Gemm, OperandsHaveToFit) {
  const Array a = whole_numbers(DataType::F16, 2, 3, 1, 1);
  const auto refused = [&](const Array& b) {
    return data_refusal<std::invalid_argument>([&] { (void)compute_gemm(a, b, DataType::F32); });
  };
  EXPECT_EQ(refused(a), "cannot multiply 2 x 3 of f16 by 2 x 3 of f16");
  EXPECT_EQ(refused(whole_numbers(DataType::F32, 3, 2, 1, 1)),
            "cannot multiply 2 x 3 of f16 by 3 x 2 of f32");
}

TEST(Composite, EpiloguesWorkOnTheSumBeforeItIsRounded) {
  const Array a = array_of(DataType::F16, 2, 2, {1, 2, -3, 4});
  const Array b = array_of(DataType::F16, 2, 3, {1, 0, 2, 0, 1, 1});
  // a b = 1 2 4 / -3 4 -2
  const auto with = [&](std::vector<MathOp> ops, std::vector<EpilogueValue> operands) {
    return floats_of(compute_composite(a, b, ops, operands, DataType::F16));
  };
  using F = std::vector<float>;
  const Array bias = row_of(DataType::F16, {10, 20, 30});
  EXPECT_EQ(with({MathOp::Add}, {bias}), (F{11, 22, 34, 7, 24, 28}));
  EXPECT_EQ(with({MathOp::Sub}, {bias.block(0, 0, 1, 1)}), (F{-9, -8, -6, -13, -6, -12}));
  EXPECT_EQ(with({MathOp::Mul}, {row_of(DataType::F32, {1, -1}).transposed()}),
            (F{1, 2, 4, 3, -4, 2}));
  EXPECT_EQ(with({MathOp::Div}, {array_of(DataType::F32, 2, 3, {2, 2, 2, 4, 4, 4})}),
            (F{0.5F, 1, 2, -0.75F, 1, -0.5F}));
  EXPECT_EQ(with({MathOp::Maximum}, {0.0}), (F{1, 2, 4, 0, 4, 0}));
  EXPECT_EQ(with({MathOp::Minimum}, {1.5}), (F{1, 1.5F, 1.5F, -3, 1.5F, -2}));
  EXPECT_EQ(with({MathOp::Greater}, {1.5}), (F{0, 1, 1, 0, 1, 0}));
  EXPECT_EQ(with({MathOp::Neg}, {}), (F{-1, -2, -4, 3, -4, 2}));
  EXPECT_EQ(with({MathOp::Abs, MathOp::Sqrt, MathOp::Mul}, {4.0})[2], 8.0F);
  EXPECT_EQ(with({MathOp::Mul, MathOp::Add, MathOp::Maximum}, {2.0, bias, 0.0}),
            (F{12, 24, 38, 4, 28, 26}));
  EXPECT_EQ(with({MathOp::Exp, MathOp::Log}, {}), (F{1, 2, 4, -3, 4, -2}));
  EXPECT_EQ(with({MathOp::Mul, MathOp::Sigmoid}, {0.0})[0], 0.5F);
  EXPECT_EQ(with({MathOp::Silu}, {})[5], floats_of(row_of(DataType::F16, {-0.238405844F}))[0]);
  // 60000 fits into f16, but the intermediate 120000 does not.
  const Array large = row_of(DataType::F16, {60000.0F});
  EXPECT_EQ(floats_of(compute_composite(large, row_of(DataType::F16, {2.0F}), {MathOp::Mul}, {0.5},
                                        DataType::F16)),
            F{60000.0F});
}

TEST(Composite, EpiloguesUseTheAccumulatorOfAnyEarlierStep) {
  const Array a = array_of(DataType::F16, 2, 2, {1, 2, -3, 4});
  const Array b = array_of(DataType::F16, 2, 3, {1, 0, 2, 0, 1, 1});
  // a b = 1 2 4 / -3 4 -2
  const auto with = [&](std::vector<MathOp> ops, std::vector<EpilogueValue> operands) {
    return floats_of(compute_composite(a, b, ops, operands, DataType::F32));
  };
  using F = std::vector<float>;
  EXPECT_EQ(with({MathOp::Mul}, {Accumulated{0}}), (F{1, 4, 16, 9, 16, 4}));
  EXPECT_EQ(with({MathOp::Maximum, MathOp::Mul}, {0.0, Accumulated{1}}), (F{1, 4, 16, 0, 16, 0}));
  EXPECT_EQ(with({MathOp::Maximum, MathOp::Sub}, {0.0, Accumulated{0}}), (F{0, 0, 0, 3, 0, 2}));
  // (c + 1) (c + 1) - c
  EXPECT_EQ(with({MathOp::Add, MathOp::Mul, MathOp::Sub}, {1.0, Accumulated{1}, Accumulated{0}}),
            (F{3, 7, 21, 7, 21, 3}));
  const Array bytes = integers_of(DataType::I8, {100, 100});
  EXPECT_EQ(
      compute_composite(bytes, bytes.transposed(), {MathOp::Mul}, {Accumulated{0}}, DataType::I32),
      integers_of(DataType::I32, {400000000}));
}

TEST(Composite, EpiloguesOfIntegersWrapAndTakeIntegersOnly) {
  const Array a = integers_of(DataType::I8, {100, 100});
  const auto with = [&](std::vector<MathOp> ops, std::vector<EpilogueValue> operands) {
    return compute_composite(a, a.transposed(), ops, operands, DataType::I32);
  };
  EXPECT_EQ(with({MathOp::Mul}, {200000.0}), integers_of(DataType::I32, {-294967296}));
  EXPECT_EQ(with({MathOp::Div}, {integers_of(DataType::I8, {0})}), integers_of(DataType::I32, {0}));
  EXPECT_EQ(data_refusal<std::invalid_argument>([&] { (void)with({MathOp::Exp}, {}); }),
            "'exp' is not defined for integers");
  EXPECT_EQ(data_refusal<std::invalid_argument>([&] { (void)with({MathOp::Mul}, {0.5}); }),
            "0.5 is not an i32 value");
  EXPECT_EQ(data_refusal<std::invalid_argument>(
                [&] { (void)with({MathOp::Add}, {row_of(DataType::F32, {1.0F})}); }),
            "f32 is not an integer type");
  EXPECT_EQ(data_refusal<std::invalid_argument>([&] {
              (void)with({MathOp::Add}, {integers_of(DataType::I32, {1, 2})});
            }),
            "an input of 1 x 2 does not fit a result of 1 x 1");
}

}  // namespace
}  // namespace kernbench::model::data
