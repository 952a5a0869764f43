// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/api.hpp"
#include "model/components/machine/access_group.hpp"
#include "model/components/machine/fan_out.hpp"
#include "model/engine/process.hpp"
#include "model/memory/resolve_access.hpp"

namespace kernbench::model::components {

/// A piece of host data at a physical address.
struct Shard {
  memory::PeLocation pe;    ///< PE that uses it
  std::uint64_t pa = 0;     ///< in that PE's HBM or its cube's SRAM, never in a TCM
  std::uint64_t bytes = 0;  ///< at least 1
};

/// The host of the tray. Each request is a process that ends when all shards or targets have
/// answered:
///
///     simulation.spawn("host", host.write(shards));
///     co_await host.write(shards);  // within a process
///
/// Invalid requests throw std::invalid_argument before a message is sent.
class KERNBENCH_API HostCpu : public Component {
 public:
  using Component::Component;
  void on_message(Message message) override;

  /// Writes or reads each shard over the direct path from the PCIe endpoint to its memory. All
  /// start at once, in the given order.
  [[nodiscard]] engine::Process write(std::vector<Shard> shards);
  [[nodiscard]] engine::Process read(std::vector<Shard> shards);
  /// Writes the same data to several places of one cube. The data travel once to its M_CPU, which
  /// writes each copy.
  [[nodiscard]] engine::Process write_copies(std::vector<Shard> copies);

  /// Runs a command on all targets. For each cube it goes to the io_cpu of the IO chiplet that is
  /// nearest to the cube's M_CPU, the first of the spec if several are. That forwards it to the
  /// M_CPUs, and they to their PEs. Throws std::invalid_argument when all have answered if one does
  /// not know the kernel.
  [[nodiscard]] engine::Process run(HostCommand command, std::vector<memory::PeLocation> targets);

 private:
  [[nodiscard]] engine::Process access(bool write, std::vector<Shard> shards);
  [[nodiscard]] std::vector<memory::AccessPiece> pieces_of(const Shard& shard) const;
  /// Returns the index of the IO chiplet of a SIP that serves a cube.
  [[nodiscard]] std::size_t nearest_chiplet(std::uint32_t sip, std::uint32_t cube);
  void check_targets(std::string_view what, const std::vector<memory::PeLocation>& targets) const;

  /// Where a request waits for answers.
  struct Answer {
    std::size_t* missing = nullptr;
    engine::Event* done = nullptr;
    std::string* failure = nullptr;  ///< the first that comes; null if there can be none
  };
  void expect(std::uint64_t transaction, const Answer& answer);
  std::map<std::uint64_t, Answer> answers_;  ///< outstanding, by transaction
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> nearest_;  ///< by SIP and cube
};

}  // namespace kernbench::model::components
