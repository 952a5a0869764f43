// SPDX-License-Identifier: Apache-2.0
#include "sim/debug/shrink.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "maze/packet_layout.hpp"
#include "topology/maze_links.hpp"

namespace kernbench::sim {
namespace {

// Cycles of a suffix that are tried first.
constexpr std::uint64_t kShortestSuffix = 16;
// Cycles of a reset and of the way through a design, which every trial costs.
constexpr std::uint64_t kCyclesOfTrial = 24;
constexpr int kMostRounds = 8;

/// Returns what is left of a script without its first `cut` run cycles.
Script suffix(const Script& script, std::uint64_t cut) {
  Script rest;
  rest.cycles = script.cycles - cut;
  for (ScriptPacket packet : script.packets) {
    if (packet.at < cut) continue;
    packet.at -= cut;
    rest.packets.push_back(packet);
  }
  for (ScriptStall stall : script.stalls) {
    if (stall.end <= cut) continue;
    stall.first = stall.first > cut ? stall.first - cut : 0;
    stall.end -= cut;
    rest.stalls.push_back(stall);
  }
  for (ResetEvent reset : script.resets) {
    if (reset.at < cut) continue;
    reset.at -= cut;
    rest.resets.push_back(reset);
  }
  return rest;
}

/// Returns a script without the packets before run cycle `cut` and the stalls that end before it.
Script without_early_events(Script script, std::uint64_t cut) {
  std::erase_if(script.packets, [&](const ScriptPacket& packet) { return packet.at < cut; });
  std::erase_if(script.stalls, [&](const ScriptStall& stall) { return stall.end <= cut; });
  return script;
}

/// Returns a script without the cycles `first` to `end` - 1, in which nothing begins.
Script without_cycles(const Script& script, std::uint64_t first, std::uint64_t end) {
  const std::uint64_t gone = end - first;
  const auto moved = [&](std::uint64_t at) {
    return at <= first ? at : at < end ? first : at - gone;
  };
  Script rest = script;
  rest.cycles -= gone;
  for (ScriptPacket& packet : rest.packets) packet.at = moved(packet.at);
  for (ScriptStall& stall : rest.stalls) {
    stall.first = moved(stall.first);
    stall.end = moved(stall.end);
  }
  std::erase_if(rest.stalls, [](const ScriptStall& stall) { return stall.first == stall.end; });
  for (ResetEvent& reset : rest.resets) reset.at = moved(reset.at);
  return rest;
}

class Search {
 public:
  Search(const std::function<bool(const Script&)>& fails, const ShrinkLimits& limits)
      : fails_(fails), limits_(limits) {}

  ShrunkScript run(Script script) {
    best_ = std::move(script);
    // Long suffixes cost as much as the whole script.
    if (!cut_front(best_.cycles / kShortestSuffix)) {
      drop_early_events();
      (void)cut_front(best_.cycles);
    }
    for (int round = 0; round < kMostRounds && !exhausted(); ++round) {
      const Script before = best_;
      remove_parts(&Script::packets);
      remove_parts(&Script::stalls);
      remove_parts(&Script::resets);
      shorten_stalls();
      shorten_gaps();
      if (best_ == before) break;
    }
    simplify_packets();
    return {best_, trials_, cycles_, !exhausted()};
  }

 private:
  [[nodiscard]] bool exhausted() const {
    return trials_ >= limits_.trials || cycles_ >= limits_.cycles;
  }

  /// Takes a script over if it fails for the same reason.
  bool accept(Script script) {
    if (exhausted()) return false;
    ++trials_;
    cycles_ += script.cycles + kCyclesOfTrial;
    if (!fails_(script)) return false;
    best_ = std::move(script);
    return true;
  }

  /// Keeps the last cycles only, fewer than `most`: first few, then more, then as few as do.
  /// Returns whether some do.
  bool cut_front(std::uint64_t most) {
    const Script whole = best_;
    std::uint64_t enough = kShortestSuffix;
    std::uint64_t too_short = 0;
    while (enough < most && !accept(suffix(whole, whole.cycles - enough))) {
      too_short = enough;
      enough *= 2;
    }
    if (enough >= most) {
      if (most < whole.cycles) return false;
      enough = most;
    }
    while (enough - too_short > 1 && !exhausted()) {
      const std::uint64_t middle = too_short + (enough - too_short) / 2;
      (accept(suffix(whole, whole.cycles - middle)) ? enough : too_short) = middle;
    }
    return true;
  }

