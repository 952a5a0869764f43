// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "reference_dut.hpp"
#include "shapes.hpp"
#include "sim/stimulus/driver.hpp"
#include "sim/stimulus/traffic_names.hpp"

namespace kernbench::sim {
namespace {

using maze::BitPlane;
using maze::Payload;
using maze::Shape;
using maze::TopoInputs;
using maze::TopoOutputs;

const topology::MazeLinks& links8x8() {
  static const topology::MazeLinks links(8, 8);
  return links;
}

/// A driver and its last inputs. The test acts as the fabric.
struct Bench {
  explicit Bench(const TrafficSpec& traffic, const BackPressureSpec& back_pressure = {},
                 std::uint64_t seed = 1)
      : driver(k8x8, links8x8(), traffic, back_pressure, seed), inputs(k8x8), fired(k8x8) {}

  void drive(Phase phase) { driver.drive(cycle++, phase, fired, inputs); }
  [[nodiscard]] std::vector<Payload> payloads() const {
    return {inputs.out_payload.data(), inputs.out_payload.data() + inputs.out_payload.size()};
  }

  Driver driver;
  TopoInputs inputs;
  BitPlane fired;
  std::uint64_t cycle = 0;
};

bool none(const BitPlane& plane) {
  return plane == BitPlane(k8x8);
}

TEST(Driver, OffersNothingInResetWithAllNoneOrRandomReceiversReady) {
  Bench bench({});
  unsigned all = 0;
  unsigned none_ready = 0;
  unsigned random = 0;
  for (unsigned reset = 0; reset < 60; ++reset) {
    std::array<unsigned, 3> cycles{};  // all ready, none, some
    for (unsigned cycle = 0; cycle < 3; ++cycle) {
      bench.drive(Phase::Reset);
      EXPECT_TRUE(none(bench.inputs.out_valid));
      EXPECT_TRUE(bench.driver.idle());
      const std::uint64_t* ready = bench.inputs.in_ready.data();
      ++cycles[std::all_of(ready, ready + 14, [](auto w) { return ~w == 0; }) ? 0
               : none(bench.inputs.in_ready)                                  ? 1
                                                                              : 2];
    }
    all += cycles[0] / 3;
    none_ready += cycles[1] / 3;
    random += cycles[2] / 3;
    bench.drive(Phase::Run);
    bench.fired = bench.inputs.out_valid;
  }
  EXPECT_EQ(all + none_ready + random, 60U);  // one kind throughout each reset
  EXPECT_GE(all, 10U);
  EXPECT_GE(none_ready, 10U);
  EXPECT_GE(random, 10U);
}

TEST(Driver, HoldsValidAndPayloadUntilThePacketFires) {
  TrafficSpec traffic;
  traffic.load = 0.5;
  Bench bench(traffic);
  common::Rng rng(3);
  bench.drive(Phase::Run);
  std::uint64_t held = 0;
  for (int i = 0; i < 500; ++i) {
    const BitPlane valid = bench.inputs.out_valid;
    const std::vector<Payload> payloads = bench.payloads();
    for (std::size_t w = 0; w < valid.size(); ++w) {
      bench.fired.data()[w] = valid.data()[w] & rng.bits64();
    }
    bench.drive(i % 50 < 45 ? Phase::Run : Phase::Drain);
    EXPECT_EQ(bench.driver.offered(), bench.inputs.out_valid);
    for (unsigned link = 0; link < 896; ++link) {
      if (!valid.test(link / 64, link % 64) || bench.fired.test(link / 64, link % 64)) continue;
      ++held;
      EXPECT_TRUE(bench.inputs.out_valid.test(link / 64, link % 64));
      EXPECT_EQ(bench.inputs.out_payload.data()[link], payloads[link]);
    }
  }
  EXPECT_GT(held, 10'000U);
}

TEST(Driver, OffersAPacketEveryCycleAtFullLoadWhenTheFabricTakesThem) {
  Bench bench({});
  bench.drive(Phase::Reset);
  for (int i = 0; i < 10; ++i) {
    bench.drive(Phase::Run);
    bench.fired = bench.inputs.out_valid;
    EXPECT_EQ(bench.inputs.out_valid, bench.driver.links());
  }
}

TEST(Driver, StartsNothingAndIsReadyWhileDraining) {
  BackPressureSpec stalled;
  stalled.kind = BackPressure::Random;
  stalled.ready_probability = 0.0;
  Bench bench({}, stalled);
  bench.drive(Phase::Run);
  EXPECT_TRUE(none(bench.inputs.in_ready));
  const BitPlane offered = bench.inputs.out_valid;
  bench.drive(Phase::Drain);
  EXPECT_EQ(bench.inputs.out_valid, offered) << "what is offered stays offered";
  EXPECT_FALSE(none(bench.inputs.in_ready));
  EXPECT_FALSE(bench.driver.idle());
  bench.fired = offered;
  bench.drive(Phase::Drain);
  EXPECT_TRUE(none(bench.inputs.out_valid));
  EXPECT_TRUE(bench.driver.idle());
}

TEST(Driver, ForgetsInResetWhatItOffered) {
  Bench bench({});
  bench.drive(Phase::Run);
  EXPECT_FALSE(bench.driver.idle());
  bench.drive(Phase::Reset);
  EXPECT_TRUE(bench.driver.idle());
  const std::vector<Payload> before = bench.payloads();
  bench.drive(Phase::Run);
  EXPECT_NE(bench.payloads(), before) << "new packets, not the old ones again";
}

/// Returns all inputs of some cycles, with a fabric that accepts packets as `rng` decides.
auto recording(const TrafficSpec& traffic, const BackPressureSpec& back_pressure,
               std::uint64_t seed) {
  Bench bench(traffic, back_pressure, seed);
  common::Rng rng(3);
  std::vector<BitPlane> valid;
  std::vector<BitPlane> ready;
  std::vector<std::vector<Payload>> payloads;
  for (int i = 0; i < 200; ++i) {
    bench.drive(Phase::Run);
    valid.push_back(bench.inputs.out_valid);
    ready.push_back(bench.inputs.in_ready);
    payloads.push_back(bench.payloads());
    for (std::size_t w = 0; w < bench.fired.size(); ++w) {
      bench.fired.data()[w] = bench.inputs.out_valid.data()[w] & rng.bits64();
    }
  }
  return std::tuple(valid, ready, payloads);
}

TEST(Driver, DrivesTheSameForTheSameSeed) {
  TrafficSpec traffic;
  traffic.load = 0.4;
  traffic.types = {1, 2, 3, 4};
  BackPressureSpec back_pressure;
  back_pressure.kind = BackPressure::LongStalls;
  EXPECT_EQ(recording(traffic, back_pressure, 5), recording(traffic, back_pressure, 5));
  EXPECT_NE(recording(traffic, back_pressure, 5), recording(traffic, back_pressure, 6));
}

TEST(Driver, EveryRandomStreamDependsOnTheSeed) {
  TrafficSpec half;
  half.load = 0.4;
  EXPECT_NE(std::get<0>(recording(half, {}, 5)), std::get<0>(recording(half, {}, 6)));

  for (const BackPressure kind :
       {BackPressure::Random, BackPressure::Periodic, BackPressure::LongStalls}) {
    BackPressureSpec back_pressure;
    back_pressure.kind = kind;
    EXPECT_NE(std::get<1>(recording({}, back_pressure, 5)),
              std::get<1>(recording({}, back_pressure, 6)));
  }

  TrafficSpec data;  // random data behind constant headers
  data.qos_high = 0.0;
  EXPECT_NE(std::get<2>(recording(data, {}, 5)), std::get<2>(recording(data, {}, 6)));
  TrafficSpec headers;  // random QoS and types around constant data
  headers.payload = PayloadMode::Zeros;
  EXPECT_NE(std::get<2>(recording(headers, {}, 5)), std::get<2>(recording(headers, {}, 6)));
  headers.qos_high = 0.0;
  headers.types = {1, 1, 1, 1};
  EXPECT_NE(std::get<2>(recording(headers, {}, 5)), std::get<2>(recording(headers, {}, 6)));
}

TEST(Driver, KeepsTrafficPayloadsAndBackPressureIndependentOfEachOther) {
  TrafficSpec traffic;
  traffic.load = 0.4;
  BackPressureSpec random;
  random.kind = BackPressure::Random;
  const auto base = recording(traffic, random, 5);

  const auto other_ready = recording(traffic, {}, 5);
  EXPECT_EQ(std::get<0>(base), std::get<0>(other_ready));
  EXPECT_EQ(std::get<2>(base), std::get<2>(other_ready));

  TrafficSpec other_payload = traffic;
  other_payload.payload = PayloadMode::Raw;
  other_payload.qos_high = 0.1;
  const auto raw = recording(other_payload, random, 5);
  EXPECT_EQ(std::get<0>(base), std::get<0>(raw));
  EXPECT_EQ(std::get<1>(base), std::get<1>(raw));

  TrafficSpec other_traffic = traffic;
  set_pattern(other_traffic, "uniform_random");
  EXPECT_EQ(std::get<1>(base), std::get<1>(recording(other_traffic, random, 5)));
}

TEST(Driver, RefusesASpecThatCannotBeRun) {
  TrafficSpec traffic;
  traffic.load = 2.0;
  EXPECT_THROW(Driver(k8x8, links8x8(), traffic, {}, 1), std::invalid_argument);
  BackPressureSpec back_pressure;
  back_pressure.stall_length = 0;
  EXPECT_THROW(Driver(k8x8, links8x8(), {}, back_pressure, 1), std::invalid_argument);
}

class Walk : public ::testing::TestWithParam<std::pair<BackPressure, double>> {};

TEST_P(Walk, VisitsEveryLinkOnceAndAlone) {
  TrafficSpec traffic;
  traffic.pattern = Pattern::LinkWalk;
  traffic.walk_packets = 9;  // more than the deepest link holds
  BackPressureSpec back_pressure;
  std::tie(back_pressure.kind, back_pressure.ready_probability) = GetParam();
  Bench bench(traffic, back_pressure);
  ReferenceDut fabric(k8x8);
  TopoOutputs outputs(k8x8);

  std::vector<topology::MazePort> visited;
  std::map<std::pair<unsigned, unsigned>, unsigned> delivered;
  std::uint64_t in_flight = 0;
  fabric.set_reset(false);
  while (!bench.driver.exhausted() && bench.cycle < 200'000) {
    bench.drive(Phase::Run);
    fabric.drive(bench.inputs);
    fabric.settle();
    fabric.sample(outputs);
    fabric.clock_edge();
    for (const topology::MazeLink& link : links8x8().links()) {
      const bool offered = bench.inputs.out_valid.test(link.from.port, link.from.node);
      const bool fires = offered && outputs.out_ready.test(link.from.port, link.from.node);
      bench.fired.set(link.from.port, link.from.node, fires);
      if (offered && (visited.empty() || visited.back() != link.from)) {
        EXPECT_EQ(in_flight, 0U) << "a packet of the link before is still under way";
        visited.push_back(link.from);
      }
      if (fires) ++in_flight;
      if (outputs.in_valid.test(link.to.port, link.to.node) &&
          bench.inputs.in_ready.test(link.to.port, link.to.node)) {
        --in_flight;
        ++delivered[{link.from.node, link.from.port}];
      }
    }
  }
  EXPECT_TRUE(bench.driver.exhausted());
  EXPECT_EQ(in_flight, 0U);
  ASSERT_EQ(visited.size(), 896U);
  for (std::size_t i = 0; i < visited.size(); ++i) {
    EXPECT_EQ(visited[i], links8x8().links()[i].from);
    EXPECT_EQ((delivered[{visited[i].node, visited[i].port}]), 9U);
  }
}

INSTANTIATE_TEST_SUITE_P(UnderBackPressure, Walk,
                         ::testing::Values(std::pair(BackPressure::None, 0.0),
                                           std::pair(BackPressure::Random, 0.2),
                                           std::pair(BackPressure::LongStalls, 0.0),
                                           std::pair(BackPressure::Periodic, 0.0)));

}  // namespace
}  // namespace kernbench::sim
