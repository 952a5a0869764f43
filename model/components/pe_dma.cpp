#include "model/components/pe_dma.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>
#include <variant>

#include "model/components/machine.hpp"
#include "model/components/pe_mmu.hpp"
#include "model/engine/occurrence.hpp"

namespace kernbench::model::components {

using common::SimTime;
using engine::Process;
using topology::NodeKind;

namespace {

/// The bytes of a rectangle of a tensor: a stretch for each row, or one where rows follow on.
struct Stretch {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
};

std::vector<Stretch> stretches(const TensorPlace& tensor, const TileRegion& region) {
  const std::uint64_t row_bytes = tensor.columns * tensor.element_bytes;
  const std::uint64_t first =
      tensor.address + region.row * row_bytes + region.column * tensor.element_bytes;
  const std::uint64_t width = region.columns * tensor.element_bytes;
  if (region.columns == tensor.columns || region.rows == 1) return {{first, width * region.rows}};
  std::vector<Stretch> rows;
  rows.reserve(region.rows);
  for (std::uint64_t row = 0; row < region.rows; ++row) {
    rows.push_back({first + row * row_bytes, width});
  }
  return rows;
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
  co_await simulation.delay(SimTime::from_ns(machine().spec().pe.pe_mmu_tlb_overhead_ns));
  const std::vector<memory::AccessPiece> parts = pieces(token);
  AccessGroup group(machine(), fmt::format("the memory of {}", name()));
  AccessRequest access = request(write, parts.front().node, 0, 0, token.transaction);
  topology::NodeId memory = parts.front().node;
  for (const memory::AccessPiece& piece : parts) {
    if (piece.node != memory) access.route = route_to(piece.node);
    memory = piece.node;
    access.address = piece.offset;
    access.bytes = piece.bytes;
    group.submit(access);
  }
  co_await group.done();
  lease.release();
  service.end = simulation.now();
  record({token.transaction, write ? "dma write" : "dma read"}, arrive, service,
         trace::WaitReason::EngineBusy);
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
  const SimTime left = machine().send(route_to(order.peer_dma), order.bytes,
                                      {order.transaction, "ipcq data"}, order.data);
  co_await simulation.delay(left - simulation.now());
  lease.release();
  service.end = simulation.now();
  record({order.transaction, "send"}, arrive, service, trace::WaitReason::EngineBusy);
  send_to(NodeKind::PeIpcq, {order.transaction, "sent"}, DmaOrder{&order});
}

Process PeDma::receive(IpcqTransfer& order) {
  const SimTime arrive = machine().simulation().now();
  engine::Lease lease = co_await read_.resource.acquire();
  Service service = take(read_, order.transaction);
  AccessGroup group(machine(), fmt::format("the slot of {}", name()));
  group.submit(request(false, order.memory, order.address, order.bytes, order.transaction));
  co_await group.done();
  lease.release();
  service.end = machine().simulation().now();
  record({order.transaction, "receive"}, arrive, service, trace::WaitReason::EngineBusy);
  send_to(NodeKind::PeIpcq, {order.transaction, "received"}, DmaOrder{&order});
}

Process PeDma::take_in(Message message) {
  const IpcqData data = std::get<IpcqData>(message.payload);
  const std::uint64_t transaction = message.label.transaction;
  const SimTime arrive = machine().simulation().now();
  engine::Lease lease = co_await write_.resource.acquire();
  Service service = take(write_, transaction);
  AccessGroup group(machine(), fmt::format("the slot of {}", name()));
  group.submit(request(true, data.memory, data.address, data.bytes, transaction));
  co_await group.done();
  lease.release();
  service.end = machine().simulation().now();
  record({transaction, "inbound"}, arrive, service, trace::WaitReason::EngineBusy);
  send_to(NodeKind::PeIpcq, {transaction, "arrived"}, data);
}

Service PeDma::take(Port& port, std::uint64_t transaction) const {
  Service service;
  service.start = machine().simulation().now();
  service.behind = port.holder;
  port.holder = transaction;
  return service;
}

std::vector<memory::AccessPiece> PeDma::pieces(const TileToken& token) const {
  const auto& work = std::get<PipelineWork>(token.command->work);
  const memory::PageTable& table =
      machine().component_as<PeMmu>(machine().sibling(node(), NodeKind::PeMmu)).table();
  const auto resolve = [&](const Stretch& stretch) {
    return resolve_access(table, stretch.address, stretch.bytes, machine().resolver(),
                          machine().spec().cube.memory_map);
  };
  std::vector<memory::AccessPiece> found;
  for (const TileOperand& operand : token.at().operands) {
    const std::vector<Stretch> rows = stretches(work.tensors.at(operand.tensor), operand.region);
    const std::uint64_t first = rows.front().address;
    const Stretch all{first, rows.back().address + rows.back().bytes - first};
    // Where all of it is in one piece, with the gaps between rows, so is each row.
    if (all.bytes != 0 && table.translate_range(all.address, all.bytes).size() == 1) {
      const std::vector<memory::AccessPiece> whole = resolve(all);
      if (whole.size() == 1) {
        found.reserve(found.size() + rows.size());
        for (const Stretch& row : rows) {
          const std::uint64_t offset = row.address - first;
          found.push_back({whole.front().node, whole.front().pa + offset,
                           whole.front().offset + offset, row.bytes});
        }
        continue;
      }
    }
    for (const Stretch& row : rows) {
      const std::vector<memory::AccessPiece> parts = resolve(row);
      found.insert(found.end(), parts.begin(), parts.end());
    }
  }
  return found;
}

const std::vector<topology::EdgeId>& PeDma::route_to(topology::NodeId node) {
  const auto [place, missing] = routes_.try_emplace(node);
  if (missing) place->second = machine().router().find_path(this->node(), node).edges;
  return place->second;
}

AccessRequest PeDma::request(bool write, topology::NodeId memory, std::uint64_t address,
                             std::uint64_t bytes, std::uint64_t transaction) {
  AccessRequest request;
  request.write = write;
  request.route = route_to(memory);
  request.address = address;
  request.bytes = bytes;
  request.transaction = transaction;
  request.source = transport::SourceOverhead::Paid;
  return request;
}

}  // namespace kernbench::model::components
