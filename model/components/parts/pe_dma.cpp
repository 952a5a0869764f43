// SPDX-License-Identifier: Apache-2.0
#include "model/components/parts/pe_dma.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>
#include <variant>

#include "model/components/machine/machine.hpp"
#include "model/components/parts/pe_mmu.hpp"
#include "model/engine/occurrence.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::components {

using common::SimTime;
using engine::Process;
using topology::NodeKind;

namespace {

/// Returns the rows of a rectangle of a tensor, or a single row if they are contiguous.
MemoryRows rows_of(const TensorPlace& tensor, const TileRegion& region) {
  MemoryRows rows;
  rows.stride = tensor.columns * tensor.element_bytes;
  rows.address = tensor.address + region.row * rows.stride + region.column * tensor.element_bytes;
  rows.bytes = region.columns * tensor.element_bytes;
  rows.count = region.rows;
  if (region.columns == tensor.columns) {
    rows.bytes *= rows.count;
    rows.stride = rows.bytes;
    rows.count = 1;
  }
  return rows;
}

/// Appends a row to one of the last `open` accesses if that is of the same memory, has rows of the
/// same length and keeps the stride, otherwise adds an access.
void add_row(std::vector<MemoryRows>& accesses, const memory::AccessPiece& row, std::size_t open) {
  for (std::size_t i = accesses.size(); i > 0 && accesses.size() - i < open; --i) {
    MemoryRows& last = accesses[i - 1];
    if (last.node != row.node) continue;
    if (last.bytes != row.bytes) break;
    if (last.count == 1 && row.offset >= last.address + last.bytes) {
      last.stride = row.offset - last.address;
      last.count = 2;
      return;
    }
    if (last.count > 1 && row.offset == last.address + last.count * last.stride) {
      ++last.count;
      return;
    }
    break;
  }
  accesses.push_back({row.node, row.offset, row.bytes, 1, row.bytes});
}

}  // namespace

PeDma::PeDma(Machine& machine, topology::NodeId node)
    : PeEngine(machine, node),
      read_(machine.simulation(), fmt::format("{} read", name())),
      write_(machine.simulation(), fmt::format("{} write", name())) {}

void PeDma::on_message(Message message) {
  if (const auto* const order = std::get_if<DmaOrder>(&message.payload)) {
    IpcqTransfer& transfer = *order->transfer;
    if (transfer.kind == IpcqTransfer::Kind::Send) {
      spawn("send", send(transfer));
    } else {
      spawn("receive", receive(transfer));
    }
  } else if (std::holds_alternative<IpcqData>(message.payload)) {
    spawn("inbound", take_in(std::move(message)));
  } else {
    PeEngine::on_message(std::move(message));
  }
}

void PeDma::accept(TileToken& token) {
  spawn(token.at().kind == StageKind::DmaWrite ? "write" : "read", transfer(token));
}

void PeDma::spawn(std::string_view what, Process process) {
  machine().simulation().spawn(fmt::format("{} {}", name(), what), std::move(process));
}

Process PeDma::transfer(TileToken& token) {
  engine::Simulation& simulation = machine().simulation();
  const SimTime arrive = simulation.now();
  const bool write = token.at().kind == StageKind::DmaWrite;
  Port& port = write ? write_ : read_;
  engine::Lease lease = co_await port.resource.acquire();
  Service service = take(port, token.transaction);
  token.served = service.start;
  const SimTime translation = SimTime::from_ns(machine().spec().pe.pe_mmu_tlb_overhead_ns);
  co_await simulation.delay(translation);
  add_step({token.transaction, "translation"}, trace::TimeUse::Overhead,
           machine().sibling(node(), NodeKind::PeMmu).value(), translation);
  AccessGroup group(machine(), fmt::format("the memory of {}", name()));
  for (const MemoryRows& rows : accesses_of(token)) {
    RoutedAccess access =
        request(write, rows.node, rows.address, rows.bytes * rows.count, token.transaction);
    access.row_bytes = rows.bytes;
    access.row_stride = rows.stride;
    group.submit(access);
  }
  co_await group.done();
  lease.release();
  service.end = simulation.now();
  record({token.transaction, write ? "dma write" : "dma read"}, arrive, service,
         trace::WaitReason::EngineBusy, write ? components::Port::Write : components::Port::Read,
         token.at().bytes);
  advance(token);
}

Process PeDma::send(IpcqTransfer& order) {
  engine::Simulation& simulation = machine().simulation();
  const SimTime arrive = simulation.now();
  engine::Lease lease = co_await write_.resource.acquire();
  Service service = take(write_, order.transaction);
  AccessGroup group(machine(), fmt::format("the TCM of {}", name()));
  const topology::NodeId tcm = machine().sibling(node(), NodeKind::PeTcm);
  group.submit(request(false, tcm, 0, order.bytes, order.transaction));
  co_await group.done();
  const transport::Route& route = route_to(order.peer_dma);
  const SimTime left =
      machine().send(route, order.bytes, {order.transaction, "ipcq data"}, order.data);
  const SimTime departure = left - simulation.now();
  co_await simulation.delay(departure);
  add_step({order.transaction, "departure of ipcq data"}, trace::TimeUse::Wire,
           route.edges.front().value(), departure);
  lease.release();
  service.end = simulation.now();
  record({order.transaction, "send"}, arrive, service, trace::WaitReason::EngineBusy,
         components::Port::Write, order.bytes);
  send_to(NodeKind::PeIpcq, {order.transaction, "sent"}, DmaOrder{&order});
}