  /// Keeps the last events only, at their times: what a fault that is due in a certain cycle needs.
  void drop_early_events() {
    const Script whole = best_;
    for (std::uint64_t kept = kShortestSuffix; kept < whole.cycles; kept *= kShortestSuffix) {
      if (accept(without_early_events(whole, whole.cycles - kept))) return;
    }
  }

  /// Removes parts, larger ones first.
  template <typename Part>
  void remove_parts(std::vector<Part> Script::*parts) {
    if (!(best_.*parts).empty()) {
      Script none = best_;
      (none.*parts).clear();
      if (accept(std::move(none))) return;
    }
    for (std::size_t size = (best_.*parts).size() / 2; size != 0; size /= 2) {
      for (std::size_t at = 0; at < (best_.*parts).size() && !exhausted();) {
        Script less = best_;
        auto& list = less.*parts;
        const auto first = list.begin() + static_cast<std::ptrdiff_t>(at);
        list.erase(first, first + static_cast<std::ptrdiff_t>(std::min(size, list.size() - at)));
        if (!accept(std::move(less))) at += size;
      }
    }
  }

  void shorten_stalls() {
    for (std::size_t i = 0; i < best_.stalls.size(); ++i) {
      // The shortest that does: a fault that counts stalled cycles shows its number.
      std::uint64_t too_short = 0;
      while (!exhausted()) {
        const ScriptStall& now = best_.stalls[i];
        const std::uint64_t length = now.end - now.first;
        if (length - too_short <= 1) break;
        const std::uint64_t middle = too_short + (length - too_short) / 2;
        if (!accept(without_cycles(best_, now.first + middle, now.end))) {
          // Other events may have to keep their times.
          Script less = best_;
          less.stalls[i].end = less.stalls[i].first + middle;
          if (!accept(std::move(less))) too_short = middle;
        }
        if (i >= best_.stalls.size()) return;
      }
    }
  }

  /// Shortens the times in which nothing begins or ends.
  void shorten_gaps() {
    for (std::size_t i = 0;; ++i) {
      std::vector<std::uint64_t> events{0, best_.cycles};
      for (const ScriptPacket& packet : best_.packets) events.push_back(packet.at);
      for (const ScriptStall& stall : best_.stalls) {
        events.push_back(stall.first);
        events.push_back(stall.end);
      }
      for (const ResetEvent& reset : best_.resets) events.push_back(reset.at);
      std::sort(events.begin(), events.end());
      events.erase(std::unique(events.begin(), events.end()), events.end());
      if (i + 1 >= events.size() || exhausted()) return;
      const std::uint64_t first = events[i];
      std::uint64_t kept = 0;  // of the gap, too few
      if (accept(without_cycles(best_, first, events[i + 1]))) {
        --i;
        continue;
      }
      std::uint64_t length = events[i + 1] - first;
      while (length - kept > 1 && !exhausted()) {
        const std::uint64_t middle = kept + (length - kept) / 2;
        if (accept(without_cycles(best_, first + middle, first + length))) {
          length = middle;
        } else {
          kept = middle;
        }
      }
    }
  }

  /// Numbers the packets where their bits do not matter.
  void simplify_packets() {
    for (std::size_t i = 0; i < best_.packets.size() && i < 16; ++i) {
      Script plain = best_;
      maze::Payload& packet = plain.packets[i].packet;
      packet = (packet & ~limits_.plain) | ((i + 1) & limits_.plain);
      (void)accept(std::move(plain));
    }
  }

  const std::function<bool(const Script&)>& fails_;
  ShrinkLimits limits_;
  Script best_;
  unsigned trials_ = 0;
  std::uint64_t cycles_ = 0;
};

/// Moves nodes to rows and columns of a smaller MAZE.
class Move {
 public:
  Move(const Script& script, const Unit& unit, const maze::Shape& from, const maze::Shape& to,
       bool network)
      : script_(script),
        unit_(unit),
        from_(from),
        to_(to),
        network_(network),
        links_(from.nx, from.ny),
        small_links_(to.nx, to.ny),
        layout_(from),
        small_layout_(to) {
    use(unit.at.node);
    if (unit.kind == Unit::Kind::Link) use(links_.leaving(unit.at.node, unit.at.port).to.node);
    for (const ScriptPacket& packet : script.packets) {
      use(packet.from.node);
      if (!network) use(links_.leaving(packet.from.node, packet.from.port).to.node);
      if (network) use(layout_.node(layout_.tgt(packet.packet)));
    }
    for (const ScriptStall& stall : script.stalls) {
      use(stall.to.node);
      if (!network) use(links_.arriving(stall.to.node, stall.to.port).from.node);
    }
  }

