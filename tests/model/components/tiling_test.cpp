// SPDX-License-Identifier: Apache-2.0
#include "model/components/tiling/tiling.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>

#include "common/random.hpp"

namespace kernbench::model::components {
namespace {

using ::testing::ElementsAre;

TileStage moved(StageKind kind, std::vector<TileOperand> operands, std::uint64_t bytes) {
  TileStage stage;
  stage.kind = kind;
  stage.operands = std::move(operands);
  stage.bytes = bytes;
  return stage;
}

TileStage gemm(std::uint64_t macs) {
  TileStage stage;
  stage.kind = StageKind::Gemm;
  stage.macs = macs;
  return stage;
}

TileStage math(MathOp op, std::uint64_t elements) {
  TileStage stage;
  stage.kind = StageKind::Math;
  stage.op = op;
  stage.elements = elements;
  return stage;
}

std::vector<StageKind> kinds(const TileSequence& sequence) {
  std::vector<StageKind> found;
  for (const TileStage& stage : sequence) found.push_back(stage.kind);
  return found;
}

template <typename Call>
std::string refusal(Call call) {
  try {
    (void)call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "planned";
}

/// 5 x 7 x 4 in tiles of 3 x 4 x 4: two tiles along m, two along k, one along n, remainders in two.
GemmShape small_shape() {
  GemmShape shape;
  shape.m = 5;
  shape.k = 7;
  shape.n = 4;
  shape.tile_m = 3;
  shape.tile_k = 4;
  shape.tile_n = 4;
  shape.element_bytes = 2;
  shape.epilogue = {MathOp::Mul, MathOp::Exp};
  return shape;
}

TEST(GemmPlan, StreamsItsOperandsAndWritesAfterTheLastK) {
  const TilePlan plan = plan_gemm(small_shape());
  ASSERT_EQ(plan.size(), 4U);
  const TileOperand a00{0, {0, 0, 3, 4}};
  const TileOperand b00{1, {0, 0, 4, 4}};
  EXPECT_THAT(plan.sequence(0), ElementsAre(moved(StageKind::DmaRead, {a00}, 24),
                                            moved(StageKind::DmaRead, {b00}, 32),
                                            moved(StageKind::Fetch, {a00, b00}, 56), gemm(48)));
  const TileOperand a01{0, {0, 4, 3, 3}};
  const TileOperand b10{1, {4, 0, 3, 4}};
  const TileOperand c00{2, {0, 0, 3, 4}};
  EXPECT_THAT(
      plan.sequence(1),
      ElementsAre(moved(StageKind::DmaRead, {a01}, 18), moved(StageKind::DmaRead, {b10}, 24),
                  moved(StageKind::Fetch, {a01, b10}, 42), gemm(36), math(MathOp::Mul, 12),
                  math(MathOp::Exp, 12), moved(StageKind::Store, {c00}, 24),
                  moved(StageKind::DmaWrite, {c00}, 24)));
  const TileOperand a11{0, {3, 4, 2, 3}};
  const TileOperand c10{2, {3, 0, 2, 4}};
  EXPECT_THAT(
      plan.sequence(3),
      ElementsAre(moved(StageKind::DmaRead, {a11}, 12), moved(StageKind::DmaRead, {b10}, 24),
                  moved(StageKind::Fetch, {a11, b10}, 36), gemm(24), math(MathOp::Mul, 8),
                  math(MathOp::Exp, 8), moved(StageKind::Store, {c10}, 16),
                  moved(StageKind::DmaWrite, {c10}, 16)));
}

TEST(GemmPlan, SkipsTheDmaOfWhatIsResident) {
  GemmShape shape = small_shape();
  shape.tile_k = 7;
  shape.epilogue.clear();
  shape.b = Staging::ResidentTcm;
  EXPECT_THAT(kinds(plan_gemm(shape).sequence(0)),
              ElementsAre(StageKind::DmaRead, StageKind::Fetch, StageKind::Gemm, StageKind::Store,
                          StageKind::DmaWrite));
  EXPECT_EQ(plan_gemm(shape).sequence(0)[0].operands[0].tensor, 0U);
  shape.a = Staging::ResidentTcm;
  shape.b = Staging::StreamedHbm;
  EXPECT_EQ(plan_gemm(shape).sequence(0)[0].operands[0].tensor, 1U);
  shape.b = Staging::ResidentTcm;
  shape.c = Staging::ResidentTcm;
  EXPECT_THAT(kinds(plan_gemm(shape).sequence(0)),
              ElementsAre(StageKind::Fetch, StageKind::Gemm, StageKind::Store));
}

TEST(GemmPlan, GoesAlongKThenNThenM) {
  GemmShape shape;
  shape.m = shape.k = shape.n = 2;
  shape.tile_m = shape.tile_k = shape.tile_n = 1;
  shape.element_bytes = 1;
  const TilePlan plan = plan_gemm(shape);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> b_tiles;
  std::vector<std::uint64_t> a_rows;
  for (std::uint64_t tile = 0; tile < plan.size(); ++tile) {
    const TileSequence sequence = plan.sequence(tile);
    a_rows.push_back(sequence[0].operands[0].region.row);
    b_tiles.emplace_back(sequence[1].operands[0].region.row, sequence[1].operands[0].region.column);
  }
  using P = std::pair<std::uint64_t, std::uint64_t>;
  EXPECT_THAT(a_rows, ElementsAre(0, 0, 0, 0, 1, 1, 1, 1));
  EXPECT_THAT(b_tiles,
              ElementsAre(P(0, 0), P(1, 0), P(0, 1), P(1, 1), P(0, 0), P(1, 0), P(0, 1), P(1, 1)));
}

TEST(GemmPlan, ATileLargerThanTheProblemIsTheProblem) {
  GemmShape shape = small_shape();
  shape.tile_m = shape.tile_k = shape.tile_n = ~std::uint64_t{0};
  const TilePlan plan = plan_gemm(shape);
  ASSERT_EQ(plan.size(), 1U);
  EXPECT_EQ(plan.sequence(0)[3], gemm(140));
}

TEST(GemmPlan, PlansMillionsOfTilesWithoutMakingThem) {
  GemmShape shape;
  shape.m = shape.k = shape.n = 1U << 20U;
  shape.tile_m = shape.tile_k = shape.tile_n = 32;
  shape.element_bytes = 2;
  const TilePlan plan = plan_gemm(shape);
  EXPECT_EQ(plan.size(), std::uint64_t{1} << 45U);
  const TileSequence last = plan.sequence(plan.size() - 1);
  EXPECT_EQ(last.back().operands[0].region,
            (TileRegion{(1U << 20U) - 32, (1U << 20U) - 32, 32, 32}));
  EXPECT_THROW((void)plan.sequence(plan.size()), std::out_of_range);
}

TEST(GemmPlan, RefusesZeroSizes) {
  const auto with = [](std::uint64_t GemmShape::*field) {
    GemmShape shape = small_shape();
    shape.*field = 0;
    return refusal([&] { return plan_gemm(shape); });
  };
  EXPECT_EQ(with(&GemmShape::m), "m must be at least 1, not 0");
  EXPECT_EQ(with(&GemmShape::k), "k must be at least 1, not 0");
  EXPECT_EQ(with(&GemmShape::n), "n must be at least 1, not 0");
  EXPECT_EQ(with(&GemmShape::tile_m), "tile_m must be at least 1, not 0");
  EXPECT_EQ(with(&GemmShape::tile_k), "tile_k must be at least 1, not 0");
  EXPECT_EQ(with(&GemmShape::tile_n), "tile_n must be at least 1, not 0");
  GemmShape shape = small_shape();
  shape.element_bytes = 0;
  EXPECT_EQ(refusal([&] { return plan_gemm(shape); }), "element_bytes must be at least 1, not 0");
}

TEST(GemmPlan, RefusesTotalsThatOverflow) {
  GemmShape shape = small_shape();
  shape.m = std::uint64_t{1} << 60U;
  shape.k = 1;
  shape.n = 8;
  EXPECT_EQ(refusal([&] { return plan_gemm(shape); }),
            "the macs of the plan do not fit into 63 bits");
  shape.n = 4;
  EXPECT_EQ(refusal([&] { return plan_gemm(shape); }),
            "the bytes of the plan do not fit into 63 bits");
  shape.m = std::uint64_t{1} << 58U;
  EXPECT_EQ(refusal([&] { return plan_gemm(shape); }), "planned");
}

TEST(GemmPlan, CountsEveryReadOfAnOperandAgainstTheLimit) {
  GemmShape shape;
  shape.m = shape.k = shape.n = std::uint64_t{1} << 20U;
  shape.tile_m = shape.tile_k = shape.tile_n = shape.m;
  shape.element_bytes = 8;
  EXPECT_EQ(refusal([&] { return plan_gemm(shape); }), "planned");
  shape.tile_n = 1;  // A is read 2^20 times, 2^43 bytes each
  EXPECT_EQ(refusal([&] { return plan_gemm(shape); }),
            "the bytes of the plan do not fit into 63 bits");
  std::swap(shape.tile_m, shape.tile_n);  // the same for B
  EXPECT_EQ(refusal([&] { return plan_gemm(shape); }),
            "the bytes of the plan do not fit into 63 bits");
}

TEST(GemmPlan, RefusesAReductionAsEpilogue) {
  GemmShape shape = small_shape();
  shape.epilogue = {MathOp::Exp, MathOp::Sum};
  EXPECT_EQ(refusal([&] { return plan_gemm(shape); }),
            "'sum' is a reduction, which cannot be done tile by tile");
}

TEST(GemmPlan, RefusesAnOperationOnWholeRowsAsEpilogue) {
  GemmShape shape = small_shape();
  shape.epilogue = {MathOp::Exp, MathOp::Rope};
  EXPECT_EQ(refusal([&] { return plan_gemm(shape); }),
            "'rope' works on whole rows, which cannot be done tile by tile");
}

TEST(MathPlan, StreamsFetchesComputesAndWritesEachTile) {
  MathShape shape;
  shape.elements = 10;
  shape.tile_elements = 8;
  shape.element_bytes = 4;
  shape.inputs = {Staging::StreamedHbm, Staging::ResidentTcm};
  shape.ops = {MathOp::Add, MathOp::Sqrt};
  const TilePlan plan = plan_math(shape);
  ASSERT_EQ(plan.size(), 2U);
  EXPECT_THAT(kinds(plan.sequence(0)),
              ElementsAre(StageKind::DmaRead, StageKind::Fetch, StageKind::Math, StageKind::Math,
                          StageKind::Store, StageKind::DmaWrite));
  const TileRegion rest{0, 8, 1, 2};
  EXPECT_THAT(plan.sequence(1),
              ElementsAre(moved(StageKind::DmaRead, {{0, rest}}, 8),
                          moved(StageKind::Fetch, {{0, rest}, {1, rest}}, 16), math(MathOp::Add, 2),
                          math(MathOp::Sqrt, 2), moved(StageKind::Store, {{2, rest}}, 8),
                          moved(StageKind::DmaWrite, {{2, rest}}, 8)));
  shape.output = Staging::ResidentTcm;
  EXPECT_EQ(plan_math(shape).sequence(1).back().kind, StageKind::Store);
}

TEST(MathPlan, RefusesNothingReductionsAndOverflow) {
  MathShape shape;
  shape.elements = 10;
  shape.tile_elements = 8;
  shape.element_bytes = 4;
  shape.inputs = {Staging::StreamedHbm};
  shape.ops = {MathOp::Exp};
  const auto with = [&shape](auto change) {
    MathShape changed = shape;
    change(changed);
    return refusal([&] { return plan_math(changed); });
  };
  EXPECT_EQ(with([](MathShape&) {}), "planned");
  EXPECT_EQ(with([](MathShape& s) { s.elements = 0; }), "elements must be at least 1, not 0");
  EXPECT_EQ(with([](MathShape& s) { s.tile_elements = 0; }),
            "tile_elements must be at least 1, not 0");
  EXPECT_EQ(with([](MathShape& s) { s.element_bytes = 0; }),
            "element_bytes must be at least 1, not 0");
  EXPECT_EQ(with([](MathShape& s) { s.inputs.clear(); }),
            "the number of inputs must be at least 1, not 0");
  EXPECT_EQ(with([](MathShape& s) { s.ops.clear(); }),
            "the number of ops must be at least 1, not 0");
  EXPECT_EQ(with([](MathShape& s) { s.ops = {MathOp::Max}; }),
            "'max' is a reduction, which cannot be done tile by tile");
  EXPECT_EQ(with([](MathShape& s) { s.elements = std::uint64_t{1} << 60U; }),
            "the bytes of the plan do not fit into 63 bits");
}

TEST(MathOpNames, AreInTheOrderOfTheOps) {
  for (std::size_t i = 0; i < kMathOpNames.size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(kMathOpNames[i].second), i);
  }
  EXPECT_EQ(name_of(MathOp::Min), "min");
}

/// Counts for each kind of stage how often each element of each tensor takes part, and the totals
/// of a plan.
struct Tally {
  using Element = std::pair<std::uint64_t, std::uint64_t>;
  std::map<std::pair<StageKind, std::uint32_t>, std::map<Element, std::uint64_t>> touched;
  std::map<StageKind, std::uint64_t> bytes;
  std::uint64_t macs = 0;
  std::map<MathOp, std::uint64_t> elements;

