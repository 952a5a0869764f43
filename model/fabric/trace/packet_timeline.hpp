// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <ostream>
#include <span>
#include <string>

#include "common/units.hpp"
#include "model/fabric/seam/fabric_clock.hpp"
#include "model/fabric/trace/packet_history.hpp"
#include "model/trace/chrome_timeline.hpp"

namespace kernbench::model::fabric {

/// An interval of simulated time, both ends included.
struct TimeWindow {
  common::SimTime begin;
  common::SimTime end = common::SimTime::max();
  /// Returns true when the window overlaps the interval from `first` to `last`.
  [[nodiscard]] bool shows(common::SimTime first, common::SimTime last) const {
    return last >= begin && first <= end;
  }
};

/// The trace of one fabric to draw.
struct PacketTimeline {
  std::string title;  ///< prefix of the process names: "sip0 "
  const PacketHistory* trace = nullptr;
  FabricClock clock;
  TimeWindow window{};  ///< slices entirely outside are omitted
};

/// Writes one Trace Event JSON file of transactions, their transfers and the packets or flits of
/// the transfers, all in simulated time. It has one process for each of `hops` and two for each of
/// `fabrics`:
///   "transfers", with a track per source node: slices from submission to completion,
///   "links", with a track per link: slices from the edge at which a packet enters to the edge at
///   which it leaves, at least one period long.
/// The slice of a packet names its transfer, that of a flit also what it is; the slices of a
/// transfer and of a hop name their transaction. Arrows lead from a transfer to its first packet
/// and from link to link. Slices of incomplete transfers and packets end with the last edge of the
/// trace.
void write_packet_timelines(std::span<const trace::Timeline> hops,
                            std::span<const PacketTimeline> fabrics, std::ostream& out);

}  // namespace kernbench::model::fabric
