// SPDX-License-Identifier: Apache-2.0
// Every byte that is sent is carried once by each wire of its route, served once, and received
// once.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <tuple>
#include <utility>

#include "model/components/machine/machine.hpp"
#include "model/components/parts/memories.hpp"
#include "model/transport/flits.hpp"
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
using components::Machine;
using components::Service;
using topology::EdgeId;
using topology::NodeId;
using transport::Flits;
using transport::WireUse;

constexpr std::size_t kAccesses = 10;

/// The expected use of the wires.
class ExpectedUse {
 public:
  explicit ExpectedUse(const RandomSystem& system)
      : graph_(system.graph()), uses_(graph_.edges().size()) {}

  void add(std::span<const EdgeId> route, std::uint64_t bytes) {
    const Flits flits{bytes, graph_.spec().system.flit_bytes};
    for (const EdgeId wire : route) {
      WireUse& use = uses_[wire.value()];
      const double bw_gbs = graph_.edge(wire).bw_gbs;
      use.flits += flits.count();
      use.bytes += bytes;
      use.busy += transport::occupancy(flits.size(0), bw_gbs) *
                      static_cast<std::int64_t>(flits.count() - 1) +
                  transport::occupancy(flits.size(flits.count() - 1), bw_gbs);
    }
  }

  /// Returns "" if the wires carried what is expected, else the first difference.
  [[nodiscard]] std::string compare(std::span<const WireUse> carried) const {
    for (std::uint32_t i = 0; i < uses_.size(); ++i) {
      const WireUse& is = carried[i];
      const WireUse& must = uses_[i];
      if (is.flits != must.flits || is.bytes != must.bytes || is.busy != must.busy) {
        return fmt::format("edge {}: {} flits, {} bytes, {} ps; sent: {}, {}, {}", i, is.flits,
                           is.bytes, is.busy.ps(), must.flits, must.bytes, must.busy.ps());
      }
    }
    return "";
  }

 private:
  const topology::TopologyGraph& graph_;
  std::vector<WireUse> uses_;
};

std::string wires_carry_what_is_sent(std::uint64_t seed, const ComponentRegistry& components) {
  RandomSystem system(seed);
  const auto accesses = system.accesses(kAccesses, kMaxFlits, kSubmittedBefore);
  ExpectedUse expected(system);
  for (const TimedAccess& access : accesses) {
    const AccessRequest& request = access.request;
    const std::uint64_t control = system.spec().system.request_bytes;
    expected.add(request.route, request.write ? request.bytes : control);
    expected.add(system.way_back(request.route), request.write ? control : request.bytes);
  }
  const AccessesRun run = run_accesses(system, accesses, {&components, nullptr, true});
  for (std::size_t i = 0; i < run.answers.size(); ++i) {
    if (run.answers[i] != 1) return fmt::format("access {}: {} answers", i, run.answers[i]);
  }
  if (run.pending != 0) return fmt::format("{} accesses are under way for ever", run.pending);
  return expected.compare(run.uses);
}

/// Number of services, by transaction, write, memory, address and bytes.
using Served =
    std::map<std::tuple<std::uint64_t, bool, NodeId, std::uint64_t, std::uint32_t>, std::uint32_t>;

template <typename Memory>
struct Counting : Memory {
  Counting(Machine& machine, NodeId node, Served& into) : Memory(machine, node), served(into) {}
  Service serve(bool write, std::uint64_t address, std::uint32_t bytes, SimTime ready,
                std::uint64_t transaction) override {
    ++served[{transaction, write, this->node(), address, bytes}];
    return Memory::serve(write, address, bytes, ready, transaction);
  }
  Served& served;
};

template <typename Memory>
components::ComponentRegistry::Factory counting(Served& served) {
  return [&served](Machine& machine, NodeId node) -> std::unique_ptr<components::Component> {
    return std::make_unique<Counting<Memory>>(machine, node, served);
  };
}

Served expected_services(const RandomSystem& system, std::span<const TimedAccess> accesses) {
  Served expected;
  for (const TimedAccess& access : accesses) {
    const AccessRequest& request = access.request;
    const Flits flits{request.bytes, system.spec().system.flit_bytes};
    const NodeId memory = system.graph().edge(request.route.back()).to;
    for (std::uint64_t j = 0; j < flits.count(); ++j) {
      ++expected[{request.transaction, request.write, memory,
                  request.address + j * flits.flit_bytes, flits.size(j)}];
    }
  }
  return expected;
}

/// Returns accesses with transaction numbers, so that each service can be attributed.
std::vector<TimedAccess> numbered_accesses(RandomSystem& system) {
  auto accesses = system.accesses(kAccesses, kMaxFlits, kSubmittedBefore);
  for (std::size_t i = 0; i < accesses.size(); ++i) accesses[i].request.transaction = i + 1;
  return accesses;
}

Served services(const RandomSystem& system, std::span<const TimedAccess> accesses) {
  Served served;
  ComponentRegistry registry = components::standard_components();
  registry.add("hbm_ctrl", counting<HbmCtrl>(served));
  registry.add("sram", counting<components::Sram>(served));
  registry.add("pe_tcm", counting<components::PeTcm>(served));
  (void)run_accesses(system, accesses, {&registry});
  return served;
}

