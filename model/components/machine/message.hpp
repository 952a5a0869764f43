// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/components/machine/kernel.hpp"
#include "model/engine/cause.hpp"
#include "model/engine/event_handler.hpp"
#include "model/memory/page_table.hpp"
#include "model/memory/pe_allocator.hpp"
#include "model/trace/hop_trace.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::transport {
struct Route;
}  // namespace kernbench::model::transport

namespace kernbench::model::components {

// Messages between components. Memory accesses are not messages: memories serve their flits
// directly (memory_access.hpp).

class PeCommand;
struct IpcqTransfer;
struct TileToken;

/// Runs a kernel on each target. The PE_CPU resolves the name (Machine::kernels()).
struct KernelLaunch {
  std::string name;
  std::uint32_t arguments = 0;  ///< number of the argument block, for the kernel
};
/// `sent` is the number of regions that the message has room for: by default all of them, or the
/// descriptors from which a PE makes them.
struct MmuMap {
  memory::Mappings regions;
  std::optional<std::size_t> sent{};
};
/// The `pa` of the regions is ignored.
struct MmuUnmap {
  memory::Mappings regions;
  std::optional<std::size_t> sent{};
};

/// A command of the host for PEs. It is forwarded from io_cpu to m_cpu to the PEs, each with its
/// share of the targets. Targets name SIP, cube and PE, so no address is decoded to find them.
struct HostCommand {
  std::variant<KernelLaunch, MmuMap, MmuUnmap> action;
};
struct CommandRequest {
  std::shared_ptr<const HostCommand> command;
  std::vector<memory::PeLocation> targets;
};
/// Answer: all targets of the request with this transaction number have completed it, or failed.
struct CommandDone {
  std::uint64_t request = 0;
  std::string failure{};  ///< reason of the first target that failed; "" if none did
};

/// Data that an M_CPU writes to places in the HBM of its cube.
struct PlaceData {
  std::uint64_t bytes = 0;
  std::vector<std::uint64_t> places;  ///< physical addresses
};

/// A command for the pe_scheduler or the pe_ipcq, and its completion, for the pe_cpu.
struct CommandToken {
  PeCommand* command = nullptr;
};
struct CommandTokenDone {
  PeCommand* command = nullptr;
};
/// A tile on its way to the next engine, or, when done, back to the scheduler.
struct TileArrival {
  TileToken* token = nullptr;
};

/// A job of a pe_ipcq for its pe_dma, or its completion on the way back.
struct DmaOrder {
  IpcqTransfer* transfer = nullptr;
};
/// Data of a send on their way to the peer's pe_dma, then the notification of the peer's pe_ipcq
/// that the slot is filled.
struct IpcqData {
  topology::NodeId ipcq;        ///< pe_ipcq of the receiver
  std::uint32_t direction = 0;  ///< direction number at the receiver
  std::uint32_t slot = 0;
  std::uint64_t pa = 0;  ///< physical address of the slot
  std::uint64_t bytes = 0;
};
/// Notification of the sender that a slot is free.
struct IpcqCredit {
  std::uint32_t direction = 0;  ///< direction number at the sender
  std::uint32_t slot = 0;
};

/// Bytes that pass the TCM's read or write channel. Then `requester` is notified.
struct TcmRequest {
  bool write = false;
  std::uint64_t bytes = 0;
  engine::EventHandler* requester = nullptr;
  engine::EventArgument argument;
  engine::Cause* cause = nullptr;  ///< where the requester finds the cause of its notification
};

using Payload =
    std::variant<std::monostate, CommandRequest, CommandDone, PlaceData, CommandToken,
                 CommandTokenDone, TileArrival, TcmRequest, DmaOrder, IpcqData, IpcqCredit>;

/// A message between two components.
struct Message {
  topology::NodeId from;
  topology::NodeId to;
  const transport::Route* route =
      nullptr;  ///< route of the message; an answer takes the reversed one
  std::uint64_t bytes = 0;
  trace::Label label;
  Payload payload;
};

}  // namespace kernbench::model::components
