// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "common/units.hpp"

namespace kernbench::model::transport {

/// Times of the first and the last flit of a message that moves as a whole, those of the others are
/// even between them.
struct FlitTimes {
  common::SimTime first;
  common::SimTime last;
};

/// Receives the flits of messages at the end of their route, each when it has fully arrived.
class FlitReceiver {
 public:
  virtual ~FlitReceiver() = default;
  /// Flit `index` of `message` arrived at `arrival`. That is now, except at a memory with a single
  /// input wire: the memory is notified after `arrival`, but before its overhead has elapsed
  /// (WireTable::notice_delay()).
  virtual void on_flit(std::uint64_t message, std::uint64_t index, common::SimTime arrival) = 0;
  /// A message of several flits that moves as a whole will begin to arrive at `expected.first`. Its
  /// last flit arrives no earlier than expected.
  virtual void on_whole_begin(std::uint64_t /*message*/, const FlitTimes& /*expected*/) {}
  /// A message of `flits` flits that moves as a whole (Fidelity::Message) arrived: its first flit
  /// at `came.first`, and the last one now.
  virtual void on_whole(std::uint64_t message, std::uint64_t flits, const FlitTimes& came) {
    on_flit(message, flits - 1, came.last);
  }
};

/// Selects the flits of a message that are reported to its receiver. Unreported flits are cheaper
/// to simulate: they occupy every wire of their route, but need no event at its end.
enum class Notify : std::uint8_t { EachFlit, FirstAndLast };

}  // namespace kernbench::model::transport
