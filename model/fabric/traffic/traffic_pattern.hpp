// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/enum_names.hpp"
#include "common/random.hpp"

#include "topology/zoo/routing/routing_relation.hpp"

namespace kernbench::model::fabric {

/// Rules that map sources to destinations. Endpoints are numbered 0..n-1 (traffic_endpoints.hpp).
/// Per-dimension rules treat a topology without a grid as one row. Sources: Dally and Towles,
/// "Principles and Practices of Interconnection Networks" (2004), table 3.1; tornado and neighbor
/// as implemented by BookSim 2; half_rotation is defined here.
enum class TrafficKind : std::uint8_t {
  UniformRandom,    ///< any other reachable endpoint, equally likely
  Transpose,        ///< (x,y) to (y,x); square grids
  BitComplement,    ///< i to ~i; 2^b endpoints
  BitReverse,       ///< i to its bits in reverse order; 2^b endpoints
  HalfRotation,     ///< i to (i + floor(n/2)) mod n
  BooksimTornado,   ///< ceil(k/2)-1 further in every dimension of size k
  BooksimNeighbor,  ///< 1 further in every dimension
  Hotspot,          ///< one node for a share of the transfers, otherwise UniformRandom
};

inline constexpr std::array<common::EnumName<TrafficKind>, 8> kTrafficKindNames = {{
    {"uniform_random", TrafficKind::UniformRandom},
    {"transpose", TrafficKind::Transpose},
    {"bit_complement", TrafficKind::BitComplement},
    {"bit_reverse", TrafficKind::BitReverse},
    {"half_rotation", TrafficKind::HalfRotation},
    {"booksim.tornado", TrafficKind::BooksimTornado},
    {"booksim.neighbor", TrafficKind::BooksimNeighbor},
    {"hotspot", TrafficKind::Hotspot},
}};

struct TrafficPatternSpec {
  TrafficKind kind = TrafficKind::UniformRandom;
  std::uint32_t hotspot_node = 0;  ///< Hotspot only; the node itself sends as UniformRandom
  double hotspot_share = 0.5;      ///< Hotspot only, 0..1
};

/// A traffic pattern over a topology. Endpoints that would send to themselves, or that reach no
/// other endpoint, are silent.
class TrafficPattern {
 public:
  /// Throws std::invalid_argument for a topology that cannot carry the pattern: a wrong shape, a
  /// missing route for a permutation or the hotspot, no sender, or more than kMaxRoutedNodes nodes.
  TrafficPattern(const topology::zoo::RoutingRelation& relation, const TrafficPatternSpec& spec);

  /// Returns the nodes that send.
  [[nodiscard]] const std::vector<std::uint32_t>& senders() const { return senders_; }
  /// Returns the number of endpoints, including silent ones.
  [[nodiscard]] std::size_t endpoints() const { return endpoints_; }
  /// Returns the number of endpoint pairs without a route, which UniformRandom and Hotspot omit.
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
