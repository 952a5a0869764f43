// SPDX-License-Identifier: Apache-2.0
#include "model/components/parts/pe_ipcq.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>
#include <variant>

#include "model/components/machine/machine.hpp"
#include "model/engine/occurrence.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::components {

using engine::Process;
using topology::NodeId;
using topology::NodeKind;

namespace {

constexpr std::array<std::string_view, 4> kLocalDirections = {"N", "E", "S", "W"};

bool is_direction(std::string_view name) {
  const std::size_t dot = name.find('.');
  return std::find(kLocalDirections.begin(), kLocalDirections.end(), name) !=
             kLocalDirections.end() ||
         (name.starts_with("global_") && name.size() > 7) ||
         (dot != std::string_view::npos && dot > 0 && dot + 1 < name.size());
}

/// The memory that holds the rings of a PE.
struct Backing {
  topology::PhysAddr begin;
  std::uint64_t bytes = 0;
  std::uint32_t sharers = 1;  ///< PEs that have rings in the memory
  std::uint32_t index = 0;    ///< index of this PE among the sharers
};

Backing backing_of(const Machine& machine, NodeId ipcq, topology::SlotBacking kind) {
  const topology::CubeSpec& cube = machine.spec().cube;
  const topology::Node& place = machine.graph().node(ipcq);
  const auto in_sip = static_cast<std::uint8_t>(place.sip);
  const auto in_cube = static_cast<std::uint8_t>(place.cube);
  switch (kind) {
    case topology::SlotBacking::Tcm:
      return {topology::PhysAddr::pe_tcm(in_sip, in_cube, static_cast<std::uint8_t>(place.pe), 0),
              std::uint64_t{cube.memory_map.tcm_mb} << 20U, 1, 0};
    case topology::SlotBacking::Sram:
      return {topology::PhysAddr::sram(in_sip, in_cube, 0),
              std::uint64_t{cube.memory_map.sram_mb} << 20U, cube.pes(), place.pe};
    case topology::SlotBacking::Hbm:
      return {topology::PhysAddr::hbm(in_sip, in_cube, place.pe * cube.hbm_bytes_of_pe()),
              cube.hbm_bytes_of_pe(), 1, 0};
  }
  throw std::logic_error("no such backing");
}

/// Returns the route from pe_ipcq to pe_ipcq. Between the two pe_dma it is the route of data, never
/// one over the control plane.
std::vector<topology::EdgeId> credit_route(Machine& machine, NodeId from, NodeId to) {
  const topology::PathRouter& router = machine.router();
  const NodeId from_dma = machine.sibling(from, NodeKind::PeDma);
  const NodeId to_dma = machine.sibling(to, NodeKind::PeDma);
  std::vector<topology::EdgeId> route = router.find_node_path(from, from_dma).edges;
  for (const auto& part : {router.find_path(from_dma, to_dma), router.find_node_path(to_dma, to)}) {
    route.insert(route.end(), part.edges.begin(), part.edges.end());
  }
  return route;
}

}  // namespace

void PeIpcq::on_message(Message message) {
  if (const auto* const token = std::get_if<CommandToken>(&message.payload)) {
    PeCommand& command = *token->command;
    const bool sends = std::holds_alternative<IpcqSend>(command.work);
    machine().simulation().spawn(fmt::format("{} {}", name(), sends ? "send" : "receive"),
                                 sends ? send(command) : receive(command));
  } else if (const auto* const order = std::get_if<DmaOrder>(&message.payload)) {
    order->transfer->done.trigger();
  } else if (const auto* const data = std::get_if<IpcqData>(&message.payload)) {
    (void)directions_[data->direction].arrived->try_put(IpcqData(*data));
  } else if (const auto* const credit = std::get_if<IpcqCredit>(&message.payload)) {
    (void)directions_[credit->direction].credits->try_put(std::uint32_t{credit->slot});
  } else {
    reject(message);
  }
}

