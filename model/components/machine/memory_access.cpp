// SPDX-License-Identifier: Apache-2.0
#include "model/components/machine/memory_access.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "model/components/machine/machine.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::components {

using common::SimTime;
using transport::Flits;

MemoryAccesses::MemoryAccesses(Machine& machine)
    : machine_(machine), channel_loads_(machine.spec().system.sips) {}

void MemoryAccesses::submit(const AccessRequest& request, AccessListener* listener) {
  RoutedAccess access;
  access.write = request.write;
  access.route = &machine_.network().route(request.route);
  access.address = request.address;
  access.bytes = request.bytes;
  access.transaction = request.transaction;
  access.source = request.source;
  submit(access, listener);
}

void MemoryAccesses::submit(const RoutedAccess& asked, AccessListener* listener) {
  if (asked.bytes == 0) throw std::invalid_argument("an access must have at least one byte");
  if (asked.row_stride < asked.row_bytes) {
    throw std::invalid_argument("the rows of an access must not overlap");
  }
  const topology::SystemSpec& system = machine_.spec().system;
  MemoryComponent& memory = machine_.memory(machine_.graph().edge(asked.route->edges.back()).to);
  const std::uint32_t id = accesses_.take();
  Access& access = accesses_[id];
  access = Access{};
  access.asked = asked;
  if (asked.row_bytes == 0) access.asked.row_bytes = asked.bytes;
  if (asked.transaction == 0) access.asked.transaction = machine_.new_transaction();
  machine_.note(access.asked.transaction, asked.write ? "write" : "read");
  access.listener = listener;
  access.times.submitted = machine_.simulation().now();
  access.memory = &memory;
  const topology::Node& requester =
      machine_.graph().node(machine_.graph().edge(asked.route->edges.front()).from);
  if (requester.pe != topology::kNoIndex) {
    channel_loads_.add(requester.sip, access.asked, memory, system.flit_bytes);
  }
  const Flits data{asked.bytes, system.flit_bytes};
  access.to_serve = data.count();
  access.response_flits =
      asked.write ? Flits{system.request_bytes, system.flit_bytes}.count() : data.count();
  const trace::Label label{access.asked.transaction, asked.write ? "write data" : "read request"};
  machine_.network().send(
      *asked.route, asked.write ? asked.bytes : system.request_bytes, *this, id, label,
      asked.source, asked.write ? transport::Notify::EachFlit : transport::Notify::FirstAndLast);
}

void MemoryAccesses::on_flit(std::uint64_t message, std::uint64_t index, SimTime came) {
  const auto id = static_cast<std::uint32_t>(message);
  Access& access = accesses_[id];
  const topology::SystemSpec& system = machine_.spec().system;
  if (access.responding) {
    take_response(id, access, index);
  } else if (access.asked.write) {
    serve_write(id, access, index, came);
  } else if (Flits{system.request_bytes, system.flit_bytes}.is_last(index)) {
    serve_read(id, access, came);
  }
}

void MemoryAccesses::on_whole_begin(std::uint64_t message, const transport::FlitTimes& expected) {
  const auto id = static_cast<std::uint32_t>(message);
  Access& access = accesses_[id];
  if (access.responding || !access.asked.write) return;
  const SimTime overhead = machine_.graph().node(access.memory->node()).overhead;
  for (const ChannelWork& work : channel_works(access)) {
    access.memory->whole_load(true, work.channel)
        .serve(id, {expected.first + overhead, expected.last + overhead}, work.time, work.longest);
  }
}

void MemoryAccesses::on_whole(std::uint64_t message, std::uint64_t flits,
                              const transport::FlitTimes& came) {
  const auto id = static_cast<std::uint32_t>(message);
  Access& access = accesses_[id];
  if (access.responding) {
    access.times.first_response = came.first;
    return take_response(id, access, flits - 1);
  }
  const bool write = access.asked.write;
  const SimTime ready = came.last + machine_.graph().node(access.memory->node()).overhead;
  transport::FlitTimes served{SimTime::max(), {}};
  for (const ChannelWork& work : channel_works(access)) {
    transport::WholeLoad& load = access.memory->whole_load(write, work.channel);
    if (write && flits > 1) {  // booked by on_whole_begin()
      served.last = std::max(served.last, load.finish(id, ready, work.longest));
      continue;
    }
    const transport::FlitTimes part = load.serve(id, {ready, ready}, work.time, work.longest);
    served = {std::min(served.first, part.first), std::max(served.last, part.last)};
  }
  access.responding = true;
  const transport::Route& back = machine_.network().reversed(*access.asked.route);
  if (write) {
    machine_.network().send_whole(back, machine_.spec().system.request_bytes, *this, id,
                                  {served.last, served.last});
  } else {
    machine_.network().send_whole(back, access.asked.bytes, *this, id, served);
  }
}

