// SPDX-License-Identifier: Apache-2.0
#include "model/components/parts/memories.hpp"

#include <variant>

#include "model/components/machine/machine.hpp"
#include "model/transport/wire_time.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::components {

HbmCtrl::HbmCtrl(Machine& machine, topology::NodeId node)
    : MemoryComponent(machine, node),
      flit_bytes_(machine.spec().system.flit_bytes),
      interleave_(machine.spec().cube.memory_map.hbm_interleave),
      slice_bw_gbs_(machine.spec().cube.memory_map.slice_bw_gbs()),
      channels_(machine.spec().cube.memory_map.channels_per_slice) {}

Service HbmCtrl::serve(bool write, std::uint64_t address, std::uint32_t bytes,
                       common::SimTime ready, std::uint64_t transaction) {
  return channels_[channel_of(address)].serve(ready, duration(write, bytes), transaction);
}

common::SimTime HbmCtrl::duration(bool /*write*/, std::uint32_t bytes) const {
  return transport::occupancy(bytes * channels_.size(), slice_bw_gbs_);
}

std::uint32_t HbmCtrl::channel_of(std::uint64_t address) const {
  return topology::hbm_channel(interleave_, address / flit_bytes_, channels());
}

Service Sram::serve(bool write, std::uint64_t /*address*/, std::uint32_t bytes,
                    common::SimTime ready, std::uint64_t transaction) {
  return port_.serve(ready, duration(write, bytes), transaction);
}

common::SimTime Sram::duration(bool /*write*/, std::uint32_t bytes) const {
  return transport::occupancy(bytes, machine().spec().cube.sram_bw_gbs);
}

common::SimTime PeTcm::duration_of(bool write, std::uint64_t bytes) const {
  const topology::PeSpec& pe = machine().spec().pe;
  return transport::occupancy(bytes, write ? pe.pe_tcm_write_bw_gbs : pe.pe_tcm_read_bw_gbs);
}

Service PeTcm::pass(bool write, std::uint64_t bytes, common::SimTime ready,
                    std::uint64_t transaction) {
  return (write ? write_ : read_).serve(ready, duration_of(write, bytes), transaction);
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

Service PeTcm::serve(bool write, std::uint64_t /*address*/, std::uint32_t bytes,
                     common::SimTime ready, std::uint64_t transaction) {
  return pass(write, bytes, ready, transaction);
}

}  // namespace kernbench::model::components
