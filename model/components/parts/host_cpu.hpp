#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/components/machine/access_group.hpp"
#include "model/components/machine/fan_out.hpp"
#include "model/engine/process.hpp"

namespace kernbench::model::components {

/// A piece of data of the host, physical address first: whose it is, and where.
struct Shard {
  memory::PeLocation pe;    ///< that it is for
  std::uint64_t pa = 0;     ///< in that PE's HBM slice or its cube's SRAM: no host data enter a PE
  std::uint64_t bytes = 0;  ///< at least 1
};

/// The host of the tray, and the messages that it sends. Each is a process, which ends when every
/// shard or target has answered:
///
///     simulation.spawn("host", host.write(shards));   or, in a process,  co_await
///     host.write(shards);
///
/// Bad requests are std::invalid_argument, before anything is sent.
class HostCpu : public Component {
 public:
  using Component::Component;
  void on_message(Message message) override;

  /// Writes each shard, or reads it, over the direct path from the PCIe endpoint to its memory. All
  /// go at once, in their order.
  [[nodiscard]] engine::Process write(std::vector<Shard> shards);
  [[nodiscard]] engine::Process read(std::vector<Shard> shards);
  /// Writes the same data to several places of one cube: they travel to its M_CPU once, which puts
  /// them into each.
  [[nodiscard]] engine::Process write_copies(std::vector<Shard> copies);

  /// Has a command done by all targets: the io_cpu of each SIP hands it to the M_CPUs of its cubes,
  /// and those to their PEs. `io_id` names the IO chiplet; "" is the first one.
  [[nodiscard]] engine::Process run(HostCommand command, std::vector<memory::PeLocation> targets,
                                    std::string io_id = {});

 private:
  /// One node that serves a whole shard.
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
  std::map<std::uint64_t, Answer> answers_;  ///< that are to come, by transaction
};

}  // namespace kernbench::model::components
