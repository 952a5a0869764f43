// SPDX-License-Identifier: Apache-2.0
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

/// A link that moves one packet per cycle and is shared packet by packet. High QoS goes first;
/// within a QoS level the inputs of the link's node are served round-robin. Flows of the same input
/// and QoS follow each other.
///
/// Rounds are counted, not simulated. With k inputs at the served level, a flow with p packets left
/// whose input is the t-th of the current round (t = 1..k) moves its last packet after
///
///     (p - 1) * k + t
///
/// cycles. So the link does work only when a flow is added, is removed or completes, and still
/// yields the exact edge of each completion.
///
/// Calls with `now` advance the link to that edge: `now` must neither decrease nor pass
/// next_completion().
class LinkServer {
 public:
  using FlowId = std::uint32_t;
  /// An input of the link's node. Rounds serve inputs in the order of these numbers.
  using Input = std::uint32_t;

  /// Serves `packets` (at least 1) packets of a flow from the edge after `now` on. Among flows of
  /// the same input and QoS the smallest `ticket` goes first.
  void add(FlowId flow, Qos qos, Input input, std::uint64_t ticket, std::uint64_t packets,
           Edge now);
  /// Removes a flow. Returns its packets that have not moved: 0 for a completed flow.
  std::uint64_t remove(FlowId flow, Qos qos, Input input, Edge now);
  /// Returns the packets of a flow that have not moved: 0 for a completed flow.
  [[nodiscard]] std::uint64_t remaining(FlowId flow, Qos qos, Input input, Edge now);

  /// Returns the edge at which the next flow completes; none for an idle link.
  [[nodiscard]] std::optional<Edge> next_completion() const;
  /// Returns the flow that completed at `now`, once; none when no flow did.
  std::optional<FlowId> take_completed(Edge now);

  /// Returns the number of packets that have moved at edges up to and including `now`.
  [[nodiscard]] std::uint64_t packets_moved(Edge now) const;

 private:
  struct Share {
    FlowId flow = 0;
    std::uint64_t ticket = 0;
    std::uint64_t packets = 0;  ///< packets that have not moved
  };
  struct ActiveInput {
    Input input = 0;
    Share head;  ///< flow in service
  };
  struct Level {
    std::vector<ActiveInput> active;  ///< inputs with packets, in ascending order
    Input last_served = 0;            ///< after reset input 0, as in the nodes
    std::vector<std::pair<Input, std::deque<Share>>> waiting;  ///< flows behind a head, by ticket
  };

  [[nodiscard]] static std::size_t first_of_round(const Level& level);
  [[nodiscard]] static Edge cycles_to_completion(const Level& level);
  [[nodiscard]] Level& level(Qos qos) { return levels_[static_cast<std::size_t>(qos)]; }
  [[nodiscard]] const Level& served_level() const {
    return levels_[levels_[1].active.empty() ? 0 : 1];
  }
  [[nodiscard]] static std::deque<Share>* waiting_at(Level& level, Input input);
  [[nodiscard]] static std::size_t place_of(const Level& level, Input input);
  void advance(Edge now);
  void serve(Level& level, Edge most_cycles);
  static void remove_head(Level& level, std::size_t place);

  std::array<Level, 2> levels_;  ///< by QoS
  Edge at_ = 0;                  ///< edge to which the link has advanced
  std::uint64_t moved_ = 0;      ///< packets moved up to that edge
  std::optional<FlowId> completed_;
};

}  // namespace kernbench::model::fabric
