// SPDX-License-Identifier: Apache-2.0
#include "model/probe/probe_workload.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <memory>

#include "model/engine/event_handler.hpp"
#include "model/engine/simulation.hpp"
#include "model/fabric/seam/fabric_clock.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::probe {

using components::AccessTimes;
using components::TimedOperation;

namespace {

/// Returns the clock period of the fabric between cubes.
double clock_ns(const topology::SipSpec& sip) {
  return sip.inter_cube == topology::InterCube::Noc ? sip.noc.clock_ns : sip.maze.clock_ns;
}

/// Submits the cases and records when they start and end.
class ProbePlayer final : private engine::EventHandler {
 public:
  ProbePlayer(components::Machine& machine, const std::vector<ProbeCase>& cases,
              std::uint64_t bytes, ProbeOrder order)
      : machine_(machine),
        cases_(cases),
        bytes_(bytes),
        order_(order),
        clock_(common::SimTime::from_ns(clock_ns(machine.spec().sip))) {
    for (const ProbeCase& probe : cases) {
      operations_.push_back({fmt::format("{} {}", name(probe.family), probe.label), {}, {}});
      listeners_.push_back(std::make_unique<Listener>(*this, listeners_.size()));
    }
  }

  void start() {
    if (order_ == ProbeOrder::OneByOne) {
      submit(0);
    } else {
      for (std::size_t i = 0; i < cases_.size(); ++i) submit(i);
    }
  }
  [[nodiscard]] const std::vector<TimedOperation>& operations() const { return operations_; }

 private:
  class Listener final : public components::AccessListener {
   public:
    Listener(ProbePlayer& player, std::size_t index) : player_(player), index_(index) {}
    void on_access_done(const AccessTimes& times) override { player_.done(index_, times); }

   private:
    ProbePlayer& player_;
    std::size_t index_;
  };

  void on_event(engine::EventArgument index) override { submit(index.number()); }

  void submit(std::size_t index) {
    machine_.accesses().submit(access_of(cases_[index], bytes_), listeners_[index].get());
  }

  void done(std::size_t index, const AccessTimes& times) {
    operations_[index].start = times.submitted;
    operations_[index].end = times.done;
    if (order_ == ProbeOrder::AtOnce || index + 1 == cases_.size()) return;
    machine_.simulation().schedule(clock_.time_of(clock_.edge_after(times.done)), *this, index + 1);
  }

  components::Machine& machine_;
  const std::vector<ProbeCase>& cases_;
  std::uint64_t bytes_;
  ProbeOrder order_;
  fabric::FabricClock clock_;
  std::vector<TimedOperation> operations_;
  std::vector<std::unique_ptr<Listener>> listeners_;
};

}  // namespace

ProbeWorkload::ProbeWorkload(const topology::TopologyGraph& graph, std::uint64_t bytes,
                             ProbeOrder order)
    : graph_(graph), cases_(probe_cases(graph)), bytes_(bytes), order_(order) {}

components::MachineRun ProbeWorkload::run(const components::MachineOptions& options) const {
  engine::Simulation simulation;
  components::Machine machine(simulation, graph_, options);
  ProbePlayer player(machine, cases_, bytes_, order_);
  player.start();
  simulation.run();
  return {player.operations(), std::nullopt};
}

}  // namespace kernbench::model::probe
