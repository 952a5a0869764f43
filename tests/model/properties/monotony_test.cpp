// SPDX-License-Identifier: Apache-2.0
// A longer route or more bytes never make an access faster, and a read is never faster than the
// write where DESIGN says so.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "model/components/machine/machine.hpp"
#include "model/transport/wire_time.hpp"
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

constexpr std::uint64_t kMostFlits = 40;

/// Returns whether a route may turn back at the node: not where flits are only passed on, and not
/// at a memory.
bool may_turn(const topology::Node& node) {
  using topology::NodeKind;
  return node.kind != NodeKind::UcieConn && node.kind != NodeKind::UciePhy &&
         node.kind != NodeKind::IoConn && node.kind != NodeKind::IoUcie &&
         node.kind != NodeKind::HbmCtrl && node.kind != NodeKind::Sram &&
         node.kind != NodeKind::PeTcm;
}

/// Returns the route with a detour to a neighbour of one of its nodes and back.
std::vector<EdgeId> with_detour(RandomSystem& system, const std::vector<EdgeId>& route) {
  const topology::TopologyGraph& graph = system.graph();
  std::size_t at = system.random().below(route.size());
  // The first node of a route is one at which it may turn.
  while (!may_turn(graph.node(graph.edge(route[at]).from))) --at;
  const NodeId node = graph.edge(route[at]).from;
  std::vector<EdgeId> leaving;
  for (std::uint32_t edge = 0; edge < graph.edges().size(); ++edge) {
    const topology::Edge& one = graph.edges()[edge];
    if (one.from == node && may_turn(graph.node(one.to))) leaving.emplace_back(edge);
  }
  const EdgeId out = leaving[system.random().below(leaving.size())];
  const std::vector<EdgeId> back = system.way_back({&out, 1});
  std::vector<EdgeId> longer = route;
  longer.insert(longer.begin() + static_cast<std::ptrdiff_t>(at), {out, back.front()});
  return longer;
}

std::string a_longer_path_is_no_faster(std::uint64_t seed, const ComponentRegistry& components) {
  RandomSystem system(seed);
  for (int i = 0; i < 3; ++i) {
    AccessRequest request = system.access(kMostFlits, {}).request;
    const SimTime direct = latency_alone(system, request, {&components});
    const std::size_t hops = request.route.size();
    request.route = with_detour(system, request.route);
    const SimTime longer = latency_alone(system, request, {&components});
    if (longer < direct) {
      return fmt::format("access {}: {} ps over {} hops, {} ps over {}", i, direct.ps(), hops,
                         longer.ps(), request.route.size());
    }
  }
  return "";
}

std::string more_bytes_are_no_faster(std::uint64_t seed, const ComponentRegistry& components) {
  RandomSystem system(seed);
  const std::uint32_t flit_bytes = system.spec().system.flit_bytes;
  for (int i = 0; i < 3; ++i) {
    AccessRequest request = system.access(kMostFlits, {}).request;
    const std::uint64_t fewer = request.bytes;
    const SimTime shorter = latency_alone(system, request, {&components});
    request.bytes += 1 + system.random().below(system.random().below(2) == 0 ? 2 : 2 * flit_bytes);
    const SimTime longer = latency_alone(system, request, {&components});
    if (longer < shorter) {
      return fmt::format("access {}: {} ps for {} bytes, {} ps for {}", i, shorter.ps(), fewer,
                         longer.ps(), request.bytes);
    }
  }
  return "";
}

std::string compare_read_and_write(const RandomSystem& system, AccessRequest request,
                                   const ComponentRegistry& components) {
  request.write = true;
  const SimTime write = latency_alone(system, request, {&components});
  request.write = false;
  const SimTime read = latency_alone(system, request, {&components});
  // With a hash, the last flits of a write may meet on one channel: at most one flit more than if
  // the channels were used in turn, and one more where the first group is not whole. A read hides
  // that wait behind the return of earlier flits.
  const topology::MemoryMapSpec& memory = system.spec().cube.memory_map;
  const SimTime service = transport::occupancy(
      std::uint64_t{system.spec().system.flit_bytes} * memory.channels_per_slice,
      memory.hbm_total_bw_gbs / memory.slices_per_cube);
  const bool hashed = memory.hbm_interleave == topology::HbmInterleave::Hash;
  if (read + (hashed ? service * 2 : SimTime{}) >= write) return "";
  return fmt::format("{} bytes over {} hops: read in {} ps, written in {} ps", request.bytes,
                     request.route.size(), read.ps(), write.ps());
}

