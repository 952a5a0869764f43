#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "model/fabric/seam/fabric.hpp"
#include "model/fabric/seam/fabric_clock.hpp"

namespace kernbench::model::fabric {

/// A link that moves one packet a cycle, shared packet by packet: high QoS first, and within a
/// level the inputs of its node take turns. Whole rounds of turns are counted, not played, so that
/// it costs something only when a flow joins, leaves or is through; yet it says exactly at which
/// edge the last packet of each moves.
///
/// Time goes on with every call: `now` must not decrease, nor pass the edge of next().
class LinkServer {
 public:
  using FlowId = std::uint32_t;
  /// An input; they take turns in the order of these numbers.
  using Input = std::uint32_t;

  /// `packets` (at least 1) want to move from the edge after `now` on. Of the same input and QoS
  /// one flow follows the other, the one with the smallest `ticket` first.
  void join(FlowId flow, Qos qos, Input input, std::uint64_t ticket, std::uint64_t packets,
            Edge now);
  /// Takes a flow out; returns how many of its packets have not moved, of 0 if it is through.
  std::uint64_t leave(FlowId flow, Qos qos, Input input, Edge now);

  /// The edge at which a flow will be through, the first one; none when nothing moves.
  [[nodiscard]] std::optional<Edge> next() const;
  /// The flow whose last packet moved at `now`, if there is one that was not yet asked for.
  std::optional<FlowId> through(Edge now);

  /// Packets that have moved at edges up to and including `now`.
  [[nodiscard]] std::uint64_t moved(Edge now) const;

 private:
  struct Flow {
    FlowId id = 0;
    std::uint64_t ticket = 0;
    std::uint64_t packets = 0;  ///< that have not moved
  };
  struct Sharer {
    Input input = 0;
    Flow flow;
  };
  struct Level {
    std::vector<Sharer> sharers;  ///< by input
    Input last_turn = 0;          ///< as after reset: input 0 has had its turn
    std::vector<std::pair<Input, std::deque<Flow>>> behind;  ///< by ticket
  };
  [[nodiscard]] static std::size_t first_turn(const Level& level);
  /// Cycles until the first of the level is through.
  [[nodiscard]] static Edge until_through(const Level& level);
  [[nodiscard]] Level& level(Qos qos) { return levels_[static_cast<std::size_t>(qos)]; }
  [[nodiscard]] const Level& served_level() const {
    return levels_[levels_[1].sharers.empty() ? 0 : 1];
  }
  [[nodiscard]] static std::deque<Flow>* behind(Level& level, Input input);
  void advance(Edge now);
  void serve(Level& level, Edge cycles);
  static void remove(Level& level, std::size_t place);

  std::array<Level, 2> levels_;  ///< by QoS
  Edge at_ = 0;                  ///< up to which packets have moved
  std::uint64_t moved_ = 0;
  std::optional<FlowId> through_;
};

}  // namespace kernbench::model::fabric
