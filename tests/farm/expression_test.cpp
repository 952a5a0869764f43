// SPDX-License-Identifier: Apache-2.0
// Expressions of plans: their values, their names, and every kind of error.
#include "farm/expression.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "farm/constraint.hpp"

namespace kernbench::farm {
namespace {

using ::testing::ElementsAre;

const std::vector<std::string> kKnown = {"bench.m", "max-batch", "type"};

std::optional<double> expression_value(const std::string& text,
                                       const std::vector<std::string>& given) {
  std::vector<Value> values;
  for (const std::string& one : given) values.push_back(farm::value_of_text(one));
  return Expression(text, kKnown).value(values);
}

std::string expression_error(const std::string& text) {
  try {
    (void)Expression(text, kKnown);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no error";
}

TEST(Expression, HasTheValueOfItsArithmetic) {
  EXPECT_EQ(expression_value("3*sips + 0.5*data.runs[0].gb", {"2", "8"}), 10.0);
  EXPECT_EQ(expression_value("(1 + 2) ^ 2 / 3 - 1e1", {}), -7.0);
  EXPECT_EQ(expression_value("min(bench.m, 4) + max(1, 2) + sqrt(9) + abs(0 - 1)", {"7"}), 10.0);
  EXPECT_EQ(expression_value("log2(8) + log10(100) + ln(1) + exp(0)", {}), 6.0);
  EXPECT_EQ(expression_value("max-batch - 1", {"8"}), 7.0);
  EXPECT_EQ(expression_value("a < 2 && (a > 0 || 1 == 2)", {"1"}), 1.0);
  EXPECT_EQ(expression_value("a <= 2", {"3"}), 0.0);
}

TEST(Expression, NamesOccurOnceAndInTheirOrder) {
  EXPECT_THAT(Expression("b * a + b + max-batch", kKnown).names(),
              ElementsAre("b", "a", "max-batch"));
}

TEST(Expression, HasNoValueWithoutANumber) {
  EXPECT_EQ(expression_value("a * 2", {"f16"}), std::nullopt);
  EXPECT_EQ(expression_value("1 / a", {"0"}), std::nullopt);
  EXPECT_EQ(expression_value("type == f16 && a < 1", {"f16", "0", "0"}), std::nullopt);
}

TEST(Expression, ComparesANameWithAWordOrAnotherName) {
  EXPECT_EQ(expression_value("type == f16", {"f16"}), 1.0);
  EXPECT_EQ(expression_value("type != f16", {"f16"}), 0.0);
  EXPECT_EQ(expression_value("type == bench.m", {"1", "1.0"}), 1.0);
}

TEST(Expression, RefusesWhatItCannotRead) {
  EXPECT_EQ(expression_error("3 *"),
            "'3 *' is not an expression: it is not complete, or two values or two "
            "operators stand side by side");
  EXPECT_EQ(expression_error("a b"),
            "'a b' is not an expression: it is not complete, or two values or two "
            "operators stand side by side");
  EXPECT_EQ(expression_error(""),
            "'' is not an expression: it is not complete, or two values or two "
            "operators stand side by side");
  EXPECT_EQ(expression_error("a < 3 < 4"),
            "'a < 3 < 4' is not an expression: it compares a comparison; join them with &&");
  EXPECT_EQ(expression_error("a = 3"),
            "'a = 3' is not an expression: '=' is neither a name nor an operator");
  EXPECT_EQ(expression_error("sin(a)"),
            "'sin(a)' is not an expression: 'sin' is not one of the functions "
            "min, max, abs, sqrt, exp, ln, log2, log10");
  EXPECT_EQ(expression_error("1, 2"), "'1, 2' is not an expression: it has several values");
  EXPECT_EQ(
      expression_error("a < 3 ms"),
      "'a < 3 ms' is not an expression: 'ms' behind a number is not a unit of what it limits");
}

TEST(Constraint, NumbersWithAUnitOfTimeAreInTheUnitOfTheirTarget) {
  const std::vector<Target> targets = {
      {"first", Direction::Min, "data.x / 1e9", "ms"}, {"end_ps", Direction::None}, {"hops"}};
  const auto holds = [&](const std::string& text, double first, double end) {
    return Constraint(text, {}, targets).holds({}, {first, end, 3});
  };
  EXPECT_TRUE(holds("first < 200 us", 0.19, 0));
  EXPECT_FALSE(holds("first < 200 us", 0.21, 0));
  EXPECT_TRUE(holds("end_ps <= 2 ns", 0, 2000));
  EXPECT_FALSE(holds("end_ps <= 2 ns", 0, 2001));
  EXPECT_THROW((void)Constraint("hops < 2 ms", {}, targets), std::invalid_argument);
  EXPECT_THROW((void)Constraint("first + end_ps < 2 ms", {}, targets), std::invalid_argument);
}

TEST(Constraint, DoesNotHoldWithoutATarget) {
  const std::vector<Target> targets = {{"t"}};
  EXPECT_FALSE(Constraint("t != 1", {}, targets).holds({}, {nullptr}));
  EXPECT_FALSE(Constraint("t < 1", {"p"}, targets).is_of_parameters());
  EXPECT_TRUE(Constraint("p < 1", {"p"}, targets).is_of_parameters());
}

}  // namespace
}  // namespace kernbench::farm
