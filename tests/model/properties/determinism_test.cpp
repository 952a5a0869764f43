// SPDX-License-Identifier: Apache-2.0
// A seed gives the same results every time, in any thread, with and without a trace.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <utility>

#include "tests/model/properties/mixed_traffic.hpp"
#include "tests/model/properties/property.hpp"

namespace kernbench::model::properties {
namespace {

using common::SimTime;
using components::ComponentRegistry;
using components::HbmCtrl;
using components::Service;

std::uint64_t trace_hash(const RandomSystem& system, std::uint64_t seed,
                         const ComponentRegistry& components) {
  trace::HopTrace trace;
  (void)run_mixed_traffic(system, seed, components, &trace);
  return trace.hash();
}

std::string the_same_again(std::uint64_t seed, const ComponentRegistry& components) {
  // Each run builds its own system.
  const std::uint64_t once = trace_hash(RandomSystem(seed), seed, components);
  const std::uint64_t again = trace_hash(RandomSystem(seed), seed, components);
  return once == again ? "" : fmt::format("trace {:016x}, then {:016x}", once, again);
}

std::string the_same_in_two_threads(std::uint64_t seed, const ComponentRegistry& components) {
  const RandomSystem system(seed);  // shared by both threads, including its router
  const std::uint64_t alone = trace_hash(system, seed, components);
  std::uint64_t other = 0;
  std::uint64_t own = 0;
  {
    const std::jthread thread([&] { other = trace_hash(system, seed, components); });
    own = trace_hash(system, seed, components);
  }
  return alone == own && alone == other
             ? ""
             : fmt::format("trace {:016x}, in threads {:016x} and {:016x}", alone, own, other);
}

std::string the_same_without_a_trace(std::uint64_t seed, const ComponentRegistry& components) {
  const RandomSystem system(seed);
  trace::HopTrace trace;
  const auto traced = run_mixed_traffic(system, seed, components, &trace);
  const auto untraced = run_mixed_traffic(system, seed, components, nullptr);
  return traced == untraced ? "" : "latencies differ";
}

/// Keeps the amount that it has served from one simulation to the next.
class AgeingHbm : public HbmCtrl {
 public:
  using Age = std::shared_ptr<std::atomic<std::int64_t>>;
  AgeingHbm(components::Machine& machine, topology::NodeId node, Age age)
      : HbmCtrl(machine, node), age_(std::move(age)) {}
  Service serve(bool write, std::uint64_t address, std::uint32_t bytes, SimTime ready,
                std::uint64_t transaction) override {
    Service service = HbmCtrl::serve(write, address, bytes, ready, transaction);
    service.end += SimTime::from_ps((*age_)++);
    return service;
  }

 private:
  Age age_;
};

ComponentRegistry with_ageing_hbm() {
  return with_hbm<AgeingHbm>(std::make_shared<std::atomic<std::int64_t>>(0));
}

TEST(Determinism, ASeedHasOneTrace) {
  expect_holds(the_same_again);
}

TEST(Determinism, AMemoryThatRemembersAnotherSimulationIsNoticed) {
  expect_noticed(the_same_again, with_ageing_hbm());
}

TEST(Determinism, SimulationsInTwoThreadsAtOnceHaveTheTraceOfOneAlone) {
  expect_holds(the_same_in_two_threads);
}

TEST(Determinism, AMemoryThatThreadsShareIsNoticed) {
  expect_noticed(the_same_in_two_threads, with_ageing_hbm());
}

TEST(Determinism, ATraceChangesNoLatency) {
  expect_holds(the_same_without_a_trace);
}

TEST(Determinism, LatenciesThatDifferWithoutATraceAreNoticed) {
  expect_noticed(the_same_without_a_trace, with_ageing_hbm());
}

TEST(Determinism, DifferentSeedsHaveDifferentTraces) {
  const ComponentRegistry& standard = components::standard_components();
  EXPECT_NE(trace_hash(RandomSystem(1), 1, standard), trace_hash(RandomSystem(1), 2, standard));
}

}  // namespace
}  // namespace kernbench::model::properties
