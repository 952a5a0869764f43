// SPDX-License-Identifier: Apache-2.0
#include "model/components/parts/memories.hpp"

#include <algorithm>
#include <variant>

#include "model/components/machine/machine.hpp"
#include "model/transport/wire_time.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::components {

namespace {

/// Serves a whole message by a memory of `channels` channels of `bw_gbs` together.
transport::FlitTimes serve_by(transport::WholeLoad& load, std::uint32_t channels, double bw_gbs,
                              std::uint64_t bytes, std::uint32_t flit_bytes,
                              const transport::FlitTimes& ready) {
  const auto flit = std::min<std::uint64_t>(bytes, flit_bytes) * channels;
  const common::SimTime one = transport::occupancy(flit, bw_gbs);
  const transport::FlitTimes served = load.serve(ready, transport::occupancy(bytes, bw_gbs), one);
  return {served.first, std::max(served.last, served.first)};
}

}  // namespace

HbmCtrl::HbmCtrl(Machine& machine, topology::NodeId node)
    : MemoryComponent(machine, node),
      flit_bytes_(machine.spec().system.flit_bytes),
      interleave_(machine.spec().cube.memory_map.hbm_interleave),
      slice_bw_gbs_(machine.spec().cube.memory_map.hbm_total_bw_gbs /
                    machine.spec().cube.memory_map.slices_per_cube),
      channels_(machine.spec().cube.memory_map.channels_per_slice) {}

Service HbmCtrl::serve(bool /*write*/, std::uint64_t address, std::uint32_t bytes,
                       common::SimTime ready, std::uint64_t transaction) {
  return channels_[channel_of(address)].serve(
      ready, transport::occupancy(bytes * channels_.size(), slice_bw_gbs_), transaction);
}

transport::FlitTimes HbmCtrl::serve_whole(bool /*write*/, std::uint64_t bytes,
                                          std::uint32_t flit_bytes,
                                          const transport::FlitTimes& ready) {
  return serve_by(whole_load_, channels(), slice_bw_gbs_, bytes, flit_bytes, ready);
}

std::uint32_t HbmCtrl::channel_of(std::uint64_t address) const {
  return topology::hbm_channel(interleave_, address / flit_bytes_, channels());
}

Service Sram::serve(bool /*write*/, std::uint64_t /*address*/, std::uint32_t bytes,
                    common::SimTime ready, std::uint64_t transaction) {
  return port_.serve(ready, transport::occupancy(bytes, machine().spec().cube.sram_bw_gbs),
                     transaction);
}

transport::FlitTimes Sram::serve_whole(bool /*write*/, std::uint64_t bytes,
                                       std::uint32_t flit_bytes,
                                       const transport::FlitTimes& ready) {
  return serve_by(whole_load_, 1, machine().spec().cube.sram_bw_gbs, bytes, flit_bytes, ready);
}

Service PeTcm::pass(bool write, std::uint64_t bytes, common::SimTime ready,
                    std::uint64_t transaction) {
  const topology::PeSpec& pe = machine().spec().pe;
  const double bw_gbs = write ? pe.pe_tcm_write_bw_gbs : pe.pe_tcm_read_bw_gbs;
  return (write ? write_ : read_).serve(ready, transport::occupancy(bytes, bw_gbs), transaction);
}

void PeTcm::on_message(Message message) {
  const auto* const request = std::get_if<TcmRequest>(&message.payload);
  if (request == nullptr) reject(message);
  const common::SimTime now = machine().simulation().now();
  const Service service = pass(request->write, request->bytes, now, message.label.transaction);
  record(message.label, now, service, trace::WaitReason::ChannelBusy,
         request->write ? Port::Write : Port::Read, request->bytes);
  if (request->cause != nullptr && machine().simulation().records_causes()) {
    *request->cause = machine().step_of(service, now, node(), message.label,
                                        trace::TimeUse::ChannelWait, trace::TimeUse::Service);
  }
  machine().simulation().schedule(service.end, *request->requester, request->argument);
}

transport::FlitTimes PeTcm::serve_whole(bool write, std::uint64_t bytes, std::uint32_t flit_bytes,
                                        const transport::FlitTimes& ready) {
  const topology::PeSpec& pe = machine().spec().pe;
  const double bw_gbs = write ? pe.pe_tcm_write_bw_gbs : pe.pe_tcm_read_bw_gbs;
  return serve_by(write ? whole_writes_ : whole_reads_, 1, bw_gbs, bytes, flit_bytes, ready);
}

Service PeTcm::serve(bool write, std::uint64_t /*address*/, std::uint32_t bytes,
                     common::SimTime ready, std::uint64_t transaction) {
  return pass(write, bytes, ready, transaction);
}

}  // namespace kernbench::model::components
