// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/api.hpp"
#include "model/components/machine/access_group.hpp"
#include "model/components/machine/ipcq_transfer.hpp"
#include "model/components/parts/pe_engine.hpp"
#include "model/engine/resource.hpp"
#include "model/memory/resolve_access.hpp"

namespace kernbench::model::components {

/// Equidistant rows of bytes in a memory.
struct MemoryRows {
  topology::NodeId node;      ///< memory
  std::uint64_t address = 0;  ///< offset of the first row in the memory
  std::uint64_t bytes = 0;    ///< bytes of a row
  std::uint64_t count = 1;
  std::uint64_t stride = 0;  ///< bytes from row to row
};

/// A PE's DMA engine (Architecture, "pe_dma"). It has a read and a write channel, each with one job
/// in flight, in order of arrival. Two modes share them:
///
/// - Pipeline: a tile's read or write of memory. The PE's MMU translates the addresses; an unmapped
///   address is physical. Equidistant rows in one memory form one access. All accesses start at the
///   same time, and the channel is held until the last response arrives.
/// - Collective: a send reads the PE's TCM, which captures the data, and holds the write channel
/// until
///   the last flit has left. It does not wait for the receiver. Data from a peer are written to
///   their slot's backing memory through the write channel. A receive reads the slot through the
///   read channel.
///
/// The overhead is paid once, when a tile, a job or a message arrives, not by each flit.
class KERNBENCH_API PeDma : public PeEngine {
 public:
  PeDma(Machine& machine, topology::NodeId node);
  void on_message(Message message) override;

 protected:
  void accept(TileToken& token) override;

 private:
  /// The read or the write channel. The holder is recorded for the trace.
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
  /// Submits an access of physical addresses in sequence.
  void submit(AccessGroup& group, bool write, std::uint64_t pa, std::uint64_t bytes,
              std::uint64_t transaction);
  [[nodiscard]] RoutedAccess request(bool write, topology::NodeId memory, std::uint64_t address,
                                     std::uint64_t bytes, std::uint64_t transaction);
  /// Makes `transaction` the holder of the port. Returns its service, which starts now.
  [[nodiscard]] Service take(Port& port, std::uint64_t transaction) const;

  /// Says how the process that runs has passed the last `time`.
  void add_step(const trace::Label& label, trace::TimeUse use, std::uint32_t place,
                common::SimTime time) const;

  Port read_;
  Port write_;
  std::map<topology::NodeId, const transport::Route*> routes_;
};

}  // namespace kernbench::model::components
