// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/api.hpp"
#include "model/components/machine/access_group.hpp"
#include "model/components/machine/fan_out.hpp"
#include "model/engine/process.hpp"

namespace kernbench::model::components {

/// A piece of host data at a physical address.
struct Shard {
  memory::PeLocation pe;    ///< PE that uses it
  std::uint64_t pa = 0;     ///< in that PE's HBM slice or its cube's SRAM, never in a TCM
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

  /// Runs a command on all targets. The io_cpu of each SIP forwards it to the M_CPUs of its cubes,
  /// which forward it to their PEs. `io_id` names the IO chiplet; "" is the first one.
  [[nodiscard]] engine::Process run(HostCommand command, std::vector<memory::PeLocation> targets,
                                    std::string io_id = {});

 private:
  /// Location of a shard, which one node serves.
  struct Place {
    topology::NodeId memory;
    std::uint64_t address = 0;
  };
  [[nodiscard]] engine::Process access(bool write, std::vector<Shard> shards);
  [[nodiscard]] Place place_of(const Shard& shard) const;
  void check_targets(std::string_view what, const std::vector<memory::PeLocation>& targets) const;
  void expect(std::uint64_t transaction, std::size_t& missing, engine::Event& done);

  struct Answer {
    std::size_t* missing = nullptr;
    engine::Event* done = nullptr;
  };
  std::map<std::uint64_t, Answer> answers_;  ///< outstanding, by transaction
};

}  // namespace kernbench::model::components
