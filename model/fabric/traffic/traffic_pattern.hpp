// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/random.hpp"
#include "topology/zoo/routing/routing_relation.hpp"

namespace kernbench::model::fabric {

struct TrafficPatternSpec {
  std::string kind = "uniform_random";  ///< name of a TrafficKind
  std::uint32_t hotspot_node = 0;       ///< kinds with a hotspot; the node itself has none
  double hotspot_share = 0.5;           ///< kinds with a hotspot, 0..1
};

/// A traffic pattern over a topology. Endpoints that would send to themselves, or that reach no
/// other endpoint, are silent.
class TrafficPattern {
 public:
  /// Throws std::invalid_argument for an unknown kind, for one that returns no valid endpoints, and
  /// for a topology that cannot carry the pattern: a wrong shape, a missing route, no sender, or
  /// more than kMaxRoutedNodes nodes.
  TrafficPattern(const topology::zoo::RoutingRelation& relation, const TrafficPatternSpec& spec);

  /// Returns the nodes that send.
  [[nodiscard]] const std::vector<std::uint32_t>& senders() const { return senders_; }
  /// Returns the number of endpoints, including silent ones.
  [[nodiscard]] std::size_t endpoints() const { return endpoints_; }
  /// Returns the number of endpoint pairs without a route that were left out.
  [[nodiscard]] std::uint64_t unreachable_pairs() const { return unreachable_pairs_; }

  /// Returns the destination of the next transfer of senders()[sender].
  [[nodiscard]] std::uint32_t destination(std::size_t sender, common::Rng& rng) const {
    if (hotspot_share_ != 0 && senders_[sender] != hotspot_node_ && rng.chance(hotspot_share_)) {
      return hotspot_node_;
    }
    const std::vector<std::uint32_t>& choices = destinations_[sender];
    return choices.size() == 1 ? choices.front() : choices[rng.below(choices.size())];
  }

 private:
  void add_sender(std::uint32_t node, std::vector<std::uint32_t> destinations);

  std::size_t endpoints_ = 0;
  std::uint64_t unreachable_pairs_ = 0;
  std::uint32_t hotspot_node_ = 0;
  std::uint64_t hotspot_share_ = 0;  ///< in units of common::kCertain
  std::vector<std::uint32_t> senders_;
  std::vector<std::vector<std::uint32_t>> destinations_;  ///< by sender
};

}  // namespace kernbench::model::fabric