  explicit Tally(const TilePlan& plan) {
    for (std::uint64_t tile = 0; tile < plan.size(); ++tile) {
      for (const TileStage& stage : plan.sequence(tile)) add(stage);
    }
  }

  /// Expects that each of rows x columns elements is touched `times` times, and no other element.
  [[nodiscard]] bool covers(StageKind kind, std::uint32_t tensor, std::uint64_t rows,
                            std::uint64_t columns, std::uint64_t times) const {
    const auto found = touched.find({kind, tensor});
    if (times == 0) return found == touched.end();
    if (found == touched.end() || found->second.size() != rows * columns) return false;
    for (const auto& [element, count] : found->second) {
      if (element.first >= rows || element.second >= columns || count != times) return false;
    }
    return true;
  }

 private:
  void add(const TileStage& stage) {
    macs += stage.macs;
    bytes[stage.kind] += stage.bytes;
    if (stage.op) elements[*stage.op] += stage.elements;
    for (const auto& [tensor, region] : stage.operands) {
      for (std::uint64_t row = 0; row < region.rows; ++row) {
        for (std::uint64_t column = 0; column < region.columns; ++column) {
          ++touched[{stage.kind, tensor}][{region.row + row, region.column + column}];
        }
      }
    }
  }
};

Staging random_staging(common::Rng& random) {
  return random.below(2) == 0 ? Staging::StreamedHbm : Staging::ResidentTcm;
}

std::uint64_t rounded_up(std::uint64_t size, std::uint64_t tile) {
  return (size + tile - 1) / tile;
}

void check_gemm(std::uint64_t seed) {
  auto random = common::Rng::stream(seed, "gemm-plan");
  GemmShape s;
  s.m = 1 + random.below(8);
  s.k = 1 + random.below(8);
  s.n = 1 + random.below(8);
  s.tile_m = 1 + random.below(9);
  s.tile_k = 1 + random.below(9);
  s.tile_n = 1 + random.below(9);
  s.element_bytes = static_cast<std::uint32_t>(1 + random.below(8));
  s.a = random_staging(random);
  s.b = random_staging(random);
  s.c = random_staging(random);
  if (random.below(2) == 0) s.epilogue = {MathOp::Sigmoid};
  const TilePlan plan = plan_gemm(s);
  const Tally tally(plan);
  const std::uint64_t a_reads = rounded_up(s.n, s.tile_n);
  const std::uint64_t b_reads = rounded_up(s.m, s.tile_m);
  const auto if_streamed = [](Staging staging, std::uint64_t times) {
    return staging == Staging::StreamedHbm ? times : 0;
  };

  ASSERT_EQ(plan.size(), b_reads * rounded_up(s.k, s.tile_k) * a_reads);
  ASSERT_EQ(tally.macs, s.m * s.k * s.n);
  ASSERT_TRUE(tally.covers(StageKind::DmaRead, 0, s.m, s.k, if_streamed(s.a, a_reads)));
  ASSERT_TRUE(tally.covers(StageKind::DmaRead, 1, s.k, s.n, if_streamed(s.b, b_reads)));
  ASSERT_TRUE(tally.covers(StageKind::Fetch, 0, s.m, s.k, a_reads));
  ASSERT_TRUE(tally.covers(StageKind::Fetch, 1, s.k, s.n, b_reads));
  ASSERT_TRUE(tally.covers(StageKind::Store, 2, s.m, s.n, 1));
  ASSERT_TRUE(tally.covers(StageKind::DmaWrite, 2, s.m, s.n, if_streamed(s.c, 1)));
  const std::uint64_t a_bytes = s.m * s.k * a_reads * s.element_bytes;
  const std::uint64_t b_bytes = s.k * s.n * b_reads * s.element_bytes;
  const std::uint64_t c_bytes = s.m * s.n * s.element_bytes;
  auto bytes = tally.bytes;
  ASSERT_EQ(bytes[StageKind::DmaRead], if_streamed(s.a, a_bytes) + if_streamed(s.b, b_bytes));
  ASSERT_EQ(bytes[StageKind::Fetch], a_bytes + b_bytes);
  ASSERT_EQ(bytes[StageKind::Store], c_bytes);
  ASSERT_EQ(bytes[StageKind::DmaWrite], if_streamed(s.c, c_bytes));
  ASSERT_EQ(bytes[StageKind::Gemm] + bytes[StageKind::Math], 0U);
  auto elements = tally.elements;
  ASSERT_EQ(elements[MathOp::Sigmoid], s.epilogue.empty() ? 0 : s.m * s.n);

  // The same input gives the same plan.
  const TilePlan again = plan_gemm(s);
  for (std::uint64_t tile = 0; tile < plan.size(); ++tile) {
    ASSERT_EQ(plan.sequence(tile), again.sequence(tile));
  }
}

TEST(GemmPlan, ConservesMacsBytesAndOutputsOnRandomShapes) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(seed);
    check_gemm(seed);
    if (HasFatalFailure()) return;
  }
}

