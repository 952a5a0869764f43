// SPDX-License-Identifier: Apache-2.0
// Compares the network with a plain model: one queue of events, and one event for each flit that
// arrives at a node. The network must compute the same times with fewer events.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <queue>
#include <tuple>
#include <vector>

#include "model/transport/flits.hpp"
#include "model/transport/wire_time.hpp"
#include "tests/model/properties/random_system.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::properties {
namespace {

using common::SimTime;
using topology::Edge;
using topology::EdgeId;
using topology::NodeId;
using transport::Flits;
using transport::Notify;
using transport::SourceOverhead;

constexpr std::uint64_t kSystems = 200;
constexpr std::size_t kMessages = 24;
constexpr std::uint64_t kFlitsAtMost = 40;
constexpr SimTime kSentBefore = SimTime::from_ps(100'000);

/// The time of arrival of each reported flit, by message and index.
using FlitTimes = std::map<std::pair<std::uint64_t, std::uint64_t>, std::int64_t>;

struct Message {
  TimedAccess access;
  Notify notify;
  std::vector<SimTime> ready;  ///< times of handed-over flits; empty if all are sent at once
};

class PlainWires {
 public:
  /// `late_ps` delays every flit that waited for its wire, so that times are wrong.
  explicit PlainWires(const topology::TopologyGraph& graph, std::int64_t late_ps = 0)
      : graph_(graph), late_(SimTime::from_ps(late_ps)), wires_(graph.edges().size()) {}

  FlitTimes run(const std::vector<Message>& messages) {
    for (std::uint64_t m = 0; m < messages.size(); ++m) {
      const Flits flits = flits_of(messages[m]);
      for (std::uint64_t i = 0; i < flits.count(); ++i) {
        const bool handed = !messages[m].ready.empty();
        events_.emplace(handed ? messages[m].ready[i] : messages[m].access.at, m, i, 0);
      }
    }
    while (!events_.empty()) {
      const auto [at, m, flit, hop] = events_.top();
      events_.pop();
      const Message& message = messages[m];
      if (hop < message.access.request.route.size()) {
        events_.emplace(cross(message, m, flit, hop, at), m, flit, hop + 1);
      } else if (message.notify == Notify::EachFlit || flit == 0 ||
                 flit + 1 == flits_of(message).count()) {
        arrivals_[{m, flit}] = at.ps();
      }
    }
    return arrivals_;
  }

  /// Returns whether flits of two messages arrived at a wire at the same time. Their order has no
  /// meaning, so such a run cannot be compared.
  [[nodiscard]] bool tied() const { return tied_; }

 private:
  /// Time, message, flit, hop. The smallest is next.
  using Event = std::tuple<SimTime, std::uint64_t, std::uint64_t, std::size_t>;
  struct Wire {
    SimTime free;
    SimTime last_arrival = SimTime::from_ps(-1);
    std::uint64_t last_message = 0;
  };

  [[nodiscard]] Flits flits_of(const Message& message) const {
    return {message.access.request.bytes, graph_.spec().system.flit_bytes};
  }
  SimTime cross(const Message& message, std::uint64_t m, std::uint64_t flit, std::size_t hop,
                SimTime at) {
    const components::AccessRequest& request = message.access.request;
    const Edge& edge = graph_.edge(request.route[hop]);
    Wire& wire = wires_[request.route[hop].value()];
    if (wire.last_arrival == at && wire.last_message != m) tied_ = true;
    wire.last_arrival = at;
    wire.last_message = m;
    const bool paid =
        hop == 0 && (!message.ready.empty() || request.source == SourceOverhead::Paid);
    const SimTime ready = at + (paid ? SimTime{} : graph_.node(edge.from).overhead);
    const SimTime start = wire.free > ready ? wire.free + late_ : ready;
    wire.free = start + transport::occupancy(flits_of(message).size(flit), edge.bw_gbs);
    return wire.free + transport::propagation(edge.length_nm, graph_.spec().system.wire_ns_per_mm);
  }

  const topology::TopologyGraph& graph_;
  SimTime late_;
  std::vector<Wire> wires_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  FlitTimes arrivals_;
  bool tied_ = false;
};

class NetworkRun final : engine::EventHandler, transport::FlitReceiver {
 public:
  NetworkRun(const topology::TopologyGraph& graph, const std::vector<Message>& messages,
             trace::HopTrace* trace)
      : graph_(graph), messages_(messages), network_(simulation_, graph, trace) {}

  FlitTimes run() {
    for (std::uint64_t m = 0; m < messages_.size(); ++m) {
      simulation_.schedule(messages_[m].access.at, *this, m);
    }
    simulation_.run();
    return arrivals_;
  }

 private:
  void on_event(engine::EventArgument argument) override {
    const std::uint64_t m = argument.number();
    const Message& message = messages_[m];
    const components::AccessRequest& request = message.access.request;
    const trace::Label label{m + 1, "message"};
    if (message.ready.empty()) {
      network_.send(request.route, request.bytes, *this, m, label, request.source, message.notify);
      return;
    }
    const std::uint32_t flow = network_.open(network_.route(request.route), request.bytes, *this, m,
                                             label, message.notify);
    for (const SimTime ready : message.ready) network_.deliver_flit(flow, ready);
  }
  void on_flit(std::uint64_t m, std::uint64_t flit, SimTime arrival) override {
    arrivals_[{m, flit}] = arrival.ps();
    const NodeId end = graph_.edge(messages_[m].access.request.route.back()).to;
    EXPECT_GE(simulation_.now(), arrival);
    EXPECT_LE(simulation_.now(), arrival + graph_.node(end).overhead);
  }

  const topology::TopologyGraph& graph_;
  const std::vector<Message>& messages_;
  engine::Simulation simulation_;
  transport::Network network_;
  FlitTimes arrivals_;
};

/// Returns when the flits of a message become ready, some of them at the same time.
std::vector<SimTime> ready_times(RandomSystem& system, const TimedAccess& access) {
  std::vector<SimTime> times;
  SimTime ready = access.at;
  const Flits flits{access.request.bytes, system.spec().system.flit_bytes};
  for (std::uint64_t i = 0; i < flits.count(); ++i) {
    ready += SimTime::from_ps(static_cast<std::int64_t>(system.random().below(3) * 517));
    times.push_back(ready);
  }
  return times;
}

/// Returns messages along the routes of accesses. Half of them travel in the opposite direction;
/// most of these are handed over by the memory.
std::vector<Message> messages_in(RandomSystem& system) {
  std::vector<Message> messages;
  for (TimedAccess& access : system.accesses(kMessages, kFlitsAtMost, kSentBefore)) {
    Message message{access, Notify::EachFlit, {}};
    if (system.random().below(2) == 0) {
      message.access.request.route = system.way_back(access.request.route);
      if (system.random().below(4) != 0) message.ready = ready_times(system, access);
    }
    if (system.random().below(2) == 0) message.notify = Notify::FirstAndLast;
    messages.push_back(std::move(message));
  }
  return messages;
}

TEST(PlainWires, TheNetworkComputesTheSameTimesAsOneEventForEachHop) {
  std::uint64_t compared = 0;
  for (std::uint64_t seed = 0; seed < kSystems; ++seed) {
    RandomSystem system(seed);
    const std::vector<Message> messages = messages_in(system);
    PlainWires plain(system.graph());
    const FlitTimes expected = plain.run(messages);
    if (plain.tied()) continue;
    ++compared;
    ASSERT_EQ(NetworkRun(system.graph(), messages, nullptr).run(), expected) << "seed " << seed;
    trace::HopTrace trace;
    ASSERT_EQ(NetworkRun(system.graph(), messages, &trace).run(), expected) << "seed " << seed;
  }
  EXPECT_GE(compared, kSystems / 2);
}

TEST(PlainWires, DetectsOnePicosecondMoreForFlitsThatWait) {
  std::uint64_t noticed = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    RandomSystem system(seed);
    const std::vector<Message> messages = messages_in(system);
    if (NetworkRun(system.graph(), messages, nullptr).run() !=
        PlainWires(system.graph(), 1).run(messages)) {
      ++noticed;
    }
  }
  EXPECT_EQ(noticed, 20U);
}

}  // namespace
}  // namespace kernbench::model::properties
