// SPDX-License-Identifier: Apache-2.0
#include "model/ccl/pe_grid.hpp"

#include <iterator>
#include <map>

#include "topology/spec/cube_spec.hpp"
#include "topology/spec/router_columns.hpp"

namespace kernbench::model::ccl {

namespace {

/// PEs by their distance from the west edge.
using Row = std::map<std::int64_t, std::uint32_t>;

/// Returns the PEs of the north half and of the south half, as far as there are any.
std::vector<Row> rows_of(const topology::CubeSpec& cube) {
  Row north;
  Row south;
  std::uint32_t pe = 0;
  for (const topology::Corner corner : cube.corners) {
    for (std::uint32_t k = 0; k < cube.pe_per_corner; ++k) {
      (topology::is_north(corner) ? north : south)
          .emplace(topology::pe_x_nm(cube, corner, k), pe++);
    }
  }
  std::vector<Row> rows;
  for (Row& row : {std::ref(north), std::ref(south)}) {
    if (!row.empty()) rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

std::vector<Join> pe_joins(const topology::CubeSpec& cube) {
  const std::vector<Row> rows = rows_of(cube);
  std::vector<Join> joins;
  for (const Row& row : rows) {
    for (auto west = row.begin(); std::next(west) != row.end(); ++west) {
      joins.push_back({west->second, "E", std::next(west)->second, "W"});
    }
  }
  if (rows.size() < 2) return joins;
  for (const auto& [x, north] : rows[0]) {
    const auto south = rows[1].find(x);
    if (south != rows[1].end()) joins.push_back({north, "S", south->second, "N"});
  }
  return joins;
}

std::optional<PeGrid> pe_grid(const topology::CubeSpec& cube) {
  const std::vector<Row> rows = rows_of(cube);
  PeGrid found;
  found.grid = {static_cast<std::uint32_t>(rows[0].size()),
                static_cast<std::uint32_t>(rows.size())};
  found.places.resize(cube.pes());
  for (std::uint32_t y = 0; y < rows.size(); ++y) {
    std::uint32_t x = 0;
    for (const auto& [at, pe] : rows[y]) {
      if (!rows[0].contains(at) || rows[y].size() != rows[0].size()) return std::nullopt;
      found.places[pe] = found.grid.at(x++, y);
    }
  }
  return found;
}

}  // namespace kernbench::model::ccl
