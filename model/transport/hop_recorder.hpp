// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "common/units.hpp"
#include "model/trace/hop_trace.hpp"
#include "model/transport/flit.hpp"
#include "model/transport/route_table.hpp"

namespace kernbench::model::transport {

/// Times of a flit at the wire that it takes.
struct Crossing {
  common::SimTime arrival;  ///< at the node where the wire begins
  common::SimTime ready;
  common::SimTime start;
  common::SimTime end;  ///< the flit has left the node
};

/// Records the stay of each message at each node of its route, and adds the records to a trace when
/// the message ends.
class HopRecorder {
 public:
  /// Both must outlive the recorder.
  HopRecorder(const topology::TopologyGraph& graph, trace::HopTrace& trace);

  /// A message begins in slot `flow`.
  void begin_message(std::uint32_t flow, const Route& route, const trace::Label& label);
  void record_crossing(const Flit& flit, std::uint32_t wire, const Crossing& crossing);
  /// The last flit of the message leaves the source at `time`.
  void record_departure(std::uint32_t flow, common::SimTime time);
  void record_fabric_entry(const Flit& flit, common::SimTime time);
  void record_fabric_exit(const Flit& flit, common::SimTime time);
  /// The first flit of the message arrives at the end of its route.
  void record_first_arrival(std::uint32_t flow, common::SimTime time);
  /// The last flit arrives.
  void end_message(std::uint32_t flow, common::SimTime time);

 private:
  struct Message {
    const Route* route = nullptr;
    trace::Label label;
    std::vector<trace::HopRecord> stays;  ///< by hop, and one at the end of the route
  };

  /// Returns the record of the node that the flit is at.
  [[nodiscard]] trace::HopRecord& stay_of(const Flit& flit);

  const topology::TopologyGraph& graph_;
  trace::HopTrace& trace_;
  std::vector<Message> messages_;             ///< by slot
  std::vector<std::uint64_t> last_occupant_;  ///< by wire: the transaction of its last flit
};

}  // namespace kernbench::model::transport