void check_math(std::uint64_t seed) {
  auto random = common::Rng::stream(seed, "math-plan");
  MathShape s;
  s.elements = 1 + random.below(100);
  s.tile_elements = 1 + random.below(110);
  s.element_bytes = static_cast<std::uint32_t>(1 + random.below(8));
  s.inputs.resize(1 + random.below(3));
  for (Staging& input : s.inputs) input = random_staging(random);
  s.output = random_staging(random);
  s.ops = {MathOp::Where, MathOp::Abs};
  const TilePlan plan = plan_math(s);
  const Tally tally(plan);
  ASSERT_EQ(plan.size(), rounded_up(s.elements, s.tile_elements));
  for (std::uint32_t i = 0; i < s.inputs.size(); ++i) {
    const std::uint64_t streamed = s.inputs[i] == Staging::StreamedHbm ? 1 : 0;
    ASSERT_TRUE(tally.covers(StageKind::DmaRead, i, 1, s.elements, streamed));
    ASSERT_TRUE(tally.covers(StageKind::Fetch, i, 1, s.elements, 1));
  }
  const auto output = static_cast<std::uint32_t>(s.inputs.size());
  const std::uint64_t written = s.output == Staging::StreamedHbm ? 1 : 0;
  ASSERT_TRUE(tally.covers(StageKind::Store, output, 1, s.elements, 1));
  ASSERT_TRUE(tally.covers(StageKind::DmaWrite, output, 1, s.elements, written));
  ASSERT_EQ(tally.elements.at(MathOp::Where), s.elements);
  ASSERT_EQ(tally.elements.at(MathOp::Abs), s.elements);
  ASSERT_EQ(tally.bytes.at(StageKind::Fetch), s.elements * s.inputs.size() * s.element_bytes);
  ASSERT_EQ(tally.bytes.at(StageKind::Store), s.elements * s.element_bytes);
  ASSERT_EQ(tally.macs, 0U);
}