const std::vector<MemoryAccesses::ChannelWork>& MemoryAccesses::channel_works(
    const Access& access) {
  const RoutedAccess& asked = access.asked;
  const std::uint64_t flit_bytes = machine_.spec().system.flit_bytes;
  const std::uint64_t group_bytes = access.memory->channels() * flit_bytes;
  const SimTime full = access.memory->duration(asked.write, machine_.spec().system.flit_bytes);
  works_.assign(access.memory->channels(), {});
  std::uint64_t groups = 0;  // of as many flits as there are channels: each serves one
  for (std::uint64_t offset = 0; offset < asked.bytes;) {
    const auto [address, rest] = asked.rest_of_row(offset);
    if (rest >= group_bytes && offset % flit_bytes == 0 && address % group_bytes == 0) {
      groups += rest / group_bytes;
      offset += rest / group_bytes * group_bytes;
      continue;
    }
    const std::uint64_t part = std::min(rest, flit_bytes - offset % flit_bytes);
    const SimTime time =
        part == flit_bytes ? full
                           : access.memory->duration(asked.write, static_cast<std::uint32_t>(part));
    ChannelWork& work = works_[access.memory->channel_of(address)];
    work.time += time;
    work.longest = std::max(work.longest, time);
    offset += part;
  }
  for (std::uint32_t channel = 0; channel < works_.size(); ++channel) {
    works_[channel].channel = channel;
    if (groups == 0) continue;
    works_[channel].time += full * static_cast<std::int64_t>(groups);
    works_[channel].longest = full;
  }
  std::erase_if(works_, [](const ChannelWork& work) { return work.time == SimTime(); });
  return works_;
}

void MemoryAccesses::serve(Access& access, std::uint64_t index, SimTime came) {
  const topology::NodeId node = access.memory->node();
  const SimTime ready = came + machine_.graph().node(node).overhead;
  const Flits data{access.asked.bytes, machine_.spec().system.flit_bytes};
  SimTime busy;
  const Service service =
      serve_flit(access, index * data.flit_bytes, data.size(index), ready, busy);
  if (PartMeters* const meters = machine_.meters(); meters != nullptr) {
    meters->add(node, access.memory->port(access.asked.write),
                {service.start - ready, busy, data.size(index), access.memory->channels()});
  }
  if (service.end > access.served) {
    access.served = service.end;  // flits leave in address order
    access.slowest = service;
  }
  trace::HopRecord& record = access.service;
  if (index == 0) record.arrive = came;
  if (service.behind != 0 && service.start - ready > record.wait) {
    record.wait = service.start - ready;
    record.behind = service.behind;
    record.why = trace::WaitReason::ChannelBusy;
  }
}

Service MemoryAccesses::serve_flit(const Access& access, std::uint64_t offset, std::uint32_t bytes,
                                   SimTime ready, SimTime& busy) {
  Service all;
  for (const std::uint64_t end = offset + bytes; offset < end;) {
    const RoutedAccess::Run rest = access.asked.rest_of_row(offset);
    const std::uint64_t part = std::min(end - offset, rest.bytes);
    const Service service =
        access.memory->serve(access.asked.write, rest.address, static_cast<std::uint32_t>(part),
                             ready, access.asked.transaction);
    if (service.end > all.end) all = service;
    busy += service.end - service.start;
    offset += part;
  }
  return all;
}

void MemoryAccesses::serve_read(std::uint32_t id, Access& access, SimTime came) {
  access.responding = true;
  transport::Network& network = machine_.network();
  const std::uint32_t flow =
      network.open(network.reversed(*access.asked.route), access.asked.bytes, *this, id,
                   {access.asked.transaction, "read data"}, transport::Notify::FirstAndLast);
  for (std::uint64_t i = 0; i < access.to_serve; ++i) {
    serve(access, i, came);
    network.deliver_flit(flow, access.served);
  }
  network.set_cause(flow, service_step(access, came));
  record_service(access);
}

void MemoryAccesses::serve_write(std::uint32_t id, Access& access, std::uint64_t index,
                                 SimTime came) {
  serve(access, index, came);
  if (--access.to_serve != 0) return;
  access.responding = true;
  transport::Network& network = machine_.network();
  const std::uint32_t flow = network.open(
      network.reversed(*access.asked.route), machine_.spec().system.request_bytes, *this, id,
      {access.asked.transaction, "acknowledgement"}, transport::Notify::FirstAndLast);
  for (std::uint64_t i = 0; i < access.response_flits; ++i) {
    network.deliver_flit(flow, access.served);
  }
  network.set_cause(flow, service_step(access, came));
  record_service(access);
}

engine::Cause MemoryAccesses::service_step(const Access& access, SimTime came) {
  const auto step = machine_.step_to(
      access.served, {access.asked.transaction, access.asked.write ? "write" : "read"});
  if (step == nullptr) return nullptr;
  const std::uint32_t node = access.memory->node().value();
  const SimTime overhead = machine_.graph().node(access.memory->node()).overhead;
  const SimTime ready = came + overhead;
  const SimTime start = std::max(ready, access.slowest.start);
  step->add(trace::TimeUse::Overhead, node, overhead);
  step->add_wait(trace::TimeUse::ChannelWait, node, start - ready,
                 machine_.label_of(access.slowest.behind));
  step->add(trace::TimeUse::Service, node, access.served - start);
  return step;
}

void MemoryAccesses::record_service(Access& access) {
  access.service.label = {access.asked.transaction, access.asked.write ? "write" : "read"};
  access.service.node = access.memory->node();
  access.service.depart = access.served;
  machine_.record(access.service);
}

void MemoryAccesses::take_response(std::uint32_t id, Access& access, std::uint64_t index) {
  const SimTime now = machine_.simulation().now();
  if (!access.times.first_response) access.times.first_response = now;
  if (index + 1 != access.response_flits) return;
  access.times.done = now;
  AccessListener* listener = access.listener;
  const AccessTimes times = access.times;
  accesses_.release(id);
  if (listener != nullptr) listener->on_access_done(times);
}

}  // namespace kernbench::model::components
