// SPDX-License-Identifier: Apache-2.0
#include "model/transport/wire.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::transport {

using common::SimTime;

Wire::Wire(const WireTable& table, topology::EdgeId id) : notice_delay_(table.notice_delay(id)) {
  const topology::Edge& edge = table.graph().edge(id);
  const topology::SystemSpec& system = table.graph().spec().system;
  travel_ = propagation(edge.length_nm, system.wire_ns_per_mm);
  overhead_ = table.graph().node(edge.from).overhead;
  bw_gbs_ = edge.bw_gbs;
  flit_bytes_ = system.flit_bytes;
  full_flit_ = occupancy(flit_bytes_, bw_gbs_);
}

SimTime Wire::count_short(std::uint32_t bytes) {
  const SimTime busy = occupancy(bytes, bw_gbs_);
  ++short_flits_;
  short_bytes_ += bytes;
  short_busy_ += busy;
  return busy;
}

void Wire::carry_rest(std::uint64_t count, std::uint32_t last_bytes) {
  const SimTime last = last_bytes == flit_bytes_ ? full_flit_ : count_short(last_bytes);
  free_ += full_flit_ * static_cast<std::int64_t>(count - 1) + last;
  flits_ += count;
}

FlitTimes Wire::carry_whole(std::uint32_t message, const FlitTimes& ready, std::uint64_t count,
                            std::uint32_t last_bytes) {
  const SimTime last = last_bytes == flit_bytes_ ? full_flit_ : count_short(last_bytes);
  flits_ += count;
  const SimTime work = full_flit_ * static_cast<std::int64_t>(count - 1) + last;
  // A short last flit cannot overtake the full one before it.
  const FlitTimes left = whole_load_.serve(message, ready, work, count == 1 ? last : full_flit_);
  return {left.first + travel_, left.last + travel_};
}

WireUse Wire::use() const {
  const std::uint64_t full_flits = flits_ - short_flits_;
  WireUse use;
  use.flits = flits_;
  use.bytes = full_flits * flit_bytes_ + short_bytes_;
  use.busy = full_flit_ * static_cast<std::int64_t>(full_flits) + short_busy_;
  use.longest_wait = longest_wait_;
  return use;
}

}  // namespace kernbench::model::transport
