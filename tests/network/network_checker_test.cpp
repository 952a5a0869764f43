// SPDX-License-Identifier: Apache-2.0
// The SystemVerilog checkers of the nodes: each rule is seen failing, by an error in the RTL or by
// its users.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "sim/dut/dut_library.hpp"
#include "sim/network/network_users.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

namespace kernbench {
namespace {

using sim::Violation;

const maze::Shape kTwoByThree{2, 3, 8};

/// The kinds of errors that are planted in the RTL, by name.
std::map<std::string, unsigned> planted_kinds() {
  std::map<std::string, unsigned> kinds;
  std::ifstream file(std::string(places::kNetworkModels) + "/planted/kinds.txt");
  unsigned number = 0;
  for (std::string name; file >> number && std::getline(file >> std::ws, name);) {
    kinds[name] = number;
  }
  return kinds;
}

/// The network with an error, in its own working folder.
class PlantedNetwork : public testing::Test {
 protected:
  PlantedNetwork() { std::filesystem::current_path(folder_.path()); }
  ~PlantedNetwork() override { std::filesystem::current_path(before_); }

  std::shared_ptr<sim::NetworkDut> network(const std::string& kind, unsigned node = 0,
                                           unsigned port = 0, unsigned level = 0) {
    const unsigned number = kind.empty() ? 0 : kinds_.at(kind);
    std::ofstream("mutant.hex") << fmt::format("{:x} {:x} {:x} {:x} {:x}\n", number,
                                               node % kTwoByThree.nx, node / kTwoByThree.nx, port,
                                               level);
    auto dut = library_.create(1);
    reset(*dut);
    return dut;
  }
  static void reset(sim::NetworkDut& dut) {
    const maze::NetworkInputs idle(kTwoByThree);
    dut.set_reset(true);
    for (unsigned i = 0; i < 2; ++i) cycle(dut, idle);
    dut.set_reset(false);
    (void)dut.take_violations();
  }
  static std::vector<Violation> cycle(sim::NetworkDut& dut, const maze::NetworkInputs& inputs) {
    dut.drive(inputs);
    dut.settle();
    dut.clock_edge();
    return dut.take_violations();
  }

  /// Returns the first rule that an error at this place violates under heavy traffic, and where:
  /// "turn node 3 port 2 high". Empty if none is violated in 5,000 cycles.
  std::string first_violation(const std::string& kind, unsigned node, unsigned port, unsigned level,
                              std::optional<unsigned> failed = {}) {
    const auto dut = network(kind, node, port, level);
    dut->set_failed(failed);
    reset(*dut);
    maze::NetworkConfig config = dut->info().config;
    config.failed = failed;
    sim::NetworkUsers users(config, {.suite = "checkers",
                                     .name = "checkers",
                                     .cycles = 5000,
                                     .multicasts = 0.3,
                                     .back_pressure = {.kind = sim::BackPressure::Random}});
    maze::NetworkInputs inputs(kTwoByThree);
    maze::NetworkOutputs outputs(kTwoByThree);
    for (unsigned i = 0; i < 5000; ++i) {
      maze::BitPlane fired = inputs.out_valid;
      fired[0] &= outputs.out_ready[0];
      users.drive(i, sim::Phase::Run, fired, inputs);
      dut->drive(inputs);
      dut->settle();
      for (const Violation& violation : dut->take_violations()) {
        return fmt::format("{} node {} port {} {}", violation.rule, violation.link.node,
                           violation.link.port, violation.level);
      }
      dut->sample(outputs);
      dut->clock_edge();
    }
    return "";
  }

