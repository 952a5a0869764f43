// SPDX-License-Identifier: Apache-2.0
#include "sim/cover/deep_bins.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <set>
#include <utility>

namespace kernbench::sim {

using maze::BitPlane;
using maze::Shape;
using topology::MazeLink;

namespace {

constexpr std::size_t kOneByOne = 256;

/// Fills groups bin by bin.
class GroupList {
 public:
  void begin(std::string name) { groups_.push_back({std::move(name), 0, 0, {}}); }
  template <typename Name>
  void bin(bool hit, Name name) {
    CoverageGroup& group = groups_.back();
    ++group.total;
    if (hit) {
      ++group.hit;
    } else {
      group.missed.push_back(name());
    }
  }
  void add(CoverageGroup group) { groups_.push_back(std::move(group)); }
  [[nodiscard]] std::vector<CoverageGroup> take() { return std::move(groups_); }

 private:
  std::vector<CoverageGroup> groups_;
};

void merge_flags(std::vector<std::uint8_t>& into, const std::vector<std::uint8_t>& from) {
  std::transform(into.begin(), into.end(), from.begin(), into.begin(), std::bit_or<>());
}

void merge_planes(std::vector<BitPlane>& into, const std::vector<BitPlane>& from) {
  for (std::size_t i = 0; i < into.size(); ++i) {
    for (std::size_t w = 0; w < into[i].size(); ++w) into[i].data()[w] |= from[i].data()[w];
  }
}

using Held = std::array<std::uint8_t, kPairDepth>;

/// Returns the next state of a chain of two-entry stages, and the event of the edge.
std::pair<Held, LinkEvent> clocked(Held held, unsigned depth, bool valid, bool ready) {
  std::array<bool, kPairDepth + 1> moves{};
  for (unsigned s = 0; s <= depth; ++s) {
    moves[s] = (s == 0 ? valid : held[s - 1] > 0) && (s == depth ? ready : held[s] < 2);
  }
  const bool waits = held[depth - 1] > 0 && !ready;
  for (unsigned s = 0; s < depth; ++s) {
    held[s] = static_cast<std::uint8_t>(held[s] + (moves[s] ? 1 : 0) - (moves[s + 1] ? 1 : 0));
  }
  const LinkEvent event = moves[0] && moves[depth] ? LinkEvent::Both
                          : moves[0]               ? LinkEvent::Accept
                          : moves[depth]           ? LinkEvent::Deliver
                          : waits                  ? LinkEvent::Stall
                                                   : LinkEvent::Nothing;
  return {held, event};
}

}  // namespace

std::uint64_t exact_length(std::size_t bin) {
  return bin < kOneByOne ? bin + 1 : std::uint64_t{512} << (bin - kOneByOne);
}

std::vector<StatePair> reachable_pairs(unsigned depth) {
  std::set<std::pair<Held, LinkEvent>> pairs;
  std::vector<Held> open = {Held{}};
  std::set<Held> seen = {Held{}};
  while (!open.empty()) {
    const Held held = open.back();
    open.pop_back();
    pairs.insert({held, LinkEvent::Reset});
    for (unsigned inputs = 0; inputs < 4; ++inputs) {
      const auto [next, event] = clocked(held, depth, (inputs & 1U) != 0, (inputs & 2U) != 0);
      pairs.insert({held, event});
      if (seen.insert(next).second) open.push_back(next);
    }
  }
  std::vector<StatePair> result;
  for (const auto& [held, event] : pairs) result.push_back({held, event});
  return result;
}

std::string pair_name(const StatePair& pair, unsigned depth) {
  return fmt::format("{}, {}", fmt::join(pair.held.begin(), pair.held.begin() + depth, "-"),
                     kLinkEventNames[static_cast<std::size_t>(pair.event)]);
}

DeepBins::DeepBins(const Shape& shape, unsigned ports, std::vector<Way> ways)
    : ways_(std::move(ways)),
      links_hit_(kDeepLinkNames.size(), BitPlane(shape, ports)),
      fabric_hit_(kDeepFabricNames.size()),
      widths_hit_(kResetWidths) {
  exact_.fill(std::vector<BitPlane>(kExactLengths, BitPlane(shape, ports)));
  ranges_.fill(std::vector<BitPlane>(kLengthRanges, BitPlane(shape, ports)));
}

DeepBins::DeepBins(const Shape& shape, const topology::MazeLinks& links)
    : DeepBins(shape, shape.ports(), {}) {
  for (const MazeLink& link : links.links()) {
    const bool is_y = link.from.port >= shape.x_ports();
    ways_.push_back({link.from, link.to, links.link_name(link),
                     fmt::format("{} links of depth {}", is_y ? "Y" : "X", link.depth)});
    if (link.depth == 0 || link.depth > kPairDepth) continue;
    std::vector<std::uint8_t>& hits = pairs_hit_[link.depth - 1];
    if (hits.empty()) hits.resize(reachable_pairs(link.depth).size());
  }
}

DeepBins DeepBins::of_users(const Shape& shape) {
  std::vector<Way> ways;
  for (unsigned node = 0; node < shape.nodes(); ++node) {
    ways.push_back({{node, 0},
                    {node, 0},
                    fmt::format("[{},{}].user", node / shape.nx, node % shape.nx),
                    "users"});
  }
  DeepBins bins(shape, 1, std::move(ways));
  bins.users_ = true;
  return bins;
}

void DeepBins::add_length(LengthKind kind, unsigned port, unsigned node, std::uint64_t cycles) {
  const auto octave = static_cast<std::size_t>(std::bit_width(cycles) - 1);
  range(kind, std::min(octave, kLengthRanges - 1)).set(port, node);
  if (cycles <= kOneByOne) {
    exact(kind, cycles - 1).set(port, node);
  } else if (std::has_single_bit(cycles) && octave < kLengthRanges) {
    exact(kind, kOneByOne + octave - 9).set(port, node);
  }
}

void DeepBins::merge(const DeepBins& other) {
  for (std::size_t kind = 0; kind < kLengthNames.size(); ++kind) {
    merge_planes(exact_[kind], other.exact_[kind]);
    merge_planes(ranges_[kind], other.ranges_[kind]);
  }
  merge_planes(links_hit_, other.links_hit_);
  merge_flags(fabric_hit_, other.fabric_hit_);
  merge_flags(widths_hit_, other.widths_hit_);
  for (std::size_t i = 0; i < pairs_hit_.size(); ++i) {
    merge_flags(pairs_hit_[i], other.pairs_hit_[i]);
  }
}

std::vector<CoverageGroup> DeepBins::groups() const {
  GroupList list;
  for (const LengthKind kind : {LengthKind::Stall, LengthKind::Idle}) {
    for (CoverageGroup& group : length_groups(kind)) list.add(std::move(group));
  }
  for (std::size_t i = 0; i < kDeepLinkNames.size(); ++i) {
    list.begin(std::string(kDeepLinkNames[i]));
    for (const Way& way : ways_) {
      list.bin(links_hit_[i].test(way.to.port, way.to.node),
               [&, i] { return fmt::format("{}: never {}", way.name, kDeepLinkNames[i]); });
    }
  }
  list.begin("resets and length of cases");
  for (std::size_t i = 0; i < kDeepFabricNames.size(); ++i) {
    list.bin(fabric_hit_[i] != 0, [i] { return fmt::format("never: {}", kDeepFabricNames[i]); });
  }
  list.begin("widths of resets");
  for (std::size_t i = 0; i < widths_hit_.size(); ++i) {
    list.bin(widths_hit_[i] != 0, [i] { return fmt::format("no reset of {} clocks", i + 1); });
  }
  for (unsigned depth = 1; depth <= kPairDepth; ++depth) {
    if (pairs_hit_[depth - 1].empty()) continue;
    list.begin(fmt::format("state and event, depth {}", depth));
    const std::vector<StatePair> all = reachable_pairs(depth);
    for (std::size_t i = 0; i < all.size(); ++i) {
      list.bin(pairs_hit_[depth - 1][i] != 0, [&] {
        return fmt::format("no link of depth {} with packets {}", depth, pair_name(all[i], depth));
      });
    }
  }
  return list.take();
}

std::vector<CoverageGroup> DeepBins::length_groups(LengthKind kind) const {
  const std::string_view name = kLengthNames[index(kind)];
  const auto lacks = [&](const BitPlane& plane) {
    return [&plane, kind](const Way& way) {
      const topology::MazePort& end = kind == LengthKind::Stall ? way.to : way.from;
      return !plane.test(end.port, end.node);
    };
  };
  GroupList list;
  list.begin(fmt::format("{} lengths on every {}", name, users_ ? "user" : "link"));
  for (std::size_t bin = 0; bin < kExactLengths; ++bin) {
    const auto missing = lacks(exact_[index(kind)][bin]);
    const auto first = std::find_if(ways_.begin(), ways_.end(), missing);
    list.bin(first == ways_.end(), [&] {
      return fmt::format("{} of {} cycles: {} {} without it, the first is {}", name,
                         exact_length(bin), std::count_if(first, ways_.end(), missing),
                         users_ ? "users" : "links", first->name);
    });
  }
  list.begin(fmt::format("{} lengths {}", name, users_ ? "by range" : "by depth and direction"));
  // In the order of direction and depth, which that of the names is.
  std::set<std::string> kinds;
  for (const Way& way : ways_) kinds.insert(way.kind);
  for (const std::string& of_kind : kinds) {
    for (std::size_t bin = 0; bin < kLengthRanges; ++bin) {
      const auto missing = lacks(ranges_[index(kind)][bin]);
      const bool hit = std::any_of(ways_.begin(), ways_.end(), [&](const Way& way) {
        return way.kind == of_kind && !missing(way);
      });
      list.bin(hit, [&] {
        const std::string lengths =
            bin + 1 == kLengthRanges
                ? "16384 or more"
                : fmt::format("{} to {}", std::uint64_t{1} << bin, (std::uint64_t{2} << bin) - 1);
        return fmt::format("no {} of {} cycles on {}", name, lengths, of_kind);
      });
    }
  }
  return list.take();
}

}  // namespace kernbench::sim
