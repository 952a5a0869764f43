// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "maze/network_model.hpp"
#include "sim/cover/coverage_summary.hpp"
#include "sim/cover/deep_bins.hpp"

namespace kernbench::sim {

/// Bins of one kind.
struct NetworkBins {
  std::string name;
  std::uint64_t hit = 0;
  std::uint64_t bins = 0;
};

/// Functional coverage of a network (MAZE network, requirement 4). Bins are counted once, whatever
/// the number of hits.
class NetworkCoverage {
 public:
  explicit NetworkCoverage(const maze::NetworkConfig& config);

  /// Records a packet that enters at A of `node`, of type 0 to 3.
  void accepted(unsigned node, unsigned type);
  /// Records a delivery at B of `node` of a packet from `source`.
  void delivered(unsigned source, unsigned node);
  /// Records which B hold a packet and are not ready in this cycle.
  void stalled(const std::vector<std::uint64_t>& nodes);
  /// Records a reset of a network with packets inside.
  void reset(const maze::NetworkModel& model);
  /// Records the grants of the last clock edge, and the requests of this cycle.
  void sample(const maze::NetworkModel& model);
  /// Makes `goal` packets through the queue of each input, in one case without resets, bins that
  /// count in place of the others but for those of depth.
  void require_packets(std::uint64_t goal);
  /// Records the packets of a case without resets: of each link, [port*nodes + receiving node], and
  /// of each A.
  void carried(const std::vector<std::uint64_t>& links, const std::vector<std::uint64_t>& users);

  [[nodiscard]] const maze::NetworkConfig& config() const { return config_; }
  /// The bins of depth, of users. With them the others do not count.
  [[nodiscard]] std::optional<DeepBins>& deep() { return deep_; }
  /// Writes or reads all hits, for network_archive.hpp.
  template <class Archive>
  void archive_hits(Archive& archive) {
    archive(plain_.hits, any_.hits, meetings_.hits, corners_.hits, multicasts_.hits, backs_.hits,
            resets_.hits, packets_.hits, goal_);
    require_packets(goal_);
  }

  /// Adds the hits of another case of the same shape.
  void merge(const NetworkCoverage& other);
  [[nodiscard]] std::vector<NetworkBins> bins() const;
  /// Returns the names of up to `most` bins without a hit, such as "crosspoint, no failure: node 3,
  /// input 14 to output 2".
  [[nodiscard]] std::vector<std::string> holes(std::size_t most) const;
  /// Returns all groups with the names of the bins that were missed.
  [[nodiscard]] CoverageSummary summary() const;

 private:
  /// Bins of one kind: rows of one bit for each node. A row without a name is not counted.
  struct Group {
    std::string name;
    std::vector<std::string> rows;
    std::vector<std::uint64_t> hits;
  };
  [[nodiscard]] std::size_t cross(unsigned output, unsigned input) const {
    return std::size_t{output} * ports_ + input;
  }
  [[nodiscard]] std::uint64_t* row(Group& group, std::size_t number) const {
    return group.hits.data() + number * config_.shape.words();
  }
  void hit(Group& group, std::size_t number, unsigned node) const {
    row(group, number)[node / 64] |= std::uint64_t{1} << (node % 64);
  }
  [[nodiscard]] Group group(std::string name, std::vector<std::string> rows) const;
  /// Returns the names of all bins of groups() without a hit.
  [[nodiscard]] std::vector<std::string> functional_holes() const;
  /// Returns the groups that count beside those of depth.
  [[nodiscard]] std::vector<const Group*> groups() const;

  maze::NetworkConfig config_;
  unsigned ports_;
  Group plain_, any_;  ///< crosspoints without a failure, and in any network
  Group meetings_;     ///< levels that meet at an output: low and low, low and high, high and high
  Group corners_;      ///< replaced corners, by hops from the failed node; bits are failed nodes
  Group multicasts_;   ///< types from each node
  Group backs_;        ///< 1,000 cycles of back-pressure at one B, and at all
  Group resets_;       ///< resets while the node holds a packet
  Group packets_;      ///< `goal_` packets through the queue of an input in one case
  std::uint64_t goal_ = 0;
  std::optional<DeepBins> deep_;
  std::vector<std::uint32_t> stall_;  ///< cycles that each B has stalled
};

}  // namespace kernbench::sim