Process PeIpcq::send(PeCommand& command) {
  const auto& wanted = std::get<IpcqSend>(command.work);
  Direction& out = direction(wanted.direction);
  check_bytes("send", wanted.direction, wanted.bytes);
  const common::SimTime arrive = machine().simulation().now();
  const std::uint32_t slot = co_await out.credits->get();
  const common::SimTime now = machine().simulation().now();
  if (now > arrive) {
    trace::HopRecord waited{{command.transaction, "credit"}, node(), arrive, now, now - arrive, 0,
                            trace::WaitReason::NoCredit};
    machine().record(waited);
    if (PartMeters* const meters = machine().meters(); meters != nullptr) {
      meters->add(node(), Port::Credit, {now - arrive, {}, wanted.bytes});
    }
  }
  IpcqTransfer order(fmt::format("the data of a send to {}", out.name));
  order.kind = IpcqTransfer::Kind::Send;
  order.data = machine().component_as<PeIpcq>(out.peer).slot_place(out.peer_direction, slot);
  order.data.bytes = wanted.bytes;
  order.peer_dma = machine().sibling(out.peer, NodeKind::PeDma);
  order.bytes = wanted.bytes;
  order.transaction = command.transaction;
  send_to(NodeKind::PeDma, {command.transaction, "send"}, DmaOrder{&order});
  co_await order.done;
  send_to(NodeKind::PeCpu, {command.transaction, "command done"}, CommandTokenDone{&command});
}

Process PeIpcq::receive(PeCommand& command) {
  const auto& wanted = std::get<IpcqRecv>(command.work);
  Direction& in = direction(wanted.direction);
  check_bytes("receive", wanted.direction, wanted.bytes);
  const IpcqData data = co_await in.arrived->get();
  if (data.bytes != wanted.bytes) {
    throw std::invalid_argument(fmt::format("{}: a receive of {} bytes from {} meets a send of {}",
                                            name(), wanted.bytes, in.name, data.bytes));
  }
  IpcqTransfer order(fmt::format("the data of a receive from {}", in.name));
  order.kind = IpcqTransfer::Kind::Receive;
  order.pa = data.pa;
  order.bytes = data.bytes;
  order.transaction = command.transaction;
  send_to(NodeKind::PeDma, {command.transaction, "receive"}, DmaOrder{&order});
  co_await order.done;
  machine().send(in.credit_route, machine().spec().system.request_bytes,
                 {command.transaction, "credit"}, IpcqCredit{in.peer_direction, data.slot});
  send_to(NodeKind::PeCpu, {command.transaction, "command done"}, CommandTokenDone{&command});
}

void PeIpcq::check_bytes(std::string_view what, const std::string& wanted, std::uint64_t bytes) {
  const std::uint64_t most = direction(wanted).slot_bytes;
  if (bytes >= 1 && bytes <= most) return;
  const bool all = most == machine().spec().pe.pe_ipcq_slot_bytes;
  throw std::invalid_argument(fmt::format("{}: a {} has 1 to {} bytes ({}), not {}", name(), what,
                                          most, all ? "pe_ipcq.slot_bytes" : "a slot of " + wanted,
                                          bytes));
}

PeIpcq::Peer PeIpcq::peer(const std::string& wanted) {
  const Direction& known = direction(wanted);
  return {known.peer, known.peer_direction};
}

std::uint32_t PeIpcq::number_of(const std::string& wanted) {
  const Direction& known = direction(wanted);
  std::uint32_t number = 0;
  while (&directions_[number] != &known) ++number;
  return number;
}

PeIpcq::Direction& PeIpcq::direction(const std::string& wanted) {
  std::vector<std::string_view> names;
  for (Direction& known : directions_) {
    if (known.name == wanted) return known;
    names.push_back(known.name);
  }
  throw std::invalid_argument(
      names.empty() ? fmt::format("{} has no neighbour '{}', nor any other", name(), wanted)
                    : fmt::format("{} has no neighbour '{}'; it has {}", name(), wanted,
                                  fmt::join(names, ", ")));
}

