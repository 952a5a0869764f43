// SPDX-License-Identifier: Apache-2.0
// Components are created by name and can be replaced.
#include "model/components/machine/component_registry.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "model/components/machine/machine.hpp"
#include "model/components/parts/memories.hpp"
#include "tests/model/components/machine_fixture.hpp"

namespace kernbench::model::components {
namespace {

using topology::NodeKind;

TEST(ComponentRegistry, EveryKindOfNodeHasAComponentOfItsName) {
  engine::Simulation simulation;
  Machine machine(simulation, default_graph());
  for (std::uint32_t i = 0; i < default_graph().nodes().size(); ++i) {
    EXPECT_EQ(machine.component(topology::NodeId(i)).node(), topology::NodeId(i));
  }
}

TEST(ComponentRegistry, RelaysShareOneComponent) {
  for (const NodeKind kind :
       {NodeKind::Router, NodeKind::UcieConn, NodeKind::UciePhy, NodeKind::IoNoc, NodeKind::IoConn,
        NodeKind::IoUcie, NodeKind::Switch, NodeKind::Maze}) {
    EXPECT_EQ(component_name(kind), "forwarding");
  }
  EXPECT_EQ(component_name(NodeKind::PcieEp), "pcie_ep");
}

TEST(ComponentRegistry, AnUnknownNameIsRefusedWithTheOnesThereAre) {
  engine::Simulation simulation;
  Machine machine(simulation, default_graph());
  ComponentRegistry registry;
  registry.add("one", nullptr);
  registry.add("two", nullptr);
  try {
    (void)registry.make("three", machine, topology::NodeId(0));
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "unknown component 'three'; known are one, two");
  }
}

/// An HBM controller that takes twice the time.
class SlowHbm : public HbmCtrl {
 public:
  using HbmCtrl::HbmCtrl;
  Service serve(bool write, std::uint64_t address, std::uint32_t bytes, common::SimTime ready,
                std::uint64_t transaction) override {
    return HbmCtrl::serve(write, address, 2 * bytes, ready, transaction);
  }
};

TEST(ComponentRegistry, AnotherModelOfAComponentTakesItsPlace) {
  ComponentRegistry registry = standard_components();
  registry.add("hbm_ctrl", [](Machine& machine, topology::NodeId node) {
    return std::make_unique<SlowHbm>(machine, node);
  });
  const auto time = [](const ComponentRegistry& components) {
    engine::Simulation simulation;
    Machine machine(simulation, default_graph(), {nullptr, &default_router(), &components});
    const auto path = default_router().find_path("sip0.cube0.pe0", "sip0.cube0.hbm_ctrl.pe0");
    machine.accesses().submit({false, path.edges, 0, 256});
    simulation.run();
    return simulation.now().ps();
  };
  EXPECT_EQ(time(registry), time(standard_components()) + 16'000);
}

using MachineMessages = MachineTest;
TEST_F(MachineMessages, AMessageThatEndsAtARelayIsAnErrorThatNamesBoth) {
  const auto route = default_router().find_path("sip0.cube0.pe0", "sip0.cube0.noc.r0c0").edges;
  (void)machine_.send(route, 16, {1, "stray"}, {});
  try {
    simulation_.run();
    FAIL();
  } catch (const std::logic_error& error) {
    EXPECT_STREQ(error.what(),
                 "sip0.cube0.noc.r0c0: unexpected message 'stray' from sip0.cube0.pe0.pe_dma");
  }
}

}  // namespace
}  // namespace kernbench::model::components