  common::TempFolder folder_;
  std::filesystem::path before_ = std::filesystem::current_path();
  std::map<std::string, unsigned> kinds_ = planted_kinds();
  sim::NetworkLibrary library_{std::string(places::kNetworkModels) +
                               "/planted/model/libnetwork_model.so"};
};

// A node of 2x3 has port 0 along X, 1 and 2 along Y, and A or B as port 3.
TEST_F(PlantedNetwork, WithoutAnErrorNoRuleIsViolated) {
  EXPECT_EQ(first_violation("", 0, 0, 0), "");
  EXPECT_EQ(first_violation("", 0, 0, 0, 4), "");
}

TEST_F(PlantedNetwork, EveryRuleOfArbiterForkAndOutputIsSeenFailing) {
  EXPECT_EQ(first_violation("two grants", 3, 2, 0), "two_grants node 3 port 2 ");
  EXPECT_EQ(first_violation("grant to an input that does not ask", 1, 3, 0),
            "grant_without_request node 1 port 3 high");
  EXPECT_EQ(first_violation("grant without ready", 2, 0, 1), "grant_without_ready node 2 port 0 ");
  EXPECT_EQ(first_violation("grant withheld", 4, 3, 0), "no_grant node 4 port 3 ");
  EXPECT_EQ(first_violation("low before high", 5, 1, 0), "low_before_high node 5 port 1 low");
  EXPECT_EQ(first_violation("bound one too small", 5, 3, 0), "low_before_high node 5 port 3 low");
  EXPECT_EQ(first_violation("no bound", 0, 3, 0), "bound_exceeded node 0 port 3 high");
  EXPECT_EQ(first_violation("priority instead of round robin", 2, 3, 0), "turn node 2 port 3 low");
  EXPECT_EQ(first_violation("priority instead of round robin", 2, 3, 1), "turn node 2 port 3 high");
  EXPECT_EQ(first_violation("done bit lost", 1, 3, 1).substr(0, 20), "copy_repeated node 1");
  EXPECT_EQ(first_violation("fork waits for all", 1, 3, 0).substr(0, 21), "copy_forgotten node 1");
  EXPECT_EQ(first_violation("ready of another port", 4, 3, 0), "output_not_held node 4 port 3 ");
  // The receiver at the other end of a link without stages sees it, too.
  EXPECT_EQ(first_violation("ready of another port", 4, 1, 0), "packet_changed node 0 port 1 ");
  EXPECT_EQ(first_violation("X-to-X turn", 3, 0, 0), "x_to_x node 3 port 0 ");
  EXPECT_THAT(first_violation("failed corner not avoided", 0, 3, 0, 1),
              testing::StartsWith("packet_to_failed_node node 0 port 0"));
}

TEST_F(PlantedNetwork, EveryRuleOfTheUsersIsSeenFailing) {
  const maze::PacketLayout layout(kTwoByThree);
  const auto offered = [&](const maze::PacketFields& fields) {
    maze::NetworkInputs inputs(kTwoByThree);
    inputs.out_valid[0] = 1U << 3;  // node [1,1]
    inputs.out_payload[3] = layout.encode(fields);
    return inputs;
  };
  const unsigned own = layout.address(3);
  const auto rules = [](const std::vector<Violation>& seen) {
    std::set<std::string> names;
    for (const Violation& violation : seen) {
      names.insert(fmt::format("{} node {} port {}", violation.rule, violation.link.node,
                               violation.link.port));
    }
    return names;
  };
  // Returns what is seen of a packet that is offered in one cycle.
  const auto seen_of = [&](const maze::PacketFields& fields, std::optional<unsigned> failed = {}) {
    const auto dut = network("");
    dut->set_failed(failed);
    reset(*dut);
    (void)cycle(*dut, offered(fields));
    return rules(cycle(*dut, maze::NetworkInputs(kTwoByThree)));
  };
  using testing::ElementsAre;
  using testing::IsEmpty;
  EXPECT_THAT(seen_of({.src = own, .tgt = layout.address(5)}), IsEmpty());
  EXPECT_THAT(seen_of({.src = 0, .tgt = 0}), ElementsAre("source_of_another_node node 3 port 3"));
  EXPECT_THAT(seen_of({.src = own, .tgt = layout.address(5) | 2}),
              ElementsAre("illegal_address node 3 port 3"));  // x 3
  EXPECT_THAT(seen_of({.type = 2, .src = own, .tgt = layout.address(5) | 2}), IsEmpty());
  EXPECT_THAT(seen_of({.src = own, .tgt = layout.address(4)}, 4),
              ElementsAre("packet_to_failed_node node 3 port 3"));

  // With stalled receivers A refuses a packet in the end.
  const auto stalled = [&] {
    auto dut = network("");
    for (unsigned i = 0; i < 20; ++i) (void)cycle(*dut, offered({.src = own, .tgt = own}));
    return dut;
  };
  auto dut = stalled();
  (void)cycle(*dut, maze::NetworkInputs(kTwoByThree));
  EXPECT_THAT(rules(cycle(*dut, maze::NetworkInputs(kTwoByThree))),
              ElementsAre("valid_withdrawn node 3 port 3"));
  dut = stalled();
  (void)cycle(*dut, offered({.src = own, .tgt = own, .data = 7}));
  EXPECT_THAT(rules(cycle(*dut, offered({.src = own, .tgt = own, .data = 7}))),
              ElementsAre("packet_changed node 3 port 3"));
  dut = network("");
  (void)cycle(*dut, maze::NetworkInputs(kTwoByThree));
  dut->set_failed(2);
  (void)cycle(*dut, maze::NetworkInputs(kTwoByThree));
  EXPECT_THAT(rules(cycle(*dut, maze::NetworkInputs(kTwoByThree))),
              testing::Contains("failed_node_changed node 0 port 3"));
}

}  // namespace
}  // namespace kernbench