/// Receives messages from a network without machine, and records the order of their flits.
class Arrivals final : public transport::FlitReceiver {
 public:
  explicit Arrivals(std::size_t messages) : flits(messages) {}
  void on_flit(std::uint64_t message, std::uint64_t index, SimTime /*arrival*/) override {
    flits.at(message).push_back(index);
  }
  std::vector<std::vector<std::uint64_t>> flits;  ///< flit indices by message, in order of arrival
};

/// Returns "" if the flits of each message arrived once and in order, else the first difference.
std::string compare_arrivals(const Arrivals& arrivals, std::span<const Flits> messages) {
  for (std::size_t m = 0; m < messages.size(); ++m) {
    const std::vector<std::uint64_t>& arrived = arrivals.flits[m];
    if (arrived.size() != messages[m].count()) {
      return fmt::format("message {}: {} flits sent, {} arrived", m, messages[m].count(),
                         arrived.size());
    }
    for (std::uint64_t j = 0; j < arrived.size(); ++j) {
      if (arrived[j] != j)
        return fmt::format("message {}: flit {} arrived as number {}", m, arrived[j], j);
    }
  }
  return "";
}

struct SentMessages {
  std::vector<Flits> messages;
  Arrivals arrivals{kAccesses};
  std::string wires;  ///< first difference in their use; "" if none
};

SentMessages send_messages(std::uint64_t seed) {
  RandomSystem system(seed);
  engine::Simulation simulation;
  transport::Network network(simulation, system.graph());
  SentMessages sent;
  ExpectedUse expected(system);
  for (const TimedAccess& access : system.accesses(kAccesses, kMaxFlits, {})) {
    const std::uint64_t bytes = access.request.bytes;
    network.send(access.request.route, bytes, sent.arrivals, sent.messages.size());
    sent.messages.push_back({bytes, system.spec().system.flit_bytes});
    expected.add(access.request.route, bytes);
  }
  simulation.run();
  std::vector<WireUse> uses;
  for (std::uint32_t edge = 0; edge < system.graph().edges().size(); ++edge) {
    uses.push_back(network.use(EdgeId(edge)));
  }
  sent.wires = expected.compare(uses);
  return sent;
}

/// Sends one byte of its own for every flit that it serves.
struct ChattyHbm : HbmCtrl, transport::FlitReceiver {
  ChattyHbm(Machine& machine, NodeId node) : HbmCtrl(machine, node) {
    for (std::uint32_t i = 0; i < machine.graph().edges().size(); ++i) {
      if (machine.graph().edges()[i].from == node) wire_ = EdgeId(i);
    }
  }
  Service serve(bool write, std::uint64_t address, std::uint32_t bytes, SimTime ready,
                std::uint64_t transaction) override {
    machine().network().send({&wire_, 1}, 1, *this, 0);
    return HbmCtrl::serve(write, address, bytes, ready, transaction);
  }
  void on_flit(std::uint64_t /*message*/, std::uint64_t /*index*/, SimTime /*arrival*/) override {}
  EdgeId wire_;
};

TEST(Conservation, WiresCarryEveryByteOfAnAccessOnceAndItIsAnsweredOnce) {
  expect_holds(wires_carry_what_is_sent);
}

TEST(Conservation, ABytesTooManyOnAWireIsNoticed) {
  expect_noticed(wires_carry_what_is_sent, with_hbm<ChattyHbm>());
}

TEST(Conservation, MemoriesServeEveryFlitOnce) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    RandomSystem system(seed);
    const std::vector<TimedAccess> accesses = numbered_accesses(system);
    ASSERT_EQ(services(system, accesses), expected_services(system, accesses)) << "seed " << seed;
  }
}

TEST(Conservation, AServiceOfOtherBytesThanWereAskedForIsNoticed) {
  RandomSystem system(0);
  std::vector<TimedAccess> accesses = numbered_accesses(system);
  const Served served = services(system, accesses);
  accesses.front().request.bytes += 1;
  EXPECT_NE(served, expected_services(system, accesses));
}

TEST(Conservation, EveryFlitOfAMessageArrivesOnceAndInOrder) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const SentMessages sent = send_messages(seed);
    ASSERT_EQ(compare_arrivals(sent.arrivals, sent.messages), "") << "seed " << seed;
    ASSERT_EQ(sent.wires, "") << "seed " << seed;
  }
}

TEST(Conservation, AFlitThatIsLostDoubledOrLateIsNoticed) {
  const SentMessages sent = send_messages(0);
  SentMessages lost = sent;
  lost.arrivals.flits[3].pop_back();
  EXPECT_NE(compare_arrivals(lost.arrivals, lost.messages), "");
  SentMessages doubled = sent;
  doubled.arrivals.flits[3].push_back(0);
  EXPECT_NE(compare_arrivals(doubled.arrivals, doubled.messages), "");
  SentMessages late = sent;
  std::swap(late.arrivals.flits[3].front(), late.arrivals.flits[3].back());
  EXPECT_NE(compare_arrivals(late.arrivals, late.messages), "");
}

}  // namespace
}  // namespace kernbench::model::properties
