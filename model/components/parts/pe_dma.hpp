#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/components/machine/access_group.hpp"
#include "model/components/machine/ipcq_transfer.hpp"
#include "model/components/parts/pe_engine.hpp"
#include "model/engine/resource.hpp"
#include "model/memory/resolve_access.hpp"

namespace kernbench::model::components {

/// Rows of bytes in a memory, each `stride` behind the one before.
struct MemoryRows {
  topology::NodeId node;      ///< the memory
  std::uint64_t address = 0;  ///< of the first, within the memory
  std::uint64_t bytes = 0;    ///< of each
  std::uint64_t count = 1;
  std::uint64_t stride = 0;
};

/// A PE's DMA engine (Architecture, "pe_dma"). It has a read and a write channel, each with one
/// thing in flight, first come first served, which both modes share:
///
/// - Pipeline: a tile's read or write of memory. The addresses are translated by the PE's MMU (an
///   address without a mapping is a physical one); the rows of it that are equally far apart in one
///   memory are one access; all accesses begin at the same time, and the channel is held until the
///   last response has come.
/// - Collective: a send reads the PE's TCM, which is when the data are taken, and holds the write
///   channel until the last flit has left: it does not wait for the receiver. What comes in from a
///   peer is written to its slot's backing memory through the write channel, a receive reads the
///   slot through the read channel.
///
/// The overhead is paid when a tile, an order or a message comes, not again by the flits.
class PeDma : public PeEngine {
 public:
  PeDma(Machine& machine, topology::NodeId node);
  void on_message(Message message) override;

 protected:
  void accept(TileToken& token) override;

 private:
  /// A direction; who holds it is for the trace.
  struct Port {
    Port(engine::Simulation& simulation, const std::string& name) : resource(simulation, name, 1) {}
    engine::Resource resource;
    std::uint64_t holder = 0;
  };

  engine::Process transfer(TileToken& token);
  engine::Process send(IpcqTransfer& order);
  engine::Process receive(IpcqTransfer& order);
  engine::Process take_in(Message message);

  void spawn(std::string_view what, engine::Process process);
  [[nodiscard]] std::vector<MemoryRows> accesses_of(const TileToken& token) const;
  [[nodiscard]] const transport::Route& route_to(topology::NodeId node);
  [[nodiscard]] RoutedAccess request(bool write, topology::NodeId memory, std::uint64_t address,
                                     std::uint64_t bytes, std::uint64_t transaction);
  /// The port is `transaction`'s from now on, after a wait since `arrive`.
  [[nodiscard]] Service take(Port& port, std::uint64_t transaction) const;

  Port read_;
  Port write_;
  std::map<topology::NodeId, const transport::Route*> routes_;
};

}  // namespace kernbench::model::components
