// SPDX-License-Identifier: Apache-2.0
#include "model/runtime/dp_policy.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace kernbench::model::runtime {

namespace {

constexpr std::array<std::pair<std::string_view, Placement>, 3> kNames = {
    {{"replicate", Placement::Replicate},
     {"row_wise", Placement::RowWise},
     {"column_wise", Placement::ColumnWise}}};

struct Piece {
  std::uint64_t begin = 0;
  std::uint64_t size = 0;
};

Piece piece(std::uint64_t size, std::uint32_t count, std::uint32_t index) {
  const std::uint64_t step = (size + count - 1) / count;
  const std::uint64_t begin = std::min(size, step * index);
  return {begin, std::min(step, size - begin)};
}

ShardPlace cut(const ShardPlace& whole, Placement placement, std::uint32_t count,
               std::uint32_t index) {
  ShardPlace part = whole;
  if (placement == Placement::RowWise) {
    const Piece rows = piece(whole.part.rows, count, index);
    part.part.row += rows.begin;
    part.part.rows = rows.size;
    part.offset += rows.begin * whole.part.columns;
  } else if (placement == Placement::ColumnWise) {
    const Piece columns = piece(whole.part.columns, count, index);
    part.part.column += columns.begin;
    part.part.columns = columns.size;
    part.offset += columns.begin * whole.part.rows;
  }
  return part;
}

}  // namespace

std::optional<DpPolicy> policy_of(std::string_view name) {
  for (const NamedPolicy& one : kNamedPolicies) {
    if (one.name == name) return one.policy;
  }
  return std::nullopt;
}

std::string_view name_of(Placement placement) {
  return kNames[static_cast<std::size_t>(placement)].first;
}

std::optional<Placement> placement_of(std::string_view name) {
  for (const auto& [known, placement] : kNames) {
    if (known == name) return placement;
  }
  return std::nullopt;
}

Rectangle intersection(const Rectangle& a, const Rectangle& b) {
  const auto common = [](std::uint64_t first, std::uint64_t first_size, std::uint64_t second,
                         std::uint64_t second_size) {
    const std::uint64_t begin = std::max(first, second);
    const std::uint64_t end = std::min(first + first_size, second + second_size);
    return Piece{begin, end > begin ? end - begin : 0};
  };
  const Piece rows = common(a.row, a.rows, b.row, b.rows);
  const Piece columns = common(a.column, a.columns, b.column, b.columns);
  return {rows.begin, columns.begin, rows.size, columns.size};
}

ShardPlace Layout::cube_part(std::uint32_t cube) const {
  return cut({{0, 0, rows_, columns_}, 0}, policy_.cube, cubes_, cube);
}

ShardPlace Layout::shard(std::uint32_t cube, std::uint32_t pe) const {
  return cut(cube_part(cube), policy_.pe, pes_, pe);
}

bool Layout::row_major() const {
  return policy_.cube != Placement::ColumnWise && policy_.pe != Placement::ColumnWise;
}

}  // namespace kernbench::model::runtime
