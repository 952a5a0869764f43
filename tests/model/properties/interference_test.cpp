// SPDX-License-Identifier: Apache-2.0
// Interference of accesses: sharing a resource can only delay them, and without a shared resource
// they do not affect each other.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "model/components/machine/machine.hpp"
#include "model/components/machine/service_channel.hpp"
#include "model/transport/flits.hpp"
#include "tests/model/properties/property.hpp"
#include "tests/model/properties/run_accesses.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::properties {
namespace {

using common::SimTime;
using components::AccessRequest;
using components::ComponentRegistry;
using components::HbmCtrl;
using components::Service;
using topology::EdgeId;
using topology::NodeId;
using topology::NodeKind;

constexpr std::size_t kInterfering = 8;

std::string never_faster_than_alone(std::uint64_t seed, const ComponentRegistry& components) {
  RandomSystem system(seed);
  const auto accesses = system.accesses(kInterfering, kMaxFlits, kSubmittedBefore);
  const AccessesRun run = run_accesses(system, accesses, {&components});
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    const SimTime alone = latency_alone(system, accesses[i].request, {&components});
    if (run.latency(i) < alone) {
      return fmt::format("access {}: {} ps in company, {} ps alone", i, run.latency(i).ps(),
                         alone.ps());
    }
  }
  return "";
}

/// The wires and memory channels that an access and its response use.
struct Footprint {
  std::set<EdgeId> wires;
  std::set<std::pair<NodeId, std::uint64_t>> channels;

  [[nodiscard]] bool overlaps(const Footprint& other) const {
    return shares(wires, other.wires) || shares(channels, other.channels);
  }
  void add(const Footprint& other) {
    wires.insert(other.wires.begin(), other.wires.end());
    channels.insert(other.channels.begin(), other.channels.end());
  }

 private:
  template <typename T>
  static bool shares(const std::set<T>& one, const std::set<T>& other) {
    for (const T& element : one) {
      if (other.contains(element)) return true;
    }
    return false;
  }
};

Footprint footprint(const RandomSystem& system, const AccessRequest& request) {
  Footprint used;
  used.wires.insert(request.route.begin(), request.route.end());
  for (const EdgeId wire : system.way_back(request.route)) used.wires.insert(wire);
  const NodeId memory = system.graph().edge(request.route.back()).to;
  const std::uint32_t flit_bytes = system.spec().system.flit_bytes;
  const std::uint64_t flits = transport::Flits{request.bytes, flit_bytes}.count();
  switch (system.graph().node(memory).kind) {
    case NodeKind::HbmCtrl:
      for (std::uint64_t j = 0; j < flits; ++j) {
        used.channels.emplace(
            memory, topology::hbm_channel(system.spec().cube.memory_map.hbm_interleave,
                                          request.address / flit_bytes + j,
                                          system.spec().cube.memory_map.channels_per_slice));
      }
      break;
    case NodeKind::PeTcm:
      used.channels.emplace(memory, request.write ? 1 : 0);
      break;
    default:
      used.channels.emplace(memory, 0);
  }
  return used;
}

/// Draws accesses and returns those that share nothing with the ones chosen before.
std::vector<TimedAccess> strangers(RandomSystem& system) {
  std::vector<TimedAccess> chosen;
  Footprint taken;
  for (int i = 0; i < 40; ++i) {
    TimedAccess access = system.access(kMaxFlits, kSubmittedBefore);
    const Footprint used = footprint(system, access.request);
    if (used.overlaps(taken)) continue;
    taken.add(used);
    chosen.push_back(std::move(access));
  }
  return chosen;
}

std::string strangers_do_not_notice(std::uint64_t seed, const ComponentRegistry& components) {
  RandomSystem system(seed);
  const std::vector<TimedAccess> accesses = strangers(system);
  const AccessesRun run = run_accesses(system, accesses, {&components});
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    const SimTime alone = latency_alone(system, accesses[i].request, {&components});
    if (run.latency(i) != alone) {
      return fmt::format("access {} of {}: {} ps, {} ps alone", i, accesses.size(),
                         run.latency(i).ps(), alone.ps());
    }
  }
  return "";
}

/// Serves its first transaction normally and all others instantly, as if it were warm.
struct WarmHbm : HbmCtrl {
  using HbmCtrl::HbmCtrl;
  Service serve(bool write, std::uint64_t address, std::uint32_t bytes, SimTime ready,
                std::uint64_t transaction) override {
    if (first_ == 0) first_ = transaction;
    if (first_ != transaction) return {ready, ready};
    return HbmCtrl::serve(write, address, bytes, ready, transaction);
  }
  std::uint64_t first_ = 0;
};

/// All slices of the system share the channel of one slice.
struct SharedHbm : HbmCtrl {
  using HbmCtrl::HbmCtrl;
  Service serve(bool /*write*/, std::uint64_t /*address*/, std::uint32_t /*bytes*/, SimTime ready,
                std::uint64_t transaction) override {
    const NodeId one = machine().resolver().resolve(topology::PhysAddr::hbm(0, 0, 0));
    return machine().component_as<SharedHbm>(one).channel_.serve(ready, SimTime::from_ps(100'000),
                                                                 transaction);
  }
  components::ServiceChannel channel_;
};

TEST(AccessInCompany, IsNeverFasterThanAlone) {
  expect_holds(never_faster_than_alone);
}

TEST(AccessInCompany, AMemoryThatIsFasterWhenItIsWarmIsNoticed) {
  expect_noticed(never_faster_than_alone, with_hbm<WarmHbm>());
}

TEST(AccessInCompany, OftenWaits) {
  std::size_t slower = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    RandomSystem system(seed);
    const auto accesses = system.accesses(kInterfering, kMaxFlits, kSubmittedBefore);
    const AccessesRun run = run_accesses(system, accesses);
    for (std::size_t i = 0; i < accesses.size(); ++i) {
      if (run.latency(i) > latency_alone(system, accesses[i].request)) ++slower;
    }
  }
  EXPECT_GE(slower, 20 * kInterfering / 4);
}

TEST(AccessInCompany, OfStrangersTakesWhatItTakesAlone) {
  expect_holds(strangers_do_not_notice);
}

TEST(AccessInCompany, StrangersThatMeetInAMemoryAreNoticed) {
  expect_noticed(strangers_do_not_notice, with_hbm<SharedHbm>());
}

TEST(AccessInCompany, MostSystemsHaveSeveralStrangers) {
  int systems = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    RandomSystem system(seed);
    if (strangers(system).size() >= 3) ++systems;
  }
  EXPECT_GE(systems, 15);
}

}  // namespace
}  // namespace kernbench::model::properties