TEST(MathPlan, ConservesElementsAndBytesOnRandomShapes) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(seed);
    check_math(seed);
    if (HasFatalFailure()) return;
  }
}

TEST(TilePlan, OfOneTileGivesItsStagesEachTimeAndNoOther) {
  const TileSequence stages = {gemm(36), math(MathOp::Exp, 12)};
  const TilePlan plan(stages);
  EXPECT_EQ(plan.size(), 1U);
  EXPECT_EQ(plan.sequence(0), stages);
  EXPECT_EQ(plan.sequence(0), stages);
  EXPECT_THROW((void)plan.sequence(1), std::out_of_range);
}

TEST(TilePlan, BecomesOneTileWithOtherStagesInThePlaceOfTheLast) {
  GemmShape shape;
  shape.m = shape.k = shape.n = 4;
  shape.tile_m = shape.tile_k = shape.tile_n = 2;
  shape.element_bytes = 2;
  TilePlan plan = plan_gemm(shape);
  EXPECT_EQ(plan.size(), 8U);
  EXPECT_EQ(plan.only(), nullptr);

  TileSequence& stages = plan.renew(2);
  stages[0] = gemm(36);
  stages[1] = math(MathOp::Exp, 12);
  EXPECT_EQ(plan.size(), 1U);
  EXPECT_EQ(plan.only(), &stages);
  EXPECT_EQ(plan.sequence(0), (TileSequence{gemm(36), math(MathOp::Exp, 12)}));

  const TileStage* const place = stages.data();
  TileStage& only = plan.renew(1)[0];
  only.renew(StageKind::Math);
  EXPECT_EQ(&only, place);
  TileStage nothing;
  nothing.kind = StageKind::Math;
  EXPECT_EQ(plan.sequence(0), TileSequence{nothing}) << "of the old stage nothing is left";
}

TEST(TilePlan, RefusesTilesThatGoThroughNothing) {
  EXPECT_THROW((void)TilePlan(TileSequence{}), std::invalid_argument);
  EXPECT_THROW((void)TilePlan(2, nullptr), std::invalid_argument);
  EXPECT_EQ(TilePlan(0, nullptr).size(), 0U);
}

}  // namespace
}  // namespace kernbench::model::components
