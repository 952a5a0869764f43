// SPDX-License-Identifier: Apache-2.0
#include "sim/check/connectivity.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "maze/plane_bits.hpp"

namespace kernbench::sim {

using maze::BitPlane;
using maze::Payload;
using maze::Shape;
using maze::TopoInputs;
using maze::TopoOutputs;
using topology::MazePort;

namespace {

constexpr std::size_t kShownInputs = 4;  // that a ready follows
// More than the round trip of the deepest link of the largest torus (7 stages at 16x16).
constexpr unsigned kSettleCycles = 18;

/// A fabric and its inputs. After reset() no output offers a packet and no input is ready.
class Probe {
 public:
  explicit Probe(MazeDut& dut) : dut_(dut), shape_(dut.info().shape), in_(shape_), out_(shape_) {}

  void reset() {
    in_.out_valid.clear();
    in_.in_ready.clear();
    dut_.set_reset(true);
    step();
    dut_.set_reset(false);
  }
  /// Settles the inputs, passes the outputs to `look`, then clocks.
  template <typename Look>
  void step(Look look) {
    dut_.drive(in_);
    dut_.settle();
    dut_.sample(out_);
    look(out_);
    dut_.clock_edge();
  }
  void step() {
    step([](const TopoOutputs&) {});
  }
  [[nodiscard]] TopoInputs& in() { return in_; }
  [[nodiscard]] const Shape& shape() const { return shape_; }

  void all_ready(bool ready) {
    for (unsigned port = 0; port < shape_.ports(); ++port) {
      for (unsigned node = 0; node < shape_.nodes(); ++node) in_.in_ready.set(port, node, ready);
    }
  }

