// SPDX-License-Identifier: Apache-2.0
// How the hits of coverage are written to the results of parts, and read from them.
#pragma once

#include <cereal/types/array.hpp>
#include <cereal/types/optional.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>
#include <cstdint>
#include <optional>

#include "maze/link_frame.hpp"
#include "sim/cover/coverage_data.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::maze {

template <class Archive>
void serialize(Archive& archive, Shape& shape) {
  archive(shape.nx, shape.ny, shape.flit_w);
}
/// The shape decides the number of words: a plane has it before it is read.
template <class Archive>
void serialize(Archive& archive, BitPlane& plane) {
  for (std::size_t word = 0; word < plane.size(); ++word) archive(plane.data()[word]);
}

}  // namespace kernbench::maze

namespace kernbench::sim {

/// Writes or reads the hits of bins of depth.
template <class Archive>
void archive_bins(Archive& archive, DeepBins& bins) {
  const auto hits = [&archive](const std::string&, auto& all) {
    for (auto& one : all) archive(one);
  };
  DeepBins::visit_storage(bins, hits, hits);
}

template <class Archive>
void serialize(Archive& archive, std::optional<CoverageData>& coverage) {
  bool is_present = coverage.has_value();
  archive(is_present);
  if (!is_present) return;
  maze::Shape shape = coverage ? coverage->shape() : maze::Shape{};
  std::uint64_t at_least = coverage ? coverage->at_least() : 0;
  bool deep = coverage && coverage->deep();
  archive(shape, at_least, deep);
  if (!coverage) {
    const topology::MazeLinks links(shape.nx, shape.ny);
    coverage.emplace(shape, links, at_least);
    if (deep) coverage->deep().emplace(shape, links);
  }
  coverage->archive_hits(archive);
  if (deep) archive_bins(archive, *coverage->deep());
}

}  // namespace kernbench::sim
