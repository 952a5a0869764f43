// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "common/units.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::trace {

/// Identifies the transaction of a message or a piece of work.
struct Label {
  std::uint64_t transaction = 0;  ///< numbered from 1; 0 is none
  std::string_view what;          ///< "read request", for example; a string literal
};

/// Reason for a wait.
enum class WaitReason : std::uint8_t {
  None,
  WireBusy,     ///< the wire carried flits of another transaction
  ChannelBusy,  ///< a memory's channel served another transaction
  EngineBusy,   ///< a PE's engine worked on another transaction
  NoCredit,     ///< the receiver had no free slot
};
/// "", "wire busy", "channel busy", ...
[[nodiscard]] std::string_view name(WaitReason reason);

/// Stay of a transaction at a node.
struct HopRecord {
  Label label;
  topology::NodeId node;
  common::SimTime arrive;  ///< full arrival of the first flit; for work, when it was ordered
  common::SimTime depart;  ///< when the last flit left, or arrived at its destination; end of work
  common::SimTime wait;    ///< longest wait of a flit behind other transactions
  std::uint64_t behind = 0;  ///< transaction that caused the longest wait; 0 is none
  WaitReason why = WaitReason::None;
};

/// Collects the hops of a simulation, in the order in which they end.
class HopTrace {
 public:
  void add(const HopRecord& record) { records_.push_back(record); }
  [[nodiscard]] std::span<const HopRecord> records() const { return records_; }

  /// Returns a hash over all records in their order. Equal inputs give equal hashes with any
  /// compiler, build type and number of threads.
  [[nodiscard]] std::uint64_t hash() const;

 private:
  std::vector<HopRecord> records_;
};

}  // namespace kernbench::model::trace
