#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "model/components/machine/kernel.hpp"
#include "model/engine/event_handler.hpp"
#include "model/memory/pe_allocator.hpp"
#include "model/trace/hop_trace.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::transport {
struct Route;
}  // namespace kernbench::model::transport

namespace kernbench::model::components {

// What components tell each other. Memory accesses are no messages of these kinds: they are flits
// that memories serve (memory_access.hpp).

class PeCommand;
struct IpcqTransfer;
struct TileToken;

/// Runs a kernel on each target.
struct KernelLaunch {
  std::string name;
  std::shared_ptr<const Kernel> kernel;
};
/// A stretch of virtual addresses and where it is.
struct Mapping {
  std::uint64_t va = 0;
  std::uint64_t pa = 0;
  std::uint64_t bytes = 0;
};
struct MmuMap {
  std::vector<Mapping> regions;
};
/// `pa` of the regions is not looked at.
struct MmuUnmap {
  std::vector<Mapping> regions;
};

/// What the host asks of PEs. It is handed down from io_cpu to m_cpu to the PEs, each with its
/// share of the targets, which name SIP, cube and PE: nobody decodes an address to find them.
struct HostCommand {
  std::variant<KernelLaunch, MmuMap, MmuUnmap> action;
};
struct CommandRequest {
  std::shared_ptr<const HostCommand> command;
  std::vector<memory::PeLocation> targets;
};
/// All targets of the request with this transaction number have done it.
struct CommandDone {
  std::uint64_t request = 0;
};

/// A place that an M_CPU is to put data.
struct Placement {
  topology::NodeId memory;
  std::uint64_t address = 0;  ///< within it
};
/// Data for an M_CPU to put into the memories of its cube; the bytes are the message's.
struct PlaceData {
  std::vector<Placement> placements;
};

/// A command for an engine of the PE, or back to who gave it.
struct CommandToken {
  PeCommand* command = nullptr;
};
struct CommandTokenDone {
  PeCommand* command = nullptr;
};
/// A tile that goes from engine to engine; back at the scheduler it is done.
struct TileArrival {
  TileToken* token = nullptr;
};

/// An order of a pe_ipcq to its pe_dma, or back to it, done.
struct DmaOrder {
  IpcqTransfer* transfer = nullptr;
};
/// A send's data on their way to the peer, and then the news that they are in their slot.
struct IpcqData {
  topology::NodeId ipcq;        ///< of the receiver
  std::uint32_t direction = 0;  ///< as the receiver counts
  std::uint32_t slot = 0;
  topology::NodeId memory;    ///< in which the slot is
  std::uint64_t address = 0;  ///< of the slot, within the memory
  std::uint64_t bytes = 0;
};
/// A slot is free again.
struct IpcqCredit {
  std::uint32_t direction = 0;  ///< as the sender counts
  std::uint32_t slot = 0;
};

/// Bytes to pass the TCM's read or write channel; `requester` is told when they have.
struct TcmRequest {
  bool write = false;
  std::uint64_t bytes = 0;
  engine::EventHandler* requester = nullptr;
  engine::EventArgument argument;
};

using Payload =
    std::variant<std::monostate, CommandRequest, CommandDone, PlaceData, CommandToken,
                 CommandTokenDone, TileArrival, TcmRequest, DmaOrder, IpcqData, IpcqCredit>;

/// Bytes that each target, region or placement adds to a message, beside system.request_bytes.
inline constexpr std::uint64_t kTargetBytes = 16;
inline constexpr std::uint64_t kRegionBytes = 24;
inline constexpr std::uint64_t kPlacementBytes = 16;

/// A message between two components.
struct Message {
  topology::NodeId from;
  topology::NodeId to;
  const transport::Route* route = nullptr;  ///< that it takes; an answer takes the way back
  std::uint64_t bytes = 0;
  trace::Label label;
  Payload payload;
};

}  // namespace kernbench::model::components
