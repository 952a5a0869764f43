// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/api.hpp"
#include "model/components/machine/ipcq_transfer.hpp"
#include "model/components/parts/pe_engine.hpp"
#include "model/engine/channel.hpp"
#include "model/engine/process.hpp"
#include "model/memory/pe_allocator.hpp"
#include "topology/spec/spec_values.hpp"

namespace kernbench::model::components {

/// Two neighbouring PEs. Data that `a` sends in `a_direction` arrive at `b` from `b_direction`, and
/// vice versa.
struct NeighborLink {
  memory::PeLocation a;
  std::string a_direction;
  memory::PeLocation b;
  std::string b_direction;
  std::uint32_t slot_bytes = 0;  ///< size of a slot at both ends; 0 is pe_ipcq.slot_bytes
};

/// A PE's endpoint of collective communication (Architecture, "pe_ipcq"). For each direction it has
/// a ring of pe_ipcq.slots receive slots, and credits for the neighbour's ring.
///
/// A send waits for a credit and passes its data to the pe_dma. It is done when they have left. The
/// data pay every wire and the memory of the neighbour's next slot. A receive reads the oldest
/// filled slot and returns the credit over the wires. Only missing credits stall a sender.
///
/// The rings are at the end of the backing memory: the PE's TCM, its HBM, or its share of the
/// cube's SRAM.
class KERNBENCH_API PeIpcq : public PePart {
 public:
  using PePart::PePart;
  void on_message(Message message) override;

  /// The other end of a direction.
  struct Peer {
    topology::NodeId ipcq;
    std::uint32_t direction = 0;  ///< number of the reverse direction at the peer
  };
  /// Returns the neighbour in a direction. Throws std::invalid_argument, listing the known
  /// directions, for one without a neighbour.
  [[nodiscard]] Peer peer(const std::string& direction);
  /// Returns the number of a direction at this PE. Throws like peer().
  [[nodiscard]] std::uint32_t number_of(const std::string& direction);
  /// Throws std::invalid_argument unless a message of `bytes` fits into a slot of the direction.
  void check_bytes(std::string_view what, const std::string& direction, std::uint64_t bytes);

 private:
  friend void install_neighbors(Machine& machine, const std::vector<NeighborLink>& links,
                                std::optional<topology::SlotBacking> backing);

  struct Direction {
    std::string name;
    topology::NodeId peer;             ///< pe_ipcq of the neighbour
    std::uint32_t peer_direction = 0;  ///< number of the reverse direction there
    std::uint32_t slot_bytes = 0;      ///< size of a slot of this PE's ring and of the peer's
    std::uint64_t ring_end = 0;  ///< bytes from the begin of this PE's ring to the memory's end
    std::vector<topology::EdgeId> credit_route;
    std::unique_ptr<engine::Channel<std::uint32_t>> credits;  ///< free slots of the peer
    std::unique_ptr<engine::Channel<IpcqData>> arrived;
  };

  engine::Process send(PeCommand& command);
  engine::Process receive(PeCommand& command);

  /// Throws std::invalid_argument when the direction exists already, or its ring does not fit.
  Direction& add_direction(const std::string& name, std::uint32_t slot_bytes);
  /// Throws like peer().
  [[nodiscard]] Direction& direction(const std::string& name);
  /// Returns the location of a slot of this PE's rings.
  [[nodiscard]] IpcqData slot_place(std::uint32_t direction, std::uint32_t slot) const;

  std::deque<Direction>
      directions_;  ///< in the order of installation; messages in flight refer to them
  std::optional<topology::SlotBacking> backing_;  ///< overrides pe_ipcq.backing
};

/// Installs the neighbour table of a process group, in zero simulated time. Directions are "N",
/// "E", "S" and "W" between adjacent cubes of a SIP, "global_..." in the world of all ranks, and
/// "group.direction" in a group of some ranks. `backing` is the memory of the
/// rings; the default is pe_ipcq.backing. Throws std::invalid_argument for another name, a PE that
/// the topology lacks, a PE that is its own neighbour, a direction that exists already, or rings
/// that do not fit into their memory.
void install_neighbors(Machine& machine, const std::vector<NeighborLink>& links,
                       std::optional<topology::SlotBacking> backing = {});

}  // namespace kernbench::model::components
