// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace kernbench::model::transport {

/// A flit at a node of its route. Wires queue very many flits, so a flit takes 8 bytes: the flits
/// of a message stay in order, and a flit's number is only derived at the end of its route.
struct Flit {
  /// Messages that can be in flight at once.
  static constexpr std::uint32_t kMaxFlows = std::uint32_t{1} << 28U;

  std::uint32_t hop;        ///< index of its next hop in the RouteTable
  std::uint32_t flow : 28;  ///< slot of its message
  bool is_first : 1;        ///< first flit of its message
  bool is_last : 1;
  bool is_full : 1;        ///< as large as flits get; only the last one of a message may be short
  bool is_unreported : 1;  ///< dropped at the end of its route without notifying the receiver
};

}  // namespace kernbench::model::transport
