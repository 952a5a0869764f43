// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "maze/link_frame.hpp"

namespace kernbench::maze {

/// A MAZE network: its size, and how its nodes arbitrate.
struct NetworkConfig {
  Shape shape;
  /// High grants of an output, while a low request waits there, after which the next grant is low.
  /// 0 means no bound.
  unsigned high_bound = 16;
  /// The lowest input wins, in place of round robin.
  bool fixed_priority = false;
  /// Node without a clock (`pg_node` while `pg_en` is 1).
  std::optional<unsigned> failed = {};
};

/// Signals that the users of a network drive in one cycle. To them it is a fabric with one port a
/// node: they send at A (pkt_in: `out_valid`, `out_payload`) and receive at B (pkt_out:
/// `in_ready`). A packet is held until it is accepted.
struct NetworkInputs : TopoInputs {
  explicit NetworkInputs(const Shape& s) : TopoInputs(s, 1) {}
};

/// Signals that a network drives in the same cycle: `out_ready` of A, `in_valid` and `in_payload`
/// of B.
struct NetworkOutputs : TopoOutputs {
  explicit NetworkOutputs(const Shape& s) : TopoOutputs(s, 1) {}
};

}  // namespace kernbench::maze
