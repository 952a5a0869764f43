#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/enum_names.hpp"
#include "common/random.hpp"

#include "topology/zoo/routing/routing_relation.hpp"

namespace kernbench::model::fabric {

/// Who sends to whom. Endpoints are numbered 0..n-1 (traffic_endpoints.hpp); per-dimension rules
/// take a topology that is no grid as one row. Sources: Dally and Towles, "Principles and Practices
/// of Interconnection Networks" (2004), table 3.1; what BookSim 2 makes of tornado and neighbor;
/// half_rotation is ours.
enum class TrafficKind : std::uint8_t {
  UniformRandom,    ///< any other endpoint that can be reached, equally likely
  Transpose,        ///< (x,y) to (y,x); square grids
  BitComplement,    ///< i to ~i; 2^b endpoints
  BitReverse,       ///< i to its bits in reverse order; 2^b endpoints
  HalfRotation,     ///< i to (i + floor(n/2)) mod n
  BooksimTornado,   ///< ceil(k/2)-1 further in every dimension of k
  BooksimNeighbor,  ///< 1 further in every dimension
  Hotspot,          ///< one node for a share of the packets, else as UniformRandom
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
  std::uint32_t hotspot_node = 0;  ///< of Hotspot; itself it sends as UniformRandom
  double hotspot_share = 0.5;      ///< of Hotspot, 0..1
};

/// A pattern over a topology. Endpoints that it sends to themselves, or that reach no other, are
/// silent.
class TrafficPattern {
 public:
  /// Throws std::invalid_argument for a topology that cannot carry the pattern: of the wrong shape,
  /// without a way that a permutation or the hotspot needs, without anybody who sends, or of more
  /// nodes than kMaxRoutedNodes.
  TrafficPattern(const topology::zoo::RoutingRelation& relation, const TrafficPatternSpec& spec);

  /// Nodes that send.
  [[nodiscard]] const std::vector<std::uint32_t>& senders() const { return senders_; }
  /// Endpoints, silent ones too.
  [[nodiscard]] std::size_t endpoints() const { return endpoints_; }
  /// Pairs of endpoints that the relation does not join; UniformRandom and Hotspot leave them out.
  [[nodiscard]] std::uint64_t unreachable_pairs() const { return unreachable_pairs_; }

  /// Where the next packet of senders()[sender] goes.
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
