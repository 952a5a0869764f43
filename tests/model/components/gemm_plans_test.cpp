// SPDX-License-Identifier: Apache-2.0
// The plans of the tiles of a GEMM: their order, their reads, and their exact time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/registration.hpp"
#include "common/registry.hpp"
#include "model/components/tiling/tiling.hpp"
#include "tests/model/components/machine_fixture.hpp"

namespace kernbench::model::components {
namespace {

using ::testing::ElementsAre;

/// 4 x 6 x 4 in tiles of 2 x 2 x 2.
GemmShape small_shape(const char* plan) {
  GemmShape shape;
  shape.m = shape.n = 4;
  shape.k = 6;
  shape.tile_m = shape.tile_k = shape.tile_n = 2;
  shape.element_bytes = 2;
  shape.plan = find_gemm_plan(plan);
  return shape;
}

/// Returns "A00 B00", the begins of the tiles that a sequence reads, and "C00" for one that it
/// stores.
std::string text_of(const TileSequence& sequence) {
  std::string text;
  for (const TileStage& stage : sequence) {
    const bool reads = stage.kind == StageKind::DmaRead;
    if (!reads && stage.kind != StageKind::Store) continue;
    const TileOperand& operand = stage.operands[0];
    text += text.empty() ? "" : " ";
    text += "ABC"[operand.tensor] + std::to_string(operand.region.row) +
            std::to_string(operand.region.column);
  }
  return text;
}

std::vector<std::string> texts_of(const TilePlan& plan) {
  std::vector<std::string> texts;
  for (std::uint64_t tile = 0; tile < plan.size(); ++tile) {
    texts.push_back(text_of(plan.sequence(tile)));
  }
  return texts;
}

TEST(GemmPlans, AreKnownByName) {
  std::vector<std::string> names;
  for (const GemmPlan* const plan : gemm_plans()) names.push_back(plan->name);
  EXPECT_THAT(names, ElementsAre("k-inner", "k-major", "placement"));
  EXPECT_EQ(find_gemm_plan("k-minor"), nullptr);
  const common::RegistrationErrors errors;
  const GemmPlanRegistration taken{{"k-major", "", plan_gemm_k_major}};
  EXPECT_THAT(errors.messages(), ElementsAre("the plan of tiles 'k-major' is already registered"));
}

TEST(GemmPlans, KMajorKeepsATileOfAForAllColumns) {
  EXPECT_THAT(texts_of(plan_gemm(small_shape("k-major"))),
              ElementsAre("A00 B00", "B02", "A20 B00", "B02",  //
                          "A02 B20", "B22", "A22 B20", "B22",  //
                          "A04 B40 C00", "B42 C02", "A24 B40 C20", "B42 C22"));
  GemmShape resident = small_shape("k-major");
  resident.b = Staging::ResidentTcm;
  EXPECT_EQ(texts_of(plan_gemm(resident))[1], "A00") << "nothing would make it wait for A";
  GemmShape rotated = small_shape("k-major");
  rotated.first_k_tile = 2;
  EXPECT_EQ(texts_of(plan_gemm(rotated))[0], "A04 B40");
}

TEST(GemmPlans, ByPlacementCutsAndTurnsK) {
  GemmShape shape = small_shape("placement");
  shape.m = shape.n = 2;
  shape.k_begins = {0, 3, 5};
  shape.first_k_part = 1;
  EXPECT_THAT(texts_of(plan_gemm(shape)),
              ElementsAre("A03 B30", "A05 B50", "A00 B00", "A02 B20 C00"));
  EXPECT_THAT(texts_of(plan_gemm(small_shape("placement"))),
              ::testing::ContainerEq(texts_of(plan_gemm(small_shape("k-inner")))));
}

TEST(GemmPlans, RefusePartsThatAreNone) {
  const auto refusal = [](std::vector<std::uint64_t> begins, std::uint64_t first) {
    GemmShape shape = small_shape("placement");
    shape.k_begins = std::move(begins);
    shape.first_k_part = first;
    try {
      (void)plan_gemm(shape);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("planned");
  };
  EXPECT_EQ(refusal({0, 5}, 1), "planned");
  for (const std::vector<std::uint64_t>& begins :
       {std::vector<std::uint64_t>{1}, {0, 6}, {0, 3, 3}, {0, 4, 2}}) {
    EXPECT_EQ(refusal(begins, 0), "k_begins must be 0 and ascend below 6, the size of k");
  }
  EXPECT_EQ(refusal({0, 3}, 2), "first_k_part must be below 2, the parts of k, not 2");
}

using GemmPlanTimes = MachineTest;

// A row of A is 256 bytes in the own slice, B is 128 x 256 and C 4 x 256 in two tiles of columns.
TEST_F(GemmPlanTimes, DifferByTheReadsThatTheySpareOrAdd) {
  GemmShape shape;
  shape.m = 4;
  shape.k = 128;
  shape.n = 256;
  shape.tile_m = 1;
  shape.tile_k = 128;
  shape.tile_n = 128;
  shape.element_bytes = 2;
  const auto place = [](std::uint64_t offset, std::uint64_t columns) {
    return TensorPlace{topology::encode(topology::PhysAddr::hbm(0, 0, offset)), columns, 2};
  };
  const std::vector<TensorPlace> tensors = {place(0, 128), place(65536, 256), place(131072, 256)};
  const auto time = [&](const char* plan, std::uint32_t in_flight) {
    shape.plan = find_gemm_plan(plan);
    return time_of(plan_work(plan_gemm(shape), tensors, in_flight));
  };
  // One tile after the other: k-major spares a read of A for the second tile of each row of C.
  const std::int64_t inner = time("k-inner", 1);
  // 256 bytes of the own slice. The way to pe_dma is that of the read of B.
  const std::int64_t read_of_a = 2 * 63 + 2 * 1'000 + 4 * 5 + 2 * 1'000 + 30'000 + 16'000;
  EXPECT_EQ(inner, 3'932'616);
  EXPECT_EQ(time("k-major", 1), inner - 4 * read_of_a);
  EXPECT_EQ(time("placement", 1), inner) << "one part is one range";
  // The DMA limits, so overlap spares them too.
  EXPECT_EQ(time("k-inner", 3), 3'012'802);
  EXPECT_EQ(time("k-major", 3), 2'812'218);
  // With k in two parts a tile becomes two, which are fetched and multiplied one by one.
  shape.k_begins = {0, 64};
  EXPECT_EQ(time("placement", 1), 4'584'232);
  shape.first_k_part = 1;
  EXPECT_EQ(time("placement", 1), 4'584'232);
}

}  // namespace
}  // namespace kernbench::model::components
