// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "model/engine/simulation.hpp"
#include "model/fabric/analytic/analytic_fabric.hpp"
#include "topology/zoo/routing/natural_routing.hpp"
#include "topology/zoo/zoo_text.hpp"

namespace kernbench::model::fabric {

/// A completed transfer and its time in ps.
struct Done {
  std::uint64_t id = 0;
  std::int64_t ps = 0;
  friend bool operator==(const Done&, const Done&) = default;
};
inline void PrintTo(const Done& done, std::ostream* out) {
  *out << "transfer " << done.id << " at " << done.ps << " ps";
}

/// Records completions.
class Recorder : public TransferListener {
 public:
  explicit Recorder(const engine::Simulation& simulation) : simulation_(simulation) {}
  void on_transfer_done(std::uint64_t id) override { done.push_back({id, simulation_.now().ps()}); }
  std::vector<Done> done;

 private:
  const engine::Simulation& simulation_;
};

inline constexpr common::SimTime kNs = common::SimTime::from_ps(1000);

/// An analytic fabric with packets of 1 byte and a clock of 1 ns over a topology given as text,
/// with `stages` stages in each channel.
struct FabricUnderTest {
  explicit FabricUnderTest(const std::string& text, std::uint32_t stages = 0,
                           const AnalyticParameters& parameters = {})
      : topology(topology::zoo::parse_zoo_text(text)),
        fabric(simulation, topology, topology::zoo::natural_routing(*topology),
               AnalyticSettings{
                   .period = kNs,
                   .link_stages = std::vector<std::uint32_t>(topology->channels().size(), stages),
                   .parameters = parameters}),
        recorder(simulation) {}

  /// Runs the simulation to `ps` and submits there.
  void submit_at(std::int64_t ps, const Transfer& transfer) {
    simulation.run_until(common::SimTime::from_ps(ps));
    fabric.submit(transfer, recorder);
  }
  [[nodiscard]] const std::vector<Done>& run() {
    simulation.run();
    return recorder.done;
  }
  [[nodiscard]] LinkUse use(std::uint32_t src, std::uint32_t dst) const {
    return fabric.use(topology->find_channel(src, dst).value());
  }

  engine::Simulation simulation;
  topology::zoo::TopologyPtr topology;
  AnalyticFabric fabric;
  Recorder recorder;
};

inline Transfer unicast(std::uint64_t id, std::uint32_t src, std::uint32_t dst, std::uint64_t bytes,
                        Qos qos = Qos::Low) {
  return {
      .id = id, .src = src, .dst = dst, .type = TransferType::Unicast, .qos = qos, .bytes = bytes};
}

/// Returns the message of the Error that `action` throws. Fails the test when it throws nothing.
template <typename Error = std::invalid_argument, typename Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

}  // namespace kernbench::model::fabric
