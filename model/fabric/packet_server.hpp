#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "model/fabric/fabric.hpp"
#include "model/fabric/fabric_clock.hpp"

namespace kernbench::model::fabric {

/// Something that moves one packet a cycle: a link, or a node's injection port. High QoS goes
/// before low; within a level, who comes first goes first, with all its packets. What low QoS was
/// promised is not taken back when high comes later; only those after it wait longer.
class PacketServer {
 public:
  /// The edge at which the first of some packets moves that get here at `arrive`. Their wait for
  /// those before them is multiplied by `wait_factor` and rounded; still, none overtakes another of
  /// its level, and a level moves no more than one in a cycle. Calls come in the order of `arrive`.
  Edge reserve(Edge arrive, std::uint64_t packets, Qos qos, double wait_factor) {
    const Edge free = qos == Qos::High ? free_for_high_ : free_for_low_;
    const Edge wait = free > arrive ? free - arrive : 0;
    if (qos == Qos::High) free_for_high_ = arrive + wait + packets;
    free_for_low_ = std::max(arrive, free_for_low_) + packets;
    reserved_ += packets;

    Edge& tail = tails_[static_cast<std::size_t>(qos)];
    const auto scaled =
        static_cast<Edge>(std::floor(static_cast<double>(wait) * wait_factor + 0.5));
    const Edge begin = std::max(arrive + scaled, tail);
    tail = begin + packets;
    return begin;
  }

  /// Packets that have moved at edges up to and including `now`, which no call came after, as if
  /// all wait factors were 1.
  [[nodiscard]] std::uint64_t moved(Edge now) const {
    return reserved_ - (free_for_low_ > now + 1 ? free_for_low_ - now - 1 : 0);
  }

 private:
  Edge free_for_high_ = 0;       ///< the first edge without packets of high QoS
  Edge free_for_low_ = 0;        ///< nor of low
  std::array<Edge, 2> tails_{};  ///< by level: after the last packet, with wait factors
  std::uint64_t reserved_ = 0;
};

}  // namespace kernbench::model::fabric