/// Returns a random spec in which requests and acknowledgements are one flit.
topology::TopologySpec spec_with_short_requests(std::uint64_t seed) {
  common::Rng random = common::Rng::stream(seed, "spec");
  topology::TopologySpec spec = random_spec(random);
  spec.system.request_bytes = std::min(spec.system.request_bytes, spec.system.flit_bytes);
  return spec;
}

std::string reads_of_whole_flits_beat_no_writes(std::uint64_t seed,
                                                const ComponentRegistry& components) {
  RandomSystem system(seed, spec_with_short_requests(seed));
  AccessRequest request = system.host_access();
  const std::uint32_t flit_bytes = system.spec().system.flit_bytes;
  request.bytes = (request.bytes + flit_bytes - 1) / flit_bytes * flit_bytes;
  return compare_read_and_write(system, request, components);
}

std::string reads_behind_a_narrow_host_link_beat_no_writes(std::uint64_t seed,
                                                           const ComponentRegistry& components) {
  topology::TopologySpec spec = spec_with_short_requests(seed);
  spec.system.host_to_switch.bw_gbs = 8;  // all other links have at least 10
  RandomSystem system(seed, spec);
  return compare_read_and_write(system, system.host_access(), components);
}

/// Wakes up slowly: accesses that arrive later complete sooner.
struct SleepyHbm : HbmCtrl {
  using HbmCtrl::HbmCtrl;
  Service serve(bool /*write*/, std::uint64_t /*address*/, std::uint32_t /*bytes*/, SimTime ready,
                std::uint64_t /*transaction*/) override {
    const SimTime waking = SimTime::from_ps(10'000'000) - ready * 3;
    return {ready, ready + std::max(waking, SimTime{})};
  }
};

/// Takes longer the shorter a flit is.
struct WholeFlitHbm : HbmCtrl {
  using HbmCtrl::HbmCtrl;
  Service serve(bool /*write*/, std::uint64_t /*address*/, std::uint32_t bytes, SimTime ready,
                std::uint64_t /*transaction*/) override {
    const std::uint32_t missing = machine().spec().system.flit_bytes - bytes;
    return {ready, ready + SimTime::from_ps(100'000) * missing};
  }
};

/// Writes take longer than reads.
struct SlowWritingHbm : HbmCtrl {
  using HbmCtrl::HbmCtrl;
  Service serve(bool write, std::uint64_t address, std::uint32_t bytes, SimTime ready,
                std::uint64_t transaction) override {
    Service service = HbmCtrl::serve(write, address, bytes, ready, transaction);
    if (write) service.end += SimTime::from_ps(10'000'000);
    return service;
  }
};

TEST(Latency, OfALongerPathIsNotShorter) {
  expect_holds(a_longer_path_is_no_faster);
}

TEST(Latency, AMemoryThatIsFasterLaterIsNoticed) {
  expect_noticed(a_longer_path_is_no_faster, with_hbm<SleepyHbm>());
}

TEST(Latency, OfMoreBytesIsNotShorter) {
  expect_holds(more_bytes_are_no_faster);
}

TEST(Latency, AMemoryThatIsSlowForFewerBytesIsNoticed) {
  expect_noticed(more_bytes_are_no_faster, with_hbm<WholeFlitHbm>());
}

TEST(Latency, OfReadingWholeFlitsIsNotShorterThanOfWritingThem) {
  expect_holds(reads_of_whole_flits_beat_no_writes);
}

TEST(Latency, OfReadingBehindANarrowHostLinkIsNotShorterThanOfWriting) {
  expect_holds(reads_behind_a_narrow_host_link_beat_no_writes);
}

TEST(Latency, AMemoryThatReadsFasterThanItWritesIsNoticed) {
  expect_noticed(reads_of_whole_flits_beat_no_writes, with_hbm<SlowWritingHbm>());
  expect_noticed(reads_behind_a_narrow_host_link_beat_no_writes, with_hbm<SlowWritingHbm>());
}

}  // namespace
}  // namespace kernbench::model::properties
