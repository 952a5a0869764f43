// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "model/data/compute.hpp"
#include "tests/model/data/data_fixture.hpp"

namespace kernbench::model::data {
namespace {

using components::MathOp;
using Floats = std::vector<float>;

Array math(MathOp op, const std::vector<Value>& inputs, DataType type, std::uint64_t rows,
           std::uint64_t columns, std::optional<Axis> axis = {}) {
  return compute_math(op, inputs, axis, block_at(Space::Tcm, 0, type, rows, columns));
}

/// Computes a unary operation on one row, with a result of the same type.
Floats unary(MathOp op, DataType type, const Floats& x) {
  return floats_of(math(op, {row_of(type, x)}, type, 1, x.size()));
}
Floats binary(MathOp op, DataType type, const Floats& x, const Floats& y) {
  return floats_of(math(op, {row_of(type, x), row_of(type, y)}, type, 1, x.size()));
}

TEST(Math, UnaryOpsForEveryType) {
  for (const DataType type : kAllTypes) {
    EXPECT_EQ(unary(MathOp::Abs, type, {-3, 0, 5}), (Floats{3, 0, 5})) << name_of(type);
    EXPECT_EQ(unary(MathOp::Neg, type, {-3, 0, 5}), (Floats{3, 0, -5})) << name_of(type);
    if (!is_floating(type)) {
      EXPECT_EQ(data_refusal<std::invalid_argument>([&] { (void)unary(MathOp::Sqrt, type, {4}); }),
                "'sqrt' is not defined for integers");
      continue;
    }
    EXPECT_EQ(unary(MathOp::Sqrt, type, {4, 0.25F, 0}), (Floats{2, 0.5F, 0}));
    EXPECT_EQ(unary(MathOp::Exp, type, {0, -kInfinite, 1e4F}), (Floats{1, 0, kInfinite}));
    EXPECT_EQ(unary(MathOp::Log, type, {1, 0, kInfinite}), (Floats{0, -kInfinite, kInfinite}));
    EXPECT_EQ(unary(MathOp::Sigmoid, type, {0, -1e4F, 1e4F}), (Floats{0.5F, 0, 1}));
    EXPECT_EQ(unary(MathOp::Rsqrt, type, {4, 0.25F, 0}), (Floats{0.5F, 2, kInfinite}));
    EXPECT_EQ(unary(MathOp::Tanh, type, {0, -1e4F, 1e4F}), (Floats{0, -1, 1}));
    EXPECT_EQ(unary(MathOp::Gelu, type, {0, -8192, 8192}), (Floats{0, 0, 8192}));
    EXPECT_EQ(unary(MathOp::Silu, type, {0, -8192, 8192}), (Floats{0, 0, 8192}));
  }
}

TEST(Math, FunctionsAreComputedInF32AndRoundedOnce) {
  const Floats x = floats_of(fractions(DataType::F16, 1, 1000, 7));
  Floats exp;
  Floats sigmoid;
  for (const float value : x) {
    exp.push_back(std::exp(value));
    sigmoid.push_back(1.0F / (1.0F + std::exp(-value)));
  }
  const auto near = [](const Floats& found, const Floats& wanted, float relative) {
    for (std::size_t i = 0; i < found.size(); ++i) {
      ASSERT_NEAR(found[i], wanted[i], relative * wanted[i]);
    }
  };
  near(unary(MathOp::Exp, DataType::F32, x), exp, 0x1p-23F);
  near(unary(MathOp::Sigmoid, DataType::F32, x), sigmoid, 0x1p-22F);
  // Half a unit in the last place of the narrower type, plus the f32 error.
  near(unary(MathOp::Exp, DataType::F16, x), exp, 0x1.01p-11F);
  near(unary(MathOp::Exp, DataType::BF16, floats_of(row_of(DataType::BF16, x))),
       unary(MathOp::Exp, DataType::F32, floats_of(row_of(DataType::BF16, x))), 0x1.01p-8F);
}

TEST(Math, BinaryOpsForEveryType) {
  for (const DataType type : kAllTypes) {
    const Floats a = {6, -7, 0, 5};
    const Floats b = {3, 2, -4, 5};
    EXPECT_EQ(binary(MathOp::Add, type, a, b), (Floats{9, -5, -4, 10})) << name_of(type);
    EXPECT_EQ(binary(MathOp::Sub, type, a, b), (Floats{3, -9, 4, 0}));
    EXPECT_EQ(binary(MathOp::Mul, type, a, b), (Floats{18, -14, 0, 25}));
    EXPECT_EQ(binary(MathOp::Div, type, a, b),
              is_floating(type) ? (Floats{2, -3.5F, 0, 1}) : (Floats{2, -3, 0, 1}));
    EXPECT_EQ(binary(MathOp::Maximum, type, a, b), (Floats{6, 2, 0, 5}));
    EXPECT_EQ(binary(MathOp::Minimum, type, a, b), (Floats{3, -7, -4, 5}));
    const auto compare = [&](MathOp op) {
      return floats_of(math(op, {row_of(type, a), row_of(type, b)}, DataType::I8, 1, 4));
    };
    EXPECT_EQ(compare(MathOp::Less), (Floats{0, 1, 0, 0}));
    EXPECT_EQ(compare(MathOp::LessEqual), (Floats{0, 1, 0, 1}));
    EXPECT_EQ(compare(MathOp::Greater), (Floats{1, 0, 1, 0}));
    EXPECT_EQ(compare(MathOp::GreaterEqual), (Floats{1, 0, 1, 1}));
    EXPECT_EQ(compare(MathOp::Equal), (Floats{0, 0, 0, 1}));
    EXPECT_EQ(floats_of(math(MathOp::Where,
                             {row_of(DataType::I8, {1, 0, -1, 0}), row_of(type, a), Value(9.0)},
                             type, 1, 4)),
              (Floats{6, 9, 0, 9}));
    EXPECT_EQ(floats_of(math(MathOp::Where, {row_of(DataType::I8, {1, 0}), 1.0, 2.0}, type, 1, 2)),
              (Floats{1, 2}));
  }
}

TEST(Math, IntegersWrapAndDivideTowardsZero) {
  constexpr std::int32_t kLeast = -2147483647 - 1;
  const Array a = integers_of(DataType::I32, {2147483647, kLeast, kLeast, 7, -7, 65536});
  const Array b = integers_of(DataType::I32, {1, -1, 1, -2, 0, 65536});
  const auto of = [&](MathOp op) { return math(op, {a, b}, DataType::I32, 1, 6); };
  EXPECT_EQ(of(MathOp::Add),
            integers_of(DataType::I32, {kLeast, 2147483647, -2147483647, 5, -7, 131072}));
  EXPECT_EQ(of(MathOp::Sub),
            integers_of(DataType::I32, {2147483646, -2147483647, 2147483647, 9, -7, 0}));
  EXPECT_EQ(of(MathOp::Mul), integers_of(DataType::I32, {2147483647, kLeast, kLeast, -14, 0, 0}));
  EXPECT_EQ(of(MathOp::Div), integers_of(DataType::I32, {2147483647, kLeast, kLeast, -3, 0, 1}));
  EXPECT_EQ(math(MathOp::Abs, {a}, DataType::I32, 1, 6),
            integers_of(DataType::I32, {2147483647, kLeast, kLeast, 7, 7, 65536}));
  const Array bytes = integers_of(DataType::I8, {127, -128, -128});
  EXPECT_EQ(
      math(MathOp::Add, {bytes, integers_of(DataType::I8, {1, -1, -128})}, DataType::I8, 1, 3),
      integers_of(DataType::I8, {-128, 127, 0}));
  EXPECT_EQ(math(MathOp::Neg, {bytes}, DataType::I8, 1, 3),
            integers_of(DataType::I8, {-127, -128, -128}));
  EXPECT_EQ(math(MathOp::Div, {bytes, Value(-1.0)}, DataType::I8, 1, 3),
            integers_of(DataType::I8, {-127, -128, -128}));
}

TEST(Math, FloatsFollowIeee) {
  EXPECT_EQ(binary(MathOp::Div, DataType::F32, {1, -1}, {0, 0}), (Floats{kInfinite, -kInfinite}));
  EXPECT_TRUE(std::isnan(binary(MathOp::Div, DataType::F32, {0}, {0})[0]));
  EXPECT_EQ(binary(MathOp::Mul, DataType::F16, {300}, {300}), Floats{kInfinite});
  EXPECT_TRUE(std::isnan(unary(MathOp::Sqrt, DataType::F32, {-1})[0]));
  EXPECT_TRUE(std::isnan(unary(MathOp::Log, DataType::F16, {-1})[0]));
  // 1 + 2^-11 is halfway between two f16; 1 + 3 2^-11 too.
  EXPECT_EQ(binary(MathOp::Add, DataType::F16, {1, 1}, {0x1p-11F, 0x1.8p-10F}),
            (Floats{1, 1 + 0x1p-9F}));
}

TEST(Math, NanIsNotLostOnTheWay) {
  for (const MathOp op : {MathOp::Maximum, MathOp::Minimum}) {
    const Floats found =
        binary(op, DataType::F32, {kNotANumber, 1, kNotANumber}, {1, kNotANumber, kNotANumber});
    for (const float value : found) EXPECT_TRUE(std::isnan(value));
  }
  for (const MathOp op : {MathOp::Max, MathOp::Min, MathOp::Sum}) {
    for (std::size_t place = 0; place < 3; ++place) {
      Floats values = {1, 2, 3};
      values[place] = kNotANumber;
      EXPECT_TRUE(std::isnan(floats_of(
          math(op, {row_of(DataType::F32, values)}, DataType::F32, 1, 1, Axis::Columns))[0]));
    }
  }
  const auto compare = [](MathOp op) {
    return floats_of(
        math(op, {row_of(DataType::F32, {kNotANumber}), row_of(DataType::F32, {kNotANumber})},
             DataType::I8, 1, 1));
  };
  EXPECT_EQ(compare(MathOp::Equal), Floats{0});
  EXPECT_EQ(compare(MathOp::LessEqual), Floats{0});
  // NaNs with other bits, and with the sign of NaNs generated by x86.
  const Array odd = math(MathOp::Div, {row_of(DataType::F32, {0}), row_of(DataType::F32, {0})},
                         DataType::F32, 1, 1);
  EXPECT_EQ(odd, row_of(DataType::F32, {kNotANumber}));
  EXPECT_EQ(math(MathOp::Neg, {odd}, DataType::F32, 1, 1), odd);
}

TEST(Math, SidesOfOneAreRepeated) {
  const Array matrix = array_of(DataType::F32, 2, 3, {1, 2, 3, 4, 5, 6});
  const Array row = row_of(DataType::F32, {10, 20, 30});
  const Array column = row_of(DataType::F32, {100, 200}).transposed();
  const auto sub = [](const Value& a, const Value& b) {
    return floats_of(math(MathOp::Sub, {a, b}, DataType::F32, 2, 3));
  };
  EXPECT_EQ(sub(matrix, row), (Floats{-9, -18, -27, -6, -15, -24}));
  EXPECT_EQ(sub(row, matrix), (Floats{9, 18, 27, 6, 15, 24}));
  EXPECT_EQ(sub(matrix, column), (Floats{-99, -98, -97, -196, -195, -194}));
  EXPECT_EQ(sub(column, matrix), (Floats{99, 98, 97, 196, 195, 194}));
  EXPECT_EQ(sub(row, column), (Floats{-90, -80, -70, -190, -180, -170}));
  EXPECT_EQ(sub(column, row), (Floats{90, 80, 70, 190, 180, 170}));
  EXPECT_EQ(sub(matrix, 1.0), (Floats{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(sub(1.0, matrix), (Floats{0, -1, -2, -3, -4, -5}));
  EXPECT_EQ(sub(1.0, row_of(DataType::F32, {3})), (Floats{-2, -2, -2, -2, -2, -2}));
  EXPECT_EQ(floats_of(math(MathOp::Where, {row_of(DataType::I8, {1, 0}).transposed(), matrix, row},
                           DataType::F32, 2, 3)),
            (Floats{1, 2, 3, 10, 20, 30}));
}

TEST(Math, ReductionsGoAlongEitherAxis) {
  for (const DataType type : kAllTypes) {
    const Array matrix = array_of(type, 2, 3, {1, -2, 3, 4, 5, -6});
    const auto over = [&](MathOp op, Axis axis) {
      const bool rows = axis == Axis::Rows;
      return floats_of(math(op, {matrix}, type, rows ? 1 : 2, rows ? 3 : 1, axis));
    };
    EXPECT_EQ(over(MathOp::Sum, Axis::Rows), (Floats{5, 3, -3})) << name_of(type);
    EXPECT_EQ(over(MathOp::Sum, Axis::Columns), (Floats{2, 3}));
    EXPECT_EQ(over(MathOp::Max, Axis::Rows), (Floats{4, 5, 3}));
    EXPECT_EQ(over(MathOp::Max, Axis::Columns), (Floats{3, 5}));
    EXPECT_EQ(over(MathOp::Min, Axis::Rows), (Floats{1, -2, -6}));
    EXPECT_EQ(over(MathOp::Min, Axis::Columns), (Floats{-2, -6}));
  }
  EXPECT_EQ(
      math(MathOp::Sum, {integers_of(DataType::I8, {100, 100})}, DataType::I8, 1, 1, Axis::Columns),
      integers_of(DataType::I8, {-56}));
  EXPECT_EQ(math(MathOp::Sum, {integers_of(DataType::I32, {2147483647, 1})}, DataType::I32, 1, 1,
                 Axis::Columns),
            integers_of(DataType::I32, {-2147483647 - 1}));
}

TEST(Math, SumsAreKeptInF32FromTheFirstElementToTheLast) {
  const Floats x = floats_of(fractions(DataType::F16, 1, 5000, 8));
  float sum = x[0];
  for (std::size_t i = 1; i < x.size(); ++i) sum += x[i];
  const Array row = row_of(DataType::F16, x);
  EXPECT_EQ(floats_of(math(MathOp::Sum, {row}, DataType::F32, 1, 1, Axis::Columns)), Floats{sum});
  EXPECT_EQ(floats_of(math(MathOp::Sum, {row.transposed()}, DataType::F32, 1, 1, Axis::Rows)),
            Floats{sum});
}

TEST(Math, CastsBetweenAllTypes) {
  for (const DataType from : kAllTypes) {
    for (const DataType to : kAllTypes) {
      EXPECT_EQ(math(MathOp::Cast, {row_of(from, {1, -2, 100})}, to, 1, 3),
                row_of(to, {1, -2, 100}))
          << name_of(from) << " to " << name_of(to);
    }
  }
  EXPECT_EQ(math(MathOp::Cast, {row_of(DataType::F32, {1e10F, -1e10F, 0.9F})}, DataType::I8, 1, 3),
            integers_of(DataType::I8, {127, -128, 0}));
  EXPECT_EQ(math(MathOp::Cast, {integers_of(DataType::I32, {300, -300})}, DataType::I8, 1, 2),
            integers_of(DataType::I8, {44, -44}));
  // Not rounded through f32, which would give 16777216.
  EXPECT_EQ(math(MathOp::Cast, {integers_of(DataType::I32, {16777217})}, DataType::I32, 1, 1),
            integers_of(DataType::I32, {16777217}));
}

TEST(Math, NumbersAreMadeForEveryType) {
  for (const DataType type : kAllTypes) {
    EXPECT_EQ(math(MathOp::Fill, {3.0}, type, 2, 2), array_of(type, 2, 2, {3, 3, 3, 3}));
    EXPECT_EQ(math(MathOp::Arange, {-2.0}, type, 1, 5), row_of(type, {-2, -1, 0, 1, 2}));
  }
  EXPECT_EQ(math(MathOp::Fill, {-1.0 / 0.0}, DataType::F16, 1, 1),
            row_of(DataType::F16, {-kInfinite}));
  EXPECT_EQ(math(MathOp::Arange, {2147483647.0}, DataType::I32, 1, 2),
            integers_of(DataType::I32, {2147483647, -2147483647 - 1}));
  const auto filled = [](double number) {
    return data_refusal<std::invalid_argument>(
        [&] { (void)math(MathOp::Fill, {number}, DataType::I32, 1, 1); });
  };
  EXPECT_EQ(filled(0.5), "0.5 is not an i32 value");
  EXPECT_EQ(filled(3e9), "3000000000 is not an i32 value");
  EXPECT_EQ(filled(std::nan("")), "nan is not an i32 value");
}

TEST(Math, InputsHaveToFit) {
  const Array two = row_of(DataType::F32, {1, 2});
  const auto refused = [](MathOp op, const std::vector<Value>& inputs, std::uint64_t columns,
                          std::optional<Axis> axis) {
    return data_refusal<std::invalid_argument>(
        [&] { (void)math(op, inputs, DataType::F32, 1, columns, axis); });
  };
  EXPECT_EQ(refused(MathOp::Add, {two}, 2, {}), "'add' does not take 1 inputs");
  EXPECT_EQ(refused(MathOp::Add, {two, two}, 3, {}),
            "an input of 1 x 2 does not fit a result of 1 x 3");
  EXPECT_EQ(refused(MathOp::Exp, {row_of(DataType::F32, {1})}, 3, {}),
            "the input must have the shape of the result");
  EXPECT_EQ(refused(MathOp::Sum, {two}, 1, {}), "'sum' needs an axis");
  EXPECT_EQ(refused(MathOp::Exp, {two}, 2, Axis::Rows), "'exp' does not take an axis");
  EXPECT_EQ(refused(MathOp::Sum, {two}, 2, Axis::Columns), "cannot reduce 1 x 2 to 1 x 2");
  EXPECT_EQ(refused(MathOp::Max, {Array(DataType::F32, 0, 2)}, 2, Axis::Rows),
            "cannot reduce 0 x 2 to 1 x 2");
}

TEST(Math, TheLargestElementsOfRowsForEveryType) {
  for (const DataType type : kAllTypes) {
    const Array x = array_of(type, 2, 4, {1, 7, -3, 7, -5, -6, -4, -4});
    EXPECT_EQ(math(MathOp::ArgMax, {x}, DataType::I32, 2, 1),
              integers_of(DataType::I32, {1, 2}).transposed())
        << name_of(type);
    EXPECT_EQ(floats_of(math(MathOp::TopK, {x}, DataType::I32, 2, 3)), (Floats{1, 3, 0, 2, 3, 0}));
    EXPECT_EQ(math(MathOp::Take, {x, math(MathOp::TopK, {x}, DataType::I32, 2, 3)}, type, 2, 3),
              array_of(type, 2, 3, {7, 7, 1, -4, -4, -5}));
    EXPECT_EQ(math(MathOp::Transpose, {x}, type, 4, 2),
              array_of(type, 4, 2, {1, -5, 7, -6, -3, -4, 7, -4}));
  }
  EXPECT_EQ(math(MathOp::TopK, {row_of(DataType::F32, {1, kNotANumber, kInfinite, kNotANumber})},
                 DataType::I32, 1, 3),
            integers_of(DataType::I32, {1, 3, 2}));
}

TEST(Math, ElementsAreTakenByTheirColumn) {
  const Array table = row_of(DataType::F16, {10, 20, 30});
  const Array columns = array_of(DataType::I32, 2, 2, {2, 0, 1, 1});
  EXPECT_EQ(floats_of(math(MathOp::Take, {table, columns}, DataType::F16, 2, 2)),
            (Floats{30, 10, 20, 20}));
  const auto refused = [&](const Array& x, const Array& indices) {
    return data_refusal<std::invalid_argument>([&] {
      (void)math(MathOp::Take, {x, indices}, DataType::F16, indices.rows(), indices.columns());
    });
  };
  EXPECT_EQ(refused(table, array_of(DataType::I32, 2, 2, {2, 0, 3, 1})),
            "index 3 at [1, 0] is not a column of 1 x 3");
  EXPECT_EQ(refused(table, integers_of(DataType::I32, {-1})),
            "index -1 at [0, 0] is not a column of 1 x 3");
  EXPECT_EQ(refused(array_of(DataType::F16, 2, 1, {1, 2}), integers_of(DataType::I32, {0})),
            "cannot take elements of 2 rows by indices of 1 rows");
  EXPECT_EQ(data_refusal<std::invalid_argument>(
                [&] { (void)math(MathOp::ArgMax, {table}, DataType::I32, 2, 1); }),
            "'argmax' gives 1 x 1, not 2 x 1");
}

TEST(Math, RotaryEmbeddingTurnsTheTwoHalvesOfARow) {
  const Array x = array_of(DataType::F16, 2, 4, {1, 2, 3, 4, 1, 2, 3, 4});
  const Array cosines = array_of(DataType::F32, 2, 2, {1, 0, 0.5F, -1});
  const Array sines = array_of(DataType::F32, 2, 2, {0, 1, 0.25F, 0});
  EXPECT_EQ(floats_of(math(MathOp::Rope, {x, cosines, sines}, DataType::F16, 2, 4)),
            (Floats{1, -4, 3, 2, -0.25F, -2, 1.75F, -4}));
  // One row of angles serves all rows; the result is rounded once.
  const Array ones = row_of(DataType::F16, {1, 1});
  EXPECT_EQ(floats_of(math(MathOp::Rope, {x, ones, ones}, DataType::F16, 2, 4)),
            (Floats{-2, -2, 4, 6, -2, -2, 4, 6}));
}

TEST(Math, BitsAreTheSameFromEveryCompiler) {
  const Array x = fractions(DataType::F32, 3, 501, 9);
  common::RunHash hash;
  for (const MathOp op : {MathOp::Exp, MathOp::Log, MathOp::Sqrt, MathOp::Sigmoid}) {
    for (const DataType type : {DataType::F32, DataType::F16, DataType::BF16}) {
      hash.add(hash_of(math(op, {x}, type, 3, 501)));
    }
  }
  hash.add(hash_of(math(MathOp::Sum, {x}, DataType::F32, 3, 1, Axis::Columns)));
  constexpr std::uint64_t kExpected = 9077373778308710488U;
  EXPECT_EQ(hash.value(), kExpected);
  common::RunHash activations;
  for (const MathOp op : {MathOp::Rsqrt, MathOp::Tanh, MathOp::Gelu, MathOp::Silu}) {
    for (const DataType type : {DataType::F32, DataType::F16, DataType::BF16}) {
      activations.add(hash_of(math(op, {x}, type, 3, 501)));
    }
  }
  constexpr std::uint64_t kActivations = 84688850758538609U;
  EXPECT_EQ(activations.value(), kActivations);
}

}  // namespace
}  // namespace kernbench::model::data