  /// Leaves out the rows and columns that are not used if it `closes` up.
  [[nodiscard]] std::optional<MovedScript> run(bool closes) {
    closes_ = closes;
    if (!fits(columns_, to_.nx) || !fits(rows_, to_.ny)) return std::nullopt;
    MovedScript moved{script_, unit_};
    for (ScriptPacket& packet : moved.script.packets) {
      packet.from = network_ ? LinkEnd{node(packet.from.node), 0} : sender(packet.from);
      packet.packet = network_ ? aimed(packet.packet) : packet.packet & small_layout_.packet_mask();
    }
    for (ScriptStall& stall : moved.script.stalls) {
      stall.to = network_ ? LinkEnd{node(stall.to.node), 0} : receiver(stall.to);
    }
    moved.unit.at =
        unit_.kind == Unit::Kind::Link ? sender(unit_.at) : LinkEnd{node(unit_.at.node), 0};
    return moved;
  }

 private:
  void use(unsigned node) {
    columns_.insert(links_.x_of(node));
    rows_.insert(links_.y_of(node));
  }
  [[nodiscard]] bool fits(const std::set<unsigned>& used, unsigned size) const {
    return (closes_ ? used.size() : *used.rbegin() - *used.begin() + 1) <= size;
  }
  [[nodiscard]] unsigned place(const std::set<unsigned>& used, unsigned at) const {
    return closes_ ? static_cast<unsigned>(std::distance(used.begin(), used.find(at)))
                   : at - *used.begin();
  }
  [[nodiscard]] unsigned node(unsigned node) const {
    return small_links_.node_at(place(rows_, links_.y_of(node)),
                                place(columns_, links_.x_of(node)));
  }
  [[nodiscard]] topology::MazeLink link(const topology::MazeLink& link) const {
    const unsigned from = node(link.from.node);
    const unsigned to = node(link.to.node);
    unsigned port = 0;
    while (small_links_.leaving(from, port).to.node != to) ++port;
    return small_links_.leaving(from, port);
  }
  [[nodiscard]] LinkEnd sender(const LinkEnd& end) const {
    const topology::MazePort port = link(links_.leaving(end.node, end.port)).from;
    return {port.node, port.port};
  }
  [[nodiscard]] LinkEnd receiver(const LinkEnd& end) const {
    const topology::MazePort port = link(links_.arriving(end.node, end.port)).to;
    return {port.node, port.port};
  }
  [[nodiscard]] maze::Payload aimed(maze::Payload packet) const {
    maze::PacketFields fields = layout_.decode(packet);
    fields.tgt = small_layout_.address(node(layout_.node(fields.tgt)));
    const unsigned source = layout_.node(fields.src);
    const bool is_used = source < from_.nodes() && columns_.count(links_.x_of(source)) != 0 &&
                         rows_.count(links_.y_of(source)) != 0;
    fields.src = is_used ? small_layout_.address(node(source)) : 0;
    return small_layout_.encode(fields);
  }

  const Script& script_;
  const Unit& unit_;
  const maze::Shape& from_;
  const maze::Shape& to_;
  bool network_;
  topology::MazeLinks links_, small_links_;
  maze::PacketLayout layout_, small_layout_;
  std::set<unsigned> columns_, rows_;
  bool closes_ = false;
};

}  // namespace

ShrunkScript shrink(const Script& script, const std::function<bool(const Script&)>& fails,
                    const ShrinkLimits& limits) {
  return Search(fails, limits).run(script);
}

std::vector<MovedScript> moved_scripts(const Script& script, const Unit& unit,
                                       const maze::Shape& from, const maze::Shape& to,
                                       bool network) {
  Move move(script, unit, from, to, network);
  std::vector<MovedScript> found;
  for (const bool closes : {false, true}) {
    auto moved = move.run(closes);
    const bool is_new = moved && (found.empty() || found.front().script != moved->script);
    if (is_new) found.push_back(*std::move(moved));
  }
  return found;
}

}  // namespace kernbench::sim