 private:
  MazeDut& dut_;
  Shape shape_;
  TopoInputs in_;
  TopoOutputs out_;
};

template <typename Visit>
void for_each_set(const Shape& shape, const BitPlane& plane, Visit visit) {
  for (unsigned port = 0; port < shape.ports(); ++port) {
    for (unsigned w = 0; w < shape.words(); ++w) {
      maze::for_each_bit(plane.port(port)[w], w, [&](unsigned node) { visit(node, port); });
    }
  }
}

/// Sends one packet from one output while all others are idle, and notes where and when it arrives.
void find_targets(Probe& probe, FoundLink& link) {
  const Payload mask = (Payload{1} << probe.shape().payload_w()) - 1;
  const std::uint64_t id = link.source.node * probe.shape().ports() + link.source.port + 1;
  const Payload packet = id * 0x9e3779b1U & mask;
  probe.all_ready(true);
  probe.in().out_valid.set(link.source.port, link.source.node);
  probe.in().out_payload.at(link.source.port, link.source.node) = packet;
  link.packet = packet;
  for (unsigned cycle = 0; cycle < kSettleCycles / 2; ++cycle) {
    probe.step([&](const TopoOutputs& out) {
      for_each_set(probe.shape(), out.in_valid, [&](unsigned node, unsigned port) {
        const Payload got = out.in_payload.at(port, node);
        if (got == packet) {
          link.targets.push_back({{node, port}, cycle});
        } else {
          link.altered.push_back({{node, port}, got});
        }
      });
    });
    probe.in().out_valid.set(link.source.port, link.source.node, false);
  }
}

/// Keeps every output offering while no input is ready: the packets that a link accepts are its
/// capacity.
void fill(Probe& probe, std::vector<FoundLink>& found) {
  probe.reset();
  for (const FoundLink& link : found) {
    probe.in().out_valid.set(link.source.port, link.source.node);
    probe.in().out_payload.at(link.source.port, link.source.node) = 0;
  }
  for (unsigned cycle = 0; cycle < kSettleCycles; ++cycle) {
    probe.step([&](const TopoOutputs& out) {
      for (FoundLink& link : found) {
        if (out.out_ready.test(link.source.port, link.source.node)) ++link.capacity;
      }
    });
  }
}

/// Lets one input at a time take one packet while all links are full, and notes which outputs
/// become ready.
void find_ready_paths(Probe& probe, std::vector<FoundLink>& found) {
  const Shape& shape = probe.shape();
  for (unsigned port = 0; port < shape.ports(); ++port) {
    for (unsigned node = 0; node < shape.nodes(); ++node) {
      probe.in().in_ready.set(port, node);
      for (unsigned cycle = 0; cycle < kSettleCycles / 2; ++cycle) {
        probe.step([&](const TopoOutputs& out) {
          for_each_set(shape, out.out_ready, [&](unsigned source, unsigned source_port) {
            std::vector<MazePort>& from = found[source * shape.ports() + source_port].ready_from;
            const MazePort input{node, port};
            if (from.empty() || from.back() != input) from.push_back(input);
          });
        });
        probe.in().in_ready.set(port, node, false);
      }
    }
  }
}

}  // namespace

std::vector<FoundLink> discover_connectivity(MazeDut& dut) {
  Probe probe(dut);
  const Shape& shape = probe.shape();
  std::vector<FoundLink> found(shape.links());
  probe.reset();
  for (unsigned node = 0; node < shape.nodes(); ++node) {
    for (unsigned port = 0; port < shape.ports(); ++port) {
      FoundLink& link = found[node * shape.ports() + port];
      link.source = {node, port};
      find_targets(probe, link);
    }
  }
  fill(probe, found);
  find_ready_paths(probe, found);
  return found;
}

std::vector<Failure> compare_connectivity(const std::vector<FoundLink>& found,
                                          const topology::MazeLinks& links) {
  std::vector<Failure> failures;
  for (const FoundLink& link : found) {
    const topology::MazeLink& expected = links.leaving(link.source.node, link.source.port);
    const auto fail = [&](const char* kind, const std::string& what) {
      failures.push_back({"connectivity", kind, 0, LinkEnd{link.source.node, link.source.port},
                          fmt::format("{}: {}", links.end_name(link.source), what)});
    };
    const bool reached = std::any_of(link.targets.begin(), link.targets.end(),
                                     [&](const FoundTarget& t) { return t.sink == expected.to; });
    const auto altered = std::ranges::find(link.altered, expected.to, &AlteredPacket::sink);
    if (link.targets.empty() && altered != link.altered.end()) {
      fail("wrong_payload",
           fmt::format("delivers {:#x} to {}, expected {:#x}: bits {:#x} differ", altered->payload,
                       links.end_name(expected.to), link.packet, altered->payload ^ link.packet));
    } else if (link.targets.empty()) {
      fail("missing", fmt::format("leads nowhere, expected {}", links.end_name(expected.to)));
    } else if (!reached) {
      fail("wrong_target",
           fmt::format("leads to {}, expected {}", links.end_name(link.targets.front().sink),
                       links.end_name(expected.to)));
    }
    for (const FoundTarget& target : link.targets) {
      if (target.sink != expected.to) {
        if (reached) fail("extra", fmt::format("leads also to {}", links.end_name(target.sink)));
      } else if (target.latency != expected.depth) {
        fail("wrong_depth", fmt::format("takes {} cycles to {}, expected {}", target.latency,
                                        links.end_name(target.sink), expected.depth));
      }
    }
    if (link.capacity != 2 * expected.depth) {
      fail("wrong_capacity", fmt::format("holds {} packets while its receiver is not ready, "
                                         "expected {}",
                                         link.capacity, 2 * expected.depth));
    }
    if (link.ready_from != std::vector<MazePort>{expected.to}) {
      std::string from;
      const std::size_t shown = std::min(kShownInputs, link.ready_from.size());
      for (std::size_t i = 0; i < shown; ++i) {
        from += fmt::format("{} {}", from.empty() ? "" : ",", links.end_name(link.ready_from[i]));
      }
      if (shown < link.ready_from.size()) {
        from += fmt::format(" and {} more", link.ready_from.size() - shown);
      }
      fail("ready_path",
           fmt::format("its ready follows{}, expected {}", from.empty() ? " no input" : from,
                       links.end_name(expected.to)));
    }
  }
  return failures;
}

}  // namespace kernbench::sim
