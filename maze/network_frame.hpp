// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

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

/// Signals that the users of a network drive in one cycle: bit node%64 of word node/64, and a
/// packet for each node.
struct NetworkInputs {
  explicit NetworkInputs(const Shape& s)
      : a_valid(s.words()), b_ready(s.words()), a_payload(s.nodes()) {}
  std::vector<std::uint64_t> a_valid;  ///< pkt_in_vld
  std::vector<std::uint64_t> b_ready;  ///< pkt_out_rdy
  std::vector<Payload> a_payload;      ///< meaningful where a_valid is 1, and held until accepted
};

/// Signals that a network drives in the same cycle.
struct NetworkOutputs {
  explicit NetworkOutputs(const Shape& s)
      : a_ready(s.words()), b_valid(s.words()), b_payload(s.nodes()) {}
  std::vector<std::uint64_t> a_ready;  ///< pkt_in_rdy
  std::vector<std::uint64_t> b_valid;  ///< pkt_out_vld
  std::vector<Payload> b_payload;      ///< meaningful where b_valid is 1
};

}  // namespace kernbench::maze
