// SPDX-License-Identifier: Apache-2.0
// A plan of the tiles of a GEMM: as the one that ships, but column by column of C. A kernel takes
// it by its name, and so does the bench: kernbench run gemm --set plan=columns-first
#include <kernbench/kernel.hpp>

namespace {

using kernbench::model::components::GemmPlanRegistration;
using kernbench::model::components::GemmShape;
using kernbench::model::components::TilePlan;

std::uint64_t tiles_of(std::uint64_t size, std::uint64_t tile) {
  return (size + tile - 1) / tile;
}

TilePlan columns_first(const GemmShape& shape) {
  const TilePlan rows_first = kernbench::model::components::plan_gemm_k_inner(shape);
  const std::uint64_t k_tiles = tiles_of(shape.k, shape.tile_k);
  const std::uint64_t m_tiles = tiles_of(shape.m, shape.tile_m);
  const std::uint64_t n_tiles = tiles_of(shape.n, shape.tile_n);
  return {rows_first.size(), [=](std::uint64_t tile) {
            const std::uint64_t of_c = tile / k_tiles;
            const std::uint64_t same = of_c % m_tiles * n_tiles + of_c / m_tiles;
            return rows_first.sequence(same * k_tiles + tile % k_tiles);
          }};
}

const GemmPlanRegistration kPlan{
    {"columns-first", "n, then m, then k innermost: B is read once a column of C", columns_first}};

}  // namespace