PeIpcq::Direction& PeIpcq::add_direction(const std::string& wanted, std::uint32_t slot_bytes) {
  const bool taken =
      std::any_of(directions_.begin(), directions_.end(),
                  [&wanted](const Direction& known) { return known.name == wanted; });
  if (taken) {
    throw std::invalid_argument(fmt::format("{} has a neighbour '{}' already", name(), wanted));
  }
  const topology::PeSpec& pe = machine().spec().pe;
  const Backing backing = backing_of(machine(), node(), backing_.value_or(pe.pe_ipcq_backing));
  const std::uint64_t before = directions_.empty() ? 0 : directions_.back().ring_end;
  const std::uint64_t bytes = before + std::uint64_t{pe.pe_ipcq_slots} * slot_bytes;
  if (bytes > backing.bytes / backing.sharers) {
    throw std::invalid_argument(fmt::format(
        "{}: {} rings of {} slots, {} bytes in all, do not fit into the {} bytes that "
        "it has of {}",
        name(), directions_.size() + 1, pe.pe_ipcq_slots, bytes, backing.bytes / backing.sharers,
        machine().graph().name(machine().resolver().resolve(backing.begin))));
  }
  Direction& added = directions_.emplace_back();
  added.name = wanted;
  added.slot_bytes = slot_bytes;
  added.ring_end = bytes;
  added.credits = std::make_unique<engine::Channel<std::uint32_t>>(
      machine().simulation(), fmt::format("credits of {} for {}", name(), wanted));
  added.arrived = std::make_unique<engine::Channel<IpcqData>>(
      machine().simulation(), fmt::format("slots of {} from {}", name(), wanted));
  for (std::uint32_t slot = 0; slot < machine().spec().pe.pe_ipcq_slots; ++slot) {
    (void)added.credits->try_put(std::uint32_t{slot});
  }
  return added;
}

IpcqData PeIpcq::slot_place(std::uint32_t direction, std::uint32_t slot) const {
  const Backing backing =
      backing_of(machine(), node(), backing_.value_or(machine().spec().pe.pe_ipcq_backing));
  const Direction& ring = directions_[direction];
  IpcqData place;
  place.ipcq = node();
  place.direction = direction;
  place.slot = slot;
  const std::uint64_t offset = backing.bytes - backing.index * (backing.bytes / backing.sharers) -
                               ring.ring_end + std::uint64_t{slot} * ring.slot_bytes;
  place.pa = topology::encode(topology::advanced(backing.begin, offset));
  return place;
}

void install_neighbors(Machine& machine, const std::vector<NeighborLink>& links,
                       std::optional<topology::SlotBacking> backing) {
  for (const NeighborLink& link : links) {
    for (const std::string& direction : {link.a_direction, link.b_direction}) {
      if (!is_direction(direction)) {
        throw std::invalid_argument(fmt::format(
            "'{}' is not a valid direction: use N, E, S, W, global_... or group.direction",
            direction));
      }
    }
    const NodeId a_node = machine.pe_part(link.a, NodeKind::PeIpcq);
    const NodeId b_node = machine.pe_part(link.b, NodeKind::PeIpcq);
    if (a_node == b_node) {
      throw std::invalid_argument(
          fmt::format("{} cannot be its own neighbour", machine.graph().name(a_node)));
    }
    auto& a = machine.component_as<PeIpcq>(a_node);
    auto& b = machine.component_as<PeIpcq>(b_node);
    a.backing_ = backing;
    b.backing_ = backing;
    const auto a_index = static_cast<std::uint32_t>(a.directions_.size());
    const auto b_index = static_cast<std::uint32_t>(b.directions_.size());
    const std::uint32_t slot_bytes =
        link.slot_bytes != 0 ? link.slot_bytes : machine.spec().pe.pe_ipcq_slot_bytes;
    PeIpcq::Direction& a_out = a.add_direction(link.a_direction, slot_bytes);
    PeIpcq::Direction& b_out = b.add_direction(link.b_direction, slot_bytes);
    a_out.peer = b_node;
    a_out.peer_direction = b_index;
    b_out.peer = a_node;
    b_out.peer_direction = a_index;
    a_out.credit_route = credit_route(machine, a_node, b_node);
    b_out.credit_route = machine.network().reversed(a_out.credit_route);
  }
}

}  // namespace kernbench::model::components
