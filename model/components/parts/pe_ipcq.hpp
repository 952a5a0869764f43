#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/components/machine/ipcq_transfer.hpp"
#include "model/components/parts/pe_engine.hpp"
#include "model/engine/channel.hpp"
#include "model/engine/process.hpp"
#include "model/memory/pe_allocator.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::components {

/// Two PEs that are each other's neighbours: what `a` sends in `a_direction` comes to `b` from
/// `b_direction`, and the other way round.
struct NeighborLink {
  memory::PeLocation a;
  std::string a_direction;
  memory::PeLocation b;
  std::string b_direction;
};

/// A PE's end of collective communication (Architecture, "pe_ipcq"). For each direction it has a
/// ring of pe_ipcq.slots slots for what comes in, and credits for the ring of its neighbour there.
///
/// A send waits for a credit and gives its data to the pe_dma; it is done when they have left. They
/// come into the next slot of the neighbour's ring, and pay every wire and the slot's memory on the
/// way. A receive takes the oldest slot, reads it, and returns the credit over the wires. Nothing
/// else holds senders back.
///
/// The rings lie at the end of the backing memory: TCM, the slice of the PE, or the cube's SRAM,
/// where each PE has a part.
class PeIpcq : public PePart {
 public:
  using PePart::PePart;
  void on_message(Message message) override;

  /// The other end of a direction.
  struct Peer {
    topology::NodeId ipcq;
    std::uint32_t direction = 0;  ///< that leads back here, as it counts
  };
  /// Throws std::invalid_argument, listing the directions there are, for one without a neighbour.
  [[nodiscard]] Peer peer(const std::string& direction);
  /// This one's own number of a direction. Throws as peer().
  [[nodiscard]] std::uint32_t number_of(const std::string& direction);
  /// Throws std::invalid_argument unless 1..slot_bytes.
  void check_bytes(std::string_view what, std::uint64_t bytes) const;

 private:
  friend void install_neighbors(Machine& machine, const std::vector<NeighborLink>& links,
                                std::optional<topology::SlotBacking> backing);

  struct Direction {
    std::string name;
    topology::NodeId peer;             ///< the pe_ipcq there
    std::uint32_t peer_direction = 0;  ///< that is this one, there
    std::vector<topology::EdgeId> credit_route;
    std::unique_ptr<engine::Channel<std::uint32_t>> credits;  ///< slots of the peer that are free
    std::unique_ptr<engine::Channel<IpcqData>> arrived;
  };

  engine::Process send(PeCommand& command);
  engine::Process receive(PeCommand& command);

  /// Throws std::invalid_argument when the direction is taken.
  Direction& add_direction(const std::string& name);
  /// Throws std::invalid_argument, listing those there are, for one without a neighbour.
  [[nodiscard]] Direction& direction(const std::string& name);
  /// Where the data of a slot of this PE's rings are to go.
  [[nodiscard]] IpcqData slot_place(std::uint32_t direction, std::uint32_t slot) const;

  std::vector<Direction> directions_;             ///< in the order of installation
  std::optional<topology::SlotBacking> backing_;  ///< instead of pe_ipcq.backing
};

/// Installs the neighbour table of a process group: it takes no simulated time. Directions are "N",
/// "E", "S" and "W" within a SIP and "global_..." between SIPs. Throws std::invalid_argument for
/// another name, a PE that the topology lacks, a PE that is its own neighbour, a direction that is
/// taken, or rings that do not fit into their memory. `backing` is that memory; without one it is
/// pe_ipcq.backing.
void install_neighbors(Machine& machine, const std::vector<NeighborLink>& links,
                       std::optional<topology::SlotBacking> backing = {});

}  // namespace kernbench::model::components
