#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "common/units.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::trace {

/// What a message or a piece of work belongs to.
struct Label {
  std::uint64_t transaction = 0;  ///< from 1 on; 0 is none
  std::string_view what;          ///< "read request"; a literal
};

/// What kept something from going on.
enum class WaitReason : std::uint8_t {
  None,
  WireBusy,     ///< flits of another transaction were on the wire
  ChannelBusy,  ///< a memory's channel served another transaction
  EngineBusy,   ///< a PE's engine worked on another transaction
  NoCredit,     ///< the receiver had no free slot
};
/// "", "wire busy", "channel busy", ...
[[nodiscard]] std::string_view name(WaitReason reason);

/// A transaction's stay at a node.
struct HopRecord {
  Label label;
  topology::NodeId node;
  common::SimTime arrive;    ///< the first flit, in full; or the work's order
  common::SimTime depart;    ///< the last flit has left, or arrived where the message ends; done
  common::SimTime wait;      ///< the longest that a flit of it stood behind other transactions
  std::uint64_t behind = 0;  ///< the transaction that it stood behind then; 0 is none
  WaitReason why = WaitReason::None;
};

/// Collects the hops of a simulation, in the order in which they end.
class HopTrace {
 public:
  void add(const HopRecord& record) { records_.push_back(record); }
  [[nodiscard]] std::span<const HopRecord> records() const { return records_; }

  /// Of all records in their order; the same for the same inputs with any compiler, build type and
  /// number of threads.
  [[nodiscard]] std::uint64_t hash() const;

 private:
  std::vector<HopRecord> records_;
};

}  // namespace kernbench::model::trace
