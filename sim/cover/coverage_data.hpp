// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "maze/link_frame.hpp"
#include "sim/cover/coverage_bins.hpp"
#include "sim/cover/coverage_summary.hpp"
#include "sim/cover/deep_bins.hpp"
#include "sim/stimulus/traffic_names.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim {

/// Functional coverage of one fabric: the set of bins that were hit. Results of several runs can be
/// merged. Planes and counts are indexed by the receiving end of a link, (port, node).
///
/// The links determine the bins: a link without IRS stages has no bins for stages.
class CoverageData {
 public:
  /// `at_least`: packets that every link must deliver under every class of back-pressure; 0: no
  /// such bins. Throws std::invalid_argument when `links` describes another torus than `shape`.
  CoverageData(const maze::Shape& shape, const topology::MazeLinks& links, std::uint64_t at_least);

  [[nodiscard]] const maze::Shape& shape() const { return shape_; }
  [[nodiscard]] std::uint64_t at_least() const { return at_least_; }
  /// IRS stages of the links that arrive at `port`.
  [[nodiscard]] unsigned depth(unsigned port) const { return depths_[port]; }

  // The bins that were hit. Collectors and file readers write through these.

  [[nodiscard]] maze::BitPlane& link(LinkBin bin) { return links_hit_[index(bin)]; }
  [[nodiscard]] const maze::BitPlane& link(LinkBin bin) const { return links_hit_[index(bin)]; }
  /// Stages of the links that arrive at `port`: [stage][word], depth(port) x shape().words().
  [[nodiscard]] std::uint64_t* stages(StageBin bin, unsigned port) {
    return stages_hit_[index(bin)].data() + stage_offsets_[port];
  }
  [[nodiscard]] const std::uint64_t* stages(StageBin bin, unsigned port) const {
    return stages_hit_[index(bin)].data() + stage_offsets_[port];
  }
  /// Payload bits that were 0 in one packet of a link and 1 in the next. [port*nodes + node]
  [[nodiscard]] std::vector<maze::Payload>& rises() { return rises_; }
  [[nodiscard]] const std::vector<maze::Payload>& rises() const { return rises_; }
  /// Payload bits that were 1 in one packet of a link and 0 in the next. [port*nodes + node]
  [[nodiscard]] std::vector<maze::Payload>& falls() { return falls_; }
  [[nodiscard]] const std::vector<maze::Payload>& falls() const { return falls_; }
  [[nodiscard]] bool& fabric(FabricBin bin) { return fabric_hit_[index(bin)]; }
  [[nodiscard]] bool fabric(FabricBin bin) const { return fabric_hit_[index(bin)]; }
  /// Packets delivered under one class of back-pressure. [port*nodes + node]
  [[nodiscard]] std::vector<std::uint64_t>& packets(BackPressure kind) {
    return packets_[static_cast<std::size_t>(kind)];
  }
  [[nodiscard]] const std::vector<std::uint64_t>& packets(BackPressure kind) const {
    return packets_[static_cast<std::size_t>(kind)];
  }

  /// Writes or reads all hits but those of depth, for coverage_archive.hpp.
  template <class Archive>
  void archive_hits(Archive& archive) {
    archive(links_hit_, stages_hit_, rises_, falls_, fabric_hit_, packets_);
  }

  /// Bins of depth; absent unless the regression asks for them.
  [[nodiscard]] std::optional<DeepBins>& deep() { return deep_; }
  [[nodiscard]] const std::optional<DeepBins>& deep() const { return deep_; }

  /// Adds the bins that another run has hit. Throws std::invalid_argument when shape or goal
  /// differ, or when one of the two has no bins of depth.
  void merge(const CoverageData& other);

  /// Returns all bins by group, with the names of the missed ones. Links are in MazeLinks order.
  [[nodiscard]] CoverageSummary summary() const;
  /// Returns the names of all missed bins, such as "[3,4].x[6] -> [3,3].x[6]: payload bit 7 never
  /// fell".
  [[nodiscard]] std::vector<std::string> missed() const;
  [[nodiscard]] std::uint64_t hit_bins() const;
  [[nodiscard]] std::uint64_t total_bins() const;

 private:
  template <typename Sink>
  void visit_bins(Sink& sink) const;
  template <typename Sink>
  void visit_stages(Sink& sink) const;
  [[nodiscard]] std::size_t slot(const topology::MazePort& end) const {
    return std::size_t{end.port} * shape_.nodes() + end.node;
  }

  maze::Shape shape_;
  topology::MazeLinks map_;
  std::uint64_t at_least_;
  std::vector<unsigned> depths_;
  std::vector<std::size_t> stage_offsets_;  ///< first word of each port in stages_hit_
  std::array<maze::BitPlane, kLinkBins.size()> links_hit_;
  std::array<std::vector<std::uint64_t>, kStageBinNames.size()> stages_hit_;
  std::vector<maze::Payload> rises_, falls_;
  std::array<bool, kFabricBinNames.size()> fabric_hit_{};
  std::array<std::vector<std::uint64_t>, kBackPressureNames.size()> packets_;
  std::optional<DeepBins> deep_;
};

}  // namespace kernbench::sim
