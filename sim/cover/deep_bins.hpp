// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "maze/link_frame.hpp"
#include "sim/cover/coverage_summary.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim {

/// Runs of cycles whose length is covered.
enum class LengthKind {
  Stall,  ///< a packet waited at the receiver for so many cycles, then moved
  Idle,   ///< the source offered nothing for so many cycles between two packets
};
inline constexpr std::array<std::string_view, 2> kLengthNames = {"stall", "idle"};

/// Lengths that every link must see: 1 to 256 and the higher powers of two up to 16,384.
inline constexpr std::size_t kExactLengths = 262;
/// Ranges from a power of two to below the next, up to 16,384 and more.
inline constexpr std::size_t kLengthRanges = 15;
[[nodiscard]] std::uint64_t exact_length(std::size_t bin);

/// Events that must occur on every link.
enum class DeepLinkBin {
  ReadyInReset,
  NotReadyInReset,
  ManyPackets,  ///< kManyPackets delivered without a reset
};
inline constexpr std::array<std::string_view, 3> kDeepLinkNames = {
    "ready in a reset", "not ready in a reset", "131072 packets without a reset"};
inline constexpr std::uint64_t kManyPackets = 131'072;

/// Events that must occur in the fabric.
enum class DeepFabricBin {
  PulseHigh,    ///< a reset of less than a clock, before the falling edge
  PulseAcross,  ///< across the falling edge
  PulseLow,     ///< after the falling edge
  AssertedRise,
  AssertedHigh,
  AssertedLow,
  ReleasedHigh,
  ReleasedLow,
  ReleasedEnd,
  ManyResets,  ///< kManyResets in a case
  LongCase,    ///< a case of kLongCase cycles
};
inline constexpr std::array<std::string_view, 11> kDeepFabricNames = {
    "reset of less than a clock before the falling edge",
    "reset of less than a clock across the falling edge",
    "reset of less than a clock after the falling edge",
    "reset asserted just after the rising edge",
    "reset asserted before the falling edge",
    "reset asserted after the falling edge",
    "reset released before the falling edge",
    "reset released after the falling edge",
    "reset released just after the rising edge",
    "30 resets in a case",
    "a case of 300000 cycles"};
inline constexpr std::uint64_t kManyResets = 30;
inline constexpr std::uint64_t kLongCase = 300'000;

/// Widest reset with a bin, in clocks.
inline constexpr std::size_t kResetWidths = 100;

/// Moves of a link at a clock edge, or a reset instead of it.
enum class LinkEvent { Nothing, Accept, Deliver, Both, Stall, Reset };
inline constexpr std::array<std::string_view, 6> kLinkEventNames = {"nothing", "accept", "deliver",
                                                                    "both",    "stall",  "reset"};

/// Deepest links with bins for pairs of state and event.
inline constexpr unsigned kPairDepth = 3;

/// One pair: the packets in each stage of a link, and the event.
struct StatePair {
  std::array<std::uint8_t, kPairDepth> held{};  ///< 0..2 packets by stage, the sender's first
  LinkEvent event = LinkEvent::Nothing;
};
/// Returns the pairs that a link of this depth (1..kPairDepth) can reach from an empty one.
[[nodiscard]] std::vector<StatePair> reachable_pairs(unsigned depth);
/// Returns the pair in words, such as "2-1-0, stall".
[[nodiscard]] std::string pair_name(const StatePair& pair, unsigned depth);

/// Coverage of depth: how long, how often, and in which state. For regressions that sign a fabric
/// off; the stimuli for it are LengthSweep, HeavyTailed and ResetPattern::Sweep.
class DeepBins {
 public:
  DeepBins(const maze::Shape& shape, const topology::MazeLinks& links);
  /// Returns the bins of the users of a network: stalls at B, idle times at A. They have no pairs
  /// of state and event.
  static DeepBins of_users(const maze::Shape& shape);

  /// Links that saw the length, by receiving end for stalls and by sending end for idle times.
  [[nodiscard]] maze::BitPlane& exact(LengthKind kind, std::size_t bin) {
    return exact_[index(kind)][bin];
  }
  [[nodiscard]] maze::BitPlane& range(LengthKind kind, std::size_t bin) {
    return ranges_[index(kind)][bin];
  }
  /// Records a length of one link, given by node and port of the end of `kind`.
  void add_length(LengthKind kind, unsigned port, unsigned node, std::uint64_t cycles);

  /// By receiving end.
  [[nodiscard]] maze::BitPlane& link(DeepLinkBin bin) {
    return links_hit_[static_cast<std::size_t>(bin)];
  }
  [[nodiscard]] std::uint8_t& fabric(DeepFabricBin bin) {
    return fabric_hit_[static_cast<std::size_t>(bin)];
  }
  /// Resets of 1 to kResetWidths clocks.
  [[nodiscard]] std::uint8_t& reset_width(std::size_t clocks) { return widths_hit_[clocks - 1]; }
  /// Hits in the order of reachable_pairs(depth). Empty for depths without links.
  [[nodiscard]] std::vector<std::uint8_t>& pairs(unsigned depth) { return pairs_hit_[depth - 1]; }

  void merge(const DeepBins& other);
  /// Returns all bins by group, with the names of the missed ones.
  [[nodiscard]] std::vector<CoverageGroup> groups() const;

  /// Calls `planes(name, list of planes)` and `flags(name, list of 0 and 1)` for all hits, in a
  /// fixed order: the content of a file.
  template <typename Self, typename Planes, typename Flags>
  static void visit_storage(Self& self, Planes planes, Flags flags) {
    for (std::size_t kind = 0; kind < kLengthNames.size(); ++kind) {
      const std::string name(kLengthNames[kind]);
      planes(name + " lengths", self.exact_[kind]);
      planes(name + " ranges", self.ranges_[kind]);
    }
    planes(std::string("links"), self.links_hit_);
    flags(std::string("fabric"), self.fabric_hit_);
    flags(std::string("reset widths"), self.widths_hit_);
    for (unsigned depth = 1; depth <= kPairDepth; ++depth) {
      flags("pairs, depth " + std::to_string(depth), self.pairs_hit_[depth - 1]);
    }
  }

 private:
  /// A link, or A and B of a node, as bins name it.
  struct Way {
    topology::MazePort from, to;
    std::string name;
    std::string kind;  ///< links of one kind share the bins of ranges
  };

  DeepBins(const maze::Shape& shape, unsigned ports, std::vector<Way> ways);
  static std::size_t index(LengthKind kind) { return static_cast<std::size_t>(kind); }
  [[nodiscard]] std::vector<CoverageGroup> length_groups(LengthKind kind) const;

  std::vector<Way> ways_;
  bool users_ = false;
  std::array<std::vector<maze::BitPlane>, 2> exact_, ranges_;
  std::vector<maze::BitPlane> links_hit_;
  std::vector<std::uint8_t> fabric_hit_, widths_hit_;
  std::array<std::vector<std::uint8_t>, kPairDepth> pairs_hit_;
};

}  // namespace kernbench::sim
