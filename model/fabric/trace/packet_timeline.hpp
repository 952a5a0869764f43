#pragma once

#include <cstddef>
#include <ostream>
#include <span>
#include <string>

#include "common/units.hpp"
#include "model/fabric/seam/fabric_clock.hpp"
#include "model/fabric/trace/packet_trace.hpp"
#include "model/trace/chrome_timeline.hpp"

namespace kernbench::model::fabric {

/// A part of simulated time, both ends included.
struct TimeWindow {
  common::SimTime begin;
  common::SimTime end = common::SimTime::max();
  /// Whether some of what lasts from `first` to `last` is in it.
  [[nodiscard]] bool shows(common::SimTime first, common::SimTime last) const {
    return last >= begin && first <= end;
  }
};

/// What went over a MAZE.
struct PacketTimeline {
  std::string title;  ///< in front of the names of its processes; "sip0 "
  const PacketTrace* trace = nullptr;
  FabricClock clock;
  TimeWindow window{};  ///< slices that are not in it at all are left out
};

/// Writes one Trace Event JSON of transactions, their transfers and the packets of these, all on
/// the time of the simulation: a process for each of `hops`, and for each of `fabrics` two:
///   "transfers", a track for each source node: slices from submission to completion,
///   "links", a track for each link: slices for packets, from the edge at which one enters to that
///   at which it leaves, and at least a period.
/// A slice of a packet names its transfer, that of a transfer its transaction, as the slices of
/// hops do. Arrows lead from a transfer to its first packet and from link to link. What is still
/// under way ends with the last edge of the trace.
void write_packet_timelines(std::span<const trace::Timeline> hops,
                            std::span<const PacketTimeline> fabrics, std::ostream& out);

}  // namespace kernbench::model::fabric
