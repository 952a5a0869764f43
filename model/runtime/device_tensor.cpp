// SPDX-License-Identifier: Apache-2.0
#include "model/runtime/device_tensor.hpp"

#include <stdexcept>

namespace kernbench::model::runtime {

kernel::TensorRef TensorView::whole() const {
  if (!layout_.row_major()) {
    throw std::invalid_argument("a tensor with distributed columns is not contiguous");
  }
  return {va_, rows(), columns(), columns(), type_};
}

kernel::TensorRef TensorView::shard(std::uint64_t cube, std::uint64_t pe) const {
  if (cube >= layout_.cubes() || pe >= layout_.pes()) return {va_, 0, 0, 0, type_};
  const ShardPlace place =
      layout_.shard(static_cast<std::uint32_t>(cube), static_cast<std::uint32_t>(pe));
  return {va_ + place.offset * bytes_of(type_), place.part.rows, place.part.columns,
          place.part.columns, type_};
}

std::vector<TensorPiece> TensorView::pieces(const Rectangle& part) const {
  std::vector<TensorPiece> pieces;
  const auto add = [&](const kernel::TensorRef& ref, const Rectangle& has) {
    const Rectangle common = intersection(part, has);
    if (common.empty()) return;
    pieces.push_back(
        {ref.block(common.row - has.row, common.column - has.column, common.rows, common.columns),
         common});
  };
  if (layout_.row_major()) {
    add(whole(), {0, 0, rows(), columns()});
    return pieces;
  }
  const std::uint32_t cubes = layout_.policy().cube == Placement::Replicate ? 1 : layout_.cubes();
  const std::uint32_t pes = layout_.policy().pe == Placement::Replicate ? 1 : layout_.pes();
  for (std::uint32_t cube = 0; cube < cubes; ++cube) {
    for (std::uint32_t pe = 0; pe < pes; ++pe) add(shard(cube, pe), layout_.shard(cube, pe).part);
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
