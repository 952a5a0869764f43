// SPDX-License-Identifier: Apache-2.0
// Placement of the shards of tensors.
#include "model/runtime/dp_policy.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "model/runtime/device_tensor.hpp"

#include "runtime_fixture.hpp"

namespace kernbench::model::runtime {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Returns the number of programs that hold each element. Fails unless each element has one offset
/// in all of them, and each offset one element.
std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> owners(const Layout& layout) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> owners;
  std::map<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>> at;
  for (std::uint32_t cube = 0; cube < layout.cubes(); ++cube) {
    for (std::uint32_t pe = 0; pe < layout.pes(); ++pe) {
      const ShardPlace place = layout.shard(cube, pe);
      for (std::uint64_t row = 0; row < place.part.rows; ++row) {
        for (std::uint64_t column = 0; column < place.part.columns; ++column) {
          const std::pair element(place.part.row + row, place.part.column + column);
          ++owners[element];
          const auto offset = place.offset + row * place.part.columns + column;
          EXPECT_EQ(at.emplace(offset, element).first->second, element);
          EXPECT_LT(offset, layout.rows() * layout.columns());
        }
      }
    }
  }
  EXPECT_EQ(at.size(), owners.size());
  return owners;
}

TEST(Layout, EveryPolicyPlacesEveryElementOnceForEachReplica) {
  const std::pair<std::uint64_t, std::uint64_t> shapes[] = {{8, 8}, {7, 5},  {1, 9},  {9, 1},
                                                            {1, 1}, {2, 33}, {13, 64}};
  const std::pair<std::uint32_t, std::uint32_t> counts[] = {{1, 1}, {2, 4}, {4, 3}, {5, 8}};
  for (const Placement cube : kPlacements) {
    for (const Placement pe : kPlacements) {
      for (const auto& [rows, columns] : shapes) {
        for (const auto& [cubes, pes] : counts) {
          SCOPED_TRACE(fmt::format("{} / {}, {} x {} over {} x {}", name_of(cube), name_of(pe),
                                   rows, columns, cubes, pes));
          const auto found = owners(Layout(rows, columns, {cube, pe, {}, {}}, cubes, pes));
          EXPECT_EQ(found.size(), rows * columns);
          const std::uint64_t replicas =
              (cube == Placement::Replicate ? cubes : 1) * (pe == Placement::Replicate ? pes : 1);
          for (const auto& [element, count] : found) EXPECT_EQ(count, replicas);
        }
      }
    }
  }
}

TEST(Layout, RaggedPiecesAreSmallerAtTheEndAndThenEmpty) {
  const Layout layout(10, 4, {Placement::Replicate, Placement::RowWise, {}, {}}, 1, 4);
  EXPECT_EQ(layout.shard(0, 0).part, (Rectangle{0, 0, 3, 4}));
  EXPECT_EQ(layout.shard(0, 2).part, (Rectangle{6, 0, 3, 4}));
  EXPECT_EQ(layout.shard(0, 3).part, (Rectangle{9, 0, 1, 4}));
  const Layout few(5, 4, {Placement::Replicate, Placement::RowWise, {}, {}}, 1, 4);
  EXPECT_EQ(few.shard(0, 2).part, (Rectangle{4, 0, 1, 4}));
  EXPECT_TRUE(few.shard(0, 3).part.empty());
}

TEST(Layout, ColumnShardsFollowOneAnotherInTheVirtualRange) {
  const Layout layout(3, 10, {Placement::ColumnWise, Placement::RowWise, {}, {}}, 2, 2);
  EXPECT_EQ(layout.shard(0, 0).offset, 0U);
  EXPECT_EQ(layout.shard(0, 1).offset, 10U);  // two rows of five
  EXPECT_EQ(layout.shard(1, 0).offset, 15U);
  EXPECT_EQ(layout.shard(1, 1).part, (Rectangle{2, 5, 1, 5}));
  EXPECT_FALSE(layout.row_major());
}

TensorView view(std::uint64_t rows, std::uint64_t columns, Placement cube, Placement pe) {
  return {1000, data::DataType::F32, Layout(rows, columns, {cube, pe, {}, {}}, 2, 2)};
}

std::vector<Rectangle> parts(const std::vector<TensorPiece>& pieces) {
  std::vector<Rectangle> parts;
  for (const TensorPiece& piece : pieces) parts.push_back(piece.part);
  return parts;
}

TEST(TensorPieces, ARowMajorTensorIsInOnePiece) {
  const TensorView x = view(7, 5, Placement::RowWise, Placement::RowWise);
  const std::vector<TensorPiece> pieces = x.pieces({2, 1, 4, 3});
  EXPECT_THAT(parts(pieces), ElementsAre(Rectangle{2, 1, 4, 3}));
  EXPECT_EQ(pieces[0].ref.va, 1000U + (2 * 5 + 1) * 4);
  EXPECT_EQ(pieces[0].ref.row_stride, 5U);
}

TEST(TensorPieces, SpreadColumnsAreAPieceForEachShardAndReplicasCountOnce) {
  const TensorView x = view(3, 8, Placement::ColumnWise, Placement::ColumnWise);
  EXPECT_THAT(parts(x.pieces({1, 1, 2, 5})),
              ElementsAre(Rectangle{1, 1, 2, 1}, Rectangle{1, 2, 2, 2}, Rectangle{1, 4, 2, 2}));
  const TensorView y = view(3, 8, Placement::Replicate, Placement::ColumnWise);
  EXPECT_THAT(parts(y.pieces({0, 0, 3, 8})),
              ElementsAre(Rectangle{0, 0, 3, 4}, Rectangle{0, 4, 3, 4}));
}

TEST(TensorPieces, NothingIsInNoPieceAndWhatIsOutsideIsCutOff) {
  const TensorView x = view(3, 8, Placement::RowWise, Placement::RowWise);
  EXPECT_THAT(x.pieces({0, 0, 0, 8}), IsEmpty());
  EXPECT_THAT(x.pieces({3, 0, 5, 8}), IsEmpty());
  EXPECT_THAT(parts(x.pieces({2, 6, 9, 9})), ElementsAre(Rectangle{2, 6, 1, 2}));
}

TEST(TensorPieces, SpreadColumnsAreNoWhole) {
  try {
    (void)view(3, 8, Placement::ColumnWise, Placement::RowWise).whole();
    FAIL() << "nothing was thrown";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "a tensor with distributed columns is not contiguous");
  }
}

}  // namespace
}  // namespace kernbench::model::runtime
