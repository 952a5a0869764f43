// SPDX-License-Identifier: Apache-2.0
#include "model/runtime/device_tensor.hpp"

#include <stdexcept>

namespace kernbench::model::runtime {

namespace {

constexpr const char* kSeveralShards =
    "a tensor of several shards has no contiguous physical addresses: take pieces() or shard(), or "
    "run it with virtual or logical addresses";

}  // namespace

bool TensorView::one_shard_in_a_cube() const {
  return layout_.policy().pe == Placement::Replicate || layout_.pes() == 1;
}

bool TensorView::contiguous() const {
  if (!shards_) return layout_.row_major();
  const bool one_cube = layout_.policy().cube == Placement::Replicate || layout_.cubes() == 1;
  return one_cube && one_shard_in_a_cube();
}

kernel::TensorRef TensorView::whole() const {
  if (!contiguous()) {
    throw std::invalid_argument(shards_ ? kSeveralShards
                                        : "a tensor with distributed columns is not contiguous");
  }
  return {shards_ ? shards_->front() : va_, rows(), columns(), columns(), type_};
}

kernel::TensorRef TensorView::shard(std::uint64_t cube, std::uint64_t pe) const {
  if (cube >= layout_.cubes() || pe >= layout_.pes()) return {va_, 0, 0, 0, type_};
  const ShardPlace place =
      layout_.shard(static_cast<std::uint32_t>(cube), static_cast<std::uint32_t>(pe));
  const std::uint64_t begin =
      shards_ ? (*shards_)[cube * layout_.pes() + pe] : va_ + place.offset * bytes_of(type_);
  return {begin, place.part.rows, place.part.columns, place.part.columns, type_};
}

kernel::TensorRef TensorView::in_cube(std::uint64_t cube) const {
  kernel::TensorRef ref = shard(cube, 0);
  if (cube >= layout_.cubes()) return ref;
  if (shards_ && !one_shard_in_a_cube()) throw std::invalid_argument(kSeveralShards);
  const Rectangle part = layout_.cube_part(static_cast<std::uint32_t>(cube)).part;
  ref.rows = part.rows;
  ref.columns = part.columns;
  ref.row_stride = part.columns;
  return ref;
}

std::vector<TensorPiece> TensorView::pieces(const Rectangle& part, const kernel::Tl* tl) const {
  std::vector<TensorPiece> pieces;
  const auto add = [&](const kernel::TensorRef& ref, const Rectangle& has) {
    const Rectangle common = intersection(part, has);
    if (common.empty()) return;
    pieces.push_back(
        {ref.block(common.row - has.row, common.column - has.column, common.rows, common.columns),
         common});
  };
  if (!shards_ && contiguous()) {
    add(whole(), {0, 0, rows(), columns()});
    return pieces;
  }
  // The replicas along an axis share one range; with physical addresses the own one is taken.
  const auto axis = [&](Placement placement, std::uint32_t count, std::uint64_t own) {
    if (placement != Placement::Replicate) return std::pair(0U, count);
    const auto first =
        shards_ && tl != nullptr && own < count ? static_cast<std::uint32_t>(own) : 0;
    return std::pair(first, first + 1);
  };
  const auto [first_cube, cubes] =
      axis(layout_.policy().cube, layout_.cubes(), tl == nullptr ? 0 : tl->program_id(1));
  const auto [first_pe, pes] =
      axis(layout_.policy().pe, layout_.pes(), tl == nullptr ? 0 : tl->program_id(0));
  for (std::uint32_t cube = first_cube; cube < cubes; ++cube) {
    for (std::uint32_t pe = first_pe; pe < pes; ++pe) {
      add(shard(cube, pe), layout_.shard(cube, pe).part);
    }
  }
  return pieces;
}

Rectangle TensorView::local_part(const kernel::Tl& tl) const {
  const std::uint64_t cube = tl.program_id(1);
  const std::uint64_t pe = tl.program_id(0);
  if (cube >= layout_.cubes() || pe >= layout_.pes()) return {};
  return layout_.shard(static_cast<std::uint32_t>(cube), static_cast<std::uint32_t>(pe)).part;
}

}  // namespace kernbench::model::runtime
