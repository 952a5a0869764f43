// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace kernbench::sim {

/// A port of a node: a link in each direction, or at the last number A and B.
struct NodePort {
  unsigned node = 0;
  unsigned port = 0;
};

/// The first error of a network.
struct NetworkFailure {
  std::string text = {};  ///< one line; empty while nothing is
  std::uint64_t cycle = 0;
  std::optional<NodePort> at = {};
};

}  // namespace kernbench::sim