Process PeDma::receive(IpcqTransfer& order) {
  const SimTime arrive = machine().simulation().now();
  engine::Lease lease = co_await read_.resource.acquire();
  Service service = take(read_, order.transaction);
  AccessGroup group(machine(), fmt::format("the slot of {}", name()));
  submit(group, false, order.pa, order.bytes, order.transaction);
  co_await group.done();
  lease.release();
  service.end = machine().simulation().now();
  record({order.transaction, "receive"}, arrive, service, trace::WaitReason::EngineBusy,
         components::Port::Read, order.bytes);
  send_to(NodeKind::PeIpcq, {order.transaction, "received"}, DmaOrder{&order});
}

Process PeDma::take_in(Message message) {
  const IpcqData data = std::get<IpcqData>(message.payload);
  const std::uint64_t transaction = message.label.transaction;
  const SimTime arrive = machine().simulation().now();
  engine::Lease lease = co_await write_.resource.acquire();
  Service service = take(write_, transaction);
  AccessGroup group(machine(), fmt::format("the slot of {}", name()));
  submit(group, true, data.pa, data.bytes, transaction);
  co_await group.done();
  lease.release();
  service.end = machine().simulation().now();
  record({transaction, "inbound"}, arrive, service, trace::WaitReason::EngineBusy,
         components::Port::Write, data.bytes);
  send_to(NodeKind::PeIpcq, {transaction, "arrived"}, data);
}

void PeDma::add_step(const trace::Label& label, trace::TimeUse use, std::uint32_t place,
                     SimTime time) const {
  engine::Simulation& simulation = machine().simulation();
  auto step = machine().step_to(simulation.now(), label);
  if (step == nullptr) return;
  step->add(use, place, time);
  simulation.set_cause(std::move(step));
}

Service PeDma::take(Port& port, std::uint64_t transaction) const {
  Service service;
  service.start = machine().simulation().now();
  service.behind = port.holder;
  port.holder = transaction;
  return service;
}

std::vector<MemoryRows> PeDma::accesses_of(const TileToken& token) const {
  const auto& work = std::get<PipelineWork>(token.command->work);
  const memory::PageTable& table =
      machine().component_as<PeMmu>(machine().sibling(node(), NodeKind::PeMmu)).table();
  const topology::MemoryMapSpec& memories = machine().spec().cube.memory_map;
  const auto resolve = [&](std::uint64_t address, std::uint64_t bytes) {
    return resolve_access(table, address, bytes, machine().resolver(), memories);
  };
  std::vector<MemoryRows> found;
  for (const TileOperand& operand : token.at().operands) {
    MemoryRows rows = rows_of(work.tensors.at(operand.tensor), operand.region);
    const std::uint64_t span = (rows.count - 1) * rows.stride + rows.bytes;
    // If the whole span, gaps between rows included, is one piece, so is each row.
    if (span != 0 && table.translate_whole(rows.address, span).has_value()) {
      const std::vector<memory::AccessPiece> whole = resolve(rows.address, span);
      if (whole.size() == 1) {
        rows.node = whole.front().node;
        rows.address = whole.front().offset;
        found.push_back(rows);
        continue;
      }
    }
    std::vector<MemoryRows> parts;  // accesses are not merged across operands
    for (std::uint64_t row = 0; row < rows.count; ++row) {
      for (const memory::AccessPiece& part :
           resolve(rows.address + row * rows.stride, rows.bytes)) {
        add_row(parts, part, memories.is_striped() ? memories.slices_per_cube : 1);
      }
    }
    found.insert(found.end(), parts.begin(), parts.end());
  }
  return found;
}

const transport::Route& PeDma::route_to(topology::NodeId node) {
  const auto known = routes_.find(node);
  if (known != routes_.end()) return *known->second;
  const transport::Route& route =
      machine().network().route(machine().router().find_path(this->node(), node).edges);
  routes_.emplace(node, &route);
  return route;
}

void PeDma::submit(AccessGroup& group, bool write, std::uint64_t pa, std::uint64_t bytes,
                   std::uint64_t transaction) {
  for (const memory::AccessPiece& piece : memory::resolve_physical(
           pa, bytes, machine().resolver(), machine().spec().cube.memory_map)) {
    group.submit(request(write, piece.node, piece.offset, piece.bytes, transaction));
  }
}

RoutedAccess PeDma::request(bool write, topology::NodeId memory, std::uint64_t address,
                            std::uint64_t bytes, std::uint64_t transaction) {
  RoutedAccess request;
  request.write = write;
  request.route = &route_to(memory);
  request.address = address;
  request.bytes = bytes;
  request.transaction = transaction;
  request.source = transport::SourceOverhead::Paid;
  return request;
}

}  // namespace kernbench::model::components
